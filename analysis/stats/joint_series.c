#include "analysis/stats/joint_series.h"

#include "analysis/base/memory.h"
#include "analysis/math/elementary.h"

/* What one frame gives for a joint. */
typedef struct JointSample {
    double torque, power, speed2, accel2;
} JointSample;

/* omega and alpha are rows of all joints; the root is compared with the world at rest. */
static JointSample joint_sample(const Vec3 *omega, const Vec3 *alpha, int joint, int parent)
{
    Vec3 w = omega[joint], a = alpha[joint];
    if (parent >= 0) {
        /* alpha_rel = alpha_j - alpha_p - omega_p x omega_rel: d(omega_rel)/dt as the parent sees it */
        w = vec3_sub(omega[joint], omega[parent]);
        a = vec3_sub(vec3_sub(alpha[joint], alpha[parent]), vec3_cross(omega[parent], w));
    }
    return (JointSample){.speed2 = vec3_dot(w, w), .accel2 = vec3_dot(a, a)};
}

/* Samples of all joints at frame f; 0 where one of them is infinite or NaN. */
static int sample_frame(const JointSeries *s, const Clip *clip, int f, JointSample *row)
{
    size_t first = (size_t)f * (size_t)s->joint_count;
    const Vec3 *omega = clip->kinematics.angular_velocity + first;
    const Vec3 *alpha = clip->kinematics.angular_acceleration + first;
    double check = 0; /* 0 * x is 0 for every finite x, else NaN */
    for (int j = 0; j < s->joint_count; j++) {
        row[j] = joint_sample(omega, alpha, j, clip->skeleton.parent[j]);
        if (s->has_load) {
            row[j].torque = vec3_norm(clip->dynamics.torque[first + (size_t)j]);
            row[j].power = clip->dynamics.power[first + (size_t)j];
        }
        check += 0 * (row[j].torque + row[j].power + row[j].speed2 + row[j].accel2);
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
        s->speed_peak[j] = row[j].speed2 > s->speed_peak[j] ? row[j].speed2 : s->speed_peak[j];
        s->accel_peak[j] = row[j].accel2 > s->accel_peak[j] ? row[j].accel2 : s->accel_peak[j];
    }
    s->frame[s->count] = frame;
    s->time[s->count] = time;
    s->count++;
}

/* For every joint the pose farthest from pose from[joint]: farthest[joint], both are frames of the clip. */
static void find_farthest(const JointSeries *s, const Motion *motion, const int *from, double *nearness, int *farthest)
{
    for (int j = 0; j < s->joint_count; j++) {
        nearness[j] = 2;
        farthest[j] = from[j];
    }
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < s->joint_count; j++) {
            Quat q = motion->rotation[motion_index(motion, s->frame[i], j)];
            double d = fabs(quat_dot(q, motion->rotation[motion_index(motion, from[j], j)])); /* cos(angle/2) */
            if (d < nearness[j]) {
                nearness[j] = d;
                farthest[j] = s->frame[i];
            }
        }
}

/* Range of motion: the angle between the pose farthest from the first one and the pose farthest from that. Exact for
 * a hinge that turns less than pi, never above the true largest angle, never below half of it. */
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
        /* unit quaternions an angle apart lie 2 sin(angle/4) from each other */
        s->rom[j] = 4 * elementary_asin(0.5 * sqrt(quat_dot(d, d)));
    }
    free(one);
    free(two);
    free(nearness);
    return status;
}

static Status take_all_frames(JointSeries *s, const Clip *clip, Error *err)
{
    JointSample *row = array_new((size_t)s->joint_count, 1, sizeof *row);
    if (!row)
        return error_no_memory(err);
    for (int f = 0; f < clip->kinematics.frame_count; f++)
        if (clip->kinematics.valid[f] && sample_frame(s, clip, f, row))
            take_frame(s, row, f, clip->motion.time[f]);
    for (int j = 0; j < s->joint_count; j++) {
        s->speed_peak[j] = sqrt(s->speed_peak[j]);
        s->accel_peak[j] = sqrt(s->accel_peak[j]);
    }
    free(row);
    return s->count > 0 ? find_range(s, &clip->motion, err) : STATUS_OK;
}

/* A joint whose subtree holds all the mass. Without a body only the root. */
static Status find_residual(JointSeries *s, const Clip *clip, Error *err)
{
    double *mass = array_new((size_t)s->joint_count, 1, sizeof *mass); /* of the subtree */
    if (!mass)
        return error_no_memory(err);
    for (int j = s->joint_count; j-- > 0;) {
        int parent = clip->skeleton.parent[j];
        mass[j] += clip->has_body ? clip->body.mass[j] : 1;
        if (parent >= 0)
            mass[parent] += mass[j];
    }
    /* sums of the same masses in another order: equal but for rounding */
    for (int j = 0; j < s->joint_count; j++)
        s->is_residual[j] = clip->skeleton.parent[j] < 0 || mass[j] >= mass[0] * (1 - 1e-12);
    free(mass);
    return STATUS_OK;
}

Status joint_series_init(JointSeries *s, const Clip *clip, Error *err)
{
    int frames = clip->has_kinematics ? clip->kinematics.frame_count : 0;
    size_t room = (size_t)frames, joints = (size_t)clip->skeleton.joint_count;
    *s = (JointSeries){.stride = frames,
                       .joint_count = clip->skeleton.joint_count,
                       .has_load = clip->has_dynamics,
                       .frame_time = clip->motion.frame_time};
    int failed = 0;
    s->frame = array_need(&failed, room, 1, sizeof *s->frame);
    s->time = array_need(&failed, room, 1, sizeof *s->time);
    s->torque = array_need(&failed, joints, room, sizeof *s->torque);
    s->power = array_need(&failed, joints, room, sizeof *s->power);
    s->is_residual = array_need(&failed, joints, 1, sizeof *s->is_residual);
    s->speed_peak = array_need(&failed, joints, 1, sizeof *s->speed_peak);
    s->accel_peak = array_need(&failed, joints, 1, sizeof *s->accel_peak);
    s->rom = array_need(&failed, joints, 1, sizeof *s->rom);
    Status status = failed ? error_no_memory(err) : find_residual(s, clip, err);
    if (!status && frames > 0)
        status = take_all_frames(s, clip, err);
    if (status)
        joint_series_free(s);
    return status;
}

void joint_series_free(JointSeries *s)
{
    if (!s)
        return;
    free(s->frame);
    free(s->time);
    free(s->torque);
    free(s->power);
    free(s->is_residual);
    free(s->speed_peak);
    free(s->accel_peak);
    free(s->rom);
    *s = (JointSeries){0};
}
