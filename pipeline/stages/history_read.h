/* Reads the history of a clip: the options with which a stage was applied. */
#ifndef KANE_STAGES_HISTORY_READ_H
#define KANE_STAGES_HISTORY_READ_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* Reads the options with which a stage was last applied; those not in the history keep their defaults. *file receives
 * the name of a file that it read, of which only name and digest are stored, or "" (at most size - 1 bytes).
 * STATUS_BAD_INPUT names what this version does not support. */
Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err);

/* Returns whether the history has a line of the stage. */
int history_has(const Clip *clip, const Stage *stage);

/* Returns whether the last line of a stage contains a word, such as "--external". */
int history_line_has(const Clip *clip, const Stage *stage, const char *word);

/* Where the options of a line go. */
typedef struct HistoryReading {
    const Command *command;
    char *values;       /* of its options */
    char *file;         /* receives a file name */
    size_t size;
    const char *source; /* its directory has the files; NULL: files are only named */
} HistoryReading;

/* Returns what follows the command's current or old name in a line of history; NULL if it is another command's line. */
const char *history_behind_name(const Command *command, const char *line);

/* Parses the options of a line without its command name and note; changes words. */
Status history_read_options(const HistoryReading *r, char *words, Error *err);

#endif
