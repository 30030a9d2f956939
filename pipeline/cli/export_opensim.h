/* kane export --for opensim: the files of formats/export/opensim_set.h in a folder, all of them or none. */
#ifndef KANE_CLI_EXPORT_OPENSIM_H
#define KANE_CLI_EXPORT_OPENSIM_H

#include "formats/export/opensim_set.h"
#include "pipeline/cli/output_file.h"

/* The files of one clip in memory. {0}: empty. */
typedef struct OpensimFolder {
    char *text[OPENSIM_FILE_COUNT]; /* owned */
    size_t size[OPENSIM_FILE_COUNT];
} OpensimFolder;

/* model: path of the model for the setup, which gets its absolute path; NULL: "model.osim" in the folder. Free *out
 * also after failure. */
Status opensim_folder_fill(const Clip *clip, const char *model, OpensimFolder *out, Error *err);

/* Creates the folder and writes the files while signals wait; prints what was written unless quiet. err has the path;
 * on failure before the first rename the folder is as it was. */
Status opensim_folder_write(const OpensimFolder *set, const OutputCall *call, const char *folder,
                            const Provenance *origin, Error *err);

void opensim_folder_free(OpensimFolder *set);

#endif
