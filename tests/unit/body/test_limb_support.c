/* analysis/body/limb_support: the pair of limbs that rests while the body moves on are the legs. */
#include "tests/support/test.h"

#include "analysis/body/limb_support.h"
#include "analysis/body/role_shape.h"
#include "tests/support/skeleton_rows.h"

enum { ROOT, FRONT, FRONT_2, FRONT_3, FRONT_R, FRONT_R2, FRONT_R3, BACK, BACK_2, BACK_3, BACK_R, BACK_R2, BACK_R3,
       COUNT, FRAMES = 40 };
static const double stride = 0.02; /* m a frame */

/* Two pairs of limbs along +Z and -Z, which tree and rest pose do not tell apart. */
static const JointRow rows[COUNT] = {
    [ROOT] = {"j0", NULL, {0, 1, 0}, 0, {0, 0, 0}},
    [FRONT] = {"j1", "j0", {0.1, 0, 0}, 0, {0, 0, 0}},
    [FRONT_2] = {"j2", "j1", {0, 0, 0.4}, 0, {0, 0, 0}},
    [FRONT_3] = {"j3", "j2", {0, 0, 0.4}, 1, {0, 0, 0.1}},
    [FRONT_R] = {"j4", "j0", {-0.1, 0, 0}, 0, {0, 0, 0}},
    [FRONT_R2] = {"j5", "j4", {0, 0, 0.4}, 0, {0, 0, 0}},
    [FRONT_R3] = {"j6", "j5", {0, 0, 0.4}, 1, {0, 0, 0.1}},
    [BACK] = {"j7", "j0", {0.1, 0, 0}, 0, {0, 0, 0}},
    [BACK_2] = {"j8", "j7", {0, 0, -0.33}, 0, {0, 0, 0}},
    [BACK_3] = {"j9", "j8", {0, 0, -0.33}, 1, {0, 0, -0.1}},
    [BACK_R] = {"j10", "j0", {-0.1, 0, 0}, 0, {0, 0, 0}},
    [BACK_R2] = {"j11", "j10", {0, 0, -0.33}, 0, {0, 0, 0}},
    [BACK_R3] = {"j12", "j11", {0, 0, -0.33}, 1, {0, 0, -0.1}},
};

/* The root moves along X; one limb of the pair stays where it is, its first joint moving against the root. */
static void move(const Skeleton *s, int still, Motion *m)
{
    assert_int_equal(motion_init(m, FRAMES, s->joint_count, 0.01, 1, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        m->root_position[f] = vec3(stride * f, 1, 0);
        for (int j = 0; j < s->joint_count; j++) {
            m->rotation[motion_index(m, f, j)] = (Quat){1, 0, 0, 0};
            m->translation[motion_index(m, f, j)] = s->offset[j];
        }
        m->translation[motion_index(m, f, still)].x -= stride * f;
    }
}

TEST(limbs_that_rest_are_legs)
{
    static const int still[] = {FRONT_R, BACK_R};
    Skeleton s;
    skeleton_from_rows(&s, rows, COUNT);
    for (int i = 0; i < 2; i++) {
        Motion m;
        Role role[COUNT];
        ShapeJudgement judgement;
        move(&s, still[i], &m);
        assert_int_equal(role_shape_assign(&s, &m, role, &judgement, NULL), STATUS_OK);
        assert_int_equal(role[FRONT_2], i == 0 ? ROLE_LEFT_KNEE : ROLE_LEFT_ELBOW);
        assert_int_equal(role[BACK_2], i == 1 ? ROLE_LEFT_KNEE : ROLE_LEFT_ELBOW);
        assert_true(judgement.limbs > 0.8);
        motion_free(&m);
    }
    skeleton_free(&s);
}

TEST(unrest_of_a_resting_limb_is_below_that_of_its_carrier)
{
    Skeleton s;
    Motion m;
    Arena arena = {0};
    LimbPair pair[LIMB_PAIRS_MAX];
    LimbUnrest unrest[LIMB_PAIRS_MAX];
    skeleton_from_rows(&s, rows, COUNT);
    move(&s, FRONT_R, &m);
    int count = limb_pairs_find(&s, NULL, pair, &arena);
    limb_support_find(&s, &m, pair, count, unrest, &arena);
    int front = pair[0].point[0][0] == FRONT ? 0 : 1;
    /* mean speed of the slower limbs: half of the stride; at rest 0.05 of it */
    assert_near(unrest[front].limbs, log(0.025 * stride), 1e-9);
    assert_near(unrest[!front].limbs, log(1.025 * stride), 1e-9);
    assert_near(unrest[front].carrier, log(1.025 * stride), 1e-9);
    arena_free(&arena);
    motion_free(&m);
    skeleton_free(&s);
}
