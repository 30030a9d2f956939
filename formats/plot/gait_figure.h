/* Curves over the gait cycle as a picture of panels: rows of hip flexion, hip adduction, knee flexion and ankle
 * dorsiflexion, columns of angle, moment and power; left and right with their deviation, published norms behind. */
#ifndef KANE_FORMATS_GAIT_FIGURE_H
#define KANE_FORMATS_GAIT_FIGURE_H

#include "formats/plot/plot_figure.h"
#include "formats/tables/gait_norms.h"

/* Writes the script for gnuplot; norms may be NULL. Coordinates that the clip has not leave no panel. STATUS_BAD_INPUT
 * where none is left. */
Status gait_figure_script(const Gait *gait, GaitNormal normal, const GaitNorms *norms, const PlotDef *def, FILE *out,
                          Error *err);

/* Pixels that suit it. */
PlotDef gait_figure_default_def(void);

#endif
