/* What a page shows moving: a clip, or what one controller of its /tracking made of it. */
#ifndef KANE_REPORT_PAGE_CLIP_H
#define KANE_REPORT_PAGE_CLIP_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"
#include "formats/report/report_page.h"

/* Where the size of every joint's torque comes from: the parts of its terms along it, in four groups that stack. */

/* Weight; inertia, linear, angular and gyroscopic; forces of the ground and other contacts; what is left, which tables
 * of kane torque gave (forces, springs). */
enum { TORQUE_PARTS = 4 };

/* *out becomes [frame][joint][TORQUE_PARTS], Nm, which sum to the length of the torque; the caller frees it. The clip
 * has body, kinematics and dynamics. */
Status torque_parts(const Clip *clip, double **out, Error *err);

/* The body of a clip for its page: the mannequin as series of its vertices and faces. */

/* Writes a JSON object: {"vertices", "faces", "least", "step", "bind"}. Appended to the block, in this order: x, y, z
 * of the vertices (least + (code - 1) step, m, in the pose of the skin), first and second joint of each vertex, share
 * of the second in 1/SKIN_SHARES, and the three corners of the faces. bind: of every joint its place, m, and turn
 * x, y, z, w in that pose. Of a scene "tints": runs of vertices with their colour, [count, red, green, blue, ...]. */
enum { SKIN_SHARES = 64 };
Status skin_write(const Clip *clip, SeriesBlock *block, Json *json, Error *err);

/* Springs and tendons: [{"kind", "color": [red, green, blue], "points": [[joint, particle, x, y, z] ...]} ...]; m in
 * axes of the joint, -1: none. */
void page_lines_write(const Shapes *shapes, Json *json);

/* A part of the body that the ground carries: a foot (ankle and toe together), or any other joint of which a point
 * touches it at some time. */
typedef struct Support {
    int foot;  /* FOOT_LEFT, FOOT_RIGHT, or FOOT_COUNT: the joint alone */
    int joint; /* whose name it has; of a foot the ankle or what stands for it */
} Support;

typedef struct PageClip {
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
    double *part;                 /* [frame][joint][TORQUE_PARTS] Nm, page_clip.h; owned, NULL without
                                     torques, and in a page too long to show every frame */
    Quat *turn;                   /* [sample][joint] child to parent, signs continuous; owned */
    Vec3 *shift;                  /* [sample][joint] m, from the parent's centre, its axes; owned */
    Vec3 *offset;                 /* [joint] m, the mean of shift; owned */
    unsigned char *is_implied;    /* [joint] 1: w of turn is far above 0 and follows from x, y, z; owned */
    unsigned char *is_shifting;   /* [joint] 1: shift leaves its mean; owned */
    int stride;                   /* frames for each sample that is shown */
    int sample_count;
} PageClip;

/* The clip's own motion, and what a controller made of it: STATUS_USAGE where the clip has no run of it. most_values:
 * joints times samples that may be shown; the stride follows. The clip must outlive the actor. On failure *out is
 * empty. */
Status page_clip_init(const Clip *clip, long most_values, PageClip *out, Error *err);
Status page_clip_init_controller(const Clip *clip, ControllerKind kind, long most_values, PageClip *out, Error *err);
void page_clip_free(PageClip *actor);

/* 1 where a point of the support touches the ground at a frame of the clip. */
int page_clip_is_down(const PageClip *actor, int support, int frame);

/* Force on the support, N, and where it acts, m, world axes. NaN for the place where nothing is carried. */
void page_clip_support_force(const PageClip *actor, int support, int frame, Vec3 *force, Vec3 *place);

/* The quantities of an actor as series: turns of the joints, torque, ground force and so on, each with its name, unit
 * and number of series. What the clip lacks is left out. */

/* Appends the series to block and writes a JSON list to json, in the order of the series:
 * {"name", "unit", "series": [[least, step] ...]}.
 *
 * Of a pose, a place or a force the sample is its first frame; of a load or an error it is the frame, of all that the
 * sample stands for, in which it is largest in size, so that no peak is lost. */
Status curves_write(const PageClip *actor, SeriesBlock *block, Json *json, Error *err);

/* How many anatomical coordinates have series: none of a controller, nor in a page too long to show every frame. */
int curves_coordinate_count(const PageClip *actor);

#endif
