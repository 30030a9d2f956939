/* Curves over the gait cycle in panels: rows are hip flexion, hip adduction, knee flexion and ankle dorsiflexion,
 * columns angle, moment and power. Left and right with standard deviations, published norms behind. */
#ifndef KANE_PLOT_GAIT_FIGURE_H
#define KANE_PLOT_GAIT_FIGURE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/stats/gait.h"
#include "formats/plot/gait_norms.h"
#include "formats/plot/plot_figure.h"
#include "formats/plot/gait_figure.h"

/* Writes the gnuplot script; norms may be NULL. Coordinates that the clip lacks have no panel. STATUS_BAD_INPUT if no
 * panel remains. */
Status gait_figure_script(const Gait *gait, GaitNormal normal, const GaitNorms *norms, const PlotDef *def, FILE *out,
                          Error *err);

/* Returns the defaults for this picture, in pixels. */
PlotDef gait_figure_default_def(void);

#endif
