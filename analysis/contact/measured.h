/* Measured forces as contact: what group /contact holds of a table of external forces.
 *
 * One point a loaded joint, at its centre, with the whole force and the couple about that centre. What a foot carries
 * is reduced to the ground plane: centre of pressure and free moment (as a force plate states them). */
#ifndef KANE_CONTACT_MEASURED_H
#define KANE_CONTACT_MEASURED_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/dynamics/loads.h"

/* Fills *out. Rows of any joint whose segment is an ankle or a toe count for that foot. ground: world y of the ground,
 * m. state is 1 where a point carries a force; confidence is 1. */
Status contact_from_external(const ExternalRows *rows, const ClipView *clip, double ground, Contact *out, Error *err);

#endif
