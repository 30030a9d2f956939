/* A scene as its file describes it (model.h): bodies, joints and shapes; meshes: mesh.c. */
#include "analysis/model/model.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"

#define RELEASED_ARMATURE 1e-6 /* kg, kg m2: armature that keeps the mass matrix of a driven body without mass
                                  regular */

void model_free(Model *m)
{
    if (!m)
        return;
    arena_free(&m->memory);
    *m = (Model){0};
}

int model_mover(const Model *m, int body)
{
    while (body > 0 && m->body[body].joint_count == 0)
        body = m->body[body].parent;
    return body;
}

int model_find_body(const Model *m, const char *name)
{
    int b = m->body_count - 1;
    while (b >= 0 && strcmp(m->body[b].name, name) != 0)
        b--;
    return b;
}

int model_find_joint(const Model *m, const char *name)
{
    int j = m->joint_count - 1;
    while (j >= 0 && strcmp(m->joint[j].name, name) != 0)
        j--;
    return j;
}

int model_find_site(const Model *m, const char *name)
{
    int s = m->site_count - 1;
    while (s >= 0 && strcmp(m->site[s].name, name) != 0)
        s--;
    return s;
}

void model_number_coordinates(Model *m)
{
    m->q_count = m->v_count = 0;
    for (int b = 0; b < m->body_count; b++) {
        m->body[b].q_start = m->q_count;
        m->body[b].v_start = m->v_count;
        for (int j = m->body[b].joint_start; j < m->body[b].joint_start + m->body[b].joint_count; j++) {
            m->joint[j].q_start = m->q_count;
            m->joint[j].v_start = m->v_count;
            m->q_count += model_joint_coordinates(m->joint[j].kind);
            m->v_count += model_joint_speeds(m->joint[j].kind);
        }
    }
}

/* Inserts a free joint for a body without joints, at its position in the order of joints. */
static void insert_joint(Model *m, int body, ModelJoint *joints)
{
    int at = m->body[body].joint_start;
    memcpy(joints, m->joint, (size_t)at * sizeof *joints);
    memcpy(joints + at + 1, m->joint + at, (size_t)(m->joint_count - at) * sizeof *joints);
    joints[at] = (ModelJoint){.name = "", .kind = MODEL_FREE, .body = body, .armature = RELEASED_ARMATURE};
    m->joint = joints;
    m->joint_count++;
    for (int b = body + 1; b < m->body_count; b++)
        m->body[b].joint_start++;
    m->body[body].joint_count = 1;
    for (int i = 0; i < m->actuator_count; i++)
        m->actuator[i].joint += m->actuator[i].joint >= at;
    for (int i = 0; i < m->equality_count; i++) {
        ModelEquality *e = &m->equality[i];
        e->first += e->kind == MODEL_COUPLE && e->first >= at;
        e->second += e->kind == MODEL_COUPLE && e->second >= at;
    }
}

/* Extends a keyframe: keeps the state of the other joints and puts the body into its file configuration. */
static int widen_key(Model *m, int body, ModelKey *key)
{
    const ModelBody *b = &m->body[body];
    double *q = arena_array(&m->memory, (size_t)m->q_count, 1, sizeof *q);
    double *v = arena_array(&m->memory, (size_t)m->v_count, 1, sizeof *v);
    if (!q || !v)
        return 0;
    model_reference(m, q);
    int new_q = model_joint_coordinates(MODEL_FREE), new_v = model_joint_speeds(MODEL_FREE);
    memcpy(q, key->q, (size_t)b->q_start * sizeof *q);
    memcpy(q + b->q_start + new_q, key->q + b->q_start, (size_t)(m->q_count - b->q_start - new_q) * sizeof *q);
    memcpy(v, key->v, (size_t)b->v_start * sizeof *v);
    memcpy(v + b->v_start + new_v, key->v + b->v_start, (size_t)(m->v_count - b->v_start - new_v) * sizeof *v);
    key->q = q;
    key->v = v;
    return 1;
}

