/* Angles, rates, moments and powers about anatomical axes: group /anatomy of a clip file.
 *
 * Three coordinates per joint, each about a unit axis e_i in world axes. With M the torque of the joint and w the
 * angular velocity of the distal segment relative to the proximal one:
 *   moment_i = M . e_i             the internal moment about the axis: the generalised force of the coordinate
 *   w        = sum velocity_i e_i, so that sum moment_i velocity_i = M . w
 *   M        = sum moment_i d_i    with d_i the dual basis: d_1 = e_2 x e_3 / (e_1 . e_2 x e_3), and so on
 *
 * A joint is singular within 10 degrees of a pose in which its first and third axis are collinear: angle, velocity and
 * power are NaN there. */
#ifndef KANE_CLIP_ANATOMY_H
#define KANE_CLIP_ANATOMY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* Anatomical coordinates: the rotations of joints with the names used by clinicians and OpenSim.
 *
 * A joint has three, in the order of its rotations from the proximal to the distal segment. The name gives the positive
 * direction: flexion, adduction, internal rotation, dorsiflexion, inversion, pronation, ulnar deviation. For the trunk
 * these are flexion forward, bending to the right, rotation to the left; for the elbow's carrying angle the hand away
 * from the body. The shoulder follows the ISB (Wu et al. 2005): plane of elevation (0 abduction, 90 degrees forward),
 * elevation from the hanging arm, internal rotation. Zero is the neutral pose (analysis/anatomy/neutral_pose.h). */

