/* The quantities of a clip as series: joint rotations, torques, ground forces and so on, with name, unit and number of
 * series. Quantities that the clip lacks are omitted. */
#ifndef KANE_REPORT_PAGE_CURVES_H
#define KANE_REPORT_PAGE_CURVES_H

#include "analysis/base/status.h"
#include "formats/base/json.h"
#include "formats/report/page_clip.h"
#include "formats/report/series.h"

/* Appends the series to block and writes a JSON list in the same order: {"name", "unit", "series": [[min, step]
 * ...]}.
 *
 * For poses, positions and forces a sample is its first frame. For loads and errors it is the frame of largest
 * magnitude within the stride, so that no peak is lost. */
Status curves_write(const PageClip *actor, SeriesBlock *block, Json *json, Error *err);

/* Returns the number of anatomical coordinates with series: none for a controller or if stride > 1. */
int curves_coordinate_count(const PageClip *actor);

#endif
