/* The mirror image of what is put on a character, and how far its result is from the mirror image of the result: what a
 * method does to the left it should do to the right. */
#ifndef KANE_RETARGET_MIRRORED_JOB_H
#define KANE_RETARGET_MIRRORED_JOB_H

#include "analysis/motion/mirror.h"
#include "analysis/retarget/retarget.h"

/* The job points into the others; the character stays as it is. */
typedef struct MirroredJob {
    RetargetJob job;
    Mirror mirror;
    Skeleton skeleton;
    Motion motion;
    Kinematics kinematics;
    Contact contact;   /* only what retargeting reads: ground and forces of the feet */
    ContactRows rows;  /* feet exchanged; count 0: none were given */
} MirroredJob;

/* STATUS_BAD_INPUT where a joint has no counterpart on the other side. rows: those of the job, or NULL. */
Status mirrored_job_init(MirroredJob *out, const RetargetJob *job, const ContactRows *rows, Error *err);
void mirrored_job_free(MirroredJob *m);

/* World places [frame][joint] of two results on one body, the second one's of the mirrored job. Fills mirror_cm and
 * mirror_frame from the joints whose role has a counterpart. */
void mirrored_job_score(const MirroredJob *m, const Skeleton *target, const Vec3 *result, const Vec3 *mirrored,
                        RetargetScore *score);

#endif
