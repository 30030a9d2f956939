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

/* How a foot lies when it is flat on the ground: by its motion alone, not by how a file draws it at rest. */

/* A foot in a frame. */
typedef struct FootFrame {
    double height; /* m, of the ankle */
    double rise;   /* m/s, the larger vertical speed of ankle and toe joint */
    double turn;   /* rad/s, of the foot */
    double upright; /* 0..1: the shank stands on the foot */
    Vec3 up;       /* world up in the axes of the ankle */
    Vec3 shank;    /* unit, from the ankle to the knee, in the same */
    Vec3 reach;    /* m, from the ankle to the toe joint, in the same */
    Vec3 side;     /* m, from the right hip joint to the left one, in the same; zero: not asked for */
    Quat toe;      /* axes of the ankle to those of the toe joint */
} FootFrame;

/* A foot while it is low and still. */
typedef struct FootLevel {
    Vec3 up;     /* unit, axes of the ankle; zero where there is no frame */
    Vec3 reach;  /* m, mean of the frames', axes of the ankle */
    Vec3 side;   /* m, the same */
    Vec3 shank;  /* unit vectors' mean, the same */
    Quat toe;    /* axes of the ankle to those of the toe joint */
    double rest; /* s that it is flat, by weight; 0: the body never stands on it, and the rest is unset */
    double flattest; /* 0..1: weight of the frame in which it is flattest */
    double spread;   /* rad, of up over the frames */
} FootLevel;

/* Weighs frames by lowness and stillness; a ground that carries the foot along, as a belt does, is no motion. height:
 * scratch of frame_count. */
FootLevel foot_level(const FootFrame *frame, int frame_count, double frame_time, double *height);

/* The feet of a body, one or both. Where a foot hardly lies flat, or lies now so and now otherwise, its level is taken
 * in part from its bones: its toe joint lies below the ankle as far as the other foot's, or as that of adults, and the
 * shank does not lean to a side. Feet without a toe joint stay as they are. */
void foot_levels_settle(FootLevel *level, int count);

/* A frame from the turns of both joints and the way from ankle to knee in the world; the rest is the caller's. */
void foot_frame_turns(FootFrame *f, Quat ankle, Quat toe, Vec3 shank);

/* The same of a motion; joint: knee, ankle and toe, the ankle where there is no toe joint. frame, height: scratch of
 * frame_count. */
FootLevel foot_level_of_motion(const Skeleton *s, const Motion *motion, const int joint[3], FootFrame *frame,
                               double *height);

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
