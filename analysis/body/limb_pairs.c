/* See limb_pairs.h. */
#include "analysis/body/limb_pairs.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

static const double likeness = 0.15;   /* greatest difference of equal bones, part of the longer one */
static const double nothing = 1e-3;    /* of the tree's reach: bones this short are none */
static const double slack = 5e-3;      /* the same: short bones may differ by this much */
static const double min_reach = 0.4; /* of the longest pair's: a limb */
static const double min_bone = 0.25; /* of the sum of two long bones */
static const double helper = 0.12; /* of the longest bone: bones this short end at helpers, as twist joints */
static const double in_line = 0.995; /* cosine of the angle between two bones */
static const double as_alike = 0.1;  /* logarithm of the ratio of two long bones */
static const double nearly = 0.92;     /* of the longest two bones: as long */
static const double less_unlike = 0.8; /* of the asymmetry of another pair: the true counterparts */

enum { SEARCH_LIMIT = 100000, BRANCHES_MAX = 256, STRAIGHT_MAX = 4, FRAMES_JUDGED = 100 };

/* Children and end sites of each joint, as lists. */
typedef struct PairSearch {
    const Skeleton *s;
    int *first_child, *next_child; /* [joint] -1: none */
    double *tip;                   /* [joint] length of its longest end site; 0: none */
    double *reach;                 /* [joint] */
    double size;                   /* reach of the first joint with branches: a root far away is no part of a body */
    double nothing;
    const unsigned char *straight; /* [joint] or NULL (limb_pairs.h) */
    int steps;                     /* comparisons, at most SEARCH_LIMIT */
} PairSearch;

static int are_alike(const PairSearch *t, double a, double b)
{
    return fabs(a - b) <= fmax(likeness * fmax(a, b), slack * t->size);
}

static double bone_length(const PairSearch *t, int joint) { return vec3_norm(t->s->offset[joint]); }

static double common_tip(const PairSearch *t, int a, int b)
{
    return t->tip[a] > 0 && are_alike(t, t->tip[a], t->tip[b]) ? 0.5 * (t->tip[a] + t->tip[b]) : 0;
}

/* The longest path down from a and b that both have; *to: its first joints, -1: the end sites or nothing. */
static double common_reach(PairSearch *t, int a, int b, int to[2])
{
    double longest = common_tip(t, a, b);
    to[0] = to[1] = -1;
    for (int i = t->first_child[a]; i >= 0; i = t->next_child[i])
        for (int k = t->first_child[b]; k >= 0 && t->steps < SEARCH_LIMIT; k = t->next_child[k]) {
            int beyond[2];
            double one = bone_length(t, i), other = bone_length(t, k);
            t->steps++;
            if (!are_alike(t, one, other))
                continue;
            double length = 0.5 * (one + other) + common_reach(t, i, k, beyond);
            if (length > longest || (to[0] < 0 && length >= longest)) {
                longest = length;
                to[0] = i;
                to[1] = k;
            }
        }
    return longest;
}

static void add_point(LimbPair *pair, const int joint[2], double one, double other)
{
    pair->point[0][pair->count] = joint[0];
    pair->point[1][pair->count] = joint[1];
    pair->bone[0][pair->count] = one;
    pair->bone[1][pair->count++] = other;
}

/* Whether a point is near the one before, which ends a long bone; the last point is none. */
static int is_helper(const LimbPair *pair, int point, double longest)
{
    return point > 1 && point + 1 < pair->count && limb_pair_bone(pair, point) < helper * longest &&
           limb_pair_bone(pair, point - 1) > 0.5 * longest;
}

/* Leaves out a point: its bone becomes part of the next. */
static void drop_point(LimbPair *pair, int point)
{
    size_t rest = (size_t)(--pair->count - point);
    for (int limb = 0; limb < 2; limb++) {
        pair->bone[limb][point + 1] += pair->bone[limb][point];
        memmove(&pair->bone[limb][point], &pair->bone[limb][point + 1], rest * sizeof(double));
        memmove(&pair->point[limb][point], &pair->point[limb][point + 1], rest * sizeof(int));
    }
}

static void drop_helpers(LimbPair *pair)
{
    double longest = 0;
    for (int i = 1; i < pair->count; i++)
        longest = fmax(longest, limb_pair_bone(pair, i));
    for (int i = 2; i < pair->count; i++)
        if (is_helper(pair, i, longest))
            drop_point(pair, i);
}

