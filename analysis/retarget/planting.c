
#include "analysis/retarget/planting.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/math/elementary.h"
#include "analysis/retarget/arm_undo.h"
#include "analysis/retarget/com_path.h"
#include "analysis/retarget/hand_guard.h"
#include "analysis/retarget/hand_tie.h"
#include "analysis/retarget/toe_bend.h"
#include "analysis/retarget/two_bone.h"
#include "analysis/signal/envelope.h"

#define MIN_FLIGHT 0.08 /* s: shorter gaps of contact are not a flight */
#define CLEAR 0.03        /* leg lengths: a higher sole is in the air */
#define FALL_SLACK 0.5   /* fraction of g */
#define FALL_SHIFT_TIME 0.5 /* s: shift_time with free_fall, so that the change made in a flight is compensated close
                               to it */
#define UNDO_ROUNDS 3
#define RAISE_TIME 0.1 /* s: half width of the envelope that raises a body */

typedef struct FootPlant {
    const PlantedBody *body;
    const FootPair *pair;
    const PlantDef *def;
    LimbProblem problem;
    Vec3 *shift;                 /* [frame] m */
    LimbState *state[LIMB_COUNT]; /* [frame] */
    double *ankle;               /* [frame] m along the normal, planted height */
    double *bend, *scratch[2];   /* [frame] */
    int hands_bear;              /* 1: hands support the body and affect its path */
} FootPlant;

static LimbShape leg_shape(const FootPlant *p, int foot, int f)
{
    const Sole *sole = &p->pair->target.sole[foot];
    const Vec3 *x = soled_pose_positions(&p->pair->target, f);
    Vec3 upper = vec3_sub(x[sole->knee], x[sole->hip]), lower = vec3_sub(x[sole->ankle], x[sole->knee]);
    Vec3 hinge = quat_rotate(soled_pose_orientations(&p->pair->target, f)[sole->hip], sole->hinge);
    return (LimbShape){x[sole->hip], upper, lower, two_bone_axis(upper, lower, hinge)};
}

/* Bends the toes as the heights of the ankle require, p->ankle, and aims the leg with them. */
static void bend_toes(FootPlant *p, int foot)
{
    toe_bend_fill(p->pair, foot, p->ankle, p->def->bend_time, p->bend, p->scratch[0]);
    toe_bend_apply(p->pair, foot, p->bend);
    foot_goal_fill(p->pair, &p->def->foot, foot, p->problem.goal[foot], p->scratch);
}

/* Aims the legs, with toes that are bent for the heights wanted. */
static void aim_legs(FootPlant *p)
{
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        if (!p->problem.used[foot])
            continue;
        for (int f = 0; f < p->problem.frame_count; f++)
            p->problem.shape[foot][f] = leg_shape(p, foot, f);
        foot_goal_fill(p->pair, &p->def->foot, foot, p->problem.goal[foot], p->scratch);
        for (int f = 0; f < p->problem.frame_count; f++)
            p->ankle[f] = p->problem.goal[foot][f].height;
        if (p->pair->target.outline)
            bend_toes(p, foot);
    }
}

/* Requests a constant shift of the whole body: the mean change of height that its feet require. */
static void lift_body(FootPlant *p)
{
    double sum = 0, weights = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int f = 0; f < p->problem.frame_count && p->problem.used[foot]; f++) {
            const LimbShape *shape = &p->problem.shape[foot][f];
            const LimbGoal *goal = &p->problem.goal[foot][f];
            Vec3 end = vec3_add(shape->root, limb_reach(shape, &p->problem.wanted[foot][f]));
            sum += goal->height_weight * (goal->height - vec3_dot(end, p->problem.normal));
            weights += goal->height_weight;
        }
    Vec3 lift = vec3_scale(p->problem.normal, weights > 0 ? sum / weights : 0);
    for (int f = 0; f < p->problem.frame_count; f++)
        p->problem.wanted_shift[f] = lift;
}

