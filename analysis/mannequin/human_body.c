/* Trunk, neck, limbs, head, feet and hands of a human, and the capsules of a creature. Numbers in the tables are
 * fractions of stature: breadths and depths of the trunk are chosen by eye, within the values of Drillis and Contini
 * for hips (0.191), chest (0.174) and shoulders (0.259). */
#include "analysis/mannequin/human_body.h"

#include <stdlib.h>

#include "analysis/body/capsules.h"

/* Building blocks. */

void mannequin_cone(MannequinBuild *b, int bone, Vec3 a, double ra, Vec3 c, double rc)
{
    implicit_add(&b->shape, &(Blob){.a = a, .b = c, .ra = ra, .rb = rc, .bone = bone});
}

Status mannequin_bind(MannequinBuild *b, int bone, Error *err)
{
    int *more = realloc(b->bound, ((size_t)b->surface.vertex_count + 1) * sizeof *more);
    if (!more || b->surface.failed) {
        b->bound = more ? more : b->bound;
        return error_no_memory(err);
    }
    b->bound = more;
    for (; b->bound_count < b->surface.vertex_count; b->bound_count++)
        b->bound[b->bound_count] = bone;
    return STATUS_OK;
}

Status mannequin_finish_part(MannequinBuild *b, double cell, Error *err)
{
    int first = b->bound_count;
    if (b->shape.blob_count == 0)
        return STATUS_OK;
    Status status = surface_nets(&b->shape, cell, &b->surface, err);
    if (!status)
        status = mannequin_bind(b, 0, err);
    for (int v = first; v < b->bound_count; v++)
        b->bound[v] = implicit_nearest(&b->shape, b->surface.position[v]);
    return status;
}

int mannequin_bone(MannequinBuild *b, int joint, Vec3 along, double radius)
{
    int above = b->skeleton->parent[joint];
    while (above >= 0 && b->bone_of[above] < 0)
        above = b->skeleton->parent[above];
    b->bone[b->bone_count] = (Bone){.joint = joint,
                                    .from = above < 0 ? -1 : b->bone_of[above],
                                    .centre = b->position[joint],
                                    .along = vec3_normalize(along),
                                    .radius = radius};
    return b->bone_of[joint] = b->bone_count++;
}

int mannequin_role_bone(const MannequinBuild *b, Role role)
{
    return b->joint[role] < 0 ? -1 : b->bone_of[b->joint[role]];
}

Vec3 mannequin_at(const MannequinBuild *b, Vec3 p, double front, double up, double right)
{
    return vec3_mad(vec3_mad(vec3_mad(p, front, b->front), up, b->up), right, b->right);
}

/* Head and feet: separate parts with finer cells than the body. Numbers are fractions of stature. */

#define CROWN 0.182 /* vertex of the head above the shoulder joints */
#define LOWEST_ANKLE 0.039 /* least height of the ankle joint above the sole */
#define TALLEST_ANKLE 0.085 /* greatest height, whatever the file has */
#define TOE_JOINT 0.008 /* least height of the toe joint above the sole */
#define HEEL 0.032  /* behind the ankle joint */
#define BALL 0.075  /* before the ankle joint, if there is no toe joint */
#define TOES 0.040  /* from ball to tip */

static const double head_cell = 0.0105, foot_cell = 0.0105;

/* --- head --- */

int human_head(const MannequinBuild *b) { return b->joint[ROLE_HEAD] >= 0 ? b->joint[ROLE_HEAD] : b->joint[ROLE_NECK]; }

Vec3 human_skull(const MannequinBuild *b)
{
    double h = b->stature;
    int left = b->joint[ROLE_LEFT_SHOULDER], right = b->joint[ROLE_RIGHT_SHOULDER], hips = b->joint[ROLE_HIPS];
    Vec3 base = b->position[human_head(b)];
    double shoulders = left >= 0 && right >= 0 ? 0.5 * vec3_dot(vec3_add(b->position[left], b->position[right]), b->up)
                                               : vec3_dot(b->position[hips], b->up) + 0.29 * h;
    double crown = shoulders + CROWN * h - vec3_dot(base, b->up);
    if (b->joint[ROLE_HEAD] >= 0)
        crown = fmin(fmax(crown, 0.075 * h), 0.155 * h);
    return mannequin_at(b, base, 0.010 * h, crown - 0.050 * h, 0);
}

