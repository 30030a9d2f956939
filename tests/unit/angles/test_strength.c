/* analysis/angles/strength: the published formulas as printed, the bounds that turn them into valid curves, their
 * envelope, and the strength utilization of a moment. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/angles/strength.h"
#include "analysis/angles/strength_curve.h"
#include "analysis/math/elementary.h"

#define DEGREE (PI / 180)
#define WEIGHT_HEIGHT (70 * 9.80665 * 1.75)

static const AverageCurve *average_of(StrengthMotion motion, Sex sex, double age)
{
    for (int i = 0; i < strength_average_count; i++)
        if (strength_average[i].motion == motion && strength_average[i].sex == sex && strength_average[i].age == age)
            return &strength_average[i];
    fail_msg("no curve of %s", strength_motion_names[motion]);
    return NULL;
}

TEST(tables_have_every_row)
{
    assert_int_equal(strength_average_count, 6 * 2 * 3);
    assert_int_equal(strength_athlete_count, STRENGTH_MOTION_COUNT);
    for (int motion = STRENGTH_HIP_FLEXION; motion <= STRENGTH_ANKLE_PLANTARFLEXION; motion++)
        for (Sex sex = SEX_MALE; sex <= SEX_FEMALE; sex++)
            for (int group = 0; group < 3; group++)
                average_of((StrengthMotion)motion, sex, (const double[]){18, 55, 66}[group]);
}

/* The paper's formula of the active torque, relative to body weight times height, with libm. */
static double literal_active(const AverageCurve *k, double angle, double w)
{
    double s = fabs(w), turn = k->c2 * (angle - k->c3);
    double n = (2 * k->c4 * k->c5 + s * (k->c5 - 3 * k->c4)) / (2 * k->c4 * k->c5 + s * (2 * k->c5 - 4 * k->c4));
    n = w < 0 ? n * (1 - k->c6 * w) : n;
    return fabs(turn) < PI / 2 ? fmax(0, k->c1 * cos(turn) * n) : 0;
}

TEST(literal_formula_equals_the_paper)
{
    for (int i = 0; i < strength_average_count; i++) {
        const AverageCurve *k = &strength_average[i];
        for (double angle = -1; angle <= 2; angle += 0.13) {
            double passive = k->b1 * exp(k->k1 * angle) + k->b2 * exp(k->k2 * angle);
            assert_near(average_passive_literal(k, angle) / fmax(1, fabs(passive)), passive / fmax(1, fabs(passive)),
                        1e-12);
        }
    }
}

static double active(const AverageCurve *curve, double angle, double speed)
{
    return average_strength(curve, WEIGHT_HEIGHT, angle, speed).active;
}

/* As in the paper's figures, knee extension of a young man is about 3 N m/kg at 50 to 70 degrees, more than any other
 * joint here. */
TEST(young_male_knee_extension_is_strongest)
{
    const AverageCurve *knee = average_of(STRENGTH_KNEE_EXTENSION, SEX_MALE, 18);
    double best = 0, at = 0;
    for (int degrees = -20; degrees <= 130; degrees++)
        if (active(knee, degrees * DEGREE, 0) > best) {
            best = active(knee, degrees * DEGREE, 0);
            at = degrees;
        }
    assert_near(best / 70, 2.8, 0.1);
    assert_near(at, 60, 10);
    for (int motion = STRENGTH_HIP_FLEXION; motion <= STRENGTH_ANKLE_PLANTARFLEXION; motion++) {
        const AverageCurve *other = average_of((StrengthMotion)motion, SEX_MALE, 18);
        assert_true(other->c1 <= knee->c1);
    }
}

/* Shortening: three quarters and half of the isometric torque at c4 and c5, decreasing to zero. Lengthening: between 1
 * and 1.4 times the isometric torque, non-decreasing with speed. */
