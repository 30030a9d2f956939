/* Output of clips, as clip files or BVH: to standard output, a file, or a folder in which each is named by its title.
 *
 * Files appear only when complete: a file is renamed when its bytes are on disk, and a single file only when no second
 * clip follows. */
#ifndef KANE_CLI_OUTPUT_H
#define KANE_CLI_OUTPUT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/container/container.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/stages/option.h"

typedef struct OutputOptions {
    const char *target; /* "-", FILE or DIR/ */
    OutputManner manner;
    int writes_motion;  /* 1: a FILE.bvh gets the motion alone */
} OutputOptions;

extern const Option output_options[];

typedef struct Output {
    const char *target; /* "-", FILE or DIR/ */
    int is_folder;
    FileKind kind;      /* FILE: FILE_CONTAINER or FILE_BVH */
    int clip_count;     /* clips so far */
    OutputCall call;
    OutputFile pending; /* FILE: committed in output_close */
    OutputOrigin origin; /* of a FILE.bvh */
    char **written;     /* DIR/: [clip_count] names, owned */
} Output;

/* argv: the command line, argv[0] is the command. STATUS_USAGE for a terminal or an extension that is not of clip
 * files, STATUS_IO if a folder cannot be created. */
Status output_open(const OutputOptions *given, int argc, char *const *argv, Output *out, Error *err);

/* Returns the folder of the output; of standard output that of temporary files. */
void output_folder(const Output *out, char *folder, size_t size);

/* Writes a clip. STATUS_USAGE for a second clip to a single file, or for a title that already is in the folder. */
Status output_put(Output *out, const Clip *clip, const ContainerDef *def, Error *err);

/* Ends the output of a command with exit code `code` so far: commits the pending file, or discards it after wrong
 * usage, and frees the output. Prints errors and returns the exit code. */
int output_close(Output *out, const char *command, int code);

#endif
