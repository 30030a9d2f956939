/* See follow_camera.h. */
#include "analysis/motion/follow_camera.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/signal/biquad.h"
#include "analysis/signal/spring.h"

#define NEAREST 0.05      /* m: a body that comes closer pushes the camera */
#define STEEPEST (85 * PI / 180)
#define MIN_LEVEL 0.05  /* horizontal part of a direction below which it has no heading */

/* A value on a spring, and its rate. */
typedef struct Sprung {
    double value, rate;
} Sprung;

typedef struct Rig {
    Vec3 position;
    Sprung radius, yaw, pitch, view_yaw, view_pitch;
} Rig;

static double level_length(Vec3 v) { return sqrt(v.x * v.x + v.z * v.z); }

/* Direction in spherical coordinates about +Y. */
static Vec3 direction_from_angles(double yaw, double pitch)
{
    double sy, cy, sp, cp;
    elementary_sincos(yaw, &sy, &cy);
    elementary_sincos(pitch, &sp, &cp);
    return vec3(cp * sy, sp, cp * cy);
}

/* The angle congruent to `angle` modulo 2 pi that is nearest to `near`. */
static double nearest_angle(double angle, double near) { return angle - 2 * PI * nearbyint((angle - near) / (2 * PI)); }

static double pitch_angle(Vec3 v, double length) { return elementary_asin(fmax(-1, fmin(1, v.y / length))); }

static void advance(Sprung *s, const SpringStep *step, double rest)
{
    spring_advance(step, rest, &s->value, &s->rate);
}

static void advance_angle(Sprung *s, const SpringStep *step, double rest)
{
    advance(s, step, nearest_angle(rest, s->value));
}

static void hold_between(Sprung *s, double min, double max)
{
    double held = fmax(min, fmin(max, s->value));
    if (held != s->value)
        *s = (Sprung){held, 0};
}

/* Recomputes the spherical coordinates after a move of the focus; their rates, the camera's own, are unchanged. */
static void update_offset(Rig *rig, Vec3 focus)
{
    Vec3 offset = vec3_sub(rig->position, focus);
    double length = vec3_norm(offset), level = level_length(offset);
    if (!(length > NEAREST))
        return;
    rig->radius.value = length;
    rig->pitch.value = pitch_angle(offset, length);
    if (level > MIN_LEVEL * length)
        rig->yaw.value = nearest_angle(elementary_atan2(offset.x, offset.z), rig->yaw.value);
}

static void move(Rig *rig, const CameraDef *def, const SpringStep *step, const CameraTarget *to)
{
    update_offset(rig, to->focus);
    advance(&rig->radius, step, def->distance);
    advance(&rig->pitch, step, def->pitch * PI / 180);
    advance_angle(&rig->yaw, step, to->heading + PI + def->yaw * PI / 180);
    hold_between(&rig->radius, NEAREST, INFINITY);
    hold_between(&rig->pitch, -STEEPEST, STEEPEST);
    rig->position = vec3_mad(to->focus, rig->radius.value, direction_from_angles(rig->yaw.value, rig->pitch.value));
}

static void rotate_view(Rig *rig, const SpringStep *step, Vec3 focus)
{
    Vec3 towards = vec3_sub(focus, rig->position);
    double length = vec3_norm(towards);
    if (!(length > NEAREST))
        return;
    advance(&rig->view_pitch, step, pitch_angle(towards, length));
    if (level_length(towards) > MIN_LEVEL * length)
        advance_angle(&rig->view_yaw, step, elementary_atan2(towards.x, towards.z));
    hold_between(&rig->view_pitch, -STEEPEST, STEEPEST);
}

static Rig at_rest(const CameraDef *def, const CameraTarget *target)
{
    double yaw = target->heading + PI + def->yaw * PI / 180, pitch = def->pitch * PI / 180;
    return (Rig){.position = vec3_mad(target->focus, def->distance, direction_from_angles(yaw, pitch)),
                 .radius = {def->distance, 0}, .yaw = {yaw, 0}, .pitch = {pitch, 0},
                 .view_yaw = {yaw - PI, 0}, .view_pitch = {-pitch, 0}};
}

/* The camera looks along -Z, whose yaw is pi. */
static CameraFrame rig_camera_frame(const Rig *rig)
{
    Quat about_y = quat_from_axis_angle(vec3(0, 1, 0), rig->view_yaw.value - PI);
    Quat about_x = quat_from_axis_angle(vec3(1, 0, 0), rig->view_pitch.value);
    return (CameraFrame){rig->position, quat_mul(about_y, about_x), rig->radius.value, rig->yaw.value,
                         rig->pitch.value};
}

