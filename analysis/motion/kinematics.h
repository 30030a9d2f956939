/* From a motion to its kinematics: smoothing, forward kinematics, and velocity and acceleration by finite
 * differences; differences of rotations by which flicker is found. */
#ifndef KANE_MOTION_KINEMATICS_H
#define KANE_MOTION_KINEMATICS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/signal/smoothing.h"

/* Smoothing of a motion, with rotations as quaternions, never as Euler angles.
 *
 * Root position, translations and quaternion components (with continuous signs) are filtered over time, and the
 * quaternions normalised. The filters are linear, so that smoothing commutes with a rotation of the world. */

/* Normalises quaternions, several at once; one twin per instruction set. */

typedef void QuatsNormalize(Quat *q, size_t count);
LANE_TWINS(QuatsNormalize, quats_normalize);

/* Smooths root position, rotations and translations in place. resolved_cutoff (may be NULL) receives the cutoff used,
 * Hz: at most 0.45 of the frame rate; 0 for a method without one and for clips too short for the filter, which are
 * unchanged. STATUS_USAGE for a negative cutoff or an invalid window, STATUS_BAD_INPUT without a frame time; the motion
 * is then unchanged. */
Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err);

/* Pose, velocity and acceleration from a motion by finite differences on rotations (thesis 3.4, 3.7, 3.47, 3.48).
 *
 * Between frames a joint rotates at the rate w = 2 log(Q(t) Q(t - dt)*) / dt, shortest arc, world axes (3.47).
 *   central   omega: mean of the rates before and after a frame; alpha: their difference over dt   second order
 *   backward  omega: the rate before a frame (3.47); alpha: its change over dt (3.48)              first order
 *   fivepoint polynomial of degree 4 through the rotation vectors 2 log(Q_k Q_i*) of 5 frames      fourth order
 * Root position and translations use the same formulas with plain differences. Other joint centres follow along the
 * rigid segments. Cost: O(joints) per frame; tiles of frames stay in cache; one allocation per clip. */

/* Input and output of the lane kernel of forward kinematics: flat views, not owned. */

/* Doubles of scratch per lane and joint: orientation and position. */
enum { FORWARD_KINEMATICS_SCRATCH = 7 };

/* Arrays are [frame][joint] unless noted otherwise. */
typedef struct ForwardKinematicsView {
    size_t frame_count, joint_count;
    const int *parent;           /* [joint] */
    const Vec3 *offset;          /* [joint] m, parent axes */
    const Quat *rotation;        /* child to parent */
    const Vec3 *translation;     /* m, parent axes, or NULL */
    const Vec3 *root_position;   /* [frame] m */
    const double *mass_fraction; /* [joint] part of the total mass; NULL: no com */
    const Vec3 *mass_centre;     /* [joint] m, joint axes */
    Vec3 *position;
    Quat *orientation;
    Vec3 *com;                 /* [frame] */
    double *scratch;           /* [joint][FORWARD_KINEMATICS_SCRATCH][lane], 64-byte aligned */
} ForwardKinematicsView;

/* Computes the poses of the frames first .. end - 1, and of up to a block of lanes around them within the clip.
 * frame_count is at least the number of lanes. */
typedef void ForwardKinematicsFrames(const ForwardKinematicsView *view, size_t first, size_t end);
LANE_TWINS(ForwardKinematicsFrames, forward_kinematics_frames);

/* Sets mass_fraction[joint], the part of the total mass; a body without mass gives its root the whole. */
void forward_kinematics_mass_fractions(const Body *body, double *mass_fraction);

/* The world pose of every joint: orientation and centre along the tree, several frames at once.
 *   Q_j = Q_parent q_j        p_j = p_parent + Q_parent l_j Q_parent*
 * with l_j the joint's offset, or its translation in a motion with translations. Cost: O(joints) per frame. */

/* Output arrays, owned by the caller. */
typedef struct WorldPoses {
    Vec3 *position;    /* [frame][joint] m */
    Quat *orientation; /* [frame][joint] joint to world */
    Vec3 *com;         /* [frame] m, of the whole body (without mass: of its root segment); NULL: not computed */
} WorldPoses;

/* Computes the poses from skeleton and motion of the clip, and the COM from its body if requested. */
Status forward_kinematics(const ClipView *clip, LaneWidth lanes, const WorldPoses *out, Error *err);

/* Input and output of the lane kernel of one joint's pose: flat views, not owned. Inputs are [frame][joint], outputs
 * [frame]. */
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

/* Computes all frames; frame_count is at least the number of lanes. */
typedef void JointPathFrames(const JointPathView *view);
LANE_TWINS(JointPathFrames, joint_path_frames);

/* Computes the pose of one joint in `count` frames from `first` on, along its path to the root and from the joint up: p
 * = p_root + Q_0 (l_1 + Q_1 (l_2 + ...)). Agrees with forward_kinematics up to rounding; every width gives the same
 * bits. Fills position and orientation of out, [count] each. Cost: O(depth of the joint) per frame. */
void joint_path(const ClipView *clip, int joint, int first, int count, LaneWidth lanes, const WorldPoses *out);

/* Returns STATUS_USAGE if joint counts differ or a parent does not precede its child. The body may be NULL. */
Status forward_kinematics_check(const ClipView *clip, Error *err);

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

/* Input and output of the lane kernel of the differences: flat views, not owned.
 *
 * The clip is processed in tiles of frames. A channel is a differenced quantity: the orientation of joint j (channel
 * j), the root's position (channel joint_count) or the translation of joint j (channel joint_count + j). Its steps, the
 * rates from each frame to the next, are contiguous over the frames so that neighbours load as whole vectors. */

enum {
    DIFFERENCE_TILE = 64,                   /* frames, a multiple of every lane count */
    DIFFERENCE_STEPS = DIFFERENCE_TILE + 16, /* capacity for the steps of a tile and a block of lanes beyond */
    DIFFERENCE_REACH = 2,                   /* frames to either side used by five points */
    DIFFERENCE_SCRATCH = 15,                /* doubles per lane and joint: position and its derivatives */
};

/* Arrays are [frame][joint] unless noted otherwise; world axes, SI. */
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

/* Differences of the rotations of a block of frames: sums of their squares, and how often they oppose each other, by
 * which a flickering joint is found (analysis/quality/artifact_flicker.c). Views, not owned. */

enum { ROTATION_VALUES = 10 }; /* of a joint: its latest rotation, second and third difference, norm of the third */

typedef struct RotationChangesView {
    size_t joint_count, first, length; /* frames first to first + length - 1; first > 0 */
    double opposite;                   /* minus the cosine from which differences are opposed */
    const Quat *rotation;              /* [frame][joint] */
    double *before;                    /* [ROTATION_VALUES][joint] at frame first - 1 */
    double *after;                     /* the same at the last frame */
    double *size;                      /* [length][joint] norms of the third differences */
    double *second, *fourth;           /* [joint] sums of squares of the differences */
    double *reversed;                  /* [joint] number of third differences opposed to the one before */
} RotationChangesView;

/* joint_count must be at least the number of lanes. */
typedef void RotationChanges(const RotationChangesView *view);
LANE_TWINS(RotationChanges, rotation_changes);

#endif
