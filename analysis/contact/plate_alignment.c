/* Alignment of plates with a motion (plate_alignment.h). */
#include "analysis/contact/plate_alignment.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/plate_errors.h"
#include "analysis/contact/plate_rows.h"
#include "analysis/math/elementary.h"

#define NEAR_LAG 0.5         /* s: searched first */
#define FAR_GAIN 0.5         /* of the misfit: a lag beyond must be better by this factor */
#define SEARCH_MAX 2e8       /* frames compared in the search beyond */
#define USUAL_LAG 0.15       /* s: standard deviation of lags between plates and cameras */
#define USUAL_MAX 12.0       /* largest misfit of an unusual lag */
#define MIN_OVERLAP 0.6      /* of the loaded frames of the lag with the longest overlap */
#define LEFT_OUT 1.0         /* misfit of PLATES_CORRELATED of load that lies outside the motion */
#define BASIN 0.1            /* s: lags that are closer belong to the same minimum */
#define CERTAIN_LAG 0.02     /* s */
#define REFINEMENTS 4
#define REFINED_MAX 0.2      /* s: further from the coarse lag the refinement has failed */
#define SETTLED 0.0005       /* s */
#define TURN_SPREAD 0.036    /* rad: spread of the estimate's horizontal forces (data/plates.tsv) */
#define TURN_STARTS 8
#define TURN_LIMIT 4         /* spreads from the quarter turn: another angle */
#define LOADED 0.2           /* body weights */
#define UNDER_FOOT 0.1       /* m */

typedef struct PlateDelay {
    double lag, error; /* s; NaN: not measurable */
} PlateDelay;

typedef struct Alignment {
    const PlateAlignmentDef *def;
    const EstimatedMotion *with;
    PlateRecord *record;
    PlateSeries series;
    PlateSpans spans;
    PlateAlignment *out;
    double rise; /* m, upward shift of the plates to the ground */
    Arena arena;
} Alignment;

/* ---- Place ---- */

static PlatePlacement turned_by(double angle)
{
    return (PlatePlacement){.cosine = elementary_cos(angle), .sine = elementary_sin(angle)};
}

/* Quarter turns are exact. */
static PlatePlacement quarter_turn(int quarter)
{
    static const double cosines[4] = {1, 0, -1, 0}, sines[4] = {0, 1, 0, -1};
    return (PlatePlacement){.cosine = cosines[quarter], .sine = sines[quarter]};
}

/* Probability of the quarter turn among all four. */
static double quarter_certainty(const PlateAgreement *a, int quarter)
{
    PlatePlacement own = quarter_turn(quarter);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        PlatePlacement other = quarter_turn(i);
        sum += elementary_exp(fmin(0, plate_misfit(a, &own) - plate_misfit(a, &other)) / 2);
    }
    return 1 / fmax(1, sum);
}

static PlatePlacement placed_by(const PlateAgreement *a, PlatePlacement turn)
{
    turn.shift = vec3_sub(a->foot, plate_placement_turn(&turn, a->plate));
    turn.shift.y = 0;
    return turn;
}

static double free_turn(const PlateAgreement *a)
{
    return elementary_atan2(-a->odd, a->even);
}

/* Angle of the smallest misfit, or the quarter turn nearest to it. */
static void find_place(const PlateAgreement *a, PlateAlignment *out)
{
    double size = sqrt(a->even * a->even + a->odd * a->odd), angle = free_turn(a);
    int quarter = (int)floor(angle / (PI / 2) + 0.5);
    double off = angle - quarter * (PI / 2);
    out->turn_error = sqrt((size > 0 ? 1 / size : PI * PI) + TURN_SPREAD * TURN_SPREAD);
    int is_quarter = !(fabs(off) > TURN_LIMIT * out->turn_error);
    quarter = (quarter + 4) % 4;
    out->turn = is_quarter ? (quarter == 3 ? -1 : quarter) * (PI / 2) : angle;
    out->turn_certainty = quarter_certainty(a, quarter);
    out->placement = placed_by(a, is_quarter ? quarter_turn(quarter) : turned_by(angle));
}

/* Puts the mean surface of the plates at the height of the ground. */
static void level(Alignment *a)
{
    static const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const PlateRecord *r = a->record;
    double height = 0;
    int count = 0;
    for (int p = 0; p < r->plate_count; p++)
        if (r->plate[p].has_surface) {
            height += r->plate[p].centre.y;
            count++;
        }
    a->rise = count ? a->with->estimate->ground_height - height / count : 0;
    plate_record_move(a->record, axes, vec3(0, a->rise, 0));
}

