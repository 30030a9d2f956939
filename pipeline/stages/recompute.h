/* What was computed from a clip's motion, made anew after the motion changed: diff, contact, torque and anatomy with
 * the options that its history tells. Measured forces are kept aside and scaled, as their table is not in the clip. */
#ifndef KANE_STAGES_RECOMPUTE_H
#define KANE_STAGES_RECOMPUTE_H

#include "analysis/motion/mirror.h"
#include "pipeline/stages/stage.h"

enum { RERUN_STAGES = 4 };

/* Begins as (Recompute){0}. */
typedef struct Recompute {
    const char *change;               /* of the motion: "scaled", "resampled" */
    int count;
    const Stage *stage[RERUN_STAGES]; /* in order; NULL: the measured forces stand for it */
    OptionValues values[RERUN_STAGES];
    Contact measured;                 /* owned */
    char measured_line[256];          /* of the history */
} Recompute;

/* Reads what to run from the clip's groups and history. What read a table, and what follows from it, is left out with
 * a note. */
Status recompute_plan(const char *change, Clip *clip, Recompute *out, Notes *notes, Error *err);

/* After the clip was scaled: runs it. Heights of the ground and measured forces are scaled first. */
Status recompute_apply(Recompute *recompute, const ClipScale *scale, Clip *clip, Notes *notes, Error *err);

void recompute_free(Recompute *recompute);

#endif
