/* Detection of a handrail (rail.h). */
#include "analysis/contact/rail.h"

#include <math.h>

#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/ground_track.h"
#include "analysis/contact/support_internal.h"
#include "analysis/math/vec.h"

#define RAIL_CLEAR 0.4       /* L: a hand at a smaller height may push on the ground */
#define RAIL_STILL 0.15      /* m/s: a hand that holds a fixed object is slower */
#define BEYOND 0.12     /* L: smallest distance of the required pressure outside all contacts */

static size_t support_body(const ContactProblem *p, int frame, int point)
{
    return (size_t)frame * (size_t)p->clip->kinematics->joint_count + (size_t)p->points.point[point].joint;
}

static Vec3 hand_at(const ContactProblem *p, int frame, int point)
{
    return point_motion(p->clip->kinematics, support_body(p, frame, point), p->points.point[point].position).position;
}

/* Whether the required pressure is further than BEYOND from all contacts, and there is a contact. */
static int is_beyond(const ContactProblem *p, int frame)
{
    const double *clearance = p->ground.clearance + (size_t)frame * (size_t)p->points.count;
    const Vec3 *lever = p->lever + (size_t)frame * (size_t)p->points.count, pressure = p->pressure[frame];
    if (isnan(pressure.x) || !(p->vertical[frame] > SUPPORTED_FORCE))
        return 0;
    double outside = contact_outside(&p->points, NULL, clearance, NEAR_GROUND * p->points.leg_length, lever, pressure);
    return outside > BEYOND && outside < INFINITY;
}

/* A hand at rest, clear of the ground, of a body that neither sits nor is supported by points near the ground. */
static int may_hold(const ContactProblem *p, int point, int frame)
{
    const ContactPoint *hand = &p->points.point[point];
    size_t at = (size_t)frame * (size_t)p->points.count + (size_t)point;
    Vec3 velocity = point_motion(p->clip->kinematics, support_body(p, frame, point), hand->position).velocity;
    return !(p->support[frame] & SUPPORT_SEAT) && vec3_norm(velocity) < RAIL_STILL &&
           p->ground.clearance[at] > RAIL_CLEAR * p->points.leg_length && is_beyond(p, frame);
}

/* The rail is at the hand, which does not slide. */
static void put_rail(ContactProblem *p, int point, int frame)
{
    Ground *g = &p->ground;
    size_t at = (size_t)frame * (size_t)p->points.count + (size_t)point;
    size_t group = (size_t)frame * (size_t)g->group_count + (size_t)p->points.point[point].group;
    g->level[group] = vec3_dot(hand_at(p, frame, point), g->normal);
    g->raised[group] = 1;
    g->clearance[at] = g->slide[at] = g->rise[at] = 0;
}

static int stays(const ContactProblem *p, int point, int frame, Vec3 here)
{
    return vec3_distance(hand_at(p, frame, point), here) < MOVED;
}

/* Extends a sure rail to the frames in which the hand is already, or still, there. */
static int mark_around(ContactProblem *p, int point, int first, int last)
{
    Vec3 here = hand_at(p, (first + last) / 2, point);
    while (first > 0 && stays(p, point, first - 1, here))
        first--;
    while (last + 1 < p->wrench.frame_count && stays(p, point, last + 1, here))
        last++;
    for (int f = first; f <= last; f++)
        p->support[f] |= (uint8_t)p->points.point[point].grip;
    return last;
}

/* Frame after the last, from `first` on, in which a hand may hold a rail at its position in `first`. */
static int hold_from(const ContactProblem *p, int point, int first)
{
    Vec3 here = hand_at(p, first, point);
    int end = first;
    while (end < p->wrench.frame_count && may_hold(p, point, end) && stays(p, point, end, here))
        end++;
    return end;
}

int rail_find(ContactProblem *p)
{
    int frames = p->wrench.frame_count, min = (int)ceil(RAIL_TIME / p->frame_time), count = 0;
    for (int i = 0; p->points.has_feet && i < p->points.count; i++)
        for (int f = 0, end; p->points.point[i].grip && f < frames; f = end + 1) {
            end = hold_from(p, i, f);
            if (end - f >= min)
                end = mark_around(p, i, f, end - 1);
        }
    for (int f = 0; f < frames; f++) { /* after both hands are known: a hand at rest would seem to support the other */
        for (int i = 0; i < p->points.count; i++)
            if (contact_grips(p, f, i))
                put_rail(p, i, f);
        count += (p->support[f] & (SUPPORT_LEFT_RAIL | SUPPORT_RIGHT_RAIL)) != 0;
    }
    return count;
}
