/* See retarget.h. */

#include "analysis/retarget/scorecard.h"

#include <string.h>

#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/retarget/arm_part.h"
#include "analysis/signal/biquad.h"

#define CUTOFF 12.0   /* Hz: higher frequencies of a recording are noise */
#define QUANTILE 0.99 /* quantile of the rates: higher values may be artifacts */
#define NOTHING 1e-9  /* a smaller rate of the source gives no ratio */
#define SOLE_NEAR 0.02 /* m: tolerance for a sole at the wanted height */

/* ---- Values shared by the metrics ---- */

Vec3 scored_between(const ScoredPose *p, int frame, Role from, Role to)
{
    const Vec3 *position = scored_positions(p, frame);
    int a = p->reference->joint[from], b = p->reference->joint[to];
    return a < 0 || b < 0 ? vec3(0, 0, 0) : vec3_sub(position[b], position[a]);
}

double scored_angle(Vec3 a, Vec3 b)
{
    return elementary_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)) * 180 / PI;
}

void score_add(ScoreMean *mean, double value, int frame)
{
    if (mean->count == 0 || value > mean->max) {
        mean->max = value;
        mean->frame = frame;
    }
    mean->sum += value;
    mean->count++;
}

double score_mean(const ScoreMean *mean) { return mean->count > 0 ? mean->sum / mean->count : NAN; }

double score_worst(const ScoreMean *mean) { return mean->count > 0 ? mean->frame : NAN; }

/* ---- Motion of knees and hips against the source's ---- */

/* A quantity over time. */
typedef struct Course {
    double *value;   /* [frame] */
    double *scratch; /* [frame] */
    int frames;
    double frame_time;
} Course;

/* Low-pass filters in place; leaves clips that are too short or sampled too slowly unfiltered. */
static Status low_pass(const Course *t, Error *err)
{
    double rate = 1 / t->frame_time;
    if (2 * CUTOFF >= rate || t->frames < 8)
        return STATUS_OK;
    Biquad section = butterworth_biquad(CUTOFF, rate);
    Samples samples = {t->value, (size_t)t->frames, 1};
    return biquad_filter(&section, &samples, cutoff_pad(CUTOFF, rate), LANES_SCALAR, err);
}

/* Replaces value by the magnitude of its differences of the given order; returns their number. */
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
    double value; /* quantile QUANTILE of the rates */
    int frame;    /* of the largest rate */
} Peak;

static Peak find_peak(const Course *t, int count)
{
    Peak peak = {NAN, 0};
    for (int f = 0; f < count; f++)
        peak.frame = t->value[f] > t->value[peak.frame] ? f : peak.frame;
    if (count == 0)
        return peak;
    memcpy(t->scratch, t->value, (size_t)count * sizeof *t->scratch);
    peak.value = track_percentile(t->scratch, count, QUANTILE);
    return peak;
}

/* Angle between thigh and shank, rad. */
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
    const Vec3 *x = scored_positions(p, f);
    return vec3_scale(vec3_add(x[p->reference->joint[ROLE_LEFT_HIP]], x[p->reference->joint[ROLE_RIGHT_HIP]]), 0.5);
}

/* The measured quantity: 0, 1: angle of the left, right knee, rad; 2: height of the hips, m. */
static double quantity(const ScoredPose *p, int which, int f)
{
    if (which < 2)
        return knee_angle(p, which ? ROLE_RIGHT_HIP : ROLE_LEFT_HIP, f);
    return hip_middle(p, f).y;
}

/* A quantity and the order of its derivative. */
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

/* Raises *figure to the ratio of the target's peak to the source's if that is larger; *worst: its frame. */
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
    score->hip_drop_cm = t->frames ? 100 * (drop.max - track_percentile(t->value, t->frames, 0.5)) : NAN;
    score->worst_frame[WORST_hip_drop_cm] = score_worst(&drop);
}

static int has_legs(const ScoredPose *p)
{
    const int *joint = p->reference->joint;
    return joint[ROLE_LEFT_KNEE] >= 0 && joint[ROLE_RIGHT_KNEE] >= 0 && joint[ROLE_LEFT_ANKLE] >= 0 &&
           joint[ROLE_RIGHT_ANKLE] >= 0;
}

/* Sets knee_acceleration, hip_jerk and hip_drop_cm. Rates are differences after a zero-lag Butterworth filter of 12 Hz;
 * the metric is the ratio of their 99th percentiles, target over scaled source. */
static Status score_motion(const ScoredPair *pair, RetargetScore *score, Error *err)
{
    Arena arena = {0};
    size_t frames = (size_t)pair->frame_count;
    Course t = {arena_array(&arena, frames, 1, sizeof(double)), arena_array(&arena, frames, 1, sizeof(double)),
               pair->frame_count, pair->frame_time};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    int legs = has_legs(&pair->target) && has_legs(&pair->source);
    for (int knee = 0; knee < 2 && !status && legs; knee++)
        status = compare(&t, pair, (Rate){knee, 2}, &score->knee_acceleration,
                         &score->worst_frame[WORST_knee_acceleration], err);
    if (!status)
        status = compare(&t, pair, (Rate){2, 3}, &score->hip_jerk, &score->worst_frame[WORST_hip_jerk], err);
    if (!status)
        measure_drop(&t, pair, score);
    arena_free(&arena);
    return status;
}

