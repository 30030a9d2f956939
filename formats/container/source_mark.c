/* See source_mark.h. */
#include "formats/container/source_mark.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include <xxhash.h>

#define NO_DIGEST "-"

void origin_mark_put(const char *path, const Provenance *origin)
{
    char content[DIGEST_SIZE], text[2 * DIGEST_SIZE + sizeof(OriginMark)];
    if (digest_path(path, content, NULL))
        return;
    const Provenance none = {0};
    origin = origin ? origin : &none;
    const char *digest = *origin->source_sha256 ? origin->source_sha256 : NO_DIGEST;
    int length = snprintf(text, sizeof text, "%s %s %s", content, digest, origin->source ? origin->source : "");
    if (length > 0 && (size_t)length < sizeof text)
        setxattr(path, ORIGIN_MARK, text, (size_t)length, 0);
}

OriginMarkState origin_mark_get(const char *path, OriginMark *mark)
{
    char content[DIGEST_SIZE], text[2 * DIGEST_SIZE + sizeof *mark] = "";
    if (getxattr(path, ORIGIN_MARK, text, sizeof text - 1) <= 0)
        return errno == ENOTSUP ? ORIGIN_MARK_IMPOSSIBLE : ORIGIN_MARK_NONE;
    if (digest_path(path, content, NULL))
        return ORIGIN_MARK_LAPSED;
    char *digest = strchr(text, ' '), *source = digest ? strchr(digest + 1, ' ') : NULL;
    if (!source)
        return ORIGIN_MARK_LAPSED;
    *digest++ = 0;
    *source++ = 0;
    if (strcmp(text, content) != 0 || strlen(digest) >= DIGEST_SIZE || strlen(source) >= sizeof mark->source)
        return ORIGIN_MARK_LAPSED;
    strcpy(mark->source_sha256, strcmp(digest, NO_DIGEST) == 0 ? "" : digest);
    strcpy(mark->source, source);
    return ORIGIN_MARK_GOOD;
}

void hash_path(const char *path, char hash[PATH_HASH_SIZE])
{
    char *absolute = realpath(path, NULL);
    *hash = 0;
    if (!absolute)
        return;
    snprintf(hash, PATH_HASH_SIZE, "%016" PRIx64, XXH64(absolute, strlen(absolute), 0));
    free(absolute);
}

void path_hash_put(int descriptor, const char *hash)
{
    if (*hash)
        fsetxattr(descriptor, PATH_HASH_MARK, hash, strlen(hash), 0);
}

void path_hash_get(const char *path, char hash[PATH_HASH_SIZE])
{
    memset(hash, 0, PATH_HASH_SIZE);
    if (getxattr(path, PATH_HASH_MARK, hash, PATH_HASH_SIZE - 1) != PATH_HASH_SIZE - 1)
        *hash = 0;
}
