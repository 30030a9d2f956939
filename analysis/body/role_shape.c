/* Roles from the shape of a tree (role_shape.h): of all choices of two pairs of limbs (limb_pairs.h) as legs and arms,
 * the most probable by lengths, place in the tree, the rest pose and which pair supports the body (limb_support.h). */
#include "analysis/body/role_shape.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/body/limb_pairs.h"
#include "analysis/body/limb_support.h"
#include "analysis/math/elementary.h"

/* A logarithm of a ratio of lengths in people, after de Leva 1996, and its standard deviation over skeletons. */
typedef struct LengthRatio {
    double mean, spread;
} LengthRatio;

static const LengthRatio leg_to_arm = {0.44, 0.2}, thigh_to_shank = {-0.03, 0.2}, upper_to_forearm = {0.05, 0.25};

/* Log odds of legs and arms against their exchange, from their place. */
static const double nearer_root = 2, same_joint = 0, has_head = 2, points_down = 3;
static const double unrest_weight = 1.5, max_log_odds = 2; /* 0.9 to 1.7 in half of 36 clips, below 0 in 5 */
static const double left_out = 1.5;          /* a pair longer than the arms that is no limb of the person */
static const double standing = 0.7;          /* cosine of directions that agree */
static const double min_trunk = 0.4, near_root = 0.3; /* of the legs' length */
static const double oblique = 0.8;   /* cosine between the legs and the trunk: birds' are more so */
static const double min_alone = 0.8; /* probability of a pair without another one */
static const double min_head = 0.1;        /* of the arms' length */

typedef struct RoleShape {
    const Skeleton *s;
    double *reach; /* [joint] */
    Vec3 *rest;    /* [joint] */
    LimbPair pair[LIMB_PAIRS_MAX];
    LimbUnrest *unrest; /* [pair] */
    int count;
} RoleShape;

static double log_ratio(double a, double b, const LengthRatio *people)
{
    double z = (elementary_log(a / b) - people->mean) / people->spread;
    return -2.5 * elementary_log(1 + z * z / 4); /* Student's t, 4 degrees of freedom */
}

static Vec3 point_of(const RoleShape *t, const LimbPair *pair, int limb, int point)
{
    while (pair->point[limb][point] < 0)
        point--;
    return t->rest[pair->point[limb][point]];
}

static Vec3 middle_of(const RoleShape *t, const LimbPair *pair, int point)
{
    return vec3_lerp(point_of(t, pair, 0, point), point_of(t, pair, 1, point), 0.5);
}

/* The longest branch from the pair's joint outside both pairs, a head if the joint is that of the arms; 0: none. */
static double free_branch(const RoleShape *t, const LimbPair *here, const LimbPair *other)
{
    double longest = 0;
    for (int j = here->joint + 1; j < t->s->joint_count; j++) {
        int is_limb = j == here->point[0][0] || j == here->point[1][0] || skeleton_is_below(t->s, other->joint, j) ||
                      (other->joint == here->joint && (j == other->point[0][0] || j == other->point[1][0]));
        if (t->s->parent[j] == here->joint && !is_limb)
            longest = fmax(longest, vec3_norm(t->s->offset[j]) + t->reach[j]);
    }
    return longest;
}

/* The cosine between the legs and the trunk in the rest pose; 0: one has no length. */
static double legs_along_trunk(const RoleShape *t, const LimbPair *legs, const LimbPair *arms)
{
    Vec3 hips = middle_of(t, legs, legs->top), chest = middle_of(t, arms, arms->top);
    Vec3 down = vec3_sub(middle_of(t, legs, legs->top + 2), hips);
    return vec3_dot(vec3_normalize(vec3_sub(chest, hips)), vec3_normalize(down));
}

static double score_lengths(const LimbPair *legs, const LimbPair *arms)
{
    return log_ratio(limb_pair_length(legs), limb_pair_length(arms), &leg_to_arm) +
           log_ratio(limb_pair_bone(legs, legs->top + 1), limb_pair_bone(legs, legs->top + 2), &thigh_to_shank) +
           log_ratio(limb_pair_bone(arms, arms->top + 1), limb_pair_bone(arms, arms->top + 2), &upper_to_forearm);
}

static double score_place(const RoleShape *t, const LimbPair *legs, const LimbPair *arms)
{
    double score = 0, head = min_head * limb_pair_length(arms);
    if (legs->joint == arms->joint)
        score += same_joint;
    else if (skeleton_is_below(t->s, arms->joint, legs->joint))
        score += nearer_root;
    if (free_branch(t, arms, legs) > head)
        score += has_head;
    return score - points_down * legs_along_trunk(t, legs, arms);
}

/* legs, arms: pairs. */
static double score_motion(const RoleShape *t, int legs, int arms)
{
    return fmax(-max_log_odds, fmin(max_log_odds, unrest_weight * (t->unrest[arms].limbs - t->unrest[legs].limbs)));
}

