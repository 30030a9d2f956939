/* Where containers go: standard output, a file, or a folder in which each is named by its title.
 *
 * Nothing appears before it is whole: a file gets its name when its bytes are on disk, and a single file only when it
 * is known that no second clip follows. */
#ifndef KANE_CLI_OUTPUT_H
#define KANE_CLI_OUTPUT_H

#include "analysis/clip/clip.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/container/output_rule.h"
#include "pipeline/stages/option.h"

/* The one way in which a verb makes a file: by the rule of outputs (formats/container/output_rule.h), under a temporary
 * name until it is whole, and without leaving that behind when a signal ends the program.
 *
 * A verb adds OUTPUT_MANNER to its options, calls output_call_init when they are parsed, and opens, writes and commits
 * each file here. What the command reads need not be listed: every word of its command line that names a file is an
 * input. */

/* Whether outputs replace what they should not, and whether kane prints what it wrote. */
typedef struct OutputManner {
    int forced, quiet;
} OutputManner;

/* The options of a struct with an OutputManner as a member. */
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
    const char **word; /* [word_count] owned; the texts are argv's */
    int word_count;
} OutputCall;

/* From the words behind the verb, argv[0]. STATUS_NO_MEMORY alone. */
Status output_call_init(OutputCall *call, OutputManner manner, int argc, char *const *argv, Error *err);
void output_call_free(OutputCall *call);

/* What the ending of a name states. */
typedef struct OutputEnding {
    const char *ending; /* without its dot; NULL: the last of the list, for a name without one */
    int value;          /* the verb's own */
    FileKind kind;
} OutputEnding;

extern const OutputEnding container_endings[];

/* The entry for a path; the last one for "-", a device and a name without an ending. STATUS_USAGE for an ending that is
 * not in the list; err names the path and lists the known. */
Status output_ending(const char *path, const OutputEnding *endings, const OutputEnding **found, Error *err);

/* Whether a file of the kind may have the path, before any work is done for it. err names the path. */
Status output_file_check(const OutputCall *call, const char *path, FileKind kind, Error *err);

typedef struct OutputFile {
    const OutputCall *call; /* must outlive the file */
    FileKind kind;
    const Provenance *origin;
    const char *path; /* not owned */
    char place[PLACE_SIZE]; /* of the clip's source, as far as the words of the call name it */
    char summary[128]; /* of what it contains, printed when it is committed; "": nothing */
    NewFile file;
} OutputFile;

#define OUTPUT_FILE_NONE ((OutputFile){.file.descriptor = -1})

/* Checks and opens for writing. path must live until the commit, and is the very word of the command line where it is
 * one. origin: of the clip that is written (a container, a BVH), must live as long; NULL: no clip's. err names the
 * path; on failure *out is empty. */
Status output_file_open(const OutputCall *call, const char *path, FileKind kind, const Provenance *origin,
                        OutputFile *out, Error *err);

/* Whether the commit would be refused, now that the content is there. err names the path. */
Status output_file_verify(const OutputFile *out, Error *err);

/* Gives it its name, and prints "wrote PATH: summary" unless the call is quiet or the path is a device or a pipe. The
 * file is then closed; on failure nothing has appeared, and err names the path. */
Status output_file_commit(OutputFile *out, Error *err);

/* Removes what was written; fine for an empty or a committed one. */
void output_file_discard(OutputFile *out);

typedef struct OutputOptions {
    const char *target; /* "-", FILE or DIR/ */
    OutputManner manner;
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
 * usage; frees the output. Prints what fails, and returns the exit code. */
int output_close(Output *out, const char *verb, int code);

#endif
