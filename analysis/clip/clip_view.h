/* A body in motion, to read: what most of analysis/ computes from, in one parameter.
 *
 * Nothing is owned; every member lives as long as the clip it was taken from. A member that is not there is NULL; a
 * function says which it reads. */
#ifndef KANE_CLIP_CLIP_VIEW_H
#define KANE_CLIP_CLIP_VIEW_H

#include "analysis/clip/body.h"
#include "analysis/clip/kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

typedef struct ClipView {
    const Skeleton *skeleton;
    const Body *body;             /* NULL: no masses yet */
    const Motion *motion;
    const Kinematics *kinematics; /* NULL: not differentiated yet */
} ClipView;

#endif
