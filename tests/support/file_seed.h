/* A seed of a file's own, from its name: what is drawn for it does not depend on which other files there are. The
 * environment variable KANE_SEED, a number, draws others: a limit that was chosen on one draw is tried on the next. */
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