TEST(bounded_curves_are_monotonic_in_speed)
{
    for (int i = 0; i < strength_average_count; i++) {
        const AverageCurve *k = &strength_average[i];
        double max = active(k, k->c3, 0), before = max;
        assert_near(max, k->c1 * WEIGHT_HEIGHT, 1e-9);
        if (k->c5 < 3 * k->c4) {
            assert_near(active(k, k->c3, k->c4), 0.75 * max, 1e-9);
            assert_near(active(k, k->c3, k->c5), 0.5 * max, 1e-9);
        }
        for (double w = 0; w < 60; w += 0.1) {
            assert_true(active(k, k->c3, w) <= before && active(k, k->c3, w) >= 0);
            before = active(k, k->c3, w);
        }
        assert_near(before, 0, 0);
        before = max;
        for (double w = 0; w < 60; w += 0.1) {
            double now = active(k, k->c3, -w);
            assert_true(now >= before - 1e-9 && now <= 1.4 * max + 1e-9);
            before = now;
        }
    }
}

/* Literal and bounded curves agree in the measured range: isometric, and slow lengthening. */
TEST(bounds_apply_only_outside_the_measured_range)
{
    for (int i = 0; i < strength_average_count; i++) {
        const AverageCurve *k = &strength_average[i];
        for (double angle = 0; angle < 1.5; angle += 0.1) {
            assert_near(active(k, angle, 0), literal_active(k, angle, 0) * WEIGHT_HEIGHT, 1e-9);
            if (k->c5 < 3 * k->c4)
                assert_near(active(k, angle, 2), literal_active(k, angle, 2) * WEIGHT_HEIGHT, 1e-9);
        }
        StrengthAt far = average_strength(k, WEIGHT_HEIGHT, 2.5, 0);
        assert_true(fabs(far.passive) <= far.isometric);
    }
    /* plantarflexion: the literal curve still has a quarter of its torque at twice the maximum velocity */
    const AverageCurve *ankle = average_of(STRENGTH_ANKLE_PLANTARFLEXION, SEX_MALE, 18);
    double fastest = 2 * ankle->c4 * ankle->c5 / (ankle->c5 - 3 * ankle->c4);
    assert_true(literal_active(ankle, ankle->c3, 2 * fastest) > 0.25 * ankle->c1);
    assert_near(active(ankle, ankle->c3, fastest), 0, 0);
    assert_near(active(ankle, ankle->c3, fastest / 2),
                literal_active(ankle, ankle->c3, fastest / 2) * WEIGHT_HEIGHT, 1e-9);
    /* hip: the literal curve is zero at 9 rad/s of lengthening */
    const AverageCurve *hip = average_of(STRENGTH_HIP_EXTENSION, SEX_MALE, 18);
    assert_near(literal_active(hip, hip->c3, -9.5), 0, 0);
    assert_true(active(hip, hip->c3, -9.5) >= active(hip, hip->c3, 0));
}

TEST(subject_has_the_strength_of_the_row)
{
    for (int i = 0; i < strength_athlete_count; i++) {
        const PersonCurve *k = &strength_athlete[i];
        StrengthAt rest = person_strength(k, 1, k->angle, 0), half = person_strength(k, 1, k->angle, k->speed_max / 2);
        assert_near(rest.active, k->torque_max, 1e-9);
        assert_near(half.active, k->half * k->torque_max, 1e-9);
        assert_near(person_strength(k, 1, k->angle, k->speed_max).active, 0, 1e-12);
        assert_near(person_strength(k, 2, k->angle + k->width, 0).active, 2 * k->torque_max * exp(-0.5), 1e-9);
        assert_true(person_strength(k, 1, k->angle, -100 * k->speed_max).active <= k->eccentric * k->torque_max);
        assert_near(person_strength(k, 1, k->passive_zero, 0).passive, 0, 1e-12);
        assert_near(person_strength(k, 1, k->passive_one, 0).passive, k->torque_max, 1e-9);
        double step = 1e-6 * k->speed_max; /* no kink at rest */
        double up = (person_strength(k, 1, k->angle, -step).active - rest.active) / step;
        double down = (rest.active - person_strength(k, 1, k->angle, step).active) / step;
        assert_near(up / down, 1, 1e-3);
    }
}