static int are_apart(const RoleShape *t, const LimbPair *a, const LimbPair *b)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (skeleton_is_below(t->s, a->point[i][0], b->point[k][0]) ||
                skeleton_is_below(t->s, b->point[k][0], a->point[i][0]))
                return 0;
    return 1;
}

/* Pairs longer than the arms that this choice leaves out. */
static int count_left_out(const RoleShape *t, const LimbPair *legs, const LimbPair *arms)
{
    int count = 0;
    for (int i = 0; i < t->count; i++)
        count += t->pair[i].reach > arms->reach && are_apart(t, &t->pair[i], legs) && are_apart(t, &t->pair[i], arms);
    return count;
}

/* Finds the most probable choice and its probability among all; 0 if there are no two pairs. */
static double choose(const RoleShape *t, const LimbPair **legs, const LimbPair **arms)
{
    double best = -INFINITY, total = 0;
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->count; k++) {
            const LimbPair *a = &t->pair[i], *b = &t->pair[k];
            if (i == k || !are_apart(t, a, b))
                continue;
            double score = score_lengths(a, b) + score_place(t, a, b) + score_motion(t, i, k) -
                           left_out * count_left_out(t, a, b);
            if (score > best) {
                total = total * elementary_exp(best - score) + 1;
                best = score;
                *legs = a;
                *arms = b;
            } else
                total += elementary_exp(score - best);
        }
    return total > 0 ? 1 / total : 0;
}

/* ---- A body without arms ---- */

static double probability(double log_odds) { return 1 / (1 + elementary_exp(-log_odds)); }

/* Distance of the joint that carries the pair from the first joint that branches, along the bones. */
static double depth_of(const RoleShape *t, const LimbPair *pair)
{
    double depth = 0;
    for (int j = pair->joint; j > 0; j = t->s->parent[j]) {
        int branches = 0;
        for (int k = 1; k < t->s->joint_count; k++)
            branches += t->s->parent[k] == t->s->parent[j];
        depth = branches > 1 ? depth + vec3_norm(t->s->offset[j]) : depth;
    }
    return depth;
}

/* The end of the trunk: the joint beyond the pair, not in it, that is farthest in the rest pose. */
static Vec3 trunk_end(const RoleShape *t, const LimbPair *legs)
{
    Vec3 from = t->rest[legs->joint], end = from;
    for (int j = legs->joint + 1; j < t->s->joint_count; j++)
        if (skeleton_is_below(t->s, j, legs->joint) && !skeleton_is_below(t->s, j, legs->point[0][0]) &&
            !skeleton_is_below(t->s, j, legs->point[1][0]) &&
            vec3_norm(vec3_sub(t->rest[j], from)) > vec3_norm(vec3_sub(end, from)))
            end = t->rest[j];
    return end;
}

/* The probability that the longest pair are the legs of a body whose arms are missing; 0 without a trunk. */
static double judge_alone(const RoleShape *t)
{
    const LimbPair *legs = &t->pair[0];
    double length = limb_pair_length(legs), moves = t->unrest[0].carrier - t->unrest[0].limbs;
    if (!(free_branch(t, legs, legs) > min_trunk * length))
        return 0;
    Vec3 trunk = vec3_sub(trunk_end(t, legs), t->rest[legs->joint]);
    Vec3 down = vec3_sub(middle_of(t, legs, legs->top + 2), middle_of(t, legs, legs->top));
    double bones = log_ratio(limb_pair_bone(legs, legs->top + 1), limb_pair_bone(legs, legs->top + 2), &thigh_to_shank);
    double place = depth_of(t, legs) < near_root * length ? nearer_root : -nearer_root;
    double upright = -points_down * (vec3_dot(vec3_normalize(trunk), vec3_normalize(down)) + oblique);
    return probability(bones + place + upright + fmax(-max_log_odds, fmin(max_log_odds, unrest_weight * moves)));
}

/* ---- Roles ---- */

/* A vector from right to left. For a standing rest pose with feet: up x front, with front along the feet. Otherwise +X,
 * the left of a body that faces +Z with +Y up, or -Y with +Z up; along z, the left of a body that faces +X. */
static Vec3 left_direction(const RoleShape *t, const LimbPair *legs, Vec3 chest, Vec3 across, int *is_shown)
{
    Vec3 hips = middle_of(t, legs, legs->top), ankles = middle_of(t, legs, legs->top + 2);
    Vec3 up = vec3_normalize(vec3_sub(chest, hips)), down = vec3_normalize(vec3_sub(ankles, hips));
    Vec3 left = vec3_cross(up, vec3_sub(middle_of(t, legs, legs->count - 1), ankles));
    *is_shown = vec3_dot(up, down) < -0.5 &&
                fabs(vec3_dot(vec3_normalize(left), vec3_normalize(across))) > standing;
    if (*is_shown)
        return left;
    double x = fabs(across.x), y = fabs(across.y), z = fabs(across.z);
    return x >= y && x >= z ? vec3(1, 0, 0) : y >= z ? vec3(0, 1, 0) : vec3(0, 0, -1);
}

static const Role leg_roles[2][4] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE},
                                     {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};
