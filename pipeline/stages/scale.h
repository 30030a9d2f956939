/* kane scale beyond its stage: the scaled clip with all that was computed from it made anew. */
#ifndef KANE_PIPELINE_SCALE_H
#define KANE_PIPELINE_SCALE_H

#include "pipeline/stages/stage.h"

/* Applies stage_scale, then diff, contact and torque as they were applied before, and tells what became of the torques.
 * On failure the clip can only be freed. */
Status scale_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err);

#endif
