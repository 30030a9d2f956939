/* Torque uncertainty, from filter and force source in the history. */
#ifndef KANE_STAGES_UNCERTAINTY_H
#define KANE_STAGES_UNCERTAINTY_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/uncertainty/torque_uncertainty.h"
#include "pipeline/stages/torque_loads.h"

typedef enum TorqueUncertainty { UNCERTAINTY_NONE = 0, UNCERTAINTY_FAST, UNCERTAINTY_FULL } TorqueUncertainty;

/* Fills def from the history (filter, source of the forces) and with the default sizes; the caller sets ground_loads.
 * Without estimated forces UNCERTAINTY_FULL equals UNCERTAINTY_FAST. */
Status uncertainty_def(TorqueUncertainty how, const Clip *clip, int measured, UncertaintyDef *def, Error *err);

/* Adds the settings of the contact estimation, for UNCERTAINTY_FULL; the caller frees *bridged. */
Status uncertainty_contact(const Clip *clip, UncertaintyDef *def, uint8_t **bridged, Error *err);

/* Adds torque_sd to the dynamics. loads and tables are those with which the torques were computed. */
Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, const TorqueTables *tables, Error *err);

#endif
