#include "analysis/sim/axial_spring.h"

#include "analysis/math/mat3.h"

Tension axial_spring_tension(const AxialSpring *s, double length, double rate)
{
    double force = s->stiffness * (length - s->rest) + s->damping * rate;
    if (s->pulls_only && force < 0)
        return (Tension){0, 0, 0};
    return (Tension){force, s->stiffness, s->damping};
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
void axial_spring_jacobians(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2, Mat3 *by_position,
                            Mat3 *by_velocity)
{
    double length, rate;
    Vec3 u = direction(x1, v1, x2, v2, &length, &rate);
    *by_position = *by_velocity = (Mat3){0};
    if (!(length > 0))
        return;
    Tension t = axial_spring_tension(s, length, rate);
    Mat3 along = mat3_outer(u, u), across = mat3_mad(MAT3_IDENTITY, -1, along);
    Vec3 swing = vec3_mad(vec3_sub(v2, v1), -rate, u); /* Up (v2 - v1) */
    *by_position = mat3_scale(along, -t.by_length);
    *by_position = mat3_mad(*by_position, -t.by_rate / length, mat3_outer(u, swing));
    *by_position = mat3_mad(*by_position, -t.force / length, across);
    *by_velocity = mat3_scale(along, -t.by_rate);
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
