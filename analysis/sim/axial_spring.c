#include "analysis/sim/axial_spring.h"

#include <string.h>

#include "analysis/math/mat3.h"

Tension axial_spring_tension(const AxialSpring *s, double length, double rate)
{
    double force = s->stiffness * (length - s->rest) + s->damping * rate;
    if (s->pulls_only && force < 0)
        return (Tension){0, 0, 0};
    return (Tension){force, s->stiffness, s->damping};
}

double axial_spring_energy(const AxialSpring *s, double length)
{
    double way = s->pulls_only && length < s->rest ? 0 : length - s->rest;
    return 0.5 * s->stiffness * way * way;
}

/* u, l and l' = u . (v2 - v1) */
static Vec3 direction(Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2, double *length, double *rate)
{
    Vec3 apart = vec3_sub(x2, x1);
    *length = vec3_norm(apart);
    Vec3 u = vec3_normalize(apart);
    *rate = vec3_dot(u, vec3_sub(v2, v1));
    return u;
}

Vec3 axial_spring_force(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2)
{
    double length, rate;
    Vec3 u = direction(x1, v1, x2, v2, &length, &rate);
    return vec3_scale(u, axial_spring_tension(s, length, rate).force);
}

/* 0.12: df1/dx1 = -F_l Un - 1/l F_l' u (v2 - v1)' Up - F/l Up,  df1/dv1 = -F_l' Un,  Un = u u', Up = 1 - Un. */
SpringJacobians axial_spring_jacobians(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2)
{
    double length, rate;
    Vec3 u = direction(x1, v1, x2, v2, &length, &rate);
    if (!(length > 0))
        return (SpringJacobians){0};
    Tension t = axial_spring_tension(s, length, rate);
    Mat3 along = mat3_outer(u, u), across = mat3_mad(MAT3_IDENTITY, -1, along);
    Vec3 swing = vec3_mad(vec3_sub(v2, v1), -rate, u); /* Up (v2 - v1) */
    Mat3 by_position = mat3_scale(along, -t.by_length);
    by_position = mat3_mad(by_position, -t.by_rate / length, mat3_outer(u, swing));
    by_position = mat3_mad(by_position, -t.force / length, across);
    return (SpringJacobians){by_position, mat3_scale(along, -t.by_rate)};
}

static double stress(const StressSpring *s, double length)
{
    if (s->law == STRESS_QUADRATIC)
        return s->stiffness * (length * length - s->rest * s->rest) / (2 * s->rest * s->rest);
    return length > 0 ? s->stiffness * (length - s->rest) / length : 0;
}

Vec3 stress_spring_force(const StressSpring *s, Vec3 x1, Vec3 x2)
{
    return vec3_scale(vec3_sub(x2, x1), stress(s, vec3_distance(x1, x2)));
}

/* The integral of sigma l: linear, that of the axial spring; quadratic, k (l^2 - r^2)^2 / (8 r^2). */
double stress_spring_energy(const StressSpring *s, double length)
{
    double square = length * length - s->rest * s->rest;
    if (s->law == STRESS_QUADRATIC)
        return s->stiffness * square * square / (8 * s->rest * s->rest);
    return axial_spring_energy(&(AxialSpring){s->stiffness, 0, s->rest, 0}, length);
}

/* 0.13: linear, -(k r / l) u u' - sigma 1 (d sigma/dl is +k r / l^2, docs/sources.md "Errata of the notes");
 * quadratic, -(k / r^2) dx dx' - sigma 1. */
Mat3 stress_spring_jacobian(const StressSpring *s, Vec3 x1, Vec3 x2)
{
    Vec3 apart = vec3_sub(x2, x1);
    double length = vec3_norm(apart);
    Mat3 geometric = mat3_scale(MAT3_IDENTITY, -stress(s, length));
    if (s->law == STRESS_QUADRATIC)
        return mat3_mad(geometric, -s->stiffness / (s->rest * s->rest), mat3_outer(apart, apart));
    Vec3 u = vec3_normalize(apart);
    return length > 0 ? mat3_mad(geometric, -s->stiffness * s->rest / length, mat3_outer(u, u)) : geometric;
}

/* Unit direction of segment i; beyond the ends there is none. */
static Vec3 segment(const MultipointSpring *s, const Vec3 *x, int i)
{
    if (i < 0 || i >= s->point_count - 1)
        return vec3(0, 0, 0);
    return vec3_normalize(vec3_sub(x[i + 1], x[i]));
}

