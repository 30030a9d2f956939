/* The verdict of a clip in the data of its page. */
#ifndef KANE_REPORT_PAGE_VERDICT_H
#define KANE_REPORT_PAGE_VERDICT_H

#include "analysis/base/status.h"
#include "analysis/stats/verdict.h"
#include "formats/base/json.h"
#include "formats/report/page_clip.h"

/* Writes the members verdict, as below, and verdicts, the intervals of frames with one word: [[t0, t1, "hard", joint,
 * factor, band] ...] with the finding of the largest lower end. Nothing of a controller. */
Status page_verdict_write(const PageClip *actor, Json *json, Error *err);

/* Writes {"word", "why", "joint", "name", "frame", "t", "factor", "band"}; joint -1, name "": none. */
void page_verdict_put(const ClipVerdict *verdict, const Skeleton *skeleton, Json *json);

#endif
