/* Foot planting: keep, lock, contacts given as rows; toes, limits, and bodies without feet. */
#include "tests/support/test.h"
#include "tests/support/retarget_walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/motion/kinematics.h"

/* Planting corrects the errors of retargeting, here none. */
TEST(planting_onto_itself_is_identity)
{
    Walk w;
    Motion out;
    RetargetScore score;
    (void)state;
    walk_init(&w);
    assert_int_equal(retarget(&w.skeleton, &w, 1, &out, &score), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_vec3_near(out.root_position[f], w.motion.root_position[f], 1e-9);
        for (int j = 0; j < out.joint_count; j++)
            assert_near(rotation_angle(out.rotation[motion_index(&out, f, j)],
                                       w.motion.rotation[motion_index(&w.motion, f, j)]), 0, 1e-5);
    }
    assert_near(score.contact_kept, 1, 0);
    assert_near(score.slide_increase_cm_s, 0, 1e-9);
    assert_near(score.penetration_increase_cm, 0, 1e-9);
    assert_near(score.knee_acceleration, 1, 1e-9);
    assert_near(score.hip_jerk, 1, 1e-9);
    assert_near(score.hip_drop_cm, 0, 1e-9);
    assert_near(score.bone_direction_deg, 0, 1e-5);
    assert_near(score.leg_direction_deg, 0, 1e-5);
    assert_near(score.wrist_depth_increase_cm, 0, 1e-9);
    assert_near(score.overlap_increase_cm, 0, 1e-9);
    motion_free(&out);
    walk_free(&w);
}

/* A locked foot is stationary where a kept one slides like the source's; half the strength has half the effect. On the
 * source itself, locking removes the full slide of its feet. */
TEST(contacts_are_kept_or_locked)
{
    Walk w;
    Skeleton long_shanks;
    RetargetScore score[4], own;
    static const struct {
        PlantMode mode;
        double strength;
    } ways[5] = {{PLANT_KEEP, 1}, {PLANT_LOCK, 1}, {PLANT_LOCK, 0.5}, {PLANT_NONE, 1}, {PLANT_LOCK, 1}};
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&long_shanks, &w.skeleton, NULL), STATUS_OK);
    long_shanks.offset[3] = long_shanks.offset[7] = vec3(0, -0.46, 0);
    for (int i = 0; i < 5; i++) {
        Motion out;
        RetargetDef def = retarget_default_def();
        RetargetJob job = walk_job(i < 4 ? &long_shanks : &w.skeleton, &w);
        def.plant = ways[i].mode;
        def.feet.strength = ways[i].strength;
        assert_int_equal(retarget_motion(&job, &def, &out, i < 4 ? &score[i] : &own, NULL), STATUS_OK);
        motion_free(&out);
    }
    assert_near(score[0].slide_increase_cm_s, 0, 0.3);
    double slide = -score[1].scale * own.slide_increase_cm_s;
    assert_near(score[1].scale, (0.42 + 0.46) / (0.42 + 0.40), 1e-9);
    assert_true(slide > 60);
    assert_near(score[1].slide_increase_cm_s, -slide, 0.5);
    assert_near(score[2].slide_increase_cm_s, 0.5 * score[1].slide_increase_cm_s, 0.2 * 64.7);
    assert_true(fabs(score[3].slide_increase_cm_s) > 2 * fabs(score[0].slide_increase_cm_s));
    skeleton_free(&long_shanks);
    walk_free(&w);
}

/* The printed table of contacts, passed back, changes nothing; an empty one releases all feet. */
TEST(printed_contacts_reproduce_the_result)
{
    Walk w;
    ContactEdits rows, none = {0};
    Motion out[2];
    RetargetScore score;
    Skeleton large;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&large, &w.skeleton, NULL), STATUS_OK);
    scale_skeleton(&large, 1.2);
    large.offset[3].y *= 1.1;
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&large, &w);
    assert_int_equal(retarget_contacts(&job, &def, &rows, NULL), STATUS_OK);
    assert_true(rows.count >= 4);
    assert_true(rows.row[0].from < rows.row[0].to && rows.row[0].mode == PLANT_KEEP);
    for (int i = 0; i < 2; i++) {
        def.contacts = i ? &rows : NULL;
        assert_int_equal(retarget_motion(&job, &def, &out[i], &score, NULL), STATUS_OK);
    }
    assert_memory_equal(out[0].rotation, out[1].rotation, (size_t)FRAMES * WALKER_JOINTS * sizeof(Quat));
    motion_free(&out[1]);
    def.contacts = &none;
    assert_int_equal(retarget_motion(&job, &def, &out[1], &score, NULL), STATUS_OK);
    assert_true(isnan(score.contact_kept));
    motion_free(&out[0]);
    motion_free(&out[1]);
    contact_edits_free(&rows);
    skeleton_free(&large);
    walk_free(&w);
}

