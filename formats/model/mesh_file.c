/* See mesh_file.h. */
#include "formats/model/mesh_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/base/bytes.h"
#include "formats/base/number.h"

/* Position in a text that is read word by word. */
typedef struct Words {
    const char *at, *end;
    int line;
    Error *err;
} Words;

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Reads the next word of the line; returns its length, 0 at the end of the line. */
static size_t next_word(Words *w, const char **word)
{
    while (w->at < w->end && is_blank(*w->at))
        w->at++;
    *word = w->at;
    while (w->at < w->end && !is_blank(*w->at) && *w->at != '\n')
        w->at++;
    return (size_t)(w->at - *word);
}

/* Moves to the next line; returns 0 at the end of the text. */
static int next_line(Words *w)
{
    const char *end = w->at < w->end ? memchr(w->at, '\n', (size_t)(w->end - w->at)) : NULL;
    w->at = end ? end + 1 : w->end;
    w->line++;
    return w->at < w->end;
}

static int is_word(const char *word, size_t length, const char *name)
{
    return length == strlen(name) && !memcmp(word, name, length);
}

static Status read_vertex(Words *w, Vec3 *out)
{
    double v[3];
    for (int k = 0; k < 3; k++) {
        const char *word;
        size_t length = next_word(w, &word);
        const char *end = length ? number_scan(word, word + length, &v[k]) : NULL;
        if (end != word + length || !length || !isfinite(v[k]) || fabs(v[k]) > 1e12)
            return error_set_at(w->err, STATUS_BAD_INPUT, w->line, 0, "expected three numbers of a vertex");
    }
    *out = vec3_load(v);
    return STATUS_OK;
}

static Status make_room(MeshTriangles *m, size_t vertices, size_t faces, Arena *memory, Error *err)
{
    m->vertex = arena_array(memory, vertices, 1, sizeof *m->vertex);
    m->face = arena_array(memory, faces, 1, sizeof *m->face);
    return m->vertex && m->face ? STATUS_OK : error_no_memory(err);
}

/* Gives every face three vertices of its own. */
static void number_faces(MeshTriangles *m)
{
    m->face_count = m->vertex_count / 3;
    for (int f = 0; f < m->face_count; f++)
        for (int k = 0; k < 3; k++)
            m->face[f][k] = 3 * f + k;
}

static uint32_t little(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

enum { STL_HEAD = 84, STL_FACE = 50 };

static int is_binary_stl(const char *text, size_t size)
{
    return size >= STL_HEAD && (size - STL_HEAD) / STL_FACE >= little(text + 80) && little(text + 80) > 0 &&
           (memcmp(text, "solid", 5) != 0 || (size - STL_HEAD) == (size_t)STL_FACE * little(text + 80));
}

static Status parse_binary_stl(const char *text, Arena *memory, MeshTriangles *out, Error *err)
{
    size_t faces = little(text + 80);
    Status status = make_room(out, 3 * faces, faces, memory, err);
    for (size_t i = 0; !status && i < 3 * faces; i++) {
        const char *at = text + STL_HEAD + i / 3 * STL_FACE + 12 + i % 3 * 12;
        double v[3];
        for (int k = 0; k < 3; k++) {
            uint32_t bits = little(at + 4 * k);
            float number;
            memcpy(&number, &bits, sizeof number);
            v[k] = number;
            if (!isfinite(v[k]) || fabs(v[k]) > 1e12)
                return error_set(err, STATUS_BAD_INPUT, "face %zu: a coordinate is no number", i / 3 + 1);
        }
        out->vertex[i] = vec3_load(v);
    }
    out->vertex_count = status ? 0 : (int)(3 * faces);
    number_faces(out);
    return status;
}

static Status parse_text_stl(const char *text, size_t size, Arena *memory, MeshTriangles *out, Error *err)
{
    size_t room = size / 12 + 3; /* bytes of "vertex 0 0 0" */
    Words w = {text, text + size, 1, err};
    Status status = make_room(out, room, room / 3 + 1, memory, err);
    do {
        const char *word;
        size_t length = status ? 0 : next_word(&w, &word);
        if (length && is_word(word, length, "vertex"))
            status = read_vertex(&w, &out->vertex[out->vertex_count++]);
    } while (!status && next_line(&w));
    if (!status && (out->vertex_count == 0 || out->vertex_count % 3))
        status = error_set(err, STATUS_BAD_INPUT, "expected STL: facets of three vertices each");
    number_faces(out);
    return status;
}

/* Reads the index in "7", "7/1" or "-1//3": from 1, or negative from the last vertex. */
static Status read_index(const Words *w, const char *word, size_t length, int count, int *out)
{
    const char *slash = memchr(word, '/', length), *end = slash ? slash : word + length;
    double value = 0;
    int whole = end > word && number_scan(word, end, &value) == end && value == floor(value);
    value = value < 0 ? count + value : value - 1;
    if (!whole || !(value >= 0) || value >= count)
        return error_set_at(w->err, STATUS_BAD_INPUT, w->line, 0, "a face names vertex \"%.*s\" of %d", (int)length,
                            word, count);
    *out = (int)value;
    return STATUS_OK;
}

/* Reads a polygon as a triangle fan. */
static Status read_polygon(Words *w, MeshTriangles *m)
{
    int corner[3] = {0, 0, 0}, count = 0;
    const char *word;
    for (size_t length; (length = next_word(w, &word)) > 0; count++) {
        Status status = read_index(w, word, length, m->vertex_count, &corner[count < 2 ? count : 2]);
        if (status)
            return status;
        if (count < 2)
            continue;
        memcpy(m->face[m->face_count++], corner, sizeof corner);
        corner[1] = corner[2];
    }
    return count >= 3 ? STATUS_OK
                      : error_set_at(w->err, STATUS_BAD_INPUT, w->line, 0, "a face has three corners or more");
}

static Status parse_obj(const char *text, size_t size, Arena *memory, MeshTriangles *out, Error *err)
{
    Words w = {text, text + size, 1, err};
    Status status = make_room(out, size / 7 + 1, size / 2 + 1, memory, err); /* "v 0 0 0", " 1" */
    do {
        const char *word;
        size_t length = status ? 0 : next_word(&w, &word);
        if (length && is_word(word, length, "v"))
            status = read_vertex(&w, &out->vertex[out->vertex_count++]);
        else if (length && is_word(word, length, "f"))
            status = read_polygon(&w, out);
    } while (!status && next_line(&w));
    if (!status && out->vertex_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "expected OBJ: vertices and faces");
    return status;
}

Status mesh_file_parse(const char *text, size_t size, MeshFormat format, Arena *memory, MeshTriangles *out,
                       Error *err)
{
    *out = (MeshTriangles){0};
    if (format == MESH_OBJ)
        return parse_obj(text, size, memory, out, err);
    return is_binary_stl(text, size) ? parse_binary_stl(text, memory, out, err)
                                     : parse_text_stl(text, size, memory, out, err);
}

Status mesh_file_read(const char *path, MeshFormat format, Arena *memory, MeshTriangles *out, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    *out = (MeshTriangles){0};
    Status status = bytes_read_regular(path, &text, &size, err);
    if (!status && size > MESH_MAX_BYTES)
        status = error_set(err, STATUS_LIMIT, "a mesh of more than %zu MiB", MESH_MAX_BYTES >> 20);
    if (!status)
        status = mesh_file_parse(text, size, format, memory, out, err);
    free(text);
    return status;
}
