/* See gait_figure.h. */
#include "formats/plot/gait_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const Coordinate shown[] = {COORDINATE_LEFT_HIP_FLEXION, COORDINATE_LEFT_HIP_ADDUCTION,
                                   COORDINATE_LEFT_KNEE_FLEXION, COORDINATE_LEFT_ANKLE_DORSIFLEXION};
enum { SHOWN = sizeof shown / sizeof *shown, PANELS = SHOWN * GAIT_QUANTITY_COUNT };
enum { SIDES = COORDINATE_RIGHT_SHOULDER_PLANE - COORDINATE_LEFT_SHOULDER_PLANE };

/* Indices of colours and dash patterns. */
enum { LEFT_COLOUR = 0, RIGHT_COLOUR = 1, NORM_COLOUR = 6, NORM_DASH = 1 };

PlotDef gait_figure_default_def(void) { return (PlotDef){.format = PLOT_SVG, .width = 1200, .height = 1200}; }

static const GaitCurve *find_curve(const Gait *gait, Coordinate coordinate, GaitQuantity quantity)
{
    for (int i = 0; i < gait->curve_count; i++)
        if (gait->curve[i].coordinate == coordinate && gait->curve[i].quantity == quantity)
            return &gait->curve[i];
    return NULL;
}

static int is_known(const GaitCurve *c)
{
    for (int p = 0; p < GAIT_POINTS; p++)
        if (!isfinite(c->mean[p]))
            return 0;
    return 1;
}

static int add_side(PlotFigure *panel, const GaitCurve *curve, const char *side, int colour)
{
    char label[48];
    if (!curve || !is_known(curve))
        return 1;
    snprintf(label, sizeof label, "%s, %d %s", side, curve->strides, curve->strides == 1 ? "stride" : "strides");
    PlotCurve *drawn = plot_figure_add_curve(panel, label, GAIT_POINTS, curve->strides > 1, 0);
    if (!drawn)
        return 0;
    drawn->colour = colour;
    for (int p = 0; p < GAIT_POINTS; p++) {
        drawn->x[p] = p;
        drawn->y[p] = curve->mean[p];
        if (drawn->spread)
            drawn->spread[p] = curve->deviation[p];
    }
    return 1;
}

static int add_norm(PlotFigure *panel, const GaitNorm *norm, const char *speed)
{
    char label[64];
    if (!norm)
        return 1;
    snprintf(label, sizeof label, "norm%s%s", *speed ? ", " : "", speed);
    PlotCurve *drawn = plot_figure_add_curve(panel, label, GAIT_POINTS, 1, 0);
    if (!drawn)
        return 0;
    drawn->colour = NORM_COLOUR;
    drawn->dash = NORM_DASH;
    for (int p = 0; p < GAIT_POINTS; p++) {
        drawn->x[p] = p;
        drawn->y[p] = 0.5 * (norm->low[p] + norm->high[p]);
        drawn->spread[p] = 0.5 * (norm->high[p] - norm->low[p]);
    }
    return 1;
}

/* Makes labels such as "hip flexion: moment" for left_hip_flexion. */
static int set_labels(PlotFigure *panel, Coordinate left, GaitQuantity quantity, GaitNormal normal, int is_last)
{
    char title[80];
    snprintf(title, sizeof title, "%s: %s", coordinate_name(left) + strlen("left_"), gait_quantity_name(quantity));
    for (char *c = title; (c = strchr(c, '_'));)
        *c = ' ';
    panel->title = strdup(title);
    panel->y_label = strdup(gait_unit(quantity, normal));
    panel->x_label = is_last ? strdup("% of the gait cycle") : NULL;
    panel->x_to = GAIT_POINTS - 1;
    return panel->title && panel->y_label && (!is_last || panel->x_label);
}

static Status fill_panel(const Gait *gait, GaitNormal normal, const GaitNorms *norms, int index, PlotFigure *panel,
                         Error *err)
{
    Coordinate left = shown[index / GAIT_QUANTITY_COUNT];
    GaitQuantity quantity = index % GAIT_QUANTITY_COUNT;
    int fits = add_side(panel, find_curve(gait, left, quantity), "left", LEFT_COLOUR) &&
               add_side(panel, find_curve(gait, left + SIDES, quantity), "right", RIGHT_COLOUR);
    if (fits && panel->curve_count > 0)
        fits = (!norms || add_norm(panel, gait_norms_find(norms, left, quantity), norms->speed)) &&
               set_labels(panel, left, quantity, normal, index / GAIT_QUANTITY_COUNT == SHOWN - 1);
    return fits ? STATUS_OK : error_no_memory(err);
}

Status gait_figure_script(const Gait *gait, GaitNormal normal, const GaitNorms *norms, const PlotDef *def, FILE *out,
                          Error *err)
{
    PlotFigure panel[PANELS] = {{0}};
    Status status = STATUS_OK;
    int count = 0;
    for (int i = 0; i < PANELS && !status; i++) {
        status = fill_panel(gait, normal, norms, i, &panel[count], err);
        count += panel[count].curve_count > 0;
    }
    if (!status)
        status = plot_script_panels(panel, count, GAIT_QUANTITY_COUNT, def, out, err);
    for (int i = 0; i < PANELS; i++)
        plot_figure_free(&panel[i]);
    return status;
}
