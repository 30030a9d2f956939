/* The reader of BVH files: from memory, a stream or a path through the lexer, the hierarchy and the motion. */
#include "formats/bvh/bvh.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/file_kind.h"
#include "formats/bvh/bvh_hierarchy.h"
#include "formats/bvh/bvh_lexer.h"
#include "formats/bvh/bvh_motion.h"

static Status check_kind(const char *text, size_t size, Error *err)
{
    const char *what = foreign_file(text, size);
    return what ? error_set(err, STATUS_BAD_INPUT, "no BVH but %s", what) : STATUS_OK;
}

static Status check_text(const char *text, size_t size, Error *err)
{
    size_t blank = 0;
    while (blank < size && strchr(" \t\r\n", text[blank]) && text[blank])
        blank++;
    if (blank == size)
        return error_set(err, STATUS_BAD_INPUT, "the file is empty");
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return error_set_at(err, STATUS_BAD_INPUT, 1, 1, "the file is UTF-16 text, expected UTF-8");
    return check_kind(text, size, err);
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
    Status status = bvh_bytes_stream(stream, def, &text, &size, err);
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
    Status status = bvh_bytes_path(path, def, &text, &size, err);
    if (status)
        return status;
    status = bvh_parse(text, size, def, out, err);
    free(text);
    return status;
}

/* ---- The head alone ---- */

enum { HEAD_LOOK = 1 << 14, HEAD_MOST = 1 << 24 };

/* The hierarchy in the first bytes of a file: a cut one lacks its last brace, so that it is an error. */
static Status parse_head(const char *text, size_t size, const BvhDef *def, Bvh *out, Error *err)
{
    BvhLexer lexer = bvh_lexer_new(text, size);
    *out = (Bvh){0};
    Status status = check_text(text, size, err);
    if (!status)
        status = bvh_read_hierarchy(&lexer, def, out, err);
    if (status)
        bvh_free(out);
    return status;
}

static Status read_head(FILE *stream, const BvhDef *def, Bvh *out, Error *err)
{
    char *text = NULL;
    Status status = STATUS_BAD_INPUT;
    size_t size = 0;
    for (size_t look = HEAD_LOOK; status == STATUS_BAD_INPUT && look <= HEAD_MOST; look *= 4) {
        char *grown = realloc(text, look);
        if (!grown) {
            status = error_no_memory(err);
            break;
        }
        text = grown;
        size += fread(text + size, 1, look - size, stream);
        status = parse_head(text, size, def, out, err);
        if (size < look)
            break;
    }
    free(text);
    return status;
}

Status bvh_read_head(const char *path, const BvhDef *def, Bvh *out, Error *err)
{
    struct stat info;
    *out = (Bvh){0};
    if (stat(path, &info) || !S_ISREG(info.st_mode))
        return error_set(err, STATUS_IO, "%s is no file", path);
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return error_set(err, STATUS_IO, "%s", strerror(errno));
    setvbuf(stream, NULL, _IONBF, 0);
    Status status = read_head(stream, def, out, err);
    fclose(stream);
    return status;
}
