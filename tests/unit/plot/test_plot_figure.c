/* formats/plot: figures as gnuplot scripts: content, and text of a file is never a command. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/plot/plot_figure.h"
#include "formats/plot/gait_figure.h"

static char *script(const PlotFigure *figure)
{
    PlotDef def = plot_default_def();
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(plot_script(figure, &def, out, NULL), STATUS_OK);
    fclose(out);
    return text;
}

/* A curve y = x over 0, 1 ... */
static PlotFigure line(const char *label, int count)
{
    PlotFigure figure = {.x_to = count - 1};
    PlotCurve *curve = plot_figure_add_curve(&figure, label, count, 0, 1);
    assert_non_null(curve);
    for (int i = 0; i < count; i++)
        curve->x[i] = curve->y[i] = i;
    return figure;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

TEST(each_point_is_a_row)
{
    PlotFigure figure = line("knee", 5);
    (void)state;
    figure.curve[0].faint[4] = 1;
    char *text = script(&figure);
    assert_non_null(strstr(text, "$curve0 << END\n0 0 nan\n1 1 nan\n2 2 nan\n3 3 3\n4 nan 4\nEND\n"));
    assert_int_equal(count_of(text, "using 1:2 with lines"), 1);
    assert_int_equal(count_of(text, "using 1:3 with lines"), 1); /* the untrusted part */
    free(text);
    plot_figure_free(&figure);
}

TEST(bands_and_shades_are_drawn_behind)
{
    PlotFigure figure = {.x_to = 1};
    PlotCurve *curve = plot_figure_add_curve(&figure, "mean", 2, 1, 0);
    (void)state;
    curve->x[1] = curve->y[1] = 1;
    curve->spread[0] = curve->spread[1] = 0.25;
    int row = plot_figure_add_row(&figure, NULL);
    assert_int_equal(plot_figure_add_span(&figure, (PlotSpan){PLOT_LEFT_FOOT, 0, 0.6, row, 1}, NULL), STATUS_OK);
    char *text = script(&figure);
    assert_non_null(strstr(text, "\n0 0 nan -0.25 0.25\n"));
    assert_int_equal(count_of(text, "with filledcurves"), 1);
    assert_int_equal(count_of(text, "set object rectangle from first 0,"), 2);
    assert_int_equal(count_of(text, "'left foot down'"), 1);
    assert_int_equal(count_of(text, "'right foot down'"), 0);
    free(text);
    plot_figure_free(&figure);
}

/* Text stays inside its quotes: the remaining script is the same for all labels. */
TEST(texts_are_escaped)
{
    static const char *const labels[] = {"'; system('touch owned'); '", "`touch owned`", "\"@x\\n$curve0",
                                        "a\nplot sin(x)\r",
                                         "\xff\xfe{/Symbol a}_b^c", "it''s", "\xed\xa0\x80<&>"};
    PlotFigure plain = line("", 3);
    char *expected = script(&plain);
    (void)state;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        PlotFigure figure = line(labels[i], 3);
        char *text = script(&figure), *at = strstr(text, "title '"), *end;
        size_t before = (size_t)(at - text) + strlen("title '");
        for (end = text + before; end[0] != '\'' || end[1] == '\''; end++)
            end += end[0] == '\''; /* '' is an escaped quote */
        for (const char *c = text + before; c < end; c++)
            assert_true((unsigned char)*c >= ' ');
        assert_int_equal(strncmp(text, expected, before), 0);
        assert_string_equal(end, expected + before);
        free(text);
        plot_figure_free(&figure);
    }
    assert_non_null(strstr(expected, "noenhanced"));
    free(expected);
    plot_figure_free(&plain);
}

/* More points than pixels: minimum and maximum are kept. */
TEST(long_curves_keep_their_peaks)
{
    PlotFigure figure = line("long", 100000);
    (void)state;
    figure.curve[0].y[31415] = 1e6;
    figure.curve[0].y[27182] = -1e6;
    char *text = script(&figure);
    assert_non_null(strstr(text, "\n31415 1000000 "));
    assert_non_null(strstr(text, "\n27182 -1000000 "));
    assert_true(count_of(text, "\n") < 9000);
    free(text);
    plot_figure_free(&figure);
}

/* Numbers of the script line that begins with given words, by a scanf format. */
static int numbers_of(const char *text, const char *words, const char *format, double *a, double *b, double *c)
{
    const char *at = strstr(text, words);
    return at ? sscanf(at + strlen(words), format, a, b, c) : 0;
}

/* Tick steps of 1, 2 or 5 times a power of ten, four to ten of them; all ticks in range; a margin of a twentieth of the
 * height, below zero only if curves are negative. */
