/* The script of a page as a separate file: the pages of a folder share it and save half a megabyte each. */
#ifndef KANE_REPORT_REPORT_PROGRAM_H
#define KANE_REPORT_REPORT_PROGRAM_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/report/report_page.h"

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
