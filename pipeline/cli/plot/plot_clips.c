#include "pipeline/cli/plot/plot_clips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/stats/contact_phases.h"
#include "analysis/stats/gait_cycle.h"
#include "analysis/stats/joint_series.h"
#include "formats/base/text.h"

/* Longest clip name beside a joint name, in characters of at most four bytes. */
enum { LONGEST_NAME = 60, TEXT_SIZE = 256 };

/* State while a clip is drawn. */
typedef struct ClipDrawing {
    const PlotClip *all; /* [count] */
    int count, number;   /* number: index of the clip */
    const Clip *clip;
    const PlotWish *wish;
    PlotFigure *figure;
    double *value;  /* [frame] the quantity of one joint */
    double *spread; /* [frame] its standard deviation */
    int has_spread; /* 1: this joint has one */
    int is_banded;  /* 1: some curve over time has a band */
    GaitCycles cycles;
    Error *err;
} ClipDrawing;

static int cycle_foot(PlotCycle cycle)
{
    return cycle == PLOT_CYCLE_LEFT ? FOOT_LEFT : FOOT_RIGHT;
}

static const char *foot_name(int foot)
{
    return foot == FOOT_LEFT ? "left" : "right";
}

/* Returns the title of a clip, or its path if another clip has the same title. */
static const char *clip_name(const ClipDrawing *d, int number)
{
    const char *title = d->all[number].clip.provenance.title;
    int same = 0;
    for (int i = 0; i < d->count; i++) {
        const char *other = d->all[i].clip.provenance.title;
        same += title && other && strcmp(title, other) == 0;
    }
    return title && *title && same == 1 ? title : d->all[number].path;
}

/* Returns the position after the first characters of a text. */
static const char *behind(const char *text, int characters)
{
    for (; *text && characters > 0; characters--) {
        int length = utf8_length((const unsigned char *)text, strnlen(text, 4));
        text += length ? length : 1;
    }
    return text;
}

/* Writes the name of a clip; a long one is abbreviated in the middle. */
static void short_name(const ClipDrawing *d, int number, char text[TEXT_SIZE])
{
    const char *name = clip_name(d, number), *head = behind(name, LONGEST_NAME / 2);
    int length = 0;
    for (const char *c = name; *c; c = behind(c, 1))
        length++;
    if (length <= LONGEST_NAME)
        snprintf(text, TEXT_SIZE, "%s", name);
    else
        snprintf(text, TEXT_SIZE, "%.*s…%s", (int)(head - name), name, behind(name, length + 1 - LONGEST_NAME / 2));
}

