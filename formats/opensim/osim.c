/* Reads an OpenSim model (osim.h). In version 40000, and in the versions of its drafts (30517 ...), joints and their
 * frames are in a JointSet; in version 30000 each body has the joint to its parent. */
#include "formats/opensim/osim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/standard_gravity.h"
#include "formats/opensim/osim_values.h"

static const size_t max_bytes = (size_t)64 << 20;
static const int max_elements = 1000000;
static const double same_gravity = 0.005;

typedef struct Reading {
    const XmlElement *model;
    const SourceDef *def;
    OsimFrames frames;
    Osim *out;
    Error *err;
} Reading;

static int find_body(const Osim *m, const char *name)
{
    int b = m->body_count - 1;
    while (b >= 0 && strcmp(m->body[b].name, name) != 0)
        b--;
    return b;
}

int osim_find_coordinate(const Osim *m, const char *name)
{
    int c = m->coordinate_count - 1;
    while (c >= 0 && strcmp(m->coordinate[c].name, name) != 0)
        c--;
    return c;
}

static const char *keep(Reading *r, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = arena_array(&r->out->memory, size, 1, 1);
    return copy ? memcpy(copy, text, size) : "";
}

/* The elements of a set: <BodySet><objects>...; NULL: there is none. */
static const XmlElement *objects(const XmlElement *parent, const char *set)
{
    const XmlElement *holder = parent ? xml_first(parent, set) : NULL;
    const XmlElement *list = holder ? xml_first(holder, "objects") : NULL;
    return list ? list->first : NULL;
}

static int count_elements(const XmlElement *e)
{
    int n = 0;
    for (; e; e = e->next)
        n++;
    return n;
}

/* ---- Bodies ---- */

static Status read_inertia(const XmlElement *e, Sym3 *out, Error *err)
{
    static const char *const names[] = {"inertia_xx", "inertia_yy", "inertia_zz", "inertia_xy", "inertia_xz",
                                        "inertia_yz"};
    double i[6] = {0};
    Status status = osim_vector(e, "inertia", i, 6, err);
    for (int k = 0; k < 6 && !status; k++)
        status = osim_number(e, names[k], &i[k], err);
    *out = (Sym3){i[0], i[1], i[2], i[3], i[4], i[5]};
    return status;
}

static Status read_body(Reading *r, const XmlElement *e, OsimBody *out)
{
    *out = (OsimBody){.name = keep(r, osim_name(e)), .joint = OSIM_NONE, .line = e->line};
    Status status = osim_number(e, "mass", &out->mass, r->err);
    if (!status)
        status = osim_vec3(e, "mass_center", &out->com, r->err);
    if (!status)
        status = read_inertia(e, &out->inertia, r->err);
    if (!status && out->mass < 0)
        status = xml_error(e, STATUS_BAD_INPUT, r->err, "body %.60s has a mass of %g kg", out->name, out->mass);
    return status;
}

static Status read_bodies(Reading *r)
{
    const XmlElement *first = objects(r->model, "BodySet");
    int count = count_elements(first);
    Osim *m = r->out;
    if (count > r->def->max_joints)
        return xml_error(r->model, STATUS_LIMIT, r->err, "more than %d bodies (--max-joints)", r->def->max_joints);
    m->body = arena_array(&m->memory, (size_t)count, 1, sizeof *m->body);
    if (m->memory.failed)
        return error_no_memory(r->err);
    Status status = STATUS_OK;
    for (const XmlElement *e = first; e && !status; e = e->next) {
        if (strcmp(e->name, "Body") != 0 || strcmp(osim_name(e), "ground") == 0)
            continue;
        if (find_body(m, osim_name(e)) >= 0)
            return xml_error(e, STATUS_BAD_INPUT, r->err, "two bodies are named \"%.60s\"", osim_name(e));
        status = read_body(r, e, &m->body[m->body_count]);
        m->body_count += !status;
    }
    if (!status && m->body_count == 0)
        status = xml_error(r->model, STATUS_BAD_INPUT, r->err, "the model has no bodies");
    return status;
}

