/* What is taken to bear a body though nobody recorded it: a seat (seat.h), a hand rail (rail.h).
 *
 * Told from a container's estimated forces, so that a note, a mark of /trust and a figure of the index say the same. */
#ifndef KANE_CONTACT_SUPPORT_H
#define KANE_CONTACT_SUPPORT_H

#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"

#define SUPPORT_LEAST_LOAD 0.05 /* body weights: less is not told */

typedef enum SupportKind { SUPPORT_OF_HIPS = 0, SUPPORT_OF_HANDS, SUPPORT_KINDS } SupportKind;

/* "seat", "rail". */
const char *support_name(SupportKind kind);

/* What it carries in a frame, body weights: of a seat the vertical force, of a rail the force whatever its direction.
 * Estimated forces on hips or hands well above the lowest joint; 0 where forces were measured. Reads skeleton, body and
 * kinematics of the clip. */
double support_load(const ClipView *clip, const Contact *contact, int frame, SupportKind kind);

/* 1: any of them carries more than SUPPORT_LEAST_LOAD. */
int support_is_presumed(const ClipView *clip, const Contact *contact, int frame);

#endif
