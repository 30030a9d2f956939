/* A clip of a BVH file as import decides it, with all defaults. */
#ifndef KANE_TESTS_FILE_CLIP_H
#define KANE_TESTS_FILE_CLIP_H

#include "formats/bvh/bvh_clip.h"

/* 0 where the file is no clip: *clip is then empty. The caller frees it. */
static inline int file_clip(const char *path, Clip *clip, ImportGuess *decision)
{
    SourceDef limits = source_default_def();
    ImportGuessDef evidence = import_guess_default_def();
    Bvh bvh;
    *clip = (Clip){0};
    if (bvh_read_path(path, &limits, &bvh, NULL) != STATUS_OK)
        return 0;
    Status status = clip_from_bvh(&bvh, &evidence, clip, decision, NULL);
    bvh_free(&bvh);
    return status == STATUS_OK;
}

#endif
