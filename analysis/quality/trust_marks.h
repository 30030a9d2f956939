/* Flags that stages set for each frame and joint: where the results are not to be trusted. Limits: data/trust.tsv. */
#ifndef KANE_QUALITY_TRUST_MARKS_H
#define KANE_QUALITY_TRUST_MARKS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Updates flags after groups of the clip changed: clears those derived from the changed groups and from groups that are
 * absent, and sets those that follow from the present ones:
 *   edge              kinematics not valid, or within trust_limits.fault_reach of an artifact of the source
 *   lost_contact      the body requires support of more than half its weight, and less than a tenth supports it
 *   airborne_support  a point that carries a tenth of the weight moves, clear of all that the body comes down to
 *   presumed_support  an unrecorded seat or handrail supports more than SUPPORT_MIN_LOAD (contact/support.h)
 *   unexplained       nothing supports the body for unexplained_min or longer, and its mean residual, force and
 *                     moment about the COM together, exceeds trust_limits.unexplained: it does not
 *                     fall
 *   uncertain         the expected error of a joint's torque exceeds dynamics.error_limit; of the frame, for over
 *                     half of hip, knee and ankle of the legs with load; without such a leg, of all
 *                     joints
 * Within trust_limits.aftermath of an artifact all but the first also set `edge`: they are its doing.
 * Without contact points only the first and the last are evaluated. Does nothing for a clip without trust. */
Status trust_judge(Clip *clip, unsigned changed, Error *err);

#endif
