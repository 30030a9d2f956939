/* Residual reduction (residual.h).
 *
 * Reduction, per frame: x = (linear, angular) minimises |A x + r|^2 + |x / scale|^2, with r the residual wrench about
 * the COM in body weights (and body weights times metres), and A its derivative by x. */
#include "analysis/contact/residual.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/clip/skeleton.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Acceleration with the cost of a residual of one body weight (one body weight metre). */
#define LINEAR_SCALE 30.0   /* m/s2 */
#define ANGULAR_SCALE 300.0 /* rad/s2 */

/* Residual after contact in a frame: N and N m about the COM. */
typedef struct Wrench {
    Vec3 force, moment;
} Wrench;

/* Residual wrench of the contact forces at the floating base, wrench[frame] of the arena. */
static Status find_residual(const ClipView *clip, const Contact *contact, LaneWidth lanes, Arena *arena, Wrench **out,
                            Error *err)
{
    const Kinematics *k = clip->kinematics;
    Loads loads = {0};
    Dynamics left = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    def.lanes = lanes;
    Wrench *wrench = *out = arena_array(arena, (size_t)k->frame_count, 1, sizeof *wrench);
    Status status = arena->failed ? error_no_memory(err) : loads_from_contact(contact, k, &loads, err);
    if (!status)
        status = inverse_dynamics(clip, &loads, &def, &left, err);
    for (int f = 0; !status && f < k->frame_count; f++) {
        wrench[f].force = left.residual_force[f];
        wrench[f].moment = left.residual_torque[f];
    }
    loads_free(&loads);
    dynamics_free(&left);
    return status;
}

Status confidence_rate(const ClipView *clip, LaneWidth lanes, Contact *contact, Error *err)
{
    Arena arena = {0};
    Wrench *left;
    double weight = clip->body->total_mass * GRAVITY, length = clip->body->stature > 0 ? 0.5 * clip->body->stature : 1;
    Status status = find_residual(clip, contact, lanes, &arena, &left, err);
    for (int f = 0; !status && f < contact->frame_count; f++) {
        Vec3 force = vec3_scale(left[f].force, 1 / weight);
        Vec3 moment = vec3_scale(left[f].moment, 1 / (weight * length));
        contact->confidence[f] = 1 / (1 + 100 * (vec3_dot(force, force) + vec3_dot(moment, moment)));
    }
    arena_free(&arena);
    return status;
}

/* The body in one frame, and its response to one unit of an unknown. */
typedef struct Reach {
    const Skeleton *skeleton;
    const Body *body;
    const Vec3 *position;    /* [joint] m */
    const Quat *orientation; /* [joint] */
    Vec3 com;                /* m */
    const char *trunk;       /* [joint] 1: rotates with the trunk */
    int has_trunk;
    Vec3 *linear;            /* [joint] m/s2 of the joint centre */
} Reach;

ResidualReductionDef residual_reduction_default_def(void)
{
    return (ResidualReductionDef){.max_linear = 1, .max_angular = 10, .lanes = LANES_AUTO};
}

static int is_trunk(const Skeleton *s, int joint)
{
    return s->segment[joint] == ROLE_SPINE || s->segment[joint] == ROLE_CHEST;
}

/* Accelerations of the joint centres for a trunk with the angular acceleration alpha: its own joints rotate about its
 * base, attached limbs move along. */
static void carry(const Reach *r, Vec3 alpha)
{
    for (int j = 0; j < r->skeleton->joint_count; j++) {
        int parent = r->skeleton->parent[j];
        r->linear[j] = parent < 0 ? vec3(0, 0, 0) : r->linear[parent];
        if (parent >= 0 && r->trunk[parent])
            r->linear[j] = vec3_add(r->linear[j], vec3_cross(alpha, vec3_sub(r->position[j], r->position[parent])));
    }
}

/* Change of the whole body's required force and moment about its COM by these accelerations. */
static Wrench change_of_wrench(const Reach *r, Vec3 alpha)
{
    Wrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int j = 0; j < r->skeleton->joint_count; j++) {
        Vec3 arm = quat_rotate(r->orientation[j], r->body->com[j]), a = r->linear[j];
        if (r->trunk[j]) {
            Vec3 local = sym3_mul(r->body->inertia[j], quat_rotate_inverse(r->orientation[j], alpha));
            a = vec3_add(a, vec3_cross(alpha, arm));
            sum.moment = vec3_add(sum.moment, quat_rotate(r->orientation[j], local));
        }
        Vec3 f = vec3_scale(a, r->body->mass[j]);
        sum.force = vec3_add(sum.force, f);
        sum.moment = vec3_add(sum.moment, vec3_cross(vec3_sub(vec3_add(r->position[j], arm), r->com), f));
    }
    return sum;
}

