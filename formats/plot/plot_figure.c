/* See plot_figure.h. */
#include "formats/plot/plot_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/text.h"

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

/* The palette of Okabe and Ito without yellow, which is too light for lines. */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof palette / sizeof *palette, DASHES = 4, LONGEST_TEXT = 100 };

static const struct {
    const char *colour, *name;
    double behind; /* opacity of the shade behind curves */
} shades[PLOT_SHADE_COUNT] = {
    [PLOT_LEFT_FOOT] = {"#56B4E9", "left foot down", 0.10},
    [PLOT_RIGHT_FOOT] = {"#E69F00", "right foot down", 0.10},
    [PLOT_NOT_VALID] = {"#999999", "not trusted", 0.30},
};

/* Fractions of the graph's height: one row of bars, all rows at most; and the bar as a fraction of its row. */
static const double row_height = 0.045, max_rows = 0.5, bar_part = 0.7;

/* Approximate pixels: margins beside and above the graph; legend line, letter and line sample; smallest graph and row
 * of bars; largest picture. */
enum {
    BESIDE = 110, ABOVE = 120, LEGEND_LINE = 18, LETTER = 9, SAMPLE = 60,
    MIN_GRAPH = 300, MIN_ROW = 15, HIGHEST = 4000
};

PlotDef plot_default_def(void)
{
    return (PlotDef){.format = PLOT_SVG, .width = 1000, .height = 500, .may_grow = 1};
}

/* Returns the height of the legend, pixels; its columns have the width of the longest entry. */
static int legend_height(const PlotFigure *figure, int width)
{
    size_t longest = strlen(shades[PLOT_RIGHT_FOOT].name);
    for (int i = 0; i < figure->curve_count; i++)
        longest = strlen(figure->curve[i].label) > longest ? strlen(figure->curve[i].label) : longest;
    int entry = LETTER * (int)(longest < LONGEST_TEXT ? longest : LONGEST_TEXT) + SAMPLE;
    int columns = width - BESIDE > entry ? (width - BESIDE) / entry : 1;
    return LEGEND_LINE * ((figure->curve_count + PLOT_SHADE_COUNT + columns - 1) / columns);
}

static int picture_height(const PlotFigure *figure, const PlotDef *def)
{
    double graph = fmax(MIN_GRAPH, MIN_ROW * figure->row_count / max_rows);
    double wanted = fmin(ABOVE + graph + legend_height(figure, def->width), HIGHEST);
    return def->may_grow && wanted > def->height ? (int)wanted : def->height;
}

/* Writes a text in single quotes, in which gnuplot interprets only '' (a quote). */
static void put_text(FILE *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    putc('\'', out);
    for (int characters = 0; *c; characters++) {
        int length = utf8_length(c, strlen((const char *)c));
        if (characters == LONGEST_TEXT) {
            fputs("\xe2\x80\xa6", out);
            break;
        }
        if (*c == '\'')
            fputs("''", out);
        else if (*c < ' ' || *c == 0x7f)
            putc(' ', out);
        else if (length == 0)
            putc('?', out);
        else
            fwrite(c, 1, (size_t)length, out);
        c += length ? length : 1;
    }
    putc('\'', out);
}

/* Finds the range of visible values, including zero. */
static Status find_range(const PlotFigure *figure, double *low, double *high, Error *err)
{
    *low = *high = 0;
    for (int i = 0; i < figure->curve_count; i++) {
        const PlotCurve *c = &figure->curve[i];
        for (int k = 0; k < c->count; k++) {
            double spread = c->spread ? c->spread[k] : 0;
            if (!isfinite(c->x[k]) || !isfinite(c->y[k]) || !isfinite(spread))
                return error_set(err, STATUS_BAD_INPUT, "a value of \"%.100s\" is not finite", c->label);
            *low = fmin(*low, c->y[k] - spread);
            *high = fmax(*high, c->y[k] + spread);
        }
    }
    if (*low == *high) /* all values are zero */
        *low = -1, *high = 1;
    return STATUS_OK;
}

/* Returns 1, 2 or 5 times a power of ten, so that the height has four to ten ticks. */
static double tick_step(double height)
{
    double step = 1;
    while (step < height / 10)
        step *= 10;
    while (step > height / 10)
        step /= 10;
    return height / step > 40 ? 10 * step : height / step > 20 ? 5 * step : 2 * step;
}

/* Returns the height of a row of bars as a fraction of the graph's; many rows are lower. */
static double row_pitch(const PlotFigure *figure)
{
    return figure->row_count * row_height > max_rows ? max_rows / figure->row_count : row_height;
}