TEST(ticks_are_round_and_in_range)
{
    static const struct {
        double low, high, step;
    } cases[] = {{0, 1, 0.2}, {0, 4.1, 1}, {0, 9.9, 1}, {0, 10, 2}, {0, 11, 2}, {0, 20, 2}, {0, 39, 5}, {0, 41, 10},
                 {0, 100, 20}, {0, 101, 20}, {0, 205, 50}, {0, 0.03, 0.005}, {-3, 5, 1}, {-200, 0, 20}, {-60, -20, 10},
                 {0, 3e5, 5e4}, {0, 2.5e-4, 5e-5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PlotFigure figure = line("knee", 3);
        double first = NAN, step = NAN, last = NAN, bottom = NAN, top = NAN;
        double low = fmin(cases[i].low, 0), high = fmax(cases[i].high, 0), height = high - low;
        figure.curve[0].y[0] = cases[i].low;
        figure.curve[0].y[1] = 0.5 * (cases[i].low + cases[i].high);
        figure.curve[0].y[2] = cases[i].high;
        char *text = script(&figure);
        assert_int_equal(numbers_of(text, "set yrange ", "[%lf:%lf]", &bottom, &top, NULL), 2);
        assert_int_equal(numbers_of(text, "set ytics ", "%lf,%lf,%lf", &first, &step, &last), 3);
        assert_near(top, high + 0.05 * height, 1e-8 * height);
        assert_near(bottom, low - (low < 0 ? 0.05 * height : 0), 1e-8 * height);
        assert_near(step, cases[i].step, 1e-9 * step);
        assert_near(last, top, 1e-8 * height);
        assert_true(first >= bottom && first < bottom + step);
        assert_near(remainder(first, step), 0, 1e-9 * step);
        assert_true(floor(height / step) >= 4 && floor(height / step) <= 10);
        free(text);
        plot_figure_free(&figure);
    }
}

/* Picture height set by the script. */
static int height_of(const PlotFigure *figure, const PlotDef *def)
{
    char *text = NULL;
    size_t size;
    int width = 0, height = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(plot_script(figure, def, out, NULL), STATUS_OK);
    fclose(out);
    assert_int_equal(sscanf(text, "set terminal svg size %d,%d", &width, &height), 2);
    assert_int_equal(width, def->width);
    free(text);
    return height;
}

/* A curve of one side only fills its own panel. */
TEST(panel_of_one_side_is_drawn)
{
    GaitCurve curve[] = {{.coordinate = COORDINATE_LEFT_HIP_FLEXION, .quantity = GAIT_ANGLE, .strides = 1},
                         {.coordinate = COORDINATE_LEFT_KNEE_FLEXION, .quantity = GAIT_POWER, .strides = 1}};
    Gait gait = {.curve = curve, .curve_count = 2};
    PlotDef def = gait_figure_default_def();
    char *text = NULL;
    size_t size;
    (void)state;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gait_figure_script(&gait, GAIT_PER_MASS, NULL, &def, out, NULL), STATUS_OK);
    fclose(out);
    assert_non_null(strstr(text, "hip flexion: angle"));
    assert_non_null(strstr(text, "knee flexion: power"));
    free(text);
}

/* Long legends and many bars leave the graph its height, unless the size was set. */
TEST(picture_size_grows_with_curves_and_rows)
{
    PlotFigure figure = line("knee", 3);
    PlotDef def = plot_default_def(), fixed = plot_default_def();
    (void)state;
    fixed.may_grow = 0;
    assert_int_equal(height_of(&figure, &def), def.height);
    for (int i = 0; i < 40; i++) {
        PlotCurve *curve = plot_figure_add_curve(&figure, "a clip with a long name, left knee", 3, 0, 0);
        assert_non_null(curve);
        curve->x[2] = curve->y[2] = 2;
    }
    int with_curves = height_of(&figure, &def);
    /* graph, space above, and a line of 18 per two entries, rounded up */
    assert_int_equal(with_curves, 300 + 120 + 18 * ((41 + PLOT_SHADE_COUNT + 1) / 2));
    assert_true(with_curves >= def.height + 15 * 18); /* 20 lines of two entries; 5 fit below the graph */
    for (int i = 0; i < 40; i++)
        assert_int_equal(plot_figure_add_row(&figure, "left"), i);
    assert_true(height_of(&figure, &def) >= with_curves + 20 * 15);
    assert_int_equal(height_of(&figure, &fixed), fixed.height);
    plot_figure_free(&figure);
}

/* Any number of bars are stacked below each other, within the lower half of the graph. */
TEST(bars_of_many_rows_do_not_overlap)
{
    for (int rows = 1; rows <= 100; rows += 33) {
        PlotFigure figure = line("knee", 3);
        for (int i = 0; i < rows; i++) {
            assert_int_equal(plot_figure_add_row(&figure, "left"), i);
            assert_int_equal(plot_figure_add_span(&figure, (PlotSpan){PLOT_LEFT_FOOT, 0, 1, i, 0}, NULL), STATUS_OK);
        }
        char *text = script(&figure), *at = text;
        double above = 0.5;
        for (int i = 0; i < rows; i++) {
            double bottom = NAN, top = NAN;
            at = strstr(at, "rectangle from first 0, graph ") + strlen("rectangle from first 0, graph ");
            assert_int_equal(sscanf(at, "%lf to first 1, graph %lf", &bottom, &top), 2);
            assert_true(bottom > 0 && bottom < top && top < above);
            above = bottom;
        }
        free(text);
        plot_figure_free(&figure);
    }
}

TEST(empty_and_nonfinite_figures_are_refused)
{
    PlotFigure figure = {.x_to = 1};
    PlotDef def = plot_default_def();
    Error err;
    FILE *out = tmpfile();
    (void)state;
    assert_int_equal(plot_script(&figure, &def, out, &err), STATUS_BAD_INPUT);
    figure = line("knee", 3);
    figure.curve[0].y[1] = NAN;
    assert_int_equal(plot_script(&figure, &def, out, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "knee"));
    plot_figure_free(&figure);
    figure = line("one frame", 1);
    assert_int_equal(plot_script(&figure, &def, out, &err), STATUS_BAD_INPUT);
    plot_figure_free(&figure);
    assert_int_equal(ftell(out), 0);
    fclose(out);
}
