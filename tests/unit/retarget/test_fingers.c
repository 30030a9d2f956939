/* Fingers of hands after the published joint names of common rigs: thumb, order across the palm, place in the chain. */
#include "tests/support/test.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/retarget/fingers.h"
#include "analysis/retarget/joint_map.h"
#include "tests/support/walker.h"

enum { MIXAMO, MAKEHUMAN, UNREAL, VRM, ROKOKO, NUMBERS, RIGS, MAX_JOINTS = 96, LEFT_WRIST = 15, RIGHT_WRIST = 18 };

/* A skeleton with five fingers a hand. phalanx: the joints that a map must pair. */
typedef struct Rig {
    Skeleton skeleton;
    int kind, phalanx[2][FINGERS][3];
    int beside[MAX_JOINTS]; /* [joint] 1: metacarpal, tip or prop */
} Rig;

static const char *const finger_words[RIGS][FINGERS] = {
    {"Thumb", "Index", "Middle", "Ring", "Pinky"}, {"1", "2", "3", "4", "5"},
    {"thumb", "index", "middle", "ring", "pinky"}, {"Thumb", "Index", "Middle", "Ring", "Little"},
    {"Thumb", "Index", "Middle", "Ring", "Pinky"}, {"", "", "", "", ""}};

/* Number 0 names the metacarpal, 4 the tip. */
static void name_joint(Rig *r, int joint, int hand, int finger, int number)
{
    char name[64];
    const char *word = finger_words[r->kind][finger], *side = hand ? "Right" : "Left";
    int mark = hand ? 'r' : 'l', is_palm = number == 0;
    switch (r->kind) {
    case MIXAMO: snprintf(name, sizeof name, "mixamorig:%sHand%s%d", side, word, number); break;
    case MAKEHUMAN:
        if (is_palm)
            snprintf(name, sizeof name, "metacarpal%d.%c", finger, toupper(mark));
        else
            snprintf(name, sizeof name, "finger%d-%d.%c", finger + 1, number, toupper(mark));
        break;
    case UNREAL:
        if (is_palm)
            snprintf(name, sizeof name, "%s_metacarpal_%c", word, mark);
        else
            snprintf(name, sizeof name, "%s_%02d_%c", word, number, mark);
        break;
    case VRM: snprintf(name, sizeof name, "J_Bip_%c_%s%d", toupper(mark), word, number); break;
    case ROKOKO:
        if (is_palm)
            snprintf(name, sizeof name, "%sInHand%s", side, word);
        else
            snprintf(name, sizeof name, "%sHand%s%d", side, word, number);
        break;
    default: snprintf(name, sizeof name, "joint_%d", joint);
    }
    skeleton_set_name(&r->skeleton, joint, name, NULL);
}

static int add_joint(Rig *r, int parent, Vec3 offset, int hand)
{
    Skeleton *s = &r->skeleton;
    int j = s->joint_count++;
    s->parent[j] = parent;
    s->offset[j] = vec3(hand ? -offset.x : offset.x, offset.y, offset.z);
    s->role[j] = ROLE_NONE;
    s->segment[j] = s->segment[parent];
    return j;
}

/* The palm is down, the thumb in front; Rokoko's thumb rests along the fingers. */
static void add_finger(Rig *r, int hand, int finger, int parent, Vec3 base)
{
    static const double bone[FINGERS][4] = {{0, 0.04, 0.032, 0.027}, {0, 0.041, 0.025, 0.02}, {0, 0.045, 0.028, 0.021},
                                            {0, 0.042, 0.027, 0.021}, {0, 0.033, 0.02, 0.018}};
    static const Vec3 knuckle[FINGERS] = {
        {0.028, -0.012, 0.026}, {0.092, 0, 0.028}, {0.094, 0, 0.004}, {0.088, 0, -0.018}, {0.08, -0.003, -0.036}};
    int is_straight = finger || r->kind == ROKOKO;
    Vec3 along = is_straight ? vec3(1, 0, 0) : vec3_normalize(vec3(0.75, -0.25, 0.6)), at = knuckle[finger];
    int has_palm = finger && (r->kind == MAKEHUMAN || r->kind == UNREAL || r->kind == ROKOKO), joint = parent;
    if (has_palm) {
        Vec3 palm = vec3(0.025, 0, 0.3 * at.z);
        joint = add_joint(r, joint, palm, hand);
        r->beside[joint] = 1;
        name_joint(r, joint, hand, finger, 0);
        at = vec3_sub(at, palm);
    }
    for (int k = 0; k < 3; k++) {
        joint = add_joint(r, joint, k ? vec3_scale(along, bone[finger][k]) : vec3_sub(at, base), hand);
        r->phalanx[hand][finger][k] = joint;
        name_joint(r, joint, hand, finger, k + 1);
    }
    if (r->kind == MIXAMO) {
        joint = add_joint(r, joint, vec3_scale(along, bone[finger][3]), hand);
        r->beside[joint] = 1;
        name_joint(r, joint, hand, finger, 4);
    }
}

