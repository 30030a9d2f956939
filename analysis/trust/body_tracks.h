/* World positions along a take that its feet and its ground are judged by.
 *
 * A foot's points are its ankle, all joints below it, and their end sites. m, world axes +Y up. */
#ifndef KANE_TRUST_BODY_TRACKS_H
#define KANE_TRUST_BODY_TRACKS_H

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

typedef struct BodyTracks {
    int frame_count;
    double frame_time; /* s */
    int points[2];     /* of the left and the right foot */
    Vec3 *point[2];    /* [frame][points] */
    Vec3 *root;        /* [frame] */
    double *lowest;    /* [frame] the lowest joint or end site of the body */
} BodyTracks;

/* points is 0 of a foot that has no ankle. Arrays belong to the arena; where one is missing, arena->failed is set. */
void body_tracks_init(BodyTracks *out, const Skeleton *skeleton, const Motion *motion, Arena *arena);

/* The lowest point of a foot in a frame, m. */
double body_tracks_foot_height(const BodyTracks *t, int foot, int frame);

/* low[count]: the least of value[count] within `reach` places on either side. scratch[count]. Cost: O(count). */
void sliding_least(const double *value, int count, int reach, double *low, int *scratch);

#endif
