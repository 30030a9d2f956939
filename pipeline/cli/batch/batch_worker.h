/* Worker process of kane batch: receives jobs on a socket, turns each motion file into a clip file under a temporary
 * name and answers with the clip's statistics. */
#ifndef KANE_CLI_BATCH_BATCH_WORKER_H
#define KANE_CLI_BATCH_BATCH_WORKER_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/angles/neutral_family.h"
#include "analysis/base/status.h"
#include "analysis/detect/import_guess.h"
#include "pipeline/cli/batch/batch_request.h"
#include "pipeline/stages/notes.h"

typedef struct BatchJob {
    const char *input;  /* path of the motion file */
    const char *output; /* relative to the output folder: "takes/walk.bvh.h5" */
    const char *name;   /* in messages: the input, or the output if a list of targets makes several of an input */
    long long need;     /* bytes of memory, estimated (batch_plan_weigh); 0: no limit is set */
    const Family *family; /* settings detected jointly for the files of its skeleton; NULL: detected alone */
    const FamilyMember *member; /* what was detected of its file for the family; NULL: to be detected */
    int is_own;         /* 1: the existing clip file was made from this input */
} BatchJob;

/* Data of all workers, set before they are forked. */
typedef struct BatchSetup {
    const char *folder;  /* of the clip files */
    const char *scratch; /* of temporary files */
    const BatchJob *job; /* [job] */
    BatchRequest *request; /* not owned; a worker has its own copy */
    long long memory;    /* bytes for all workers; 0: no limit */
    int forced;          /* clip files of other sources and foreign files are overwritten */
} BatchSetup;

/* The running job of a worker, in memory shared with the parent. */
typedef struct BatchWatch {
    volatile int job;        /* -1: none */
    volatile double started; /* s, batch_clock */
    StageProgress progress;
} BatchWatch;

/* An answer, followed by stats_size bytes of packed ClipStats. */
typedef struct BatchReply {
    int job;
    Status status;
    char stage[16]; /* where it failed */
    int is_foreign; /* 1: a file of another source is in the way */
    Error err;
    int frames;
    double seconds;         /* processor time */
    int64_t size, mtime_ns; /* of the temporary file; size 0: none */
    char source_sha256[65];
    size_t stats_size;
} BatchReply;

/* Returns the temporary path of a job's clip file, "scratch/17". The caller frees it; NULL without memory. */
char *batch_scratch_path(const char *scratch, int job);

/* Processes jobs until the other end of the socket is closed. */
void batch_worker_run(const BatchSetup *setup, BatchWatch *watch, int socket);

/* Read or write all of size bytes; return 0 if the other end is closed. */
int socket_read(int socket, void *bytes, size_t size);
int socket_write(int socket, const void *bytes, size_t size);

#endif
