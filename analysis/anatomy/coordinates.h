/* Angles, rates, moments and powers about the anatomical axes of a clip (analysis/clip/anatomy.h). */
#ifndef KANE_ANATOMY_COORDINATES_H
#define KANE_ANATOMY_COORDINATES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/anatomy.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/retarget/reference_pose.h"

/* What the lane kernel of anatomical coordinates needs of a clip: flat views, no ownership. */

/* A joint in the kernel's terms. */
typedef struct CoordinateJoint {
    size_t joint, proximal, distal;
    Quat proximal_axes, distal_axes; /* anatomical axes to the joints' */
    int is_shoulder;                 /* about y, x, y; else z, x, y */
    double mirror;                   /* -1: the left side */
    double angle_sign[3];            /* of the angles of the mirrored rotation */
    double axis_sign[3];             /* of the right-handed axes of the rotation itself */
} CoordinateJoint;

/* Arrays of the clip are [frame][joint], those filled [frame][coordinate], three a joint. */
typedef struct CoordinatesView {
    size_t frame_count, joint_count, axes_count;
    const CoordinateJoint *axes; /* [axes_count] */
    double least_sine;           /* of a pose that is not singular */
    const Quat *orientation;
    const Vec3 *angular_velocity;
    const Vec3 *torque;          /* NULL: none */
    double *angle, *velocity, *moment, *power;
    Vec3 *axis; /* NULL: not wanted */
    uint8_t *singular;
} CoordinatesView;

/* frame_count is at least the number of lanes. */
typedef void CoordinatesFrames(const CoordinatesView *view);
LANE_TWINS(CoordinatesFrames, coordinates_frames);

/* The pose in which every anatomical angle is zero: standing, arms hanging, elbows and knees straight.
 *
 * It begins with another pose and turns the bones of arms and legs by the shortest arc until they are vertical:
 * thighs, shanks, upper arms, forearms. Pelvis and trunk stay as they are in it, so that their level is that of the
 * pose; a foot is turned to the level it has where it lies flat on the ground, if the motion shows that. The knee's
 * axis ends up parallel to the line of the hips. Joint centres decide, not the axes of the file: a rest pose whose
 * knees are bent by 7 degrees, as some have, gives the same angles as a straight one.
 *
 * Angles begin with the rest pose, or where that is no pose with the frame that stands best
 * (analysis/retarget/reference_pose.h): a rest pose that stands states what zero is. Masses do not: they lie where the
 * motion has the body stand. */

/* A rest pose whose thighs and shanks lie this near to vertical is the neutral pose; else one is built. */
#define NEUTRAL_NEAR 15.0 /* degrees */

#define NEUTRAL_BEND 0.35    /* rad: bends at the hips up to this are those of people who stand or walk */
#define NEUTRAL_FLAT 0.005   /* s that a foot lies flat, by weight: with less its level is doubted */
#define NEUTRAL_FOOT 0.14    /* rad, of a foot that never does: 8 degrees, the spread among clips that leave it open */

#define NEUTRAL_WARNED 0.05  /* rad: feet that stand flat lie that far off the zero of their own models, RMS */

typedef struct NeutralPose {
    ReferencePose from;
    Quat body;             /* anatomical axes of the body (x forward, y up, z right) to world, in the pose `from` */
    Quat swing[ROLE_COUNT]; /* takes the role's segment from the pose `from` to the neutral one, world axes */
    double off;            /* degrees, of the thigh or shank that lies farthest from vertical in `from`; NaN: no legs */
    double flat;           /* s that the foot lies flat that does so more: its level serves both; from a motion */
    int has_body;          /* 0: neither hips nor shoulders distinguish left from right; the rest is unset */
} NeutralPose;

/* Reads skeleton and motion. The arrays are taken from the arena. */
Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* From the motion alone, whatever the rest pose: begins with the mean of a human's standing frames. Without a motion,
 * and of other bodies, as before. */
