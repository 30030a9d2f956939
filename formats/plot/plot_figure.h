/* What a plot shows: curves over one axis, with phases shaded behind and below them.
 *
 * It is written as a script for gnuplot, with its data inside, which writes the picture to standard output.
 * Names come from untrusted files, so every text stands in single quotes, where gnuplot replaces nothing, with
 * enhanced text off; bytes that are no UTF-8 become '?', long texts end in an ellipsis. Curves of more points than the
 * picture has room for are drawn by the smallest and largest value of each step. The same figure gives the same bytes.
 * Colours: M. Okabe, K. Ito, Color universal design, 2008, which colour-blind readers distinguish. */
#ifndef KANE_PLOT_PLOT_FIGURE_H
#define KANE_PLOT_PLOT_FIGURE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/stats/gait.h"

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
    char **row_label; /* [row_count] what a row of bars is, NULL: the legend states it; owned */
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

/* Curves of healthy gait to draw behind those of a clip: tables `speed quantity axis percent low high`, as Schwartz
 * (2008) and the CGM were published, or `coordinate quantity percent low high` in kane's own names and units.
 *
 * Of the published ones these are taken, as the shape of the curve shows the plane: angles X of hip, knee and ankle
 * (flexion, dorsiflexion), Y of the hip (adduction), degrees; moments X and Y in Nmm/kg, positive where they extend and
 * abduct, so that their sign is changed; powers Z, W/kg. Others are ignored. */

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

/* Curves over the gait cycle as a picture of panels: rows of hip flexion, hip adduction, knee flexion and ankle
 * dorsiflexion, columns of angle, moment and power; left and right with their deviation, published norms behind. */

/* Writes the script for gnuplot; norms may be NULL. Coordinates that the clip has not leave no panel. STATUS_BAD_INPUT
 * where none is left. */
Status gait_figure_script(const Gait *gait, GaitNormal normal, const GaitNorms *norms, const PlotDef *def, FILE *out,
                          Error *err);

/* Pixels that suit it. */
PlotDef gait_figure_default_def(void);

#endif