static void add_beside(Rig *r, int hand, int parent, const char *name, Vec3 offset)
{
    int joint = add_joint(r, parent, offset, hand);
    skeleton_set_name(&r->skeleton, joint, name, NULL);
    r->beside[joint] = 1;
}

static void add_hand(Rig *r, int hand, const int *order, int fingers)
{
    int wrist = hand ? RIGHT_WRIST : LEFT_WRIST, palm = wrist;
    Vec3 base = {0, 0, 0};
    if (r->kind == NUMBERS) {
        base = vec3(0.03, 0, 0);
        palm = add_joint(r, wrist, base, hand);
        skeleton_set_name(&r->skeleton, palm, hand ? "joint_r" : "joint_l", NULL);
        r->beside[palm] = 1;
    }
    for (int i = 0; i < fingers; i++)
        add_finger(r, hand, order[i], order[i] ? palm : wrist, order[i] ? base : vec3(0, 0, 0));
    if (r->kind != UNREAL)
        return;
    add_beside(r, hand, wrist, hand ? "weapon_r" : "weapon_l", vec3(0.09, -0.03, 0));
    add_beside(r, hand, wrist, hand ? "ik_hand_r" : "ik_hand_l", vec3(0.05, 0, 0.01));
    if (fingers == FINGERS)
        add_beside(r, hand, r->phalanx[hand][1][0], hand ? "index_twist_01_r" : "index_twist_01_l", vec3(0.02, 0, 0));
}

static void rig_init_fingers(Rig *r, int kind, const int *order, int fingers)
{
    Skeleton walker;
    *r = (Rig){.kind = kind};
    walker_skeleton(&walker);
    assert_int_equal(skeleton_init(&r->skeleton, MAX_JOINTS, WALKER_ENDS, NULL), STATUS_OK);
    Skeleton *s = &r->skeleton;
    for (int j = 0; j < WALKER_JOINTS; j++) {
        skeleton_set_name(s, j, walker.name[j], NULL);
        s->parent[j] = walker.parent[j];
        s->offset[j] = walker.offset[j];
        s->role[j] = s->segment[j] = walker.role[j];
    }
    for (int e = 0; e < WALKER_ENDS; e++) {
        s->end_parent[e] = walker.end_parent[e];
        s->end_offset[e] = walker.end_offset[e];
    }
    s->joint_count = WALKER_JOINTS;
    for (int hand = 0; hand < 2; hand++)
        add_hand(r, hand, order, fingers);
    skeleton_free(&walker);
}

