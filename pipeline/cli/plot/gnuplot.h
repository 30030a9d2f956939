/* gnuplot as a child process, without a shell. */
#ifndef KANE_PIPELINE_GNUPLOT_H
#define KANE_PIPELINE_GNUPLOT_H

#include <stdio.h>

#include "analysis/base/status.h"

/* Runs the script from its beginning, with the picture going to an open regular file. STATUS_IO where gnuplot is
 * missing, fails or draws nothing; its first words are in err. No named files are made. */
Status gnuplot_run(FILE *script, FILE *picture, Error *err);

#endif
