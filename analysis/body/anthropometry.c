/* De Leva's human (anthropometry.h).
 *
 * The body is assembled from pieces: each segment of the table becomes one piece of a joint, or is cut across if
 * several joints share it. A cut segment has a density that varies linearly along it, so that its parts together have
 * the table's mass, COM and radii of gyration. */
#include "analysis/body/anthropometry.h"

#include <math.h>
#include <stdio.h>

#include "analysis/base/arena.h"
#include "analysis/body/human_rest.h"
#include "analysis/body/mass_sum.h"
#include "analysis/math/vec.h"

/* The distance of the heel behind the ankle joint (projected on the sole), as part of the foot's length. */
#define HEEL_PART 0.23

/* The distance of the trunk's mass behind the line from the hip joints to the neck, as part of its length; about 2 cm:
 * the lumbar joint is behind the hips, and the torso's COM 1.6 (women) to 3.6 % (men) behind the line from lumbar to
 * cervical joint (Dumas et al. 2007, J Biomech 40:543-553, table 2). With it, the mean residual moment of measured
 * steps is near zero. */
#define TRUNK_BEHIND 0.035

/* The part of TRUNK_BEHIND that a spine beginning behind the hip joints, as an anatomical one does, replaces; others
 * begin between them. The remainder was fitted to trials with force plates. */
#define SPINE_BEHIND 0.025

/* Bones of the trunk shorter than this part of its length have no reliable direction. */
#define SHORT_BONE 0.25

/* Shoulders of a figure without arms: height above the hips and half width, parts of the trunk's length. */
#define SHOULDER_HEIGHT 0.86
#define SHOULDER_HALF_WIDTH 0.33

/* A joint's section of a line through the body: from coordinate x to that of the next link. */
typedef struct RestLink {
    int joint;
    double x;       /* m */
    Vec3 origin;    /* m, point of the line at x, in joint axes */
    Vec3 direction; /* unit, joint axes */
    Vec3 left;      /* unit, joint axes */
} RestLink;

typedef struct Builder {
    HumanRest rest;
    SegmentShape shape[SEGMENT_COUNT];
    double mass;
    MassSum *lump; /* [joint] */
    RestLink *link; /* [joint] scratch: trunk, then neck and head */
    int link_count;
} Builder;

/* The part u0..u1 of a segment of unit length with density 1 + k (u - 1/2), k = 12 (c - 1/2), whose COM is c; scaled
 * about c so that the whole segment's mean square along it is the table's. */
typedef struct Slice {
    double mass, com, square; /* parts of the whole; mean square about the slice's COM, along the segment */
} Slice;

static Slice cut(const SegmentShape *s, double u0, double u1)
{
    double k = 12 * (s->com - 0.5), moment[3] = {0};
    for (int n = 0; n < 3; n++) { /* integral of u^n (1 + k (u - 1/2)) */
        double low = 1, high = 1;
        for (int i = 0; i <= n; i++)
            low *= u0, high *= u1;
        moment[n] = (1 - 0.5 * k) * (high - low) / (n + 1) + k * (high * u1 - low * u0) / (n + 2);
    }
    if (!(moment[0] > 0))
        return (Slice){0};
    double com = moment[1] / moment[0], whole = 1.0 / 3 + k / 12 - s->com * s->com;
    double shrink = s->along / whole;
    return (Slice){moment[0], s->com + sqrt(shrink) * (com - s->com),
                   shrink * fmax(moment[2] / moment[0] - com * com, 0)};
}

static void add_slice(Builder *b, const RestLink *link, const SegmentShape *s, Slice slice, double start, double length)
{
    double square = length * length;
    SecondMoments spread = {.square = {square * slice.square, square * s->across, square * s->deep}};
    spread.axis[0] = link->direction;
    axes_complete(link->direction, link->left, &spread.axis[1], &spread.axis[2]);
    Vec3 centre = vec3_mad(link->origin, start + slice.com * length - link->x, link->direction);
    mass_sum_add(&b->lump[link->joint], b->mass * s->mass * slice.mass, centre, &spread);
}

