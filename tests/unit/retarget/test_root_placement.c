/* analysis/retarget/root_placement: a root on the floor takes the travel and the hips the height, one at rest stays,
 * hips as the root carry both; for every kind of source and target, from positions in the world. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/motion/forward_kinematics.h"
#include "tests/support/retarget_walk.h"

typedef enum RootKind { HIPS_ROOT, FLOOR_ROOT, STATIC_ROOT, KINDS } RootKind;

static const char *const root_names[KINDS] = {"Hips", "Root", "Armature"};
static const Vec3 origin = {0.3, 0.02, -0.2}; /* of the static root */

static RootPose root_at(RootKind kind, Vec3 hips)
{
    if (kind == FLOOR_ROOT)
        return (RootPose){vec3(hips.x, 0, hips.z), QUAT_IDENTITY, QUAT_IDENTITY};
    return (RootPose){origin, quat_from_axis_angle(vec3(1, 0, 0), -PI / 2), QUAT_IDENTITY};
}

/* The skeleton below a new root at its old one. */
static void put_skeleton_below(Skeleton *s, RootKind kind)
{
    Skeleton out;
    assert_int_equal(skeleton_init(&out, s->joint_count + 1, s->end_count, NULL), STATUS_OK);
    skeleton_set_name(&out, 0, root_names[kind], NULL);
    for (int j = 0; j < s->joint_count; j++) {
        skeleton_set_name(&out, j + 1, s->name[j], NULL);
        out.parent[j + 1] = s->parent[j] + 1;
        out.offset[j + 1] = j ? s->offset[j] : vec3(0, 0, 0);
        out.role[j + 1] = out.segment[j + 1] = s->role[j];
    }
    out.parent[0] = -1;
    for (int e = 0; e < s->end_count; e++) {
        out.end_parent[e] = s->end_parent[e] + 1;
        out.end_offset[e] = s->end_offset[e];
    }
    skeleton_free(s);
    *s = out;
}

static void put_motion_below(const Skeleton *old, Motion *m, RootKind kind)
{
    Motion out;
    assert_int_equal(motion_init(&out, FRAMES, m->joint_count + 1, m->frame_time, 1, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        RootPose root = root_at(kind, m->root_position[f]);
        out.root_position[f] = root.position;
        out.rotation[motion_index(&out, f, 0)] = root.orientation;
        for (int j = 0; j < m->joint_count; j++) {
            size_t from = motion_index(m, f, j), at = motion_index(&out, f, j + 1);
            Vec3 place = vec3_sub(m->root_position[f], root.position);
            out.rotation[at] = j ? m->rotation[from]
                                 : quat_mul(quat_conjugate(root.orientation), m->rotation[from]);
            out.translation[at] = !j             ? quat_rotate_inverse(root.orientation, place)
                                  : m->translation ? m->translation[from]
                                                   : old->offset[j];
        }
    }
    motion_make_continuous(&out);
    motion_free(m);
    *m = out;
}

static void put_below(Walk *w, RootKind kind)
{
    put_motion_below(&w->skeleton, &w->motion, kind);
    put_skeleton_below(&w->skeleton, kind);
}

static void walk_of(Walk *w, RootKind kind)
{
    *w = (Walk){0};
    walker_skeleton(&w->skeleton);
    walker_motion(&w->motion, FRAMES, 60);
    if (kind != HIPS_ROOT)
        put_below(w, kind);
    walk_update(w);
}

/* A smaller body. */
static void shrink(Walk *w, double factor)
{
    scale_skeleton(&w->skeleton, factor);
    for (int f = 0; f < FRAMES; f++) {
        w->motion.root_position[f] = vec3_scale(w->motion.root_position[f], factor);
        for (int j = 0; w->motion.translation && j < w->motion.joint_count; j++) {
            Vec3 *t = &w->motion.translation[motion_index(&w->motion, f, j)];
            *t = vec3_scale(*t, factor);
        }
    }
}

static Vec3 *pose_world(const Skeleton *s, const Motion *m)
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

static Motion retarget_to(const Walk *target, const Walk *source, int root)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&target->skeleton, source);
    RetargetScore score;
    Motion out;
    def.score_mirror = 0;
    def.root = root;
    job.target.motion = &target->motion;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    return out;
}

static void assert_root(RootKind kind, const Motion *m, const Vec3 *position, double factor)
{
    for (int f = 0; f < FRAMES; f++) {
        Vec3 hips = position[(size_t)f * (size_t)m->joint_count + (kind != HIPS_ROOT)];
        if (kind == FLOOR_ROOT)
            assert_vec3_near(m->root_position[f], vec3(hips.x, 0, hips.z), 1e-9);
        if (kind == STATIC_ROOT) {
            assert_vec3_near(m->root_position[f], vec3_scale(origin, factor), 1e-9);
            assert_near(fabs(quat_dot(m->rotation[motion_index(m, f, 0)], root_at(kind, hips).orientation)), 1, 1e-12);
        }
        assert_true(hips.y > 0.85 * factor && hips.y < 1.0 * factor);
    }
}