/* A clip of one frame with all coordinates of a left leg and arm. */
static JointAngles one_frame(void)
{
    static const Coordinate joints[] = {COORDINATE_SPINE_FLEXION, COORDINATE_LEFT_SHOULDER_PLANE,
                                        COORDINATE_LEFT_ELBOW_FLEXION, COORDINATE_LEFT_HIP_FLEXION,
                                        COORDINATE_LEFT_KNEE_FLEXION, COORDINATE_RIGHT_KNEE_FLEXION};
    JointAngles a;
    assert_int_equal(joint_angles_init(&a, 1, 18, 0, NULL), STATUS_OK);
    for (int i = 0; i < 18; i++)
        a.coordinate[i] = (Coordinate)((int)joints[i / 3] + i % 3);
    return a;
}

static double *value_of(const JointAngles *a, double *values, Coordinate coordinate)
{
    return &values[joint_angles_find(a, coordinate)];
}

/* The capacity of one sex and age in the envelope of data/strength_envelope.tsv, from its definition. */
static double enveloped(const AverageCurve *k, double angle, double speed)
{
    const StrengthEnvelope *e = &strength_envelope[k->motion];
    double turn = fmin(PI / 2, fabs(k->c2 * (angle - k->c3))), slow = fmax(0, speed) / e->stretch;
    double gain = active(k, k->c3, slow) / active(k, k->c3, 0), back = fmax(0, -speed);
    double of_speed = speed < 0 ? 1 + (e->eccentric - 1) * back / (back + STRENGTH_HALF_RISE) : fmax(e->floor, gain);
    double muscles = e->gain * k->c1 * WEIGHT_HEIGHT * fmax(STRENGTH_ANGLE_FLOOR, cos(turn)) * of_speed;
    double passive = average_strength(k, WEIGHT_HEIGHT, angle, 0).passive;
    return muscles + fmax(passive, -muscles / 2);
}

/* Fast shortening and extreme angles leave a floor; lengthening is stronger than rest, which is stronger than
 * shortening; tendons let a joint turn faster than its fibres. */
TEST(envelope_has_a_floor_and_eccentric_above_concentric)
{
    for (int motion = 0; motion < STRENGTH_MOTION_COUNT; motion++) {
        const StrengthEnvelope *e = &strength_envelope[motion];
        assert_true(e->gain >= 1 && e->eccentric >= 1.2 && e->eccentric <= 1.55 && e->stretch >= 1 && e->floor >= 0.2);
        assert_true(e->spread > 0.1 && e->spread < 0.4 && e->trained > 1 && e->female <= 1);
    }
    for (int i = 0; i < strength_average_count; i++) {
        const AverageCurve *k = &strength_average[i];
        double rest = enveloped(k, k->c3, 0);
        assert_true(enveloped(k, k->c3, -4) > rest && rest > enveloped(k, k->c3, 4));
        /* floors: 0.5 of the angle, 0.25 of the velocity, 0.5 where tissue resists */
        assert_true(enveloped(k, 3, 50) >= 0.06 * k->c1 * WEIGHT_HEIGHT);
    }
}

TEST(utilization_is_moment_over_directional_capacity)
{
    JointAngles a = one_frame();
    StrengthDef def = strength_default_def();
    def.sex = SEX_MALE;
    *value_of(&a, a.angle, COORDINATE_LEFT_KNEE_FLEXION) = 60 * DEGREE;
    *value_of(&a, a.velocity, COORDINATE_LEFT_KNEE_FLEXION) = 2; /* flexing: extensors lengthen */
    *value_of(&a, a.moment, COORDINATE_LEFT_KNEE_FLEXION) = -100;
    *value_of(&a, a.angle, COORDINATE_RIGHT_KNEE_FLEXION) = 60 * DEGREE;
    *value_of(&a, a.velocity, COORDINATE_RIGHT_KNEE_FLEXION) = 2;
    *value_of(&a, a.moment, COORDINATE_RIGHT_KNEE_FLEXION) = 40;
    *value_of(&a, a.moment, COORDINATE_LEFT_HIP_ADDUCTION) = 50;
    assert_int_equal(strength_compute(&def, 70, 1.75, &a, NULL), STATUS_OK);
    const AverageCurve *extension = average_of(STRENGTH_KNEE_EXTENSION, SEX_MALE, 18);
    const AverageCurve *flexion = average_of(STRENGTH_KNEE_FLEXION, SEX_MALE, 18);
    double out = enveloped(extension, 60 * DEGREE, -2), in = enveloped(flexion, 60 * DEGREE, 2);
    assert_near(*value_of(&a, a.capacity, COORDINATE_LEFT_KNEE_FLEXION), out, 1e-9);
    assert_near(*value_of(&a, a.utilization, COORDINATE_LEFT_KNEE_FLEXION), 100 / out, 1e-12);
    assert_near(*value_of(&a, a.utilization, COORDINATE_RIGHT_KNEE_FLEXION), 40 / in, 1e-12);
    assert_near(*value_of(&a, a.utilization_sd, COORDINATE_RIGHT_KNEE_FLEXION),
                strength_envelope[STRENGTH_KNEE_FLEXION].spread * 40 / in, 1e-12); /* no error of the moment is known */
    assert_true(isnan(*value_of(&a, a.utilization, COORDINATE_LEFT_HIP_ADDUCTION)));
    assert_true(isnan(*value_of(&a, a.capacity, COORDINATE_LEFT_HIP_ROTATION)));
    assert_string_equal(a.strength, "average, male, 18 to 25 years");
    joint_angles_free(&a);
}

