/* What a query asks for. */
#ifndef KANE_QUERY_QUERY_DEF_H
#define KANE_QUERY_QUERY_DEF_H

#include "analysis/stats/features_match.h"
#include "formats/query/query_output.h"

typedef struct QueryDef {
    const char *where;    /* expression over clip_summary, "@hardest" and other presets, or NULL: every clip */
    const char *argument; /* @within, @over: table of limits or "left_knee=2.5"; @similar, @lower-torque: clip file
                             or path of a clip, optionally with @FROM-TO for an interval */
    const char *among;    /* condition that selects clips for a preset with an argument, over clip_summary (@failed:
                             over failure); NULL: all clips. Without an argument, the condition is in argument */
    LikenessOf by;        /* @similar FILE@FROM-TO; default both */
    int with_mirror;      /* 1: also match the mirrored interval; default 0 */
    const char *columns;  /* comma-separated; NULL: path and the columns that where and order name */
    const char *order;    /* NULL: by path; presets: their own */
    const char *sql;      /* a SELECT that replaces all of the above */
    long long limit;      /* rows; -1: all, or the preset's limit; default -1 */
    double min_seconds;   /* of @within and @over; 0 (default): 1 s for @within, any for @over */
    double time_limit;    /* s; 0: none; default 60 */
    QueryFormat format;   /* default table */
    const char *const *databases; /* [database_count] indexes that are queried together; @similar finds its clip in
                                     any of them. query_run_over sets it */
    int database_count;
    const char *const *tags; /* [tag_count] tag names of these indexes; query_run_over sets it */
    int tag_count;
    int *is_cut;          /* set to 1 if the preset's own limit cut rows; may be NULL */
} QueryDef;

#endif
