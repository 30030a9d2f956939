#include "formats/container/image_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"

Status image_buffer_init(ImageBuffer *buffer, size_t capacity, Error *err)
{
    *buffer = (ImageBuffer){.bytes = calloc(capacity, 1), .capacity = capacity};
    if (!buffer->bytes)
        return error_no_memory(err);
    memory_prefer_huge_pages(buffer->bytes, capacity);
    return STATUS_OK;
}

void image_buffer_free(ImageBuffer *buffer)
{
    if (!buffer)
        return;
    free(buffer->bytes);
    *buffer = (ImageBuffer){0};
}

int image_buffer_hold(ImageBuffer *buffer, unsigned long long size)
{
    if (size <= buffer->capacity)
        return 1;
    unsigned char *grown = realloc(buffer->bytes, size);
    if (!grown) {
        buffer->is_short = 1;
        return 0;
    }
    memset(grown + buffer->capacity, 0, size - buffer->capacity);
    buffer->bytes = grown;
    buffer->capacity = size;
    return 1;
}
