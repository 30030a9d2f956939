/* See mjcf.h. */
#include "formats/model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/model/model_motion.h"
#include "analysis/sim/scene.h"
#include "formats/model/mjcf_values.h"
#include "formats/model/mjcf_word.h"

/* ---- Sections that refer to bodies, joints and sites: equality, tendon, actuator, contact, keyframe ---- */

/* Computes the pose of a body in the world at the reference configuration. */
static void rest_pose(const Model *m, int body, Vec3 *position, Quat *orientation)
{
    *position = vec3(0, 0, 0);
    *orientation = QUAT_IDENTITY;
    for (int b = body; b > 0; b = m->body[b].parent) {
        *position = vec3_add(m->body[b].position, quat_rotate(m->body[b].orientation, *position));
        *orientation = quat_mul(m->body[b].orientation, *orientation);
    }
}

/* Returns the index of the body, joint or site that an attribute names; `absent` without the attribute, or an error if
 * that is REQUIRED. */
static int find(MjcfReader *r, const MjcfItem *i, const char *attribute, int (*search)(const Model *, const char *),
                int absent)
{
    const char *name = mjcf_text(r, i, attribute);
    int found = name ? search(r->model, name) : absent;
    if (found < 0 && (name || absent < -1))
        mjcf_fail(r, i->element, "%s=\"%s\": not found", attribute, name ? name : "");
    return found;
}

enum { REQUIRED = -2 };

/* Sets the second anchor and the relative orientation from the reference configuration. */
static void relate_at_rest(const Model *m, ModelEquality *q)
{
    Vec3 x1, x2;
    Quat q1, q2;
    rest_pose(m, q->first, &x1, &q1);
    rest_pose(m, q->second, &x2, &q2);
    Vec3 point = vec3_add(x1, quat_rotate(q1, q->anchor));
    q->second_anchor = quat_rotate_inverse(q2, vec3_sub(point, x2));
    q->relative = quat_mul(quat_conjugate(q1), q2);
}

/* Reads a weld, which keeps the second body in the relative pose `relpose`, or that of the reference configuration. The
 * anchor is a point of the second body. */
static void read_weld(MjcfReader *r, const MjcfItem *i, ModelEquality *q)
{
    double pose[7] = {0, 0, 0, 0, 0, 0, 0};
    Vec3 x1, x2;
    Quat q1, q2;
    q->torque_scale = mjcf_number(r, i, "torquescale", 1);
    if (!(q->torque_scale > 0))
        mjcf_fail(r, i->element, "a weld without torque is a connect");
    mjcf_numbers(r, i, "relpose", 7, 7, pose);
    rest_pose(r->model, q->first, &x1, &q1);
    rest_pose(r->model, q->second, &x2, &q2);
    Vec3 place = quat_rotate_inverse(q1, vec3_sub(x2, x1));
    q->relative = quat_mul(quat_conjugate(q1), q2);
    if (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0) {
        place = vec3_load(pose);
        q->relative = quat_normalize((Quat){pose[3], pose[4], pose[5], pose[6]});
    }
    q->second_anchor = mjcf_vec3(r, i, "anchor", vec3(0, 0, 0));
    q->anchor = vec3_add(place, quat_rotate(q->relative, q->second_anchor));
}

static void read_couple(MjcfReader *r, const MjcfItem *i, ModelEquality *q)
{
    static const double equal[5] = {0, 1, 0, 0, 0};
    memcpy(q->polynomial, equal, sizeof equal);
    mjcf_numbers(r, i, "polycoef", 1, 5, q->polynomial);
    q->first = find(r, i, "joint1", model_find_joint, REQUIRED);
    q->second = find(r, i, "joint2", model_find_joint, -1);
    for (int k = 0; k < 2 && !r->status; k++) {
        int j = k ? q->second : q->first;
        if (j >= 0 && r->model->joint[j].kind != MODEL_HINGE && r->model->joint[j].kind != MODEL_SLIDE)
            mjcf_fail(r, i->element, "joint %s is neither hinge nor slide", r->model->joint[j].name);
    }
}

