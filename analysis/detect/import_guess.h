/* What a file does not say: unit, up axis, frame rate, meaning of the positions and of the root offset, a fake first
 * frame. Decided from evidence, with a confidence, unless the def fixes it. */
#ifndef KANE_DETECT_IMPORT_GUESS_H
#define KANE_DETECT_IMPORT_GUESS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/unit.h"
#include "analysis/detect/up_axis.h"

/* The frames of a file: their rate, and whether the first of them is a pose that was put before the take. */

/* The rate in Hz of which frame_time (s) is the rounded or cut reciprocal: an exact whole rate first, then the rates in
 * use (24, 30, 60, 120, ..., and the television rates n * 1000 / 1001), then any whole rate, else 1 / frame_time. The
 * digits that were written are those of the shortest decimal that reads back as frame_time. confidence in 0..1; a frame
 * time that is not positive and finite gives 30 with confidence 0. */
double frame_rate_from_time(double frame_time, double *confidence);

/* 1 where frame 0 is no part of the movement: the step from it to frame 1 is far larger than every step soon after, in
 * the joints on average, or in the root's turn or place. confidence in 0..1. Needs at least five frames. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence);

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

typedef struct ImportGuessDef {
    double metres_per_unit;    /* 0: decide */
    UpAxis up;                 /* UP_AUTO: decide */
    double fps;                /* 0: decide from the frame time */
    RootOffset root_offset;    /* ROOT_OFFSET_AUTO: decide */
    PositionMeaning positions; /* POSITIONS_AUTO: decide */
    int keep_first_frame;      /* 1: never drop a fake first frame; default 0 */
    const Family *family;      /* answers where the file's own measurements do not contradict it; NULL: none */
} ImportGuessDef;

ImportGuessDef import_guess_default_def(void);

/* Each confidence in 0..1, the probability that the decision is right; 1 where a flag decided. */
typedef struct ImportGuess {
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
    double stature, foot, speed; /* m and m/s, for a person to judge the unit by (unit.h); 0: not known */
} ImportGuess;

/* Decides what the position channels below the root mean, and makes places in the parents' axes of them, as Motion
 * holds them: to be called before import_guess_decide, with the raw channels in motion. */
Status import_guess_settle_positions(const ImportGuessDef *def, Skeleton *skeleton, Motion *motion,
                                     PositionDecision *out, Error *err);

/* Decides the rest from a skeleton (roles assigned) and motion in file units and file axes: motion->root_position holds
 * the raw channel values, motion->frame_time is the header's. root_channels_given is 0 where the root has no position
 * channels. out->positions are the caller's to set. STATUS_BAD_INPUT where the frames are too few a second to tell a
 * movement, and no fps is given. */
Status import_guess_decide(const ImportGuessDef *def, const Skeleton *skeleton, const Motion *motion,
                           int root_channels_given, ImportGuess *out, Error *err);

/* The confidences alone, for a clip to keep. */
Decisions import_guess_confidence(const ImportGuess *e);

/* What was decided, a line each in the order of Decisions: "cm", "Y", "60", "replaced", "local", "kept". */
enum { EVIDENCE_VALUES_SIZE = 192 };
void import_guess_values(const ImportGuess *e, char text[EVIDENCE_VALUES_SIZE]);

/* One line for a person: "unit cm (0.98), up Y (0.99), 30 fps (1), root offset replaced (0.7)?, first frame kept (1)",
 * where '?' marks what is unsure. What is not usual follows: ", positions world (1)", ", no root path", and, where the
 * unit is unsure, the size that it makes of the body: ", a person of 1.14 m". */
void import_guess_describe(const ImportGuess *e, char *text, size_t size);

#endif
