/* The line that a stage leaves in a container: verb and resolved options, as they would be typed. */
#ifndef KANE_PIPELINE_HISTORY_H
#define KANE_PIPELINE_HISTORY_H

#include "pipeline/cli/verbs.h"

/* "smooth --method butterworth --cutoff 8"; a note (may be NULL) follows behind " # ". The caller frees *line. */
Status history_line(const Verb *verb, const OptionValues *resolved, const char *note, char **line, Error *err);

/* Appends that line to the clip's history. */
Status history_stamp(Clip *clip, const Verb *verb, const OptionValues *resolved, const char *note, Error *err);

#endif
