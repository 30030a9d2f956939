/* Information of a clip about its segment masses.
 *
 * If all external forces are known, the momentum of the body must change accordingly: in flight, without forces (the
 * COM on a parabola, constant angular momentum), and in all frames under measured forces. With x the relative change
 * of each part's mass, and inertia in proportion, that is linear in x: six equations per frame,
 *
 * R + sum_i x_i R_i = 0,   R_i = m_i (a_i - g)  and  (c_i - c) x m_i (a_i - g) + d/dt (I_i omega_i),
 *
 * forces in body weights, moments about the COM c in body weights times half the stature. Estimated forces contain no
 * information about masses: they explain the motion with the masses that the body has. */
#ifndef KANE_CONTACT_MASS_EQUATIONS_H
#define KANE_CONTACT_MASS_EQUATIONS_H

#include "analysis/base/status.h"
#include "analysis/body/body_parts.h"
#include "analysis/clip/clip.h"

/* Means over the informative frames: the squared residual is x'(normal)x + 2 (linear)'x + square. */
typedef struct MassEquations {
    int frames;       /* 0: the clip is not informative */
    double duration;  /* s, of these frames */
    double normal[BODY_PARTS][BODY_PARTS];
    double linear[BODY_PARTS];
    double square;
} MassEquations;

/* From the trusted frames of a clip with body, kinematics and contact. Frames within DIFFERENCE_EDGE of a contact are
 * not flight, because smoothing spreads the landing into them. STATUS_BAD_INPUT if a group is missing. */
Status mass_equations_find(const Clip *clip, MassEquations *out, Error *err);

/* Mean squared residual with masses changed by x[BODY_PARTS]. */
double mass_equations_error(const MassEquations *e, const double *x);

#endif
