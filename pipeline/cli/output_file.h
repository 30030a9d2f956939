/* Creation of output files by commands: checked by formats/container/output_rule.h, written to a temporary file,
 * renamed when complete, and removed if a signal ends the program.
 *
 * A command adds OUTPUT_MANNER to its options, calls output_call_init after parsing, and opens, writes and commits each
 * file here. Inputs need not be listed: every word of the command line that names a file counts as an input. */
#ifndef KANE_CLI_OUTPUT_FILE_H
#define KANE_CLI_OUTPUT_FILE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/new_file.h"
#include "formats/container/source_mark.h"
#include "formats/source/source.h"
#include "pipeline/stages/option.h"

/* forced: overwrite files that are protected; quiet: do not print what was written. */
typedef struct OutputManner {
    int forced, quiet;
} OutputManner;

/* Options --force and --quiet for a struct with an OutputManner member. */
#define OUTPUT_MANNER(type, member) \
    {.name = "force", \
     .help = "Overwrite the output even if it is an input, another file type, a file of the user, a richer clip, or " \
             "made from a different source", \
     .kind = &option_flag, .offset = offsetof(type, member.forced), .unrecorded = 1}, \
    {.name = "quiet", .key = 'q', \
     .help = "Print warnings and errors only", \
     .kind = &option_flag, .offset = offsetof(type, member.quiet), .unrecorded = 1}

/* One command line. */
typedef struct OutputCall {
    const char *command; /* not owned */
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

/* The clips of an output: of one its provenance, of several their sources, "a.bvh, b.bvh". {0}: none. */
typedef struct OutputOrigin {
    Provenance provenance;
    char source[256];
} OutputOrigin;

void output_origin_add(OutputOrigin *origin, const Provenance *clip);

/* Returns the provenance to be given to an output file; origin must not move afterwards. */
const Provenance *output_origin(OutputOrigin *origin);

typedef struct OutputFile {
    const OutputCall *call; /* must outlive the file */
    FileKind kind;
    const Provenance *origin; /* may be set until the commit */
    const char *path; /* not owned */
    char path_hash[PATH_HASH_SIZE]; /* path of the clip's source if the command line contains it */
    char summary[128]; /* summary of the content, printed at commit; "": none */
    NewFile file;
} OutputFile;

#define OUTPUT_FILE_NONE ((OutputFile){.file.descriptor = -1})

/* Checks the path and opens a file for writing. path must live until the commit and, if it is a word of the command
 * line, be the same pointer. origin: of the written clips, must live as long; NULL: none, or set later. err has the
 * path; on failure *out is empty. */
Status output_file_open(const OutputCall *call, const char *path, FileKind kind, const Provenance *origin,
                        OutputFile *out, Error *err);

/* The same for the clip file of a clip. */
Status output_file_open_clip(const OutputCall *call, const char *path, const Clip *clip, OutputFile *out, Error *err);

/* Checks, with the content written, whether the commit would be refused. err has the path. */
Status output_file_verify(const OutputFile *out, Error *err);

/* Renames and closes the file, and prints "wrote PATH: summary" unless quiet or the path is a device or pipe. On
 * failure the previous file, if any, is unchanged, and err has the path. */
Status output_file_commit(OutputFile *out, Error *err);

/* Removes the temporary file; does nothing for an empty or committed one. */
void output_file_discard(OutputFile *out);

/* Creates the parent folders of base/relative. */
Status path_make_parents(const char *base, const char *relative, Error *err);

#endif
