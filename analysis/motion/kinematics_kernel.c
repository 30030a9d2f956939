/* Kernels of motions, one frame, channel or joint per lane: forward kinematics (kinematics.h), differences on
 * rotations and along the segments for a tile of frames, Euler channels to quaternions (quat.h), normalisation, and
 * differences of rotations for flicker. */
#include "analysis/math/elementary.h"
#include "analysis/math/lanes.h"
#include "analysis/math/quat.h"
#include "analysis/motion/kinematics.h"

/* Forward kinematics of a block of frames, one frame per lane. */

typedef struct LanePose {
    LaneQuat orientation;
    LaneVec3 position;
} LanePose;

_Static_assert(sizeof(LanePose) == FORWARD_KINEMATICS_SCRATCH * sizeof(Lane), "the caller allocates the scratch");

/* com += mass_fraction (p + Q c Q*), c in joint axes */
LANE_INLINE LaneVec3 add_mass(LaneVec3 com, double mass_fraction, LanePose pose, Vec3 centre)
{
    LaneVec3 at = lane_vec3_add(pose.position, lane_quat_rotate(pose.orientation, lane_vec3_set(centre)));
    return lane_vec3_add(com, lane_vec3_scale(at, lane_set(mass_fraction)));
}

LANE_INLINE LanePose pose_joint(const ForwardKinematicsView *v, const LanePose *pose, size_t j, size_t at)
{
    size_t joints = v->joint_count;
    LaneQuat q = lane_load4(v->rotation + at, joints);
    LanePose parent = pose[v->parent[j]];
    LaneVec3 l = v->translation ? lane_load3(v->translation + at, joints) : lane_vec3_set(v->offset[j]);
    return (LanePose){lane_quat_mul(parent.orientation, q),
                      lane_vec3_add(parent.position, lane_quat_rotate(parent.orientation, l))};
}

static void pose_block(const ForwardKinematicsView *v, size_t first)
{
    LanePose *pose = (LanePose *)v->scratch;
    LaneVec3 com = lane_vec3_set((Vec3){0, 0, 0});
    for (size_t j = 0; j < v->joint_count; j++) {
        size_t at = first * v->joint_count + j;
        if (j == 0)
            pose[0] = (LanePose){lane_load4(v->rotation + at, v->joint_count), lane_load3(v->root_position + first, 1)};
        else
            pose[j] = pose_joint(v, pose, j, at);
        lane_store4(v->orientation + at, v->joint_count, pose[j].orientation);
        lane_store3(v->position + at, v->joint_count, pose[j].position);
        if (v->mass_fraction && v->mass_fraction[j] != 0)
            com = add_mass(com, v->mass_fraction[j], pose[j], v->mass_centre[j]);
    }
    if (v->mass_fraction)
        lane_store3(v->com + first, 1, com);
}

void LANE_NAME(forward_kinematics_frames)(const ForwardKinematicsView *view, size_t first, size_t end)
{
    for (size_t f = first; f < end; f += LANES)
        pose_block(view, lane_block(f, view->frame_count));
}

/* One joint of a block of frames, from the joint up to the root. */
static void path_block(const JointPathView *v, size_t first)
{
    size_t stride = v->joint_count, row = first * stride;
    LaneQuat rotation = lane_load4(v->rotation + row + v->joint, stride);
    LaneVec3 position = lane_vec3_set((Vec3){0, 0, 0});
    for (int j = v->joint; v->parent[j] >= 0; j = v->parent[j]) {
        LaneQuat above = lane_load4(v->rotation + row + v->parent[j], stride);
        LaneVec3 arm = v->translation ? lane_load3(v->translation + row + j, stride) : lane_vec3_set(v->offset[j]);
        position = lane_quat_rotate(above, lane_vec3_add(position, arm));
        rotation = lane_quat_mul(above, rotation);
    }
    lane_store3(v->position + first, 1, lane_vec3_add(position, lane_load3(v->root_position + first, 1)));
    lane_store4(v->orientation + first, 1, rotation);
}

