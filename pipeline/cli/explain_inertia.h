/* kane explain --inertia: the spatial inertia of a body. */
#ifndef KANE_CLI_EXPLAIN_INERTIA_H
#define KANE_CLI_EXPLAIN_INERTIA_H

#include "analysis/clip/clip.h"
#include "formats/export/row_writer.h"

/* Prints the spatial inertia of a joint's segment, its inverse and its factor G. STATUS_BAD_INPUT for an unknown joint
 * or role, a clip without body, and a segment whose inertia has no inverse. */
Status explain_inertia(const Clip *clip, const char *body, RowForm form, Error *err);

#endif