TEST(every_pair_of_roots_moves_the_body_alike)
{
    const double factor = 0.8;
    for (RootKind to = HIPS_ROOT; to < KINDS; to++) {
        Walk target;
        walk_of(&target, to);
        shrink(&target, factor);
        for (RootKind from = HIPS_ROOT; from < KINDS; from++) {
            Walk source;
            walk_of(&source, from);
            Motion out = retarget_to(&target, &source, ROOT_AUTO);
            Vec3 *now = pose_world(&target.skeleton, &out), *then = pose_world(&source.skeleton, &source.motion);
            assert_root(to, &out, now, factor);
            for (int f = 0; f < FRAMES; f++)
                for (int j = 0; j < WALKER_JOINTS; j++) {
                    Vec3 own = now[f * out.joint_count + j + (to != HIPS_ROOT)];
                    Vec3 other = then[f * source.motion.joint_count + j + (from != HIPS_ROOT)];
                    assert_vec3_near(own, vec3_scale(other, factor), 1e-6);
                }
            free(now);
            free(then);
            motion_free(&out);
            walk_free(&source);
        }
        walk_free(&target);
    }
}

/* Armature, Root and Hips: the first stays, the second travels on the floor. */
TEST(static_root_stays_above_one_that_travels)
{
    Walk target, source;
    walk_of(&target, FLOOR_ROOT);
    put_below(&target, STATIC_ROOT);
    walk_of(&source, HIPS_ROOT);
    Motion out = retarget_to(&target, &source, ROOT_AUTO);
    Vec3 *now = pose_world(&target.skeleton, &out);
    for (int f = 0; f < FRAMES; f++) {
        const Vec3 *at = now + (size_t)f * (size_t)out.joint_count, hips = source.motion.root_position[f];
        assert_vec3_near(at[0], origin, 1e-9);
        assert_vec3_near(at[1], vec3(hips.x, 0, hips.z), 1e-6);
        assert_vec3_near(at[2], hips, 1e-6);
    }
    free(now);
    motion_free(&out);
    walk_free(&target);
    walk_free(&source);
}

/* The root runs straight ahead while the hips sway beside it. */
TEST(travelling_root_keeps_its_own_path)
{
    Walk walk;
    walk_of(&walk, FLOOR_ROOT);
    for (int f = 0; f < FRAMES; f++) {
        double sway = walk.motion.root_position[f].x;
        walk.motion.root_position[f].x = 0;
        walk.motion.translation[motion_index(&walk.motion, f, 1)].x += sway;
    }
    walk_update(&walk);
    Motion out = retarget_to(&walk, &walk, ROOT_AUTO);
    for (int f = 0; f < FRAMES; f++)
        assert_vec3_near(out.root_position[f], walk.motion.root_position[f], 1e-6);
    motion_free(&out);
    walk_free(&walk);
}

TEST(kind_of_root_follows_from_its_own_motion)
{
    static const RootMotion expected[KINDS] = {ROOT_MOTION_KEEP, ROOT_MOTION_TRAVEL, ROOT_MOTION_HIPS};
    for (RootKind kind = HIPS_ROOT; kind < KINDS; kind++) {
        Walk w;
        walk_of(&w, kind);
        ClipView view = {.skeleton = &w.skeleton, .motion = &w.motion};
        assert_int_equal(root_placement_of(&view, 0), expected[kind]);
        w.motion.frame_count = 1; /* a single pose: by the name */
        assert_int_equal(root_placement_of(&view, 0), expected[kind]);
        if (kind == FLOOR_ROOT) {
            assert_int_equal(skeleton_add_channels(&w.skeleton, NULL), STATUS_OK); /* none */
            assert_int_equal(root_placement_of(&view, 0), ROOT_MOTION_HIPS);
            w.skeleton.channels[0] = 456; /* three angles */
            assert_int_equal(root_placement_of(&view, 0), ROOT_MOTION_HIPS);
            w.skeleton.channels[0] = 123456;
            assert_int_equal(root_placement_of(&view, 0), ROOT_MOTION_TRAVEL);
            /* a root at the height of the hips */
            w.motion.translation[motion_index(&w.motion, 0, 1)] = vec3(0, 0.1, 0);
            assert_int_equal(root_placement_of(&view, 0), ROOT_MOTION_KEEP);
        }
        w.motion.frame_count = FRAMES;
        walk_free(&w);
    }
}

TEST(root_motion_is_chosen)
{
    Walk target, source;
    walk_of(&target, FLOOR_ROOT);
    walk_of(&source, HIPS_ROOT);
    Motion kept = retarget_to(&target, &source, ROOT_MOTION_KEEP);
    Motion hips = retarget_to(&target, &source, ROOT_MOTION_HIPS);
    Motion still = retarget_to(&target, &source, ROOT_MOTION_IN_PLACE);
    Vec3 *before = pose_world(&target.skeleton, &kept), *after = pose_world(&target.skeleton, &hips);
    Vec3 *stopped = pose_world(&target.skeleton, &still);
    assert_true(kept.root_position[0].y > 0.8);
    int joints = WALKER_JOINTS + 1, last = FRAMES - 1;
    for (int f = 0; f < FRAMES; f++) {
        assert_vec3_near(hips.root_position[f], target.motion.root_position[0], 1e-12);
        for (int j = 1; j < joints; j++)
            assert_vec3_near(after[f * joints + j], before[f * joints + j], 1e-9);
    }
    assert_near(stopped[last * joints + 1].z, stopped[1].z, 1e-9);
    assert_true(before[last * joints + 1].z - before[1].z > 1);
    assert_near(still.root_position[last].y, 0, 1e-12);
    free(before);
    free(after);
    free(stopped);
    motion_free(&kept);
    motion_free(&hips);
    motion_free(&still);
    walk_free(&target);
    walk_free(&source);
}
