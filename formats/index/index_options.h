/* Options of the clips of an index, from their histories: sets of options, and differences between indexes to be
 * merged. What the source determines is not an option: the import line, a neutral pose, the mass of a capsule body. */
#ifndef KANE_INDEX_INDEX_OPTIONS_H
#define KANE_INDEX_INDEX_OPTIONS_H

#include <sqlite3.h>
#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/index/index_type.h"

/* An option with different values in two indexes. */
typedef struct OptionDifference {
    const char *option; /* "body --mass" */
    struct {
        const char *index;      /* path */
        const char *value;      /* one of its values */
        long long values, clips; /* number of values, and of clips with the option */
    } side[2];
} OptionDifference;

typedef Status VisitDifference(void *context, const OptionDifference *difference, Error *err);

/* Visits options without a common value in two indexes to be merged: each shard is compared with the first index that
 * has the option. Values that a table sets per clip, several in an index, are not a difference. */
Status index_compare_options(Index *index, const char *const *shards, size_t count, VisitDifference *visit,
                             void *context, Error *err);

/* Fills temp.option_kind(clip_id, options): the history without what the source determines, lines joined by "; ". */
Status index_option_kinds(sqlite3 *db, Error *err);

/* Receives a setting with several values in an index, "smooth --cutoff", and "8 (3 clips), 4 (1 clip)". */
typedef Status VisitMixed(void *context, const char *option, const char *values, Error *err);

/* Visits the settings that differ between clips of the index: their torques are not comparable. The version of kane
 * that wrote the clip files is "kane --version". */
Status index_visit_mixed(Index *index, VisitMixed *visit, void *context, Error *err);

#endif
