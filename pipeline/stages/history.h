/* The line that a command leaves in a container: its name and its resolved options, as they would be typed. */
#ifndef KANE_PIPELINE_HISTORY_H
#define KANE_PIPELINE_HISTORY_H

#include "analysis/clip/clip.h"
#include "pipeline/stages/option.h"

/* Appends "smooth --method butterworth --cutoff 8", with a note (may be NULL) behind " # ". Lines that a stage makes
 * untrue are taken out by stage_apply. */
Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err);

#endif
