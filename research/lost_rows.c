/* Prints the evidence of lost rows for research/fit_lost_rows.py, of motion files at their rate and at 1/2, 1/3 and 1/4 of
 * it: "sound" for each step of a recording, "lost" where one row was taken out at random places.
 *
 *     lost_rows FILE.bvh...
 *
 * Columns: file, divisor of the rate, kind, evidence, the evidence of the decrease of surprise alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/repair/pose_steps.h"
#include "tests/support/read_bvh.h"

enum { LAST = 4, PLACES = 25, MARGIN = 16, MIN_FRAMES = 60 };

/* Every rate-th row from `phase` on, without row `lost` of these; the caller frees rows.value. */
static ChannelRows every(const ChannelRows *rows, int rate, int phase, int lost)
{
    ChannelRows out = *rows;
    size_t size = (size_t)rows->row_size;
    out.value = malloc((size_t)rows->frame_count * size * sizeof *out.value);
    out.frame_count = 0;
    for (int f = phase, i = 0; f < rows->frame_count; f += rate, i++)
        if (i != lost)
            memcpy(out.value + (size_t)out.frame_count++ * size, rows->value + (size_t)f * size, size * sizeof(double));
    return out;
}

/* Prints the evidence at the steps first .. end - 1 that do not follow a repeated row. */
static void print_steps(const char *path, int rate, const char *kind, const ChannelRows *rows, double length, int first,
                        int end)
{
    PoseSteps s;
    if (pose_steps_init(&s, rows, length, NULL))
        exit(1);
    for (int k = 1; k < s.count - 1; k++)
        if (s.frame[k] >= first && s.frame[k] < end && s.frame[k + 1] == s.frame[k] + 1 && pose_steps_weigh(&s, k, 4))
            printf("%s\t%d\t%s\t%.4f\t%.4f\n", path, rate, kind, pose_steps_evidence(&s, k, 1),
                   pose_steps_surprise(&s, k, step_relation_lasting(1, STEP_REACH_NARROW), NULL) -
                       pose_steps_surprise(&s, k, step_relation_lasting(2, STEP_REACH_NARROW), NULL));
    pose_steps_free(&s);
}

static Status measure(const char *path, const SourceDef *limits)
{
    Bvh bvh;
    ChannelRows all;
    EulerChannels *turns;
    Status status = read_bvh(path, limits, &bvh, NULL);
    if (status || (status = bvh_channel_rows(&bvh, &all, &turns, NULL)))
        return status;
    double length = bvh_longest_offset(&bvh);
    srand(1);
    for (int rate = 1; rate <= LAST; rate++)
        for (int phase = 0; phase < rate; phase++) {
            ChannelRows rows = every(&all, rate, phase, -1);
            for (int i = 0; rows.frame_count > MIN_FRAMES && phase == 0 && i < PLACES; i++) {
                int lost = MARGIN + rand() % (rows.frame_count - 2 * MARGIN);
                ChannelRows spoiled = every(&all, rate, phase, lost);
                print_steps(path, rate, "lost", &spoiled, length, lost - 1, lost);
                free(spoiled.value);
            }
            if (rows.frame_count > MIN_FRAMES)
                print_steps(path, rate, "sound", &rows, length, 0, rows.frame_count);
            free(rows.value);
        }
    free(turns);
    bvh_free(&bvh);
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    SourceDef limits = source_default_def();
    for (int i = 1; i < argc; i++)
        if (measure(argv[i], &limits))
            fprintf(stderr, "%s: not measured\n", argv[i]);
    return 0;
}
