/* Segments of unit length after de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). */
#ifndef KANE_BODY_SEGMENT_TABLE_H
#define KANE_BODY_SEGMENT_TABLE_H

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

#endif
