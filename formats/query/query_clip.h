/* The reference clip of a query: from the index, from another index of the same query, or from a clip file. */
#ifndef KANE_QUERY_QUERY_CLIP_H
#define KANE_QUERY_QUERY_CLIP_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "formats/query/query_def.h"

/* Functions that read what a query needs of the clip; both fill out. */
typedef struct ClipReader {
    Status (*from_index)(sqlite3 *db, sqlite3_int64 id, void *out, Error *err);
    Status (*from_stats)(const ClipStats *stats, void *out, Error *err);
} ClipReader;

typedef struct ClipRequest {
    const QueryDef *def;
    const char *database; /* path of the index */
    const char *file;     /* path as in the index, or relative to the current folder */
    const ClipReader *reader;
} ClipRequest;

/* Reads the reference clip. *self: its ID in this index; 0: not in it. */
Status query_clip_read(sqlite3 *db, const ClipRequest *request, void *out, sqlite3_int64 *self, Error *err);

/* A clip and an interval of it: "walk.bvh.h5@1.2-1.7", s of source time. */
typedef struct ClipSpan {
    char *file; /* owned */
    double from, to;
} ClipSpan;

/* Returns 1 if text ends in @FROM-TO. */
int query_has_span(const char *text);

/* STATUS_USAGE unless FROM < TO. The caller frees span->file. */
Status query_span_parse(const char *text, ClipSpan *span, Error *err);

#endif
