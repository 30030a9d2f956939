/* The page of kane report: one HTML file that make page builds from scripts/page, with a mark where its data go. */
#ifndef KANE_REPORT_REPORT_PAGE_H
#define KANE_REPORT_REPORT_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/base/text.h"

/* Time series in 16 bits a value, as the page reads them (scripts/page/decode.js).
 *
 * A series has a scale of its own: code 0 is a value that is not known, code k >= 1 is least + (k - 1) step, with
 * step = (largest - least) / 65534, so that no value is off by more than half a step. Stored is the difference of a
 * code to the one before, modulo 65536 and folded so that small ones of either sign are small numbers (0 -1 1 -2 ..),
 * low and high bytes apart: long runs of equal bytes, which deflate takes well. */

typedef struct SeriesScale {
    double least; /* 0 where no value is known */
    double step;  /* 0 where all are equal */
} SeriesScale;

/* The series of a page, one after the other. */
typedef struct SeriesBlock {
    unsigned char *low, *high; /* [count] owned */
    size_t count, capacity;
} SeriesBlock;

/* Appends a series. Values that are not finite, or beyond 1e30, become unknown. On failure the block is as it was. */
Status series_append(SeriesBlock *block, const double *value, size_t count, SeriesScale *scale, Error *err);

/* The same on a scale that is given. */
Status series_append_scaled(SeriesBlock *block, const double *value, size_t count, SeriesScale scale, Error *err);
void series_free(SeriesBlock *block);

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

/* What the JSON of every page begins with, kind "clips", "answer" or "library"; and its end: closes the stream.
 * STATUS_NO_MEMORY where that refused, or the status that was given. */
void report_json_begin(Json *json, const char *kind);
Status report_json_end(Json *json, Status status, Error *err);

/* The program of a page as a file of its own: many pages of one folder then share it, not half a megabyte each. */

/* "kane-1a2b3c4d.js", by its content, so that pages of an older kane beside it keep theirs. */
enum { REPORT_PROGRAM_NAME = 24 };

/* The script inside the text of a page; not owned. */
typedef struct ReportProgram {
    const char *text;
    size_t size;
    char name[REPORT_PROGRAM_NAME];
} ReportProgram;

/* text is NULL where the page has no script, or not the policy for it, as make page writes them: it stays whole. */
Status report_program_find(const ReportPage *page, ReportProgram *out, Error *err);

/* The page that asks for its program in the folder above it. *out owns its text. */
Status report_program_link(const ReportPage *page, const ReportProgram *program, ReportPage *out, Error *err);

#endif
