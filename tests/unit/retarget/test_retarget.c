/* Retargeting: identities, scaled copies, other rest poses, round trips, and errors. */
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"
#include "tests/support/retarget_walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/motion/kinematics.h"
#include "analysis/motion/mirror.h"

TEST(retargeting_onto_itself_is_identity)
{
    Walk w;
    (void)state;
    walk_init(&w);
    for (double factor = 0.5; factor <= 2; factor *= 2) {
        Skeleton copy;
        Motion out;
        RetargetScore score;
        assert_int_equal(skeleton_copy(&copy, &w.skeleton, NULL), STATUS_OK);
        scale_skeleton(&copy, factor);
        assert_int_equal(retarget(&copy, &w, 0, &out, &score), STATUS_OK);
        for (int f = 0; f < FRAMES; f++) {
            assert_vec3_near(out.root_position[f], vec3_scale(w.motion.root_position[f], factor), 1e-9);
            for (int j = 0; j < copy.joint_count; j++)
                assert_near(fabs(quat_dot(out.rotation[motion_index(&out, f, j)],
                                          w.motion.rotation[motion_index(&out, f, j)])),
                            1, 1e-12);
        }
        assert_near(score.scale, factor, 1e-12);
        assert_near(score.bone_direction_deg, 0, 1e-5);
        motion_free(&out);
        skeleton_free(&copy);
    }
    walk_free(&w);
}

/* A chest that curves forward by 27 degrees does not turn arms that rest sideways about themselves. */
TEST(curved_chest_does_not_twist_arms)
{
    enum { CHEST = 10, NECK = 11, LEFT_ARM = 13, RIGHT_HAND = 18 };
    Walk w;
    Skeleton curved;
    Motion out;
    RetargetScore score;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&curved, &w.skeleton, NULL), STATUS_OK);
    curved.offset[CHEST] = vec3(0, 0.16, -0.08);
    curved.offset[NECK] = vec3(0, 0.20, 0.10);
    assert_int_equal(retarget(&curved, &w, 0, &out, &score), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        Quat a = out.rotation[motion_index(&out, f, 0)], b = w.motion.rotation[motion_index(&out, f, 0)];
        for (int j = 9; j <= CHEST; j++) {
            a = quat_mul(a, out.rotation[motion_index(&out, f, j)]);
            b = quat_mul(b, w.motion.rotation[motion_index(&out, f, j)]);
        }
        assert_true(rotation_angle(a, b) > 10);
        for (int j = LEFT_ARM; j <= RIGHT_HAND; j += 3)
            assert_near(rotation_angle(quat_mul(a, out.rotation[motion_index(&out, f, j)]),
                                       quat_mul(b, w.motion.rotation[motion_index(&out, f, j)])), 0, 1e-4);
    }
    motion_free(&out);
    skeleton_free(&curved);
    walk_free(&w);
}

/* Rotates the axes of each joint by c_j, which changes the rest pose but not the body: offsets become c_p* o. Names are
 * dropped too. */
static void reaxe(Skeleton *s, const Quat *c)
{
    for (int e = 0; e < s->end_count; e++)
        s->end_offset[e] = quat_rotate_inverse(c[s->end_parent[e]], s->end_offset[e]);
    for (int j = s->joint_count - 1; j > 0; j--)
        s->offset[j] = quat_rotate_inverse(c[s->parent[j]], s->offset[j]);
    for (int j = 0; j < s->joint_count; j++) {
        char name[16];
        snprintf(name, sizeof name, "b%03d", j);
        skeleton_set_name(s, j, name, NULL);
    }
}

