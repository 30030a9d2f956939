/* What a file does not say: unit, up axis, frame rate, meaning of the positions and of the root offset, a fake first
 * frame. Decided from evidence, with a confidence, unless the def fixes it. */
#ifndef KANE_EVIDENCE_EVIDENCE_H
#define KANE_EVIDENCE_EVIDENCE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/decisions.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/neutral_turns.h"
#include "analysis/clip/skeleton.h"
#include "analysis/evidence/positions.h"
#include "analysis/evidence/unit.h"
#include "analysis/evidence/up_axis.h"

/* What the files of one skeleton say together (family.h), each with its probability, as Evidence has them; 0: not
 * decided. */
typedef struct Family {
    double metres_per_unit, unit_confidence;
    UpAxis up;
    double up_confidence;
    PositionMeaning positions;
    double positions_confidence;
    NeutralAngles neutral; /* the pose in which a human's segments are measured */
    double neutral_confidence;
} Family;

/* A file that contradicts its family this surely keeps its own answer. */
#define FAMILY_DISSENT 0.95

typedef struct EvidenceDef {
    double metres_per_unit;    /* 0: decide */
    UpAxis up;                 /* UP_AUTO: decide */
    double fps;                /* 0: decide from the frame time */
    RootOffset root_offset;    /* ROOT_OFFSET_AUTO: decide */
    PositionMeaning positions; /* POSITIONS_AUTO: decide */
    int keep_first_frame;      /* 1: never drop a fake first frame; default 0 */
    const Family *family;      /* answers where the file's own measurements do not contradict it; NULL: none */
} EvidenceDef;

EvidenceDef evidence_default_def(void);

/* Each confidence in 0..1, the probability that the decision is right; 1 where a flag decided. */
typedef struct Evidence {
    double metres_per_unit, unit_confidence;
    UpAxis up;
    double up_confidence;
    double fps, frame_time, fps_confidence;
    RootOffset root_offset;
    double root_offset_confidence;
    PositionMeaning positions; /* of the joints below the root, as the file has them */
    double positions_confidence;
    int no_root_path; /* 1: the file does not tell where the body goes (positions.h) */
    int drop_first_frame;
    double first_frame_confidence;
    int overruled_unit, overruled_up, overruled_positions; /* 1: the family's answer took the place of another one */
    double stature, foot, speed; /* m and m/s, for a person to judge the unit by (body_measures.h); 0: not told */
} Evidence;

/* Decides what the position channels below the root mean, and makes places in the parents' axes of them, as Motion
 * holds them: to be called before evidence_decide, with the raw channels in motion. */
Status evidence_settle_positions(const EvidenceDef *def, Skeleton *skeleton, Motion *motion, PositionDecision *out,
                                 Error *err);

/* Decides the rest from a skeleton (roles assigned) and motion in file units and file axes: motion->root_position holds
 * the raw channel values, motion->frame_time is the header's. root_channels_given is 0 where the root has no position
 * channels. out->positions are the caller's to set. STATUS_BAD_INPUT where the frames are too few a second to tell a
 * movement, and no fps is given. */
Status evidence_decide(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion, int root_channels_given,
                       Evidence *out, Error *err);

/* The confidences alone, for a clip to keep. */
Decisions evidence_confidence(const Evidence *e);

/* What was decided, a line each in the order of Decisions: "cm", "Y", "60", "replaced", "local", "kept". */
enum { EVIDENCE_VALUES_SIZE = 192 };
void evidence_values(const Evidence *e, char text[EVIDENCE_VALUES_SIZE]);

/* One line for a person: "unit cm (0.98), up Y (0.99), 30 fps (1), root offset replaced (0.7)?, first frame kept (1)",
 * where '?' marks what is unsure. What is not usual follows: ", positions world (1)", ", no root path", and, where the
 * unit is unsure, the size that it makes of the body: ", a person of 1.14 m". */
void evidence_describe(const Evidence *e, char *text, size_t size);

#endif
