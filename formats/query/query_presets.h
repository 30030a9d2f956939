/* Presets, named queries: @hardest, @peaks, @jumps, @within, @over, @similar, @lower-torque.
 *
 * A preset is a SELECT. What SQL cannot express well is first computed into a temporary table that the SELECT reads. */
#ifndef KANE_QUERY_QUERY_PRESETS_H
#define KANE_QUERY_QUERY_PRESETS_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/query/query_def.h"

typedef struct QueryPreset {
    const char *name;     /* with leading @ */
    const char *old_name; /* name in earlier versions: accepted, not shown; NULL: none */
    const char *argument; /* description of its argument: "LIMITS.tsv"; NULL: takes none */
    const char *help;
    const char *select;
    const char *shortcut; /* faster equivalent of select for the default order and a row limit (%lld, at least 1);
                             NULL: none */
    const char *order;
    long long limit;      /* default row limit; -1: all */
    const char *chosen;   /* table that a condition selects from; NULL: clip_summary */
    int is_of_span;       /* 1: the argument is CLIP@FROM-TO */
    Status (*prepare)(sqlite3 *db, const QueryDef *def, const char *database, Error *err); /* NULL: none */
} QueryPreset;

/* Presets without argument and preparation: "SELECT ... ORDER BY order LIMIT limit". */
enum { QUERY_PLAIN_PRESETS = 8 };
extern const QueryPreset query_plain_presets[QUERY_PLAIN_PRESETS];

/* The low-confidence detections of the row's clip, a column of every preset. */
#define QUERY_UNSURE "nullif(c.unsure, '') AS unsure"

/* STATUS_USAGE for an unknown preset or a missing argument. */
Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err);

/* Prefixes an error with the argument's file and position, because the index is not its cause. */
Status query_preset_blame(const QueryDef *def, Status status, Error *err);

#endif
