/* Quantities of a simulated scene per frame besides its motion: groups /simulation and /particles of a clip file. World
 * axes. */
#ifndef KANE_CLIP_SIMULATION_H
#define KANE_CLIP_SIMULATION_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

typedef struct Simulation {
    int frame_count;
    double *kinetic_energy;   /* [frame] J */
    double *potential_energy; /* [frame] J, of gravity and joint springs */
    double *spring_energy;    /* [frame] J, of tendons */
    Vec3 *momentum;           /* [frame] kg m/s, linear momentum */
    Vec3 *angular_momentum;   /* [frame] kg m2/s, about the world's origin */
    int constraint_count;     /* equality constraints and attachments */
    int *constraint_joint;    /* [constraint] joint of the constrained segment */
    int *constraint_to;       /* [constraint] joint of the other segment; -1: a constant */
    Vec3 *constraint_force;   /* [frame][constraint] N on the constrained segment; joint equality: x, on its joint */
    Vec3 *constraint_torque;  /* [frame][constraint] N m, about the constrained point */
    int actuator_count;       /* actuators of a table */
    int *actuator_joint;      /* [actuator] the driven joint */
    double *actuator_position; /* [frame][actuator] rad or m; for a whole rotation the remaining angle to its target */
    Vec3 *actuator_torque;    /* [frame][actuator] N m on a ball joint, in axes of its segment; otherwise x, N m or N */
    double solved_islands;    /* solves of islands, bodies joined by limits and contacts; NaN: unknown */
    double solver_pivots;     /* pivots of these; NaN: unknown */
    double lemke_islands;     /* those solved by Lemke's method after the pivot limit; NaN: unknown */
    double swept_islands;     /* those approximated by Gauss-Seidel; NaN: unknown */
} Simulation;

typedef struct SimulationSize {
    int frames, constraints, actuators;
} SimulationSize;

/* Allocates zeroed arrays. On failure *s is empty. */
Status simulation_init(Simulation *s, SimulationSize size, Error *err);

typedef struct ParticleTrack {
    int frame_count, particle_count;
    int *joint;     /* [particle] joint of the body it is attached to; -1: free */
    double *mass;   /* [particle] kg */
    Vec3 *position; /* [frame][particle] m */
} ParticleTrack;

/* Allocates zeroed arrays. On failure *t is empty. */
Status particle_track_init(ParticleTrack *t, int frame_count, int particle_count, Error *err);

#endif
