/* Ranks of paths: which id each clip gets, and the moves that bring the clips there.
 *
 * Moving a clip means rewriting its rows, about twice the cost of writing them. So a batch keeps a rank for every new
 * path beforehand, and clips go where they stay. A path that failed before gets none, lest a library with one bad
 * file be moved up and down at every run. */
#ifndef KANE_FORMATS_INDEX_PLAN_H
#define KANE_FORMATS_INDEX_PLAN_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/index/index_file.h"

/* A path that may be put. */
typedef struct PlannedPath {
    char *path;         /* owned */
    sqlite3_int64 id;   /* of its clip; 0: there is none */
    sqlite3_int64 rank; /* the id kept for it; 0: none, because it failed before and may again */
} PlannedPath;

/* Paths in order. A clip with a rank has it as id; one without waits at a provisional id for the next plan. */
typedef struct IndexPlan {
    IndexFile *file;           /* not owned */
    sqlite3_stmt *move;        /* a clip from id ?1 to ?2 */
    PlannedPath *entry;        /* [count] owned */
    size_t count, capacity;
    sqlite3_int64 provisional; /* the next provisional id */
} IndexPlan;

/* An empty plan. file must live as long. */
Status index_plan_open(IndexPlan *plan, IndexFile *file, Error *err);
void index_plan_close(IndexPlan *plan);

/* Reads the clips, adds the paths and moves every clip to its rank. */
Status index_plan_make(IndexPlan *plan, const char *const *paths, size_t count, Error *err);

/* NULL where the path is not planned. */
PlannedPath *index_plan_find(IndexPlan *plan, const char *path);

/* The id for a new clip. */
sqlite3_int64 index_plan_id(IndexPlan *plan, const PlannedPath *entry);

/* Gives up the rank of a path that has no clip, where that is cheap; else the next plan closes the gap. */
Status index_plan_give_up(IndexPlan *plan, PlannedPath *entry, Error *err);

#endif