static void aim_arm(FootPlant *p, const HandPair *hands, int side, int *wanted, Arena *arena)
{
    size_t frames = (size_t)p->problem.frame_count;
    int limb = LIMB_LEFT_ARM + side;
    p->problem.goal[limb] = arena_array(arena, frames, 1, sizeof(LimbGoal));
    p->problem.shape[limb] = arena_array(arena, frames, 1, sizeof(LimbShape));
    p->problem.wanted[limb] = arena_array(arena, frames, 1, sizeof(LimbState));
    p->state[limb] = arena_array(arena, frames, 1, sizeof(LimbState));
    if (arena->failed || !hand_goal_has_arm(hands, side))
        return;
    for (int f = 0; f < p->problem.frame_count; f++)
        p->problem.shape[limb][f] = hand_goal_shape(hands, side, f);
    *wanted += hand_goal_fill(hands, side, p->problem.goal[limb]);
}

/* Sets goals for hands that hold something and guards for forearms; leaves the arms out if none of them changes the
 * copied arms. */
static void aim_arms(FootPlant *p, Arena *arena)
{
    HandPair hands = {p->pair, p->body->target, p->body->source, p->body->props};
    int wanted = 0;
    for (int side = 0; side < 2; side++)
        aim_arm(p, &hands, side, &wanted, arena);
    p->problem.tie = arena_array(arena, (size_t)p->problem.frame_count, HAND_TIES, sizeof(LimbTie));
    p->problem.guard = arena_array(arena, (size_t)hand_guards(&hands, NULL, &(int){0}), 1, sizeof(LimbGuard));
    if (arena->failed)
        return;
    int ties = hand_ties(&hands, arena, p->problem.tie), broken;
    int guards = hand_guards(&hands, p->problem.guard, &broken);
    if (wanted + ties + broken == 0)
        return;
    p->hands_bear = wanted > 0;
    p->problem.tie_count = ties;
    p->problem.guard_count = guards;
    for (int side = 0; side < 2; side++)
        p->problem.used[LIMB_LEFT_ARM + side] = hand_goal_has_arm(&hands, side);
}

/* Interpolates the goals of a foot between the copied motion (strength 0) and the source's (strength 1). */
static void weaken_goals(FootPlant *p, int foot)
{
    double own = 1 - p->def->strength;
    Vec3 next = {0, 0, 0};
    for (int f = p->problem.frame_count - 1; f >= 0 && own > 0; f--) {
        const LimbShape *shape = &p->problem.shape[foot][f];
        LimbGoal *goal = &p->problem.goal[foot][f];
        Vec3 end = vec3_add(vec3_add(shape->root, limb_reach(shape, &p->problem.wanted[foot][f])),
                            p->problem.wanted_shift[f]);
        Vec3 velocity = vec3_scale(vec3_sub(next, end), f + 1 < p->problem.frame_count ? 1 / p->problem.frame_time : 0);
        goal->velocity = vec3_mad(vec3_scale(goal->velocity, 1 - own), own, velocity);
        goal->height = (1 - own) * goal->height + own * vec3_dot(end, p->problem.normal);
        next = end;
    }
}

/* Whether both soles are clear of the ground and no hand supports. Uses heights in leg lengths, which do not depend on
 * body size; contacts detected again on a body of another size might differ. */
static int is_in_air(const FootPlant *p, int f)
{
    const FootContact *c = p->pair->contact;
    const SoledPose *s = &p->pair->source;
    int supports = f >= c->frame_count;
    for (int foot = 0; foot < FOOT_COUNT && !supports; foot++)
        for (int k = 0; k < SOLE_POINTS && s->sole[foot].ankle >= 0; k++)
            supports |= vec3_dot(sole_point(&s->sole[foot], (SolePoint)k, soled_pose_positions(s, f),
                                            soled_pose_orientations(s, f)), c->normal) <
                     c->height + CLEAR * p->body->source->leg;
    for (int limb = LIMB_LEFT_ARM; limb <= LIMB_RIGHT_ARM && !supports; limb++)
        supports = p->problem.used[limb] && p->problem.goal[limb][f].height_weight > 0;
    return !supports;
}

