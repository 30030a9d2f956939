/* Where the feet of the target go: heel and ball stay in one place while they are down, and the way between is that of
 * the copied motion, bent at its ends to meet them.
 *
 * Places: within one contact the first point that comes down keeps the mean of where the copied motion would have it;
 * each further one lies a sole's length from it along the mean heading; the whole is then shifted to the mean of all.
 * Between contacts the offset from the copied motion is the sum of two critically damped springs, one let go at the
 * leaving and one that runs backward in time from the coming, with the amplitudes that make place and velocity continuous
 * at both ends. */
#ifndef KANE_RETARGET_FOOT_PATH_H
#define KANE_RETARGET_FOOT_PATH_H

#include "analysis/base/status.h"
#include "analysis/clip/kinematics.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/sole.h"

typedef struct FootPath {
    int frame_count;
    double rise;          /* m along the normal: added to the whole body, so that the copied soles meet the ground on average */
    Vec3 *point[2];       /* heel, ball: [frame][foot] m, world, where they should be */
    uint8_t *held[2];     /* heel, ball: [frame][foot] 1: in its place on the ground */
    double *handover;     /* [frame][foot] 0: the heel's place counts, 1: the ball's, where a rigid sole cannot have both */
} FootPath;

typedef struct FootPathDef {
    double omega;     /* rad/s of the springs */
    double most_way;  /* leg lengths: a contact in which the copied foot travels farther is broken there */
} FootPathDef;

FootPathDef foot_path_default_def(void);

/* copied: world pose of the target as copied. scale: of target over source, for levels and belt. */
Status foot_path_init(FootPath *out, const Sole sole[FOOT_COUNT], const FootContact *contact, const Kinematics *copied,
                      double scale, double leg, const FootPathDef *def, Error *err);
void foot_path_free(FootPath *p);

#endif
