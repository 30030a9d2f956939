/* What a clip says of the masses of its segments.
 *
 * Where every force of the surroundings is known, the momentum of the body must change as they say: in flight, where
 * there are none (the COM on a parabola, angular momentum kept), and in all frames under measured forces. With x the
 * change of each part's mass, as a share of it, and inertia in proportion, that is linear in x: six equations a frame,
 *
 *     R + sum_i x_i R_i = 0,   R_i = m_i (a_i - g)  and  (c_i - c) x m_i (a_i - g) + d/dt (I_i omega_i),
 *
 * forces in body weights, moments about the COM c in body weights times half the stature. Estimated forces are no
 * measure of masses: they were chosen so that they explain the motion with the masses that the body has. */
#ifndef KANE_CONTACT_MASS_EQUATIONS_H
#define KANE_CONTACT_MASS_EQUATIONS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Parts of a body, left and right as one. */
typedef enum BodyPart {
    PART_TRUNK = 0,
    PART_HEAD, /* with the neck */
    PART_UPPER_ARM,
    PART_FOREARM,
    PART_HAND,
    PART_THIGH,
    PART_SHANK,
    PART_FOOT,
    PART_COUNT,
    PART_NONE = PART_COUNT /* joints that stand for no part of a human body */
} BodyPart;

/* "upper_arm"; valid for the life of the program. */
const char *body_part_name(BodyPart part);
BodyPart body_part_of(Role segment);

/* Means over the frames that count: the residual's square is x'(normal)x + 2 (linear)'x + square. */
typedef struct MassEquations {
    int frames;       /* 0: the clip says nothing */
    double duration;  /* s, of these frames */
    double normal[PART_COUNT][PART_COUNT];
    double linear[PART_COUNT];
    double square;
} MassEquations;

/* Of the trusted frames of a clip with body, kinematics and contact. Frames within DIFFERENCE_EDGE of a contact are no
 * flight: smoothing carries the landing into them. STATUS_BAD_INPUT where a group is missing. */
Status mass_equations_find(const Clip *clip, MassEquations *out, Error *err);

/* The residual's mean square with the masses changed by x[PART_COUNT]. */
double mass_equations_error(const MassEquations *e, const double *x);

#endif