/* Writes the y range: a margin of 5 %, and room without ticks below the curves for the bars. */
static void put_range(const PlotFigure *figure, double low, double high, FILE *out)
{
    double height = high - low, bars = figure->row_count * row_pitch(figure), step = tick_step(height);
    high += 0.05 * height;
    low -= low < 0 ? 0.05 * height : 0;
    fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", figure->x_from, figure->x_to,
            low - (high - low) * bars / (1 - bars), high);
    fprintf(out, "set ytics %.9g,%.9g,%.9g\n", step * ceil(low / step), step, high);
}

static void put_terminal(const PlotDef *def, FILE *out)
{
    if (def->format == PLOT_SVG)
        fprintf(out, "set terminal svg size %d,%d noenhanced font 'sans-serif,14' background '#ffffff'\n", def->width,
                def->height);
    else
        fprintf(out, "set terminal pngcairo size %d,%d noenhanced font 'sans,11' background '#ffffff'\n", def->width,
                def->height);
}

static void put_label(const char *command, const char *text, FILE *out)
{
    if (!text)
        return;
    fprintf(out, "set %s ", command);
    put_text(out, text);
    fputs(strcmp(command, "title") == 0 ? " noenhanced font ',15'\n" : " noenhanced\n", out);
}

static void put_axes(const PlotFigure *figure, FILE *out)
{
    fputs("set encoding utf8\n"
          "set border 3 linecolor rgb '#666666'\n"
          "set tics nomirror out textcolor rgb '#333333'\n"
          "set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.5,"
          " linecolor rgb '#dddddd' linetype 1 linewidth 0.5\n"
          "set xzeroaxis linecolor rgb '#888888' linetype 1 linewidth 1\n"
          "set key noenhanced below left horizontal Left reverse samplen 2.5 width 2 height 0.6\n"
          "set style fill noborder\n", out);
    put_label("title", figure->title, out);
    put_label("xlabel", figure->x_label, out);
    put_label("ylabel", figure->y_label, out);
}

static void put_rectangle(const PlotSpan *span, double bottom, double top, double opacity, FILE *out)
{
    fprintf(out,
            "set object rectangle from first %.9g, graph %.6g to first %.9g, graph %.6g behind fillcolor rgb '%s' "
            "fillstyle transparent solid %.2f noborder\n",
            span->from, bottom, span->to, top, shades[span->shade].colour, opacity);
}

/* Returns the bottom of a row of bars, as a fraction of the graph's height; the first row is the highest. */
static double row_bottom(const PlotFigure *figure, int row)
{
    return row_pitch(figure) * (figure->row_count - 1 - row);
}

/* Writes the row labels, in a font size that fits. */
static void put_row_labels(const PlotFigure *figure, const PlotDef *def, FILE *out)
{
    double pitch = row_pitch(figure), graph = def->height - ABOVE - legend_height(figure, def->width);
    double size = fmax(4, fmin(10, 10 * pitch * graph / MIN_ROW));
    for (int i = 0; i < figure->row_count; i++) {
        if (!figure->row_label[i])
            continue;
        fputs("set label ", out);
        put_text(out, figure->row_label[i]);
        fprintf(out, " at graph 0.005, graph %.6g left noenhanced front font ',%.3g' textcolor rgb '#222222'\n",
                row_bottom(figure, i) + 0.5 * pitch, size);
    }
}

/* Draws shades behind the curves first, then the bars. */
static void put_spans(const PlotFigure *figure, FILE *out)
{
    double pitch = row_pitch(figure);
    for (int i = 0; i < figure->span_count; i++)
        if (figure->span[i].is_behind)
            put_rectangle(&figure->span[i], 0, 1, shades[figure->span[i].shade].behind, out);
    for (int i = 0; i < figure->span_count; i++) {
        const PlotSpan *span = &figure->span[i];
        double bottom = row_bottom(figure, span->row) + 0.5 * (1 - bar_part) * pitch;
        if (span->row >= 0)
            put_rectangle(span, bottom, bottom + bar_part * pitch, figure->row_label[span->row] ? 0.5 : 0.9, out);
    }
}

/* Writes a point: x, y if trusted, y if not trusted, and the edges of the band. A point next to a change belongs to
 * both lines. */
static void put_point(const PlotCurve *c, int k, FILE *out)
{
    int faint = c->faint && c->faint[k], out_of_reach = faint && c->faint[k] == PLOT_LEFT_OUT;
    int beside = c->faint && (faint || (k > 0 && c->faint[k - 1]) || (k + 1 < c->count && c->faint[k + 1]));
    fprintf(out, "%.9g %.7g %.7g", c->x[k], faint ? NAN : c->y[k],
            beside && !out_of_reach ? c->y[k] : NAN);
    if (c->spread)
        fprintf(out, " %.7g %.7g", c->y[k] - c->spread[k], c->y[k] + c->spread[k]);
    putc('\n', out);
}

/* Writes the data of a curve. If points are denser than half a pixel, each step is reduced to its minimum and maximum,
 * in order. */
