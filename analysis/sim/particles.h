/* Soft grids of particles that springs join, free or attached to bodies by a face; one particle is a grid of one.
 *
 * An attached particle follows its body: its mass is the body's (docs/sources.md, notes 0.19), and what springs exert
 * on it acts on the body. Free particles take steps of symplectic Euler (0.9.1) together with the bodies: both are
 * kicked by the forces of one instant, so that energy does not creep. They meet nothing but springs. Axes of the model,
 * SI. */
#ifndef KANE_SIM_PARTICLES_H
#define KANE_SIM_PARTICLES_H

#include "analysis/model/model_motion.h"
#include "analysis/sim/springs.h"

typedef struct ParticleGrid {
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

typedef struct Particles {
    int count, spring_count, body_count;
    Vec3 *x, *v;           /* [count] m, m/s */
    double *mass;          /* [count] kg */
    int *body;             /* [count] -1: free */
    Vec3 *local;           /* [count] m, place of an attached one in axes of its body */
    ParticleSpring *spring;
    double fastest;        /* rad/s, bound of the fastest oscillation */
    Vec3 *force;           /* [count] scratch */
    ModelLoads loads;      /* [body] what the attached exert on their bodies */
    Arena memory;          /* of all of these */
} Particles;

/* The grids at rest, with the bodies where `motion` has them. STATUS_LIMIT beyond 200000 particles. On failure *out is
 * empty. */
Status particles_init(const ParticleGrid *grid, int grid_count, const ModelMotion *motion, Particles *out, Error *err);
void particles_free(Particles *p);

/* Adds the mass of the attached particles to their bodies. */
void particles_add_mass(const Particles *p, Model *m);

/* The longest step, s, that the fastest oscillation bears; infinite where nothing oscillates. */
double particles_longest_step(const Particles *p);

/* A step of h under gravity. The bodies are where they begin it: loads receives what they bear. */
void particles_step(Particles *p, const ModelMotion *motion, Vec3 gravity, double h);

/* Places and velocities of the attached particles as the bodies are. */
void particles_follow(Particles *p, const ModelMotion *motion);

/* Of the free particles, and of all springs, J. */
double particles_kinetic_energy(const Particles *p);
double particles_weight_energy(const Particles *p, Vec3 gravity);
double particles_spring_energy(const Particles *p);

#endif
