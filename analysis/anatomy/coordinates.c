/* See coordinates.h. */
#include "analysis/anatomy/coordinates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/contact/foot_level.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "analysis/retarget/reference_pose.h"

/* Joint coordinate systems. */

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

static Role side_of(Role role, int is_left) { return is_left ? role : role_mirror(role); }

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
    int joint = r->joint[side_of(row->role, is_left)];
    for (int i = 0; i < 3 && joint >= 0; i++) {
        Role role = side_of(row->proximal[i], is_left);
        if (role != ROLE_NONE && r->joint[role] >= 0 && limb_is_ancestor(r->skeleton, r->joint[role], joint))
            return role;
    }
    return ROLE_NONE;
}

/* Fills *out; returns 0 if the skeleton lacks the joint or a proximal segment. */
static int make(const NeutralPose *neutral, const AxesRow *row, int is_left, JointAxes *out)
{
    const ReferencePose *r = &neutral->from;
    Role role = side_of(row->role, is_left), proximal = proximal_role(r, row, is_left);
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

/* Neutral pose. */

#define FLAT_ENOUGH 0.02 /* s, weighted: a foot that is flat for longer gets its level from the motion, not from the
                            rest pose */

/* Bones that hang vertically in the neutral pose, from the first role to the second. */
static const struct {
    Role from, to, before; /* role whose swing the segment follows; ROLE_NONE: trunk, no swing */
} hanging[] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_NONE},          {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_HIP},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_NONE},    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, ROLE_LEFT_SHOULDER},
    {ROLE_LEFT_WRIST, ROLE_NONE, ROLE_LEFT_ELBOW},       {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_NONE},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_HIP}, {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_NONE},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, ROLE_RIGHT_SHOULDER}, {ROLE_RIGHT_WRIST, ROLE_NONE, ROLE_RIGHT_ELBOW},
};

/* Sets the body axes: right from the hips, otherwise the shoulders; up from the reference pose, or the world's vertical
 * for a creature. */
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

static const Role leg_roles[][3] = {{ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE},
                                    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};

/* Finds the level of both feet when flat; n->flat: the longer of both times, because that foot's level serves the other
 * too. */
static Status find_levels(NeutralPose *n, const ClipView *clip, FootLevel level[2], Arena *arena, Error *err)
{
    size_t frames = (size_t)clip->motion->frame_count;
    FootFrame *frame = arena_array(arena, frames, 1, sizeof *frame);
    FootPose *pose = arena_array(arena, frames, 1, sizeof *pose);
    double *height = arena_array(arena, frames, 1, sizeof *height);
    if (arena->failed)
        return error_no_memory(err);
    n->flat = n->from.joint[ROLE_LEFT_ANKLE] < 0 && n->from.joint[ROLE_RIGHT_ANKLE] < 0 ? INFINITY : 0;
    for (int side = 0; side < 2; side++) {
        const int *joint = n->from.joint;
        int ankle = joint[leg_roles[side][1]], toe = joint[leg_roles[side][2]];
        const int joints[] = {joint[leg_roles[side][0]], ankle, toe < 0 ? ankle : toe};
        level[side] = (FootLevel){.rest = 0};
        if (ankle < 0)
            continue;
        level[side] = foot_level_of_clip(clip, joints, frame, pose, height);
        n->flat = fmax(n->flat, level[side].rest);
    }
    foot_levels_settle(level, 2);
    return STATUS_OK;
}

/* Levels feet and toes as they are when flat on the ground, if they are so for more than `least` seconds. */
static Status level_feet(NeutralPose *n, const ClipView *clip, double least, Arena *arena, Error *err)
{
    FootLevel level[2];
    Vec3 up = quat_rotate(n->body, vec3(0, 1, 0));
    Status status = find_levels(n, clip, level, arena, err);
    for (int side = 0; side < 2 && !status; side++) {
        int ankle = n->from.joint[leg_roles[side][1]], toe = n->from.joint[leg_roles[side][2]];
        if (level[side].rest <= least)
            continue;
        Quat swing = quat_between(quat_rotate(n->from.orientation[ankle], level[side].up), up);
        n->swing[leg_roles[side][1]] = swing;
        if (toe >= 0) {
            Quat foot = quat_mul(quat_mul(swing, n->from.orientation[ankle]), quat_conjugate(level[side].toe));
            n->swing[leg_roles[side][2]] = quat_normalize(quat_mul(foot, quat_conjugate(n->from.orientation[toe])));
        }
    }
    return status;
}