/* Both errors, as independent ones. */
TEST(spread_of_utilization_combines_moment_and_population)
{
    JointAngles a = one_frame();
    StrengthDef def = strength_default_def();
    assert_int_equal(joint_angles_add_spread(&a, NULL), STATUS_OK);
    *value_of(&a, a.angle, COORDINATE_LEFT_KNEE_FLEXION) = 60 * DEGREE; /* passive tissue is slack */
    *value_of(&a, a.moment, COORDINATE_LEFT_KNEE_FLEXION) = -100;
    *value_of(&a, a.moment_sd, COORDINATE_LEFT_KNEE_FLEXION) = 30;
    assert_int_equal(strength_compute(&def, 70, 1.75, &a, NULL), STATUS_OK);
    double use = *value_of(&a, a.utilization, COORDINATE_LEFT_KNEE_FLEXION);
    assert_near(*value_of(&a, a.utilization_sd, COORDINATE_LEFT_KNEE_FLEXION),
                use * hypot(0.3, strength_envelope[STRENGTH_KNEE_EXTENSION].spread), 1e-12);
    def.people = STRENGTH_STRONG; /* a percentile: only the moment errs */
    assert_int_equal(strength_compute(&def, 70, 1.75, &a, NULL), STATUS_OK);
    const StrengthEnvelope *knee = &strength_envelope[STRENGTH_KNEE_EXTENSION];
    assert_near(use / *value_of(&a, a.utilization, COORDINATE_LEFT_KNEE_FLEXION),
                knee->trained * exp(QUANTILE_99 * knee->spread), 1e-3);
    assert_near(*value_of(&a, a.utilization_sd, COORDINATE_LEFT_KNEE_FLEXION) /
                *value_of(&a, a.utilization, COORDINATE_LEFT_KNEE_FLEXION), 0.3, 1e-12);
    joint_angles_free(&a);
}

static double passive_at(StrengthDef def, Coordinate coordinate, double degrees)
{
    JointAngles a;
    assert_int_equal(joint_angles_init(&a, 1, 3, 1, NULL), STATUS_OK);
    for (int i = 0; i < 3; i++)
        a.coordinate[i] = (Coordinate)((int)coordinate - (int)coordinate % 3 + i);
    *value_of(&a, a.angle, coordinate) = degrees * DEGREE;
    assert_int_equal(strength_compute(&def, 70, 1.75, &a, NULL), STATUS_OK);
    double passive = *value_of(&a, a.passive, coordinate);
    joint_angles_free(&a);
    return passive;
}

/* The paper's formula, positive in flexion and opposing it, bounded by the row of its direction; an athlete's knee has
 * passive torque from 115 degrees on, if given. */
