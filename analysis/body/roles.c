/* Roles of joints (roles.h): the choice among the proposals of the names.
 *
 * Each limb takes the best chain of proposals down the tree, the hips are the joint that carries both legs, and the
 * trunk lies between hips and arms. If the names do not give two legs, the shape decides (role_shape.c). */
#include "analysis/body/roles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/body/body_parts.h"
#include "analysis/body/creature.h"
#include "analysis/body/rig.h"
#include "analysis/body/role_name.h"
#include "analysis/body/role_shape.h"
#include "analysis/math/elementary.h"

enum { LIMB = 4 };

/* Of the reach of the joint that carries the arms: a branch or bone this short is a helper. */
#define HELPER 0.02

/* The roles of a limb from the trunk outwards, and the penalty for beginning with a role that should follow another. */
typedef struct LimbRoles {
    Role role[LIMB];
    int late_start[LIMB];
} LimbRoles;

static const LimbRoles limbs[] = {
    {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE}, {0, 3, 6, 9}},
    {{ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}, {0, 3, 6, 9}},
    {{ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, {0, 0, 3, 6}},
    {{ROLE_RIGHT_CLAVICLE, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}, {0, 0, 3, 6}},
    {{ROLE_NECK, ROLE_HEAD, ROLE_NONE, ROLE_NONE}, {0, 0, 0, 0}},
};

/* The best chain among a joint and its ancestors that ends with at most the k-th role. */
typedef struct Link {
    int score;
    int joint, k; /* last member; joint -1: empty */
} Link;

typedef struct Work {
    Skeleton *s;
    const Motion *motion;                /* NULL: none */
    unsigned char (*weight)[ROLE_COUNT]; /* [joint][role] from the name; 0: not proposed */
    Link (*best)[LIMB];                  /* [joint][k] best chain */
    Link (*before)[LIMB];                /* [joint][k] the chain continued by role k at the joint */
    Role *shape, *named;                 /* [joint] roles from the shape, and from the names alone */
    ShapeJudgement judgement;            /* of the shape */
    double *reach;                       /* [joint] of skeleton_reach */
} Work;

static Work work_take(Arena *arena, Skeleton *s)
{
    size_t joints = (size_t)s->joint_count;
    return (Work){.s = s,
                  .weight = arena_array(arena, joints, 1, sizeof(unsigned char[ROLE_COUNT])),
                  .best = arena_array(arena, joints, 1, sizeof(Link[LIMB])),
                  .before = arena_array(arena, joints, 1, sizeof(Link[LIMB])),
                  .shape = arena_array(arena, joints, 1, sizeof(Role)),
                  .named = arena_array(arena, joints, 1, sizeof(Role)),
                  .reach = arena_array(arena, joints, 1, sizeof(double))};
}

/* The length of the prefix, up to a separator, common to all names but the root's: "Actor7_". 0 for small trees. */
static size_t common_prefix(const Skeleton *s)
{
    if (s->joint_count < 7)
        return 0;
    const char *first = s->name[1];
    size_t length = strlen(first);
    for (int j = 2; j < s->joint_count; j++) {
        size_t same = 0;
        while (same < length && s->name[j][same] == first[same])
            same++;
        length = same;
    }
    while (length > 0 && !strchr("_- .:", first[length - 1]))
        length--;
    return length;
}

static void propose(Work *w)
{
    size_t prefix = common_prefix(w->s);
    for (int j = 0; j < w->s->joint_count; j++) {
        RoleGuess guess[ROLE_GUESSES];
        int count = role_name_guess(w->s->name[j] + (j > 0 ? prefix : 0), guess);
        for (int i = 0; i < count; i++)
            w->weight[j][guess[i].role] = (unsigned char)guess[i].weight;
    }
}

/* Finds the best chains that end at joint j or above it, with j in no role or in each role proposed by its name. */
static void extend_chains(Work *w, const LimbRoles *limb, int j)
{
    static const Link none[LIMB] = {{0, -1, 0}, {0, -1, 0}, {0, -1, 0}, {0, -1, 0}};
    const Link *above = w->s->parent[j] < 0 ? none : w->best[w->s->parent[j]];
    Link *best = w->best[j];
    for (int k = 0; k < LIMB; k++) {
        best[k] = k > 0 && best[k - 1].score > above[k].score ? best[k - 1] : above[k];
        int weight = limb->role[k] == ROLE_NONE ? 0 : w->weight[j][limb->role[k]];
        if (weight == 0)
            continue;
        Link before = {-limb->late_start[k], -1, 0};
        if (k > 0 && above[k - 1].joint >= 0 && above[k - 1].score > before.score)
            before = above[k - 1];
        w->before[j][k] = before;
        if (before.score + weight > best[k].score)
            best[k] = (Link){before.score + weight, j, k};
    }
}