/* Distributes a segment that begins at coordinate start over the links. */
static void add_shared(Builder *b, const SegmentShape *s, double start, double length)
{
    for (int i = 0; i < b->link_count; i++) {
        double from = i == 0 ? 0 : (b->link[i].x - start) / length;
        double to = i + 1 == b->link_count ? 1 : (b->link[i + 1].x - start) / length;
        from = fmin(fmax(from, 0), 1);
        to = fmin(fmax(to, 0), 1);
        if (to > from)
            add_slice(b, &b->link[i], s, cut(s, from, to), start, length);
    }
}

/* Sets the links from first_link on to the joints from below `stop` (exclusive) down to `last`. */
static void set_path(Builder *b, int first_link, int stop, int last)
{
    int count = first_link;
    for (int j = last; j > stop && j >= 0; j = b->rest.skeleton->parent[j])
        count++;
    b->link_count = count;
    for (int j = last; j > stop && j >= 0; j = b->rest.skeleton->parent[j])
        b->link[--count].joint = j;
}

/* For a standing rest pose: places all links on the straight line from `start` along `direction`. */
static void lay_straight(Builder *b, Vec3 start, Vec3 direction, double x0)
{
    const HumanRest *r = &b->rest;
    for (int i = 0; i < b->link_count; i++) {
        RestLink *l = &b->link[i];
        double x = x0 + vec3_dot(vec3_sub(r->rest[l->joint], start), direction);
        l->x = i == 0 ? x0 : fmax(x, b->link[i - 1].x);
        l->origin = vec3_sub(vec3_mad(start, l->x - x0, direction), r->rest[l->joint]);
        l->direction = direction;
        l->left = r->left;
    }
}

/* Corner i of a polyline: from ends[0] through the joints of the links to ends[1]. */
static Vec3 corner_point(const Builder *b, const Vec3 ends[2], int i)
{
    return i == 0 ? ends[0] : i < b->link_count ? b->rest.rest[b->link[i].joint] : ends[1];
}

/* The polyline's point at coordinate x; its last section is extended. */
static Vec3 point_at(const Builder *b, const Vec3 ends[2], double x)
{
    int i = 0;
    while (i + 1 < b->link_count && b->link[i + 1].x < x)
        i++;
    Vec3 here = corner_point(b, ends, i), along = vec3_sub(corner_point(b, ends, i + 1), here);
    double length = vec3_norm(along);
    return length > 0 ? vec3_mad(here, (x - b->link[i].x) / length, along) : here;
}

/* The direction of a link: that of its bone or, if the bone is shorter than `min` and thus unreliable, of the line
 * over that length. */
static Vec3 end_direction(const Builder *b, const Vec3 ends[2], int i, double min)
{
    const RestLink *last = &b->link[b->link_count - 1];
    double end = last->x + vec3_distance(ends[1], corner_point(b, ends, b->link_count - 1));
    double from = b->link[i].x, to = i + 1 < b->link_count ? b->link[i + 1].x : end;
    to = fmin(fmax(to, from + min), end);
    from = fmax(fmin(from, to - min), 0);
    Vec3 along = vec3_sub(point_at(b, ends, to), point_at(b, ends, from));
    return vec3_norm(along) > 1e-9 * b->rest.leg ? vec3_normalize(along) : b->rest.up;
}

/* Places the links along the bones: each link has the direction of its own bone in joint axes, independent of the pose.
 * ends: beginning of the line, and rest position after the last link. */
static void lay_along_bones(Builder *b, const Vec3 ends[2])
{
    const HumanRest *r = &b->rest;
    Vec3 across = human_rest_between(r, ROLE_RIGHT_CLAVICLE, ROLE_LEFT_CLAVICLE);
    b->link[0].x = 0;
    for (int i = 1; i < b->link_count; i++)
        b->link[i].x = b->link[i - 1].x + vec3_distance(corner_point(b, ends, i), corner_point(b, ends, i - 1));
    for (int i = 0; i < b->link_count; i++) {
        RestLink *l = &b->link[i];
        l->origin = vec3_sub(corner_point(b, ends, i), r->rest[l->joint]);
        l->direction = end_direction(b, ends, i, r->stands ? SHORT_BONE * r->trunk : 0);
        l->left = r->stands || i == 0 || !(vec3_norm(across) > 0) ? r->left : across;
    }
}

