/* Soft grids of particles joined by springs, free or attached to bodies by a face; a single particle is a grid of one.
 *
 * An attached particle follows its body: its mass joins the body's (docs/sources.md, notes 0.19), and the spring forces
 * on it act on the body. Free particles step with the bodies by symplectic Euler (0.9.1): both receive the forces of
 * one instant, so that energy does not drift. Alternatively they use the implicit steps of 0.9.2 and 0.9.3, with all
 * springs and the bodies in one system (scene_particles.c). Particles interact through springs alone and do not
 * collide. Model axes, SI units. */
#ifndef KANE_SIM_PARTICLES_H
#define KANE_SIM_PARTICLES_H

#include "analysis/model/model_motion.h"
#include "analysis/springs/axial_spring.h"
#include "analysis/springs/particle_grid.h"

/* A spring of a table with a particle at one end at least; the other end is a particle or a point of a body (0: the
 * world). */
typedef struct ParticleBond {
    int particle[2];     /* -1: none */
    int body[2];         /* of the others */
    Vec3 point[2];       /* m, in axes of the body */
    AxialSpring law;     /* the table of a law must outlive the particles */
    int rests_at_start;
} ParticleBond;

typedef struct ParticleSpring {
    int a, b;
    AxialSpring law;
} ParticleSpring;

/* An implicit step: df_a = S (dx_a - dx_b) of each spring, from changes of velocity. */
typedef struct ParticleStep {
    double h, theta;   /* s; of the rule */
    Mat3 *response;    /* [spring] S = theta h df/dv + theta^2 h^2 df/dx, without its negative part */
    Mat3 *inverse;     /* [particle] diagonal block of M - S */
    Vec3 *right;       /* [particle] Ns, free particles: h (f + theta h df/dx v) */
    Vec3 *slope;       /* [particle] N, attached particles: theta h times the rate of their forces */
    Vec3 *residual, *direction, *product, *preconditioned; /* [particle] vectors of the conjugate gradients */
} ParticleStep;

typedef struct Particles {
    int count, spring_count, body_count;
    int grid_count;        /* of count, the particles of grids; the rest are massless points of bodies that bonds
                              attach to */
    Vec3 *x, *v;           /* [count] m, m/s */
    double *mass;          /* [count] kg */
    int *body;             /* [count] body of an attached particle; -1: free */
    Vec3 *local;           /* [count] m, position of an attached particle in axes of its body */
    ParticleSpring *spring;
    double fastest;        /* rad/s, bound on the fastest oscillation */
    Vec3 *force;           /* [count] scratch */
    ModelLoads loads;      /* [body] forces of attached particles on their bodies */
    ParticleStep step;
    Arena memory;          /* owns all of these */
} Particles;

/* Grids and bonds between their particles. */
typedef struct ParticleDef {
    const ParticleGrid *grid;
    int grid_count;
    const ParticleBond *bond;
    int bond_count;
} ParticleDef;

/* Creates the grids at rest, with the bodies at the pose of `motion`. STATUS_LIMIT beyond 200000 particles. On failure
 * *out is empty. */
Status particles_init(const ParticleDef *def, const ModelMotion *motion, Particles *out, Error *err);
void particles_free(Particles *p);

/* Adds the mass of the attached particles to their bodies. */
void particles_add_mass(const Particles *p, Model *m);

/* The longest stable step, s, for the fastest oscillation; infinite if nothing oscillates. */
double particles_longest_step(const Particles *p);

/* Explicit step of h under gravity. The bodies are at their pose at its beginning; loads receives the forces on
 * them. */
void particles_step(Particles *p, const ModelMotion *motion, Vec3 gravity, double h);

/* Allocates what implicit steps need. */
Status particles_make_implicit(Particles *p, Error *err);

/* Computes all forces with the bodies at their pose at the beginning of a step; loads receives those on the bodies. */
void particles_load(Particles *p, const ModelMotion *motion);

/* Assembles the step's equations after particles_load; the motion must be set without speed rates. */
void particles_linearize(Particles *p, const ModelMotion *motion, Vec3 gravity, double h, double theta);

/* Adds to force[particle] the springs' response to changes of velocity. */
void particles_respond(const Particles *p, const Vec3 *change, Vec3 *force);

/* (M - S) x = b for the free particles, in place. */
void particles_solve(Particles *p, Vec3 *b);

/* Completes the step with the velocity changes of the free particles. */
void particles_advance(Particles *p, const Vec3 *change);

/* Sets positions and velocities of the attached particles from the bodies. */
void particles_follow(Particles *p, const ModelMotion *motion);

/* Kinetic energy of the free particles and potential energy of all springs, J. */
double particles_kinetic_energy(const Particles *p);
double particles_weight_energy(const Particles *p, Vec3 gravity);
double particles_spring_energy(const Particles *p);

#endif
