/* See limb_twist.h. */
#include "analysis/retarget/limb_twist.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/retarget/limb.h"

#define MAX_SAMPLES 200   /* frames looked at */
#define BENT 0.17         /* sine of the flexion from which a frame shows the side of the bend: 10 degrees */
#define MIN_BENT 3        /* frames */
#define ONE_SIDE 0.9      /* length of the mean side over that of its parts: less is no hinge */
#define ON_AXIS 0.966     /* cosine: a side closer than 15 degrees to an axis of the joint is that axis, ... */
#define ON_AXIS_ALONG 0.77 /* ... 40 degrees where the bone lies along another one */
#define ALONG 0.99        /* cosine between such a bone and its axis */
#define COLLINEAR 0.94    /* cosine between the bones of a limb that is straight at zero rotation */
#define UNTWISTED 0.7     /* cosine of the mean rotation about the bone up to which zero is no twist */
#define IN_LINE 0.87      /* cosine of half the mean rotation of a wrist up to which zero is a hand in line */
#define MAX_SWING 0.7     /* cosine of the mean swing of a trunk's joint up to which zero is a straight trunk */
#define MIN_FRONTAL 0.3   /* part of a bone in the frontal plane below which it shows no direction there */

enum { MAX_TRUNK = TRIDIAGONAL_JOINTS };

typedef struct Limb {
    Role from, middle, end;
    double bend; /* 1: bends to the front, -1: to the back */
} Limb;

static const Limb limbs[] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, -1},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, -1},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, 1},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, 1},
};

/* What the motion shows of a limb. */
typedef struct Hinge {
    JointChain chain;   /* from the first joint to that of the middle */
    Vec3 side;          /* unit, axes of the first joint: to which the lower bone bends; zero: unknown */
    int is_straight;    /* 1: the limb is straight and untwisted where its middle joint does not rotate */
    int is_end_in_line; /* 1: so is the wrist at its end */
} Hinge;

/* Vector along a chain at zero rotation, m. */
static Vec3 chain_vector(const Skeleton *s, const JointChain *c)
{
    Vec3 sum = s->offset[c->end];
    for (int i = 1; i < c->count; i++)
        sum = vec3_add(sum, s->offset[c->joint[i]]);
    return sum;
}

/* Rotation of the joint at the end of a chain relative to its first joint. */
static Quat chain_rotation(const Motion *m, int f, const JointChain *c)
{
    Quat q = QUAT_IDENTITY;
    for (int i = 1; i < c->count; i++)
        q = quat_mul(q, m->rotation[motion_index(m, f, c->joint[i])]);
    return quat_mul(q, m->rotation[motion_index(m, f, c->end)]);
}

static Vec3 across(Vec3 v, Vec3 unit) { return vec3_mad(v, -vec3_dot(v, unit), unit); }

/* The axis of a joint that a direction is close to; otherwise the direction. */
static Vec3 nearest_axis(Vec3 v, Vec3 bone)
{
    double along = fmax(fabs(bone.x), fmax(fabs(bone.y), fabs(bone.z)));
    for (int axis = 0; axis < 3; axis++) {
        double part = vec3_component(v, axis), sign = part < 0 ? -1 : 1;
        if (fabs(part) > (along > ALONG ? ON_AXIS_ALONG : ON_AXIS))
            return vec3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
    }
    return v;
}

static Hinge find_hinge(const ReferencePose *r, const Motion *m, const Limb *limb)
{
    const Skeleton *s = r->skeleton;
    Hinge h = {.chain = limb_chain(s, r->joint[limb->from], r->joint[limb->middle])};
    JointChain lower = limb_chain(s, r->joint[limb->middle], r->joint[limb->end]);
    if (h.chain.count == 0 || lower.count == 0)
        return (Hinge){0};
    Vec3 bone = vec3_normalize(chain_vector(s, &h.chain)), next = vec3_normalize(chain_vector(s, &lower)), sum = {0};
    double weight = 0, twist = 0, total = 0;
    int bent = 0, step = m->frame_count / MAX_SAMPLES + 1;
    Quat end = {0};
    for (int f = 0; f < m->frame_count; f += step) {
        Quat q = chain_rotation(m, f, &h.chain), last = m->rotation[motion_index(m, f, lower.end)];
        Vec3 side = across(quat_rotate(q, next), bone);
        double sine = vec3_norm(side), about = q.x * next.x + q.y * next.y + q.z * next.z;
        if (sine > BENT) {
            sum = vec3_mad(sum, sine, side);
            weight += sine * sine;
            bent++;
        }
        twist += (q.w * q.w - about * about) / fmax(q.w * q.w + about * about, 1e-12);
        last = quat_nearest(last, QUAT_IDENTITY);
        end = (Quat){end.w + last.w, end.x + last.x, end.y + last.y, end.z + last.z};
        total++;
    }
    if (bent >= MIN_BENT && vec3_norm(sum) > ONE_SIDE * weight)
        h.side = nearest_axis(vec3_normalize(sum), bone);
    h.is_straight = vec3_dot(bone, next) > COLLINEAR && twist > UNTWISTED * total;
    h.is_end_in_line = h.is_straight && limb->bend > 0 && fabs(quat_normalize(end).w) > IN_LINE;
    return h;
}

