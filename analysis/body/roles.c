/* Roles of joints (roles.h): what the parts of a name propose, and the choice among the proposals.
 *
 * Each limb takes the best chain of proposals down the tree, the hips are the joint that carries both legs, and the
 * trunk lies between hips and arms. If the names do not give two legs, the shape decides (role_shape.c). */
#include "analysis/body/roles.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

enum { TEXT_SIZE = 160, PART_COUNT = 24, KEY_SIZE = 96 };

/* A name split into parts: "Bip01 L Thigh" is bip 01 l thigh. */
typedef struct Parts {
    int count;
    const char *part[PART_COUNT];
    char text[TEXT_SIZE];
} Parts;

typedef enum Side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT } Side;

/* Bytes above ASCII are letters of other scripts. */
static int is_letter(unsigned char c) { return isalpha(c) || c >= 0x80; }
static int is_word(unsigned char c) { return is_letter(c) || isdigit(c); }

/* Whether a part starts at position `at`: between letters and digits, at a capital after a lower case letter, and at
 * the last of several capitals ("LHipJoint" is l hip joint). */
static int part_starts(const char *name, size_t at)
{
    unsigned char before = (unsigned char)name[at - 1], here = (unsigned char)name[at],
                  next = (unsigned char)name[at + 1];
    if (!is_word(before) || isdigit(before) != isdigit(here))
        return 1;
    return isupper(here) && (!isupper(before) || islower(next));
}

/* The name without `namespace:` and `path|`. */
static const char *local_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((*c == ':' || *c == '|') && c[1])
            name = c + 1;
    return name;
}

static void split(const char *name, Parts *out)
{
    size_t used = 0;
    *out = (Parts){0};
    name = local_name(name);
    for (size_t i = 0; name[i] && used + 2 < TEXT_SIZE; i++) {
        if (!is_word((unsigned char)name[i]))
            continue;
        if (i == 0 || part_starts(name, i)) {
            if (out->count == PART_COUNT)
                return;
            used += out->count > 0; /* keeps the terminator of the part before */
            out->part[out->count++] = out->text + used;
        }
        out->text[used++] = (char)tolower((unsigned char)name[i]);
    }
}

static int is_number(const char *part) { return isdigit((unsigned char)part[0]); }

static int has_mark(const char *word, RoleMarkKind kind)
{
    int low = 0, high = role_marks_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(role_marks[middle].word, word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < role_marks_count && strcmp(role_marks[low].word, word) == 0; low++)
        if (role_marks[low].kind == kind)
            return 1;
    return 0;
}

static void remove_part(Parts *p, int at)
{
    p->count--;
    for (int i = at; i < p->count; i++)
        p->part[i] = p->part[i + 1];
}

/* Removes prefixes with their numbers ("Bip01", "Character1") and suffixes. One part always remains. */
static void strip_affixes(Parts *p)
{
    while (p->count > 1 && has_mark(p->part[0], MARK_PREFIX)) {
        int number = is_number(p->part[1]);
        if (number && p->count == 2)
            break;
        remove_part(p, 0);
        if (number)
            remove_part(p, 0);
    }
    while (p->count > 1 && has_mark(p->part[p->count - 1], MARK_SUFFIX))
        p->count--;
}

static Side part_side(const char *part)
{
    if (has_mark(part, MARK_LEFT))
        return SIDE_LEFT;
    return has_mark(part, MARK_RIGHT) ? SIDE_RIGHT : SIDE_NONE;
}

/* Removes the side mark: the first long one ("left"), otherwise a letter at the front, at the end, or anywhere. */
static Side take_side(Parts *p)
{
    int found = -1;
    for (int i = 0; i < p->count && found < 0; i++)
        if (strlen(p->part[i]) > 2 && part_side(p->part[i]))
            found = i;
    if (found < 0 && p->count > 1 && part_side(p->part[0]))
        found = 0;
    for (int i = p->count - 1; i > 0 && found < 0; i--)
        if (part_side(p->part[i]))
            found = i;
    if (found < 0)
        return SIDE_NONE;
    Side side = part_side(p->part[found]);
    remove_part(p, found);
    return side;
}

/* Joins all parts, or all but trailing numbers, into one word. Returns 0 if it is too long or, without numbers, if
 * there are none to drop. */
