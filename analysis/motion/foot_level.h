/* How a foot lies when it is flat on the ground: by its motion alone, not by how a file draws it at rest. */
#ifndef KANE_MOTION_FOOT_LEVEL_H
#define KANE_MOTION_FOOT_LEVEL_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* A foot in a frame. */
typedef struct FootFrame {
    double height; /* m, of the ankle */
    double rise;   /* m/s, the larger vertical speed of ankle and toe joint */
    double turn;   /* rad/s, of the foot */
    Vec3 up, toe_up; /* world up in the axes of ankle and toe joint */
} FootFrame;

/* Up in the axes of ankle and toe joint while the foot is low and still. */
typedef struct FootLevel {
    Vec3 up, toe_up;  /* unit; zero where there is no frame */
    double rest;      /* s that it is flat, by weight */
} FootLevel;

/* Weighs frames by lowness and stillness; a ground that carries the foot along, as a belt does, is no motion. */
FootLevel foot_level(const FootFrame *frame, int frame_count, double frame_time);

/* The same of a motion; toe is the ankle where there is no toe joint. frame: scratch of frame_count. */
FootLevel foot_level_of_motion(const Skeleton *s, const Motion *motion, int ankle, int toe, FootFrame *frame);

#endif
