/* Angles, rates, moments and powers about anatomical axes: group /anatomy of a container.
 *
 * Three coordinates a joint (analysis/clip/anatomy.h), each about a unit axis e_i in world axes. With M the torque
 * of the joint and w the angular velocity of the distal segment less that of the proximal one:
 *     moment_i = M . e_i             the internal moment about the axis: the generalised force of the coordinate
 *     w        = sum velocity_i e_i, so that sum moment_i velocity_i = M . w
 *     M        = sum moment_i d_i    with d_i the dual basis: d_1 = e_2 x e_3 / (e_1 . e_2 x e_3), and so on
 * A joint within 10 degrees of a pose in which its first and third axis fall into one line is singular there: angle,
 * velocity and power are NaN. */
#ifndef KANE_CLIP_ANATOMY_H
#define KANE_CLIP_ANATOMY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* Anatomical coordinates: the rotations of joints as clinicians and OpenSim name them.
 *
 * A joint has three, in the order of its rotations from the proximal to the distal segment. Positive is what the name
 * states: flexion, adduction, internal rotation, dorsiflexion, inversion, pronation, ulnar deviation; of the trunk
 * flexion forward, bending to the right, rotation to the left; of the elbow's carrying angle the hand away from the
 * body. The shoulder follows the ISB (Wu et al. 2005): plane of elevation (0 abduction, 90 degrees forward), elevation
 * from the hanging arm, internal rotation. Zero is the neutral pose (analysis/anatomy/coordinates.h). */

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

/* ROW(NAME, name): three rows a joint, the joints in the order of Role. */
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

/* "left_knee_flexion"; "" for COORDINATE_NONE. Valid for the life of the program. */
const char *coordinate_name(Coordinate coordinate);

/* COORDINATE_NONE for an unknown name. */
Coordinate coordinate_from_name(const char *name);

/* The role of the joint that the coordinate belongs to. */
Role coordinate_role(Coordinate coordinate);

/* The first of the three coordinates of a role; COORDINATE_NONE for a role that has none. */
Coordinate coordinate_of_role(Role role);

#define ANATOMY_TEXT_SIZE 64

typedef struct Anatomy {
    int frame_count;
    int coordinate_count;    /* a multiple of COORDINATES_PER_JOINT; 0: no joint has anatomical axes */
    Coordinate *coordinate;  /* [coordinate] ascending, the three of a joint side by side */
    int *joint;              /* [coordinate] joint that it belongs to: its torque makes the moment */
    double *angle;           /* [frame][coordinate] rad, -pi to pi */
    double *velocity;        /* [frame][coordinate] rad/s */
    double *moment;          /* [frame][coordinate] Nm */
    double *power;           /* [frame][coordinate] W, positive generates */
    double *moment_sd;       /* [frame][coordinate] Nm, standard deviation of the moment about the axis as it stands;
                                NULL: nobody asked for that of the torque */
    Vec3 *axis;              /* [frame][coordinate] unit, world axes; NULL: not kept */
    uint8_t *singular;       /* [frame][coordinate] 1: too near a singular pose */
    double *capacity;        /* [frame][coordinate] Nm that the person could exert in the direction of the moment, at
                                that angle and speed; NaN: not known; NULL: nobody asked */
    double *utilization;             /* [frame][coordinate] size of the moment over the capacity; NaN, NULL: the same */
    double *passive;         /* [frame][coordinate] Nm that tissues exert without muscles, positive in the direction of
                                the coordinate; NaN: not known; NULL: nobody asked for strength, or axes not kept */
    char neutral[ANATOMY_TEXT_SIZE];   /* "rest": the pose in which angles are zero, and why */
    char knee_axis[ANATOMY_TEXT_SIZE]; /* "geometry" or "functional", with the knees that it holds for */
    char strength[ANATOMY_TEXT_SIZE];  /* whose: "athlete"; "" without capacity */
} Anatomy;

static inline size_t anatomy_index(const Anatomy *a, int frame, int place)
{
    return (size_t)frame * (size_t)a->coordinate_count + (size_t)place;
}

/* Zeroed, axis only when has_axes, without capacity and use; coordinate and joint are the caller's to fill. */
Status anatomy_init(Anatomy *a, int frame_count, int coordinate_count, int has_axes, Error *err);
Status anatomy_add_spread(Anatomy *a, Error *err);   /* zeroed moment_sd */
Status anatomy_add_strength(Anatomy *a, Error *err); /* zeroed capacity and use */
Status anatomy_add_passive(Anatomy *a, Error *err);  /* zeroed passive */
void anatomy_free(Anatomy *a);

/* Place of a coordinate among those of the clip; -1 where it has not got it. */
int anatomy_find(const Anatomy *a, Coordinate coordinate);

/* Place of the first of a joint's coordinates; -1: it has none. */
int anatomy_of_joint(const Anatomy *a, int joint);

/* The vector M with M . e_i = moment_i about the axes of three coordinates, of which first is the place of the first:
 * the sum of moment_i d_i. World axes. The anatomy has its axes; NaN where a moment is. */
Vec3 anatomy_vector(const Anatomy *a, int frame, int first, const double moment[COORDINATES_PER_JOINT]);

/* The largest utilization of strength over the coordinates of a joint; NaN where none is known. */
double anatomy_joint_use(const Anatomy *a, int frame, int joint);

#endif
