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

/* Input and output of the lane kernel of anatomical coordinates: views, not owned. */

/* A joint as the kernel reads it. */
typedef struct CoordinateJoint {
    size_t joint, proximal, distal;
    Quat proximal_axes, distal_axes; /* anatomical axes to joint axes */
    int is_shoulder;                 /* 1: sequence y, x, y; 0: z, x, y */
    double mirror;                   /* -1: left side */
    double angle_sign[3];            /* signs of the angles of the mirrored rotation */
    double axis_sign[3];             /* signs of the right-handed axes of the unmirrored rotation */
} CoordinateJoint;

/* Inputs are [frame][joint], outputs [frame][coordinate], three per joint. */
typedef struct CoordinatesView {
    size_t frame_count, joint_count, axes_count;
    const CoordinateJoint *axes; /* [axes_count] */
    double least_sine;           /* sine of the angle between first and third axis below which a pose is singular */
    const Quat *orientation;
    const Vec3 *angular_velocity;
    const Vec3 *torque;          /* NULL: none */
    double *angle, *velocity, *moment, *power;
    Vec3 *axis; /* NULL: not computed */
    uint8_t *singular;
} CoordinatesView;

/* Processes all frames; frame_count must be at least the number of lanes. */
typedef void CoordinatesFrames(const CoordinatesView *view);
LANE_TWINS(CoordinatesFrames, coordinates_frames);

/* The pose in which every anatomical angle is zero: standing, arms hanging, elbows and knees straight.
 *
 * It is built from a reference pose by rotating thighs, shanks, upper arms and forearms by the shortest arc to the
 * vertical. Pelvis and trunk keep their orientation. A foot gets the level it has when flat on the ground, if the
 * motion shows that. The knee axis becomes parallel to the line of the hips. Joint centres determine the pose, not the
 * axes of the file, so that a rest pose whose knees are bent by 7 degrees, as in some files, gives the same angles as
 * a straight one.
 *
 * For angles, the reference pose is the rest pose, which defines zero, or the best standing frame if the rest pose
 * does not stand (analysis/retarget/reference_pose.h). Segment masses use the pose in which the body stands in the
 * motion. */

/* A rest pose whose thighs and shanks are this close to vertical is the neutral pose; otherwise one is built. */
#define NEUTRAL_NEAR 15.0 /* degrees */

#define NEUTRAL_BEND 0.35    /* rad: hip bends up to this occur in people who stand or walk */
#define NEUTRAL_FLAT 0.005   /* s, weighted, of a flat foot: below this its level is uncertain */
#define NEUTRAL_FOOT 0.14    /* rad: uncertainty of a foot that is never flat: 8 degrees, the standard deviation
                                among clips without a flat foot */

#define NEUTRAL_WARNED 0.05  /* rad: doubt above which a warning is printed: RMS deviation of flat feet from the zero
                                of their own models */

typedef struct NeutralPose {
    ReferencePose from;
    Quat body;             /* anatomical axes of the body (x forward, y up, z right) to world, in the pose `from` */
    Quat swing[ROLE_COUNT]; /* rotates the role's segment from the pose `from` to the neutral pose, world axes */
    double off;            /* degrees, largest deviation of a thigh or shank from vertical in `from`; NaN: no legs */
    double flat;           /* s, weighted, that the flatter foot is flat in the motion; its level serves both feet */
    int has_body;          /* 0: neither hips nor shoulders give left and right; body and swing are unset */
} NeutralPose;

/* Reads skeleton and motion. Allocates in the arena. */
Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* The neutral pose from the motion: for a human the reference pose is the mean of standing frames, whatever the rest
 * pose. Without a motion, or for a creature, as neutral_pose_init. */
