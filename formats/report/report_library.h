/* The clips of an index as a page: a table of clip_summary with small plots, and links to pages of single clips. */
#ifndef KANE_FORMATS_REPORT_LIBRARY_H
#define KANE_FORMATS_REPORT_LIBRARY_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/report/report_page.h"

/* A page holds no more clips than this, the hardest first, */
#define REPORT_MOST_CLIPS 10000
/* and small plots of no more than this. */
#define REPORT_MOST_PLOTS 5000

/* The name of a clip's page inside the folder of an index page, "clips/walk.bvh.h5-8c1f03d2.html": letters, digits and
 * ._- of the path, and digits of its SHA-256, so that no path leads elsewhere and no two share a page. *name is owned
 * by the caller. */
Status report_clip_page_name(const char *path, char **name, Error *err);

/* Takes the path of a clip as the index has it: relative to the folder of the index, or absolute. */
typedef Status (*ReportPathVisitor)(void *context, const char *path, Error *err);

/* Calls visit for the clips that report_library_write lists, until one fails. */
Status report_library_visit(const char *database, ReportPathVisitor visit, void *context, Error *err);

/* has_page says whether the page of a clip is there and may be linked; name as of report_clip_page_name. The index is
 * only read, and nothing in it is trusted. */
typedef int (*ReportPageTest)(void *context, const char *name);
Status report_library_write(const ReportPage *page, const char *database, ReportPageTest has_page, void *context,
                            FILE *stream, Error *err);

#endif