static int trunk_end(const HumanRest *r)
{
    return r->joint[ROLE_CHEST] >= 0 ? r->joint[ROLE_CHEST] : r->joint[ROLE_SPINE];
}

static int first_trunk_joint(const HumanRest *r)
{
    return r->joint[ROLE_SPINE] >= 0 ? r->joint[ROLE_SPINE] : r->joint[ROLE_CHEST];
}

/* Shifts all links backwards. With up and left as first axes, the third one points back. */
static void shift_back(Builder *b, double distance)
{
    for (int i = 0; i < b->link_count; i++) {
        Vec3 left, back;
        axes_complete(b->link[i].direction, b->link[i].left, &left, &back);
        b->link[i].origin = vec3_mad(b->link[i].origin, distance, back);
    }
}

/* The distance of the spine's beginning behind the hip joints, up to the part of TRUNK_BEHIND that it replaces. */
static double spine_behind(const HumanRest *r)
{
    int first = first_trunk_joint(r);
    double behind = first < 0 || !r->stands ? 0 : -vec3_dot(vec3_sub(r->rest[first], r->hip_middle), r->front);
    return fmin(fmax(behind, 0), SPINE_BEHIND * r->trunk);
}

/* Links: the hips, then every joint from spine to chest. The lower trunk moves with the hips; middle and upper trunk
 * are distributed over the joints whose sections of the line they overlap. */
static void add_trunk(Builder *b)
{
    const HumanRest *r = &b->rest;
    const SegmentShape *lower = &b->shape[SEGMENT_LOWER_TRUNK], *middle = lower - 1, *upper = lower - 2;
    int end = trunk_end(r), top = human_rest_top(r);
    b->link[0].joint = r->joint[ROLE_HIPS];
    b->link_count = 1;
    if (end >= 0)
        set_path(b, 1, b->rest.skeleton->parent[first_trunk_joint(r)], end);
    Vec3 neck = top >= 0 ? r->rest[top] : end >= 0 ? r->tip[end] : vec3_mad(r->hip_middle, r->trunk, r->up);
    const Vec3 line[2] = {r->hip_middle, neck};
    lay_along_bones(b, line);
    shift_back(b, TRUNK_BEHIND * r->trunk - spine_behind(r));
    double unit = r->trunk / (lower->length + middle->length + upper->length);
    add_slice(b, &b->link[0], lower, cut(lower, 0, 1), 0, unit * lower->length);
    add_shared(b, middle, unit * lower->length, unit * middle->length);
    add_shared(b, upper, unit * (lower->length + middle->length), unit * upper->length);
}

/* C7 to vertex, distributed over neck, head and the joints between; carried by the chest if there is neither. */
static void add_head(Builder *b)
{
    const HumanRest *r = &b->rest;
    int top = human_rest_top(r), head = r->joint[ROLE_HEAD] >= 0 ? r->joint[ROLE_HEAD] : top;
    if (top < 0) {
        add_shared(b, &b->shape[SEGMENT_HEAD], r->trunk, r->head);
        return;
    }
    set_path(b, 0, r->skeleton->parent[top], head);
    if (r->stands) {
        double below = fmax(r->trunk - vec3_dot(vec3_sub(r->rest[top], r->hip_middle), r->up), 0);
        Vec3 start = vec3_mad(r->rest[top], below, r->up), line = vec3_normalize(vec3_sub(r->tip[head], start));
        lay_straight(b, start, vec3_dot(line, r->up) > 0.7 ? line : r->up, 0);
    } else {
        lay_along_bones(b, (const Vec3[2]){r->rest[top], r->tip[head]});
    }
    add_shared(b, &b->shape[SEGMENT_HEAD], 0, r->head);
}

/* State along a limb: the joint that carries the next segment, and where it begins in the rest pose. */
typedef struct Limb {
    int joint;
    Vec3 end, direction;
    Vec3 hint;        /* in a standing rest pose: the body's left for legs, its front for arms */
    int hint_is_deep; /* 0: legs, 1: arms */
} Limb;

