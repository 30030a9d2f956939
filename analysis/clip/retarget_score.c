/* See retarget_score.h. */
#include "analysis/clip/retarget_score.h"

#include <math.h>

void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count)
{
    double *moved[RETARGET_FRAMES + 1] = {&score->source_rest_frame};
    for (int i = 0; i < RETARGET_FRAMES; i++)
        moved[i + 1] = &score->worst_frame[i];
    for (int i = 0; i <= RETARGET_FRAMES; i++) {
        if (!(*moved[i] >= 0))
            continue;
        *moved[i] = rint((*moved[i] - first) * ratio);
        if (*moved[i] < 0 || *moved[i] >= frame_count)
            *moved[i] = NAN;
    }
}
