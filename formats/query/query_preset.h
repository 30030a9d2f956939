/* Questions with a name: @hardest, @peaks, @jumps, @within, @over, @like, @calmer.
 *
 * A preset is a SELECT. What SQL cannot say well is computed first, into a temporary table that the SELECT reads. */
#ifndef KANE_FORMATS_QUERY_PRESET_H
#define KANE_FORMATS_QUERY_PRESET_H

#include <sqlite3.h>

#include "formats/query/query.h"

typedef struct QueryPreset {
    const char *name;     /* with the @ */
    const char *argument; /* what it takes: "LIMITS.tsv", or NULL */
    const char *help;
    const char *select;
    const char *shortcut; /* the same for its own order and most rows given (%lld, from 1); NULL: none */
    const char *order;
    long long limit;      /* rows where the question says nothing; -1: all */
    int takes_where;      /* 1: an expression over clip_summary may choose among its clips */
    int is_of_span;       /* 1: the argument is a clip with @FROM-TO behind it */
    Status (*prepare)(sqlite3 *db, const QueryDef *def, const char *database, Error *err); /* NULL: nothing to do */
} QueryPreset;

/* STATUS_USAGE where there is none of that name, or its argument is missing. */
Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err);

/* Puts the file of the argument, and the place in it, before the text of a failure: the index is not to blame. */
Status query_preset_blame(const QueryDef *def, Status status, Error *err);

/* query_stretch.c: the table temp.stretch. A stretch is a run of frames, all of them to be trusted, in which every
 * limited role that the clip has stays at or below its limit (within), or in each of which one is above (over); it ends
 * where the next frame would begin. A trusted frame of a clip with a limited role is in one or the other. */
Status query_within_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_over_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

#define STRETCH_TABLE \
    "CREATE TEMP TABLE stretch(path TEXT, t0 REAL, t1 REAL, seconds REAL, frame0 INTEGER, frame1 INTEGER," \
    " tightest_role TEXT, part_of_limit REAL)"

/* query_strength.c: the same table of the frames in which the use of some trusted joint is above share, from the
 * containers, which lie where the index says. */
Status query_strength_prepare(sqlite3 *db, const QueryDef *def, const char *database, double share, Error *err);

/* query_like.c: the table temp.likeness, RMS distance of the torque profiles. */
Status query_like_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

/* query_window.c: the table temp.alike, of windows of clips or of whole clips, by their sketches. */
Status query_window_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_calmer_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

#endif
