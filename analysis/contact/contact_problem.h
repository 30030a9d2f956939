/* The problem of ground contact as numbers: what the motion needs, where contacts could act, what each would cost.
 *
 * Forces in body weights, lengths in leg lengths L, in contact axes: x forward of the body in the first frame, y along
 * the ground normal. So the result turns with the clip. In each frame the cost is
 *
 *     |sum f - F|^2 + |sum (p - com) x f - M|^2 + |torque of hips and ankles|^2 + sum penalty |f|^2,
 *
 * each term with its weights, and between frames |f_t - f_(t-1)|^2: a chain (contact_estimate.c). contact_estimate.h
 * fills it from a clip. */
#ifndef KANE_CONTACT_CONTACT_PROBLEM_H
#define KANE_CONTACT_CONTACT_PROBLEM_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/roll_over.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"

/* What the motion needs of the ground: force and moment about the COM in every frame, and how far to believe them.
 *
 * Accelerations come from a recording and carry its noise. In flight a body needs nothing, so what it seems to need
 * there is noise, and estimates that of the whole clip; a clip without flight is taken for a noisy one. The
 * side-to-side force of a noisy clip is that of the trunk's shake: it loses what is faster than a step. */

/* Forces in body weights, moments in body weights times L, places in L; contact axes. */
typedef struct RequiredWrench {
    int frame_count;
    double weight;  /* N */
    double length;  /* m, L */
    Vec3 *force;    /* [frame] */
    Vec3 *moment;   /* [frame] about the COM */
    Vec3 *com;      /* [frame] */
    Vec3 *side;     /* [frame] unit, along the ground, to the body's right */
    double noise;   /* 0 clean .. 1 noisy */
} RequiredWrench;

/* Fills the arrays, which are the arena's, from the dynamics without contact; weight and length are set. */
Status required_wrench_find(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes,
                            const ContactConstants *constants, Arena *arena, RequiredWrench *out);

/* The point p of the ground, at `level` L, about which the needed force needs no moment but along y:
 * M + (com - p) x F = (0, m, 0). NaN where the body needs little support. */
Vec3 required_wrench_pressure(const RequiredWrench *need, int frame, double level);

typedef struct ContactPrior ContactPrior;

typedef struct ContactProblem {
    const ClipView *clip; /* not owned */
    ContactPoints points;
    Ground ground;
    Dynamics unloaded;  /* inverse dynamics without ground forces: torques and residuals */
    Mat3 axes;          /* world to contact axes */
    double weight;      /* N */
    double frame_time;  /* s */
    Vec3 *lever;        /* [frame][point] L, contact axes, world origin: where the force acts */
    double *penalty;    /* [frame][point] */
    RequiredWrench need;
    double *vertical;   /* [frame] body weights: force along the normal that the whole body needs */
    double *gait;       /* [frame] likeness to gait: 1 one foot after the other .. 0 both feet at once */
    double *run;        /* [frame] likeness of gait to running: 0 some foot always carries .. 1 */
    double *still;      /* [frame] likeness to a body that stands still or moves slowly: 1 .. 0 it jumps or lands */
    const RollOver *roll_over; /* not owned */
    ContactPrior *prior; /* NULL: nothing is known of the split between the feet */
    double *load;       /* [frame][point] body weights: vertical forces of the first estimate; NULL: none yet */
    Vec3 *pressure;     /* [frame] L, contact axes: the centre of pressure that the motion asks for */
    const uint8_t *bridged; /* [frame] 1: not the source's; NULL: none is; not owned */
    uint8_t *support; /* [frame] SUPPORT_ bits: a seat is under the hips (support.h), a hand holds a rail (support.h) */
    Arena memory;       /* of the arrays */
} ContactProblem;

void contact_problem_free(ContactProblem *p);

/* Frees what only the solution needs: points, axes, levers, penalties and the plane of the ground stay. */
void contact_problem_solved(ContactProblem *p);

