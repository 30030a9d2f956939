/* Reads BVH files for tests: parsed, or as the clip that import makes with default options. */
#ifndef KANE_TESTS_READ_BVH_H
#define KANE_TESTS_READ_BVH_H

#include <stdlib.h>

#include "analysis/body/body_model.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/source/source.h"

static inline Status parse_and_free(Status status, char *text, size_t size, const SourceDef *def, Bvh *out, Error *err)
{
    *out = (Bvh){0};
    if (status)
        return status;
    status = bvh_parse(text, size, def, out, err);
    free(text);
    return status;
}

static inline Status read_bvh(const char *path, const SourceDef *def, Bvh *out, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    Status status = source_bytes_path(path, def, &text, &size, err);
    return parse_and_free(status, text, size, def, out, err);
}

static inline Status read_bvh_stream(FILE *stream, const SourceDef *def, Bvh *out, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    Status status = source_bytes_stream(stream, def, &text, &size, err);
    return parse_and_free(status, text, size, def, out, err);
}

/* Returns 0 if the file cannot be imported; *clip is then empty. decision may be NULL. The caller frees the clip. */
static inline int file_clip(const char *path, Clip *clip, ImportGuess *decision)
{
    SourceDef limits = source_default_def();
    ImportGuessDef evidence = import_guess_default_def();
    Bvh bvh;
    *clip = (Clip){0};
    if (read_bvh(path, &limits, &bvh, NULL))
        return 0;
    Status status = clip_from_bvh(&bvh, &evidence, clip, decision, NULL);
    bvh_free(&bvh);
    return !status;
}

/* Same, with a body of the clip's proportions. */
static inline int file_clip_with_body(const char *path, Clip *clip)
{
    BodyDef body = body_default_def();
    return file_clip(path, clip, NULL) && !body_from_skeleton(&clip->skeleton, &body, &clip->body, NULL);
}

#endif
