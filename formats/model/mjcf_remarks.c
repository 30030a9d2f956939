/* See mjcf_remarks.h. */
#include "formats/model/mjcf_remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"

void mjcf_remarks_free(MjcfRemarks *r)
{
    if (!r)
        return;
    free(r->remark);
    arena_free(&r->memory);
    *r = (MjcfRemarks){0};
}

Status mjcf_remark(MjcfRemarks *remarks, const XmlElement *e, Error *err, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    int length = e->file ? snprintf(text, sizeof text, "%.100s:%d: ", e->file, e->line) : 0;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    for (int i = 0; i < remarks->count; i++)
        if (!strcmp(remarks->remark[i].text, text)) {
            remarks->remark[i].count++;
            return STATUS_OK;
        }
    char *copy = arena_array(&remarks->memory, strlen(text) + 1, 1, 1);
    if (!copy || !array_grow(&remarks->remark, remarks->count, sizeof *remarks->remark))
        return error_no_memory(err);
    memcpy(copy, text, strlen(text) + 1);
    remarks->remark[remarks->count++] = (MjcfRemark){e->file ? 0 : e->line, 1, copy};
    return STATUS_OK;
}
