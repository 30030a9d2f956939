/* See resting.h. */
#include "analysis/evidence/resting.h"

#include <math.h>

static const double window = 0.06;       /* s, over which a speed is taken */
static const double resting_speed = 0.3; /* m/s */

int resting_margin(const BodyTrack *track, double rate_factor)
{
    return body_track_frames(track, 0.5 * window, rate_factor);
}

int resting_points(const BodyTrack *track, int frame, const RestingDef *def, int *point, double *lowest)
{
    int reach = resting_margin(track, def->rate_factor), count = 0;
    const Vec3 *at = body_track_frame(track, frame), *before = body_track_frame(track, frame - reach);
    const Vec3 *after = body_track_frame(track, frame + reach);
    double farthest = resting_speed * track->metre * 2 * reach * track->frame_time / def->rate_factor;
    *lowest = vec3_dot(at[0], def->up);
    for (int p = 1; p < track->point_count; p++)
        *lowest = fmin(*lowest, vec3_dot(at[p], def->up));
    for (int p = 0; p < track->point_count; p++)
        if (vec3_dot(at[p], def->up) < *lowest + def->height * track->size &&
            vec3_distance(after[p], before[p]) < farthest)
            point[count++] = p;
    return count;
}
