/* Segment masses of one person, corrected from several clips.
 *
 * Regularised least squares on the residuals of all clips, each weighted by its own noise, and on the departure from
 * the table, weighted by the spread between published tables (data/segment_spread.tsv). The total mass is constant, and
 * no part changes by more than a bound. A correction is accepted only if it holds in cross-validation, with each clip
 * left out in turn. If most parts reach the bound, the cause is a different one, such as the position of the trunk's
 * COM. */
#ifndef KANE_CONTACT_MASS_FIT_H
#define KANE_CONTACT_MASS_FIT_H

#include "analysis/base/status.h"
#include "analysis/body/body_parts.h"
#include "analysis/contact/mass_equations.h"

/* A row of data/segment_spread.tsv. */
typedef struct PartSpread {
    BodyPart part;
    double spread; /* standard deviation between published tables, of the part's mass */
} PartSpread;

extern const PartSpread part_spreads[];
extern const int part_spreads_count;

typedef struct MassFitDef {
    double bound;      /* largest relative change of a part's mass; default 0.15 */
    double min_gain;   /* smallest relative gain on left-out clips for an accepted fit; default 0.02 */
} MassFitDef;

MassFitDef mass_fit_default_def(void);

typedef struct MassFit {
    int is_found;              /* 1: the error of left-out clips falls by min_gain, and in more than half of them */
    int clips, better;         /* informative clips, and those whose error falls when left out */
    double gain;               /* relative fall of the error on left-out clips, weighted by their time; negative:
                                  rise */
    double gain_fitted;        /* the same on the clips of the fit */
    int at_bound;              /* parts at the bound; with half of them the fit is rejected */
    double change[BODY_PARTS]; /* relative change of each part's mass, fitted to all clips, accepted or not */
} MassFit;

/* part_mass[BODY_PARTS], kg, that of the trunk above 0; clips without frames are not informative. STATUS_NO_RESULT
 * where the program has no solution. */
Status mass_fit(const MassEquations *clip, int count, const double *part_mass, const MassFitDef *def, MassFit *out,
                Error *err);

#endif
