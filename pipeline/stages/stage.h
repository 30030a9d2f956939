/* A stage, one step of the pipeline from clip to clip, described as data.
 *
 * A stage declares what it needs and fills. Only stage_apply acts on this: it rejects a clip that lacks a group, drops
 * stale groups, updates /dof, marks the groups that exist and writes the history line. In-memory runs by `kane run`,
 * `kane batch` and libkane therefore give the same bytes as separate commands in a pipe. Nothing here prints or exits:
 * failures are errors, the rest are notes. */
#ifndef KANE_STAGES_STAGE_H
#define KANE_STAGES_STAGE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/math/lane_width.h"
#include "analysis/motion/dof_motion.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"

typedef struct Stage {
    Command command;
    void (*defaults)(OptionValues *values); /* NULL: all zero */
    unsigned needs; /* ClipGroups that it requires */
    unsigned fills; /* ClipGroups that it computes or changes; those computed from them become stale */
    int reads_motion; /* 1: requires only motion, so its command also reads motion files */
    unsigned adapts; /* ClipGroups that would be stale but are updated by the stage itself */

    /* Further groups that these options require; NULL: none. */
    unsigned (*needs_with)(const OptionValues *values);

    /* Rejects options that conflict with each other or the clip, and fills in those that follow from others. Nothing
     * has been dropped from the clip yet; clip NULL: not read yet. NULL: no check. */
    Status (*check)(OptionValues *values, const Clip *clip, Error *err);

    /* Returns whether the stage keeps what the clip already has instead of filling it; why[size] receives the message.
     * NULL: never. */
    int (*keeps)(const OptionValues *values, const Clip *clip, char *why, size_t size);

    /* Fills the groups; computed ones are empty before. values is a copy in which the stage replaces "auto", so that
     * the history has resolved options. */
    Status (*apply)(OptionValues *values, Clip *clip, Notes *notes, Error *err);

    /* Writes what the history line has after " # ", from resolved values; nothing: text stays empty. NULL: nothing. */
    void (*remark)(const OptionValues *resolved, char *text, size_t size);

    /* Replaces what the stage chose itself, as such a remark states, by "auto", so that a repetition chooses again.
     * NULL: nothing. */
    void (*forget)(const char *remark, OptionValues *values);

    const char *shortfall; /* kind of warning of a clip that is written, but with exit code 1; NULL: none */

    /* What the command does in place of stage_apply: applies the stage and recomputes what the clip had. NULL:
     * stage_apply. */
    Status (*apply_and_recompute)(const OptionValues *values, Clip *clip, Notes *notes, Error *err);
} Stage;

static inline void stage_defaults(const Stage *stage, OptionValues *values)
{
    *values = (OptionValues){0};
    if (stage->defaults)
        stage->defaults(values);
}

/* STATUS_BAD_INPUT, with joint and advice, if the motion deviates too far from the axes of the degrees of freedom. */
Status stage_check_axes(const Clip *clip, const DofMisfit *misfit, Error *err);

/* Applies one stage; values is not modified. notes may be NULL. On failure the clip can only be freed. */
Status stage_apply(const Stage *stage, const OptionValues *values, Clip *clip, Notes *notes, Error *err);

/* Returns the vector width: KANE_LANES=1|2|4|8 in the environment, for tests that compare bits; LANES_AUTO if it is not
 * set. STATUS_USAGE if it is invalid. */
Status stage_lanes(LaneWidth *lanes, Error *err);

#endif
