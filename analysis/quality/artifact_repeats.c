/* Takes in which every row is written twice or more often: resampled by repetition, or recorded at a lower rate. */
#include "analysis/clip/trust.h"
#include "analysis/quality/artifacts_internal.h"

enum { MAX_REPEATS = 8, MIN_RUNS = 6 };
static const double nearly_all = 0.9; /* part of the runs of the commonest length; the rest are true holds */

static int pose_repeats(const Motion *m, int f, double size)
{
    for (int j = 0; j <= m->joint_count; j++)
        if (!artifact_repeats_joint(m, j, f, size))
            return 0;
    return 1;
}

Status artifact_repeats_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    int runs[MAX_REPEATS + 1] = {0}, total = 0, length = 1, commonest = 1;
    double size = artifact_body_size(skeleton);
    for (int f = 1; f < m->frame_count; f++) {
        if (pose_repeats(m, f, size)) {
            length++;
            continue;
        }
        if (total++ > 0) /* the first may be truncated */
            runs[length <= MAX_REPEATS ? length : 0]++;
        length = 1;
    }
    for (int k = 2; k <= MAX_REPEATS; k++)
        commonest = runs[k] > runs[commonest] ? k : commonest;
    if (commonest < 2 || total < MIN_RUNS || runs[commonest] < nearly_all * (total - 1))
        return STATUS_OK;
    return artifacts_add(artifacts,
                         (Artifact){TRUST_REPEATED, ARTIFACT_WHOLE_POSE, 0, m->frame_count - 1, 0, commonest}, err);
}
