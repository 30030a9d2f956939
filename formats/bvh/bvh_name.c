#include "formats/bvh/bvh_name.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "formats/base/text.h"
#include "formats/bvh/bvh_warning.h"

#define MAX_NAME_BYTES 1024

static int is_utf8(const unsigned char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        int n = utf8_length(text + i, size - i);
        if (n == 0)
            return 0;
        i += (size_t)n;
    }
    return 1;
}

/* Copies with a space for each tab, '_' for other control characters and, unless the text is UTF-8, two bytes for each
 * above 0x7F. */
static void copy_name(char *out, const unsigned char *text, size_t size, int utf8)
{
    for (size_t i = 0; i < size; i++) {
        unsigned c = text[i];
        if (c < ' ' || c == 0x7F)
            c = bvh_is_blank((char)c) ? ' ' : '_';
        if (c >= 0x80 && !utf8) {
            *out++ = (char)(0xC0 | c >> 6);
            c = 0x80 | (c & 0x3F);
        }
        *out++ = (char)c;
    }
    *out = 0;
}

static Status too_long(const BvhLexer *l, int column, Error *err)
{
    return error_set_at(err, STATUS_BAD_INPUT, l->line, column, "a joint name of more than %d bytes", MAX_NAME_BYTES);
}

Status bvh_read_name(BvhLexer *l, Bvh *bvh, char **name, Error *err)
{
    size_t size;
    const char *text = bvh_lexer_name(l, &size);
    int column = bvh_lexer_column(l, text);
    if (size == 0)
        return bvh_lexer_expected(l, "a joint name", err);
    if (size > MAX_NAME_BYTES)
        return too_long(l, column, err);
    if (memchr(text, 0, size))
        return error_set_at(err, STATUS_BAD_INPUT, l->line, column, "a NUL byte in a joint name");
    int utf8 = is_utf8((const unsigned char *)text, size);
    char *copy = malloc(2 * size + 1);
    if (!copy)
        return error_no_memory(err);
    copy_name(copy, (const unsigned char *)text, size, utf8);
    Status status = STATUS_OK;
    if (strlen(copy) > MAX_NAME_BYTES) /* as UTF-8, so that what is written can be read again */
        status = too_long(l, column, err);
    else if (!utf8)
        status = bvh_warn(bvh, BVH_FAULT_ENCODING, l->line, column, err,
                          "joint name \"%.60s\" is not UTF-8; read as Latin-1", copy);
    if (status)
        free(copy);
    else
        *name = copy;
    return status;
}

typedef struct NamedJoint {
    const char *name;
    int joint;
} NamedJoint;

static int compare_names(const void *a, const void *b)
{
    const NamedJoint *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->joint - y->joint;
}

Status bvh_check_names(Bvh *bvh, Error *err)
{
    NamedJoint *sorted = array_new((size_t)bvh->joint_count, 1, sizeof *sorted);
    if (!sorted)
        return error_no_memory(err);
    for (int j = 0; j < bvh->joint_count; j++)
        sorted[j] = (NamedJoint){bvh->name[j], j};
    qsort(sorted, (size_t)bvh->joint_count, sizeof *sorted, compare_names);
    Status status = STATUS_OK;
    for (int i = 1; !status && i < bvh->joint_count; i++)
        if (strcmp(sorted[i].name, sorted[i - 1].name) == 0)
            status = bvh_warn(bvh, BVH_FAULT_NAME, bvh->line[sorted[i].joint], 1, err,
                              "joint name \"%.60s\" of line %d again", sorted[i].name, bvh->line[sorted[i - 1].joint]);
    free(sorted);
    return status;
}
