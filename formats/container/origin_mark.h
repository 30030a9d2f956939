/* What kane notes on a BVH file that it writes: whose clip it holds. A BVH names no source and has no comments, so the
 * note is an extended attribute of the file, with the digest of the bytes that it speaks of: who edits the file or
 * copies it has one without. File systems without such attributes keep no note. */
#ifndef KANE_FORMATS_ORIGIN_MARK_H
#define KANE_FORMATS_ORIGIN_MARK_H

#include "analysis/clip/clip.h"
#include "formats/base/bytes.h"

#define ORIGIN_MARK "user.kane.origin" /* "content digest, source digest, source": a space between them */

typedef struct OriginMark {
    char source_sha256[DIGEST_SIZE]; /* "" where unknown */
    char source[256];                /* base name; "" where unknown */
} OriginMark;

/* Marks a finished file; nothing where that is not possible. */
void origin_mark_put(const char *path, const Provenance *origin);

/* 1 and *mark where the file bears a mark of the bytes that it holds. */
int origin_mark_get(const char *path, OriginMark *mark);

#endif
