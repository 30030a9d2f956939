/* analysis/retarget/hand_tie: hands that rest on hips, trunk, the other arm or the other hand stay there on a body with
 * other proportions; hands that pass do not. Distances between positions in the world, scaled. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/two_bone.h"
#include "tests/support/retarget_walk.h"

enum { HIPS_JOINT = 0, LEFT_HIP = 1, RIGHT_HIP = 5, NECK = 11, LEFT_SHOULDER = 13, RIGHT_SHOULDER = 16 };

/* A point on a part of the body: its joints, fraction of its length, and the vector from there to the wrist, m. */
typedef struct Hold {
    int from, to;
    double at;
    Vec3 off;
} Hold;

static Vec3 held_point(const Hold *h, const Vec3 *x) { return vec3_lerp(x[h->from], x[h->to], h->at); }

/* Puts a hand onto a part in frames first to last - 1. */
static void hold(Walk *w, int side, const Hold *h, int first, int last)
{
    int shoulder = side ? RIGHT_SHOULDER : LEFT_SHOULDER;
    for (int f = first; f < last; f++) {
        const Vec3 *x = w->kinematics.position + (size_t)f * WALKER_JOINTS;
        const Quat *q = w->kinematics.orientation + (size_t)f * WALKER_JOINTS;
        TwoBone arm = {x[shoulder], x[shoulder + 1], x[shoulder + 2], vec3(side ? 1 : -1, side ? 1 : -1, 0)};
        Vec3 to = vec3_add(held_point(h, x), h->off);
        TwoBoneRotation turn = two_bone_solve(&arm, to, vec3_distance(to, x[shoulder]));
        Quat upper = quat_mul(turn.root, q[shoulder]), lower = quat_mul(turn.middle, q[shoulder + 1]);
        Quat *local = w->motion.rotation + motion_index(&w->motion, f, shoulder);
        local[0] = quat_mul(quat_conjugate(q[w->skeleton.parent[shoulder]]), upper);
        local[1] = quat_mul(quat_conjugate(upper), lower);
    }
    motion_make_continuous(&w->motion);
    walk_update(w);
}

static Vec3 *world(const Skeleton *s, const Motion *m)
{
    size_t count = (size_t)m->frame_count * (size_t)m->joint_count;
    Vec3 *position = malloc(count * sizeof *position);
    Quat *orientation = malloc(count * sizeof *orientation);
    assert_non_null(position);
    assert_non_null(orientation);
    WorldPoses poses = {position, orientation, NULL};
    assert_int_equal(forward_kinematics(&(ClipView){.skeleton = s, .motion = m}, LANES_AUTO, &poses, NULL), STATUS_OK);
    free(orientation);
    return position;
}

/* Shoulders 40 % wider, arms 15 % longer, hips 20 % wider. */
static void other_body(Skeleton *out)
{
    walker_skeleton(out);
    for (int side = 0; side < 2; side++) {
        int shoulder = side ? RIGHT_SHOULDER : LEFT_SHOULDER, hip = side ? RIGHT_HIP : LEFT_HIP;
        out->offset[shoulder].x *= 1.4;
        out->offset[shoulder + 1].x *= 1.15;
        out->offset[shoulder + 2].x *= 1.15;
        out->offset[hip].x *= 1.2;
    }
}

static Motion put_on(const Skeleton *target, const Walk *w, HandReach hands)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(target, w);
    RetargetScore score;
    Motion out;
    def.hands = hands;
    def.score_mirror = 0;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    return out;
}

/* Largest distance of a wrist from where the source's is beside the part, scaled by arm length, in a range of frames,
 * m. */
