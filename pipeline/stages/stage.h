/* A stage: one step from a clip to the next, told as data.
 *
 * What a stage needs and fills is declared, and stage_apply alone acts on it: it refuses a clip that lacks a group,
 * drops what is stale, says which groups are there and writes the line of history. What `kane run`, `kane batch` and
 * libkane make in memory therefore equals what the stages make in a pipe, byte for byte. Nothing here prints or ends
 * the process: failures are errors, the rest are notes. */
#ifndef KANE_STAGES_STAGE_H
#define KANE_STAGES_STAGE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/math/lane_width.h"
#include "pipeline/stages/option.h"

/* The line that a command leaves in a container: its name and its resolved options, as they would be typed. */

/* Appends "smooth --method butterworth --cutoff 8", with a note (may be NULL) behind " # ". Lines that a stage makes
 * untrue are taken out by stage_apply. */
Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err);

typedef struct Stage {
    Command command;
    void (*defaults)(OptionValues *values); /* NULL: all zero */
    unsigned needs; /* ClipGroups without which it cannot work */
    unsigned fills; /* ClipGroups that it makes or changes; what is computed from them is stale then */
    int reads_motion; /* 1: it needs nothing but motion, so that its command also reads motion files */
    unsigned adapts; /* ClipGroups that would be stale, which it changes itself to fit what it fills */

    /* Groups that these options need besides; NULL: none. */
    unsigned (*needs_with)(const OptionValues *values);

    /* Refuses options that contradict themselves or the clip, and settles what follows from the others. The clip still
     * has all it came with; NULL before there is one. NULL: nothing can be wrong. */
    Status (*check)(OptionValues *values, const Clip *clip, Error *err);

    /* Fills the groups, of which those that are computed are empty. values is the stage's own copy: what "auto" became
     * is written into it, so that the history holds resolved options. */
    Status (*apply)(OptionValues *values, Clip *clip, Notes *notes, Error *err);
} Stage;

/* Every stage, in the order of `kane --help`: pipeline/stages/NAME.c defines stage_NAME. */
#define STAGES(STAGE) \
    STAGE(trim) STAGE(resample) STAGE(mirror) STAGE(retarget) STAGE(scale) STAGE(body) STAGE(smooth) STAGE(diff) \
    STAGE(contact) STAGE(torque) STAGE(anatomy) STAGE(track)

#define STAGE_DECLARE(name) extern const Stage stage_##name;
STAGES(STAGE_DECLARE)

/* NULL where no stage has that name. */
const Stage *stage_find(const char *name);

void stage_defaults(const Stage *stage, OptionValues *values);

/* Applies one stage; values is not changed. notes may be NULL. On failure the clip can only be freed. */
Status stage_apply(const Stage *stage, const OptionValues *values, Clip *clip, Notes *notes, Error *err);

/* The vector width: KANE_LANES=1|2|4|8 in the environment forces it, so that tests can compare the bits. LANES_AUTO
 * where the variable is not set; STATUS_USAGE where it makes no sense. */
Status stage_lanes(LaneWidth *lanes, Error *err);

/* The history of a clip, read back: with which options a stage was applied. */

/* The options with which a stage was last applied to the clip, as its history tells: values holds its defaults where
 * it says nothing. *file becomes the name of a file that it read, of which only name and digest are known, or "" (at
 * most size - 1 bytes). STATUS_BAD_INPUT names what this version does not know. */
Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err);

/* Whether a stage was ever applied to the clip. */
int history_has(const Clip *clip, const Stage *stage);

/* Whether the last line of a stage has a word, such as "--external". */
int history_line_has(const Clip *clip, const Stage *stage, const char *word);

#endif