/* ---- Frames of joints ---- */

static int is_ground(const char *name) { return strcmp(name, "ground") == 0; }

/* Finds the body of a joint by its name; OSIM_GROUND is ground. */
static Status body_of_joint(Reading *r, const XmlElement *joint, const char *name, int *out)
{
    *out = is_ground(name) ? OSIM_GROUND : find_body(r->out, name);
    if (*out < 0 && !is_ground(name))
        return xml_error(joint, STATUS_BAD_INPUT, r->err, "joint %.60s: there is no body \"%.60s\"", osim_name(joint),
                         name);
    return STATUS_OK;
}

/* Reads the frame that a socket names: a body, or a frame that is offset from one. */
static Status socket_frame(Reading *r, const XmlElement *joint, const char *const *socket, int *body, OsimFrame *out)
{
    OsimPlace place;
    Status status = osim_frame_find(&r->frames, joint, osim_first_text(joint, socket), &place, r->err);
    if (status)
        return status;
    *out = place.frame;
    return body_of_joint(r, joint, place.body, body);
}

static Status frames_of_set(Reading *r, const XmlElement *e, OsimJoint *j)
{
    static const char *const parent[] = {"socket_parent_frame", "socket_parent", "socket_parent_frame_connectee_name",
                                         NULL};
    static const char *const child[] = {"socket_child_frame", "socket_child", "socket_child_frame_connectee_name",
                                        NULL};
    Status status = socket_frame(r, e, parent, &j->parent, &j->in_parent);
    return status ? status : socket_frame(r, e, child, &j->child, &j->in_child);
}

/* Version 30000: the joint is in its child body. */
static Status frames_of_body(Reading *r, const XmlElement *e, int child, OsimJoint *j)
{
    Vec3 x[2] = {{0, 0, 0}, {0, 0, 0}}, angles[2] = {{0, 0, 0}, {0, 0, 0}};
    const char *parent = xml_child_text(e, "parent_body");
    int is_reversed = 0;
    Status status;
    j->child = child;
    if ((status = osim_vec3(e, "location_in_parent", &x[0], r->err)) ||
        (status = osim_vec3(e, "orientation_in_parent", &angles[0], r->err)) ||
        (status = osim_vec3(e, "location", &x[1], r->err)) ||
        (status = osim_vec3(e, "orientation", &angles[1], r->err)) ||
        (status = osim_flag(e, "reverse", &is_reversed, r->err)))
        return status;
    if (is_reversed)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "joint %.60s is reversed, which is not supported", j->name);
    j->in_parent = osim_frame(x[0], angles[0]);
    j->in_child = osim_frame(x[1], angles[1]);
    return body_of_joint(r, e, osim_path_end(parent ? parent : ""), &j->parent);
}

/* ---- Coordinates ---- */

static Status read_range(Reading *r, const XmlElement *e, OsimCoordinate *c)
{
    Status status = osim_flag(e, "clamped", &c->is_clamped, r->err);
    if (!status && c->is_clamped)
        status = osim_vector(e, "range", c->range, 2, r->err);
    c->is_clamped = c->is_clamped && c->range[0] < c->range[1];
    return status;
}

static Status read_coordinate(Reading *r, const XmlElement *e, int joint)
{
    Osim *m = r->out;
    if (osim_find_coordinate(m, osim_name(e)) >= 0)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "two coordinates are named \"%.60s\"", osim_name(e));
    OsimCoordinate *c = &m->coordinate[m->coordinate_count];
    *c = (OsimCoordinate){.name = keep(r, osim_name(e)), .joint = joint, .follows = OSIM_NONE, .type = OSIM_COUPLED};
    Status status = osim_number(e, "default_value", &c->value, r->err);
    if (!status)
        status = osim_flag(e, "locked", &c->is_locked, r->err);
    if (!status)
        status = read_range(r, e, c);
    m->coordinate_count += !status;
    return status;
}

