/* Bodies with joints, inertia, geoms and sites. */
#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/mat3.h"
#include "formats/model/mjcf_reader.h"
#include "formats/model/mjcf_words.h"

static const char *const shapes[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "mesh", NULL};
enum { SHAPE_MESH = MODEL_SHAPE_COUNT };

/* Numbers of `size` that a shape wants; with fromto the length along z is that of the line. */
static const int sizes[] = {1, 2, 2, 3, 3, 3};
_Static_assert(sizeof sizes / sizeof *sizes == MODEL_SHAPE_COUNT, "a row for every ModelShape");

/* From the first point to the second along z; size has the radius, or the half lengths across. */
static void lay_along(MjcfReader *r, const MjcfItem *i, const double *ends, int given, ModelGeom *g)
{
    Vec3 from = vec3(ends[0], ends[1], ends[2]), to = vec3(ends[3], ends[4], ends[5]);
    Vec3 along = vec3_sub(from, to);
    double half = vec3_norm(along) / 2;
    int flat = g->shape == MODEL_BOX || g->shape == MODEL_ELLIPSOID;
    if (g->shape == MODEL_SPHERE || g->shape == MODEL_PLANE || !(half > 0) || given < 1) {
        mjcf_fail(r, i->element, "fromto wants a long shape, two points and a size");
        return;
    }
    g->position = vec3_scale(vec3_add(from, to), 0.5);
    g->orientation = quat_between(vec3(0, 0, 1), vec3_normalize(along));
    g->size = flat ? vec3(g->size.x, given > 1 ? g->size.y : g->size.x, half) : vec3(g->size.x, half, 0);
}

static void read_size(MjcfReader *r, const MjcfItem *i, ModelGeom *g)
{
    double size[3] = {0, 0, 0}, ends[6];
    int given = mjcf_numbers(r, i, "size", 1, 3, size), wanted = sizes[g->shape];
    g->size = vec3(size[0], size[1], size[2]);
    if (mjcf_numbers(r, i, "fromto", 6, 6, ends))
        lay_along(r, i, ends, given, g);
    else if (given < wanted)
        mjcf_fail(r, i->element, "a %s wants %d sizes, found %d", shapes[g->shape], wanted, given);
    int above = (g->size.x > 0) + (g->size.y > 0) + (g->size.z > 0);
    if (g->shape != MODEL_PLANE && above < wanted)
        mjcf_fail(r, i->element, "a %s wants sizes above 0", shapes[g->shape]);
}

/* Adds a shape's mass: `mass`, or its density times its volume. */
static void add_mass(MjcfReader *r, const MjcfItem *i, const ModelGeom *g, MjcfMass *sum)
{
    double volume = model_shape_volume(g->shape, g->size), density = mjcf_number(r, i, "density", 1000);
    double mass = mjcf_number(r, i, "mass", density * volume);
    int group = mjcf_integer(r, i, "group", 0);
    if (mass < 0 || density < 0)
        mjcf_fail(r, i->element, "a geom weighs less than nothing");
    if (!(volume > 0) || group < r->inertia_groups[0] || group > r->inertia_groups[1])
        return;
    Vec3 own = vec3_scale(model_shape_inertia(g->shape, g->size), mass / volume);
    Sym3 turned = sym3_rotate(quat_to_mat3(g->orientation), (Sym3){own.x, own.y, own.z, 0, 0, 0});
    sum->mass += mass;
    sum->moment = vec3_mad(sum->moment, mass, g->position);
    sum->inertia = sym3_add(sum->inertia, sym3_add(turned, sym3_point_inertia(mass, g->position)));
}

/* Meshes are left out; where one would collide or give mass, that is told or an error. */
static void leave_mesh_out(MjcfReader *r, const MjcfItem *i, MjcfMass *sum)
{
    int collides = mjcf_integer(r, i, "contype", 1) || mjcf_integer(r, i, "conaffinity", 1);
    double density = mjcf_number(r, i, "density", 1000), mass = mjcf_number(r, i, "mass", density);
    int group = mjcf_integer(r, i, "group", 0);
    sum->has_mesh |= mass > 0 && group >= r->inertia_groups[0] && group <= r->inertia_groups[1];
    if (!r->status)
        r->status = mjcf_remark(r->remarks, i->element, r->err, "a mesh is left out%s",
                                collides ? ": it collides with nothing" : "");
}

