/* Bodies with joints, inertia, geoms and sites. */
#include <math.h>
#include <string.h>

#include "analysis/math/vec.h"
#include "formats/model/mjcf_values.h"

/* Sum of the masses of a body's geoms. */
typedef struct MjcfMass {
    double mass;
    Vec3 moment;  /* kg m */
    Sym3 inertia; /* kg m2, about the body's origin */
    int is_asked; /* 1: the mass of the body is that of its geoms */
    const MjcfMesh *missing; /* a mesh that would contribute; NULL: none */
} MjcfMass;

static const char *const shapes[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "mesh", "hfield",
                                     "sdf", NULL};

/* Number of `size` values per shape; with fromto the half length along z follows from the line. */
static const int sizes[] = {1, 2, 2, 3, 3, 3, 0};
_Static_assert(sizeof sizes / sizeof *sizes == MODEL_SHAPE_COUNT, "a row for every ModelShape");

/* Places a geom along a line, which becomes its z axis. The first size is the radius, or for box and ellipsoid both
 * half sizes across. */
static void lay_along(MjcfReader *r, const MjcfItem *i, const double *ends, int given, ModelGeom *g)
{
    Vec3 from = vec3_load(ends), to = vec3(ends[3], ends[4], ends[5]);
    Vec3 along = vec3_sub(from, to);
    double half = vec3_norm(along) / 2;
    int flat = g->shape == MODEL_BOX || g->shape == MODEL_ELLIPSOID;
    if (g->shape == MODEL_SPHERE || g->shape == MODEL_PLANE || !(half > 0) || given < 1) {
        mjcf_fail(r, i->element, "fromto requires an elongated shape, two points and a size");
        return;
    }
    if (mjcf_text(r, i, "pos"))
        mjcf_fail(r, i->element, "%s has both fromto and pos", i->element->name);
    g->position = vec3_scale(vec3_add(from, to), 0.5);
    g->orientation = mjcf_turn_to(along);
    g->size = flat ? vec3(g->size.x, g->size.x, half) : vec3(g->size.x, half, 0);
    mjcf_in_frames(r, i->element, &g->position, &g->orientation);
}

static void read_size(MjcfReader *r, const MjcfItem *i, ModelGeom *g)
{
    double size[3] = {0, 0, 0}, ends[6];
    int given = mjcf_numbers(r, i, "size", 1, 3, size), wanted = sizes[g->shape];
    g->size = vec3_load(size);
    if (mjcf_numbers(r, i, "fromto", 6, 6, ends))
        lay_along(r, i, ends, given, g);
    else if (given < wanted)
        mjcf_fail(r, i->element, "%s: expected %d sizes, found %d", shapes[g->shape], wanted, given);
    int above = (g->size.x > 0) + (g->size.y > 0) + (g->size.z > 0);
    if (g->shape != MODEL_PLANE && above < wanted)
        mjcf_fail(r, i->element, "%s: expected positive sizes", shapes[g->shape]);
}

/* Adds the mass of a geom: `mass`, or density times volume. */
static void add_mass(MjcfReader *r, const MjcfItem *i, const ModelGeom *g, const MjcfMesh *mesh, MjcfMass *sum)
{
    Vec3 d = model_shape_inertia(g->shape, g->size);
    MeshMoments own = {model_shape_volume(g->shape, g->size), vec3(0, 0, 0), (Sym3){d.x, d.y, d.z, 0, 0, 0}};
    own = mesh ? mesh->moments : own;
    double volume = own.volume, density = mjcf_number(r, i, "density", 1000);
    double mass = mjcf_number(r, i, "mass", density * volume);
    int group = mjcf_integer(r, i, "group", 0);
    if (mass < 0 || density < 0)
        mjcf_fail(r, i->element, "a geom weighs less than nothing");
    if (!(volume > 0) || group < r->inertia_groups[0] || group > r->inertia_groups[1])
        return;
    Sym3 turned = sym3_rotate(quat_to_mat3(g->orientation), sym3_scale(own.inertia, mass / volume));
    sum->mass += mass;
    sum->moment = vec3_mad(sum->moment, mass, g->position);
    sum->inertia = sym3_add(sum->inertia, sym3_add(turned, sym3_point_inertia(mass, g->position)));
}

/* Returns 1 if a geom contributes to the mass of its body. */
static int has_mass(MjcfReader *r, const MjcfItem *i, const MjcfMass *sum)
{
    double density = mjcf_number(r, i, "density", 1000), mass = mjcf_number(r, i, "mass", density);
    int group = mjcf_integer(r, i, "group", 0);
    return sum->is_asked && mass > 0 && group >= r->inertia_groups[0] && group <= r->inertia_groups[1];
}