static void read_equality(MjcfReader *r, const XmlElement *e)
{
    static const struct { const char *name, *words; ModelEqualityKind kind; } kinds[] = {
        {"connect", "connect", MODEL_CONNECT}, {"weld", "weld", MODEL_WELD}, {"joint", "couple", MODEL_COUPLE}};
    size_t k = 0;
    while (k < 3 && strcmp(kinds[k].name, e->name) != 0)
        k++;
    if (k == 3) {
        mjcf_unread(r, e, strcmp(e->name, "tendon") ? e->name : "tendoncouple");
        return;
    }
    MjcfItem i = mjcf_item(r, e, kinds[k].words);
    if (r->status || !mjcf_bool(r, &i, "active", 1))
        return;
    ModelEquality *q = &r->model->equality[r->model->equality_count++];
    *q = (ModelEquality){.name = mjcf_name(r, &i), .kind = kinds[k].kind, .relative = QUAT_IDENTITY};
    mjcf_softness(r, &i, "solref", "solimp", &q->softness);
    if (q->kind == MODEL_COUPLE) {
        read_couple(r, &i, q);
        return;
    }
    q->first = find(r, &i, "body1", model_find_body, REQUIRED);
    q->second = find(r, &i, "body2", model_find_body, 0);
    if (!r->status && q->first == q->second)
        mjcf_fail(r, e, "a body is held to itself");
    if (r->status)
        return;
    if (q->kind == MODEL_WELD) {
        read_weld(r, &i, q);
        return;
    }
    q->anchor = mjcf_vec3(r, &i, "anchor", vec3(0, 0, 0));
    relate_at_rest(r->model, q);
}

/* Returns the tendon length with joints at their spring references, as in MuJoCo. */
static double tendon_length(MjcfReader *r, const ModelTendon *t)
{
    const Model *m = r->model;
    ModelMotion s;
    double length = 0, *q = arena_array(&r->scratch, (size_t)m->q_count, 1, sizeof *q);
    r->status = q ? model_motion_init(&s, m, r->err) : error_no_memory(r->err);
    if (r->status)
        return 0;
    model_reference(m, q);
    for (int j = 0; j < m->joint_count; j++)
        if (m->joint[j].kind == MODEL_HINGE || m->joint[j].kind == MODEL_SLIDE)
            q[m->joint[j].q_start] = m->joint[j].rest;
    model_motion_set(&s, m, q, NULL, NULL);
    for (int k = t->site_start; k < t->site_start + t->site_count - 1; k++) {
        const ModelSite *a = &m->site[m->tendon_site[k]], *b = &m->site[m->tendon_site[k + 1]];
        length += vec3_distance(model_point(&s, a->body, a->position), model_point(&s, b->body, b->position));
    }
    model_motion_free(&s);
    return length;
}

/* Reads the lengths between which the tendon is slack; -1: the length with joints at their spring references. */
static void read_rest(MjcfReader *r, const MjcfItem *i, ModelTendon *t)
{
    double rest[2] = {-1, -1};
    const XmlElement *holder = mjcf_holder(r, i, "springlength");
    MjcfItem own = {holder, NULL, -1};
    if (holder && mjcf_numbers(r, &own, "springlength", 1, 2, rest) == 1)
        rest[1] = rest[0];
    double length = r->status || (rest[0] >= 0 && rest[1] >= 0) ? 0 : tendon_length(r, t);
    t->min = rest[0] < 0 ? length : rest[0];
    t->max = rest[1] < 0 ? length : rest[1];
    if (t->max < t->min)
        mjcf_fail(r, i->element, "springlength: expected the shorter length first");
}

