#include "analysis/sim/particles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/sim/rigid_body.h"

enum { MOST_PARTICLES = 200000 };

/* Largest step as a fraction of 1 / omega of the fastest oscillation; symplectic Euler is stable up to 2. */
#define STEP_SHARE 1.0

void particles_free(Particles *p)
{
    if (!p)
        return;
    arena_free(&p->memory);
    *p = (Particles){0};
}

static int grid_count_of(const ParticleGrid *g) { return g->size[0] * g->size[1] * g->size[2]; }

static int grid_index(const ParticleGrid *g, int i, int j, int k) { return (k * g->size[1] + j) * g->size[0] + i; }

/* Half of the 26 neighbours, so that each pair is joined once. */
static const int neighbours[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1},  {1, 1, 0},  {1, -1, 0},  {1, 0, 1}, {1, 0, -1},
                                    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
enum { NEIGHBOURS = sizeof neighbours / sizeof *neighbours };

static int is_in(const ParticleGrid *g, const int at[3])
{
    return at[0] >= 0 && at[0] < g->size[0] && at[1] >= 0 && at[1] < g->size[1] && at[2] >= 0 && at[2] < g->size[2];
}

/* Counts the springs from a particle to later ones; writes them if there is room. */
static int join_neighbours(const ParticleGrid *g, const int from[3], int first, ParticleSpring *spring)
{
    int count = 0;
    for (int n = 0; n < NEIGHBOURS; n++) {
        const int to[3] = {from[0] + neighbours[n][0], from[1] + neighbours[n][1], from[2] + neighbours[n][2]};
        if (!is_in(g, to))
            continue;
        double away = sqrt(neighbours[n][0] * neighbours[n][0] + neighbours[n][1] * neighbours[n][1] +
                           neighbours[n][2] * neighbours[n][2]);
        if (spring)
            spring[count] = (ParticleSpring){first + grid_index(g, from[0], from[1], from[2]),
                                             first + grid_index(g, to[0], to[1], to[2]),
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
                int self = first + grid_index(g, at[0], at[1], at[2]);
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
    double most = by_rate ? law->damping : law->stiffness;
    for (int i = 0; l && i < l->length_count; i++)
        for (int k = 0; k < l->rate_count; k++) {
            Tension t = axial_spring_tension(law, law->rest + l->length[i], l->rate[k]);
            most = fmax(most, by_rate ? t.by_rate : t.by_length);
        }
    return most;
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

int particle_of_name(const ParticleGrid *grid, int grid_count, const char *name)
{
    int first = 0;
    for (int g = 0; g < grid_count; g++) {
        size_t length = strlen(grid[g].name);
        int at[3] = {0}, end = 0, is_own = length && !strncmp(name, grid[g].name, length);
        if (is_own && !name[length] && grid_count_of(&grid[g]) == 1)
            return first;
        if (is_own && sscanf(name + length, ":%d,%d,%d%n", &at[0], &at[1], &at[2], &end) == 3 &&
            !name[length + (size_t)end])
            return is_in(&grid[g], at) ? first + grid_index(&grid[g], at[0], at[1], at[2]) : -1;
        first += grid_count_of(&grid[g]);
    }
    return -1;
}

static Status make_arrays(const ParticleDef *def, const ModelMotion *motion, Particles *p, Error *err)
{
    size_t count = 0, springs = (size_t)def->bond_count, bodies = (size_t)motion->body_count;
    const ParticleGrid *grid = def->grid;
    for (int g = 0; g < def->grid_count; g++) {
        double all = (double)grid[g].size[0] * grid[g].size[1] * grid[g].size[2];
        if (all + (double)count > MOST_PARTICLES)
            return error_set(err, STATUS_LIMIT, "more than %d particles", MOST_PARTICLES);
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
        first += grid_count_of(&def->grid[g]);
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
