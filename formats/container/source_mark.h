/* Marks on files that kane writes, in extended attributes: the source of the clip. File systems without extended
 * attributes have none.
 *
 * The mark of a BVH file, table, picture or page contains the source, with a digest of the content: edited files and
 * copies have no valid mark. A clip file contains the name of its source, but not its path, because its bytes do not
 * depend on it; the mark has the path, which distinguishes an edited source from another file of the same name. */
#ifndef KANE_CONTAINER_SOURCE_MARK_H
#define KANE_CONTAINER_SOURCE_MARK_H

#include "analysis/clip/clip.h"
#include "formats/base/bytes.h"

#define ORIGIN_MARK "user.kane.origin"   /* "content digest, source digest, source", separated by spaces */
#define PATH_HASH_MARK "user.kane.place" /* of both kinds */
#define PATH_HASH_SIZE 17

typedef struct OriginMark {
    char source_sha256[DIGEST_SIZE]; /* "" if unknown */
    char source[256];                /* base name; "" if unknown */
} OriginMark;

/* Marks a finished file, if possible. origin NULL: not of a clip. */
void origin_mark_put(const char *path, const Provenance *origin);

typedef enum OriginMarkState {
    ORIGIN_MARK_NONE,
    ORIGIN_MARK_IMPOSSIBLE, /* none; the file system has no extended attributes */
    ORIGIN_MARK_LAPSED,     /* does not match the content: the file was modified */
    ORIGIN_MARK_GOOD,
} OriginMarkState;

/* Reads the mark; *mark is filled if ORIGIN_MARK_GOOD. */
OriginMarkState origin_mark_get(const char *path, OriginMark *mark);

/* Computes the mark of a path: XXH64 of the absolute path without symbolic links, 16 hexadecimal digits. "" if the file
 * does not exist. */
void hash_path(const char *path, char hash[PATH_HASH_SIZE]);

/* Marks an open file with the path mark of its source, if known and possible. */
void path_hash_put(int descriptor, const char *hash);

/* Reads the path mark of a file; "" if it has none. */
void path_hash_get(const char *path, char hash[PATH_HASH_SIZE]);

#endif