static Status add_head(MannequinBuild *b, Error *err)
{
    double h = b->stature;
    int head = human_head(b);
    if (head < 0)
        return STATUS_OK;
    Vec3 skull = human_skull(b);
    int bone = mannequin_bone(b, head, b->up, 1);
    b->bone[bone].from = -1; /* not blended with the neck */
    implicit_clear(&b->shape);
    implicit_add_group(&b->shape, (BlobGroup){-1, 0.02 * h, 0});
    implicit_add(&b->shape, &(Blob){.a = mannequin_at(b, skull, -0.010 * h, 0, 0),
                                    .b = mannequin_at(b, skull, 0.008 * h, 0, 0),
                                    .ra = 0.0495 * h,
                                    .rb = 0.0480 * h,
                                    .thin = b->right,
                                    .flat = 0.86,
                                    .bone = bone});
    implicit_add(&b->shape, &(Blob){.a = mannequin_at(b, skull, 0.022 * h, -0.012 * h, 0),
                                    .ra = 0.0400 * h,
                                    .rb = 0.0255 * h,
                                    .b = mannequin_at(b, skull, 0.029 * h, -0.052 * h, 0),
                                    .thin = b->right,
                                    .flat = 0.92,
                                    .bone = bone});
    implicit_add_group(&b->shape, (BlobGroup){0, 0, 0.012 * h}); /* the nose shows the direction of the face */
    mannequin_cone(b, bone, mannequin_at(b, skull, 0.054 * h, -0.010 * h, 0), 0.003 * h,
                   mannequin_at(b, skull, 0.061 * h, -0.026 * h, 0), 0.0055 * h);
    return mannequin_finish_part(b, head_cell * h, err);
}

/* --- feet --- */

typedef struct Foot {
    Vec3 ankle, ball, tip, heel; /* m; all but the ankle at sole height */
    Vec3 across;
    int bone, toe_bone;
} Foot;

static Vec3 at_height(const MannequinBuild *b, Vec3 p, double height)
{
    return vec3_mad(p, height - vec3_dot(p, b->up), b->up);
}

/* Horizontal direction of the foot: to the toe joint, otherwise to the end site, otherwise forward. */
static Vec3 direction_of_foot(const MannequinBuild *b, int ankle, int toe)
{
    const Skeleton *s = b->skeleton;
    Vec3 along = toe >= 0 ? vec3_sub(b->position[toe], b->position[ankle]) : vec3(0, 0, 0);
    for (int e = 0; e < s->end_count && toe < 0; e++)
        if (s->end_parent[e] == ankle)
            along = quat_rotate(b->orientation[ankle], s->end_offset[e]);
    along = vec3_mad(along, -vec3_dot(along, b->up), b->up);
    return vec3_norm(along) > 0.02 * b->stature && vec3_dot(along, b->front) > 0 ? vec3_normalize(along) : b->front;
}

/* Depth of the sole below the ankle, m: ankle heights vary among files, but toes are on the ground. */
static double ankle_height(const MannequinBuild *b, int ankle, int toe)
{
    double h = b->stature;
    double drop = toe < 0 ? 0 : vec3_dot(vec3_sub(b->position[ankle], b->position[toe]), b->up) + TOE_JOINT * h;
    return fmin(fmax(drop, LOWEST_ANKLE * h), TALLEST_ANKLE * h);
}

