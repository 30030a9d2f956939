/* What the text and the JSON of info (formats/export/info.h) share. */
#ifndef KANE_FORMATS_INFO_PARTS_H
#define KANE_FORMATS_INFO_PARTS_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/evidence/body_measures.h"
#include "analysis/stats/clip_stats.h"

/* Frames/s: 1 / frame_time without the last digits that the division leaves, 120 and not 120.00000000000001. */
double info_rate(double frame_time);

/* What the clip tells of itself in the frames of the choice; stats are the caller's to free. */
Status info_measure(const Clip *clip, FrameChoice choice, ClipStats *stats, BodyMeasures *size, Error *err);

/* STATUS_IO where the stream refused. */
Status info_finish(FILE *stream, Error *err);

/* Calls visit for each line of the history. */
void info_visit_history(const Clip *clip, FILE *stream, void (*visit)(FILE *stream, const char *line, int index));

int info_has_points(const Clip *clip);

/* Degrees from the horizontal. */
double info_ground_tilt(const Contact *c);

#endif
