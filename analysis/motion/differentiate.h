/* Pose, velocity and acceleration from a motion by finite differences on rotations (thesis 3.4, 3.7, 3.47, 3.48).
 *
 * From frame to frame a joint turns at the rate w = 2 log(Q(t) Q(t - dt)*) / dt, shortest arc, world axes (3.47).
 *     central   omega: mean of the rates before and after a frame; alpha: their difference over dt   second order
 *     backward  omega: the rate before a frame (3.47); alpha: its change over dt (3.48)              first order
 *     savgol    polynomial through the rotation vectors 2 log(Q_k Q_i*) of a window about frame i
 *     fivepoint the polynomial of degree 4 that meets those of 5 frames                              fourth order
 * Root position and translations take the same formulas with plain differences. Joint centres follow along the rigid
 * segments. Cost: O(joints) a frame; tiles of frames stay in cache; allocation once a clip. */
#ifndef KANE_MOTION_DIFFERENTIATE_H
#define KANE_MOTION_DIFFERENTIATE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/math/lane_width.h"

typedef enum DifferenceScheme {
    DIFFERENCE_CENTRAL = 0,
    DIFFERENCE_BACKWARD,
    DIFFERENCE_SAVGOL,
    DIFFERENCE_FIVE_POINT,
    DIFFERENCE_SCHEME_COUNT
} DifferenceScheme;

/* "central"; NULL at the end. */
extern const char *const difference_scheme_names[DIFFERENCE_SCHEME_COUNT + 1];

typedef struct DifferenceDef {
    DifferenceScheme scheme; /* default central */
    int window;              /* savgol: frames, odd; default 7 */
    int order;               /* savgol: polynomial degree, 2 or more; default 3 */
    LaneWidth lanes;         /* default LANES_AUTO; every width gives the same bits */
} DifferenceDef;

DifferenceDef difference_default_def(void);

/* Reads skeleton, motion and, where there is one, body of the clip (without it out->com is NULL). Fills *out (zeroed,
 * or of an earlier call: arrays of the same size are used again): world pose by forward kinematics, angular velocity
 * and acceleration of every joint and the root's linear ones by differences, the other joints' along the segments.
 *
 * Beyond the ends the rates go on linearly, so the first and last frames take the acceleration of their neighbour.
 * A fit, where its window does not lie in the clip, gives way to central differences. valid is 0 there: central 1 frame
 * at each end, backward the first 2, savgol half a window at each end, fivepoint 2 frames; and within
 * DIFFERENCE_EDGE of either end: by then the padding of an 8 Hz filter changes the accelerations of real clips by about
 * a tenth, at the very end by all of them.
 * A clip of 1 frame is at rest, of 2 has no acceleration. STATUS_BAD_INPUT without frames or a frame time. */
#define DIFFERENCE_EDGE 0.05 /* s */
Status differentiate(const ClipView *clip, const DifferenceDef *def, Kinematics *out, Error *err);

#endif