TEST(passive_moments_equal_the_rows)
{
    StrengthDef man = strength_default_def(), athlete = {.people = STRENGTH_ATHLETE};
    man.sex = SEX_MALE;
    const AverageCurve *hip = average_of(STRENGTH_HIP_FLEXION, SEX_MALE, 18);
    for (int degrees = -20; degrees <= 40; degrees += 15)
        assert_near(passive_at(man, COORDINATE_LEFT_HIP_FLEXION, degrees),
                    hip->b1 * exp(hip->k1 * degrees * DEGREE) + hip->b2 * exp(hip->k2 * degrees * DEGREE), 1e-9);
    assert_true(passive_at(man, COORDINATE_LEFT_HIP_FLEXION, -20) > 5);
    assert_near(passive_at(man, COORDINATE_RIGHT_HIP_FLEXION, 150), /* thigh at the trunk: bounded, it extends */
                -average_of(STRENGTH_HIP_EXTENSION, SEX_MALE, 18)->c1 * WEIGHT_HEIGHT, 1e-9);
    double scale = 70 * 1.75 / (ATHLETE_MASS * ATHLETE_STATURE);
    assert_near(passive_at(athlete, COORDINATE_LEFT_KNEE_FLEXION, 60), 0, 0);
    assert_near(passive_at(athlete, COORDINATE_LEFT_KNEE_FLEXION, 160), -285.619 * scale, 1e-9);
    assert_true(isnan(passive_at(man, COORDINATE_LEFT_HIP_ADDUCTION, 10)));
    assert_true(isnan(passive_at(man, COORDINATE_LEFT_KNEE_FLEXION, NAN)));
    assert_true(isnan(passive_at(athlete, COORDINATE_LEFT_SHOULDER_ELEVATION, 60))); /* to the side */
}

static double use_at(StrengthDef def, Coordinate coordinate, double degrees, double rate, double moment)
{
    JointAngles a = one_frame();
    *value_of(&a, a.angle, coordinate) = degrees * DEGREE;
    *value_of(&a, a.velocity, coordinate) = rate;
    *value_of(&a, a.moment, coordinate) = moment;
    assert_int_equal(strength_compute(&def, 70, 1.75, &a, NULL), STATUS_OK);
    double use = *value_of(&a, a.utilization, coordinate);
    joint_angles_free(&a);
    return use;
}

TEST(utilization_is_nan_without_strength_data)
{
    StrengthDef def = strength_default_def(), person = {.people = STRENGTH_PERSON};
    const PersonCurve own = {STRENGTH_KNEE_EXTENSION, 300, 15, 1, 0.6, 1.2, 0.2, 2, 2.7};
    person.person = &own;
    person.person_count = 1;
    assert_true(isfinite(use_at(def, COORDINATE_LEFT_KNEE_FLEXION, 60, 0, -50)));
    double fast = use_at(def, COORDINATE_LEFT_KNEE_FLEXION, 60, -25, -50); /* no muscle is so fast: the floor */
    assert_near(fast / use_at(def, COORDINATE_LEFT_KNEE_FLEXION, 60, 0, -50),
                1 / strength_envelope[STRENGTH_KNEE_EXTENSION].floor, 1e-2);
    assert_true(isnan(use_at(def, COORDINATE_LEFT_KNEE_FLEXION, NAN, 0, -50)));
    assert_near(use_at(person, COORDINATE_LEFT_KNEE_FLEXION, 1 / DEGREE, 0, -150), 0.5, 1e-12);
    assert_true(isnan(use_at(person, COORDINATE_LEFT_KNEE_FLEXION, 57, 0, 150)));
    assert_true(isnan(use_at(def, COORDINATE_LEFT_SHOULDER_ELEVATION, 60, 0, 20))); /* to the side: plane 0 */
    /* older subjects are weaker, and women weaker than men */
    StrengthDef old = def, man = def, woman = def;
    old.age = 70;
    man.sex = SEX_MALE;
    woman.sex = SEX_FEMALE;
    assert_true(use_at(old, COORDINATE_LEFT_KNEE_FLEXION, 60, 0, -100) >
                use_at(def, COORDINATE_LEFT_KNEE_FLEXION, 60, 0, -100));
    assert_true(use_at(woman, COORDINATE_LEFT_KNEE_FLEXION, 30, 0, -100) >
                use_at(man, COORDINATE_LEFT_KNEE_FLEXION, 30, 0, -100));
}

