/* analysis/retarget/retarget: lowest points correspond, scaled, also in the air; a correct body is unchanged. */
#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/ground_level.h"
#include "tests/support/test.h"
#include "tests/support/retarget_walk.h"

#include <stdlib.h>

#include "analysis/retarget/retarget.h"

enum { ROD_FRAMES = 40, JOINTS = 2 };

/* A root with one bone of a given length, at an angle from straight down. */
typedef struct Rod {
    Skeleton skeleton;
    Motion motion;
    Vec3 position[ROD_FRAMES * JOINTS];
    Quat orientation[ROD_FRAMES * JOINTS];
} Rod;

static void rod_init(Rod *r, double length, double angle)
{
    assert_int_equal(skeleton_init(&r->skeleton, JOINTS, 1, NULL), STATUS_OK);
    assert_int_equal(motion_init(&r->motion, ROD_FRAMES, JOINTS, 0.01, 0, NULL), STATUS_OK);
    r->skeleton.parent[1] = 0;
    r->skeleton.offset[1] = vec3(0, -0.5 * length, 0);
    r->skeleton.end_parent[0] = 1;
    r->skeleton.end_offset[0] = vec3(0, -0.5 * length, 0);
    for (int f = 0; f < ROD_FRAMES; f++) {
        double jump = f > 14 && f < 26 ? 0.02 * (f - 14) * (26 - f) : 0;
        Quat turn = quat_from_axis_angle(vec3(0, 0, 1), angle);
        r->motion.root_position[f] = r->position[2 * f] = vec3(0.1 * f, length + jump, 0);
        r->orientation[2 * f] = r->orientation[2 * f + 1] = turn;
        r->position[2 * f + 1] = vec3_add(r->position[2 * f], quat_rotate(turn, r->skeleton.offset[1]));
    }
}

static void rod_free(Rod *r)
{
    skeleton_free(&r->skeleton);
    motion_free(&r->motion);
}

static PosedBody posed(const Rod *r) { return (PosedBody){&r->skeleton, r->position, r->orientation, NULL}; }

/* Lowest point relative to that of a source that is half as long, straight, and jumps. */
static void check(double angle, double scale)
{
    Rod target, source;
    rod_init(&target, 2, angle);
    rod_init(&source, 1, 0);
    PosedBody t = posed(&target), s = posed(&source);
    assert_int_equal(ground_level(&t, &s, vec3(0, 1, 0), scale, &target.motion, NULL), STATUS_OK);
    for (int f = 0; f < ROD_FRAMES; f++) {
        double own = target.motion.root_position[f].y - 2 * quat_rotate(target.orientation[0], vec3(0, 1, 0)).y;
        double wanted = scale * (source.motion.root_position[f].y - 1);
        assert_near(target.motion.root_position[f].x, 0.1 * f, 1e-15);
        assert_true(own > wanted - 1e-9);
        if (f < 4 || f > 36)
            assert_near(own, 0, 1e-12);
    }
    rod_free(&source);
    rod_free(&target);
}

TEST(floating_body_is_lowered_to_the_ground)
{
    check(1, 2); /* an oblique bone ends above the ground */
    check(0, 1.5);
}

/* Non-feet may be arbitrarily low. */
TEST(only_feet_set_the_ground_level)
{
    Rod target, source;
    static const unsigned char is_foot[JOINTS] = {1, 0};
    (void)state;
    rod_init(&target, 2, 0);
    rod_init(&source, 1, 0);
    PosedBody t = posed(&target), s = posed(&source);
    t.is_foot = is_foot;
    assert_int_equal(ground_level(&t, &s, vec3(0, 1, 0), 2, &target.motion, NULL), STATUS_OK);
    for (int f = 0; f < 4; f++)
        assert_near(target.motion.root_position[f].y, 0, 1e-12);
    rod_free(&source);
    rod_free(&target);
}

TEST(standing_body_is_unchanged)
{
    Rod target;
    (void)state;
    rod_init(&target, 2, 0.3);
    PosedBody t = posed(&target);
    assert_int_equal(ground_level(&t, &t, vec3(0, 1, 0), 1, &target.motion, NULL), STATUS_OK);
    for (int f = 0; f < ROD_FRAMES; f++)
        assert_vec3_near(target.motion.root_position[f], target.position[2 * f], 0);
    rod_free(&target);
}

/* Height of the lowest ankle, toe or toe tip of the creature after retargeting the walker, m. */
static double lowest_foot(const Skeleton *s, const Vec3 *x, const Quat *q)
{
    double min = INFINITY;
    for (int side = 0; side < 2; side++) {
        int toe = side ? 8 : 4;
        Vec3 tip = vec3_add(x[toe], quat_rotate(q[toe], s->end_offset[side]));
        min = fmin(min, fmin(fmin(x[toe].y, x[toe - 1].y), tip.y));
    }
    return min;
}

/* A creature with legs half as long, and with a tail that extends below the ground. */
TEST(nonhuman_with_a_tail_is_leveled_by_feet)
{
    Walk w;
    Skeleton creature;
    JointMapRow row[WALKER_JOINTS];
    JointMap map;
    Motion out;
    RetargetScore score;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&creature, &w.skeleton, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        creature.role[j] = creature.segment[j] = ROLE_NONE;
        row[j] = (JointMapRow){j, j, 1};
    }
    creature.offset[2].y = creature.offset[6].y = -0.2;
    creature.offset[19] = vec3(0, -3, -0.5);
    assert_int_equal(joint_map_from_rows(&map, WALKER_JOINTS, row, WALKER_JOINTS, NULL), STATUS_OK);
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&creature, &w);
    job.map = &map;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    Vec3 *x = calloc((size_t)FRAMES * WALKER_JOINTS, sizeof *x);
    Quat *q = calloc((size_t)FRAMES * WALKER_JOINTS, sizeof *q);
    ClipView view = {.skeleton = &creature, .motion = &out};
    assert_int_equal(forward_kinematics(&view, LANES_AUTO, &(WorldPoses){x, q, NULL}, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        size_t at = (size_t)f * WALKER_JOINTS;
        double own = lowest_foot(&w.skeleton, w.kinematics.position + at, w.kinematics.orientation + at);
        assert_near(lowest_foot(&creature, x + at, q + at), score.scale * own, 0.04);
    }
    free(x);
    free(q);
    motion_free(&out);
    joint_map_free(&map);
    skeleton_free(&creature);
    walk_free(&w);
}
