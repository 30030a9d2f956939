/* Makes an index of many synthetic clips with the writer of a batch: statistics of some clip files, scaled by a
 * different load per clip. Rows `name value unit`; the index is kept.
 *
 * usage: synthetic_library INDEX.db COUNT FIRST FILE.h5...
 * FIRST: number of the first synthetic clip; COUNT 0 removes it. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/container/container.h"
#include "formats/index/index.h"
#include "tests/bench/stopwatch.h"

static int read_stats(const char *path, ClipStats *stats)
{
    ContainerImage image = {0};
    Clip clip = {0};
    int done = container_load(path, &image, NULL) == STATUS_OK && container_decode(&image, &clip, NULL) == STATUS_OK &&
               clip_stats_init(stats, &clip, FRAMES_TRUSTED, NULL) == STATUS_OK;
    clip_free(&clip);
    container_image_free(&image);
    return done;
}

static void scale_joints(ClipStats *s, double by)
{
    for (int j = 0; j < s->joint_count; j++) {
        JointPeaks *p = &s->joint[j].peaks;
        double *const load[] = {&p->torque_peak_nm, &p->torque_peak_nm_kg, &p->torque_peak_all_nm_kg,
                                &p->torque_rms_nm_kg, &p->torque_p95_nm_kg, &p->power_peak_w,
                                &p->power_min_w, &p->work_pos_j, &p->work_neg_j};
        for (size_t i = 0; i < sizeof load / sizeof *load; i++)
            *load[i] *= by;
    }
}

/* Scales all loads of the clip by a factor. */
static void scale(ClipStats *s, double by)
{
    scale_joints(s, by);
    for (int i = 0; i < s->profile_count; i++)
        for (int p = 0; p < PROFILE_POINTS; p++)
            s->profile[i].nm_kg[p] *= (float)by;
    for (size_t i = 0; i < (size_t)s->traces.count * (size_t)s->traces.frame_count; i++)
        s->traces.nm[i] *= (float)by;
    for (int i = 0; i < s->events.count; i++)
        if (s->events.event[i].kind == EVENT_TORQUE_PEAK)
            s->events.event[i].value *= by;
    s->metrics.peak_event_nm_kg *= by;
    s->metrics.peak_event_low_nm_kg *= by;
}

static void name_clip(int number, char path[64])
{
    snprintf(path, 64, "show%03d/take%06d.bvh.h5", number % 500, number);
}

static int remove_clip(Index *index, int number)
{
    char path[64];
    name_clip(number, path);
    return index_remove(index, path, NULL) == STATUS_OK;
}

/* Scales by a factor from 0.5 to 2 of a fixed sequence and back, up to rounding: the templates are used again. */
static int put_clips(Index *index, ClipStats *stats, int templates, int count, int first)
{
    unsigned seed = 1 + (unsigned)first;
    for (int i = 0; i < count; i++) {
        char path[64];
        ClipStats *s = &stats[i % templates];
        seed = seed * 1664525u + 1013904223u;
        double by = 0.5 + 1.5 * (seed >> 8) / 16777216.0;
        name_clip(first + i, path);
        scale(s, by);
        if (index_put_clip(index, path, s, NULL) || (i % 1000 == 999 && index_commit(index, NULL)))
            return 0;
        scale(s, 1 / by);
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    int templates = argc - 4, count = atoi(argv[2]);
    ClipStats *stats = calloc((size_t)templates, sizeof *stats);
    Index *index = NULL;
    int done = stats != NULL;
    for (int i = 0; i < templates && done; i++)
        done = read_stats(argv[4 + i], &stats[i]);
    double start = wall_seconds();
    done = done && index_open(argv[1], &index, NULL) == STATUS_OK &&
           (count > 0 ? put_clips(index, stats, templates, count, atoi(argv[3])) : remove_clip(index, atoi(argv[3]))) &&
           index_finish(index, NULL) == STATUS_OK;
    printf("library_%d_index_s %.3f s\n", count, wall_seconds() - start);
    index_close(index);
    for (int i = 0; i < templates && stats; i++)
        clip_stats_free(&stats[i]);
    free(stats);
    return done ? 0 : 1;
}
