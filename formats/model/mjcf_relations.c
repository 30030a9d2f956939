/* What names bodies, joints and sites: equality, tendon, actuator, contact, keyframe. */
#include <string.h>

#include "analysis/model/model_motion.h"
#include "formats/model/mjcf_reader.h"
#include "formats/model/mjcf_words.h"

/* Pose of a body in the world at the reference configuration. */
static void rest_pose(const Model *m, int body, Vec3 *position, Quat *orientation)
{
    *position = vec3(0, 0, 0);
    *orientation = QUAT_IDENTITY;
    for (int b = body; b > 0; b = m->body[b].parent) {
        *position = vec3_add(m->body[b].position, quat_rotate(m->body[b].orientation, *position));
        *orientation = quat_mul(m->body[b].orientation, *orientation);
    }
}

/* The body, joint or site of an attribute; `absent` where there is none. */
static int find(MjcfReader *r, const MjcfItem *i, const char *attribute, int (*search)(const Model *, const char *),
                int absent)
{
    const char *name = mjcf_text(r, i, attribute);
    int found = name ? search(r->model, name) : absent;
    if (found < 0 && (name || absent < -1))
        mjcf_fail(r, i->element, "%s=\"%s\": there is none", attribute, name ? name : "");
    return found;
}

enum { REQUIRED = -2 };

/* Places the second anchor and the relative turn as they are at the reference configuration. */
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

