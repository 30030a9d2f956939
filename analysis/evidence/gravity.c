/* See gravity.h. */
#include "analysis/evidence/gravity.h"

#include <math.h>

#include "analysis/math/elementary.h"

enum { FRAMES_JUDGED = 120 };

/* Log odds per fraction of the force that is unexplained. Where noise or missing feet leave even the best axis
 * unexplained, the others mean less; at `noisy` they would mean nothing (research/fit_up_axis.py). */
static const double weight = 16, noisy = 1.4;
static const double unrecorded = 0.08; /* probability of a support that the file does not show, as a saddle */
static const double creature = 0.3; /* of the weight: without segment masses the centre of mass is rough */

Status gravity_measure(const BodyTrack *track, GravityBalance *out, Error *err)
{
    static const Vec3 axes[GRAVITY_AXES] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    Status status = STATUS_OK;
    out->weight = weight * (track->leg > 0 ? 1 : creature);
    for (int a = 0; a < GRAVITY_AXES && !status; a++)
        status = balance_measure(track, axes[a], 1, FRAMES_JUDGED, &out->along[a], err);
    return status;
}

void gravity_log_odds(const GravityBalance *balance, double log_odds[GRAVITY_AXES])
{
    double min = 1;
    for (int a = 0; a < GRAVITY_AXES; a++)
        min = fmin(min, balance->along[a].unexplained);
    double sound = fmax(0, 1 - min / noisy);
    for (int a = 0; a < GRAVITY_AXES; a++) {
        double explained = elementary_exp(-balance->weight * sound * (balance->along[a].unexplained - min));
        log_odds[a] = balance->along[a].frames > 0 ? elementary_log(unrecorded + (1 - unrecorded) * explained) : 0;
    }
}
