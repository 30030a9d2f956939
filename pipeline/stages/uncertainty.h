/* The uncertainty of torques, for the torque stage: what the clip's history says of filter and forces. */
#ifndef KANE_PIPELINE_UNCERTAINTY_H
#define KANE_PIPELINE_UNCERTAINTY_H

#include "analysis/uncertainty/torque_uncertainty.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

typedef enum TorqueUncertainty { UNCERTAINTY_NONE = 0, UNCERTAINTY_FAST, UNCERTAINTY_FULL } TorqueUncertainty;

extern const char *const torque_uncertainty_names[]; /* of TorqueUncertainty; NULL at the end */
extern const OptionKind option_uncertainty;          /* a TorqueUncertainty; the history has it where there is one */

/* What the clip's history says of the filter and where its forces come from, with the sizes of the method; borne is the
 * caller's to fill. Without estimated forces both methods are the fast one. */
Status uncertainty_def_of(TorqueUncertainty how, const Clip *clip, int measured, UncertaintyDef *def, Error *err);

/* How the clip's contact was estimated, for the full method; *bridged is the caller's to free. */
Status uncertainty_contact_of(const Clip *clip, UncertaintyDef *def, uint8_t **bridged, Error *err);

/* Adds torque_sd to the dynamics of a clip whose torques were found under these loads; measured: they were given to
 * the torque stage itself. */
Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, int measured, Error *err);

#endif