static void rest_axes(int kind, Quat *c)
{
    for (int j = 0; j < WALKER_JOINTS; j++)
        c[j] = QUAT_IDENTITY;
    if (kind == 0) /* T-pose to A-pose: both arms down by 50 degrees */
        for (int side = 0; side < 2; side++)
            for (int j = 13 + 3 * side; j < 16 + 3 * side; j++)
                c[j] = quat_from_axis_angle(vec3(0, 0, 1), side ? -0.87 : 0.87);
    if (kind == 1) /* rolled bones: legs and arms about their own axes */
        for (int j = 1; j < WALKER_JOINTS; j++)
            c[j] = quat_from_axis_angle(vec3_normalize(walker_joints[j].offset), 0.5 * (j % 5) - 1);
    if (kind == 2) /* another heading, supine */
        for (int j = 0; j < WALKER_JOINTS; j++)
            c[j] = quat_mul(quat_from_axis_angle(vec3(1, 0, 0), 1.57), quat_from_axis_angle(vec3(0, 1, 0), 2.1));
    if (kind == 3) /* hips rolled */
        c[0] = quat_from_axis_angle(vec3(0, 0, 1), 0.6);
    if (kind == 4) /* arbitrary: each joint rotated differently */
        for (int j = 0; j < WALKER_JOINTS; j++)
            c[j] = quat_from_axis_angle(vec3_normalize(vec3(j % 3 - 1, j % 4 - 1.5, j % 5 - 2)), 0.3 * (j % 7));
}

static void check_directions(const Skeleton *target, const Motion *out, const Walk *w, const char *what)
{
    size_t count = (size_t)FRAMES * WALKER_JOINTS;
    Vec3 *position = malloc(count * sizeof *position);
    Quat *orientation = malloc(count * sizeof *orientation);
    ClipView view = {.skeleton = target, .motion = out};
    assert_int_equal(forward_kinematics(&view, LANES_AUTO, &(WorldPoses){position, orientation, NULL}, NULL),
                     STATUS_OK);
    double worst = 0;
    for (int f = 0; f < FRAMES; f++)
        for (int j = 1; j < WALKER_JOINTS; j++) {
            size_t i = (size_t)f * WALKER_JOINTS + (size_t)j,
                   p = (size_t)f * WALKER_JOINTS + (size_t)walker_joints[j].parent;
            Vec3 a = vec3_sub(position[i], position[p]);
            Vec3 b = vec3_sub(w->kinematics.position[i], w->kinematics.position[p]);
            worst = fmax(worst, elementary_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)) * 180 / PI);
        }
    if (worst > 0.1)
        print_error("%s: bones off by %g degrees\n", what, worst);
    assert_true(worst <= 0.1);
    free(position);
    free(orientation);
}

TEST(pose_does_not_depend_on_rest_pose)
{
    static const char *const kinds[] = {"A pose", "rolled bones", "another facing", "hips rolled", "no pose"};
    Walk w;
    (void)state;
    walk_init(&w);
    for (int kind = 0; kind < 5; kind++) {
        Skeleton other;
        Motion out;
        RetargetScore score;
        Quat c[WALKER_JOINTS];
        assert_int_equal(skeleton_copy(&other, &w.skeleton, NULL), STATUS_OK);
        rest_axes(kind, c);
        reaxe(&other, c);
        assert_int_equal(retarget(&other, &w, 0, &out, &score), STATUS_OK);
        check_directions(&other, &out, &w, kinds[kind]);
        motion_free(&out);
        skeleton_free(&other);
    }
    walk_free(&w);
}