/* Computes the swings that make the bones of arms and legs hang. */
static void hang_limbs(NeutralPose *n)
{
    Vec3 down = quat_rotate(n->body, vec3(0, -1, 0));
    for (int role = 0; role < ROLE_COUNT; role++)
        n->swing[role] = QUAT_IDENTITY;
    for (size_t i = 0; i < sizeof hanging / sizeof *hanging; i++) {
        Quat before = n->swing[hanging[i].before];
        n->swing[hanging[i].from] = before;
        Vec3 bone = hanging[i].to ? reference_between(&n->from, hanging[i].from, hanging[i].to) : vec3(0, 0, 0);
        if (!(vec3_norm(bone) > 0))
            continue;
        if (role_is_leg(hanging[i].from))
            n->off = fmax(n->off, degrees_between(bone, down));
        n->swing[hanging[i].from] = quat_mul(quat_between(quat_rotate(before, bone), down), before);
    }
}

static Status build(NeutralPose *n, const ClipView *clip, int reference, Arena *arena, Error *err)
{
    *n = (NeutralPose){.off = NAN, .body = QUAT_IDENTITY};
    Status status = reference_pose_init(&n->from, clip, reference, arena, err);
    if (status)
        return status;
    n->has_body = find_body(n);
    hang_limbs(n);
    double least = n->from.frame < 0 ? FLAT_ENOUGH : 0;
    int is_seen = n->from.is_human && clip->motion && clip->motion->frame_count > 0;
    return is_seen ? level_feet(n, clip, least, arena, err) : STATUS_OK;
}

Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err)
{
    return build(n, clip, REFERENCE_AUTO, arena, err);
}

Status neutral_pose_of_motion(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err)
{
    return build(n, clip, REFERENCE_MEAN, arena, err);
}

Status neutral_pose_of_orientations(NeutralPose *n, const ClipView *clip, const Quat *orientation, Arena *arena,
                                    Error *err)
{
    *n = (NeutralPose){.off = NAN, .flat = INFINITY, .body = QUAT_IDENTITY};
    Status status = reference_pose_of_orientations(&n->from, clip, orientation, arena, err);
    if (status)
        return status;
    n->has_body = find_body(n);
    hang_limbs(n);
    return STATUS_OK;
}

Quat neutral_pose_axes(const NeutralPose *n, int joint)
{
    Quat pose = quat_mul(n->swing[n->from.skeleton->segment[joint]], n->from.orientation[joint]);
    return quat_normalize(quat_mul(quat_conjugate(pose), n->body));
}

/* The rotation that makes the trunk upright. */
static Quat trunk_swing(const NeutralPose *n)
{
    Role top = n->from.joint[ROLE_NECK] >= 0 ? ROLE_NECK : ROLE_HEAD;
    Vec3 left = reference_between(&n->from, ROLE_LEFT_HIP, top);
    Vec3 trunk = vec3_add(left, reference_between(&n->from, ROLE_RIGHT_HIP, top));
    return vec3_norm(trunk) > 0 ? quat_between(trunk, quat_rotate(n->body, vec3(0, 1, 0))) : QUAT_IDENTITY;
}

void neutral_pose_orientations(const NeutralPose *n, Quat *orientation)
{
    const Skeleton *s = n->from.skeleton;
    Quat upright = trunk_swing(n);
    for (int j = 0; j < s->joint_count; j++) {
        Role role = s->segment[j];
        Quat swing = role < ROLE_LEFT_SHOULDER || role == ROLE_RIGHT_CLAVICLE ? upright : n->swing[role];
        orientation[j] = quat_normalize(quat_mul(swing, n->from.orientation[j]));
    }
}

/* The angle between trunk and pelvis takes about half of a bend at the hips. */
NeutralDoubt neutral_pose_doubt(const NeutralPose *n)
{
    NeutralDoubt doubt = {0, 0};
    if (n->from.frame < 0 || !n->from.is_human)
        return doubt;
    doubt.trunk = 0.5 * fmax(0, n->from.bend - NEUTRAL_BEND);
    doubt.foot = n->flat < NEUTRAL_FLAT ? NEUTRAL_FOOT * (1 - n->flat / NEUTRAL_FLAT) : 0;
    return doubt;
}

