/* See query_clip.h. */
#include "formats/query/query_clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/database.h"
#include "formats/base/number.h"
#include "formats/base/relative_path.h"
#include "formats/container/container.h"
#include "formats/index/index_file.h"

/* Returns the ID of a clip by its path, as in the index or relative to the current folder; 0 if there is none. */
static sqlite3_int64 find_clip(sqlite3 *db, const char *file, const char *database)
{
    sqlite3_stmt *find = NULL;
    sqlite3_int64 id = 0;
    char *moved = NULL;
    relative_path(file, database, &moved, NULL);
    if (database_prepare(db, "SELECT id FROM clip WHERE path IN (?1, ?2) ORDER BY path = ?1 DESC", &find, NULL) == 0) {
        sqlite3_bind_text(find, 1, file, -1, SQLITE_STATIC);
        sqlite3_bind_text(find, 2, moved, -1, SQLITE_STATIC);
        if (sqlite3_step(find) == SQLITE_ROW)
            id = sqlite3_column_int64(find, 0);
    }
    sqlite3_finalize(find);
    free(moved);
    return id;
}

static Status read_file(const char *path, const ClipReader *reader, void *out, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    ClipStats stats = {0};
    Status status = container_load(path, &image, err);
    if (!status)
        status = container_decode_guarded(&image, &clip, NULL, 0, err);
    if (!status)
        status = clip_stats_init(&stats, &clip, FRAMES_SOUND, err);
    if (!status)
        status = reader->from_stats(&stats, out, err);
    clip_stats_free(&stats);
    clip_free(&clip);
    container_image_free(&image);
    return status;
}

/* Reads the clip from the first of the other indexes that has it; *is_found is 0 if none has. */
static Status read_others(const ClipRequest *r, void *out, int *is_found, Error *err)
{
    Status status = STATUS_OK;
    *is_found = 0;
    for (int i = 0; i < r->def->database_count && !status && !*is_found; i++) {
        sqlite3 *db = NULL;
        status = index_file_read(r->def->databases[i], &db, err);
        sqlite3_int64 id = status ? 0 : find_clip(db, r->file, r->def->databases[i]);
        if (id > 0) {
            status = r->reader->from_index(db, id, out, err);
            *is_found = 1;
        }
        database_close(&db);
    }
    return status;
}

Status query_clip_read(sqlite3 *db, const ClipRequest *request, void *out, sqlite3_int64 *self, Error *err)
{
    int is_found = 0;
    *self = find_clip(db, request->file, request->database);
    if (*self > 0)
        return request->reader->from_index(db, *self, out, err);
    Status status = read_others(request, out, &is_found, err);
    return status || is_found ? status : read_file(request->file, request->reader, out, err);
}

/* Returns the position of the @ of a trailing @FROM-TO and reads both numbers, s; NULL if text does not end in it. */
static const char *find_span(const char *text, double *from, double *to)
{
    const char *mark = strrchr(text, '@'), *end = text + strlen(text);
    const char *dash = mark ? number_scan(mark + 1, end, from) : NULL;
    return dash && *dash == '-' && number_scan(dash + 1, end, to) == end ? mark : NULL;
}

int query_has_span(const char *text)
{
    double from, to;
    return find_span(text, &from, &to) != NULL;
}

Status query_span_parse(const char *text, ClipSpan *span, Error *err)
{
    *span = (ClipSpan){0};
    const char *mark = find_span(text, &span->from, &span->to);
    if (!mark || !(span->to > span->from))
        return error_set(err, STATUS_USAGE, "expected FILE@FROM-TO with FROM before TO in seconds, found \"%.200s\"",
                         text);
    span->file = strndup(text, (size_t)(mark - text));
    return span->file ? STATUS_OK : error_no_memory(err);
}
