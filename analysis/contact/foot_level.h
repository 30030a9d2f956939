/* How a foot lies when it is flat on the ground: by its motion alone, not by how a file draws it at rest. */
#ifndef KANE_CONTACT_FOOT_LEVEL_H
#define KANE_CONTACT_FOOT_LEVEL_H

#include "analysis/clip/clip_view.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

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
    Vec3 sole;     /* m, from the ankle to the joint that carries the sole (foot_sole_joint), ankle axes */
    Quat toe;      /* axes of the ankle to those of the toe joint */
    Quat sole_axes; /* axes of the ankle to those of the joint that carries the sole */
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
    Vec3 sole;   /* m, ankle axes */
    Quat toe;    /* axes of the ankle to those of the toe joint */
    Quat sole_axes; /* axes of the ankle to those of the joint that carries the sole */
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

#endif
