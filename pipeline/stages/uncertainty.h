/* The uncertainty of torques, for the torque stage: what the clip's history says of filter and forces. */
#ifndef KANE_PIPELINE_UNCERTAINTY_H
#define KANE_PIPELINE_UNCERTAINTY_H

#include "analysis/uncertainty/torque_uncertainty.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

typedef enum TorqueUncertainty { UNCERTAINTY_NONE = 0, UNCERTAINTY_FAST } TorqueUncertainty;

extern const char *const torque_uncertainty_names[]; /* of TorqueUncertainty; NULL at the end */
extern const OptionKind option_uncertainty;          /* a TorqueUncertainty; the history has it where there is one */

/* Adds torque_sd to the dynamics of a clip whose torques were found under these loads; measured: they were given to
 * the torque stage itself. */
Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, int measured, Error *err);

#endif
