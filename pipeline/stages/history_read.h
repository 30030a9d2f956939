/* The history of a clip, read back: with which options a stage was applied. */
#ifndef KANE_PIPELINE_HISTORY_READ_H
#define KANE_PIPELINE_HISTORY_READ_H

#include "pipeline/stages/stage.h"

/* The options with which a stage was last applied to the clip, as its history tells: values holds its defaults where
 * it says nothing. *file becomes the name of a file that it read, of which only name and digest are known, or "" (at
 * most size - 1 bytes). STATUS_BAD_INPUT names what this version does not know. */
Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err);

/* Whether a stage was ever applied to the clip. */
int history_has(const Clip *clip, const Stage *stage);

/* Whether the last line of a stage has a word, such as "--external". */
int history_line_has(const Clip *clip, const Stage *stage, const char *word);

#endif
