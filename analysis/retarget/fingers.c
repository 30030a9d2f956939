/* See fingers.h. */
#include "analysis/retarget/fingers.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "analysis/math/elementary.h"

#define MAX_LENGTH 0.5     /* leg lengths from the wrist to the last joint of a finger */
#define METACARPAL 0.35    /* fraction of the length from wrist to last joint: the base of a metacarpal is nearer */
#define OFF_LINE 0.64      /* cosine of 50 degrees between a bone and the next: a helper leads to the finger */
#define THUMB_SCORE 0.9    /* a hand of three or four chains with a thumb; the little finger scores below 0.6 */
#define THUMB_MARGIN 1.25  /* score of the thumb over the next one's in a hand that shows its thumb */
#define THUMB_ALONE 0.52   /* rad from the forearm: a thumb without fingers */

enum { THUMB, INDEX, MIDDLE, PHALANGES = 3 };

typedef struct Chain {
    int joint[FINGER_LINKS]; /* proximal first */
    int count;
    int knuckle;             /* index of the first joint after a metacarpal or helper */
    int has_metacarpal;
    int finger;              /* -1: unknown */
    int named;               /* finger by name, -1: none */
    double across;           /* m, position across the palm */
} Chain;

typedef struct Hand {
    const ReferencePose *pose;
    int wrist;
    Vec3 forearm;            /* m; zero: unknown */
    Chain chain[FINGER_CHAINS];
    int count;
    int is_named;            /* 1: every chain names a finger of its own */
    int is_shown;            /* 1: the shape shows which chain is the thumb */
    int is_ordered;          /* 1: the knuckles are apart */
    int against_names;       /* 1: the order is not that of the names */
} Hand;

/* ---- names ---- */

/* Whether a word stands in the name by itself: `ik_hand_l`, `LeftHandIK`, not `Pinky`. */
static int has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = name; (at = strcasestr(at, word)); at++) {
        const char *after = at + length;
        int starts = at == name || !isalpha((unsigned char)at[-1]) ||
                     (islower((unsigned char)at[-1]) && isupper((unsigned char)*at));
        if (starts && !islower((unsigned char)*after))
            return 1;
    }
    return 0;
}