/* Height of the source's hips, m. */
static double hips_height(const FootPlant *p, int f)
{
    const Sole *sole = p->pair->source.sole;
    const Vec3 *x = soled_pose_positions(&p->pair->source, f);
    return 0.5 * vec3_dot(vec3_add(x[sole[0].hip], x[sole[1].hip]), p->problem.normal);
}

/* Whether the source's hips fall from frame begin to end with about g: a contact may also have been missed. */
static int does_fall(const FootPlant *p, int begin, int end)
{
    int half = (end - begin) / 2;
    double time = half * p->problem.frame_time;
    double fall = hips_height(p, begin) - 2 * hips_height(p, begin + half) + hips_height(p, begin + 2 * half);
    return half > 0 && fabs(fall / (time * time) / GRAVITY + 1) < FALL_SLACK;
}

/* In flight the copied body falls with scale * g. Sets the acceleration of the shift that makes it fall with g. */
static void let_fall(FootPlant *p)
{
    const FootContact *c = p->pair->contact;
    int min = (int)(MIN_FLIGHT / c->frame_time) + 1;
    for (int f = 0, end; f < c->frame_count; f = end + 1) {
        for (end = f; is_in_air(p, end); end++)
            ;
        int is_flight = f > 0 && end < c->frame_count && end - f >= min && does_fall(p, f, end - 1);
        for (int i = f; i < end && is_flight; i++) {
            p->problem.fall[i] = (p->pair->scale - 1) * GRAVITY;
            p->problem.falls[i] = 1;
        }
    }
}

/* Local rotation of a joint from its new world orientation and its parent's. */
static Quat local_rotation(Quat parent, Quat joint) { return quat_normalize(quat_mul(quat_conjugate(parent), joint)); }

/* World orientation of the parent of `joint` after the rotation `rotation` of the limb above it. */
static Quat turned_parent(const FootPlant *p, int f, int joint, Quat rotation)
{
    return quat_mul(rotation, soled_pose_orientations(&p->pair->target, f)[p->body->target->skeleton->parent[joint]]);
}

/* Applies the solved rotations to a limb; its end gets the world orientation `end`. */
static void rotate_limb(const FootPlant *p, int limb, const ArmJoints *joint, int f, Quat end, Motion *motion)
{
    const Quat *q = soled_pose_orientations(&p->pair->target, f);
    const LimbState *state = &p->state[limb][f];
    Quat *local = motion->rotation + motion_index(motion, f, 0);
    Quat upper = limb_upper_rotation(state), lower = limb_lower_rotation(&p->problem.shape[limb][f], state);
    local[joint->shoulder] = local_rotation(turned_parent(p, f, joint->shoulder, QUAT_IDENTITY),
                                            quat_mul(upper, q[joint->shoulder]));
    local[joint->elbow] = local_rotation(turned_parent(p, f, joint->elbow, upper), quat_mul(lower, q[joint->elbow]));
    local[joint->wrist] = local_rotation(turned_parent(p, f, joint->wrist, lower), end);
}

static void place_arms(const FootPlant *p, Motion *motion)
{
    for (int side = 0; side < 2; side++) {
        ArmJoints arm = hand_goal_arm(p->body->target, side);
        for (int f = 0; f < p->problem.frame_count && p->problem.used[LIMB_LEFT_ARM + side]; f++) {
            Quat wrist = soled_pose_orientations(&p->pair->target, f)[arm.wrist];
            rotate_limb(p, LIMB_LEFT_ARM + side, &arm, f, wrist, motion);
        }
    }
}

static void place_leg(const FootPlant *p, int foot, int f, Motion *motion)
{
    const Sole *sole = &p->pair->target.sole[foot];
    Quat *local = motion->rotation + motion_index(motion, f, 0);
    const Quat *q = soled_pose_orientations(&p->pair->target, f);
    rotate_limb(p, foot, &(ArmJoints){sole->hip, sole->knee, sole->ankle}, f, q[sole->ankle], motion);
    if (sole->toe == sole->ankle)
        return;
    Quat bend = quat_from_axis_angle(sole->toe_hinge, p->bend[f]);
    local[sole->toe] = local_rotation(turned_parent(p, f, sole->toe, QUAT_IDENTITY), quat_mul(q[sole->toe], bend));
}

