/* How well a motion was put on another skeleton: attributes of the group /retarget of a container. */
#ifndef KANE_CLIP_RETARGET_SCORE_H
#define KANE_CLIP_RETARGET_SCORE_H

#include <math.h>

/* NaN: nothing to measure. Contact is that of the source's feet. */
typedef struct RetargetScore {
    double scale;                /* leg length of the target over the source's */
    double contact_kept;         /* 0 .. 1: of the source's contact frames, those in which the target's foot is down */
    double slide_cm_s;           /* mean speed along the ground of the sole's lower point in contact */
    double slide_cm;             /* mean way of that point in one contact */
    double slide_most_cm;        /* largest way in one contact */
    double penetration_cm;       /* deepest point of a sole below the ground */
    double direction_deg;        /* mean angle between bones outside the legs and those of the source */
    double leg_direction_deg;    /* the same in the legs */
    double hand_reach_cm;        /* mean distance of the wrists from where --hands wants them */
    double limits_hit;           /* joint-frames in which a joint limit held */
} RetargetScore;

static inline RetargetScore retarget_score_unknown(void)
{
    return (RetargetScore){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

#endif
