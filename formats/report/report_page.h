/* The page of kane report: one HTML file that make page builds from scripts/page, with a mark where its data go. */
#ifndef KANE_FORMATS_REPORT_PAGE_H
#define KANE_FORMATS_REPORT_PAGE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/report/series.h"

/* Stands once in a page. */
#define REPORT_PAGE_MARK "@KANE-DATA@"

typedef struct ReportPage {
    const char *text; /* the whole page */
    size_t size;
    const char *mark;
    char *own; /* owned; NULL where the page is part of the program */
} ReportPage;

/* Finds the page: path where it is given, else page.html beside the program, ../share/kane/page.html from there, the
 * one that was there when the program was built. STATUS_BAD_INPUT for a file without the mark; where there is none,
 * STATUS_IO with the command that makes it. On failure *out is empty. */
Status report_page_find(const char *path, ReportPage *out, Error *err);
void report_page_free(ReportPage *page);

/* Writes the page with its data in the place of the mark: length of json (32 bits, low byte first), json, the low bytes
 * of the series, their high bytes, as packed text. STATUS_IO where the stream refuses. */
Status report_page_write(const ReportPage *page, const char *json, size_t json_size, const SeriesBlock *series,
                         FILE *stream, Error *err);

#endif