static void rig_init(Rig *r, int kind)
{
    static const int orders[RIGS][FINGERS] = {{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {1, 2, 4, 3, 0},
                                              {1, 4, 2, 3, 0}, {1, 2, 4, 3, 0}, {4, 2, 0, 3, 1}};
    rig_init_fingers(r, kind, orders[kind], FINGERS);
}

static void rig_free(Rig *r)
{
    r->skeleton.joint_count = MAX_JOINTS;
    skeleton_free(&r->skeleton);
}

static JointMap map_between(const Rig *target, const Rig *source)
{
    ReferencePose t, s;
    JointMap map;
    Arena arena = {0};
    ClipView to = {.skeleton = &target->skeleton}, from = {.skeleton = &source->skeleton};
    assert_int_equal(reference_pose_init(&t, &to, REFERENCE_REST, &arena, NULL), STATUS_OK);
    assert_int_equal(reference_pose_init(&s, &from, REFERENCE_REST, &arena, NULL), STATUS_OK);
    assert_int_equal(joint_map_init(&map, &t, &s, NULL), STATUS_OK);
    arena_free(&arena);
    return map;
}

/* The only source joint of a target joint; -1: none or several. */
static int source_of(const JointMap *map, int target)
{
    return map->first[target + 1] == map->first[target] + 1 ? map->row[map->first[target]].source : -1;
}

static int count_matched(const JointMap *map, const Rig *target, const Rig *source)
{
    int matched = 0;
    for (int hand = 0; hand < 2; hand++)
        for (int f = 0; f < FINGERS; f++)
            for (int k = 0; k < 3; k++)
                matched += source_of(map, target->phalanx[hand][f][k]) == source->phalanx[hand][f][k];
    return matched;
}

TEST(thirty_of_thirty_phalanges_are_matched_between_all_rigs)
{
    for (int t = 0; t < RIGS; t++)
        for (int s = 0; s < RIGS; s++) {
            Rig target, source;
            rig_init(&target, t);
            rig_init(&source, s);
            JointMap map = map_between(&target, &source);
            int matched = count_matched(&map, &target, &source);
            if (matched != 30)
                print_error("target %d, source %d\n", t, s);
            assert_int_equal(matched, 30);
            assert_int_equal(map.fingers_against_names[0] + map.fingers_against_names[1], 0);
            for (int j = WALKER_JOINTS; t != s && j < target.skeleton.joint_count; j++)
                if (target.beside[j] && source_of(&map, j) >= 0)
                    assert_true(source.beside[source_of(&map, j)]);
            joint_map_free(&map);
            rig_free(&target);
            rig_free(&source);
        }
}

TEST(equal_trees_with_fingers_in_another_order_are_matched)
{
    static const int order[] = {0, 1, 2, 3, 4};
    Rig target, source;
    rig_init_fingers(&target, VRM, order, FINGERS);
    rig_init(&source, VRM);
    JointMap map = map_between(&target, &source);
    assert_int_equal(count_matched(&map, &target, &source), 30);
    joint_map_free(&map);
    rig_free(&target);
    rig_free(&source);
}

TEST(metacarpals_follow_metacarpals)
{
    Rig target, source;
    rig_init(&target, UNREAL);
    rig_init(&source, MAKEHUMAN);
    JointMap map = map_between(&target, &source);
    for (int f = 1; f < FINGERS; f++) {
        int palm = target.skeleton.parent[target.phalanx[0][f][0]];
        assert_int_equal(source_of(&map, palm), source.skeleton.parent[source.phalanx[0][f][0]]);
    }
    joint_map_free(&map);
    rig_free(&target);
    rig_free(&source);
}

TEST(order_wins_over_contradicting_names_and_the_map_reports_that)
{
    Rig target, source;
    rig_init(&target, MIXAMO);
    rig_init(&source, VRM);
    for (int k = 0; k < 3; k++) { /* the left index finger is named a ring finger and the reverse */
        name_joint(&source, source.phalanx[0][1][k], 0, 3, k + 1);
        name_joint(&source, source.phalanx[0][3][k], 0, 1, k + 1);
    }
    JointMap map = map_between(&target, &source);
    assert_int_equal(count_matched(&map, &target, &source), 30);
    assert_int_equal(map.fingers_against_names[0], 1);
    assert_int_equal(map.fingers_against_names[1], 0);
    joint_map_free(&map);
    rig_free(&target);
    rig_free(&source);
}

TEST(thumb_and_finger_of_a_mitten_match_thumb_and_middle_finger)
{
    static const int mitten[] = {2, 0};
    Rig five, two;
    rig_init(&five, MIXAMO);
    rig_init_fingers(&two, NUMBERS, mitten, 2);
    for (int turn = 0; turn < 2; turn++) {
        const Rig *target = turn ? &two : &five, *source = turn ? &five : &two;
        JointMap map = map_between(target, source);
        for (int f = 0; f <= 2; f += 2)
            for (int k = 0; k < 3; k++)
                assert_int_equal(source_of(&map, target->phalanx[1][f][k]), source->phalanx[1][f][k]);
        if (!turn)
            assert_int_equal(source_of(&map, five.phalanx[1][1][0]), -1);
        joint_map_free(&map);
    }
    rig_free(&five);
    rig_free(&two);
}

/* As in the CMU library: thumb and fingers begin at the wrist. */
TEST(thumb_is_found_where_both_chains_begin_at_the_wrist)
{
    Rig five, mitten;
    int tip[2][2];
    rig_init(&five, ROKOKO);
    rig_init_fingers(&mitten, VRM, NULL, 0);
    mitten.kind = NUMBERS;
    for (int hand = 0; hand < 2; hand++) {
        int wrist = hand ? RIGHT_WRIST : LEFT_WRIST;
        for (int thumb = 0; thumb < 2; thumb++) {
            int base = add_joint(&mitten, wrist, vec3(0, 0, 0), hand);
            tip[hand][thumb] = add_joint(&mitten, base, thumb ? vec3(0.04, 0, 0.04) : vec3(0.1, 0, 0), hand);
            name_joint(&mitten, base, hand, 0, 0);
            name_joint(&mitten, tip[hand][thumb], hand, 0, 0);
        }
    }
    JointMap map = map_between(&five, &mitten);
    for (int hand = 0; hand < 2; hand++) {
        assert_int_equal(source_of(&map, five.phalanx[hand][0][1]), tip[hand][1]);
        assert_int_equal(source_of(&map, five.phalanx[hand][2][1]), tip[hand][0]);
        assert_int_equal(source_of(&map, five.phalanx[hand][1][1]), -1);
    }
    joint_map_free(&map);
    rig_free(&five);
    rig_free(&mitten);
}

TEST(names_of_joints_beside_fingers_are_recognized)
{
    static const char *const beside[] = {"ik_hand_l", "LeftHandIK", "weapon_l", "index_twist_01_l", "RightHandProp",
                                         "LeftHandEnd", "IndexNub", "Hand_Helper.L"};
    static const char *const fingers[] = {"LeftHandPinky1", "ring_01_l", "finger2-1.L", "J_Bip_L_Little1",
                                          "indexTippy"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        assert_true(finger_name_is_helper(beside[i]));
    for (size_t i = 0; i < sizeof fingers / sizeof *fingers; i++)
        assert_false(finger_name_is_helper(fingers[i]));
}
