/* analysis/retarget/foot_place: one place for as long as a foot stands, a step where no foot could stand, and when a
 * foot in contact rests on the ground. */
#include "tests/support/assert_near.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/retarget/foot_path.h"
#include "analysis/retarget/foot_place.h"

enum { FRAMES = 200 };
static const double sole_length = 0.2;

/* A foot that is down, heel and ball, from the first frame to the last. */
typedef struct Foot {
    FootContact contact;
    uint8_t in_contact[2 * FRAMES], down[2][2 * FRAMES], held[2][FRAMES];
    double level[2 * FRAMES];
    Vec3 copied[2][FRAMES], hip[FRAMES], place[2][FRAMES];
    FootPlace at;
} Foot;

static void foot_init(Foot *w)
{
    memset(w, 0, sizeof *w);
    w->contact = (FootContact){.frame_count = FRAMES, .frame_time = 0.01, .in_contact = w->in_contact,
                               .down = {w->down[0], w->down[1]}, .level = w->level, .normal = {0, 1, 0}};
    w->at = (FootPlace){.contact = &w->contact, .scale = 1, .leg = 0.85, .sole_length = sole_length,
                        .copied = {w->copied[0], w->copied[1]}, .hip = w->hip, .place = {w->place[0], w->place[1]},
                        .held = {w->held[0], w->held[1]}};
    for (int f = 0; f < FRAMES; f++) {
        w->in_contact[2 * f] = w->down[0][2 * f] = w->down[1][2 * f] = 1;
        w->hip[f] = vec3(0, 0.8, 0);
    }
}

/* Heel at (x, 0, 0), the ball a sole's length from it at `heading` from +z to +x. */
static void pose(Foot *w, int f, double x, double heading)
{
    w->copied[0][f] = vec3(x, 0.01, 0);
    w->copied[1][f] = vec3(x + sole_length * elementary_sin(heading), 0.01, sole_length * elementary_cos(heading));
}

static void fill(Foot *w)
{
    FootPathDef def = foot_path_default_def();
    foot_place_fill(&w->at, &def.place);
}

/* Frames in which it does not stand; what stands does so in one place, on the ground, a sole's length apart. */
static int steps(const Foot *w)
{
    int lifted = 0;
    for (int f = 0; f < FRAMES; f++) {
        lifted += !w->held[0][f];
        assert_int_equal(w->held[0][f], w->held[1][f]);
        if (!w->held[0][f])
            continue;
        assert_near(w->place[0][f].y, 0, 1e-15);
        assert_near(vec3_distance(w->place[0][f], w->place[1][f]), sole_length, 1e-12);
        if (f > 0 && w->held[0][f - 1])
            for (int point = 0; point < 2; point++)
                assert_vec3_near(w->place[point][f], w->place[point][f - 1], 1e-12);
    }
    return lifted;
}

static void a_foot_that_slides_a_little_stands_in_the_middle(void **state)
{
    static Foot w;
    (void)state;
    foot_init(&w);
    for (int f = 0; f < FRAMES; f++)
        pose(&w, f, 0.1 * f / (FRAMES - 1), 0);
    fill(&w);
    assert_int_equal(steps(&w), 0);
    assert_vec3_near(w.place[0][0], vec3(0.05, 0, 0), 1e-12);
}

static void a_foot_that_travels_takes_a_step(void **state)
{
    static Foot w;
    (void)state;
    foot_init(&w);
    for (int f = 0; f < FRAMES; f++)
        pose(&w, f, 0.5 * f / (FRAMES - 1), 0);
    fill(&w);
    assert_true(steps(&w) > 0);
}

/* Nor does a foot stand still under a body that turns round: wherever it stands, it points within 45 degrees of the
 * copied one, and what cannot be told of a foot on its tip is not told. */
