/* From the path of a BVH file to a clip: what `kane import`, `kane run` and every worker of `kane batch` do first. */
#ifndef KANE_PIPELINE_IMPORT_H
#define KANE_PIPELINE_IMPORT_H

#include "analysis/clip/clip.h"
#include "analysis/evidence/evidence.h"
#include "formats/bvh/bvh.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"

typedef struct ImportOptions {
    EvidenceDef evidence;
    BvhDef limits;
} ImportOptions;

extern const Command import_command;         /* its options are of an ImportOptions */
extern const Option import_limit_options[];  /* of a BvhDef: under the same names in every command that reads BVH */

extern const OptionKind option_unit; /* double, m: "cm", or a number of metres */
extern const OptionKind option_up;   /* UpAxis */

ImportOptions import_defaults(void);

/* What a file says of itself, and its skeleton and motion alone, without notes, trust and provenance. */
Status import_judge(const ImportOptions *given, const char *path, Clip *out, Evidence *decision, Error *err);

/* Reads path ("-": standard input) into a clip with its provenance and its line of history. Notes: what was read
 * although it is odd, and what was decided. */
Status import_read(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err);

#endif