/* Sets p->ankle to the solved heights. */
static void find_ankle(FootPlant *p, int foot)
{
    for (int f = 0; f < p->problem.frame_count; f++) {
        const LimbShape *shape = &p->problem.shape[foot][f];
        Vec3 hip = vec3_add(shape->root, p->shift[f]);
        p->ankle[f] = vec3_dot(p->problem.normal, vec3_add(hip, limb_reach(shape, &p->state[foot][f])));
    }
}

static void place_legs(FootPlant *p, Motion *motion)
{
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        if (!p->problem.used[foot])
            continue;
        find_ankle(p, foot);
        toe_bend_fill(p->pair, foot, p->ankle, p->def->bend_time, p->bend, p->scratch[0]);
        for (int f = 0; f < p->problem.frame_count; f++)
            place_leg(p, foot, f, motion);
    }
    place_arms(p, motion);
    for (int f = 0; f < p->problem.frame_count; f++)
        motion->root_position[f] = vec3_add(motion->root_position[f], p->shift[f]);
    motion_make_continuous(motion);
}

static FootPlant plant_on(const PlantedBody *body, const PlantDef *def, Arena *arena)
{
    const FootContact *c = body->pair->contact;
    size_t frames = (size_t)c->frame_count;
    FootPlant p = {
        .body = body,
        .pair = body->pair,
        .def = def,
        .problem = {.frame_count = c->frame_count,
                    .frame_time = c->frame_time,
                    .normal = c->normal,
                    .length = body->target->leg},
        .shift = arena_array(arena, frames, 1, sizeof *p.shift),
        .ankle = arena_array(arena, frames, 1, sizeof *p.ankle),
        .bend = arena_array(arena, frames, 1, sizeof *p.bend),
        .scratch = {arena_array(arena, frames, 1, sizeof(double)), arena_array(arena, frames, 1, sizeof(double))}};
    p.problem.fall = arena_array(arena, frames, 1, sizeof *p.problem.fall);
    p.problem.falls = arena_array(arena, frames, 1, 1);
    p.problem.wanted_shift = arena_array(arena, frames, 1, sizeof *p.problem.wanted_shift);
    for (int limb = 0; limb < FOOT_COUNT; limb++) {
        p.problem.used[limb] = p.pair->target.sole[limb].ankle >= 0 && p.pair->source.sole[limb].ankle >= 0;
        p.problem.shape[limb] = arena_array(arena, frames, 1, sizeof(LimbShape));
        p.problem.wanted[limb] = arena_array(arena, frames, 1, sizeof(LimbState));
        p.problem.goal[limb] = arena_array(arena, frames, 1, sizeof(LimbGoal));
        p.state[limb] = arena_array(arena, frames, 1, sizeof(LimbState));
    }
    return p;
}

/* Solves a problem with arms again without the corrections that are worth too little, as often as some are dropped. */
static Status solve_arms(FootPlant *p, LimbProblem *problem, const LimbSolveDef *def, Arena *arena, Error *err)
{
    HandPair hands = {p->pair, p->body->target, p->body->source, p->body->props};
    Status status = limb_solve(problem, def, p->shift, p->state, err);
    for (int round = 0; round < UNDO_ROUNDS && !status && arm_undo(&hands, p->state, arena, problem) > 0; round++)
        status = limb_solve(problem, def, p->shift, p->state, err);
    return status;
}

/* Solves legs first, then arms, if the arms support no load: their ties and guards move with the body. Two narrow bands
 * cost less than half of one band for both. */
