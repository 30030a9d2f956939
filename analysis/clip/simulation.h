/* What a simulated scene has in every frame beside its motion: groups /simulation and /particles of a container. World
 * axes. */
#ifndef KANE_CLIP_SIMULATION_H
#define KANE_CLIP_SIMULATION_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

typedef struct Simulation {
    int frame_count;
    double *kinetic_energy;   /* [frame] J */
    double *potential_energy; /* [frame] J, of gravity and of the springs of joints */
    double *spring_energy;    /* [frame] J, of tendons */
    Vec3 *momentum;           /* [frame] kg m/s */
    Vec3 *angular_momentum;   /* [frame] kg m2/s, about the world's origin */
    int constraint_count;     /* equalities and attachments */
    int *constraint_joint;    /* [constraint] whose segment is held */
    int *constraint_to;       /* [constraint] to whose it is held; -1: to a constant */
    Vec3 *constraint_force;   /* [frame][constraint] N on the segment that is held; a coupling: x, on its hinge */
    Vec3 *constraint_couple;  /* [frame][constraint] Nm, about the place where it is held */
    int hinge_count;          /* hinges and slides */
    int *hinge_joint;         /* [hinge] whose segment it moves */
    double *hinge_position;     /* [frame][hinge] rad or m, as the scene's file counts */
    double *hinge_velocity;     /* [frame][hinge] rad/s or m/s */
    double *hinge_acceleration; /* [frame][hinge] rad/s2 or m/s2, mean of the last step */
} Simulation;

typedef struct SimulationSize {
    int frames, constraints, hinges;
} SimulationSize;

/* Zeroed. On failure *s is empty. */
Status simulation_init(Simulation *s, SimulationSize size, Error *err);
void simulation_free(Simulation *s);

typedef struct ParticleTrack {
    int frame_count, particle_count;
    int *joint;     /* [particle] of the body that it is attached to; -1: free */
    double *mass;   /* [particle] kg */
    Vec3 *position; /* [frame][particle] m */
} ParticleTrack;

/* Zeroed. On failure *t is empty. */
Status particle_track_init(ParticleTrack *t, int frame_count, int particle_count, Error *err);
void particle_track_free(ParticleTrack *t);

#endif
