/* See axial_spring.h. */
#include "analysis/springs/axial_spring.h"

#include <math.h>
#include <string.h>

#include "analysis/math/vec.h"

/* Index of the last increasing value not above x, except the last value of all. */
static int find_cell(const double *value, int count, double x)
{
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (value[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Interpolates along the rates at one length: force, and its derivative by the rate. */
static double law_at_rate(const SpringLaw *law, int length, double rate, double *slope)
{
    const double *f = law->force + (size_t)length * (size_t)law->rate_count;
    *slope = 0;
    if (law->rate_count == 1)
        return *f;
    int at = find_cell(law->rate, law->rate_count, rate);
    *slope = (f[at + 1] - f[at]) / (law->rate[at + 1] - law->rate[at]);
    return f[at] + *slope * (rate - law->rate[at]);
}

static Tension law_tension(const SpringLaw *law, double length, double rate)
{
    int at = find_cell(law->length, law->length_count, length);
    double slope[2], span = law->length[at + 1] - law->length[at], way = (length - law->length[at]) / span;
    double near = law_at_rate(law, at, rate, &slope[0]), far = law_at_rate(law, at + 1, rate, &slope[1]);
    return (Tension){near + way * (far - near), (far - near) / span, slope[0] + way * (slope[1] - slope[0])};
}

/* The first length at which F(l, 0) rises through zero; else the shortest length. */
static double law_rest(const SpringLaw *law)
{
    double slope, before = law_at_rate(law, 0, 0, &slope);
    for (int i = 1; i < law->length_count; i++) {
        double after = law_at_rate(law, i, 0, &slope);
        if (before <= 0 && after > 0)
            return law->length[i - 1] - before * (law->length[i] - law->length[i - 1]) / (after - before);
        before = after;
    }
    return law->length[0];
}

/* Integral of a linear piece of F between two lengths; for a pull-only spring without negative forces. */
static double piece_work(double from, double f, double to, double g, int pulls_only)
{
    double way = to - from;
    if (!pulls_only || (f >= 0 && g >= 0))
        return 0.5 * (f + g) * way;
    if (f <= 0 && g <= 0)
        return 0;
    double part = f > 0 ? f / (f - g) : g / (g - f);
    return 0.5 * fmax(f, g) * part * way;
}

/* Integral of F(l, 0) from the rest length. */
static double law_energy(const SpringLaw *law, double length, int pulls_only)
{
    double rest = law_rest(law), low = fmin(rest, length), high = fmax(rest, length), work = 0, from = low;
    double f = law_tension(law, low, 0).force;
    for (int i = 0; i <= law->length_count; i++) {
        double to = i < law->length_count ? fmin(law->length[i], high) : high;
        if (!(to > from))
            continue;
        double g = law_tension(law, to, 0).force;
        work += piece_work(from, f, to, g, pulls_only);
        from = to;
        f = g;
    }
    return length < rest ? -work : work;
}

Tension axial_spring_tension(const AxialSpring *s, double length, double rate)
{
    if (s->law) {
        Tension t = law_tension(s->law, length - s->rest, rate);
        return s->pulls_only && t.force < 0 ? (Tension){0, 0, 0} : t;
    }
    double force = s->stiffness * (length - s->rest) + s->damping * rate;
    if (s->pulls_only && force < 0)
        return (Tension){0, 0, 0};
    return (Tension){force, s->stiffness, s->damping};
}

double axial_spring_energy(const AxialSpring *s, double length)
{
    if (s->law)
        return law_energy(s->law, length - s->rest, s->pulls_only);
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

/* Integral of sigma l. Linear: that of the axial spring; quadratic: k (l^2 - r^2)^2 / (8 r^2). */
double stress_spring_energy(const StressSpring *s, double length)
{
    double square = length * length - s->rest * s->rest;
    if (s->law == STRESS_QUADRATIC)
        return s->stiffness * square * square / (8 * s->rest * s->rest);
    return axial_spring_energy(&(AxialSpring){.stiffness = s->stiffness, .rest = s->rest}, length);
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

/* Unit direction of segment i; zero beyond the ends. */
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