/* Adds a whole limb segment from the limb's end along its direction. Without a standing rest pose both moments across
 * are set to their mean. */
static void add_limb_piece(Builder *b, const Limb *limb, SegmentKind kind, double length)
{
    SegmentShape s = b->shape[kind];
    double square = length * length;
    Vec3 hint = limb->hint, side = vec3_sub(hint, vec3_scale(limb->direction, vec3_dot(hint, limb->direction)));
    if (!b->rest.stands || vec3_norm(side) < 0.3)
        s.across = s.deep = 0.5 * (s.across + s.deep);
    double first = limb->hint_is_deep ? s.deep : s.across, second = limb->hint_is_deep ? s.across : s.deep;
    SecondMoments spread = {.square = {square * s.along, square * first, square * second}};
    spread.axis[0] = limb->direction;
    axes_complete(limb->direction, hint, &spread.axis[1], &spread.axis[2]);
    Vec3 centre = vec3_mad(vec3_sub(limb->end, b->rest.rest[limb->joint]), s.com * length, limb->direction);
    mass_sum_add(&b->lump[limb->joint], b->mass * s.mass, centre, &spread);
}

/* Adds the segment of `role`, up to the joint of `next` or the tip. A segment without a joint or length moves with the
 * one before. */
static void add_limb_segment(Builder *b, Limb *limb, SegmentKind kind, Role role, Role next)
{
    const HumanRest *r = &b->rest;
    double expected = b->shape[kind].length * r->scale, length = expected;
    int joint = r->joint[role], after = next == ROLE_NONE ? -1 : r->joint[next];
    if (joint >= 0) {
        Vec3 start = r->rest[joint], bone = vec3_sub(after >= 0 ? r->rest[after] : r->tip[joint], start);
        int has_length = vec3_norm(bone) > 1e-6 * r->leg;
        limb->end = start;
        limb->joint = has_length || after < 0 ? joint : limb->joint;
        limb->direction = has_length ? vec3_normalize(bone) : limb->direction;
        length = after >= 0 ? vec3_norm(bone) : plausible_length(vec3_norm(bone), expected, 0.5, 1.6);
    }
    add_limb_piece(b, limb, kind, length);
    limb->end = vec3_mad(limb->end, length, limb->direction);
}

static void add_arm(Builder *b, Role shoulder, double side)
{
    const HumanRest *r = &b->rest;
    Role elbow = (Role)(shoulder + 1), wrist = (Role)(shoulder + 2);
    int carrier = trunk_end(r) >= 0 ? trunk_end(r) : r->joint[ROLE_HIPS];
    Vec3 start = vec3_mad(r->hip_middle, SHOULDER_HEIGHT * r->trunk, r->up);
    Vec3 position = vec3_mad(start, side * SHOULDER_HALF_WIDTH * r->trunk, r->left);
    Limb limb = {carrier, position, vec3_neg(r->up), .hint = r->front, .hint_is_deep = 1};
    add_limb_segment(b, &limb, SEGMENT_UPPER_ARM, shoulder, elbow);
    add_limb_segment(b, &limb, SEGMENT_FOREARM, elbow, wrist);
    add_limb_segment(b, &limb, SEGMENT_HAND, wrist, ROLE_NONE);
}

/* The direction from heel to toes, in rest axes. */
static Vec3 foot_direction(const HumanRest *r, Vec3 ankle, Vec3 ahead)
{
    Vec3 bone = vec3_sub(ahead, ankle);
    if (!r->stands)
        return vec3_norm(bone) > 0 ? vec3_normalize(bone) : r->front;
    Vec3 level = vec3_mad(bone, -vec3_dot(bone, r->up), r->up);
    return vec3_norm(level) > 0.15 * r->leg * 0.5 ? vec3_normalize(level) : r->front;
}

