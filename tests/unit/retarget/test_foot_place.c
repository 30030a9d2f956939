/* analysis/retarget/foot_place: one place for as long as a foot stands, and a step where no foot could stand. */
#include "tests/support/assert_near.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/retarget/foot_path.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foot_that_slides_a_little_stands_in_the_middle),
        cmocka_unit_test(a_foot_that_travels_takes_a_step),
        cmocka_unit_test(a_foot_that_turns_takes_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
