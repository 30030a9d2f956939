/* A spring that runs over via points as over pulleys (docs/sources.md, notes 0.14).
 *
 * Its tension follows the summed length of its active segments; passive segments carry it without adding to the length
 * (a tendon in a sheath). Segment i runs from point i to point i + 1. */
#ifndef KANE_SIM_MULTIPOINT_SPRING_H
#define KANE_SIM_MULTIPOINT_SPRING_H

#include "analysis/sim/axial_spring.h"

typedef struct MultipointSpring {
    AxialSpring law;    /* of the whole length */
    int point_count;    /* 2 or more */
    const char *active; /* [point_count - 1]; NULL: all are */
} MultipointSpring;

/* Length and rate of the active segments. */
void multipoint_spring_length(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *length, double *rate);

/* force[point], N. */
void multipoint_spring_forces(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, Vec3 *force);

/* df/dx and df/dv, each [3 points][3 points] by rows. */
void multipoint_spring_jacobians(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *by_position,
                                 double *by_velocity);

#endif
