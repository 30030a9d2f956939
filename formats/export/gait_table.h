/* Gait as tables: tsv, a table at a time, and JSON, an object a clip. */
#ifndef KANE_EXPORT_GAIT_TABLE_H
#define KANE_EXPORT_GAIT_TABLE_H

#include <stdio.h>

#include "analysis/clip/clip.h"
#include "analysis/dynamics/torque_terms.h"
#include "analysis/stats/gait.h"
#include "formats/export/row_writer.h"

typedef enum GaitTableKind { GAIT_STRIDES, GAIT_STEPS, GAIT_CURVES } GaitTableKind;

/* The line of column names. */
void gait_table_head(GaitTableKind kind, FILE *stream);

/* The rows of one clip by its title; what is not known is "nan". */
void gait_table_rows(const Gait *gait, GaitTableKind kind, GaitNormal normal, const char *title, FILE *stream);

/* One line: {"clip": ..., "strides": [...], "steps": [...], "curves": [...]}; what is not known is null. */
void gait_json(const Gait *gait, GaitNormal normal, const char *title, FILE *stream);

/* A joint's torque as named terms: tables of kane explain (docs/formats/exports.md "Explain"). */

/* Of one joint. Clips whose /anatomy has axes give each term about them too, and those with its passive moments what
 * of the sum is passive and what active. */
typedef struct TermsSubject {
    const Clip *clip; /* with dynamics */
    int joint;
    RowForm form;   /* ROW_STORAGE apart */
} TermsSubject;

/* A row a term at one frame, then their sum and its parts: moment, fraction of the torque, force, lever arm. */
Status terms_table(const TermsSubject *subject, const TorqueTerms *terms, int frame, FILE *stream, Error *err);

/* One row per frame: the moments of the terms as columns. terms holds the last frame then. */
Status terms_series(const TermsSubject *subject, TorqueTerms *terms, FILE *stream, Error *err);

#endif
