#include "analysis/retarget/joint_map.h"

#include <ctype.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "analysis/body/role_name.h"
#include "analysis/retarget/fingers.h"
#include "analysis/retarget/limb.h"
#include "analysis/retarget/reference_pose.h"

#define MIN_BONE 0.05    /* fraction of a chain: shorter bones count as this long, so that their joints have a weight */
#define ROOT_AT_HIPS 0.35 /* leg lengths: an ancestor of the hips closer than this moves with the pelvis */

/* Rows being collected. */
typedef struct MapBuilder {
    const ReferencePose *target, *source;
    JointMapRow *row;
    int count, capacity;
    unsigned char *done; /* [target] 1: has rows, or is a joint of a finger without a counterpart */
    int fingers_against_names[2];
} MapBuilder;

static void add_row(MapBuilder *b, int target, int source, double weight)
{
    if (target < 0 || source < 0 || !(weight > 0) || b->count == b->capacity)
        return;
    b->row[b->count++] = (JointMapRow){target, source, weight};
    b->done[target] = 1;
}

static Vec3 chain_point(const ReferencePose *r, const JointChain *c, int i)
{
    return r->position[i < c->count ? c->joint[i] : c->end];
}

/* Positions of a chain's joints along it, 0 to 1. */
static void chain_fractions(const ReferencePose *r, const JointChain *c, double fraction[TRIDIAGONAL_JOINTS + 1])
{
    double length[TRIDIAGONAL_JOINTS], total = 0, sum = 0;
    for (int i = 0; i < c->count; i++)
        total += length[i] = vec3_distance(chain_point(r, c, i), chain_point(r, c, i + 1));
    fraction[0] = 0;
    for (int i = 0; i < c->count; i++)
        fraction[i + 1] = sum += fmax(total > 0 ? length[i] / total : 1, MIN_BONE);
    for (int i = 0; i <= c->count; i++)
        fraction[i] /= sum;
}

/* Maps spine or neck: each target bone gets the source bones that overlap it along the chain, weighted by overlap. */
static void weights_along(MapBuilder *b, const JointChain *target, const JointChain *source)
{
    double t[TRIDIAGONAL_JOINTS + 1], s[TRIDIAGONAL_JOINTS + 1];
    if (target->count == 0 || source->count == 0)
        return;
    chain_fractions(b->target, target, t);
    chain_fractions(b->source, source, s);
    for (int i = 0; i < target->count; i++)
        for (int k = 0; k < source->count; k++) {
            if (target->count == source->count)
                add_row(b, target->joint[i], source->joint[k], i == k);
            else
                add_row(b, target->joint[i], source->joint[k],
                        (fmin(t[i + 1], s[k + 1]) - fmax(t[i], s[k])) / (t[i + 1] - t[i]));
        }
}

/* The source joint whose twist is distributed along a limb's bone: the joint to which the limb is attached, or the
 * hand. */
static int twist_source(const ReferencePose *source, Role role, int *is_distal)
{
    static const struct {
        Role role, from[2];
        int is_distal;
    } weights[] = {
        {ROLE_LEFT_SHOULDER, {ROLE_LEFT_CLAVICLE, ROLE_CHEST}, 0},
        {ROLE_RIGHT_SHOULDER, {ROLE_RIGHT_CLAVICLE, ROLE_CHEST}, 0},
        {ROLE_LEFT_HIP, {ROLE_HIPS, ROLE_NONE}, 0},
        {ROLE_RIGHT_HIP, {ROLE_HIPS, ROLE_NONE}, 0},
        {ROLE_LEFT_ELBOW, {ROLE_LEFT_WRIST, ROLE_NONE}, 1},
        {ROLE_RIGHT_ELBOW, {ROLE_RIGHT_WRIST, ROLE_NONE}, 1},
    };
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        if (weights[i].role == role) {
            *is_distal = weights[i].is_distal;
            int joint = source->joint[weights[i].from[0]];
            return joint >= 0 || !weights[i].from[1] ? joint : source->joint[weights[i].from[1]];
        }
    *is_distal = 0;
    return -1;
}

/* Maps a joint at `fraction` (0 proximal to 1 distal) of a bone that is split into twist joints. */
static void add_twist(MapBuilder *b, int target, Role role, int carrier, double fraction)
{
    int is_distal, other = twist_source(b->source, role, &is_distal);
    double weight = other < 0 ? 0 : is_distal ? fraction : 1 - fraction;
    add_row(b, target, carrier, 1 - weight);
    add_row(b, target, other, weight);
}

static void map_limb(MapBuilder *b, Role role)
{
    Role next = limb_next_role(role);
    int from_target = b->target->joint[role], from_source = b->source->joint[role];
    if (from_target < 0 || from_source < 0)
        return;
    JointChain target = limb_chain(b->target->skeleton, from_target, b->target->joint[next]);
    JointChain source = limb_chain(b->source->skeleton, from_source, b->source->joint[next]);
    if (role == ROLE_NECK && target.count > 0 && source.count > 0) {
        weights_along(b, &target, &source);
        return;
    }
    int carrier = source.count > 0 ? source.joint[source.count - 1] : from_source, is_distal;
    int split = target.count > 1 && twist_source(b->source, role, &is_distal) >= 0;
    if (target.count == 0)
        add_row(b, from_target, carrier, 1);
    for (int i = 0; i < target.count; i++) {
        if (target.count == source.count)
            add_row(b, target.joint[i], source.joint[i], 1);
        else if (split)
            add_twist(b, target.joint[i], role, carrier, (is_distal ? i : i + 1.0) / target.count);
        else
            add_row(b, target.joint[i], carrier, 1);
    }
}

