/* Shapes of unit segments (segment_table.h). */
#include "analysis/body/segment_table.h"

#include <stddef.h>

const char *const sex_names[] = {"mean", "male", "female", NULL};
_Static_assert(sizeof sex_names / sizeof *sex_names == SEX_COUNT + 1, "a name for every Sex, in its order");

/* Whether the body has two of the segment. */
static int is_paired(SegmentKind kind) { return kind >= SEGMENT_UPPER_ARM; }

/* I_sagittal = across + along, I_transverse = deep + along, I_longitudinal = across + deep, each (r L)^2 / L^2. */
static SegmentShape segment_shape(const SegmentRow *row)
{
    double sagittal = 1e-4 * row->sagittal * row->sagittal;
    double transverse = 1e-4 * row->transverse * row->transverse;
    double longitudinal = 1e-4 * row->longitudinal * row->longitudinal;
    return (SegmentShape){.mass = 0.01 * row->mass,
                          .com = 0.01 * row->com,
                          .across = 0.5 * (sagittal + longitudinal - transverse),
                          .deep = 0.5 * (transverse + longitudinal - sagittal),
                          .along = 0.5 * (sagittal + transverse - longitudinal),
                          .length = row->length};
}

static void add_shape(SegmentShape *sum, SegmentShape s, double weight)
{
    sum->mass += weight * s.mass;
    sum->com += weight * s.com;
    sum->across += weight * s.across;
    sum->deep += weight * s.deep;
    sum->along += weight * s.along;
    sum->length += weight * s.length;
}

void segment_shapes(Sex sex, SegmentShape *shape)
{
    double total = 0;
    for (int k = 0; k < SEGMENT_COUNT; k++)
        shape[k] = (SegmentShape){0};
    for (int i = 0; i < segment_rows_count; i++)
        if (sex == SEX_MEAN || sex == segment_rows[i].sex)
            add_shape(&shape[segment_rows[i].segment], segment_shape(&segment_rows[i]), sex == SEX_MEAN ? 0.5 : 1);
    /* the rounded percentages of the table sum to 100.00 for men and 99.99 for women */
    for (int k = 0; k < SEGMENT_COUNT; k++)
        total += (is_paired((SegmentKind)k) ? 2 : 1) * shape[k].mass;
    for (int k = 0; k < SEGMENT_COUNT; k++)
        shape[k].mass /= total;
}
