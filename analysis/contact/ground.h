/* The ground of a clip: its plane, and in each frame the level on which each group of contact points would rest.
 *
 * The level of a sole is the lower envelope of its own heights: toe joints and heels are a few centimetres above the
 * floor, and a take may be recorded too high or too low. If a limb rests on something higher (a step, a box), the level
 * is the height of that rest. If nothing reaches the common level for longer than a flight lasts (drift, a platform),
 * the whole ground is raised. Feet that slide under a body that stays in place are on a belt, whose velocity is
 * subtracted. */
#ifndef KANE_CONTACT_GROUND_H
#define KANE_CONTACT_GROUND_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/contact/contact_points.h"
#include "analysis/math/vec.h"

typedef struct GroundDef {
    int has_height;  /* 1: the height below is given; 0: detected from the clip */
    double height;   /* m, world y of the plane at the y axis */
    double *found;   /* receives the height at which the clip touches the ground, m; NULL: not wanted */
    int no_support; /* 1: no search for unrecorded seats and rails (seat.h, rail.h); default 0 */
    const uint8_t *bridged; /* [frame] 1: not recorded by the source (artifact_bridge.h), ignored; NULL: none */
} GroundDef;

typedef struct Ground {
    int frame_count, group_count, point_count;
    Vec3 normal;      /* unit */
    double height;    /* m, along the normal: level of the soles, where forces act */
    double *level;    /* [frame][group] m, along the normal */
    double *lift;     /* [frame] m, of the whole ground above its height */
    uint8_t *raised;  /* [frame][group] 1: rests above the common ground */
    Vec3 belt;        /* m/s, velocity of the ground; zero except on a treadmill */
    double *clearance;/* [frame][point] m, clearance of the skin above its level, never negative */
    double *slide;    /* [frame][point] m/s, speed over the ground along it */
    double *rise;     /* [frame][point] m/s, velocity along the normal */
    Arena memory;     /* owns the arrays */
} Ground;

#define GROUND_UNEVEN 0.15 /* leg lengths */

GroundDef ground_default_def(void);

/* STATUS_BAD_INPUT if a given height differs by more than a leg length from the level at which the clip touches the
 * ground. */
Status ground_estimate(const ContactPoints *points, const Kinematics *kinematics, double frame_time,
                       const GroundDef *def, Ground *out, Error *err);
/* Certainty, 0 to 1, that a body that requires this vertical force, in body weights, is supported; 0: it may be in
 * flight. */
double ground_support_certainty(double required);

/* A frame that requires support has contact: raises its ground towards the lowest point by up to GROUND_UNEVEN leg
 * lengths. required[frame]: required vertical force, body weights. */
void ground_raise(const ContactPoints *points, const double *required, Ground *g);

void ground_free(Ground *g);

#endif