static double lowest_turned_misfit(const PlateAgreement *a)
{
    return a->vertical + a->fixed - 2 * sqrt(a->even * a->even + a->odd * a->odd);
}

/* Matches at the lag from plates turned by this angle, whose shift the first match gives; then with its own angle. */
static PlateAgreement match_from(Alignment *a, double lag, const PlateAgreement *first, double angle)
{
    PlatePlacement turn = placed_by(first, turned_by(angle));
    PlateAgreement found = plate_match(&a->series, &a->spans, lag, &turn);
    turn = placed_by(&found, turned_by(free_turn(&found)));
    return plate_match(&a->series, &a->spans, lag, &turn);
}

/* Matches at the lag: first by vertical forces, then with the position that this gives, from several angles. Returns
 * the
 * best. */
static PlateAgreement match(Alignment *a, double lag)
{
    PlatePlacement here = {.cosine = 1};
    if (!a->def->find_place)
        return a->out->placement = here, plate_match(&a->series, &a->spans, lag, &here);
    PlateAgreement first = plate_match(&a->series, &a->spans, lag, NULL);
    PlateAgreement best = match_from(a, lag, &first, free_turn(&first));
    for (int i = 0; i < TURN_STARTS; i++) {
        PlateAgreement found = match_from(a, lag, &first, i * 2 * PI / TURN_STARTS);
        if (lowest_turned_misfit(&found) < lowest_turned_misfit(&best))
            best = found;
    }
    for (int pass = 0; pass < 2; pass++) {
        find_place(&best, a->out);
        best = plate_match(&a->series, &a->spans, lag, &a->out->placement);
    }
    return best;
}

/* ---- Lag ---- */

/* Lags j step from `first`, j < count. */
typedef struct LagSearch {
    double first, step;
    int count, best;
    double *misfit, *frames; /* [count] */
} LagSearch;

static double lag_of(const LagSearch *search, int j)
{
    return search->first + j * search->step;
}

/* Misfit with the best angle, or in place. */
static double lowest_misfit(const Alignment *a, const PlateAgreement *m)
{
    PlatePlacement here = {.cosine = 1};
    Vec3 apart = vec3_sub(m->foot, m->plate);
    double far = apart.x * apart.x + apart.z * apart.z;
    return a->def->find_place ? lowest_turned_misfit(m)
                              : plate_misfit(m, &here) + m->weight * far;
}

/* Misfit of all loaded frames at a lag, of which some are compared. */
static double whole_misfit(const Alignment *a, double lag, double misfit, double frames, double longest)
{
    double outside = (longest - frames) * a->series.frame_time / PLATES_CORRELATED, unusual = lag / USUAL_LAG;
    return misfit * longest / frames + LEFT_OUT * outside + fmin(unusual * unusual, USUAL_MAX);
}

/* The lag of the smallest misfit; one that is unusual, or leaves loads outside the motion, is less likely. */
static void search_lags(Alignment *a, LagSearch *search)
{
    double longest = 0, lowest = INFINITY;
    for (int j = 0; j < search->count; j++) {
        PlateAgreement m = plate_match(&a->series, &a->spans, lag_of(search, j), NULL);
        search->misfit[j] = lowest_misfit(a, &m);
        search->frames[j] = m.frames;
        longest = fmax(longest, m.frames);
    }
    search->best = -1;
    for (int j = 0; j < search->count; j++) {
        double frames = search->frames[j];
        int counts = frames > 0 && frames >= MIN_OVERLAP * longest;
        search->misfit[j] = counts ? whole_misfit(a, lag_of(search, j), search->misfit[j], frames, longest) : INFINITY;
        if (search->misfit[j] < lowest) {
            lowest = search->misfit[j];
            search->best = j;
        }
    }
}

/* Probability of the best minimum among all that are apart from it. */
static double basin_certainty(const LagSearch *search)
{
    double sum = 1;
    int apart = (int)(BASIN / search->step) + 1;
    for (int j = 0; j < search->count; j++) {
        double here = search->misfit[j];
        int is_lowest = (j == 0 || here <= search->misfit[j - 1]) &&
                        (j + 1 == search->count || here < search->misfit[j + 1]);
        if (is_lowest && isfinite(here) && (j < search->best - apart || j > search->best + apart))
            sum += elementary_exp(fmin(0, search->misfit[search->best] - here) / 2);
    }
    return 1 / sum;
}

