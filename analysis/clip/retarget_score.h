/* Metrics of a retargeting: attributes of the group /retarget of a clip file. */
#ifndef KANE_CLIP_RETARGET_SCORE_H
#define KANE_CLIP_RETARGET_SCORE_H

#include <math.h>

#include "analysis/math/lane_width.h"

/* All metrics, in the order of files and tables; those of a FRAMED row have the frame of their worst value. An
 * "increase" is the excess over the scaled source. docs/formats/clip_file.md describes each. */
#define RETARGET_METRICS(METRIC, FRAMED) \
    METRIC(scale)                /* leg length of the target over that of the source */ \
    METRIC(source_rest_frame)    /* frame of the pose in which bodies are compared; -1: the zero pose */ \
    METRIC(target_rest_frame) \
    METRIC(rest_asymmetry_deg)      /* largest difference of left and right limbs in one of both poses */ \
    METRIC(contact_kept)         /* 0 .. 1: of the source's contact frames, those with the target's foot down */ \
    FRAMED(slide_increase_cm_s)     /* mean speed along the ground of the slowest sole point in contact */ \
    FRAMED(penetration_increase_cm) /* deepest point of a sole below the ground */ \
    FRAMED(bone_direction_deg)        /* mean angle of bones to the source's, without legs and clavicles */ \
    FRAMED(leg_direction_deg)    /* the same for the legs */ \
    FRAMED(knee_acceleration)    /* 99th percentile over the source's, knee angle below 12 Hz; worse knee */ \
    FRAMED(hip_jerk)             /* the same for the third derivative of the height of the hips' middle */ \
    FRAMED(hip_drop_cm)          /* largest drop of the hips below the source's, relative to the median */ \
    METRIC(hand_reach_cm)        /* mean distance of the wrists from the targets of --hands */ \
    FRAMED(wrist_depth_increase_cm) /* deepest wrist below the ground */ \
    FRAMED(overlap_increase_cm)     /* largest penetration of arms into trunk, head or legs, as capsules */ \
    FRAMED(mirror_cm)            /* largest distance between the mirrored clip's result and the mirrored result */ \
    METRIC(residual_before_bw)   /* RMS force that ground forces do not explain, of the source ... */ \
    FRAMED(residual_after_bw)    /* ... and of the result, each in its body weights */ \
    METRIC(limits_hit)           /* joint-frames at a joint limit */ \
    FRAMED(facing_pelvis_deg)    /* mean angle of what a segment carries to the source's: left of the trunk, ... */ \
    FRAMED(facing_chest_deg) \
    FRAMED(facing_head_deg) \
    FRAMED(facing_thigh_deg)     /* ... front of a limb; the worse side */ \
    FRAMED(facing_forearm_deg) \
    FRAMED(facing_hand_deg) \
    FRAMED(sink_increase_cm)     /* deepest joint or end of a foot below the floor, in its worst frame */ \
    FRAMED(girdle_width_change)  /* 98th percentile of the change of the shoulders' distance over its rest */ \
    FRAMED(hands_apart_cm)       /* mean difference of the wrists' distance, while closer than the shoulders */ \
    FRAMED(root_height_cm)       /* largest difference of the root's height from where its kind belongs */ \
    FRAMED(root_path_cm)         /* the same along the ground */

#define RETARGET_NO_FRAME(name)
#define RETARGET_FRAME(name) WORST_##name,
#define RETARGET_METRIC_MEMBER(name) double name;
#define RETARGET_METRIC_UNKNOWN(name) .name = NAN,
#define RETARGET_FRAME_UNKNOWN(name) .name = NAN, .worst_frame[WORST_##name] = NAN,

enum { RETARGET_METRICS(RETARGET_NO_FRAME, RETARGET_FRAME) RETARGET_FRAMES };
/* The first frame of what a viewer sees, which files have in an attribute of its own. */
enum { WORST_VIEWER = WORST_facing_pelvis_deg };

/* NaN: not measured. Contact means that of the source's feet. */
typedef struct RetargetScore {
    RETARGET_METRICS(RETARGET_METRIC_MEMBER, RETARGET_METRIC_MEMBER)
    double worst_frame[RETARGET_FRAMES]; /* [WORST_slide_increase_cm_s], ...: frame from 0 */
} RetargetScore;

static inline RetargetScore retarget_score_unknown(void)
{
    return (RetargetScore){RETARGET_METRICS(RETARGET_METRIC_UNKNOWN, RETARGET_FRAME_UNKNOWN)};
}

/* Renumbers the frames of a score after a change of the motion: the clip begins at the old frame `first`, with `ratio`
 * new frames per old one and `frame_count` in total. Frames that no longer exist become NaN. */
void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count);

#endif
