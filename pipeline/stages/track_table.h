/* What `kane track` tells: the table of controllers, and on request every step of every joint. */
#ifndef KANE_PIPELINE_TRACK_TABLE_H
#define KANE_PIPELINE_TRACK_TABLE_H

#include <stdio.h>

#include "analysis/clip/clip.h"

void track_table_head(FILE *out);
void track_table_rows(FILE *out, const Clip *clip);

/* Long form: clip controller time joint role angle_deg orientation_error_deg position_error_cm torque_nm; angle: of
 * the joint about Z, as of a hinge. */
void track_series_head(FILE *out);
void track_series_rows(FILE *out, const Clip *clip);

#endif
