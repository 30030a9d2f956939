#include "analysis/retarget/score_hands.h"

#include "analysis/body/capsules.h"

#define ON_GROUND 0.02 /* m: a hand whose height is within this of the wanted one is where it should be */
#define HAND_LOW 0.12  /* leg lengths: a wrist this low bears, or could */

/* ---- The ground ---- */

static double wrist_height(const ScoredPair *pair, const ScoredPose *p, Role wrist, int f)
{
    double scale = p == &pair->target ? pair->scale : 1;
    return vec3_dot(scored_places(p, f)[p->reference->joint[wrist]], pair->contact->normal) -
           scale * pair->contact->height;
}

void score_hands(const ScoredPair *pair, RetargetScore *score)
{
    static const Role wrists[] = {ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST};
    ScoreMean depth = {0}, source_depth = {0};
    double low = 0, kept = 0;
    for (int side = 0; side < 2; side++) {
        if (pair->target.reference->joint[wrists[side]] < 0 || pair->source.reference->joint[wrists[side]] < 0)
            continue;
        for (int f = 0; f < pair->frame_count; f++) {
            double height = wrist_height(pair, &pair->target, wrists[side], f);
            double source = wrist_height(pair, &pair->source, wrists[side], f);
            int is_low = source < HAND_LOW * pair->source.reference->leg;
            score_add(&depth, -height, f);
            score_add(&source_depth, -source, f);
            low += is_low;
            kept += is_low && fabs(height - pair->scale * source) < ON_GROUND;
        }
    }
    if (depth.count == 0)
        return;
    score->wrist_depth_added_cm = 100 * (fmax(depth.most, 0) - pair->scale * fmax(source_depth.most, 0));
    score->wrist_frame = score_worst(&depth);
    score->hand_contact_kept = low > 0 ? kept / low : NAN;
}

/* ---- The body ---- */

static double clamp(double x) { return fmax(0, fmin(1, x)); }

double segment_distance(const Vec3 a[2], const Vec3 b[2])
{
    Vec3 u = vec3_sub(a[1], a[0]), v = vec3_sub(b[1], b[0]), w = vec3_sub(a[0], b[0]);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w), vw = vec3_dot(v, w);
    double det = uu * vv - uv * uv, s = det > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / det) : 0;
    double t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
    s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
    return vec3_norm(vec3_add(w, vec3_sub(vec3_scale(u, s), vec3_scale(v, t))));
}

typedef struct BodyPart {
    Role from, to;
} BodyPart;

static const BodyPart arm_parts[] = {
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};
static const BodyPart other_parts[] = {
    {ROLE_HIPS, ROLE_NECK}, {ROLE_NECK, ROLE_HEAD}, {ROLE_LEFT_HIP, ROLE_LEFT_KNEE}, {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
enum { ARM_PARTS = sizeof arm_parts / sizeof *arm_parts, OTHER_PARTS = sizeof other_parts / sizeof *other_parts };

/* How far a part of the arm is inside another part, m; -INFINITY where one is missing. Radii are those of a body whose
 * reach is two legs. */
static double overlap(const ScoredPose *p, const BodyPart *arm, const BodyPart *other, int f)
{
    const int *joint = p->reference->joint;
    const Vec3 *x = scored_places(p, f);
    if (joint[arm->from] < 0 || joint[arm->to] < 0 || joint[other->from] < 0 || joint[other->to] < 0)
        return -INFINITY;
    Vec3 a[2] = {x[joint[arm->from]], x[joint[arm->to]]}, b[2] = {x[joint[other->from]], x[joint[other->to]]};
    double reach = 2 * p->reference->leg;
    return capsule_radius(vec3_distance(a[0], a[1]), reach) + capsule_radius(vec3_distance(b[0], b[1]), reach) -
           segment_distance(a, b);
}

static double most_overlap(const ScoredPose *p, int f)
{
    double most = overlap(p, &arm_parts[0], &arm_parts[1], f);
    for (int i = 0; i < ARM_PARTS; i++)
        for (int k = 0; k < OTHER_PARTS; k++)
            most = fmax(most, overlap(p, &arm_parts[i], &other_parts[k], f));
    return most;
}

void score_overlap(const ScoredPair *pair, RetargetScore *score)
{
    ScoreMean target = {0}, source = {0};
    for (int f = 0; f < pair->frame_count; f++) {
        score_add(&target, most_overlap(&pair->target, f), f);
        score_add(&source, most_overlap(&pair->source, f), f);
    }
    if (!isfinite(target.most) || !isfinite(source.most))
        return;
    score->overlap_added_cm = 100 * (fmax(target.most, 0) - pair->scale * fmax(source.most, 0));
    score->overlap_frame = score_worst(&target);
}

#define HAND_NEAR 0.15 /* leg lengths from the body's surface: farther hands have nothing to do with it */

/* Of a wrist from the surface of the nearest part but its own arm, m; infinite where there is none. */
static double body_distance(const ScoredPose *p, Role wrist, int f)
{
    BodyPart hand = {wrist, wrist};
    double most = -INFINITY;
    for (int k = 0; k < OTHER_PARTS; k++)
        most = fmax(most, overlap(p, &hand, &other_parts[k], f));
    return -most;
}

void score_hand_body(const ScoredPair *pair, RetargetScore *score)
{
    static const Role wrists[] = {ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST};
    ScoreMean change = {0};
    for (int side = 0; side < 2; side++)
        for (int f = 0; f < pair->frame_count; f++) {
            double source = body_distance(&pair->source, wrists[side], f);
            if (!(source < HAND_NEAR * pair->source.reference->leg))
                continue;
            double target = body_distance(&pair->target, wrists[side], f);
            if (isfinite(target))
                score_add(&change, 100 * fabs(target - pair->scale * source), f);
        }
    score->hand_body_cm = score_mean(&change);
    score->hand_body_frame = score_worst(&change);
}
