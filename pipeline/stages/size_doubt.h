/* Bodies of a size that does not live: mostly a unit of length that was decided wrongly. */
#ifndef KANE_PIPELINE_SIZE_DOUBT_H
#define KANE_PIPELINE_SIZE_DOUBT_H

#include "pipeline/stages/notes.h"

/* Statures of people, from infants to the tallest, m. */
#define STATURE_LEAST 0.3
#define STATURE_GREATEST 2.3

/* Warns, as kind "size", of a person whose stature is outside these limits and of a creature whose mass is. The clip
 * keeps one such warning: of the size that it has now. */
Status size_doubt(Clip *clip, Notes *notes, Error *err);

#endif