/* To a giant of 150 kg and 2.2 m with longer shanks and back, with planting and without. */
static void check_there_and_back(int plant)
{
    Walk w, giant = {0};
    Motion back;
    RetargetScore score;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&giant.skeleton, &w.skeleton, NULL), STATUS_OK);
    scale_skeleton(&giant.skeleton, 2.2 / 1.73);
    for (int j = 0; j < WALKER_JOINTS; j++)
        if (giant.skeleton.role[j] == ROLE_LEFT_ANKLE || giant.skeleton.role[j] == ROLE_RIGHT_ANKLE)
            giant.skeleton.offset[j] = vec3_scale(giant.skeleton.offset[j], 1.08);
    assert_int_equal(retarget(&giant.skeleton, &w, plant, &giant.motion, &score), STATUS_OK);
    DifferenceDef difference = difference_default_def();
    ContactEstimateDef contact = contact_estimate_default_def();
    BodyDef heavy = body_default_def();
    Body body;
    heavy.mass = 150;
    assert_int_equal(body_from_skeleton(&giant.skeleton, &heavy, &body, NULL), STATUS_OK);
    ClipView view = {&giant.skeleton, &body, &giant.motion, &giant.kinematics};
    assert_int_equal(differentiate(&view, &difference, &giant.kinematics, NULL), STATUS_OK);
    assert_int_equal(
        contact_estimate(&view, &contact, &giant.contact, NULL),
        STATUS_OK);
    assert_int_equal(retarget(&w.skeleton, &giant, plant, &back, &score), STATUS_OK);
    double way = 0, turn = 0;
    for (int f = 0; f < FRAMES; f++) {
        way = fmax(way, vec3_distance(back.root_position[f], w.motion.root_position[f]));
        for (int j = 0; j < WALKER_JOINTS; j++)
            turn = fmax(turn, rotation_angle(back.rotation[motion_index(&back, f, j)],
                                       w.motion.rotation[motion_index(&back, f, j)]));
    }
    assert_true(way <= 0.005);
    assert_true(turn <= 0.5);
    body_free(&body);
    motion_free(&back);
    walk_free(&giant);
    walk_free(&w);
}

TEST(retargeting_back_restores_the_motion)
{
    check_there_and_back(0);
    check_there_and_back(1);
}

/* A source without a spine role: the trunk direction still matches. */
TEST(fewer_joints_share_rotation)
{
    Walk w;
    Motion out;
    RetargetScore score;
    Skeleton few;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&few, &w.skeleton, NULL), STATUS_OK);
    few.role[9] = ROLE_NONE;
    few.segment[9] = ROLE_HIPS;
    for (int f = 0; f < FRAMES; f++)
        w.motion.rotation[motion_index(&w.motion, f, 9)] = quat_from_axis_angle(vec3(1, 0, 0), 0.4);
    assert_int_equal(retarget(&few, &w, 0, &out, &score), STATUS_OK);
    assert_true(score.bone_direction_deg < 1);
    motion_free(&out);
    skeleton_free(&few);
    walk_free(&w);
}

/* To arms a third longer: in world mode the wrists are at the source's positions; in body mode they are as far from the
 * shoulders as the longer arms reach in that direction; nothing else changes. */
TEST(hands_keep_their_relative_reach)
{
    Walk w;
    Skeleton lanky;
    Motion out[3];
    RetargetScore score[3];
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&lanky, &w.skeleton, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++)
        if (lanky.role[j] == ROLE_LEFT_ELBOW || lanky.role[j] == ROLE_RIGHT_ELBOW ||
            lanky.role[j] == ROLE_LEFT_WRIST || lanky.role[j] == ROLE_RIGHT_WRIST)
            lanky.offset[j] = vec3_scale(lanky.offset[j], 4.0 / 3);
    RetargetJob job = walk_job(&lanky, &w);
    for (int reach = HANDS_ROTATION; reach <= HANDS_WORLD; reach++) {
        RetargetDef def = retarget_default_def();
        def.plant = PLANT_NONE;
        def.hands = (HandReach)reach;
        assert_int_equal(retarget_motion(&job, &def, &out[reach], &score[reach], NULL), STATUS_OK);
        for (int f = 0; f < FRAMES; f++)
            for (int j = 0; j < 13; j++)
                assert_near(rotation_angle(out[reach].rotation[motion_index(&out[reach], f, j)],
                                     w.motion.rotation[motion_index(&w.motion, f, j)]),
                            0, 1e-5);
    }
    assert_true(score[HANDS_ROTATION].hand_reach_cm > 3);
    assert_true(score[HANDS_WORLD].hand_reach_cm < 1e-6);
    assert_true(score[HANDS_BODY].hand_reach_cm < 0.5 * score[HANDS_ROTATION].hand_reach_cm);
    for (int reach = 0; reach < 3; reach++)
        motion_free(&out[reach]);
    skeleton_free(&lanky);
    walk_free(&w);
}

