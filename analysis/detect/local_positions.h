/* Conversion of world positions, or positions added to the offset, to those of a Motion, in the parent's axes. */
#ifndef KANE_DETECT_LOCAL_POSITIONS_H
#define KANE_DETECT_LOCAL_POSITIONS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

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
