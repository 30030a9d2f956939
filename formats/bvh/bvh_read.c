/* The reader of BVH files: from memory, a stream or a path through the lexer, the hierarchy and the motion. */
#include "formats/bvh/bvh.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/bvh/bvh_hierarchy.h"
#include "formats/bvh/bvh_lexer.h"
#include "formats/bvh/bvh_motion.h"

/* Files of other kinds that a person may take for BVH. */
static Status check_text(const char *text, size_t size, Error *err)
{
    size_t blank = 0;
    while (blank < size && strchr(" \t\r\n", text[blank]) && text[blank])
        blank++;
    if (blank == size)
        return error_set(err, STATUS_BAD_INPUT, "the file is empty");
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return error_set_at(err, STATUS_BAD_INPUT, 1, 1, "the file is UTF-16 text, expected UTF-8");
    return STATUS_OK;
}

Status bvh_parse(const char *text, size_t size, const BvhDef *def, Bvh *out, Error *err)
{
    *out = (Bvh){0};
    Status status = check_text(text, size, err);
    if (status)
        return status;
    if (text[size - 1] == 0x1A) /* the end mark of DOS editors */
        size--;
    BvhLexer lexer = bvh_lexer_new(text, size);
    status = bvh_read_hierarchy(&lexer, def, out, err);
    if (!status)
        status = bvh_read_motion(&lexer, def, out, err);
    if (status)
        bvh_free(out);
    else
        bvh_warnings_sort(out);
    return status;
}

Status bvh_read_file(FILE *stream, const BvhDef *def, Bvh *out, Error *err)
{
    *out = (Bvh){0};
    char *text;
    size_t size;
    Status status = bytes_read_stream(stream, &text, &size, err);
    if (status)
        return status;
    status = bvh_parse(text, size, def, out, err);
    free(text);
    return status;
}

Status bvh_read_path(const char *path, const BvhDef *def, Bvh *out, Error *err)
{
    *out = (Bvh){0};
    char *text;
    size_t size;
    Status status = bytes_read_path(path, &text, &size, err);
    if (status)
        return status;
    status = bvh_parse(text, size, def, out, err);
    free(text);
    return status;
}
