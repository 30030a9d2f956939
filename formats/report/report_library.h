/* The page of an index: a table of clip_summary with small plots and links to the pages of clips. */
#ifndef KANE_REPORT_REPORT_LIBRARY_H
#define KANE_REPORT_REPORT_LIBRARY_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/report/report_page.h"

/* Largest number of clips on a page; those with the largest torque are kept. */
#define REPORT_MAX_CLIPS 10000
/* Largest number of small plots on a page. */
#define REPORT_MAX_PLOTS 5000

/* Returns the name of a clip's page in the folder of the index page, "clips/walk.bvh.h5-8c1f03d2.html": letters, digits
 * and ._- of the path, and digits of its SHA-256. So names stay inside the folder and are unique per path. The caller
 * frees *name. */
Status report_clip_page_name(const char *path, char **name, Error *err);

/* path: of a clip as in the index, relative to the index's folder or absolute. */
typedef Status (*ReportPathVisitor)(void *context, const char *path, Error *err);

/* Calls visit for the clips that report_library_write lists, until one call fails. */
Status report_library_visit(const char *database, ReportPathVisitor visit, void *context, Error *err);

/* Writes the page. has_page: returns 1 if the page of a clip exists and may be linked; name as of
 * report_clip_page_name. The index is untrusted input and opened read-only. */
typedef int (*ReportPageTest)(void *context, const char *name);
Status report_library_write(const ReportPage *page, const char *database, ReportPageTest has_page, void *context,
                            FILE *stream, Error *err);

#endif
