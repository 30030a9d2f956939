/* What the motion needs of the ground: force and moment about the COM in every frame, and how far to believe them.
 *
 * Accelerations come from a recording and carry its noise. In flight a body needs nothing, so what it seems to need
 * there is noise, and tells that of the whole clip; a clip without flight is taken for a noisy one. The side-to-side
 * force of a noisy clip is that of the trunk's shake: it loses what is faster than a step. */
#ifndef KANE_CONTACT_CONTACT_NEED_H
#define KANE_CONTACT_CONTACT_NEED_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/mat3.h"

/* Forces in body weights, moments in body weights times L, places in L; contact axes. */
typedef struct ContactNeed {
    int frame_count;
    double weight;  /* N */
    double length;  /* m, L */
    Vec3 *force;    /* [frame] */
    Vec3 *moment;   /* [frame] about the COM */
    Vec3 *com;      /* [frame] */
    Vec3 *side;     /* [frame] unit, along the ground, to the body's right */
    double noise;   /* 0 clean .. 1 noisy */
} ContactNeed;

/* Fills the arrays, which are the arena's, from the dynamics without contact; weight and length are set. */
Status contact_need_find(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes,
                         const ContactConstants *constants, Arena *arena, ContactNeed *out);

/* The point p of the ground, at `level` L, about which the needed force needs no moment but along y:
 * M + (com - p) x F = (0, m, 0). NaN where the body needs little support. */
Vec3 contact_need_pressure(const ContactNeed *need, int frame, double level);

#endif