static void a_foot_that_turns_takes_a_step(void **state)
{
    static Foot w;
    (void)state;
    foot_init(&w);
    for (int f = 0; f < FRAMES; f++)
        pose(&w, f, 0, 2.5 * f / (FRAMES - 1));
    fill(&w);
    assert_true(steps(&w) > 0);
    for (int f = 0; f < FRAMES; f++)
        if (w.held[0][f]) {
            Vec3 way = vec3_sub(w.place[1][f], w.place[0][f]), copied = vec3_sub(w.copied[1][f], w.copied[0][f]);
            assert_true(vec3_dot(way, copied) > 0.7 * sole_length * sole_length);
        }
    foot_init(&w);
    for (int f = 0; f < FRAMES; f++) {
        w.copied[0][f] = vec3(0.01 * elementary_sin(0.1 * f), 0.2, 0.01 * elementary_cos(0.1 * f));
        w.copied[1][f] = vec3(0, 0, 0);
        w.down[0][2 * f] = 0;
    }
    fill(&w);
    for (int f = 0; f < FRAMES; f++)
        assert_true(w.held[1][f] && !w.held[0][f]);
}

enum { TRACK = 40 };
static const double frame_time = 0.01;

/* A foot that dips by `depth` and comes up again within its contact, as a parabola. */
static void dip(double depth, double *height, double *speed)
{
    for (int f = 0; f < TRACK; f++) {
        double x = (f - 0.5 * (TRACK - 1)) / (0.5 * TRACK);
        height[f] = depth * x * x;
        speed[f] = fabs(2 * depth * x / (0.5 * TRACK * frame_time));
    }
}

static int count_settled(const uint8_t *settled)
{
    int count = 0;
    for (int f = 0; f < TRACK; f++)
        count += settled[f];
    return count;
}

static void a_still_foot_rests_all_the_time(void **state)
{
    (void)state;
    double height[TRACK] = {0}, speed[TRACK] = {0};
    uint8_t held[TRACK] = {0}, settled[TRACK];
    for (int f = 5; f < 30; f++)
        held[f] = 1;
    foot_place_settle(&(SoleTrack){TRACK, height, speed, held}, 0.5, 0.9, settled);
    assert_memory_equal(settled, held, TRACK);
}

/* Slow enough in its middle only, it rests there; the share of frames near the ground is kept by resting longer. */
static void a_foot_that_dips_rests_long_enough(void **state)
{
    (void)state;
    double height[TRACK], speed[TRACK];
    uint8_t held[TRACK], settled[TRACK], shorter[TRACK];
    for (int f = 0; f < TRACK; f++)
        held[f] = 1;
    dip(0.08, height, speed);
    foot_place_settle(&(SoleTrack){TRACK, height, speed, held}, 0.2, 0, shorter);
    for (int f = 0; f < TRACK; f++)
        assert_int_equal(shorter[f], speed[f] <= 0.2);
    foot_place_settle(&(SoleTrack){TRACK, height, speed, held}, 0.2, 0.9, settled);
    int first = 0, last = TRACK - 1, near = 0;
    while (!settled[first])
        first++;
    while (!settled[last])
        last--;
    assert_int_equal(count_settled(settled), last - first + 1); /* one stretch, around the slow one */
    assert_true(first < TRACK / 2 && last >= TRACK / 2 && count_settled(settled) > count_settled(shorter));
    for (int f = 0; f < TRACK; f++)
        near += settled[f] || fabs(height[f] - height[f < first ? first : last]) < 0.015;
    assert_true(near >= 0.9 * TRACK);
    assert_true(near <= 0.9 * TRACK + 2); /* and no longer than that */
}

/* A foot that is never slow has its middle frame; one that is not in contact none. */
static void no_slow_frame_and_no_contact(void **state)
{
    (void)state;
    double height[TRACK] = {0}, speed[TRACK];
    uint8_t held[TRACK] = {0}, settled[TRACK];
    for (int f = 0; f < TRACK; f++)
        speed[f] = 3;
    foot_place_settle(&(SoleTrack){TRACK, height, speed, held}, 0.5, 0.9, settled);
    assert_int_equal(count_settled(settled), 0);
    held[10] = held[11] = held[12] = 1;
    foot_place_settle(&(SoleTrack){TRACK, height, speed, held}, 0.5, 0.3, settled);
    assert_int_equal(count_settled(settled), 1);
    assert_int_equal(settled[11], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foot_that_slides_a_little_stands_in_the_middle),
        cmocka_unit_test(a_foot_that_travels_takes_a_step),
        cmocka_unit_test(a_foot_that_turns_takes_a_step),
        cmocka_unit_test(a_still_foot_rests_all_the_time),
        cmocka_unit_test(a_foot_that_dips_rests_long_enough),
        cmocka_unit_test(no_slow_frame_and_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