/* Returns 1 if the geom is in a contact pair, which applies whatever its contact bits. */
static int is_in_a_pair(const MjcfReader *r, const XmlElement *e)
{
    static const char *const sides[] = {"geom1", "geom2"};
    const XmlElement *root = e;
    const char *name = xml_attribute(e, "name");
    while (root->parent)
        root = root->parent;
    for (const XmlElement *s = xml_first(root, "contact"); name && s && !r->status; s = xml_next(s, "contact"))
        for (const XmlElement *p = xml_first(s, "pair"); p; p = xml_next(p, "pair"))
            for (int k = 0; k < 2; k++) {
                const char *other = xml_attribute(p, sides[k]);
                if (other && !strcmp(other, name))
                    return 1;
            }
    return 0;
}

static int may_collide(MjcfReader *r, const MjcfItem *i)
{
    int bits = mjcf_integer(r, i, "contype", 1) || mjcf_integer(r, i, "conaffinity", 1);
    return !r->model->off.no_contact && (bits || is_in_a_pair(r, i->element));
}

/* Ignores height fields, SDFs and shapes fitted to meshes with a remark if they are only drawn; reports them as
 * unsupported if they collide or have mass. */
static void leave_shape_out(MjcfReader *r, const MjcfItem *i, const char *name, const char *what, const MjcfMass *sum)
{
    int collides = may_collide(r, i), weighs = has_mass(r, i, sum);
    if (collides || weighs)
        mjcf_leave(r, i->element, name, "%s that %s", what, collides ? "collides" : "gives its body mass");
    else if (!r->status)
        r->status = mjcf_remark(r->remarks, i->element, r->err, "%s is left out", what);
}

/* Reads the contact attributes of a geom. */
static void read_collider(MjcfReader *r, const MjcfItem *i, ModelGeom *g)
{
    double friction[3] = {1, 0.005, 0.0001};
    mjcf_numbers(r, i, "friction", 1, 3, friction);
    g->friction = (ModelFriction){friction[0], friction[1], friction[2]};
    g->priority = mjcf_integer(r, i, "priority", 0);
    g->dimensions = mjcf_integer(r, i, "condim", 3);
    g->margin = mjcf_number(r, i, "margin", 0);
    g->gap = mjcf_number(r, i, "gap", 0);
    if (friction[0] < 0 || friction[1] < 0 || friction[2] < 0)
        mjcf_fail(r, i->element, "friction below 0");
    if (g->dimensions != 1 && g->dimensions != 3 && g->dimensions != 4 && g->dimensions != 6)
        mjcf_fail(r, i->element, "condim is 1, 3, 4 or 6");
}

/* Whether a contact of these parameters is under-damped, so that bodies rebound from it. The spring and damper that
 * kane makes of them deflects as far under a load, but takes up an impact. */
static int rebounds(const ModelSoftness *m)
{
    if (m->ref[0] > 0)
        return m->ref[1] < 1;
    return m->ref[1] * m->ref[1] < 4 * -m->ref[0];
}

void mjcf_check_collider(MjcfReader *r, int geom)
{
    const MjcfItem *i = &r->geom[geom];
    ModelGeom *g = &r->model->geom[geom];
    mjcf_softness(r, i, "solref", "solimp", &g->softness);
    if (!r->status && g->softness.is_soft && rebounds(&g->softness)) {
        const XmlElement *holder = mjcf_holder(r, i, "solref");
        mjcf_leave(r, holder, "solref", "%s with solref=\"%.60s\", which rebounds (damping ratio below 1; "
                   "--restitution makes contacts rebound)", holder->name, xml_attribute(holder, "solref"));
    }
}

/* Returns the material of this name in the asset section, or NULL. */
static const XmlElement *find_material(const XmlElement *e, const char *name)
{
    const XmlElement *root = e;
    while (root->parent)
        root = root->parent;
    for (const XmlElement *s = xml_first(root, "asset"); s; s = xml_next(s, "asset"))
        for (const XmlElement *m = xml_first(s, "material"); m; m = xml_next(m, "material")) {
            const char *own = xml_attribute(m, "name");
            if (own && !strcmp(own, name))
                return m;
        }
    return NULL;
}

