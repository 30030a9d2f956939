/* Measures of a body in motion (body_measures.h). */
#include "analysis/detect/body_measures.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/detect/free_fall.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"

static const double speed_window = 0.2; /* s */

enum { MAX_PATH = 6, FRAMES_SEARCHED = 1500 };

/* ---- Size ---- */

/* A length of the body along a path of roles (absent ones are skipped): its ratio to stature in people, and the
 * standard deviation of its logarithm over people, stylised characters and joint placements. Medians: stature 1.72 m
 * with the segment lengths of de Leva 1996 (leg from hip to ankle 0.82 m, hips to head joint 0.58 m, arm to the wrist
 * 0.54 m). */
typedef struct BodyLength {
    Role path[MAX_PATH]; /* ends with ROLE_NONE */
    int required;        /* least number of roles of the path that must be present */
    double of_stature, spread;
} BodyLength;

static const BodyLength lengths[] = {
    {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, 3, 0.82 / 1.72, 0.14},
    {{ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}, 3, 0.82 / 1.72, 0.14},
    {{ROLE_HIPS, ROLE_SPINE, ROLE_CHEST, ROLE_NECK, ROLE_HEAD}, 3, 0.58 / 1.72, 0.2},
    {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, 3, 0.54 / 1.72, 0.16},
    {{ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}, 3, 0.54 / 1.72, 0.16},
};

/* Length of a path in the middle frame; 0 where roles are missing. */
static double path_length(const BodyLength *what, const Skeleton *skeleton, const Vec3 *position)
{
    double sum = 0;
    int previous = -1, found = 0;
    for (int i = 0; i < MAX_PATH && what->path[i] != ROLE_NONE; i++) {
        int joint = skeleton_find_role(skeleton, what->path[i]);
        if (joint < 0)
            continue;
        if (previous >= 0)
            sum += vec3_distance(position[joint], position[previous]);
        previous = joint;
        found++;
    }
    return found >= what->required ? sum : 0;
}

/* Stature inferred from the lengths: mean of logarithms weighted by precision. */
static double skeleton_stature(const Skeleton *skeleton, const Vec3 *position)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        double length = path_length(&lengths[i], skeleton, position);
        double precision = 1 / (lengths[i].spread * lengths[i].spread);
        if (!(length > 0))
            continue;
        sum += precision * elementary_log(length / lengths[i].of_stature);
        weight += precision;
    }
    return weight > 0 ? elementary_exp(sum / weight) : 0;
}

/* Distance from an ankle to the farthest point of its foot. */
static double foot_length(const Skeleton *s, const Vec3 *position, Role ankle)
{
    int from = skeleton_find_role(s, ankle);
    double farthest = 0;
    for (int j = from + 1; from >= 0 && j < s->joint_count; j++)
        if (s->parent[j] == from || s->segment[j] == s->segment[from])
            farthest = fmax(farthest, vec3_distance(position[j], position[from]));
    for (int e = 0; from >= 0 && e < s->end_count; e++)
        if (s->end_parent[e] == from || s->parent[s->end_parent[e]] == from)
            farthest = fmax(farthest, vec3_distance(position[s->joint_count + e], position[from]));
    return farthest;
}

static double box_diagonal(const Vec3 *position, int count)
{
    Vec3 low = position[0], high = low;
    for (int p = 1; p < count; p++) {
        Vec3 v = position[p];
        low = vec3(v.x < low.x ? v.x : low.x, v.y < low.y ? v.y : low.y, v.z < low.z ? v.z : low.z);
        high = vec3(v.x > high.x ? v.x : high.x, v.y > high.y ? v.y : high.y, v.z > high.z ? v.z : high.z);
    }
    return vec3_distance(low, high);
}

/* Whether the joint of a role, if there is one, lies at its parent. */
static int is_at_parent(const Skeleton *s, Role role, double nothing)
{
    int joint = skeleton_find_role(s, role);
    return joint <= 0 || vec3_norm(s->offset[joint]) <= nothing;
}

