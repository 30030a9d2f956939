/* Measures of a pose of a human skeleton (human_rest.h). */
#include "analysis/body/human_rest.h"

#include <math.h>

#include "analysis/body/roles.h"

/* The height of the ankle joint above the sole over the length of thigh and shank: 0.039 and 0.491 of stature (Winter,
 * Biomechanics and Motor Control of Human Movement, figure 4.1). */
#define ANKLE_HEIGHT (0.039 / 0.491)

double plausible_length(double length, double expected, double low, double high)
{
    return length >= low * expected && length <= high * expected ? length : expected;
}

Vec3 human_rest_between(const HumanRest *r, Role from, Role to)
{
    int a = r->joint[from], b = r->joint[to];
    return a < 0 || b < 0 ? vec3(0, 0, 0) : vec3_sub(r->rest[b], r->rest[a]);
}

int human_rest_top(const HumanRest *r)
{
    return r->joint[ROLE_NECK] >= 0 ? r->joint[ROLE_NECK] : r->joint[ROLE_HEAD];
}

static Vec3 turned(const HumanRest *r, int joint, Vec3 v)
{
    return r->orientation ? quat_rotate(r->orientation[joint], v) : v;
}

static void place_joints(HumanRest *r)
{
    const Skeleton *s = r->skeleton;
    for (int j = 0; j < s->joint_count; j++)
        r->rest[j] = s->parent[j] < 0 ? s->offset[j]
                                      : vec3_add(r->rest[s->parent[j]], turned(r, s->parent[j], s->offset[j]));
}

/* Whether a point is more in line with the bone that ends at the joint than the joint's tip is. */
static int is_straighter(const HumanRest *r, int joint, Vec3 point)
{
    int parent = r->skeleton->parent[joint];
    Vec3 bone = parent < 0 ? vec3(0, 0, 0) : vec3_sub(r->rest[joint], r->rest[parent]);
    return vec3_dot(vec3_sub(point, r->tip[joint]), bone) > 0;
}

/* Whether the point, `length` below the joint along the bones, is its tip: of several as far, as a thumb and a hand of
 * one length, the one in line with the bone before. */
static int is_tip(const HumanRest *r, int joint, double length, Vec3 point)
{
    static const double equal = 1e-9;
    if (!(length >= r->reach[joint] * (1 - equal)))
        return 0;
    int is_first = vec3_distance(r->tip[joint], r->rest[joint]) == 0;
    return is_first || is_straighter(r, joint, point);
}

/* Finds the farthest point below each joint, from end sites and leaves up the tree. */
static void find_tips(HumanRest *r)
{
    const Skeleton *s = r->skeleton;
    skeleton_reach(s, r->reach);
    for (int j = 0; j < s->joint_count; j++)
        r->tip[j] = r->rest[j];
    for (int e = 0; e < s->end_count; e++) {
        int joint = s->end_parent[e];
        Vec3 point = vec3_add(r->rest[joint], turned(r, joint, s->end_offset[e]));
        if (is_tip(r, joint, vec3_norm(s->end_offset[e]), point))
            r->tip[joint] = point;
    }
    for (int j = s->joint_count - 1; j > 0; j--)
        if (is_tip(r, s->parent[j], vec3_norm(s->offset[j]) + r->reach[j], r->tip[j]))
            r->tip[s->parent[j]] = r->tip[j];
}

static double thigh_length(const HumanRest *r, Role hip)
{
    return vec3_norm(human_rest_between(r, hip, (Role)(hip + 1)));
}

static double shank_length(const HumanRest *r, Role hip)
{
    Role knee = (Role)(hip + 1), ankle = (Role)(hip + 2);
    if (r->joint[ankle] >= 0)
        return vec3_norm(human_rest_between(r, knee, ankle));
    return r->reach[r->joint[knee]];
}

/* A side without a knee has the leg of the other one. */
static void measure_legs(HumanRest *r, const SegmentShape *shape)
{
    double table = shape[SEGMENT_THIGH].length + shape[SEGMENT_SHANK].length;
    Role left = r->joint[ROLE_LEFT_KNEE] >= 0 ? ROLE_LEFT_HIP : ROLE_RIGHT_HIP;
    Role right = r->joint[ROLE_RIGHT_KNEE] >= 0 ? ROLE_RIGHT_HIP : ROLE_LEFT_HIP;
    r->hip_middle = vec3_scale(vec3_add(r->rest[r->joint[ROLE_LEFT_HIP]], r->rest[r->joint[ROLE_RIGHT_HIP]]), 0.5);
    r->leg = 0.5 * (thigh_length(r, left) + thigh_length(r, right) + shank_length(r, left) + shank_length(r, right));
    r->scale = r->leg / table;
}

