/* Which axis of a file points up, as the balance of the body shows: along the true axis the body rests on its lowest
 * points or falls freely (force_balance.h), along the others it does neither. */
#ifndef KANE_EVIDENCE_GRAVITY_H
#define KANE_EVIDENCE_GRAVITY_H

#include "analysis/base/status.h"
#include "analysis/evidence/force_balance.h"
#include "analysis/evidence/body_track.h"

enum { GRAVITY_AXES = 6 };

/* Balance along X, Y, Z, -X, -Y, -Z. */
typedef struct GravityBalance {
    Balance along[GRAVITY_AXES];
    double weight; /* log odds per fraction of the force that is unexplained */
} GravityBalance;

Status gravity_measure(const BodyTrack *track, GravityBalance *out, Error *err);

/* Log odds of each axis against the best one, 0 for the best; all 0 if the clip is too short. */
void gravity_log_odds(const GravityBalance *balance, double log_odds[GRAVITY_AXES]);

#endif
