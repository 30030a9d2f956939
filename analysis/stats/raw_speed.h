/* Speeds of a motion before it is smoothed, which flattens fast swings. */
#ifndef KANE_STATS_RAW_SPEED_H
#define KANE_STATS_RAW_SPEED_H

#include "analysis/clip/clip.h"

/* Fastest elbow, knee, arm, shank or, to and fro, root. */
typedef struct RawSpeed {
    int joint, frame; /* -1: none */
    double factor;    /* speed over the fastest people's (data/verdict.tsv) */
    int is_noise;     /* 1: most joints of the recording jitter */
} RawSpeed;

/* Elbows and knees: rotation between two frames, if the next two turn at least half as fast, in frames without flags of
 * import. Arms, shanks and the root: swings to and fro over 0.5 s. Jitter is no speed. */
RawSpeed raw_speed_find(const Clip *imported);

#endif