/* Largest angular acceleration of a joint relative to its parent, rad/s2, in valid frames. */
static double peak_turn(const Skeleton *s, const Motion *m, Role role)
{
    Kinematics k = {0};
    DifferenceDef def = difference_default_def();
    double max = 0;
    ClipView view = {s, NULL, m, NULL};
    assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
    for (int f = 0; f < k.frame_count; f++)
        for (int j = 1; j < k.joint_count && k.valid[f]; j++)
            if (s->role[j] == role) {
                const Vec3 *a = k.angular_acceleration + motion_index(m, f, 0);
                max = fmax(max, vec3_norm(vec3_sub(a[j], a[s->parent[j]])));
            }
    kinematics_free(&k);
    return max;
}

/* Toes twice as long would penetrate the ground at heel rise. They bend without snapping. */
TEST(long_toes_flex_at_contact)
{
    Walk w;
    Skeleton clown;
    Motion out;
    RetargetScore score, copied;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&clown, &w.skeleton, NULL), STATUS_OK);
    for (int e = 0; e < clown.end_count; e++)
        if (clown.role[clown.end_parent[e]] == ROLE_LEFT_TOE || clown.role[clown.end_parent[e]] == ROLE_RIGHT_TOE)
            clown.end_offset[e] = vec3_scale(clown.end_offset[e], 2);
    double bend = 0;
    assert_int_equal(retarget(&clown, &w, 0, &out, &copied), STATUS_OK);
    motion_free(&out);
    assert_int_equal(retarget(&clown, &w, 1, &out, &score), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) /* the walker's own toes do not */
        bend = fmax(bend, rotation_angle(out.rotation[motion_index(&out, f, 4)],
                                   w.motion.rotation[motion_index(&w.motion, f, 4)]));
    assert_true(copied.penetration_increase_cm > 2);
    assert_true(score.penetration_increase_cm < 0.3);
    assert_true(bend > 2);
    assert_true(peak_turn(&clown, &out, ROLE_LEFT_TOE) < 60); /* 1 rad in 0.2 s; a snap within a frame has 3600 */
    motion_free(&out);
    skeleton_free(&clown);
    walk_free(&w);
}

/* Depth of the lowest joint or end of a foot below y = 0, m, by positions alone. */
static double foot_depth(const Skeleton *s, const Motion *m)
{
    Kinematics k = {0};
    DifferenceDef def = difference_default_def();
    double depth = 0;
    assert_int_equal(differentiate(&(ClipView){.skeleton = s, .motion = m}, &def, &k, NULL), STATUS_OK);
    for (int f = 0; f < k.frame_count; f++) {
        const Vec3 *x = k.position + (size_t)f * (size_t)s->joint_count;
        const Quat *q = k.orientation + (size_t)f * (size_t)s->joint_count;
        for (int e = 0; e < s->end_count; e++) {
            int toe = s->end_parent[e];
            if (s->role[toe] == ROLE_LEFT_TOE || s->role[toe] == ROLE_RIGHT_TOE)
                depth = fmax(depth, -fmin(x[toe].y, vec3_add(x[toe], quat_rotate(q[toe], s->end_offset[e])).y));
        }
    }
    kinematics_free(&k);
    return depth;
}

/* The source's feet end at the toe joint and do not bend there: the target's toes, long or short, stay above the
 * floor. */
