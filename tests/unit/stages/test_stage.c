/* pipeline/stages/stage: the declaration of a stage matches its effect on the clip and on the history. */
#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/support.h"
#include "pipeline/stages/contact_options.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"
#include "tests/support/sample_clip.h"
#include "tests/support/test.h"

#define STAGE_ADDRESS(name) &stage_##name,
static const Stage *const every_stage[] = {STAGES(STAGE_ADDRESS)};
enum { STAGE_COUNT = sizeof every_stage / sizeof *every_stage };

/* A clip of 40 frames with a chain of 5 joints, with skeleton and motion only. */
static Clip plain_clip(void)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 40, 5, 0), 0);
    clip_drop(&clip, CLIP_SKELETON);
    clip.provenance.history[0] = 0;
    assert_int_equal(clip_groups(&clip), CLIP_ALWAYS);
    return clip;
}

static Status apply(const Stage *stage, Clip *clip, Error *err)
{
    OptionValues values;
    stage_defaults(stage, &values);
    return stage_apply(stage, &values, clip, NULL, err);
}

static void give(const Stage *stage, OptionValues *values, const char *name, const char *text)
{
    const Option *option = option_find(stage->command.options, name);
    assert_non_null(option);
    assert_int_equal(option->kind->parse(option, text, values->bytes + option->offset, NULL), STATUS_OK);
}

/* Number of choices in a list such as "a|b|c", before an optional final FILE; -1 if one is not a choice. */
static int words_among(const char *list, const char *const *choices)
{
    int count = 0;
    for (const char *word = list, *next; word && strncmp(word, "FILE", 4); word = next, count++) {
        next = strchr(word, '|') ? strchr(word, '|') + 1 : NULL;
        size_t length = strcspn(word, "|"), i = 0;
        while (choices[i] && (strlen(choices[i]) != length || strncmp(word, choices[i], length)))
            i++;
        if (!choices[i])
            return -1;
    }
    return count;
}

/* The values in an option's help are exactly those it accepts; values in a condition are accepted too. */
static void check_words(const Option *option, const Option *first)
{
    int count = 0;
    while (option->choices && option->choices[count])
        count++;
    if (option->choices)
        assert_int_equal(words_among(option->argument, option->choices), count);
    if (option->with)
        assert_true(words_among(option->with, first->choices) > 0);
}

TEST(help_lists_every_choice)
{
    int choices = 0;
    (void)state;
    for (int s = 0; s < STAGE_COUNT; s++) {
        const Option *first = every_stage[s]->command.options;
        for (const Option *option = first; option && option->name; option++) {
            check_words(option, first);
            choices += option->choices != NULL;
        }
    }
    assert_true(choices >= 8);
}

