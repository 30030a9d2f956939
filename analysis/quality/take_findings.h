/* Findings about a take of any format: defective rows, uncertain decisions of import, and motion that no body makes. */
#ifndef KANE_QUALITY_TAKE_FINDINGS_H
#define KANE_QUALITY_TAKE_FINDINGS_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/take.h"

/* Appends to take->findings, in order of their locations, what import would decide under def and what the resulting
 * clip shows: repeated and missing rows, Euler flips, frame time, unit, up axis, positions, root path, a first frame
 * that is not part of the take, artifacts, bones of varying length, feet that never come down. Then, if a skeleton of
 * the same family is given, those of its joints that the take lacks. Skeleton and motion are moved out of the take, as
 * by clip_settle. */
Status take_inspect(Take *take, const ImportGuessDef *def, const Skeleton *family, Error *err);

#endif
