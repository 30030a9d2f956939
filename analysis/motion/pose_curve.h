/* A twice continuously differentiable curve through the poses of a motion.
 *
 * Root position, translations and quaternion components (with continuous signs) are interpolating cubic splines over
 * the frames, the quaternions normalised. The second derivative is constant in the first and the last interval. */
#ifndef KANE_MOTION_POSE_CURVE_H
#define KANE_MOTION_POSE_CURVE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"

typedef struct PoseCurve {
    const Motion *motion; /* not owned; must outlive the curve */
    size_t width;         /* numbers per frame */
    double *bend;         /* [frame][width] owned; second derivatives, 1/frame2: root, rotations, translations */
} PoseCurve;

/* The quaternions of the motion must have continuous signs. On failure *out is empty. */
Status pose_curve_init(PoseCurve *out, const Motion *motion, Error *err);
void pose_curve_free(PoseCurve *curve);

/* Fills one frame of `out` with the pose at `place`, in frames from the first, within the motion. At a frame of the
 * motion the pose is that frame's, bit for bit. */
void pose_curve_fill(const PoseCurve *curve, double place, int frame, Motion *out);

#endif