void LANE_NAME(joint_path_frames)(const JointPathView *view)
{
    for (size_t f = 0; f < view->frame_count; f += LANES)
        path_block(view, lane_block(f, view->frame_count));
}

/* First and second derivatives. */
typedef struct LaneRates {
    LaneVec3 first, second;
} LaneRates;

/* A joint in world axes: centre, its derivatives, and those of its orientation. */
typedef struct DifferenceLane {
    LaneVec3 position, velocity, acceleration, omega, alpha;
} DifferenceLane;

_Static_assert(sizeof(DifferenceLane) == DIFFERENCE_SCRATCH * sizeof(Lane), "the caller allocates the scratch");

/* Steps of one channel, [xyz][DIFFERENCE_STEPS]. Step s leads from frame s - 1 to frame s and has index s - first + 1,
 * where first is the first frame of the tile. */
LANE_INLINE double *channel_steps(const DifferenceView *v, size_t channel)
{
    return v->step + channel * 3 * DIFFERENCE_STEPS;
}

LANE_INLINE void steps_store(double *step, size_t at, LaneVec3 a)
{
    lane_store_row(step + at, a.x);
    lane_store_row(step + DIFFERENCE_STEPS + at, a.y);
    lane_store_row(step + 2 * DIFFERENCE_STEPS + at, a.z);
}

LANE_INLINE LaneVec3 steps_load(const double *step, size_t at)
{
    return (LaneVec3){lane_load_row(step + at), lane_load_row(step + DIFFERENCE_STEPS + at),
                      lane_load_row(step + 2 * DIFFERENCE_STEPS + at)};
}

/* 2 log(Q_s Q_(s-1)*) / dt    (thesis 3.47) */
LANE_INLINE LaneVec3 rotation_step(const DifferenceView *v, size_t joint, size_t s)
{
    const Quat *q = v->orientation + s * v->joint_count + joint;
    LaneQuat after = lane_load4(q, v->joint_count), before = lane_load4(q - v->joint_count, v->joint_count);
    LaneVec3 half_angle = lane_quat_log(lane_quat_mul(after, lane_quat_conjugate(before)));
    return lane_vec3_scale(half_angle, lane_set(2 * v->rate));
}

/* (x_s - x_(s-1)) / dt of points `stride` elements apart between frames */
LANE_INLINE LaneVec3 linear_step(const DifferenceView *v, const Vec3 *x, size_t stride, size_t s)
{
    LaneVec3 after = lane_load3(x + s * stride, stride), before = lane_load3(x + (s - 1) * stride, stride);
    return lane_vec3_scale(lane_vec3_sub(after, before), lane_set(v->rate));
}

/* Extrapolates the rates linearly to steps that begin or end outside the clip. */
static void extend_steps(const DifferenceView *v, size_t first, size_t end, double *step)
{
    if (v->frame_count < 2)
        return;
    size_t inner = v->frame_count > 2;     /* index difference to the step that gives the slope */
    size_t last = v->frame_count - first;  /* index of the clip's last step */
    for (size_t c = 0; c < 3; c++, step += DIFFERENCE_STEPS) {
        for (size_t at = first < 2 ? 2 - first : 0; at > 0; at--) /* the clip's step 1 has index 2 - first */
            step[at - 1] = step[at] + (step[2 - first] - step[2 - first + inner]);
        if (end == v->frame_count)
            step[last + 1] = step[last] + (step[last] - step[last - inner]);
    }
}

/* Computes the steps required by frames first .. end - 1: of first - 1 .. end those that exist. */
static void fill_steps(const DifferenceView *v, size_t first, size_t end)
{
    size_t joints = v->joint_count, last = end < v->frame_count ? end : v->frame_count - 1;
    size_t channels = v->translation ? 2 * joints : joints + 1;
    for (size_t s = first > 1 ? first - 1 : 1; s <= last; s += LANES) {
        size_t at = lane_block(s, v->frame_count), slot = at - first + 1;
        for (size_t j = 0; j < joints; j++)
            steps_store(channel_steps(v, j), slot, rotation_step(v, j, at));
        steps_store(channel_steps(v, joints), slot, linear_step(v, v->root_position, 1, at));
        for (size_t j = 1; v->translation && j < joints; j++)
            steps_store(channel_steps(v, joints + j), slot, linear_step(v, v->translation + j, joints, at));
    }
    for (size_t c = 0; c < channels; c++)
        extend_steps(v, first, end, channel_steps(v, c));
}

