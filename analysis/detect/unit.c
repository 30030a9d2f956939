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

/* Log prior plus log likelihood of a unit. */
static double log_unit(const BodyMeasures *m, const UnitRow *unit)
{
    double u = unit->metres, prior = m->has_cmu_names ? unit->cmu : unit->human, score = 0;
    if (m->stature > 0)
        score += elementary_log(prior) + log_human(m->stature * u, unit, m->has_cmu_names);
    else
        score += elementary_log(unit->other);
    if (!(m->stature > 0) && m->extent > 0)
        score += log_normal(m->extent * u, model(UNIT_CREATURE_EXTENT), model(UNIT_CREATURE_SPREAD));
    if (m->fall > 0)
        score += log_student(m->fall * u, model(UNIT_GRAVITY), model(UNIT_FALL_SPREAD));
    if (m->drop > 0)
        score += log_limited(m->drop * u, model(UNIT_DROP_LIMIT), model(UNIT_DROP_SPREAD));
    if (m->speed > 0)
        score += log_limited(m->speed * u, model(UNIT_SPEED_LIMIT), model(UNIT_SPEED_SPREAD));
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
    double typical = model(m->has_cmu_names ? UNIT_CMU_STATURE : UNIT_ADULT_STATURE);
    double off = elementary_log(m->stature * metres / typical), tolerance = elementary_log(UNIT_TOLERANCE);
    double slope = 1.702 / model(UNIT_PERSON_SPREAD);
    return 1 / (1 + elementary_exp(-slope * (off + tolerance))) - 1 / (1 + elementary_exp(-slope * (off - tolerance)));
}

double unit_from_measures(const BodyMeasures *measures, double *confidence)
{
    int best = 0;
    double best_score = log_unit(measures, &unit_rows[0]), nameless = log_nameless(measures), total = nameless;
    for (int u = 0; u < unit_rows_count; u++) {
        double score = log_unit(measures, &unit_rows[u]);
        total = log_sum(total, score);
        if (score > best_score) {
            best = u;
            best_score = score;
        }
    }
    double named = elementary_exp(best_score - total), metres = unit_rows[best].metres, size_alone = 0;
    if (measures->stature > 0)
        size_alone = elementary_exp(nameless - total) * fraction_within_tolerance(measures, metres);
    *confidence = fmin(named + size_alone, surest);
    return metres;
}