static void follow(PairSearch *t, int a, int b, LimbPair *out)
{
    int at[2] = {a, b}, to[2];
    *out = (LimbPair){.joint = t->s->parent[a]};
    add_point(out, at, bone_length(t, a), bone_length(t, b));
    while (out->count < LIMB_CHAIN_MAX - 1) {
        double beyond = common_reach(t, at[0], at[1], to);
        if (to[0] < 0) {
            if (beyond > 0)
                add_point(out, (int[2]){-1, -1}, t->tip[at[0]], t->tip[at[1]]);
            break;
        }
        add_point(out, to, bone_length(t, to[0]), bone_length(t, to[1]));
        at[0] = to[0];
        at[1] = to[1];
    }
    drop_helpers(out);
    for (int i = 1; i < out->count; i++)
        out->reach += limb_pair_bone(out, i);
}

double limb_pair_bone(const LimbPair *pair, int point) { return 0.5 * (pair->bone[0][point] + pair->bone[1][point]); }

static double two_bones(const LimbPair *pair, int i)
{
    double one = limb_pair_bone(pair, i + 1), other = limb_pair_bone(pair, i + 2);
    return pair->point[0][i + 1] >= 0 && fmin(one, other) > min_bone * (one + other) ? one + other : 0;
}

double limb_pair_length(const LimbPair *pair) { return two_bones(pair, pair->top); }

/* The first point of the limbs that is away from the joint that carries them: the two hips and shoulders are apart. */
static int first_apart(const PairSearch *t, const LimbPair *pair)
{
    double away = limb_pair_bone(pair, 0);
    for (int i = 0; i + 2 < pair->count; away += limb_pair_bone(pair, ++i))
        if (away > t->nothing)
            return i;
    return 0;
}

/* Finds where the two longest consecutive bones begin; among nearly equal sums the last: a long clavicle is not an
 * upper arm. Returns 0 without two long bones. */
static int find_top(const PairSearch *t, LimbPair *pair)
{
    int first = first_apart(t, pair);
    double longest = 0;
    pair->top = -1;
    for (int i = first; i + 2 < pair->count; i++)
        longest = fmax(longest, two_bones(pair, i));
    for (int i = first; i + 2 < pair->count; i++)
        if (longest > 0 && two_bones(pair, i) >= nearly * longest)
            pair->top = i;
    return pair->top >= 0;
}

/* How unlike the two long bones are, as a logarithm: people's are alike. */
static double unlikeness(const PairSearch *t, LimbPair *pair)
{
    if (!find_top(t, pair))
        return INFINITY;
    double one = limb_pair_bone(pair, pair->top + 1), other = limb_pair_bone(pair, pair->top + 2);
    return fabs(elementary_log(one / other));
}

/* Points that never bend: twist joints, and wrists or toes that are not moved. */
static int list_straight(const PairSearch *t, const LimbPair *pair, int at[STRAIGHT_MAX])
{
    int count = 0;
    for (int i = 1; t->straight && i + 1 < pair->count && count < STRAIGHT_MAX; i++)
        if (pair->point[0][i + 1] >= 0 && t->straight[pair->point[0][i + 1]] && t->straight[pair->point[1][i + 1]])
            at[count++] = i;
    return count;
}

/* Of all choices of straight points to leave out, takes the one with the longest two bones that are about as alike as
 * those of the best. */
static void drop_straight(const PairSearch *t, LimbPair *pair)
{
    int at[STRAIGHT_MAX], count = list_straight(t, pair, at);
    double min_unlike = INFINITY;
    LimbPair best = *pair;
    for (int round = 0; round < 2 && count > 0; round++)
        for (int choice = 0; choice < 1 << count; choice++) {
            LimbPair tried = *pair;
            for (int k = count - 1; k >= 0; k--)
                if (choice >> k & 1)
                    drop_point(&tried, at[k]);
            double unlike = unlikeness(t, &tried);
            if (round == 0)
                min_unlike = fmin(min_unlike, unlike);
            else if (unlike <= min_unlike + as_alike && limb_pair_length(&tried) > limb_pair_length(&best))
                best = tried;
        }
    *pair = best;
}

static PairSearch search_begin(const Skeleton *s, Arena *arena)
{
    size_t joints = (size_t)s->joint_count;
    PairSearch t = {.s = s,
                    .first_child = arena_array(arena, joints, 1, sizeof *t.first_child),
                    .next_child = arena_array(arena, joints, 1, sizeof *t.next_child),
                    .tip = arena_array(arena, joints, 1, sizeof *t.tip),
                    .reach = arena_array(arena, joints, 1, sizeof *t.reach)};
    if (arena->failed)
        return t;
    skeleton_reach(s, t.reach);
    for (int j = s->joint_count - 1; j >= 0; j--) {
        t.first_child[j] = t.first_child[j] > 0 ? t.first_child[j] : -1;
        if (j > 0) {
            int parent = s->parent[j];
            t.next_child[j] = t.first_child[parent] > 0 ? t.first_child[parent] : -1;
            t.first_child[parent] = j;
        }
    }
    int first = 0;
    while (t.first_child[first] >= 0 && t.next_child[t.first_child[first]] < 0)
        first = t.first_child[first];
    t.size = t.reach[first];
    t.nothing = nothing * t.size;
    for (int e = 0; e < s->end_count; e++)
        t.tip[s->end_parent[e]] = fmax(t.tip[s->end_parent[e]], vec3_norm(s->end_offset[e]));
    return t;
}