/* Assigns the roles of one limb to the chain with the greatest sum of weights; among equal ones, to the chain nearest
 * the root. */
static void assign_limb(Work *w, const LimbRoles *limb)
{
    Link top = {0, -1, 0};
    for (int j = 0; j < w->s->joint_count; j++) {
        extend_chains(w, limb, j);
        if (w->best[j][LIMB - 1].score > top.score)
            top = w->best[j][LIMB - 1];
    }
    while (top.joint >= 0) {
        w->s->role[top.joint] = limb->role[top.k];
        top = w->before[top.joint][top.k];
    }
}

static int common_ancestor(const Skeleton *s, int a, int b)
{
    while (a != b) {
        if (a > b)
            a = s->parent[a];
        else
            b = s->parent[b];
    }
    return a;
}

static void clear_roles(Skeleton *s)
{
    for (int j = 0; j < s->joint_count; j++)
        s->role[j] = ROLE_NONE;
}

/* The joint without a role whose name proposes `role` with the greatest weight; -1 if none does. */
static int best_named(const Work *w, Role role)
{
    int best = -1;
    for (int j = 0; j < w->s->joint_count; j++)
        if (w->s->role[j] == ROLE_NONE && w->weight[j][role] > (best < 0 ? 0 : w->weight[best][role]))
            best = j;
    return best;
}

/* The top joint of an arm; -1 if it has none. */
static int arm_top(const Skeleton *s, Role clavicle)
{
    for (int k = 0; k < 3; k++) {
        int j = skeleton_find_role(s, (Role)(clavicle + k));
        if (j >= 0)
            return j;
    }
    return -1;
}

static int has_legs(const Skeleton *s)
{
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    if (left < 0 || right < 0 || skeleton_find_role(s, ROLE_LEFT_KNEE) < 0 ||
        skeleton_find_role(s, ROLE_RIGHT_KNEE) < 0)
        return 0;
    int carrier = common_ancestor(s, left, right);
    return carrier != left && carrier != right;
}

static int has_arms(const Skeleton *s)
{
    int left = arm_top(s, ROLE_LEFT_CLAVICLE), right = arm_top(s, ROLE_RIGHT_CLAVICLE);
    if (left < 0 || right < 0)
        return 0;
    int carrier = common_ancestor(s, left, right);
    return carrier != left && carrier != right;
}

/* The role of a joint by its shape, with left and right as in the roles that the skeleton has. */
static Role shape_role(const Work *w, int joint, int is_crossed)
{
    return is_crossed ? role_mirror(w->shape[joint]) : w->shape[joint];
}

/* Whether the names give the legs of the shape: 1 as they are, -1 with left and right exchanged, 0 others. */
static int compare_legs(const Work *w)
{
    int left = skeleton_find_role(w->s, ROLE_LEFT_HIP);
    if (left < 0)
        return 0;
    return w->shape[left] == ROLE_LEFT_HIP ? 1 : w->shape[left] == ROLE_RIGHT_HIP ? -1 : 0;
}

/* Votes of the names of limbs for the sides of the shape: positive for them, negative against. */
static int vote_sides(const Work *w)
{
    int votes = 0;
    for (int j = 0; j < w->s->joint_count; j++) {
        Role role = w->shape[j];
        if (role != ROLE_NONE && role_mirror(role) != role)
            votes += role_name_side(w->s->name[j]) * (role >= ROLE_RIGHT_CLAVICLE ? 1 : -1);
    }
    return votes;
}

/* Takes all roles of limbs from the shape; the sides are those of the names, if these have any. */
static void use_shape(Work *w, RoleSigns *signs)
{
    int votes = vote_sides(w);
    memcpy(w->named, w->s->role, (size_t)w->s->joint_count * sizeof *w->named);
    for (int j = 0; j < w->s->joint_count; j++)
        w->s->role[j] = shape_role(w, j, votes < -1);
    signs->by_shape = 1;
    signs->sides_are_named = abs(votes) > 1;
    signs->sides_are_shown = w->judgement.shows_front;
    assign_limb(w, &limbs[4]);
}