/* Derivatives at the frames at the end of step `at`. */
LANE_INLINE LaneRates rates_from_steps(const DifferenceView *v, size_t channel, size_t at)
{
    const double *step = channel_steps(v, channel);
    LaneVec3 before = steps_load(step, at);
    if (v->scheme == DIFFERENCE_BACKWARD) /* (thesis 3.47, 3.48) */
        return (LaneRates){before, lane_vec3_scale(lane_vec3_sub(before, steps_load(step, at - 1)), lane_set(v->rate))};
    LaneVec3 after = steps_load(step, at + 1);
    return (LaneRates){lane_vec3_scale(lane_vec3_add(before, after), lane_set(0.5)),
                       lane_vec3_scale(lane_vec3_sub(after, before), lane_set(v->rate))};
}

/* Frame f + lane + shift, clamped to the clip. */
LANE_INLINE size_t window_frame(const DifferenceView *v, size_t f, int lane, ptrdiff_t shift)
{
    ptrdiff_t k = (ptrdiff_t)f + lane + shift, last = (ptrdiff_t)v->frame_count - 1;
    return (size_t)(k < 0 ? 0 : k > last ? last : k);
}

static LaneQuat window_quat(const DifferenceView *v, size_t joint, size_t f, ptrdiff_t shift)
{
    LaneQuat q = lane_load4(v->orientation + f * v->joint_count + joint, v->joint_count);
    for (int l = 0; l < LANES; l++) {
        Quat one = v->orientation[window_frame(v, f, l, shift) * v->joint_count + joint];
        q.w = lane_put(q.w, l, one.w);
        q.x = lane_put(q.x, l, one.x);
        q.y = lane_put(q.y, l, one.y);
        q.z = lane_put(q.z, l, one.z);
    }
    return q;
}

static LaneVec3 window_point(const DifferenceView *v, const Vec3 *x, size_t stride, size_t f, ptrdiff_t shift)
{
    LaneVec3 p = lane_load3(x + f * stride, stride);
    for (int l = 0; l < LANES; l++) {
        Vec3 one = x[window_frame(v, f, l, shift) * stride];
        p = (LaneVec3){lane_put(p.x, l, one.x), lane_put(p.y, l, one.y), lane_put(p.z, l, one.z)};
    }
    return p;
}

LANE_INLINE LaneRates rates_add(LaneRates sum, const DifferenceView *v, size_t k, LaneVec3 sample)
{
    return (LaneRates){lane_vec3_add(sum.first, lane_vec3_scale(sample, lane_set(v->weight[0][k]))),
                       lane_vec3_add(sum.second, lane_vec3_scale(sample, lane_set(v->weight[1][k])))};
}

/* Derivatives of the polynomial through the rotation vectors 2 log(Q_k Q_i*). Each Q_k takes the sign nearest to its
 * neighbour towards the centre, which preserves rotations of more than pi within the window. At the centre the vector
 * is zero, so that its derivatives are omega and alpha. */
static LaneRates rotation_fit(const DifferenceView *v, size_t joint, size_t f)
{
    LaneVec3 zero = lane_vec3_set((Vec3){0, 0, 0});
    LaneRates sum = {zero, zero};
    LaneQuat centre = window_quat(v, joint, f, 0);
    for (ptrdiff_t side = -1; side <= 1; side += 2) {
        LaneQuat near = centre;
        for (ptrdiff_t k = 1; k <= DIFFERENCE_REACH; k++) {
            LaneQuat q = window_quat(v, joint, f, side * k);
            Lane dot = q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z;
            near = lane_quat_neg_where(lane_less(dot, lane_set(0)), q);
            LaneVec3 half_angle = lane_quat_log_long(lane_quat_mul(near, lane_quat_conjugate(centre)));
            sum = rates_add(sum, v, (size_t)(DIFFERENCE_REACH + side * k), lane_vec3_scale(half_angle, lane_set(2)));
        }
    }
    return sum;
}

