/* Simulation of the clip by tracking controllers: group /tracking of a clip file, one subgroup per controller.
 *
 * Bodies too light to be simulated are attached to another one, their carrier: only the carrier's joint has errors and
 * torques, the others have zeros. */
#ifndef KANE_CLIP_TRACKING_H
#define KANE_CLIP_TRACKING_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

#define TRACKING_BALL_RADIUS 0.05 /* m, of the ball that is dropped on the body; not stored */

/* The controllers, in the order of tables and of the file; analysis/control/controller.c has the method of each. */
#define CONTROLLERS(CONTROLLER) \
    CONTROLLER(PD, "pd") CONTROLLER(PD_FEEDFORWARD, "pd-feedforward") CONTROLLER(STABLE_PD, "stable-pd") \
    CONTROLLER(BUBBLE_UP, "bubble-up") CONTROLLER(KANE, "kane") CONTROLLER(KANE_FEEDFORWARD, "kane-feedforward") \
    CONTROLLER(PD_INVERSE, "pd-inverse")

#define CONTROLLER_KIND(kind, name) CONTROLLER_##kind,
typedef enum ControllerKind { CONTROLLERS(CONTROLLER_KIND) CONTROLLER_COUNT } ControllerKind;

/* Returns a name such as "stable-pd". Static storage. */
const char *controller_name(ControllerKind kind);

/* What became of a run. */
#define OUTCOMES(OUTCOME) \
    OUTCOME(HELD, "held") OUTCOME(STANDS, "stands") OUTCOME(STEPS, "steps") OUTCOME(FALLS, "falls") \
    OUTCOME(DIVERGES, "diverges")

#define OUTCOME_KIND(kind, name) OUTCOME_##kind,
typedef enum TrackingOutcome { OUTCOMES(OUTCOME_KIND) OUTCOME_COUNT } TrackingOutcome;

/* "held": a prescribed root; "stands": it kept its balance without an adapted step; "steps": with some. Static. */
const char *outcome_name(TrackingOutcome outcome);

enum { OUTCOME_SIZE = 12, OUTCOME_TEXT_SIZE = 80 };

/* Result of one controller. */
typedef struct TrackingRun {
    int present;
    double *orientation_error; /* [frame][joint] rad, of the body in world axes */
    double *position_error;    /* [frame][joint] m, of the body's centre of mass */
    Quat *orientation;         /* [frame][joint] joint to world, simulated */
    Vec3 *torque;              /* [frame][joint] N m, of the parent on the body, world axes; root: external */
    Vec3 *root_position;       /* [frame] m, of the clip's root joint, simulated */
    Vec3 *root_residual_force; /* [frame] N, of the residual actuator on the first body's joint, mean over the step */
    Vec3 *root_residual_torque; /* [frame] N m, about that joint */
    Vec3 *contact_force;       /* [frame][joint] N, of ground and ball on the body, mean over the step; NULL: neither */
    Vec3 *contact_moment;      /* [frame][joint] N m, about the joint; NULL with contact_force */
    Vec3 *push_force;          /* [frame][joint] N, of pushes and tabulated forces, mean over the step; NULL: none */
    Vec3 *push_moment;         /* [frame][joint] N m, about the joint; NULL with push_force */
    Vec3 *ball;                /* [frame] m, centre of the ball, NaN before its release; NULL: no ball */
    double mean_error;         /* rad, over bodies and frames */
    double p95_error;          /* rad */
    double final_error;        /* rad, over bodies, in the last frame */
    double mean_distance;      /* m, over bodies and frames */
    double stable_time;        /* s, to the end, or until the simulation diverged */
    double torque_sum_mean;    /* N m, mean over time of the sum of all torque magnitudes */
    double root_residual_force_rms;  /* body weights */
    double root_residual_torque_rms; /* N m/kg */
    char outcome[OUTCOME_SIZE]; /* outcome_name */
    double lost_time;          /* s, source time, of the loss of balance, or of the divergence; NaN: none */
    double rest_time;          /* s, at which a fallen body came to rest on the ground; NaN: it did not */
    int step_count;            /* steps simulated; the pose is held from there on; not stored */
    int is_flown_apart;        /* 1: diverged at stable_time, the pose is held from there on; not stored */
    int unsettled_count;       /* solves of contacts and limits that did not converge; not stored */
    double unsettled_time;     /* s, of the first of these */
} TrackingRun;

typedef struct Tracking {
    int frame_count, joint_count;
    double *time; /* [frame] s */
    int *carrier; /* [joint] joint of the body that it moves with: itself or an ancestor */
    TrackingRun run[CONTROLLER_COUNT];
} Tracking;

/* What became of a run, in words: "stands", "falls at 1.31 s, at rest at 3.2 s". Empty for a file without outcomes. */
void tracking_outcome_text(const TrackingRun *run, char text[OUTCOME_TEXT_SIZE]);

/* Allocates zeroed arrays, without runs. */
Status tracking_init(Tracking *t, int frame_count, int joint_count, Error *err);
/* Arrays that a run may lack. */
enum { RUN_BALL = 1, RUN_CONTACT = 2, RUN_PUSHES = 4 };

/* Allocates zeroed arrays for a run and marks it as present. parts: of these, those it has. */
Status tracking_add_run(Tracking *t, ControllerKind kind, int parts, Error *err);

/* Frees a run, which is then absent. */
void tracking_drop_run(Tracking *t, ControllerKind kind);

/* The simulated motion of a run for skeleton `s`: joint rotations relative to the parents and root positions, at the
 * rate of the steps. STATUS_BAD_INPUT for a run that is absent or has fewer than two steps. The caller frees *out. */
Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err);
void tracking_free(Tracking *t);

#endif
