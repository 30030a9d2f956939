/* The frames of a file: their rate, and whether the first of them is a pose that was put before the take. */
#ifndef KANE_EVIDENCE_FRAMES_H
#define KANE_EVIDENCE_FRAMES_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* The rate in Hz of which frame_time (s) is the rounded or cut reciprocal: an exact whole rate first, then the rates in
 * use (24, 30, 60, 120, ..., and the television rates n * 1000 / 1001), then any whole rate, else 1 / frame_time. The
 * digits that were written are those of the shortest decimal that reads back as frame_time. confidence in 0..1; a frame
 * time that is not positive and finite gives 30 with confidence 0. */
double frame_rate_from_time(double frame_time, double *confidence);

/* 1 where frame 0 is no part of the movement: the step from it to frame 1 is far larger than every step soon after, in
 * the joints on average, or in the root's turn or place. confidence in 0..1. Needs at least five frames. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence);

#endif
