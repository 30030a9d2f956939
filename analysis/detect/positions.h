/* What the position channels of a file mean: those of joints below the root, those of the root, and whether they tell
 * where the body is at all. */
#ifndef KANE_DETECT_POSITIONS_H
#define KANE_DETECT_POSITIONS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/up_axis.h"

/* ---- Joints below the root ---- */

typedef enum PositionMeaning {
    POSITIONS_AUTO = 0,
    POSITIONS_LOCAL, /* the place in the parent's axes, instead of the offset: what nearly all files mean */
    POSITIONS_ADDED, /* the same beyond the offset */
    POSITIONS_WORLD  /* the place in the file's own axes */
} PositionMeaning;

typedef struct PositionDecision {
    PositionMeaning meaning;
    double confidence; /* 0..1 */
    int is_overruled;  /* 1: the file alone would mean another (take.h, Family) */
} PositionDecision;

/* "local" "added" "world" */
const char *position_meaning_name(PositionMeaning meaning);

/* Bones keep their lengths: the meaning under which they do, and agree with the offsets, for the most joints: each has
 * a vote of limited weight, so that no joint outweighs the others. motion->translation holds the
 * raw channels, root_position those of the root. Without translation: local, confidence 1. */
Status positions_decide(const Skeleton *skeleton, const Motion *motion, PositionDecision *out, Error *err);

/* ---- The root ---- */

typedef enum RootOffset { ROOT_OFFSET_AUTO = 0, ROOT_OFFSET_ADD, ROOT_OFFSET_REPLACE } RootOffset;

typedef struct RootOffsetDecision {
    RootOffset meaning;
    double confidence; /* 0..1 */
} RootOffsetDecision;

/* A ROOT OFFSET where the root has position channels too: added to it, or in its stead. Compares the height of the
 * ground under both meanings, and whether the channels start at the offset (replace) or at zero (add). An offset of
 * zero means the same either way: replace, confidence 1. sample holds the channels alone. */
Status root_offset_from_poses(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample, UpAxis up,
                              RootOffsetDecision *out, Error *err);

/* 1 where the feet move although the root stays in one place through the whole motion: the file does not contain where
 * the body goes. Somebody who stands and moves the arms alone has a path; so has who walks on a treadmill, whose root
 * bobs. 0 for bodies without feet. sample is of the same motion. */
int root_path_is_missing(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample);

/* The same of a clip that was imported before: its root stays where it is through smoothing and resampling. */
Status root_path_find_missing(const Skeleton *skeleton, const Motion *motion, int *missing, Error *err);

/* Motions whose position channels hold places in the world (or beyond the offset) turned into what a Motion holds:
 * places in the parent's axes. */

/* 1 where a joint below the root has a place of its own in a frame: its file lists position channels for it, or its
 * translation is not its offset. */
int place_is_given(const Skeleton *skeleton, const Motion *motion, int frame, int joint);

/* Where every joint of a frame is, and how it is turned, if the position channels are places in the world: those of the
 * joints that have channels, and by the rotations of the others. position[joint], orientation[joint], file axes. */
void world_places(const Skeleton *skeleton, const Motion *motion, int frame, Vec3 *position, Quat *orientation);

/* Rewrites motion->translation from what meaning states it holds; local leaves it as it is. Where most joints then
 * stand still at other places than their offsets, those places become the offsets: the body that moves is the body that
 * is measured and weighed.
 *
 * Rotation channels beside places in the world are the joints' own where the bones then stand still in their parents'
 * axes, turned in the world where they do so then, and otherwise do not belong to the places: then the rotation of
 * every joint is solved from the places of its children (Horn 1987), twist about a lone bone being the parent's. Bones
 * that are rigid become the skeleton's offsets (those of the file stay, where they fit), and translation NULL where all
 * are. Lengths and axes stay the file's. */
Status positions_to_local(PositionMeaning meaning, Skeleton *skeleton, Motion *motion, Error *err);

#endif
