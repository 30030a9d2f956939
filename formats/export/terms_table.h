/* A joint's torque as named terms: tables of kane explain (docs/formats.md "Explain"). */
#ifndef KANE_FORMATS_TERMS_TABLE_H
#define KANE_FORMATS_TERMS_TABLE_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/torque_terms.h"
#include "formats/export/sheet.h"

/* Of one joint. Clips whose /anatomy has axes give each term about them too, and those with its passive moments what
 * of the sum is passive and what active. */
typedef struct TermsSubject {
    const Clip *clip; /* with dynamics */
    int joint;
    SheetForm form;   /* SHEET_STORAGE apart */
} TermsSubject;

/* A row a term at one frame, then their sum and its parts: moment, share of the torque, force, lever arm. */
Status terms_table(const TermsSubject *subject, const TorqueTerms *terms, int frame, FILE *stream, Error *err);

/* A row a frame: the moments of the terms as columns. terms holds the last frame then. */
Status terms_series(const TermsSubject *subject, TorqueTerms *terms, FILE *stream, Error *err);

#endif
