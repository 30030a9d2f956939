/* See rate_evidence.h. */
#include "analysis/evidence/rate_evidence.h"

#include <math.h>
#include <stdio.h>

#include "analysis/evidence/force_balance.h"
#include "analysis/evidence/flights.h"
#include "analysis/evidence/strides.h"
#include "analysis/math/elementary.h"

enum { MAX_RATES = 16, BALANCE_FRAMES = 60 };

static const double gravity = 9.80665;

/* ---- Hypotheses ---- */

/* Rates of recordings and their relative frequency. */
static const struct {
    double fps, weight;
} common[] = {{30, 1},    {60, 1},    {120, 1},   {24, 0.6},  {25, 0.6},  {100, 0.6}, {50, 0.4}, {240, 0.3},
              {200, 0.3}, {125, 0.15}, {90, 0.15}, {150, 0.15}, {72, 0.15}, {48, 0.15}};
enum { COMMON_RATES = sizeof common / sizeof *common };
static const double uncommon = 0.03, same_rate = 0.015;

/* True rate over the labelled one, where a label is wrong. factors[0] is 1. */
static const double factors[] = {1, 1 / 5.0, 1 / 4.0, 1 / 3.0, 2 / 5.0, 1 / 2.0, 3 / 5.0, 5 / 3.0, 2, 5 / 2.0, 3, 4, 5};
enum { FACTORS = sizeof factors / sizeof *factors };
static const double wrong_labels = 0.04; /* fraction of files */

/* Sources of evidence. */
typedef enum RateSource { FROM_PRIOR, FROM_FLIGHTS, FROM_STEPS, FROM_STEP_FALL, FROM_BALANCE, RATE_SOURCES } RateSource;

typedef struct RateTable {
    int count; /* rates; rate 0 is the labelled one */
    double factor[MAX_RATES];
    double score[MAX_RATES][RATE_SOURCES]; /* log likelihoods */
} RateTable;

static double rate_weight(double fps)
{
    for (int i = 0; i < COMMON_RATES; i++)
        if (fabs(fps / common[i].fps - 1) < same_rate)
            return common[i].weight;
    return uncommon;
}

static void list_rates(double labelled, int is_unstated, RateTable *table)
{
    double total = 0, known = is_unstated ? 0 : 1 - wrong_labels;
    table->factor[0] = 1;
    table->count = 1;
    for (int i = 0; is_unstated && i < COMMON_RATES; i++)
        if (fabs(common[i].fps / labelled - 1) >= same_rate)
            table->factor[table->count++] = common[i].fps / labelled;
    for (int i = 1; !is_unstated && i < FACTORS; i++)
        table->factor[table->count++] = factors[i];
    for (int i = is_unstated ? 0 : 1; i < table->count; i++)
        total += rate_weight(labelled * table->factor[i]);
    for (int i = 0; i < table->count; i++) {
        double prior = (1 - known) * rate_weight(labelled * table->factor[i]) / total;
        table->score[i][FROM_PRIOR] = elementary_log(i == 0 && !is_unstated ? known : prior);
    }
}

/* ---- Likelihoods ---- */

/* Student's t with 5 degrees of freedom, up to a constant. */
static double log_student(double z) { return -3 * elementary_log(1 + z * z / 5); }

/* Spread of ln(factor): half that of the acceleration of the centre of mass, which is an approximation, and of the
 * size. */
static const double fall_spread = 0.08;

static void add_flights(const Flights *flights, double metre, RateTable *table)
{
    for (int i = 0; flights->count > 0 && i < table->count; i++) {
        double fall = flights->acceleration * table->factor[i] * table->factor[i] / (gravity * metre);
        table->score[i][FROM_FLIGHTS] = log_student(0.5 * elementary_log(fall) / fall_spread);
    }
}

/* ln(duration of a step, in sqrt(leg / g)) = duration + slope ln(length, in legs); spread of people and speeds. Fitted
 * by research/fit_rate.py to walks and runs of the shared clips. */
typedef struct StepModel {
    double duration, slope, spread;
} StepModel;
static const StepModel walking = {0.392, -0.583, 0.09}, running = {0.085, -0.353, 0.095};

static void add_steps(const BodyTrack *track, const Strides *s, double metre, RateTable *table)
{
    int is_running = strides_are_running(s);
    const StepModel *model = is_running ? &running : &walking;
    if (!is_running && !strides_are_walking(s))
        return;
    double unit_time = sqrt(track->leg / (gravity * metre));
    double expected = model->duration + model->slope * elementary_log(s->length);
    for (int i = 0; i < table->count; i++) {
        double duration = s->frames * track->frame_time / table->factor[i] / unit_time;
        table->score[i][FROM_STEPS] = log_student((elementary_log(duration) - expected) / model->spread);
        double fall = s->fall * table->factor[i] * table->factor[i] / (gravity * metre);
        if (is_running && fall > 0)
            table->score[i][FROM_STEP_FALL] = log_student(0.5 * elementary_log(fall) / fall_spread);
    }
}

