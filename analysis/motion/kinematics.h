/* Pose, velocity and acceleration from a motion by finite differences on rotations (thesis 3.4, 3.7, 3.47, 3.48).
 *
 * Between frames a joint rotates at the rate w = 2 log(Q(t) Q(t - dt)*) / dt, shortest arc, world axes (3.47).
 *   central   omega: mean of the rates before and after a frame; alpha: their difference over dt   second order
 *   backward  omega: the rate before a frame (3.47); alpha: its change over dt (3.48)              first order
 *   fivepoint polynomial of degree 4 through the rotation vectors 2 log(Q_k Q_i*) of 5 frames      fourth order
 * Root position and translations use the same formulas with plain differences. Other joint centres follow along the
 * rigid segments. Cost: O(joints) per frame; tiles of frames stay in cache; one allocation per clip. */
#ifndef KANE_MOTION_KINEMATICS_H
#define KANE_MOTION_KINEMATICS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

typedef enum DifferenceScheme {
    DIFFERENCE_CENTRAL = 0,
    DIFFERENCE_BACKWARD,
    DIFFERENCE_FIVE_POINT,
    DIFFERENCE_SCHEME_COUNT
} DifferenceScheme;

/* "central"; NULL-terminated. */
extern const char *const difference_scheme_names[DIFFERENCE_SCHEME_COUNT + 1];

typedef struct DifferenceDef {
    DifferenceScheme scheme; /* default central */
    LaneWidth lanes;         /* default LANES_AUTO; every width gives the same bits */
} DifferenceDef;

DifferenceDef difference_default_def(void);

/* Fills *out from skeleton, motion and body of the clip (without a body out->com is NULL). *out is zeroed or from an
 * earlier call, whose arrays are reused if the size agrees. World poses come from forward kinematics; angular velocity
 * and acceleration of every joint and the root's linear ones from differences; the other joints' follow along the
 * segments.
 *
 * Rates are extrapolated linearly beyond the ends, so that the first and last frames have the acceleration of their
 * neighbour. Five-point differences become central where not all points lie in the clip. valid is 0 there: central 1
 * frame at each end, backward the first 2, fivepoint 2 at each end; and within DIFFERENCE_EDGE of either end. At that
 * distance the padding of an 8 Hz filter changes the accelerations of real clips by about a tenth, at the very end by
 * their full size.
 *
 * A clip of 1 frame is at rest, one of 2 has no acceleration. STATUS_BAD_INPUT without frames or a frame time. */
#define DIFFERENCE_EDGE 0.05 /* s */
Status differentiate(const ClipView *clip, const DifferenceDef *def, Kinematics *out, Error *err);

enum {
    DIFFERENCE_TILE = 64,                   /* frames, a multiple of every lane count */
    DIFFERENCE_STEPS = DIFFERENCE_TILE + 16, /* capacity for the steps of a tile and a block of lanes beyond */
    DIFFERENCE_REACH = 2,                   /* frames to either side used by five points */
    DIFFERENCE_SCRATCH = 15,                /* doubles per lane and joint: position and its derivatives */
};

/* Input and output of the lane kernel of the differences: flat views, not owned.
 *
 * The clip is processed in tiles of frames. A channel is a differenced quantity: the orientation of joint j (channel
 * j), the root's position (channel joint_count) or the translation of joint j (channel joint_count + j). Its steps, the
 * rates from each frame to the next, are contiguous over the frames so that neighbours load as whole vectors.
 * Arrays are [frame][joint] unless noted otherwise; world axes, SI. */
typedef struct DifferenceView {
    size_t frame_count, joint_count;
    double rate;               /* 1 / dt, 1/s */
    DifferenceScheme scheme;
    double weight[2][2 * DIFFERENCE_REACH + 1]; /* five points: for first and second derivative, 1/s and 1/s2 */
    const int *parent;         /* [joint] */
    const Vec3 *translation;   /* m, parent axes, or NULL */
    const Vec3 *root_position; /* [frame] m */
    const Quat *orientation;
    const Vec3 *position;
    Vec3 *angular_velocity, *angular_acceleration, *velocity, *acceleration;
    double *step;              /* [channel][xyz][DIFFERENCE_STEPS] */
    double *scratch;           /* [joint][DIFFERENCE_SCRATCH][lane], 64-byte aligned */
} DifferenceView;

/* Computes the frames first .. end - 1 of a tile. Poses must be known up to end, for five points DIFFERENCE_REACH
 * frames further, within the clip. The clip has at least one frame more than a block has lanes, or there is one
 * lane. */
typedef void DifferentiateTile(const DifferenceView *view, size_t first, size_t end);
LANE_TWINS(DifferentiateTile, differentiate_tile);

#endif
