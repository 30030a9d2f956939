/* Detection of the unit of length (unit.h). */
#include "analysis/detect/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"

static const double half_log_two_pi = 0.91893853320467274178, log_student_4 = -0.98082925301172619; /* ln(3/8) */
static const double surest = 0.9995; /* upper bound: one error in two thousand */
static const double log_unit_range = 13.815510557964274; /* an unnamed unit is between 1e-5 and 10 m */

const char *unit_name(double meters_per_unit)
{
    for (int u = 0; u < unit_rows_count; u++)
        if (fabs(meters_per_unit - unit_rows[u].metres) <= 1e-9 * unit_rows[u].metres)
            return unit_rows[u].name;
    return NULL;
}

double unit_from_text(const char *text)
{
    for (int u = 0; u < unit_rows_count; u++)
        if (strcasecmp(text, unit_rows[u].name) == 0)
            return unit_rows[u].metres;
    char *end;
    double metres = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(metres) && metres > 0 ? metres : 0;
}

/* The table's rows are in the order of the enum. */
static double model(UnitParameter parameter) { return unit_model_rows[parameter].value; }

static double spread_off(double value, double expected, double spread)
{
    return elementary_log(value / expected) / spread;
}

/* Log densities of ln value. */
static double log_normal(double value, double expected, double spread)
{
    double z = spread_off(value, expected, spread);
    return -0.5 * z * z - elementary_log(spread) - half_log_two_pi;
}

/* Student's t with 4 degrees of freedom: a normal distribution with heavier tails, robust to a single outlier. */
static double log_student(double value, double expected, double spread)
{
    double z = spread_off(value, expected, spread);
    return -2.5 * elementary_log(1 + z * z / 4) - elementary_log(spread) + log_student_4;
}

/* Constant up to the limit; beyond it at least the fraction of artifacts. */
static double log_limited(double value, double limit, double spread)
{
    double z = value > limit ? spread_off(value, limit, spread) : 0;
    return elementary_log(model(UNIT_GLITCH) + (1 - model(UNIT_GLITCH)) * elementary_exp(-0.5 * z * z));
}

/* ln(e^a + e^b) */
static double log_sum(double a, double b) { return fmax(a, b) + elementary_log(1 + elementary_exp(-fabs(a - b))); }

/* Log density of the stature, m, of an adult, a child or a figurine. */
static double log_human(double stature, const UnitRow *unit, int is_library)
{
    double adults = 1 - model(UNIT_CHILD) - model(UNIT_FIGURE);
    double adult = is_library && unit->cmu > 0.5 ? log_normal(stature, model(UNIT_CMU_STATURE), model(UNIT_CMU_SPREAD))
                       : log_student(stature, model(UNIT_ADULT_STATURE), model(UNIT_ADULT_SPREAD));
    double child = log_normal(stature, model(UNIT_CHILD_STATURE), model(UNIT_CHILD_SPREAD));
    double figure = log_normal(stature, model(UNIT_FIGURE_STATURE), model(UNIT_FIGURE_SPREAD));
    return log_sum(log_sum(elementary_log(adults) + adult, elementary_log(model(UNIT_CHILD)) + child),
                   elementary_log(model(UNIT_FIGURE)) + figure);
}

typedef enum UnitSource { FROM_FILES, FROM_SIZE, FROM_FALL, FROM_DROP, FROM_SPEED, UNIT_SOURCES } UnitSource;

/* Log likelihood of a unit from one source; of FROM_FILES the log prior. */
static double log_source(const BodyMeasures *m, const UnitRow *unit, UnitSource source)
{
    double u = unit->metres, prior = m->is_cmu ? unit->cmu : unit->human;
    int is_human = m->stature > 0;
    switch (source) {
    case FROM_FILES: return elementary_log(is_human ? prior : unit->other);
    case FROM_SIZE:
        if (is_human)
            return log_human(m->stature * u, unit, m->is_cmu);
        return m->extent > 0 ? log_normal(m->extent * u, model(UNIT_CREATURE_EXTENT), model(UNIT_CREATURE_SPREAD)) : 0;
    case FROM_FALL: return m->fall > 0 ? log_student(m->fall * u, model(UNIT_GRAVITY), model(UNIT_FALL_SPREAD)) : 0;
    case FROM_DROP:
        return m->drop > 0 ? log_limited(m->drop * u, model(UNIT_DROP_LIMIT), model(UNIT_DROP_SPREAD)) : 0;
    default: return m->speed > 0 ? log_limited(m->speed * u, model(UNIT_SPEED_LIMIT), model(UNIT_SPEED_SPREAD)) : 0;
    }
}

