/* Anatomical coordinates: the rotations of joints with the names used by clinicians and OpenSim.
 *
 * A joint has three, in the order of its rotations from the proximal to the distal segment. The name gives the positive
 * direction: flexion, adduction, internal rotation, dorsiflexion, inversion, pronation, ulnar deviation. For the trunk
 * these are flexion forward, bending to the right, rotation to the left; for the elbow's carrying angle the hand away
 * from the body. The shoulder follows the ISB (Wu et al. 2005): plane of elevation (0 abduction, 90 degrees forward),
 * elevation from the hanging arm, internal rotation. Zero is the neutral pose (analysis/angles/neutral_pose.h). */
#ifndef KANE_CLIP_COORDINATE_H
#define KANE_CLIP_COORDINATE_H

#include "analysis/clip/skeleton.h"

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

#endif