/* From the hip joint to the ankle or the end of the leg. */
static Vec3 leg_line(const HumanRest *r, Role hip)
{
    int knee = r->joint[hip + 1], ankle = r->joint[hip + 2];
    if (knee < 0)
        return leg_line(r, role_mirror(hip));
    return vec3_sub(ankle >= 0 ? r->rest[ankle] : r->tip[knee], r->rest[r->joint[hip]]);
}

/* The first joint of the upper body found, for the direction of the trunk; without one, a point opposite the legs. */
static Vec3 upper_point(const HumanRest *r)
{
    static const Role uppers[] = {ROLE_NECK, ROLE_HEAD, ROLE_CHEST, ROLE_SPINE};
    for (size_t i = 0; i < sizeof uppers / sizeof *uppers; i++)
        if (r->joint[uppers[i]] >= 0)
            return r->rest[r->joint[uppers[i]]];
    return vec3_sub(r->hip_middle, vec3_add(leg_line(r, ROLE_LEFT_HIP), leg_line(r, ROLE_RIGHT_HIP)));
}

/* Sets body axes and `stands`: trunk up, both legs down, all within about 40 degrees of one line. */
static void judge_pose(HumanRest *r)
{
    Vec3 trunk = vec3_sub(upper_point(r), r->hip_middle);
    Vec3 left = leg_line(r, ROLE_LEFT_HIP), right = leg_line(r, ROLE_RIGHT_HIP);
    Vec3 across = human_rest_between(r, ROLE_RIGHT_HIP, ROLE_LEFT_HIP);
    r->up = vec3_normalize(trunk);
    r->stands = vec3_dot(r->up, vec3_normalize(left)) < -0.75 && vec3_dot(r->up, vec3_normalize(right)) < -0.75 &&
                fabs(vec3_dot(r->up, vec3_normalize(across))) < 0.5;
    if (!r->stands) /* axes of the hips: towards the trunk joint, across the hip joints */
        r->up = vec3_normalize(vec3_sub(r->joint[ROLE_SPINE] >= 0 ? r->rest[r->joint[ROLE_SPINE]] : upper_point(r),
                                        r->rest[r->joint[ROLE_HIPS]]));
    if (!(vec3_norm(r->up) > 0.5))
        r->up = vec3(0, 1, 0);
    r->left = vec3_normalize(vec3_mad(across, -vec3_dot(across, r->up), r->up));
    if (!(vec3_norm(r->left) > 0.5))
        r->left = vec3(1, 0, 0);
    r->front = vec3_cross(r->left, r->up);
}

/* The height of a rest position above the hip joints; only for a standing rest pose. */
static double height(const HumanRest *r, Vec3 p) { return vec3_dot(vec3_sub(p, r->hip_middle), r->up); }

/* The length along the bones from a joint up to an ancestor or the root. */
static double rise_along(const HumanRest *r, int joint, int ancestor)
{
    return skeleton_distance(r->skeleton, ancestor > 0 ? ancestor : 0, joint);
}

/* The length along the bones from the middle of the hip joints to the neck; 0 without a neck. */
static double trunk_along_bones(const HumanRest *r)
{
    int top = human_rest_top(r), first = r->joint[ROLE_SPINE] >= 0 ? r->joint[ROLE_SPINE] : r->joint[ROLE_CHEST];
    int from = first >= 0 ? first : r->joint[ROLE_HIPS];
    return top < 0 ? 0 : rise_along(r, top, from) + vec3_norm(vec3_sub(r->rest[from], r->hip_middle));
}

/* The length from the middle of the hip joints to C7: to the height of the neck joint, or of the shoulders if higher
 * (CMU's neck begins between the shoulder blades). */
