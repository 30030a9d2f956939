/* One clip, or two in step, as a page. */
#ifndef KANE_FORMATS_REPORT_CLIPS_H
#define KANE_FORMATS_REPORT_CLIPS_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/report/report_page.h"

enum { REPORT_ACTORS = 2 };

/* Joints and ends times samples that one page shows at most; more frames are shown by every second, third.. one. */
#define REPORT_MOST_VALUES 2000000L

/* What one side of the page shows. */
typedef struct ReportSide {
    const Clip *clip;
    int is_controller; /* 0: the clip's own motion */
    ControllerKind controller;
} ReportSide;

/* What a page shows of clips. */
typedef struct ReportClipsData {
    char *json; /* [json_size] owned */
    size_t json_size;
    SeriesBlock series; /* owned */
} ReportClipsData;

/* count is 1 or 2. On failure *out is empty; else report_clips_data_free frees it. */
Status report_clips_data(const ReportSide *side, int count, ReportClipsData *out, Error *err);
void report_clips_data_free(ReportClipsData *data);

/* Writes the whole page; count is 1 or 2. */
Status report_clips_write(const ReportPage *page, const ReportSide *side, int count, FILE *stream, Error *err);

#endif
