/* kane query -o FILE.html, --open: the result as a page. */
#ifndef KANE_CLI_QUERY_PAGE_H
#define KANE_CLI_QUERY_PAGE_H

#include "formats/query/query.h"
#include "pipeline/cli/output_file.h"

typedef struct QueryPageOptions {
    const char *output; /* FILE.html; NULL: with open a new temporary file */
    const char *page;   /* page template FILE.html of kane report; NULL: the built-in one */
    int open;           /* 1: open in a browser, if available */
    OutputManner manner;
} QueryPageOptions;

/* Position and number of the indexes in the command line; the query follows them. */
typedef struct QueryWords {
    int first, indexes;
} QueryWords;

/* Makes the page. argv: the command line, starting with the command. Prints errors and returns the exit code: 1 if no
 * row matches, which the page also states. */
int query_page(const QueryPageOptions *given, const QueryDef *def, QueryWords words, int argc, char *const *argv);

#endif
