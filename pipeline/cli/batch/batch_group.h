/* The output side of a batch: finished containers under temporary names, which get their places group by group.
 *
 * A group is synced, renamed and committed to the index at once, about every second: what the index holds is on disk,
 * and a killed batch leaves nothing half-written but its scratch folder, which the next one sweeps. */
#ifndef KANE_CLI_BATCH_BATCH_GROUP_H
#define KANE_CLI_BATCH_BATCH_GROUP_H

#include "analysis/detect/family.h"
#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"
#include "pipeline/cli/batch/batch_remarks.h"

/* What the files of each skeleton of a batch decide together, before work begins (analysis/detect/family.h).
 *
 * Of a skeleton that the index knows nothing is read but the heads of new files. Of another one the first files of the
 * whole list are read, whatever the shard and the number of workers. */

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

typedef struct BatchGroup {
    const char *folder;  /* the output folder */
    char *scratch;       /* folder in it for temporary files, owned */
    int lock;            /* descriptor of scratch, locked against a second batch */
    Index *index;
    const BatchPlan *plan;
    BatchRequest *request;
    BatchRemarks remarks; /* of the clips that were added */
    int waiting_count;
    int *waiting;        /* [waiting_count] jobs whose files wait for their names; room for all jobs */
} BatchGroup;

/* Makes the output folder and the scratch folder, and empties the latter. STATUS_IO where another batch is at work. */
Status batch_group_open(BatchGroup *group, const char *folder, Shard shard, Error *err);

/* From here on jobs of this plan come. */
Status batch_group_start(BatchGroup *group, Index *index, const BatchPlan *plan, BatchRequest *request, Error *err);

/* Takes a finished job: its rows go into the open transaction, its file waits. */
Status batch_group_add(BatchGroup *group, const BatchReply *reply, const unsigned char *stats, Error *err);

/* Records a failed job; a container that an earlier batch made of the same file stays, and is marked as stale. */
Status batch_group_fail(BatchGroup *group, const BatchReply *reply, Error *err);

/* Syncs, renames, commits. */
Status batch_group_commit(BatchGroup *group, Error *err);

/* Behind an error such as a full disk, when no worker is left: unfinished files give their room to complete ones. */
void batch_group_rescue(BatchGroup *group);

/* Sweeps and removes the scratch folder. */
void batch_group_close(BatchGroup *group);

#endif
