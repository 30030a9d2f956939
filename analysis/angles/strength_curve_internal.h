/* The curves of a person about each coordinate as the lane kernel reads them. */
#ifndef KANE_ANGLES_STRENGTH_CURVE_INTERNAL_H
#define KANE_ANGLES_STRENGTH_CURVE_INTERNAL_H

#include <stddef.h>

#include "analysis/angles/strength_curve.h"
#include "analysis/math/lane_width.h"

/* The constants of a curve as the lane kernel reads them, with those that the formulas derive from a row. */
typedef struct AverageShape {
    double isometric;             /* N m */
    double rate, angle;           /* active torque: isometric cos(rate (x - angle)) within a quarter turn */
    double a, b, d;               /* (a + b s) / (a + d s): torque over isometric torque at the shortening velocity s */
    double speed_max, bend;       /* b >= 0: Hill's hyperbola instead, (1 - u) / (1 + bend u), u = s / speed_max */
    double gain, max_speed;       /* of lengthening; b < 0: velocity of its maximum */
    double b1, k1, b2, k2;        /* passive torque */
} AverageShape;

typedef struct PersonShape {
    double isometric, angle, width;
    double speed_max, bend;       /* shortening, as above */
    double slope, gain;           /* lengthening: 1 + gain slope u / (gain + slope u) */
    double passive_zero, passive_range;
} PersonShape;

AverageShape average_shape(const AverageCurve *c, double weight_height);
PersonShape person_shape(const PersonCurve *c, double scale);

/* Mean of average curves, or the curve of a person, about one coordinate in one direction. */
typedef struct StrengthCurve {
    double isometric;             /* N m, without the envelope; 0: no curve */
    int has_envelope;             /* 0: the bounded curve itself */
    StrengthEnvelope envelope;
    double level;                 /* factor of the envelope's torque: sex, age, training */
    double spread;                /* SD of the torque over the torque, among the people that it stands for */
    double angle_sign;            /* sign of the table's angles */
    int is_person, average_count; /* at most 2: one per sex */
    AverageShape average[2];
    PersonShape person;
} StrengthCurve;

StrengthAt strength_at(const StrengthCurve *curve, double angle, double speed);

/* A coordinate with curves, by the sign of the moment: 0 negative, 1 positive. */
typedef struct StrengthColumn {
    size_t index;     /* index of the coordinate in the clip */
    int is_elevation; /* 1: shoulder elevation, in the plane given by the coordinate before it */
    StrengthCurve direction[2];
} StrengthColumn;

/* Input and output of the lane kernel: views, not owned; arrays [frame][columns]. */
typedef struct StrengthView {
    size_t frame_count, columns, count;
    const StrengthColumn *column; /* [count]; the other coordinates become NaN */
    const double *angle, *velocity, *moment;
    const double *moment_sd;                  /* NULL: unknown */
    double *capacity, *utilization, *utilization_sd, *passive; /* passive NULL: not computed */
} StrengthView;

/* Processes all frames; frame_count must be at least the number of lanes. */
typedef void StrengthFrames(const StrengthView *view);
LANE_TWINS(StrengthFrames, strength_frames);

#endif