void neutral_pose_warn(const NeutralDoubt *doubt, char *text, size_t size)
{
    int is_trunk = doubt->trunk > NEUTRAL_WARNED, is_foot = doubt->foot > NEUTRAL_WARNED;
    *text = 0;
    if (!is_trunk && !is_foot)
        return;
    snprintf(text, size, "%s%s%s: the neutral pose may be off by %.0f degrees",
             is_trunk ? "the body stands upright nowhere in the clip" : "", is_trunk && is_foot ? ", and " : "",
             is_foot ? "no frame shows a foot flat and still on the ground" : "",
             fmax(doubt->trunk, doubt->foot) * (180 / PI));
}

#define FROM_FRAME "built from frame %d"

void neutral_pose_describe(const NeutralPose *n, char *text, size_t size)
{
    if (n->from.frame >= 0)
        snprintf(text, size, FROM_FRAME, n->from.frame);
    else if (n->off > NEUTRAL_NEAR)
        snprintf(text, size, "built from the rest pose (legs %.0f degrees off)", n->off);
    else
        snprintf(text, size, "rest");
}

void neutral_pose_move_frames(char *text, size_t size, int first, int frame_count)
{
    int frame;
    if (sscanf(text, FROM_FRAME, &frame) != 1)
        return;
    if (frame >= first && frame - first < frame_count)
        snprintf(text, size, FROM_FRAME, frame - first);
    else
        snprintf(text, size, "built from a frame that was cut off");
}

/* Functional knee axis. */

#define DEGREE (PI / 180)

/* Range of the knee's flexion about its geometric axis, rad. */
static Status find_range(const Kinematics *k, const JointAxes *knee, double *range, Error *err)
{
    Anatomy a = {0};
    JointAxesSet alone = {.count = 1, .joint = {*knee}};
    double least = INFINITY, most = -INFINITY;
    Status status = coordinates_compute(&alone, k, NULL, &a, err);
    for (int f = 0; f < a.frame_count; f++) {
        double angle = a.angle[anatomy_index(&a, f, 0)];
        if (!k->valid[f] || !isfinite(angle))
            continue;
        least = fmin(least, angle);
        most = fmax(most, angle);
    }
    *range = most - least;
    anatomy_free(&a);
    return status;
}

/* Sum over the frames of omega omega', omega the angular velocity of the shank relative to the thigh, in axes of the
 * thigh. */
static Mat3 velocity_squares(const Kinematics *k, const JointAxes *knee)
{
    Mat3 sum = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int f = 0; f < k->frame_count; f++) {
        size_t row = (size_t)f * (size_t)k->joint_count;
        size_t thigh = row + (size_t)knee->proximal, shank = row + (size_t)knee->distal;
        if (!k->valid[f])
            continue;
        Vec3 omega = vec3_sub(k->angular_velocity[shank], k->angular_velocity[thigh]);
        omega = quat_rotate_inverse(quat_mul(k->orientation[thigh], knee->proximal_axes), omega);
        sum = mat3_add(sum, mat3_outer(omega, omega));
    }
    return sum;
}

static double trace(Mat3 m) { return m.r[0].x + m.r[1].y + m.r[2].z; }

/* The eigenvector of the largest eigenvalue, by repeated squaring of the matrix. */
static Vec3 main_direction(Mat3 m)
{
    for (int i = 0; i < 16; i++) {
        m = mat3_scale(m, 1 / trace(m));
        m = mat3_product(m, m);
    }
    Vec3 column = m.r[0]; /* symmetric: rows equal columns */
    for (int i = 1; i < 3; i++)
        if (vec3_norm(m.r[i]) > vec3_norm(column))
            column = m.r[i];
    return vec3_normalize(column);
}

