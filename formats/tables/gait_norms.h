/* Curves of healthy gait to draw behind those of a clip: tables `speed quantity axis percent low high`, as Schwartz
 * (2008) and the CGM were published, or `coordinate quantity percent low high` in kane's own names and units.
 *
 * Of the published ones these are taken, as the shape of the curve tells the plane: angles X of hip, knee and ankle
 * (flexion, dorsiflexion), Y of the hip (adduction), degrees; moments X and Y in Nmm/kg, positive where they extend and
 * abduct, so that their sign is changed; powers Z, W/kg. Others are ignored. */
#ifndef KANE_FORMATS_GAIT_NORMS_H
#define KANE_FORMATS_GAIT_NORMS_H

#include "analysis/stats/gait.h"

/* Of both sides. */
typedef struct GaitNorm {
    Coordinate coordinate; /* of the left side */
    GaitQuantity quantity;
    double low[GAIT_POINTS], high[GAIT_POINTS]; /* units of GaitCurve per mass; mean less and plus one deviation */
} GaitNorm;

typedef struct GaitNorms {
    int count;
    GaitNorm *norm; /* [count] owned */
    char speed[32]; /* which of the table's, "" where it has none */
} GaitNorms;

/* speed: which rows of a table with several speeds; NULL: "Free", or the first. STATUS_BAD_INPUT with line and column
 * for a number that is none, percent that do not increase, and for a table without any curve of that speed. */
Status gait_norms_read(const char *path, const char *speed, GaitNorms *out, Error *err);
void gait_norms_free(GaitNorms *norms);

/* NULL where there is none; a coordinate of either side. */
const GaitNorm *gait_norms_find(const GaitNorms *norms, Coordinate coordinate, GaitQuantity quantity);

#endif
