/* Adds clip files to an index, and updates an index of another version from the clip files that it lists. */
#ifndef KANE_CLI_INDEX_UPGRADE_H
#define KANE_CLI_INDEX_UPGRADE_H

#include "formats/index/index.h"

/* State while clip files are added to an index. */
typedef struct IndexUpgrade {
    const char *command;
    int jobs;    /* reading processes; 0: one per processor */
    int code;    /* exit code so far: 1 if a clip file was invalid */
    size_t done; /* clip files added, or recorded as failures */
    size_t failed; /* of these, failures */
    int strict;    /* 1: nothing is committed until index_finish */
} IndexUpgrade;

/* Adds clip files; relative[count]: their paths relative to the index. An invalid clip file is printed and recorded as
 * a failure, and sets code to 1; only errors of the index itself are returned. After a noted signal (interrupt.h)
 * returns STATUS_OK early, with a lower `done`. */
Status index_upgrade_clips(IndexUpgrade *restore, Index *index, char *const *paths, const char *const *relative,
                           size_t count, Error *err);

/* Calls index_open. An index of another version is first updated from the clip files that it lists, with a message. If
 * one of them is missing, or a signal is noted, the index stays unchanged: STATUS_BAD_INPUT. */
Status index_upgrade_open(IndexUpgrade *restore, const char *database, Index **out, Error *err);

/* Warns of settings that differ between clips of an index; *count: their number. */
Status index_note_mixed(Index *index, const char *command, int *count, Error *err);

/* Names clip files that have changed since they were indexed; looks for half a second at most. */
Status index_note_changed(const char *command, const char *database, Error *err);

typedef enum IndexFinding {
    INDEX_DAMAGED, /* rows differ from those written */
    INDEX_DIFFERS, /* a clip file has different content */
    INDEX_ABSENT,  /* clip files are missing */
    INDEX_UNREADABLE, /* a clip file is unreadable */
    INDEX_FINDINGS
} IndexFinding;

/* clip: path as in the index; NULL: concerns the whole index. */
typedef void ReportIndex(void *context, IndexFinding kind, const char *clip, const char *text);

/* Checks an index for kane check: reports its damage or, if it is intact, differences to its clip files, which `jobs`
 * processes read (0: one). STATUS_NO_RESULT if the file is not a database. */
Status index_upgrade_check(const char *path, int jobs, ReportIndex *report, void *context, Error *err);

#endif