static Status solve(FootPlant *p, Arena *arena, Error *err)
{
    LimbProblem legs = p->problem, arms = p->problem;
    LimbSolveDef def = p->def->solve;
    if (p->def->free_fall)
        def.shift_time = fmin(def.shift_time, FALL_SHIFT_TIME);
    if (!(arms.used[LIMB_LEFT_ARM] || arms.used[LIMB_RIGHT_ARM]))
        return limb_solve(&p->problem, &def, p->shift, p->state, err);
    if (p->hands_bear || p->def->free_fall)
        return solve_arms(p, &p->problem, &def, arena, err);
    legs.used[LIMB_LEFT_ARM] = legs.used[LIMB_RIGHT_ARM] = 0;
    legs.tie_count = legs.guard_count = 0;
    arms.used[LIMB_LEFT_LEG] = arms.used[LIMB_RIGHT_LEG] = 0;
    arms.wanted_shift = p->shift;
    Status status = limb_solve(&legs, &def, p->shift, p->state, err);
    if (!status)
        status = solve_arms(p, &arms, &def, arena, err);
    p->problem.tie_count = arms.tie_count; /* those dropped stay so in the next round */
    p->problem.guard_count = arms.guard_count;
    return status;
}

/* Solves for the toes as they are bent, then for those that the solution requires. */
static Status solve_with_toes(FootPlant *p, Arena *arena, Error *err)
{
    int rounds = p->pair->target.outline ? 2 : 1;
    Status status = STATUS_OK;
    for (int round = 0; round < rounds && !status; round++) {
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            if (!p->problem.used[foot])
                continue;
            if (round > 0) {
                find_ankle(p, foot);
                bend_toes(p, foot);
            }
            weaken_goals(p, foot);
        }
        status = solve(p, arena, err);
    }
    return status;
}

Status plant_motion(const PlantedBody *body, const PlantDef *def, Motion *motion, Error *err)
{
    Arena arena = {0};
    FootPlant p = plant_on(body, def, &arena);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status && body->with_hands) {
        aim_arms(&p, &arena);
        status = arena.failed ? error_no_memory(err) : STATUS_OK;
    }
    if (!status)
        aim_legs(&p);
    if (!status && !def->hold) {
        lift_body(&p);
        if (p.problem.used[LIMB_LEFT_LEG] || p.problem.used[LIMB_RIGHT_LEG])
            status = com_path_add(body->pair, body->target, body->source, p.problem.wanted_shift, err);
    }
    p.problem.hold = def->hold;
    if (!status) {
        if (def->free_fall)
            let_fall(&p);
        status = solve_with_toes(&p, &arena, err);
    }
    if (!status)
        place_legs(&p, motion);
    arena_free(&arena);
    return status;
}

/* Depth of the lowest point of both soles below the source's, m; 0: none is deeper. */
static double depth_below(const FootPair *pair, int f)
{
    double deepest = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int k = 0; k < SOLE_POINTS && pair->target.sole[foot].ankle >= 0; k++) {
            Vec3 point = sole_point(&pair->target.sole[foot], (SolePoint)k, soled_pose_positions(&pair->target, f),
                                    soled_pose_orientations(&pair->target, f));
            double floor = pair->source.sole[foot].ankle >= 0 ? foot_goal_sole_floor(pair, foot, f)
                                                              : pair->scale * pair->contact->height;
            deepest = fmax(deepest, floor - vec3_dot(pair->contact->normal, point));
        }
    return deepest;
}

Status plant_raise(const PlantedBody *body, Motion *motion, Error *err)
{
    const FootContact *c = body->pair->contact;
    Arena arena = {0};
    double *rise = arena_array(&arena, (size_t)c->frame_count, 1, sizeof *rise);
    double *scratch = arena_array(&arena, (size_t)c->frame_count, 1, sizeof *scratch);
    if (!arena.failed) {
        for (int f = 0; f < c->frame_count; f++)
            rise[f] = depth_below(body->pair, f);
        smooth_envelope(rise, c->frame_count, (int)(RAISE_TIME / c->frame_time), scratch);
        for (int f = 0; f < c->frame_count; f++)
            motion->root_position[f] = vec3_mad(motion->root_position[f], rise[f], c->normal);
    }
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    return status;
}
