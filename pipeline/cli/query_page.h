/* kane query -o FILE.html, --open: the answer as a page. */
#ifndef KANE_PIPELINE_QUERY_PAGE_H
#define KANE_PIPELINE_QUERY_PAGE_H

#include "formats/query/query.h"

typedef struct QueryPageOptions {
    const char *output; /* FILE.html; NULL: with open a file of its own in the folder for temporary files */
    const char *page;   /* FILE.html of kane report; NULL: that of the program */
    int open;           /* 1: in a browser, where there is one */
    int forced;
} QueryPageOptions;

/* Where in the command line the indexes are, behind which the question comes. */
typedef struct QueryWords {
    int first, indexes;
} QueryWords;

/* argv: the command line, the verb first. Tells what fails, and returns the exit code: 1 where no row matches, which
 * the page says too. */
int query_page(const QueryPageOptions *given, const QueryDef *def, QueryWords words, int argc, char *const *argv);

#endif
