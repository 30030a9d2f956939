/* Unit of length and up axis of motion files: their detection from the body in them, and conversion to world axes. */
#ifndef KANE_DETECT_UNIT_H
#define KANE_DETECT_UNIT_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* Positions of the skeleton in some frames of a file, detection of the up axis, and conversion to world axes. */

/* Positions of the whole skeleton in some frames of a motion, the input of import's detections. In the units and axes
 * of the motion. */

typedef struct PoseSample {
    int frame_count;
    int point_count; /* joints, then end sites */
    Vec3 *position;  /* [frame][point] */
    Vec3 *rest;      /* [point] without rotations, root at its offset */
} PoseSample;

/* Samples at most max_frames frames, equally spaced from first_frame to the last one. For a motion without frames the
 * sample is the rest pose. */
Status pose_sample_init(PoseSample *sample, const Skeleton *skeleton, const Motion *motion, int first_frame,
                        int max_frames, Error *err);
void pose_sample_free(PoseSample *sample);

static inline const Vec3 *pose_sample_frame(const PoseSample *sample, int frame)
{
    return sample->position + (size_t)frame * (size_t)sample->point_count;
}

/* Largest distance from the root to another point, in the rest pose or the first sampled frame. */
double pose_sample_size(const PoseSample *sample);

/* Height along up of the lowest point in a frame. */
double pose_sample_lowest(const PoseSample *sample, int frame, Vec3 up);

/* Ground height along up (a unit vector): the lower quartile, over the frames, of the lowest point of the body. spread:
 * from the 5th to the 75th percentile. */
Status pose_sample_ground(const PoseSample *sample, Vec3 up, double *height, double *spread, Error *err);

typedef enum UpAxis { UP_AUTO = 0, UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z } UpAxis;

/* Returns "Y", "-Z" and so on; "" for UP_AUTO. */
const char *up_axis_name(UpAxis up);

/* Returns UP_AUTO for a text that is not an axis. */
UpAxis up_axis_from_text(const char *text);

/* Unit vector of an axis in file axes. */
Vec3 up_axis_vector(UpAxis up);

/* Rotates a vector from file axes to world axes, +Y up, by the quarter or half turn of docs/formats/conventions.md
 * "Axes"; exact. */
Vec3 up_axis_rotate(UpAxis up, Vec3 v);

/* Detects the axis along which, on average, the head is above the feet, the rest pose is upright, the lowest point
 * of the body is at constant height near zero, and the root moves least. confidence: its probability among the six
 * axes. */
Status up_axis_from_poses(const Skeleton *skeleton, const PoseSample *sample, UpAxis *up, double *confidence,
                          Error *err);

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
