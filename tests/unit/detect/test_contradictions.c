/* analysis/detect/contradictions: words for what a motion contradicts. */
#include "tests/support/test.h"

#include "analysis/detect/contradictions.h"

static ImportGuess sound(void)
{
    return (ImportGuess){.fps = 30, .motion = {.rate = {.fps = 30, .factor = 1}, .locomotion = {.path = 1}}};
}

TEST(valid_file_has_no_contradiction)
{
    ImportGuess guess = sound();
    Contradiction found[CONTRADICTIONS_MAX];
    assert_int_equal(contradictions_list(&guess, found), 0);
}

TEST(wrong_rate_has_two_readings)
{
    ImportGuess guess = sound();
    Contradiction found[CONTRADICTIONS_MAX];
    guess.motion.rate = (RateJudgement){.fps = 60, .factor = 2, .is_contradicted = 1, .alternative = 0.93};
    assert_int_equal(contradictions_list(&guess, found), 1);
    assert_int_equal(found[0].kind, FINDING_RATE);
    assert_string_equal(found[0].text,
                        "the motion contradicts 30 fps: its rate is 60 fps (93 %), or it is slowed down 2 times");
    assert_string_equal(found[0].remedy, "set import's --fps");
    guess.motion.rate.fps = 15;
    guess.motion.rate.factor = 0.5;
    contradictions_list(&guess, found);
    assert_non_null(strstr(found[0].text, "sped up 2 times"));
}

TEST(unstated_rate_is_a_guess)
{
    ImportGuess guess = sound();
    Contradiction found[CONTRADICTIONS_MAX];
    guess.rate_is_unstated = 1;
    guess.fps_confidence = 0.4;
    assert_int_equal(contradictions_list(&guess, found), 1);
    assert_string_equal(found[0].text, "the file states no frame rate: 30 fps is a guess (40 %)");
}

TEST(all_are_listed_in_order)
{
    ImportGuess guess = sound();
    Contradiction found[CONTRADICTIONS_MAX];
    guess.motion.rate.is_contradicted = guess.motion.lean.is_leaning = guess.motion.facing.is_contradicted = 1;
    guess.motion.lean.angle = 0.34906585;
    guess.motion.locomotion.kind = LOCOMOTION_TREADMILL;
    guess.motion.locomotion.belt = vec3(0, 0, -1.25);
    guess.belt_is_off = guess.is_levelled = 1;
    guess.motion.legs_lack = LEGS_LACK_FEET;
    guess.roles.is_creature = guess.roles.by_shape = 1;
    assert_int_equal(contradictions_list(&guess, found), CONTRADICTIONS_MAX);
    assert_int_equal(found[1].kind, FINDING_LEAN);
    assert_non_null(strstr(found[1].text, "20 degrees"));
    assert_null(found[1].remedy);
    assert_int_equal(found[2].kind, FINDING_SIDES);
    assert_int_equal(found[3].kind, FINDING_ROLES);
    assert_string_equal(found[4].text, "treadmill: the belt's speed of 1.25 m/s is taken off");
    assert_int_equal(found[5].kind, FINDING_NO_FEET);
}

TEST(doubtful_roles_are_named)
{
    ImportGuess guess = sound();
    Contradiction found[CONTRADICTIONS_MAX];
    guess.role_judgement = (RoleJudgement){.sides = 0.6, .evidence.confidence = 0.3,
                                           .likelihood = {[ROLE_HIPS] = 0.9, [ROLE_LEFT_HIP] = 0.3}};
    assert_int_equal(contradictions_list(&guess, found), 1);
    assert_int_equal(found[0].kind, FINDING_ROLES);
    assert_string_equal(found[0].text, "roles uncertain: left and right (60 %), left_hip (50 %)");
    guess.role_judgement.sides = 0.9;
    guess.role_judgement.likelihood[ROLE_LEFT_HIP] = 0.45;
    contradictions_list(&guess, found);
    assert_string_equal(found[0].text, "roles uncertain: left_hip (50 %)");
}
