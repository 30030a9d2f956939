/* Where a body can touch the ground: points on soles, hands, knees, seat and back of a human, the ends of the bones of
 * any other creature (contact_points.c). Built from the skeleton and the motion: a sole lies in the axes of its ankle
 * as the ground does while the foot is flat, however the file draws the rest pose. */
#ifndef KANE_CONTACT_CONTACT_POINTS_H
#define KANE_CONTACT_CONTACT_POINTS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_constants.h"

enum { FOOT_POINTS = 5 };

/* Unrecorded supports of a body in a frame besides the ground (support.h): bits. */
enum { SUPPORT_SEAT = 1, SUPPORT_LEFT_RAIL = 2, SUPPORT_RIGHT_RAIL = 4 };

typedef struct ContactPoint {
    int joint;            /* body that carries the point */
    Vec3 probe;           /* m, joint axes: where height and speed are judged */
    Vec3 position;        /* m, joint axes: where the force acts, before it is moved along the normal to the sole */
    double thickness;     /* m, from the probe to the skin */
    int foot;             /* FOOT_LEFT, FOOT_RIGHT; -1: not a foot */
    int limb;             /* points of a limb come into contact together */
    int group;            /* points of a group share one ground level */
    int is_gauge;         /* 1: its height gives the level of its group */
    int grip;             /* SUPPORT_LEFT_RAIL, SUPPORT_RIGHT_RAIL: may hold a rail; 0: does not */
    int proximal, distal; /* joints whose torque is the effort of loading the point (hip and ankle); -1: none */
} ContactPoint;

/* Points that share one ground level. */
typedef struct ContactGroup {
    int limb;
    int is_sole; /* 1: its own rest heights give the level, 0: it uses the common ground */
    int is_heel;
} ContactGroup;

typedef struct ContactPoints {
    int count;
    int limb_count;
    int group_count;
    ContactPoint *point;   /* [point] */
    ContactGroup *group;   /* [group] */
    int has_feet;          /* 1: two, of FOOT_POINTS points each: two of the heel, two of the ball, the toe */
    double level_spread;   /* m: a group whose envelope lies further above the lowest never stood on the ground */
    double leg_length;     /* m: thigh and shank, or a creature's own measure of height */
    const ContactConstants *constants; /* not owned */
    Arena memory;          /* of both arrays */
} ContactPoints;

/* A skeleton without height gets no points. constants, mostly &contact_constants, must outlive *out; body may be NULL
 * for a human. */
Status contact_points_init(const ContactConstants *constants, const Skeleton *skeleton, const Body *body,
                           const Kinematics *kinematics, ContactPoints *out, Error *err);
/* The same for what retargeting puts on the ground, whose bodies are compared as they are drawn: soles of the rest
 * pose where it stands. */
Status contact_points_drawn(const Skeleton *skeleton, const Kinematics *kinematics, ContactPoints *out, Error *err);
void contact_points_free(ContactPoints *points);

/* The first of the FOOT_POINTS of each foot, where the body has feet. */
void contact_points_feet(const ContactPoints *points, int first[FOOT_COUNT]);

#endif