/* A point that holds a rail in a frame: what it carries may point anywhere. */
static inline int contact_grips(const ContactProblem *p, int frame, int point)
{
    return (p->support[frame] & p->points.point[point].grip) != 0;
}

/* What a force at a contact point costs, from how far it hovers and how fast it slides.
 *
 * A limb at rest above the ground (a foot on a box, or one held up) costs more as long as the other contacts can hold
 * the body: as long as the centre of pressure that the motion asks for lies among them. */

#define CONTACT_PENALTY_MOST 1e3 /* at and above this a point is no candidate */

/* Of a point that touches and rests. */
double contact_rest_penalty(const ContactPoints *points, int point);

/* How far p, L, lies outside the convex hull of the levers of points that cost less than the limit, as seen along 32
 * directions: 0 inside, infinite where there is none. raised[group]: those that do not count; NULL: all do. */
double contact_outside(const ContactPoints *points, const uint8_t *raised, const double *cost, double limit,
                       const Vec3 *lever, Vec3 p);

/* penalty[frame][point], contact_rest_penalty for a point that touches and rests. lever[frame][point] and
 * pressure[frame] in L, y up: where a force would act, and the needed centre of pressure; NaN where none is needed.
 * need[frame]: vertical force that the whole body needs, body weights. */
void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *need, double *penalty);

/* What motion does not determine and people share: how the load passes from foot to foot, how two feet push against
 * each other, and where under a foot the pressure lies. Learned from force plates (data/contact.tsv).
 *
 * It needs a first estimate of the forces: the loads of that say when one foot takes over from the other and how like
 * gait a stretch is. The less it is, the less is presumed: what stays is the least effort of the cost. */

/* Where the pressure under a foot lies in gait: along it as the foot rolls over (roll_over.h), across it some of the
 * way of the COM. */
typedef struct PressurePlace {
    Vec3 ball;    /* L, contact axes: under the toe joint */
    Vec3 axis[2]; /* unit: forward and outward */
    double at[2]; /* L, from the ball along these */
} PressurePlace;

struct ContactPrior {
    int first[FOOT_COUNT];   /* first of the points of a foot: two of the heel, two of the ball, the toe */
    double *share;           /* [frame] part of the load that the left foot carries, 0 .. 1 */
    double *sure;            /* [frame] 1: the share is that of a passing load, 0: only the first estimate's */
    double *load;            /* [frame] body weights that both carry, 1 at most */
    double *lean;            /* [frame] that forces in gait lean further forward for the impulse of the motion */
    PressurePlace *place;    /* [frame][foot] */
    double offset[2];        /* L: of the pressure in this clip, along and across the foot */
    Vec3 *row;               /* [point] scratch */
};

/* From the first estimate force[frame][point], body weights; closes the points of a foot that has not taken over or
 * has handed over (penalty), and sets gait. *out is NULL where the body has no two feet. All is the arena's. */
Status contact_prior_find(ContactProblem *problem, Vec3 *force, Arena *arena, ContactPrior **out);

#define CONTACT_LEAST_SUM 0.3 /* body weights: with less on both feet nothing passes from one to the other */

/* Fills place and offset of a prior whose shares and likeness to running are known; sum[frame]: body weights on
 * both feet. The toes of a runner come to press further ahead (lever). */
void contact_pressure_find(ContactProblem *problem, const double *sum, ContactPrior *prior);

/* weight (sum coefficient . f - target)^2 / 2 over the candidates among the points of a foot, or of both
 * (FOOT_COUNT). */
typedef struct PriorRow {
    int foot;
    double weight, target;
    Vec3 coefficient[FOOT_COUNT][FOOT_POINTS];
} PriorRow;

/* Receives equations one after the other. */
typedef struct PriorSink {
    void (*add)(void *to, const PriorRow *row);
    void *to;
} PriorSink;

/* The equations of the prior in a frame; none where prior is NULL. */
void contact_prior_rows(const ContactPrior *prior, const ContactProblem *problem, size_t frame, const PriorSink *sink);

#endif