static double hold_error(const Skeleton *target, const Walk *w, HandReach hands, int side, const Hold *h)
{
    Motion out = put_on(target, w, hands);
    Vec3 *x = world(target, &out);
    int wrist = (side ? RIGHT_SHOULDER : LEFT_SHOULDER) + 2;
    double max = 0;
    for (int f = 70; f < 110; f++) {
        const Vec3 *now = x + (size_t)f * WALKER_JOINTS, *then = w->kinematics.position + (size_t)f * WALKER_JOINTS;
        Vec3 wanted = vec3_scale(vec3_sub(then[wrist], held_point(h, then)), 1.15);
        max = fmax(max, vec3_distance(vec3_sub(now[wrist], held_point(h, now)), wanted));
    }
    free(x);
    motion_free(&out);
    return max;
}

TEST(hands_stay_on_the_parts_that_they_touch)
{
    static const struct {
        Hold hold;
        int side;
    } cases[] = {
        {{LEFT_HIP, LEFT_HIP, 0, {0.09, 0.1, 0.02}}, 0},                      /* on the hip */
        {{HIPS_JOINT, NECK, 0.7, {0, 0, 0.13}}, 0},                           /* on the chest */
        {{LEFT_SHOULDER, LEFT_SHOULDER + 1, 0.6, {-0.01, 0, 0.05}}, 1},       /* on the other upper arm */
        {{LEFT_SHOULDER + 1, LEFT_SHOULDER + 2, 0.4, {-0.02, 0.03, 0.03}}, 1} /* on the other forearm */
    };
    Skeleton target;
    other_body(&target);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Walk w;
        walk_init(&w);
        hold(&w, 0, &(Hold){HIPS_JOINT, NECK, 0.35, {0.12, 0, 0.3}}, 0, FRAMES); /* bent, in front */
        hold(&w, 1, &(Hold){HIPS_JOINT, NECK, 0.35, {-0.15, 0, 0.3}}, 0, FRAMES);
        hold(&w, cases[i].side, &cases[i].hold, 0, FRAMES);
        double copied = hold_error(&target, &w, HANDS_ROTATION, cases[i].side, &cases[i].hold);
        double kept = hold_error(&target, &w, HANDS_AUTO, cases[i].side, &cases[i].hold);
        assert_true(copied > 0.04);
        assert_true(kept < 0.015);
        walk_free(&w);
    }
    skeleton_free(&target);
}

/* Palms together in front of the chest. */
TEST(hands_that_touch_each_other_keep_touching)
{
    Walk w;
    Skeleton target;
    walk_init(&w);
    other_body(&target);
    for (int side = 0; side < 2; side++)
        hold(&w, side, &(Hold){HIPS_JOINT, NECK, 0.6, {side ? -0.03 : 0.03, 0, 0.3}}, 0, FRAMES);
    Hold other = {RIGHT_SHOULDER + 2, RIGHT_SHOULDER + 2, 0, {0, 0, 0}};
    assert_true(hold_error(&target, &w, HANDS_ROTATION, 0, &other) > 0.05);
    assert_true(hold_error(&target, &w, HANDS_AUTO, 0, &other) < 0.01);
    skeleton_free(&target);
    walk_free(&w);
}

/* A hand that is at the chest for 0.1 s of a gesture does not stop there. */
TEST(hand_that_passes_does_not_stop)
{
    Walk w;
    Skeleton target;
    const Hold chest = {HIPS_JOINT, NECK, 0.7, {0, 0, 0.13}};
    walk_init(&w);
    other_body(&target);
    hold(&w, 0, &(Hold){HIPS_JOINT, NECK, 0.7, {0.1, 0, 0.35}}, 0, FRAMES);
    hold(&w, 0, &chest, 88, 94);
    Motion plain = put_on(&target, &w, HANDS_ROTATION), out = put_on(&target, &w, HANDS_AUTO);
    for (int f = 0; f < FRAMES; f++)
        for (int j = LEFT_SHOULDER; j < LEFT_SHOULDER + 3; j++)
            assert_true(rotation_angle(plain.rotation[motion_index(&plain, f, j)],
                                       out.rotation[motion_index(&out, f, j)]) < 0.5);
    motion_free(&plain);
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&w);
}