/* Whether a helper joint at the hips carries the hip joint. */
static int has_helper_at_hips(const Skeleton *s, Role hip, double nothing)
{
    int joint = skeleton_find_role(s, hip), helper = joint > 0 ? s->parent[joint] : -1;
    return helper > 0 && s->role[helper] == ROLE_NONE && s->role[s->parent[helper]] == ROLE_HIPS &&
           vec3_norm(s->offset[helper]) <= nothing && vec3_norm(s->offset[joint]) > nothing;
}

/* Whether the skeleton is that of the CMU library, whatever its joints are called: helpers at the hips carry the legs,
 * and lower back, neck and clavicles lie at their parents. */
static int is_cmu_skeleton(const Skeleton *s)
{
    double nothing = 1e-4 * skeleton_longest_offset(s);
    return has_helper_at_hips(s, ROLE_LEFT_HIP, nothing) && has_helper_at_hips(s, ROLE_RIGHT_HIP, nothing) &&
           is_at_parent(s, ROLE_SPINE, nothing) && is_at_parent(s, ROLE_NECK, nothing) &&
           is_at_parent(s, ROLE_LEFT_CLAVICLE, nothing) && is_at_parent(s, ROLE_RIGHT_CLAVICLE, nothing);
}

/* ---- Speed ---- */

/* The percentile `fraction` of value[count], which is reordered; 0 if empty. */
static double select_percentile(double *value, int count, double fraction)
{
    return count > 0 ? select_double(value, (size_t)count, (size_t)(fraction * (count - 1))) : 0;
}

static double hips_speed(const Skeleton *skeleton, const PoseSample *sample, double frame_time, Vec3 up,
                         double *scratch)
{
    int step = (int)fmin(sample->frame_count, fmax(1, rint(speed_window / frame_time))), count = 0;
    int hips = (int)fmax(0, skeleton_find_role(skeleton, ROLE_HIPS));
    for (int f = 0; f + step < sample->frame_count; f += step) {
        Vec3 moved = vec3_sub(pose_sample_frame(sample, f + step)[hips], pose_sample_frame(sample, f)[hips]);
        moved = vec3_mad(moved, -vec3_dot(moved, up), up);
        scratch[count++] = vec3_norm(moved) / (step * frame_time);
    }
    return select_percentile(scratch, count, 0.9);
}

/* sample must contain consecutive frames. */
static Status measure(const Skeleton *skeleton, const PoseSample *sample, double frame_time, Vec3 up, BodyMeasures *out,
                      Error *err)
{
    const Vec3 *middle = pose_sample_frame(sample, sample->frame_count / 2);
    double left = foot_length(skeleton, middle, ROLE_LEFT_ANKLE);
    double right = foot_length(skeleton, middle, ROLE_RIGHT_ANKLE);
    FreeFall fall;
    Arena arena = {0};
    double *scratch = arena_array(&arena, (size_t)sample->frame_count, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = free_fall_measure(skeleton, sample, up, frame_time, &fall, err);
    if (!status) {
        *out = (BodyMeasures){.stature = skeleton_stature(skeleton, middle), .is_cmu = is_cmu_skeleton(skeleton),
                              .fall = fall.acceleration, .drop = fall.steepest};
        out->foot = left > 0 && right > 0 ? 0.5 * (left + right) : fmax(left, right);
        out->speed = hips_speed(skeleton, sample, frame_time, up, scratch);
        for (int f = 0; f < sample->frame_count; f++)
            scratch[f] = box_diagonal(pose_sample_frame(sample, f), sample->point_count);
        out->extent = select_percentile(scratch, sample->frame_count, 0.5);
    }
    arena_free(&arena);
    return status;
}

Status body_measures(const Skeleton *skeleton, const Motion *motion, int first_frame, Vec3 up, BodyMeasures *out,
                     Error *err)
{
    PoseSample sample;
    Motion head = motion_view(motion, 0, (int)fmin(motion->frame_count, first_frame + FRAMES_SEARCHED));
    Status status = pose_sample_init(&sample, skeleton, &head, first_frame, FRAMES_SEARCHED, err);
    if (status)
        return status;
    status = measure(skeleton, &sample, motion->frame_time, up, out, err);
    pose_sample_free(&sample);
    return status;
}
