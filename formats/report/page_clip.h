/* The motion that a page shows: a clip, or the simulation of one controller in its /tracking. */
#ifndef KANE_REPORT_PAGE_CLIP_H
#define KANE_REPORT_PAGE_CLIP_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* A body part with ground contact: a foot (ankle and toe together), or another joint with a point that touches the
 * ground in some frame; or one that is pushed. */
typedef struct Support {
    int foot;    /* FOOT_LEFT, FOOT_RIGHT, or FOOT_COUNT: a joint that is not of a foot */
    int joint;   /* joint that gives the name; for a foot the ankle if present */
    int is_push; /* 1: a force from elsewhere, in a simulation */
} Support;

typedef struct PageClip {
    const Clip *clip;
    const TrackingRun *run; /* NULL: the clip's own motion */
    ControllerKind controller;
    int frame_count;
    double start, frame_time;     /* s */
    const Vec3 *position;         /* [frame][joint] m, world */
    const Quat *orientation;      /* [frame][joint] joint to world */
    Vec3 *own_position;           /* owned; NULL if the clip has positions */
    Quat *own_orientation;        /* owned; NULL likewise */
    const Contact *contact;       /* of the clip, or of the simulation; NULL: none */
    Contact own_contact;          /* owned */
    int first_push;               /* first of its points that are pushes */
    Support *support;             /* [support_count] owned */
    int support_count;
    int *point_support;           /* [contact point] owned; index of its support, -1: none */
    unsigned char *is_residual;   /* [joint] owned; 1: its torque is the residual (joint_series.h) */
    unsigned char *is_helper;     /* [joint] owned; 1: has neither mass nor role */
    double mass;                  /* kg; NaN without a body */
    double *part;                 /* [frame][joint][TORQUE_PARTS] N m, owned; NULL without torques or if stride > 1 */
    Quat *rotation;               /* [sample][joint] child to parent, of continuous sign; owned */
    Vec3 *shift;                  /* [sample][joint] m, position in the parent's axes; owned */
    Vec3 *offset;                 /* [joint] m, mean of shift; owned */
    unsigned char *is_implied;    /* [joint] 1: w of rotation is always well above 0 and can be computed from x, y, z;
                                     owned */
    unsigned char *is_shifting;   /* [joint] 1: shift is not constant; owned */
    int stride;                   /* frames per sample */
    int sample_count;
} PageClip;

/* Prepares the clip's own motion, or that of a controller: STATUS_USAGE if the clip has no such run. max_values:
 * largest number of joints (with end sites) times samples, from which stride follows. The clip must outlive *out, which
 * is empty after failure. */
Status page_clip_init(const Clip *clip, long max_values, PageClip *out, Error *err);
Status page_clip_init_controller(const Clip *clip, ControllerKind kind, long max_values, PageClip *out, Error *err);
void page_clip_free(PageClip *actor);

/* Returns 1 if a point of the support is in contact in this frame. */
int page_clip_is_down(const PageClip *actor, int support, int frame);

/* Computes the force on a support, N, and its point of action, m, in world axes; the point is NaN without load. */
void page_clip_support_force(const PageClip *actor, int support, int frame, Vec3 *force, Vec3 *point);

#endif
