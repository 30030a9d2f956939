/* Residual forces of a clip before and after retargeting. */
#ifndef KANE_STAGES_RETARGET_RESIDUAL_H
#define KANE_STAGES_RETARGET_RESIDUAL_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Runs the stages with default options on a copy of the clip's skeleton, motion and trust, up to contact or torque. The
 * caller frees *out with clip_free. */
typedef enum PipelineEnd { PIPELINE_TO_CONTACT, PIPELINE_TO_TORQUE } PipelineEnd;
Status retarget_run_pipeline(const Clip *clip, PipelineEnd end, Clip *out, Error *err);

/* Returns the RMS residual force, in body weights, over the frames that `before`, the trust before retargeting,
 * accepts; *worst (may be NULL) receives the frame of the largest. NaN without torques, mass or such frames. */
double retarget_residual(const Clip *clip, const Trust *before, double *worst);

#endif