void mjcf_read_geom(MjcfReader *r, const XmlElement *e, int body, MjcfMass *sum)
{
    MjcfItem i = mjcf_item(r, e, "geom");
    if (r->status)
        return;
    int is_mesh = mjcf_text(r, &i, "mesh") != NULL;
    int shape = mjcf_word(r, &i, "type", shapes, is_mesh ? SHAPE_MESH : MODEL_SPHERE);
    if (shape == SHAPE_MESH || is_mesh) {
        leave_mesh_out(r, &i, sum);
        return;
    }
    double friction[3] = {1, 0, 0};
    ModelGeom *g = &r->model->geom[r->model->geom_count];
    *g = (ModelGeom){.name = mjcf_name(r, &i), .shape = (ModelShape)shape, .body = body, .line = e->line,
                     .type_bits = mjcf_integer(r, &i, "contype", 1),
                     .affinity_bits = mjcf_integer(r, &i, "conaffinity", 1)};
    mjcf_pose(r, &i, &g->position, &g->orientation);
    read_size(r, &i, g);
    mjcf_numbers(r, &i, "friction", 1, 3, friction);
    g->friction = friction[0];
    if (friction[0] < 0)
        mjcf_fail(r, e, "friction below 0");
    if (!r->status)
        add_mass(r, &i, g, sum);
    r->model->geom_count++;
}

static void read_joint(MjcfReader *r, const XmlElement *e, int body)
{
    static const char *const kinds[] = {"hinge", "slide", "ball", "free", NULL};
    int is_free = !strcmp(e->name, "freejoint");
    MjcfItem i = mjcf_item(r, e, is_free ? "freejoint" : "joint");
    if (r->status)
        return;
    ModelJoint *j = &r->model->joint[r->model->joint_count++];
    int kind = is_free ? MODEL_FREE : mjcf_word(r, &i, "type", kinds, MODEL_HINGE);
    double unit = kind == MODEL_HINGE || kind == MODEL_BALL ? r->angle : 1;
    *j = (ModelJoint){.name = mjcf_name(r, &i), .kind = (ModelJointKind)kind, .body = body};
    if (is_free)
        return;
    j->anchor = kind == MODEL_FREE ? vec3(0, 0, 0) : mjcf_vec3(r, &i, "pos", vec3(0, 0, 0));
    j->axis = mjcf_vec3(r, &i, "axis", vec3(0, 0, 1));
    j->reference = unit * mjcf_number(r, &i, "ref", 0);
    j->rest = unit * mjcf_number(r, &i, "springref", 0);
    j->stiffness = mjcf_number(r, &i, "stiffness", 0);
    j->damping = mjcf_number(r, &i, "damping", 0);
    j->armature = mjcf_number(r, &i, "armature", 0);
    j->limited = kind != MODEL_FREE && mjcf_limited(r, &i, "limited", "range", &j->least, &j->most);
    j->least *= unit;
    j->most *= unit;
    j->force_limited = mjcf_limited(r, &i, "actuatorfrclimited", "actuatorfrcrange", &j->force_least, &j->force_most);
    if (!(vec3_norm(j->axis) > 0))
        mjcf_fail(r, e, "a joint has no axis");
    if (j->stiffness < 0 || j->damping < 0 || j->armature < 0)
        mjcf_fail(r, e, "a joint has stiffness, damping or armature below 0");
    j->axis = vec3_normalize(j->axis);
}

static void read_site(MjcfReader *r, const XmlElement *e, int body)
{
    double ends[6];
    MjcfItem i = mjcf_item(r, e, "site");
    if (r->status)
        return;
    ModelSite *s = &r->model->site[r->model->site_count++];
    *s = (ModelSite){.name = mjcf_name(r, &i), .body = body};
    mjcf_pose(r, &i, &s->position, &s->orientation);
    if (mjcf_numbers(r, &i, "fromto", 6, 6, ends)) {
        Vec3 from = vec3(ends[0], ends[1], ends[2]), to = vec3(ends[3], ends[4], ends[5]);
        s->position = vec3_scale(vec3_add(from, to), 0.5);
        s->orientation = quat_between(vec3(0, 0, 1), vec3_normalize(vec3_sub(from, to)));
    }
}

