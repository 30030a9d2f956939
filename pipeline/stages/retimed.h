/* A retimed clip: its motion, where each frame is in the clip, and what stays over its limit. */
#ifndef KANE_STAGES_RETIMED_H
#define KANE_STAGES_RETIMED_H

#include "analysis/clip/motion.h"
#include "analysis/clip/trust.h"

/* An effort that stays over its limit, where it is largest. */
typedef struct Overload {
    int frame;     /* of the retimed clip */
    double time;   /* s, of that frame */
    double factor; /* of the limit */
    char name[64];
} Overload;

typedef struct Retimed {
    Motion motion;     /* owned */
    Trust trust;       /* owned; empty if the clip has none */
    double *place;     /* [motion.frame_count] owned; s of the clip from its first frame */
    int is_same;       /* 1: the clip is within its limits, and the rest is empty */
    int is_within;     /* 1: within the limits, or what slowing can reach of them */
    int flights;       /* number of flights, and of those that gravity makes longer */
    int wrong_flights;
    int overloads;
    Overload *overload; /* [overloads] owned, the largest first */
} Retimed;

void retimed_free(Retimed *retimed);

#endif
