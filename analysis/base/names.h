/* Tables of names. */
#ifndef KANE_BASE_NAMES_H
#define KANE_BASE_NAMES_H

#include <string.h>

/* Index of a name in names[count]; -1: not found. */
static inline int name_index(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

#endif
