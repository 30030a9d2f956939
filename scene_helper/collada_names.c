/* See collada_names.h. */
#include "scene_helper/collada_names.h"

#include <string.h>

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Clears the value of the attribute in a tag's text; returns the end of the tag. */
static char *clear_name(char *at, const char *end)
{
    static const char word[] = "name";
    const size_t length = sizeof word - 1;
    int is_own = 0; /* the value that follows is that of `name` */
    for (; at < end && *at != '>'; at++) {
        if (is_blank(*at) && (size_t)(end - at) > length && !memcmp(at + 1, word, length))
            is_own = at[1 + length] == '=' || is_blank(at[1 + length]);
        if (*at != '"' && *at != '\'')
            continue;
        char *close = memchr(at + 1, *at, (size_t)(end - at - 1));
        if (!close)
            return (char *)end;
        if (is_own)
            memset(at + 1, ' ', (size_t)(close - at - 1));
        is_own = 0;
        at = close;
    }
    return at;
}

void collada_clear_names(char *bytes, size_t size)
{
    static const char tag[] = "<node";
    char *at = bytes, *end = bytes + size;
    while ((at = memmem(at, (size_t)(end - at), tag, sizeof tag - 1))) {
        at += sizeof tag - 1;
        if (at < end && is_blank(*at))
            at = clear_name(at, end);
    }
}