static Status search_between(Alignment *a, double low, double high, LagSearch *search, Error *err)
{
    double step = fmax(a->series.frame_time, 1.0 / 120), count = floor((high - low) / step) + 1;
    *search = (LagSearch){.first = low, .step = step, .count = (int)fmax(count, 1)};
    search->misfit = arena_array(&a->arena, (size_t)search->count, 1, sizeof *search->misfit);
    search->frames = arena_array(&a->arena, (size_t)search->count, 1, sizeof *search->frames);
    if (a->arena.failed)
        return error_no_memory(err);
    search_lags(a, search);
    return STATUS_OK;
}

/* Compared frames of a search at any lag. */
static double loaded_steps(const PlateSpans *spans)
{
    double steps = 0;
    for (int i = 0; i < spans->count; i++)
        steps += spans->span[i].last - spans->span[i].first + 1;
    return steps;
}

/* Takes a far lag, up to where plates and motion no longer overlap, only if it agrees much better than near ones. */
static Status find_coarse(Alignment *a, Error *err)
{
    const PlateSeries *s = &a->series;
    double first = s->record_start - s->start, low = first - s->frame_count * s->frame_time;
    double high = first + s->step_count * s->frame_time, lags = (high - low) / s->frame_time;
    LagSearch near, far;
    Status status = search_between(a, -NEAR_LAG, NEAR_LAG, &near, err);
    if (status)
        return status;
    int is_near = near.best >= 0;
    a->out->lag = is_near ? lag_of(&near, near.best) : 0;
    a->out->lag_certainty = is_near ? basin_certainty(&near) : 0;
    if (lags * loaded_steps(&a->spans) > SEARCH_MAX)
        return STATUS_OK;
    status = search_between(a, low, high, &far, err);
    if (status || far.best < 0)
        return status;
    double found = far.misfit[far.best] / far.frames[far.best];
    if (is_near && !(found < FAR_GAIN * near.misfit[near.best] / near.frames[near.best]))
        return STATUS_OK;
    a->out->lag = lag_of(&far, far.best);
    a->out->lag_certainty = basin_certainty(&far);
    return STATUS_OK;
}

/* ---- Refinement ---- */

/* Moves the record from one placement to another. */
static void move(PlateRecord *r, const PlatePlacement *from, const PlatePlacement *to)
{
    double cosine = from->cosine * to->cosine + from->sine * to->sine;
    double sine = from->cosine * to->sine - from->sine * to->cosine;
    const Vec3 rows[3] = {{cosine, 0, sine}, {0, 1, 0}, {-sine, 0, cosine}};
    PlatePlacement change = {.cosine = cosine, .sine = sine};
    plate_record_move(r, rows, vec3_sub(to->shift, plate_placement_turn(&change, from->shift)));
}

static void delay(PlateRecord *r, double by)
{
    for (int i = 0; i < r->sample_count; i++)
        r->time[i] -= by;
}

static Status find_rows(Alignment *a, ExternalRows *rows, Error *err)
{
    PlateAttribution of = {a->record, &a->series, &a->spans, a->with->clip->skeleton};
    return plate_rows_find(&of, rows, &a->out->divided, err);
}

/* The delay of rows behind the motion, by the laws of motion and by the estimate for each foot. */
static Status delay_of_rows(const ExternalRows *rows, const EstimatedMotion *with, PlateDelay *out, Error *err)
{
    Loads table = {0};
    Contact contact = {0};
    PlateSignals signals;
    PlateMeasures measures;
    MeasuredDef def = measured_default_def();
    Arena arena = {0};
    PlateCase of = {.clip = with->clip, .plates = &contact, .table = &table, .estimate = with->estimate,
                    .lanes = with->lanes};
    def.ground = with->estimate->ground_height;
    *out = (PlateDelay){NAN, NAN};
    Status status = contact_from_external(rows, with->clip, &def, &contact, err);
    if (!status)
        status = loads_from_external(rows, with->clip->motion, &table, err);
    if (!status)
        status = plate_signals_find(&of, &signals, &arena, err);
    if (!status)
        status = plate_measures_find(&of, &signals, &measures, err);
    if (!status)
        out->lag = plates_delay(&measures, plate_sound, &out->error);
    arena_free(&arena);
    contact_free(&contact);
    loads_free(&table);
    return status;
}

static Status remaining_delay(Alignment *a, PlateDelay *out, Error *err)
{
    ExternalRows rows;
    Status status = find_rows(a, &rows, err);
    if (!status)
        status = delay_of_rows(&rows, a->with, out, err);
    external_rows_free(&rows);
    return status;
}

static double certainty_of(double error)
{
    double off = error / CERTAIN_LAG;
    return fmax(0, 1 - off * off);
}

