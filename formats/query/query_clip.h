/* The clip that a question is about: of the index, of another that is asked with it, or a container by its path. */
#ifndef KANE_FORMATS_QUERY_CLIP_H
#define KANE_FORMATS_QUERY_CLIP_H

#include <sqlite3.h>

#include "analysis/stats/clip_stats.h"
#include "formats/query/query.h"

/* What to take of the clip, from where it is: both fill out. */
typedef struct ClipReader {
    Status (*from_index)(sqlite3 *db, sqlite3_int64 id, void *out, Error *err);
    Status (*from_stats)(const ClipStats *stats, void *out, Error *err);
} ClipReader;

typedef struct ClipRequest {
    const QueryDef *def;
    const char *database; /* path of the index */
    const char *file;     /* a path as it stands in the index, or as it is seen from here */
    const ClipReader *reader;
} ClipRequest;

/* *self: the clip's id in this index; 0: it is not of it. */
Status query_clip_read(sqlite3 *db, const ClipRequest *request, void *out, sqlite3_int64 *self, Error *err);

/* A file and a stretch of it: "walk.bvh.h5@1.2-1.7", s of source time. */
typedef struct ClipSpan {
    char *file; /* owned */
    double from, to;
} ClipSpan;

/* Whether a text ends in @FROM-TO. */
int query_has_span(const char *text);

/* STATUS_USAGE where the stretch does not go forward. The caller frees span->file. */
Status query_span_parse(const char *text, ClipSpan *span, Error *err);

#endif