/* All coordinates over frames with moments of both signs, fast and slow velocities, gaps, and arms raised to the front,
 * to the back and to the side. */
static JointAngles moving(int frames)
{
    JointAngles a;
    uint32_t state = 1;
    assert_int_equal(joint_angles_init(&a, frames, COORDINATE_COUNT, 1, NULL), STATUS_OK);
    for (int i = 0; i < COORDINATE_COUNT; i++)
        a.coordinate[i] = (Coordinate)i;
    for (int i = 0; i < frames * COORDINATE_COUNT; i++) {
        double random[3];
        for (int k = 0; k < 3; k++) {
            state = state * 1664525u + 1013904223u;
            random[k] = (double)(state >> 8) * 0x1p-23 - 1;
        }
        a.angle[i] = i % 29 == 0 ? NAN : PI * random[0];
        a.velocity[i] = i % 31 == 0 ? NAN : 15 * random[1] * random[1] * random[1];
        a.moment[i] = i % 13 == 0 ? -0.0 : 200 * random[2];
    }
    return a;
}

TEST(all_lane_widths_give_same_bits)
{
    const LaneWidth widths[] = {LANES_PAIR, LANES_AVX2, LANES_AVX512};
    const StrengthPeople people[] = {STRENGTH_AVERAGE, STRENGTH_STRONG, STRENGTH_ATHLETE, STRENGTH_PERSON};
    const PersonCurve own[] = {{STRENGTH_KNEE_EXTENSION, 300, 15, 1, 0.6, 1.2, 0.2, 2, 2.7},
                               {STRENGTH_HIP_FLEXION, 150, 9, 1, 0.6, 1, 0.5, 2, 2.7}};
    for (int frames = 1; frames < 20; frames += 3)
        for (size_t p = 0; p < sizeof people / sizeof *people; p++) {
            StrengthDef def = {.people = people[p], .sex = SEX_MEAN, .age = 60, .person = own, .person_count = 2};
            JointAngles a = moving(frames);
            size_t bytes = (size_t)frames * COORDINATE_COUNT * sizeof(double);
            def.lanes = LANES_SCALAR;
            assert_int_equal(strength_compute(&def, 70, 1.75, &a, NULL), STATUS_OK);
            for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
                JointAngles b = moving(frames);
                def.lanes = widths[i];
                assert_int_equal(strength_compute(&def, 70, 1.75, &b, NULL), STATUS_OK);
                assert_memory_equal(a.capacity, b.capacity, bytes);
                assert_memory_equal(a.utilization, b.utilization, bytes);
                assert_memory_equal(a.utilization_sd, b.utilization_sd, bytes);
                assert_memory_equal(a.passive, b.passive, bytes);
                joint_angles_free(&b);
            }
            joint_angles_free(&a);
        }
}

/* Frames side by side, each with the curve of the direction of its moment. */
TEST(neighbouring_frames_do_not_mix)
{
    StrengthDef man = strength_default_def();
    JointAngles a = moving(40);
    int known = 0;
    man.sex = SEX_MALE;
    assert_int_equal(strength_compute(&man, 70, 1.75, &a, NULL), STATUS_OK);
    for (int f = 0; f < 40; f++) {
        size_t at = joint_angles_index(&a, f, joint_angles_find(&a, COORDINATE_RIGHT_KNEE_FLEXION));
        int flexes = a.moment[at] >= 0;
        const AverageCurve *curve = average_of(flexes ? STRENGTH_KNEE_FLEXION : STRENGTH_KNEE_EXTENSION, SEX_MALE, 18);
        double capacity = enveloped(curve, a.angle[at], flexes ? a.velocity[at] : -a.velocity[at]);
        if (isnan(a.angle[at]) || isnan(a.velocity[at])) {
            assert_true(isnan(a.capacity[at]) && isnan(a.utilization[at]) && isnan(a.passive[at]));
            continue;
        }
        assert_near(a.capacity[at] / capacity, 1, 1e-12);
        assert_near(a.utilization[at] * capacity, fabs(a.moment[at]), 1e-9);
        known++;
    }
    assert_true(known >= 10);
    joint_angles_free(&a);
}
