/* The handle of an index, shared by the files that work on it. */
#ifndef KANE_FORMATS_INDEX_HANDLE_H
#define KANE_FORMATS_INDEX_HANDLE_H

#include <sqlite3.h>

#include "formats/index/index.h"
#include "formats/index/index_rows.h"

/* A path that may be put. */
typedef struct PlannedPath {
    char *path;         /* owned */
    sqlite3_int64 id;   /* of its clip; 0: there is none */
    sqlite3_int64 rank; /* the id kept for it; 0: none, because it failed before and may again */
} PlannedPath;

/* Paths in order. A clip with a rank has it as id; one without waits at a provisional id for index_finish. */
typedef struct IndexPlan {
    PlannedPath *entry; /* [count] owned */
    size_t count, capacity;
    sqlite3_int64 provisional; /* the next provisional id */
} IndexPlan;

struct Index {
    char *path;     /* owned */
    sqlite3 *db;
    sqlite3 *stamps; /* <path>.batch; NULL until needed */
    int is_writing;  /* 1: changed since index_open, or left unfinished before; the file is in WAL mode */
    IndexRows rows;
    sqlite3_stmt *delete_clip;    /* by id; cascades take its other rows */
    sqlite3_stmt *move_clip;      /* from id ?1 to ?2 */
    sqlite3_stmt *delete_failure; /* by path */
    sqlite3_stmt *find_clip;      /* id by path */
    sqlite3_stmt *find_stamp;     /* of stamps */
    sqlite3_stmt *put_stamp;
    IndexPlan plan;
    char **outdated; /* [outdated_count] owned */
    size_t outdated_count;
};

/* Called before the first change: switches to WAL, so that readers go on. */
Status index_begin_writing(Index *index, Error *err);

/* STATUS_OK with *id 0 where there is no clip of that path. */
Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err);

/* index_plan.c, beside index_plan itself. NULL where the path is not planned. */
PlannedPath *index_plan_find(Index *index, const char *path);
/* The id for a new clip. */
sqlite3_int64 index_plan_id(Index *index, PlannedPath *entry);
/* Gives up the rank of a path that has no clip, where that is cheap; else index_finish closes the gap. */
Status index_plan_give_up(Index *index, PlannedPath *entry, Error *err);
void index_plan_free(IndexPlan *plan);

/* index_outdated.c: gives an index of an older schema the tables of this one, empty but for the failures, and notes the
 * paths of its clips. */
Status index_renew(Index *index, Error *err);
void index_outdated_free(Index *index);

/* index_stamp.c */
Status index_stamps_commit(Index *index, Error *err);
void index_stamps_close(Index *index);
/* Copies the stamps that lie beside another index; none there is fine. */
Status index_stamps_merge(Index *index, const char *shard, Error *err);

#endif
