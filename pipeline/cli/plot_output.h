/* Runs gnuplot scripts and writes the pictures to the user's output. */
#ifndef KANE_CLI_PLOT_OUTPUT_H
#define KANE_CLI_PLOT_OUTPUT_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/source/source.h"
#include "pipeline/cli/output_file.h"

typedef enum PlotResult { RESULT_AUTO, RESULT_SVG, RESULT_PNG, RESULT_GNUPLOT } PlotResult;

/* Values are PlotResult; svg without extension. */
extern const OutputEnding plot_endings[];

typedef struct PlotOutput {
    const OutputCall *call;
    const char *path; /* "-": standard output */
    FileKind kind;
    int is_script;    /* 1: write the script itself */
    const Provenance *origin; /* of the clips drawn */
} PlotOutput;

/* script: open for reading and writing, read from its beginning. STATUS_IO if gnuplot is missing, fails or draws
 * nothing; err has its message. */
Status plot_output_put(const PlotOutput *out, FILE *script, Error *err);

#endif