/* <coordinates><Coordinate>, or <CoordinateSet><objects><Coordinate> in version 30000. */
static const XmlElement *first_coordinate(const XmlElement *joint)
{
    const XmlElement *list = xml_first(joint, "coordinates");
    const XmlElement *first = list ? list->first : objects(joint, "CoordinateSet");
    return first && strcmp(first->name, "Coordinate") != 0 ? xml_next(first, "Coordinate") : first;
}

static Status read_coordinates(Reading *r, const XmlElement *joint, OsimJoint *j)
{
    Status status = STATUS_OK;
    j->coordinate_start = r->out->coordinate_count;
    for (const XmlElement *e = first_coordinate(joint); e && !status; e = xml_next(e, "Coordinate")) {
        if (r->out->coordinate_count - j->coordinate_start == OSIM_AXES)
            return xml_error(e, STATUS_BAD_INPUT, r->err, "joint %.60s has more than %d coordinates", j->name,
                             OSIM_AXES);
        status = read_coordinate(r, e, (int)(j - r->out->joint));
    }
    j->coordinate_count = r->out->coordinate_count - j->coordinate_start;
    return status;
}

/* ---- Axes of joints ---- */

static const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void fix_axes(Reading *r, OsimJoint *j)
{
    for (int k = 0; k < OSIM_AXES; k++)
        j->axis[k] = (OsimAxis){OSIM_NONE, axes[k % 3], osim_constant(0, &r->out->memory)};
}

/* The kinds of joints with one coordinate per axis: r or t, and an axis, per coordinate in order. */
static const struct JointKind {
    const char *name, *coordinates;
} joint_kinds[] = {
    {"WeldJoint", ""},          {"PinJoint", "rz"},          {"SliderJoint", "tx"},
    {"UniversalJoint", "rxry"}, {"BallJoint", "rxryrz"},     {"GimbalJoint", "rxryrz"},
    {"PlanarJoint", "rztxty"},  {"EllipsoidJoint", "rxryrz"}, {"FreeJoint", "rxryrztxtytz"},
};

static Status fill_kind(Reading *r, const XmlElement *e, const struct JointKind *kind, OsimJoint *j)
{
    int count = (int)strlen(kind->coordinates) / 2;
    if (j->coordinate_count != count)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "joint %.60s: a %s has %d coordinates, found %d", j->name,
                         kind->name, count, j->coordinate_count);
    for (int i = 0; i < count; i++) {
        int is_translation = kind->coordinates[2 * i] == 't', axis = kind->coordinates[2 * i + 1] - 'x';
        OsimAxis *a = &j->axis[axis + (is_translation ? OSIM_ROTATIONS : 0)];
        *a = (OsimAxis){j->coordinate_start + i, axes[axis], osim_identity(&r->out->memory)};
    }
    return strcmp(kind->name, "EllipsoidJoint") == 0 ? osim_vec3(e, "radii_x_y_z", &j->radii, r->err) : STATUS_OK;
}

/* The function of an axis: a child element, or in <function>. */
static const XmlElement *function_of(const XmlElement *axis)
{
    static const char *const others[] = {"coordinates", "axis", "coordinate"};
    const XmlElement *holder = xml_first(axis, "function");
    const XmlElement *e = holder ? holder->first : axis->first;
    for (int k = 0; e && k < 3; k++)
        if (strcmp(e->name, others[k]) == 0) {
            e = e->next;
            k = -1;
        }
    return e;
}