static void put_data(const PlotCurve *c, int number, int width, FILE *out)
{
    int step = c->spread ? 1 : (int)((long)c->count / (4L * width)) + 1;
    fprintf(out, "$curve%d << END\n", number);
    for (int first = 0; first < c->count; first += step) {
        int end = c->count - first < step ? c->count : first + step, low = first, high = first;
        for (int k = first; k < end; k++) {
            low = c->y[k] < c->y[low] ? k : low;
            high = c->y[k] > c->y[high] ? k : high;
        }
        put_point(c, low < high ? low : high, out);
        if (low != high)
            put_point(c, low < high ? high : low, out);
    }
    fputs("END\n", out);
}

static int has_faint(const PlotCurve *c)
{
    return c->faint && memchr(c->faint, PLOT_FAINT, (size_t)c->count) != NULL;
}

static void put_curve(const PlotCurve *c, int number, FILE *out)
{
    const char *colour = palette[c->colour % COLOURS];
    int dash = (c->dash + c->colour / COLOURS) % DASHES + 1; /* more curves than colours: next dash pattern */
    if (c->spread)
        fprintf(out, "$curve%d using 1:4:5 with filledcurves fillcolor rgb '%s' fillstyle transparent solid 0.18"
                     " notitle, ", number, colour);
    if (has_faint(c))
        fprintf(out, "$curve%d using 1:3 with lines linecolor rgb '%s' linewidth 1 dashtype 3 notitle, ", number,
                colour);
    fprintf(out, "$curve%d using 1:2 with lines linecolor rgb '%s' linewidth 2 dashtype %d title ", number, colour,
            dash);
    put_text(out, c->label);
}

static int has_shade(const PlotFigure *figure, PlotShade shade)
{
    for (int i = 0; i < figure->span_count; i++)
        if (figure->span[i].shade == shade)
            return 1;
    return 0;
}

/* Writes the data of all curves, numbered from first. */
static void put_all_data(const PlotFigure *figure, int first, int width, FILE *out)
{
    for (int i = 0; i < figure->curve_count; i++)
        put_data(&figure->curve[i], first + i, width, out);
}

static void put_curves(const PlotFigure *figure, int first, FILE *out)
{
    fputs("plot ", out);
    for (int i = 0; i < figure->curve_count; i++) {
        fputs(i ? ", \\\n     " : "", out);
        put_curve(&figure->curve[i], first + i, out);
    }
    for (PlotShade s = 0; s < PLOT_SHADE_COUNT; s++)
        if (has_shade(figure, s))
            fprintf(out, ", \\\n     keyentry with boxes fillcolor rgb '%s' fillstyle transparent solid 0.6 title '%s'",
                    shades[s].colour, shades[s].name);
    fputs("\n", out);
}

static Status check_figure(const PlotFigure *figure, double *low, double *high, Error *err)
{
    if (figure->curve_count == 0 || !(figure->x_to > figure->x_from))
        return error_set(err, STATUS_BAD_INPUT, "there is nothing to draw");
    return find_range(figure, low, high, err);
}

Status plot_script(const PlotFigure *figure, const PlotDef *def, FILE *out, Error *err)
{
    PlotDef sized = *def;
    double low = 0, high = 0;
    Status status = check_figure(figure, &low, &high, err);
    if (status)
        return status;
    sized.height = picture_height(figure, def);
    put_terminal(&sized, out);
    put_axes(figure, out);
    put_range(figure, low, high, out);
    put_spans(figure, out);
    put_row_labels(figure, &sized, out);
    put_all_data(figure, 0, def->width, out);
    put_curves(figure, 0, out);
    return ferror(out) ? error_set(err, STATUS_IO, "cannot write the script") : STATUS_OK;
}

Status plot_script_panels(const PlotFigure *panel, int count, int columns, const PlotDef *def, FILE *out, Error *err)
{
    double low, high;
    int first = 0;
    if (count < 1)
        return error_set(err, STATUS_BAD_INPUT, "there is nothing to draw");
    for (int i = 0; i < count; i++) {
        Status status = check_figure(&panel[i], &low, &high, err);
        if (status)
            return status;
    }
    put_terminal(def, out);
    for (int i = 0; i < count; first += panel[i++].curve_count)
        put_all_data(&panel[i], first, def->width / columns, out);
    fprintf(out, "set multiplot layout %d,%d\n", (count + columns - 1) / columns, columns);
    first = 0;
    for (int i = 0; i < count; first += panel[i++].curve_count) {
        find_range(&panel[i], &low, &high, NULL);
        put_axes(&panel[i], out);
        fputs(i ? "unset key\n" : "set key inside top right vertical samplen 1.5\n", out);
        put_range(&panel[i], low, high, out);
        put_curves(&panel[i], first, out);
    }
    fputs("unset multiplot\n", out);
    return ferror(out) ? error_set(err, STATUS_IO, "cannot write the script") : STATUS_OK;
}
