/* The clips of an index as a page: a table of clip_summary with small plots, and links to pages of single clips. */
#ifndef KANE_REPORT_REPORT_LIBRARY_H
#define KANE_REPORT_REPORT_LIBRARY_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/stats/motion_features.h"
#include "formats/report/report_page.h"

/* A pose of a clip as a small drawing: the path of an SVG, of less than a kilobyte. */

enum { POSTER_SIZE = 100, POSTER_TEXT = 700 };

/* Writes the d of a path in a square of POSTER_SIZE units, to be drawn with thick round lines: trunk, head and limbs of
 * a sample of a sketch, seen from the left and the front with what is up at the top, the lowest point at the bottom.
 * Trunk and head, of which a sketch has only the direction, are as long as most people's. "" where the sample holds
 * no pose. Returns its length. */
int thumbnail_draw(const unsigned char *sample, char text[POSTER_TEXT]);

/* The sample nearest to a time, s after the clip's begin, that holds a pose; NULL where none does. t may be NaN: the
 * middle. */
const unsigned char *thumbnail_sample(const unsigned char *samples, int count, double t);

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

/* has_page reports whether the page of a clip is there and may be linked; name as of report_clip_page_name. The index
 * is only read, and nothing in it is trusted. */
typedef int (*ReportPageTest)(void *context, const char *name);
Status report_library_write(const ReportPage *page, const char *database, ReportPageTest has_page, void *context,
                            FILE *stream, Error *err);

/* The answer to a question as a page: its rows as a table that sorts, linked to pages of clips where there are some. */

typedef struct ReportAnswer {
    const char *question; /* as it was asked */
    const char *rows;     /* JSON: an array of objects, one a row; in path the clip's path, which becomes a link;
                             as formats/query writes them */
    size_t size;
    const char *database; /* path of the index whose paths these are */
    const char *folder;   /* absolute, of the pages of clips; NULL: that of the page itself */
} ReportAnswer;

/* has_page states of which clips there is a page, as in report_library_write. */
Status report_answer_write(const ReportPage *page, const ReportAnswer *answer, ReportPageTest has_page, void *context,
                           FILE *stream, Error *err);

#endif
