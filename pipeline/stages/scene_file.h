/* Reads an MJCF scene; what is ignored is noted. */
#ifndef KANE_STAGES_SCENE_FILE_H
#define KANE_STAGES_SCENE_FILE_H

#include "analysis/base/status.h"
#include "analysis/model/model.h"
#include "pipeline/stages/notes.h"

#define LEAVE_OUT_HELP "Elements and attributes of the scene to ignore, as named by the error"

/* path "-": standard input; leave_out: comma-separated names as in the reader's errors, NULL: none. On failure *out is
 * empty and err names the line. The caller frees *out with model_free. */
Status scene_file_read(const char *path, const char *leave_out, Model *out, Notes *notes, Error *err);

#endif