Status knee_axis_find(const Kinematics *kinematics, double least_fraction, JointAxes *knee, int *found, Error *err)
{
    double range;
    *found = 0;
    Status status = find_range(kinematics, knee, &range, err);
    if (status || !(range >= KNEE_LEAST_RANGE * DEGREE))
        return status;
    Mat3 squares = velocity_squares(kinematics, knee);
    Vec3 axis = main_direction(squares);
    if (axis.z < 0)
        axis = vec3_neg(axis);
    double fraction = vec3_dot(axis, mat3_mul(squares, axis)) / trace(squares);
    if (!(fraction >= least_fraction) || !(axis.z >= elementary_cos(KNEE_MOST_TILT * DEGREE)))
        return STATUS_OK;
    Quat about = quat_from_axis_angle(vec3(0, 1, 0), elementary_atan2(axis.x, axis.z));
    Quat tilt = quat_from_axis_angle(vec3(1, 0, 0), -elementary_asin(axis.y));
    knee->proximal_axes = quat_mul(knee->proximal_axes, quat_mul(about, tilt));
    knee->distal_axes = quat_mul(knee->distal_axes, about);
    *found = 1;
    return STATUS_OK;
}

/* Mirroring a left joint reverses rotations about x and y but not about z. It does not change the angle between two
 * directions, which the shoulder's elevation is. */
static CoordinateJoint kernel_joint(const JointAxes *axes)
{
    int is_shoulder = axes->order == AXES_YXY;
    CoordinateJoint joint = {.joint = (size_t)axes->joint, .proximal = (size_t)axes->proximal,
                             .distal = (size_t)axes->distal, .proximal_axes = axes->proximal_axes,
                             .distal_axes = axes->distal_axes, .is_shoulder = is_shoulder,
                             .mirror = axes->is_left ? -1 : 1};
    const int turns_round[2][COORDINATES_PER_JOINT] = {{0, 1, 1}, {1, 0, 1}};
    for (int k = 0; k < COORDINATES_PER_JOINT; k++) {
        joint.angle_sign[k] = axes->sign[k];
        joint.axis_sign[k] = axes->sign[k] * (axes->is_left && turns_round[is_shoulder][k] ? -1 : 1);
    }
    return joint;
}

/* Standard deviations of the moments from the torques' covariances; the axes are treated as exact. */
static void fill_moment_sd(const Dynamics *d, const Vec3 *axis, Anatomy *out)
{
    for (int f = 0; f < out->frame_count; f++)
        for (int i = 0; i < out->coordinate_count; i++) {
            size_t at = anatomy_index(out, f, i), j = (size_t)f * (size_t)d->joint_count + (size_t)out->joint[i];
            out->moment_sd[at] = torque_sd_along(d->torque_sd[j], d->torque_correlation[j], axis[at]);
        }
}

/* Allocates standard deviations of the moments if the torques have covariances, and the axes they require if these are
 * not kept. */
static Status add_spread(const Dynamics *dynamics, Anatomy *out, Vec3 **axis, Error *err)
{
    *axis = out->axis;
    if (!dynamics || !dynamics->torque_sd)
        return STATUS_OK;
    if (!*axis && !(*axis = array_new((size_t)out->frame_count, (size_t)out->coordinate_count, sizeof **axis)))
        return error_no_memory(err);
    return anatomy_add_spread(out, err);
}

Status coordinates_compute(const JointAxesSet *axes, const Kinematics *kinematics, const Dynamics *dynamics,
                           Anatomy *out, Error *err)
{
    CoordinateJoint joint[COORDINATE_JOINTS];
    Vec3 *axis;
    Status status = anatomy_init(out, kinematics->frame_count, axes->count * COORDINATES_PER_JOINT,
                                 axes->keep_axes, err);
    if (status || axes->count == 0 || kinematics->frame_count == 0)
        return status;
    for (int i = 0; i < axes->count; i++) {
        joint[i] = kernel_joint(&axes->joint[i]);
        for (int k = 0; k < COORDINATES_PER_JOINT; k++) {
            out->coordinate[COORDINATES_PER_JOINT * i + k] = (Coordinate)((int)axes->joint[i].first + k);
            out->joint[COORDINATES_PER_JOINT * i + k] = axes->joint[i].joint;
        }
    }
    status = add_spread(dynamics, out, &axis, err);
    if (status) {
        if (axis != out->axis)
            free(axis);
        return status;
    }
    CoordinatesView view = {
        .frame_count = (size_t)kinematics->frame_count, .joint_count = (size_t)kinematics->joint_count,
        .axes_count = (size_t)axes->count, .axes = joint, .least_sine = elementary_sin(SINGULAR_NEAR * (PI / 180)),
        .orientation = kinematics->orientation, .angular_velocity = kinematics->angular_velocity,
        .torque = dynamics ? dynamics->torque : NULL, .angle = out->angle, .velocity = out->velocity,
        .moment = out->moment, .power = out->power, .axis = axis, .singular = out->singular};
    LaneWidth width = lane_width_for_frames(axes->lanes, kinematics->frame_count);
    LANE_TWIN(coordinates_frames, width)(&view);
    if (dynamics && out->moment_sd)
        fill_moment_sd(dynamics, axis, out);
    if (axis != out->axis)
        free(axis);
    return STATUS_OK;
}

