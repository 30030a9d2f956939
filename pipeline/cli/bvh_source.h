/* From the path of a BVH file to a clip: what `kane import`, `kane run` and every worker of `kane batch` do first. */
#ifndef KANE_PIPELINE_BVH_SOURCE_H
#define KANE_PIPELINE_BVH_SOURCE_H

#include "formats/bvh/bvh_clip.h"
#include "pipeline/cli/verbs.h"

typedef struct ImportOptions {
    EvidenceDef evidence;
    BvhDef limits;
} ImportOptions;

extern const Option import_limit_options[]; /* of a BvhDef: under the same names in every verb that reads BVH */

/* What a person should hear of an import that went well; warnings as formats/bvh collected them. */
typedef struct ImportReport {
    char decision[512];
    int warning_count;
    BvhWarning *warning; /* owned */
} ImportReport;

void import_report_free(ImportReport *report);

/* Reads path ("-": standard input) into a clip with its provenance and its history line. report may be NULL. */
Status bvh_source_read(const OptionValues *values, const char *path, Clip *out, ImportReport *report, Error *err);

/* The command of import and run: every BVH file through the stages of chain (ends with NULL). */
int bvh_source_main(const Verb *verb, const Verb *const *chain, int argc, char **argv);

#endif
