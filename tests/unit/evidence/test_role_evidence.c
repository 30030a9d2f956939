/* analysis/evidence/role_evidence: likelihoods of roles from names, shape and the front that the motion shows. */
#include "tests/support/test.h"

#include <stdio.h>

#include "analysis/evidence/role_evidence.h"
#include "tests/support/skeleton_rows.h"

static RoleJudgement judge(int with_names, double sides, RoleSigns *signs)
{
    FacingJudgement facing = {.evidence.confidence = sides};
    Skeleton s;
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    for (int j = 0; j < s.joint_count && !with_names; j++) {
        char name[16];
        snprintf(name, sizeof name, "Bone.%03d", j);
        assert_int_equal(skeleton_set_name(&s, j, name, NULL), STATUS_OK);
    }
    assert_int_equal(roles_assign(&s, signs, NULL), STATUS_OK);
    RoleJudgement out = role_evidence_judge(&s, signs, &facing, sides);
    skeleton_free(&s);
    return out;
}

TEST(names_and_shape_that_agree_are_sure)
{
    RoleSigns signs;
    RoleJudgement named = judge(1, 1, &signs), bare = judge(0, 1, &signs);
    assert_true(named.likelihood[ROLE_LEFT_KNEE] > 0.99);
    assert_true(bare.likelihood[ROLE_LEFT_KNEE] > 0.9);
    assert_true(bare.likelihood[ROLE_LEFT_KNEE] < named.likelihood[ROLE_LEFT_KNEE]);
    assert_true(bare.evidence.confidence > 0.8 && bare.evidence.confidence < named.evidence.confidence);
    assert_non_null(evidence_strongest(&named.evidence, 1, 0));
}

/* Sides without names are as sure as the motion shows them; roles of the midline do not depend on it. */
TEST(sides_are_as_sure_as_the_front)
{
    RoleSigns signs;
    RoleJudgement out = judge(0, 0.6, &signs);
    assert_false(signs.sides_are_named);
    assert_true(out.likelihood[ROLE_LEFT_KNEE] < 0.6 && out.likelihood[ROLE_RIGHT_WRIST] < 0.6);
    assert_true(out.likelihood[ROLE_HIPS] > 0.8);
    assert_near(out.sides, 0.6, 0);
}

TEST(skeleton_without_roles_has_no_confidence)
{
    FacingJudgement facing = {.evidence.confidence = 1};
    Skeleton s;
    RoleSigns signs;
    skeleton_from_rows(&s, humanoid_rows, 1);
    assert_int_equal(skeleton_set_name(&s, 0, "x", NULL), STATUS_OK);
    assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
    RoleJudgement out = role_evidence_judge(&s, &signs, &facing, 1);
    assert_near(out.evidence.confidence, 0, 0);
    assert_int_equal(out.evidence.count, 0);
    skeleton_free(&s);
}

TEST(animals_are_as_sure_as_their_signs)
{
    static const double likely[] = {0.5, 0.85, 0.95};
    FacingJudgement facing = {.evidence.confidence = 1};
    Skeleton s;
    skeleton_from_rows(&s, humanoid_rows, 1);
    s.role[0] = ROLE_NONE;
    for (int i = 0; i < 3; i++) {
        RoleSigns signs = {.is_creature = 1, .by_shape = i == 0, .animal_signs = i == 0 ? 1 : 2 + i};
        RoleJudgement out = role_evidence_judge(&s, &signs, &facing, 1);
        assert_true(out.animal > likely[i] && out.animal < likely[i] + 0.15);
        assert_int_equal(out.evidence.count, 1);
    }
    skeleton_free(&s);
}

/* Legs without names may be arms: nobody knows. With names they are a person's. */
TEST(limbs_without_roles_are_nobodys)
{
    for (int with_names = 0; with_names < 2; with_names++) {
        FacingJudgement facing = {.evidence.confidence = 1};
        Skeleton s;
        RoleSigns signs;
        const JointRow rows[] = {{with_names ? "Hips" : "a", NULL, {0, 1, 0}, 0, {0, 0, 0}},
                                 {with_names ? "LeftUpLeg" : "b", rows->name, {0.1, 0, 0}, 0, {0, 0, 0}},
                                 {with_names ? "LeftLeg" : "c", rows[1].name, {0, -0.4, 0}, 0, {0, 0, 0}},
                                 {with_names ? "LeftFoot" : "d", rows[2].name, {0, -0.4, 0}, 1, {0, 0, 0.1}},
                                 {with_names ? "RightUpLeg" : "e", rows->name, {-0.1, 0, 0}, 0, {0, 0, 0}},
                                 {with_names ? "RightLeg" : "f", rows[4].name, {0, -0.4, 0}, 0, {0, 0, 0}},
                                 {with_names ? "RightFoot" : "g", rows[5].name, {0, -0.4, 0}, 1, {0, 0, 0.1}}};
        skeleton_from_rows(&s, rows, sizeof rows / sizeof *rows);
        assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
        assert_int_equal(role_evidence_judge(&s, &signs, &facing, 1).is_nobody, !with_names);
        skeleton_free(&s);
    }
}