/* Pelvis and arms in the convention of OpenSim's Rajagopal (2016) model. */

/* Rz(tilt) Rx(list) Ry(rotation) from axes of the pelvis to the world's, and the moment about each axis. */
static void rotate_pelvis(Quat axes, Vec3 torque, Vec3 *angle, Vec3 *moment)
{
    Vec3 x = quat_rotate(axes, vec3(1, 0, 0)), y = quat_rotate(axes, vec3(0, 1, 0));
    Vec3 z = quat_rotate(axes, vec3(0, 0, 1)), second = vec3_cross(y, vec3(0, 0, 1));
    double sine = vec3_norm(second);
    *moment = vec3(torque.z, vec3_dot(torque, vec3_normalize(second)), vec3_dot(torque, y));
    *angle = vec3(NAN, NAN, NAN);
    if (sine >= elementary_sin(SINGULAR_NEAR * (PI / 180)))
        *angle = vec3(elementary_atan2(-y.x, y.y), elementary_atan2(y.z, sine), elementary_atan2(-x.z, z.z));
}

static Status find_pelvis(OpensimPose *pose, const NeutralPose *neutral, const ClipView *clip,
                          const Dynamics *dynamics, Error *err)
{
    const Kinematics *k = clip->kinematics;
    pose->pelvis = neutral->has_body ? neutral->from.joint[ROLE_HIPS] : -1;
    if (pose->pelvis < 0)
        return STATUS_OK;
    pose->pelvis_angle = array_new((size_t)pose->frame_count, 1, sizeof *pose->pelvis_angle);
    pose->pelvis_moment = array_new((size_t)pose->frame_count, 1, sizeof *pose->pelvis_moment);
    if (!pose->pelvis_angle || !pose->pelvis_moment)
        return error_no_memory(err);
    Quat axes = neutral_pose_axes(neutral, pose->pelvis);
    for (int f = 0; f < pose->frame_count; f++) {
        size_t at = (size_t)f * (size_t)k->joint_count + (size_t)pose->pelvis;
        rotate_pelvis(quat_mul(k->orientation[at], axes), dynamics ? dynamics->torque[at] : vec3(0, 0, 0),
                      &pose->pelvis_angle[f], &pose->pelvis_moment[f]);
    }
    return STATUS_OK;
}

/* Keeps the shoulders only, with the rotation sequence of the hips. */
static void keep_arms(JointAxesSet *axes)
{
    int count = 0;
    for (int i = 0; i < axes->count; i++) {
        JointAxes arm = axes->joint[i];
        if (arm.order != AXES_YXY)
            continue;
        arm.order = AXES_ZXY;
        axes->joint[count++] = arm;
    }
    axes->count = count;
}

Status opensim_pose_init(OpensimPose *pose, const ClipView *clip, const Dynamics *dynamics, Error *err)
{
    Arena arena = {0};
    NeutralPose neutral;
    JointAxesSet axes = {0};
    *pose = (OpensimPose){.frame_count = clip->kinematics->frame_count, .pelvis = -1};
    Status status = neutral_pose_init(&neutral, clip, &arena, err);
    if (!status)
        status = find_pelvis(pose, &neutral, clip, dynamics, err);
    if (!status) {
        axes.count = joint_axes_find(&neutral, axes.joint);
        keep_arms(&axes);
        status = coordinates_compute(&axes, clip->kinematics, dynamics, &pose->arms, err);
    }
    arena_free(&arena);
    if (status)
        opensim_pose_free(pose);
    return status;
}

void opensim_pose_free(OpensimPose *pose)
{
    free(pose->pelvis_angle);
    free(pose->pelvis_moment);
    anatomy_free(&pose->arms);
    *pose = (OpensimPose){.pelvis = -1};
}
