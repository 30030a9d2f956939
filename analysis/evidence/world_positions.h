/* Motions whose position channels hold places in the world (or beyond the offset) turned into what a Motion holds:
 * places in the parent's axes. */
#ifndef KANE_EVIDENCE_WORLD_POSITIONS_H
#define KANE_EVIDENCE_WORLD_POSITIONS_H

#include "analysis/evidence/positions.h"

/* 1 where a joint below the root has a place of its own in a frame: its file lists position channels for it, or its
 * translation is not its offset. */
int place_is_given(const Skeleton *skeleton, const Motion *motion, int frame, int joint);

/* Where every joint of a frame is, and how it is turned, if the position channels are places in the world: those of the
 * joints that have channels, and by the rotations of the others. position[joint], orientation[joint], file axes. */
void world_places(const Skeleton *skeleton, const Motion *motion, int frame, Vec3 *position, Quat *orientation);

/* Rewrites motion->translation from what meaning says it holds; local leaves it as it is. Where most joints then stand
 * still at other places than their offsets, those places become the offsets: the body that moves is the body that is
 * measured and weighed.
 *
 * Rotation channels beside places in the world are the joints' own where the bones then stand still in their parents'
 * axes, turned in the world where they do so then, and otherwise do not belong to the places: then the rotation of
 * every joint is solved from the places of its children (Horn 1987), twist about a lone bone being the parent's. Bones
 * that are rigid become the skeleton's offsets (those of the file stay, where they fit), and translation NULL where all
 * are. Lengths and axes stay the file's. */
Status positions_to_local(PositionMeaning meaning, Skeleton *skeleton, Motion *motion, Error *err);

#endif
