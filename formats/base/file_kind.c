#include "formats/base/file_kind.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Beginnings that can be no other file's. */
static const struct {
    const char *bytes;
    size_t count;
    FileKind kind;
} signatures[] = {
#define SIGNATURE(text, kind) {(text), sizeof(text) - 1, (kind)}
    SIGNATURE("SQLite format 3\0", FILE_INDEX),
    SIGNATURE("\211PNG\r\n\032\n", FILE_PNG),
    SIGNATURE("glTF", FILE_GLB),
    SIGNATURE("PK\3\4", FILE_NPZ),
};

/* First words of text, behind a byte-order mark and white space; the longer of two comes first. */
static const struct {
    const char *word;
    FileKind kind;
} first_words[] = {
    {"HIERARCHY", FILE_BVH},  {"<!DOCTYPE html", FILE_PAGE},    {"<html", FILE_PAGE}, {"<?xml", FILE_SVG},
    {"<svg", FILE_SVG},       {"set terminal", FILE_GNUPLOT},   {"{", FILE_JSON},
};

static const char *const names[FILE_KIND_COUNT] = {
    [FILE_OTHER] = "a file that is none of kane's", [FILE_EMPTY] = "an empty file",
    [FILE_CONTAINER] = "a kane container",          [FILE_INDEX] = "an index",
    [FILE_BVH] = "a BVH file",                      [FILE_TEXT] = "a text file",
    [FILE_JSON] = "a JSON file",                    [FILE_OPENSIM] = "an OpenSim file",
    [FILE_NPZ] = "a zip archive",                   [FILE_GLB] = "a glTF file",
    [FILE_SVG] = "an SVG picture",                  [FILE_PNG] = "a PNG picture",
    [FILE_GNUPLOT] = "a gnuplot script",            [FILE_PAGE] = "an HTML page",
};

const char *file_kind_name(FileKind kind)
{
    return names[kind];
}

/* The superblock says where a file ends: at byte 40 in version 0, at byte 28 in versions 2 and 3 (HDF5 file format,
 * "Superblock"). One that is cut off was most likely a container: nobody can read it any more. */
static FileKind kind_of_hdf5(const unsigned char *front, size_t count, unsigned long long size)
{
    static const char mark[] = "kane-1";
    uint64_t end = 0;
    int version = count > 8 ? front[8] : 0;
    size_t at = version == 0 ? 40 : 28;
    if (version == 1 || version > 3)
        return FILE_OTHER;
    for (size_t i = sizeof end; i-- > 0 && count >= at + sizeof end;)
        end = end << 8 | front[at + i];
    return end == 0 || end > size || memmem(front, count, mark, sizeof mark - 1) ? FILE_CONTAINER : FILE_OTHER;
}

static FileKind kind_of_text(const char *front, size_t count)
{
    size_t skip = count >= 3 && !memcmp(front, "\357\273\277", 3) ? 3 : 0;
    while (skip < count && strchr(" \t\r\n", front[skip]))
        skip++;
    for (size_t i = 0; i < sizeof first_words / sizeof *first_words; i++) {
        size_t length = strlen(first_words[i].word);
        if (count - skip >= length && !strncasecmp(front + skip, first_words[i].word, length))
            return first_words[i].kind;
    }
    return memmem(front, count, "endheader", strlen("endheader")) ? FILE_OPENSIM : FILE_TEXT;
}

FileKind file_kind_of(const void *front, size_t count, unsigned long long size)
{
    static const char hdf5[] = "\211HDF\r\n\032\n";
    if (size == 0)
        return FILE_EMPTY;
    if (count >= sizeof hdf5 - 1 && !memcmp(front, hdf5, sizeof hdf5 - 1))
        return kind_of_hdf5(front, count, size);
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (count >= signatures[i].count && !memcmp(front, signatures[i].bytes, signatures[i].count))
            return signatures[i].kind;
    return memchr(front, 0, count) ? FILE_OTHER : kind_of_text(front, count);
}
