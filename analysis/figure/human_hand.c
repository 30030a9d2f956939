/* A hand: the palm, and fingers as tubes where the skeleton has them, else a mitten with a thumb. Numbers are parts of
 * stature. */
#include "analysis/figure/figure_build.h"

#define PALM 0.058
#define FINGERS 4 /* chains of bones below a wrist that make fingers of their own */
enum { SIDES = 6, MOST_CHAINS = 8, MOST_LINKS = 6 };

static const double hand_cell = 0.0072;

typedef struct Hand {
    int wrist;
    Vec3 place, way, thumb, back;       /* m; unit: to the fingers, to the side of the thumb, off the back */
    int chain[MOST_CHAINS][MOST_LINKS]; /* joints of each finger, from the palm out */
    int links[MOST_CHAINS], chain_count;
} Hand;

static int is_below(const Skeleton *s, int joint, int above)
{
    while (joint > above)
        joint = s->parent[joint];
    return joint == above;
}

/* Where a joint's last bone ends: at its end site. */
static Vec3 end_of(const FigureBuild *b, int joint)
{
    const Skeleton *s = b->skeleton;
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint)
            return vec3_add(b->place[joint], quat_rotate(b->turn[joint], s->end_offset[e]));
    return b->place[joint];
}

static int child_of(const Skeleton *s, int joint, int nth)
{
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint && nth-- == 0)
            return j;
    return -1;
}

/* Every leaf below the wrist ends a finger, which begins behind the last branching or at the wrist's child. */
static void find_fingers(const FigureBuild *b, Hand *hand)
{
    const Skeleton *s = b->skeleton;
    for (int leaf = hand->wrist + 1; leaf < s->joint_count && hand->chain_count < MOST_CHAINS; leaf++) {
        int first = leaf, links = 1;
        if (!is_below(s, leaf, hand->wrist) || child_of(s, leaf, 0) >= 0)
            continue;
        while (s->parent[first] != hand->wrist && child_of(s, s->parent[first], 1) < 0)
            first = s->parent[first], links++;
        if (links > MOST_LINKS || vec3_distance(b->place[first], end_of(b, leaf)) < 0.012 * b->stature)
            continue;
        int *chain = hand->chain[hand->chain_count];
        hand->links[hand->chain_count++] = links;
        for (int joint = leaf; links > 0; joint = s->parent[joint])
            chain[--links] = joint;
    }
}

/* Palms face the thighs where the arm hangs; the pose of the skin has lifted it sideways, so that they face down. */
static void find_axes(const FigureBuild *b, Hand *hand, Vec3 forearm)
{
    Vec3 sum = {0, 0, 0}, bases = {0, 0, 0};
    for (int i = 0; i < hand->chain_count; i++) {
        bases = vec3_mad(bases, 1.0 / hand->chain_count, b->place[hand->chain[i][0]]);
        sum = vec3_add(sum, vec3_sub(end_of(b, hand->chain[i][hand->links[i] - 1]), hand->place));
    }
    Vec3 tip = vec3_sub(end_of(b, hand->wrist), hand->place);
    hand->way = vec3_normalize(hand->chain_count ? sum : tip);
    if (!(vec3_dot(hand->way, forearm) > 0.5))
        hand->way = forearm;
    hand->thumb = b->front;
    if (hand->chain_count >= FINGERS) { /* across the knuckles: the widest spread of the fingers' roots */
        Vec3 widest = {0, 0, 0};
        for (int i = 0; i < hand->chain_count; i++) {
            Vec3 off = vec3_sub(b->place[hand->chain[i][0]], bases);
            off = vec3_mad(off, -vec3_dot(off, hand->way), hand->way);
            widest = vec3_norm(off) > vec3_norm(widest) ? off : widest;
        }
        if (vec3_norm(widest) > 0.008 * b->stature)
            hand->thumb = vec3_dot(widest, b->front) < 0 ? vec3_neg(widest) : widest;
    }
    hand->thumb = vec3_normalize(vec3_mad(hand->thumb, -vec3_dot(hand->thumb, hand->way), hand->way));
    hand->back = vec3_cross(hand->way, hand->thumb);
    if (vec3_dot(hand->back, b->up) < 0)
        hand->back = vec3_neg(hand->back);
}

static Vec3 on_hand(const Hand *hand, double h, double on, double thumb, double back)
{
    return vec3_mad(vec3_mad(vec3_mad(hand->place, on * h, hand->way), thumb * h, hand->thumb), back * h, hand->back);
}

static void add_flat(FigureBuild *b, const Hand *hand, const double at[4], double flat)
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

