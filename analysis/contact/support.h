/* Loads on unrecorded supports (seat.h, rail.h) by the estimated forces. The same values appear as a note, as marks of
 * /trust and in the index. */
#ifndef KANE_CONTACT_SUPPORT_H
#define KANE_CONTACT_SUPPORT_H

#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"

#define SUPPORT_MIN_LOAD 0.05 /* body weights: a smaller load is not reported */

typedef enum SupportKind { SUPPORT_OF_HIPS = 0, SUPPORT_OF_HANDS, SUPPORT_KINDS } SupportKind;

/* "seat", "rail". */
const char *support_name(SupportKind kind);

/* Load in a frame, body weights: vertical force of a seat, magnitude of the force of a rail. These are estimated forces
 * on hips or hands well above the lowest joint; 0 if forces were measured. Reads skeleton, body and kinematics of the
 * clip. */
double support_load(const ClipView *clip, const Contact *contact, int frame, SupportKind kind);

/* 1 if one of them supports more than SUPPORT_MIN_LOAD. */
int support_is_presumed(const ClipView *clip, const Contact *contact, int frame);

#endif
