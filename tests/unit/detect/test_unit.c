/* analysis/detect/unit: unit names, and the unit that gives a plausible body size. */
#include "tests/support/test.h"

#include "analysis/detect/body_measures.h"
#include "analysis/detect/unit.h"

static const double units[] = {1, 0.1, 0.01, 0.001, 0.0254, 0.0254 / 0.45};
enum { UNITS = 6, CMU = 5 };

TEST(unit_rows_are_in_the_order_of_names)
{
    assert_int_equal(unit_model_rows_count, UNIT_PARAMETER_COUNT);
    for (int i = 0; i < unit_model_rows_count; i++)
        assert_int_equal(unit_model_rows[i].parameter, i);
}

TEST(priors_sum_to_one)
{
    double human = 0, cmu = 0, other = 0;
    for (int u = 0; u < unit_rows_count; u++) {
        human += unit_rows[u].human;
        cmu += unit_rows[u].cmu;
        other += unit_rows[u].other;
    }
    assert_near(human, 1, 0.03);
    assert_near(cmu, 1, 0.03);
    assert_near(other, 1, 0.03);
}

/* A clip of a size in m, written in a unit. */
static BodyMeasures body_of(double stature, double meters_per_unit, int cmu)
{
    return (BodyMeasures){.stature = stature / meters_per_unit, .drop = 3 / meters_per_unit,
                          .speed = 1.3 / meters_per_unit, .extent = stature / meters_per_unit, .is_cmu = cmu};
}

TEST(unit_of_adults_is_found)
{
    Evidence evidence;
    for (int u = 0; u < UNITS; u++)
        for (double stature = 1.55; stature < 1.95; stature += 0.1) {
            BodyMeasures m = body_of(stature, units[u], u == CMU);
            if (u == CMU && stature > 1.8)
                continue;
            assert_near(unit_from_measures(&m, &evidence), units[u], 1e-12);
            assert_true(evidence.confidence > 0.8 && evidence.confidence <= 1);
        }
}

/* Regression: was once detected as adults in CMU units with confidence 1. */
TEST(children_have_correct_unit_or_low_confidence)
{
    Evidence evidence;
    for (int u = 0; u < UNITS; u++)
        for (double stature = 0.9; stature < 1.35; stature += 0.05) {
            BodyMeasures m = body_of(stature, units[u], u == CMU);
            double read = unit_from_measures(&m, &evidence);
            assert_true(fabs(read - units[u]) < 1e-12 || evidence.confidence < 0.8);
        }
    BodyMeasures m = body_of(1.1, 0.0254, 0);
    assert_near(unit_from_measures(&m, &evidence), 0.0254, 1e-12);
}

/* Sizes between two units are uncertain. */
TEST(implausible_stature_has_low_confidence)
{
    const double statures[] = {0.3, 0.5, 2.6, 3, 3.6, 5, 7};
    Evidence evidence;
    for (size_t i = 0; i < sizeof statures / sizeof *statures; i++) {
        BodyMeasures m = body_of(statures[i], 0.01, 0);
        unit_from_measures(&m, &evidence);
        assert_true(evidence.confidence < 0.5);
    }
}

/* Two links of 30 cm, not human: the common units, with low confidence. */
TEST(pendulum_has_a_common_unit)
{
    const double common[] = {1, 0.01};
    for (size_t u = 0; u < sizeof common / sizeof *common; u++) {
        Evidence evidence;
        BodyMeasures m = {.extent = 0.6 / common[u]};
        assert_near(unit_from_measures(&m, &evidence), common[u], 1e-15);
        assert_true(evidence.confidence < 0.9);
    }
}

/* Short limbs: the tree decides between inch and CMU units. */
TEST(cmu_tree_decides_between_inch_and_cmu_unit)
{
    Evidence evidence;
    BodyMeasures m = body_of(1.72, 0.038, 0);
    assert_near(unit_from_measures(&m, &evidence), 0.0254, 1e-15);
    m.is_cmu = 1;
    assert_near(unit_from_measures(&m, &evidence), 0.0254 / 0.45, 1e-15);
}

/* A creature of unknown size in flight, and one that only runs: gravity determines the unit, or excludes units. */
TEST(fall_determines_unit_of_nonhuman)
{
    Evidence flying, running, still;
    for (int u = 0; u < UNITS; u++) {
        BodyMeasures m = {.extent = 1 / units[u], .fall = 9.6 / units[u], .drop = 9.6 / units[u]};
        if (u != CMU)
            assert_near(unit_from_measures(&m, &flying), units[u], 1e-15);
    }
    BodyMeasures m = {.extent = 100, .fall = 960, .drop = 960};
    unit_from_measures(&m, &flying);
    m.fall = 0;
    unit_from_measures(&m, &running);
    m.drop = 0;
    unit_from_measures(&m, &still);
    assert_true(flying.confidence > running.confidence && running.confidence > still.confidence);
}

/* The next unit, inch, makes a giant of the adult. */
TEST(stature_is_the_strongest_observation_for_an_adult)
{
    Evidence evidence;
    BodyMeasures m = body_of(1.74, 0.01, 0);
    unit_from_measures(&m, &evidence);
    assert_string_equal(evidence_strongest(&evidence, 1, 0)->text, "stature 1.74 m in cm, 4.42 m in inch");
    m = body_of(1.72, 0.038, 1);
    unit_from_measures(&m, &evidence);
    assert_string_equal(evidence_strongest(&evidence, 1, 0)->text, "skeleton of the CMU library, against inch");
}

TEST(units_are_found_by_name)
{
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        assert_near(unit_from_text(unit_name(units[u])), units[u], 1e-15);
    assert_near(unit_from_text("CM"), 0.01, 0);
    assert_near(unit_from_text("0.3048"), 0.3048, 0);
    assert_near(unit_from_text("furlong") + unit_from_text("-1") + unit_from_text("") + unit_from_text("nan"), 0, 0);
    assert_null(unit_name(0.3048));
}
