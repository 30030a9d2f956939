/* Bodies whose size says that the unit was decided wrongly. */
#ifndef KANE_PIPELINE_DOUBT_H
#define KANE_PIPELINE_DOUBT_H

#include "analysis/clip/clip.h"

/* A note for a person where a human's stature or a creature's mass is beyond what lives; nothing elsewhere. */
void doubt_size(const char *verb, const char *path, const Clip *clip);

#endif
