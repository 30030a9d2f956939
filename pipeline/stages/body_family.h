/* The options of the stage body that `kane batch` sets per skeleton. */
#ifndef KANE_STAGES_BODY_FAMILY_H
#define KANE_STAGES_BODY_FAMILY_H

#include "analysis/angles/neutral_family.h"
#include "analysis/clip/skeleton.h"
#include "pipeline/stages/option.h"

/* Sets the neutral pose of the clips with this skeleton, used unless a clip confidently contradicts it (NULL: none),
 * and the clip's own as neutral_vote_cast measures it (NULL: to be measured); not owned. values are of stage_body. */
void body_follow(OptionValues *values, const NeutralAngles *family, const NeutralVote *own);

/* Returns whether the options leave the neutral pose to be detected. */
int body_follows(const OptionValues *values);

#endif
