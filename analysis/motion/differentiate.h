/* Pose, velocity and acceleration from a motion by finite differences on rotations (thesis 3.4, 3.7, 3.47, 3.48). */
#ifndef KANE_MOTION_DIFFERENTIATE_H
#define KANE_MOTION_DIFFERENTIATE_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/lane_width.h"

typedef enum DifferenceScheme { DIFFERENCE_CENTRAL = 0, DIFFERENCE_BACKWARD, DIFFERENCE_SAVGOL } DifferenceScheme;

typedef struct DifferenceDef {
    DifferenceScheme scheme; /* default central */
    int window;              /* savgol: frames, odd; default 7 */
    int order;               /* savgol: polynomial degree; default 3 */
    LaneWidth lanes;         /* default LANES_AUTO; every width gives the same bits */
} DifferenceDef;

DifferenceDef difference_default_def(void);

/* Fills *out: world pose by forward kinematics, angular velocity and acceleration of every joint and the root's
 * linear ones by differences, the other joints' along the rigid segments. body may be NULL (then out->com is NULL).
 * valid marks the frames whose differences are not one-sided. A clip of 1 frame is at rest, of 2 has no acceleration. */
Status differentiate(const Skeleton *skeleton, const Motion *motion, const Body *body, const DifferenceDef *def,
                     Kinematics *out, Error *err);

#endif