static int find_foot(const MannequinBuild *b, int side, Foot *foot)
{
    static const Role roles[2][2] = {{ROLE_LEFT_ANKLE, ROLE_LEFT_TOE}, {ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};
    int ankle = b->joint[roles[side][0]], toe = b->joint[roles[side][1]];
    if (ankle < 0)
        return 0;
    double h = b->stature;
    Vec3 along = direction_of_foot(b, ankle, toe);
    Vec3 low = vec3_mad(b->position[ankle], -ankle_height(b, ankle, toe), b->up);
    double length = toe < 0 ? BALL * h : vec3_dot(vec3_sub(b->position[toe], b->position[ankle]), along);
    length = fmin(fmax(length, 0.055 * h), 0.1 * h);
    foot->ankle = b->position[ankle];
    foot->heel = vec3_mad(low, -HEEL * h, along);
    foot->ball = vec3_mad(low, length, along);
    foot->tip = vec3_mad(low, length + TOES * h, along);
    foot->across = vec3_cross(along, b->up);
    foot->bone = b->bone_of[ankle];
    foot->toe_bone = toe < 0 ? foot->bone : b->bone_of[toe];
    return 1;
}

static Status add_foot(MannequinBuild *b, const Foot *f, Error *err)
{
    double h = b->stature, sole = vec3_dot(f->ball, b->up);
    Vec3 from_hips = vec3_sub(f->ankle, b->position[b->joint[ROLE_HIPS]]);
    int inward = vec3_dot(f->across, b->right) * vec3_dot(from_hips, b->right) > 0 ? -1 : 1;
    implicit_clear(&b->shape);
    implicit_add_group(&b->shape, (BlobGroup){-1, 0.014 * h, 0});
    Vec3 heel_at = at_height(b, vec3_mad(f->heel, 0.018 * h, vec3_normalize(vec3_sub(f->ball, f->heel))),
                             sole + 0.018 * h);
    mannequin_cone(b, f->bone, f->ankle, 0.0198 * h, heel_at, 0.0205 * h);
    mannequin_cone(b, f->bone, vec3_mad(f->ankle, -0.004 * h, b->up), 0.0200 * h,
                   at_height(b, f->ball, sole + 0.014 * h), 0.0155 * h);
    for (int i = -1; i <= 1; i += 2) { /* both edges of the forefoot; the inner one is longer */
        double side = i * 0.0125 * h, more = i == inward ? 1 : 0.82;
        Vec3 ball = vec3_mad(at_height(b, f->ball, sole + 0.0115 * h), side, f->across);
        Vec3 tip = vec3_mad(at_height(b, vec3_lerp(f->ball, f->tip, more), sole + 0.008 * h),
                            0.75 * side, f->across);
        Vec3 heel = vec3_mad(at_height(b, f->heel, sole + 0.012 * h), 0.3 * side, f->across);
        heel = vec3_lerp(heel, ball, 0.3);
        mannequin_cone(b, f->bone, heel, 0.013 * h, ball, 0.0145 * h);
        mannequin_cone(b, f->toe_bone, ball, 0.0135 * h, vec3_mad(tip, -0.25, vec3_sub(tip, ball)), 0.0095 * h);
    }
    b->shape.floor_normal = b->up;
    b->shape.floor = sole;
    return mannequin_finish_part(b, foot_cell * h, err);
}

Status human_ends(MannequinBuild *b, Error *err)
{
    Foot foot;
    Status status = add_head(b, err);
    for (int side = 0; side < 2 && !status; side++) {
        if (find_foot(b, side, &foot))
            status = add_foot(b, &foot, err);
        if (!status)
            status = human_hand(b, side ? ROLE_RIGHT_ELBOW : ROLE_LEFT_ELBOW, side ? ROLE_RIGHT_WRIST : ROLE_LEFT_WRIST,
                                err);
    }
    return status;
}

/* A hand: the palm, and fingers as tubes if the skeleton has them, otherwise a mitten with a thumb. Numbers are
 * fractions of stature. */

#define PALM 0.058
#define FINGERS 4 /* least number of bone chains below a wrist to build separate fingers */
enum { SIDES = 6, MOST_CHAINS = 8, MOST_LINKS = 6 };

static const double hand_cell = 0.0072;

typedef struct Hand {
    int wrist;
    Vec3 position, along, thumb, back;  /* m; unit vectors to fingers, to thumb, out of the back */
    int chain[MOST_CHAINS][MOST_LINKS]; /* joints of each finger, proximal first */
    int links[MOST_CHAINS], chain_count;
} Hand;

/* Position of a joint's end site, m; of the joint if it has none. */
static Vec3 end_of(const MannequinBuild *b, int joint)
{
    const Skeleton *s = b->skeleton;
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint)
            return vec3_add(b->position[joint], quat_rotate(b->orientation[joint], s->end_offset[e]));
    return b->position[joint];
}

static int child_of(const Skeleton *s, int joint, int nth)
{
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint && nth-- == 0)
            return j;
    return -1;
}

/* Lists a finger for every leaf below the wrist; it begins after the last branching or at the wrist's child. */
static void find_fingers(const MannequinBuild *b, Hand *hand)
{
    const Skeleton *s = b->skeleton;
    for (int leaf = hand->wrist + 1; leaf < s->joint_count && hand->chain_count < MOST_CHAINS; leaf++) {
        int first = leaf, links = 1;
        if (!skeleton_is_below(s, leaf, hand->wrist) || child_of(s, leaf, 0) >= 0)
            continue;
        while (s->parent[first] != hand->wrist && child_of(s, s->parent[first], 1) < 0)
            first = s->parent[first], links++;
        if (links > MOST_LINKS || vec3_distance(b->position[first], end_of(b, leaf)) < 0.012 * b->stature)
            continue;
        int *chain = hand->chain[hand->chain_count];
        hand->links[hand->chain_count++] = links;
        for (int joint = leaf; links > 0; joint = s->parent[joint])
            chain[--links] = joint;
    }
}

/* Sets the axes of the hand. Palms face the thighs when the arm hangs; the skin's pose raises the arm sideways, so they
 * face down. */
static void find_axes(const MannequinBuild *b, Hand *hand, Vec3 forearm)
{
    Vec3 sum = {0, 0, 0}, bases = {0, 0, 0};
    for (int i = 0; i < hand->chain_count; i++) {
        bases = vec3_mad(bases, 1.0 / hand->chain_count, b->position[hand->chain[i][0]]);
        sum = vec3_add(sum, vec3_sub(end_of(b, hand->chain[i][hand->links[i] - 1]), hand->position));
    }
    Vec3 tip = vec3_sub(end_of(b, hand->wrist), hand->position);
    hand->along = vec3_normalize(hand->chain_count ? sum : tip);
    if (!(vec3_dot(hand->along, forearm) > 0.5))
        hand->along = forearm;
    hand->thumb = b->front;
    if (hand->chain_count >= FINGERS) { /* across the knuckles: the largest offset among the fingers' roots */
        Vec3 widest = {0, 0, 0};
        for (int i = 0; i < hand->chain_count; i++) {
            Vec3 off = vec3_sub(b->position[hand->chain[i][0]], bases);
            off = vec3_mad(off, -vec3_dot(off, hand->along), hand->along);
            widest = vec3_norm(off) > vec3_norm(widest) ? off : widest;
        }
        if (vec3_norm(widest) > 0.008 * b->stature)
            hand->thumb = vec3_dot(widest, b->front) < 0 ? vec3_neg(widest) : widest;
    }
    hand->thumb = vec3_normalize(vec3_mad(hand->thumb, -vec3_dot(hand->thumb, hand->along), hand->along));
    hand->back = vec3_cross(hand->along, hand->thumb);
    if (vec3_dot(hand->back, b->up) < 0)
        hand->back = vec3_neg(hand->back);
}

