/* A real file of ../shared or $KANE_SHARED, processed up to the body stage with defaults. */
#ifndef KANE_TESTS_REAL_CLIP_H
#define KANE_TESTS_REAL_CLIP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/read_bvh.h"

/* Returns 0 if the file is absent. The caller frees the clip. */
static inline int real_clip(Clip *c, const char *name)
{
    char path[1024];
    const char *shared = getenv("KANE_SHARED");
    snprintf(path, sizeof path, "%s/%s", shared ? shared : "../shared", name);
    if (access(path, R_OK))
        return 0;
    assert_true(file_clip_with_body(path, c));
    c->has_body = 1;
    return 1;
}

#endif