/* Moments about the principal axes: none below 0, none above the sum of the other two. */
static void check_moments(MjcfReader *r, const XmlElement *e, double *d)
{
    double most = fmax(d[0], fmax(d[1], d[2])), sum = d[0] + d[1] + d[2];
    if (d[0] < 0 || d[1] < 0 || d[2] < 0)
        mjcf_fail(r, e, "an inertia is below 0");
    if (most <= sum - most + 1e-12 * sum)
        return;
    if (r->balance)
        d[0] = d[1] = d[2] = sum / 3;
    else
        mjcf_fail(r, e, "no body has such an inertia: one moment is above the sum of the others");
}

static void read_inertial(MjcfReader *r, const XmlElement *e, ModelBody *b)
{
    double full[6] = {0}, d[3] = {0};
    Quat q;
    MjcfItem i = mjcf_item(r, e, "inertial");
    i.class = -1;
    mjcf_pose(r, &i, &b->com, &q);
    b->mass = mjcf_number(r, &i, "mass", -1);
    if (b->mass < 0)
        mjcf_fail(r, e, "inertial wants a mass of 0 or more");
    if (mjcf_numbers(r, &i, "fullinertia", 6, 6, full)) {
        b->inertia = (Sym3){full[0], full[1], full[2], full[3], full[4], full[5]};
        check_moments(r, e, full);
        return;
    }
    mjcf_numbers(r, &i, "diaginertia", 3, 3, d);
    check_moments(r, e, d);
    for (int k = 0; k < 3; k++)
        d[k] = fmax(d[k], r->least_inertia);
    b->inertia = d[0] == d[1] && d[1] == d[2] ? (Sym3){d[0], d[0], d[0], 0, 0, 0}
                                              : sym3_rotate(quat_to_mat3(q), (Sym3){d[0], d[1], d[2], 0, 0, 0});
}

static Sym3 sym3_less(Sym3 a, Sym3 b)
{
    return (Sym3){a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}

static void take_mass(ModelBody *b, const MjcfMass *sum)
{
    b->mass = sum->mass;
    b->com = sum->mass > 0 ? vec3_scale(sum->moment, 1 / sum->mass) : vec3(0, 0, 0);
    b->inertia = sym3_less(sum->inertia, sym3_point_inertia(sum->mass, b->com));
}

/* Moments are not below the bound; where the axes are not principal it would not be the bound of moments. */
static void bound_inertia(MjcfReader *r, const XmlElement *e, ModelBody *b)
{
    Sym3 *i = &b->inertia;
    if (!(r->least_inertia > 0))
        return;
    if (i->xy != 0 || i->xz != 0 || i->yz != 0)
        mjcf_fail(r, e, "boundinertia is not read where a body's axes are not principal");
    i->xx = fmax(i->xx, r->least_inertia);
    i->yy = fmax(i->yy, r->least_inertia);
    i->zz = fmax(i->zz, r->least_inertia);
}

static void finish_mass(MjcfReader *r, const XmlElement *e, ModelBody *b, const MjcfMass *sum)
{
    const XmlElement *inertial = xml_first(e, "inertial");
    if (inertial && r->inertia_of_geoms != 1)
        read_inertial(r, inertial, b);
    else if (sum->has_mesh)
        mjcf_fail(r, e, "the mass of the body comes from a mesh, which is not read: give it an inertial");
    else if (r->inertia_of_geoms != 0)
        take_mass(b, sum);
    b->mass = fmax(b->mass, r->least_mass);
    bound_inertia(r, e, b);
}

typedef enum ChildKind { CHILD_BODY, CHILD_JOINT, CHILD_GEOM, CHILD_SITE, CHILD_LATER, CHILD_NOTHING,
                         CHILD_UNKNOWN } ChildKind;

static ChildKind child_kind(const XmlElement *e)
{
    static const struct { const char *name; ChildKind kind; } kinds[] = {
        {"body", CHILD_BODY}, {"joint", CHILD_JOINT}, {"freejoint", CHILD_JOINT}, {"geom", CHILD_GEOM},
        {"site", CHILD_SITE}, {"inertial", CHILD_LATER}, {"camera", CHILD_NOTHING}, {"light", CHILD_NOTHING}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, e->name))
            return kinds[i].kind;
    return CHILD_UNKNOWN;
}

