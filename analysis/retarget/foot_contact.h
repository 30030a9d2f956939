/* When heel and ball of each foot of the source rest on the ground, and how high that ground lies.
 *
 * A foot is in contact in the frames in which the contact stage gives it a force; which of heel and ball bears it
 * follows from their clearance, with hysteresis. At least one of them is down in every frame of a contact. */
#ifndef KANE_RETARGET_FOOT_CONTACT_H
#define KANE_RETARGET_FOOT_CONTACT_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/kinematics.h"
#include "analysis/clip/skeleton.h"

typedef struct FootContact {
    int frame_count;
    double frame_time;
    uint8_t *in_contact;      /* [frame][foot] */
    uint8_t *down[2];         /* heel, ball: [frame][foot] */
    double *level;            /* [frame][foot] m along the normal, of what the foot stands on above the common ground */
    Vec3 normal;              /* unit */
    double height;            /* m along the normal */
    Vec3 belt;                /* m/s */
} FootContact;

/* A contact without points gives feet that never touch. */
Status foot_contact_init(FootContact *out, const Skeleton *skeleton, const Kinematics *kinematics,
                         const Contact *contact, double frame_time, Error *err);
void foot_contact_free(FootContact *c);

#endif
