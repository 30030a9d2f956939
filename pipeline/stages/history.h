/* The history of a clip: a line per command, its name and resolved options, as they would be typed. */
#ifndef KANE_STAGES_HISTORY_H
#define KANE_STAGES_HISTORY_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/option.h"

/* Appends a line such as "smooth --method butterworth --cutoff 8", with the note (may be NULL) after " # ". stage_apply
 * removes lines that a stage makes stale. */
Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err);

/* The group that a stage computes from the others, by the names of the stage. */
typedef struct ComputedGroup {
    ClipGroup group;
    const char *stage, *old_name; /* old_name NULL: none */
} ComputedGroup;

/* In the order of computation; the last entry has no stage. */
extern const ComputedGroup computed_groups[];

/* Removes the lines that no longer apply after a stage filled these groups: stages that change skeleton or motion
 * accumulate; of the others only the last call counts, as long as the group exists. */
void history_drop_stale(Clip *clip, unsigned filled);

#endif
