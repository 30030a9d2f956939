/* Load and speed of every joint over the chosen frames (joint_series.h). */
#include "analysis/clip/dynamics.h"
#include "analysis/stats/joint_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/clip/joint_angles.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Values of a joint in one frame. */
typedef struct JointSample {
    double torque, power, spread, speed2, accel2;
} JointSample;

/* Sample of a joint from omega and alpha [joint]; the root is relative to the world. */
static JointSample joint_sample(const Vec3 *omega, const Vec3 *alpha, int joint, int parent)
{
    Vec3 w = omega[joint], a = alpha[joint];
    if (parent >= 0) {
        /* alpha_rel = alpha_j - alpha_p - omega_p x omega_rel: d(omega_rel)/dt in axes of the parent */
        w = vec3_sub(omega[joint], omega[parent]);
        a = vec3_sub(vec3_sub(alpha[joint], alpha[parent]), vec3_cross(omega[parent], w));
    }
    return (JointSample){.speed2 = vec3_dot(w, w), .accel2 = vec3_dot(a, a)};
}

/* Standard deviation of a torque's magnitude: that of its component along itself. */
static double size_spread(const Dynamics *d, size_t at)
{
    return torque_sd_along(d->torque_sd[at], d->torque_correlation[at], vec3_normalize(d->torque[at]));
}

/* Samples of all joints in frame f; returns 0 if a value is not finite. */
static int sample_frame(const JointSeries *s, const Clip *clip, int f, JointSample *row)
{
    size_t first = (size_t)f * (size_t)s->joint_count;
    const Vec3 *omega = clip->kinematics.angular_velocity + first;
    const Vec3 *alpha = clip->kinematics.angular_acceleration + first;
    double check = 0; /* 0 * x is 0 for every finite x, otherwise NaN */
    for (int j = 0; j < s->joint_count; j++) {
        row[j] = joint_sample(omega, alpha, j, clip->skeleton.parent[j]);
        if (s->has_load) {
            row[j].torque = vec3_norm(clip->dynamics.torque[first + (size_t)j]);
            row[j].power = clip->dynamics.power[first + (size_t)j];
            row[j].spread = s->spread ? size_spread(&clip->dynamics, first + (size_t)j) : 0;
        }
        check += 0 * (row[j].torque + row[j].power + row[j].spread + row[j].speed2 + row[j].accel2);
    }
    return check == 0;
}

static void take_frame(JointSeries *s, const JointSample *row, int frame, double time)
{
    size_t stride = (size_t)s->stride;
    double *torque = s->torque + s->count, *power = s->power + s->count;
    for (int j = 0; j < s->joint_count; j++) {
        torque[(size_t)j * stride] = row[j].torque;
        power[(size_t)j * stride] = row[j].power;
        if (s->spread)
            s->spread[(size_t)j * stride + (size_t)s->count] = row[j].spread;
        if (joint_series_doubts(s, j, s->count))
            continue;
        s->speed_peak[j] = row[j].speed2 > s->speed_peak[j] ? row[j].speed2 : s->speed_peak[j];
        s->accel_peak[j] = row[j].accel2 > s->accel_peak[j] ? row[j].accel2 : s->accel_peak[j];
    }
    s->frame[s->count] = frame;
    s->time[s->count] = time;
    s->count++;
}

/* Finds, for every joint, the frame farthest[joint] whose pose is farthest from that of frame from[joint]. */
static void find_farthest(const JointSeries *s, const Motion *motion, const int *from, double *nearness, int *farthest)
{
    for (int j = 0; j < s->joint_count; j++) {
        nearness[j] = 2;
        farthest[j] = from[j];
    }
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < s->joint_count; j++) {
            if (joint_series_doubts(s, j, i))
                continue;
            Quat q = motion->rotation[motion_index(motion, s->frame[i], j)];
            double d = fabs(quat_dot(q, motion->rotation[motion_index(motion, from[j], j)])); /* cos(angle/2) */
            if (d < nearness[j]) {
                nearness[j] = d;
                farthest[j] = s->frame[i];
            }
        }
}

/* Range of motion: the angle between the pose farthest from the first one and the pose farthest from that. Exact for a
 * hinge that rotates by less than pi; never above the largest angle, and at least half of it. */
