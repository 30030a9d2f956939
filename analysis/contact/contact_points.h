/* Points of a body that can touch the ground: on soles, hands, knees, seat and back of a human, at the ends of the
 * bones of any other creature (creature_points.c). They are built from skeleton and motion: the plane of a sole is
 * that of the ground while the foot is flat, whatever the rest pose. */
#ifndef KANE_CONTACT_CONTACT_POINTS_H
#define KANE_CONTACT_CONTACT_POINTS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/math/quat.h"

/* How a foot lies when it is flat on the ground: by its motion alone, not by how a file draws it at rest. */

/* A foot in a frame. */
typedef struct FootFrame {
    double height;        /* m, of the ankle */
    double rise;          /* m/s, the larger vertical speed of ankle and toe joint */
    double angular_speed; /* rad/s, of the foot */
    double upright; /* 0..1: the shank is upright on the foot */
    Vec3 up;       /* world up in the axes of the ankle */
    Vec3 shank;    /* unit, from the ankle to the knee, ankle axes */
    Vec3 reach;    /* m, from the ankle to the toe joint, ankle axes */
    Vec3 side;     /* m, from the right hip joint to the left one, ankle axes; zero: not required */
    Quat toe;      /* axes of the ankle to those of the toe joint */
} FootFrame;

/* Pose of a foot in a frame, beside the height of its ankle. */
typedef struct FootPose {
    double toe_height; /* m */
    Quat ankle, toe;   /* joint to world */
} FootPose;

/* A foot while it is low and still. */
typedef struct FootLevel {
    Vec3 up;     /* unit, ankle axes; zero if there is no frame */
    Vec3 reach;  /* m, mean over the frames, ankle axes */
    Vec3 side;   /* m, ankle axes */
    Vec3 shank;  /* mean of unit vectors, ankle axes */
    Quat toe;    /* axes of the ankle to those of the toe joint */
    double rest; /* s of flat contact, weighted; 0: the body never stands on it, and the rest is unset */
    double flattest; /* 0..1: weight of the flattest frame */
    double spread;   /* rad, spread of up over the frames */
} FootLevel;

/* Weights frames by how low and still the foot is. A moving ground that carries the foot along, such as a belt, does
 * not count as motion. height: scratch of frame_count. */
FootLevel foot_level(const FootFrame *frame, int frame_count, double frame_time, double *height);

/* Corrects the levels of one or both feet. If a foot is rarely flat, or its level varies, the level follows in part
 * from its bones: the toe joint is as far below the ankle as on the other foot, or as on adults, and the shank does not
 * lean sideways. Feet without a toe joint stay unchanged. */
void foot_levels_settle(FootLevel *level, int count);

/* Sets a frame from the world orientations of both joints and the vector from ankle to knee; the caller sets the
 * rest. */
void foot_frame_orient(FootFrame *f, Quat ankle, Quat toe, Vec3 shank);

/* Level of a foot from a clip's motion; kinematics, if any, must be those of the motion. joint: knee, ankle and toe
 * (the ankle if there is no toe joint). frame, pose, height: scratch of frame_count. */
FootLevel foot_level_of_clip(const ClipView *clip, const int joint[3], FootFrame *frame, FootPose *pose,
                             double *height);

enum { FOOT_POINTS = 5 };

/* Unrecorded supports of a body in a frame besides the ground (support.h): bits. */
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
/* The same for retargeting, which compares bodies as their files draw them: soles of the rest pose if it is a standing
 * pose. */
Status contact_points_drawn(const Skeleton *skeleton, const Kinematics *kinematics, ContactPoints *out, Error *err);
void contact_points_free(ContactPoints *points);

/* Of contact_points_init: the points of a body that is not human, into storage for joint_count + end_count points and
 * groups; sets leg_length and level_spread. */
Status creature_points_fill(const Skeleton *skeleton, const Body *body, const Kinematics *kinematics,
                            ContactPoints *out, Error *err);

/* First of the FOOT_POINTS of each foot, if the body has feet. */
void contact_points_feet(const ContactPoints *points, int first[FOOT_COUNT]);

#endif
