/* The page of kane report: one HTML file that make page builds from web/report, with a mark where the data are
 * inserted. */
#ifndef KANE_REPORT_REPORT_PAGE_H
#define KANE_REPORT_REPORT_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/base/text.h"

/* Time series of 16 bits per value, as web/report/decode.js reads them.
 *
 * Each series has a scale: code 0 is an unknown value, code k >= 1 is least + (k - 1) step with step = (largest -
 * least) / 65534, so the error is at most half a step. Stored are differences of consecutive codes modulo 65536 in
 * zigzag order (0 -1 1 -2 ..), low and high bytes separately: long runs of equal bytes, which deflate compresses
 * well. */

typedef struct SeriesScale {
    double min;   /* 0 if no value is known */
    double step;  /* 0 if all values are equal */
} SeriesScale;

/* The concatenated series of a page. */
typedef struct SeriesBlock {
    unsigned char *low, *high; /* [count] owned */
    size_t count, capacity;
} SeriesBlock;

/* Appends a series. Values that are not finite or beyond 1e30 become unknown. On failure the block is unchanged. */
Status series_append(SeriesBlock *block, const double *value, size_t count, SeriesScale *scale, Error *err);

/* Appends a series on a given scale. */
Status series_append_scaled(SeriesBlock *block, const double *value, size_t count, SeriesScale scale, Error *err);
void series_free(SeriesBlock *block);

/* Occurs once in a page. */
#define REPORT_PAGE_MARK "@KANE-DATA@"

typedef struct ReportPage {
    const char *text; /* the whole page */
    size_t size;
    const char *mark;
    char *own; /* owned; NULL if the page is built into the program */
} ReportPage;

/* Finds the page: path if given, else page.html beside the program, ../share/kane/page.html from there, or the page
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

/* The script of a page as a separate file: the pages of a folder share it and save half a megabyte each. */

/* "kane-1a2b3c4d.js": named by its content, so that pages of other versions in the folder keep their script. */
enum { REPORT_PROGRAM_NAME = 24 };

/* The script in the text of a page; not owned. */
typedef struct ReportProgram {
    const char *text;
    size_t size;
    char name[REPORT_PROGRAM_NAME];
} ReportProgram;

/* Finds the script. text is NULL if the page has no script or no policy for it as make page writes them; the page is
 * then left whole. */
Status report_program_find(const ReportPage *page, ReportProgram *out, Error *err);

/* Creates the page that loads its script from the parent folder. *out owns its text. */
Status report_program_link(const ReportPage *page, const ReportProgram *program, ReportPage *out, Error *err);

#endif
