/* What a page draws of a clip: the mannequin as series of its vertices and faces, springs and tendons as lines. */
#ifndef KANE_REPORT_PAGE_SHAPES_H
#define KANE_REPORT_PAGE_SHAPES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/json.h"
#include "formats/report/series.h"

/* Writes a JSON object {"vertices", "faces", "min", "step", "bind"} and appends to the block, in this order: x, y, z
 * of the vertices (min + (code - 1) step, m, in the bind pose); first and second joint of each vertex; weight of the
 * second in 1/SKIN_WEIGHT_STEPS; the three corners of the faces. bind: position, m, and rotation x, y, z, w of each
 * joint in the bind pose. A scene has "tints": runs of vertices of one colour, [count, red, green, blue, ...]. */
enum { SKIN_WEIGHT_STEPS = 64 };
Status skin_write(const Clip *clip, SeriesBlock *block, Json *json, Error *err);

/* Writes springs and tendons: [{"kind", "color": [red, green, blue], "points": [[joint, particle, x, y, z] ...]} ...];
 * m in joint axes; joint or particle -1: none. */
void page_lines_write(const Shapes *shapes, Json *json);

#endif
