/* Masses of the segments of one person, corrected from several of their clips (mass_fit.h).
 *
 * Regularised least squares: the residuals of all clips, each clip's by its own noise, and the departure from the table
 * by how far published tables lie apart (data/segment_spread.tsv); the total is kept, and no part changes by more than
 * a bound. It counts only where it holds for clips that it was not fitted to: each is left out in turn. And where most
 * parts would go beyond the bound, the cause is something else, such as where the trunk's COM lies. */
#ifndef KANE_CONTACT_MASS_FIT_H
#define KANE_CONTACT_MASS_FIT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* What a clip states of the masses of its segments.
 *
 * Where every force of the surroundings is known, the momentum of the body must change as they state: in flight, where
 * there are none (the COM on a parabola, angular momentum kept), and in all frames under measured forces. With x the
 * change of each part's mass, as a fraction of it, and inertia in proportion, that is linear in x: six equations a
 * frame,
 *
 *     R + sum_i x_i R_i = 0,   R_i = m_i (a_i - g)  and  (c_i - c) x m_i (a_i - g) + d/dt (I_i omega_i),
 *
 * forces in body weights, moments about the COM c in body weights times half the stature. Estimated forces are no
 * measure of masses: they were chosen so that they explain the motion with the masses that the body has. */

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
    int frames;       /* 0: the clip is not informative */
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

/* A row of data/segment_spread.tsv. */
typedef struct PartSpread {
    BodyPart part;
    double spread; /* standard deviation between published tables, of the part's mass */
} PartSpread;

extern const PartSpread part_spreads[];
extern const int part_spreads_count;

typedef struct MassFitDef {
    double bound;      /* most that a part's mass may change, as a fraction of it; default 0.15 */
    double least_gain; /* of the left-out clips' error, as a fraction of it, for a fit to be found; default 0.02 */
} MassFitDef;

MassFitDef mass_fit_default_def(void);

typedef struct MassFit {
    int is_found;              /* 1: left out, the clips' error falls by least_gain, and in more than half */
    int clips, better;         /* informative clips; those whose error falls when they are left out */
    double gain;               /* fall of left-out clips' error as a fraction of it, mean over their time; < 0: rise */
    double gain_fitted;        /* the same of the clips that it is fitted to */
    int at_bound;              /* parts that end at the bound; with half of them nothing is found */
    double change[PART_COUNT]; /* of each part's mass, as a fraction of it: fitted to all clips, found or not */
} MassFit;

/* part_mass[PART_COUNT], kg, that of the trunk above 0; clips without frames are not informative. STATUS_NO_RESULT
 * where the
   program has no solution. */
Status mass_fit(const MassEquations *clip, int count, const double *part_mass, const MassFitDef *def, MassFit *out,
                Error *err);

/* Masses and inertias of a body changed so; its total stays. */
void mass_fit_apply(const MassFit *fit, const Skeleton *skeleton, Body *body);

#endif