/* Inserts a pair by its reach. Returns the new count. */
static int insert_pair(const LimbPair *new, LimbPair *pair, int count)
{
    int at = count < LIMB_PAIRS_MAX ? count : LIMB_PAIRS_MAX - 1;
    if (count == LIMB_PAIRS_MAX && new->reach <= pair[at].reach)
        return count;
    for (; at > 0 && pair[at - 1].reach < new->reach; at--)
        pair[at] = pair[at - 1];
    pair[at] = *new;
    return count < LIMB_PAIRS_MAX ? count + 1 : count;
}

static int is_within(const Skeleton *s, const LimbPair *inner, const LimbPair *outer)
{
    return skeleton_is_below(s, inner->joint, outer->point[0][0]) ||
           skeleton_is_below(s, inner->joint, outer->point[1][0]);
}

/* Mean difference of the bones of both limbs, part of their length. */
static double asymmetry(const LimbPair *pair)
{
    double off = 0, sum = 0;
    for (int i = 0; i < pair->count; i++) {
        off += fabs(pair->bone[0][i] - pair->bone[1][i]);
        sum += pair->bone[0][i] + pair->bone[1][i];
    }
    return sum > 0 ? off / sum : 0;
}

static int share_limb(const LimbPair *a, const LimbPair *b)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (a->point[i][0] == b->point[k][0])
                return 1;
    return 0;
}

/* Leaves out pairs of a limb with another than its true counterpart, such as a leg with spine and arm. Returns the
 * number of pairs. */
static int drop_false_pairs(LimbPair *pair, int count)
{
    int kept = 0, is_false[LIMB_PAIRS_MAX] = {0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            is_false[i] |= k != i && share_limb(&pair[i], &pair[k]) &&
                           asymmetry(&pair[k]) < less_unlike * asymmetry(&pair[i]);
    for (int i = 0; i < count; i++)
        if (!is_false[i])
            pair[kept++] = pair[i];
    return kept;
}

/* Leaves out short pairs and pairs within others. */
static int keep_limbs(const Skeleton *s, LimbPair *pair, int count)
{
    int kept = 0;
    count = drop_false_pairs(pair, count);
    for (int i = 0; i < count; i++) {
        int inside = pair[i].reach < min_reach * pair[0].reach;
        for (int k = 0; k < kept && !inside; k++)
            inside = is_within(s, &pair[i], &pair[k]);
        if (!inside)
            pair[kept++] = pair[i];
    }
    return kept;
}

/* Joints that are as long as a limb may be; a tree with too many of them is none of a body. */
static int count_branches(const PairSearch *t)
{
    int branches = 0;
    for (int j = 1; j < t->s->joint_count; j++)
        branches += t->reach[j] > 0.1 * t->size;
    return branches;
}

int limb_pairs_find(const Skeleton *s, const unsigned char *straight, LimbPair pair[LIMB_PAIRS_MAX], Arena *arena)
{
    PairSearch t = search_begin(s, arena);
    int count = 0;
    t.straight = straight;
    if (arena->failed || count_branches(&t) > BRANCHES_MAX)
        return 0;
    for (int a = 1; a < s->joint_count; a++)
        for (int b = t.next_child[a]; b >= 0; b = t.next_child[b]) {
            LimbPair found;
            t.steps = 0;
            if (!are_alike(&t, bone_length(&t, a), bone_length(&t, b)) || t.reach[a] <= 0.1 * t.size ||
                t.reach[b] <= 0.1 * t.size)
                continue;
            follow(&t, a, b, &found);
            drop_straight(&t, &found);
            if (find_top(&t, &found))
                count = insert_pair(&found, pair, count);
        }
    return keep_limbs(s, pair, count);
}

void limb_pairs_find_straight(const Skeleton *s, const Motion *motion, unsigned char *straight)
{
    int step = motion->frame_count / FRAMES_JUDGED + 1;
    for (int j = 0; j < s->joint_count; j++) {
        int at = s->parent[j], bends = at <= 0 || motion->frame_count < 2;
        for (int f = 0; f < motion->frame_count && !bends; f += step) {
            Vec3 before = quat_rotate_inverse(motion->rotation[motion_index(motion, f, at)], s->offset[at]);
            bends = !(vec3_dot(vec3_normalize(before), vec3_normalize(s->offset[j])) > in_line);
        }
        straight[j] = !bends;
    }
}
