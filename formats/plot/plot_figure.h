/* Plots: curves over one axis, with phases shaded behind and below them.
 *
 * A plot is written as a gnuplot script with inline data, which writes the picture to standard output. Names come from
 * untrusted files, so every text is in single quotes, where gnuplot substitutes nothing, with enhanced text off;
 * invalid UTF-8 becomes '?', and long texts end in an ellipsis. Curves with more points than the picture can resolve
 * are reduced to the minimum and maximum of each step. Equal figures give equal bytes. Colours: M. Okabe, K. Ito, Color
 * universal design, 2008, distinguishable with colour vision deficiency. */
#ifndef KANE_PLOT_PLOT_FIGURE_H
#define KANE_PLOT_PLOT_FIGURE_H

#include <stdio.h>

#include "analysis/base/status.h"

enum { PLOT_FAINT = 1, PLOT_LEFT_OUT = 2 };

typedef struct PlotCurve {
    char *label;          /* owned */
    int colour, dash;     /* indices of colour and dash pattern, from 0, cyclic */
    int count;
    double *x, *y;        /* [count] owned */
    double *spread;       /* [count] half width of the band around the curve; owned, NULL: none */
    unsigned char *faint; /* [count] PLOT_FAINT: not trusted, drawn thin; PLOT_LEFT_OUT: not drawn; owned, NULL: none */
} PlotCurve;

typedef enum PlotShade { PLOT_LEFT_FOOT, PLOT_RIGHT_FOOT, PLOT_NOT_VALID, PLOT_SHADE_COUNT } PlotShade;

/* An interval of x, shown as a bar in a row below the curves or as a shade behind them. */
typedef struct PlotSpan {
    PlotShade shade;
    double from, to;
    int row;       /* row of the bar, from the top, >= 0; -1: no bar */
    int is_behind; /* 1: also shaded behind the curves, over the full height */
} PlotSpan;

typedef struct PlotFigure {
    char *title, *x_label, *y_label; /* owned; NULL: none */
    double x_from, x_to;
    int curve_count, span_count, row_count;
    PlotCurve *curve; /* [curve_count] owned */
    PlotSpan *span;   /* [span_count] owned */
    char **row_label; /* [row_count] label of a row of bars, NULL: only in the legend; owned */
} PlotFigure;

/* Adds a curve with zeroed arrays, and with spread and faint if requested. The pointer is valid until the next curve is
 * added; NULL if memory runs out. */
PlotCurve *plot_figure_add_curve(PlotFigure *figure, const char *label, int count, int has_spread, int has_faint);

Status plot_figure_add_span(PlotFigure *figure, PlotSpan span, Error *err);

/* Returns the index of the new row; -1 if memory runs out. label may be NULL. */
int plot_figure_add_row(PlotFigure *figure, const char *label);

void plot_figure_free(PlotFigure *figure);

typedef enum PlotFormat { PLOT_SVG, PLOT_PNG } PlotFormat;

typedef struct PlotDef {
    PlotFormat format; /* default PLOT_SVG */
    int width, height; /* pixels; default 1000 x 500 */
    int may_grow;      /* default 1: increase the height if legend and bars leave too little for the graph */
} PlotDef;

PlotDef plot_default_def(void);

/* Writes the script. STATUS_BAD_INPUT if there is nothing to draw or a value is not finite. */
Status plot_script(const PlotFigure *figure, const PlotDef *def, FILE *out, Error *err);

/* Writes several figures without spans as panels of one picture, row by row; the legend of all is in the first. */
Status plot_script_panels(const PlotFigure *panel, int count, int columns, const PlotDef *def, FILE *out, Error *err);

#endif
