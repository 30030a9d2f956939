/* See arm_undo.h. */
#include "analysis/retarget/arm_undo.h"

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "analysis/retarget/arm_part.h"

#define MIN_ANGLE (2 * PI / 180)                /* smaller corrections are none */
#define MIN_GAIN (0.01 / (10 * PI / 180))       /* m per rad */
#define FIRM 0.1                                /* weight of a tie from which a hand holds the part */

/* One arm in one frame, as copied or as solved: elbow and wrist, m, world, without the body's shift. */
typedef struct Forearm {
    Vec3 elbow, wrist;
} Forearm;

/* What a correction does in one frame. */
typedef struct Worth {
    double angle;           /* rad: larger rotation of upper arm and forearm */
    double copied, overlap; /* m: largest depth of the forearm, as copied and as solved */
    double closer;          /* m: by which a hand comes closer to what it holds */
    int bears;              /* 1: the hand is on the ground or under it */
} Worth;

static Forearm forearm_of(const LimbProblem *p, int limb, const LimbState *state, int frame)
{
    const LimbShape *shape = &p->shape[limb][frame];
    Vec3 upper = quat_rotate(limb_upper_rotation(state), shape->upper);
    return (Forearm){vec3_add(shape->root, upper), vec3_add(shape->root, limb_reach(shape, state))};
}

static double depth(const ArmCapsule *forearm, const ArmCapsule *part)
{
    return fmax(0, capsules_overlap(forearm, part));
}

/* Largest depth of a forearm in the parts of the body and in the other forearm. */
static double overlap_of(const HandPair *hands, int side, int frame, const Forearm at[2])
{
    const Vec3 *x = soled_pose_positions(&hands->pair->target, frame);
    ArmCapsule own = arm_part_capsule(hands->target, forearms[side], x);
    own.end[0] = at[side].elbow;
    own.end[1] = at[side].wrist;
    double max = 0;
    for (int i = 0; i < OTHER_PARTS; i++)
        if (arm_part_exists(hands->target, other_parts[i])) {
            ArmCapsule part = arm_part_capsule(hands->target, other_parts[i], x);
            max = fmax(max, depth(&own, &part));
        }
    if (hand_goal_has_arm(hands, 1 - side)) {
        ArmCapsule other = arm_part_capsule(hands->target, forearms[1 - side], x);
        other.end[0] = at[1 - side].elbow;
        other.end[1] = at[1 - side].wrist;
        max = fmax(max, depth(&own, &other));
    }
    return max;
}

/* Distance of a hand from the position of a tie, m. */
static double tie_error(const LimbProblem *p, const LimbTie *tie, const Forearm at[2])
{
    Vec3 to = tie->position;
    if (tie->other >= 0) {
        const Forearm *other = &at[tie->other - LIMB_LEFT_ARM];
        Vec3 root = p->shape[tie->other][tie->frame].root;
        to = tie->at < 1 ? vec3_lerp(root, other->elbow, tie->at) : vec3_lerp(other->elbow, other->wrist, tie->at - 1);
    }
    return vec3_distance(at[tie->limb - LIMB_LEFT_ARM].wrist, vec3_add(to, tie->vector));
}

static double angle_of(Quat q) { return 2 * vec3_norm(quat_log(q)); }

static Worth worth_of(const HandPair *hands, const LimbProblem *p, LimbState *const state[LIMB_COUNT], int side,
                      int frame)
{
    static const LimbState still;
    Forearm copied[2] = {{{0, 0, 0}, {0, 0, 0}}}, now[2] = {{{0, 0, 0}, {0, 0, 0}}};
    int limb = LIMB_LEFT_ARM + side;
    for (int i = 0; i < 2; i++)
        if (p->used[LIMB_LEFT_ARM + i]) {
            copied[i] = forearm_of(p, LIMB_LEFT_ARM + i, &still, frame);
            now[i] = forearm_of(p, LIMB_LEFT_ARM + i, &state[LIMB_LEFT_ARM + i][frame], frame);
        }
    const LimbState *s = &state[limb][frame];
    double lower = angle_of(limb_lower_rotation(&p->shape[limb][frame], s));
    const LimbGoal *goal = &p->goal[limb][frame];
    Vec3 normal = p->normal;
    return (Worth){.angle = fmax(angle_of(limb_upper_rotation(s)), lower),
                   .copied = overlap_of(hands, side, frame, copied),
                   .overlap = overlap_of(hands, side, frame, now),
                   .bears = goal->height_weight > 0 || goal->velocity_weight > 0 ||
                            vec3_dot(copied[side].wrist, normal) < goal->floor};
}