/* The foot, from heel to toes, half way between ankle and sole; the part beyond the toe joint moves with the toes. */
static void add_foot(Builder *b, const Limb *leg, Role toe)
{
    const HumanRest *r = &b->rest;
    const SegmentShape *s = &b->shape[SEGMENT_FOOT];
    int toes = r->joint[toe];
    Vec3 direction = foot_direction(r, leg->end, toes >= 0 ? r->rest[toes] : r->tip[leg->joint]);
    double to_toes = toes < 0 ? 0 : vec3_dot(vec3_sub(r->rest[toes], leg->end), direction);
    double ahead = toes < 0 ? 0 : vec3_dot(vec3_sub(r->tip[toes], leg->end), direction);
    double length = plausible_length(ahead / (1 - HEEL_PART), s->length * r->scale, 0.75, 1.35);
    Vec3 depth = vec3_scale(r->up, r->stands ? -0.5 * r->ankle_height : 0);
    Vec3 heel = vec3_add(vec3_mad(vec3_sub(leg->end, r->rest[leg->joint]), -HEEL_PART * length, direction), depth);
    b->link[0] = (RestLink){leg->joint, 0, heel, direction, r->left};
    b->link_count = 1;
    if (toes >= 0) {
        b->link[1] = (RestLink){toes, HEEL_PART * length + to_toes, vec3(0, 0, 0), direction, r->left};
        b->link_count = 2;
    }
    add_shared(b, s, 0, length);
}

static void add_leg(Builder *b, Role hip)
{
    Role knee = (Role)(hip + 1), ankle = (Role)(hip + 2), toe = (Role)(hip + 3);
    Limb limb = {b->rest.joint[hip], b->rest.rest[b->rest.joint[hip]], vec3_neg(b->rest.up), .hint = b->rest.left};
    add_limb_segment(b, &limb, SEGMENT_THIGH, hip, knee);
    add_limb_segment(b, &limb, SEGMENT_SHANK, knee, ankle);
    if (b->rest.joint[ankle] >= 0) {
        limb.joint = b->rest.joint[ankle];
        limb.end = b->rest.rest[limb.joint];
    }
    add_foot(b, &limb, toe);
}

/* Adds the rounding error to the hips until the masses, in joint order, sum to the total. */
static void settle_sum(Body *body, int hips, double total)
{
    for (int round = 0; round < 8; round++) {
        double sum = 0;
        for (int j = 0; j < body->joint_count; j++)
            sum += body->mass[j];
        if (sum == total)
            break;
        body->mass[hips] += total - sum;
    }
    body->total_mass = total;
}

/* Rotates COMs and inertias from the axes of the pose to those of the joints. */
static void rotate_back(const Quat *orientation, Body *body)
{
    for (int j = 0; orientation && j < body->joint_count; j++) {
        body->com[j] = quat_rotate_inverse(orientation[j], body->com[j]);
        body->inertia[j] = sym3_rotate(quat_to_mat3(quat_conjugate(orientation[j])), body->inertia[j]);
    }
}

Status deleva_from_skeleton(const Skeleton *skeleton, const Quat *orientation, double mass, Sex sex, Body *out,
                            Error *err)
{
    size_t joints = (size_t)skeleton->joint_count;
    Arena arena = {0};
    Builder b = {.mass = mass};
    segment_shapes(sex, b.shape);
    Status status = human_rest_init(&b.rest, skeleton, orientation, b.shape, err);
    if (status)
        return status;
    b.lump = arena_array(&arena, joints, 1, sizeof *b.lump);
    b.link = arena_array(&arena, joints + 2, 1, sizeof *b.link);
    status = arena.failed ? error_no_memory(err) : body_init(out, skeleton->joint_count, err);
    if (status)
        goto done;
    add_trunk(&b);
    add_head(&b);
    add_arm(&b, ROLE_LEFT_SHOULDER, 1);
    add_arm(&b, ROLE_RIGHT_SHOULDER, -1);
    add_leg(&b, ROLE_LEFT_HIP);
    add_leg(&b, ROLE_RIGHT_HIP);
    for (int j = 0; j < skeleton->joint_count; j++)
        mass_sum_finish(&b.lump[j], out, j);
    rotate_back(orientation, out);
    settle_sum(out, b.rest.joint[ROLE_HIPS], b.mass);
    out->stature = human_rest_stature(&b.rest, b.shape);
    snprintf(out->model, sizeof out->model, "deleva %s", sex_names[sex]);
done:
    arena_free(&arena);
    human_rest_free(&b.rest);
    return status;
}