/* Non-humans are mapped by the tree; the root path is scaled by all bones. No feet are detected. */
TEST(mechanism_is_retargeted_onto_a_larger_one)
{
    Walk w = {0};
    Skeleton large;
    Motion out;
    RetargetScore score;
    (void)state;
    assert_int_equal(skeleton_init(&w.skeleton, 3, 1, NULL), STATUS_OK);
    for (int j = 0; j < 3; j++) {
        char name[] = {'r', 'o', 'd', (char)('a' + j), 0};
        skeleton_set_name(&w.skeleton, j, name, NULL);
        w.skeleton.parent[j] = j - 1;
        w.skeleton.offset[j] = vec3(0, j ? -0.5 : 2, 0);
    }
    w.skeleton.end_parent[0] = 2;
    w.skeleton.end_offset[0] = vec3(0, -0.5, 0);
    assert_int_equal(motion_init(&w.motion, 10, 3, 0.01, 0, NULL), STATUS_OK);
    for (int f = 0; f < 10; f++) {
        w.motion.root_position[f] = vec3(0.1 * f, 2, 0);
        for (int j = 0; j < 3; j++)
            w.motion.rotation[motion_index(&w.motion, f, j)] = quat_from_axis_angle(vec3(0, 0, 1), 0.1 * f * (j + 1));
    }
    assert_int_equal(skeleton_copy(&large, &w.skeleton, NULL), STATUS_OK);
    scale_skeleton(&large, 3);
    RetargetDef def = retarget_default_def();
    RetargetJob job = {.target = {.skeleton = &large}, .source = {.skeleton = &w.skeleton, .motion = &w.motion}};
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    assert_near(score.scale, 3, 1e-12);
    assert_true(isnan(score.contact_kept) && isnan(score.bone_direction_deg));
    for (int f = 0; f < 10; f++) {
        assert_vec3_near(out.root_position[f], vec3_scale(w.motion.root_position[f], 3), 1e-12);
        for (int j = 0; j < 3; j++)
            assert_near(rotation_angle(out.rotation[motion_index(&out, f, j)],
                                       w.motion.rotation[motion_index(&out, f, j)]), 0, 1e-6);
    }
    motion_free(&out);
    skeleton_free(&large);
    walk_free(&w);
}

/* Translating joints of a larger copy translate proportionally. */
TEST(translations_are_scaled)
{
    Walk w;
    Skeleton copy;
    Motion out;
    RetargetScore score;
    (void)state;
    walk_init(&w);
    w.motion.translation = calloc((size_t)FRAMES * WALKER_JOINTS, sizeof *w.motion.translation);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 1; j < WALKER_JOINTS; j++)
            w.motion.translation[motion_index(&w.motion, f, j)] =
                vec3_add(w.skeleton.offset[j], vec3(0, j == 9 ? 0.001 * f : 0, 0));
    assert_int_equal(skeleton_copy(&copy, &w.skeleton, NULL), STATUS_OK);
    scale_skeleton(&copy, 2);
    assert_int_equal(retarget(&copy, &w, 0, &out, &score), STATUS_OK);
    assert_non_null(out.translation);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 1; j < WALKER_JOINTS; j++)
            assert_vec3_near(out.translation[motion_index(&out, f, j)],
                             vec3_scale(w.motion.translation[motion_index(&w.motion, f, j)], 2), 1e-12);
    motion_free(&out);
    skeleton_free(&copy);
    walk_free(&w);
}