TEST(toes_stay_above_the_floor_where_the_source_has_none)
{
    (void)state;
    for (int length = 1; length <= 2; length++) {
        Walk w;
        Skeleton clown;
        Motion out;
        RetargetScore score;
        walk_init(&w);
        assert_int_equal(skeleton_copy(&clown, &w.skeleton, NULL), STATUS_OK);
        for (int e = 0; e < clown.end_count; e++) {
            Role role = clown.role[clown.end_parent[e]];
            if (role != ROLE_LEFT_TOE && role != ROLE_RIGHT_TOE)
                continue;
            clown.end_offset[e] = vec3_scale(clown.end_offset[e], length);
            w.skeleton.end_offset[e] = vec3(0, 0, 0);
        }
        for (int f = 0; f < FRAMES; f++)
            for (int j = 4; j <= 8; j += 4)
                w.motion.rotation[motion_index(&w.motion, f, j)] = QUAT_IDENTITY;
        walk_update(&w);
        double own = foot_depth(&w.skeleton, &w.motion);
        assert_int_equal(retarget(&clown, &w, 0, &out, &score), STATUS_OK);
        assert_true(foot_depth(&clown, &out) - own > 0.02 * length);
        motion_free(&out);
        assert_int_equal(retarget(&clown, &w, 1, &out, &score), STATUS_OK);
        assert_true(foot_depth(&clown, &out) - own < 0.01);
        assert_true(peak_turn(&clown, &out, ROLE_LEFT_TOE) < 120);
        motion_free(&out);
        skeleton_free(&clown);
        walk_free(&w);
    }
}

/* Largest flexion of a joint of the walker about its left, rad; joint axes equal body axes. */
static double greatest_bend(const Motion *m, int joint)
{
    double max = 0;
    for (int f = 0; f < m->frame_count; f++)
        max = fmax(max, roll_pitch_yaw_from_quat(m->rotation[motion_index(m, f, joint)]).yaw);
    return max;
}

/* Planting flexes knees beyond the clip; a limit is kept and counted. The body rises where a straighter leg would push
 * the foot into the ground. */
TEST(joint_limits_are_kept_by_planting)
{
    Walk w;
    Motion out;
    RetargetScore score;
    JointLimit knee = {ROLE_LEFT_KNEE, {-PI, -PI / 2, -PI}, {PI, PI / 2, 0.3}};
    JointLimits limits = {1, &knee};
    (void)state;
    walk_init(&w);
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&w.skeleton, &w);
    job.target.motion = &w.motion;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    assert_true(greatest_bend(&out, 2) > 0.35);
    assert_true(isnan(score.limits_hit));
    motion_free(&out);
    def.limits = &limits;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    assert_near(greatest_bend(&out, 2), 0.3, 1e-9);
    assert_true(score.limits_hit > 0);
    assert_true(score.penetration_increase_cm < 1e-6);
    motion_free(&out);
    walk_free(&w);
}

/* Without ankles on one or both sides there is nothing to plant, and the scale is that of common bones. */
TEST(bodies_without_feet_are_retargeted)
{
    Walk w;
    Skeleton footless;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&footless, &w.skeleton, NULL), STATUS_OK);
    for (int j = 0; j < footless.joint_count; j++)
        if (footless.role[j] == ROLE_LEFT_ANKLE || footless.role[j] == ROLE_RIGHT_ANKLE)
            footless.role[j] = ROLE_NONE;
    scale_skeleton(&footless, 2);
    for (int source_too = 0; source_too < 2; source_too++) {
        Motion out;
        RetargetScore score;
        Skeleton whole = w.skeleton;
        w.skeleton = source_too ? footless : whole;
        assert_int_equal(retarget(&footless, &w, 1, &out, &score), STATUS_OK);
        w.skeleton = whole;
        assert_near(score.scale, source_too ? 1 : 2, 1e-12);
        assert_true(isnan(score.contact_kept));
        for (int f = 0; f < FRAMES; f++)
            assert_vec3_near(out.root_position[f], vec3_scale(w.motion.root_position[f], score.scale), 1e-9);
        motion_free(&out);
    }
    skeleton_free(&footless);
    walk_free(&w);
}

/* Arms hang, knees are slightly flexed. */
static Quat walker_at_ease(int joint)
{
    switch (joint) {
    case 1: case 5: return quat_from_axis_angle(vec3(1, 0, 0), -0.15);
    case 2: case 6: return quat_from_axis_angle(vec3(1, 0, 0), 0.3);
    case 3: case 7: return quat_from_axis_angle(vec3(1, 0, 0), -0.15);
    case 13: return quat_from_axis_angle(vec3(0, 0, 1), -1.3);
    case 16: return quat_from_axis_angle(vec3(0, 0, 1), 1.3);
    default: return QUAT_IDENTITY;
    }
}

