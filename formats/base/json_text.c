#include "formats/base/json_text.h"

#include <math.h>
#include <string.h>

#include "formats/base/number_print.h"
#include "formats/base/utf8.h"

static void put_escaped(FILE *stream, unsigned char c)
{
    switch (c) {
    case '"': fputs("\\\"", stream); break;
    case '\\': fputs("\\\\", stream); break;
    case '\n': fputs("\\n", stream); break;
    case '\t': fputs("\\t", stream); break;
    case '\r': fputs("\\r", stream); break;
    default: fprintf(stream, "\\u%04x", c);
    }
}

void json_put_text(FILE *stream, const char *text)
{
    size_t size = strlen(text);
    putc_unlocked('"', stream);
    for (const unsigned char *c = (const unsigned char *)text, *end = c + size; c < end; c++) {
        int more = *c < 0x80 ? 0 : utf8_length(c, (size_t)(end - c)) - 1;
        if (more < 0)
            fputs("\\ufffd", stream);
        else if (*c < 0x20 || *c == '"' || *c == '\\')
            put_escaped(stream, *c);
        else
            fwrite_unlocked(c, 1, (size_t)more + 1, stream);
        c += more > 0 ? more : 0;
    }
    putc_unlocked('"', stream);
}

void json_put_number(FILE *stream, double value)
{
    char text[NUMBER_TEXT_SIZE];
    if (isfinite(value))
        fwrite_unlocked(text, 1, (size_t)number_print(value, text), stream);
    else
        fputs("null", stream);
}
