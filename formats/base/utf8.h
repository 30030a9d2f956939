/* UTF-8, a character at a time. */
#ifndef KANE_FORMATS_UTF8_H
#define KANE_FORMATS_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 sequence at p, of which size (1 or more) may be read; 0 where it is none (RFC 3629: no overlong
 * form, no surrogate, up to U+10FFFF). */
int utf8_length(const unsigned char *p, size_t size);

#endif
