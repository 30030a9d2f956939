/* What import decided of a clip and why, for its provenance: unit, up axis, rate, front, level and path. */
#ifndef KANE_DETECT_IMPORT_JUDGEMENTS_H
#define KANE_DETECT_IMPORT_JUDGEMENTS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/import_guess.h"

Status import_judgements_record(const ImportGuess *guess, Provenance *provenance, Error *err);

/* Whether import found the body on pedals. */
int import_judged_pedals(const Provenance *provenance);

#endif