/* ---- Hands and arms ---- */

/* ---- The ground ---- */

static double wrist_height(const ScoredPair *pair, const ScoredPose *p, Role wrist, int f)
{
    double scale = p == &pair->target ? pair->scale : 1;
    return vec3_dot(scored_positions(p, f)[p->reference->joint[wrist]], pair->contact->normal) -
           scale * pair->contact->height;
}

void score_wrists(const ScoredPair *pair, RetargetScore *score)
{
    static const Role wrists[] = {ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST};
    ScoreMean depth = {0}, source = {0};
    for (int side = 0; side < 2; side++) {
        if (pair->target.reference->joint[wrists[side]] < 0 || pair->source.reference->joint[wrists[side]] < 0)
            continue;
        for (int f = 0; f < pair->frame_count; f++) {
            score_add(&depth, -wrist_height(pair, &pair->target, wrists[side], f), f);
            score_add(&source, -wrist_height(pair, &pair->source, wrists[side], f), f);
        }
    }
    if (depth.count == 0)
        return;
    score->wrist_depth_increase_cm = 100 * (fmax(depth.max, 0) - pair->scale * fmax(source.max, 0));
    score->worst_frame[WORST_wrist_depth_increase_cm] = score_worst(&depth);
}

/* ---- The body ---- */

/* Penetration of a part of the arm into another part, m; -INFINITY if one is missing. */
static double overlap(const ScoredPose *p, ArmPart arm, ArmPart other, int f)
{
    if (!arm_part_exists(p->reference, arm) || !arm_part_exists(p->reference, other))
        return -INFINITY;
    ArmCapsule a = arm_part_capsule(p->reference, arm, scored_positions(p, f));
    ArmCapsule b = arm_part_capsule(p->reference, other, scored_positions(p, f));
    return capsules_overlap(&a, &b);
}

static double max_overlap(const ScoredPose *p, int f)
{
    double max = overlap(p, forearms[0], forearms[1], f);
    for (int i = 0; i < FOREARMS; i++)
        for (int k = 0; k < OTHER_PARTS; k++)
            max = fmax(max, overlap(p, forearms[i], other_parts[k], f));
    return max;
}

/* Sets overlap_increase_cm: bones as capsules (analysis/body/capsules.h), arms against trunk, head, legs and each
 * other. */
static void score_overlap(const ScoredPair *pair, RetargetScore *score)
{
    ScoreMean target = {0}, source = {0};
    for (int f = 0; f < pair->frame_count; f++) {
        score_add(&target, max_overlap(&pair->target, f), f);
        score_add(&source, max_overlap(&pair->source, f), f);
    }
    if (!isfinite(target.max) || !isfinite(source.max))
        return;
    score->overlap_increase_cm = 100 * (fmax(target.max, 0) - pair->scale * fmax(source.max, 0));
    score->worst_frame[WORST_overlap_increase_cm] = score_worst(&target);
}

/* ---- Feet ---- */

/* One foot of one body over the source's ground. */
typedef struct ScoredFoot {
    const ScoredPose *body;
    const FootContact *contact;
    double scale; /* scale of the ground */
    int foot;
} ScoredFoot;

static Vec3 point_at(const ScoredFoot *s, int frame, SolePoint point)
{
    return sole_point(&s->body->pose.sole[s->foot], point, scored_positions(s->body, frame),
                      scored_orientations(s->body, frame));
}

/* Height of a point of the sole above the ground, m. */
static double height_at(const ScoredFoot *s, int frame, SolePoint point)
{
    const FootContact *c = s->contact;
    return vec3_dot(c->normal, point_at(s, frame, point)) -
           s->scale * (c->height + c->level[foot_index(frame, s->foot)]);
}

/* Distance that a point of the sole moves along the ground to the next frame, m, relative to the belt. */
static double point_slide(const ScoredFoot *s, int frame, SolePoint point)
{
    const FootContact *c = s->contact;
    Vec3 moved = vec3_sub(point_at(s, frame + 1, point), point_at(s, frame, point));
    moved = vec3_mad(moved, -s->scale * c->frame_time, c->belt);
    return vec3_norm(vec3_mad(moved, -vec3_dot(moved, c->normal), c->normal));
}

/* Distance that the sole moves along the ground to the next frame, m: that of the slowest supporting point, because a
 * rolling foot pivots about the point at rest; with the ball, the tip counts as supporting. */
static double slide_at(const ScoredFoot *s, int frame)
{
    const FootContact *c = s->contact;
    double min = INFINITY;
    for (int k = SOLE_HEEL; k < SOLE_POINTS; k++)
        if (c->down[k == SOLE_HEEL ? 0 : 1][foot_index(frame, s->foot)])
            min = fmin(min, point_slide(s, frame, (SolePoint)k));
    return min;
}