/* Translating joints on a body of other proportions, and back: the hips have the path. */
TEST(translations_are_restored_by_retargeting_back)
{
    Walk w, other;
    Motion back;
    RetargetScore score;
    (void)state;
    walk_init(&w);
    walk_init(&other);
    w.motion.translation = calloc((size_t)FRAMES * WALKER_JOINTS, sizeof *w.motion.translation);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 1; j < WALKER_JOINTS; j++)
            w.motion.translation[motion_index(&w.motion, f, j)] =
                vec3_add(w.skeleton.offset[j], vec3(j == 12 ? 0.02 : 0, 0, j == 9 ? 0.001 * f : 0));
    scale_skeleton(&other.skeleton, 1.3);
    other.skeleton.offset[2].y *= 1.1;
    other.skeleton.offset[6].y *= 1.1;
    motion_free(&other.motion);
    assert_int_equal(retarget(&other.skeleton, &w, 0, &other.motion, &score), STATUS_OK);
    assert_non_null(other.motion.translation);
    assert_int_equal(retarget(&w.skeleton, &other, 0, &back, &score), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_vec3_near(back.root_position[f], w.motion.root_position[f], 1e-9);
        for (int j = 1; j < WALKER_JOINTS; j++) {
            size_t at = motion_index(&back, f, j);
            assert_vec3_near(back.translation[at], w.motion.translation[at], 1e-9);
            assert_near(fabs(quat_dot(back.rotation[at], w.motion.rotation[at])), 1, 1e-12);
        }
    }
    motion_free(&back);
    walk_free(&w);
    walk_free(&other);
}

TEST(retargeting_without_common_joints_is_refused)
{
    Walk w;
    Motion out;
    RetargetScore score;
    Skeleton rod;
    Error err = {0};
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_init(&rod, 2, 0, NULL), STATUS_OK);
    skeleton_set_name(&rod, 0, "a", NULL);
    skeleton_set_name(&rod, 1, "b", NULL);
    rod.parent[1] = 0;
    assert_int_equal(retarget(&rod, &w, 1, &out, &score), STATUS_BAD_INPUT); /* no length */
    rod.offset[1] = vec3(0, 1, 0);
    assert_int_equal(retarget(&rod, &w, 1, &out, &score), STATUS_BAD_INPUT); /* no correspondence */
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&w.skeleton, &w);
    def.source_rest = FRAMES;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, &err), STATUS_USAGE);
    assert_non_null(strstr(err.text, "frame"));
    skeleton_free(&rod);
    walk_free(&w);
}

/* The standing pose that a retargeted clip keeps: a later retargeting compares the same pose and finds the same soles,
 * though the motion never stands. */

/* A walk on the balls of the feet with bent knees. */
static void crouch_init(Walk *w)
{
    static const struct {
        int joint;
        double pitch; /* rad */
    } bent[] = {{1, -0.5}, {5, -0.5}, {2, 1}, {6, 1}, {3, 0.1}, {7, 0.1}, {4, -0.5}, {8, -0.5}};
    walk_init(w);
    for (int f = 0; f < FRAMES; f++)
        for (size_t i = 0; i < sizeof bent / sizeof *bent; i++) {
            Quat *q = &w->motion.rotation[motion_index(&w->motion, f, bent[i].joint)];
            *q = quat_mul(*q, quat_from_axis_angle(vec3(1, 0, 0), bent[i].pitch));
        }
    walk_update(w);
}

/* The axes of each joint rotated, so that the rest pose is none that stands; the walk on that body. */
static void restless_walk(Walk *out)
{
    Quat c[WALKER_JOINTS];
    walk_init(out);
    for (int j = 0; j < WALKER_JOINTS; j++)
        c[j] = quat_from_axis_angle(vec3_normalize(vec3(j % 3 - 1, j % 4 - 1.5, j % 5 - 2)), 0.3 * (j % 7));
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < WALKER_JOINTS; j++) {
            Quat *q = &out->motion.rotation[motion_index(&out->motion, f, j)];
            *q = quat_mul(*q, c[j]);
            if (j > 0)
                *q = quat_mul(quat_conjugate(c[walker_joints[j].parent]), *q);
        }
    for (int j = WALKER_JOINTS - 1; j > 0; j--)
        out->skeleton.offset[j] = quat_rotate_inverse(c[walker_joints[j].parent], out->skeleton.offset[j]);
    for (int e = 0; e < WALKER_ENDS; e++)
        out->skeleton.end_offset[e] = quat_rotate_inverse(c[walker_end_parent[e]], out->skeleton.end_offset[e]);
    walk_update(out);
}