static Vec3 on_hand(const Hand *hand, double h, double on, double thumb, double back)
{
    Vec3 along = vec3_mad(hand->position, on * h, hand->along);
    return vec3_mad(vec3_mad(along, thumb * h, hand->thumb), back * h, hand->back);
}

static void add_flat(MannequinBuild *b, const Hand *hand, const double at[4], double flat)
{
    double h = b->stature;
    implicit_add(&b->shape, &(Blob){.a = on_hand(hand, h, at[0], 0, 0),
                                    .ra = at[1] * h,
                                    .b = on_hand(hand, h, at[2], 0, at[2] > PALM ? -0.004 : 0),
                                    .rb = at[3] * h,
                                    .thin = hand->back,
                                    .flat = flat,
                                    .bone = b->bone_of[hand->wrist]});
}

/* Adds the palm, or a mitten with a thumb if the fingers are not separate. */
static Status add_palm(MannequinBuild *b, const Hand *hand, double length, Error *err)
{
    double h = b->stature;
    int bone = b->bone_of[hand->wrist], is_mitten = hand->chain_count < FINGERS;
    implicit_clear(&b->shape);
    implicit_add_group(&b->shape, (BlobGroup){-1, 0.009 * h, 0});
    mannequin_cone(b, bone, on_hand(hand, h, -0.012, 0, 0), 0.0135 * h, on_hand(hand, h, 0.01, 0, 0), 0.0130 * h);
    add_flat(b, hand, (double[]){0.016, 0.0185, length - 0.012, 0.0225}, 0.5);
    if (is_mitten) {
        add_flat(b, hand, (double[]){length - 0.006, 0.0205, length + 0.034, 0.0135}, 0.42);
        mannequin_cone(b, bone, on_hand(hand, h, 0.018, 0.013, -0.002), 0.0095 * h,
                       on_hand(hand, h, 0.048, 0.030, -0.006), 0.0075 * h);
        mannequin_cone(b, bone, on_hand(hand, h, 0.048, 0.030, -0.006), 0.0075 * h,
                       on_hand(hand, h, 0.064, 0.034, -0.008), 0.0055 * h);
    }
    return mannequin_finish_part(b, hand_cell * h, err);
}

/* --- fingers --- */

static int ring(MannequinBuild *b, Vec3 centre, Vec3 along, Vec3 aside, double radius)
{
    static const double cosine_sine[SIDES][2] = {{1, 0},  {0.5, 0.8660254037844386},   {-0.5, 0.8660254037844386},
                                                 {-1, 0}, {-0.5, -0.8660254037844386}, {0.5, -0.8660254037844386}};
    Vec3 u = vec3_normalize(vec3_mad(aside, -vec3_dot(aside, along), along)), v = vec3_cross(along, u);
    int first = b->surface.vertex_count;
    for (int i = 0; i < SIDES; i++)
        surface_add_vertex(&b->surface,
                           vec3_mad(vec3_mad(centre, radius * cosine_sine[i][0], u), radius * cosine_sine[i][1], v));
    return first;
}

static void join(MannequinBuild *b, int below, int above)
{
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        surface_add_face(&b->surface, below + i, below + k, above + k);
        surface_add_face(&b->surface, below + i, above + k, above + i);
    }
}

static void cap(MannequinBuild *b, int of, Vec3 tip, int is_last)
{
    int point = surface_add_vertex(&b->surface, tip);
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        surface_add_face(&b->surface, point, of + (is_last ? i : k), of + (is_last ? k : i));
    }
}

