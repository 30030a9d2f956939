/* See resample.h. */
#include "analysis/motion/resample.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double slack = 5e-7; /* s: times written with six digits still match their frame */

Status motion_find_frames(const Motion *motion, double from, double to, int *begin, int *count, Error *err)
{
    if (!(from <= to))
        return error_set(err, STATUS_USAGE, "--to %g is before --from %g", to, from);
    int first = 0, end = motion->frame_count;
    while (first < end && motion->time[first] < from - slack)
        first++;
    while (end > first && motion->time[end - 1] > to + slack)
        end--;
    if (first == end)
        return error_set(err, STATUS_BAD_INPUT, "no frame between %g s and %g s", from, to);
    *begin = first;
    *count = end - first;
    return STATUS_OK;
}

/* Catmull-Rom: the cubic through p1 (t = 0) and p2 (t = 1) whose slopes there are the central differences. */
static Vec3 cubic(Vec3 p0, Vec3 p1, Vec3 p2, Vec3 p3, double t)
{
    Vec3 m1 = vec3_scale(vec3_sub(p2, p0), 0.5), m2 = vec3_scale(vec3_sub(p3, p1), 0.5);
    double t2 = t * t, t3 = t2 * t;
    Vec3 v = vec3_scale(p1, 2 * t3 - 3 * t2 + 1);
    v = vec3_mad(v, t3 - 2 * t2 + t, m1);
    v = vec3_mad(v, -2 * t3 + 3 * t2, p2);
    return vec3_mad(v, t3 - t2, m2);
}

/* Extrapolates a neighbour beyond an end: by the parabola through the last three points, or the line through two. */
static Vec3 beyond(Vec3 end, Vec3 next, Vec3 third, int has_third)
{
    if (!has_third)
        return vec3_sub(vec3_scale(end, 2), next);
    return vec3_add(vec3_scale(vec3_sub(end, next), 3), third);
}

/* The position at frame i + t, from a column of positions `stride` elements apart. */
static Vec3 position_between(const Vec3 *p, size_t stride, int count, int i, double t)
{
    if (t == 0)
        return p[(size_t)i * stride];
    Vec3 p1 = p[(size_t)i * stride], p2 = p[(size_t)(i + 1) * stride], p0, p3;
    int three = count > 2;
    p0 = i > 0 ? p[(size_t)(i - 1) * stride] : beyond(p1, p2, p[(size_t)(three ? 2 : 0) * stride], three);
    p3 = i + 2 < count ? p[(size_t)(i + 2) * stride] : beyond(p2, p1, p[(size_t)(three ? i - 1 : 0) * stride], three);
    return cubic(p0, p1, p2, p3, t);
}

/* The uniform cubic B-spline of four frames: at a frame its first and second derivatives are the central differences,
 * and between frames the second derivative is linear. */
static Vec3 spline(const Vec3 p[4], double t)
{
    double s = 1 - t, t2 = t * t, s2 = s * s;
    Vec3 x = vec3_mad(vec3_scale(p[0], s2 * s / 6), t2 * t / 6, p[3]);
    x = vec3_mad(x, (4 - 3 * t2 * (2 - t)) / 6, p[1]);
    return vec3_mad(x, (4 - 3 * s2 * (2 - s)) / 6, p[2]);
}

/* The four frames around a time; linear extrapolation beyond the ends. */
static void positions_around(const Vec3 *row, int count, int i, Vec3 p[4])
{
    p[1] = row[i];
    p[2] = row[i + 1];
    p[0] = i > 0 ? row[i - 1] : vec3_sub(vec3_scale(p[1], 2), p[2]);
    p[3] = i + 2 < count ? row[i + 2] : vec3_sub(vec3_scale(p[2], 2), p[1]);
}

/* As positions_around, for a joint's rotations, as rotation vectors relative to frame i. */
static void rotations_around(const Motion *m, int joint, int i, Vec3 p[4])
{
    Quat here = quat_conjugate(m->rotation[motion_index(m, i, joint)]);
    for (int k = 0; k < 4; k++) {
        int f = i + k - 1;
        if (f >= 0 && f < m->frame_count) {
            Quat rotation = quat_mul(m->rotation[motion_index(m, f, joint)], here);
            p[k] = vec3_scale(quat_log(rotation.w < 0 ? quat_neg(rotation) : rotation), 2);
        }
    }
    if (i == 0)
        p[0] = vec3_neg(p[2]);
    if (i + 2 >= m->frame_count)
        p[3] = vec3_scale(p[2], 2);
}

static void fill_smooth_frame(const Motion *m, int whole, double t, int frame, Motion *out)
{
    Vec3 p[4];
    int i = whole;
    i -= i > 0 && i == m->frame_count - 1; /* the last frame is the end of the interval before it */
    t = i == whole ? t : 1;
    if (m->frame_count == 1) {
        out->root_position[frame] = m->root_position[0];
        memcpy(out->rotation, m->rotation, (size_t)m->joint_count * sizeof *m->rotation);
        return;
    }
    positions_around(m->root_position, m->frame_count, i, p);
    out->root_position[frame] = spline(p, t);
    for (int j = 0; j < m->joint_count; j++) {
        rotations_around(m, j, i, p);
        Quat rotation = quat_exp(vec3_scale(spline(p, t), 0.5));
        out->rotation[motion_index(out, frame, j)] =
            quat_normalize(quat_mul(rotation, m->rotation[motion_index(m, i, j)]));
    }
}

