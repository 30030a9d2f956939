/* How a foot lies when it is flat on the ground: by its motion alone, not by how a file draws it at rest. */
#ifndef KANE_CONTACT_FOOT_LEVEL_H
#define KANE_CONTACT_FOOT_LEVEL_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

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

/* Where a foot is in a frame of a motion, beside the height of its ankle. */
typedef struct FootPlace {
    double toe_height; /* m */
    Quat ankle, toe;   /* joint to world */
} FootPlace;

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

/* The same of a clip with a motion; its kinematics, where it has them, are those of the motion. joint: knee, ankle and
 * toe, the ankle where there is no toe joint. frame, place, height: scratch of frame_count. */
FootLevel foot_level_of_clip(const ClipView *clip, const int joint[3], FootFrame *frame, FootPlace *place,
                             double *height);

#endif