static Status read_axis(Reading *r, const XmlElement *e, const OsimJoint *j, OsimAxis *out)
{
    const char *name = xml_child_text(e, "coordinates");
    const XmlElement *function = function_of(e);
    Status status = osim_vec3(e, "axis", &out->axis, r->err);
    if (status)
        return status;
    if (!(vec3_norm(out->axis) > 0))
        return xml_error(e, STATUS_BAD_INPUT, r->err, "joint %.60s: the axis of %.60s is zero", j->name, osim_name(e));
    out->axis = vec3_normalize(out->axis);
    if (name && *name) {
        out->coordinate = osim_find_coordinate(r->out, name);
        if (out->coordinate < j->coordinate_start)
            return xml_error(e, STATUS_BAD_INPUT, r->err, "joint %.60s: %.60s has no coordinate \"%.60s\"", j->name,
                             osim_name(e), name);
        out->function = osim_identity(&r->out->memory);
    }
    return function ? osim_function_read(function, j->name, &r->out->memory, &out->function, r->err) : STATUS_OK;
}

/* Axes two of which are parallel leave the rotation with a direction that nothing moves: legal, and left as it is. */
static Status fill_custom(Reading *r, const XmlElement *e, OsimJoint *j)
{
    static const char *const names[OSIM_AXES] = {"rotation1",    "rotation2",    "rotation3",
                                                 "translation1", "translation2", "translation3"};
    const XmlElement *transform = xml_first(e, "SpatialTransform");
    const XmlElement *list = transform ? xml_first(transform, "objects") : NULL;
    const XmlElement *first = list ? list->first : transform ? transform->first : NULL;
    if (!transform)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "joint %.60s has no SpatialTransform", j->name);
    Status status = STATUS_OK;
    for (const XmlElement *axis = first; axis && !status; axis = xml_next(axis, "TransformAxis"))
        for (int k = 0; k < OSIM_AXES && !status; k++)
            if (strcmp(axis->name, "TransformAxis") == 0 && strcmp(osim_name(axis), names[k]) == 0)
                status = read_axis(r, axis, j, &j->axis[k]);
    return status;
}

/* A coordinate is a rotation if it is one itself: the first axis that it moves has the function x, or a x + b. */
static void find_types(const Osim *m, const OsimJoint *j)
{
    double c[2];
    for (int k = 0; k < OSIM_AXES; k++) {
        const OsimAxis *a = &j->axis[k];
        OsimCoordinate *own = a->coordinate >= 0 ? &m->coordinate[a->coordinate] : NULL;
        if (own && own->type == OSIM_COUPLED && osim_function_is_linear(&a->function, c) && c[1] != 0)
            own->type = k < OSIM_ROTATIONS ? OSIM_ROTATION : OSIM_TRANSLATION;
    }
}

static Status fill_axes(Reading *r, const XmlElement *e, OsimJoint *j)
{
    size_t k = 0, count = sizeof joint_kinds / sizeof *joint_kinds;
    fix_axes(r, j);
    if (r->out->memory.failed)
        return error_no_memory(r->err);
    while (k < count && strcmp(joint_kinds[k].name, e->name) != 0)
        k++;
    if (k < count)
        return fill_kind(r, e, &joint_kinds[k], j);
    if (strcmp(e->name, "CustomJoint") == 0)
        return fill_custom(r, e, j);
    return xml_error(e, STATUS_BAD_INPUT, r->err,
                     "joint %.60s: %.60s is not supported (supported: Weld, Pin, Slider, Universal, Ball, Gimbal, "
                     "Planar, Free, Custom, Ellipsoid)", j->name, e->name);
}

/* child: the body that has the joint; OSIM_NONE: sockets name it. */
static Status read_joint(Reading *r, const XmlElement *e, int child)
{
    Osim *m = r->out;
    OsimJoint *j = &m->joint[m->joint_count];
    *j = (OsimJoint){.name = keep(r, osim_name(e)), .line = e->line};
    Status status = child < 0 ? frames_of_set(r, e, j) : frames_of_body(r, e, child, j);
    if (!status)
        status = read_coordinates(r, e, j);
    if (!status)
        status = fill_axes(r, e, j);
    if (status)
        return status;
    if (m->memory.failed)
        return error_no_memory(r->err);
    if (j->child < 0)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "joint %.60s has ground as its child", j->name);
    if (m->body[j->child].joint >= 0)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "body %.60s has two joints, %.60s and %.60s: closed loops are "
                         "not supported", m->body[j->child].name, m->joint[m->body[j->child].joint].name, j->name);
    find_types(m, j);
    m->body[j->child].joint = m->joint_count++;
    return STATUS_OK;
}

