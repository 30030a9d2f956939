/* The problem of ground contact as numbers: what the motion needs, where contacts could act, what each would cost.
 *
 * Forces in body weights, lengths in leg lengths L, in contact axes: x forward of the body in the first frame, y along
 * the ground normal. So the result turns with the clip. In each frame the cost is
 *
 *     |sum f - F|^2 + |sum (p - com) x f - M|^2 + |torque of hips and ankles|^2 + sum penalty |f|^2,
 *
 * each term with its weights, and between frames |f_t - f_(t-1)|^2: a chain (contact_chain.h). contact_setup.h fills it
 * from a clip. */
#ifndef KANE_CONTACT_CONTACT_PROBLEM_H
#define KANE_CONTACT_CONTACT_PROBLEM_H

#include "analysis/base/arena.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/contact/contact_need.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"

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
    ContactNeed need;
    double *vertical;   /* [frame] body weights: force along the normal that the whole body needs */
    double *gait;       /* [frame] likeness to gait: 1 one foot after the other .. 0 both feet at once */
    double *still;      /* [frame] likeness to a body that stands still or moves slowly: 1 .. 0 it jumps or lands */
    ContactPrior *prior; /* NULL: nothing is known of the split between the feet */
    Vec3 *pressure;     /* [frame] L, contact axes: the centre of pressure that the motion asks for */
    const uint8_t *bridged; /* [frame] 1: not the source's; NULL: none is; not owned */
    uint8_t *support;   /* [frame] SUPPORT_ bits: a seat is under the hips (seat.h), a hand holds a rail (rail.h) */
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

#endif
