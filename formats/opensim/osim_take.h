/* A take from an OpenSim model and a table of its coordinates over time.
 *
 * The skeleton has a joint per body, named like the body, with its centre and axes those of the joint's frame in the
 * child (M). Joints whose coordinates turn and move along fixed axes have hinges and slides; others have custom degrees
 * of freedom (analysis/clip/dofs.h). World axes have +Y against gravity. */
#ifndef KANE_OPENSIM_OSIM_TAKE_H
#define KANE_OPENSIM_OSIM_TAKE_H

#include "analysis/base/status.h"
#include "analysis/detect/take.h"
#include "formats/base/storage.h"
#include "formats/opensim/osim.h"

/* Fills skeleton, motion, masses and degrees of freedom. A coordinate without a column has the value that it follows
 * from another, or its default; one with a column has its value. STATUS_BAD_INPUT, with the line, if the table has no
 * coordinate of the model, no rows, or times that are not evenly spaced; STATUS_LIMIT for more frames than def allows.
 * Free *out also after failure. */
Status osim_take(const Osim *model, const Storage *coordinates, const SourceDef *def, Take *out, Error *err);

#endif
