/* What kane notes on a file that it writes: whose clip it holds. The notes are extended attributes of the file; file
 * systems without such keep none.
 *
 * A BVH names no source and has no comments, so its note says all, with the digest of the bytes that it speaks of: who
 * edits the file or copies it has one without. Tables, pictures and pages have the same: it divides them from what a
 * person made. A container names its source, but not where that lies, as its bytes do
 * not depend on it: the place tells a source that was edited from another file of the same name. */
#ifndef KANE_FORMATS_ORIGIN_MARK_H
#define KANE_FORMATS_ORIGIN_MARK_H

#include "analysis/clip/clip.h"
#include "formats/base/bytes.h"

#define ORIGIN_MARK "user.kane.origin" /* "content digest, source digest, source": a space between them */
#define PLACE_MARK "user.kane.place"   /* of both kinds */
#define PLACE_SIZE 17

typedef struct OriginMark {
    char source_sha256[DIGEST_SIZE]; /* "" where unknown */
    char source[256];                /* base name; "" where unknown */
} OriginMark;

/* Marks a finished file; nothing where that is not possible. origin NULL: it holds no clip. */
void origin_mark_put(const char *path, const Provenance *origin);

typedef enum OriginMarkState {
    ORIGIN_MARK_NONE,
    ORIGIN_MARK_IMPOSSIBLE, /* none, and the file system keeps no marks */
    ORIGIN_MARK_LAPSED,     /* of other bytes than the file holds: it was changed since */
    ORIGIN_MARK_GOOD,
} OriginMarkState;

/* *mark is filled where it is good. */
OriginMarkState origin_mark_get(const char *path, OriginMark *mark);

/* The mark of a place: 16 hexadecimal digits, XXH64 of the absolute path without symbolic links. "" where there is no
 * such file. */
void source_place_of(const char *path, char place[PLACE_SIZE]);

/* Marks an open file with the place of its source; nothing where that is unknown or not possible. */
void source_place_put(int descriptor, const char *place);

/* What the file at path bears; "" where it bears none. */
void source_place_get(const char *path, char place[PLACE_SIZE]);

#endif