/* Adds limbs from the shape: all, if the names do not give two legs, or the missing arms, if the shape agrees on the
 * legs. */
static void add_shape(Work *w, RoleSigns *signs)
{
    int legs = has_legs(w->s);
    signs->sides_are_named = legs;
    if (!w->judgement.is_found || (legs && has_arms(w->s)))
        return;
    if (!legs) {
        use_shape(w, signs);
        return;
    }
    int same = compare_legs(w);
    for (int j = 0; same && j < w->s->joint_count; j++) {
        Role role = shape_role(w, j, same < 0);
        if (w->s->role[j] == ROLE_NONE && skeleton_find_role(w->s, role) < 0)
            w->s->role[j] = role;
    }
}

/* The joint that carries both legs; without two legs, the one named so. */
static int find_hips(const Work *w)
{
    if (!has_legs(w->s))
        return best_named(w, ROLE_HIPS);
    return common_ancestor(w->s, skeleton_find_role(w->s, ROLE_LEFT_HIP), skeleton_find_role(w->s, ROLE_RIGHT_HIP));
}

/* The joint from which the arms branch, otherwise neck or head; not the neck itself (Biped attaches clavicles to
 * it). */
static int find_chest(const Work *w, int hips)
{
    Skeleton *s = w->s;
    int left = arm_top(s, ROLE_LEFT_CLAVICLE), right = arm_top(s, ROLE_RIGHT_CLAVICLE), chest;
    int neck = skeleton_find_role(s, ROLE_NECK), head = skeleton_find_role(s, ROLE_HEAD);
    if (left >= 0 && right >= 0)
        chest = common_ancestor(s, left, right);
    else if (left >= 0 || right >= 0)
        chest = s->parent[left >= 0 ? left : right];
    else if (neck >= 0 || head >= 0)
        chest = s->parent[neck >= 0 ? neck : head];
    else
        return best_named(w, ROLE_CHEST);
    while (chest >= 0 && (s->role[chest] == ROLE_NECK || s->role[chest] == ROLE_HEAD))
        chest = s->parent[chest];
    if (chest < 0 || chest == hips || s->role[chest] != ROLE_NONE || skeleton_is_below(s, hips, chest))
        return -1;
    return chest;
}

/* The lowest trunk joint above the hips on the path to the chest; the chest itself if it is the only one. */
static int find_spine(const Work *w, int hips, int chest)
{
    if (hips < 0 || chest < 0)
        return best_named(w, ROLE_SPINE);
    int carrier = common_ancestor(w->s, hips, chest), spine = chest;
    while (w->s->parent[spine] >= 0 && w->s->parent[spine] != carrier)
        spine = w->s->parent[spine];
    return spine;
}

static void assign_trunk(Work *w)
{
    Skeleton *s = w->s;
    int hips = find_hips(w);
    if (hips < 0)
        return;
    s->role[hips] = ROLE_HIPS;
    int chest = find_chest(w, hips), spine = find_spine(w, hips, chest);
    if (chest >= 0 && spine == chest) { /* a single trunk joint: its name decides */
        int named_chest = w->weight[chest][ROLE_CHEST] > w->weight[chest][ROLE_SPINE];
        s->role[chest] = named_chest ? ROLE_CHEST : ROLE_SPINE;
        return;
    }
    if (chest >= 0)
        s->role[chest] = ROLE_CHEST;
    if (spine >= 0 && s->role[spine] == ROLE_NONE)
        s->role[spine] = ROLE_SPINE;
}

/* Whether a joint is one with a role or above one. */
static int carries_role(const Skeleton *s, int joint)
{
    for (int j = joint; j < s->joint_count; j++)
        if (s->role[j] != ROLE_NONE && skeleton_is_below(s, j, joint))
            return 1;
    return 0;
}

/* The longest branch of a joint without roles; -1 if there is none. *children: the number of such branches; helpers,
 * which are shorter than `nothing`, do not count. */
static int longest_branch(const Skeleton *s, const double *reach, int from, double nothing, int *children)
{
    int best = -1;
    double longest = nothing;
    *children = 0;
    for (int j = from + 1; j < s->joint_count; j++) {
        double length = s->parent[j] == from ? vec3_norm(s->offset[j]) + reach[j] : 0;
        if (!(length > nothing) || carries_role(s, j))
            continue;
        (*children)++;
        if (length > longest) {
            longest = length;
            best = j;
        }
    }
    return best;
}