/* Adds a tapered tube from inside the palm along the joints of a finger, one ring per joint. */
static Status add_finger(MannequinBuild *b, const Hand *hand, int finger, Error *err)
{
    const int *chain = hand->chain[finger];
    int links = hand->links[finger], below, bone = b->bone_of[hand->wrist];
    double thick = 0.0068 * b->stature;
    Vec3 tip = end_of(b, chain[links - 1]), before = hand->position;
    Vec3 root = vec3_sub(b->position[chain[0]], hand->position);
    Vec3 start = vec3_mad(hand->position, 0.5, root);
    for (int i = 0; i < links; i++)
        mannequin_bone(b, chain[i], vec3_sub(i + 1 < links ? b->position[chain[i + 1]] : tip, b->position[chain[i]]),
                    thick);
    below = ring(b, start, vec3_normalize(root), hand->back, 0.9 * thick);
    cap(b, below, vec3_mad(start, -0.2, root), 0);
    Status status = mannequin_bind(b, bone, err);
    for (int i = 0; i <= links && !status; i++) {
        Vec3 at = i < links ? b->position[chain[i]] : tip, next = i + 1 < links ? b->position[chain[i + 1]] : tip;
        Vec3 along = vec3_normalize(vec3_sub(next, before));
        int own = ring(b, i < links ? at : vec3_mad(at, -0.6 * thick, along), along, hand->back,
                       thick * (i < links ? 1 - 0.09 * i : 0.62));
        join(b, below, own);
        below = own;
        before = at;
        status = mannequin_bind(b, b->bone_of[chain[i < links ? i : links - 1]], err);
    }
    cap(b, below, vec3_mad(tip, 0.1 * thick, hand->along), 1);
    return status ? status : mannequin_bind(b, b->bone_of[chain[links - 1]], err);
}

Status human_hand(MannequinBuild *b, Role elbow, Role wrist, Error *err)
{
    int from = b->joint[elbow];
    Hand hand = {.wrist = b->joint[wrist]};
    if (hand.wrist < 0 || from < 0)
        return STATUS_OK;
    double h = b->stature, length = PALM * h;
    hand.position = b->position[hand.wrist];
    find_fingers(b, &hand);
    find_axes(b, &hand, vec3_normalize(vec3_sub(hand.position, b->position[from])));
    if (hand.chain_count >= FINGERS) {
        length = 0;
        for (int i = 0; i < hand.chain_count; i++)
            length = fmax(length, vec3_dot(vec3_sub(b->position[hand.chain[i][0]], hand.position), hand.along));
        length = fmin(fmax(length, 0.04 * h), 0.075 * h);
    }
    Status status = add_palm(b, &hand, length / h, err);
    for (int i = 0; i < hand.chain_count && hand.chain_count >= FINGERS && !status; i++)
        status = add_finger(b, &hand, i, err);
    return status;
}

#define CELL 0.0172    /* fraction of stature */
#define DENSITY 1050.0 /* kg/m3, of limbs */
#define TRUNK_BLEND 0.03
#define LIMB_BLEND 0.024
#define MUSCLE_BLEND 0.010

/* --- bones --- */

/* Adds bones for the joints from the hips to the head. */
static void add_trunk_bones(MannequinBuild *b)
{
    static const Role tops[] = {ROLE_HEAD, ROLE_NECK, ROLE_CHEST, ROLE_SPINE};
    int top = b->joint[ROLE_HIPS], hips = top;
    for (size_t i = 0; i < sizeof tops / sizeof *tops && top == hips; i++)
        if (b->joint[tops[i]] >= 0)
            top = b->joint[tops[i]];
    for (int j = hips; j <= top; j++) {
        int below = top; /* whether j is on the chain: walk down from the top to it */
        while (below > j)
            below = b->skeleton->parent[below];
        if (below == j)
            b->bone[mannequin_bone(b, j, b->up, 0.05 * b->stature)].is_trunk = 1;
    }
}

/* Bones of a limb: role, role of the next joint, and bend radius as a fraction of stature. */
static const struct {
    Role role, to;
    double radius;
} limb_bones[] = {
    {ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER, 0.05},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, 0.034},
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, 0.024},
    {ROLE_LEFT_WRIST, ROLE_NONE, 0.015},
    {ROLE_RIGHT_CLAVICLE, ROLE_RIGHT_SHOULDER, 0.05},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, 0.034},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, 0.024},
    {ROLE_RIGHT_WRIST, ROLE_NONE, 0.015},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, 0.055},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, 0.036},
    {ROLE_LEFT_ANKLE, ROLE_NONE, 0.02},
    {ROLE_LEFT_TOE, ROLE_NONE, 0.012},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, 0.055},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, 0.036},
    {ROLE_RIGHT_ANKLE, ROLE_NONE, 0.02},
    {ROLE_RIGHT_TOE, ROLE_NONE, 0.012},
};

/* Vector along a joint's bone, m: to the joint of a role, otherwise to the children and end sites, otherwise in the
 * direction of the parent's bone. */
static Vec3 bone_toward(const MannequinBuild *b, int joint, Role to)
{
    const Skeleton *s = b->skeleton;
    if (to && b->joint[to] >= 0)
        return vec3_sub(b->position[b->joint[to]], b->position[joint]);
    Vec3 sum = {0, 0, 0};
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint)
            sum = vec3_add(sum, vec3_sub(b->position[j], b->position[joint]));
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint)
            sum = vec3_add(sum, quat_rotate(b->orientation[joint], s->end_offset[e]));
    if (vec3_norm(sum) > 0.005 * b->stature || s->parent[joint] < 0)
        return sum;
    return vec3_sub(b->position[joint], b->position[s->parent[joint]]);
}

