/* Containers into an index, and an index of another kane brought up to date from the containers that it lists. */
#ifndef KANE_CLI_INDEX_UPGRADE_H
#define KANE_CLI_INDEX_UPGRADE_H

#include "formats/index/index.h"

/* How containers are put into an index. */
typedef struct IndexUpgrade {
    const char *verb;
    int jobs;    /* processes that read; 0: as many as processors */
    int code;    /* exit code so far: 1 where a container was wrong */
    size_t done; /* containers that were put, or recorded as failures */
    size_t failed; /* of these, failures */
} IndexUpgrade;

/* Puts containers; relative[count]: their paths as the index knows them. What is wrong with a container becomes a
 * failure in the index, is printed and makes code 1. Only the index itself can fail. Ends early, with STATUS_OK and
 * fewer done, where a signal is noted (message.h). */
Status index_upgrade_clips(IndexUpgrade *restore, Index *index, char *const *paths, const char *const *relative,
                           size_t count, Error *err);

/* index_open. An index that another version made is first brought up to date from the containers that it lists, and
 * that is said; where one of them is not there, or a signal is noted, it stays as it is: STATUS_BAD_INPUT. */
Status index_upgrade_open(IndexUpgrade *restore, const char *database, Index **out, Error *err);

typedef enum IndexFinding {
    INDEX_DAMAGED, /* its rows are not those that were written */
    INDEX_DIFFERS, /* a clip file has other content */
    INDEX_ABSENT,  /* clip files are missing */
    INDEX_UNREADABLE, /* a clip file is */
    INDEX_FINDINGS
} IndexFinding;

/* clip: its path, as the index has it; NULL: of the index as a whole. */
typedef void ReportIndex(void *context, IndexFinding kind, const char *clip, const char *text);

/* kane check of an index: reports its damage, and, where there is none, how its clip files differ, which are read by
 * `jobs` processes (0: one). STATUS_NO_RESULT: the file is no database. */
Status index_upgrade_check(const char *path, int jobs, ReportIndex *report, void *context, Error *err);

#endif
