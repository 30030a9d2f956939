/* Normative curves of healthy gait, drawn behind those of a clip: tables `speed quantity axis percent low high`, in
 * which Schwartz (2008) and the CGM were published, or `coordinate quantity percent low high` in kane's names and
 * units.
 *
 * Of published curves these are read, with planes identified from the shape of the curves: angles X of hip, knee and
 * ankle (flexion, dorsiflexion) and Y of the hip (adduction), degrees; moments X and Y, Nmm/kg, positive in extension
 * and abduction, so their sign is inverted; powers Z, W/kg. Others are ignored. */
#ifndef KANE_PLOT_GAIT_NORMS_H
#define KANE_PLOT_GAIT_NORMS_H

#include "analysis/base/status.h"
#include "analysis/stats/gait.h"
#include "analysis/stats/gait_cycle.h"

/* The normal range of a quantity, for both sides. */
typedef struct GaitNorm {
    Coordinate coordinate; /* of the left side */
    GaitQuantity quantity;
    double low[GAIT_POINTS], high[GAIT_POINTS]; /* units of GaitCurve per mass; mean minus and plus one standard
                                                   deviation */
} GaitNorm;

typedef struct GaitNorms {
    int count;
    GaitNorm *norm; /* [count] owned */
    char speed[32]; /* the chosen one; "" if the table has no speeds */
} GaitNorms;

/* speed: selects rows of a table with several speeds; NULL: "Free", or the first. STATUS_BAD_INPUT with line and column
 * for an invalid number, percent values that do not increase, and a table without curves of that speed. */
Status gait_norms_read(const char *path, const char *speed, GaitNorms *out, Error *err);
void gait_norms_free(GaitNorms *norms);

/* Returns the norm of a coordinate of either side, or NULL. */
const GaitNorm *gait_norms_find(const GaitNorms *norms, Coordinate coordinate, GaitQuantity quantity);

#endif
