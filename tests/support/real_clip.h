/* A real file of ../shared, or $KANE_SHARED, up to the body stage with its defaults. */
#ifndef KANE_TESTS_REAL_CLIP_H
#define KANE_TESTS_REAL_CLIP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/body/anthropometry.h"
#include "formats/bvh/bvh_clip.h"

/* 0 where the file is absent. The caller frees the clip. */
static inline int real_clip(Clip *c, const char *name)
{
    char path[1024];
    const char *shared = getenv("KANE_SHARED");
    Bvh bvh;
    SourceDef limits = source_default_def();
    ImportGuessDef evidence = import_guess_default_def();
    ImportGuess decision;
    BodyDef body = body_default_def();
    snprintf(path, sizeof path, "%s/%s", shared ? shared : "../shared", name);
    if (access(path, R_OK))
        return 0;
    *c = (Clip){0};
    assert_int_equal(bvh_read_path(path, &limits, &bvh, NULL), STATUS_OK);
    assert_int_equal(clip_from_bvh(&bvh, &evidence, c, &decision, NULL), STATUS_OK);
    bvh_free(&bvh);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    c->has_body = 1;
    return 1;
}

#endif