/* The name without its namespace prefix. */
static const char *bare_name(const Skeleton *s, int joint)
{
    const char *colon = strrchr(s->name[joint], ':');
    return colon ? colon + 1 : s->name[joint];
}

static int find_same_name(const Skeleton *source, const Skeleton *target, int joint)
{
    for (int j = 0; j < source->joint_count; j++)
        if (source->role[j] == ROLE_NONE && source->segment[j] == target->segment[joint] &&
            !strcasecmp(bare_name(source, j), bare_name(target, joint)))
            return j;
    return -1;
}

/* Finger and phalanx number of a joint of the hand, as 10 finger + number; -1: not a finger. */
static int finger_index(const Skeleton *s, int joint)
{
    const char *name = bare_name(s, joint);
    int finger = finger_name_is_helper(name) ? -1 : finger_from_name(name), number = 0;
    for (const char *c = name; *c; c++)
        if (isdigit((unsigned char)*c))
            number = *c - '0';
    return finger < 0 ? -1 : 10 * finger + number;
}

static int find_same_finger(const Skeleton *source, const Skeleton *target, int joint)
{
    Role hand = target->segment[joint];
    int key = finger_index(target, joint), found = -1;
    if (key < 0 || (hand != ROLE_LEFT_WRIST && hand != ROLE_RIGHT_WRIST))
        return -1;
    for (int j = 0; j < source->joint_count; j++)
        if (source->role[j] == ROLE_NONE && source->segment[j] == hand && finger_index(source, j) == key)
            found = j;
    return found;
}

/* Maps a twist joint beside the bone's chain by its position along the bone. */
static void map_side_twist(MapBuilder *b, int joint)
{
    const Skeleton *s = b->target->skeleton;
    Role role = s->segment[joint], next = limb_next_role(role);
    int from = b->target->joint[role], to = b->target->joint[next], source = b->source->joint[role];
    if (from < 0 || to < 0 || source < 0 || !strcasestr(s->name[joint], "twist"))
        return;
    JointChain chain = limb_chain(b->source->skeleton, source, b->source->joint[next]);
    Vec3 bone = vec3_sub(b->target->position[to], b->target->position[from]);
    Vec3 at = vec3_sub(b->target->position[joint], b->target->position[from]);
    double fraction = vec3_dot(at, bone) / vec3_dot(bone, bone);
    add_twist(b, joint, role, chain.count > 0 ? chain.joint[chain.count - 1] : source, fmin(fmax(fraction, 0), 1));
}

static void map_hips(MapBuilder *b)
{
    int hips = b->target->joint[ROLE_HIPS], source = b->source->joint[ROLE_HIPS];
    for (int j = hips; j >= 0 && source >= 0; j = b->target->skeleton->parent[j])
        if (vec3_distance(b->target->position[j], b->target->position[hips]) < ROOT_AT_HIPS * b->target->leg)
            add_row(b, j, source, 1);
}

static void map_humans(MapBuilder *b)
{
    JointChain target = limb_trunk(b->target->skeleton), source = limb_trunk(b->source->skeleton);
    map_hips(b);
    weights_along(b, &target, &source);
    for (int role = ROLE_SPINE; role <= ROLE_CHEST; role++) /* without neck, head or arms the trunk has no chain */
        if (b->target->joint[role] >= 0 && !b->done[b->target->joint[role]])
            add_row(b, b->target->joint[role], b->source->joint[role], 1);
    for (int role = ROLE_NECK; role < ROLE_COUNT; role++)
        map_limb(b, (Role)role);
}

/* Maps the fingers of both hands by their order; those without a counterpart keep their rest pose. */
static void map_fingers(MapBuilder *b)
{
    for (int hand = 0; hand < 2; hand++) {
        FingerPairs pairs;
        finger_pairs(b->target, b->source, hand ? ROLE_RIGHT_WRIST : ROLE_LEFT_WRIST, &pairs);
        b->fingers_against_names[hand] = pairs.against_names;
        for (int i = 0; i < pairs.count; i++) {
            add_row(b, pairs.target[i], pairs.source[i], 1);
            b->done[pairs.target[i]] = 1;
        }
    }
}

static void map_others(MapBuilder *b)
{
    const Skeleton *t = b->target->skeleton, *s = b->source->skeleton;
    for (int j = 0; j < t->joint_count; j++) {
        if (b->done[j] || t->role[j] != ROLE_NONE)
            continue;
        int found = find_same_name(s, t, j);
        if (found < 0)
            found = find_same_finger(s, t, j);
        if (found >= 0)
            add_row(b, j, found, 1);
        else
            map_side_twist(b, j);
    }
}