/* Writes "left knee". */
static void role_words(Role role, char *text, size_t size)
{
    snprintf(text, size, "%s", role_name(role));
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

static Status find_joint(const ClipDrawing *d, int item, int *joint, char *name, size_t size)
{
    const Skeleton *s = &d->clip->skeleton;
    const char *wanted = d->wish->joints.item[item].name;
    Role role = d->wish->joints.item[item].role;
    char near[TEXT_SIZE];
    *joint = wanted ? skeleton_find(s, wanted) : skeleton_find_role(s, role);
    if (wanted)
        snprintf(name, size, "%s", wanted);
    else
        role_words(role, name, size);
    if (*joint >= 0)
        return STATUS_OK;
    if (!wanted)
        return error_set(d->err, STATUS_BAD_INPUT, "no joint has the role %s; kane info lists roles and joints",
                         role_name(role));
    did_you_mean(wanted, (const char *const *)s->name, (size_t)s->joint_count, near, sizeof near);
    return error_set(d->err, STATUS_BAD_INPUT, "unknown joint \"%.100s\"%s", wanted, near);
}

static int is_anatomical(const PlotWish *wish) { return wish->quantity >= QUANTITY_COUNT; }

/* Finds the coordinate of an item, its joint and its name. */
static Status find_coordinate(ClipDrawing *d, int item, int *joint, char *name, size_t size)
{
    Coordinate coordinate = d->wish->joints.item[item].coordinate;
    Role role = d->wish->joints.item[item].role;
    if (d->wish->joints.item[item].name && coordinate == COORDINATE_NONE) {
        Status status = find_joint(d, item, joint, name, size);
        if (status)
            return status;
        role = d->clip->skeleton.role[*joint];
    }
    coordinate = coordinate == COORDINATE_NONE ? coordinate_of_role(role) : coordinate;
    if (coordinate == COORDINATE_NONE)
        return error_set(d->err, STATUS_BAD_INPUT, "%s has no anatomical coordinates", *name ? name : role_name(role));
    Status status = coordinate_quantity(d->clip, coordinate, d->wish->quantity, d->value, d->err);
    if (status)
        return status;
    d->has_spread = coordinate_spread(d->clip, coordinate, d->wish->quantity, d->spread);
    *joint = d->clip->angles.joint[joint_angles_find(&d->clip->angles, coordinate)];
    snprintf(name, size, "%s", coordinate_name(coordinate));
    for (char *c = name; (c = strchr(c, '_'));)
        *c = ' ';
    return STATUS_OK;
}

/* Marks the load of the floating base as a residual. */
static void name_residual(const ClipDrawing *d, int joint, char *name, size_t size)
{
    int is_load = d->wish->quantity == QUANTITY_TORQUE || d->wish->quantity == QUANTITY_POWER;
    size_t used = strlen(name);
    if (is_load && joint_carries_residual(d->clip, joint))
        snprintf(name + used, size - used, ", residual");
}

/* Computes the quantity in all frames, per body mass if requested. */
static Status take_values(ClipDrawing *d, int joint)
{
    const Clip *clip = d->clip;
    Status status = is_anatomical(d->wish) ? STATUS_OK /* computed in find_coordinate */
                    : joint_quantity(clip, joint, d->wish->quantity, d->wish->component, d->value, d->err);
    if (!status && !is_anatomical(d->wish))
        d->has_spread = !joint_carries_residual(clip, joint) &&
                        joint_quantity_spread(clip, joint, d->wish->quantity, d->wish->component, d->spread);
    if (status || !d->wish->per_kg)
        return status;
    if (!(clip->body.total_mass > 0)) /* 0 without a body */
        return error_set(d->err, STATUS_BAD_INPUT, "has no /body: --per-kg requires kane body first");
    for (int f = 0; f < clip->motion.frame_count; f++) {
        d->value[f] /= clip->body.total_mass;
        d->spread[f] /= clip->body.total_mass;
    }
    return STATUS_OK;
}

/* Sets colour and dash: with one clip colours are joints, with one joint colours are clips; otherwise colours are
 * joints and dashes clips. */
static void style(const ClipDrawing *d, int item, PlotCurve *curve)
{
    int by_clip = d->count > 1 && d->wish->joints.count == 1;
    curve->colour = by_clip ? d->number : item;
    curve->dash = by_clip ? 0 : d->number;
}

static PlotCurve *add_curve(const ClipDrawing *d, int item, const char *name, int count, int has_spread, int has_faint)
{
    char label[2 * TEXT_SIZE], clip[TEXT_SIZE] = "";
    int several = d->count > 1;
    if (several)
        short_name(d, d->number, clip);
    int used = snprintf(label, sizeof label, "%s%s%.200s", clip, several ? ", " : "", name);
    if (several && d->wish->cycle != PLOT_CYCLE_NONE)
        snprintf(label + used, sizeof label - (size_t)used, " (%d)", d->cycles.count);
    PlotCurve *curve = plot_figure_add_curve(d->figure, label, count, has_spread, has_faint);
    if (curve)
        style(d, item, curve);
    return curve;
}

/* Hides untrusted values that lie farther from the range of trusted values than its height: an artifact may be a
 * hundred times as high. */
static void leave_out_far(PlotCurve *curve)
{
    double low = INFINITY, high = -INFINITY;
    for (int f = 0; f < curve->count; f++)
        if (!curve->faint[f]) {
            low = fmin(low, curve->y[f]);
            high = fmax(high, curve->y[f]);
        }
    for (int f = 0; f < curve->count && low <= high; f++)
        if (curve->faint[f] && !(fabs(curve->y[f] - 0.5 * (low + high)) <= 1.5 * (high - low)))
            curve->faint[f] = PLOT_LEFT_OUT;
}

static Status draw_time(ClipDrawing *d, int item, int joint, const char *name)
{
    const Clip *clip = d->clip;
    int frames = clip->motion.frame_count;
    if (frames < 2)
        return error_set(d->err, STATUS_BAD_INPUT, "only one frame; a plot needs two or more");
    PlotCurve *curve = add_curve(d, item, name, frames, d->has_spread, clip->has_kinematics);
    if (!curve)
        return error_no_memory(d->err);
    memcpy(curve->x, clip->motion.time, (size_t)frames * sizeof *curve->x);
    memcpy(curve->y, d->value, (size_t)frames * sizeof *curve->y);
    for (int f = 0; f < frames && curve->spread; f++)
        curve->spread[f] = BAND_90 * d->spread[f];
    d->is_banded |= d->has_spread;
    for (int f = 0; f < frames && curve->faint; f++)
        curve->faint[f] = clip_counts_joint(clip, f, joint, d->wish->frames) ? 0 : PLOT_FAINT;
    if (curve->faint)
        leave_out_far(curve);
    for (int f = 0; f < frames && curve->faint; f++)
        if (isnan(curve->y[f])) { /* unknown angle */
            curve->faint[f] = PLOT_LEFT_OUT;
            curve->y[f] = 0;
        }
    return STATUS_OK;
}

static Status draw_cycle(const ClipDrawing *d, int item, const char *name)
{
    double spread[GAIT_POINTS];
    PlotCurve *curve = add_curve(d, item, name, GAIT_POINTS, d->cycles.count > 1, 0);
    if (!curve)
        return error_no_memory(d->err);
    gait_cycles_profile(&d->cycles, d->clip->motion.time, d->value, curve->y, curve->spread ? curve->spread : spread);
    for (int p = 0; p < GAIT_POINTS; p++)
        curve->x[p] = p;
    return STATUS_OK;
}

/* Adds a row of bars; with one clip the legend labels it. */
static Status add_row(const ClipDrawing *d, int foot, int *row)
{
    char label[TEXT_SIZE + 10], clip[TEXT_SIZE];
    short_name(d, d->number, clip);
    snprintf(label, sizeof label, "%s, %s", clip, foot_name(foot));
    *row = plot_figure_add_row(d->figure, d->count > 1 ? label : NULL);
    return *row >= 0 ? STATUS_OK : error_no_memory(d->err);
}

static PlotSpan foot_span(const ClipDrawing *d, int foot, double from, double to, int row)
{
    PlotShade shade = foot == FOOT_LEFT ? PLOT_LEFT_FOOT : PLOT_RIGHT_FOOT;
    return (PlotSpan){.shade = shade, .from = from, .to = to, .row = row, .is_behind = d->count == 1};
}

/* Sets a span in time; a frame extends half a frame time to both sides. */
static PlotSpan in_time(const ClipDrawing *d, PlotSpan span, int first, int last)
{
    double half = 0.5 * d->clip->motion.frame_time;
    span.from = d->clip->motion.time[first] - (first > 0 ? half : 0);
    span.to = d->clip->motion.time[last] + (last + 1 < d->clip->motion.frame_count ? half : 0);
    return span;
}

static Status shade_contacts(const ClipDrawing *d, int foot)
{
    ContactPhases phases;
    int row = -1;
    Status status = contact_phases_init(&phases, d->clip, foot, 0, d->err);
    if (!status && phases.count > 0)
        status = add_row(d, foot, &row);
    for (int i = 0; i < phases.count && !status; i++) {
        PlotSpan span = in_time(d, foot_span(d, foot, 0, 0, row), phases.span[i].first, phases.span[i].last);
        status = plot_figure_add_span(d->figure, span, d->err);
    }
    contact_phases_free(&phases);
    return status;
}

static Status shade_not_counted(const ClipDrawing *d)
{
    const Clip *clip = d->clip;
    Status status = STATUS_OK;
    for (int f = 0, frames = clip->motion.frame_count; f < frames && clip->has_kinematics && !status; f++) {
        int first = f;
        while (f < frames && !clip_counts_frame(clip, f, d->wish->frames))
            f++;
        PlotSpan span = {.shade = PLOT_NOT_VALID, .row = -1, .is_behind = 1};
        if (f > first) /* f is trusted, or the end */
            status = plot_figure_add_span(d->figure, in_time(d, span, first, f - 1), d->err);
    }
    return status;
}

static Status shade_time(const ClipDrawing *d)
{
    Status status = shade_contacts(d, FOOT_LEFT);
    if (!status)
        status = shade_contacts(d, FOOT_RIGHT);
    return !status && d->count == 1 ? shade_not_counted(d) : status;
}

/* Shades the stance phase, from strike to toe-off. */
static Status shade_stance(const ClipDrawing *d)
{
    int foot = cycle_foot(d->wish->cycle), row;
    Status status = add_row(d, foot, &row);
    PlotSpan stance = foot_span(d, foot, 0, 100 * d->cycles.stance, row);
    return status ? status : plot_figure_add_span(d->figure, stance, d->err);
}

static Status draw_item(ClipDrawing *d, int item)
{
    char name[TEXT_SIZE] = "";
    int joint = -1, is_optional = d->wish->joints.item[item].is_optional;
    if (is_optional && skeleton_find_role(&d->clip->skeleton, d->wish->joints.item[item].role) < 0)
        return STATUS_OK;
    Status status = is_anatomical(d->wish) ? find_coordinate(d, item, &joint, name, sizeof name)
                                           : find_joint(d, item, &joint, name, sizeof name);
    if (status)
        return status;
    name_residual(d, joint, name, sizeof name);
    if ((status = take_values(d, joint)))
        return status;
    return d->wish->cycle != PLOT_CYCLE_NONE ? draw_cycle(d, item, name) : draw_time(d, item, joint, name);
}

static Status draw_items(ClipDrawing *d)
{
    int is_cycle = d->wish->cycle != PLOT_CYCLE_NONE;
    Status status = STATUS_OK;
    if (is_cycle)
        status = gait_cycles_init(&d->cycles, d->clip, cycle_foot(d->wish->cycle), d->wish->frames, d->err);
    for (int i = 0; i < d->wish->joints.count && !status; i++)
        status = draw_item(d, i);
    if (status)
        return status;
    return is_cycle ? shade_stance(d) : shade_time(d);
}

static Status draw_clip(ClipDrawing *d)
{
    d->clip = &d->all[d->number].clip;
    d->value = array_new((size_t)d->clip->motion.frame_count, 1, sizeof *d->value);
    d->spread = array_new((size_t)d->clip->motion.frame_count, 1, sizeof *d->spread);
    Status status = d->value && d->spread ? draw_items(d) : error_no_memory(d->err);
    free(d->value);
    free(d->spread);
    return status;
}

/* Writes "Joint torque, magnitude (N m/kg)". */
static void name_values(const ClipDrawing *d, char *text, size_t size)
{
    const PlotWish *wish = d->wish;
    static const struct {
        const char *name, *unit;
        int is_vector;
    } words[] = {
        [QUANTITY_TORQUE] = {"Joint torque", "N m", 1},
        [QUANTITY_POWER] = {"Joint power", "W", 0},
        [QUANTITY_ANGULAR_VELOCITY] = {"Angular velocity", "rad/s", 1},
        [QUANTITY_CONTACT_FORCE] = {"Contact force", "N", 1},
        [QUANTITY_ANGLE] = {"Angle", "degrees", 0},
        [QUANTITY_MOMENT] = {"Internal moment", "N m", 0},
        [QUANTITY_USE] = {"Fraction of strength", "1", 0},
    };
    static const char *const components[] = {", magnitude", ", world x", ", world y", ", world z"};
    snprintf(text, size, "%s%s (%s%s)%s", words[wish->quantity].name,
             words[wish->quantity].is_vector ? components[wish->component] : "", words[wish->quantity].unit,
             wish->per_kg ? "/kg" : "", d->is_banded ? ", 90 % band" : "");
}

/* Writes "51 gait cycles of the left foot, 2 excluded, mean ± 1 sd". */
static void name_cycles(const ClipDrawing *d, char *text, size_t size)
{
    const GaitCycles *g = &d->cycles;
    char left_out[64] = "";
    if (g->left_out)
        snprintf(left_out, sizeof left_out, ", %d excluded", g->left_out);
    snprintf(text, size, "%d gait cycle%s of the %s foot%s%s", g->count, g->count == 1 ? "" : "s",
             foot_name(cycle_foot(d->wish->cycle)), left_out, g->count > 1 ? ", mean ± 1 sd" : "");
}

static void name_figure(const ClipDrawing *d, char *text, size_t size)
{
    char cycles[TEXT_SIZE];
    name_cycles(d, cycles, sizeof cycles);
    if (d->wish->cycle == PLOT_CYCLE_NONE)
        snprintf(text, size, "%.200s", d->count == 1 ? clip_name(d, 0) : "");
    else if (d->count == 1)
        snprintf(text, size, "%.200s: %s", clip_name(d, 0), cycles);
    else
        snprintf(text, size, "Gait cycles of the %s foot (how many), mean ± 1 sd",
                 foot_name(cycle_foot(d->wish->cycle)));
}

/* Writes the x label, for one clip with the mean duration of its cycles. */
static void name_along(const ClipDrawing *d, char *text, size_t size)
{
    if (d->wish->cycle == PLOT_CYCLE_NONE)
        snprintf(text, size, "Time (s)");
    else if (d->count == 1)
        snprintf(text, size, "Gait cycle of the %s foot (%%; 100 %% are %.2f s)", foot_name(cycle_foot(d->wish->cycle)),
                 d->cycles.duration);
    else
        snprintf(text, size, "Gait cycle of the %s foot (%%)", foot_name(cycle_foot(d->wish->cycle)));
}

static Status name_axes(const ClipDrawing *d)
{
    char title[2 * TEXT_SIZE], values[TEXT_SIZE], along[TEXT_SIZE];
    PlotFigure *figure = d->figure;
    name_figure(d, title, sizeof title);
    name_values(d, values, sizeof values);
    name_along(d, along, sizeof along);
    figure->title = strdup(title);
    figure->x_label = strdup(along);
    figure->y_label = strdup(values);
    figure->x_from = figure->curve[0].x[0];
    figure->x_to = figure->x_from;
    for (int i = 0; i < figure->curve_count; i++) {
        const PlotCurve *c = &figure->curve[i];
        figure->x_from = c->x[0] < figure->x_from ? c->x[0] : figure->x_from;
        figure->x_to = c->x[c->count - 1] > figure->x_to ? c->x[c->count - 1] : figure->x_to;
    }
    return figure->title && figure->x_label && figure->y_label ? STATUS_OK : error_no_memory(d->err);
}

Status plot_clips(const PlotClip *clips, int count, const PlotWish *wish, PlotFigure *figure, int *failed, Error *err)
{
    ClipDrawing d = {.all = clips, .count = count, .wish = wish, .figure = figure, .err = err};
    Status status = STATUS_OK;
    *failed = 0;
    for (; d.number < count && !status; d.number++) {
        *failed = d.number;
        gait_cycles_free(&d.cycles);
        status = draw_clip(&d);
    }
    if (!status)
        status = name_axes(&d);
    gait_cycles_free(&d.cycles);
    return status;
}