/* Reads the sites of a tendon; returns 0 if its path has other elements. */
static int read_path(MjcfReader *r, const XmlElement *e, ModelTendon *t)
{
    for (const XmlElement *c = e->first; c && !r->status; c = c->next) {
        if (strcmp(c->name, "site") != 0) {
            mjcf_leave(r, c, "spatial", "a tendon over <%s>", c->name);
            return 0;
        }
        MjcfItem point = mjcf_item(r, c, "tendonsite");
        r->model->tendon_site[t->site_start + t->site_count++] = find(r, &point, "site", model_find_site, REQUIRED);
    }
    return 1;
}

static void read_tendon(MjcfReader *r, const XmlElement *e)
{
    Model *m = r->model;
    if (strcmp(e->name, "spatial") != 0) {
        mjcf_unread(r, e, e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, "spatial");
    ModelTendon *t = &m->tendon[m->tendon_count];
    *t = (ModelTendon){.name = mjcf_name(r, &i), .site_start = m->tendon_site_count,
                       .stiffness = mjcf_number(r, &i, "stiffness", 0),
                       .damping = mjcf_number(r, &i, "damping", 0)};
    if (!read_path(r, e, t))
        return;
    m->tendon_count++;
    m->tendon_site_count += t->site_count;
    if (t->site_count < 2 || t->stiffness < 0 || t->damping < 0)
        mjcf_fail(r, e, "a tendon requires two sites or more, stiffness and damping of 0 or more");
    read_rest(r, &i, t);
}

/* Gain and bias of an actuator. Elements of defaults and the actuator itself modify it in turn. */
typedef struct Drive {
    double gain[10], bias[10];
    int is_affine;
} Drive;

/* Reads gainprm and biasprm of general. */
static void read_general(MjcfReader *r, const MjcfItem *i, Drive *d)
{
    const char *gain = xml_attribute(i->element, "gaintype"), *bias = xml_attribute(i->element, "biastype");
    if (gain && strcmp(gain, "fixed") != 0)
        mjcf_leave(r, i->element, "gaintype", "%s with gaintype=\"%.60s\"", i->element->name, gain);
    if (bias && strcmp(bias, "none") != 0 && strcmp(bias, "affine") != 0)
        mjcf_leave(r, i->element, "biastype", "%s with biastype=\"%.60s\"", i->element->name, bias);
    if (bias)
        d->is_affine = !strcmp(bias, "affine");
    mjcf_numbers(r, i, "gainprm", 1, 10, d->gain);
    mjcf_numbers(r, i, "biasprm", 1, 10, d->bias);
}

/* Reads a position actuator. Its damping comes only from position elements, as in MuJoCo 2; in MuJoCo 3 it comes from
 * all. */
static void read_position(MjcfReader *r, const MjcfItem *i, Drive *d, double *damping)
{
    d->gain[0] = mjcf_number(r, i, "kp", d->gain[0]);
    *damping = mjcf_number(r, i, "kv", *damping);
    if (*damping < 0)
        mjcf_fail(r, i->element, "kv below 0");
    memset(d->bias, 0, sizeof d->bias);
    d->bias[1] = -d->gain[0];
    d->bias[2] = -*damping;
    d->is_affine = 1;
}

/* Applies one element of an actuator: a default of its class, or the actuator itself. */
static void apply_drive(MjcfReader *r, const XmlElement *e, Drive *d, double *damping)
{
    MjcfItem i = {e, NULL, -1};
    if (!strcmp(e->name, "general")) {
        read_general(r, &i, d);
    } else if (!strcmp(e->name, "position")) {
        read_position(r, &i, d, damping);
    } else if (!strcmp(e->name, "velocity")) {
        d->gain[0] = mjcf_number(r, &i, "kv", d->gain[0]);
        memset(d->bias, 0, sizeof d->bias);
        d->bias[2] = -d->gain[0];
        d->is_affine = 1;
    } else if (!strcmp(e->name, "motor")) {
        d->gain[0] = 1;
        d->is_affine = 0;
    }
}

static void read_drive(MjcfReader *r, const MjcfItem *i, ModelActuator *a)
{
    const XmlElement *behind[10 * MJCF_MAX_CLASSES];
    int count = mjcf_actuator_defaults(r, i, behind, 10 * MJCF_MAX_CLASSES);
    Drive d = {.gain = {1}};
    double damping = 0;
    for (int k = 0; k < count && !r->status; k++) {
        MjcfItem own = {behind[k], NULL, -1};
        const MjcfWord *w = mjcf_word_find(behind[k]->name, "*");
        if (w && w->use == MJCF_REFUSE)
            mjcf_unread(r, behind[k], behind[k]->name);
        mjcf_check_values(r, &own, behind[k]->name);
        apply_drive(r, behind[k], &d, &damping);
    }
    int is_other = !strcmp(i->element->name, "position") && (d.bias[0] != 0 || d.bias[2] != -damping) && !r->status;
    if (is_other)
        r->status = mjcf_remark(r->remarks, i->element, r->err, "position: biasprm of its class is left out, as in "
                                "MuJoCo 2; MuJoCo 3 adds its first and third number");
    apply_drive(r, i->element, &d, &damping);
    if (d.is_affine && d.bias[2] > 0 && d.gain[0] == -d.bias[1])
        mjcf_leave(r, i->element, "biasprm", "%s whose biasprm asks for a damping ratio", i->element->name);
    a->gain = d.gain[0];
    if (d.is_affine)
        memcpy(a->bias, d.bias, sizeof a->bias);
}

/* Returns the joint of an actuator, a hinge or slide; -1 if the actuator is left out. */
static int drives_joint(MjcfReader *r, const MjcfItem *i)
{
    static const char *const others[] = {"tendon", "site", "body", "cranksite"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (xml_attribute(i->element, others[k]))
            return -1; /* refused or left out in mjcf_item */
    int in_parent = xml_attribute(i->element, "jointinparent") != NULL;
    int joint = find(r, i, in_parent ? "jointinparent" : "joint", model_find_joint, REQUIRED);
    if (joint < 0 || r->status)
        return -1;
    ModelJointKind kind = r->model->joint[joint].kind;
    if (kind == MODEL_HINGE || kind == MODEL_SLIDE)
        return joint;
    mjcf_leave(r, i->element, i->element->name, "<%s> on a ball or free joint", i->element->name);
    return -1;
}

static void read_actuator(MjcfReader *r, const XmlElement *e)
{
    static const char *const kinds[] = {"motor", "position", "velocity", "general"};
    double gear[6] = {1};
    size_t k = 0;
    r->control[r->control_count++] = -1;
    while (k < 4 && strcmp(kinds[k], e->name) != 0)
        k++;
    if (k == 4) {
        mjcf_unread(r, e, e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, e->name);
    int joint = drives_joint(r, &i);
    if (joint < 0)
        return;
    ModelActuator *a = &r->model->actuator[r->model->actuator_count];
    r->control[r->control_count - 1] = r->model->actuator_count++;
    *a = (ModelActuator){.name = mjcf_name(r, &i), .joint = joint};
    mjcf_numbers(r, &i, "gear", 1, 6, gear);
    a->gear = gear[0];
    read_drive(r, &i, a);
    a->control_limited = mjcf_limited(r, &i, "ctrllimited", "ctrlrange", &a->control_min, &a->control_max);
    a->force_limited = mjcf_limited(r, &i, "forcelimited", "forcerange", &a->force_min, &a->force_max);
}

static int find_geom(const Model *m, const char *name)
{
    for (int i = 0; i < m->geom_count; i++)
        if (!strcmp(m->geom[i].name, name))
            return i;
    return -1;
}

/* Reads a contact pair. Friction and condim that it lacks are the defaults, not those of its geoms. */
static void read_pair(MjcfReader *r, const XmlElement *e)
{
    MjcfItem i = mjcf_item(r, e, "pair");
    ModelContactPair *p = &r->model->contact_pair[r->model->contact_pair_count++];
    p->first = find(r, &i, "geom1", find_geom, REQUIRED);
    p->second = find(r, &i, "geom2", find_geom, REQUIRED);
    if (r->status)
        return;
    const ModelGeom *a = &r->model->geom[p->first], *b = &r->model->geom[p->second];
    double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
    int given = mjcf_numbers(r, &i, "friction", 1, 5, friction);
    int dimensions = mjcf_integer(r, &i, "condim", 3);
    for (int k = 0; k < given; k++)
        if (friction[k] < 0)
            mjcf_fail(r, e, "friction below 0");
    if (given > 1 && friction[0] != friction[1])
        mjcf_leave(r, e, "friction", "pair with another friction along its second direction");
    if (given > 4 && friction[3] != friction[4] && dimensions > 4)
        mjcf_leave(r, e, "friction", "pair with another friction against rolling along its second direction");
    if (dimensions != 1 && dimensions != 3 && dimensions != 4 && dimensions != 6)
        mjcf_fail(r, e, "condim is 1, 3, 4 or 6");
    p->friction = model_limit_friction((ModelFriction){friction[0], friction[2], friction[3]}, dimensions);
    if (a->shape == MODEL_PLANE && b->shape == MODEL_PLANE)
        mjcf_fail(r, e, "two planes do not collide");
}

static void read_contact(MjcfReader *r, const XmlElement *e)
{
    if (!strcmp(e->name, "pair")) {
        read_pair(r, e);
        return;
    }
    if (strcmp(e->name, "exclude") != 0) {
        mjcf_unread(r, e, e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, "exclude");
    ModelPair *p = &r->model->exclude[r->model->exclude_count++];
    p->first = find(r, &i, "body1", model_find_body, REQUIRED);
    p->second = find(r, &i, "body2", model_find_body, REQUIRED);
}

/* Normalises the quaternions of ball and free joints. */
static void normalize(MjcfReader *r, const XmlElement *e, double *q)
{
    for (int j = 0; j < r->model->joint_count; j++) {
        const ModelJoint *joint = &r->model->joint[j];
        Quat turn;
        double *at = q + joint->q_start + (joint->kind == MODEL_FREE ? 3 : 0);
        if (joint->kind != MODEL_FREE && joint->kind != MODEL_BALL)
            continue;
        memcpy(&turn, at, sizeof turn);
        if (!(quat_dot(turn, turn) > 1e-20)) {
            mjcf_fail(r, e, "qpos has a quaternion without length");
            return;
        }
        turn = quat_normalize(turn);
        memcpy(at, &turn, sizeof turn);
    }
}

/* Reads the controls of the actuators that are in the model. */
static void read_controls(MjcfReader *r, const MjcfItem *i, double *control)
{
    double *all = arena_array(&r->scratch, (size_t)r->control_count, 1, sizeof *all);
    if (!all)
        r->status = error_no_memory(r->err);
    else if (mjcf_numbers(r, i, "ctrl", r->control_count, r->control_count, all))
        for (int k = 0; k < r->control_count; k++)
            if (r->control[k] >= 0)
                control[r->control[k]] = all[k];
}

static void read_key(MjcfReader *r, const XmlElement *e)
{
    Model *m = r->model;
    if (strcmp(e->name, "key") != 0) {
        mjcf_unread(r, e, e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, "key");
    ModelKey *k = &m->key[m->key_count++];
    *k = (ModelKey){.name = mjcf_name(r, &i), .time = mjcf_number(r, &i, "time", 0),
                    .q = arena_array(&m->memory, (size_t)m->q_count, 1, sizeof *k->q),
                    .v = arena_array(&m->memory, (size_t)m->v_count, 1, sizeof *k->v),
                    .control = arena_array(&m->memory, (size_t)m->actuator_count, 1, sizeof *k->control)};
    if (m->memory.failed || r->status)
        return;
    model_reference(m, k->q);
    mjcf_numbers(r, &i, "qpos", m->q_count, m->q_count, k->q);
    mjcf_numbers(r, &i, "qvel", m->v_count, m->v_count, k->v);
    read_controls(r, &i, k->control);
    normalize(r, e, k->q);
}

static int count_children(const XmlElement *root, const char *section)
{
    int count = 0;
    for (const XmlElement *s = xml_first(root, section); s; s = xml_next(s, section))
        for (const XmlElement *c = s->first; c; c = c->next) {
            count++;
            for (const XmlElement *point = c->first; point; point = point->next)
                count++;
        }
    return count;
}

static void make_room(MjcfReader *r, const XmlElement *root)
{
    Model *m = r->model;
    size_t tendons = (size_t)count_children(root, "tendon");
    m->equality = arena_array(&m->memory, (size_t)count_children(root, "equality"), 1, sizeof *m->equality);
    m->tendon = arena_array(&m->memory, tendons, 1, sizeof *m->tendon);
    m->tendon_site = arena_array(&m->memory, tendons, 1, sizeof *m->tendon_site);
    m->actuator = arena_array(&m->memory, (size_t)count_children(root, "actuator"), 1, sizeof *m->actuator);
    m->exclude = arena_array(&m->memory, (size_t)count_children(root, "contact"), 1, sizeof *m->exclude);
    m->contact_pair = arena_array(&m->memory, (size_t)count_children(root, "contact"), 1, sizeof *m->contact_pair);
    m->key = arena_array(&m->memory, (size_t)count_children(root, "keyframe"), 1, sizeof *m->key);
    r->control = arena_array(&r->scratch, (size_t)count_children(root, "actuator"), 1, sizeof *r->control);
    if (m->memory.failed || r->scratch.failed)
        r->status = error_no_memory(r->err);
}

/* Reads the sections that refer to bodies, joints and sites: equality, tendon, actuator, contact, keyframe. */
static void mjcf_read_relations(MjcfReader *r, const XmlElement *root)
{
    static const struct { const char *name; void (*read)(MjcfReader *r, const XmlElement *e); } sections[] = {
        {"equality", read_equality}, {"tendon", read_tendon}, {"actuator", read_actuator}, {"contact", read_contact},
        {"keyframe", read_key}};
    if (!r->status)
        make_room(r, root);
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        for (const XmlElement *s = xml_first(root, sections[k].name); s; s = xml_next(s, sections[k].name))
            for (const XmlElement *e = s->first; e && !r->status; e = e->next)
                sections[k].read(r, e);
}

static void read_compiler(MjcfReader *r, const XmlElement *e)
{
    static const char *const angles[] = {"degree", "radian", NULL};
    static const char *const of_geoms[] = {"false", "true", "auto", NULL};
    MjcfItem i = mjcf_item(r, e, "compiler");
    const char *sequence = xml_attribute(e, "eulerseq");
    double groups[2] = {r->inertia_groups[0], r->inertia_groups[1]};
    i.class = -1;
    r->angle = mjcf_word(r, &i, "angle", angles, r->angle == 1) ? 1 : PI / 180;
    r->auto_limits = mjcf_bool(r, &i, "autolimits", r->auto_limits);
    r->balance = mjcf_bool(r, &i, "balanceinertia", r->balance);
    r->strips_paths = mjcf_bool(r, &i, "strippath", r->strips_paths);
    r->exact_meshes = mjcf_bool(r, &i, "exactmeshinertia", r->exact_meshes);
    const char *assets = xml_attribute(e, "assetdir"), *meshes = xml_attribute(e, "meshdir");
    r->mesh_folder = meshes ? meshes : assets ? assets : r->mesh_folder;
    r->inertia_of_geoms = mjcf_word(r, &i, "inertiafromgeom", of_geoms, r->inertia_of_geoms);
    r->min_mass = mjcf_number(r, &i, "boundmass", r->min_mass);
    r->min_inertia = mjcf_number(r, &i, "boundinertia", r->min_inertia);
    r->total_mass = mjcf_number(r, &i, "settotalmass", r->total_mass);
    mjcf_numbers(r, &i, "inertiagrouprange", 2, 2, groups);
    r->inertia_groups[0] = (int)fmax(-1, fmin(groups[0], 100));
    r->inertia_groups[1] = (int)fmax(-1, fmin(groups[1], 100));
    if (sequence && strlen(sequence) == 3)
        memcpy(r->sequence, sequence, 4);
    else if (sequence)
        mjcf_fail(r, e, "eulerseq \"%s\": expected three of xyz or XYZ", sequence);
}

/* Returns 1 if a flag that is enabled by default is disabled. */
static int is_off(MjcfReader *r, const MjcfItem *i, const char *name)
{
    static const char *const words[] = {"disable", "enable", NULL};
    return !mjcf_word(r, i, name, words, 1);
}

static void read_flags(MjcfReader *r, const XmlElement *e)
{
    MjcfItem i = mjcf_item(r, e, "flag");
    ModelSwitches *off = &r->model->off;
    i.class = -1;
    int none = is_off(r, &i, "constraint");
    off->no_contact |= none | is_off(r, &i, "contact");
    off->no_limits |= none | is_off(r, &i, "limit");
    off->no_equality |= none | is_off(r, &i, "equality");
    off->no_friction |= none | is_off(r, &i, "frictionloss");
    off->no_passive |= is_off(r, &i, "passive");
    off->no_actuation |= is_off(r, &i, "actuation");
    r->clamps_controls &= !is_off(r, &i, "clampctrl");
    off->parents_collide |= is_off(r, &i, "filterparent");
    r->no_springs |= is_off(r, &i, "spring");
    r->no_dampers |= is_off(r, &i, "damper");
    if (is_off(r, &i, "gravity"))
        r->model->gravity = vec3(0, 0, 0);
}

static void read_option(MjcfReader *r, const XmlElement *e)
{
    MjcfItem i = mjcf_item(r, e, "option");
    i.class = -1;
    r->model->gravity = mjcf_vec3(r, &i, "gravity", r->model->gravity);
    r->model->time_step = mjcf_number(r, &i, "timestep", r->model->time_step);
    static const char *const colliders[] = {"all", "predefined", "dynamic", NULL};
    int collides = mjcf_word(r, &i, "collision", colliders, 0);
    r->model->off.no_bits |= collides == 1;
    r->model->off.no_pairs |= collides == 2;
    if (!(r->model->time_step > 0))
        mjcf_fail(r, e, "a timestep must be above 0");
    for (const XmlElement *f = e->first; f && !r->status; f = f->next)
        if (strcmp(f->name, "flag") != 0)
            mjcf_unread(r, f, f->name);
        else
            read_flags(r, f);
}

static void read_each(MjcfReader *r, const XmlElement *root, const char *name,
                      void (*read)(MjcfReader *r, const XmlElement *e))
{
    for (const XmlElement *e = xml_first(root, name); e && !r->status; e = xml_next(e, name))
        read(r, e);
}

/* Reports sections that are not read, except those without effect. */
static void check_sections(MjcfReader *r, const XmlElement *root)
{
    static const char *const known[] = {"compiler", "option", "default", "worldbody", "equality", "tendon", "actuator",
                                        "contact", "keyframe", "asset"};
    for (const XmlElement *e = root->first; e && !r->status; e = e->next) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k], e->name) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            mjcf_unread(r, e, e->name);
    }
}

/* Removes springs and dampers that option flags disable, and control limits without clampctrl. */
static void apply_flags(MjcfReader *r)
{
    Model *m = r->model;
    for (int j = 0; j < m->joint_count; j++) {
        m->joint[j].stiffness = r->no_springs ? 0 : m->joint[j].stiffness;
        m->joint[j].damping = r->no_dampers ? 0 : m->joint[j].damping;
    }
    for (int t = 0; t < m->tendon_count; t++) {
        m->tendon[t].stiffness = r->no_springs ? 0 : m->tendon[t].stiffness;
        m->tendon[t].damping = r->no_dampers ? 0 : m->tendon[t].damping;
    }
    for (int a = 0; a < m->actuator_count && !r->clamps_controls; a++)
        m->actuator[a].control_limited = 0;
}

/* Checks the contact attributes of geoms that can collide. */
static void check_collisions(MjcfReader *r)
{
    char *collides = arena_array(&r->scratch, (size_t)r->model->geom_count, 1, 1);
    if (!collides) {
        r->status = error_no_memory(r->err);
        return;
    }
    scene_find_colliders(r->model, collides);
    for (int i = 0; i < r->model->geom_count && !r->status; i++)
        if (collides[i])
            mjcf_check_collider(r, i);
}

static void scale_mass(MjcfReader *r)
{
    double total = 0;
    for (int b = 0; b < r->model->body_count; b++)
        total += r->model->body[b].mass;
    double scale = r->total_mass > 0 && total > 0 ? r->total_mass / total : 1;
    for (int b = 0; b < r->model->body_count && scale != 1; b++) {
        ModelBody *body = &r->model->body[b];
        Sym3 i = body->inertia;
        body->mass *= scale;
        body->inertia = (Sym3){scale * i.xx, scale * i.yy, scale * i.zz, scale * i.xy, scale * i.xz, scale * i.yz};
    }
}

/* Reads all sections. The whole tree is in memory, so sections may be in any order. */
static void read_all(MjcfReader *r, const XmlElement *root)
{
    if (!strcmp(root->name, "robot"))
        mjcf_fail(r, root, "this is URDF, which kane does not read: convert it to MJCF, for instance by MuJoCo's "
                  "compile model.urdf model.xml");
    if (strcmp(root->name, "mujoco") != 0)
        mjcf_fail(r, root, "the root of a model is <mujoco>, not <%s>", root->name);
    check_sections(r, root);
    if (!r->status)
        mjcf_check_names(r, root);
    if (!r->status)
        mjcf_read_classes(r, root);
    read_each(r, root, "compiler", read_compiler);
    read_each(r, root, "option", read_option);
    if (!r->status)
        mjcf_list_meshes(r, root);
    if (!r->status)
        mjcf_read_bodies(r, root);
    if (!r->status)
        mjcf_read_relations(r, root);
    if (r->status)
        return;
    scale_mass(r);
    apply_flags(r);
    check_collisions(r);
    mjcf_end_leaving(r, root);
}

MjcfDef mjcf_default_def(void) { return (MjcfDef){.limits = xml_default_def()}; }

static Status read_tree(const XmlTree *tree, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err)
{
    MjcfReader r = {.model = out, .remarks = remarks, .err = err, .angle = PI / 180, .sequence = "xyz",
                    .auto_limits = 1, .clamps_controls = 1, .inertia_of_geoms = 2, .total_mass = -1,
                    .inertia_groups = {0, 5}, .folder = tree->folder};
    const char *name = xml_attribute(tree->root, "model");
    *out = (Model){.gravity = {0, 0, -9.81}, .time_step = 0.002};
    out->name = mjcf_copy(&r, name ? name : "");
    mjcf_begin_leaving(&r, def->leave_out);
    if (!r.status)
        read_all(&r, tree->root);
    if (!r.status && (out->memory.failed || r.scratch.failed))
        r.status = error_no_memory(err);
    arena_free(&r.scratch);
    if (r.status)
        model_free(out);
    return r.status;
}

static Status read_and_free(Status status, XmlTree *tree, const MjcfDef *def, Model *out, MjcfRemarks *remarks,
                            Error *err)
{
    *out = (Model){0};
    if (!status)
        status = read_tree(tree, def, out, remarks, err);
    xml_tree_free(tree);
    return status;
}

Status mjcf_read(const char *path, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err)
{
    XmlTree tree;
    return read_and_free(xml_tree_read(path, &def->limits, &tree, err), &tree, def, out, remarks, err);
}

Status mjcf_parse(const char *text, size_t size, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err)
{
    XmlTree tree;
    return read_and_free(xml_tree_parse(text, size, &def->limits, &tree, err), &tree, def, out, remarks, err);
}
