/* Where containers go: standard output, a file, or a folder in which each is named by its title.
 *
 * Nothing appears before it is whole: a file gets its name when its bytes are on disk, and a single file only when it
 * is known that no second clip follows. */
#ifndef KANE_PIPELINE_OUTPUT_H
#define KANE_PIPELINE_OUTPUT_H

#include "analysis/clip/clip.h"
#include "formats/container/container.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/stages/option.h"

typedef struct OutputOptions {
    const char *target; /* "-", FILE or DIR/ */
    int forced;
} OutputOptions;

extern const Option output_options[];

typedef struct Output {
    const char *target; /* "-", FILE or DIR/ */
    int is_folder;
    int clip_count;     /* given so far */
    OutputCall call;
    OutputFile pending; /* FILE: gets its name at close */
    char **written;     /* DIR/: [clip_count] names, owned */
} Output;

/* Of the command line argv, argv[0] being the verb. STATUS_USAGE for a terminal and for a name that is no container's,
 * STATUS_IO for a folder that cannot be made. */
Status output_open(const OutputOptions *given, int argc, char *const *argv, Output *out, Error *err);

/* Writes the clip as a container. STATUS_USAGE for a second clip into a single file, or of the same title into a
 * folder. */
Status output_put(Output *out, const Clip *clip, const ContainerDef *def, Error *err);

/* At the end of a command whose exit code is code so far: gives what is pending its name, or drops it after wrong
 * usage; frees the output. Tells what fails, and returns the exit code. */
int output_close(Output *out, const char *verb, int code);

#endif
