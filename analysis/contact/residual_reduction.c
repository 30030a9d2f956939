/* See residual_reduction.h. Per frame: x = (linear, angular) minimises |A x + r|^2 + |x / scale|^2, where r is the
 * residual wrench about the COM in body weights (and body weights times metres) and A its change with x. */
#include "analysis/contact/residual_reduction.h"

#include "analysis/base/memory.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/cholesky.h"

/* An acceleration of this much costs as much as a residual of one body weight (one body weight metre). */
#define LINEAR_SCALE 30.0   /* m/s2 */
#define ANGULAR_SCALE 300.0 /* rad/s2 */

/* What one unit of an unknown does in a frame. */
typedef struct Reach {
    Vec3 *linear;      /* [joint] m/s2 of the joint centre */
    const char *trunk; /* [joint] 1: turns with the trunk */
} Reach;

ResidualReductionDef residual_reduction_default_def(void)
{
    return (ResidualReductionDef){.most_linear = 1, .most_angular = 10, .lanes = LANES_AUTO};
}

static int is_trunk(const Skeleton *s, int joint)
{
    return s->segment[joint] == ROLE_SPINE || s->segment[joint] == ROLE_CHEST;
}

/* Accelerations of the joint centres when the trunk takes the angular acceleration alpha: those of its own joints
 * turn about its base, what hangs on it is carried along. */
static void carry(const Skeleton *s, const char *trunk, const Vec3 *position, Vec3 alpha, Vec3 *linear)
{
    for (int j = 0; j < s->joint_count; j++) {
        int parent = s->parent[j];
        linear[j] = parent < 0 ? vec3(0, 0, 0) : linear[parent];
        if (parent >= 0 && trunk[parent])
            linear[j] = vec3_add(linear[j], vec3_cross(alpha, vec3_sub(position[j], position[parent])));
    }
}

/* Change of the whole body's needed force and moment about its COM. */
static void change_of_need(const Skeleton *s, const Body *body, const Kinematics *k, size_t frame, const Reach *reach,
                           Vec3 alpha, Vec3 *force, Vec3 *moment)
{
    const Vec3 *position = k->position + frame * (size_t)k->joint_count;
    const Quat *orientation = k->orientation + frame * (size_t)k->joint_count;
    *force = *moment = vec3(0, 0, 0);
    for (int j = 0; j < s->joint_count; j++) {
        Vec3 arm = quat_rotate(orientation[j], body->com[j]), a = reach->linear[j];
        if (reach->trunk[j]) {
            Vec3 local = sym3_mul(body->inertia[j], quat_rotate_inverse(orientation[j], alpha));
            a = vec3_add(a, vec3_cross(alpha, arm));
            *moment = vec3_add(*moment, quat_rotate(orientation[j], local));
        }
        Vec3 f = vec3_scale(a, body->mass[j]);
        *force = vec3_add(*force, f);
        *moment = vec3_add(*moment, vec3_cross(vec3_sub(vec3_add(position[j], arm), k->com[frame]), f));
    }
}

static void put_column(double a[6][6], int column, Vec3 force, Vec3 moment, double weight)
{
    const double entries[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
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

static Vec3 bound(Vec3 v, double most)
{
    double length = vec3_norm(v);
    return length > most ? vec3_scale(v, most / length) : v;
}

/* Adds the accelerations of one frame; their squares are added to the sums. */
static void reduce_frame(const Skeleton *s, const Body *body, const ResidualReductionDef *def, const Reach *reach,
                         Vec3 force, Vec3 moment, int has_trunk, size_t frame, Kinematics *k, double *linear_sum,
                         double *angular_sum)
{
    const Vec3 *position = k->position + frame * (size_t)k->joint_count;
    const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double weight = body->total_mass * GRAVITY, a[6][6] = {{0}}, x[6];
    for (int i = 0; i < 3; i++) {
        put_column(a, i, vec3_scale(unit[i], body->total_mass), vec3(0, 0, 0), weight);
        if (!has_trunk)
            continue;
        Vec3 df, dm;
        carry(s, reach->trunk, position, unit[i], reach->linear);
        change_of_need(s, body, k, frame, reach, unit[i], &df, &dm);
        put_column(a, 3 + i, df, dm, weight);
    }
    /* residual: what is needed beyond the contacts; more acceleration needs more */
    const double residual[6] = {force.x / weight, force.y / weight, force.z / weight,
                                moment.x / weight, moment.y / weight, moment.z / weight};
    solve(a, residual, x);
    Vec3 linear = bound(vec3(x[0], x[1], x[2]), def->most_linear);
    Vec3 angular = bound(vec3(x[3], x[4], x[5]), def->most_angular);
    carry(s, reach->trunk, position, angular, reach->linear);
    for (int j = 0; j < s->joint_count; j++) {
        size_t i = frame * (size_t)k->joint_count + (size_t)j;
        k->acceleration[i] = vec3_add(k->acceleration[i], vec3_add(linear, reach->linear[j]));
        if (reach->trunk[j])
            k->angular_acceleration[i] = vec3_add(k->angular_acceleration[i], angular);
    }
    *linear_sum += vec3_dot(linear, linear);
    *angular_sum += vec3_dot(angular, angular);
}

Status residual_reduce(const Skeleton *skeleton, const Body *body, const Motion *motion, Contact *contact,
                       const ResidualReductionDef *def, Kinematics *kinematics, Error *err)
{
    Loads loads = {0};
    Dynamics dynamics = {0};
    InverseDynamicsDef dynamics_def = inverse_dynamics_default_def();
    dynamics_def.lanes = def->lanes;
    int joints = skeleton->joint_count, has_trunk = 0;
    double linear_sum = 0, angular_sum = 0;
    Vec3 *linear = array_new((size_t)joints, 1, sizeof *linear);
    char *trunk = array_new((size_t)joints, 1, 1);
    Reach reach = {linear, trunk};
    Status status = linear && trunk ? loads_from_contact(contact, kinematics, &loads, err) : error_no_memory(err);
    if (!status)
        status = inverse_dynamics(skeleton, body, motion, kinematics, &loads, &dynamics_def, &dynamics, err);
    if (status)
        goto done;
    for (int j = 0; j < joints; j++)
        has_trunk |= trunk[j] = (char)is_trunk(skeleton, j);
    for (int f = 0; f < kinematics->frame_count; f++) {
        Vec3 root = kinematics->position[(size_t)f * (size_t)joints], force = dynamics.residual_force[f];
        Vec3 moment = vec3_add(dynamics.residual_torque[f], vec3_cross(vec3_sub(root, kinematics->com[f]), force));
        reduce_frame(skeleton, body, def, &reach, force, moment, has_trunk, (size_t)f, kinematics, &linear_sum,
                     &angular_sum);
    }
    contact->linear_reduction = sqrt(linear_sum / kinematics->frame_count);
    contact->angular_reduction = sqrt(angular_sum / kinematics->frame_count);
done:
    loads_free(&loads);
    dynamics_free(&dynamics);
    free(linear);
    free(trunk);
    return status;
}
