/* How well a motion was put on another skeleton: attributes of the group /retarget of a container. */
#ifndef KANE_CLIP_RETARGET_SCORE_H
#define KANE_CLIP_RETARGET_SCORE_H

#include <math.h>

/* Every figure, in the order of files and tables. A figure NAME of frames has its worst one in NAME_frame, from 0.
 * "Added" is what is more than the source has, scaled. docs/formats.md tells each. */
#define RETARGET_FIGURES(FIGURE) \
    FIGURE(scale)                /* leg length of the target over the source's */ \
    FIGURE(source_rest_frame)    /* of the pose in which bodies are compared; -1: the zero pose */ \
    FIGURE(target_rest_frame) \
    FIGURE(rest_unlike_deg)      /* most by which left and right limbs differ in one of both poses */ \
    FIGURE(contact_kept)         /* 0 .. 1: of the source's contact frames, those with the target's foot down */ \
    FIGURE(slide_cm_s)           /* mean speed along the ground of the sole's stillest point in contact */ \
    FIGURE(slide_cm)             /* mean way of that point in one contact */ \
    FIGURE(slide_most_cm)        /* largest way in one contact */ \
    FIGURE(slide_added_cm_s)     /* mean speed that is added */ \
    FIGURE(slide_frame) \
    FIGURE(penetration_cm)       /* deepest point of a sole below the ground */ \
    FIGURE(penetration_added_cm) \
    FIGURE(penetration_frame) \
    FIGURE(direction_deg)        /* mean angle between bones outside the legs and those of the source */ \
    FIGURE(direction_frame) \
    FIGURE(leg_direction_deg)    /* the same in the legs */ \
    FIGURE(leg_direction_frame) \
    FIGURE(head_deg)             /* mean angle between where the heads look */ \
    FIGURE(head_frame) \
    FIGURE(strike_deg)           /* mean angle between the feet in the first frames of contacts */ \
    FIGURE(strike_frame) \
    FIGURE(knee_acceleration)    /* 99th percentile, of the source's: of a knee's angle after 12 Hz, the worse knee */ \
    FIGURE(knee_frame) \
    FIGURE(hip_acceleration)     /* the same of the hips' middle */ \
    FIGURE(hip_frame) \
    FIGURE(hip_jerk)             /* the same of the rate at which its height accelerates */ \
    FIGURE(jerk_frame) \
    FIGURE(hip_drop_cm)          /* most that the hips are lower than the source's, against the median */ \
    FIGURE(drop_frame) \
    FIGURE(hand_reach_cm)        /* mean distance of the wrists from where --hands wants them */ \
    FIGURE(wrist_depth_added_cm) /* deepest wrist below the ground */ \
    FIGURE(wrist_frame) \
    FIGURE(hand_contact_kept)    /* 0 .. 1: of the frames with a source's hand on the ground, with the target's */ \
    FIGURE(overlap_added_cm)     /* most that arms are inside trunk, head or legs, as capsules */ \
    FIGURE(overlap_frame) \
    FIGURE(hand_body_cm)         /* mean change of the distance from hands near the body to its surface */ \
    FIGURE(hand_body_frame) \
    FIGURE(mirror_cm)            /* most by which the mirrored clip's result lies off the mirrored result */ \
    FIGURE(mirror_frame) \
    FIGURE(residual_before_bw)   /* RMS of the force that ground forces leave unexplained, of the source ... */ \
    FIGURE(residual_after_bw)    /* ... and of the result, each in its own body weights */ \
    FIGURE(residual_frame) \
    FIGURE(limits_hit)           /* joint-frames in which a joint limit held */

#define RETARGET_FIGURE_MEMBER(name) double name;
#define RETARGET_FIGURE_UNKNOWN(name) .name = NAN,

/* NaN: nothing to measure. Contact is that of the source's feet. */
typedef struct RetargetScore {
    RETARGET_FIGURES(RETARGET_FIGURE_MEMBER)
} RetargetScore;

static inline RetargetScore retarget_score_unknown(void)
{
    return (RetargetScore){RETARGET_FIGURES(RETARGET_FIGURE_UNKNOWN)};
}

/* Frames of the clip as they are counted after a change of its motion: from frame `first` on, `ratio` frames for each
 * old one, `frame_count` in all. One that the clip no longer has is NaN. */
void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count);

#endif
