/* analysis/retarget/alignment and joint_map at the shoulders: clavicles turn from where they rest on each body, and a
 * body without them, or a source without them, keeps the width of its rest. From positions in the chest's axes. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/motion/joint_pose.h"
#include "tests/support/retarget_walk.h"

enum { CHEST_JOINT = 10, FIRST_ARM = 13, RIGHT_ARM = 16, ARM_JOINTS = 3, CLAVICLE_JOINTS = WALKER_JOINTS + 2 };

/* Index of a walker's joint in the body with clavicles, which stand before the arms. */
static int with_clavicles(int j) { return j + (j >= FIRST_ARM) + (j >= RIGHT_ARM); }

/* The walker's body with clavicles of this length that rise by `rise`, m, from the chest to the shoulders. */
static void clavicle_skeleton(Skeleton *out, double length, double rise)
{
    static const int arm[2] = {FIRST_ARM, RIGHT_ARM};
    static const char *const names[2] = {"LeftShoulder", "RightShoulder"};
    Skeleton walker;
    walker_skeleton(&walker);
    assert_int_equal(skeleton_init(out, CLAVICLE_JOINTS, WALKER_ENDS, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        int to = with_clavicles(j);
        skeleton_set_name(out, to, walker.name[j], NULL);
        out->parent[to] = walker.parent[j] < 0 ? -1 : with_clavicles(walker.parent[j]);
        out->offset[to] = walker.offset[j];
        out->role[to] = out->segment[to] = walker.role[j];
    }
    for (int side = 0; side < 2; side++) {
        int shoulder = with_clavicles(arm[side]), clavicle = shoulder - 1;
        double left = side ? -1 : 1;
        skeleton_set_name(out, clavicle, names[side], NULL);
        out->parent[clavicle] = CHEST_JOINT;
        out->role[clavicle] = out->segment[clavicle] = side ? ROLE_RIGHT_CLAVICLE : ROLE_LEFT_CLAVICLE;
        out->offset[clavicle] = vec3(0.02 * left, 0.14, 0);
        out->parent[shoulder] = clavicle;
        out->offset[shoulder] = vec3(sqrt(length * length - rise * rise) * left, rise, 0);
    }
    for (int e = 0; e < WALKER_ENDS; e++) {
        out->end_parent[e] = with_clavicles(walker.end_parent[e]);
        out->end_offset[e] = walker.end_offset[e];
    }
    skeleton_free(&walker);
}

/* Both clavicles raised by this angle, rad. */
static double shrug(int frame) { return 0.2 * sin(frame * 2 * PI / 60); }

/* A walk that shrugs, on the body with clavicles. */
static void shrugging_walk(Walk *w, double rise)
{
    Motion walk;
    *w = (Walk){0};
    clavicle_skeleton(&w->skeleton, 0.16, rise);
    walker_motion(&walk, FRAMES, 60);
    assert_int_equal(motion_init(&w->motion, FRAMES, CLAVICLE_JOINTS, walk.frame_time, 0, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        w->motion.root_position[f] = walk.root_position[f];
        w->motion.time[f] = walk.time[f];
        for (int j = 0; j < WALKER_JOINTS; j++)
            w->motion.rotation[motion_index(&w->motion, f, with_clavicles(j))] =
                walk.rotation[motion_index(&walk, f, j)];
        for (int side = 0; side < 2; side++)
            w->motion.rotation[motion_index(&w->motion, f, with_clavicles(side ? RIGHT_ARM : FIRST_ARM) - 1)] =
                quat_from_axis_angle(vec3(0, 0, 1), side ? -shrug(f) : shrug(f));
    }
    motion_free(&walk);
    walk_update(w);
}

/* A shoulder in the axes of the chest, m. */
static Vec3 shoulder_in_chest(const Skeleton *s, const Motion *m, int frame, Role role)
{
    JointPose chest = joint_pose(s, m, frame, skeleton_find_role(s, ROLE_CHEST));
    return joint_pose_in(chest, joint_pose(s, m, frame, skeleton_find_role(s, role))).position;
}

static double width_between(const Skeleton *s, const Motion *m, int frame)
{
    return vec3_distance(shoulder_in_chest(s, m, frame, ROLE_LEFT_SHOULDER),
                         shoulder_in_chest(s, m, frame, ROLE_RIGHT_SHOULDER));
}

static Motion moved(const Skeleton *target, const Walk *source)
{
    RetargetScore score;
    Motion out;
    assert_int_equal(retarget(target, source, 1, &out, &score), STATUS_OK);
    return out;
}

/* Onto clavicles that rest 25 degrees higher, and lower: the height of the shoulders over their rest is the
 * source's. */
TEST(shoulders_rise_from_where_the_target_rests)
{
    static const double rises[] = {0.07, -0.05};
    Walk source;
    shrugging_walk(&source, 0);
    for (int i = 0; i < 2; i++) {
        Skeleton target;
        clavicle_skeleton(&target, 0.15, rises[i]);
        Motion out = moved(&target, &source);
        for (int f = 0; f < FRAMES; f++)
            for (Role role = ROLE_LEFT_SHOULDER; role <= ROLE_RIGHT_SHOULDER;
                 role += ROLE_RIGHT_SHOULDER - ROLE_LEFT_SHOULDER) {
                double now = shoulder_in_chest(&target, &out, f, role).y - 0.14 - rises[i];
                double then = shoulder_in_chest(&source.skeleton, &source.motion, f, role).y - 0.14;
                assert_near(now, then, 0.016); /* the arc of a raised clavicle is flatter */
                if (fabs(shrug(f)) < 1e-9)
                    assert_near(now, 0, 1e-6);
            }
        motion_free(&out);
        skeleton_free(&target);
    }
    walk_free(&source);
}

TEST(width_changes_with_the_source_on_other_clavicles)
{
    Walk source;
    Skeleton target;
    shrugging_walk(&source, 0);
    clavicle_skeleton(&target, 0.15, 0.05);
    Motion out = moved(&target, &source);
    double rest = 2 * (0.02 + sqrt(0.15 * 0.15 - 0.05 * 0.05));
    for (int f = 0; f < FRAMES; f++) {
        double then = width_between(&source.skeleton, &source.motion, f) / 0.36;
        assert_near(width_between(&target, &out, f) / rest / then, 1, 0.1);
    }
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&source);
}

TEST(body_without_clavicles_keeps_the_width_of_its_rest)
{
    Walk source, plain;
    Skeleton target;
    shrugging_walk(&source, 0.03);
    walk_init(&plain);
    Motion out = moved(&plain.skeleton, &source);
    for (int f = 0; f < FRAMES; f++)
        assert_near(width_between(&plain.skeleton, &out, f), 0.36, 0.03 * 0.36);
    motion_free(&out);
    clavicle_skeleton(&target, 0.15, 0.06);
    out = moved(&target, &plain);
    double rest = 2 * (0.02 + sqrt(0.15 * 0.15 - 0.06 * 0.06));
    for (int f = 0; f < FRAMES; f++) {
        assert_near(width_between(&target, &out, f), rest, 0.03 * rest);
        assert_near(shoulder_in_chest(&target, &out, f, ROLE_LEFT_SHOULDER).y, 0.2, 1e-6);
    }
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&source);
    walk_free(&plain);
}
