/* The page of one clip, or of several side by side. */
#ifndef KANE_REPORT_REPORT_CLIPS_H
#define KANE_REPORT_REPORT_CLIPS_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/report/report_page.h"

enum { REPORT_ACTORS = 8 }; /* on a page: a clip and its controllers */

/* Largest number of joints (with end sites) times samples on a page; longer clips are shown with every second, third
 * ... frame. */
#define REPORT_MAX_VALUES 2000000L

/* One side of the page. */
typedef struct ReportSide {
    const Clip *clip;
    int is_controller; /* 0: the clip's own motion */
    ControllerKind controller;
} ReportSide;

/* The data of a page of clips. */
typedef struct ReportClipsData {
    char *json; /* [json_size] owned */
    size_t json_size;
    SeriesBlock series; /* owned */
} ReportClipsData;

/* Builds the data of 1 to REPORT_ACTORS sides. The caller frees *out with report_clips_data_free; it is empty after
 * failure. */
Status report_clips_data(const ReportSide *side, int count, ReportClipsData *out, Error *err);
void report_clips_data_free(ReportClipsData *data);

/* Fills the sides of a page that compares a clip with the simulations of its controllers; returns their number. */
int report_controller_sides(const Clip *clip, ReportSide side[REPORT_ACTORS]);

/* Writes the whole page; count is 1 to REPORT_ACTORS. */
Status report_clips_write(const ReportPage *page, const ReportSide *side, int count, FILE *stream, Error *err);

#endif
