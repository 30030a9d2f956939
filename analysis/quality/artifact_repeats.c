/* Takes in which rows are repeated at regular intervals: resampled by repetition, or recorded at a lower rate.
 *
 * The rows with a new pose are those of the lower rate, evenly spaced to within a row: every row twice, 2, 3, 2, 3 rows
 * of each pose, or every tenth row once more. Over intervals with at least MIN_REPEATS repeated rows, their number must
 * be the same to within one row nearly everywhere; rows lost at random vary more. */
#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/quality/artifacts_internal.h"

enum { MAX_REPEATS = 8, MIN_RUNS = 6, MIN_REPEATS = 4 };
static const double nearly_all = 0.9; /* part of the intervals; the rest are true holds */
static const double min_repeated = 1.09; /* rows per pose: every eleventh */
static const double one_row = 1.001;

static int pose_repeats(const Motion *m, int f, double size)
{
    for (int j = 0; j <= m->joint_count; j++)
        if (!artifact_repeats_joint(m, j, f, size))
            return 0;
    return 1;
}

/* Fills start[i], the row in which pose i appears; returns their number. */
static int find_poses(const Motion *m, double size, int *start)
{
    int count = 0;
    for (int f = 1; f < m->frame_count; f++)
        if (!pose_repeats(m, f, size))
            start[count++] = f;
    return count;
}

/* The commonest number of rows of `stretch` consecutive poses, and the part of them within one row of the
 * mean of those near it. */
static double part_of_regular(const int *start, int count, int stretch, double mean)
{
    int regular = 0, total = 0;
    for (int i = 0; i + stretch < count; i++, total++)
        regular += fabs(start[i + stretch] - start[i] - stretch * mean) < one_row;
    return total > 0 ? (double)regular / total : 0;
}

/* Mean rows per pose without the runs that are longer than MAX_REPEATS, in which the body rests. */
static double mean_run(const int *start, int count)
{
    int rows = 0, runs = 0;
    for (int i = 0; i + 1 < count; i++)
        if (start[i + 1] - start[i] <= MAX_REPEATS) {
            rows += start[i + 1] - start[i];
            runs++;
        }
    return runs > 0 ? (double)rows / runs : 1;
}

Status artifact_repeats_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    Arena arena = {0};
    int *start = arena_array(&arena, (size_t)m->frame_count, 1, sizeof *start);
    if (arena.failed) {
        arena_free(&arena);
        return error_no_memory(err);
    }
    int count = find_poses(m, artifact_body_size(skeleton), start);
    double mean = mean_run(start, count);
    int stretch = mean > 1 ? (int)ceil(MIN_REPEATS / (mean - 1)) : count;
    Status status = STATUS_OK;
    if (count >= MIN_RUNS && mean >= min_repeated && part_of_regular(start, count, stretch, mean) >= nearly_all)
        status = artifacts_add(
            artifacts, (Artifact){TRUST_REPEATED, ARTIFACT_WHOLE_POSE, 0, m->frame_count - 1, 0, mean}, err);
    arena_free(&arena);
    return status;
}
