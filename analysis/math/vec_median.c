/* See vec_median.h. */
#include "analysis/math/vec_median.h"

#include <math.h>

enum { MAX_ROUNDS = 200 };

static const double settled = 1e-13;  /* of the mean distance: a smaller move ends the search */
static const double coincident = 1e-9; /* of the mean distance: nearer vectors weigh no more than at this distance */

/* Weiszfeld (1937): each round is the mean weighted by the inverse distances from the one before. */
Vec3 vec3_median(const Vec3 *value, int count)
{
    Vec3 at = {0, 0, 0};
    double spread = 0, moved = INFINITY;
    for (int i = 0; i < count; i++)
        at = vec3_mad(at, 1.0 / count, value[i]);
    for (int i = 0; i < count; i++)
        spread += vec3_distance(value[i], at) / count;
    for (int round = 0; spread > 0 && round < MAX_ROUNDS && moved > settled * spread; round++) {
        Vec3 sum = {0, 0, 0};
        double weights = 0;
        for (int i = 0; i < count; i++) {
            double weight = 1 / fmax(vec3_distance(value[i], at), coincident * spread);
            sum = vec3_mad(sum, weight, value[i]);
            weights += weight;
        }
        Vec3 next = vec3_scale(sum, 1 / weights);
        moved = vec3_distance(next, at);
        at = next;
    }
    return at;
}
