/* Particles on springs (particles.h): explicit steps, and implicit ones by conjugate gradients. */
#include "analysis/sim/particles.h"

#include <math.h>
#include <string.h>

#include "analysis/dynamics/spatial_inertia.h"

/* Implicit steps of particles on springs (particles.h; docs/sources.md, notes 0.9.2, 0.9.3): the matrix is sparse and
 * symmetric, and conjugate gradients solve it.
 *
 * The matrix omits the parts of the Jacobians (0.12) that would make it unsymmetric or indefinite: the swing of dampers
 * and the push of compressed springs. The right side contains them, so that the trapezoidal rule keeps its order.
 *
 * Tolerance on the residual in the norm of the preconditioner, and the largest number of iterations. */
#define SOLVED 1e-13

enum { MAX_PARTICLES = 200000 };

/* Largest step as a fraction of 1 / omega of the fastest oscillation; symplectic Euler is stable up to 2. */
#define STEP_SHARE 1.0

void particles_free(Particles *p)
{
    if (!p)
        return;
    arena_free(&p->memory);
    *p = (Particles){0};
}

/* Half of the 26 neighbours, so that each pair is joined once. */
static const int neighbours[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1},  {1, 1, 0},  {1, -1, 0},  {1, 0, 1}, {1, 0, -1},
                                    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
enum { NEIGHBOURS = sizeof neighbours / sizeof *neighbours };

/* Counts the springs from a particle to later ones; writes them if there is room. */
static int join_neighbours(const ParticleGrid *g, const int from[3], int first, ParticleSpring *spring)
{
    int count = 0;
    for (int n = 0; n < NEIGHBOURS; n++) {
        const int to[3] = {from[0] + neighbours[n][0], from[1] + neighbours[n][1], from[2] + neighbours[n][2]};
        int other = particle_grid_index(g, to);
        if (other < 0)
            continue;
        double away = sqrt(neighbours[n][0] * neighbours[n][0] + neighbours[n][1] * neighbours[n][1] +
                           neighbours[n][2] * neighbours[n][2]);
        if (spring)
            spring[count] = (ParticleSpring){first + particle_grid_index(g, from), first + other,
                                             {g->stiffness, g->damping, away * g->spacing, 0, NULL}};
        count++;
    }
    return count;
}

static int on_face(const ParticleGrid *g, const int at[3])
{
    int axis = g->face / 2;
    return g->face >= 0 && at[axis] == (g->face % 2 ? g->size[axis] - 1 : 0);
}

/* Counts the springs of a grid; `fill`: writes its particles and springs. */
static int lay_grid(const ParticleGrid *g, int first, int spring, const ModelMotion *motion, Particles *fill)
{
    int count = 0, at[3];
    for (at[2] = 0; at[2] < g->size[2]; at[2]++)
        for (at[1] = 0; at[1] < g->size[1]; at[1]++)
            for (at[0] = 0; at[0] < g->size[0]; at[0]++) {
                int self = first + particle_grid_index(g, at);
                count += join_neighbours(g, at, first, fill ? fill->spring + spring + count : NULL);
                if (!fill)
                    continue;
                fill->x[self] = vec3_mad(g->corner, g->spacing, vec3(at[0], at[1], at[2]));
                fill->mass[self] = g->mass;
                fill->body[self] = on_face(g, at) ? g->body : -1;
                if (fill->body[self] >= 0)
                    fill->local[self] = quat_rotate_inverse(motion->orientation[g->body],
                                                            vec3_sub(fill->x[self], motion->position[g->body]));
            }
    return count;
}

/* Stiffness or damping of a spring; the largest slope if it follows a law. */
static double steepest(const AxialSpring *law, int by_rate)
{
    const SpringLaw *l = law->law;
    double max = by_rate ? law->damping : law->stiffness;
    for (int i = 0; l && i < l->length_count; i++)
        for (int k = 0; k < l->rate_count; k++) {
            Tension t = axial_spring_tension(law, law->rest + l->length[i], l->rate[k]);
            max = fmax(max, by_rate ? t.by_rate : t.by_length);
        }
    return max;
}