TEST(missing_group_names_the_stage_to_run)
{
    Clip clip = plain_clip();
    Error err;
    (void)state;
    assert_int_equal(apply(&stage_torque, &clip, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "has no /body: run kane body first");
    assert_int_equal(apply(&stage_track, &clip, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "has no /body: run kane body first");
    assert_int_equal(apply(&stage_body, &clip, &err), STATUS_OK);
    assert_int_equal(apply(&stage_contact, &clip, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "has no /kinematics: run kane kinematics first");
    clip_free(&clip);
}

TEST(required_groups_follow_the_options)
{
    Clip clip = plain_clip();
    OptionValues values;
    Error err;
    (void)state;
    stage_defaults(&stage_contact, &values);
    give(&stage_contact, &values, "method", "none");
    assert_int_equal(stage_apply(&stage_contact, &values, &clip, NULL, &err), STATUS_OK);
    assert_int_equal(clip_groups(&clip), CLIP_ALWAYS | CLIP_CONTACT);
    clip_free(&clip);
}

TEST(contact_options_set_friction_and_ground)
{
    Clip clip = plain_clip();
    OptionValues values;
    ContactEstimateDef def;
    uint8_t *bridged;
    (void)state;
    stage_defaults(&stage_contact, &values);
    give(&stage_contact, &values, "friction", "0.25");
    assert_int_equal(contact_def_find(&values, &clip, &def, &bridged, NULL), STATUS_OK);
    assert_near(def.friction, 0.25, 0);
    assert_false(def.ground.has_height);
    give(&stage_contact, &values, "ground", "-0.5");
    assert_int_equal(contact_def_find(&values, &clip, &def, &bridged, NULL), STATUS_OK);
    assert_true(def.ground.has_height);
    assert_near(def.ground.height, -0.5, 0);
    assert_null(bridged);
    clip_free(&clip);
}

/* Findings of an earlier contact stage about a seat, a rail or the root path are dropped by the next one. */
TEST(contact_stage_drops_its_earlier_findings)
{
    Clip clip = plain_clip();
    OptionValues values;
    (void)state;
    for (int kind = 0; kind < SUPPORT_KINDS; kind++)
        assert_int_equal(clip_add_warning(&clip, support_name(kind), "bears half of the weight", NULL), STATUS_OK);
    assert_int_equal(clip_add_warning(&clip, "no-root-path", "stands still", NULL), STATUS_OK);
    assert_int_equal(clip_add_warning(&clip, "unsure", "stays", NULL), STATUS_OK);
    stage_defaults(&stage_contact, &values);
    give(&stage_contact, &values, "method", "none");
    assert_int_equal(stage_apply(&stage_contact, &values, &clip, NULL, NULL), STATUS_OK);
    assert_null(strstr(clip.provenance.warnings, "bears half"));
    assert_null(strstr(clip.provenance.warnings, "no-root-path"));
    assert_non_null(strstr(clip.provenance.warnings, "unsure: stays"));
    clip_free(&clip);
}

TEST(contradictory_options_leave_clip_unchanged)
{
    const Stage *const wrong[] = {&stage_trim, &stage_resample, &stage_retarget}; /* these require an option */
    Clip clip;
    Error err;
    (void)state;
    assert_int_equal(sample_clip(&clip, 40, 5, 2), 0);
    unsigned groups = clip_groups(&clip);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(apply(wrong[i], &clip, &err), STATUS_USAGE);
        assert_int_equal(clip_groups(&clip), groups);
    }
    assert_string_equal(clip.provenance.history, "import --unit cm\nbody --mass 70");
    clip_free(&clip);
}

/* Groups written by a stage exist, groups computed from them are removed, the rest is unchanged. */
TEST(stage_drops_stale_groups_and_fills_its_own)
{
    const Stage *const stages[] = {&stage_smooth, &stage_body, &stage_kinematics};
    (void)state;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        Clip clip;
        Error err;
        assert_int_equal(sample_clip(&clip, 40, 5, 2), 0);
        clip_hold(&clip, CLIP_RETARGET | CLIP_TRACKING);
        unsigned stale = clip_computed_from(stages[i]->fills), before = clip_groups(&clip);
        assert_int_equal(apply(stages[i], &clip, &err), STATUS_OK);
        assert_int_equal(clip_groups(&clip), (before & ~stale) | stages[i]->fills);
        assert_true(clip.has_retarget);
        assert_false(clip.has_contact || clip.has_dynamics || clip.has_angles || clip.has_tracking);
        assert_null(clip.dynamics.torque);
        clip_free(&clip);
    }
}

TEST(computed_groups_depend_on_earlier_groups)
{
    unsigned forces = CLIP_CONTACT | CLIP_DYNAMICS | CLIP_TRACKING | CLIP_ANGLES | CLIP_MARKERS;
    unsigned scene = CLIP_SIMULATION | CLIP_PARTICLES;
    assert_int_equal(clip_computed_from(CLIP_SKELETON), CLIP_BODY | CLIP_KINEMATICS | forces | scene | CLIP_SHAPES);
    assert_int_equal(clip_computed_from(CLIP_MOTION), CLIP_KINEMATICS | forces | scene);
    assert_int_equal(clip_computed_from(CLIP_BODY), CLIP_KINEMATICS | forces);
    assert_int_equal(clip_computed_from(CLIP_CONTACT), forces & ~(unsigned)CLIP_CONTACT);
    assert_int_equal(clip_computed_from(CLIP_DYNAMICS), CLIP_TRACKING | CLIP_ANGLES);
    assert_int_equal(clip_computed_from(CLIP_TRACKING), 0);
    assert_int_equal(clip_computed_from(CLIP_RETARGET), 0);
    assert_int_equal(clip_computed_from(CLIP_SIMULATION | CLIP_PARTICLES), 0);
    for (int i = 0; i < STAGE_COUNT; i++) {
        assert_int_not_equal(every_stage[i]->fills, 0);
        assert_int_equal(every_stage[i]->needs & every_stage[i]->fills, 0);
        assert_ptr_equal(stage_find(every_stage[i]->command.name), every_stage[i]);
    }
    assert_null(stage_find("import"));
}

/* For stages that write a group, the history keeps the last call while the group exists; stages that change the motion
 * accumulate. */
TEST(history_keeps_last_call_of_each_group)
{
    const Stage *const stages[] = {&stage_smooth, &stage_kinematics, &stage_kinematics, &stage_smooth};
    Clip clip = plain_clip();
    OptionValues body;
    Error err;
    (void)state;
    stage_defaults(&stage_body, &body);
    give(&stage_body, &body, "mass", "70");
    assert_int_equal(stage_apply(&stage_body, &body, &clip, NULL, &err), STATUS_OK);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        assert_int_equal(apply(stages[i], &clip, &err), STATUS_OK);
#define SMOOTHED "smooth --method butterworth --cutoff 8 # automatic: too short or at rest, noise not measured"
    assert_string_equal(clip.provenance.history, "body --model capsules --mass 70\n" SMOOTHED "\n" SMOOTHED);
    clip_free(&clip);
}

TEST(dropped_group_removes_its_history_line)
{
    Clip clip = plain_clip();
    Error err;
    (void)state;
    assert_int_equal(clip_add_history(&clip, "import", NULL), STATUS_OK);
    assert_int_equal(clip_add_history(&clip, "track --controller all", NULL), STATUS_OK);
    assert_int_equal(clip_add_history(&clip, "walked --far 1", NULL), STATUS_OK); /* of another version of kane */
    assert_int_equal(apply(&stage_kinematics, &clip, &err), STATUS_OK);
    assert_string_equal(clip.provenance.history, "import\nwalked --far 1\nkinematics --scheme central");
    clip_free(&clip);
}

TEST(implausible_body_size_is_reported)
{
    Clip clip = plain_clip();
    OptionValues values;
    Notes notes = {0};
    Error err;
    (void)state;
    stage_defaults(&stage_body, &values);
    for (int j = 0; j < clip.skeleton.joint_count; j++)
        clip.skeleton.offset[j] = vec3_scale(clip.skeleton.offset[j], 50);
    assert_int_equal(stage_apply(&stage_body, &values, &clip, &notes, &err), STATUS_OK);
    assert_string_equal(notes.stage, "body");
    assert_int_equal(notes.count, 1);
    assert_int_equal(notes.note[0].kind, NOTE_WARNING);
    assert_non_null(strstr(notes.note[0].text, "implausible mass"));
    notes_free(&notes);
    clip_free(&clip);
}

static Status stretch_a_rotation(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    Quat *q = &clip->motion.rotation[3 * clip->skeleton.joint_count + 2];
    (void)values, (void)notes, (void)err;
    q->w *= 1 + 3e-9, q->x *= 1 + 3e-9, q->y *= 1 + 3e-9, q->z *= 1 + 3e-9;
    return STATUS_OK;
}

static Status lose_a_number(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    (void)values, (void)notes, (void)err;
    clip->motion.root_position[7].y = NAN;
    return STATUS_OK;
}

/* The output of a stage is readable, or the stage fails. Rotations stored as float32 may stay unchanged. */
TEST(stage_with_nonunit_rotation_fails)
{
    const Stage stretching = {.command = {.name = "stretch"}, .fills = CLIP_MOTION, .apply = stretch_a_rotation};
    const Stage losing = {.command = {.name = "lose"}, .fills = CLIP_MOTION, .apply = lose_a_number};
    Clip clip = plain_clip();
    char expected[160];
    Error err;
    (void)state;
    snprintf(expected, sizeof expected,
             "kane stretch failed: rotation of joint \"%s\" in frame 3: length differs from 1", clip.skeleton.name[2]);
    assert_int_equal(apply(&stretching, &clip, &err), STATUS_BAD_INPUT);
    if (!strstr(err.text, expected))
        fail_msg("%s", err.text);
    assert_int_equal(apply(&stretching, &clip, &err), STATUS_OK); /* twice the distance is within its input */
    assert_int_equal(apply(&losing, &clip, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text,
                        "kane lose failed: /motion/root_position: value not finite at frame 7");
    clip_free(&clip);
}

TEST(environment_sets_the_lane_width)
{
    LaneWidth lanes;
    Error err;
    (void)state;
    setenv("KANE_LANES", "4", 1);
    assert_int_equal(stage_lanes(&lanes, &err), STATUS_OK);
    assert_int_equal(lanes, LANES_AVX2);
    setenv("KANE_LANES", "3", 1);
    assert_int_equal(stage_lanes(&lanes, &err), STATUS_USAGE);
    unsetenv("KANE_LANES");
    assert_int_equal(stage_lanes(&lanes, &err), STATUS_OK);
    assert_int_equal(lanes, LANES_AUTO);
}
