/* Pose, velocity and acceleration from a motion by finite differences on rotations (thesis 3.4, 3.7, 3.47, 3.48).
 *
 * From frame to frame a joint turns at the rate w = 2 log(Q(t) Q(t - dt)*) / dt, shortest arc, world axes (3.47).
 *     central   omega: mean of the rates before and after a frame; alpha: their difference over dt   second order
 *     backward  omega: the rate before a frame (3.47); alpha: its change over dt (3.48)              first order
 *     fivepoint polynomial of degree 4 through the rotation vectors 2 log(Q_k Q_i*) of 5 frames      fourth order
 * Root position and translations take the same formulas with plain differences. Joint centres follow along the rigid
 * segments. Cost: O(joints) a frame; tiles of frames stay in cache; allocation once a clip. */
#ifndef KANE_MOTION_DIFFERENTIATE_H
#define KANE_MOTION_DIFFERENTIATE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* What the lane kernel of forward kinematics needs of a clip: flat views, no ownership. */

/* Doubles a lane of scratch for one joint: its orientation and position. */
enum { FORWARD_KINEMATICS_SCRATCH = 7 };

/* Arrays are [frame][joint] unless a comment states otherwise. */
typedef struct ForwardKinematicsView {
    size_t frame_count, joint_count;
    const int *parent;         /* [joint] */
    const Vec3 *offset;        /* [joint] m, parent axes */
    const Quat *rotation;      /* child to parent */
    const Vec3 *translation;   /* m, parent axes, or NULL */
    const Vec3 *root_position; /* [frame] m */
    const double *share;       /* [joint] of the total mass, or NULL: no com */
    const Vec3 *mass_centre;   /* [joint] m, joint axes */
    Vec3 *position;
    Quat *orientation;
    Vec3 *com;                 /* [frame] */
    double *scratch;           /* [joint][FORWARD_KINEMATICS_SCRATCH][lane], 64-byte aligned */
} ForwardKinematicsView;

/* Poses of the frames first .. end - 1 and up to a block of lanes around them, as frame_count allows; frame_count is
 * at least the number of lanes. */
typedef void ForwardKinematicsFrames(const ForwardKinematicsView *view, size_t first, size_t end);
LANE_TWINS(ForwardKinematicsFrames, forward_kinematics_frames);

/* share[joint] of the total mass; a body without mass counts its root alone. */
void forward_kinematics_shares(const Body *body, double *share);

/* Pose of every joint in the world: orientation and centre along the tree, several frames at once.
 *
 *     Q_j = Q_parent q_j        p_j = p_parent + Q_parent l_j Q_parent*
 * with l_j the joint's offset, or its translation where joints translate. Cost: O(joints) a frame. */

/* The caller's arrays for the poses. */
typedef struct WorldPoses {
    Vec3 *position;    /* [frame][joint] m */
    Quat *orientation; /* [frame][joint] joint to world */
    Vec3 *com;         /* [frame] m, of the whole body (of one without mass: of its root segment); NULL: not wanted */
} WorldPoses;

/* Reads skeleton and motion of the clip, and its body where the COM is wanted. */
Status forward_kinematics(const ClipView *clip, LaneWidth lanes, const WorldPoses *out, Error *err);

/* What the lane kernel of one joint's pose needs of a clip: flat views, no ownership. Arrays are [frame][joint]; those
 * filled are [frame]. */
typedef struct JointPathView {
    size_t frame_count, joint_count;
    int joint;
    const int *parent;         /* [joint] */
    const Vec3 *offset;        /* [joint] m, parent axes */
    const Quat *rotation;      /* child to parent */
    const Vec3 *translation;   /* m, parent axes, or NULL */
    const Vec3 *root_position; /* [frame] m */
    Vec3 *position;            /* [frame] m, world */
    Quat *orientation;         /* [frame] joint to world */
} JointPathView;

/* Of all frames; frame_count is at least the number of lanes. */
typedef void JointPathFrames(const JointPathView *view);
LANE_TWINS(JointPathFrames, joint_path_frames);

/* Pose of one joint in `count` frames from `first` on, along its path to the root and from the joint up:
 * p = p_root + Q_0 (l_1 + Q_1 (l_2 + ...)). To rounding that of forward_kinematics; every width gives the same bits.
 * Fills position and orientation of out, [count] each. Cost: O(depth of the joint) a frame. */
