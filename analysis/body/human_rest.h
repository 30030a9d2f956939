/* Measures of a pose of a human skeleton: joints by role, lengths, and body axes; and the table of segments, from
 * which the expected lengths follow. The pose is either given, as in which the body stands in its motion, or the rest
 * pose.
 *
 * Many files have a rest pose that is not a pose: each bone points along its own x axis. Then only lengths are used,
 * and directions within one joint's axes. The rest pose `stands` if trunk and legs lie on one straight line. */
#ifndef KANE_BODY_HUMAN_REST_H
#define KANE_BODY_HUMAN_REST_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Segments of unit length after de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). */

typedef enum Sex { SEX_MEAN = 0, SEX_MALE, SEX_FEMALE, SEX_COUNT } Sex;

/* "male" for SEX_MALE; NULL-terminated. */
extern const char *const sex_names[];

typedef enum SegmentKind {
    SEGMENT_HEAD, /* including the neck */
    SEGMENT_UPPER_TRUNK,
    SEGMENT_MIDDLE_TRUNK,
    SEGMENT_LOWER_TRUNK,
    SEGMENT_UPPER_ARM,
    SEGMENT_FOREARM,
    SEGMENT_HAND,
    SEGMENT_THIGH,
    SEGMENT_SHANK,
    SEGMENT_FOOT,
    SEGMENT_COUNT
} SegmentKind;

/* A row of data/anthropometry.tsv in its units: percent; lengths in m. */
typedef struct SegmentRow {
    SegmentKind segment;
    Sex sex;
    double mass, com, sagittal, transverse, longitudinal, length;
} SegmentRow;

extern const SegmentRow segment_rows[];
extern const int segment_rows_count;

/* A segment of unit length: second moments of its mass along its own axes in place of radii of gyration. The inertia
 * about an axis is the sum of the moments along the other two, so moments >= 0 imply the triangle inequality. */
typedef struct SegmentShape {
    double mass;   /* part of the body's; the sum over all segments, paired ones counted twice, is 1 */
    double com;    /* part of the length */
    double across; /* mean square distance from the COM left to right, per length squared */
    double deep;   /* the same, back to front */
    double along;  /* the same along the segment */
    double length; /* m, mean of the sample */
} SegmentShape;

/* Fills shape[SEGMENT_COUNT]; SEX_MEAN averages both sexes. */
void segment_shapes(Sex sex, SegmentShape *shape);

/* A pose and its measures. */
typedef struct HumanRest {
    const Skeleton *skeleton;
    const Quat *orientation; /* [joint] rotations of the pose, joint axes to those of the pose; NULL: the rest pose */
    Vec3 *rest;              /* [joint] m */
    Vec3 *tip;               /* [joint] m, rest position of the end site or joint farthest below along the bones */
    double *reach;           /* [joint] m, length along the bones to tip */
    int joint[ROLE_COUNT];   /* -1 if absent */
    int stands;
    Vec3 up, left, front; /* unit, rest axes; if the rest pose does not stand, axes of the hips */
    Vec3 hip_middle;      /* m, middle of the hip joints */
    double leg;           /* m, thigh and shank, mean of both sides */
    double scale;         /* leg over the table's leg; expected lengths are table lengths times this */
    double trunk;         /* m, middle of the hip joints to C7 */
    double head;          /* m, C7 to vertex */
    double ankle_height;  /* m, ankle above the sole */
    Arena memory;         /* owns the arrays */
} HumanRest;

/* Measures a skeleton with human roles (roles_are_human). orientation is kept by reference; NULL: the rest pose. shape:
 * from segment_shapes. STATUS_BAD_INPUT if the legs have no length. */
Status human_rest_init(HumanRest *r, const Skeleton *skeleton, const Quat *orientation, const SegmentShape *shape,
                       Error *err);
void human_rest_free(HumanRest *r);

/* The rest vector between the joints of two roles; zero if one is absent. */
Vec3 human_rest_between(const HumanRest *r, Role from, Role to);

/* The joint of the neck or, without one, of the head; -1 without either. */
int human_rest_top(const HumanRest *r);

/* The stature, m: the sum of ankle height, legs, trunk and head. All but the ankle height are measured along the bones,
 * so that the pose hardly matters. */
double human_rest_stature(const HumanRest *r, const SegmentShape *shape);

/* Returns length if it lies within low..high times expected, otherwise expected. */
double plausible_length(double length, double expected, double low, double high);

/* The standing height, m: the sum of ankle height, thigh, shank, trunk and head along the bones, so that the rest pose
 * need not stand; 0 without human roles. */
double body_stature(const Skeleton *skeleton);

/* The stature of a clip, m: that of its body if it has one, else that of its skeleton; 0 without human roles.
 * Everything that prints or stores a stature calls this. */
double clip_stature(const Clip *clip);

#endif