/* Gershgorin bound: omega^2 <= 2 sum k / m around a particle; a damper adds d omega. */
static void find_fastest(Particles *p)
{
    double *sum = (double *)p->force; /* scratch of at least count numbers */
    memset(p->force, 0, (size_t)p->count * sizeof *p->force);
    for (int s = 0; s < p->spring_count; s++) {
        double stiffness = steepest(&p->spring[s].law, 0);
        sum[p->spring[s].a] += stiffness;
        sum[p->spring[s].b] += stiffness;
    }
    for (int i = 0; i < p->count; i++)
        if (p->body[i] < 0)
            p->fastest = fmax(p->fastest, sqrt(2 * sum[i] / p->mass[i]));
    memset(p->force, 0, (size_t)p->count * sizeof *p->force);
    for (int s = 0; s < p->spring_count; s++) {
        double damping = steepest(&p->spring[s].law, 1);
        sum[p->spring[s].a] += damping;
        sum[p->spring[s].b] += damping;
    }
    for (int i = 0; i < p->count; i++)
        if (p->body[i] < 0)
            p->fastest = fmax(p->fastest, 2 * sum[i] / p->mass[i]);
}

static Status make_arrays(const ParticleDef *def, const ModelMotion *motion, Particles *p, Error *err)
{
    size_t count = 0, springs = (size_t)def->bond_count, bodies = (size_t)motion->body_count;
    const ParticleGrid *grid = def->grid;
    for (int g = 0; g < def->grid_count; g++) {
        double all = (double)grid[g].size[0] * grid[g].size[1] * grid[g].size[2];
        if (all + (double)count > MAX_PARTICLES)
            return error_set(err, STATUS_LIMIT, "more than %d particles", MAX_PARTICLES);
        count += (size_t)all;
        springs += (size_t)lay_grid(&grid[g], 0, 0, motion, NULL);
    }
    p->grid_count = (int)count;
    for (int i = 0; i < def->bond_count; i++)
        count += (def->bond[i].particle[0] < 0) + (def->bond[i].particle[1] < 0);
    p->count = (int)count;
    p->spring_count = (int)springs;
    p->body_count = motion->body_count;
    p->x = arena_array(&p->memory, count, 1, sizeof *p->x);
    p->v = arena_array(&p->memory, count, 1, sizeof *p->v);
    p->local = arena_array(&p->memory, count, 1, sizeof *p->local);
    p->force = arena_array(&p->memory, count, 1, sizeof *p->force);
    p->mass = arena_array(&p->memory, count, 1, sizeof *p->mass);
    p->body = arena_array(&p->memory, count, 1, sizeof *p->body);
    p->spring = arena_array(&p->memory, springs, 1, sizeof *p->spring);
    p->loads.force = arena_array(&p->memory, bodies, 1, sizeof(Vec3));
    p->loads.moment = arena_array(&p->memory, bodies, 1, sizeof(Vec3));
    return p->memory.failed ? error_no_memory(err) : STATUS_OK;
}

/* Bonds, and the body points that they attach to. */
static void lay_bonds(const ParticleDef *def, int spring, const ModelMotion *motion, Particles *p)
{
    int point = p->grid_count;
    for (int i = 0; i < def->bond_count; i++) {
        const ParticleBond *bond = &def->bond[i];
        int end[2] = {bond->particle[0], bond->particle[1]};
        for (int k = 0; k < 2; k++) {
            if (end[k] >= 0)
                continue;
            end[k] = point++;
            p->body[end[k]] = bond->body[k];
            p->local[end[k]] = bond->point[k];
            p->x[end[k]] = model_point(motion, bond->body[k], bond->point[k]);
        }
        p->spring[spring + i] = (ParticleSpring){end[0], end[1], bond->law};
        if (bond->rests_at_start)
            p->spring[spring + i].law.rest = vec3_distance(p->x[end[0]], p->x[end[1]]);
    }
}

