/* A read-only view of a clip, the input of most functions in analysis/.
 *
 * Owns nothing; its members must outlive it. Absent members are NULL; each function states which it reads. */
#ifndef KANE_CLIP_CLIP_VIEW_H
#define KANE_CLIP_CLIP_VIEW_H

#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

typedef struct ClipView {
    const Skeleton *skeleton;
    const Body *body;             /* NULL: no masses */
    const Motion *motion;
    const Kinematics *kinematics; /* NULL: not differentiated */
} ClipView;

#endif
