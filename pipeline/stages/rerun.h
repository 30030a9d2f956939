/* What was computed from a clip's motion, made anew after the motion changed: diff, contact, torque and anatomy with
 * the options that its history tells. Measured forces are kept aside and scaled, as their table is not in the clip. */
#ifndef KANE_PIPELINE_RERUN_H
#define KANE_PIPELINE_RERUN_H

#include "analysis/body/clip_scale.h"
#include "pipeline/stages/stage.h"

enum { RERUN_STAGES = 4 };

/* Begins as (Rerun){0}. */
typedef struct Rerun {
    const char *change;               /* of the motion: "scaled", "resampled" */
    int count;
    const Stage *stage[RERUN_STAGES]; /* in order; NULL: the measured forces stand for it */
    OptionValues values[RERUN_STAGES];
    Contact measured;                 /* owned */
    char measured_line[256];          /* of the history */
} Rerun;

/* Reads what to run from the clip's groups and history. What read a table, and what follows from it, is left out with
 * a note. */
Status rerun_plan(const char *change, Clip *clip, Rerun *out, Notes *notes, Error *err);

/* After the clip was scaled: runs it. Heights of the ground and measured forces are scaled first. */
Status rerun_apply(Rerun *rerun, const ClipScale *scale, Clip *clip, Notes *notes, Error *err);

void rerun_free(Rerun *rerun);

#endif
