/* The problem of ground contact in numbers: what the motion requires, where contacts can act, and the cost of each.
 *
 * Forces in body weights, lengths in leg lengths L, in contact axes: x is the body's forward direction in the first
 * frame, y the ground normal. So the result rotates with the clip. The cost of a frame is
 *
 * |sum f - F|^2 + |sum (p - com) x f - M|^2 + |torque of hips and ankles|^2 + sum penalty |f|^2,
 *
 * each term with its weights, and between frames |f_t - f_(t-1)|^2: a chain (contact_estimate.c). contact_estimate.h
 * sets it up for a clip. */
#ifndef KANE_CONTACT_CONTACT_PROBLEM_H
#define KANE_CONTACT_CONTACT_PROBLEM_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"

/* Force and moment about the COM that the motion requires of the ground in every frame, and their reliability.
 *
 * Accelerations of a recording contain noise. In flight the required force is zero, so that an apparent one is noise;
 * it estimates the noise of the whole clip. A clip without flight counts as noisy. The lateral force of a noisy clip is
 * mostly shake of the trunk: components faster than a step are filtered out. */

/* Forces in body weights, moments in body weights times L, positions in L; contact axes. */
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

/* Fills the arrays, which belong to the arena, from the dynamics without contact; weight and length must be set. */
Status required_wrench_find(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes,
                            const ContactConstants *constants, Arena *arena, RequiredWrench *out);

/* The point p of the ground, at `level` L, about which the required force has no horizontal moment: M + (com - p) x F =
 * (0, m, 0). NaN if the body requires little support. */
Vec3 required_wrench_pressure(const RequiredWrench *required, int frame, double level);

typedef struct ContactPrior ContactPrior;

typedef struct ContactProblem {
    const ClipView *clip; /* not owned */
    ContactPoints points;
    Ground ground;
    Dynamics unloaded;  /* inverse dynamics without ground forces: torques and residuals */
    Mat3 axes;          /* world to contact axes */
    double weight;      /* N */
    double frame_time;  /* s */
    Vec3 *lever;        /* [frame][point] L, contact axes, world origin: point of application */
    double *penalty;    /* [frame][point] */
    RequiredWrench wrench;
    double *vertical;   /* [frame] body weights: force along the normal that the whole body requires */
    double *gait;       /* [frame] similarity to gait: 1 one foot after the other .. 0 both feet at once */
    double *run;        /* [frame] similarity of gait to running: 0 some foot always supports .. 1 */
    double *still;      /* [frame] similarity to standing or slow motion: 1 .. 0 jumping or landing */
    const RollOver *roll_over; /* not owned */
    ContactPrior *prior; /* NULL: no prior on the split between the feet */
    double *load;       /* [frame][point] body weights: vertical forces of the first estimate; NULL: none yet */
    Vec3 *pressure;     /* [frame] L, contact axes: the centre of pressure that the motion requires */
    const uint8_t *bridged; /* [frame] 1: not recorded by the source; NULL: all are; not owned */
    uint8_t *support; /* [frame] SUPPORT_ bits: a seat under the hips, a rail in a hand (support.h) */
    Arena memory;       /* owns the arrays */
} ContactProblem;

void contact_problem_free(ContactProblem *p);

/* Frees what only the solution requires. Points, axes, levers, penalties and the ground plane stay. */
void contact_problem_solved(ContactProblem *p);

/* 1 if a point holds a rail in a frame: its force may have any direction. */
static inline int contact_grips(const ContactProblem *p, int frame, int point)
{
    return (p->support[frame] & p->points.point[point].grip) != 0;
}

/* Similarity of the motion of a human in a frame to a jump or a landing on both feet: 0 .. 1. */
static inline double contact_jump(const ContactProblem *p, size_t frame)
{
    return p->points.has_feet ? (1 - p->gait[frame]) * (1 - p->still[frame]) : 0;
}

/* Cost of a force at a contact point, from its clearance and its sliding speed.
 *
 * A limb at rest above the ground (a foot on a box, or a raised one) costs more while the other contacts can support
 * the body, that is, while the required centre of pressure is among them. */

#define CONTACT_PENALTY_MOST 1e3 /* a point with this penalty or more is no candidate */

/* Penalty of a point that touches and is at rest. */
double contact_rest_penalty(const ContactPoints *points, int point);

