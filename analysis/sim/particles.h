/* Soft grids of particles that springs join, free or attached to bodies by a face; one particle is a grid of one.
 *
 * An attached particle follows its body: its mass is the body's (docs/sources.md, notes 0.19), and what springs exert
 * on it acts on the body. Free particles take steps of symplectic Euler (0.9.1) together with the bodies: both are
 * kicked by the forces of one instant, so that energy does not creep. Or they take the implicit steps of 0.9.2 and
 * 0.9.3, with all springs and the bodies in one system (scene_particles.c). They meet nothing but springs. Axes of the
 * model, SI. */
#ifndef KANE_SIM_PARTICLES_H
#define KANE_SIM_PARTICLES_H

#include "analysis/model/model_motion.h"
#include "analysis/sim/springs.h"

/* A spring of a table that holds a particle: either end a particle, or a point of a body (0: the world). */
typedef struct ParticleBond {
    int particle[2];     /* -1: none */
    int body[2];         /* of the others */
    Vec3 point[2];       /* m, in axes of the body */
    AxialSpring law;     /* the table of a law outlives the particles */
    int rests_at_start;
} ParticleBond;

typedef struct ParticleGrid {
    const char *name;                    /* "" without; its particle (i, j, k) is "name:i,j,k" in tables of springs */
    int size[3];                         /* particles along x, y, z */
    Vec3 corner;                         /* m, of the first */
    double spacing;                      /* m */
    double mass;                         /* kg, of each */
    double stiffness, damping;           /* N/m, Ns/m, of springs to all neighbours, across faces and cells too */
    int body;                            /* that a face is attached to; -1: none */
    int face;                            /* 0 to 5: -x +x -y +y -z +z; -1: none */
} ParticleGrid;

typedef struct ParticleSpring {
    int a, b;
    AxialSpring law;
} ParticleSpring;

/* An implicit step: df_a = S (dx_a - dx_b) of each spring, from changes of velocity. */
typedef struct ParticleStep {
    double h, theta;   /* s; of the rule */
    Mat3 *response;    /* [spring] S = theta h df/dv + theta^2 h^2 df/dx, without what would push away */
    Mat3 *inverse;     /* [particle] of what stands on the diagonal of M - S */
    Vec3 *right;       /* [particle] Ns, of the free: h (f + theta h df/dx v) */
    Vec3 *slope;       /* [particle] N, of the attached: theta h times the rate of their forces */
    Vec3 *residual, *direction, *product, *preconditioned; /* [particle] of conjugate gradients */
} ParticleStep;

typedef struct Particles {
    int count, spring_count, body_count;
    int grid_count;        /* of count, the particles of grids; then points of bodies, without mass, that bonds hold */
    Vec3 *x, *v;           /* [count] m, m/s */
    double *mass;          /* [count] kg */
    int *body;             /* [count] -1: free */
    Vec3 *local;           /* [count] m, place of an attached one in axes of its body */
    ParticleSpring *spring;
    double fastest;        /* rad/s, bound of the fastest oscillation */
    Vec3 *force;           /* [count] scratch */
    ModelLoads loads;      /* [body] what the attached exert on their bodies */
    ParticleStep step;
    Arena memory;          /* of all of these */
} Particles;

/* Grids and bonds between their particles. */
typedef struct ParticleDef {
    const ParticleGrid *grid;
    int grid_count;
    const ParticleBond *bond;
    int bond_count;
} ParticleDef;

/* The number of the particle "name:i,j,k", or "name" of a grid of one; -1: there is none. */
int particle_of_name(const ParticleGrid *grid, int grid_count, const char *name);

/* The grids at rest, with the bodies where `motion` has them. STATUS_LIMIT beyond 200000 particles. On failure *out is
 * empty. */
Status particles_init(const ParticleDef *def, const ModelMotion *motion, Particles *out, Error *err);
void particles_free(Particles *p);

/* Adds the mass of the attached particles to their bodies. */
void particles_add_mass(const Particles *p, Model *m);

/* The longest step, s, that the fastest oscillation bears; infinite where nothing oscillates. */
double particles_longest_step(const Particles *p);

/* A step of h under gravity. The bodies are where they begin it: loads receives what they bear. */
void particles_step(Particles *p, const ModelMotion *motion, Vec3 gravity, double h);

/* Room for implicit steps. */
Status particles_make_implicit(Particles *p, Error *err);

/* The forces of all, with the bodies where they begin a step; loads receives what the bodies bear. */
void particles_load(Particles *p, const ModelMotion *motion);

/* The step's equations where particles_load has been; the motion is without rates of the speeds. */
void particles_linearize(Particles *p, const ModelMotion *motion, Vec3 gravity, double h, double theta);

/* Adds to force[particle] the springs' response to changes of velocity. */
void particles_respond(const Particles *p, const Vec3 *change, Vec3 *force);

/* (M - S) x = b for the free particles, in place. */
void particles_solve(Particles *p, Vec3 *b);

/* Takes the step with changes of velocity of the free particles. */
void particles_advance(Particles *p, const Vec3 *change);

/* Places and velocities of the attached particles as the bodies are. */
void particles_follow(Particles *p, const ModelMotion *motion);

/* Of the free particles, and of all springs, J. */
double particles_kinetic_energy(const Particles *p);
double particles_weight_energy(const Particles *p, Vec3 gravity);
double particles_spring_energy(const Particles *p);

#endif