Status particles_init(const ParticleDef *def, const ModelMotion *motion, Particles *out, Error *err)
{
    *out = (Particles){0};
    Status status = make_arrays(def, motion, out, err);
    if (status) {
        particles_free(out);
        return status;
    }
    int spring = 0;
    for (int g = 0, first = 0; g < def->grid_count; g++) {
        spring += lay_grid(&def->grid[g], first, spring, motion, out);
        first += particle_grid_count(&def->grid[g]);
    }
    lay_bonds(def, spring, motion, out);
    find_fastest(out);
    return STATUS_OK;
}

void particles_add_mass(const Particles *p, Model *m)
{
    for (int i = 0; i < p->count; i++) {
        if (p->body[i] < 0 || p->mass[i] == 0)
            continue;
        ModelBody *b = &m->body[p->body[i]];
        SpatialInertia inertia = {b->mass, b->com, b->inertia};
        spatial_inertia_add_particle(&inertia, p->mass[i], p->local[i]);
        b->mass = inertia.mass;
        b->com = inertia.com;
        b->inertia = inertia.inertia;
    }
}

void particles_follow(Particles *p, const ModelMotion *motion)
{
    for (int i = 0; i < p->count; i++) {
        int b = p->body[i];
        if (b < 0)
            continue;
        p->v[i] = model_point_velocity(motion, b, p->local[i]);
        p->x[i] = model_point(motion, b, p->local[i]);
    }
}

static void find_forces(Particles *p)
{
    memset(p->force, 0, (size_t)p->count * sizeof *p->force);
    for (int s = 0; s < p->spring_count; s++) {
        const ParticleSpring *spring = &p->spring[s];
        int a = spring->a, b = spring->b;
        Vec3 f = axial_spring_force(&spring->law, p->x[a], p->v[a], p->x[b], p->v[b]);
        p->force[a] = vec3_add(p->force[a], f);
        p->force[b] = vec3_sub(p->force[b], f);
    }
}

double particles_longest_step(const Particles *p) { return STEP_SHARE / p->fastest; }

void particles_load(Particles *p, const ModelMotion *motion)
{
    size_t bodies = (size_t)p->body_count * sizeof(Vec3);
    memset(p->loads.force, 0, bodies);
    memset(p->loads.moment, 0, bodies);
    particles_follow(p, motion);
    find_forces(p);
    for (int i = 0; i < p->count; i++) {
        int b = p->body[i];
        if (b < 0)
            continue;
        p->loads.force[b] = vec3_add(p->loads.force[b], p->force[i]);
        p->loads.moment[b] = vec3_add(p->loads.moment[b], vec3_cross(p->x[i], p->force[i]));
    }
}

void particles_step(Particles *p, const ModelMotion *motion, Vec3 gravity, double h)
{
    particles_load(p, motion);
    for (int i = 0; i < p->count; i++) {
        if (p->body[i] >= 0)
            continue;
        p->v[i] = vec3_mad(vec3_mad(p->v[i], h, gravity), h / p->mass[i], p->force[i]);
        p->x[i] = vec3_mad(p->x[i], h, p->v[i]);
    }
}

double particles_kinetic_energy(const Particles *p)
{
    double energy = 0;
    for (int i = 0; i < p->count; i++)
        energy += p->body[i] < 0 ? 0.5 * p->mass[i] * vec3_dot(p->v[i], p->v[i]) : 0;
    return energy;
}

double particles_weight_energy(const Particles *p, Vec3 gravity)
{
    double energy = 0;
    for (int i = 0; i < p->count; i++)
        energy -= p->body[i] < 0 ? p->mass[i] * vec3_dot(gravity, p->x[i]) : 0;
    return energy;
}

double particles_spring_energy(const Particles *p)
{
    double energy = 0;
    for (int s = 0; s < p->spring_count; s++) {
        double length = vec3_distance(p->x[p->spring[s].a], p->x[p->spring[s].b]);
        energy += axial_spring_energy(&p->spring[s].law, length);
    }
    return energy;
}

enum { MAX_ROUNDS = 2000 };

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
static Mat3 spring_response(const Particles *p, const ParticleSpring *spring, double length, double rate, Vec3 u)
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
        s->response[i] = spring_response(p, spring, length, vec3_dot(u, vec3_sub(p->v[b], p->v[a])), u);
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
    for (int round = 0; round < MAX_ROUNDS && now > SOLVED * SOLVED * first; round++) {
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
