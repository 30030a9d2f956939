/* A worker process of kane batch: takes jobs from a socket, turns each BVH file into a container under a temporary
 * name and answers with the clip's statistics. */
#ifndef KANE_PIPELINE_BATCH_WORKER_H
#define KANE_PIPELINE_BATCH_WORKER_H

#include <stdint.h>

#include "pipeline/cli/batch/batch_request.h"

typedef struct BatchJob {
    const char *input;  /* path of the BVH file */
    const char *output; /* relative to the output folder: "takes/walk.bvh.h5" */
    long long need;     /* bytes of memory, about (batch_memory.h); 0: does not matter */
    const Family *family; /* what the files of its skeleton decided together; NULL: it decides alone */
    int is_own;         /* 1: the container that stands there was made of this input */
} BatchJob;

/* The same for all workers; set before they are forked. */
typedef struct BatchSetup {
    const char *folder;  /* of the containers */
    const char *scratch; /* folder of temporary files */
    const BatchJob *job; /* [job] */
    BatchRequest *request; /* not owned; a worker has its own copy */
    int forced;          /* containers of other sources, and files that are none, give way */
} BatchSetup;

/* What a worker is at, in memory that it shares with its parent. */
typedef struct BatchWatch {
    volatile int job;        /* -1: none */
    volatile double started; /* s, batch_clock */
    StageProgress progress;
} BatchWatch;

/* An answer; stats_size bytes of packed ClipStats follow. */
typedef struct BatchReply {
    int job;
    Status status;
    char stage[16]; /* where it failed */
    int is_foreign; /* 1: because what stands in its place is not of this input */
    Error err;
    int frames;
    int64_t size, mtime_ns; /* of the temporary file; size 0: there is none */
    char source_sha256[65];
    size_t stats_size;
} BatchReply;

/* "scratch/17": the temporary name of a job's container. The caller frees it; NULL without memory. */
char *batch_scratch_path(const char *scratch, int job);

/* Works until the socket's other end is closed. */
void batch_worker_run(const BatchSetup *setup, BatchWatch *watch, int socket);

/* Reads or writes the whole of size bytes; 0 where the other end is gone. */
int socket_read(int socket, void *bytes, size_t size);
int socket_write(int socket, const void *bytes, size_t size);

#endif
