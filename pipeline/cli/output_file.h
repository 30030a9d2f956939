/* The one way in which a verb makes a file: by the rule of outputs (formats/container/output_rule.h), under a temporary
 * name until it is whole, and without leaving that behind when a signal ends the program.
 *
 * A verb adds OUTPUT_FORCE to its options, calls output_call_init when they are parsed, and opens, writes and commits
 * each file here. What the command reads need not be told: every word of its command line that names a file is an
 * input. */
#ifndef KANE_PIPELINE_OUTPUT_FILE_H
#define KANE_PIPELINE_OUTPUT_FILE_H

#include "formats/base/new_file.h"
#include "formats/container/origin_mark.h"
#include "formats/container/output_rule.h"
#include "pipeline/stages/option.h"

/* The option of a struct with an int member. */
#define OUTPUT_FORCE(type, member) \
    {.name = "force", \
     .help = "Write over what is an input, of another kind or of another source", \
     .kind = &option_flag, .offset = offsetof(type, member), .unrecorded = 1}

/* One command line. */
typedef struct OutputCall {
    int forced;
    const char **word; /* [word_count] owned; the texts are argv's */
    int word_count;
} OutputCall;

/* From the words behind the verb, argv[0]. STATUS_NO_MEMORY alone. */
Status output_call_init(OutputCall *call, int forced, int argc, char *const *argv, Error *err);
void output_call_free(OutputCall *call);

/* What the ending of a name says. */
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
    char place[PLACE_SIZE]; /* of the clip's source, as far as the words of the call tell */
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

/* Gives it its name. The file is then closed; on failure nothing has appeared, and err names the path. */
Status output_file_commit(OutputFile *out, Error *err);

/* Removes what was written; fine for an empty or a committed one. */
void output_file_discard(OutputFile *out);

#endif