/* Adds to each frame how much closer its firm ties bring the hands. */
static void add_ties(const LimbProblem *p, LimbState *const state[LIMB_COUNT], int side, Worth *worth)
{
    static const LimbState still;
    for (int i = 0; i < p->tie_count; i++) {
        const LimbTie *tie = &p->tie[i];
        if (tie->limb != LIMB_LEFT_ARM + side || tie->weight < FIRM)
            continue;
        Forearm copied[2], now[2];
        for (int k = 0; k < 2; k++) {
            int limb = LIMB_LEFT_ARM + k, used = p->used[limb];
            copied[k] = used ? forearm_of(p, limb, &still, tie->frame) : (Forearm){{0, 0, 0}, {0, 0, 0}};
            now[k] = used ? forearm_of(p, limb, &state[limb][tie->frame], tie->frame) : copied[k];
        }
        Worth *w = &worth[tie->frame];
        w->closer = fmax(w->closer, tie_error(p, tie, copied) - tie_error(p, tie, now));
    }
}

/* Whether the corrections of frames first to last - 1 are worth their angle. */
static int is_worth(const Worth *worth, int first, int last)
{
    Worth sum = {0};
    for (int f = first; f < last; f++) {
        sum.angle = fmax(sum.angle, worth[f].angle);
        sum.copied = fmax(sum.copied, worth[f].copied);
        sum.overlap = fmax(sum.overlap, worth[f].overlap);
        sum.closer = fmax(sum.closer, worth[f].closer);
        sum.bears |= worth[f].bears;
    }
    return sum.bears || fmax(sum.copied - sum.overlap, sum.closer) >= MIN_GAIN * sum.angle;
}

/* Marks the frames whose corrections are not worth it; returns their number. */
static int mark_frames(const Worth *worth, int frames, unsigned char *undone)
{
    int count = 0;
    for (int f = 0, end; f < frames; f = end + 1) {
        for (end = f; end < frames && worth[end].angle > MIN_ANGLE; end++)
            ;
        if (end == f || is_worth(worth, f, end))
            continue;
        for (int k = f; k < end; k++)
            undone[k] = 1;
        count += end - f;
    }
    return count;
}

/* Drops the ties and guards of a limb in the marked frames; returns how many. */
static int drop(LimbProblem *p, int limb, const unsigned char *undone)
{
    int ties = 0, guards = 0, dropped;
    for (int i = 0; i < p->tie_count; i++)
        if (p->tie[i].limb != limb || !undone[p->tie[i].frame])
            p->tie[ties++] = p->tie[i];
    for (int i = 0; i < p->guard_count; i++)
        if (p->guard[i].limb != limb || !undone[p->guard[i].frame])
            p->guard[guards++] = p->guard[i];
    dropped = p->tie_count - ties + p->guard_count - guards;
    p->tie_count = ties;
    p->guard_count = guards;
    return dropped;
}

int arm_undo(const HandPair *hands, LimbState *const state[LIMB_COUNT], Arena *arena, LimbProblem *problem)
{
    size_t frames = (size_t)problem->frame_count;
    ArenaMark mark = arena_mark(arena);
    Worth *worth = arena_array(arena, frames, 1, sizeof *worth);
    unsigned char *undone[2] = {arena_array(arena, frames, 1, 1), arena_array(arena, frames, 1, 1)};
    int marked[2] = {0, 0}, dropped = 0;
    for (int side = 0; side < 2 && !arena->failed; side++) {
        if (!problem->used[LIMB_LEFT_ARM + side])
            continue;
        for (int f = 0; f < problem->frame_count; f++)
            worth[f] = worth_of(hands, problem, state, side, f);
        add_ties(problem, state, side, worth);
        marked[side] = mark_frames(worth, problem->frame_count, undone[side]);
    }
    for (int side = 0; side < 2; side++)
        dropped += marked[side] ? drop(problem, LIMB_LEFT_ARM + side, undone[side]) : 0;
    arena_return(arena, mark);
    return dropped;
}