static Status refine(Alignment *a, Error *err)
{
    double coarse = a->out->lag;
    Status status = STATUS_OK;
    a->out->lag_error = INFINITY;
    for (int i = 0; !status && i < REFINEMENTS; i++) {
        PlateDelay by;
        PlatePlacement before = a->out->placement;
        status = remaining_delay(a, &by, err);
        if (status || !(fabs(coarse - a->out->lag - by.lag) < REFINED_MAX))
            break;
        a->out->lag += by.lag;
        a->out->lag_error = by.error;
        delay(a->record, by.lag);
        match(a, a->out->lag);
        move(a->record, &before, &a->out->placement);
        if (fabs(by.lag) < SETTLED)
            break;
    }
    a->out->lag_certainty *= certainty_of(a->out->lag_error);
    return status;
}

/* ---- Shift ---- */

/* Standard deviation of the shift, and fraction of the load within reach of its foot. */
static void rate_shift(const Alignment *a, const ExternalRows *rows, PlateAlignment *out)
{
    const Contact *e = a->with->estimate;
    double load = 0, under = 0, square = 0, time = a->with->clip->motion->frame_time;
    for (int i = 0; i < rows->row_count; i++) {
        int foot = i % FOOT_COUNT;
        double frame = floor((rows->time[i] - a->series.start) / time + 0.5), up = rows->force[i].y;
        if (!(frame >= 0 && frame < e->frame_count))
            continue;
        size_t at = (size_t)frame * FOOT_COUNT + (size_t)foot;
        if (!(fmin(up, e->foot_force[at].y) > UNDER_FOOT * a->series.weight))
            continue;
        Vec3 apart = vec3_sub(rows->point[i], e->foot_cop[at]);
        double distance = sqrt(apart.x * apart.x + apart.z * apart.z);
        load += up;
        under += distance < UNDER_FOOT ? up : 0;
        square += up * distance * distance;
    }
    out->shift_error = load > 0 ? sqrt(square / load / fmax(1, a->spans.count)) : INFINITY;
    out->shift_certainty = load > 0 ? under / load : 0;
}

/* ---- All ---- */

static int pulls_down(const PlateSeries *s)
{
    double lowest = 0;
    for (size_t at = 0; at < (size_t)s->step_count * (size_t)s->plate_count; at++)
        lowest = fmin(lowest, s->plate[at].force.y);
    return lowest < -LOADED;
}

static Status align(Alignment *a, ExternalRows *rows, Error *err)
{
    const PlatePlacement here = {.cosine = 1};
    Status status;
    if (a->def->find_place)
        level(a);
    if ((status = plate_series_find(a->record, a->with, &a->series, &a->arena, err)) ||
        (status = plate_spans_find(&a->series, &a->spans, &a->arena, err)))
        return status;
    if (a->spans.count == 0)
        return error_set(err, STATUS_BAD_INPUT, "no plate has more than 5 %% of the body's weight for 0.05 s%s",
                         pulls_down(&a->series) ? ": their forces point into the ground, so the corners are in reverse "
                                                  "order or the forces are those on the plates" : "");
    if (a->def->find_lag && (status = find_coarse(a, err)))
        return status;
    if (!(match(a, a->out->lag).frames > 0))
        return error_set(err, STATUS_BAD_INPUT, "no plate is loaded while the motion lasts: give the delay of the "
                         "plates with --lag");
    delay(a->record, a->out->lag);
    move(a->record, &here, &a->out->placement);
    if (a->def->find_lag && (status = refine(a, err)))
        return status;
    status = find_rows(a, rows, err);
    a->out->placement.shift.y = a->rise;
    if (!status)
        rate_shift(a, rows, a->out);
    return status;
}

Status plates_align(const PlateAlignmentDef *def, const EstimatedMotion *with, PlateRecord *record, PlateAlignment *out,
                    ExternalRows *rows, Error *err)
{
    Alignment a = {.def = def, .with = with, .record = record, .out = out};
    *out = (PlateAlignment){.lag = def->find_lag ? 0 : def->lag, .placement = {.cosine = 1}, .lag_certainty = 1,
                            .turn_certainty = 1, .shift_certainty = 1};
    *rows = (ExternalRows){0};
    Status status = align(&a, rows, err);
    arena_free(&a.arena);
    if (status)
        external_rows_free(rows);
    return status;
}

Status plates_find_delay(const ExternalRows *rows, const EstimatedMotion *with, PlateAlignment *out, Error *err)
{
    PlateDelay found;
    *out = (PlateAlignment){.placement = {.cosine = 1}};
    Status status = delay_of_rows(rows, with, &found, err);
    if (status || isnan(found.lag))
        return status;
    out->lag = found.lag;
    out->lag_error = found.error;
    out->lag_certainty = certainty_of(found.error);
    return STATUS_OK;
}
