/* A clip as six samples per second (motion_features.h). */
#include "analysis/stats/motion_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* Left and right alternate, so that a mirrored value is adjacent to its own. */
static const Role limbs[SKETCH_LIMBS] = {
    [SKETCH_ELBOW] = ROLE_LEFT_ELBOW, ROLE_RIGHT_ELBOW, [SKETCH_WRIST] = ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST,
    [SKETCH_KNEE] = ROLE_LEFT_KNEE,   ROLE_RIGHT_KNEE,  [SKETCH_ANKLE] = ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE};
static const Role bearers[SKETCH_TORQUE_VALUES] = {
    ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_RIGHT_ELBOW, ROLE_LEFT_HIP, ROLE_RIGHT_HIP,
    ROLE_LEFT_KNEE,     ROLE_RIGHT_KNEE,     ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE, ROLE_SPINE};

/* Joints and measures of a clip from which samples are computed. */
typedef struct Subject {
    const Clip *clip;
    const JointSeries *series;
    int joint[ROLE_COUNT]; /* -1: none */
    int top;               /* joint at the upper end of the trunk */
    double leg;            /* m */
    double mass;           /* kg; NaN: unknown */
} Subject;

/* Sums over the frames of one sample. */
typedef struct Sums {
    double sum[SKETCH_VALUES];
    int count[SKETCH_VALUES];
} Sums;

static Vec3 joint_at(const Subject *s, int frame, int joint)
{
    return s->clip->kinematics.position[motion_index(&s->clip->motion, frame, joint)];
}

static double bone(const Subject *s, Role from, Role to)
{
    return vec3_norm(vec3_sub(joint_at(s, s->series->frame[0], s->joint[from]), joint_at(s, s->series->frame[0],
                                                                                         s->joint[to])));
}

/* Returns 0 if the skeleton has no human trunk and legs. */
static int subject_init(Subject *s, const Clip *clip, const JointSeries *series)
{
    static const Role needed[] = {ROLE_LEFT_HIP,   ROLE_RIGHT_HIP,  ROLE_LEFT_KNEE,
                                  ROLE_RIGHT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE};
    static const Role tops[] = {ROLE_NECK, ROLE_HEAD, ROLE_CHEST, ROLE_SPINE};
    *s = (Subject){.clip = clip, .series = series, .top = -1, .mass = clip->has_body ? clip->body.total_mass : NAN};
    for (int r = 0; r < ROLE_COUNT; r++)
        s->joint[r] = r == ROLE_NONE ? -1 : skeleton_find_role(&clip->skeleton, (Role)r);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (s->joint[needed[i]] < 0)
            return 0;
    for (size_t i = 0; i < sizeof tops / sizeof *tops && s->top < 0; i++)
        s->top = s->joint[tops[i]];
    if (!clip->has_kinematics || series->count == 0 || s->top < 0)
        return 0;
    s->leg = 0.5 * (bone(s, ROLE_LEFT_HIP, ROLE_LEFT_KNEE) + bone(s, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE) +
                    bone(s, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE) + bone(s, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE));
    return s->leg > 0;
}

static void add_value(Sums *sums, int at, double value)
{
    if (!isfinite(value))
        return;
    sums->sum[at] += value;
    sums->count[at]++;
}

/* Adds v in axes of the trunk. */
static void add_vector(Sums *sums, int at, const Vec3 axis[3], Vec3 v)
{
    for (int k = 0; k < 3; k++)
        add_value(sums, at + k, vec3_dot(axis[k], v));
}

static void add_pose(const Subject *s, int sample, Sums *sums)
{
    const Kinematics *k = &s->clip->kinematics;
    int frame = s->series->frame[sample];
    Vec3 left = joint_at(s, frame, s->joint[ROLE_LEFT_HIP]), right = joint_at(s, frame, s->joint[ROLE_RIGHT_HIP]);
    Vec3 middle = vec3_scale(vec3_add(left, right), 0.5);
    Vec3 x = vec3_normalize(vec3_sub(left, right)), trunk = vec3_sub(joint_at(s, frame, s->top), middle);
    Vec3 y = vec3_normalize(vec3_sub(trunk, vec3_scale(x, vec3_dot(x, trunk))));
    const Vec3 axis[3] = {x, y, vec3_cross(x, y)};
    for (int i = 0; i < SKETCH_LIMBS; i++) {
        int joint = s->joint[limbs[i]];
        if (joint >= 0 && !joint_series_doubts(s->series, joint, sample))
            add_vector(sums, 3 * i, axis, vec3_scale(vec3_sub(joint_at(s, frame, joint), middle), 1 / s->leg));
    }
    add_vector(sums, SKETCH_UP, axis, vec3(0, 0.5, 0));
    Vec3 speed = vec3_add(k->velocity[motion_index(&s->clip->motion, frame, s->joint[ROLE_LEFT_HIP])],
                          k->velocity[motion_index(&s->clip->motion, frame, s->joint[ROLE_RIGHT_HIP])]);
    add_vector(sums, SKETCH_TRAVEL, axis, vec3_scale(speed, 0.5 * SKETCH_SECONDS / s->leg));
}

