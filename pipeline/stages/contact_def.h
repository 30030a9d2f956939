/* How the contact stage estimates forces, for stages that estimate them again. */
#ifndef KANE_PIPELINE_CONTACT_DEF_H
#define KANE_PIPELINE_CONTACT_DEF_H

#include "analysis/contact/contact_estimate.h"
#include "pipeline/stages/stage.h"

/* As the options of the contact stage say for this clip. *bridged, which the definition refers to, is the caller's to
 * free; NULL where there is none. */
Status contact_def_find(const OptionValues *values, const Clip *clip, ContactEstimateDef *def, uint8_t **bridged,
                        Error *err);

#endif
