/* What a file does not say: unit, up axis, frame rate, meaning of the root offset, a fake first frame. Decided from
 * evidence, with a confidence, unless the def fixes it. */
#ifndef KANE_EVIDENCE_EVIDENCE_H
#define KANE_EVIDENCE_EVIDENCE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/evidence/positions.h"
#include "analysis/evidence/unit.h"
#include "analysis/evidence/up_axis.h"

typedef struct EvidenceDef {
    double metres_per_unit; /* 0: decide */
    UpAxis up;              /* UP_AUTO: decide */
    double fps;             /* 0: decide from the frame time */
    RootOffset root_offset; /* ROOT_OFFSET_AUTO: decide */
    int keep_first_frame;   /* 1: never drop a fake first frame; default 0 */
} EvidenceDef;

EvidenceDef evidence_default_def(void);

/* Each confidence in 0..1; 1 where a flag decided. */
typedef struct Evidence {
    double metres_per_unit, unit_confidence;
    UpAxis up;
    double up_confidence;
    double fps, frame_time, fps_confidence;
    RootOffset root_offset;
    double root_offset_confidence;
    int drop_first_frame;
    double first_frame_confidence;
    double stature, foot, speed; /* m and m/s, for a person to judge the unit by (body_measures.h); 0: not told */
} Evidence;

/* Decides from a skeleton (roles assigned) and motion in file units and file axes: motion->root_position holds the raw
 * channel values, motion->frame_time is the header's. root_channels_given is 0 where the root has no position
 * channels. */
Status evidence_decide(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion, int root_channels_given,
                       Evidence *out, Error *err);

/* One line for a person: "unit cm (0.98), up Y (0.99), 30 fps, root offset replaced (0.9), first frame kept". */
void evidence_describe(const Evidence *e, char *text, size_t size);

#endif