/* Segments -1 and n, beyond the ends, are passive. */
static int is_active(const MultipointSpring *s, int i)
{
    return i >= 0 && i < s->point_count - 1 && (!s->active || s->active[i]);
}

static Vec3 active_segment(const MultipointSpring *s, const Vec3 *x, int i)
{
    return is_active(s, i) ? segment(s, x, i) : vec3(0, 0, 0);
}

/* (0.14) */
void multipoint_spring_length(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *length, double *rate)
{
    *length = *rate = 0;
    for (int i = 0; i < s->point_count - 1; i++) {
        if (!is_active(s, i))
            continue;
        *length += vec3_distance(x[i], x[i + 1]);
        *rate += vec3_dot(vec3_sub(v[i + 1], v[i]), segment(s, x, i));
    }
}

/* v_i = u_i - u_(i-1) */
static Vec3 pull_direction(const MultipointSpring *s, const Vec3 *x, int i)
{
    return vec3_sub(segment(s, x, i), segment(s, x, i - 1));
}

void multipoint_spring_forces(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, Vec3 *force)
{
    double length, rate;
    multipoint_spring_length(s, x, v, &length, &rate);
    double tension = axial_spring_tension(&s->law, length, rate).force;
    for (int i = 0; i < s->point_count; i++)
        force[i] = vec3_scale(pull_direction(s, x, i), tension);
}

/* dL/dx_j = dL'/dx'_j: u of the active segment before j minus u of the active one after. */
static Vec3 length_gradient(const MultipointSpring *s, const Vec3 *x, int j)
{
    return vec3_sub(active_segment(s, x, j - 1), active_segment(s, x, j));
}

/* 1/l P of segment i, the derivative of u_i by x_(i+1) (0.13). */
static Mat3 turning(const MultipointSpring *s, const Vec3 *x, int i)
{
    if (i < 0 || i >= s->point_count - 1 || !(vec3_distance(x[i], x[i + 1]) > 0))
        return (Mat3){0};
    Vec3 u = segment(s, x, i);
    return mat3_scale(mat3_mad(MAT3_IDENTITY, -1, mat3_outer(u, u)), 1 / vec3_distance(x[i], x[i + 1]));
}

/* y_i = 1/l_i F_L' (v_(i+1) - v_i)' P_i */
static Vec3 swing(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double by_rate, int i)
{
    if (!is_active(s, i))
        return vec3(0, 0, 0);
    return vec3_scale(mat3_mul(turning(s, x, i), vec3_sub(v[i + 1], v[i])), by_rate);
}

/* df_i/dx_j = v_i dF/dx_j + F (du_i/dx_j - du_(i-1)/dx_j), dF/dx_j = F_L dL/dx_j + y_(j-1) - y_j;
 * df_i/dv_j = F_L' v_i dL'/dx'_j (with j, docs/sources.md "Errata of the notes"). */
void multipoint_spring_jacobians(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *by_position,
                                 double *by_velocity)
{
    int n = s->point_count, stride = 3 * n;
    double length, rate;
    multipoint_spring_length(s, x, v, &length, &rate);
    Tension t = axial_spring_tension(&s->law, length, rate);
    memset(by_position, 0, (size_t)stride * (size_t)stride * sizeof *by_position);
    memset(by_velocity, 0, (size_t)stride * (size_t)stride * sizeof *by_velocity);
    for (int i = 0; i < n; i++) {
        Vec3 pull = pull_direction(s, x, i);
        Mat3 after = turning(s, x, i), before = turning(s, x, i - 1);
        for (int j = 0; j < n; j++) {
            Vec3 gradient = length_gradient(s, x, j);
            Vec3 y = vec3_sub(swing(s, x, v, t.by_rate, j - 1), swing(s, x, v, t.by_rate, j));
            mat3_add_block(by_position, stride, 3 * i, 3 * j, 1,
                           mat3_outer(pull, vec3_mad(y, t.by_length, gradient)));
            mat3_add_block(by_velocity, stride, 3 * i, 3 * j, t.by_rate, mat3_outer(pull, gradient));
        }
        mat3_add_block(by_position, stride, 3 * i, 3 * i, -t.force, mat3_add(after, before));
        if (i + 1 < n)
            mat3_add_block(by_position, stride, 3 * i, 3 * (i + 1), t.force, after);
        if (i > 0)
            mat3_add_block(by_position, stride, 3 * i, 3 * (i - 1), t.force, before);
    }
}
