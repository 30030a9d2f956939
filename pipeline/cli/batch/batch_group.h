/* The output side of a batch: finished containers under temporary names, which get their places group by group.
 *
 * A group is synced, renamed and committed to the index at once, about every second: what the index holds is on disk,
 * and a killed batch leaves nothing half-written but its scratch folder, which the next one sweeps. */
#ifndef KANE_PIPELINE_BATCH_GROUP_H
#define KANE_PIPELINE_BATCH_GROUP_H

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"
#include "pipeline/cli/batch/batch_remarks.h"

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

/* Sweeps and removes the scratch folder. */
void batch_group_close(BatchGroup *group);

#endif