/* Derivatives of the polynomial through x_k - x_i. */
static LaneRates linear_fit(const DifferenceView *v, const Vec3 *x, size_t stride, size_t f)
{
    LaneVec3 zero = lane_vec3_set((Vec3){0, 0, 0});
    LaneRates sum = {zero, zero};
    LaneVec3 centre = window_point(v, x, stride, f, 0);
    for (ptrdiff_t k = -DIFFERENCE_REACH; k <= DIFFERENCE_REACH; k++)
        sum = rates_add(sum, v, (size_t)(DIFFERENCE_REACH + k),
                        lane_vec3_sub(window_point(v, x, stride, f, k), centre));
    return sum;
}

LANE_INLINE LaneVec3 vec3_where(LaneMask m, LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lane_select(m, a.x, b.x), lane_select(m, a.y, b.y), lane_select(m, a.z, b.z)};
}

/* Selects the fit where the whole window lies in the clip, and differences of steps elsewhere. */
static LaneRates fit_or_steps(const DifferenceView *v, size_t f, LaneRates fit, LaneRates steps)
{
    Lane frame = lane_set(0);
    for (int l = 0; l < LANES; l++)
        frame = lane_put(frame, l, (double)f + l);
    Lane half = lane_set(DIFFERENCE_REACH), last = lane_set((double)v->frame_count - 1);
    LaneMask edge = lane_less(frame, half) | lane_less(last - half, frame);
    return (LaneRates){vec3_where(edge, steps.first, fit.first), vec3_where(edge, steps.second, fit.second)};
}

LANE_INLINE LaneRates rotation_rates(const DifferenceView *v, size_t joint, size_t f, size_t at)
{
    LaneRates steps = rates_from_steps(v, joint, at);
    return v->scheme == DIFFERENCE_FIVE_POINT ? fit_or_steps(v, f, rotation_fit(v, joint, f), steps) : steps;
}

/* Derivatives of the root's position (joint 0) or of a joint's translation in its parent's axes. */
LANE_INLINE LaneRates linear_rates(const DifferenceView *v, size_t joint, size_t f, size_t at)
{
    LaneRates steps = rates_from_steps(v, v->joint_count + joint, at);
    if (v->scheme != DIFFERENCE_FIVE_POINT)
        return steps;
    const Vec3 *x = joint == 0 ? v->root_position : v->translation + joint;
    return fit_or_steps(v, f, linear_fit(v, x, joint == 0 ? 1 : v->joint_count, f), steps);
}

/* Velocity and acceleration of a point fixed in the parent's segment, at r from its joint centre:
 *   v = v_p + omega_p x r                                      (thesis 3.4)
 *   a = a_p + alpha_p x r + omega_p x (omega_p x r)            (thesis 3.7) */
LANE_INLINE void carry_along(const DifferenceLane *parent, DifferenceLane *joint)
{
    LaneVec3 r = lane_vec3_sub(joint->position, parent->position), spin = lane_vec3_cross(parent->omega, r);
    joint->velocity = lane_vec3_add(parent->velocity, spin);
    joint->acceleration = lane_vec3_add(parent->acceleration, lane_vec3_add(lane_vec3_cross(parent->alpha, r),
                                                                            lane_vec3_cross(parent->omega, spin)));
}

/* Adds the effect of the joint's translation t in the parent's axes: v += R t', a += R t'' + 2 omega_p x R t'
 * (Coriolis). */
LANE_INLINE void add_translation(const DifferenceLane *parent, LaneQuat axes, LaneRates t, DifferenceLane *joint)
{
    LaneVec3 slide = lane_quat_rotate(axes, t.first);
    LaneVec3 coriolis = lane_vec3_scale(lane_vec3_cross(parent->omega, slide), lane_set(2));
    joint->velocity = lane_vec3_add(joint->velocity, slide);
    joint->acceleration = lane_vec3_add(joint->acceleration, lane_vec3_add(lane_quat_rotate(axes, t.second), coriolis));
}

