/* Implicit steps of particles on springs (particles.h; docs/sources.md, notes 0.9.2, 0.9.3): the matrix is sparse and
 * symmetric, and conjugate gradients solve it.
 *
 * The matrix omits the parts of the Jacobians (0.12) that would make it unsymmetric or indefinite: the swing of dampers
 * and the push of compressed springs. The right side contains them, so that the trapezoidal rule keeps its order. */
#include <math.h>
#include <string.h>

#include "analysis/sim/particles.h"

/* Tolerance on the residual in the norm of the preconditioner, and the largest number of iterations. */
#define SOLVED 1e-13
enum { MOST_ROUNDS = 2000 };

Status particles_make_implicit(Particles *p, Error *err)
{
    size_t count = (size_t)p->count;
    ParticleStep *s = &p->step;
    Vec3 **arrays[] = {&s->right, &s->slope, &s->residual, &s->direction, &s->product, &s->preconditioned};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&p->memory, count, 1, sizeof(Vec3));
    s->inverse = arena_array(&p->memory, count, 1, sizeof *s->inverse);
    s->response = arena_array(&p->memory, (size_t)p->spring_count, 1, sizeof *s->response);
    return p->memory.failed ? error_no_memory(err) : STATUS_OK;
}

/* Both Jacobians without their negative parts: -(F_l u u' + F / l (1 - u u')), -F_l' u u'. */
static Mat3 response_of(const Particles *p, const ParticleSpring *spring, double length, double rate, Vec3 u)
{
    double by_rate = p->step.theta * p->step.h, by_length = by_rate * by_rate;
    Tension t = axial_spring_tension(&spring->law, length, rate);
    double along = by_length * fmax(t.by_length, 0) + by_rate * fmax(t.by_rate, 0);
    double across = by_length * fmax(t.force, 0) / length;
    Mat3 line = mat3_outer(u, u);
    return mat3_mad(mat3_scale(line, -along), -across, mat3_mad(MAT3_IDENTITY, -1, line));
}

/* Rate of the force on the first end along the motion: K (v_a - v_b) + D (bias_a - bias_b). */
static Vec3 force_rate(const Particles *p, const ParticleSpring *spring, const Vec3 *bias)
{
    int a = spring->a, b = spring->b;
    SpringJacobians j = axial_spring_jacobians(&spring->law, p->x[a], p->v[a], p->x[b], p->v[b]);
    return vec3_add(mat3_mul(j.by_position, vec3_sub(p->v[a], p->v[b])),
                    mat3_mul(j.by_velocity, vec3_sub(bias[a], bias[b])));
}

/* Accelerations of attached particles at constant generalised speeds. */
static void find_bias(const Particles *p, const ModelMotion *m, Vec3 *bias)
{
    for (int i = 0; i < p->count; i++) {
        int b = p->body[i];
        bias[i] = vec3(0, 0, 0);
        if (b < 0)
            continue;
        Vec3 arm = quat_rotate(m->orientation[b], p->local[i]), omega = m->angular_velocity[b];
        bias[i] = vec3_add(vec3_add(m->acceleration[b], vec3_cross(m->angular_acceleration[b], arm)),
                           vec3_cross(omega, vec3_cross(omega, arm)));
    }
}

static Mat3 mat3_inverse_symmetric(Mat3 m)
{
    Vec3 a = vec3_cross(m.r[1], m.r[2]), b = vec3_cross(m.r[2], m.r[0]), c = vec3_cross(m.r[0], m.r[1]);
    double det = vec3_dot(m.r[0], a);
    return mat3_scale(mat3_transpose((Mat3){{a, b, c}}), 1 / det);
}

/* Computes S of each spring, the diagonal blocks and the rates of the forces. */
static void put_springs(Particles *p, const Vec3 *bias)
{
    ParticleStep *s = &p->step;
    for (int i = 0; i < p->spring_count; i++) {
        const ParticleSpring *spring = &p->spring[i];
        int a = spring->a, b = spring->b;
        Vec3 apart = vec3_sub(p->x[b], p->x[a]), u = vec3_normalize(apart);
        double length = vec3_norm(apart);
        s->response[i] = (Mat3){0};
        if (!(length > 0))
            continue;
        s->response[i] = response_of(p, spring, length, vec3_dot(u, vec3_sub(p->v[b], p->v[a])), u);
        Vec3 rate = vec3_scale(force_rate(p, spring, bias), s->theta * s->h);
        s->slope[a] = vec3_add(s->slope[a], rate);
        s->slope[b] = vec3_sub(s->slope[b], rate);
        s->inverse[a] = mat3_mad(s->inverse[a], -1, s->response[i]);
        s->inverse[b] = mat3_mad(s->inverse[b], -1, s->response[i]);
    }
}

