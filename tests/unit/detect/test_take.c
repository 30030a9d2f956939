/* analysis/detect/take: clip_settle makes the same clip from a take for any format, unit, axes and hints. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/detect/import_guess.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/root_position.h"
#include "analysis/detect/take.h"
#include "analysis/detect/up_axis.h"
#include "analysis/detect/world_repair.h"
#include "tests/support/read_bvh.h"
#include "tests/support/walker.h"

enum { FRAMES = 60 };

/* The walker in the unit and axes of a file. */
static Take walk(double unit, UpAxis up)
{
    Take take = {.root_given = {1, 1, 1}};
    walker_skeleton(&take.skeleton);
    walker_motion(&take.motion, FRAMES, 30);
    walker_to_file(&take.skeleton, &take.motion, unit, up);
    return take;
}

static Clip settled(Take *take, ImportGuess *guess)
{
    Clip clip = {0};
    ImportGuessDef def = import_guess_default_def();
    Error err = {0};
    if (clip_settle(take, &def, &clip, guess, &err) != STATUS_OK)
        fail_msg("%s", err.text);
    return clip;
}

TEST(clip_does_not_depend_on_file_unit_and_axis)
{
    Take plain = walk(1, UP_Y), turned = walk(0.001, UP_Z);
    Clip a = settled(&plain, NULL), b = settled(&turned, NULL);
    for (int f = 0; f < FRAMES; f++)
        assert_vec3_near(b.motion.root_position[f], a.motion.root_position[f], 1e-9);
    for (int j = 1; j < WALKER_JOINTS; j++)
        assert_vec3_near(b.skeleton.offset[j], a.skeleton.offset[j], 1e-9);
    assert_string_equal(b.provenance.up_axis, "Z");
    assert_near(b.provenance.meters_per_unit, 0.001, 1e-12);
    assert_int_equal(a.skeleton.role[2], ROLE_LEFT_KNEE); /* roles are assigned too */
    assert_null(plain.skeleton.name);                     /* the take has transferred both */
    clip_free(&a);
    clip_free(&b);
    take_free(&plain);
    take_free(&turned);
}

/* Values stated by the file decide if measurements would not. */
TEST(hints_override_detection)
{
    Take take = walk(1, UP_Y);
    ImportGuess guess;
    take.meters_per_unit = 0.01;
    take.up = UP_MINUS_Z;
    Clip clip = settled(&take, &guess);
    assert_near(guess.meters_per_unit, 0.01, 0);
    assert_near(guess.unit_confidence, 1, 0);
    assert_int_equal(guess.up, UP_MINUS_Z);
    assert_near(vec3_norm(clip.skeleton.offset[2]), 0.0042, 1e-12);
    clip_free(&clip);
    take_free(&take);

    take = walk(1, UP_Y);
    take.meters_per_unit = 0.01;
    ImportGuessDef def = {.meters_per_unit = 1}; /* an option takes precedence */
    clip = (Clip){0};
    assert_int_equal(clip_settle(&take, &def, &clip, &guess, NULL), STATUS_OK);
    assert_near(vec3_norm(clip.skeleton.offset[2]), 0.42, 1e-12);
    clip_free(&clip);
    take_free(&take);
}

static ImportGuess settle_guess(const ImportGuessDef *def, double *thigh)
{
    Take take = walk(0.01, UP_Z);
    Clip clip = {0};
    ImportGuess guess;
    assert_int_equal(clip_settle(&take, def, &clip, &guess, NULL), STATUS_OK);
    *thigh = vec3_norm(clip.skeleton.offset[2]);
    clip_free(&clip);
    take_free(&take);
    return guess;
}

/* A guess made before the family was decided equals a detection made after. */
TEST(given_guess_is_not_detected_again)
{
    double thigh, again;
    ImportGuessDef def = import_guess_default_def();
    ImportGuess known = settle_guess(&def, &thigh);
    const Family family = {.meters_per_unit = 0.01, .unit_confidence = 0.9999, .up = UP_Z, .up_confidence = 0.9999,
                           .positions = POSITIONS_LOCAL, .positions_confidence = 0.9999};
    def.family = &family;
    ImportGuess detected = settle_guess(&def, &thigh);
    def.known = &known;
    ImportGuess taken = settle_guess(&def, &again);
    assert_near(again, thigh, 0);
    assert_near(taken.meters_per_unit, detected.meters_per_unit, 0);
    assert_near(taken.unit_confidence, detected.unit_confidence, 0);
    assert_near(taken.up_confidence, detected.up_confidence, 0);
    assert_near(taken.stature, detected.stature, 0);
    assert_int_equal(taken.up, detected.up);
    assert_int_equal(taken.root_offset, detected.root_offset);
    assert_int_equal(taken.drop_first_frame, detected.drop_first_frame);

    known.unit_confidence = known.up_confidence = 0.6; /* the family agrees */
    taken = settle_guess(&def, &again);
    assert_near(taken.unit_confidence, 0.9999, 0);
    assert_near(taken.up_confidence, 0.9999, 0);
    known.meters_per_unit = 0.02;
    known.unit_confidence = 0.97; /* the file contradicts it */
    taken = settle_guess(&def, &again);
    assert_near(taken.unit_confidence, 0.97, 0);
    assert_near(again, 2 * thigh, 1e-12);
}

