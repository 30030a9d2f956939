/* A motion played forward by controllers: group /tracking of a container, one group a controller.
 *
 * Bodies that are too light to be simulated move with another one, their carrier: only the carrier's joint has errors
 * and torques, the others have zeros. */
#ifndef KANE_CLIP_TRACKING_H
#define KANE_CLIP_TRACKING_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

/* In the order of the table and of the file. */
typedef enum ControllerKind {
    CONTROLLER_PD = 0,
    CONTROLLER_PD_FEEDFORWARD,
    CONTROLLER_STABLE_PD,
    CONTROLLER_BUBBLE_UP,
    CONTROLLER_KANE,
    CONTROLLER_KANE_FEEDFORWARD,
    CONTROLLER_COUNT
} ControllerKind;

/* "stable-pd". Valid for the life of the program. */
const char *controller_name(ControllerKind kind);

/* What one controller made of the reference. */
typedef struct TrackingRun {
    int present;
    double *orientation_error; /* [frame][joint] rad, of the body in the world */
    double *position_error;    /* [frame][joint] m, of the body's COM */
    Quat *orientation;         /* [frame][joint] joint to world, as simulated */
    Vec3 *torque;              /* [frame][joint] Nm, of the parent on the body, world axes; root: from outside */
    Vec3 *root_position;       /* [frame] m, of the clip's root joint, as simulated */
    Vec3 *hand_force;          /* [frame] N, of the unseen hand on the first body's joint over the step that begins */
    Vec3 *hand_torque;         /* [frame] Nm, about that joint */
    Vec3 *ball;                /* [frame] m, centre of the ball, NaN before it is let go; NULL: there is none */
    double mean_error;         /* rad, over bodies and frames */
    double p95_error;          /* rad */
    double final_error;        /* rad, over bodies, in the last frame */
    double mean_distance;      /* m, over bodies and frames */
    double stable_time;        /* s, until the end, or until the simulation flew apart */
    double effort;             /* Nm, mean over time of the sum of the sizes of all torques */
    double hand_force_rms;     /* body weights */
    double hand_torque_rms;    /* Nm/kg */
    int is_flown_apart;        /* 1: at stable_time, its pose is kept from there on; not stored */
    int unsettled_count;       /* solves of contacts and limits that did not settle; not stored */
    double unsettled_time;     /* s, of the first */
} TrackingRun;

typedef struct Tracking {
    int frame_count, joint_count;
    double *time; /* [frame] s */
    int *carrier; /* [joint] joint of the body it moves with: itself, or an ancestor */
    TrackingRun run[CONTROLLER_COUNT];
} Tracking;

/* Zeroed, without runs. */
Status tracking_init(Tracking *t, int frame_count, int joint_count, Error *err);
/* Zeroed arrays for a run, which is then present; the ball's only when has_ball. */
Status tracking_add_run(Tracking *t, ControllerKind kind, int has_ball, Error *err);

/* Turns of all joints to their parents, and the root joint's places, of a run's frames: the motion that was simulated,
 * of skeleton `s`, at the rate of the steps. STATUS_BAD_INPUT for a run of fewer than two steps or without places. */
Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err);
void tracking_free(Tracking *t);

#endif
