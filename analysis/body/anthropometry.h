/* Segment masses, COMs and inertias of a human body from tables, scaled to the skeleton and the total mass.
 *
 * Source: de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). */
#ifndef KANE_BODY_ANTHROPOMETRY_H
#define KANE_BODY_ANTHROPOMETRY_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

typedef enum Sex { SEX_MEAN = 0, SEX_MALE, SEX_FEMALE, SEX_COUNT } Sex;

/* "male"; NULL at the end. */
extern const char *const sex_names[];

typedef enum SegmentKind {
    SEGMENT_HEAD, /* with the neck */
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

/* A row of data/anthropometry.tsv as written there: percent, lengths in m. */
typedef struct SegmentRow {
    SegmentKind segment;
    Sex sex;
    double mass, com, sagittal, transverse, longitudinal, length;
} SegmentRow;

extern const SegmentRow segment_rows[];
extern const int segment_rows_count;

/* One segment of unit length: second moments of its mass along its own axes replace the radii of gyration. The inertia
 * about an axis is the sum of the moments along the other two, so moments >= 0 give the triangle inequality. */
typedef struct SegmentShape {
    double mass;   /* part of the body's; both sides of a paired segment and all others sum to 1 */
    double com;    /* part of the length */
    double across; /* mean square distance from the COM left to right, per length squared */
    double deep;   /* the same back to front */
    double along;  /* the same along the segment */
    double length; /* m, mean of the sample */
} SegmentShape;

/* shape[SEGMENT_COUNT]; SEX_MEAN is the mean of both rows. */
void segment_shapes(Sex sex, SegmentShape *shape);

/* Fills *out for a skeleton with human roles (roles_are_human): total mass in kg, above 0. STATUS_BAD_INPUT where the
 * legs have no length. */
Status deleva_from_skeleton(const Skeleton *skeleton, const Quat *turn, double mass, Sex sex, Body *out, Error *err);

/* Standing height, m: ankle height, thigh, shank, trunk and head one on the other, along the bones, so that the rest
 * pose need not stand; 0 where there are no human roles. */
double body_stature(const Skeleton *skeleton);

/* The stature of a clip, m: that of its body where it has one with a stature, else that of its skeleton; 0 where there
 * are no human roles. Everything that prints or stores a stature asks here. */
double clip_stature(const Clip *clip);

#endif
