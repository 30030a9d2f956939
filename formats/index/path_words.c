#include "formats/index/path_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Bytes of a path without the suffixes of containers. */
static size_t stem_length(const char *path)
{
    static const char *const suffixes[] = {".h5", ".bvh"};
    size_t length = strlen(path);
    for (int i = 0; i < 2; i++) {
        size_t size = strlen(suffixes[i]);
        if (length > size && strncasecmp(path + length - size, suffixes[i], size) == 0)
            length -= size;
    }
    return length;
}

char *path_words(const char *path)
{
    size_t length = stem_length(path);
    char *words = malloc(2 * length + 1), *out = words;
    if (!words)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        unsigned char before = i > 0 ? (unsigned char)path[i - 1] : 0, c = (unsigned char)path[i];
        int is_word = isalnum(c) || c >= 0x80;
        int is_start = (isdigit(c) != 0) != (isdigit(before) != 0) ||
                       (isupper(c) && (islower(before) || (isupper(before) && islower((unsigned char)path[i + 1]))));
        if (out > words && out[-1] != ' ' && (!is_word || is_start))
            *out++ = ' ';
        if (is_word)
            *out++ = (char)tolower(c);
    }
    *out = 0;
    return words;
}