void particles_linearize(Particles *p, const ModelMotion *motion, Vec3 gravity, double h, double theta)
{
    ParticleStep *s = &p->step;
    s->h = h;
    s->theta = theta;
    for (int i = 0; i < p->count; i++) {
        s->slope[i] = vec3(0, 0, 0);
        s->inverse[i] = mat3_scale(MAT3_IDENTITY, p->mass[i]);
    }
    find_bias(p, motion, s->direction);
    put_springs(p, s->direction);
    for (int i = 0; i < p->count; i++) {
        Vec3 force = vec3_add(vec3_mad(p->force[i], p->mass[i], gravity), s->slope[i]);
        s->right[i] = p->body[i] < 0 ? vec3_scale(force, h) : vec3(0, 0, 0);
        if (p->body[i] < 0)
            s->inverse[i] = mat3_inverse_symmetric(s->inverse[i]);
    }
}

void particles_respond(const Particles *p, const Vec3 *change, Vec3 *force)
{
    for (int i = 0; i < p->spring_count; i++) {
        int a = p->spring[i].a, b = p->spring[i].b;
        Vec3 f = mat3_mul(p->step.response[i], vec3_sub(change[a], change[b]));
        force[a] = vec3_add(force[a], f);
        force[b] = vec3_sub(force[b], f);
    }
}

/* (M - S) x on the free particles; x is zero on the others. */
static void apply(const Particles *p, const Vec3 *x, Vec3 *out)
{
    memset(out, 0, (size_t)p->count * sizeof *out);
    particles_respond(p, x, out);
    for (int i = 0; i < p->count; i++)
        out[i] = p->body[i] < 0 ? vec3_sub(vec3_scale(x[i], p->mass[i]), out[i]) : vec3(0, 0, 0);
}

/* Applies the preconditioner and returns r . z. */
static double precondition(const Particles *p)
{
    const ParticleStep *s = &p->step;
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        s->preconditioned[i] = p->body[i] < 0 ? mat3_mul(s->inverse[i], s->residual[i]) : vec3(0, 0, 0);
        sum += vec3_dot(s->residual[i], s->preconditioned[i]);
    }
    return sum;
}

static double dot(const Particles *p, const Vec3 *a, const Vec3 *b)
{
    double sum = 0;
    for (int i = 0; i < p->count; i++)
        sum += vec3_dot(a[i], b[i]);
    return sum;
}

void particles_solve(Particles *p, Vec3 *b)
{
    ParticleStep *s = &p->step;
    for (int i = 0; i < p->count; i++) {
        s->residual[i] = p->body[i] < 0 ? b[i] : vec3(0, 0, 0);
        b[i] = vec3(0, 0, 0);
    }
    double now = precondition(p), first = now;
    memcpy(s->direction, s->preconditioned, (size_t)p->count * sizeof *s->direction);
    for (int round = 0; round < MOST_ROUNDS && now > SOLVED * SOLVED * first; round++) {
        apply(p, s->direction, s->product);
        double step = now / dot(p, s->direction, s->product);
        for (int i = 0; i < p->count; i++) {
            b[i] = vec3_mad(b[i], step, s->direction[i]);
            s->residual[i] = vec3_mad(s->residual[i], -step, s->product[i]);
        }
        double next = precondition(p);
        for (int i = 0; i < p->count; i++)
            s->direction[i] = vec3_mad(s->preconditioned[i], next / now, s->direction[i]);
        now = next;
    }
}

void particles_advance(Particles *p, const Vec3 *change)
{
    const ParticleStep *s = &p->step;
    for (int i = 0; i < p->count; i++) {
        if (p->body[i] >= 0)
            continue;
        p->x[i] = vec3_mad(vec3_mad(p->x[i], s->h, p->v[i]), s->theta * s->h, change[i]);
        p->v[i] = vec3_add(p->v[i], change[i]);
    }
}