static Status find_range(JointSeries *s, const Motion *motion, Error *err)
{
    size_t joints = (size_t)s->joint_count;
    int *one = array_new(joints, 1, sizeof *one), *two = array_new(joints, 1, sizeof *two);
    double *nearness = array_new(joints, 1, sizeof *nearness);
    Status status = one && two && nearness ? STATUS_OK : error_no_memory(err);
    for (int j = 0; !status && j < s->joint_count; j++)
        one[j] = s->frame[0];
    if (!status) {
        find_farthest(s, motion, one, nearness, two);
        find_farthest(s, motion, two, nearness, one);
    }
    for (int j = 0; !status && j < s->joint_count; j++) {
        Quat a = motion->rotation[motion_index(motion, one[j], j)];
        Quat b = quat_nearest(motion->rotation[motion_index(motion, two[j], j)], a);
        Quat d = {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
        /* unit quaternions at an angle are 2 sin(angle/4) apart */
        s->rom[j] = 4 * elementary_asin(0.5 * sqrt(quat_dot(d, d)));
    }
    free(one);
    free(two);
    free(nearness);
    return status;
}

/* Stores the joint flags of frame f for the next sample. */
static void take_doubts(JointSeries *s, const Clip *clip, int f, uint32_t flags)
{
    for (int j = 0; s->doubted && j < s->joint_count; j++)
        s->doubted[(size_t)j * (size_t)s->stride + (size_t)s->count] =
            (trust_joint_reason(&clip->trust, f, j) & flags) != 0;
}

static void take_all_peak(JointSeries *s, const JointSample *row, int frame)
{
    for (int j = 0; s->has_load && j < s->joint_count; j++)
        if (!(row[j].torque <= s->all_peak[j])) {
            s->all_peak[j] = row[j].torque;
            s->all_frame[j] = frame;
        }
}

/* Updates the peak utilization with frame f, the last sample. */
static void take_use(JointSeries *s, const Clip *clip, int f)
{
    const JointAngles *a = &clip->angles;
    for (int i = 0; clip->has_angles && a->utilization && i < a->coordinate_count; i++) {
        int j = a->joint[i];
        double use = a->utilization[joint_angles_index(a, f, i)];
        if (isfinite(use) && !(use <= s->utilization_peak[j]) && !joint_series_doubts(s, j, s->count - 1)) {
            s->utilization_peak[j] = use;
            s->utilization_sd[j] = a->utilization_sd ? a->utilization_sd[joint_angles_index(a, f, i)] : NAN;
            s->utilization_t[j] = clip->motion.time[f];
        }
    }
}

/* Interpolates linearly between the samples i and k; i = -1 or k = count: constant to that end. */
static void go_straight(double *value, int i, int k, int count)
{
    for (int m = i + 1; m < k; m++)
        value[m] = i < 0 ? value[k] : k == count ? value[i] : value[i] + (value[k] - value[i]) * (m - i) / (k - i);
}

static void pass_over_doubts(JointSeries *s, int joint)
{
    double *torque = s->torque + (size_t)joint * (size_t)s->stride, *power = torque - s->torque + s->power;
    int last = -1;
    for (int i = 0; i < s->count; i++) {
        if (joint_series_doubts(s, joint, i))
            continue;
        go_straight(torque, last, i, s->count);
        go_straight(power, last, i, s->count);
        last = i;
    }
    s->is_silent[joint] = last < 0;
    if (last < 0) {
        memset(torque, 0, (size_t)s->count * sizeof *torque);
        memset(power, 0, (size_t)s->count * sizeof *power);
    } else {
        go_straight(torque, last, s->count, s->count);
        go_straight(power, last, s->count, s->count);
    }
}

static Status take_all_frames(JointSeries *s, const Clip *clip, FrameChoice choice, Error *err)
{
    JointSample *row = arena_array(&s->memory, (size_t)s->joint_count, 1, sizeof *row);
    if (!row)
        return error_no_memory(err);
    for (int f = 0; f < clip->kinematics.frame_count; f++) {
        if (!clip->kinematics.valid[f] || !sample_frame(s, clip, f, row))
            continue;
        take_all_peak(s, row, f);
        if (clip_counts_frame(clip, f, choice)) {
            take_doubts(s, clip, f, frame_choice_flags(choice));
            take_frame(s, row, f, clip->motion.time[f]);
            take_use(s, clip, f);
        }
    }
    for (int j = 0; j < s->joint_count; j++) {
        s->speed_peak[j] = sqrt(s->speed_peak[j]);
        s->accel_peak[j] = sqrt(s->accel_peak[j]);
        pass_over_doubts(s, j);
    }
    return s->count > 0 ? find_range(s, &clip->motion, err) : STATUS_OK;
}

/* Total mass of a joint's ancestors, kg. */
static double mass_above(const Clip *clip, int joint)
{
    double sum = 0;
    for (int j = clip->skeleton.parent[joint]; j >= 0; j = clip->skeleton.parent[j])
        sum += clip->has_body ? clip->body.mass[j] : 1;
    return sum;
}

int joint_carries_residual(const Clip *clip, int joint)
{
    const int *parent = clip->skeleton.parent;
    double below = 0, all = 0;
    if (clip->skeleton.role[joint] == ROLE_HIPS && !(mass_above(clip, joint) > 0))
        return 1;
    for (int j = 0; j < clip->skeleton.joint_count; j++) {
        double mass = clip->has_body ? clip->body.mass[j] : 1;
        int above = j;
        while (above > joint)
            above = parent[above];
        all += mass;
        below += above == joint ? mass : 0;
    }
    return parent[joint] < 0 || below >= all;
}

int joint_is_helper(const Clip *clip, int joint)
{
    return clip->has_body && clip->body.mass[joint] == 0 && clip->skeleton.role[joint] == ROLE_NONE;
}

static void find_kinds(JointSeries *s, const Clip *clip)
{
    for (int j = 0; j < s->joint_count; j++) {
        s->is_residual[j] = (unsigned char)joint_carries_residual(clip, j);
        s->is_helper[j] = (unsigned char)joint_is_helper(clip, j);
    }
}

/* Allocates for `frames` frames. */
static JointSeries series_new(const Clip *clip, int frames, int has_doubts)
{
    Arena memory = {0};
    size_t room = (size_t)frames, joints = (size_t)clip->skeleton.joint_count;
    JointSeries s = {.stride = frames, .joint_count = clip->skeleton.joint_count, .has_load = clip->has_dynamics,
                     .frame_time = clip->motion.frame_time};
    s.frame = arena_array(&memory, room, 1, sizeof *s.frame);
    s.time = arena_array(&memory, room, 1, sizeof *s.time);
    s.doubted = has_doubts ? arena_array(&memory, joints, room, 1) : NULL;
    s.torque = arena_array(&memory, joints, room, sizeof *s.torque);
    s.power = arena_array(&memory, joints, room, sizeof *s.power);
    if (clip->has_dynamics && clip->dynamics.torque_sd)
        s.spread = arena_array(&memory, joints, room, sizeof *s.spread);
    s.is_residual = arena_array(&memory, joints, 1, 1);
    s.is_helper = arena_array(&memory, joints, 1, 1);
    s.is_silent = arena_array(&memory, joints, 1, 1);
    s.speed_peak = arena_array(&memory, joints, 1, sizeof *s.speed_peak);
    s.accel_peak = arena_array(&memory, joints, 1, sizeof *s.accel_peak);
    s.rom = arena_array(&memory, joints, 1, sizeof *s.rom);
    s.all_peak = arena_array(&memory, joints, 1, sizeof *s.all_peak);
    s.all_frame = arena_array(&memory, joints, 1, sizeof *s.all_frame);
    s.utilization_peak = arena_array(&memory, joints, 1, sizeof *s.utilization_peak);
    s.utilization_sd = arena_array(&memory, joints, 1, sizeof *s.utilization_sd);
    s.utilization_t = arena_array(&memory, joints, 1, sizeof *s.utilization_t);
    s.memory = memory;
    return s;
}

Status joint_series_init(JointSeries *s, const Clip *clip, FrameChoice choice, Error *err)
{
    int frames = clip->has_kinematics ? clip->kinematics.frame_count : 0;
    *s = series_new(clip, frames, choice != FRAMES_VALID && clip->has_trust && clip->trust.joint_reason);
    Status status = s->memory.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        find_kinds(s, clip);
        for (int j = 0; j < s->joint_count; j++) {
            s->all_peak[j] = NAN;
            s->all_frame[j] = -1;
            s->utilization_peak[j] = s->utilization_sd[j] = s->utilization_t[j] = NAN;
        }
    }
    if (!status && frames > 0)
        status = take_all_frames(s, clip, choice, err);
    if (status)
        joint_series_free(s);
    return status;
}

void joint_series_free(JointSeries *s)
{
    if (!s)
        return;
    arena_free(&s->memory);
    *s = (JointSeries){0};
}
