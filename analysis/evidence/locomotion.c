/* See locomotion.h. */
#include "analysis/evidence/locomotion.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/evidence/strides.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/sort.h"
#include "analysis/math/vec_median.h"

enum { MIN_STANCE = 10, ROUNDS = 14 };

static const double pathless = 0.35;    /* path per step over step length */
static const double still_root = 1e-3;  /* of the body's size: a root that does not move along the ground */
static const double min_slide = 0.5;    /* slide of the foot on the ground per step, over step length */
static const double even_slide = 0.2;   /* median deviation of the slide from its median, relative */
static const double on_ground = 0.09;   /* of the body's size, above the lowest point */
static const double wide = 0.2, narrow = 0.85; /* of the speed: points that move with the ground; factor per round */
static const double shortest_foot = 0.04; /* leg lengths */
static const double shortest_shank = 0.5; /* of the thigh */

/* Revolutions of each ankle about its mean, variation of its distance, and least and largest radius in leg lengths. */
static const double min_turns = 1.5, round_enough = 0.35, min_radius = 0.1, largest_radius = 0.45;
static const double pedals_opposed = -0.7; /* mean cosine between the two ankles' directions */
static const double seated_rise = 0.02;    /* leg lengths: the centre of mass hardly rises and falls */

/* Distance to the farthest joint or end below a joint, in steps of single bones. */
static double longest_bone_below(const Skeleton *s, int top)
{
    double reach = 0;
    for (int j = top + 1; j < s->joint_count; j++)
        reach = skeleton_is_below(s, j, top) ? fmax(reach, vec3_norm(s->offset[j])) : reach;
    for (int e = 0; e < s->end_count; e++)
        reach = skeleton_is_below(s, s->end_parent[e], top) ? fmax(reach, vec3_norm(s->end_offset[e])) : reach;
    return reach;
}

LegsLack locomotion_legs_lack(const Skeleton *s)
{
    const Role ankles[] = {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE}, knees[] = {ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE};
    int has_feet = 0;
    for (int side = 0; side < 2; side++) {
        int ankle = skeleton_find_role(s, ankles[side]), knee = skeleton_find_role(s, knees[side]);
        if (knee < 0)
            return LEGS_LACK_NOTHING;
        if (ankle < 0 && longest_bone_below(s, knee) < shortest_shank * vec3_norm(s->offset[knee]))
            return LEGS_LACK_SHANKS;
        has_feet |= ankle >= 0 && longest_bone_below(s, ankle) > 2 * shortest_foot * vec3_norm(s->offset[ankle]);
    }
    return has_feet ? LEGS_LACK_NOTHING : LEGS_LACK_FEET;
}

static double stride_length(double x, double y) { return sqrt(x * x + y * y); }

static Vec3 level(Vec3 v, Vec3 up) { return vec3_mad(v, -vec3_dot(v, up), up); }

static double median(double *value, int count)
{
    return select_double(value, (size_t)count, (size_t)count / 2);
}

/* ---- Path ---- */

/* Path of the hips per step over the length of a step: median over windows of two steps. */
static double path_per_step(const BodyTrack *track, Vec3 up, const Strides *strides, double *scratch)
{
    int stride = (int)fmax(1, rint(2 * strides->frames)), step = (int)fmax(1, stride / 8), count = 0;
    for (int f = 0; f + stride < track->frame_count; f += step)
        scratch[count++] = vec3_norm(level(vec3_sub(body_track_role(track, f + stride, ROLE_HIPS),
                                                    body_track_role(track, f, ROLE_HIPS)), up));
    return count > 0 ? median(scratch, count) / (2 * strides->length * track->leg) : 1;
}

/* Extent of the root along the ground. */
static double root_range(const BodyTrack *track, Vec3 up)
{
    double range = 0;
    Vec3 first = body_track_frame(track, 0)[0];
    for (int f = 1; f < track->frame_count; f++)
        range = fmax(range, vec3_norm(level(vec3_sub(body_track_frame(track, f)[0], first), up)));
    return range;
}

/* Displacement per frame of a point along the ground. */
static Vec3 point_step(const BodyTrack *track, int frame, int point, Vec3 up)
{
    Vec3 moved = vec3_sub(body_track_frame(track, frame + 1)[point], body_track_frame(track, frame - 1)[point]);
    return level(vec3_scale(moved, 0.5), up);
}