LANE_INLINE void store_joint(const DifferenceView *v, size_t at, const DifferenceLane *joint)
{
    lane_store3(v->angular_velocity + at, v->joint_count, joint->omega);
    lane_store3(v->angular_acceleration + at, v->joint_count, joint->alpha);
    lane_store3(v->velocity + at, v->joint_count, joint->velocity);
    lane_store3(v->acceleration + at, v->joint_count, joint->acceleration);
}

static void differentiate_block(const DifferenceView *v, size_t f, size_t step)
{
    DifferenceLane *joint = (DifferenceLane *)v->scratch;
    for (size_t j = 0; j < v->joint_count; j++) {
        size_t at = f * v->joint_count + j;
        LaneRates rotation = rotation_rates(v, j, f, step);
        joint[j].omega = rotation.first;
        joint[j].alpha = rotation.second;
        joint[j].position = lane_load3(v->position + at, v->joint_count);
        if (j == 0) {
            LaneRates root = linear_rates(v, 0, f, step);
            joint[0].velocity = root.first;
            joint[0].acceleration = root.second;
        } else {
            size_t p = (size_t)v->parent[j];
            carry_along(&joint[p], &joint[j]);
            if (v->translation)
                add_translation(&joint[p], lane_load4(v->orientation + f * v->joint_count + p, v->joint_count),
                                linear_rates(v, j, f, step), &joint[j]);
        }
        store_joint(v, at, &joint[j]);
    }
}

void LANE_NAME(differentiate_tile)(const DifferenceView *view, size_t first, size_t end)
{
    fill_steps(view, first, end);
    for (size_t f = first; f < end; f += LANES) {
        size_t at = lane_block(f, view->frame_count);
        differentiate_block(view, at, at - first + 1);
    }
}

/* Euler channels to quaternions, several frames at once (quat.h). */

/* Half of an angle in rad. Whole double turns (720 degrees, the period of a quaternion) are removed exactly: a small
 * argument makes the sine take the same path at every width. Adding and subtracting 1.5 * 2^52 rounds to the nearest
 * integer. */
LANE_INLINE Lane half_angle(Lane degrees)
{
    Lane round = lane_set(6755399441055744.0);
    Lane rotations = (degrees * lane_set(1.0 / 720) + round) - round;
    return (degrees - lane_set(720) * rotations) * lane_set(PI / 360);
}

/* q (c + s e_axis): the Hamilton product with a rotation about one axis. */
LANE_INLINE LaneQuat rotation(LaneQuat q, int axis, Lane s, Lane c)
{
    if (axis == 0)
        return (LaneQuat){q.w * c - q.x * s, q.w * s + q.x * c, q.y * c + q.z * s, q.z * c - q.y * s};
    if (axis == 1)
        return (LaneQuat){q.w * c - q.y * s, q.x * c - q.z * s, q.w * s + q.y * c, q.z * c + q.x * s};
    return (LaneQuat){q.w * c - q.z * s, q.x * c + q.y * s, q.y * c - q.x * s, q.w * s + q.z * c};
}

/* q_1 q_2 ... q_n of one joint in LANES frames, whose rows begin at `row`. */
LANE_INLINE LaneQuat product_of_rotations(const EulerChannels *rotations, const double *row, size_t row_size)
{
    LaneQuat q = {lane_set(1), lane_set(0), lane_set(0), lane_set(0)};
    for (int k = 0; k < rotations->count; k++) {
        Lane s, c;
        lane_sincos(half_angle(lane_load(row + rotations->column[k], row_size)), &s, &c);
        q = rotation(q, rotations->axis[k], s, c);
    }
    return q;
}

