#include "formats/base/text.h"

#include <math.h>
#include <string.h>

#include "formats/base/number.h"

int utf8_length(const unsigned char *p, size_t size)
{
    unsigned lead = p[0];
    if (lead < 0x80)
        return 1;
    int n = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
    if (n == 0 || (size_t)n > size)
        return 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    int overlong = (lead == 0xE0 && p[1] < 0xA0) || (lead == 0xF0 && p[1] < 0x90);
    int too_large = (lead == 0xED && p[1] > 0x9F) || (lead == 0xF4 && p[1] > 0x8F);
    return overlong || too_large ? 0 : n;
}

int utf8_put_shown(FILE *stream, const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    int width = 0;
    for (size_t i = 0, length; i < size; i += length) {
        length = (size_t)utf8_length(s + i, size - i);
        int is_control = length == 0 || s[i] < 0x20 || s[i] == 0x7f || (s[i] == 0xc2 && s[i + 1] < 0xa0);
        if (is_control) { /* of a control of two bytes the second follows as what is no UTF-8 */
            length = 1;
            width += fprintf(stream, "\\x%02x", s[i]);
        } else {
            fwrite(s + i, 1, length, stream);
            width++;
        }
    }
    return width;
}

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