/* Sums over the contacts of both feet. */
typedef struct FootSum {
    double frames, kept;
    ScoreMean added, depth, source_depth;
} FootSum;

/* Adds one contact, frames [begin, end). */
static void add_contact(const ScoredFoot *s, const ScoredFoot *source, int begin, int end, FootSum *sum)
{
    for (int f = begin; f < end; f++) {
        double height = fmin(height_at(s, f, SOLE_HEEL), height_at(s, f, SOLE_BALL));
        double wanted = s->scale * fmin(height_at(source, f, SOLE_HEEL), height_at(source, f, SOLE_BALL));
        sum->frames++;
        sum->kept += fabs(height - wanted) < SOLE_NEAR;
        if (f + 1 < end)
            score_add(&sum->added, (slide_at(s, f) - s->scale * slide_at(source, f)) / s->contact->frame_time, f);
    }
}

static void add_foot(const ScoredFoot *s, const ScoredFoot *source, FootSum *sum)
{
    const FootContact *c = s->contact;
    for (int f = 0, end; f < c->frame_count; f = end + 1) {
        for (end = f; end < c->frame_count && c->in_contact[foot_index(end, s->foot)]; end++)
            ;
        if (end > f)
            add_contact(s, source, f, end, sum);
    }
    for (int f = 0; f < c->frame_count; f++)
        for (int k = 0; k < SOLE_POINTS; k++) {
            score_add(&sum->depth, -height_at(s, f, (SolePoint)k), f);
            score_add(&sum->source_depth, -height_at(source, f, (SolePoint)k), f);
        }
}

static void measure_feet(const ScoredPair *pair, RetargetScore *score)
{
    FootSum sum = {0};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (pair->target.pose.sole[foot].ankle >= 0 && pair->source.pose.sole[foot].ankle >= 0)
            add_foot(&(ScoredFoot){&pair->target, pair->contact, pair->scale, foot},
                     &(ScoredFoot){&pair->source, pair->contact, 1, foot}, &sum);
    score->contact_kept = sum.frames > 0 ? sum.kept / sum.frames : NAN;
    score->slide_increase_cm_s = 100 * score_mean(&sum.added);
    score->worst_frame[WORST_slide_increase_cm_s] = score_worst(&sum.added);
    if (sum.frames == 0)
        return;
    score->penetration_increase_cm = 100 * (fmax(sum.depth.max, 0) - pair->scale * fmax(sum.source_depth.max, 0));
    score->worst_frame[WORST_penetration_increase_cm] = score_worst(&sum.depth);
}

/* ---- Bones ---- */

/* A bone between the joints of two roles; ROLE_NONE: from the middle of the hips to that of the shoulders. */
typedef struct ScoredBone {
    Role from, to;
    int is_leg;
} ScoredBone;

static const ScoredBone bones[] = {
    {ROLE_NONE, ROLE_NONE, 0},
    {ROLE_NECK, ROLE_HEAD, 0},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, 0},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, 0},
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, 0},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, 0},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, 1},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, 1},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, 1},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, 1},
};

static Vec3 bone_vector(const ScoredPose *p, const ScoredBone *bone, int frame)
{
    if (bone->from != ROLE_NONE)
        return scored_between(p, frame, bone->from, bone->to);
    Vec3 left = scored_between(p, frame, ROLE_LEFT_HIP, ROLE_LEFT_SHOULDER);
    Vec3 right = scored_between(p, frame, ROLE_RIGHT_HIP, ROLE_RIGHT_SHOULDER);
    return vec3_norm(left) > 0 && vec3_norm(right) > 0 ? vec3_scale(vec3_add(left, right), 0.5) : vec3(0, 0, 0);
}

static void measure_bones(const ScoredPair *pair, RetargetScore *score)
{
    ScoreMean mean[2] = {0};
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++)
        for (int f = 0; f < pair->frame_count; f++) {
            Vec3 a = bone_vector(&pair->target, &bones[i], f), b = bone_vector(&pair->source, &bones[i], f);
            if (vec3_norm(a) > 0 && vec3_norm(b) > 0)
                score_add(&mean[bones[i].is_leg], scored_angle(a, b), f);
        }
    score->bone_direction_deg = score_mean(&mean[0]);
    score->worst_frame[WORST_bone_direction_deg] = score_worst(&mean[0]);
    score->leg_direction_deg = score_mean(&mean[1]);
    score->worst_frame[WORST_leg_direction_deg] = score_worst(&mean[1]);
}

Status scorecard_measure(const ScoredPair *pair, RetargetScore *score, Error *err)
{
    if (pair->contact) {
        measure_feet(pair, score);
        score_wrists(pair, score);
    }
    measure_bones(pair, score);
    score_overlap(pair, score);
    return score_motion(pair, score, err);
}