/* What lies on a body itself. */
static void read_content(MjcfReader *r, const XmlElement *e, int body, MjcfMass *sum)
{
    ModelBody *b = &r->model->body[body];
    for (const XmlElement *c = e->first; c && !r->status; c = c->next) {
        ChildKind kind = child_kind(c);
        if (kind == CHILD_UNKNOWN)
            mjcf_fail(r, c, "<%s> in a body is not read, and without it the scene would be another", c->name);
        else if (kind == CHILD_JOINT && body == 0)
            mjcf_fail(r, c, "the world has no joints");
        else if (kind == CHILD_JOINT) {
            b->joint_count++;
            read_joint(r, c, body);
        } else if (kind == CHILD_GEOM)
            mjcf_read_geom(r, c, body, sum);
        else if (kind == CHILD_SITE)
            read_site(r, c, body);
    }
}

static void check_joints(MjcfReader *r, const XmlElement *e, const ModelBody *b)
{
    for (int j = b->joint_start; j < b->joint_start + b->joint_count; j++) {
        ModelJointKind kind = r->model->joint[j].kind;
        if (kind == MODEL_FREE && (b->joint_count > 1 || b->parent != 0))
            mjcf_fail(r, e, "a free joint stands alone in a body of the world");
        if (kind == MODEL_BALL && j + 1 < b->joint_start + b->joint_count && r->model->joint[j + 1].kind == MODEL_BALL)
            mjcf_fail(r, e, "a body has two ball joints");
    }
}

/* A body with all bodies in it, first itself. */
static void read_body(MjcfReader *r, const XmlElement *e, int parent)
{
    Model *m = r->model;
    MjcfMass sum = {0};
    MjcfItem i = mjcf_item(r, e, "body");
    if (r->status)
        return;
    int self = m->body_count++;
    ModelBody *b = &m->body[self];
    *b = (ModelBody){.name = mjcf_name(r, &i), .parent = parent, .joint_start = m->joint_count};
    i.class = -1;
    mjcf_pose(r, &i, &b->position, &b->orientation);
    read_content(r, e, self, &sum);
    if (!r->status)
        finish_mass(r, e, b, &sum);
    check_joints(r, e, b);
    for (const XmlElement *c = xml_first(e, "body"); c && !r->status; c = xml_next(c, "body"))
        read_body(r, c, self);
}

static void count_elements(const XmlElement *e, int *bodies, int *all)
{
    for (const XmlElement *c = e->first; c; c = c->next) {
        *bodies += !strcmp(c->name, "body");
        ++*all;
        count_elements(c, bodies, all);
    }
}

static void make_room(MjcfReader *r, const XmlElement *root)
{
    Model *m = r->model;
    int bodies = 1, all = 0;
    for (const XmlElement *e = xml_first(root, "worldbody"); e; e = xml_next(e, "worldbody"))
        count_elements(e, &bodies, &all);
    m->body = arena_array(&m->memory, (size_t)bodies, 1, sizeof *m->body);
    m->joint = arena_array(&m->memory, (size_t)all, 1, sizeof *m->joint);
    m->geom = arena_array(&m->memory, (size_t)all, 1, sizeof *m->geom);
    m->site = arena_array(&m->memory, (size_t)all, 1, sizeof *m->site);
    if (m->memory.failed)
        r->status = error_no_memory(r->err);
}

void mjcf_read_bodies(MjcfReader *r, const XmlElement *root)
{
    MjcfMass none = {0};
    make_room(r, root);
    if (r->status)
        return;
    r->model->body_count = 1;
    r->model->body[0] = (ModelBody){.name = "world", .parent = -1, .orientation = QUAT_IDENTITY};
    for (const XmlElement *e = xml_first(root, "worldbody"); e && !r->status; e = xml_next(e, "worldbody")) {
        read_content(r, e, 0, &none);
        for (const XmlElement *c = xml_first(e, "body"); c && !r->status; c = xml_next(c, "body"))
            read_body(r, c, 0);
    }
    model_number_coordinates(r->model);
}