static double trunk_length(const HumanRest *r)
{
    int top = human_rest_top(r), left = r->joint[ROLE_LEFT_SHOULDER], right = r->joint[ROLE_RIGHT_SHOULDER];
    double length = 0;
    if (!r->stands)
        return trunk_along_bones(r);
    if (top >= 0)
        length = height(r, r->rest[top]);
    if (left >= 0 && right >= 0)
        length = fmax(length, 0.5 * (height(r, r->rest[left]) + height(r, r->rest[right])));
    return length;
}

static double head_along_bones(const HumanRest *r)
{
    int top = human_rest_top(r), head = r->joint[ROLE_HEAD] >= 0 ? r->joint[ROLE_HEAD] : top;
    return top < 0 ? 0 : rise_along(r, head, top) + r->reach[head];
}

static double head_length(const HumanRest *r)
{
    int top = human_rest_top(r), head = r->joint[ROLE_HEAD] >= 0 ? r->joint[ROLE_HEAD] : top;
    return top >= 0 && r->stands ? height(r, r->tip[head]) - r->trunk : head_along_bones(r);
}

static double expected_trunk(const HumanRest *r, const SegmentShape *shape)
{
    return r->scale * (shape[SEGMENT_LOWER_TRUNK].length + shape[SEGMENT_MIDDLE_TRUNK].length +
                       shape[SEGMENT_UPPER_TRUNK].length);
}

double human_rest_stature(const HumanRest *r, const SegmentShape *shape)
{
    return r->ankle_height + r->leg + plausible_length(trunk_along_bones(r), expected_trunk(r, shape), 0.5, 2) +
           plausible_length(head_along_bones(r), shape[SEGMENT_HEAD].length * r->scale, 0.6, 1.5);
}

static void measure(HumanRest *r, const SegmentShape *shape)
{
    r->trunk = plausible_length(trunk_length(r), expected_trunk(r, shape), 0.5, 2);
    r->head = plausible_length(head_length(r), shape[SEGMENT_HEAD].length * r->scale, 0.6, 1.5);
    r->ankle_height = 0;
    if (r->stands && r->joint[ROLE_LEFT_ANKLE] >= 0 && r->joint[ROLE_RIGHT_ANKLE] >= 0) {
        int left = r->joint[ROLE_LEFT_ANKLE], right = r->joint[ROLE_RIGHT_ANKLE];
        r->ankle_height = 0.5 * (vec3_dot(vec3_sub(r->rest[left], r->tip[left]), r->up) +
                                 vec3_dot(vec3_sub(r->rest[right], r->tip[right]), r->up));
    }
    r->ankle_height = plausible_length(r->ankle_height, ANKLE_HEIGHT * r->leg, 0.5, 1.7);
}

Status human_rest_init(HumanRest *r, const Skeleton *skeleton, const Quat *orientation, const SegmentShape *shape,
                       Error *err)
{
    size_t joints = (size_t)skeleton->joint_count;
    *r = (HumanRest){.skeleton = skeleton, .orientation = orientation};
    r->rest = arena_array(&r->memory, joints, 1, sizeof *r->rest);
    r->tip = arena_array(&r->memory, joints, 1, sizeof *r->tip);
    r->reach = arena_array(&r->memory, joints, 1, sizeof *r->reach);
    if (r->memory.failed) {
        human_rest_free(r);
        return error_no_memory(err);
    }
    for (int k = 0; k < ROLE_COUNT; k++)
        r->joint[k] = skeleton_find_role(skeleton, (Role)k);
    place_joints(r);
    find_tips(r);
    measure_legs(r, shape);
    if (!(r->leg > 0)) {
        human_rest_free(r);
        return error_set(err, STATUS_BAD_INPUT, "the legs have no length");
    }
    judge_pose(r);
    measure(r, shape);
    return STATUS_OK;
}

void human_rest_free(HumanRest *r)
{
    if (!r)
        return;
    arena_free(&r->memory);
    *r = (HumanRest){0};
}

double body_stature(const Skeleton *skeleton)
{
    SegmentShape shape[SEGMENT_COUNT];
    HumanRest rest;
    if (!roles_are_human(skeleton))
        return 0;
    segment_shapes(SEX_MEAN, shape);
    if (human_rest_init(&rest, skeleton, NULL, shape, NULL))
        return 0;
    double height = human_rest_stature(&rest, shape);
    human_rest_free(&rest);
    return height;
}

double clip_stature(const Clip *clip)
{
    return clip->has_body && clip->body.stature > 0 ? clip->body.stature : body_stature(&clip->skeleton);
}
