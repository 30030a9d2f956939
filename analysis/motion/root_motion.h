/* Root motion: the path of a body over the ground, which a clip keeps, loses, or carries on another joint. World axes,
 * +Y up. */
#ifndef KANE_MOTION_ROOT_MOTION_H
#define KANE_MOTION_ROOT_MOTION_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* What happens to the path. In a skeleton whose root is the hips, the first, second and last are the same. */
typedef enum RootMotion {
    ROOT_MOTION_KEEP = 0, /* as in the clip */
    ROOT_MOTION_TRAVEL,   /* the root follows the hips along the ground and in heading; the hips have height and tilt */
    ROOT_MOTION_IN_PLACE, /* without travel */
    ROOT_MOTION_HIPS,     /* the root stays as in frame 0 and the hips travel */
} RootMotion;

/* "keep", "travel", "in-place", "hips"; NULL-terminated. */
extern const char *const root_motion_names[];

/* Rotation about the vertical, then a shift. */
typedef struct GroundMove {
    double yaw; /* rad about +Y */
    Vec3 shift; /* m */
} GroundMove;

Vec3 ground_move_point(const GroundMove *move, Vec3 point);
Quat ground_move_rotation(const GroundMove *move, Quat rotation);
GroundMove ground_move_inverse(const GroundMove *move);

/* Part of a move along its screw: fraction 0 is rest, 1 the move, and parts add up. */
GroundMove ground_move_fraction(const GroundMove *move, double fraction);

/* The twist about the vertical from one world orientation to another, rad in (-pi, pi]. */
double heading_between(Quat from, Quat to);

/* The joint that carries the body: the hips or, without that role, the root. */
int root_motion_carrier(const Skeleton *skeleton);

/* Moves the body in one frame. */
void root_motion_move(Motion *motion, int frame, const GroundMove *move);

/* Pose of the root or a joint between it and the hips, and how the hips are turned while it has it. */
typedef struct RootPose {
    Vec3 position;    /* m, world */
    Quat orientation; /* to the world */
    Quat hips;
} RootPose;

/* Of a frame; of the skeleton at rest if motion is NULL. */
RootPose root_motion_pose(const Skeleton *skeleton, const Motion *motion, int frame, int joint);

/* Takes the even part of the path along the ground out, from the first frame to the last, as on a belt. */
void root_motion_stop(const Skeleton *skeleton, Motion *motion);

/* Moves the travel between root and hips for ROOT_MOTION_TRAVEL and ROOT_MOTION_HIPS: changes the root and its
 * children, whose poses in the world stay. Adds translations to the motion if it needs them. The root's height, and its
 * heading relative to the hips, are those of frame 0; in root_motion_place_as, which places any joint above the hips,
 * those of `start`. */
Status root_motion_place(const Skeleton *skeleton, RootMotion kind, Motion *motion, Error *err);

typedef struct RootPlace {
    int joint;
    RootMotion kind;
    RootPose start;
} RootPlace;

Status root_motion_place_as(const Skeleton *skeleton, const RootPlace *place, Motion *motion, Error *err);

#endif
