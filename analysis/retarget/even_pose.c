/* See even_pose.h. */
#include "analysis/retarget/even_pose.h"

#include "analysis/contact/foot_level.h"
#include "analysis/motion/mirror.h"
#include "analysis/retarget/limb_twist.h"

#define UPRIGHT 0.866     /* cosine between the body's and the world's up above which hips are made level */
#define SAME_SIDES 0.02   /* leg lengths: largest difference of left and right offsets of a symmetric body */
#define FLAT_ENOUGH 0.02  /* s, weighted: a foot that is flat for longer is levelled by the motion */

/* Mean of two rotations close to each other. */
static Quat middle_rotation(Quat a, Quat b)
{
    b = quat_nearest(b, a);
    return quat_normalize((Quat){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z});
}

/* Makes the local rotations below the root symmetric, a joint and its counterpart at once. */
static void even_rotations(ReferencePose *r, const Mirror *m)
{
    for (int j = 1; j < m->joint_count; j++) {
        int other = m->pair[j];
        if (other < j)
            continue;
        Quat image = mirror_rotation(m, r->skeleton, r->local, j),
             back = mirror_rotation(m, r->skeleton, r->local, other);
        r->local[j] = middle_rotation(r->local[j], image);
        if (other > j)
            r->local[other] = middle_rotation(r->local[other], back);
    }
}

/* Rotates the root so that the line between the hips is level. */
static void level_hips(ReferencePose *r)
{
    Vec3 left = vec3_normalize(reference_between(r, ROLE_RIGHT_HIP, ROLE_LEFT_HIP));
    r->local[0] = quat_normalize(quat_mul(quat_between(left, vec3_normalize(vec3(left.x, 0, left.z))), r->local[0]));
}

/* m: how far the joints are from those of a mirrored body; ends may point anywhere. */
static double find_asymmetry(const Mirror *m, const Skeleton *s)
{
    double max = 0;
    for (int j = 1; j < s->joint_count; j++)
        max = fmax(max, vec3_distance(s->offset[j], mirror_local(m, s->parent[j], s->offset[m->pair[j]])));
    return max;
}

/* Makes the pose of a symmetric skeleton its own mirror image, with level hips. */
static Status mirror_pose(ReferencePose *r, const Motion *motion, Error *err)
{
    Mirror mirror;
    Error none = {0};
    Status status = mirror_init(&mirror, r->skeleton, motion, &none);
    if (status)
        return status == STATUS_BAD_INPUT ? STATUS_OK : error_no_memory(err);
    if (find_asymmetry(&mirror, r->skeleton) < SAME_SIDES * r->leg) {
        even_rotations(r, &mirror);
        reference_pose_place(r, motion);
        if (quat_rotate(r->body, vec3(0, 1, 0)).y > UPRIGHT) {
            level_hips(r);
            reference_pose_place(r, motion);
        }
    }
    mirror_free(&mirror);
    return STATUS_OK;
}

static const Role leg_roles[][3] = {{ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE},
                                    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};

/* Measures both feet in the motion, as flat on the ground as it and their bones show them. */
static Status find_levels(const ReferencePose *r, const Motion *motion, FootLevel level[2], Error *err)
{
    size_t frames = (size_t)motion->frame_count;
    ClipView clip = {.skeleton = r->skeleton, .motion = motion};
    Arena arena = {0};
    FootFrame *frame = arena_array(&arena, frames, 1, sizeof *frame);
    FootPose *pose = arena_array(&arena, frames, 1, sizeof *pose);
    double *height = arena_array(&arena, frames, 1, sizeof *height);
    for (int side = 0; side < 2 && !arena.failed; side++) {
        int ankle = r->joint[leg_roles[side][1]], toe = r->joint[leg_roles[side][2]];
        const int joints[] = {r->joint[leg_roles[side][0]], ankle, toe < 0 ? ankle : toe};
        if (ankle <= 0)
            continue;
        level[side] = foot_level_of_clip(&clip, joints, frame, pose, height);
        if (toe >= 0 && r->skeleton->parent[toe] == ankle)
            level[side].reach = r->skeleton->offset[toe];
    }
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    foot_levels_settle(level, 2);
    return status;
}

/* Axes of a foot on its joint: left, up, front; the identity if the front is not known. */
static int foot_axes(const FootLevel *l, Quat *axes)
{
    Vec3 front = vec3_mad(l->reach, -vec3_dot(l->reach, l->up), l->up);
    if (!(vec3_norm(front) > 0))
        return 0;
    front = vec3_normalize(front);
    Vec3 left = vec3_cross(l->up, front);
    *axes = quat_from_mat3((Mat3){{{left.x, l->up.x, front.x}, {left.y, l->up.y, front.y},
                                   {left.z, l->up.z, front.z}}});
    return 1;
}

/* Levels both feet and points them forward: how a frame turns a foot is not the body's. A foot without toes keeps its
 * heading; one that is never upright, its world orientation. */
static Status level_feet(ReferencePose *r, const Motion *motion, const Quat foot[2], Error *err)
{
    FootLevel level[2] = {{.rest = 0}};
    Vec3 up = quat_rotate(r->body, vec3(0, 1, 0));
    Status status = find_levels(r, motion, level, err);
    for (int side = 0; side < 2 && !status; side++) {
        int ankle = r->joint[leg_roles[side][1]], toe = r->joint[leg_roles[side][2]];
        Quat flat = foot[side], axes;
        if (ankle <= 0)
            continue;
        if (level[side].rest > 0 && foot_axes(&level[side], &axes))
            flat = quat_mul(r->body, quat_conjugate(axes));
        else if (level[side].rest > FLAT_ENOUGH)
            flat = quat_mul(quat_between(quat_rotate(foot[side], level[side].up), up), foot[side]);
        r->local[ankle] = quat_normalize(quat_mul(quat_conjugate(r->orientation[r->skeleton->parent[ankle]]), flat));
        if (level[side].rest > FLAT_ENOUGH && toe >= 0 && r->skeleton->parent[toe] == ankle)
            r->local[toe] = quat_conjugate(level[side].toe);
    }
    return status;
}

Status even_pose(ReferencePose *r, const Motion *motion, Error *err)
{
    if (r->frame < 0 || !r->is_human)
        return STATUS_OK;
    int left = r->joint[ROLE_LEFT_ANKLE], right = r->joint[ROLE_RIGHT_ANKLE];
    const Quat foot[2] = {r->orientation[left < 0 ? 0 : left], r->orientation[right < 0 ? 0 : right]};
    Status status = mirror_pose(r, motion, err);
    if (status)
        return status;
    limb_twist_trunk(r, motion);
    reference_pose_place(r, motion);
    limb_twist_set(r, motion);
    reference_pose_place(r, motion);
    status = level_feet(r, motion, foot, err);
    reference_pose_place(r, motion);
    return status;
}
