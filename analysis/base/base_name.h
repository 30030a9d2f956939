/* The last name of a path. */
#ifndef KANE_BASE_BASE_NAME_H
#define KANE_BASE_BASE_NAME_H

#include <string.h>

/* What stands behind the last slash, in path itself; "" where that ends it. */
static inline const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif
