/* The program of a page as a file of its own: many pages of one folder then share it, not half a megabyte each. */
#ifndef KANE_FORMATS_REPORT_PROGRAM_H
#define KANE_FORMATS_REPORT_PROGRAM_H

#include "formats/report/report_page.h"

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