static double log_unit(const BodyMeasures *m, const UnitRow *unit)
{
    double score = 0;
    for (int source = 0; source < UNIT_SOURCES; source++)
        score += log_source(m, unit, (UnitSource)source);
    return score;
}

/* Log score of an unnamed unit: uniform in the logarithm of size, and with the best fit to free fall. */
static double log_nameless(const BodyMeasures *m)
{
    double probability = m->stature > 0 ? model(UNIT_NAMELESS) : model(UNIT_NAMELESS_OTHER);
    double falls = m->fall > 0 ? log_student_4 - elementary_log(model(UNIT_FALL_SPREAD)) : 0;
    return elementary_log(probability) - elementary_log(log_unit_range) + falls;
}

/* The fraction of adults whose size is within the tolerance of this body's, with the logistic as an approximation of
 * the normal distribution function. */
static double fraction_within_tolerance(const BodyMeasures *m, double metres)
{
    double typical = model(m->is_cmu ? UNIT_CMU_STATURE : UNIT_ADULT_STATURE);
    double off = elementary_log(m->stature * metres / typical), tolerance = elementary_log(UNIT_TOLERANCE);
    double slope = 1.702 / model(UNIT_PERSON_SPREAD);
    return 1 / (1 + elementary_exp(-slope * (off + tolerance))) - 1 / (1 + elementary_exp(-slope * (off - tolerance)));
}

/* A measure and its unit once in the file's unit. */
typedef struct NamedMeasure {
    const char *name, *unit;
    double value;
} NamedMeasure;

static NamedMeasure unit_measure(const BodyMeasures *m, UnitSource source)
{
    switch (source) {
    case FROM_SIZE: return m->stature > 0 ? (NamedMeasure){"stature", "m", m->stature}
                                          : (NamedMeasure){"diagonal", "m", m->extent};
    case FROM_FALL: return (NamedMeasure){"free fall with", "m/s2", m->fall};
    case FROM_DROP: return (NamedMeasure){"downward acceleration up to", "m/s2", m->drop};
    case FROM_SPEED: return (NamedMeasure){"speed up to", "m/s", m->speed};
    default: return (NamedMeasure){m->is_cmu ? "skeleton of the CMU library" : "most files", "", 0};
    }
}

/* Observations for the best unit against the next one. */
static void note_sources(const BodyMeasures *m, const UnitRow *best, const UnitRow *next, Evidence *evidence)
{
    for (int source = 0; source < UNIT_SOURCES; source++) {
        double log_odds = log_source(m, best, (UnitSource)source) - log_source(m, next, (UnitSource)source);
        NamedMeasure measure = unit_measure(m, (UnitSource)source);
        if (source == FROM_FILES)
            evidence_add(evidence, log_odds, "%s, against %s", measure.name, next->name);
        else
            evidence_add(evidence, log_odds, "%s %.3g %s in %s, %.3g %s in %s", measure.name,
                         measure.value * best->metres, measure.unit, best->name, measure.value * next->metres,
                         measure.unit, next->name);
    }
}

double unit_from_measures(const BodyMeasures *measures, Evidence *evidence)
{
    int best = 0, next = 1;
    double best_score = log_unit(measures, &unit_rows[0]), next_score = -INFINITY;
    double nameless = log_nameless(measures), total = nameless;
    for (int u = 0; u < unit_rows_count; u++) {
        double score = log_unit(measures, &unit_rows[u]);
        total = log_sum(total, score);
        if (score > best_score) {
            next = best;
            next_score = best_score;
            best = u;
            best_score = score;
        } else if (u > 0 && score > next_score) {
            next = u;
            next_score = score;
        }
    }
    double named = elementary_exp(best_score - total), metres = unit_rows[best].metres, size_alone = 0;
    if (measures->stature > 0)
        size_alone = elementary_exp(nameless - total) * fraction_within_tolerance(measures, metres);
    *evidence = (Evidence){.confidence = fmin(named + size_alone, surest)};
    note_sources(measures, &unit_rows[best], &unit_rows[next], evidence);
    return metres;
}
