#include "formats/plot/plot_figure.h"

#include "analysis/base/memory.h"
#include "formats/base/grow.h"

static void free_curve(PlotCurve *curve)
{
    free(curve->label);
    free(curve->x);
    free(curve->y);
    free(curve->spread);
    free(curve->faint);
}

PlotCurve *plot_figure_add_curve(PlotFigure *figure, const char *label, int count, int has_spread, int has_faint)
{
    size_t points = (size_t)count;
    PlotCurve curve = {.count = count, .label = strdup(label)};
    curve.x = array_new(points, 1, sizeof *curve.x);
    curve.y = array_new(points, 1, sizeof *curve.y);
    curve.spread = has_spread ? array_new(points, 1, sizeof *curve.spread) : NULL;
    curve.faint = has_faint ? array_new(points, 1, sizeof *curve.faint) : NULL;
    if (!curve.label || !curve.x || !curve.y || (has_spread && !curve.spread) || (has_faint && !curve.faint) ||
        !array_grow(&figure->curve, figure->curve_count, sizeof *figure->curve)) {
        free_curve(&curve);
        return NULL;
    }
    figure->curve[figure->curve_count] = curve;
    return &figure->curve[figure->curve_count++];
}

Status plot_figure_add_span(PlotFigure *figure, PlotSpan span, Error *err)
{
    if (!array_grow(&figure->span, figure->span_count, sizeof *figure->span))
        return error_no_memory(err);
    figure->span[figure->span_count++] = span;
    return STATUS_OK;
}

int plot_figure_add_row(PlotFigure *figure, const char *label)
{
    char *copy = label ? strdup(label) : NULL;
    if ((label && !copy) || !array_grow(&figure->row_label, figure->row_count, sizeof *figure->row_label)) {
        free(copy);
        return -1;
    }
    figure->row_label[figure->row_count] = copy;
    return figure->row_count++;
}

void plot_figure_free(PlotFigure *figure)
{
    if (!figure)
        return;
    for (int i = 0; i < figure->curve_count; i++)
        free_curve(&figure->curve[i]);
    for (int i = 0; i < figure->row_count; i++)
        free(figure->row_label[i]);
    free(figure->curve);
    free(figure->span);
    free(figure->row_label);
    free(figure->title);
    free(figure->x_label);
    free(figure->y_label);
    *figure = (PlotFigure){0};
}
