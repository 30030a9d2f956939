/* Values of options of kane track that are words or lists: from text to numbers. STATUS_USAGE with the name of the
 * option and the text found. */
#ifndef KANE_STAGES_TRACK_WORDS_H
#define KANE_STAGES_TRACK_WORDS_H

#include "analysis/control/playback.h"

/* "1,1,B": mass in kg, height in m and body name, to which *body points. */
Status track_parse_perturb(const char *text, BallDrop *ball, const char **body, Error *err);

/* Name of a joint or role in the middle of a list. */
typedef struct TrackName {
    char text[256];
} TrackName;

/* "chest,200,forward,1,0.2" or, with a point, "chest,200,forward,1,0.2,0,0.1,0". push->joint is not filled. */
Status track_parse_push(const char *text, Push *push, TrackName *joint, Error *err);

/* Reads the angle of a slope, degrees. */
Status track_parse_slope(const char *text, double *degrees, Error *err);

/* "3,8,left,chest,1.5". ball->joint is not filled. */
Status track_parse_throw(const char *text, BallDrop *ball, TrackName *joint, Error *err);

/* "1,0.3,0.001,0". */
Status track_parse_weights(const char *text, BalanceWeights *weights, Error *err);

/* *kind -1: all. */
Status track_parse_controller(const char *text, int *kind, Error *err);

#endif
