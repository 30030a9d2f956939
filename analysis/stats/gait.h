/* Gait analysis: steps, strides, and each anatomical coordinate over the gait cycle. */
#ifndef KANE_STATS_GAIT_H
#define KANE_STATS_GAIT_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/coordinate.h"
#include "analysis/stats/gait_cycle.h"

/* From a strike of a foot to its next one. Lengths are overground, from ankle to ankle; on a treadmill the motion does
 * not contain them. */
typedef struct GaitStride {
    int foot;        /* FOOT_LEFT or FOOT_RIGHT */
    double time;     /* s, of the first strike, source time */
    double duration; /* s */
    double length;   /* m; NaN if the hips move less than 0.3 m */
    double speed;    /* m/s; NaN like length */
    double cadence;  /* steps per minute, two per stride */
    double stance;   /* fraction of the duration until the foot lifts */
} GaitStride;

/* From a strike of the other foot to one of this foot. */
typedef struct GaitStep {
    int foot;
    double time;     /* s, of this foot's strike */
    double duration; /* s */
    double length;   /* m, from the other ankle at its strike to this ankle at its own, along the path of the hips */
    double width;    /* m, perpendicular to the path */
} GaitStep;

typedef enum GaitQuantity { GAIT_ANGLE, GAIT_MOMENT, GAIT_POWER, GAIT_QUANTITY_COUNT } GaitQuantity;

/* Mean over the strides of the coordinate's side, for the trunk those of the left foot, or of the right foot if the
 * left has none; NaN if a stride has no value. Angles in degrees. */
typedef struct GaitCurve {
    Coordinate coordinate;
    GaitQuantity quantity;
    int strides;
    double mean[GAIT_POINTS], deviation[GAIT_POINTS];
    double error_sd[GAIT_POINTS]; /* moments: standard deviation of the error of the mean; errors of the strides are
                                     fully correlated */
} GaitCurve;

typedef enum GaitNormal {
    GAIT_PER_MASS,        /* N m/kg, W/kg */
    GAIT_PER_MASS_HEIGHT, /* dimensionless: moments over m g h, powers over m g^1.5 h^0.5 (Hof 1996) */
} GaitNormal;

typedef struct GaitDef {
    FrameChoice choice; /* default FRAMES_TRUSTED */
    GaitNormal normal;  /* default GAIT_PER_MASS */
} GaitDef;

typedef struct Gait {
    int stride_count, step_count, curve_count;
    GaitStride *stride; /* [stride_count] left, then right, each by time */
    GaitStep *step;     /* [step_count] by time */
    GaitCurve *curve;   /* [curve_count] by coordinate, angle, moment, power */
    Arena memory;       /* of the arrays */
} Gait;

/* Names such as "angle", and units such as "degrees". Static storage. */
const char *gait_quantity_name(GaitQuantity quantity);
const char *gait_unit(GaitQuantity quantity, GaitNormal normal);

/* STATUS_BAD_INPUT if the clip has no /angles, no body, or no complete gait cycle of either foot. Free with
 * gait_free. */
Status gait_init(Gait *gait, const Clip *clip, const GaitDef *def, Error *err);
void gait_free(Gait *gait);

#endif