static Status joints_of_set(Reading *r)
{
    const XmlElement *first = objects(r->model, "JointSet");
    Status status = STATUS_OK;
    for (const XmlElement *e = first; e && !status; e = e->next) {
        if (r->out->joint_count == r->out->body_count)
            return xml_error(e, STATUS_BAD_INPUT, r->err, "more joints than bodies: closed loops are not supported");
        status = read_joint(r, e, OSIM_NONE);
    }
    return status;
}

static Status joints_of_bodies(Reading *r)
{
    Status status = STATUS_OK;
    int child = 0;
    for (const XmlElement *e = objects(r->model, "BodySet"); e && !status; e = e->next) {
        const XmlElement *holder = xml_first(e, "Joint");
        if (strcmp(e->name, "Body") != 0 || strcmp(osim_name(e), "ground") == 0)
            continue;
        if (holder && holder->first)
            status = read_joint(r, holder->first, child);
        child++;
    }
    return status;
}

static Status read_joints(Reading *r)
{
    Osim *m = r->out;
    m->joint = arena_array(&m->memory, (size_t)m->body_count, 1, sizeof *m->joint);
    m->coordinate = arena_array(&m->memory, (size_t)m->body_count * OSIM_AXES, 1, sizeof *m->coordinate);
    if (m->memory.failed)
        return error_no_memory(r->err);
    Status status = objects(r->model, "JointSet") ? joints_of_set(r) : joints_of_bodies(r);
    for (int b = 0; b < m->body_count && !status; b++)
        if (m->body[b].joint < 0)
            status = error_set_at(r->err, STATUS_BAD_INPUT, m->body[b].line, 0, "body %.60s has no joint",
                                  m->body[b].name);
    return status;
}

/* ---- Couplings and points ---- */

static Status read_coupling(Reading *r, const XmlElement *e)
{
    Osim *m = r->out;
    int is_off = 0, is_on = 1;
    double scale = 1;
    const char *dependent = xml_child_text(e, "dependent_coordinate_name");
    const char *independent = xml_child_text(e, "independent_coordinate_names");
    const XmlElement *holder = xml_first(e, "coupled_coordinates_function");
    Status status = osim_flag(e, "isDisabled", &is_off, r->err);
    if (!status)
        status = osim_flag(e, "isEnforced", &is_on, r->err);
    if (!status)
        status = osim_number(e, "scale_factor", &scale, r->err);
    if (status || is_off || !is_on)
        return status;
    int to = dependent ? osim_find_coordinate(m, dependent) : OSIM_NONE;
    int from = independent ? osim_find_coordinate(m, independent) : OSIM_NONE;
    if (to < 0 || from < 0 || to == from || !holder || !holder->first)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "the coupling %.60s does not name a coordinate of the model that "
                         "follows another one", osim_name(e));
    m->coordinate[to].follows = from;
    status = osim_function_read(holder->first, osim_name(e), &m->memory, &m->coordinate[to].coupling, r->err);
    m->coordinate[to].coupling.scale *= scale;
    return status;
}

static Status read_couplings(Reading *r)
{
    Status status = STATUS_OK;
    for (const XmlElement *e = objects(r->model, "ConstraintSet"); e && !status; e = e->next)
        if (strcmp(e->name, "CoordinateCouplerConstraint") == 0)
            status = read_coupling(r, e);
    return status;
}

