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
} Simulation;

/* Zeroed. On failure *s is empty. */
Status simulation_init(Simulation *s, int frame_count, Error *err);
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
