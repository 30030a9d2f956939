/* analysis/retarget/ik_bones: IK bones of feet and hands are where their limbs are in every frame, from positions in
 * the world. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "analysis/motion/joint_pose.h"
#include "analysis/retarget/ik_bones.h"
#include "tests/support/retarget_walk.h"

enum { BONES = 8 };

typedef struct BoneRow {
    const char *name;
    int above;          /* index of a bone; -1: the root */
    const char *on;     /* joint that it lies on at rest */
    const char *follows; /* NULL: stays at the root */
} BoneRow;

static const BoneRow unreal[BONES] = {
    {"ik_foot_root", -1, NULL, NULL},
    {"ik_foot_l", 0, "LeftFoot", "LeftFoot"},
    {"ik_foot_r", 0, "RightFoot", "RightFoot"},
    {"ik_hand_root", -1, NULL, NULL},
    {"ik_hand_gun", 3, "RightHand", "RightHand"},
    {"ik_hand_l", 4, "LeftHand", "LeftHand"},
    {"ik_hand_r", 4, "RightHand", "RightHand"},
    {"VB grip", -1, "LeftHand", "LeftHand"}, /* no name of a bone, but on the hand */
};

static Vec3 rest_position(const Skeleton *s, int joint)
{
    Vec3 sum = {0, 0, 0};
    for (int j = joint; j >= 0; j = s->parent[j])
        sum = vec3_add(sum, s->offset[j]);
    return sum;
}

/* The walker below a root on the floor, and IK bones after it. */
static void target_with_bones(Skeleton *out)
{
    Skeleton walker;
    walker_skeleton(&walker);
    assert_int_equal(skeleton_init(out, 1 + WALKER_JOINTS + BONES, WALKER_ENDS, NULL), STATUS_OK);
    skeleton_set_name(out, 0, "root", NULL);
    out->parent[0] = -1;
    for (int j = 0; j < WALKER_JOINTS; j++) {
        skeleton_set_name(out, j + 1, walker.name[j], NULL);
        out->parent[j + 1] = walker.parent[j] + 1;
        out->offset[j + 1] = walker.offset[j];
        out->role[j + 1] = out->segment[j + 1] = walker.role[j];
    }
    for (int i = 0; i < BONES; i++) {
        int joint = 1 + WALKER_JOINTS + i, above = unreal[i].above < 0 ? 0 : 1 + WALKER_JOINTS + unreal[i].above;
        skeleton_set_name(out, joint, unreal[i].name, NULL);
        out->parent[joint] = above;
        if (unreal[i].on)
            out->offset[joint] = vec3_sub(rest_position(out, skeleton_find(out, unreal[i].on)),
                                          rest_position(out, above));
    }
    memcpy(out->end_offset, walker.end_offset, WALKER_ENDS * sizeof *out->end_offset);
    for (int e = 0; e < WALKER_ENDS; e++)
        out->end_parent[e] = walker.end_parent[e] + 1;
    skeleton_free(&walker);
}

static Motion moved(const Skeleton *target, const Motion *own, const Walk *source)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(target, source);
    RetargetScore score;
    Motion out;
    def.score_mirror = 0;
    job.target.motion = own;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    return out;
}

static Vec3 at(const Skeleton *s, const Motion *m, int frame, const char *name)
{
    return joint_pose(s, m, frame, skeleton_find(s, name)).position;
}

TEST(bones_of_feet_and_hands_follow_their_limbs)
{
    Skeleton target;
    Walk source;
    walk_init(&source);
    target_with_bones(&target);
    scale_skeleton(&target, 0.8);
    Motion out = moved(&target, NULL, &source);
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < BONES; i++) {
            Vec3 place = at(&target, &out, f, unreal[i].name);
            assert_vec3_near(place, unreal[i].follows ? at(&target, &out, f, unreal[i].follows)
                                                      : out.root_position[f], 1e-9);
        }
    assert_true(vec3_distance(at(&target, &out, 0, "ik_foot_l"), at(&target, &out, FRAMES - 1, "ik_foot_l")) > 0.5);
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&source);
}

TEST(bone_elsewhere_at_rest_lies_on_its_limb)
{
    Skeleton target;
    Walk source;
    walk_init(&source);
    target_with_bones(&target);
    int bone = skeleton_find(&target, "ik_hand_l"), gun = skeleton_find(&target, "ik_hand_gun");
    target.offset[bone] = target.offset[gun] = vec3(0, 0, 0);
    Motion out = moved(&target, NULL, &source);
    for (int f = 0; f < FRAMES; f += 10) {
        assert_vec3_near(at(&target, &out, f, "ik_hand_l"), at(&target, &out, f, "LeftHand"), 1e-9);
        assert_vec3_near(at(&target, &out, f, "ik_hand_gun"), at(&target, &out, f, "RightHand"), 1e-9);
    }
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&source);
}

/* A grip 4 cm below the wrist in the source stays there; the body is reproduced exactly. */
TEST(bones_of_the_same_skeleton_keep_their_motion)
{
    Walk source;
    walk_init(&source);
    Skeleton target;
    target_with_bones(&target);
    Motion made = moved(&target, NULL, &source);
    int bone = skeleton_find(&target, "ik_hand_r"), hand = skeleton_find(&target, "RightHand");
    for (int f = 0; f < FRAMES; f++) {
        JointPose pose = joint_pose(&target, &made, f, hand);
        pose.position.y -= 0.04 + 1e-4 * f;
        joint_pose_set(&target, &made, f, bone, pose);
    }
    Walk again = {0};
    assert_int_equal(skeleton_copy(&again.skeleton, &target, NULL), STATUS_OK);
    again.motion = made;
    walk_update(&again);
    Motion out = moved(&again.skeleton, &again.motion, &again);
    for (int f = 0; f < FRAMES; f += 7)
        for (int j = 0; j < target.joint_count; j++)
            assert_vec3_near(joint_pose(&target, &out, f, j).position, joint_pose(&target, &made, f, j).position, 1e-6);
    motion_free(&out);
    walk_free(&again);
    skeleton_free(&target);
    walk_free(&source);
}

TEST(joints_of_the_body_and_other_names_are_no_bones)
{
    Skeleton target;
    target_with_bones(&target);
    ClipView view = {.skeleton = &target};
    for (int j = 0; j <= WALKER_JOINTS; j++)
        assert_int_equal(ik_bone_limb(&view, j), -1);
    int bone = skeleton_find(&target, "ik_foot_l");
    target.offset[bone].z += 0.3;
    skeleton_set_name(&target, bone, "Spike_foot", NULL);
    assert_int_equal(ik_bone_limb(&view, bone), -1);
    skeleton_set_name(&target, bone, "LeftLegIK", NULL);
    assert_int_equal(ik_bone_limb(&view, bone), skeleton_find(&target, "LeftFoot"));
    skeleton_set_name(&target, bone, "LeftLegIK_Pole", NULL);
    assert_int_equal(ik_bone_limb(&view, bone), -1);
    skeleton_free(&target);
}

