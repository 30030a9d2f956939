/* Statistics of a clip and its insertion into the index, 31 joints, 135 frames: rows `name value unit`. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/index/index.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/sample_clip.h"

enum { JOINTS = 31, FRAMES = 135, ROUNDS = 300, CLIPS = 1000 };

static int bench_stats(const Clip *clip, ClipStats *kept)
{
    double start = wall_seconds();
    for (int i = 0; i < ROUNDS; i++) {
        clip_stats_free(kept);
        if (clip_stats_init(kept, clip, FRAMES_TRUSTED, NULL))
            return 0;
    }
    printf("clip_stats_us_per_frame %.3f us\n", 1e6 * (wall_seconds() - start) / ROUNDS / FRAMES);
    return 1;
}

static int bench_puts(Index *index, const ClipStats *stats, char (*path)[16])
{
    double start = wall_seconds();
    for (int i = 0; i < CLIPS; i++)
        if (index_put_clip(index, path[i], stats, NULL))
            return 0;
    printf("index_put_ms_per_clip %.3f ms\n", 1e3 * (wall_seconds() - start) / CLIPS);
    start = wall_seconds();
    if (index_finish(index, NULL))
        return 0;
    printf("index_finish_ms_per_clip %.3f ms\n", 1e3 * (wall_seconds() - start) / CLIPS);
    return 1;
}

static int bench_index(const ClipStats *stats)
{
    static char path[CLIPS][16];
    char folder[] = "/dev/shm/kane-bench-XXXXXX", file[64], stamps[80];
    if (!mkdtemp(folder))
        return 0;
    snprintf(file, sizeof file, "%s/index.db", folder);
    snprintf(stamps, sizeof stamps, "%s.batch", file);
    for (int i = 0; i < CLIPS; i++)
        snprintf(path[i], sizeof path[i], "clip%d.h5", i);
    Index *index = NULL;
    int done = index_open(file, &index, NULL) == STATUS_OK && bench_puts(index, stats, path);
    index_close(index);
    unlink(file);
    unlink(stamps);
    rmdir(folder);
    return done;
}

int main(void)
{
    Clip clip;
    ClipStats stats = {0};
    int done = sample_clip(&clip, FRAMES, JOINTS, 0) == 0 && bench_stats(&clip, &stats) && bench_index(&stats);
    clip_stats_free(&stats);
    clip_free(&clip);
    return done ? 0 : 1;
}