int finger_name_is_helper(const char *name)
{
    static const char *const words[] = {"ik", "prop", "weapon", "attach", "socket", "item", "pole", "target", "roll",
                                        "ctrl", "end", "nub", "tip", "site", "effector", "corrective"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (has_word(name, words[w]))
            return 1;
    return strcasestr(name, "twist") || strcasestr(name, "helper");
}

int finger_from_name(const char *name)
{
    static const char *const words[] = {"thumb", "index", "mid", "ring", "pink", "little"};
    int finger = -1;
    for (int w = 0; w < 6; w++)
        if (strcasestr(name, words[w]))
            finger = w == 5 ? 4 : w;
    return finger;
}

/* ---- chains ---- */

static int is_finger_joint(const Hand *h, int joint)
{
    const Skeleton *s = h->pose->skeleton;
    for (; joint > h->wrist; joint = s->parent[joint])
        if (s->role[joint] != ROLE_NONE || finger_name_is_helper(s->name[joint]))
            return 0;
    return joint == h->wrist;
}

static int count_children(const Hand *h, int joint)
{
    const Skeleton *s = h->pose->skeleton;
    int count = 0;
    for (int j = joint + 1; j < s->joint_count; j++)
        count += s->parent[j] == joint && is_finger_joint(h, j);
    return count;
}

/* A chain of four joints or more begins with a metacarpal near the wrist (a thumb does not), with a helper that leads
 * elsewhere, or ends with a tip. */
static void find_knuckle(const Hand *h, Chain *c, int is_thumb)
{
    const Skeleton *s = h->pose->skeleton;
    c->knuckle = c->has_metacarpal = 0;
    if (c->count <= PHALANGES)
        return;
    double base = skeleton_distance(s, h->wrist, c->joint[0]);
    Vec3 first = s->offset[c->joint[1]], next = s->offset[c->joint[2]];
    c->has_metacarpal = !is_thumb && base < METACARPAL * skeleton_distance(s, h->wrist, c->joint[c->count - 1]);
    c->knuckle = c->has_metacarpal || vec3_dot(first, next) < OFF_LINE * vec3_norm(first) * vec3_norm(next);
}

static void find_chains(Hand *h)
{
    const Skeleton *s = h->pose->skeleton;
    for (int leaf = h->wrist + 1; leaf < s->joint_count && h->count < FINGER_CHAINS; leaf++) {
        Chain *c = &h->chain[h->count];
        int first = leaf, links = 1;
        if (!is_finger_joint(h, leaf) || count_children(h, leaf) > 0)
            continue;
        while (s->parent[first] != h->wrist && count_children(h, s->parent[first]) == 1)
            first = s->parent[first], links++;
        if (links > FINGER_LINKS || skeleton_distance(s, h->wrist, leaf) > MAX_LENGTH * h->pose->leg)
            continue;
        *c = (Chain){.count = links, .finger = -1, .named = -1};
        for (int joint = leaf; links > 0; joint = s->parent[joint]) {
            c->joint[--links] = joint;
            if (c->named < 0)
                c->named = finger_from_name(s->name[joint]);
        }
        find_knuckle(h, c, 0);
        h->count++;
    }
}

static void keep_chains(Hand *h, int min_joints, int only_named)
{
    int kept = 0;
    for (int i = 0; i < h->count; i++)
        if (h->chain[i].count >= min_joints && (!only_named || h->chain[i].named >= 0))
            h->chain[kept++] = h->chain[i];
    h->count = kept;
}

/* Leaves out single joints beside fingers of several, and chains without a finger's name beside five with. */
static void drop_props(Hand *h)
{
    int several = 0, named = 0;
    for (int i = 0; i < h->count; i++) {
        several += h->chain[i].count > 1;
        named += h->chain[i].named >= 0;
    }
    if (several >= FINGERS - 1)
        keep_chains(h, 2, 0);
    if (h->count > FINGERS && named > 0)
        keep_chains(h, 1, 1);
    unsigned seen = 0;
    h->is_named = h->count > 0;
    for (int i = 0; i < h->count; i++) {
        h->is_named &= h->chain[i].named >= 0 && !(seen >> h->chain[i].named & 1);
        seen |= h->chain[i].named >= 0 ? 1u << h->chain[i].named : 0;
    }
}

/* ---- shape ---- */

static Vec3 chain_tip(const ReferencePose *r, const Chain *c)
{
    const Skeleton *s = r->skeleton;
    int last = c->joint[c->count - 1];
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == last)
            return vec3_add(r->position[last], quat_rotate(r->orientation[last], s->end_offset[e]));
    return r->position[last];
}

static Vec3 chain_base(const Hand *h, const Chain *c) { return h->pose->position[c->joint[c->knuckle]]; }

static Vec3 chain_direction(const Hand *h, const Chain *c)
{
    Vec3 along = vec3_sub(chain_tip(h->pose, c), h->pose->position[c->joint[0]]);
    return vec3_norm(along) > 0 ? vec3_normalize(along)
                                : vec3_normalize(vec3_sub(h->pose->position[c->joint[0]], h->pose->position[h->wrist]));
}

static double angle_between(Vec3 a, Vec3 b) { return elementary_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)); }

/* How much a chain is a thumb beside the others: direction in rad, and how much less its base and tip are away from the
 * wrist, as fractions. */