/* Differently detected soles of the walker become mirror images with the same mean. */
TEST(soles_are_levelled)
{
    Skeleton s;
    walker_skeleton(&s);
    Sole sole[FOOT_COUNT] = {
        {.ankle = 3, .toe = 4, .local = {{0.01, -0.08, -0.05}, {0, -0.07, 0.13}, {0, -0.02, 0.05}}},
        {.ankle = 7, .toe = 8, .local = {{0.01, -0.06, -0.05}, {0, -0.09, 0.13}, {0, -0.02, 0.07}}},
    };
    assert_int_equal(sole_even(sole, &(ClipView){.skeleton = &s}, NULL), STATUS_OK);
    assert_vec3_near(sole[0].local[SOLE_HEEL], vec3(0, -0.07, -0.05), 1e-15);
    assert_vec3_near(sole[0].local[SOLE_TIP], vec3(0, -0.02, 0.06), 1e-15);
    for (int k = 0; k < SOLE_POINTS; k++) {
        Vec3 left = sole[0].local[k];
        assert_vec3_near(sole[1].local[k], vec3(-left.x, left.y, left.z), 1e-15);
    }
    assert_near(sole[0].length, sqrt(0.01 * 0.01 + 0.18 * 0.18), 1e-15);
    skeleton_free(&s);
}

/* Centre of mass of a moving body, m, [frame]. */
static void find_mass(const Skeleton *s, const Motion *m, Vec3 *centre)
{
    Body body;
    BodyDef body_def = body_default_def();
    DifferenceDef difference = difference_default_def();
    Kinematics k = {0};
    assert_int_equal(body_from_skeleton(s, &body_def, &body, NULL), STATUS_OK);
    assert_int_equal(differentiate(&(ClipView){.skeleton = s, .body = &body, .motion = m}, &difference, &k, NULL),
                     STATUS_OK);
    memcpy(centre, k.com, (size_t)m->frame_count * sizeof *centre);
    kinematics_free(&k);
    body_free(&body);
}

/* RMS difference of two centre-of-mass accelerations, scaled; m/s2. */
static double unlike_acceleration(const Vec3 *a, const Vec3 *b, double scale)
{
    double sum = 0;
    for (int f = 1; f + 1 < FRAMES; f++) {
        Vec3 x = vec3_sub(vec3_add(a[f - 1], a[f + 1]), vec3_scale(a[f], 2));
        Vec3 y = vec3_sub(vec3_add(b[f - 1], b[f + 1]), vec3_scale(b[f], 2));
        Vec3 difference = vec3_scale(vec3_mad(x, -scale, y), 60 * 60);
        sum += vec3_dot(difference, difference);
    }
    return sqrt(sum / (FRAMES - 2));
}

/* On a body with a trunk half as long the hips move differently, so that the centre of mass follows that of the
 * clip. */
TEST(centre_of_mass_follows_the_source)
{
    Walk w;
    Skeleton stout;
    Vec3 own[FRAMES], centre[FRAMES];
    double unlike[2];
    (void)state;
    walk_init(&w);
    for (int f = 0; f < FRAMES; f++) { /* a trunk that bends twice per second */
        Quat bow = quat_from_axis_angle(vec3(1, 0, 0), 0.2 * elementary_sin(4 * PI * f / 60));
        w.motion.rotation[motion_index(&w.motion, f, 9)] = bow;
    }
    walk_update(&w);
    assert_int_equal(skeleton_copy(&stout, &w.skeleton, NULL), STATUS_OK);
    for (int j = 10; j < 13; j++)
        stout.offset[j] = vec3_scale(stout.offset[j], 0.5);
    find_mass(&w.skeleton, &w.motion, own);
    for (int plant = 0; plant < 2; plant++) {
        Motion out;
        RetargetScore score;
        assert_int_equal(retarget(&stout, &w, plant, &out, &score), STATUS_OK);
        find_mass(&stout, &out, centre);
        unlike[plant] = unlike_acceleration(centre, own, score.scale);
        motion_free(&out);
    }
    assert_true(unlike[0] > 0.5);
    assert_true(unlike[1] < 0.4 * unlike[0]);
    skeleton_free(&stout);
    walk_free(&w);
}

