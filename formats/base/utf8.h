/* UTF-8, a character at a time. */
#ifndef KANE_FORMATS_UTF8_H
#define KANE_FORMATS_UTF8_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 sequence at p, of which size (1 or more) may be read; 0 where it is none (RFC 3629: no overlong
 * form, no surrogate, up to U+10FFFF). */
int utf8_length(const unsigned char *p, size_t size);

/* Writes text for a terminal: what could steer it, and bytes that are no UTF-8, as \xNN. Returns the width in
 * characters. */
int utf8_put_shown(FILE *stream, const char *text, size_t size);

#endif
