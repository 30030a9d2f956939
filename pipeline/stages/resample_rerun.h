/* The stage resample, and all that a clip holds after it. */
#ifndef KANE_PIPELINE_RESAMPLE_RERUN_H
#define KANE_PIPELINE_RESAMPLE_RERUN_H

#include "pipeline/stages/stage.h"

/* Applies stage_resample, then diff, contact, torque and anatomy again as far as the clip had them, with the options of
 * its history; measured forces go in straight lines from frame to frame. */
Status resample_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err);

#endif
