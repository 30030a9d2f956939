/* Artifacts of a recording: kind, time and size; their description, and the frames and joints that they affect.
 * Reference for the kinds: docs/formats/clip_file.md "Quality flags". */
#ifndef KANE_QUALITY_ARTIFACTS_H
#define KANE_QUALITY_ARTIFACTS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

enum { ARTIFACT_WHOLE_POSE = -1 };

typedef struct Artifact {
    TrustReason kind; /* a single bit */
    int joint;        /* ARTIFACT_WHOLE_POSE: all joints; of swapped limbs the top joint of the left one */
    int first, last;  /* frames with the artifact; of a permanent step: the frame after it, twice */
    int stays;        /* 1: a permanent step; the take continues from the new position or pose */
    double size;      /* m of a teleport, rad of a flip, s of a freeze; of other kinds see their detectors; of
                         TRUST_INTERPOLATED 0, or of a whole take the rate of its rows, Hz */
} Artifact;

typedef struct Artifacts {
    int count, capacity;
    Artifact *artifact; /* [count] owned */
} Artifacts;

Status artifacts_add(Artifacts *artifacts, Artifact artifact, Error *err);
void artifacts_free(Artifacts *artifacts);

/* Describes the artifact in words: `frames 12 to 40: joint "Hips" is held`. row: number of its first frame in the
 * source. */
void artifact_describe(const Skeleton *skeleton, const Motion *motion, const Artifact *artifact, int row, char *text,
                       size_t size);

/* The length of the longest chain of bones from the root, m: the length scale of a body without masses. 1 if it is
 * zero. */
double artifact_body_size(const Skeleton *skeleton);

/* Adds the artifacts' bits to *trust, in the frames and joints affected. If all that the joint carries is light, the
 * frame remains trusted and only joints are flagged: its ancestors and descendants get TRUST_ADJACENT_JOINT. */
Status artifacts_mark(const Skeleton *skeleton, const Artifacts *artifacts, Trust *trust, Error *err);

#endif
