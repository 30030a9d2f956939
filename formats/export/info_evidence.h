/* The evidence part of kane info: what was decided of a clip, with its confidence and the two strongest observations
 * for and against (analysis/evidence/judgement.h). */
#ifndef KANE_EXPORT_INFO_EVIDENCE_H
#define KANE_EXPORT_INFO_EVIDENCE_H

#include <stdio.h>

#include "analysis/clip/clip.h"
#include "formats/base/json.h"

/* One line per judgement, then one per observation with its log odds; nothing without judgements. */
void info_print_evidence(FILE *stream, const Provenance *provenance);

/* The member "evidence": subject: {value, confidence, for, against}, the last two lists of {log_odds, text}. */
void info_put_evidence(Json *json, const Provenance *provenance);

#endif
