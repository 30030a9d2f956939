#include "analysis/motion/joint_motion.h"

/* Numbers of coordinates and speeds per ModelJointKind. */
static const int widths[][2] = {{1, 1}, {1, 1}, {4, 3}, {7, 6}};
_Static_assert(sizeof widths / sizeof *widths == MODEL_JOINT_KIND_COUNT, "a row for every ModelJointKind");

int model_joint_coordinates(ModelJointKind kind) { return widths[kind][0]; }
int model_joint_speeds(ModelJointKind kind) { return widths[kind][1]; }

static Vec3 get(const double *from) { return from ? vec3_load(from) : vec3(0, 0, 0); }

/* Velocity and acceleration of a frame at offset r from its origin. */
static Vec3 velocity_at(const ModelFrame *f, Vec3 r) { return vec3_add(f->v, vec3_cross(f->omega, r)); }

static Vec3 acceleration_at(const ModelFrame *f, Vec3 r)
{
    Vec3 turning = vec3_add(vec3_cross(f->alpha, r), vec3_cross(f->omega, vec3_cross(f->omega, r)));
    return vec3_add(f->a, turning);
}

void model_frame_shift(ModelFrame *f, Vec3 offset)
{
    Vec3 v = velocity_at(f, offset), a = acceleration_at(f, offset);
    f->x = vec3_add(f->x, offset);
    f->v = v;
    f->a = a;
}

/* Rotates the frame about a fixed anchor to the orientation `turned`, with relative rates omega and alpha (world
 * axes). */
static void rotate_frame(ModelFrame *f, Vec3 anchor, Quat turned, Vec3 omega, Vec3 alpha)
{
    Vec3 arm = quat_rotate(f->q, anchor);
    Vec3 position = vec3_add(f->x, arm), v = velocity_at(f, arm), a = acceleration_at(f, arm);
    f->alpha = vec3_add(vec3_add(f->alpha, alpha), vec3_cross(f->omega, omega));
    f->omega = vec3_add(f->omega, omega);
    f->q = turned;
    Vec3 back = vec3_neg(quat_rotate(f->q, anchor));
    f->x = vec3_add(position, back);
    f->v = v;
    f->a = a;
    Vec3 v_new = velocity_at(f, back), a_new = acceleration_at(f, back);
    f->v = v_new;
    f->a = a_new;
}

static void pass_hinge(ModelFrame *f, const ModelJointAxis *j, const ModelJointState *at)
{
    Vec3 axis = quat_rotate(f->q, j->axis);
    Quat turned = quat_mul(f->q, quat_from_axis_angle(j->axis, at->q[0] - j->reference));
    at->speed->turns = 1;
    at->speed->axis = axis;
    at->speed->anchor = vec3_add(f->x, quat_rotate(f->q, j->anchor));
    rotate_frame(f, j->anchor, turned, vec3_scale(axis, at->v ? at->v[0] : 0), vec3_scale(axis, at->a ? at->a[0] : 0));
}

static void pass_slide(ModelFrame *f, const ModelJointAxis *j, const ModelJointState *at)
{
    Vec3 axis = quat_rotate(f->q, j->axis), displacement = vec3_scale(axis, at->q[0] - j->reference);
    double rate = at->v ? at->v[0] : 0, change = at->a ? at->a[0] : 0;
    Vec3 v = vec3_mad(velocity_at(f, displacement), rate, axis);
    Vec3 a = vec3_mad(acceleration_at(f, displacement), change, axis);
    f->a = vec3_mad(a, 2 * rate, vec3_cross(f->omega, axis));
    f->v = v;
    f->x = vec3_add(f->x, displacement);
    at->speed->turns = 0;
    at->speed->axis = axis;
    at->speed->anchor = f->x;
}

static void put_rotations(ModelSpeed *speed, Quat q, Vec3 anchor)
{
    for (int k = 0; k < 3; k++) {
        speed[k].turns = 1;
        speed[k].axis = quat_rotate(q, vec3(k == 0, k == 1, k == 2));
        speed[k].anchor = anchor;
    }
}

static void pass_ball(ModelFrame *f, const ModelJointAxis *j, const ModelJointState *at)
{
    Quat q = {at->q[0], at->q[1], at->q[2], at->q[3]}, turned = quat_mul(f->q, q);
    put_rotations(at->speed, turned, vec3_add(f->x, quat_rotate(f->q, j->anchor)));
    rotate_frame(f, j->anchor, turned, quat_rotate(turned, get(at->v)), quat_rotate(turned, get(at->a)));
}

static void pass_free(ModelFrame *f, const ModelJointAxis *j, const ModelJointState *at)
{
    (void)j;
    f->q = (Quat){at->q[3], at->q[4], at->q[5], at->q[6]};
    f->x = get(at->q);
    f->v = get(at->v);
    f->a = get(at->a);
    f->omega = quat_rotate(f->q, get(at->v ? at->v + 3 : NULL));
    f->alpha = quat_rotate(f->q, get(at->a ? at->a + 3 : NULL));
    for (int k = 0; k < 3; k++) {
        at->speed[k].turns = 0;
        at->speed[k].axis = vec3(k == 0, k == 1, k == 2);
        at->speed[k].anchor = f->x;
    }
    put_rotations(at->speed + 3, f->q, f->x);
}

static void (*const passes[])(ModelFrame *f, const ModelJointAxis *j, const ModelJointState *at) = {
    pass_hinge, pass_slide, pass_ball, pass_free};
_Static_assert(sizeof passes / sizeof *passes == MODEL_JOINT_KIND_COUNT, "a row for every ModelJointKind");

void model_pass_joint(ModelFrame *f, const ModelJointAxis *j, const ModelJointState *at) { passes[j->kind](f, j, at); }
