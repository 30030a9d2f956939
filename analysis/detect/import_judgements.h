/* What import decided of a clip and why, for its provenance: unit, up axis, rate, front, level, path and
 * roles. */
#ifndef KANE_DETECT_IMPORT_JUDGEMENTS_H
#define KANE_DETECT_IMPORT_JUDGEMENTS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/import_guess.h"

Status import_judgements_record(const ImportGuess *guess, Provenance *provenance, Error *err);

/* Whether the body has no contact with what supports it: on pedals, as import found, or legs that end at the knees. */
int import_lacks_support(const Clip *clip);

#endif