static void fill_frame(const Motion *m, int i, double t, int frame, Motion *out)
{
    size_t joints = (size_t)m->joint_count;
    out->root_position[frame] = position_between(m->root_position, 1, m->frame_count, i, t);
    for (int j = 0; j < m->joint_count; j++) {
        Quat a = m->rotation[motion_index(m, i, j)];
        out->rotation[motion_index(out, frame, j)] =
            t == 0 ? a : quat_normalize(quat_slerp(a, m->rotation[motion_index(m, i + 1, j)], t));
        if (m->translation)
            out->translation[motion_index(out, frame, j)] =
                position_between(m->translation + j, joints, m->frame_count, i, t);
    }
}

typedef void FillFrame(const Motion *m, int i, double t, int frame, Motion *out);

static Status resample(const Motion *motion, double fps, FillFrame *fill, Motion *out, Error *err)
{
    *out = (Motion){0};
    if (!(fps > 0) || !isfinite(fps))
        return error_set(err, STATUS_USAGE, "--fps out of range: %g Hz", fps);
    int last = motion->frame_count - 1;
    double step = 1 / (fps * motion->frame_time), steps = last > 0 ? floor(last / step + 1e-6) : 0;
    if (steps >= INT_MAX)
        return error_set(err, STATUS_LIMIT, "--fps %g gives too many frames", fps);
    int frames = motion->frame_count > 0 ? (int)steps + 1 : 0;
    Status status = motion_init(out, frames, motion->joint_count, 1 / fps,
                                fill == fill_frame && motion->translation != NULL, err);
    for (int f = 0; !status && f < frames; f++) {
        double at = f * step, whole = rint(at);
        int i = fabs(at - whole) < 1e-6 ? (int)whole : (int)at; /* exactly on a frame */
        fill(motion, i, i == (int)whole && fabs(at - whole) < 1e-6 ? 0 : at - i, f, out);
        out->time[f] = motion->time[0] + f / fps;
    }
    if (!status)
        motion_make_continuous(out);
    return status;
}

Status motion_resample(const Motion *motion, double fps, Motion *out, Error *err)
{
    return resample(motion, fps, fill_frame, out, err);
}

Status motion_resample_smooth(const Motion *motion, double fps, Motion *out, Error *err)
{
    return resample(motion, fps, fill_smooth_frame, out, err);
}

/* ---- External forces at other times ---- */

/* A time between frames `before` and `after`, at the fraction `part`. */
typedef struct Between {
    size_t before, after;
    double part;
} Between;

static Between find_between(const Contact *c, double at)
{
    double last = c->frame_count - 1, held = fmin(fmax(at, 0), last), whole = floor(held);
    size_t before = (size_t)whole;
    return (Between){before, held > whole ? before + 1 : before, held - whole};
}

static void mix(Between b, const double *from, size_t width, double *to)
{
    for (size_t i = 0; from && i < width; i++)
        to[i] = (1 - b.part) * from[b.before * width + i] + b.part * from[b.after * width + i];
}

/* Interpolates centres of pressure, weighted by vertical force; zero if both forces are zero. */
static void mix_centres(Between b, const Contact *c, Vec3 *to)
{
    for (size_t foot = 0; foot < FOOT_COUNT; foot++) {
        size_t i = b.before * FOOT_COUNT + foot, k = b.after * FOOT_COUNT + foot;
        double before = (1 - b.part) * fabs(c->foot_force[i].y), after = b.part * fabs(c->foot_force[k].y);
        double all = before + after;
        to[foot] = all > 0 ? vec3_mad(vec3_scale(c->foot_cop[i], before / all), after / all, c->foot_cop[k])
                           : vec3(0, 0, 0);
    }
}

static void copy_constants(const Contact *from, Contact *out)
{
    memcpy(out->point_joint, from->point_joint, (size_t)from->point_count * sizeof *out->point_joint);
    memcpy(out->point_position, from->point_position, (size_t)from->point_count * sizeof *out->point_position);
    out->ground_height = from->ground_height;
    out->ground_normal = from->ground_normal;
    out->friction = from->friction;
}

Status contact_resample(const Contact *from, double first_time, double frame_time, const Motion *now, Contact *out,
                        Error *err)
{
    size_t points = (size_t)from->point_count;
    Status status = contact_init(out, now->frame_count, from->point_count, from->moment != NULL, err);
    if (status)
        return status;
    copy_constants(from, out);
    for (size_t f = 0; f < (size_t)now->frame_count; f++) {
        Between b = find_between(from, (now->time[f] - first_time) / frame_time);
        mix(b, (const double *)from->force, 3 * points, (double *)(out->force + f * points));
        if (from->moment)
            mix(b, (const double *)from->moment, 3 * points, (double *)(out->moment + f * points));
        mix(b, from->state, points, out->state + f * points);
        mix(b, (const double *)from->foot_force, 3 * FOOT_COUNT, (double *)(out->foot_force + f * FOOT_COUNT));
        mix(b, (const double *)from->foot_free_moment, 3 * FOOT_COUNT,
            (double *)(out->foot_free_moment + f * FOOT_COUNT));
        mix(b, from->confidence, 1, out->confidence + f);
        mix_centres(b, from, out->foot_cop + f * FOOT_COUNT);
    }
    return STATUS_OK;
}
