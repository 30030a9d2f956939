/* The answer to a question as a page: its rows as a table that sorts, linked to pages of clips where there are some. */
#ifndef KANE_FORMATS_REPORT_ANSWER_H
#define KANE_FORMATS_REPORT_ANSWER_H

#include "formats/report/report_library.h"

typedef struct ReportAnswer {
    const char *question; /* as it was asked */
    const char *rows;     /* JSON: an array of objects, one a row; in path the clip's path, which becomes a link;
                             as formats/query writes them */
    size_t size;
    const char *database; /* path of the index whose paths these are */
    const char *folder;   /* absolute, of the pages of clips; NULL: that of the page itself */
} ReportAnswer;

/* has_page says of which clips there is a page, as in report_library_write. */
Status report_answer_write(const ReportPage *page, const ReportAnswer *answer, ReportPageTest has_page, void *context,
                           FILE *stream, Error *err);

#endif