static void add_limb_bones(MannequinBuild *b)
{
    for (size_t i = 0; i < sizeof limb_bones / sizeof *limb_bones; i++) {
        int joint = b->joint[limb_bones[i].role];
        if (joint < 0)
            continue;
        Vec3 along = bone_toward(b, joint, limb_bones[i].to);
        int bone = mannequin_bone(b, joint, along, limb_bones[i].radius * b->stature);
        if (limb_bones[i].role == ROLE_LEFT_CLAVICLE || limb_bones[i].role == ROLE_RIGHT_CLAVICLE)
            /* the moving part begins beside the neck */
            b->bone[bone].centre = vec3_mad(b->position[joint], 0.3, along);
    }
}

/* --- the trunk --- */

/* Capsules across the trunk, from the middle of the hip joints (0) to that of the shoulders (1) and beyond. */
static const struct {
    double height, front, half, radius, flat; /* height: fraction of that distance; the others: fractions of stature */
} trunk[] = {
    {-0.02, -0.004, 0.040, 0.056, 1.00},                                    /* buttocks and hips */
    {0.16, 0.002, 0.034, 0.053, 0.94},   {0.38, 0.004, 0.028, 0.049, 0.92}, /* waist */
    {0.60, 0.002, 0.032, 0.055, 0.98},                                      /* lower ribs */
    {0.80, 0.001, 0.038, 0.058, 0.98},                                      /* chest */
    {0.93, -0.006, 0.046, 0.040, 0.95},
};

/* Single spheres, mirrored: chest muscles, buttocks, shoulder blades. */
static const struct {
    double height, front, side, radius;
} masses[] = {{0.82, 0.030, 0.042, 0.034}, {-0.06, -0.034, 0.040, 0.047}, {0.80, -0.034, 0.044, 0.030}};

typedef struct TrunkLine {
    Vec3 low, along; /* m: middle of the hip joints, and the vector from there to the middle of the shoulders */
    double wide;     /* shoulder width over that of an average body of this stature */
} TrunkLine;

static Vec3 middle(const MannequinBuild *b, Role left, Role right, Vec3 otherwise)
{
    int l = b->joint[left], r = b->joint[right];
    return l < 0 || r < 0 ? otherwise : vec3_scale(vec3_add(b->position[l], b->position[r]), 0.5);
}

static TrunkLine trunk_line(const MannequinBuild *b)
{
    TrunkLine t = {.low = middle(b, ROLE_LEFT_HIP, ROLE_RIGHT_HIP, b->position[b->joint[ROLE_HIPS]])};
    Vec3 high = middle(b, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER, mannequin_at(b, t.low, 0, 0.29 * b->stature, 0));
    int l = b->joint[ROLE_LEFT_SHOULDER], r = b->joint[ROLE_RIGHT_SHOULDER];
    t.along = vec3_sub(high, t.low);
    double apart = l < 0 || r < 0 ? 0 : fabs(vec3_dot(vec3_sub(b->position[l], b->position[r]), b->right));
    t.wide = fmin(fmax(apart / (0.21 * b->stature), 0.85), 1.2);
    return t;
}

/* The trunk bone at the height of p. */
static int trunk_bone(const MannequinBuild *b, Vec3 p)
{
    int best = 0;
    for (int i = 0; i < b->bone_count; i++)
        if (b->bone[i].is_trunk && vec3_dot(vec3_sub(p, b->bone[i].centre), b->up) >= 0)
            best = i;
    return best;
}

static void add_trunk(MannequinBuild *b, const TrunkLine *t)
{
    double h = b->stature, g = b->girth;
    implicit_add_group(&b->shape, (BlobGroup){-1, TRUNK_BLEND * h, 0});
    for (size_t i = 0; i < sizeof trunk / sizeof *trunk; i++) {
        double half = trunk[i].half * h * g * (trunk[i].height > 0.5 ? t->wide : 1), r = trunk[i].radius * h * g;
        Vec3 at = mannequin_at(b, vec3_mad(t->low, trunk[i].height, t->along), trunk[i].front * h, 0, 0);
        Blob blob = {.a = mannequin_at(b, at, 0, 0, -half),
                     .b = mannequin_at(b, at, 0, 0, half),
                     .ra = r,
                     .rb = r,
                     .thin = b->front,
                     .flat = trunk[i].flat,
                     .bone = trunk_bone(b, at)};
        implicit_add(&b->shape, &blob);
    }
    for (size_t i = 0; i < 2 * (sizeof masses / sizeof *masses); i++) {
        double side = (i % 2 ? 1 : -1) * masses[i / 2].side * h, r = masses[i / 2].radius * h * g;
        Vec3 at = mannequin_at(b, vec3_mad(t->low, masses[i / 2].height, t->along), masses[i / 2].front * h * g, 0,
                               side);
        mannequin_cone(b, trunk_bone(b, at), at, r, at, r);
    }
}