Status neutral_pose_of_motion(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* From the turn of every joint, joint axes to those of a body (x left, y up, z front): its trunk and feet as they are
 * given. Nothing of it is doubted. */
Status neutral_pose_of_turns(NeutralPose *n, const ClipView *clip, const Quat *turn, Arena *arena, Error *err);

/* Anatomical axes of the segment that moves with the joint (x forward, y up, z right in the neutral pose) to the axes
 * of the joint. */
Quat neutral_pose_axes(const NeutralPose *n, int joint);

/* The turn of every joint in the neutral pose, its trunk upright: turn[joint], joint axes to world. */
void neutral_pose_turns(const NeutralPose *n, Quat *turn);

/* By how much parts of the neutral pose may be off, rad; 0: the body stands in its motion, its feet flat. */
typedef struct NeutralDoubt {
    double trunk; /* the pelvis against the trunk: the body is bent at the hips wherever it comes nearest to standing */
    double foot;  /* the level of a foot that never lies still on the ground */
} NeutralDoubt;

/* Of neutral_pose_of_motion. Both 0 of the rest pose, and of a body that is no human's. */
NeutralDoubt neutral_pose_doubt(const NeutralPose *n);

/* What a person should hear of it; "" where no doubt is greater than NEUTRAL_WARNED. */
void neutral_pose_warn(const NeutralDoubt *doubt, char *text, size_t size);

/* "rest", or what was built and why: "built from the rest pose (legs 20 degrees off)". */
void neutral_pose_describe(const NeutralPose *n, char *text, size_t size);

/* The frame that such a text names, counted from frame `first` of the old ones; words where the clip, which now has
 * `frame_count` frames, has lost it. */
void neutral_pose_move_frames(char *text, size_t size, int first, int frame_count);

/* Joint coordinate systems: which joints of a skeleton have anatomical axes, and how these lie in their segments.
 *
 * After Grood and Suntay (1983) and the ISB (Wu et al. 2002, 2005): the first axis is fixed in the proximal segment,
 * the third in the distal one, the second is normal to both. x points forward, y up, z to the right, in the neutral
 * pose in every segment. Limbs and trunk turn about z, x, y: flexion about the proximal z, rotation about the distal y.
 * The shoulder turns about y, x, y of thorax and humerus. The wrist's z is the thumb's side, its palm faces the thigh
 * in the neutral pose. */

typedef enum AxisOrder { AXES_ZXY, AXES_YXY } AxisOrder;

typedef struct JointAxes {
    Coordinate first;       /* of its three coordinates */
    int joint;              /* at whose centre it turns */
    int proximal, distal;   /* joints that the two segments move with: the distal one beyond twist joints of the limb */
    Quat proximal_axes;     /* anatomical axes of the segment to those of the joint that it moves with */
    Quat distal_axes;
    AxisOrder order;
    int is_left;            /* mirrored in the plane of symmetry */
    signed char sign[COORDINATES_PER_JOINT]; /* -1 where the coordinate runs against the right-handed rotation */
} JointAxes;

/* Fills axes with the joints of the skeleton that have a role and a proximal segment to turn against, in the order of
 * Coordinate. Returns how many: none for a creature. */
int joint_axes_find(const NeutralPose *neutral, JointAxes axes[COORDINATE_JOINTS]);

/* The knee's axis of flexion from how the leg bends, in place of the line of the hips. */

/* A knee must bend through this much, about one axis for this part of its turning, that lies this near to the
 * geometric one. */
#define KNEE_LEAST_RANGE 30.0 /* degrees */
#define KNEE_LEAST_SHARE 0.8  /* of the square of the angular velocity */
#define KNEE_MOST_TILT 30.0   /* degrees */
/* The part of a hinge, as models and many files have for a knee, alone or with a little rotation that follows flexion:
 * 0.993 and more, where most knees that recordings let turn freely have 0.8 to 0.97. By its flexion that hinge's is
 * meant. */
#define KNEE_HINGE_SHARE 0.99

/* Turns the axes of a knee so that the first of them is the axis about which the shank turns most in the thigh: the
 * direction in which the squares of the relative angular velocity sum to most (the mean helical axis without its
 * place, Woltring 1990). Thigh and shank turn with it about their length, so that flexion stays zero in the neutral
 * pose; adduction is not where the axis is not normal to the thigh. *found 0: the knee does not bend enough, or less of
 * its turning than least_share is about that axis, and the axes stay. Fails when memory runs out. */
Status knee_axis_find(const Kinematics *kinematics, double least_share, JointAxes *knee, int *found, Error *err);

/* A pose this near to one in which the first and the third axis fall into one line is singular. */
#define SINGULAR_NEAR 10.0 /* degrees */

/* Joints with anatomical axes, and how fast the clip is read. */
typedef struct JointAxesSet {
    int count;
    JointAxes joint[COORDINATE_JOINTS];
    int keep_axes;   /* 1: the anatomy gets its axes */
    LaneWidth lanes; /* every width gives the same bits */
} JointAxesSet;

/* Fills *out but for its texts. Reads orientation and angular_velocity of the kinematics, and torque; dynamics may be
 * NULL, then moments and powers are zero. */
Status coordinates_compute(const JointAxesSet *axes, const Kinematics *kinematics, const Dynamics *dynamics,
                           Anatomy *out, Error *err);

/* Pelvis and arms as OpenSim's Rajagopal (2016) model has them: rotations about z, x and y one after the other, where
 * kane's anatomy has no pelvis and takes the shoulder in the ISB's sequence.
 *
 * The pelvis turns against the world's axes: tilt (positive: backwards), list (to the right), rotation (to the left),
 * like the model's where the ground's x is forward. An arm against the trunk: flexion, adduction, internal rotation. */

typedef struct OpensimPose {
    int frame_count;
    int pelvis;          /* its joint; -1: none, or no left and right */
    Vec3 *pelvis_angle;  /* [frame] tilt, list, rotation, rad; NaN within 10 degrees of a singular pose */
    Vec3 *pelvis_moment; /* [frame] Nm about their axes: the floating base's residual, where the pelvis is the root */
    Anatomy arms;        /* flexion, adduction and rotation of each arm, under the shoulder's coordinates in turn */
} OpensimPose;

/* Reads skeleton, motion and kinematics. dynamics may be NULL, then moments are zero. */
Status opensim_pose_init(OpensimPose *pose, const ClipView *clip, const Dynamics *dynamics, Error *err);
void opensim_pose_free(OpensimPose *pose);

#endif
