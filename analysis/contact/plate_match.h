/* Which feet load the plates, and how well plates and estimate agree, for a given lag and rotation. */
#ifndef KANE_CONTACT_PLATE_MATCH_H
#define KANE_CONTACT_PLATE_MATCH_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/contact/plate_series.h"

/* An interval in which a plate is loaded without pause. */
typedef struct PlateSpan {
    int plate;
    int first, last; /* steps of the series */
} PlateSpan;

/* An interval in which the estimate loads a foot without pause. */
typedef struct FootStance {
    int foot;
    int first, last; /* frames */
} FootStance;

typedef struct PlateSpans {
    int count, stance_count, frame_count;
    PlateSpan *span;     /* [count] by plate, then time */
    FootStance *stance;  /* [stance_count] */
    int *stance_at;      /* [frame][FOOT_COUNT] stance; -1: none */
    unsigned char *is_on; /* [plate][stance] 1: the stance is on the plate */
} PlateSpans;

/* The arrays belong to the arena. */
Status plate_spans_find(const PlateSeries *s, PlateSpans *out, Arena *arena, Error *err);

/* The feet that are on a plate in a frame, as a set of plate_series_feet. */
unsigned plate_feet_on(const PlateSpans *spans, int plate, int frame);

/* Rigid motion of the plates' axes into those of the motion: rotation about +Y, then shift. */
typedef struct PlatePlacement {
    double cosine, sine; /* of the rotation, from the plates' axes to the motion's */
    Vec3 shift;          /* m */
} PlatePlacement;

Vec3 plate_placement_turn(const PlatePlacement *p, Vec3 v);

/* Agreement at one lag. A rotation by the angle a about +Y leaves the misfit `fixed - 2 (even cos a - odd sin a)`, each
 * in units of the variance of the estimate's errors. */
typedef struct PlateAgreement {
    double frames;      /* compared, over all spans */
    double vertical;    /* misfit of the vertical forces */
    double fixed, even, odd; /* of horizontal forces and pressures, about their means */
    double weight;      /* of the pressures, per m^2: misfit of a shift between their means */
    Vec3 plate, foot;   /* m, weighted mean pressures of plates and estimate */
} PlateAgreement;

/* Chooses the stances on each plate and sums the agreement. lag: s, by which the plates are behind the motion.
 * `placed`: where the plates lie, if known, for the choice of the feet; NULL: by the vertical forces alone. */
PlateAgreement plate_match(const PlateSeries *s, PlateSpans *spans, double lag, const PlatePlacement *placed);

double plate_misfit(const PlateAgreement *a, const PlatePlacement *turn);

#endif