/* Reads the colour of a geom, else that of its material. */
static void read_color(MjcfReader *r, const MjcfItem *i, ModelGeom *g)
{
    double color[4] = {1, 1, 1, 1};
    const char *name = mjcf_text(r, i, "material");
    const XmlElement *material = name ? find_material(i->element, name) : NULL;
    MjcfItem own = {material, NULL, -1};
    g->is_colored = mjcf_numbers(r, i, "rgba", 1, 4, color) > 0;
    if (!g->is_colored && material)
        g->is_colored = mjcf_numbers(r, &own, "rgba", 1, 4, color) > 0;
    for (int k = 0; k < 4; k++)
        g->color[k] = fmin(fmax(color[k], 0), 1);
}

static ModelGeom *new_geom(MjcfReader *r, const MjcfItem *i, int shape, int body)
{
    r->geom[r->model->geom_count] = *i;
    ModelGeom *g = &r->model->geom[r->model->geom_count++];
    *g = (ModelGeom){.name = mjcf_name(r, i), .shape = (ModelShape)shape, .body = body, .line = i->element->line,
                     .type_bits = mjcf_integer(r, i, "contype", 1),
                     .affinity_bits = mjcf_integer(r, i, "conaffinity", 1)};
    mjcf_pose(r, i, &g->position, &g->orientation);
    read_collider(r, i, g);
    read_color(r, i, g);
    return g;
}

/* Reads a mesh geom, of which the convex hull collides; if its file is missing, it is left out with a warning. */
static void read_mesh_geom(MjcfReader *r, const MjcfItem *i, const char *name, int body, MjcfMass *sum)
{
    int weighs = has_mass(r, i, sum), collides = may_collide(r, i);
    if (!weighs && !collides) {
        mjcf_look_for_mesh(r, i->element, name);
        return;
    }
    MjcfMesh *mesh = mjcf_mesh(r, i->element, name);
    if (r->status || !mesh)
        return;
    if (mesh->is_missing) {
        sum->missing = weighs && !sum->missing ? mesh : sum->missing;
        return;
    }
    ModelGeom *g = new_geom(r, i, MODEL_HULL, body);
    const ModelMesh *hull = &r->model->mesh[mesh->hull];
    g->mesh = mesh->hull;
    g->position = vec3_add(g->position, quat_rotate(g->orientation, mesh->moments.com));
    for (int v = 0; v < hull->vertex_count; v++)
        g->size = vec3(fmax(g->size.x, fabs(hull->vertex[v].x)), fmax(g->size.y, fabs(hull->vertex[v].y)),
                       fmax(g->size.z, fabs(hull->vertex[v].z)));
    if (!r->status && sum->is_asked)
        add_mass(r, i, g, mesh, sum);
}

static void mjcf_read_geom(MjcfReader *r, const XmlElement *e, int body, MjcfMass *sum)
{
    MjcfItem i = mjcf_item(r, e, "geom");
    if (r->status)
        return;
    const char *mesh = mjcf_text(r, &i, "mesh");
    int shape = mjcf_word(r, &i, "type", shapes, mesh ? MODEL_HULL : MODEL_SPHERE);
    if (shape == MODEL_HULL && !mesh)
        mjcf_fail(r, e, "a mesh without a mesh of the asset section");
    else if (shape == MODEL_HULL)
        read_mesh_geom(r, &i, mesh, body, sum);
    else if (shape > MODEL_HULL)
        leave_shape_out(r, &i, shapes[shape], shape == MODEL_HULL + 1 ? "a height field" : "an sdf", sum);
    else if (mesh)
        leave_shape_out(r, &i, "mesh", "a shape fitted to a mesh", sum);
    if (r->status || shape >= MODEL_HULL || mesh)
        return;
    ModelGeom *g = new_geom(r, &i, shape, body);
    read_size(r, &i, g);
    if (!r->status)
        add_mass(r, &i, g, NULL, sum);
}