#define COORDINATES_OF_SIDE(ROW, SIDE, side) \
    ROW(SIDE##_SHOULDER_PLANE, side "_shoulder_plane") ROW(SIDE##_SHOULDER_ELEVATION, side "_shoulder_elevation") \
    ROW(SIDE##_SHOULDER_ROTATION, side "_shoulder_rotation") \
    ROW(SIDE##_ELBOW_FLEXION, side "_elbow_flexion") ROW(SIDE##_ELBOW_CARRYING, side "_elbow_carrying") \
    ROW(SIDE##_ELBOW_PRONATION, side "_elbow_pronation") \
    ROW(SIDE##_WRIST_FLEXION, side "_wrist_flexion") ROW(SIDE##_WRIST_DEVIATION, side "_wrist_deviation") \
    ROW(SIDE##_WRIST_ROTATION, side "_wrist_rotation") \
    ROW(SIDE##_HIP_FLEXION, side "_hip_flexion") ROW(SIDE##_HIP_ADDUCTION, side "_hip_adduction") \
    ROW(SIDE##_HIP_ROTATION, side "_hip_rotation") \
    ROW(SIDE##_KNEE_FLEXION, side "_knee_flexion") ROW(SIDE##_KNEE_ADDUCTION, side "_knee_adduction") \
    ROW(SIDE##_KNEE_ROTATION, side "_knee_rotation") \
    ROW(SIDE##_ANKLE_DORSIFLEXION, side "_ankle_dorsiflexion") ROW(SIDE##_ANKLE_INVERSION, side "_ankle_inversion") \
    ROW(SIDE##_ANKLE_ROTATION, side "_ankle_rotation")

/* ROW(NAME, name): three rows per joint, joints in the order of Role. */
#define COORDINATES(ROW) \
    ROW(SPINE_FLEXION, "spine_flexion") ROW(SPINE_BENDING, "spine_bending") ROW(SPINE_ROTATION, "spine_rotation") \
    ROW(CHEST_FLEXION, "chest_flexion") ROW(CHEST_BENDING, "chest_bending") ROW(CHEST_ROTATION, "chest_rotation") \
    ROW(NECK_FLEXION, "neck_flexion") ROW(NECK_BENDING, "neck_bending") ROW(NECK_ROTATION, "neck_rotation") \
    COORDINATES_OF_SIDE(ROW, LEFT, "left") COORDINATES_OF_SIDE(ROW, RIGHT, "right")

#define COORDINATE_ENUM(name, text) COORDINATE_##name,
typedef enum Coordinate {
    COORDINATE_NONE = -1,
    COORDINATES(COORDINATE_ENUM) COORDINATE_COUNT
} Coordinate;

enum { COORDINATES_PER_JOINT = 3, COORDINATE_JOINTS = COORDINATE_COUNT / COORDINATES_PER_JOINT };

/* Returns a name such as "left_knee_flexion"; "" for COORDINATE_NONE. Static storage. */
const char *coordinate_name(Coordinate coordinate);

/* Returns COORDINATE_NONE for an unknown name. */
Coordinate coordinate_from_name(const char *name);

/* The role of the coordinate's joint. */
Role coordinate_role(Coordinate coordinate);

/* The first of the three coordinates of a role; COORDINATE_NONE if it has none. */
Coordinate coordinate_of_role(Role role);

#define ANATOMY_TEXT_SIZE 64

typedef struct Anatomy {
    int frame_count;
    int coordinate_count;    /* a multiple of COORDINATES_PER_JOINT; 0: no joint has anatomical axes */
    Coordinate *coordinate;  /* [coordinate] ascending, the three of a joint adjacent */
    int *joint;              /* [coordinate] joint whose torque makes the moment */
    double *angle;           /* [frame][coordinate] rad, -pi to pi */
    double *velocity;        /* [frame][coordinate] rad/s */
    double *moment;          /* [frame][coordinate] N m */
    double *power;           /* [frame][coordinate] W, positive generates */
    double *moment_sd;       /* [frame][coordinate] N m, standard deviation of the moment, with the axis as exact;
                                NULL: not computed */
    Vec3 *axis;              /* [frame][coordinate] unit, world axes; NULL: not kept */
    uint8_t *singular;       /* [frame][coordinate] 1: too near a singular pose */
    double *capacity;        /* [frame][coordinate] N m, strength in the direction of the moment at that angle and
                                velocity; NaN: unknown; NULL: not computed */
    double *utilization;             /* [frame][coordinate] magnitude of the moment over the capacity; NaN, NULL: as
                                        capacity */
    double *passive;         /* [frame][coordinate] N m, moment of passive tissues, positive in the direction of the
                                coordinate; NaN: unknown; NULL: strength not computed, or axes not kept */
    char neutral[ANATOMY_TEXT_SIZE];   /* the pose in which angles are zero, and its source: "rest" */
    char knee_axis[ANATOMY_TEXT_SIZE]; /* "geometry" or "functional", with the knees it applies to */
    char strength[ANATOMY_TEXT_SIZE];  /* source of the strength: "athlete"; "" without capacity */
} Anatomy;

static inline size_t anatomy_index(const Anatomy *a, int frame, int column)
{
    return (size_t)frame * (size_t)a->coordinate_count + (size_t)column;
}

/* Allocates zeroed arrays, axis only if has_axes, without capacity and utilization. The caller fills coordinate and
 * joint. */
Status anatomy_init(Anatomy *a, int frame_count, int coordinate_count, int has_axes, Error *err);
Status anatomy_add_spread(Anatomy *a, Error *err);   /* adds a zeroed moment_sd */
Status anatomy_add_strength(Anatomy *a, Error *err); /* adds zeroed capacity and utilization */
Status anatomy_add_passive(Anatomy *a, Error *err);  /* adds a zeroed passive */
void anatomy_free(Anatomy *a);

/* Index of a coordinate in the clip; -1: none. */
int anatomy_find(const Anatomy *a, Coordinate coordinate);

/* Index of the first of a joint's coordinates; -1: none. */
int anatomy_of_joint(const Anatomy *a, int joint);

/* The vector M with M . e_i = moment_i about the axes of the three coordinates from index `first` on: the sum of
 * moment_i d_i. World axes. The anatomy must have axes. NaN if a moment is. */
Vec3 anatomy_vector(const Anatomy *a, int frame, int first, const double moment[COORDINATES_PER_JOINT]);

/* The largest strength utilization among the coordinates of a joint; NaN: unknown. */
double anatomy_joint_use(const Anatomy *a, int frame, int joint);

#endif
