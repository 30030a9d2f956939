#include "analysis/retarget/score_hands.h"

#include "analysis/retarget/body_part.h"

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

/* How far a part of the arm is inside another part, m; -INFINITY where one is missing. */
static double overlap(const ScoredPose *p, BodyPart arm, BodyPart other, int f)
{
    if (!body_part_exists(p->reference, arm) || !body_part_exists(p->reference, other))
        return -INFINITY;
    Capsule a = body_part_capsule(p->reference, arm, scored_places(p, f));
    Capsule b = body_part_capsule(p->reference, other, scored_places(p, f));
    return capsules_overlap(&a, &b);
}

static double most_overlap(const ScoredPose *p, int f)
{
    double most = overlap(p, forearms[0], forearms[1], f);
    for (int i = 0; i < FOREARMS; i++)
        for (int k = 0; k < OTHER_PARTS; k++)
            most = fmax(most, overlap(p, forearms[i], other_parts[k], f));
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
        most = fmax(most, overlap(p, hand, other_parts[k], f));
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