void LANE_NAME(euler_to_quat)(const ChannelRows *rows, Quat *rotation)
{
    size_t frames = (size_t)rows->frame_count, joints = (size_t)rows->joint_count, row_size = (size_t)rows->row_size;
    for (size_t f = 0; f < frames; f += LANES) {
        size_t first = lane_block(f, frames);
        for (size_t j = 0; j < joints; j++)
            lane_store4(rotation + first * joints + j, joints,
                        product_of_rotations(&rows->rotations[j], rows->value + first * row_size, row_size));
    }
}

/* q / |q|, one quaternion per lane; a zero quaternion becomes the identity. */

void LANE_NAME(quats_normalize)(Quat *q, size_t count)
{
    size_t i = 0;
    Lane zero = lane_set(0), one = lane_set(1);
    for (; i + LANES <= count; i += LANES) {
        LaneQuat a = lane_load4(q + i, 1);
        Lane norm = lane_sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
        LaneMask some = lane_less(zero, norm);
        norm = lane_select(some, norm, one);
        lane_store4(q + i, 1, (LaneQuat){lane_select(some, a.w / norm, one), a.x / norm, a.y / norm, a.z / norm});
    }
    for (; i < count; i++)
        q[i] = quat_normalize(q[i]);
}

/* Differences of the rotations of a block of frames, LANES joints at a time. */

/* A joint's latest rotation from frame to frame, and its differences. */
typedef struct LaneRotations {
    LaneVec3 rotation, second, third;
    Lane size; /* of third */
} LaneRotations;

_Static_assert(sizeof(LaneRotations) == ROTATION_VALUES * sizeof(Lane), "the caller allocates the turns");

/* Twice the sine of the half angle along the axis: near the rotation vector of a small rotation, and bounded. */
LANE_INLINE LaneVec3 lane_rotation(LaneQuat now, LaneQuat last)
{
    LaneQuat q = lane_quat_mul(now, lane_quat_conjugate(last));
    Lane two = lane_set(2);
    return lane_vec3_scale((LaneVec3){q.x, q.y, q.z}, lane_select(lane_less(q.w, lane_set(0)), -two, two));
}

LANE_INLINE LaneRotations lane_next_rotations(const LaneRotations *t, LaneVec3 rotation)
{
    LaneVec3 second = lane_vec3_sub(rotation, t->rotation), third = lane_vec3_sub(second, t->second);
    return (LaneRotations){rotation, second, third, lane_sqrt(lane_vec3_dot(third, third))};
}

static void visit_joints(const RotationChangesView *v, size_t j)
{
    size_t joints = v->joint_count;
    const Quat *row = v->rotation + v->first * joints + j;
    Lane value[ROTATION_VALUES], second = lane_set(0), fourth = second, reversed = second;
    LaneRotations t;
    for (size_t k = 0; k < ROTATION_VALUES; k++)
        value[k] = lane_load_row(v->before + k * joints + j);
    memcpy(&t, value, sizeof t);
    LaneQuat last = lane_load4(row - joints, 1);
    for (size_t i = 0; i < v->length; i++) {
        LaneQuat q = lane_load4(row + i * joints, 1);
        LaneRotations now = lane_next_rotations(&t, lane_rotation(q, last));
        LaneVec3 change = lane_vec3_sub(now.third, t.third);
        LaneMask opposed = lane_less(lane_vec3_dot(now.third, t.third), lane_set(-v->opposite) * now.size * t.size);
        second += lane_vec3_dot(now.second, now.second);
        fourth += lane_vec3_dot(change, change);
        reversed += lane_select(opposed, lane_set(1), lane_set(0));
        lane_store_row(v->size + i * joints + j, now.size);
        last = q;
        t = now;
    }
    memcpy(value, &t, sizeof t);
    for (size_t k = 0; k < ROTATION_VALUES; k++)
        lane_store_row(v->after + k * joints + j, value[k]);
    lane_store_row(v->second + j, second);
    lane_store_row(v->fourth + j, fourth);
    lane_store_row(v->reversed + j, reversed);
}

void LANE_NAME(rotation_changes)(const RotationChangesView *v)
{
    for (size_t j = 0; j < v->joint_count; j += LANES)
        visit_joints(v, lane_block(j, v->joint_count));
}
