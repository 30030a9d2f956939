/* See path_words.h. */
#include "formats/index/path_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "formats/container/container.h"
#include "formats/source/source_table.h"

/* Returns the length of a path without the extension of clip files and, before it, of motion files. */
static size_t stem_length(const char *path)
{
    size_t length = strlen(path);
    return source_stem(path, container_has_ending(path) ? length - strlen(".h5") : length);
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