/* A weld holds the second body as `relpose` says, or as it is; at a point of the second body. */
static void read_weld(MjcfReader *r, const MjcfItem *i, ModelEquality *q)
{
    double pose[7] = {0, 0, 0, 0, 0, 0, 0};
    Vec3 x1, x2;
    Quat q1, q2;
    if (!(mjcf_number(r, i, "torquescale", 1) > 0))
        mjcf_fail(r, i->element, "a weld without torque is a connect");
    mjcf_numbers(r, i, "relpose", 7, 7, pose);
    rest_pose(r->model, q->first, &x1, &q1);
    rest_pose(r->model, q->second, &x2, &q2);
    Vec3 place = quat_rotate_inverse(q1, vec3_sub(x2, x1));
    q->relative = quat_mul(quat_conjugate(q1), q2);
    if (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0) {
        place = vec3(pose[0], pose[1], pose[2]);
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
        mjcf_fail(r, e, "<%s> in equality is not read, and without it the motion would be another", e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, kinds[k].words);
    i.tag = "equality";
    if (r->status || !mjcf_bool(r, &i, "active", 1))
        return;
    ModelEquality *q = &r->model->equality[r->model->equality_count++];
    *q = (ModelEquality){.name = mjcf_name(r, &i), .kind = kinds[k].kind, .relative = QUAT_IDENTITY};
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

/* Length where the springs of the joints rest, as MuJoCo has it. */
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

/* Slack between the two lengths; -1: that where the joints' springs rest. */
static void read_rest(MjcfReader *r, const MjcfItem *i, ModelTendon *t)
{
    double rest[2] = {-1, -1};
    if (mjcf_numbers(r, i, "springlength", 1, 2, rest) == 1)
        rest[1] = rest[0];
    double length = r->status || (rest[0] >= 0 && rest[1] >= 0) ? 0 : tendon_length(r, t);
    t->least = rest[0] < 0 ? length : rest[0];
    t->most = rest[1] < 0 ? length : rest[1];
    if (t->most < t->least)
        mjcf_fail(r, i->element, "springlength wants the shorter length first");
}

static void read_tendon(MjcfReader *r, const XmlElement *e)
{
    Model *m = r->model;
    if (strcmp(e->name, "spatial") != 0) {
        mjcf_fail(r, e, "<%s> in tendon is not read, and without it the motion could be another", e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, "spatial");
    i.tag = "tendon";
    ModelTendon *t = &m->tendon[m->tendon_count++];
    *t = (ModelTendon){.name = mjcf_name(r, &i), .site_start = m->tendon_site_count,
                       .stiffness = mjcf_number(r, &i, "stiffness", 0),
                       .damping = mjcf_number(r, &i, "damping", 0)};
    for (const XmlElement *c = e->first; c && !r->status; c = c->next) {
        MjcfItem point = {c, "", -1};
        if (strcmp(c->name, "site") != 0)
            mjcf_fail(r, c, "a tendon over <%s> is not read: it runs over sites", c->name);
        m->tendon_site[m->tendon_site_count++] = find(r, &point, "site", model_find_site, REQUIRED);
        t->site_count++;
    }
    if (t->site_count < 2 || t->stiffness < 0 || t->damping < 0)
        mjcf_fail(r, e, "a tendon wants two sites or more, stiffness and damping not below 0");
    read_rest(r, &i, t);
}

/* Gain and bias of the short forms; general has them as they are. */
static void read_drive(MjcfReader *r, const MjcfItem *i, ModelActuator *a)
{
    static const char *const gains[] = {"fixed", NULL}, *const biases[] = {"none", "affine", NULL};
    const char *kind = i->element->name;
    double kp = mjcf_number(r, i, "kp", 1), numbers[10] = {1};
    double kv = mjcf_number(r, i, "kv", !strcmp(kind, "velocity"));
    a->gain = 1;
    if (!strcmp(kind, "position")) {
        a->gain = kp;
        a->bias[1] = -kp;
        a->bias[2] = -kv;
    } else if (!strcmp(kind, "velocity")) {
        a->gain = kv;
        a->bias[2] = -kv;
    } else if (!strcmp(kind, "general")) {
        mjcf_word(r, i, "gaintype", gains, 0);
        mjcf_numbers(r, i, "gainprm", 1, 10, numbers);
        a->gain = numbers[0];
        memset(numbers, 0, sizeof numbers);
        mjcf_numbers(r, i, "biasprm", 1, 10, numbers);
        if (mjcf_word(r, i, "biastype", biases, 0))
            memcpy(a->bias, numbers, sizeof a->bias);
    }
}

static void read_actuator(MjcfReader *r, const XmlElement *e)
{
    static const char *const kinds[] = {"motor", "position", "velocity", "general"};
    double gear[6] = {1};
    size_t k = 0;
    while (k < 4 && strcmp(kinds[k], e->name) != 0)
        k++;
    if (k == 4) {
        mjcf_fail(r, e, "<%s> in actuator is not read", e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, e->name);
    ModelActuator *a = &r->model->actuator[r->model->actuator_count++];
    *a = (ModelActuator){.name = mjcf_name(r, &i), .joint = find(r, &i, "joint", model_find_joint, REQUIRED)};
    mjcf_numbers(r, &i, "gear", 1, 6, gear);
    a->gear = gear[0];
    read_drive(r, &i, a);
    a->control_limited = mjcf_limited(r, &i, "ctrllimited", "ctrlrange", &a->control_least, &a->control_most);
    a->force_limited = mjcf_limited(r, &i, "forcelimited", "forcerange", &a->force_least, &a->force_most);
    if (r->status)
        return;
    ModelJointKind kind = r->model->joint[a->joint].kind;
    if (kind != MODEL_HINGE && kind != MODEL_SLIDE)
        mjcf_fail(r, e, "an actuator wants a hinge or a slide");
}

static void read_exclude(MjcfReader *r, const XmlElement *e)
{
    if (strcmp(e->name, "exclude") != 0) {
        mjcf_fail(r, e, "<%s> in contact is not read, and without it the motion would be another", e->name);
        return;
    }
    MjcfItem i = mjcf_item(r, e, "exclude");
    ModelPair *p = &r->model->exclude[r->model->exclude_count++];
    p->first = find(r, &i, "body1", model_find_body, REQUIRED);
    p->second = find(r, &i, "body2", model_find_body, REQUIRED);
}

/* Quaternions of balls and free joints have unit length. */
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

static void read_key(MjcfReader *r, const XmlElement *e)
{
    Model *m = r->model;
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
    mjcf_numbers(r, &i, "ctrl", m->actuator_count, m->actuator_count, k->control);
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
    m->key = arena_array(&m->memory, (size_t)count_children(root, "keyframe"), 1, sizeof *m->key);
    if (m->memory.failed)
        r->status = error_no_memory(r->err);
}

void mjcf_read_relations(MjcfReader *r, const XmlElement *root)
{
    static const struct { const char *name; void (*read)(MjcfReader *r, const XmlElement *e); } sections[] = {
        {"equality", read_equality}, {"tendon", read_tendon}, {"actuator", read_actuator}, {"contact", read_exclude},
        {"keyframe", read_key}};
    if (!r->status)
        make_room(r, root);
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        for (const XmlElement *s = xml_first(root, sections[k].name); s; s = xml_next(s, sections[k].name))
            for (const XmlElement *e = s->first; e && !r->status; e = e->next)
                sections[k].read(r, e);
}
