/* Measured forces as contact: group /contact from a table of external forces.
 *
 * One point per loaded joint, at its centre, with the whole force and the couple about that centre. The load on a
 * foot is reduced to the ground plane: centre of pressure and free moment, as a force plate reports them. */
#ifndef KANE_CONTACT_MEASURED_H
#define KANE_CONTACT_MEASURED_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/dynamics/loads.h"

typedef struct MeasuredDef {
    double ground;    /* world y of the ground, m; default 0 */
    double threshold; /* N; default 20; 0: no threshold. A plate has noise: a foot is in contact if the vertical or
                         the horizontal part of the sum of its rows reaches the threshold. Otherwise its force is
                         zero, except in the tail of a step. 20 N is the usual threshold of gait laboratories. Other
                         joints (a hand on a rail, a rope at the trunk) are not on a plate: their forces are kept
                         whatever their size. */
} MeasuredDef;

MeasuredDef measured_default_def(void);

/* Fills *out. Rows of any joint whose segment is an ankle or a toe count for that foot. state is 1 where a point is in
 * contact; confidence is 1. STATUS_USAGE for a threshold below 0. */
Status contact_from_external(const ExternalRows *rows, const ClipView *clip, const MeasuredDef *def, Contact *out,
                             Error *err);

/* 1 if the forces were measured: their points are then joint centres, not points of a sole. */
int contact_is_measured(const Contact *c);

#endif
