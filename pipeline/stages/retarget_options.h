/* What the command line needs of the retarget stage beside the stage itself. */
#ifndef KANE_STAGES_RETARGET_OPTIONS_H
#define KANE_STAGES_RETARGET_OPTIONS_H

#include <stdio.h>

#include "analysis/clip/clip.h"
#include "analysis/detect/up_axis.h"
#include "analysis/retarget/retarget.h"
#include "pipeline/stages/option.h"

typedef enum ScoreExtent { SCORE_MOTION = 0, SCORE_ALL } ScoreExtent;

typedef struct RetargetOptions {
    const char *to, *map, *limits, *contacts, *score_limits;
    int rest, target_rest;
    HandReach hands;
    double target_unit; /* m; 0: decided */
    UpAxis target_up;
    PlantMode plant;
    double strength;
    int free_fall; /* 1: flights with g, 0: scaled */
    ScoreExtent score;
} RetargetOptions;

/* The character of --to; notes: what was decided of a BVH file. err names the file. */
Status retarget_read_character(const RetargetOptions *given, Clip *out, Notes *notes, Error *err);

/* The table of contacts that would be used for this clip, for --contacts. */
Status retarget_write_contacts(const RetargetOptions *given, const Clip *clip, FILE *stream, Error *err);

/* The table of joints that would be used for this clip, for --map. */
Status retarget_write_map(const RetargetOptions *given, const Clip *clip, FILE *stream, Error *err);

/* What ground forces leave unexplained of a clip, before and after it was put on another body. */

/* A copy of the clip's skeleton, motion and trust goes through the chain with its defaults, up to the stage of contact
 * or, for a residual, of torque. Free *out with clip_free. */
typedef enum ChainEnd { CHAIN_TO_CONTACT, CHAIN_TO_TORQUE } ChainEnd;
Status retarget_run_chain(const Clip *clip, ChainEnd end, Clip *out, Error *err);

/* RMS over the frames that the clip before retargeting is trusted in (its trust; frame by frame the same motion), body
 * weights, and the frame of the largest (may be NULL). NaN without torques, mass or such frames. */
double retarget_residual(const Clip *clip, const Trust *before, double *worst);

#endif