/* Reads the range of a hinge, slide or ball and the softness of the limit. */
static void read_limit(MjcfReader *r, const MjcfItem *i, double unit, ModelJoint *j)
{
    j->limited = mjcf_limited(r, i, "limited", "range", &j->min, &j->max);
    j->min *= unit;
    j->max *= unit;
    if (!j->limited || r->status || r->model->off.no_limits)
        return;
    if (j->kind == MODEL_BALL && j->min != 0)
        mjcf_fail(r, i->element, "the range of a ball begins at 0");
    mjcf_check_values(r, i, "limit");
    mjcf_softness(r, i, "solreflimit", "solimplimit", &j->softness);
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
    j->friction = mjcf_number(r, &i, "frictionloss", 0);
    if (kind != MODEL_FREE)
        read_limit(r, &i, unit, j);
    j->force_limited = mjcf_limited(r, &i, "actuatorfrclimited", "actuatorfrcrange", &j->force_min, &j->force_max);
    if (!(vec3_norm(j->axis) > 0))
        mjcf_fail(r, e, "a joint has no axis");
    if (j->stiffness < 0 || j->damping < 0 || j->armature < 0 || j->friction < 0)
        mjcf_fail(r, e, "a joint has stiffness, damping, armature or frictionloss below 0");
    Quat turn = QUAT_IDENTITY;
    if (kind != MODEL_FREE)
        mjcf_in_frames(r, e, &j->anchor, &turn);
    if (kind == MODEL_HINGE || kind == MODEL_SLIDE)
        j->axis = quat_rotate(turn, j->axis);
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
        Vec3 from = vec3_load(ends), to = vec3(ends[3], ends[4], ends[5]);
        s->position = vec3_scale(vec3_add(from, to), 0.5);
        s->orientation = vec3_norm(vec3_sub(from, to)) > 0 ? mjcf_turn_to(vec3_sub(from, to)) : QUAT_IDENTITY;
        mjcf_in_frames(r, e, &s->position, &s->orientation);
    }
}

/* Checks principal moments of inertia, raises them to the bound, and balances them if requested: none may exceed the
 * sum of the other two. */
static void check_moments(MjcfReader *r, const XmlElement *e, double *d)
{
    for (int k = 0; k < 3; k++)
        d[k] = r->min_inertia > 0 ? fmax(d[k], r->min_inertia) : d[k];
    double max = fmax(d[0], fmax(d[1], d[2])), sum = d[0] + d[1] + d[2];
    if (d[0] < 0 || d[1] < 0 || d[2] < 0)
        mjcf_fail(r, e, "an inertia is below 0");
    if (max <= sum - max + 1e-12 * sum)
        return;
    if (r->balance)
        d[0] = d[1] = d[2] = sum / 3;
    else
        mjcf_fail(r, e, "impossible inertia: one moment exceeds the sum of the others");
}

/* Returns the inertia matrix with these principal moments about the rows of `axes`. */
static Sym3 of_moments(const double *d, Mat3 axes)
{
    return d[0] == d[1] && d[1] == d[2] ? (Sym3){d[0], d[0], d[0], 0, 0, 0}
                                        : sym3_rotate(mat3_transpose(axes), (Sym3){d[0], d[1], d[2], 0, 0, 0});
}

/* Applies the bounds to the principal moments; an inertia within them is returned bit for bit. */
static Sym3 bound_inertia(MjcfReader *r, const XmlElement *e, Sym3 inertia)
{
    Mat3 axes;
    Vec3 p = sym3_principal(inertia, &axes);
    double own[3] = {p.x, p.y, p.z}, bound[3] = {p.x, p.y, p.z};
    check_moments(r, e, bound);
    return memcmp(own, bound, sizeof own) ? of_moments(bound, axes) : inertia;
}

static void read_full_inertia(MjcfReader *r, const MjcfItem *i, const double *full, ModelBody *b)
{
    static const char *const turns[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    b->inertia = (Sym3){full[0], full[1], full[2], full[3], full[4], full[5]};
    Vec3 p = sym3_principal(b->inertia, NULL);
    if (!(fmin(p.x, fmin(p.y, p.z)) >= 1e-14))
        mjcf_fail(r, i->element, "fullinertia must have positive eigenvalues, has %.4g, %.4g and %.4g", p.x, p.y, p.z);
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++)
        if (xml_attribute(i->element, turns[k]))
            mjcf_fail(r, i->element, "fullinertia and %s both rotate the inertia", turns[k]);
    b->inertia = bound_inertia(r, i->element, b->inertia);
}