/* Mean angle of thighs and shanks between two motions, degrees; a: computed for the kinematics. */
static double leg_angle(const Walk *a, const Walk *b)
{
    double sum = 0;
    for (int f = 0; f < FRAMES; f++)
        for (int j = 2; j <= 7; j += j == 3 ? 3 : 1) {
            size_t i = (size_t)f * WALKER_JOINTS + (size_t)j, p = i - 1;
            Vec3 x = vec3_sub(a->kinematics.position[i], a->kinematics.position[p]);
            Vec3 y = vec3_sub(b->kinematics.position[i], b->kinematics.position[p]);
            sum += elementary_atan2(vec3_norm(vec3_cross(x, y)), vec3_dot(x, y)) * 180 / PI;
        }
    return sum / (4 * FRAMES);
}

/* Takes a crouch to a body and back; returns how far the legs are from where they were, degrees. */
static double there_and_back(const Walk *crouch, const Walk *body, int keep_pose)
{
    Walk there = {0}, back = {0};
    RetargetScore score;
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&body->skeleton, crouch);
    job.target.motion = &body->motion;
    assert_int_equal(retarget_motion(&job, &def, &there.motion, &score, NULL), STATUS_OK);
    assert_true(score.target_rest_frame >= 0);
    assert_int_equal(skeleton_copy(&there.skeleton, &body->skeleton, NULL), STATUS_OK);
    if (keep_pose)
        assert_int_equal(retarget_keep_pose(&job, &def, &there.skeleton, NULL), STATUS_OK);
    assert_int_equal(there.skeleton.standing != NULL, keep_pose);
    walk_update(&there);
    assert_int_equal(skeleton_copy(&back.skeleton, &crouch->skeleton, NULL), STATUS_OK);
    job = walk_job(&back.skeleton, &there);
    assert_int_equal(retarget_motion(&job, &def, &back.motion, &score, NULL), STATUS_OK);
    walk_update(&back);
    double angle = leg_angle(crouch, &back);
    walk_free(&there);
    walk_free(&back);
    return angle;
}

TEST(kept_pose_restores_a_motion_without_stance)
{
    Walk crouch, body;
    (void)state;
    crouch_init(&crouch);
    restless_walk(&body);
    double kept = there_and_back(&crouch, &body, 1), lost = there_and_back(&crouch, &body, 0);
    if (!(kept < 1) || !(lost > 2 * kept))
        print_error("legs off by %g degrees, %g without the pose\n", kept, lost);
    assert_true(kept < 1);
    assert_true(lost > 2 * kept);
    walk_free(&crouch);
    walk_free(&body);
}

/* A rest pose that stands is compared as it is. */
TEST(upright_rest_pose_is_not_kept)
{
    Walk w, other;
    (void)state;
    walk_init(&w);
    walk_init(&other);
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&other.skeleton, &w);
    assert_int_equal(retarget_keep_pose(&job, &def, &other.skeleton, NULL), STATUS_OK);
    assert_null(other.skeleton.standing);
    walk_free(&w);
    walk_free(&other);
}

TEST(mirror_image_keeps_the_mirrored_pose)
{
    Walk w, body;
    Mirror mirror;
    (void)state;
    walk_init(&w);
    restless_walk(&body);
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&body.skeleton, &w);
    job.target.motion = &body.motion;
    assert_int_equal(retarget_keep_pose(&job, &def, &body.skeleton, NULL), STATUS_OK);
    Quat before = body.skeleton.standing[1];
    assert_int_equal(mirror_init(&mirror, &body.skeleton, &body.motion, NULL), STATUS_OK);
    Quat image = mirror_rotation(&mirror, &body.skeleton, body.skeleton.standing, 1);
    assert_int_equal(mirror_skeleton(&mirror, &body.skeleton, NULL), STATUS_OK);
    assert_near(rotation_angle(body.skeleton.standing[1], image), 0, 1e-6);
    assert_int_equal(mirror_skeleton(&mirror, &body.skeleton, NULL), STATUS_OK);
    assert_near(rotation_angle(body.skeleton.standing[1], before), 0, 1e-6);
    mirror_free(&mirror);
    walk_free(&w);
    walk_free(&body);
}
