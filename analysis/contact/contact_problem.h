/* The problem of ground contact in numbers: what the motion requires, where contacts can act, and the cost of each.
 *
 * Forces in body weights, lengths in leg lengths L, in contact axes: x is the body's forward direction in the first
 * frame, y the ground normal. So the result rotates with the clip. The cost of a frame is
 *
 * |sum f - F|^2 + |sum (p - com) x f - M|^2 + |torque of hips and ankles|^2 + sum penalty |f|^2,
 *
 * each term with its weights, and between frames |f_t - f_(t-1)|^2: a chain (contact_estimate.c). contact_setup.h
 * sets it up for a clip. */
#ifndef KANE_CONTACT_CONTACT_PROBLEM_H
#define KANE_CONTACT_CONTACT_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/required_wrench.h"
#include "analysis/contact/roll_over.h"
#include "analysis/math/vec.h"

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
    uint8_t *support; /* [frame] SUPPORT_ bits: a seat under the hips, a rail in a hand (seat.h, rail.h) */
    Arena memory;       /* owns the arrays */
} ContactProblem;

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

#endif
