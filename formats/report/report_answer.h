/* The result of a query as a page: a sortable table with links to pages of clips. */
#ifndef KANE_REPORT_REPORT_ANSWER_H
#define KANE_REPORT_REPORT_ANSWER_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/report/report_library.h"
#include "formats/report/report_page.h"

typedef struct ReportAnswer {
    const char *question; /* as the user wrote it */
    const char *rows;     /* JSON as of formats/query: an array with one object per row; its "path" becomes a link */
    size_t size;
    const char *database; /* index to which the paths belong */
    const char *folder;   /* absolute folder with the pages of clips; NULL: that of the page */
} ReportAnswer;

/* has_page as in report_library_write. */
Status report_answer_write(const ReportPage *page, const ReportAnswer *answer, ReportPageTest has_page, void *context,
                           FILE *stream, Error *err);

#endif
