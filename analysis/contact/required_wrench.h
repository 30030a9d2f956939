/* Force and moment about the COM that the motion requires of the ground in every frame, and their reliability.
 *
 * Accelerations of a recording contain noise. In flight the required force is zero, so that an apparent one is noise;
 * it estimates the noise of the whole clip. A clip without flight counts as noisy. The lateral force of a noisy clip
 * is mostly shake of the trunk: components faster than a step are filtered out. */
#ifndef KANE_CONTACT_REQUIRED_WRENCH_H
#define KANE_CONTACT_REQUIRED_WRENCH_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/math/vec.h"

/* Forces in body weights, moments in body weights times L, positions in L; contact axes. */
typedef struct RequiredWrench {
    int frame_count;
    double weight;  /* N */
    double length;  /* m, L */
    Vec3 *force;    /* [frame] */
    Vec3 *moment;   /* [frame] about the COM */
    Vec3 *com;      /* [frame] */
    Vec3 *side;     /* [frame] unit, along the ground, to the body's right */
    double noise;   /* 0 clean .. 1 noisy */
} RequiredWrench;

/* Fills the arrays, which belong to the arena, from the dynamics without contact; weight and length must be set. */
Status required_wrench_find(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes,
                            const ContactConstants *constants, Arena *arena, RequiredWrench *out);

/* The point p of the ground, at `level` L, about which the required force has no horizontal moment: M + (com - p) x F =
 * (0, m, 0). NaN if the body requires little support. */
Vec3 required_wrench_pressure(const RequiredWrench *required, int frame, double level);

#endif
