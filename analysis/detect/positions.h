/* Meaning of a file's position channels: those of joints below the root, those of the root, and whether they contain
 * the path of the body. */
#ifndef KANE_DETECT_POSITIONS_H
#define KANE_DETECT_POSITIONS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/unit.h"

/* ---- Joints below the root ---- */

typedef enum PositionMeaning {
    POSITIONS_AUTO = 0,
    POSITIONS_LOCAL, /* position in the parent's axes, replacing the offset: nearly all files */
    POSITIONS_ADDED, /* position in the parent's axes, added to the offset */
    POSITIONS_WORLD  /* position in the file's axes */
} PositionMeaning;

typedef struct PositionDecision {
    PositionMeaning meaning;
    double confidence; /* 0..1 */
    int is_overruled;  /* 1: replaces the detection from the file alone (take.h, Family) */
} PositionDecision;

/* Returns "local", "added" or "world". */
const char *position_meaning_name(PositionMeaning meaning);

/* Detects the meaning under which bone lengths are constant, and agree with the offsets, for the most joints. Each
 * joint's vote has a limited weight, so that none outweighs the others. motion->translation contains the raw channels,
 * root_position those of the root. Without translation: local, confidence 1. */
Status positions_decide(const Skeleton *skeleton, const Motion *motion, PositionDecision *out, Error *err);

/* ---- The root ---- */

typedef enum RootOffset { ROOT_OFFSET_AUTO = 0, ROOT_OFFSET_ADD, ROOT_OFFSET_REPLACE } RootOffset;

typedef struct RootOffsetDecision {
    RootOffset meaning;
    double confidence; /* 0..1 */
} RootOffsetDecision;

/* Detects whether a ROOT OFFSET is added to the root's position channels or replaced by them, from the ground height
 * under both meanings and from whether the channels begin at the offset (replace) or at zero (add). A zero offset gives
 * replace with confidence 1. sample: poses from the channels alone. */
Status root_offset_from_poses(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample, UpAxis up,
                              RootOffsetDecision *out, Error *err);

/* Returns 1 if the feet move but the root does not throughout the motion: the file then lacks the body's path. A
 * subject who stands and only moves the arms has a path, and so does one on a treadmill, whose root moves up and down.
 * 0 for bodies without feet. sample: of the same motion. */
int root_path_is_missing(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample);

/* The same for an imported clip; smoothing and resampling do not move its root. */
Status root_path_find_missing(const Skeleton *skeleton, const Motion *motion, int *missing, Error *err);

/* Conversion of world positions, or positions added to the offset, to those of a Motion, in the parent's axes. */

/* Whether a joint below the root has its own position in a frame: the file has position channels for it, or its
 * translation differs from its offset. */
int position_is_given(const Skeleton *skeleton, const Motion *motion, int frame, int joint);

/* World pose of every joint of a frame if the position channels are world positions; joints without channels follow
 * from the rotations. position[joint], orientation[joint], file axes. */
void world_positions(const Skeleton *skeleton, const Motion *motion, int frame, Vec3 *position, Quat *orientation);

/* Converts motion->translation from the given meaning; `local` leaves it unchanged. If most joints then rest at
 * positions other than their offsets, those become the offsets, so that the body that moves is the one that is
 * measured.
 *
 * With world positions, rotation channels are local if bones are then constant in their parents' axes, otherwise world
 * rotations if bones are constant with these; otherwise they do not fit the positions, and the rotation of every joint
 * is solved from the positions of its children (Horn 1987), with the parent's twist about a single bone. Rigid bones
 * become the offsets (those of the file are kept if they agree), and translation becomes NULL if all bones are rigid.
 * Lengths and axes stay those of the file. */
Status positions_to_local(PositionMeaning meaning, Skeleton *skeleton, Motion *motion, Error *err);

#endif
