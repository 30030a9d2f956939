/* Joint coordinate systems (joint_axes.h). */
#include "analysis/angles/joint_axes.h"

#include "analysis/clip/skeleton.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "analysis/retarget/limb.h"
#include "analysis/retarget/reference_pose.h"

/* Axes of a joint, given for the left side by its role, and the roles its proximal segment may have: the first present
 * one is used. */
typedef struct AxesRow {
    Role role, proximal[3];
    AxisOrder order;
    int turned; /* 1: rotates axes from palm forward to palm facing the thigh */
    signed char sign[COORDINATES_PER_JOINT];
} AxesRow;

static const AxesRow rows[] = {
    {ROLE_SPINE, {ROLE_HIPS}, AXES_ZXY, 0, {-1, 1, 1}},
    {ROLE_CHEST, {ROLE_SPINE, ROLE_HIPS}, AXES_ZXY, 0, {-1, 1, 1}},
    {ROLE_NECK, {ROLE_CHEST, ROLE_SPINE, ROLE_HIPS}, AXES_ZXY, 0, {-1, 1, 1}},
    {ROLE_LEFT_SHOULDER, {ROLE_CHEST, ROLE_SPINE, ROLE_HIPS}, AXES_YXY, 0, {1, 1, 1}},
    {ROLE_LEFT_ELBOW, {ROLE_LEFT_SHOULDER}, AXES_ZXY, 0, {1, -1, 1}},
    {ROLE_LEFT_WRIST, {ROLE_LEFT_ELBOW}, AXES_ZXY, 1, {1, 1, 1}},
    {ROLE_LEFT_HIP, {ROLE_HIPS}, AXES_ZXY, 0, {1, 1, 1}},
    {ROLE_LEFT_KNEE, {ROLE_LEFT_HIP}, AXES_ZXY, 0, {-1, 1, 1}},
    {ROLE_LEFT_ANKLE, {ROLE_LEFT_KNEE}, AXES_ZXY, 0, {1, 1, 1}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static Role role_on_side(Role role, int is_left) { return is_left ? role : role_mirror(role); }

/* The joint that moves the distal end of the role's segment: the last twist joint of a limb if there are any. */
static int far_joint(const ReferencePose *r, Role role)
{
    Role next = limb_next_role(role);
    int joint = r->joint[role], last = next == ROLE_NONE ? -1 : r->joint[next];
    if (last < 0)
        return joint;
    for (last = r->skeleton->parent[last]; last > joint && r->skeleton->segment[last] != role;)
        last = r->skeleton->parent[last];
    return last > joint ? last : joint;
}

static Role proximal_role(const ReferencePose *r, const AxesRow *row, int is_left)
{
    int joint = r->joint[role_on_side(row->role, is_left)];
    for (int i = 0; i < 3 && joint >= 0; i++) {
        Role role = role_on_side(row->proximal[i], is_left);
        if (role != ROLE_NONE && r->joint[role] >= 0 && limb_is_ancestor(r->skeleton, r->joint[role], joint))
            return role;
    }
    return ROLE_NONE;
}

/* Fills *out; returns 0 if the skeleton lacks the joint or a proximal segment. */
static int make(const NeutralPose *neutral, const AxesRow *row, int is_left, JointAxes *out)
{
    const ReferencePose *r = &neutral->from;
    Role role = role_on_side(row->role, is_left), proximal = proximal_role(r, row, is_left);
    if (proximal == ROLE_NONE)
        return 0;
    int from = far_joint(r, proximal), to = far_joint(r, role);
    Quat rotation = row->turned ? quat_from_axis_angle(vec3(0, 1, 0), is_left ? -PI / 2 : PI / 2) : QUAT_IDENTITY;
    *out = (JointAxes){.first = coordinate_of_role(role), .joint = r->joint[role], .proximal = from, .distal = to,
                       .proximal_axes = quat_mul(neutral_pose_axes(neutral, from), rotation),
                       .distal_axes = quat_mul(neutral_pose_axes(neutral, to), rotation),
                       .order = row->order, .is_left = is_left, .sign = {row->sign[0], row->sign[1], row->sign[2]}};
    return 1;
}

int joint_axes_find(const NeutralPose *neutral, JointAxes axes[COORDINATE_JOINTS])
{
    int count = 0;
    for (int is_left = 1; is_left >= 0 && neutral->has_body; is_left--)
        for (int i = 0; i < ROWS; i++) {
            int is_sided = role_mirror(rows[i].role) != rows[i].role;
            if ((is_left || is_sided) && count < COORDINATE_JOINTS)
                count += make(neutral, &rows[i], is_sided && is_left, &axes[count]);
        }
    return count;
}
