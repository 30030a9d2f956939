/* The torque of a joint as a sum of named terms: tables of kane explain (docs/formats/exports.md "Explain"). */
#ifndef KANE_EXPORT_TERMS_TABLE_H
#define KANE_EXPORT_TERMS_TABLE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/dynamics/torque_terms.h"
#include "formats/export/row_writer.h"

/* The joint to explain. If /angles has axes, terms are also given about them; if it has passive moments, the sum is
 * split into passive and active. */
typedef struct TermsSubject {
    const Clip *clip; /* with dynamics */
    int joint;
    RowForm form;   /* not ROW_STORAGE */
} TermsSubject;

/* Writes one row per term in one frame, then their sum and its parts: moment, fraction of the torque, force, lever
 * arm. */
Status terms_table(const TermsSubject *subject, const TorqueTerms *terms, int frame, FILE *stream, Error *err);

/* Writes one row per frame with the moments of the terms as columns. Afterwards terms contains the last frame. */
Status terms_series(const TermsSubject *subject, TorqueTerms *terms, FILE *stream, Error *err);

#endif
