/* What the files of each skeleton of a batch decide together, before work begins (analysis/evidence/family.h).
 *
 * Of a skeleton that the index knows nothing is read but the heads of new files. Of another one the first files of the
 * whole list are read, whatever the shard and the number of workers. */
#ifndef KANE_PIPELINE_BATCH_FAMILY_H
#define KANE_PIPELINE_BATCH_FAMILY_H

#include "analysis/evidence/family.h"
#include "pipeline/cli/batch/batch_plan.h"

typedef struct BatchFamily {
    char key[FAMILY_KEY_SIZE];
    Family known, decision;                 /* what the index has; with what was decided besides */
    int is_open;                            /* 1: something is to be decided */
    int count;
    const FoundFile *member[FAMILY_CLIPS];  /* [count] that it is decided from, by path */
} BatchFamily;

/* {0} is empty. */
typedef struct BatchFamilies {
    size_t count;
    BatchFamily *family; /* [count] owned, by key */
} BatchFamilies;

/* What decides: the index, which keeps decisions, what is asked for of each clip, and how many processes read. */
typedef struct BatchFamilyCall {
    Index *index;
    BatchRequest *request;
    int jobs;
} BatchFamilyCall;

/* Gives each job of the plan that can be read the decisions of its skeleton, which belong to *out. */
Status batch_families_decide(BatchFamilies *out, BatchPlan *plan, const BatchFamilyCall *call, Error *err);

void batch_families_free(BatchFamilies *families);

#endif
