/* kane check --repair: writes the repaired file and the log FILE.log. */
#ifndef KANE_CLI_REPAIRED_FILE_H
#define KANE_CLI_REPAIRED_FILE_H

#include "analysis/base/status.h"
#include "formats/source/source.h"
#include "pipeline/cli/output_file.h"

/* A take that was read with def.tolerant and inspected. */
typedef struct RepairedTake {
    const SourceFormat *format; /* has a repair function */
    Take *take;
} RepairedTake;

/* Repairs the take and writes file and log. target: a file, or a folder (created if it ends in "/") in which the
 * source's name is used; err has the file. */
Status repaired_file_write(const OutputCall *call, const ImportGuessDef *def, RepairedTake *repaired,
                           const char *source, const char *target, Error *err);

/* STATUS_USAGE if the target has the wrong extension; called before any file is read. */
Status repaired_file_check(const char *target, Error *err);

#endif
