/* Units of length of motion files, and detection of a file's unit from the body in it. */
#ifndef KANE_DETECT_UNIT_H
#define KANE_DETECT_UNIT_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/up_axis.h"
#include "analysis/math/vec.h"

/* Measures of a body in motion from which its unit of length is inferred: size, feet, speed and free fall. */

/* In units of the motion (file units before import, m after it) and s; 0: the clip does not show it. */
typedef struct BodyMeasures {
    double stature;    /* of a person with these legs, arms and trunk; 0 without the roles of human limbs */
    double foot;       /* from the ankle to the tip of the foot, mean of both sides */
    double speed;      /* of the hips along the ground over 0.2 s, 90th percentile */
    double fall;       /* downward acceleration in flights, median */
    double drop;       /* downward acceleration over 0.15 s in all frames, 98th percentile */
    double extent;     /* diagonal of the body's bounding box, median over the frames */
    int has_cmu_names; /* 1: has helper joints that only skeletons of the CMU library have */
} BodyMeasures;

/* Measures up to 1,500 frames from first_frame on; up is a unit vector, motion->frame_time gives the time. */
Status body_measures(const Skeleton *skeleton, const Motion *motion, int first_frame, Vec3 up, BodyMeasures *out,
                     Error *err);

/* Gravity as a measure of length: in any unit, free fall has 9.81 m/s2.
 *
 * A flight is an interval in which the lowest point of the body is clear of the ground. It counts if the height of the
 * body follows a downward parabola that explains the clearance, which excludes standing on a box, climbing and
 * hanging. */

/* In units of the motion per s2; 0: the frames do not show it. */
typedef struct FreeFall {
    double acceleration; /* median downward acceleration over the flights */
    double steepest;     /* 98th percentile of the downward acceleration over 0.15 s, which does not exceed g unless
                            something pulls the body down */
} FreeFall;

/* sample: consecutive frames, frame_time (s) apart; up is a unit vector. */
Status free_fall_measure(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, double frame_time, FreeFall *out,
                         Error *err);

/* Returns "m", "dm", "cm", "mm", "inch" or "cmu" (the CMU library's 1/0.45 inch); NULL for an unnamed unit. */
const char *unit_name(double meters_per_unit);

/* Metres per unit from a unit name or a number of metres; 0 if it is neither. */
double unit_from_text(const char *text);

/* For a file with an unnamed unit (a copy scaled by any factor), the result is correct if its lengths are within this
 * factor of the true ones. */
#define UNIT_TOLERANCE 1.25

/* Metres per file unit: the most probable named unit given measures in file units.
 *
 * Hypotheses are pairs of a unit and a kind of body (adult, child, figurine of any size; without human roles a
 * creature), and an unnamed unit. Their priors are data/units.tsv and data/unit_model.tsv. The likelihood uses the
 * distribution of stature (or extent), free fall with g, and upper limits of speed and acceleration. confidence is the
 * posterior probability that the unit is correct or, if it has no name, that the size is within UNIT_TOLERANCE; at most
 * 0.9995. Validation: docs/validation/import.md. */
double unit_from_measures(const BodyMeasures *measures, double *confidence);

/* Rows of both tables. */
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