static int join(const Parts *p, int with_number, char key[KEY_SIZE])
{
    int count = p->count;
    while (!with_number && count > 1 && is_number(p->part[count - 1]))
        count--;
    if (!with_number && count == p->count)
        return 0;
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(p->part[i]);
        if (used + length >= KEY_SIZE)
            return 0;
        memcpy(key + used, p->part[i], length);
        used += length;
    }
    key[used] = 0;
    return used > 0;
}

/* Finds the table's rows for key: paired roles if there is a side, others if not. weight is reduced by `doubt`, to no
 * less than 1. */
static int look_up(const char *key, Side side, int doubt, RoleGuess guess[ROLE_GUESSES])
{
    int low = 0, high = role_words_count, count = 0;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(role_words[middle].name, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < role_words_count && strcmp(role_words[low].name, key) == 0 && count < ROLE_GUESSES; low++) {
        Role role = role_words[low].role;
        int paired = role_mirror(role) != role, weight = role_words[low].weight - doubt;
        if (paired == (side != SIDE_NONE))
            guess[count++] = (RoleGuess){side == SIDE_RIGHT ? role_mirror(role) : role, weight > 1 ? weight : 1};
    }
    return count;
}

static int look_up_parts(const Parts *p, Side side, RoleGuess guess[ROLE_GUESSES])
{
    char key[KEY_SIZE];
    int count = 0;
    if (p->count > 0 && join(p, 1, key))
        count = look_up(key, side, 0, guess);
    if (p->count > 0 && !count && join(p, 0, key))
        count = look_up(key, side, 1, guess);
    return count;
}

/* Looks up names with the side mark attached: "lhip", "leftfoot", "footl", "左足". */
static int look_up_glued(const Parts *p, RoleGuess guess[ROLE_GUESSES])
{
    char key[KEY_SIZE];
    if (p->count == 0 || (!join(p, 0, key) && !join(p, 1, key)))
        return 0;
    size_t length = strlen(key);
    for (int i = 0; i < role_marks_count; i++) {
        size_t word = strlen(role_marks[i].word);
        Side side = role_marks[i].kind == MARK_LEFT    ? SIDE_LEFT
                    : role_marks[i].kind == MARK_RIGHT ? SIDE_RIGHT
                                                       : SIDE_NONE;
        if (side == SIDE_NONE || word >= length)
            continue;
        int count = 0;
        if (memcmp(key, role_marks[i].word, word) == 0)
            count = look_up(key + word, side, 0, guess);
        if (!count && memcmp(key + length - word, role_marks[i].word, word) == 0) {
            char core[KEY_SIZE];
            memcpy(core, key, length - word);
            core[length - word] = 0;
            count = look_up(core, side, 0, guess);
        }
        if (count)
            return count;
    }
    return 0;
}

int role_name_guess(const char *name, RoleGuess guess[ROLE_GUESSES])
{
    Parts p;
    int count;
    /* MakeHuman's "__UpLeg_L" only positions the joint after it. */
    if (strncmp(local_name(name), "__", 2) == 0)
        return 0;
    split(name, &p);
    if ((count = look_up_parts(&p, SIDE_NONE, guess))) /* whole name: Xsens' "L5" has no side */
        return count;
    Parts whole = p;
    Side side = take_side(&whole); /* whole name without the side: CMU's "LHipJoint" */
    if (side && (count = look_up_parts(&whole, side, guess)))
        return count;
    strip_affixes(&p);
    if ((count = look_up_parts(&p, SIDE_NONE, guess)))
        return count;
    side = take_side(&p);
    strip_affixes(&p);
    if (side)
        return look_up_parts(&p, side, guess);
    if ((count = look_up_parts(&p, SIDE_NONE, guess)))
        return count;
    return look_up_glued(&p, guess);
}

const char *role_name_creature_word(const char *name)
{
    Parts p;
    split(name, &p);
    for (int i = 0; i < p.count; i++)
        for (int k = 0; k < role_marks_count; k++)
            if (role_marks[k].kind == MARK_CREATURE && p.part[i][0] == role_marks[k].word[0] &&
                strcmp(p.part[i], role_marks[k].word) == 0)
                return role_marks[k].word;
    return NULL;
}

