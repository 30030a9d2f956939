/* Walking in numbers: steps, strides, and what each anatomical coordinate does over the gait cycle. */
#ifndef KANE_STATS_GAIT_H
#define KANE_STATS_GAIT_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Gait cycles of a foot, and the mean course of a signal over them.
 *
 * A cycle goes from one foot strike to the next strike of the same foot and is cut into 100 equal parts of its own
 * time. Reference: J. Perry, J. Burnfield, Gait Analysis, 2010, chapter 1 (initial contact to initial contact). */

enum { GAIT_POINTS = 101 }; /* 0 % to 100 % */

/* Contact, or its absence, for less than this is flicker of what detects it, s. */
#define GAIT_FLICKER 0.05
/* A foot that leaves the ground for less than this has not taken a step, s: in walking and in running swings last
 * twice as long and more. */
#define GAIT_LEAST_SWING 0.15
/* Cycles whose duration is farther than this part from the median, pauses and stumbles, are left out. */
#define GAIT_LARGEST_DEVIATION 0.5

typedef struct GaitCycle {
    int begin, end; /* frames of two strikes */
    int lift;       /* first frame without contact in between */
} GaitCycle;

typedef struct GaitCycles {
    int count;        /* at least 1 */
    int left_out;     /* for their duration, or because of frames that do not count */
    GaitCycle *cycle; /* [count] in order; owned */
    double stance;    /* mean part of the cycle until the foot lifts, 0 to 1 */
    double duration;  /* mean, s */
} GaitCycles;

/* foot is FOOT_LEFT or FOOT_RIGHT; all frames of a cycle are of the choice. STATUS_BAD_INPUT where the clip has no
 * contact points or no whole cycle. */
Status gait_cycles_init(GaitCycles *cycles, const Clip *clip, int foot, FrameChoice choice, Error *err);
void gait_cycles_free(GaitCycles *cycles);

/* Mean and standard deviation (n - 1; NaN of one cycle) of value[frame] over the cycles at each per cent, with values
 * between frames on the line from one to the next. */
void gait_cycles_profile(const GaitCycles *cycles, const double *time, const double *value, double mean[GAIT_POINTS],
                         double deviation[GAIT_POINTS]);

/* From a strike of a foot to its next one. Lengths are over the ground, from ankle to ankle: those of a treadmill are
 * not in the motion. */
typedef struct GaitStride {
    int foot;        /* FOOT_LEFT or FOOT_RIGHT */
    double time;     /* s, of the first strike, source time */
    double duration; /* s */
    double length;   /* m; NaN where the hips go less than 0.3 m in it */
    double speed;    /* m/s; the same */
    double cadence;  /* steps a minute: two a stride */
    double stance;   /* part of the duration until the foot lifts */
} GaitStride;

/* From a strike of the other foot to that of this one. */
typedef struct GaitStep {
    int foot;
    double time;     /* s, of this foot's strike */
    double duration; /* s */
    double length;   /* m, from the other ankle at its strike to this one at its own, along the way of the hips */
    double width;    /* m, across it */
} GaitStep;

typedef enum GaitQuantity { GAIT_ANGLE, GAIT_MOMENT, GAIT_POWER, GAIT_QUANTITY_COUNT } GaitQuantity;

/* Over the strides of the coordinate's own side, for the trunk those of the left foot, or of the right one where the
 * left has none; NaN where some stride has no value. Angles in degrees. */
typedef struct GaitCurve {
    Coordinate coordinate;
    GaitQuantity quantity;
    int strides;
    double mean[GAIT_POINTS], deviation[GAIT_POINTS];
    double error_sd[GAIT_POINTS]; /* of moments: standard deviation of the error of the mean, whose strides err alike */
} GaitCurve;

typedef enum GaitNormal {
    GAIT_PER_MASS,        /* Nm/kg, W/kg */
    GAIT_PER_MASS_HEIGHT, /* without unit: moments over m g h, powers over m g^1.5 h^0.5 (Hof 1996) */
} GaitNormal;

typedef struct GaitDef {
    FrameChoice choice; /* default FRAMES_TRUSTED */
    GaitNormal normal;  /* default GAIT_PER_MASS */
} GaitDef;

typedef struct Gait {
    int stride_count, step_count, curve_count;
    GaitStride *stride; /* [stride_count] left, then right, in time */
    GaitStep *step;     /* [step_count] in time */
    GaitCurve *curve;   /* [curve_count] by coordinate, angle, moment, power */
    Arena memory;       /* of the arrays */
} Gait;

/* "angle"; "degrees" and what normal makes of the other units. Valid for the life of the program. */
const char *gait_quantity_name(GaitQuantity quantity);
const char *gait_unit(GaitQuantity quantity, GaitNormal normal);

/* STATUS_BAD_INPUT where the clip has no /anatomy, no body, or no whole gait cycle of either foot. */
Status gait_init(Gait *gait, const Clip *clip, const GaitDef *def, Error *err);
void gait_free(Gait *gait);

#endif