static Vec3 stance_step(const BodyTrack *track, int frame, Vec3 up)
{
    double left = vec3_dot(body_track_role(track, frame, ROLE_LEFT_ANKLE), up);
    double right = vec3_dot(body_track_role(track, frame, ROLE_RIGHT_ANKLE), up);
    return point_step(track, frame, track->joint[left < right ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE], up);
}

/* Median displacement per frame of the lower ankle along the front of the body, whichever way it turns. */
static double slide_step(const BodyTrack *track, Vec3 up, double *scratch)
{
    int count = track->frame_count - 2;
    for (int f = 0; f < count; f++) {
        Vec3 right = vec3_sub(body_track_role(track, f + 1, ROLE_RIGHT_HIP),
                              body_track_role(track, f + 1, ROLE_LEFT_HIP));
        scratch[f] = fabs(vec3_dot(stance_step(track, f + 1, up), vec3_normalize(vec3_cross(up, right))));
    }
    return median(scratch, count);
}

/* Median displacement per frame of the lower ankle. step: [frame]. */
static Vec3 median_step(const BodyTrack *track, Vec3 up, Vec3 *step)
{
    int count = track->frame_count - 2;
    for (int f = 0; f < count; f++)
        step[f] = stance_step(track, f + 1, up);
    return vec3_median(step, count);
}

/* Mean displacement of the points near the ground that move with it, within `width` of the estimate (mean shift). */
static Vec3 nearby_step(const BodyTrack *track, Vec3 up, Vec3 estimate, double width)
{
    Vec3 sum = vec3(0, 0, 0);
    int count = 0;
    for (int f = 1; f + 1 < track->frame_count; f++) {
        const Vec3 *point = body_track_frame(track, f);
        double lowest = vec3_dot(point[0], up);
        for (int p = 1; p < track->point_count; p++)
            lowest = fmin(lowest, vec3_dot(point[p], up));
        for (int p = 0; p < track->point_count; p++) {
            if (vec3_dot(point[p], up) > lowest + on_ground * track->size)
                continue;
            Vec3 step = point_step(track, f, p, up);
            if (vec3_distance(step, estimate) < width) {
                sum = vec3_add(sum, step);
                count++;
            }
        }
    }
    return count > 0 ? vec3_scale(sum, 1.0 / count) : estimate;
}

/* Even displacement of the ground per frame under the feet. variation: median deviation of the lower ankle's from it,
 * relative. scratch: [4][frame]. */
static Vec3 ground_step(const BodyTrack *track, Vec3 up, double *scratch, double *variation)
{
    int count = track->frame_count - 2;
    Vec3 belt = median_step(track, up, (Vec3 *)scratch);
    double speed = fmax(vec3_norm(belt), 1e-12);
    for (int f = 0; f < count; f++)
        scratch[f] = vec3_distance(stance_step(track, f + 1, up), belt);
    *variation = median(scratch, count) / speed;
    double width = wide * speed;
    for (int i = 0; i < ROUNDS; i++, width *= narrow)
        belt = nearby_step(track, up, belt, width);
    return belt;
}

static void judge_path(const BodyTrack *track, Vec3 up, const Strides *strides, double *scratch,
                       LocomotionJudgement *out)
{
    double variation;
    out->path = path_per_step(track, up, strides, scratch);
    if (out->path > pathless || track->frame_count < MIN_STANCE)
        return;
    double slide = slide_step(track, up, scratch) * strides->frames / (strides->length * track->leg);
    if (slide < min_slide)
        return;
    Vec3 belt = ground_step(track, up, scratch, &variation);
    int is_still = root_range(track, up) < still_root * track->size;
    evidence_add(&out->evidence, -4, "%d steps of %.2g leg lengths take the body %.2g of their length", strides->steps,
                 strides->length, out->path);
    evidence_add(&out->evidence, -2, "feet on the ground slide by %.2g of a step per step", slide);
    if (is_still)
        evidence_add(&out->evidence, -3, "the root does not move along the ground");
    out->kind = is_still || variation > even_slide ? LOCOMOTION_IN_PLACE : LOCOMOTION_TREADMILL;
    if (out->kind == LOCOMOTION_TREADMILL)
        out->belt = vec3_scale(belt, 1 / track->frame_time);
}

/* ---- Pedals ---- */

typedef struct Revolution {
    double turns;         /* revolutions about the mean, unsigned */
    double radius, uneven; /* mean distance, its standard deviation over it */
} Revolution;

