/* Settings detected jointly for the files of each skeleton before the work begins (analysis/angles/family.h).
 *
 * For skeletons in the index only the heads of new files are read. For others the first files of the complete list are
 * read, so that shards and number of workers do not affect the result. */
#ifndef KANE_CLI_BATCH_BATCH_FAMILY_H
#define KANE_CLI_BATCH_BATCH_FAMILY_H

#include <stddef.h>

#include "analysis/angles/family.h"
#include "analysis/angles/neutral_family.h"
#include "analysis/base/status.h"
#include "analysis/detect/import_guess.h"
#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"
#include "pipeline/cli/batch/batch_request.h"
#include "pipeline/cli/found_files.h"

typedef struct BatchFamily {
    char key[FAMILY_KEY_SIZE];
    Family known, decision;                 /* from the index; completed by detection */
    int is_open;                            /* 1: some setting is to be detected */
    int count;
    const FoundFile *member[FAMILY_CLIPS];  /* [count] from which it is detected, by path */
    FamilyMember *detected;                 /* [count] of the members with this decision; NULL: none. Owned */
} BatchFamily;

/* Initialise with {0}. */
typedef struct BatchFamilies {
    size_t count;
    BatchFamily *family; /* [count] owned, by key */
} BatchFamilies;

/* Inputs of the detection: index (stores the settings), requests of the clips, number of reading processes. */
typedef struct BatchFamilyCall {
    Index *index;
    BatchRequest *request;
    int jobs;
} BatchFamilyCall;

/* Sets the family settings of each readable job of the plan, and what was detected of its file for them; they belong to
 * *out. */
Status batch_families_decide(BatchFamilies *out, BatchPlan *plan, const BatchFamilyCall *call, Error *err);

void batch_families_free(BatchFamilies *families);

#endif
