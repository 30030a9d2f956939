#include "analysis/retarget/hand_guard.h"

#include "analysis/math/line_segments.h"
#include "analysis/retarget/body_part.h"

#define SLACK 0.005 /* leg lengths that are not worth a turn */
#define WIDE 0.06   /* leg lengths: arms that much farther off do not count */

/* The forearms of one side in one frame, the target's and the source's. */
typedef struct Forearm {
    const HandPair *hands;
    int side, frame;
    double arms; /* of the target over the source */
    Capsule target, source;
} Forearm;

static const Vec3 *places(const SoledPose *p, int frame)
{
    return p->position + (size_t)frame * (size_t)p->joint_count;
}

static Forearm forearm_of(const HandPair *h, int side, int frame, double arms)
{
    return (Forearm){h, side, frame, arms,
                     body_part_capsule(h->target, forearms[side], places(&h->pair->target, frame)),
                     body_part_capsule(h->source, forearms[side], places(&h->pair->source, frame))};
}

/* How near the target's forearm may come: the source's distance, up to where the source's capsules touch. */
static double least_distance(const Forearm *arm, const Capsule *target, const Capsule *source, double apart)
{
    const HandPair *h = arm->hands;
    double inside = fmax(capsules_overlap(&arm->source, source), 0);
    double kept = arm->arms * fmin(apart, arm->source.radius + source->radius);
    double clear = arm->target.radius + target->radius - h->pair->scale * inside;
    return fmax(kept, clear) - SLACK * h->target->leg;
}

/* Against one part of the body: whether a guard is of use; *broken counts it where the copied arm does not keep it. */
static int make_guard(const Forearm *arm, BodyPart part, LimbGuard *guard, int *broken)
{
    const HandPair *h = arm->hands;
    if (!body_part_exists(h->target, part) || !body_part_exists(h->source, part))
        return 0;
    Capsule target = body_part_capsule(h->target, part, places(&h->pair->target, arm->frame));
    Capsule source = body_part_capsule(h->source, part, places(&h->pair->source, arm->frame));
    Vec3 way = segments_apart(arm->source.end, source.end), now = segments_apart(arm->target.end, target.end);
    double least = least_distance(arm, &target, &source, vec3_norm(way));
    double distance = vec3_dot(now, way) < 0 ? -vec3_norm(now) : vec3_norm(now);
    if (distance > least + WIDE * h->target->leg)
        return 0;
    *broken += distance < least;
    *guard = (LimbGuard){.limb = LIMB_LEFT_ARM + arm->side, .frame = arm->frame, .side = way, .least = least,
                         .part = {target.end[0], target.end[1]}};
    return 1;
}

int hand_guards(const HandPair *hands, LimbGuard *guard, int *broken)
{
    int count = 0, has_arm[FOREARMS];
    double arms[FOREARMS];
    *broken = 0;
    for (int side = 0; side < FOREARMS; side++) {
        has_arm[side] = hand_goal_has_arm(hands, side);
        arms[side] = has_arm[side] ? hand_goal_arm_scale(hands, side) : 0;
    }
    for (int f = 0; f < hands->pair->contact->frame_count; f++)
        for (int side = 0; side < FOREARMS; side++) {
            if (!has_arm[side])
                continue;
            Forearm arm = forearm_of(hands, side, f, arms[side]);
            LimbGuard made;
            for (int i = 0; i < OTHER_PARTS; i++)
                if (make_guard(&arm, other_parts[i], &made, broken)) {
                    if (guard)
                        guard[count] = made;
                    count++;
                }
        }
    return count;
}
