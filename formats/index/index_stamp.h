/* State of the files of a clip, by which a batch knows what has changed. */
#ifndef KANE_INDEX_INDEX_STAMP_H
#define KANE_INDEX_INDEX_STAMP_H

#include <stdint.h>

#include "analysis/base/status.h"

/* State of the files of a clip. */
typedef struct IndexStamp {
    int64_t input_size, input_mtime_ns;
    int64_t output_size, output_mtime_ns;
    char input_sha256[65]; /* "": not computed */
    int output_is_same;    /* 1: equal by content, so its time does not matter; not stored */
} IndexStamp;

typedef enum IndexChange {
    INDEX_UNCHANGED,   /* sizes, times and request are unchanged */
    INDEX_ASK_CONTENT, /* only the input's time differs: call again with input_sha256 */
    INDEX_ASK_OUTPUT,  /* only the output's time differs: call again with output_is_same, or it counts as another
                          output */
    INDEX_NEW,           /* unknown path */
    INDEX_FAILED,        /* the last attempt failed, and there is no clip */
    INDEX_OTHER_CONTENT, /* of the input */
    INDEX_OTHER_OPTIONS,
    INDEX_OTHER_VERSION, /* other version of kane, same options */
    INDEX_OTHER_OUTPUT,  /* output missing, or not what was written */
    INDEX_REDO,          /* unchanged, but recomputation was requested; not a result of comparison */
    INDEX_CHANGE_COUNT
} IndexChange;

/* Returns "content" etc., "unchanged" for INDEX_UNCHANGED. Static. */
const char *index_change_name(IndexChange change);

/* Receives the path of a clip or failure. */
typedef Status VisitPath(void *context, const char *path, Error *err);

/* A path whose input no longer exists. */
typedef struct LostFile {
    const char *path;
    int64_t output_size, output_mtime_ns; /* of the file that a batch wrote */
    int is_new; /* 1: not marked by batch_stamps_mark_lost yet */
} LostFile;

/* Receives a path whose input no longer exists. */
typedef Status VisitLost(void *context, const LostFile *lost, Error *err);

#endif