static void read_inertial(MjcfReader *r, const XmlElement *e, ModelBody *b)
{
    double full[6] = {0}, d[3] = {0};
    Quat q;
    MjcfItem i = mjcf_item(r, e, "inertial");
    mjcf_pose(r, &i, &b->com, &q);
    b->mass = mjcf_number(r, &i, "mass", -1);
    if (b->mass < 0)
        mjcf_fail(r, e, "inertial: expected a mass of 0 or more");
    if (mjcf_numbers(r, &i, "fullinertia", 6, 6, full)) {
        read_full_inertia(r, &i, full, b);
        return;
    }
    mjcf_numbers(r, &i, "diaginertia", 3, 3, d);
    check_moments(r, e, d);
    b->inertia = of_moments(d, mat3_transpose(quat_to_mat3(q)));
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

static void finish_mass(MjcfReader *r, const XmlElement *e, ModelBody *b, const MjcfMass *sum)
{
    const XmlElement *inertial = xml_first(e, "inertial");
    if (inertial && r->inertia_of_geoms != 1)
        read_inertial(r, inertial, b);
    else if (sum->missing)
        mjcf_fail(r, e, "the body's mass is that of mesh %.60s, whose file %.200s is missing: add it, or an inertial",
                  sum->missing->name, xml_attribute(sum->missing->element, "file"));
    else if (r->inertia_of_geoms != 0)
        take_mass(b, sum);
    b->mass = fmax(b->mass, r->min_mass);
    if (r->min_inertia > 0)
        b->inertia = bound_inertia(r, e, b->inertia);
}

typedef enum ChildKind { CHILD_BODY, CHILD_FRAME, CHILD_JOINT, CHILD_GEOM, CHILD_SITE, CHILD_LATER, CHILD_NOTHING,
                         CHILD_UNKNOWN } ChildKind;

static ChildKind child_kind(const XmlElement *e)
{
    static const struct { const char *name; ChildKind kind; } kinds[] = {
        {"body", CHILD_BODY}, {"frame", CHILD_FRAME}, {"joint", CHILD_JOINT}, {"freejoint", CHILD_JOINT},
        {"geom", CHILD_GEOM}, {"site", CHILD_SITE}, {"inertial", CHILD_LATER}, {"camera", CHILD_NOTHING},
        {"light", CHILD_NOTHING}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, e->name))
            return kinds[i].kind;
    return CHILD_UNKNOWN;
}

/* Reads the joints, geoms and sites of a body, including those in frames. */
static void read_content(MjcfReader *r, const XmlElement *e, int body, MjcfMass *sum)
{
    ModelBody *b = &r->model->body[body];
    for (const XmlElement *c = e->first; c && !r->status; c = c->next) {
        ChildKind kind = child_kind(c);
        if (kind == CHILD_UNKNOWN)
            mjcf_unread(r, c, c->name);
        else if (kind == CHILD_JOINT && body == 0)
            mjcf_fail(r, c, "the world has no joints");
        else if (kind == CHILD_JOINT) {
            b->joint_count++;
            read_joint(r, c, body);
        } else if (kind == CHILD_GEOM)
            mjcf_read_geom(r, c, body, sum);
        else if (kind == CHILD_SITE)
            read_site(r, c, body);
        else if (kind == CHILD_FRAME) {
            mjcf_item(r, c, "frame");
            read_content(r, c, body, sum);
        } else if (kind == CHILD_LATER && strcmp(e->name, "frame") == 0)
            mjcf_fail(r, c, "an inertial stands in its body, not in a frame");
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

static void read_bodies_in(MjcfReader *r, const XmlElement *e, int parent);

/* Reads a body, then recursively the bodies in it. */
static void read_body(MjcfReader *r, const XmlElement *e, int parent)
{
    Model *m = r->model;
    MjcfMass sum = {.is_asked = r->inertia_of_geoms == 1 || (r->inertia_of_geoms == 2 && !xml_first(e, "inertial"))};
    MjcfItem i = mjcf_item(r, e, "body");
    if (r->status)
        return;
    int self = m->body_count++;
    ModelBody *b = &m->body[self];
    *b = (ModelBody){.name = mjcf_name(r, &i), .parent = parent, .joint_start = m->joint_count};
    mjcf_pose(r, &i, &b->position, &b->orientation);
    b->lift = r->model->off.no_passive ? 0 : mjcf_number(r, &i, "gravcomp", 0);
    read_content(r, e, self, &sum);
    if (!r->status)
        finish_mass(r, e, b, &sum);
    check_joints(r, e, b);
    read_bodies_in(r, e, self);
}

static void read_bodies_in(MjcfReader *r, const XmlElement *e, int parent)
{
    for (const XmlElement *c = e->first; c && !r->status; c = c->next)
        if (child_kind(c) == CHILD_BODY)
            read_body(r, c, parent);
        else if (child_kind(c) == CHILD_FRAME)
            read_bodies_in(r, c, parent);
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
    r->geom = arena_array(&r->scratch, (size_t)all, 1, sizeof *r->geom);
    if (m->memory.failed || r->scratch.failed)
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
        read_bodies_in(r, e, 0);
    }
    model_number_coordinates(r->model);
}
