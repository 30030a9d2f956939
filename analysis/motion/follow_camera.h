/* A camera that follows a body on damped springs, like a game's third-person camera.
 *
 * Its distance, yaw and pitch about the focus (the root joint) each have a spring, as do the yaw and pitch of its view.
 * A jump of the body becomes a smooth pan, and the camera's speed grows with its distance from the rest position. The
 * springs are exact for any step (spring_step), and the focus moves on straight lines between frames, in steps of at
 * most CAMERA_STEP: the path of the camera is independent of the frame rate.
 *
 * Reference: R. Juckett, Damped Springs (2012), introduction. */
#ifndef KANE_MOTION_FOLLOW_CAMERA_H
#define KANE_MOTION_FOLLOW_CAMERA_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

#define CAMERA_STEP (1 / 480.0) /* s */

typedef enum CameraKind {
    CAMERA_NONE = 0,
    CAMERA_FOLLOW, /* behind the body */
    CAMERA_FIXED   /* at its first position: only rotates */
} CameraKind;

typedef struct CameraDef {
    CameraKind kind;
    double distance;      /* m, from the focus, at rest; default 4 */
    double pitch;         /* degrees above the horizontal, at rest, -80 to 80; default 15 */
    double yaw;           /* degrees from straight behind the body, counter-clockwise from above; default 0 */
    double frequency;     /* Hz, undamped natural frequency of all springs; default 1 */
    double damping_ratio; /* of all springs; default 1 (critical) */
} CameraDef;

CameraDef camera_default_def(void);

/* STATUS_USAGE for a value out of range. */
Status camera_check(const CameraDef *def, Error *err);

/* What a camera follows, in one frame. */
typedef struct CameraTarget {
    Vec3 focus;     /* m, world */
    double heading; /* rad, continuous: atan2(x, z) of the horizontal part of the body's forward direction */
} CameraTarget;

typedef struct CameraFrame {
    Vec3 position;            /* m, world */
    Quat orientation;         /* camera to world: the view is along -Z, up is +Y (glTF, Blender) */
    double radius, yaw, pitch; /* m, rad, rad: the camera relative to the focus; yaw is atan2(x, z) */
} CameraFrame;

/* Computes camera[frame_count] from target[frame_count], frame_time (s) apart. The camera starts at the springs' rest
 * position, at rest and with its view on the focus. */
void camera_follow(const CameraDef *def, const CameraTarget *target, int frame_count, double frame_time,
                   CameraFrame *camera);

/* Computes target[motion->frame_count]: the root joint, and the forward direction from the line through the hips.
 * Without hips, forward is the root joint's Z axis; where forward is nearly vertical the heading is that of the frame
 * before. */
void camera_targets(const Skeleton *skeleton, const Motion *motion, CameraTarget *target);

/* The camera of a motion and its targets: arrays of motion->frame_count elements in the arena. */
typedef struct CameraPath {
    CameraTarget *target;
    CameraFrame *camera;
} CameraPath;

Status camera_path(const CameraDef *def, const Skeleton *skeleton, const Motion *motion, Arena *arena,
                   CameraPath *path, Error *err);

#endif
