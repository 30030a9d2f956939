/* Output of a batch: completed clip files under temporary names that are renamed in groups.
 *
 * About once per second a group is synced, renamed and committed to the index. Each row of the index therefore has its
 * file on disk, and a killed batch leaves only its scratch folder, which the next one empties. */
#ifndef KANE_CLI_BATCH_BATCH_GROUP_H
#define KANE_CLI_BATCH_BATCH_GROUP_H

#include "analysis/base/status.h"
#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_order.h"
#include "pipeline/cli/batch/batch_plan.h"
#include "pipeline/cli/batch/batch_remarks.h"
#include "pipeline/cli/batch/batch_request.h"
#include "pipeline/cli/batch/batch_worker.h"

typedef struct BatchGroup {
    const char *folder;  /* the output folder */
    char *scratch;       /* folder in it for temporary files; owned */
    int lock;            /* descriptor of scratch, locked against a second batch */
    Index *index;
    const BatchPlan *plan;
    BatchRequest *request;
    BatchOrder order;     /* answers that are not added yet */
    BatchRemarks remarks; /* of the added clips */
    int waiting_count;
    int *waiting;        /* [waiting_count] jobs whose files are to be renamed; capacity: all jobs */
} BatchGroup;

/* Makes the output and scratch folders and empties the latter. STATUS_IO if another batch is running. */
Status batch_group_open(BatchGroup *group, const char *folder, Shard shard, Error *err);

/* Sets index, plan and requests of the jobs that follow. */
Status batch_group_start(BatchGroup *group, Index *index, const BatchPlan *plan, BatchRequest *request, Error *err);

/* Adds a completed job: its rows to the open transaction, its file to the group. */
Status batch_group_add(BatchGroup *group, const BatchReply *reply, const unsigned char *stats, Error *err);

/* Records a failed job; the clip file of an earlier batch is kept and marked as stale. */
Status batch_group_fail(BatchGroup *group, const BatchReply *reply, Error *err);

/* Syncs, renames and commits the group. */
Status batch_group_commit(BatchGroup *group, Error *err);

/* Saves complete clips after an error such as a full disk, when all workers have ended; deletes unfinished files to
 * free space. */
void batch_group_rescue(BatchGroup *group);

/* Empties and removes the scratch folder. */
void batch_group_close(BatchGroup *group);

#endif
