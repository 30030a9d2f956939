/* The body of a clip for its page: the mannequin as series of its vertices and faces. */
#ifndef KANE_FORMATS_REPORT_SKIN_H
#define KANE_FORMATS_REPORT_SKIN_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/report/series.h"

/* Writes a JSON object: {"vertices", "faces", "least", "step", "bind"}. Appended to the block, in this order: x, y, z
 * of the vertices (least + (code - 1) step, m, in the pose of the skin), first and second joint of each vertex, share
 * of the second in 1/SKIN_SHARES, and the three corners of the faces. bind: of every joint its place, m, and turn
 * x, y, z, w in that pose. */
enum { SKIN_SHARES = 64 };
Status skin_write(const Clip *clip, SeriesBlock *block, FILE *json, Error *err);

#endif
