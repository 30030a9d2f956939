#include "formats/container/origin_mark.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "formats/base/checksum.h"

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

void source_place_of(const char *path, char place[PLACE_SIZE])
{
    char *absolute = realpath(path, NULL);
    Checksum sum = checksum_begin();
    *place = 0;
    if (!absolute)
        return;
    checksum_add(&sum, absolute, strlen(absolute));
    snprintf(place, PLACE_SIZE, "%016" PRIx64, checksum_end(&sum));
    free(absolute);
}

void source_place_put(int descriptor, const char *place)
{
    if (*place)
        fsetxattr(descriptor, PLACE_MARK, place, strlen(place), 0);
}

void source_place_get(const char *path, char place[PLACE_SIZE])
{
    memset(place, 0, PLACE_SIZE);
    if (getxattr(path, PLACE_MARK, place, PLACE_SIZE - 1) != PLACE_SIZE - 1)
        *place = 0;
}