/* Settles data/walk.bvh with the roles' sides as given. exchange: names and roles of both sides are exchanged first. */
static Clip settle_walk(int exchange, const ImportGuessDef *def, ImportGuess *guess)
{
    Clip clip = {0};
    Take take = {.root_given = {1, 1, 1}};
    assert_true(file_clip("data/walk.bvh", &clip, NULL));
    take.skeleton = clip.skeleton;
    take.motion = clip.motion;
    clip.skeleton = (Skeleton){0};
    clip.motion = (Motion){0};
    clip_free(&clip);
    if (exchange)
        assert_int_equal(skeleton_exchange_sides(&take.skeleton, NULL), STATUS_OK);
    clip = (Clip){0};
    assert_int_equal(clip_settle(&take, def, &clip, guess, NULL), STATUS_OK);
    take_free(&take);
    return clip;
}

/* The joint keeps its name; it is right where the body is. */
TEST(sides_that_the_body_contradicts_follow_the_body)
{
    ImportGuess guess;
    ImportGuessDef def = import_guess_default_def();
    Clip sound = settle_walk(0, &def, &guess), exchanged;
    assert_true(!guess.motion.facing.is_contradicted && !guess.flipped_sides);
    exchanged = settle_walk(1, &def, &guess);
    assert_true(guess.motion.facing.is_contradicted && guess.flipped_sides);
    assert_true(guess.role_judgement.sides > 0.95);
    for (int j = 0; j < sound.skeleton.joint_count; j++) {
        assert_int_equal(exchanged.skeleton.role[j], sound.skeleton.role[j]);
        assert_int_equal(exchanged.skeleton.segment[j], sound.skeleton.segment[j]);
    }
    clip_free(&exchanged);
    def.swap_sides = 1; /* names, too */
    exchanged = settle_walk(1, &def, &guess);
    assert_true(!guess.motion.facing.is_contradicted && !guess.flipped_sides);
    for (int j = 0; j < sound.skeleton.joint_count; j++) {
        assert_int_equal(exchanged.skeleton.role[j], sound.skeleton.role[j]);
        assert_string_equal(exchanged.skeleton.name[j], sound.skeleton.name[j]);
    }
    clip_free(&exchanged);
    clip_free(&sound);
}

/* The user has the last word. */
TEST(stated_sides_stay)
{
    ImportGuess guess;
    StatedRole row[] = {{(char *)"LeftUpLeg", ROLE_RIGHT_HIP}, {(char *)"RightUpLeg", ROLE_LEFT_HIP},
                        {(char *)"LeftLeg", ROLE_RIGHT_KNEE}, {(char *)"RightLeg", ROLE_LEFT_KNEE},
                        {(char *)"LeftFoot", ROLE_RIGHT_ANKLE}, {(char *)"RightFoot", ROLE_LEFT_ANKLE}};
    RoleMap map = {.row = row, .count = sizeof row / sizeof *row};
    ImportGuessDef def = import_guess_default_def();
    def.roles = &map;
    Clip clip = settle_walk(0, &def, &guess);
    assert_true(guess.motion.facing.is_contradicted && !guess.flipped_sides);
    assert_int_equal(clip.skeleton.role[skeleton_find(&clip.skeleton, "LeftLeg")], ROLE_RIGHT_KNEE);
    clip_free(&clip);
}

/* An axis without channel has the offset; the others add it only if configured. */
TEST(root_keeps_its_offset_on_axes_without_channel)
{
    Take take = walk(1, UP_Y);
    ImportGuessDef def = {.meters_per_unit = 1, .up = UP_Y, .root_offset = ROOT_OFFSET_REPLACE, .keep_first_frame = 1};
    Clip clip = {0};
    double x = take.motion.root_position[7].x;
    take.root_given[1] = 0;
    for (int f = 0; f < FRAMES; f++)
        take.motion.root_position[f].y = 0;
    take.skeleton.offset[0] = vec3(0.3, 0.95, 0.2);
    assert_int_equal(clip_settle(&take, &def, &clip, NULL, NULL), STATUS_OK);
    assert_near(clip.motion.root_position[7].y, 0.95, 0);
    assert_near(clip.motion.root_position[7].x, x, 0);
    clip_free(&clip);
    take_free(&take);

    take = walk(1, UP_Y);
    take.skeleton.offset[0] = vec3(0.3, 0.95, 0.2);
    def.root_offset = ROOT_OFFSET_ADD;
    clip = (Clip){0};
    assert_int_equal(clip_settle(&take, &def, &clip, NULL, NULL), STATUS_OK);
    assert_near(clip.motion.root_position[7].x, x + 0.3, 1e-15);
    clip_free(&clip);
    take_free(&take);
}

/* Whether joints translate depends on the digits of the file. */
TEST(translations_below_file_precision_are_dropped)
{
    for (int exact = 0; exact < 2; exact++) {
        Take take = walk(1, UP_Y);
        take.digits = exact ? 1e-6 : 1e-4;
        take.motion.translation = calloc((size_t)FRAMES * WALKER_JOINTS, sizeof(Vec3));
        for (int i = 0; i < FRAMES * WALKER_JOINTS; i++)
            if (i % WALKER_JOINTS)
                take.motion.translation[i] =
                    vec3_add(take.skeleton.offset[i % WALKER_JOINTS], vec3(0, i % 2 ? 5e-5 : -5e-5, 0));
        Clip clip = settled(&take, NULL);
        assert_int_equal(clip.motion.translation != NULL, exact);
        clip_free(&clip);
        take_free(&take);
    }
}

TEST(implausible_unit_is_refused)
{
    Take take = walk(1, UP_Y);
    ImportGuessDef def = {.meters_per_unit = 1e8};
    Clip clip = {0};
    Error err = {0};
    assert_int_equal(clip_settle(&take, &def, &clip, NULL, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "check --unit"));
    assert_null(clip.skeleton.name);
    take_free(&take);
    take = (Take){0};
    assert_int_equal(clip_settle(&take, &def, &clip, NULL, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "no joints");
}
