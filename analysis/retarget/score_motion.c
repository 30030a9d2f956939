#include "analysis/retarget/score_motion.h"

#include <string.h>

#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/section.h"

#define CUTOFF 12.0  /* Hz: above it recordings are noise */
#define SHARE 0.99   /* of frames: what lies above may be a glitch */
#define NOTHING 1e-9 /* below, there is no rate to compare with */

/* A quantity over time and its rate of some order. */
typedef struct Course {
    double *value;   /* [frame] */
    double *scratch; /* [frame] */
    int frames;
    double frame_time;
} Course;

/* Low-pass in place; takes that are sampled too slowly, or too short, stay. */
static Status low_pass(const Course *t, Error *err)
{
    double rate = 1 / t->frame_time;
    if (2 * CUTOFF >= rate || t->frames < 8)
        return STATUS_OK;
    Section section = butterworth_section(CUTOFF, rate);
    Samples samples = {t->value, (size_t)t->frames, 1};
    return section_filter(&section, &samples, cutoff_pad(CUTOFF, rate), LANES_SCALAR, err);
}

/* Replaces value by the magnitude of its differences of the order; returns how many there are. */
static int differ(const Course *t, int order)
{
    int count = t->frames;
    for (int k = 0; k < order; k++) {
        count = count > 0 ? count - 1 : 0;
        for (int f = 0; f < count; f++)
            t->value[f] = (t->value[f + 1] - t->value[f]) / t->frame_time;
    }
    for (int f = 0; f < count; f++)
        t->value[f] = fabs(t->value[f]);
    return count;
}

typedef struct Peak {
    double value; /* SHARE of the rates lie below */
    int frame;    /* of the greatest */
} Peak;

static Peak find_peak(const Course *t, int count)
{
    Peak peak = {NAN, 0};
    for (int f = 0; f < count; f++)
        peak.frame = t->value[f] > t->value[peak.frame] ? f : peak.frame;
    if (count == 0)
        return peak;
    memcpy(t->scratch, t->value, (size_t)count * sizeof *t->scratch);
    peak.value = track_percentile(t->scratch, count, SHARE);
    return peak;
}

/* The angle between thigh and shank, rad. */
static double knee_angle(const ScoredPose *p, Role hip, int f)
{
    int left = hip == ROLE_LEFT_HIP;
    Vec3 thigh = scored_between(p, f, hip, left ? ROLE_LEFT_KNEE : ROLE_RIGHT_KNEE);
    Vec3 shank = left ? scored_between(p, f, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE)
                      : scored_between(p, f, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE);
    return scored_angle(thigh, shank) * PI / 180;
}

static Vec3 hip_middle(const ScoredPose *p, int f)
{
    const Vec3 *x = scored_places(p, f);
    return vec3_scale(vec3_add(x[p->reference->joint[ROLE_LEFT_HIP]], x[p->reference->joint[ROLE_RIGHT_HIP]]), 0.5);
}

/* What is measured of one body: 0, 1 the angles of the knees, 2 to 4 the place of the hips. */
static double quantity(const ScoredPose *p, int which, int f)
{
    if (which < 2)
        return knee_angle(p, which ? ROLE_RIGHT_HIP : ROLE_LEFT_HIP, f);
    return vec3_component(hip_middle(p, f), which - 2);
}

/* A quantity and the order of its rate. */
typedef struct Rate {
    int which, order;
} Rate;

static Status measure(const Course *t, const ScoredPose *p, Rate rate, Peak *out, Error *err)
{
    for (int f = 0; f < t->frames; f++)
        t->value[f] = quantity(p, rate.which, f);
    Status status = low_pass(t, err);
    if (!status)
        *out = find_peak(t, differ(t, rate.order));
    return status;
}

/* Puts the ratio of the target's peak to the source's into *figure where it is the greater. */
static Status compare(const Course *t, const ScoredPair *pair, Rate rate, double *figure, double *worst, Error *err)
{
    Peak target, source;
    double scale = rate.which < 2 ? 1 : pair->scale;
    Status status = measure(t, &pair->target, rate, &target, err);
    if (!status)
        status = measure(t, &pair->source, rate, &source, err);
    if (status || !(source.value > NOTHING))
        return status;
    double ratio = target.value / (scale * source.value);
    if (isnan(*figure) || ratio > *figure) {
        *figure = ratio;
        *worst = target.frame;
    }
    return STATUS_OK;
}

static void measure_drop(const Course *t, const ScoredPair *pair, RetargetScore *score)
{
    Vec3 up = pair->contact ? pair->contact->normal : vec3(0, 1, 0);
    ScoreMean drop = {0};
    for (int f = 0; f < t->frames; f++) {
        t->value[f] = vec3_dot(up, vec3_sub(vec3_scale(hip_middle(&pair->source, f), pair->scale),
                                            hip_middle(&pair->target, f)));
        score_add(&drop, t->value[f], f);
    }
    score->hip_drop_cm = t->frames ? 100 * (drop.most - track_percentile(t->value, t->frames, 0.5)) : NAN;
    score->drop_frame = score_worst(&drop);
}

/* Where a head looks: what is the body's front in the reference pose. */
static Vec3 look(const ScoredPose *p, int f)
{
    int head = p->reference->joint[ROLE_HEAD];
    Vec3 front = quat_rotate_inverse(p->reference->orientation[head], quat_rotate(p->reference->body, vec3(0, 0, 1)));
    return quat_rotate(scored_turns(p, f)[head], front);
}

static void measure_head(const ScoredPair *pair, RetargetScore *score)
{
    ScoreMean mean = {0};
    if (pair->target.reference->joint[ROLE_HEAD] < 0 || pair->source.reference->joint[ROLE_HEAD] < 0)
        return;
    for (int f = 0; f < pair->frame_count; f++)
        score_add(&mean, scored_angle(look(&pair->target, f), look(&pair->source, f)), f);
    score->head_deg = score_mean(&mean);
    score->head_frame = score_worst(&mean);
}

static int has_legs(const ScoredPose *p)
{
    const int *joint = p->reference->joint;
    return joint[ROLE_LEFT_KNEE] >= 0 && joint[ROLE_RIGHT_KNEE] >= 0 && joint[ROLE_LEFT_ANKLE] >= 0 &&
           joint[ROLE_RIGHT_ANKLE] >= 0;
}

Status score_motion(const ScoredPair *pair, RetargetScore *score, Error *err)
{
    Arena arena = {0};
    size_t frames = (size_t)pair->frame_count;
    Course t = {arena_array(&arena, frames, 1, sizeof(double)), arena_array(&arena, frames, 1, sizeof(double)),
               pair->frame_count, pair->frame_time};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    int legs = has_legs(&pair->target) && has_legs(&pair->source);
    for (int knee = 0; knee < 2 && !status && legs; knee++)
        status = compare(&t, pair, (Rate){knee, 2}, &score->knee_acceleration, &score->knee_frame, err);
    for (int axis = 2; axis < 5 && !status; axis++)
        status = compare(&t, pair, (Rate){axis, 2}, &score->hip_acceleration, &score->hip_frame, err);
    if (!status)
        status = compare(&t, pair, (Rate){3, 3}, &score->hip_jerk, &score->jerk_frame, err);
    if (!status) {
        measure_drop(&t, pair, score);
        measure_head(pair, score);
    }
    arena_free(&arena);
    return status;
}
