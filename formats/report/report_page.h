/* The page of kane report: one HTML file that make page builds from web/report, with a mark where the data are
 * inserted. */
#ifndef KANE_REPORT_REPORT_PAGE_H
#define KANE_REPORT_REPORT_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/base/json.h"
#include "formats/report/series.h"

/* Occurs once in a page. */
#define REPORT_PAGE_MARK "@KANE-DATA@"

typedef struct ReportPage {
    const char *text; /* the whole page */
    size_t size;
    const char *mark;
    char *own; /* owned; NULL if the page is built into the program */
} ReportPage;

/* Finds the page: path if given, else report.html beside the program, ../share/kane/report.html from there, or the page
 * built into the program. STATUS_BAD_INPUT for a file without the mark; STATUS_IO with the command that builds the page
 * if there is none. On failure *out is empty. */
Status report_page_find(const char *path, ReportPage *out, Error *err);
void report_page_free(ReportPage *page);

/* Writes the page with its data in place of the mark, compressed and as base64: length of json (32 bits,
 * little-endian), json, low bytes of the series, high bytes. STATUS_IO if writing fails. */
Status report_page_write(const ReportPage *page, const char *json, size_t json_size, const SeriesBlock *series,
                         FILE *stream, Error *err);

/* Begin and end of the JSON of every page; kind is "clips", "answer" or "library". report_json_end closes the stream
 * and returns status, or STATUS_NO_MEMORY if that fails. */
void report_json_begin(Json *json, const char *kind);
Status report_json_end(Json *json, Status status, Error *err);

#endif
