/* What a viewer of a retargeted motion sees beside bone directions: where segments face, feet below the floor, the
 * width of the shoulders, the distance of the hands, the height and path of the root. */
#ifndef KANE_RETARGET_VIEWER_SCORE_H
#define KANE_RETARGET_VIEWER_SCORE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/retarget_score.h"
#include "analysis/retarget/scorecard.h"

/* Sets facing_*, girdle_width_change, hands_apart_cm and, with a contact, sink_increase_cm. The front of each segment
 * is that of a standing pose as a file has it (REFERENCE_REST or REFERENCE_MEAN), not of the pose that retargeting
 * compared: an error in that would otherwise remain unseen. target, source: bodies with their own motion, or without
 * one. */
Status viewer_score(const ScoredPair *pair, const ClipView *target, const ClipView *source, RetargetScore *score,
                    Error *err);

/* A retargeted motion with its bodies. */
typedef struct BodiesInMotion {
    const ClipView *target, *source; /* target: with its own motion, or without one */
    const Motion *motion;            /* of the target */
} BodiesInMotion;

/* Sets root_height_cm and root_path_cm. The root belongs where its kind does (root_placement.h): the hips, and a joint
 * at their height, follow the source's hips, scaled; a root that travels follows them along the ground at its own
 * height, or the source's root if that travels, too; one that stays, stays. kind: of root_placement_apply; a motion in
 * place is not scored. */
Status viewer_score_root(const BodiesInMotion *of, int kind, double scale, RetargetScore *score, Error *err);

#endif