/* Finds neck and head without names: the longest branch of the chest up to where it divides (eyes, jaw) or ends; a
 * single joint is the neck, as it is the lower end of neck and head. */
static void add_head(Work *w)
{
    Skeleton *s = w->s;
    double *reach = w->reach;
    int children;
    if (skeleton_find_role(s, ROLE_NECK) >= 0 || skeleton_find_role(s, ROLE_HEAD) >= 0 || !has_arms(s))
        return;
    skeleton_reach(s, reach);
    int from = common_ancestor(s, arm_top(s, ROLE_LEFT_CLAVICLE), arm_top(s, ROLE_RIGHT_CLAVICLE));
    double nothing = HELPER * reach[from];
    int first = longest_branch(s, reach, from, nothing, &children);
    while (first >= 0 && s->role[from] == ROLE_HIPS && !(skeleton_distance(s, from, first) > nothing))
        first = longest_branch(s, reach, first, nothing, &children);
    if (first < 0)
        return;
    int last = first;
    for (int next = longest_branch(s, reach, last, nothing, &children);
         children == 1 && (vec3_norm(s->offset[next]) > nothing || !(skeleton_distance(s, from, last) > nothing));
         next = longest_branch(s, reach, last, nothing, &children))
        last = next;
    s->role[last] = ROLE_HEAD;
    s->role[first] = ROLE_NECK;
}

/* ---- What speaks for the roles ---- */

/* Log odds of a name's weight (role_name.h), and of a name that means other roles only. */
static const double named[] = {0, 1, 2.5, 4}, named_otherwise = -2;
/* Greatest log odds of the shape; those of a role that follows from other roles (trunk, head, toes), and of limbs that
 * the shape does not show. */
static const double shown = 4, follows = 2, not_shown = 0;
static const double another_joint = 1; /* against a role whose limb the shape shows, with that role elsewhere */

/* The greatest weight with which the name means a role, on either side, and 1 for another role of the same part of the
 * body; of another part: *other. */
static int name_weight(const Work *w, int joint, Role role, int *other)
{
    int best = 0;
    *other = 0;
    for (int r = 1; r < ROLE_COUNT; r++) {
        int weight = w->weight[joint][r];
        if (r == (int)role || r == (int)role_mirror(role))
            best = weight > best ? weight : best;
        else if (segment_body_part((Role)r) != segment_body_part(role))
            *other = weight > *other ? weight : *other;
        else if (weight > 0 && best == 0)
            best = 1;
    }
    return best;
}

static double name_odds(const Work *w, int joint, Role role)
{
    int other, weight = name_weight(w, joint, role, &other);
    return weight == 0 && other > 1 ? named_otherwise : named[weight];
}

static int is_long_limb(Role role)
{
    return role_is_leg(role) || role == ROLE_LEFT_ANKLE || role == ROLE_RIGHT_ANKLE || role == ROLE_LEFT_SHOULDER ||
           role == ROLE_RIGHT_SHOULDER || role == ROLE_LEFT_ELBOW || role == ROLE_RIGHT_ELBOW ||
           role == ROLE_LEFT_WRIST || role == ROLE_RIGHT_WRIST;
}

enum { NO_LIMB, ARM, LEG };

static int limb_kind(Role role)
{
    if ((role >= ROLE_LEFT_HIP && role <= ROLE_LEFT_TOE) || role >= ROLE_RIGHT_HIP)
        return LEG;
    return role >= ROLE_LEFT_CLAVICLE ? ARM : NO_LIMB;
}

/* The limb of the shape that carries the joint. */
static int shape_limb(const Work *w, int joint)
{
    while (joint >= 0 && w->shape[joint] == ROLE_NONE)
        joint = w->s->parent[joint];
    return joint < 0 ? NO_LIMB : limb_kind(w->shape[joint]);
}

static double shape_odds(const Work *w, int joint, Role role)
{
    if (!is_long_limb(role))
        return follows;
    if (!w->judgement.is_found)
        return not_shown;
    double p = w->judgement.limbs, odds = p < 1 ? fmin(shown, elementary_log(p / (1 - p))) : shown;
    if (w->shape[joint] == role || w->shape[joint] == role_mirror(role))
        return odds;
    return shape_limb(w, joint) == limb_kind(role) ? -another_joint : -odds;
}

