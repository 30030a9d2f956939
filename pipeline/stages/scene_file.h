/* A scene in MJCF as stages read it: what is left out becomes notes. */
#ifndef KANE_PIPELINE_SCENE_FILE_H
#define KANE_PIPELINE_SCENE_FILE_H

#include "analysis/model/model.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"

#define LEAVE_OUT_HELP "Elements and attributes of the scene to do without, as the error about them names them"

/* path "-": standard input; leave_out: names with commas, as errors of such files give them; NULL: none. On failure
 * *out is empty and err names the line. The caller frees *out with model_free. */
Status scene_file_read(const char *path, const char *leave_out, Model *out, Notes *notes, Error *err);

#endif
