/* Gait as tables: TSV, one table per call, or JSON, one object per clip. */
#ifndef KANE_EXPORT_GAIT_TABLE_H
#define KANE_EXPORT_GAIT_TABLE_H

#include <stdio.h>

#include "analysis/clip/clip.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/stats/gait.h"
#include "formats/export/row_writer.h"

typedef enum GaitTableKind { GAIT_STRIDES, GAIT_STEPS, GAIT_CURVES } GaitTableKind;

/* Writes the line of column names. */
void gait_table_head(GaitTableKind kind, FILE *stream);

/* Writes the rows of one clip, with its title; unknown values are "nan". */
void gait_table_rows(const Gait *gait, GaitTableKind kind, GaitNormal normal, const char *title, FILE *stream);

/* Writes one line: {"clip": ..., "strides": [...], "steps": [...], "curves": [...]}; unknown values are null. */
void gait_json(const Gait *gait, GaitNormal normal, const char *title, FILE *stream);

/* The torque of a joint as a sum of named terms: tables of kane explain (docs/formats/exports.md "Explain"). */

/* The joint to explain. If /anatomy has axes, terms are also given about them; if it has passive moments, the sum is
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
