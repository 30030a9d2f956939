/* Detection of a seat (seat.h). */
#include "analysis/clip/joint_kinematics.h"
#include "analysis/contact/seat.h"

#include <math.h>

#include "analysis/clip/contact.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/support_internal.h"
#include "analysis/math/vec.h"

#define SEAT_STILL 0.2       /* m/s: seated hips are slower */
#define LEVEL 0.4       /* of the thigh's length: largest height of the hip above the knee with a level thigh */
#define STRAIGHT 0.87    /* cosine of 30 degrees: hips bent by less do not sit */
#define SEAT_CLEAR 0.15      /* L: skin below the hips at a smaller height is on the ground itself */
#define BEHIND 0.12     /* L: smallest distance of the required pressure behind all of them */
#define ASIDE 0.15      /* L: largest lateral distance from the middle of the hips */

typedef struct Hips {
    int hip[FOOT_COUNT], knee[FOOT_COUNT], shoulder[FOOT_COUNT]; /* joints; -1: none */
} Hips;

static Vec3 joint_centre(const ContactProblem *p, int frame, int joint)
{
    return p->clip->kinematics->position[(size_t)frame * (size_t)p->clip->kinematics->joint_count + (size_t)joint];
}

static Vec3 middle(const ContactProblem *p, const Hips *h, int frame)
{
    return vec3_scale(vec3_add(joint_centre(p, frame, h->hip[0]), joint_centre(p, frame, h->hip[1])), 0.5);
}

static int is_hip(const ContactProblem *p, const Hips *h, int point)
{
    return p->points.point[point].joint == h->hip[0] || p->points.point[point].joint == h->hip[1];
}

/* Thighs that continue the trunk: a body that lies or holds itself level. */
static int is_straight(const ContactProblem *p, const Hips *h, int frame)
{
    Vec3 hips = middle(p, h, frame);
    if (h->shoulder[0] < 0 || h->shoulder[1] < 0)
        return 0;
    Vec3 shoulders = vec3_add(joint_centre(p, frame, h->shoulder[0]), joint_centre(p, frame, h->shoulder[1]));
    Vec3 knees = vec3_add(joint_centre(p, frame, h->knee[0]), joint_centre(p, frame, h->knee[1]));
    Vec3 trunk = vec3_mad(hips, -0.5, shoulders), thigh = vec3_mad(vec3_scale(hips, -1), 0.5, knees);
    return vec3_dot(trunk, thigh) > STRAIGHT * vec3_norm(trunk) * vec3_norm(thigh);
}

/* Bent hips, level thighs, hips at rest and clear of the ground, a supported body. */
static int sits(const ContactProblem *p, const Hips *h, int frame)
{
    const Kinematics *k = p->clip->kinematics;
    if (is_straight(p, h, frame))
        return 0;
    for (int side = 0; side < FOOT_COUNT; side++) {
        Vec3 hip = joint_centre(p, frame, h->hip[side]), thigh = vec3_sub(hip, joint_centre(p, frame, h->knee[side]));
        Vec3 speed = k->velocity[(size_t)frame * (size_t)k->joint_count + (size_t)h->hip[side]];
        if (vec3_dot(thigh, p->ground.normal) > LEVEL * vec3_norm(thigh) || vec3_norm(speed) > SEAT_STILL)
            return 0;
    }
    for (int i = 0; i < p->points.count; i++)
        if (is_hip(p, h, i) && p->ground.clearance[(size_t)frame * (size_t)p->points.count + (size_t)i] <
                                   SEAT_CLEAR * p->points.leg_length)
            return 0;
    return p->vertical[frame] > SUPPORTED_FORCE;
}

/* Laterally the pressure is under the seat; a body that leans out further does not sit. */
static int is_between_hips(const ContactProblem *p, const Hips *h, int frame)
{
    Vec3 hips = vec3_scale(mat3_mul(p->axes, middle(p, h, frame)), 1 / p->points.leg_length);
    return fabs(vec3_dot(vec3_sub(p->pressure[frame], hips), p->wrench.side[frame])) < ASIDE;
}

/* Everything near the ground is ahead of the required pressure. */
static int is_behind(const ContactProblem *p, const Hips *h, int frame)
{
    const Vec3 *lever = p->lever + (size_t)frame * (size_t)p->points.count, side = p->wrench.side[frame];
    const double *clearance = p->ground.clearance + (size_t)frame * (size_t)p->points.count;
    double min = INFINITY;
    for (int i = 0; i < p->points.count; i++)
        if (!is_hip(p, h, i) && clearance[i] < NEAR_GROUND * p->points.leg_length)
            min = fmin(min, vec3_dot(vec3_sub(lever[i], p->pressure[frame]), vec3(side.z, 0, -side.x)));
    return min > BEHIND && min < INFINITY && is_between_hips(p, h, frame);
}

/* The seat is at the skin below the hips. */
static void put_seat(ContactProblem *p, const Hips *h, int frame)
{
    Ground *g = &p->ground;
    size_t at = (size_t)frame * (size_t)p->points.count;
    for (int i = 0; i < p->points.count; i++) {
        if (!is_hip(p, h, i))
            continue;
        const ContactPoint *point = &p->points.point[i];
        size_t group = (size_t)frame * (size_t)g->group_count + (size_t)point->group;
        g->level[group] = vec3_dot(joint_centre(p, frame, point->joint), g->normal) - point->thickness;
        g->raised[group] = 1;
        g->clearance[at + (size_t)i] = 0;
    }
    p->support[frame] |= SUPPORT_SEAT;
}

/* Extends a sure seat to the frames in which the hips are already, or still, at the same position. */
static void put_around(ContactProblem *p, const Hips *h, int first, int last)
{
    Vec3 here = middle(p, h, (first + last) / 2);
    for (; first > 0 && vec3_distance(middle(p, h, first - 1), here) < MOVED; first--)
        ;
    for (; last + 1 < p->wrench.frame_count && vec3_distance(middle(p, h, last + 1), here) < MOVED; last++)
        ;
    for (int f = first; f <= last; f++)
        put_seat(p, h, f);
}

static int find_hips(const Skeleton *s, Hips *out)
{
    static const Role hip[] = {ROLE_LEFT_HIP, ROLE_RIGHT_HIP}, knee[] = {ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE};
    static const Role shoulder[] = {ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER};
    int found = 1;
    for (int side = 0; side < FOOT_COUNT; side++) {
        out->hip[side] = skeleton_find_role(s, hip[side]);
        out->knee[side] = skeleton_find_role(s, knee[side]);
        out->shoulder[side] = skeleton_find_role(s, shoulder[side]);
        found &= out->hip[side] >= 0 && out->knee[side] >= 0;
    }
    return found;
}

int seat_find(ContactProblem *p)
{
    Hips h;
    int frames = p->wrench.frame_count, min = (int)ceil(SEAT_TIME / p->frame_time), count = 0;
    if (!p->points.has_feet || !find_hips(p->clip->skeleton, &h))
        return 0;
    for (int first = 0, last; first < frames; first = last + 1) {
        for (last = first; last < frames && sits(p, &h, last) && is_behind(p, &h, last); last++)
            ;
        if (last - first >= min)
            put_around(p, &h, first, last - 1);
    }
    for (int f = 0; f < frames; f++)
        count += p->support[f] == SUPPORT_SEAT;
    return count;
}