/* Log odds per fraction of the force that is unexplained, and at most. */
static const double balance_weight = 8, balance_limit = 3;

static Status add_balance(const BodyTrack *track, Vec3 up, RateTable *table, double *labelled, Error *err)
{
    Status status = STATUS_OK;
    double min = 1, unexplained[MAX_RATES] = {0};
    for (int i = 0; i < table->count && !status; i++) {
        Balance balance;
        status = balance_measure(track, up, table->factor[i], BALANCE_FRAMES, &balance, err);
        unexplained[i] = balance.frames > 0 ? balance.unexplained : 1;
        min = fmin(min, unexplained[i]);
    }
    for (int i = 0; i < table->count && !status; i++)
        table->score[i][FROM_BALANCE] = -fmin(balance_limit, balance_weight * (unexplained[i] - min));
    *labelled = status ? 0 : unexplained[0];
    return status;
}

/* ---- Judgement ---- */

static const double improbable = 0.3, probable = 0.4; /* probabilities of the label and of another rate, if reported */

typedef struct RateMeasures {
    Flights flights;
    Strides strides;
    double unexplained;
} RateMeasures;

static void note_source(const BodyTrack *track, const RateMeasures *m, double metre, RateSource source, double log_odds,
                        Evidence *evidence)
{
    char text[EVIDENCE_TEXT] = "";
    double legs = track->leg / metre;
    switch (source) {
    case FROM_PRIOR: snprintf(text, sizeof text, "the file states it"); break;
    case FROM_FLIGHTS:
        snprintf(text, sizeof text, "%d flight%s, in which the body falls with %.3g m/s2", m->flights.count,
                 m->flights.count > 1 ? "s" : "", m->flights.acceleration / metre);
        break;
    case FROM_STEPS:
        snprintf(text, sizeof text, "%d steps of %.2g s and %.2g m with legs of %.2g m", m->strides.steps,
                 m->strides.frames * track->frame_time, m->strides.length * legs, legs);
        break;
    case FROM_STEP_FALL:
        snprintf(text, sizeof text, "between steps the body falls with %.3g m/s2", m->strides.fall / metre);
        break;
    default:
        snprintf(text, sizeof text, "support and free fall leave %.0f %% of the force unexplained",
                 100 * m->unexplained);
    }
    evidence_add(evidence, log_odds, "%s", text);
}

static void decide(const BodyTrack *track, const RateDef *def, const RateTable *table, const RateMeasures *m,
                   double metre, RateJudgement *out)
{
    double score[MAX_RATES];
    for (int i = 0; i < table->count; i++) {
        score[i] = 0;
        for (int source = 0; source < RATE_SOURCES; source++)
            score[i] += table->score[i][source];
    }
    int best = evidence_normalize(score, table->count), other = best;
    for (int i = 1; best == 0 && i < table->count; i++)
        other = other == 0 || score[i] > score[other] ? i : other;
    out->factor = table->factor[best];
    out->fps = out->factor / track->frame_time;
    out->alternative = score[best];
    out->evidence.confidence = score[0];
    out->is_contradicted = out->is_shown && best != 0 && score[0] < improbable && score[best] > probable;
    for (int source = def->is_unstated; source < RATE_SOURCES; source++)
        note_source(track, m, metre, (RateSource)source, table->score[0][source] - table->score[other][source],
                    &out->evidence);
}

Status rate_judge(const BodyTrack *track, const RateDef *def, RateJudgement *out, Error *err)
{
    RateTable table = {0};
    RateMeasures m = {0};
    double metre = def->metre > 0 ? def->metre : track->metre;
    *out = (RateJudgement){.fps = 1 / track->frame_time, .factor = 1};
    list_rates(1 / track->frame_time, def->is_unstated, &table);
    Status status = flights_measure(track, def->up, &m.flights, err);
    if (!status)
        status = strides_measure(track, def->up, &m.strides, err);
    if (!status)
        status = add_balance(track, def->up, &table, &m.unexplained, err);
    if (status)
        return status;
    add_flights(&m.flights, metre, &table);
    add_steps(track, &m.strides, metre, &table);
    out->is_shown = m.flights.count > 0 || strides_are_walking(&m.strides) || strides_are_running(&m.strides);
    decide(track, def, &table, &m, metre, out);
    return STATUS_OK;
}