Status model_release(Model *m, int body, Error *err)
{
    if (body <= 0 || m->body[body].joint_count > 0 || m->body[body].parent != 0)
        return error_set(err, STATUS_BAD_INPUT, "body \"%s\" cannot be driven: it requires a free joint, or none in a "
                         "body of the world", m->body[body].name);
    ModelJoint *joints = arena_array(&m->memory, (size_t)m->joint_count + 1, 1, sizeof *joints);
    if (!joints)
        return error_no_memory(err);
    insert_joint(m, body, joints);
    model_number_coordinates(m);
    for (int i = 0; i < m->key_count; i++)
        if (!widen_key(m, body, &m->key[i]))
            return error_no_memory(err);
    return STATUS_OK;
}

void model_reference(const Model *m, double *q)
{
    for (int j = 0; j < m->joint_count; j++) {
        const ModelJoint *joint = &m->joint[j];
        const ModelBody *body = &m->body[joint->body];
        double *at = q + joint->q_start;
        Quat rotation = joint->kind == MODEL_FREE ? body->orientation : QUAT_IDENTITY;
        if (joint->kind == MODEL_HINGE || joint->kind == MODEL_SLIDE)
            *at = joint->reference;
        if (joint->kind == MODEL_FREE) {
            memcpy(at, &body->position, sizeof body->position);
            at += 3;
        }
        if (joint->kind == MODEL_BALL || joint->kind == MODEL_FREE)
            memcpy(at, &rotation, sizeof rotation);
    }
}

double model_shape_volume(ModelShape shape, Vec3 s)
{
    const double volume[MODEL_SHAPE_COUNT] = {
        [MODEL_SPHERE] = 4 * PI / 3 * s.x * s.x * s.x,
        [MODEL_CAPSULE] = PI * s.x * s.x * (2 * s.y + 4 * s.x / 3),
        [MODEL_CYLINDER] = 2 * PI * s.x * s.x * s.y,
        [MODEL_BOX] = 8 * s.x * s.y * s.z,
        [MODEL_ELLIPSOID] = 4 * PI / 3 * s.x * s.y * s.z,
        [MODEL_PLANE] = 0,
    };
    return volume[shape];
}

/* A capsule is a cylinder and two half balls, whose centres of mass lie 3 r / 8 beyond its ends: across, 2/5 r^2 of the
 * ball about its own centre, and h^2 + 3 r h / 4 for the distance. */
static Vec3 capsule_inertia(double r, double h)
{
    double rod = 2 * PI * r * r * h, ball = 4 * PI / 3 * r * r * r;
    double across = rod * (3 * r * r + 4 * h * h) / 12 + ball * (0.4 * r * r + h * h + 0.75 * r * h);
    return vec3(across, across, rod * r * r / 2 + ball * 0.4 * r * r);
}

Vec3 model_shape_inertia(ModelShape shape, Vec3 s)
{
    double volume = model_shape_volume(shape, s), xx = s.x * s.x, yy = s.y * s.y, zz = s.z * s.z;
    Vec3 across = vec3(yy + zz, xx + zz, xx + yy);
    switch (shape) {
    case MODEL_SPHERE: return vec3_scale(vec3(xx, xx, xx), 0.4 * volume);
    case MODEL_CAPSULE: return capsule_inertia(s.x, s.y);
    case MODEL_CYLINDER: return vec3_scale(vec3((3 * xx + 4 * yy) / 12, (3 * xx + 4 * yy) / 12, xx / 2), volume);
    case MODEL_BOX: return vec3_scale(across, volume / 3);
    case MODEL_ELLIPSOID: return vec3_scale(across, volume / 5);
    default: return vec3(0, 0, 0);
    }
}

double model_weighing(const ModelBody *b) { return b->mass * (1 - b->lift); }

int model_pair_dimensions(const ModelGeom *a, const ModelGeom *b)
{
    if (a->priority != b->priority)
        b = a = a->priority > b->priority ? a : b;
    return a->dimensions > b->dimensions ? a->dimensions : b->dimensions;
}

ModelFriction model_pair_friction(const ModelGeom *a, const ModelGeom *b)
{
    if (a->priority != b->priority)
        b = a = a->priority > b->priority ? a : b;
    return (ModelFriction){fmax(a->friction.slide, b->friction.slide), fmax(a->friction.spin, b->friction.spin),
                           fmax(a->friction.roll, b->friction.roll)};
}

ModelFriction model_limit_friction(ModelFriction f, int dimensions)
{
    return (ModelFriction){dimensions > 1 ? f.slide : 0, dimensions > 3 ? f.spin : 0, dimensions > 4 ? f.roll : 0};
}
