/* See raster.h. */
#include "formats/picture/raster.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analysis/base/arena.h"

Status raster_init(Raster *out, int width, int height, Colour paper, Error *err)
{
    *out = (Raster){width, height, array_new((size_t)width * 3, (size_t)height, 1)};
    if (!out->pixel)
        return error_no_memory(err);
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        memcpy(out->pixel + 3 * i, &paper, 3);
    return STATUS_OK;
}

void raster_free(Raster *r)
{
    free(r->pixel);
    *r = (Raster){0};
}

static void blend(Raster *r, int x, int y, Colour ink, double cover)
{
    uint8_t *p = r->pixel + 3 * ((size_t)y * (size_t)r->width + (size_t)x);
    const uint8_t colour[3] = {ink.r, ink.g, ink.b};
    for (int i = 0; i < 3; i++)
        p[i] = (uint8_t)lround(p[i] + cover * (colour[i] - p[i]));
}

static int within(double x, int max) { return x < 0 ? 0 : x > max ? max : (int)x; }

/* Returns the distance of a point from a line segment. */
static double distance_to(Spot from, Spot to, double x, double y)
{
    double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((x - from.x) * dx + (y - from.y) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double ax = x - from.x - t * dx, ay = y - from.y - t * dy;
    return sqrt(ax * ax + ay * ay);
}

void raster_line(Raster *r, Spot from, Spot to, double width, Colour ink)
{
    double margin = 0.5 * width + 1;
    if (!isfinite(from.x + from.y + to.x + to.y))
        return;
    int x0 = within(fmin(from.x, to.x) - margin, r->width), x1 = within(fmax(from.x, to.x) + margin + 1, r->width);
    int y0 = within(fmin(from.y, to.y) - margin, r->height), y1 = within(fmax(from.y, to.y) + margin + 1, r->height);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            double cover = 0.5 * width + 0.5 - distance_to(from, to, x + 0.5, y + 0.5);
            if (cover > 0)
                blend(r, x, y, ink, fmin(cover, 1));
        }
}

void raster_box(Raster *r, Spot corner, double width, double height, Colour ink)
{
    for (int y = within(corner.y, r->height); y < within(corner.y + height, r->height); y++)
        for (int x = within(corner.x, r->width); x < within(corner.x + width, r->width); x++)
            blend(r, x, y, ink, 1);
}

/* Rows of three bits, the highest bit left. */
static const struct {
    char letter;
    uint8_t row[5];
} glyphs[] = {
    {'0', {7, 5, 5, 5, 7}}, {'1', {2, 6, 2, 2, 7}}, {'2', {7, 1, 7, 4, 7}}, {'3', {7, 1, 7, 1, 7}},
    {'4', {5, 5, 7, 1, 1}}, {'5', {7, 4, 7, 1, 7}}, {'6', {7, 4, 7, 5, 7}}, {'7', {7, 1, 1, 2, 2}},
    {'8', {7, 5, 7, 5, 7}}, {'9', {7, 5, 7, 1, 7}}, {'.', {0, 0, 0, 0, 2}}, {'-', {0, 0, 7, 0, 0}},
    {'s', {0, 3, 6, 3, 6}},
};

double raster_text(Raster *r, Spot corner, double unit, const char *text, Colour ink)
{
    for (; *text; text++, corner.x += 4 * unit)
        for (size_t g = 0; g < sizeof glyphs / sizeof *glyphs; g++)
            for (int i = 0; glyphs[g].letter == *text && i < 15; i++) {
                int line = i / 3, column = i % 3;
                if (glyphs[g].row[line] >> (2 - column) & 1)
                    raster_box(r, (Spot){corner.x + column * unit, corner.y + line * unit}, unit, unit, ink);
            }
    return corner.x;
}

/* ---- PNG ---- */

static void put_number(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Writes a chunk: length, type, data, and the checksum of type and data. */
static void put_chunk(FILE *stream, const char type[5], const uint8_t *data, size_t size)
{
    uint8_t number[4];
    uLong sum = crc32(crc32(0, (const Bytef *)type, 4), data, (uInt)size);
    put_number(number, (uint32_t)size);
    fwrite(number, 1, 4, stream);
    fwrite(type, 1, 4, stream);
    fwrite(data, 1, size, stream);
    put_number(number, (uint32_t)sum);
    fwrite(number, 1, 4, stream);
}

/* Filters the rows. Each begins with its filter type: 2 (Up), differences from the row above. */
static void filter_rows(const Raster *r, uint8_t *out)
{
    size_t row = 3 * (size_t)r->width;
    for (size_t y = 0; y < (size_t)r->height; y++) {
        const uint8_t *here = r->pixel + y * row, *above = y > 0 ? here - row : NULL;
        *out++ = 2;
        for (size_t i = 0; i < row; i++)
            *out++ = (uint8_t)(here[i] - (above ? above[i] : 0));
    }
}

Status png_write(const Raster *r, FILE *stream, Error *err)
{
    static const uint8_t signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
    uint8_t head[13] = {[8] = 8, [9] = 2}; /* 8 bits per channel; RGB */
    size_t size = (3 * (size_t)r->width + 1) * (size_t)r->height;
    uLongf packed = compressBound(size);
    uint8_t *rows = array_new(size, 1, 1), *data = array_new(packed, 1, 1);
    Status status = rows && data ? STATUS_OK : error_no_memory(err);
    if (!status) {
        filter_rows(r, rows);
        if (compress2(data, &packed, rows, size, 9) != Z_OK)
            status = error_no_memory(err);
    }
    if (!status) {
        put_number(head, (uint32_t)r->width);
        put_number(head + 4, (uint32_t)r->height);
        fwrite(signature, 1, sizeof signature, stream);
        put_chunk(stream, "IHDR", head, sizeof head);
        put_chunk(stream, "IDAT", data, packed);
        put_chunk(stream, "IEND", rows, 0); /* crc32 of a null pointer returns the initial value */
        if (fflush(stream) || ferror(stream))
            status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    }
    free(rows);
    free(data);
    return status;
}
