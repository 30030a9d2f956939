/* Reads a motion file into a clip. */
#ifndef KANE_STAGES_IMPORT_H
#define KANE_STAGES_IMPORT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/import_guess.h"
#include "formats/source/source.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"

typedef struct ImportOptions {
    ImportGuessDef guess;
    const char *roles; /* table (formats/tables/role_table.h); NULL: none */
    SourceDef limits;
} ImportOptions;

extern const Command import_command;         /* its options fill an ImportOptions */
extern const Option import_limit_options[];  /* fill a SourceDef; the same names in all commands that read motion */

extern const OptionKind option_unit; /* double, m: "cm", or a number of metres */
extern const OptionKind option_up;   /* UpAxis */

ImportOptions import_defaults(void);

/* Reads skeleton and motion and detects unit, axes and rate; no notes, trust or provenance. */
Status import_judge(const ImportOptions *given, const char *path, Clip *out, ImportGuess *decision, Error *err);

/* Reads path ("-": standard input) into a clip with provenance and history line. Notes: oddities of the file, and what
 * was detected. */
Status import_read(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err);

/* Reads the first clip of a clip file, or as import_read a motion file or a take of it. */
Status import_open(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err);

#endif