/* The orientation of the limb's first joint with its bone in the frontal plane and its hinge across that. */
static Quat turn_bone(const ReferencePose *r, const Limb *limb, const Hinge *h)
{
    Vec3 front = quat_rotate(r->body, vec3(0, 0, 1));
    Vec3 bone = vec3_normalize(reference_between(r, limb->from, limb->middle));
    Vec3 to = across(bone, front);
    if (vec3_norm(to) < MIN_FRONTAL)
        to = quat_rotate(r->body, vec3(0, -1, 0));
    to = vec3_normalize(to);
    Quat q = quat_mul(quat_between(bone, to), r->orientation[r->joint[limb->from]]);
    Vec3 side = across(quat_rotate(q, h->side), to), wanted = vec3_scale(front, limb->bend);
    double angle = elementary_atan2(vec3_dot(vec3_cross(side, wanted), to), vec3_dot(side, wanted));
    return quat_mul(quat_from_axis_angle(to, angle), q);
}

/* The side to which a limb that hardly bends would: the axis of its first joint that is closest to it in the pose. */
static Vec3 guess_side(const ReferencePose *r, const Limb *limb, const Hinge *h)
{
    Vec3 down = quat_rotate(r->body, vec3(0, -1, 0)), front = quat_rotate(r->body, vec3(0, 0, limb->bend));
    Vec3 wanted = quat_rotate(quat_between(down, reference_between(r, limb->from, limb->middle)), front);
    Vec3 side = quat_rotate_inverse(r->orientation[r->joint[limb->from]], wanted);
    Vec3 axis = nearest_axis(side, vec3_normalize(chain_vector(r->skeleton, &h->chain)));
    return vec3_distance(axis, side) > 0 ? axis : vec3(0, 0, 0);
}

static void set_limb(ReferencePose *r, const Motion *motion, const Limb *limb)
{
    Hinge h = find_hinge(r, motion, limb);
    int from = r->joint[limb->from], end = r->joint[limb->end];
    if (h.chain.count == 0 || from == 0)
        return;
    if (!(vec3_norm(h.side) > 0))
        h.side = guess_side(r, limb, &h);
    if (vec3_norm(h.side) > 0)
        r->local[from] = quat_normalize(
            quat_mul(quat_conjugate(r->orientation[r->skeleton->parent[from]]), turn_bone(r, limb, &h)));
    for (int i = 1; i <= h.chain.count && h.is_straight; i++)
        r->local[i < h.chain.count ? h.chain.joint[i] : h.chain.end] = QUAT_IDENTITY;
    if (h.is_end_in_line)
        r->local[end] = QUAT_IDENTITY;
}

/* ---- Trunk, neck and head ---- */

/* The joints from the hips to the head; returns their number. */
static int find_trunk(const ReferencePose *r, int joint[MAX_TRUNK])
{
    int count = 0, top = r->joint[r->joint[ROLE_HEAD] >= 0 ? ROLE_HEAD : ROLE_NECK], hips = r->joint[ROLE_HIPS];
    JointChain chain = limb_chain(r->skeleton, hips, top);
    for (int i = 0; i < chain.count && chain.count < MAX_TRUNK; i++)
        joint[count++] = chain.joint[i];
    if (count > 0)
        joint[count++] = top;
    return count;
}

/* Whether a joint is straight without rotation, and its mean rotation swings it from there by less than 45 degrees. */
static int is_straight_at_zero(const Motion *m, int joint, Vec3 bone, Vec3 next)
{
    Vec3 sum = {0, 0, 0};
    int step = m->frame_count / MAX_SAMPLES + 1;
    for (int f = 0; f < m->frame_count; f += step)
        sum = vec3_add(sum, quat_rotate(m->rotation[motion_index(m, f, joint)], bone));
    return vec3_dot(bone, next) > COLLINEAR && vec3_dot(vec3_normalize(sum), bone) > MAX_SWING;
}

/* The part of a rotation about an axis. */
static Quat twist_about(Quat q, Vec3 axis)
{
    double about = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    if (!(q.w * q.w + about * about > 0))
        return QUAT_IDENTITY;
    return quat_normalize((Quat){q.w, about * axis.x, about * axis.y, about * axis.z});
}

void limb_twist_trunk(ReferencePose *r, const Motion *motion)
{
    const Skeleton *s = r->skeleton;
    int joint[MAX_TRUNK], count = find_trunk(r, joint);
    Vec3 up = quat_rotate(r->body, vec3(0, 1, 0));
    for (int i = 1; i < count; i++) {
        Vec3 bone = vec3_normalize(s->offset[joint[i]]);
        Vec3 next = i + 1 < count ? vec3_normalize(s->offset[joint[i + 1]]) : bone;
        if (s->parent[joint[i]] != joint[i - 1] || !is_straight_at_zero(motion, joint[i], bone, next))
            continue;
        r->local[joint[i]] = twist_about(r->local[joint[i]], bone);
        Vec3 stands = quat_rotate(r->orientation[joint[0]], bone);
        if (i == 1 && vec3_dot(stands, up) > MAX_SWING) {
            Quat q = quat_mul(quat_between(stands, up), r->orientation[joint[0]]);
            int parent = s->parent[joint[0]];
            r->local[joint[0]] = quat_normalize(parent < 0 ? q : quat_mul(quat_conjugate(r->orientation[parent]), q));
        }
    }
}

void limb_twist_set(ReferencePose *r, const Motion *motion)
{
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++)
        set_limb(r, motion, &limbs[i]);
}

int limb_twist_front(const ReferencePose *r, const Motion *motion, Role joint, Vec3 *front)
{
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
        const Limb *limb = &limbs[i];
        if (joint != limb->from && joint != limb->middle && joint != limb->end)
            continue;
        Hinge h = find_hinge(r, motion, limb);
        *front = vec3_scale(h.side, limb->bend);
        return vec3_norm(h.side) > 0 && (joint == limb->from || (joint == limb->middle && h.is_straight) ||
                                         (joint == limb->end && h.is_end_in_line));
    }
    return 0;
}
