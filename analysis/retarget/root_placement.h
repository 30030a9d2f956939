/* The root of a target, and joints between it and the hips: what they do in the target's own motion decides who
 * travels. */
#ifndef KANE_RETARGET_ROOT_PLACEMENT_H
#define KANE_RETARGET_ROOT_PLACEMENT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/motion/root_motion.h"

enum { ROOT_AUTO = -1 }; /* beside the values of RootMotion */

/* For the root or a joint between it and the hips: ROOT_MOTION_TRAVEL for one on the floor, half a leg or more below
 * the hips; ROOT_MOTION_HIPS for one there that never moves: without position channels, at rest in the target's motion,
 * or named as the origin of a scene ("Armature", "Reference") in a single pose. ROOT_MOTION_KEEP for the hips, and a
 * joint at their height. */
RootMotion root_placement_of(const ClipView *target, int joint);

/* Places the root of a retargeted motion: kind is a RootMotion, or ROOT_AUTO for root_placement_of. Its height, its
 * heading relative to the hips and, at rest, its position are those of the target's own frame 0. ROOT_MOTION_IN_PLACE
 * takes the path out and places the root as ROOT_AUTO, which keeps the path of a root that travels on the floor in
 * source, too. Joints below keep their poses in the world. */
Status root_placement_apply(const ClipView *target, const ClipView *source, int kind, Motion *motion, Error *err);

#endif
