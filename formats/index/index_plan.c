#include "formats/index/index_plan.h"

#include <stdlib.h>
#include <string.h>

#include "formats/index/database.h"

#define PROVISIONAL ((sqlite3_int64)1 << 40) /* ids from here on are no ranks */
#define CHEAP_MOVES 64                       /* more clips than this are not moved for one failure */

Status index_plan_open(IndexPlan *plan, IndexFile *file, Error *err)
{
    *plan = (IndexPlan){.file = file};
    return database_prepare(file->db, "UPDATE clip SET id = ?2 WHERE id = ?1", &plan->move, err);
}

static void free_entries(IndexPlan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free(plan->entry[i].path);
    free(plan->entry);
}

void index_plan_close(IndexPlan *plan)
{
    sqlite3_finalize(plan->move);
    free_entries(plan);
    *plan = (IndexPlan){0};
}

static Status add_entry(IndexPlan *plan, const char *path, sqlite3_int64 id, Error *err)
{
    if (plan->count == plan->capacity) {
        size_t room = plan->capacity ? 2 * plan->capacity : 256;
        PlannedPath *grown = reallocarray(plan->entry, room, sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        plan->entry = grown;
        plan->capacity = room;
    }
    char *copy = strdup(path);
    if (!copy)
        return error_no_memory(err);
    plan->entry[plan->count++] = (PlannedPath){.path = copy, .id = id};
    return STATUS_OK;
}

static Status add_clips(IndexPlan *plan, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(plan->file->db, "SELECT id, path FROM clip", &list, err);
    while (!status) {
        int code = sqlite3_step(list);
        if (code == SQLITE_DONE)
            break;
        if (code == SQLITE_ROW)
            status = add_entry(plan, (const char *)sqlite3_column_text(list, 1), sqlite3_column_int64(list, 0), err);
        else
            status = database_error(plan->file->db, code, err);
    }
    sqlite3_finalize(list);
    return status;
}

/* By bytes, as SQLite orders text; of equal paths the clip first. */
static int compare_entries(const void *a, const void *b)
{
    const PlannedPath *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : (x->id == 0) - (y->id == 0);
}

static void drop_repeated(IndexPlan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (kept > 0 && strcmp(plan->entry[kept - 1].path, plan->entry[i].path) == 0)
            free(plan->entry[i].path);
        else
            plan->entry[kept++] = plan->entry[i];
    }
    plan->count = kept;
}

static Status move_clip(IndexPlan *plan, PlannedPath *entry, Error *err)
{
    Status status = index_file_begin(plan->file, err);
    if (status)
        return status;
    sqlite3_bind_int64(plan->move, 1, entry->id);
    sqlite3_bind_int64(plan->move, 2, entry->rank);
    entry->id = entry->rank;
    return database_step(plan->move, err);
}

/* Provisional ids apart, ids increase with the paths before and after. So clips that move down, in ascending order,
 * find their place free: who held it moves down too, and has gone before. The same holds for those that move up, in
 * descending order. Then the places of the provisional ones are free. */
static Status move_to_ranks(IndexPlan *plan, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < plan->count && !status; i++)
        if (plan->entry[i].id > plan->entry[i].rank && plan->entry[i].id < PROVISIONAL)
            status = move_clip(plan, &plan->entry[i], err);
    for (size_t i = plan->count; i-- > 0 && !status;)
        if (plan->entry[i].id > 0 && plan->entry[i].id < plan->entry[i].rank)
            status = move_clip(plan, &plan->entry[i], err);
    for (size_t i = 0; i < plan->count && !status; i++)
        if (plan->entry[i].id >= PROVISIONAL)
            status = move_clip(plan, &plan->entry[i], err);
    return status;
}

/* A rank for every clip and for every path that is not known to fail. */
static Status rank_entries(IndexPlan *plan, Error *err)
{
    sqlite3_int64 rank = 0;
    sqlite3_stmt *failed = NULL;
    Status status = database_prepare(plan->file->db,
                                     "SELECT 1 FROM failure WHERE path IN (?1, substr(?1, 1, length(?1) - 3))", &failed,
                                     err);
    for (size_t i = 0; i < plan->count && !status; i++) {
        PlannedPath *entry = &plan->entry[i];
        int code = SQLITE_DONE;
        if (entry->id == 0) {
            sqlite3_bind_text(failed, 1, entry->path, -1, SQLITE_STATIC);
            code = sqlite3_step(failed);
            sqlite3_reset(failed);
        }
        if (code == SQLITE_DONE)
            entry->rank = ++rank;
        else if (code != SQLITE_ROW)
            status = database_error(plan->file->db, code, err);
    }
    sqlite3_finalize(failed);
    return status;
}

Status index_plan_make(IndexPlan *plan, const char *const *paths, size_t count, Error *err)
{
    IndexPlan made = {.file = plan->file, .move = plan->move, .provisional = PROVISIONAL};
    Status status = add_clips(&made, err);
    for (size_t i = 0; i < count && !status; i++)
        status = add_entry(&made, paths[i], 0, err);
    if (!status && made.count > 0) {
        qsort(made.entry, made.count, sizeof *made.entry, compare_entries);
        drop_repeated(&made);
        status = rank_entries(&made, err);
    }
    if (!status)
        status = move_to_ranks(&made, err);
    free_entries(plan);
    if (status) {
        free_entries(&made);
        made = (IndexPlan){.file = plan->file, .move = plan->move};
    }
    *plan = made;
    return status;
}

sqlite3_int64 index_plan_id(IndexPlan *plan, const PlannedPath *entry)
{
    return entry->rank > 0 ? entry->rank : plan->provisional++;
}

/* While clips come in nearly in order, only the few that were ahead of a failed one lie behind its gap. */
Status index_plan_give_up(IndexPlan *plan, PlannedPath *entry, Error *err)
{
    size_t first = (size_t)(entry - plan->entry), behind = 0;
    for (size_t i = first + 1; i < plan->count && behind <= CHEAP_MOVES; i++)
        behind += plan->entry[i].id > 0 && plan->entry[i].rank > 0;
    if (entry->rank == 0 || behind > CHEAP_MOVES)
        return STATUS_OK;
    Status status = STATUS_OK;
    entry->rank = 0;
    for (size_t i = first + 1; i < plan->count && !status; i++) {
        if (plan->entry[i].rank == 0)
            continue;
        plan->entry[i].rank--;
        if (plan->entry[i].id > 0)
            status = move_clip(plan, &plan->entry[i], err);
    }
    return status;
}

PlannedPath *index_plan_find(IndexPlan *plan, const char *path)
{
    size_t low = 0, high = plan->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(path, plan->entry[middle].path);
        if (order == 0)
            return &plan->entry[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