/* Reads the points of this element kind that lie on a body of the model. */
static Status read_points(Reading *r, const char *set, const char *kind, OsimPoint **out, int *out_count)
{
    static const char *const sockets[] = {"socket_frame", "socket_parent_frame", "socket_body", "body_name", "body",
                                          "socket_parent_frame_connectee_name", "socket_frame_connectee_name", NULL};
    const XmlElement *first = objects(r->model, set);
    *out = arena_array(&r->out->memory, (size_t)count_elements(first), 1, sizeof **out);
    if (r->out->memory.failed)
        return error_no_memory(r->err);
    Status status = STATUS_OK;
    for (const XmlElement *e = first; e && !status; e = e->next) {
        OsimPlace place;
        OsimPoint p = {.name = keep(r, osim_name(e))};
        if (strcmp(e->name, kind) != 0)
            continue;
        if ((status = osim_frame_find(&r->frames, e, osim_first_text(e, sockets), &place, r->err)) ||
            (status = osim_vec3(e, "location", &p.x, r->err)) || (status = osim_number(e, "radius", &p.radius, r->err)))
            return status;
        p.body = find_body(r->out, place.body);
        p.x = vec3_add(place.frame.x, quat_rotate(place.frame.q, p.x));
        if (p.body >= 0)
            (*out)[(*out_count)++] = p;
    }
    return status;
}

/* ---- The model ---- */

static Status check_root(Reading *r, const XmlElement *root)
{
    const char *version = xml_attribute(root, "Version");
    int number = version ? atoi(version) : 0;
    r->model = xml_first(root, "Model");
    if (strcmp(root->name, "OpenSimDocument") != 0 || !r->model)
        return xml_error(root, STATUS_BAD_INPUT, r->err, "no OpenSim model: expected <OpenSimDocument> with a <Model>");
    if (number < 30000 || number >= 50000)
        return xml_error(root, STATUS_BAD_INPUT, r->err, "version \"%.20s\" of the model: expected 30000 to 49999; "
                         "save it again with OpenSim 4", version ? version : "");
    return STATUS_OK;
}

/* Its direction is that of the model; its size is the standard one. */
static Status check_gravity(Reading *r)
{
    double size = vec3_norm(r->out->gravity);
    if (fabs(size / GRAVITY - 1) < same_gravity)
        return STATUS_OK;
    return xml_error(r->model, STATUS_BAD_INPUT, r->err, "gravity of the model is %.4g m/s2, not %.4g", size, GRAVITY);
}

static Status read_model(Reading *r)
{
    Status status;
    r->out->name = keep(r, osim_name(r->model));
    r->out->gravity = vec3(0, -GRAVITY, 0);
    if ((status = osim_vec3(r->model, "gravity", &r->out->gravity, r->err)) || (status = check_gravity(r)) ||
        (status = osim_frames_list(r->model, &r->out->memory, &r->frames, r->err)) || (status = read_bodies(r)) ||
        (status = read_joints(r)) || (status = read_couplings(r)) ||
        (status = read_points(r, "ContactGeometrySet", "ContactSphere", &r->out->sphere, &r->out->sphere_count)))
        return status;
    return read_points(r, "MarkerSet", "Marker", &r->out->marker, &r->out->marker_count);
}

Status osim_parse(const SourceFile *file, const SourceDef *def, Osim *out, Error *err)
{
    *out = (Osim){.name = ""};
    XmlDef xml = xml_default_def();
    xml.max_bytes = max_bytes;
    xml.max_elements = max_elements;
    xml.keeps_text = 1;
    XmlTree tree;
    Reading r = {.def = def, .out = out, .err = err};
    Status status = xml_tree_parse(file->bytes, file->size, &xml, &tree, err);
    if (!status)
        status = check_root(&r, tree.root);
    if (!status)
        status = read_model(&r);
    xml_tree_free(&tree);
    if (!status && out->memory.failed)
        status = error_no_memory(err);
    if (status)
        osim_free(out);
    return file->path ? error_of_file(err, file->path, status) : status;
}

void osim_free(Osim *model)
{
    arena_free(&model->memory);
    *model = (Osim){.name = ""};
}