static const Role arm_roles[2][4] = {{ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
                                     {ROLE_RIGHT_CLAVICLE, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};

static void set_limb(const LimbPair *pair, int limb, const Role *roles, int count, int first, Role *role)
{
    for (int k = 0; k < count; k++)
        if (first + k >= 0 && first + k < pair->count && pair->point[limb][first + k] >= 0)
            role[pair->point[limb][first + k]] = roles[k];
}

/* The toe is where the longest bone beyond the ankle ends; a heel may lie between. */
static void set_toe(const LimbPair *legs, int limb, Role toe, Role *role)
{
    int best = -1;
    for (int i = legs->top + 3; i < legs->count && legs->point[limb][i] >= 0; i++)
        if (best < 0 || limb_pair_bone(legs, i) > limb_pair_bone(legs, best))
            best = i;
    if (best >= 0)
        role[legs->point[limb][best]] = toe;
}

/* Which limb of a pair is on the left. */
static int left_limb(const RoleShape *t, const LimbPair *pair, Vec3 left)
{
    Vec3 across = vec3_sub(point_of(t, pair, 0, pair->count - 1), point_of(t, pair, 1, pair->count - 1));
    if (fabs(vec3_dot(across, left)) < 1e-6 * vec3_norm(left) * pair->reach)
        across = vec3_sub(t->s->offset[pair->point[0][0]], t->s->offset[pair->point[1][0]]);
    return vec3_dot(across, left) < 0;
}

static int count_ends(const Skeleton *s)
{
    int ends = 0;
    for (int j = 1; j < s->joint_count; j++)
        ends += j + 1 == s->joint_count || s->parent[j + 1] != j;
    return ends;
}

/* The legs, and the arms or NULL; NULL: neither. */
static const LimbPair *find_limbs(const RoleShape *t, const LimbPair **arms, ShapeJudgement *out)
{
    const LimbPair *legs = NULL;
    *arms = NULL;
    out->limbs = choose(t, &legs, arms);
    if (!legs && t->count > 0) {
        out->limbs = judge_alone(t);
        legs = out->limbs > min_alone ? &t->pair[0] : NULL;
    }
    out->is_found = legs != NULL;
    out->has_arms = *arms != NULL;
    if (!legs)
        out->limbs = 0;
    return legs;
}

static void assign_legs(const RoleShape *t, const LimbPair *legs, Vec3 left, Role *role)
{
    for (int side = 0; side < 2; side++) {
        int leg = left_limb(t, legs, left) ^ side;
        set_limb(legs, leg, leg_roles[side], 3, legs->top, role);
        set_toe(legs, leg, leg_roles[side][3], role);
    }
}

/* has_trunk: 0: the arms have no clavicles. */
static void assign_arms(const RoleShape *t, const LimbPair *arms, int has_trunk, Vec3 left, Role *role)
{
    for (int side = 0; side < 2; side++)
        set_limb(arms, left_limb(t, arms, left) ^ side, arm_roles[side] + !has_trunk, 3 + has_trunk,
                 arms->top - has_trunk, role);
}

static void assign(const RoleShape *t, Role *role, ShapeJudgement *out)
{
    const LimbPair *arms, *legs = find_limbs(t, &arms, out);
    out->has_limbs = t->count > 0 || count_ends(t->s) >= LIMB_ENDS;
    if (!legs)
        return;
    Vec3 across = vec3_sub(point_of(t, legs, 0, legs->top), point_of(t, legs, 1, legs->top));
    if (!(vec3_norm(across) > 0))
        across = vec3_sub(point_of(t, legs, 0, legs->count - 1), point_of(t, legs, 1, legs->count - 1));
    Vec3 chest = arms ? t->rest[arms->joint] : trunk_end(t, legs);
    Vec3 left = left_direction(t, legs, chest, across, &out->shows_front);
    assign_legs(t, legs, left, role);
    if (arms)
        assign_arms(t, arms, arms->joint != legs->joint, left, role);
}

Status role_shape_assign(const Skeleton *s, const Motion *motion, Role *role, ShapeJudgement *out, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)s->joint_count;
    RoleShape t = {.s = s,
                   .reach = arena_array(&arena, joints, 1, sizeof *t.reach),
                   .rest = arena_array(&arena, joints, 1, sizeof *t.rest),
                   .unrest = arena_array(&arena, LIMB_PAIRS_MAX, 1, sizeof *t.unrest)};
    unsigned char *straight = arena_array(&arena, joints, 1, sizeof *straight);
    *out = (ShapeJudgement){0};
    for (int j = 0; j < s->joint_count; j++)
        role[j] = ROLE_NONE;
    if (!arena.failed) {
        skeleton_reach(s, t.reach);
        skeleton_rest_positions(s, t.rest);
        if (motion)
            limb_pairs_find_straight(s, motion, straight);
        t.count = limb_pairs_find(s, motion ? straight : NULL, t.pair, &arena);
        if (motion && t.count > 0)
            limb_support_find(s, motion, t.pair, t.count, t.unrest, &arena);
    }
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        assign(&t, role, out);
    arena_free(&arena);
    return status;
}
