/* A camera that follows a body on damped springs, as a game's third-person camera does.
 *
 * Its distance, yaw and pitch about the focus (the root joint) each have a spring; so have the yaw and pitch of its
 * view. A jump of the body is a smooth pan, and the farther the body is, the faster the camera moves. Springs are exact
 * for any step (spring_step), and the focus moves in straight lines between frames, in steps of at most CAMERA_STEP:
 * one motion at 30, 60 or 120 frames per second has one camera path.
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
    CAMERA_FIXED   /* at its first position: it only turns */
} CameraKind;

typedef struct CameraDef {
    CameraKind kind;
    double distance;      /* m, from the focus at rest; default 4 */
    double pitch;         /* degrees above the horizontal at rest, -80 to 80; default 15 */
    double yaw;           /* degrees from straight behind the body, counter-clockwise from above; default 0 */
    double frequency;     /* Hz, of all springs, undamped; default 1 */
    double damping_ratio; /* of all springs; default 1, critical */
} CameraDef;

CameraDef camera_default_def(void);

/* STATUS_USAGE for a number out of its range. */
Status camera_check(const CameraDef *def, Error *err);

/* What a camera follows: one frame. */
typedef struct CameraTarget {
    Vec3 focus;     /* m, world */
    double heading; /* rad, continuous: atan2(x, z) of the body's forward direction on the level */
} CameraTarget;

typedef struct CameraFrame {
    Vec3 position;            /* m, world */
    Quat orientation;         /* camera to world: it looks along its -Z, up is +Y (glTF, Blender) */
    double radius, yaw, pitch; /* m, rad, rad: where the camera is, seen from the focus; yaw is atan2(x, z) */
} CameraFrame;

/* camera[frame_count] by target[frame_count], frame_time (s) apart. The camera begins at rest in the springs' rest
 * position, its view on the focus. */
void camera_follow(const CameraDef *def, const CameraTarget *target, int frame_count, double frame_time,
                   CameraFrame *camera);

/* The target of every frame of a motion: the root joint, and forward of the line of the hips (of the root joint's Z
 * axis without hips, and as before where that line is upright). target[motion->frame_count]. */
void camera_targets(const Skeleton *skeleton, const Motion *motion, CameraTarget *target);

/* A motion's camera and what it follows: arrays of motion->frame_count in the arena. */
typedef struct CameraPath {
    CameraTarget *target;
    CameraFrame *camera;
} CameraPath;

Status camera_path(const CameraDef *def, const Skeleton *skeleton, const Motion *motion, Arena *arena,
                   CameraPath *path, Error *err);

#endif
