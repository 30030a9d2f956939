/* What a page shows moving: a clip, or what one controller of its /tracking made of it. */
#ifndef KANE_FORMATS_REPORT_ACTOR_H
#define KANE_FORMATS_REPORT_ACTOR_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

/* A part of the body that the ground carries: a foot (ankle and toe together), or any other joint of which a point
 * touches it at some time. */
typedef struct Support {
    int foot;  /* FOOT_LEFT, FOOT_RIGHT, or FOOT_COUNT: the joint alone */
    int joint; /* whose name it has; of a foot the ankle or what stands for it */
} Support;

typedef struct Actor {
    const Clip *clip;
    const TrackingRun *run; /* NULL: the clip's own motion */
    ControllerKind controller;
    int frame_count;
    double start, frame_time;     /* s */
    const Vec3 *position;         /* [frame][joint] m, world */
    const Quat *orientation;      /* [frame][joint] joint to world */
    Vec3 *own_position;           /* owned; NULL where the clip holds positions */
    Quat *own_orientation;        /* owned, the same */
    Support *support;             /* [support_count] owned */
    int support_count;
    int *point_support;           /* [point of the contact] owned; its support, -1: none */
    unsigned char *is_residual;   /* [joint] owned; 1: carries the residual (joint_series.h) */
    unsigned char *is_helper;     /* [joint] owned; 1: neither mass nor role of its own */
    double mass;                  /* kg; NaN without a body */
    double *part;                 /* [frame][joint][TORQUE_PARTS] Nm, torque_parts.h; owned, NULL without
                                     torques, and in a page too long to show every frame */
    Quat *turn;                   /* [sample][joint] child to parent, signs continuous; owned */
    Vec3 *shift;                  /* [sample][joint] m, from the parent's centre, its axes; owned */
    Vec3 *offset;                 /* [joint] m, the mean of shift; owned */
    unsigned char *is_implied;    /* [joint] 1: w of turn is far above 0 and follows from x, y, z; owned */
    unsigned char *is_shifting;   /* [joint] 1: shift leaves its mean; owned */
    int stride;                   /* frames for each sample that is shown */
    int sample_count;
} Actor;

/* The clip's own motion, and what a controller made of it: STATUS_USAGE where the clip has no run of it. most_values:
 * joints times samples that may be shown; the stride follows. The clip must outlive the actor. On failure *out is
 * empty. */
Status actor_init(const Clip *clip, long most_values, Actor *out, Error *err);
Status actor_init_controller(const Clip *clip, ControllerKind kind, long most_values, Actor *out, Error *err);
void actor_free(Actor *actor);

/* 1 where a point of the support touches the ground at a frame of the clip. */
int actor_is_down(const Actor *actor, int support, int frame);

/* Force on the support, N, and where it acts, m, world axes. NaN for the place where nothing is carried. */
void actor_support_force(const Actor *actor, int support, int frame, Vec3 *force, Vec3 *place);

#endif
