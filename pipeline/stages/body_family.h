/* What `kane batch` asks of the stage body beside its options. */
#ifndef KANE_PIPELINE_BODY_FAMILY_H
#define KANE_PIPELINE_BODY_FAMILY_H

#include "analysis/clip/neutral_turns.h"
#include "pipeline/stages/stage.h"

/* The neutral pose of the clips of one skeleton, for a clip that does not surely contradict it; not owned. NULL: none.
 * values are of stage_body. */
void body_follow(OptionValues *values, const NeutralAngles *family);

/* Whether these options leave the neutral pose open. */
int body_follows(const OptionValues *values);

#endif
