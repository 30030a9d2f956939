/* See hand_guard.h. */
#include "analysis/retarget/hand_guard.h"

#include "analysis/math/vec.h"
#include "analysis/retarget/arm_part.h"
#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/hand_goal.h"
#include "analysis/retarget/limb_solve.h"

#define SLACK 0.005 /* leg lengths of penetration that are not corrected */
#define WIDE 0.06   /* leg lengths: arms farther away than the least distance plus this get no guard */

/* Forearms of one side in one frame, of target and source. */
typedef struct Forearm {
    const HandPair *hands;
    int side, frame;
    double arms; /* ratio of the arm lengths, target over source */
    ArmCapsule target, source;
} Forearm;

static Forearm find_forearm(const HandPair *h, int side, int frame, double arms)
{
    return (Forearm){h, side, frame, arms,
                     arm_part_capsule(h->target, forearms[side], soled_pose_positions(&h->pair->target, frame)),
                     arm_part_capsule(h->source, forearms[side], soled_pose_positions(&h->pair->source, frame))};
}

/* Least distance of the target's forearm from a part: the source's distance, but no more than that at which the
 * source's capsules touch. */
static double min_distance(const Forearm *arm, const ArmCapsule *target, const ArmCapsule *source, double apart)
{
    const HandPair *h = arm->hands;
    double inside = fmax(capsules_overlap(&arm->source, source), 0);
    double kept = arm->arms * fmin(apart, arm->source.radius + source->radius);
    double clear = arm->target.radius + target->radius - h->pair->scale * inside;
    return fmax(kept, clear) - SLACK * h->target->leg;
}

/* Writes the guard of a forearm against one part of the body; returns 0 if they are too far apart to need one. Counts
 * in *broken whether the copied arm violates it. */
static int make_guard(const Forearm *arm, ArmPart part, LimbGuard *guard, int *broken)
{
    const HandPair *h = arm->hands;
    if (!arm_part_exists(h->target, part) || !arm_part_exists(h->source, part))
        return 0;
    ArmCapsule target = arm_part_capsule(h->target, part, soled_pose_positions(&h->pair->target, arm->frame));
    ArmCapsule source = arm_part_capsule(h->source, part, soled_pose_positions(&h->pair->source, arm->frame));
    Vec3 apart = segments_apart(arm->source.end, source.end), now = segments_apart(arm->target.end, target.end);
    double min = min_distance(arm, &target, &source, vec3_norm(apart));
    double distance = vec3_dot(now, apart) < 0 ? -vec3_norm(now) : vec3_norm(now);
    if (distance > min + WIDE * h->target->leg)
        return 0;
    *broken += distance < min;
    *guard = (LimbGuard){.limb = LIMB_LEFT_ARM + arm->side, .frame = arm->frame, .side = apart, .min = min,
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
            Forearm arm = find_forearm(hands, side, f, arms[side]);
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
