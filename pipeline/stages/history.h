/* The line that a stage leaves in a container: its name and its resolved options, as they would be typed. */
#ifndef KANE_PIPELINE_HISTORY_H
#define KANE_PIPELINE_HISTORY_H

#include "pipeline/stages/stage.h"

/* Appends "smooth --method butterworth --cutoff 8", having taken out the lines that this stage made untrue: of the
 * stages that fill a group only the last call counts, and only while the group is there. What changes skeleton or
 * motion adds up. */
Status history_stamp(Clip *clip, const Stage *stage, const OptionValues *resolved, Error *err);

/* Appends the line of a command, with a note (may be NULL) behind " # ". */
Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err);

#endif
