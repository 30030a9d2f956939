/* Units of length that motion files are written in, and the unit of a file from the body in it. */
#ifndef KANE_DETECT_UNIT_H
#define KANE_DETECT_UNIT_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/up_axis.h"
#include "analysis/math/vec.h"

/* What a body in motion offers to judge its unit of length by: its size, its feet, its speed, and how it falls. */

/* In units of the motion (file units before import, m after it) and s; 0 where the clip does not show it. */
typedef struct BodyMeasures {
    double stature;    /* of a person with such legs, arms and trunk; 0 without the roles of a human's limbs */
    double foot;       /* from the ankle to the tip of the foot, the mean of both sides */
    double speed;      /* of the hips along the ground, the 90th percentile over 0.2 s */
    double fall;       /* median downward acceleration while the body flies (unit.h) */
    double drop;       /* downward acceleration over 0.15 s, flying or not: the 98th percentile */
    double extent;     /* diagonal of the box around the body, the median over the frames */
    int has_cmu_names; /* 1: helper joints that only the skeletons of the CMU library have */
} BodyMeasures;

/* Of the first frames, up to 1,500 from first_frame; up is a unit vector, motion->frame_time gives the time. */
Status body_measures(const Skeleton *skeleton, const Motion *motion, int first_frame, Vec3 up, BodyMeasures *out,
                     Error *err);

/* Gravity as a ruler: what falls freely in a file does so at 9.81 m/s2, whatever the unit.
 *
 * A flight is a stretch of frames in which the lowest point of the body is clear of the ground. It counts where the
 * height of the body follows a parabola that opens down and accounts for the clearance: standing on a box, climbing and
 * hanging do not. */

/* In units of the motion per s2; 0 where the frames do not show it. */
typedef struct FreeFall {
    double acceleration; /* median downward acceleration over the flights */
    double steepest;     /* downward acceleration over 0.15 s that a fiftieth of all such windows passes: what no hand
                            pulls down does not pass g */
} FreeFall;

/* sample holds frames that follow each other, frame_time (s) apart; up is a unit vector. */
Status free_fall_measure(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, double frame_time, FreeFall *out,
                         Error *err);

/* "m" "dm" "cm" "mm" "inch" "cmu" (the CMU library's 1/0.45 inch), or NULL for a unit without a name. */
const char *unit_name(double meters_per_unit);

/* Metres of a unit name or a number of metres; 0 where it is neither. */
double unit_from_text(const char *text);

/* A file whose unit has no name (a copy scaled by any factor) is read rightly where its lengths come out within this
 * factor of the true ones. */
#define UNIT_TOLERANCE 1.25

/* Metres per file unit: the named unit that is most likely, from measures in file units.
 *
 * Hypotheses are pairs of a unit and a kind of body: an adult, a child, a figure of any size; without human roles a
 * creature; and that the unit has no name. Their priors are data/units.tsv and data/unit_model.tsv. The stature (or the
 * extent) gives how likely a body of that size is; what flies falls with g; nothing falls or runs much faster than
 * bodies do. confidence is the posterior probability that the unit is the right one or, where it has no name, that the
 * size is right within UNIT_TOLERANCE; at most 0.9995. Validation: docs/validation/import.md. */
double unit_from_measures(const BodyMeasures *measures, double *confidence);

/* Rows of the two tables. */
typedef struct UnitRow {
    const char *name;
    double metres;
    double human, cmu, other; /* priors */
} UnitRow;

typedef enum UnitParameter {
    UNIT_ADULT_SPREAD,
    UNIT_ADULT_STATURE,
    UNIT_CHILD,
    UNIT_CHILD_SPREAD,
    UNIT_CHILD_STATURE,
    UNIT_CMU_SPREAD,
    UNIT_CMU_STATURE,
    UNIT_CREATURE_EXTENT,
    UNIT_CREATURE_SPREAD,
    UNIT_DROP_LIMIT,
    UNIT_DROP_SPREAD,
    UNIT_FALL_SPREAD,
    UNIT_FIGURE,
    UNIT_FIGURE_SPREAD,
    UNIT_FIGURE_STATURE,
    UNIT_GLITCH,
    UNIT_GRAVITY,
    UNIT_NAMELESS,
    UNIT_NAMELESS_OTHER,
    UNIT_PERSON_SPREAD,
    UNIT_SPEED_LIMIT,
    UNIT_SPEED_SPREAD,
    UNIT_PARAMETER_COUNT
} UnitParameter;

typedef struct UnitModelRow {
    UnitParameter parameter;
    double value;
} UnitModelRow;

extern const UnitRow unit_rows[];
extern const int unit_rows_count;
extern const UnitModelRow unit_model_rows[];
extern const int unit_model_rows_count;

#endif
