/* Head, feet and hands of a human: parts with finer cells than the body. Numbers are fractions of stature. */
#include "analysis/mannequin/human_body.h"

#define PALM 0.058
#define FINGERS 4 /* least number of bone chains below a wrist to build separate fingers */
#define CROWN 0.182 /* vertex of the head above the shoulder joints */
#define LOWEST_ANKLE 0.039 /* least height of the ankle joint above the sole */
#define TALLEST_ANKLE 0.085 /* greatest height, whatever the file has */
#define TOE_JOINT 0.008 /* least height of the toe joint above the sole */
#define HEEL 0.032  /* behind the ankle joint */
#define BALL 0.075  /* before the ankle joint, if there is no toe joint */
#define TOES 0.040  /* from ball to tip */

static const double head_cell = 0.0105, foot_cell = 0.0105;

/* ---- head ---- */

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

/* ---- feet ---- */

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

/* A hand: the palm, and fingers as tubes if the skeleton has them, otherwise a mitten with a thumb. */
enum { SIDES = 6, MAX_CHAINS = 8, MAX_LINKS = 6 };

static const double hand_cell = 0.0072;

typedef struct Hand {
    int wrist;
    Vec3 position, along, thumb, back;  /* m; unit vectors to fingers, to thumb, out of the back */
    int chain[MAX_CHAINS][MAX_LINKS];   /* joints of each finger, proximal first */
    int links[MAX_CHAINS], chain_count;
} Hand;

/* Position of a joint's end site, m; of the joint if it has none. */
static Vec3 bone_end(const MannequinBuild *b, int joint)
{
    const Skeleton *s = b->skeleton;
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint)
            return vec3_add(b->position[joint], quat_rotate(b->orientation[joint], s->end_offset[e]));
    return b->position[joint];
}

static int nth_child(const Skeleton *s, int joint, int nth)
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
    for (int leaf = hand->wrist + 1; leaf < s->joint_count && hand->chain_count < MAX_CHAINS; leaf++) {
        int first = leaf, links = 1;
        if (!skeleton_is_below(s, leaf, hand->wrist) || nth_child(s, leaf, 0) >= 0)
            continue;
        while (s->parent[first] != hand->wrist && nth_child(s, s->parent[first], 1) < 0)
            first = s->parent[first], links++;
        if (links > MAX_LINKS || vec3_distance(b->position[first], bone_end(b, leaf)) < 0.012 * b->stature)
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
        sum = vec3_add(sum, vec3_sub(bone_end(b, hand->chain[i][hand->links[i] - 1]), hand->position));
    }
    Vec3 tip = vec3_sub(bone_end(b, hand->wrist), hand->position);
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

/* ---- fingers ---- */

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
    Vec3 tip = bone_end(b, chain[links - 1]), before = hand->position;
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

static Status add_hand(MannequinBuild *b, Role elbow, Role wrist, Error *err)
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

Status human_ends(MannequinBuild *b, Error *err)
{
    Foot foot;
    Status status = add_head(b, err);
    for (int side = 0; side < 2 && !status; side++) {
        if (find_foot(b, side, &foot))
            status = add_foot(b, &foot, err);
        if (!status)
            status = add_hand(b, side ? ROLE_RIGHT_ELBOW : ROLE_LEFT_ELBOW, side ? ROLE_RIGHT_WRIST : ROLE_LEFT_WRIST,
                              err);
    }
    return status;
}
