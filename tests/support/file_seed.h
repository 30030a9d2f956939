/* A seed per file, from its name, so that random draws for a file do not depend on the presence of other files. The
 * environment variable KANE_SEED, a number, selects other draws: limits chosen on one draw are tested on others. */
#ifndef KANE_TESTS_FILE_SEED_H
#define KANE_TESTS_FILE_SEED_H

#include <stdlib.h>
#include <string.h>

static inline unsigned file_seed(const char *path)
{
    const char *slash = strrchr(path, '/'), *salt = getenv("KANE_SEED");
    unsigned hash = 2166136261u; /* FNV-1a */
    hash += salt ? (unsigned)strtoul(salt, NULL, 10) : 0;
    for (const char *c = slash ? slash + 1 : path; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return hash;
}

#endif
