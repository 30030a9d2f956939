/* What the files of the library share. */
#ifndef KANE_LIBRARY_KANE_INTERNAL_H
#define KANE_LIBRARY_KANE_INTERNAL_H

#include "analysis/clip/clip.h"
#include "library/kane.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/simulate_options.h"

struct KaneClip {
    Clip clip;
};

struct KaneOptions {
    KaneCommand command;
    Pipeline values;          /* of KANE_COMMAND_RUN */
    SimulateOptions simulate; /* of KANE_COMMAND_SIMULATE */
    OptionValues track;       /* of KANE_COMMAND_TRACK */
    char **text; /* [text_count] option values, owned */
    size_t text_count;
};

/* Copies an error to *out, which may be NULL; returns the status. */
int kane_report(Status status, const Error *err, KaneError *out);

/* STATUS_USAGE if the options are those of another command; NULL options are the defaults. */
Status kane_check_command(const KaneOptions *options, KaneCommand command, Error *err);

#endif