static double thumb_score(const Hand *h, int chain)
{
    Vec3 wrist = h->pose->position[h->wrist], others = {0, 0, 0};
    double base = 0, reach = 0;
    for (int i = 0; i < h->count; i++) {
        if (i == chain)
            continue;
        others = vec3_add(others, chain_direction(h, &h->chain[i]));
        base += vec3_distance(chain_base(h, &h->chain[i]), wrist) / (h->count - 1);
        reach += vec3_distance(chain_tip(h->pose, &h->chain[i]), wrist) / (h->count - 1);
    }
    if (h->count < 3)
        others = h->forearm;
    double score = angle_between(chain_direction(h, &h->chain[chain]), others);
    if (base > 0)
        score += 1 - vec3_distance(chain_base(h, &h->chain[chain]), wrist) / base;
    if (reach > 0)
        score += 2 * (1 - vec3_distance(chain_tip(h->pose, &h->chain[chain]), wrist) / reach);
    return score;
}

/* The chain that is the thumb; -1: none. */
static int find_thumb(Hand *h)
{
    int best = -1;
    double score[FINGER_CHAINS] = {0}, second = 0;
    for (int i = 0; i < h->count; i++) {
        score[i] = thumb_score(h, i);
        if (best < 0 || score[i] > score[best])
            best = i;
    }
    for (int i = 0; i < h->count; i++)
        if (i != best)
            second = fmax(second, score[i]);
    h->is_shown = h->count > 2 && score[best] > THUMB_MARGIN * second;
    double min = h->count == FINGERS ? 0 : h->count > 1 ? THUMB_SCORE : THUMB_ALONE;
    return best >= 0 && score[best] > min ? best : -1;
}

/* Unit vector across the palm from the thumb's side: between the two knuckles that are farthest apart; zero: the
 * knuckles are one point. Without a thumb the index finger is in front, as in hands that hang or lie palm down. */
static Vec3 across_palm(const Hand *h, int thumb)
{
    Vec3 widest = {0, 0, 0}, mean = {0, 0, 0}, side = vec3_neg(quat_rotate(h->pose->body, vec3(0, 0, 1)));
    int others = h->count - (thumb >= 0);
    for (int i = 0; i < h->count; i++)
        for (int k = 0; k < i && i != thumb; k++) {
            Vec3 between = vec3_sub(chain_base(h, &h->chain[i]), chain_base(h, &h->chain[k]));
            if (k != thumb && vec3_norm(between) > vec3_norm(widest))
                widest = between;
        }
    for (int i = 0; i < h->count; i++)
        if (i != thumb)
            mean = vec3_mad(mean, 1.0 / others, chain_base(h, &h->chain[i]));
    if (thumb >= 0) {
        const Chain *c = &h->chain[thumb];
        Vec3 middle = c->count > 1 ? h->pose->position[c->joint[1]] : chain_tip(h->pose, c);
        side = vec3_sub(mean, vec3_scale(vec3_add(chain_base(h, c), middle), 0.5));
    }
    return vec3_norm(widest) > 0 ? vec3_normalize(vec3_dot(widest, side) < 0 ? vec3_neg(widest) : widest) : widest;
}

/* Numbers the chains: thumb 0, the others from 1 across the palm; a single finger is the middle one. */
static void number_by_shape(Hand *h)
{
    int thumb = find_thumb(h), others = h->count - (thumb >= 0);
    Vec3 across = across_palm(h, thumb);
    h->is_ordered = others < 2 || vec3_norm(across) > 0;
    for (int i = 0; i < h->count; i++)
        h->chain[i].across = vec3_dot(chain_base(h, &h->chain[i]), across);
    for (int i = 0; i < h->count; i++) {
        int before = 0;
        for (int k = 0; k < h->count; k++)
            before += k != thumb && h->chain[k].across < h->chain[i].across;
        h->chain[i].finger = i == thumb ? THUMB : others == 1 ? MIDDLE : INDEX + before;
    }
}