/* Direction of an ankle from its mean in the sagittal plane of the pelvis. */
static void ankle_path(const BodyTrack *track, Vec3 up, Role ankle, Role hip, double *ahead, double *high)
{
    double mean_ahead = 0, mean_high = 0;
    for (int f = 0; f < track->frame_count; f++) {
        Vec3 right = vec3_sub(body_track_role(track, f, ROLE_RIGHT_HIP), body_track_role(track, f, ROLE_LEFT_HIP));
        Vec3 front = vec3_normalize(vec3_cross(up, right));
        Vec3 from_hip = vec3_sub(body_track_role(track, f, ankle), body_track_role(track, f, hip));
        ahead[f] = vec3_dot(from_hip, front) / track->leg;
        high[f] = vec3_dot(from_hip, up) / track->leg;
        mean_ahead += ahead[f] / track->frame_count;
        mean_high += high[f] / track->frame_count;
    }
    for (int f = 0; f < track->frame_count; f++) {
        ahead[f] -= mean_ahead;
        high[f] -= mean_high;
    }
}

static Revolution crank_revolution(const double *ahead, const double *high, int count)
{
    Revolution r = {0};
    double square = 0, angle = 0;
    for (int f = 0; f < count; f++) {
        double radius = stride_length(ahead[f], high[f]);
        r.radius += radius / count;
        square += radius * radius / count;
        if (f > 0)
            angle += elementary_atan2(ahead[f - 1] * high[f] - high[f - 1] * ahead[f],
                                      ahead[f - 1] * ahead[f] + high[f - 1] * high[f]);
    }
    r.turns = fabs(angle) / (2 * PI);
    r.uneven = r.radius > 0 ? sqrt(fmax(0, square - r.radius * r.radius)) / r.radius : 1;
    return r;
}

static int goes_round(const Revolution *r)
{
    return r->turns > min_turns && r->uneven < round_enough && r->radius > min_radius && r->radius < largest_radius;
}

static void judge_pedals(const BodyTrack *track, Vec3 up, const Strides *strides, double *scratch,
                         LocomotionJudgement *out)
{
    size_t frames = (size_t)track->frame_count;
    double *la = scratch, *lh = la + frames, *ra = lh + frames, *rh = ra + frames, opposed = 0;
    ankle_path(track, up, ROLE_LEFT_ANKLE, ROLE_LEFT_HIP, la, lh);
    ankle_path(track, up, ROLE_RIGHT_ANKLE, ROLE_RIGHT_HIP, ra, rh);
    Revolution left = crank_revolution(la, lh, track->frame_count);
    Revolution right = crank_revolution(ra, rh, track->frame_count);
    for (size_t f = 0; f < frames; f++)
        opposed += (la[f] * ra[f] + lh[f] * rh[f]) /
                   fmax(1e-12, stride_length(la[f], lh[f]) * stride_length(ra[f], rh[f]));
    if (fabs(strides->rise) > seated_rise || !goes_round(&left) || !goes_round(&right) ||
        opposed > pedals_opposed * track->frame_count)
        return;
    evidence_add(&out->evidence, -6, "the ankles go round %.2g times at %.2g leg lengths, opposite each other",
                 left.turns, left.radius);
    out->kind = LOCOMOTION_CYCLING;
}

Status locomotion_judge(const BodyTrack *track, Vec3 up, LocomotionJudgement *out, Error *err)
{
    Strides strides;
    *out = (LocomotionJudgement){.path = 1, .evidence.confidence = 1};
    if (!(track->leg > 0) || track->joint[ROLE_HIPS] < 0)
        return STATUS_OK;
    Status status = strides_measure(track, up, &strides, err);
    if (status)
        return status;
    Arena arena = {0};
    double *scratch = arena_space(&arena, (size_t)track->frame_count, 4, sizeof *scratch);
    if (arena.failed)
        return error_no_memory(err);
    judge_pedals(track, up, &strides, scratch, out);
    int is_gait = strides_are_walking(&strides) || strides_are_running(&strides);
    if (out->kind == LOCOMOTION_PATH && is_gait)
        judge_path(track, up, &strides, scratch, out);
    double odds = 4;
    for (int i = 0; i < out->evidence.count; i++)
        odds += out->evidence.observation[i].log_odds;
    out->evidence.confidence = 1 / (1 + elementary_exp(-odds));
    arena_free(&arena);
    return STATUS_OK;
}