enum { LIMB = 4 };

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
    unsigned char (*weight)[ROLE_COUNT]; /* [joint][role] from the name; 0: not proposed */
    Link (*best)[LIMB];                  /* [joint][k] best chain */
    Link (*before)[LIMB];                /* [joint][k] the chain continued by role k at the joint */
    Role *shape;                         /* [joint] roles from the shape */
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

/* Adds limbs from the shape: all, if the names do not give two legs (sets *by_shape), or the missing arms, if the shape
 * agrees on the legs. */
static Status add_shape(Work *w, int *by_shape, Error *err)
{
    int legs = has_legs(w->s), found;
    if (legs && has_arms(w->s))
        return STATUS_OK;
    Status status = role_shape_assign(w->s, w->shape, &found, err);
    if (status || !found)
        return status;
    *by_shape = !legs;
    if (!legs) {
        memcpy(w->s->role, w->shape, (size_t)w->s->joint_count * sizeof *w->shape);
        assign_limb(w, &limbs[4]);
        return STATUS_OK;
    }
    int left = skeleton_find_role(w->s, ROLE_LEFT_HIP);
    int same = w->shape[left] == ROLE_LEFT_HIP, crossed = w->shape[left] == ROLE_RIGHT_HIP;
    for (int j = 0; (same || crossed) && j < w->s->joint_count; j++) {
        Role role = same ? w->shape[j] : role_mirror(w->shape[j]);
        if (w->s->role[j] == ROLE_NONE && skeleton_find_role(w->s, role) < 0)
            w->s->role[j] = role;
    }
    return STATUS_OK;
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

/* The longest branch of a joint that is not an arm; -1 if there is none. *children: the number of such branches. */
static int longest_branch(const Skeleton *s, const double *reach, int from, int *children)
{
    int left = arm_top(s, ROLE_LEFT_CLAVICLE), right = arm_top(s, ROLE_RIGHT_CLAVICLE), best = -1;
    *children = 0;
    for (int j = from + 1; j < s->joint_count; j++) {
        if (s->parent[j] != from || s->role[j] != ROLE_NONE || skeleton_is_below(s, left, j) ||
            skeleton_is_below(s, right, j))
            continue;
        (*children)++;
        if (best < 0 || reach[j] > reach[best])
            best = j;
    }
    return best;
}

/* Finds neck and head without names: the longest branch of the chest up to where it divides (eyes, jaw) or ends. */
static void add_head(Work *w)
{
    Skeleton *s = w->s;
    double *reach = w->reach;
    int chest = skeleton_find_role(s, ROLE_CHEST), children;
    if (chest < 0)
        chest = skeleton_find_role(s, ROLE_SPINE);
    if (chest < 0 || skeleton_find_role(s, ROLE_NECK) >= 0 || skeleton_find_role(s, ROLE_HEAD) >= 0 || !has_arms(s))
        return;
    skeleton_reach(s, reach);
    int first = longest_branch(s, reach, chest, &children), last = first;
    if (first < 0)
        return;
    for (int next = longest_branch(s, reach, last, &children); children == 1;
         next = longest_branch(s, reach, last, &children))
        last = next;
    s->role[first] = ROLE_NECK;
    s->role[last] = ROLE_HEAD;
}

static void fill_segments(Skeleton *s)
{
    for (int j = 0; j < s->joint_count; j++) {
        s->segment[j] = s->role[j];
        if (s->role[j] == ROLE_NONE && s->parent[j] >= 0)
            s->segment[j] = s->segment[s->parent[j]];
    }
}

/* Five signs of an animal. Some human figures show one of them (a tail on a costume, a toy's short legs); three are
 * required.
 *  1, 2  words in names: one word for an animal, or two different ones (tail, paw)
 *  3     short legs: thigh and shank under 1.1 of hips to neck (people: 1.4 to 2.4 in mocap skeletons)
 *  4     forelegs: arms over 0.85 of the legs (people: 0.55 to 0.75)
 *  5     a rest pose with the trunk perpendicular to the legs and the arms parallel to them */

#define SHORT_LEGS 1.1
#define LONG_ARMS 0.85
#define SIGNS_NEEDED 3

static int animal_words(const Skeleton *s)
{
    const char *first = NULL;
    for (int j = 0; j < s->joint_count; j++) {
        const char *word = role_name_creature_word(s->name[j]);
        if (word && first && word != first)
            return 2;
        if (word)
            first = word;
    }
    return first != NULL;
}

/* The length along the bones from a joint to an ancestor; 0 if one is missing or `upper` is not an ancestor. */
static double bone_length(const Skeleton *s, int upper, int lower)
{
    int is_found = upper >= 0 && lower >= 0 && skeleton_is_below(s, lower, upper);
    return is_found ? skeleton_distance(s, upper, lower) : 0;
}

static double limb_length(const Skeleton *s, Role from, Role to)
{
    return bone_length(s, skeleton_find_role(s, from), skeleton_find_role(s, to));
}

/* The length from hips to neck, or to where the arms branch. */
static double trunk_length(const Skeleton *s, int hips)
{
    static const Role tops[] = {ROLE_NECK, ROLE_HEAD, ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        double length = bone_length(s, hips, skeleton_find_role(s, tops[i]));
        if (length > 0)
            return length;
    }
    return 0;
}

static Vec3 between(const Vec3 *rest, int from, int to)
{
    return from < 0 || to < 0 ? vec3(0, 0, 0) : vec3_normalize(vec3_sub(rest[to], rest[from]));
}

static int trunk_lies_across(const Skeleton *s, const Vec3 *rest)
{
    int hips = skeleton_find_role(s, ROLE_HIPS), neck = skeleton_find_role(s, ROLE_NECK);
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Vec3 trunk = between(rest, hips, neck);
    Vec3 leg = vec3_normalize(vec3_add(between(rest, left, skeleton_find_role(s, ROLE_LEFT_ANKLE)),
                                       between(rest, right, skeleton_find_role(s, ROLE_RIGHT_ANKLE))));
    Vec3 arm = vec3_normalize(
        vec3_add(between(rest, skeleton_find_role(s, ROLE_LEFT_SHOULDER), skeleton_find_role(s, ROLE_LEFT_WRIST)),
                 between(rest, skeleton_find_role(s, ROLE_RIGHT_SHOULDER), skeleton_find_role(s, ROLE_RIGHT_WRIST))));
    return vec3_norm(trunk) > 0.5 && fabs(vec3_dot(trunk, leg)) < 0.5 && vec3_dot(arm, leg) > 0.7;
}

Status creature_recognise(const Skeleton *s, int *is_creature, Error *err)
{
    int hips = skeleton_find_role(s, ROLE_HIPS), signs = animal_words(s);
    double leg =
        0.5 * (limb_length(s, ROLE_LEFT_HIP, ROLE_LEFT_KNEE) + limb_length(s, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE) +
               limb_length(s, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE) + limb_length(s, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE));
    double arm = 0.5 * (limb_length(s, ROLE_LEFT_SHOULDER, ROLE_LEFT_WRIST) +
                        limb_length(s, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_WRIST));
    *is_creature = 0;
    if (hips < 0 || !(leg > 0))
        return STATUS_OK;
    signs += leg < SHORT_LEGS * trunk_length(s, hips);
    signs += arm > LONG_ARMS * leg;
    Vec3 *rest = array_new((size_t)s->joint_count, 1, sizeof *rest);
    if (!rest)
        return error_no_memory(err);
    skeleton_rest_positions(s, rest);
    signs += trunk_lies_across(s, rest);
    *is_creature = signs >= SIGNS_NEEDED;
    free(rest);
    return STATUS_OK;
}

Status roles_assign(Skeleton *s, Error *err)
{
    Arena arena = {0};
    Work w = work_take(&arena, s);
    int is_creature = 0, by_shape = 0;
    clear_roles(s);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (status)
        goto done;
    propose(&w);
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++)
        assign_limb(&w, &limbs[i]);
    status = add_shape(&w, &by_shape, err);
    if (!status) {
        assign_trunk(&w);
        add_head(&w);
        status = creature_recognise(s, &is_creature, err);
    }
    if (status || is_creature || (by_shape && !roles_are_human(s)))
        clear_roles(s);
    fill_segments(s);
done:
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
