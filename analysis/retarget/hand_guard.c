#include "analysis/retarget/hand_guard.h"

#include "analysis/math/line_segments.h"
#include "analysis/retarget/body_part.h"

#define SLACK 0.005 /* leg lengths that are not worth a turn */
#define WIDE 0.06   /* leg lengths: arms that much farther off do not count */

/* Both forearms of one side against one part of the body, in one frame. */
typedef struct Nearness {
    const HandPair *hands;
    double arms; /* of the target over the source */
} Nearness;

static const Vec3 *places(const SoledPose *p, int frame)
{
    return p->position + (size_t)frame * (size_t)p->joint_count;
}

/* How near the target's forearm may come: the source's distance, up to where the source's capsules touch. */
static double least_distance(const Nearness *n, const Capsule target[2], const Capsule source[2], double apart)
{
    const HandPair *h = n->hands;
    double inside = fmax(capsules_overlap(&source[0], &source[1]), 0);
    double kept = n->arms * fmin(apart, source[0].radius + source[1].radius);
    double clear = target[0].radius + target[1].radius - h->pair->scale * inside;
    return fmax(kept, clear) - SLACK * h->target->leg;
}

/* Whether a guard is of use; *broken counts it where the copied arm does not keep it. */
static int make_guard(const Nearness *n, int side, BodyPart part, int frame, LimbGuard *guard, int *broken)
{
    const HandPair *h = n->hands;
    const Vec3 *x = places(&h->pair->target, frame), *y = places(&h->pair->source, frame);
    Capsule target[2] = {body_part_capsule(h->target, forearms[side], x), body_part_capsule(h->target, part, x)};
    Capsule source[2] = {body_part_capsule(h->source, forearms[side], y), body_part_capsule(h->source, part, y)};
    Vec3 way = segments_apart(source[0].end, source[1].end), now = segments_apart(target[0].end, target[1].end);
    double least = least_distance(n, target, source, vec3_norm(way));
    double distance = vec3_dot(now, way) < 0 ? -vec3_norm(now) : vec3_norm(now);
    if (distance > least + WIDE * h->target->leg)
        return 0;
    *broken += distance < least;
    *guard = (LimbGuard){.limb = LIMB_LEFT_ARM + side, .frame = frame, .side = way, .least = least,
                         .part = {target[1].end[0], target[1].end[1]}};
    return 1;
}

int hand_guards(const HandPair *hands, LimbGuard *guard, int *broken)
{
    int count = 0;
    *broken = 0;
    for (int f = 0; f < hands->pair->contact->frame_count; f++)
        for (int side = 0; side < FOREARMS; side++)
            for (int i = 0; i < OTHER_PARTS && hand_goal_has_arm(hands, side); i++) {
                Nearness n = {hands, hand_goal_arm_scale(hands, side)};
                LimbGuard made;
                if (!body_part_exists(hands->target, other_parts[i]) ||
                    !body_part_exists(hands->source, other_parts[i]) ||
                    !make_guard(&n, side, other_parts[i], f, &made, broken))
                    continue;
                if (guard)
                    guard[count] = made;
                count++;
            }
    return count;
}
