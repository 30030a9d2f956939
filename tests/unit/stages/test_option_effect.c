/* pipeline/stages/option_effect: tables that list each option, and their messages. */
#include "tests/support/test.h"

#include <string.h>

#include "pipeline/stages/option.h"
#include "pipeline/stages/option_effect.h"
#include "pipeline/stages/simulate_options.h"
#include "pipeline/stages/track_options.h"

/* One row per option. */
static void assert_complete(const Option *options, const OptionEffect *effects)
{
    for (const Option *o = options; o->name; o++) {
        int rows = 0;
        for (const OptionEffect *e = effects; e->name; e++)
            rows += !strcmp(e->name, o->name);
        if (rows != 1)
            print_error("--%s has %d rows\n", o->name, rows);
        assert_int_equal(rows, 1);
    }
    for (const OptionEffect *e = effects; e->name; e++)
        assert_non_null(option_find(options, e->name));
}

TEST(every_option_has_an_effect_row)
{
    assert_complete(simulate_command.options, simulate_effects);
    assert_complete(track_options, track_effects);
}

static void assert_scene(const SimulateOptions *given, unsigned features, const char *said)
{
    Error err = {0};
    Status status = simulate_check_scene(given, features, &err);
    assert_int_equal(status, said ? STATUS_USAGE : STATUS_OK);
    if (said)
        assert_non_null(strstr(err.text, said));
}

TEST(option_without_effect_is_refused)
{
    const unsigned all = SIMULATE_FEATURES;
    SimulateOptions o = simulate_defaults();
    assert_scene(&o, 0, NULL);
    o.scene.softness = 1e-4;
    assert_scene(&o, all, NULL);
    assert_scene(&o, all & ~(unsigned)SIMULATE_COLLIDES, "--contact-compliance has no effect");
    o.scene.softness_damping = 0.1;
    assert_scene(&o, all, NULL);
    o.scene.softness = 0;
    assert_scene(&o, all, "--contact-time-constant has no effect without --contact-compliance");
    o = simulate_defaults();
    o.scene.damping_ratio = 1;
    assert_scene(&o, all, NULL);
    assert_scene(&o, all & ~(unsigned)SIMULATE_DRIVES, "--damping-ratio has no effect");
    o = simulate_defaults();
    o.friction_model = 1;
    assert_scene(&o, all, NULL);
    assert_scene(&o, all & ~(unsigned)SIMULATE_RUBS, "--friction-model has no effect: no contact has friction");
    o.solver = SOLVER_SWEEPS;
    assert_scene(&o, all, "--friction-model has no effect on --solver gauss-seidel");
    o.friction_model = 0;
    assert_scene(&o, SIMULATE_LIMITS | SIMULATE_MOVES, NULL);
    assert_scene(&o, SIMULATE_MOVES, "--solver has no effect");
    o = simulate_defaults();
    o.scene.integrator = IMPLICIT_EULER;
    assert_scene(&o, all, NULL);
    o.particles = "soft.tsv";
    assert_scene(&o, all, NULL);
    o.scene.integrator = BRIDSON_MARINO;
    assert_scene(&o, all, "--integrator bridson-marino does not support --particles");
    o.scene.integrator = SYMPLECTIC_EULER;
    assert_scene(&o, all, NULL);
    o.spring_laws = "laws.tsv";
    assert_scene(&o, all, "--spring-laws has no effect without --springs");
    o.springs = "springs.tsv";
    assert_scene(&o, all, NULL);
}

static void assert_track(TrackOptions o, const char *said)
{
    OptionValues values = {0};
    Error err = {0};
    memcpy(&values, &o, sizeof o);
    assert_int_equal(track_check(&values, NULL, &err), said ? STATUS_USAGE : STATUS_OK);
    if (said)
        assert_non_null(strstr(err.text, said));
}

TEST(track_options_need_their_controllers)
{
    OptionValues values = {0};
    track_defaults(&values);
    TrackOptions o;
    memcpy(&o, &values, sizeof o);
    assert_track(o, NULL);
    o.damping = 3;
    assert_track(o, NULL);
    o.root = ROOT_FREE; /* PD controllers cannot balance */
    assert_track(o, "--damping has no effect");
    o.damping = 0;
    o.friction = 0.5;
    assert_track(o, NULL);
    o.root = ROOT_DRIVEN;
    assert_track(o, "--friction requires --root free or compliant");
    o.friction = 0;
    o.contact = 1;
    assert_track(o, "--contact on requires --root free or compliant");
    o.contact = 0;
    o.friction = 0.5;
    o.root = ROOT_FREE;
    o.scene = SCENE_STEADY;
    assert_track(o, "applies to clips");
}
