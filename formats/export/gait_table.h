/* Gait as tables: TSV, one table per call, or JSON, one object per clip. */
#ifndef KANE_EXPORT_GAIT_TABLE_H
#define KANE_EXPORT_GAIT_TABLE_H

#include <stdio.h>

#include "analysis/stats/gait.h"

typedef enum GaitTableKind { GAIT_STRIDES, GAIT_STEPS, GAIT_CURVES } GaitTableKind;

/* Writes the line of column names. */
void gait_table_head(GaitTableKind kind, FILE *stream);

/* Writes the rows of one clip, with its title; unknown values are "nan". */
void gait_table_rows(const Gait *gait, GaitTableKind kind, GaitNormal normal, const char *title, FILE *stream);

/* Writes one line: {"clip": ..., "strides": [...], "steps": [...], "curves": [...]}; unknown values are null. */
void gait_json(const Gait *gait, GaitNormal normal, const char *title, FILE *stream);

#endif
