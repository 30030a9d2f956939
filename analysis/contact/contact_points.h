/* Points of a body that can touch the ground: on soles, hands, knees, seat and back of a human, at the ends of the
 * bones of any other creature (creature_points.c). They are built from skeleton and motion: the plane of a sole is
 * that of the ground while the foot is flat, whatever the rest pose. */
#ifndef KANE_CONTACT_CONTACT_POINTS_H
#define KANE_CONTACT_CONTACT_POINTS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/math/vec.h"

enum { FOOT_POINTS = 5 };

/* Unrecorded supports of a body in a frame besides the ground (seat.h, rail.h): bits. */
enum { SUPPORT_SEAT = 1, SUPPORT_LEFT_RAIL = 2, SUPPORT_RIGHT_RAIL = 4 };

typedef struct ContactPoint {
    int joint;            /* joint whose segment has the point */
    Vec3 probe;           /* m, joint axes: its height and speed give the cost */
    Vec3 position;        /* m, joint axes: point of application, before it is moved along the normal to the sole */
    double thickness;     /* m, from the probe to the skin */
    int foot;             /* FOOT_LEFT, FOOT_RIGHT; -1: not a foot */
    int limb;             /* points of a limb are in contact together */
    int group;            /* points of a group share one ground level */
    int is_gauge;         /* 1: its height determines the level of its group */
    int grip;             /* SUPPORT_LEFT_RAIL, SUPPORT_RIGHT_RAIL: may hold a rail; 0: may not */
    int proximal, distal; /* joints whose torque counts as the effort of loading the point (hip and ankle); -1: none */
} ContactPoint;

/* Points that share one ground level. */
typedef struct ContactGroup {
    int limb;
    int is_sole; /* 1: its own rest heights determine its level; 0: it is on the common ground */
    int is_heel;
} ContactGroup;

typedef struct ContactPoints {
    int count;
    int limb_count;
    int group_count;
    ContactPoint *point;   /* [point] */
    ContactGroup *group;   /* [group] */
    int has_feet;          /* 1: there are two feet of FOOT_POINTS points each: two of the heel, two of the ball, the
                              toe */
    double level_spread;   /* m: a group whose envelope is further above the lowest one never touched the ground */
    double leg_length;     /* m: thigh plus shank, or the height measure of a creature */
    const ContactConstants *constants; /* not owned */
    Arena memory;          /* owns both arrays */
} ContactPoints;

/* A skeleton without height has no points. constants, usually &contact_constants, must outlive *out; body may be NULL
 * for a human. */
Status contact_points_init(const ContactConstants *constants, const Skeleton *skeleton, const Body *body,
                           const Kinematics *kinematics, ContactPoints *out, Error *err);
/* The same for retargeting, which compares bodies as their files draw them: soles of the standing pose of the skeleton,
 * or of the rest pose if that stands. */
Status contact_points_drawn(const Skeleton *skeleton, const Kinematics *kinematics, ContactPoints *out, Error *err);
void contact_points_free(ContactPoints *points);

/* First of the FOOT_POINTS of each foot, if the body has feet. */
void contact_points_feet(const ContactPoints *points, int first[FOOT_COUNT]);

#endif