Status neutral_pose_of_motion(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* The neutral pose from given orientations, orientation[joint], joint axes to body axes (x left, y up, z front); trunk
 * and feet are used unchanged. Its doubt is zero. */
Status neutral_pose_of_orientations(NeutralPose *n, const ClipView *clip, const Quat *orientation, Arena *arena,
                                    Error *err);

/* Anatomical axes of the joint's segment (x forward, y up, z right in the neutral pose) to axes of the joint. */
Quat neutral_pose_axes(const NeutralPose *n, int joint);

/* Fills orientation[joint], joint axes to world, in the neutral pose with the trunk upright. */
void neutral_pose_orientations(const NeutralPose *n, Quat *orientation);

/* Uncertainty of parts of the neutral pose, rad; 0: the body stands in its motion with flat feet. */
typedef struct NeutralDoubt {
    double trunk; /* pelvis relative to trunk, if even the best standing frames are bent at the hips */
    double foot;  /* level of a foot that is never flat and still on the ground */
} NeutralDoubt;

/* Doubt of a pose from neutral_pose_of_motion. Zero for a rest pose or a creature. */
NeutralDoubt neutral_pose_doubt(const NeutralPose *n);

/* Writes a warning for the user; "" if no doubt exceeds NEUTRAL_WARNED. */
void neutral_pose_warn(const NeutralDoubt *doubt, char *text, size_t size);

/* Writes "rest", or the source of the pose: "built from the rest pose (legs 20 degrees off)". */
void neutral_pose_describe(const NeutralPose *n, char *text, size_t size);

/* Renumbers the frame in such a text after a clip was cut to frame_count frames from frame `first` on, or states that
 * the frame was cut off. */
void neutral_pose_move_frames(char *text, size_t size, int first, int frame_count);

/* Joint coordinate systems: the joints of a skeleton with anatomical axes, and the orientation of these axes in both
 * segments.
 *
 * After Grood and Suntay (1983) and the ISB (Wu et al. 2002, 2005): the first axis is fixed in the proximal segment,
 * the third in the distal one, the second is normal to both. In the neutral pose x points forward, y up and z to the
 * right in every segment. Limbs and trunk rotate about z, x, y: flexion about the proximal z, rotation about the distal
 * y. The shoulder rotates about y, x, y of thorax and humerus. The wrist's z points to the thumb side; the palm faces
 * the thigh in the neutral pose. */

typedef enum AxisOrder { AXES_ZXY, AXES_YXY } AxisOrder;

typedef struct JointAxes {
    Coordinate first;       /* first of its three coordinates */
    int joint;              /* joint whose centre is the centre of rotation */
    int proximal, distal;   /* joints that move the two segments; the distal one is the last twist joint of the limb */
    Quat proximal_axes;     /* anatomical axes of the segment to axes of its joint */
    Quat distal_axes;
    AxisOrder order;
    int is_left;            /* mirrored in the plane of symmetry */
    signed char sign[COORDINATES_PER_JOINT]; /* -1: the coordinate has the opposite sign of the right-handed rotation */
} JointAxes;

/* Fills axes with the joints that have a role and a proximal segment, in the order of Coordinate. Returns their number;
 * 0 for a creature. */
int joint_axes_find(const NeutralPose *neutral, JointAxes axes[COORDINATE_JOINTS]);

/* Functional knee axis, which replaces the line of the hips. */

/* Requirements for a functional axis: least range of flexion, least fraction of the rotation about one axis, and
 * largest tilt of it from the geometric axis. */
#define KNEE_LEAST_RANGE 30.0   /* degrees */
#define KNEE_LEAST_FRACTION 0.8 /* of the squared angular velocity */
#define KNEE_MOST_TILT 30.0     /* degrees */
/* Fraction that identifies a knee as a hinge, as in models and many files, alone or with a small rotation coupled to
 * flexion: 0.993 and more, while most recorded knees with free rotation have 0.8 to 0.97. The flexion of such a knee is
 * the rotation about its hinge. */
#define KNEE_HINGE_FRACTION 0.99

/* Rotates the axes of a knee so that the first is the main axis of the shank's rotation in the thigh: the direction
 * with the largest sum of squared relative angular velocity (the mean helical axis without its position, Woltring
 * 1990). Thigh and shank axes rotate about their length, so that flexion stays zero in the neutral pose; adduction does
 * not if the axis is not normal to the thigh. *found 0: the knee bends too little, less than least_fraction of its
 * rotation is about that axis, or the axis is tilted too much; axes are unchanged. Errors: no memory. */
Status knee_axis_find(const Kinematics *kinematics, double least_fraction, JointAxes *knee, int *found, Error *err);

/* A pose is singular if its first and third axis are this close to collinear. */
#define SINGULAR_NEAR 10.0 /* degrees */

/* Joints with anatomical axes, and options. */
typedef struct JointAxesSet {
    int count;
    JointAxes joint[COORDINATE_JOINTS];
    int keep_axes;   /* 1: keep the axes in the anatomy */
    LaneWidth lanes; /* every width gives bitwise equal results */
} JointAxesSet;

/* Fills *out except its texts; the caller frees it. Reads orientation and angular_velocity of the kinematics, and
 * torque. dynamics NULL: moments and powers are zero. */
Status coordinates_compute(const JointAxesSet *axes, const Kinematics *kinematics, const Dynamics *dynamics,
                           Anatomy *out, Error *err);

/* Pelvis and arms in the convention of OpenSim's Rajagopal (2016) model: successive rotations about z, x and y. (kane's
 * anatomical coordinates have no pelvis and use the ISB sequence for the shoulder.)
 *
 * Pelvis relative to the world: tilt (positive backwards), list (to the right), rotation (to the left), as in the model
 * if x of the ground is forward. Arm relative to the trunk: flexion, adduction, internal rotation. */

typedef struct OpensimPose {
    int frame_count;
    int pelvis;          /* joint of the pelvis; -1: none, or left and right are unknown */
    Vec3 *pelvis_angle;  /* [frame] tilt, list, rotation, rad; NaN within 10 degrees of a singular pose */
    Vec3 *pelvis_moment; /* [frame] Nm about these axes; if the pelvis is the root, the residual of the floating base */
    Anatomy arms;        /* flexion, adduction and rotation of each arm, stored as the shoulder's three coordinates */
} OpensimPose;

/* Reads skeleton, motion and kinematics. dynamics NULL: moments are zero. Free with opensim_pose_free. */
Status opensim_pose_init(OpensimPose *pose, const ClipView *clip, const Dynamics *dynamics, Error *err);
void opensim_pose_free(OpensimPose *pose);

#endif
