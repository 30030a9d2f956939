/* An index of two clips with one static joint, for the fuzzers of queries. */
#ifndef KANE_TESTS_FUZZ_SMALL_INDEX_H
#define KANE_TESTS_FUZZ_SMALL_INDEX_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/index/index.h"

static inline void small_index_must(int is_true)
{
    if (!is_true)
        abort();
}

static inline void small_index_make(const char *path)
{
    static const char *const paths[] = {"one.h5", "two.h5"};
    Index *index = NULL;
    small_index_must(index_open(path, &index, NULL) == STATUS_OK);
    for (int i = 0; i < 2; i++) {
        Clip clip = {0};
        ClipStats stats;
        small_index_must(skeleton_init(&clip.skeleton, 1, 0, NULL) == STATUS_OK);
        small_index_must(skeleton_set_name(&clip.skeleton, 0, "Hips", NULL) == STATUS_OK);
        small_index_must(motion_init(&clip.motion, 10, 1, 0.01, 0, NULL) == STATUS_OK);
        small_index_must(clip_stats_init(&stats, &clip, FRAMES_TRUSTED, NULL) == STATUS_OK);
        small_index_must(index_put_clip(index, paths[i], &stats, NULL) == STATUS_OK);
        clip_stats_free(&stats);
        clip_free(&clip);
    }
    small_index_must(index_finish(index, NULL) == STATUS_OK);
    index_close(index);
}

static inline char *small_index_path(void)
{
    static char path[64];
    return path;
}

static inline void small_index_remove(void)
{
    unlink(small_index_path());
}

/* Path of the index, created by the first call and removed at exit. */
static inline const char *small_index(void)
{
    char *path = small_index_path();
    if (!path[0]) {
        snprintf(path, 64, "/tmp/kane-fuzz-%d.db", (int)getpid());
        unlink(path);
        small_index_make(path);
        atexit(small_index_remove);
    }
    return path;
}

#endif