static void put_column(double a[6][6], int column, Wrench w, double weight)
{
    const double entries[6] = {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z};
    for (int i = 0; i < 6; i++)
        a[i][column] = entries[i] / weight;
}

/* Regularised least squares by the normal equations. */
static void solve(double a[6][6], const double residual[6], double x[6])
{
    double normal[36];
    for (int i = 0; i < 6; i++) {
        double scale = i < 3 ? LINEAR_SCALE : ANGULAR_SCALE;
        x[i] = 0;
        for (int k = 0; k < 6; k++)
            x[i] -= a[k][i] * residual[k];
        for (int j = 0; j < 6; j++) {
            double sum = i == j ? 1 / (scale * scale) : 0;
            for (int k = 0; k < 6; k++)
                sum += a[k][i] * a[k][j];
            normal[6 * i + j] = sum;
        }
    }
    cholesky_factor(normal, 6);
    cholesky_solve(normal, 6, x);
}

static Vec3 bound(Vec3 v, double max)
{
    double length = vec3_norm(v);
    return length > max ? vec3_scale(v, max / length) : v;
}

/* Additional accelerations of a frame, linear and angular, within their bounds. */
static void solve_frame(const Reach *r, const Wrench *left, const ResidualReductionDef *def, Vec3 *linear,
                        Vec3 *angular)
{
    const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double weight = r->body->total_mass * GRAVITY, a[6][6] = {{0}}, x[6];
    for (int i = 0; i < 3; i++) {
        put_column(a, i, (Wrench){vec3_scale(unit[i], r->body->total_mass), {0, 0, 0}}, weight);
        if (!r->has_trunk)
            continue;
        carry(r, unit[i]);
        put_column(a, 3 + i, change_of_wrench(r, unit[i]), weight);
    }
    /* residual: required beyond the contacts; more acceleration requires more */
    const double residual[6] = {left->force.x / weight,  left->force.y / weight,  left->force.z / weight,
                                left->moment.x / weight, left->moment.y / weight, left->moment.z / weight};
    solve(a, residual, x);
    *linear = bound(vec3_load(x), def->max_linear);
    *angular = bound(vec3(x[3], x[4], x[5]), def->max_angular);
}

static void add_accelerations(const Reach *r, Vec3 linear, Vec3 angular, size_t first, Kinematics *k)
{
    carry(r, angular);
    for (size_t j = 0; j < (size_t)k->joint_count; j++) {
        k->acceleration[first + j] = vec3_add(k->acceleration[first + j], vec3_add(linear, r->linear[j]));
        if (r->trunk[j])
            k->angular_acceleration[first + j] = vec3_add(k->angular_acceleration[first + j], angular);
    }
}

static void reduce_frames(Reach *r, const Wrench *left, const ResidualReductionDef *def, Contact *contact,
                          Kinematics *k)
{
    double linear_sum = 0, angular_sum = 0;
    for (int f = 0; f < k->frame_count; f++) {
        size_t first = (size_t)f * (size_t)k->joint_count;
        Vec3 linear, angular;
        r->position = k->position + first;
        r->orientation = k->orientation + first;
        r->com = k->com[f];
        solve_frame(r, &left[f], def, &linear, &angular);
        add_accelerations(r, linear, angular, first, k);
        linear_sum += vec3_dot(linear, linear);
        angular_sum += vec3_dot(angular, angular);
    }
    contact->linear_reduction = sqrt(linear_sum / k->frame_count);
    contact->angular_reduction = sqrt(angular_sum / k->frame_count);
}

Status residual_reduce(const ClipView *clip, const ResidualReductionDef *def, Contact *contact, Kinematics *kinematics,
                       Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)clip->skeleton->joint_count;
    char *trunk = arena_array(&arena, joints, 1, 1);
    Reach reach = {.skeleton = clip->skeleton, .body = clip->body, .trunk = trunk,
                   .linear = arena_array(&arena, joints, 1, sizeof *reach.linear)};
    Wrench *left;
    Status status = find_residual(clip, contact, def->lanes, &arena, &left, err);
    if (!status) {
        for (int j = 0; j < clip->skeleton->joint_count; j++)
            reach.has_trunk |= trunk[j] = (char)is_trunk(clip->skeleton, j);
        reduce_frames(&reach, left, def, contact, kinematics);
    }
    arena_free(&arena);
    return status;
}
