/* Warnings of import where the motion contradicts its file (analysis/detect/contradictions.h): each names what fits,
 * the strongest observations, and the option that settles it. */
#ifndef KANE_STAGES_IMPORT_WARNINGS_H
#define KANE_STAGES_IMPORT_WARNINGS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/import_guess.h"
#include "pipeline/stages/notes.h"

Status import_warn_contradictions(const ImportGuess *guess, Clip *clip, Notes *notes, Error *err);

#endif
