/* pipeline/stages/retime_adapt: what a trial that the program did not foresee changes. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "pipeline/stages/retime_adapt.h"
#include "tests/support/hinge_clip.h"

enum { FRAMES = 100, EFFORTS = 2, WORST = 50 };

typedef struct Case {
    Clip clip;
    RetimeScan scan;
    RetimeState state;
} Case;

/* Effort 0 falls with the rate, effort 1 rises. */
static void begin(Case *c)
{
    *c = (Case){.clip = hinge_clip(FRAMES, 10)};
    c->scan = (RetimeScan){.clip = &c->clip, .own = &c->clip.motion, .frames = FRAMES, .efforts = EFFORTS};
    c->scan.size = calloc(SCAN_RATES * FRAMES * EFFORTS, sizeof *c->scan.size);
    assert_non_null(c->scan.size);
    for (int rate = 0; rate < SCAN_RATES; rate++)
        for (int f = 0; f < FRAMES; f++) {
            c->scan.size[(rate * FRAMES + f) * EFFORTS] = 2.0f - 0.1f * (float)rate;
            c->scan.size[(rate * FRAMES + f) * EFFORTS + 1] = 1.0f + 0.1f * (float)rate;
        }
    assert_int_equal(retime_state_init(&c->state, &c->scan, NULL), STATUS_OK);
    for (int i = 0; i < FRAMES * EFFORTS; i++)
        c->state.tight[i] = 1;
    for (int f = 0; f < FRAMES; f++)
        c->state.met[f] = 1;
}

static void end(Case *c)
{
    retime_state_free(&c->state);
    free(c->scan.size);
    clip_free(&c->clip);
}

static void exceed(Case *c, int effort, double size)
{
    c->state.over[WORST] = size;
    c->state.worst[WORST] = effort;
    c->state.size[WORST * EFFORTS + effort] = (float)size;
    c->state.expected[WORST * EFFORTS + effort] = 1;
}

TEST(effort_above_the_expected_tightens_its_own_limit_around)
{
    Case c;
    begin(&c);
    exceed(&c, 0, 1.02);
    retime_tighten(&c.state);
    for (int f = WORST - 3; f <= WORST + 3; f++) /* 0.03 s */
        assert_near(c.state.tight[f * EFFORTS], 1 / 1.02, 1e-6);
    assert_near(c.state.tight[(WORST - 4) * EFFORTS], 1, 0);
    assert_near(c.state.tight[WORST * EFFORTS + 1], 1, 0); /* the other effort */
    c.state.size[WORST * EFFORTS] = 0.9f;
    retime_tighten(&c.state);
    assert_true(c.state.tight[WORST * EFFORTS] > 1 / 1.02f && c.state.tight[WORST * EFFORTS] < 1);
    end(&c);
}

TEST(limits_are_tightened_step_by_step)
{
    Case c;
    begin(&c);
    exceed(&c, 0, 2);
    retime_tighten(&c.state);
    assert_near(c.state.tight[WORST * EFFORTS], 0.95, 1e-6);
    for (int i = 0; i < 50; i++)
        retime_tighten(&c.state);
    assert_near(c.state.tight[WORST * EFFORTS], 0.7, 1e-6);
    end(&c);
}

/* The coefficient at a frame is the second of those that act there. */
static int coefficient(const Case *c)
{
    return time_warp_basis(&c->state.warp, WORST / HINGE_FPS).first + 1;
}

TEST(rate_is_capped_where_a_slower_one_lowers_the_effort)
{
    Case c;
    begin(&c);
    exceed(&c, 0, 1.1);
    retime_move_caps(&c.state, 0);
    assert_near(c.state.cap[coefficient(&c)], 1 - 0.06, 1e-9); /* 0.01 and half of the excess */
    assert_near(c.state.cap[0], 1, 0);
    assert_near(c.state.floor[coefficient(&c)], 0, 0);
    end(&c);
}

TEST(rate_has_a_floor_where_a_slower_one_raises_the_effort)
{
    Case c;
    begin(&c);
    for (int i = 0; i < c.state.warp.count; i++)
        c.state.warp.square[i] = 0.5;
    exceed(&c, 1, 1.1);
    retime_move_caps(&c.state, 0);
    assert_near(c.state.floor[coefficient(&c)], 0.5 * 1.06, 1e-9);
    assert_near(c.state.cap[coefficient(&c)], 1, 0);
    end(&c);
}

TEST(unmet_limits_of_the_program_move_caps_on_demand_alone)
{
    Case c;
    begin(&c);
    exceed(&c, 0, 1.1);
    c.state.met[WORST] = 0;
    retime_move_caps(&c.state, 0);
    assert_near(c.state.cap[coefficient(&c)], 1, 0);
    retime_move_caps(&c.state, 1);
    assert_true(c.state.cap[coefficient(&c)] < 1);
    end(&c);
}
