/* Input of the lane kernel of the effects of errors of the body. */
#ifndef KANE_UNCERTAINTY_BODY_TERMS_INTERNAL_H
#define KANE_UNCERTAINTY_BODY_TERMS_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/dynamics/loads.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"

/* Masses that change together: [joint]. */
typedef struct MassGroup {
    double *part;     /* fraction by which a segment's mass changes */
    uint8_t *carries; /* 1: there is such a segment at or beyond the joint */
} MassGroup;

/* Input of the kernel. Nothing is owned. */
typedef struct BodySpreadView {
    size_t frame_count, joint_count;
    const int *parent;                      /* [joint] before its children */
    const Vec3 *position, *force, *torque;  /* [frame][joint] m, N, N m; world axes */
    const Loads *loads;                     /* all loads of the inverse dynamics */
    double joint_variance;                  /* m2, of a joint centre */
    const double *segment_variance;         /* [joint] m2, of the segment's centre of mass */
    const MassGroup *group;                 /* [group_count] */
    int group_count;
    double *scratch;                        /* [joint][BODY_SPREAD_VALUES][lanes], aligned to 64 bytes */
    Sym3 *covariance;                       /* [frame][joint] N2 m2; effects are added */
} BodySpreadView;

enum { BODY_SPREAD_VALUES = 18 };

/* Adds the terms in whole blocks of lanes from the frame `first`; returns the first frame that is left. */
typedef size_t BodySpreadFrames(const BodySpreadView *view, size_t first);
LANE_TWINS(BodySpreadFrames, body_spread_frames);

#endif