/* Adds the neck up to the skull, and from its sides to the shoulders. */
static void add_neck(MannequinBuild *b, const TrunkLine *t)
{
    double h = b->stature, r = 0.0315 * h * sqrt(b->girth);
    Vec3 high = vec3_add(t->low, t->along), base = mannequin_at(b, high, -0.014 * h, 0.015 * h, 0);
    if (human_head(b) < 0)
        return;
    Vec3 top = mannequin_at(b, human_skull(b), -0.014 * h, -0.03 * h, 0);
    mannequin_cone(b, trunk_bone(b, base), base, 1.1 * r, top, r);
    static const Role shoulders[2][2] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_CLAVICLE},
                                         {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_CLAVICLE}};
    for (int side = 0; side < 2; side++) {
        int joint = b->joint[shoulders[side][0]], clavicle = mannequin_role_bone(b, shoulders[side][1]);
        if (joint < 0)
            continue;
        Vec3 tip = mannequin_at(b, b->position[joint], 0, 0.006 * h, (side ? -0.012 : 0.012) * h);
        mannequin_cone(b, trunk_bone(b, base),
                       mannequin_at(b, base, -0.004 * h, 0.022 * h, (side ? 0.016 : -0.016) * h), 0.022 * h, tip,
                       0.024 * h);
        mannequin_cone(b, clavicle >= 0 ? clavicle : trunk_bone(b, high), vec3_lerp(high, tip, 0.55),
                    0.036 * h * b->girth, tip, 0.033 * h * b->girth);
    }
}

/* --- limbs --- */

/* A limb segment: its mean radius as a fraction of stature if masses are unknown, and cones along it with radii
 * relative to the mean. */
typedef struct LimbProfile {
    double mean;
    struct {
        double from, to, start, end, back; /* fractions of the length; fractions of the mean radius */
    } cone[3];
} LimbProfile;

static const LimbProfile thigh = {
    0.0475, {{-0.02, 0.45, 1.22, 1.08, 0.0}, {0.45, 1, 1.08, 0.70, -0.06}, {0.97, 1, 0.62, 0.6, -0.16}}};
static const LimbProfile shank = {
    0.0265, {{0, 0.32, 1.20, 1.28, 0.22}, {0.32, 0.72, 1.22, 0.80, 0.1}, {0.7, 1, 0.82, 0.72, 0}}};
static const LimbProfile upper_arm = {0.0255,
                                      {{0, 0.3, 1.36, 1.18, 0}, {0.3, 0.75, 1.15, 0.96, 0}, {0.75, 1, 0.94, 0.88, 0}}};
static const LimbProfile forearm = {0.0205,
                                    {{0, 0.28, 1.04, 1.16, 0}, {0.28, 0.7, 1.16, 0.86, 0}, {0.7, 1, 0.86, 0.70, 0}}};

static const struct {
    Role role, to;
    const LimbProfile *profile;
    int continues; /* 1: in the group of the segment before */
} limbs[] = {
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, &upper_arm, 0},
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, &forearm, 1},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, &upper_arm, 0},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, &forearm, 1},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, &thigh, 0},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, &shank, 1},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, &thigh, 0},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, &shank, 1},
};

/* Radius, m, of a cylinder with the segment's mass and length, limited to 0.7 to 1.4 of the usual radius at that
 * girth. */
static double mean_radius(const MannequinBuild *b, Role role, double length, double usual)
{
    double mass = 0, expected = usual * b->stature * b->girth;
    for (int j = 0; j < b->skeleton->joint_count && b->mass; j++)
        if (b->skeleton->segment[j] == role)
            mass += b->mass[j];
    double r = sqrt(mass / (3.14159265358979 * DENSITY * length));
    return mass > 0 && length > 0 ? fmin(fmax(r, 0.7 * expected), 1.4 * expected) : expected;
}

static void add_limb(MannequinBuild *b, Role role, Role to, const LimbProfile *profile)
{
    int joint = b->joint[role], bone = mannequin_role_bone(b, role);
    if (joint < 0)
        return;
    Vec3 along = bone_toward(b, joint, to);
    double length = vec3_norm(along), r = mean_radius(b, role, length, profile->mean);
    for (int i = 0; i < 3 && length > 0; i++) {
        double back = profile->cone[i].back * r;
        Vec3 from = mannequin_at(b, vec3_mad(b->position[joint], profile->cone[i].from, along), -back, 0, 0);
        Vec3 end = mannequin_at(b, vec3_mad(b->position[joint], profile->cone[i].to, along), -back, 0, 0);
        mannequin_cone(b, bone, from, profile->cone[i].start * r, end, profile->cone[i].end * r);
    }
}