Status joint_map_from_rows(JointMap *map, int target_count, const JointMapRow *rows, int row_count, Error *err)
{
    *map = (JointMap){.target_count = target_count, .row_count = row_count};
    int failed = 0, next = 0;
    map->row = array_try(&failed, (size_t)row_count, 1, sizeof *map->row);
    map->first = array_try(&failed, (size_t)target_count + 1, 1, sizeof *map->first);
    if (failed) {
        joint_map_free(map);
        return error_no_memory(err);
    }
    for (int t = 0; t < target_count; t++) {
        double sum = 0;
        for (int i = 0; i < row_count; i++)
            if (rows[i].target == t) {
                map->row[next++] = rows[i];
                sum += rows[i].weight;
                if (!(rows[i].weight > 0) || !isfinite(rows[i].weight)) {
                    joint_map_free(map);
                    return error_set(err, STATUS_BAD_INPUT, "a weight must be positive, found %g", rows[i].weight);
                }
            }
        map->first[t + 1] = next;
        for (int i = map->first[t]; i < next; i++)
            map->row[i].weight /= sum;
    }
    return STATUS_OK;
}

/* Whether both trees have equal parents and roles; names and lengths may differ. */
static int same_tree(const Skeleton *a, const Skeleton *b)
{
    int same = a->joint_count == b->joint_count;
    for (int j = 0; same && j < a->joint_count; j++)
        same = a->parent[j] == b->parent[j] && a->role[j] == b->role[j];
    return same;
}

/* Whether the joints below the wrists have the same names. */
static int same_hands(const Skeleton *a, const Skeleton *b)
{
    int same = 1;
    for (int j = 0; same && j < a->joint_count; j++)
        same = (a->segment[j] != ROLE_LEFT_WRIST && a->segment[j] != ROLE_RIGHT_WRIST) || a->role[j] != ROLE_NONE ||
               !strcasecmp(bare_name(a, j), bare_name(b, j));
    return same;
}

/* Maps joint by joint for equal trees (fingers may be in another order), otherwise humans by role, fingers by their
 * order and the remaining joints by name. */
static void map_bodies(MapBuilder *b)
{
    const Skeleton *t = b->target->skeleton, *s = b->source->skeleton;
    int are_human = b->target->is_human && b->source->is_human;
    if (same_tree(t, s)) {
        if (are_human && !same_hands(t, s))
            map_fingers(b);
        for (int j = 0; j < t->joint_count; j++)
            if (!b->done[j])
                add_row(b, j, j, 1);
        return;
    }
    if (are_human) {
        map_humans(b);
        map_fingers(b);
    }
    map_others(b);
}

Status joint_map_init(JointMap *map, const ReferencePose *target, const ReferencePose *source, Error *err)
{
    size_t joints = (size_t)target->skeleton->joint_count;
    Arena arena = {0};
    MapBuilder b = {.target = target,
                    .source = source,
                    .capacity = (int)joints * (TRIDIAGONAL_JOINTS + 2),
                    .row = arena_array(&arena, joints, TRIDIAGONAL_JOINTS + 2, sizeof *b.row),
                    .done = arena_array(&arena, joints, 1, 1)};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    *map = (JointMap){0};
    if (!status)
        map_bodies(&b);
    if (!status && b.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no joint of the target corresponds to one of the clip; start from "
                           "the map of kane retarget --print-map");
    if (!status)
        status = joint_map_from_rows(map, (int)joints, b.row, b.count, err);
    for (int hand = 0; hand < 2; hand++)
        map->fingers_against_names[hand] = b.fingers_against_names[hand];
    arena_free(&arena);
    return status;
}

void joint_map_free(JointMap *map)
{
    if (!map)
        return;
    free(map->row);
    free(map->first);
    *map = (JointMap){0};
}

/* The source joint for the most probable role of a name that is not taken yet; -1: none. */
static int joint_by_name(const char *name, const ReferencePose *source, const unsigned char *taken)
{
    RoleGuess guess[ROLE_GUESSES];
    int count = role_name_guess(name, guess);
    for (int i = 0; i < count; i++)
        if (source->joint[guess[i].role] >= 0 && !taken[source->joint[guess[i].role]])
            return source->joint[guess[i].role];
    return -1;
}

Status joint_map_template(JointMap *map, const ReferencePose *target, const ReferencePose *source, Error *err)
{
    size_t joints = (size_t)target->skeleton->joint_count;
    Arena arena = {0};
    JointMapRow *row = arena_array(&arena, joints, 1, sizeof *row);
    unsigned char *taken = arena_array(&arena, (size_t)source->skeleton->joint_count, 1, 1);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    int count = 0;
    *map = (JointMap){0};
    for (int t = 0; t < (int)joints && !status; t++) {
        int from = joint_by_name(target->skeleton->name[t], source, taken);
        if (from < 0)
            continue;
        taken[from] = 1;
        row[count++] = (JointMapRow){t, from, 1};
    }
    if (!status && count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no joint of the target corresponds to one of the clip");
    if (!status)
        status = joint_map_from_rows(map, (int)joints, row, count, err);
    arena_free(&arena);
    return status;
}
