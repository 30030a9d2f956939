/* Gait as tables: tsv, a table at a time, and JSON, an object a clip. */
#ifndef KANE_FORMATS_GAIT_TABLE_H
#define KANE_FORMATS_GAIT_TABLE_H

#include <stdio.h>

#include "analysis/stats/gait.h"

typedef enum GaitTableKind { GAIT_STRIDES, GAIT_STEPS, GAIT_CURVES } GaitTableKind;

/* The line of column names. */
void gait_table_head(GaitTableKind kind, FILE *stream);

/* The rows of one clip by its title; what is not known is "nan". */
void gait_table_rows(const Gait *gait, GaitTableKind kind, GaitNormal normal, const char *title, FILE *stream);

/* One line: {"clip": ..., "strides": [...], "steps": [...], "curves": [...]}; what is not known is null. */
void gait_json(const Gait *gait, GaitNormal normal, const char *title, FILE *stream);

#endif
