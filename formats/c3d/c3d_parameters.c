/* The parameter section of a C3D file (c3d_parameters.h). */
#include "formats/c3d/c3d_parameters.h"

#include <stdlib.h>
#include <strings.h>

#include "formats/base/bytes.h"

#define BLOCK 512

/* Position in the section. */
typedef struct Cursor {
    C3dParameters *out;
    size_t at, end;
} Cursor;

static int signed_byte(unsigned char byte)
{
    return byte < 128 ? byte : byte - 256;
}

static Status cut(size_t at, const char *what, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "byte %zu: %s runs past the end of the parameter section; export the file "
                     "again", at, what);
}

static void copy_name(const unsigned char *from, int length, char name[C3D_NAME_SIZE])
{
    for (int i = 0; i < length; i++)
        name[i] = from[i] > ' ' && from[i] < 127 ? (char)from[i] : '_';
    name[length] = 0;
}

/* Reads type, dimensions and position of the data; `at` is the byte of the type. */
static Status read_shape(const Cursor *c, size_t at, C3dParameter *p, Error *err)
{
    const unsigned char *bytes = c->out->bytes;
    if (c->end - at < 2 || c->end - at - 2 < bytes[at + 1])
        return cut(at, "a parameter", err);
    p->type = signed_byte(bytes[at]);
    p->dimension_count = bytes[at + 1];
    if (p->type != -1 && p->type != 1 && p->type != 2 && p->type != 4)
        return error_set(err, STATUS_BAD_INPUT, "byte %zu: parameter %.60s has the unknown type %d", at, p->name,
                         p->type);
    if (p->dimension_count > C3D_DIMENSIONS)
        return error_set(err, STATUS_BAD_INPUT, "byte %zu: parameter %.60s has %d dimensions, more than %d", at + 1,
                         p->name, p->dimension_count, C3D_DIMENSIONS);
    p->count = 1;
    p->at = at + 2 + (size_t)p->dimension_count;
    for (int i = 0; i < p->dimension_count; i++) {
        p->dimension[i] = bytes[at + 2 + (size_t)i];
        p->count *= (size_t)p->dimension[i];
        if (p->count > c->end)
            return cut(at, "a parameter", err);
    }
    size_t size = p->count * (size_t)abs(p->type);
    return size > c->end - p->at ? cut(p->at, "a parameter", err) : STATUS_OK;
}

static Status add_parameter(const Cursor *c, size_t at, const C3dParameter *named, Error *err)
{
    C3dParameters *out = c->out;
    C3dParameter parameter = *named;
    Status status = read_shape(c, at, &parameter, err);
    if (status)
        return status;
    if (!array_grow(&out->parameter, out->count, sizeof *out->parameter))
        return error_no_memory(err);
    out->parameter[out->count++] = parameter;
    return STATUS_OK;
}

/* Reads a record and moves to the next; *more is 0 after the last. A record whose link leaves the section is the last:
 * files in use end like that. */
static Status read_record(Cursor *c, int *more, Error *err)
{
    const unsigned char *bytes = c->out->bytes;
    C3dParameter parameter = {0};
    *more = 0;
    if (c->end - c->at < 2 || bytes[c->at] == 0 || bytes[c->at + 1] == 0)
        return STATUS_OK;
    int length = abs(signed_byte(bytes[c->at])), id = signed_byte(bytes[c->at + 1]);
    if (length >= C3D_NAME_SIZE || c->end - c->at < (size_t)length + 4)
        return cut(c->at, "a name", err);
    copy_name(bytes + c->at + 2, length, parameter.name);
    size_t link = c->at + 2 + (size_t)length;
    int step = c3d_signed_word(c->out->processor, bytes + link);
    Status status = STATUS_OK;
    parameter.group = abs(id) % C3D_GROUPS;
    if (id < 0)
        memcpy(c->out->group[parameter.group], parameter.name, sizeof parameter.name);
    else
        status = add_parameter(c, link + 2, &parameter, err);
    if (!status && step < 0)
        return error_set(err, STATUS_BAD_INPUT, "byte %zu: the link to the next parameter is negative (%d)", link,
                         step);
    *more = step > 1 && (size_t)step < c->end - link;
    c->at = link + (size_t)(step < 0 ? 0 : step);
    return status;
}

Status c3d_parameters_read(const unsigned char *bytes, size_t size, size_t start, C3dParameters *out, Error *err)
{
    *out = (C3dParameters){.bytes = bytes};
    if (size < start + 4)
        return error_set(err, STATUS_BAD_INPUT, "byte %zu: the file ends before its parameters, which begin at byte "
                         "%zu", size, start);
    out->processor = (C3dProcessor)bytes[start + 3];
    if (bytes[start + 3] < C3D_INTEL || bytes[start + 3] > C3D_SGI)
        return error_set(err, STATUS_BAD_INPUT, "byte %zu: unknown processor %d: 84 (Intel), 85 (DEC) or 86 (SGI)",
                         start + 3, bytes[start + 3]);
    size_t end = start + BLOCK * (size_t)bytes[start + 2];
    Cursor cursor = {out, start + 4, bytes[start + 2] && end < size ? end : size};
    Status status = STATUS_OK;
    for (int more = 1; !status && more;)
        status = read_record(&cursor, &more, err);
    if (status)
        c3d_parameters_free(out);
    return status;
}

void c3d_parameters_free(C3dParameters *p)
{
    free(p->parameter);
    *p = (C3dParameters){0};
}

const C3dParameter *c3d_find(const C3dParameters *p, const char *group, const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (!strcasecmp(p->parameter[i].name, name) && !strcasecmp(p->group[p->parameter[i].group], group))
            return &p->parameter[i];
    return NULL;
}

static double element(const C3dParameters *p, const C3dParameter *parameter, size_t index, double otherwise,
                      int is_signed)
{
    if (!parameter || parameter->type < 0 || index >= parameter->count)
        return otherwise;
    const unsigned char *at = p->bytes + parameter->at + index * (size_t)parameter->type;
    if (parameter->type == 1)
        return is_signed ? signed_byte(*at) : *at;
    if (parameter->type == 4)
        return c3d_real(p->processor, at);
    return is_signed ? c3d_signed_word(p->processor, at) : c3d_word(p->processor, at);
}

double c3d_number(const C3dParameters *p, const C3dParameter *parameter, size_t index, double otherwise)
{
    return element(p, parameter, index, otherwise, 1);
}

double c3d_count(const C3dParameters *p, const C3dParameter *parameter, size_t index, double otherwise)
{
    return element(p, parameter, index, otherwise, 0);
}

size_t c3d_text_count(const C3dParameter *parameter)
{
    if (!parameter || parameter->type != -1)
        return 0;
    size_t length = parameter->dimension_count ? (size_t)parameter->dimension[0] : 1;
    return length ? parameter->count / length : 0;
}

void c3d_text(const C3dParameters *p, const C3dParameter *parameter, size_t index, char *text, size_t size)
{
    text[0] = 0;
    if (index >= c3d_text_count(parameter))
        return;
    size_t length = parameter->count / c3d_text_count(parameter);
    const unsigned char *from = p->bytes + parameter->at + index * length;
    while (length && (*from == ' ' || !*from))
        from++, length--;
    while (length && (from[length - 1] == ' ' || !from[length - 1]))
        length--;
    length = length < size ? length : size - 1;
    for (size_t i = 0; i < length; i++)
        text[i] = from[i] >= ' ' && from[i] < 127 ? (char)from[i] : '_';
    text[length] = 0;
}
