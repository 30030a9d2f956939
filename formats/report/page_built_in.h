/* The page as part of the program. */
#ifndef KANE_FORMATS_REPORT_PAGE_BUILT_IN_H
#define KANE_FORMATS_REPORT_PAGE_BUILT_IN_H

#include <stddef.h>

/* The page that lay in the build folder when the program was built; NULL where there was none. */
const char *page_built_in(size_t *size);

#endif