void camera_follow(const CameraDef *def, const CameraTarget *target, int frame_count, double frame_time,
                   CameraFrame *camera)
{
    int steps = (int)fmax(1, ceil(frame_time / CAMERA_STEP - 1e-9));
    SpringStep step = spring_step(2 * PI * def->frequency, def->damping_ratio, frame_time / steps);
    if (frame_count < 1)
        return;
    Rig rig = at_rest(def, &target[0]);
    camera[0] = rig_camera_frame(&rig);
    for (int f = 1; f < frame_count; f++) {
        for (int k = 1; k <= steps; k++) {
            double part = (double)k / steps;
            CameraTarget to = {vec3_lerp(target[f - 1].focus, target[f].focus, part),
                               lerp(target[f - 1].heading, target[f].heading, part)};
            if (def->kind == CAMERA_FIXED)
                update_offset(&rig, to.focus);
            else
                move(&rig, def, &step, &to);
            rotate_view(&rig, &step, to.focus);
        }
        camera[f] = rig_camera_frame(&rig);
    }
}

/* The world position of a joint in a frame. */
static Vec3 joint_position(const Skeleton *s, const Motion *m, int frame, int joint)
{
    Vec3 p = {0, 0, 0};
    for (int j = joint; s->parent[j] >= 0; j = s->parent[j])
        p = quat_rotate(m->rotation[motion_index(m, frame, s->parent[j])], vec3_add(s->offset[j], p));
    return vec3_add(m->root_position[frame], p);
}

static Vec3 body_forward(const Skeleton *s, const Motion *m, int frame, int left, int right)
{
    if (left < 0 || right < 0)
        return quat_rotate(m->rotation[motion_index(m, frame, 0)], vec3(0, 0, 1));
    Vec3 side = vec3_normalize(vec3_sub(joint_position(s, m, frame, left), joint_position(s, m, frame, right)));
    return vec3(-side.z, 0, side.x); /* left x up */
}

void camera_targets(const Skeleton *skeleton, const Motion *motion, CameraTarget *target)
{
    int left = skeleton_find_role(skeleton, ROLE_LEFT_HIP), right = skeleton_find_role(skeleton, ROLE_RIGHT_HIP);
    double heading = 0;
    for (int f = 0; f < motion->frame_count; f++) {
        Vec3 forward = body_forward(skeleton, motion, f, left, right);
        if (level_length(forward) > MIN_LEVEL)
            heading = nearest_angle(elementary_atan2(forward.x, forward.z), heading);
        target[f] = (CameraTarget){motion->root_position[f], heading};
    }
}

Status camera_path(const CameraDef *def, const Skeleton *skeleton, const Motion *motion, Arena *arena,
                   CameraPath *path, Error *err)
{
    size_t frames = (size_t)motion->frame_count;
    path->target = arena_array(arena, frames, 1, sizeof *path->target);
    path->camera = arena_array(arena, frames, 1, sizeof *path->camera);
    if (arena->failed)
        return error_no_memory(err);
    camera_targets(skeleton, motion, path->target);
    camera_follow(def, path->target, motion->frame_count, motion->frame_time, path->camera);
    return STATUS_OK;
}

CameraDef camera_default_def(void)
{
    return (CameraDef){.kind = CAMERA_NONE, .distance = 4, .pitch = 15, .frequency = 1, .damping_ratio = 1};
}

Status camera_check(const CameraDef *def, Error *err)
{
    if (!(def->distance > NEAREST && isfinite(def->distance)))
        return error_set(err, STATUS_USAGE, "--camera-distance %g: expected over %g m", def->distance, NEAREST);
    if (!(fabs(def->pitch) <= 80))
        return error_set(err, STATUS_USAGE, "--camera-pitch %g: expected -80 to 80 degrees", def->pitch);
    if (!(fabs(def->yaw) <= 180))
        return error_set(err, STATUS_USAGE, "--camera-yaw %g: expected -180 to 180 degrees", def->yaw);
    if (!(def->frequency > 0 && def->frequency <= 100))
        return error_set(err, STATUS_USAGE, "--camera-frequency %g: expected up to 100 Hz", def->frequency);
    if (!(def->damping_ratio >= 0 && def->damping_ratio <= DAMPING_RATIO_HIGHEST))
        return error_set(err, STATUS_USAGE, "--camera-damping-ratio %g: expected 0 to %g",
                         def->damping_ratio, DAMPING_RATIO_HIGHEST);
    return STATUS_OK;
}