/* A vertical jump with 0.4 s of flight. */
static void jump_init(Walk *w)
{
    walk_init(w);
    for (int f = 0; f < FRAMES; f++) {
        double t = (f - 80) / 60.0, rise = t > 0 && t < 0.4 ? 0.5 * GRAVITY * t * (0.4 - t) : 0;
        w->motion.root_position[f] = vec3(0, 0.95 + rise, 0);
        for (int j = 0; j < WALKER_JOINTS; j++)
            w->motion.rotation[motion_index(&w->motion, f, j)] = walker_at_ease(j);
    }
    walk_update(w);
}

/* On a body 1.5 times as large a jump falls with scaled g, or with g on request; on the ground both are equal. A step
 * of that height is not a fall. */
TEST(flight_has_acceleration_g)
{
    Walk w;
    Skeleton large;
    Motion out[2];
    RetargetScore score;
    (void)state;
    jump_init(&w);
    assert_int_equal(skeleton_copy(&large, &w.skeleton, NULL), STATUS_OK);
    scale_skeleton(&large, 1.5);
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&large, &w);
    for (int free = 0; free < 2; free++) {
        def.feet.free_fall = free;
        assert_int_equal(retarget_motion(&job, &def, &out[free], &score, NULL), STATUS_OK);
        const Vec3 *x = out[free].root_position;
        for (int f = 87; f < 98; f++)
            assert_near((x[f + 1].y - 2 * x[f].y + x[f - 1].y) * 3600, -(free ? 1 : 1.5) * GRAVITY, 0.15 * GRAVITY);
    }
    for (int f = 0; f < 40; f++)
        assert_vec3_near(out[0].root_position[f], out[1].root_position[f], 0.01);
    motion_free(&out[0]);
    motion_free(&out[1]);
    skeleton_free(&large);
    walk_free(&w);
}

/* Left and right are treated symmetrically, also with given contacts; an asymmetric character differs. */
TEST(mirrored_clip_gives_mirrored_result)
{
    Walk w;
    Skeleton target;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&target, &w.skeleton, NULL), STATUS_OK);
    for (int foot = 0; foot < 2; foot++)
        target.offset[4 + 4 * foot] = vec3_scale(target.offset[4 + 4 * foot], 1.2);
    RetargetJob job = walk_job(&target, &w);
    RetargetDef def = retarget_default_def();
    for (int given = 0; given < 2; given++) {
        ContactRow late = {FOOT_LEFT, SOLE_BALL, 0.5, 1, PLANT_LOCK};
        ContactEdits rows = {1, &late};
        RetargetScore score;
        Motion out;
        def.contacts = given ? &rows : NULL;
        assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
        assert_true(score.mirror_cm < 1e-3);
        motion_free(&out);
    }
    def.contacts = NULL;
    target.offset[2] = vec3_scale(target.offset[2], 1.1);
    RetargetScore score;
    Motion out;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    assert_true(score.mirror_cm > 1);
    motion_free(&out);
    def.score_mirror = 0;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    assert_true(isnan(score.mirror_cm));
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&w);
}

/* Tips are at 0.7 of the distance to the toe end, also below the line from heel to ball. */
TEST(soles_end_at_the_toes)
{
    Walk w;
    ReferencePose r;
    ContactPoints points;
    Sole sole[FOOT_COUNT];
    Arena arena = {0};
    (void)state;
    walk_init(&w);
    ClipView clip = {.skeleton = &w.skeleton, .motion = &w.motion, .kinematics = &w.kinematics};
    for (int e = 0; e < 2; e++)
        w.skeleton.end_offset[e] = vec3(0, -0.04, 0.07);
    assert_int_equal(contact_points_drawn(&w.skeleton, &w.kinematics, &points, NULL),
                     STATUS_OK);
    assert_int_equal(reference_pose_init(&r, &clip, REFERENCE_REST, &arena, NULL), STATUS_OK);
    sole_init(sole, &r, &points);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        assert_vec3_near(sole[foot].local[SOLE_TIP], vec3(0, -0.028, 0.049), 1e-12);
        assert_near(sole[foot].local[SOLE_HEEL].y, sole[foot].local[SOLE_BALL].y, 1e-12);
    }
    contact_points_free(&points);
    arena_free(&arena);
    walk_free(&w);
}