void joint_path(const ClipView *clip, int joint, int first, int count, LaneWidth lanes, const WorldPoses *out);

/* STATUS_USAGE where joint counts differ or a parent does not precede its child; the body may be NULL. */
Status forward_kinematics_check(const ClipView *clip, Error *err);

typedef enum DifferenceScheme {
    DIFFERENCE_CENTRAL = 0,
    DIFFERENCE_BACKWARD,
    DIFFERENCE_FIVE_POINT,
    DIFFERENCE_SCHEME_COUNT
} DifferenceScheme;

/* "central"; NULL at the end. */
extern const char *const difference_scheme_names[DIFFERENCE_SCHEME_COUNT + 1];

typedef struct DifferenceDef {
    DifferenceScheme scheme; /* default central */
    LaneWidth lanes;         /* default LANES_AUTO; every width gives the same bits */
} DifferenceDef;

DifferenceDef difference_default_def(void);

/* Reads skeleton, motion and, where there is one, body of the clip (without it out->com is NULL). Fills *out (zeroed,
 * or of an earlier call: arrays of the same size are used again): world pose by forward kinematics, angular velocity
 * and acceleration of every joint and the root's linear ones by differences, the other joints' along the segments.
 *
 * Beyond the ends the rates go on linearly, so the first and last frames take the acceleration of their neighbour.
 * Five points, where not all of them lie in the clip, give way to central differences. valid is 0 there: central
 * 1 frame at each end, backward the first 2, fivepoint 2 at each end; and within DIFFERENCE_EDGE of either end: by then
 * the padding of an 8 Hz filter changes the accelerations of real clips by about a tenth, at the very end by all.
 * A clip of 1 frame is at rest, of 2 has no acceleration. STATUS_BAD_INPUT without frames or a frame time. */
#define DIFFERENCE_EDGE 0.05 /* s */
Status differentiate(const ClipView *clip, const DifferenceDef *def, Kinematics *out, Error *err);

/* What the lane kernel of the differences needs of a clip: flat views, no ownership.
 *
 * The clip is taken in tiles of frames. A channel is what is differenced: the orientation of joint j (channel j), the
 * root's position (channel joint_count) or the translation of joint j (channel joint_count + j). Its steps, the rates
 * from each frame to the next, are laid out along the frames so that neighbours load as whole lanes. */

enum {
    DIFFERENCE_TILE = 64,                   /* frames, a multiple of every number of lanes */
    DIFFERENCE_STEPS = DIFFERENCE_TILE + 16, /* room for the steps of a tile and a block of lanes beyond */
    DIFFERENCE_REACH = 2,                   /* frames to either side that five points look */
    DIFFERENCE_SCRATCH = 15,                /* doubles a lane and joint: position and its derivatives */
};

/* Arrays are [frame][joint] unless a comment states otherwise; world axes, SI. */
typedef struct DifferenceView {
    size_t frame_count, joint_count;
    double rate;               /* 1 / dt, 1/s */
    DifferenceScheme scheme;
    double weight[2][2 * DIFFERENCE_REACH + 1]; /* five points: of the first and second derivative, 1/s and 1/s2 */
    const int *parent;         /* [joint] */
    const Vec3 *translation;   /* m, parent axes, or NULL */
    const Vec3 *root_position; /* [frame] m */
    const Quat *orientation;
    const Vec3 *position;
    Vec3 *angular_velocity, *angular_acceleration, *velocity, *acceleration;
    double *step;              /* [channel][xyz][DIFFERENCE_STEPS] */
    double *scratch;           /* [joint][DIFFERENCE_SCRATCH][lane], 64-byte aligned */
} DifferenceView;

/* The tile of frames first .. end - 1; poses are known up to end, for five points DIFFERENCE_REACH beyond. Frames
 * beyond either end of the clip do not exist. The clip has at least one frame more than a block has lanes, or one lane.
 */
typedef void DifferentiateTile(const DifferenceView *view, size_t first, size_t end);
LANE_TWINS(DifferentiateTile, differentiate_tile);

#endif
