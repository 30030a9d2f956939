/* The page of one clip, or of two side by side. */
#ifndef KANE_FORMATS_REPORT_CLIPS_H
#define KANE_FORMATS_REPORT_CLIPS_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/report/report_page.h"

/* The motion that a page shows: a clip, or the simulation of one controller in its /tracking. */

/* The magnitude of each joint torque as a sum of four components along the torque, for a stacked plot. */

/* In this order: weight; inertia (linear, angular and gyroscopic); contact forces; the rest, from tables of kane torque
 * (forces, springs). */
enum { TORQUE_PARTS = 4 };

/* *out is [frame][joint][TORQUE_PARTS], N m; the sum of the parts is the magnitude of the torque. The caller frees it.
 * The clip must have body, kinematics and dynamics. */
Status torque_parts(const Clip *clip, double **out, Error *err);

/* The mannequin of a clip as series of its vertices and faces. */

/* Writes a JSON object {"vertices", "faces", "least", "step", "bind"} and appends to the block, in this order: x, y, z
 * of the vertices (least + (code - 1) step, m, in the bind pose); first and second joint of each vertex; weight of the
 * second in 1/SKIN_WEIGHT_STEPS; the three corners of the faces. bind: position, m, and rotation x, y, z, w of each
 * joint in the bind pose. A scene has "tints": runs of vertices of one colour, [count, red, green, blue, ...]. */
enum { SKIN_WEIGHT_STEPS = 64 };
Status skin_write(const Clip *clip, SeriesBlock *block, Json *json, Error *err);

/* Writes springs and tendons: [{"kind", "color": [red, green, blue], "points": [[joint, particle, x, y, z] ...]} ...];
 * m in joint axes; joint or particle -1: none. */
void page_lines_write(const Shapes *shapes, Json *json);

/* A body part with ground contact: a foot (ankle and toe together), or another joint with a point that touches the
 * ground in some frame. */
typedef struct Support {
    int foot;  /* FOOT_LEFT, FOOT_RIGHT, or FOOT_COUNT: a joint that is not of a foot */
    int joint; /* joint that gives the name; for a foot the ankle if present */
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

/* The quantities of a clip as series: joint rotations, torques, ground forces and so on, with name, unit and number of
 * series. Quantities that the clip lacks are omitted. */

/* Appends the series to block and writes a JSON list in the same order: {"name", "unit", "series": [[least, step]
 * ...]}.
 *
 * For poses, positions and forces a sample is its first frame. For loads and errors it is the frame of largest
 * magnitude within the stride, so that no peak is lost. */
Status curves_write(const PageClip *actor, SeriesBlock *block, Json *json, Error *err);

/* Returns the number of anatomical coordinates with series: none for a controller or if stride > 1. */
int curves_coordinate_count(const PageClip *actor);

enum { REPORT_ACTORS = 2 };

/* Largest number of joints (with end sites) times samples on a page; longer clips are shown with every second, third
 * ... frame. */
#define REPORT_MAX_VALUES 2000000L

/* One side of the page. */
typedef struct ReportSide {
    const Clip *clip;
    int is_controller; /* 0: the clip's own motion */
    ControllerKind controller;
} ReportSide;

/* The data of a page of clips. */
typedef struct ReportClipsData {
    char *json; /* [json_size] owned */
    size_t json_size;
    SeriesBlock series; /* owned */
} ReportClipsData;

/* Builds the data of 1 or 2 clips. The caller frees *out with report_clips_data_free; it is empty after failure. */
Status report_clips_data(const ReportSide *side, int count, ReportClipsData *out, Error *err);
void report_clips_data_free(ReportClipsData *data);

/* Writes the whole page; count is 1 or 2. */
Status report_clips_write(const ReportPage *page, const ReportSide *side, int count, FILE *stream, Error *err);

#endif
