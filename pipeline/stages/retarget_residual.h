/* What ground forces leave unexplained of a clip, before and after it was put on another body. */
#ifndef KANE_PIPELINE_RETARGET_RESIDUAL_H
#define KANE_PIPELINE_RETARGET_RESIDUAL_H

#include "analysis/clip/clip.h"

/* A copy of the clip's skeleton, motion and trust goes through the chain with its defaults, up to the stage of contact
 * or, for a residual, of torque. Free *out with clip_free. */
typedef enum ChainEnd { CHAIN_TO_CONTACT, CHAIN_TO_TORQUE } ChainEnd;
Status retarget_run_chain(const Clip *clip, ChainEnd end, Clip *out, Error *err);

/* RMS over the frames that the clip before retargeting is trusted in (its trust; frame by frame the same motion), body
 * weights, and the frame of the largest (may be NULL). NaN without torques, mass or such frames. */
double retarget_residual(const Clip *clip, const Trust *before, double *worst);

#endif
