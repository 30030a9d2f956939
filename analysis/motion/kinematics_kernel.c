/* Differences on rotations and along the segments for a tile of frames, one frame per lane (kinematics.h). */
#include "analysis/math/lanes.h"
#include "analysis/math/quat.h"
#include "analysis/motion/kinematics.h"

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
LANE_INLINE void move_with_parent(const DifferenceLane *parent, DifferenceLane *joint)
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
            move_with_parent(&joint[p], &joint[j]);
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
