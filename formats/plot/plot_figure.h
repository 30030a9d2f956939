/* What a plot shows: curves over one axis, with phases shaded behind and below them.
 *
 * It is written as a script for gnuplot, with its data inside, which writes the picture to standard output.
 * Names come from files of strangers, so every text stands in single quotes, where gnuplot replaces nothing, with
 * enhanced text off; bytes that are no UTF-8 become '?', long texts end in an ellipsis. Curves of more points than the
 * picture has room for are drawn by the smallest and largest value of each step. The same figure gives the same bytes.
 * Colours: M. Okabe, K. Ito, Color universal design, 2008, which colour-blind readers tell apart. */
#ifndef KANE_FORMATS_PLOT_FIGURE_H
#define KANE_FORMATS_PLOT_FIGURE_H

#include <stdio.h>

#include "analysis/base/status.h"

enum { PLOT_FAINT = 1, PLOT_LEFT_OUT = 2 };

typedef struct PlotCurve {
    char *label;          /* owned */
    int colour, dash;     /* numbers of the palette and of the dash patterns, from 0, taken round */
    int count;
    double *x, *y;        /* [count] owned */
    double *spread;       /* [count] half the width of the band about the curve; owned, NULL: none */
    unsigned char *faint; /* [count] PLOT_FAINT: not to be trusted, drawn thin; PLOT_LEFT_OUT: not drawn; owned, NULL:
                             none */
} PlotCurve;

typedef enum PlotShade { PLOT_LEFT_FOOT, PLOT_RIGHT_FOOT, PLOT_NOT_VALID, PLOT_SHADE_COUNT } PlotShade;

/* A stretch of x, as a bar in a row below the curves or behind them. */
typedef struct PlotSpan {
    PlotShade shade;
    double from, to;
    int row;       /* of the bar, from above, 0 or more; -1: no bar */
    int is_behind; /* 1: also behind the curves, over the full height */
} PlotSpan;

typedef struct PlotFigure {
    char *title, *x_label, *y_label; /* owned; NULL: none */
    double x_from, x_to;
    int curve_count, span_count, row_count;
    PlotCurve *curve; /* [curve_count] owned */
    PlotSpan *span;   /* [span_count] owned */
    char **row_label; /* [row_count] what a row of bars is, NULL: the legend says it; owned */
} PlotFigure;

/* A curve whose arrays are zero, faint and spread where asked for. The pointer holds until the next one is added; NULL
 * without memory. */
PlotCurve *plot_figure_add_curve(PlotFigure *figure, const char *label, int count, int has_spread, int has_faint);

Status plot_figure_add_span(PlotFigure *figure, PlotSpan span, Error *err);

/* The number of the new row; -1 without memory. label may be NULL. */
int plot_figure_add_row(PlotFigure *figure, const char *label);

void plot_figure_free(PlotFigure *figure);

typedef enum PlotFormat { PLOT_SVG, PLOT_PNG } PlotFormat;

typedef struct PlotDef {
    PlotFormat format; /* default PLOT_SVG */
    int width, height; /* pixels; default 1000 x 500 */
    int may_grow;      /* default 1: higher where legend and bars would leave too little for the graph */
} PlotDef;

PlotDef plot_default_def(void);

/* STATUS_BAD_INPUT where there is nothing to draw or a value is not finite. */
Status plot_script(const PlotFigure *figure, const PlotDef *def, FILE *out, Error *err);

/* Several figures without spans in one picture of this size, row after row of so many columns; the first has the
 * legend of all. */
Status plot_script_panels(const PlotFigure *panel, int count, int columns, const PlotDef *def, FILE *out, Error *err);

#endif