/* The palm; without fingers of their own a mitten with a thumb. */
static Status add_palm(FigureBuild *b, const Hand *hand, double length, Error *err)
{
    double h = b->stature;
    int bone = b->bone_of[hand->wrist], is_mitten = hand->chain_count < FINGERS;
    implicit_clear(&b->shape);
    implicit_add_group(&b->shape, (BlobGroup){-1, 0.009 * h, 0});
    figure_cone(b, bone, on_hand(hand, h, -0.012, 0, 0), 0.0135 * h, on_hand(hand, h, 0.01, 0, 0), 0.0130 * h);
    add_flat(b, hand, (double[]){0.016, 0.0185, length - 0.012, 0.0225}, 0.5);
    if (is_mitten) {
        add_flat(b, hand, (double[]){length - 0.006, 0.0205, length + 0.034, 0.0135}, 0.42);
        figure_cone(b, bone, on_hand(hand, h, 0.018, 0.013, -0.002), 0.0095 * h, on_hand(hand, h, 0.048, 0.030, -0.006),
                    0.0075 * h);
        figure_cone(b, bone, on_hand(hand, h, 0.048, 0.030, -0.006), 0.0075 * h, on_hand(hand, h, 0.064, 0.034, -0.008),
                    0.0055 * h);
    }
    return figure_finish_part(b, hand_cell * h, err);
}

/* --- fingers --- */

static int ring(FigureBuild *b, Vec3 centre, Vec3 along, Vec3 aside, double radius)
{
    static const double turn[SIDES][2] = {{1, 0},  {0.5, 0.8660254037844386},   {-0.5, 0.8660254037844386},
                                          {-1, 0}, {-0.5, -0.8660254037844386}, {0.5, -0.8660254037844386}};
    Vec3 u = vec3_normalize(vec3_mad(aside, -vec3_dot(aside, along), along)), v = vec3_cross(along, u);
    int first = b->surface.vertex_count;
    for (int i = 0; i < SIDES; i++)
        surface_add_vertex(&b->surface, vec3_mad(vec3_mad(centre, radius * turn[i][0], u), radius * turn[i][1], v));
    return first;
}

static void join(FigureBuild *b, int below, int above)
{
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        surface_add_face(&b->surface, below + i, below + k, above + k);
        surface_add_face(&b->surface, below + i, above + k, above + i);
    }
}

static void cap(FigureBuild *b, int of, Vec3 tip, int is_last)
{
    int point = surface_add_vertex(&b->surface, tip);
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        surface_add_face(&b->surface, point, of + (is_last ? i : k), of + (is_last ? k : i));
    }
}

/* A tapered tube from inside the palm along the joints of a finger, a ring a joint. */
static Status add_finger(FigureBuild *b, const Hand *hand, int finger, Error *err)
{
    const int *chain = hand->chain[finger];
    int links = hand->links[finger], below, bone = b->bone_of[hand->wrist];
    double thick = 0.0068 * b->stature;
    Vec3 tip = end_of(b, chain[links - 1]), before = hand->place, root = vec3_sub(b->place[chain[0]], hand->place);
    Vec3 start = vec3_mad(hand->place, 0.5, root);
    for (int i = 0; i < links; i++)
        figure_bone(b, chain[i], vec3_sub(i + 1 < links ? b->place[chain[i + 1]] : tip, b->place[chain[i]]), thick);
    below = ring(b, start, vec3_normalize(root), hand->back, 0.9 * thick);
    cap(b, below, vec3_mad(start, -0.2, root), 0);
    Status status = figure_bind(b, bone, err);
    for (int i = 0; i <= links && !status; i++) {
        Vec3 at = i < links ? b->place[chain[i]] : tip, next = i + 1 < links ? b->place[chain[i + 1]] : tip;
        Vec3 along = vec3_normalize(vec3_sub(next, before));
        int own = ring(b, i < links ? at : vec3_mad(at, -0.6 * thick, along), along, hand->back,
                       thick * (i < links ? 1 - 0.09 * i : 0.62));
        join(b, below, own);
        below = own;
        before = at;
        status = figure_bind(b, b->bone_of[chain[i < links ? i : links - 1]], err);
    }
    cap(b, below, vec3_mad(tip, 0.1 * thick, hand->way), 1);
    return status ? status : figure_bind(b, b->bone_of[chain[links - 1]], err);
}

Status human_hand(FigureBuild *b, Role elbow, Role wrist, Error *err)
{
    int from = b->joint[elbow];
    Hand hand = {.wrist = b->joint[wrist]};
    if (hand.wrist < 0 || from < 0)
        return STATUS_OK;
    double h = b->stature, length = PALM * h;
    hand.place = b->place[hand.wrist];
    find_fingers(b, &hand);
    find_axes(b, &hand, vec3_normalize(vec3_sub(hand.place, b->place[from])));
    if (hand.chain_count >= FINGERS) {
        length = 0;
        for (int i = 0; i < hand.chain_count; i++)
            length = fmax(length, vec3_dot(vec3_sub(b->place[hand.chain[i][0]], hand.place), hand.way));
        length = fmin(fmax(length, 0.04 * h), 0.075 * h);
    }
    Status status = add_palm(b, &hand, length / h, err);
    for (int i = 0; i < hand.chain_count && hand.chain_count >= FINGERS && !status; i++)
        status = add_finger(b, &hand, i, err);
    return status;
}