Role motion_features_torque_role(int index) { return bearers[index]; }

static void add_torques(const Subject *s, int sample, Sums *sums)
{
    for (int i = 0; i < SKETCH_TORQUE_VALUES && s->series->has_load; i++) {
        int joint = s->joint[bearers[i]];
        if (joint < 0 || s->series->is_residual[joint] || s->series->is_silent[joint] ||
            joint_series_doubts(s->series, joint, sample))
            continue;
        add_value(sums, SKETCH_POSE_VALUES + i, joint_series_torque(s->series, joint)[sample] / s->mass);
    }
}

/* Rounds to integer steps from an origin, clamped to a byte. */
static unsigned char steps_to_byte(double steps, int origin)
{
    double nearest = floor(steps + 0.5) + origin;
    return (unsigned char)fmin(fmax(nearest, SKETCH_UNKNOWN + 1), 255);
}

static void store(const Sums *sums, unsigned char *value)
{
    for (int i = 0; i < SKETCH_VALUES; i++) {
        int is_pose = i < SKETCH_POSE_VALUES;
        double mean = sums->sum[i] / sums->count[i];
        if (sums->count[i] > 0)
            value[i] = steps_to_byte(mean / (is_pose ? SKETCH_LEGS : SKETCH_NM_KG), is_pose ? SKETCH_ORIGIN : 1);
    }
}

/* Sample k averages the frames within half a sample of its middle, or within half a frame if that is longer. */
static void fill(MotionFeatures *sketch, const Subject *s)
{
    double dt = s->clip->motion.frame_time, half = 0.5 * fmax(SKETCH_SECONDS, dt);
    int first = 0;
    for (int k = 0; k < sketch->count; k++) {
        Sums sums = {{0}, {0}};
        double middle = (k + 0.5) * SKETCH_SECONDS;
        while (first < s->series->count && (s->series->frame[first] + 0.5) * dt < middle - half)
            first++;
        for (int i = first; i < s->series->count && (s->series->frame[i] + 0.5) * dt < middle + half; i++) {
            add_pose(s, i, &sums);
            add_torques(s, i, &sums);
        }
        store(&sums, sketch->value + (size_t)k * SKETCH_VALUES);
    }
}

Status motion_features_init(MotionFeatures *sketch, const Clip *clip, const JointSeries *series, Error *err)
{
    Subject subject;
    *sketch = (MotionFeatures){0};
    if (subject_init(&subject, clip, series)) {
        double seconds = clip->motion.frame_count * clip->motion.frame_time;
        sketch->count = (int)fmin(floor(seconds / SKETCH_SECONDS + 1e-6), 2.0 * clip->motion.frame_count);
    }
    sketch->value = array_new((size_t)sketch->count, SKETCH_VALUES, 1);
    if (!sketch->value) {
        motion_features_free(sketch);
        return error_no_memory(err);
    }
    if (sketch->count > 0)
        fill(sketch, &subject);
    return STATUS_OK;
}

void motion_features_free(MotionFeatures *sketch)
{
    if (!sketch)
        return;
    free(sketch->value);
    *sketch = (MotionFeatures){0};
}

/* Mirrors a lateral component. */
static void mirror_value(unsigned char *x)
{
    int turned = 2 * SKETCH_ORIGIN - *x;
    if (*x != SKETCH_UNKNOWN)
        *x = (unsigned char)(turned > 255 ? 255 : turned);
}

void motion_features_mirror(const unsigned char *from, unsigned char *to)
{
    for (int limb = 0; limb < SKETCH_LIMBS; limb++)
        memcpy(to + (size_t)3 * (size_t)limb, from + (size_t)3 * (size_t)(limb ^ 1), 3);
    memcpy(to + SKETCH_UP, from + SKETCH_UP, 6);
    for (int x = 0; x < SKETCH_POSE_VALUES; x += 3)
        mirror_value(&to[x]);
    for (int i = 0; i < SKETCH_TORQUE_VALUES; i++) {
        int other = bearers[i] == ROLE_SPINE ? i : i ^ 1;
        to[SKETCH_POSE_VALUES + i] = from[SKETCH_POSE_VALUES + other];
    }
}
