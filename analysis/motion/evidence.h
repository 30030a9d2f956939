/* What a file does not say: unit, up axis, frame rate, meaning of the root offset, a fake first frame. Decided from
 * evidence, with a confidence, unless the def fixes it. */
#ifndef KANE_MOTION_EVIDENCE_H
#define KANE_MOTION_EVIDENCE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

typedef enum UpAxis { UP_AUTO = 0, UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z } UpAxis;
typedef enum RootOffset { ROOT_OFFSET_AUTO = 0, ROOT_OFFSET_ADD, ROOT_OFFSET_REPLACE } RootOffset;

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
} Evidence;

/* "m" "dm" "cm" "mm" "inch" "cmu", or NULL for a unit without a name. */
const char *unit_name(double metres_per_unit);
/* Metres of a unit name or a number of metres; 0 where it is neither. */
double unit_from_text(const char *text);
/* "Y", "-Z"; "" for UP_AUTO. */
const char *up_axis_name(UpAxis up);
UpAxis up_axis_from_text(const char *text);
/* A vector of the file turned into the world, +Y up, by the quarter or half turn of design section 2: exact. */
Vec3 up_axis_turn(UpAxis up, Vec3 v);

/* Decides from a skeleton (roles assigned) and motion in file units and file axes. root_channels_given is 0 where the
 * root has no position channels. frame_time is the header's. motion->root_position holds the raw channel values. */
Status evidence_decide(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion, int root_channels_given,
                       double header_frame_time, Evidence *out, Error *err);

/* One line for a person: "unit cm (0.98), up Y (0.99), 30 fps, root offset replaced (0.9), first frame kept". */
void evidence_describe(const Evidence *e, char *text, size_t size);

#endif
