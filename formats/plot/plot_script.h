/* A figure as a script for gnuplot, with its data inside: it writes the picture to standard output.
 *
 * Names come from files of strangers, so every text stands in single quotes, where gnuplot replaces nothing, with
 * enhanced text off; bytes that are no UTF-8 become '?', long texts end in an ellipsis. Curves of more points than the
 * picture has room for are drawn by the smallest and largest value of each step. The same figure gives the same bytes.
 * Colours: M. Okabe, K. Ito, Color universal design, 2008, which colour-blind readers tell apart. */
#ifndef KANE_FORMATS_PLOT_SCRIPT_H
#define KANE_FORMATS_PLOT_SCRIPT_H

#include <stdio.h>

#include "formats/plot/plot_figure.h"

typedef enum PlotFormat { PLOT_SVG, PLOT_PNG } PlotFormat;

typedef struct PlotDef {
    PlotFormat format; /* default PLOT_SVG */
    int width, height; /* pixels; default 1000 x 500 */
    int may_grow;      /* default 1: higher where legend and bars would leave too little for the graph */
} PlotDef;

PlotDef plot_default_def(void);

/* STATUS_BAD_INPUT where there is nothing to draw or a value is not finite. */
Status plot_script(const PlotFigure *figure, const PlotDef *def, FILE *out, Error *err);

#endif