Status human_body(MannequinBuild *b, Error *err)
{
    TrunkLine line = trunk_line(b);
    add_trunk_bones(b);
    add_limb_bones(b);
    implicit_clear(&b->shape);
    add_trunk(b, &line);
    add_neck(b, &line);
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
        if (!limbs[i].continues)
            implicit_add_group(&b->shape, (BlobGroup){0, MUSCLE_BLEND * b->stature, LIMB_BLEND * b->stature});
        add_limb(b, limbs[i].role, limbs[i].to, limbs[i].profile);
    }
    return mannequin_finish_part(b, CELL * b->stature, err);
}

/* A creature: tapered capsules along the bones of any tree, blended joint by joint. */

#define VERTICES 2600.0   /* approximate number of vertices */
#define THINNEST 0.55     /* fraction of a cell: a thinner limb would break up */

typedef struct CreatureBone {
    int joint;     /* the joint it moves with */
    Vec3 along;    /* m, in the pose */
    double beyond; /* m, length of the longest chain after it */
    int next;      /* joint where it ends; -1: an end site */
} CreatureBone;

typedef struct Creature {
    MannequinBuild *build;
    CreatureBone *bone; /* [count] ordered by joint */
    int count;
    double *reach; /* [joint] m */
    double cell;
    int *group; /* [joint] group of the bone that leads to it; -1: none */
} Creature;

/* Whether a joint is an ancestor of the hips, such as a root on the ground, which gets no skin. */
static int is_pole(const MannequinBuild *b, int joint)
{
    int below = b->joint[ROLE_HIPS];
    while (below > joint)
        below = b->skeleton->parent[below];
    return below == joint && joint < b->joint[ROLE_HIPS];
}

static void list_bones(Creature *c)
{
    MannequinBuild *b = c->build;
    const Skeleton *s = b->skeleton;
    for (int j = 0; j < s->joint_count; j++) {
        if (is_pole(b, j))
            continue;
        for (int k = j + 1; k < s->joint_count; k++)
            if (s->parent[k] == j && vec3_norm(s->offset[k]) > 0)
                c->bone[c->count++] = (CreatureBone){j, vec3_sub(b->position[k], b->position[j]), c->reach[k], k};
        for (int e = 0; e < s->end_count; e++)
            if (s->end_parent[e] == j && vec3_norm(s->end_offset[e]) > 0)
                c->bone[c->count++] = (CreatureBone){j, quat_rotate(b->orientation[j], s->end_offset[e]), 0, -1};
    }
}

static double start_radius(const Creature *c, const CreatureBone *bone)
{
    return capsule_radius(vec3_norm(bone->along) + bone->beyond, c->reach[0]);
}

static double end_radius(const Creature *c, const CreatureBone *bone)
{
    return capsule_radius(fmax(bone->beyond, 0.35 * vec3_norm(bone->along)), c->reach[0]);
}

static double area(const Creature *c)
{
    double sum = 0;
    for (int i = 0; i < c->count; i++)
        sum += 3.14159265358979 * vec3_norm(c->bone[i].along) *
               (start_radius(c, &c->bone[i]) + end_radius(c, &c->bone[i]));
    return sum;
}

static void add_bone(Creature *c, const CreatureBone *bone)
{
    MannequinBuild *b = c->build;
    double thin = THINNEST * c->cell, start = fmax(start_radius(c, bone), thin), end = fmax(end_radius(c, bone), thin);
    if (b->bone_of[bone->joint] < 0)
        mannequin_bone(b, bone->joint, bone->along, start);
    int group = implicit_add_group(&b->shape, (BlobGroup){c->group[bone->joint], 0, 0.4 * start});
    mannequin_cone(b, b->bone_of[bone->joint], b->position[bone->joint], start,
                   vec3_add(b->position[bone->joint], bone->along), end);
    if (bone->next >= 0)
        c->group[bone->next] = group;
    else if (c->group[bone->joint] < 0)
        c->group[bone->joint] = group;
}

Status creature_body(MannequinBuild *b, Error *err)
{
    const Skeleton *s = b->skeleton;
    size_t joints = (size_t)s->joint_count, bones = joints + (size_t)s->end_count;
    Creature c = {.build = b,
                  .bone = arena_array(&b->arena, bones, 1, sizeof *c.bone),
                  .reach = arena_array(&b->arena, joints, 1, sizeof *c.reach),
                  .group = arena_array(&b->arena, joints, 1, sizeof *c.group)};
    if (b->arena.failed)
        return error_no_memory(err);
    skeleton_reach(s, c.reach);
    for (size_t j = 0; j < joints; j++)
        c.group[j] = -1;
    list_bones(&c);
    c.cell = sqrt(area(&c) / VERTICES);
    implicit_clear(&b->shape);
    for (int i = 0; i < c.count && b->shape.group_count < IMPLICIT_GROUPS; i++)
        add_bone(&c, &c.bone[i]);
    return mannequin_finish_part(b, c.cell, err);
}
