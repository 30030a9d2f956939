/* Pictures of gnuplot's: a script is run, and what it draws goes where the person wants it. */
#ifndef KANE_PIPELINE_PLOT_OUTPUT_H
#define KANE_PIPELINE_PLOT_OUTPUT_H

#include <stdio.h>

#include "pipeline/cli/output.h"

typedef enum PlotResult { RESULT_AUTO, RESULT_SVG, RESULT_PNG, RESULT_GNUPLOT } PlotResult;

/* Of a PlotResult; svg without an ending. */
extern const OutputEnding plot_endings[];

typedef struct PlotOutput {
    const OutputCall *call;
    const char *path; /* "-": standard output */
    FileKind kind;
    int is_script;    /* 1: the script itself is wanted */
} PlotOutput;

/* script is open for reading and writing, and is read from its beginning. STATUS_IO where gnuplot is missing, fails or
 * draws nothing; its first words are in err. */
Status plot_output_put(const PlotOutput *out, FILE *script, Error *err);

#endif
