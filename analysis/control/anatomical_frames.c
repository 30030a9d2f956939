/* See anatomical_frames.h. */
#include "analysis/control/anatomical_frames.h"

#include "analysis/angles/neutral_pose.h"
#include "analysis/math/elementary.h"

#define ARM_ABDUCTION (PI / 4) /* rad, of an upper arm at zero */

static int is_left(Role role) { return role >= ROLE_LEFT_CLAVICLE && role <= ROLE_LEFT_TOE; }
static int is_right(Role role) { return role >= ROLE_RIGHT_CLAVICLE && role <= ROLE_RIGHT_TOE; }

RollPitchYaw anatomical_to_turn(Role role, AnatomicalAngles a)
{
    return (RollPitchYaw){a.flexion, is_left(role) ? a.abduction : -a.abduction,
                          is_right(role) ? a.rotation : -a.rotation};
}

AnatomicalAngles anatomical_from_turn(Role role, RollPitchYaw t)
{
    return (AnatomicalAngles){t.roll, is_left(role) ? t.pitch : -t.pitch, is_right(role) ? t.yaw : -t.yaw};
}

/* Anatomical axes are x forward, y up, z right; those of the decomposition x down, y forward, z right. */
static void set_joint(AnatomicalFrames *f, const NeutralPose *n, const LumpedBody *lumped, int joint)
{
    int above = lumped->skeleton.parent[joint];
    Role role = n->from.skeleton->role[lumped->source[joint]];
    if (above < 0 || role == ROLE_NONE || !n->has_body)
        return;
    Quat turn = quat_from_axis_angle(vec3(0, 0, 1), -PI / 2), zero = QUAT_IDENTITY;
    if (role == ROLE_LEFT_SHOULDER || role == ROLE_RIGHT_SHOULDER)
        zero = quat_from_axis_angle(vec3(1, 0, 0), role == ROLE_LEFT_SHOULDER ? -ARM_ABDUCTION : ARM_ABDUCTION);
    f->role[joint] = role;
    f->parent[joint] = quat_mul(neutral_pose_axes(n, lumped->source[above]), turn);
    f->own[joint] = quat_mul(quat_mul(neutral_pose_axes(n, lumped->source[joint]), zero), turn);
}

Status anatomical_frames_init(AnatomicalFrames *f, const LumpedBody *lumped, const ClipView *clip, Error *err)
{
    NeutralPose n;
    Arena scratch = {0};
    size_t joints = (size_t)lumped->skeleton.joint_count;
    *f = (AnatomicalFrames){.joint_count = lumped->skeleton.joint_count};
    f->role = arena_array(&f->memory, joints, 1, sizeof *f->role);
    f->parent = arena_array(&f->memory, joints, 1, sizeof *f->parent);
    f->own = arena_array(&f->memory, joints, 1, sizeof *f->own);
    Status status = f->memory.failed ? error_no_memory(err) : neutral_pose_init(&n, clip, &scratch, err);
    for (int j = 0; !status && j < f->joint_count && n.from.is_human; j++)
        set_joint(f, &n, lumped, j);
    arena_free(&scratch);
    return status;
}

void anatomical_frames_free(AnatomicalFrames *f)
{
    arena_free(&f->memory);
    *f = (AnatomicalFrames){0};
}

Quat anatomical_rotation(const AnatomicalFrames *f, int joint, AnatomicalAngles angles)
{
    Quat turn = roll_pitch_yaw_to_quat(anatomical_to_turn(f->role[joint], angles));
    return quat_mul(quat_mul(f->parent[joint], turn), quat_conjugate(f->own[joint]));
}

AnatomicalAngles anatomical_angles(const AnatomicalFrames *f, int joint, Quat q)
{
    Quat turn = quat_mul(quat_mul(quat_conjugate(f->parent[joint]), q), f->own[joint]);
    return anatomical_from_turn(f->role[joint], roll_pitch_yaw_from_quat(turn));
}
