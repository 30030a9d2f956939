/* Recomputes kinematics, contact, torque and angles after a change of the motion, with the options of the history.
 * Measured forces, whose table is not in the clip, are saved and scaled. */
#ifndef KANE_STAGES_RECOMPUTE_H
#define KANE_STAGES_RECOMPUTE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/clip_scale.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

enum { RECOMPUTED_STAGES = 4 };

/* Initialise with (Recompute){0}. */
typedef struct Recompute {
    const char *change;               /* what happened to the motion: "scaled", "resampled" */
    int count;
    const Stage *stage[RECOMPUTED_STAGES]; /* in order; NULL: contact, from the saved measured forces */
    OptionValues values[RECOMPUTED_STAGES];
    Contact measured;                 /* owned */
    char measured_line[256];          /* its history line */
} Recompute;

/* Plans the stages to run from the clip's groups and history. A stage that read a table, and those that depend on it,
 * are left out with a note. */
Status recompute_plan(const char *change, Clip *clip, Recompute *out, Notes *notes, Error *err);

/* Likewise, with an estimate in place of measured forces, which belong to the motion that was measured.
 * STATUS_BAD_INPUT if the torques of the clip cannot be computed again. */
Status recompute_plan_estimated(const char *change, Clip *clip, Recompute *out, Notes *notes, Error *err);

/* Runs the plan on the changed clip; ground heights and measured forces are scaled first. */
Status recompute_apply(Recompute *recompute, const ClipScale *scale, Clip *clip, Notes *notes, Error *err);

void recompute_free(Recompute *recompute);

#endif