/* Whether the names give the chains the order of their numbers and the same thumb. */
static int names_agree(const Hand *h)
{
    for (int i = 0; i < h->count; i++)
        for (int k = 0; k < h->count; k++)
            if ((h->chain[i].finger < h->chain[k].finger) != (h->chain[i].named < h->chain[k].named) ||
                (h->chain[i].finger == THUMB) != (h->chain[i].named == THUMB))
                return 0;
    return 1;
}

/* Finds a hand's fingers; returns 0 if it has none or they are not distinguishable. */
static int hand_init(Hand *h, const ReferencePose *pose, Role wrist)
{
    Role elbow = wrist == ROLE_LEFT_WRIST ? ROLE_LEFT_ELBOW : ROLE_RIGHT_ELBOW;
    *h = (Hand){.pose = pose, .wrist = pose->joint[wrist], .forearm = reference_between(pose, elbow, wrist)};
    if (h->wrist < 0)
        return 0;
    find_chains(h);
    drop_props(h);
    if (h->count == 0 || h->count > FINGERS)
        return 0;
    number_by_shape(h);
    h->against_names = h->is_named && !names_agree(h);
    if (h->is_named && (!h->against_names || !h->is_shown || !h->is_ordered)) {
        h->against_names = 0;
        for (int i = 0; i < h->count; i++)
            h->chain[i].finger = h->chain[i].named;
    }
    for (int i = 0; i < h->count; i++)
        if (h->chain[i].finger == THUMB)
            find_knuckle(h, &h->chain[i], 1);
    return h->is_named || (h->is_ordered && (h->is_shown || h->count < FINGERS));
}

/* ---- pairs ---- */

/* Number of fingers beside the thumb. */
static int count_fingers(const Hand *h)
{
    int count = 0;
    for (int i = 0; i < h->count; i++)
        count += h->chain[i].finger != THUMB;
    return count;
}

static const Chain *find_finger(const Hand *h, int finger)
{
    for (int i = 0; i < h->count; i++)
        if (h->chain[i].finger == finger)
            return &h->chain[i];
    return NULL;
}

/* The source's chain for a finger of the target; a single finger goes with the middle or index finger. */
static const Chain *find_counterpart(const Hand *target, const Hand *source, int finger)
{
    const Chain *same = find_finger(source, finger);
    if (same || finger == THUMB)
        return same;
    if (count_fingers(target) == 1) {
        const Chain *middle = find_finger(source, MIDDLE);
        return middle ? middle : find_finger(source, INDEX);
    }
    if (count_fingers(source) != 1 || finger > MIDDLE || finger != (find_finger(target, MIDDLE) ? MIDDLE : INDEX))
        return NULL;
    for (int i = 0; i < source->count; i++)
        if (source->chain[i].finger != THUMB && !find_finger(target, source->chain[i].finger))
            same = &source->chain[i];
    return same;
}

/* The joint of chain `from` at the position of joint k of chain `to`, counted from the knuckle; -1: none. */
static int joint_at_position(const Chain *from, const Chain *to, int k)
{
    int place = k - to->knuckle, i = from->knuckle + place;
    int is_bone = place < 0 ? from->has_metacarpal && to->has_metacarpal : place < PHALANGES;
    return is_bone && i < from->count ? from->joint[i] : -1;
}

void finger_pairs(const ReferencePose *target, const ReferencePose *source, Role wrist, FingerPairs *out)
{
    Hand t, s;
    *out = (FingerPairs){0};
    if (!hand_init(&t, target, wrist) || !hand_init(&s, source, wrist))
        return;
    out->against_names = t.is_named && s.is_named && (t.against_names || s.against_names);
    for (int i = 0; i < t.count; i++) {
        const Chain *from = find_counterpart(&t, &s, t.chain[i].finger);
        for (int k = 0; k < t.chain[i].count; k++) {
            out->target[out->count] = t.chain[i].joint[k];
            out->source[out->count++] = from ? joint_at_position(from, &t.chain[i], k) : -1;
        }
    }
}
