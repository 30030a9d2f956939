/* Output of clip files: to standard output, a file, or a folder in which each is named by its title; and of gnuplot's
 * pictures.
 *
 * Files appear only when complete: a file is renamed when its bytes are on disk, and a single file only when no second
 * clip follows. */
#ifndef KANE_CLI_OUTPUT_H
#define KANE_CLI_OUTPUT_H

#include <stdio.h>

#include "analysis/clip/clip.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/container/output_rule.h"
#include "pipeline/stages/option.h"

/* Creation of output files by commands: checked by formats/container/output_rule.h, written to a temporary file,
 * renamed when complete, and removed if a signal ends the program.
 *
 * A command adds OUTPUT_MANNER to its options, calls output_call_init after parsing, and opens, writes and commits each
 * file here. Inputs need not be listed: every word of the command line that names a file counts as an input. */

/* forced: overwrite files that are protected; quiet: do not print what was written. */
typedef struct OutputManner {
    int forced, quiet;
} OutputManner;

/* Options --force and --quiet for a struct with an OutputManner member. */
#define OUTPUT_MANNER(type, member) \
    {.name = "force", \
     .help = "Overwrite the output even if it is an input, another file type, or made from a different source", \
     .kind = &option_flag, .offset = offsetof(type, member.forced), .unrecorded = 1}, \
    {.name = "quiet", .key = 'q', \
     .help = "Print warnings and errors only", \
     .kind = &option_flag, .offset = offsetof(type, member.quiet), .unrecorded = 1}

/* One command line. */
typedef struct OutputCall {
    const char *verb; /* not owned */
    OutputManner manner;
    const char **word; /* [word_count] owned; the strings are argv's */
    int word_count;
} OutputCall;

/* Initialises from the words after the command, argv[0]. Fails only with STATUS_NO_MEMORY. */
Status output_call_init(OutputCall *call, OutputManner manner, int argc, char *const *argv, Error *err);
void output_call_free(OutputCall *call);

/* An extension of a file name and its meaning. */
typedef struct OutputEnding {
    const char *ending; /* without dot; NULL: last entry, for names without extension */
    int value;          /* meaning to the command */
    FileKind kind;
} OutputEnding;

extern const OutputEnding container_endings[];

/* Finds the entry of a path; the last one for "-", devices and names without extension. STATUS_USAGE for an unlisted
 * extension; err has the path and the known extensions. */
Status output_ending(const char *path, const OutputEnding *endings, const OutputEnding **found, Error *err);

/* Checks, before any work is done, whether a file of this kind may be written to path. err has the path. */
Status output_file_check(const OutputCall *call, const char *path, FileKind kind, Error *err);

typedef struct OutputFile {
    const OutputCall *call; /* must outlive the file */
    FileKind kind;
    const Provenance *origin;
    const char *path; /* not owned */
    char path_hash[PATH_HASH_SIZE]; /* path of the clip's source if the command line contains it */
    char summary[128]; /* summary of the content, printed at commit; "": none */
    NewFile file;
} OutputFile;

#define OUTPUT_FILE_NONE ((OutputFile){.file.descriptor = -1})

/* Checks the path and opens a file for writing. path must live until the commit and, if it is a word of the command
 * line, be the same pointer. origin: provenance of the written clip (in a clip file or BVH), must live as long; NULL:
 * none. err has the path; on failure *out is empty. */
Status output_file_open(const OutputCall *call, const char *path, FileKind kind, const Provenance *origin,
                        OutputFile *out, Error *err);

/* Checks, with the content written, whether the commit would be refused. err has the path. */
Status output_file_verify(const OutputFile *out, Error *err);

/* Renames and closes the file, and prints "wrote PATH: summary" unless quiet or the path is a device or pipe. On
 * failure the previous file, if any, is unchanged, and err has the path. */
Status output_file_commit(OutputFile *out, Error *err);

/* Removes the temporary file; does nothing for an empty or committed one. */
void output_file_discard(OutputFile *out);

typedef struct OutputOptions {
    const char *target; /* "-", FILE or DIR/ */
    OutputManner manner;
} OutputOptions;

extern const Option output_options[];

typedef struct Output {
    const char *target; /* "-", FILE or DIR/ */
    int is_folder;
    int clip_count;     /* clips so far */
    OutputCall call;
    OutputFile pending; /* FILE: committed in output_close */
    char **written;     /* DIR/: [clip_count] names, owned */
} Output;

/* argv: the command line, argv[0] is the command. STATUS_USAGE for a terminal or an extension that is not of clip
 * files, STATUS_IO if a folder cannot be created. */
Status output_open(const OutputOptions *given, int argc, char *const *argv, Output *out, Error *err);

/* Writes a clip file. STATUS_USAGE for a second clip to a single file, or for a title that already is in the folder. */
Status output_put(Output *out, const Clip *clip, const ContainerDef *def, Error *err);

/* Ends the output of a command with exit code `code` so far: commits the pending file, or discards it after wrong
 * usage, and frees the output. Prints errors and returns the exit code. */
int output_close(Output *out, const char *verb, int code);

/* Runs gnuplot scripts and writes the pictures to the user's output. */

typedef enum PlotResult { RESULT_AUTO, RESULT_SVG, RESULT_PNG, RESULT_GNUPLOT } PlotResult;

/* Values are PlotResult; svg without extension. */
extern const OutputEnding plot_endings[];

typedef struct PlotOutput {
    const OutputCall *call;
    const char *path; /* "-": standard output */
    FileKind kind;
    int is_script;    /* 1: write the script itself */
} PlotOutput;

/* script: open for reading and writing, read from its beginning. STATUS_IO if gnuplot is missing, fails or draws
 * nothing; err has its message. */
Status plot_output_put(const PlotOutput *out, FILE *script, Error *err);

#endif
