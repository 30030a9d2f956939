#include "analysis/anatomy/neutral_pose.h"

#include <stdio.h>

#include "analysis/math/elementary.h"

#define STANDING_SPEED 0.2 /* m/s, of ankle and toe in a foot that stands */
enum { STANDING_FRAMES = 5 };

/* From the first role to the second lies the bone that hangs in the neutral pose. */
static const struct {
    Role from, to, before; /* whose swing carries the segment along; ROLE_NONE: the trunk's, which is none */
} hanging[] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_NONE},          {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_HIP},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_NONE},    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, ROLE_LEFT_SHOULDER},
    {ROLE_LEFT_WRIST, ROLE_NONE, ROLE_LEFT_ELBOW},       {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_NONE},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_HIP}, {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_NONE},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, ROLE_RIGHT_SHOULDER}, {ROLE_RIGHT_WRIST, ROLE_NONE, ROLE_RIGHT_ELBOW},
};

/* Right as the hips, else the shoulders, say; up is the pose's own, that of the world where the body is no human's. */
static int find_body(NeutralPose *n)
{
    Vec3 up = quat_rotate(n->from.body, vec3(0, 1, 0));
    Vec3 right = reference_between(&n->from, ROLE_LEFT_HIP, ROLE_RIGHT_HIP);
    if (!(vec3_norm(right) > 0))
        right = reference_between(&n->from, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER);
    right = vec3_normalize(vec3_mad(right, -vec3_dot(right, up), up));
    if (!(vec3_norm(right) > 0.5))
        return 0;
    Vec3 front = vec3_cross(up, right);
    n->body = quat_from_mat3((Mat3){{{front.x, up.x, right.x}, {front.y, up.y, right.y}, {front.z, up.z, right.z}}});
    return 1;
}

static double degrees_between(Vec3 a, Vec3 b)
{
    return elementary_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)) * (180 / PI);
}

static int is_of_leg(Role role)
{
    return role == ROLE_LEFT_HIP || role == ROLE_LEFT_KNEE || role == ROLE_RIGHT_HIP || role == ROLE_RIGHT_KNEE;
}

/* World up in the axes of a foot that stands still, averaged over the frames in which ankle and toe do; zero: it never
 * does for STANDING_FRAMES. */
static Vec3 sole_normal(const ClipView *clip, int ankle, int toe)
{
    const Kinematics *k = clip->kinematics;
    Vec3 sum = {0, 0, 0};
    int count = 0;
    for (int f = 0; f < k->frame_count; f++) {
        size_t row = (size_t)f * (size_t)k->joint_count, at = row + (size_t)ankle;
        if (!k->valid[f] || vec3_norm(k->velocity[at]) > STANDING_SPEED ||
            vec3_norm(k->velocity[row + (size_t)toe]) > STANDING_SPEED)
            continue;
        sum = vec3_add(sum, quat_rotate_inverse(k->orientation[at], vec3(0, 1, 0)));
        count++;
    }
    return count < STANDING_FRAMES ? vec3(0, 0, 0) : vec3_normalize(sum);
}

/* The pose is a frame of the motion, in which a foot may be in the air. */
static void level_feet(NeutralPose *n, const ClipView *clip)
{
    static const Role feet[][2] = {{ROLE_LEFT_ANKLE, ROLE_LEFT_TOE}, {ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};
    Vec3 up = quat_rotate(n->body, vec3(0, 1, 0));
    for (int side = 0; side < 2; side++) {
        int ankle = n->from.joint[feet[side][0]], toe = n->from.joint[feet[side][1]];
        Vec3 normal = ankle < 0 ? vec3(0, 0, 0) : sole_normal(clip, ankle, toe < 0 ? ankle : toe);
        if (vec3_norm(normal) > 0)
            n->swing[feet[side][0]] = quat_between(quat_rotate(n->from.orientation[ankle], normal), up);
    }
}

Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err)
{
    *n = (NeutralPose){.off = NAN, .body = QUAT_IDENTITY};
    Status status = reference_pose_init(&n->from, clip, REFERENCE_AUTO, arena, err);
    if (status != STATUS_OK)
        return status;
    n->has_body = find_body(n);
    Vec3 down = quat_rotate(n->body, vec3(0, -1, 0));
    for (int role = 0; role < ROLE_COUNT; role++)
        n->swing[role] = QUAT_IDENTITY;
    for (size_t i = 0; i < sizeof hanging / sizeof *hanging; i++) {
        Quat before = n->swing[hanging[i].before];
        n->swing[hanging[i].from] = before;
        Vec3 bone = hanging[i].to ? reference_between(&n->from, hanging[i].from, hanging[i].to) : vec3(0, 0, 0);
        if (!(vec3_norm(bone) > 0))
            continue;
        if (is_of_leg(hanging[i].from))
            n->off = fmax(n->off, degrees_between(bone, down));
        n->swing[hanging[i].from] = quat_mul(quat_between(quat_rotate(before, bone), down), before);
    }
    if (n->from.frame >= 0 && clip->kinematics)
        level_feet(n, clip);
    return STATUS_OK;
}

Quat neutral_pose_axes(const NeutralPose *n, int joint)
{
    Quat pose = quat_mul(n->swing[n->from.skeleton->segment[joint]], n->from.orientation[joint]);
    return quat_normalize(quat_mul(quat_conjugate(pose), n->body));
}

void neutral_pose_describe(const NeutralPose *n, char *text, size_t size)
{
    if (n->from.frame >= 0)
        snprintf(text, size, "built from frame %d", n->from.frame);
    else if (n->off > NEUTRAL_NEAR)
        snprintf(text, size, "built from the rest pose (legs %.0f degrees off)", n->off);
    else
        snprintf(text, size, "rest");
}