static void weigh(const Work *w, RoleSigns *signs)
{
    double least = INFINITY;
    for (int j = 0; j < w->s->joint_count; j++) {
        Role role = w->s->role[j];
        if (role == ROLE_NONE)
            continue;
        double names = name_odds(w, j, role), shape = shape_odds(w, j, role);
        signs->log_odds[role] = names + shape;
        if (names + shape < least) {
            least = names + shape;
            signs->names = names;
            signs->shape = shape;
            signs->doubtful = role;
        }
    }
}

/* The trunk of a body without arms and names begins with the longest branch of the hips. */
static void add_spine(Work *w)
{
    int children, hips = skeleton_find_role(w->s, ROLE_HIPS);
    if (hips < 0 || skeleton_find_role(w->s, ROLE_SPINE) >= 0 || skeleton_find_role(w->s, ROLE_CHEST) >= 0 ||
        skeleton_find_role(w->s, ROLE_NECK) >= 0)
        return;
    skeleton_reach(w->s, w->reach);
    int spine = longest_branch(w->s, w->reach, hips, HELPER * w->reach[hips], &children);
    if (spine >= 0)
        w->s->role[spine] = ROLE_SPINE;
}

static void complete(Work *w, int by_shape)
{
    assign_trunk(w);
    if (by_shape && !w->judgement.has_arms)
        add_spine(w);
    add_head(w);
}

/* Returns to the roles of the names, where those of the shape are not a person's. */
static void leave_shape(Work *w, RoleSigns *signs)
{
    memcpy(w->s->role, w->named, (size_t)w->s->joint_count * sizeof *w->named);
    signs->by_shape = 0;
    complete(w, 0);
}

static Status choose(Work *w, RoleSigns *signs, Error *err)
{
    propose(w);
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++)
        assign_limb(w, &limbs[i]);
    Status status = role_shape_assign(w->s, w->motion, w->shape, &w->judgement, err);
    if (status)
        return status;
    signs->has_limbs = w->judgement.has_limbs;
    add_shape(w, signs);
    complete(w, signs->by_shape);
    if (signs->by_shape && !roles_are_human(w->s))
        leave_shape(w, signs);
    signs->rig = signs->by_shape ? NULL : rig_assign(w->s);
    status = creature_signs(w->s, &signs->animal_signs, err);
    if (status)
        return status;
    signs->is_creature = signs->animal_signs >= (signs->by_shape ? CREATURE_NAMELESS : CREATURE_NAMED);
    if (signs->is_creature) {
        clear_roles(w->s);
        signs->rig = NULL;
    }
    weigh(w, signs);
    skeleton_fill_segments(w->s);
    return STATUS_OK;
}

Status roles_assign(Skeleton *s, RoleSigns *signs, Error *err) { return roles_assign_moving(s, NULL, signs, err); }

Status roles_assign_moving(Skeleton *s, const Motion *motion, RoleSigns *signs, Error *err)
{
    Arena arena = {0};
    Work w = work_take(&arena, s);
    w.motion = motion;
    *signs = (RoleSigns){0};
    clear_roles(s);
    Status status = arena.failed ? error_no_memory(err) : choose(&w, signs, err);
    arena_free(&arena);
    return status;
}

int roles_are_human(const Skeleton *s)
{
    static const Role needed[] = {ROLE_HIPS, ROLE_LEFT_HIP, ROLE_RIGHT_HIP, ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (skeleton_find_role(s, needed[i]) < 0)
            return 0;
    return skeleton_find_role(s, ROLE_SPINE) >= 0 || skeleton_find_role(s, ROLE_CHEST) >= 0 ||
           skeleton_find_role(s, ROLE_NECK) >= 0;
}

int roles_are_partly_human(const Skeleton *s)
{
    return skeleton_find_role(s, ROLE_HIPS) >= 0 && skeleton_find_role(s, ROLE_LEFT_HIP) >= 0 &&
           skeleton_find_role(s, ROLE_RIGHT_HIP) >= 0 &&
           (skeleton_find_role(s, ROLE_LEFT_KNEE) >= 0 || skeleton_find_role(s, ROLE_RIGHT_KNEE) >= 0);
}
