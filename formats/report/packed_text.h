/* Bytes as text that may stand inside a page: deflated (RFC 1950), then base64 (RFC 4648). Its letters are A-Z a-z 0-9
 * + / =, so that nothing a clip or an index holds can end the element it stands in. */
#ifndef KANE_FORMATS_REPORT_PACKED_TEXT_H
#define KANE_FORMATS_REPORT_PACKED_TEXT_H

#include <stdio.h>

#include "analysis/base/status.h"

/* A piece of the bytes. */
typedef struct ByteSpan {
    const void *bytes;
    size_t size;
} ByteSpan;

/* Writes the pieces, joined, to stream; a failing stream is the caller's to see (ferror). */
Status packed_text_write(const ByteSpan *span, int count, FILE *stream, Error *err);

#endif