/* Distance of p, L, outside the convex hull of the levers of points that cost less than the limit, along 32 directions:
 * 0 inside, infinite if there is none. raised[group]: groups to ignore; NULL: none. */
double contact_outside(const ContactPoints *points, const uint8_t *raised, const double *cost, double limit,
                       const Vec3 *lever, Vec3 p);

/* penalty[frame][point]; contact_rest_penalty for a point that touches and is at rest. lever[frame][point] and
 * pressure[frame] in L, y up: point of application, and the required centre of pressure; NaN if none is required.
 * required[frame]: required vertical force, body weights. */
void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *required, double *penalty);

/* Prior: what the motion does not determine but people have in common. How the load passes from foot to foot, how two
 * feet push against each other, and where the pressure under a foot lies. Fitted to force plates (data/contact.tsv).
 *
 * It requires a first estimate of the forces, whose loads show when one foot takes over from the other and how similar
 * an interval is to gait. The less similar it is, the weaker the prior; the rest is the least effort of the cost. */

/* Prior position of the pressure under a foot in gait: along the foot by its roll-over, across it by a
 * fraction of the COM's offset. */
typedef struct FootPressure {
    Vec3 ball;    /* L, contact axes: under the toe joint */
    Vec3 axis[2]; /* unit: forward and outward */
    double at[2]; /* L, from the ball along these directions */
} FootPressure;

struct ContactPrior {
    int first[FOOT_COUNT];   /* first point of each foot: two of the heel, two of the ball, the toe */
    double *left_fraction;   /* [frame] fraction of the load on the left foot, 0 .. 1 */
    double *sure;            /* [frame] 1: the fraction is that of a load transfer; 0: that of the first estimate */
    double *load;            /* [frame] body weights on both feet, 1 at most */
    double *lean;            /* [frame] that forces in gait lean further forward for the impulse of the motion */
    FootPressure *pressure;  /* [frame][foot] */
    double offset[2];        /* L: mean offset of the pressure in this clip, along and across the foot */
    Vec3 *row;               /* [point] scratch */
};

/* Derives the prior from the first estimate force[frame][point], body weights; closes the points of a foot before it
 * takes over and after it has handed over (penalty), and sets gait. *out is NULL if the body does not have two feet.
 * All memory belongs to the arena. */
Status contact_prior_find(ContactProblem *problem, Vec3 *force, Arena *arena, ContactPrior **out);

#define CONTACT_LEAST_SUM 0.3 /* body weights: with less on both feet there is no transfer */

/* Adds weight (sum coefficient . f - target)^2 / 2 over the candidates among the points of a foot, or of both
 * (FOOT_COUNT). */
typedef struct PriorRow {
    int foot;
    double weight, target;
    Vec3 coefficient[FOOT_COUNT][FOOT_POINTS];
} PriorRow;

/* Receives the prior's equations one by one. */
typedef struct PriorSink {
    void (*add)(void *to, const PriorRow *row);
    void *to;
} PriorSink;

/* Emits the equations of the prior in a frame; none if prior is NULL. */
void contact_prior_rows(const ContactPrior *prior, const ContactProblem *problem, size_t frame, const PriorSink *sink);

/* The problem as a quadratic program over frames (contact_program.c). */

/* Every step-th frame from `begin` on, `count` of them. */
typedef struct ContactSpan {
    int begin, count, step;
} ContactSpan;

typedef struct ContactProgramDef {
    double friction;
    double tolerance; /* body weights, of the forces; 0: as exact as can be */
    LaneWidth lanes;
    int held_count;   /* frames at the span's beginning whose forces are given */
} ContactProgramDef;

/* Memory of programs, kept from span to span. destroy accepts NULL. */
typedef struct ContactProgram ContactProgram;
Status contact_program_create(ContactProgram **program, Error *err);
void contact_program_destroy(ContactProgram *program);

/* force[frame][point] of all frames, body weights: in, a start and the held forces; out, those of the span's frames.
 * The best forces found serve where the last digits will not settle, up to 1e-3 body weights: the confidence measures
 * what they explain. STATUS_NO_RESULT beyond that. */
Status contact_program_solve(ContactProgram *program, const ContactProblem *problem, ContactSpan span,
                             const ContactProgramDef *def, Vec3 *force, Error *err);

/* 1: the body is solved by limbs. */
int contact_program_has_limbs(const ContactPoints *points);

#endif
