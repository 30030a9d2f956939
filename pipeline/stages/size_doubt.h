/* Warnings of implausible body sizes, mostly caused by a wrong unit of length. */
#ifndef KANE_STAGES_SIZE_DOUBT_H
#define KANE_STAGES_SIZE_DOUBT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/notes.h"

/* Range of human statures from infants to the tallest, m. */
#define STATURE_MIN 0.3
#define STATURE_GREATEST 2.3

/* Warns, as kind "size", of a human whose stature, or an animal whose mass, is out of range. Replaces an earlier
 * warning of this kind in the clip. */
Status size_doubt(Clip *clip, Notes *notes, Error *err);

/* Warns, as kind "mass", of a mass, stated or the default, that no person of this stature has; not of an implausible
 * stature. */
Status mass_doubt(Clip *clip, Notes *notes, Error *err);

#endif
