/* C3D files (c3d.h). */
#include "formats/c3d/c3d.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "analysis/base/arena.h"

#define BLOCK 512
#define ARRAY_MAX 255 /* elements of a parameter; more continue in NAME2 */
#define ARRAYS_MAX 9

/* Words of the header, from 0. */
enum { POINTS = 1, SAMPLES = 2, FIRST = 3, LAST = 4, SCALE = 6, DATA_START = 8, SAMPLES_PER_FRAME = 9, RATE = 10 };

int c3d_begins(const char *front, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)front;
    size_t at = size < BLOCK || !bytes[0] ? 0 : BLOCK * ((size_t)bytes[0] - 1) + 3;
    return at && bytes[1] == 0x50 && at < size && bytes[at] >= C3D_INTEL && bytes[at] <= C3D_SGI;
}

static int header_word(const C3d *c, int index)
{
    return c3d_word(c->parameters.processor, c->bytes + 2 * index);
}

/* ---- Long arrays ---- */

/* Finds the array that has the element: NAME for the first 255, then NAME2, NAME3. */
static const C3dParameter *array_of(const C3d *c, const char *group, const char *name, int *index)
{
    char continued[C3D_NAME_SIZE];
    const C3dParameter *found = c3d_find(&c->parameters, group, name);
    for (int part = 2; *index >= ARRAY_MAX && part <= ARRAYS_MAX; part++) {
        *index -= ARRAY_MAX;
        snprintf(continued, sizeof continued, "%s%d", name, part);
        found = c3d_find(&c->parameters, group, continued);
    }
    return found;
}

static double long_number(const C3d *c, const char *name, int index, double otherwise, int is_unsigned)
{
    const C3dParameter *array = array_of(c, "ANALOG", name, &index);
    return (is_unsigned ? c3d_count : c3d_number)(&c->parameters, array, (size_t)index, otherwise);
}

void c3d_long_text(const C3d *c3d, const char *group, const char *name, int index, char *text, size_t size)
{
    const C3dParameter *array = array_of(c3d, group, name, &index);
    c3d_text(&c3d->parameters, array, (size_t)index, text, size);
}

/* ---- Header ---- */

static Status find_unit(C3d *c, Error *err)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"dm", 0.1}, {"m", 1}, {"in", 0.0254}, {"ft", 0.3048}, {"", 1e-3}};
    c3d_text(&c->parameters, c3d_find(&c->parameters, "POINT", "UNITS"), 0, c->unit, sizeof c->unit);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcasecmp(c->unit, units[i].name)) {
            c->metres_per_unit = units[i].metres;
            return STATUS_OK;
        }
    return error_set(err, STATUS_BAD_INPUT, "POINT:UNITS is \"%s\": expected mm, cm, dm, m, in or ft", c->unit);
}

/* Rates and scale: the parameters hold where they are stated, since programs that edit a file may leave its header. */
static Status find_rates(C3d *c, Error *err)
{
    const C3dParameters *p = &c->parameters;
    double rate = c3d_real(p->processor, c->bytes + 2 * RATE), scale = c3d_real(p->processor, c->bytes + 2 * SCALE);
    c->rate = c3d_number(p, c3d_find(p, "POINT", "RATE"), 0, rate);
    c->rate = c->rate > 0 ? c->rate : rate;
    c->scale = c3d_number(p, c3d_find(p, "POINT", "SCALE"), 0, scale);
    c->is_float = c->scale < 0;
    c->scale = fabs(c->scale);
    if (!(c->rate > 0 && c->rate < 1e6))
        return error_set(err, STATUS_BAD_INPUT, "byte %d: %g frames per second; POINT:RATE must be positive",
                         2 * RATE, c->rate);
    if (!c->is_float && !(c->scale > 0 && c->scale < INFINITY))
        return error_set(err, STATUS_BAD_INPUT, "byte %d: POINT:SCALE is %g, so integer coordinates have no size",
                         2 * SCALE, c->scale);
    return STATUS_OK;
}

static Status find_layout(C3d *c, Error *err)
{
    const C3dParameters *p = &c->parameters;
    int samples = header_word(c, SAMPLES), block = header_word(c, DATA_START);
    double stated = c3d_count(p, c3d_find(p, "POINT", "DATA_START"), 0, 0);
    c->point_count = header_word(c, POINTS);
    c->samples_per_frame = header_word(c, SAMPLES_PER_FRAME);
    c->samples_per_frame = samples && !c->samples_per_frame ? 1 : samples ? c->samples_per_frame : 0;
    c->channel_count = samples ? samples / c->samples_per_frame : 0;
    if (samples && samples % c->samples_per_frame)
        return error_set(err, STATUS_BAD_INPUT, "byte %d: %d analogue values per frame are no multiple of %d samples",
                         2 * SAMPLES, samples, c->samples_per_frame);
    block = block > 1 ? block : (int)stated;
    c->data = BLOCK * ((size_t)block - 1);
    if (block < 2 || c->data > c->size)
        return error_set(err, STATUS_BAD_INPUT, "byte %d: the data begin at block %d, but the file has %zu bytes",
                         2 * DATA_START, block, c->size);
    c->frame_size = (size_t)(c->is_float ? 4 : 2) * ((size_t)c->point_count * 4 + (size_t)samples);
    return c->frame_size ? STATUS_OK : error_set(err, STATUS_BAD_INPUT, "byte 2: no points and no analogue channels");
}

/* A 32-bit number in two words, as TRIAL has it; NaN if it is not stated. */
static double long_field(const C3dParameters *p, const char *name)
{
    const C3dParameter *field = c3d_find(p, "TRIAL", name);
    return c3d_count(p, field, 0, NAN) + 65536 * c3d_count(p, field, 1, NAN);
}

/* The header has 16 bits per frame number; longer files state the count in one of three places. The one that fits the
 * size of the file holds. */
static Status find_frames(C3d *c, Error *err)
{
    const C3dParameters *p = &c->parameters;
    double stated[] = {header_word(c, LAST) - header_word(c, FIRST) + 1,
                       long_field(p, "ACTUAL_END_FIELD") - long_field(p, "ACTUAL_START_FIELD") + 1,
                       c3d_count(p, c3d_find(p, "POINT", "LONG_FRAMES"), 0, 0),
                       c3d_count(p, c3d_find(p, "POINT", "FRAMES"), 0, 0)};
    double room = (double)((c->size - c->data) / c->frame_size), padding = (double)BLOCK / (double)c->frame_size;
    double count = stated[0];
    for (int i = 3; i >= 0; i--)
        if (stated[i] >= 1 && stated[i] <= room && room - stated[i] <= padding)
            count = stated[i];
    if (!(count >= 1))
        return error_set(err, STATUS_BAD_INPUT, "byte %d: first frame %d, last frame %d", 2 * FIRST,
                         header_word(c, FIRST), header_word(c, LAST));
    if (count > room)
        return error_set(err, STATUS_BAD_INPUT, "byte %zu: the file ends after %.0f of %.0f frames; copy or export it "
                         "again", c->size, room, count);
    if (count * fmax(1, c->samples_per_frame) > INT_MAX)
        return error_set(err, STATUS_LIMIT, "%.0f analogue samples, more than %d", count * c->samples_per_frame,
                         INT_MAX);
    c->frame_count = (int)count;
    c->first_frame = header_word(c, FIRST);
    return STATUS_OK;
}

/* ---- Labels ---- */

/* Marks points of POINT:ANGLES, FORCES, MOMENTS, POWERS and SCALARS, which Vicon stores among the markers. */
static void drop_results(C3d *c)
{
    static const char *const kinds[] = {"ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS"};
    char name[C3D_LABEL_SIZE];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const C3dParameter *list = c3d_find(&c->parameters, "POINT", kinds[k]);
        for (size_t i = 0; i < c3d_text_count(list); i++) {
            c3d_text(&c->parameters, list, i, name, sizeof name);
            for (int m = 0; m < c->point_count && *name; m++)
                if (!strcmp(c->label[m], name))
                    c->is_marker[m] = 0;
        }
    }
}

static Status read_labels(C3d *c, Error *err)
{
    c->label = array_new((size_t)c->point_count, 1, sizeof *c->label);
    c->is_marker = array_new((size_t)c->point_count, 1, 1);
    if (!c->label || !c->is_marker)
        return error_no_memory(err);
    for (int i = 0; i < c->point_count; i++) {
        c3d_long_text(c, "POINT", "LABELS", i, c->label[i], sizeof c->label[i]);
        if (!c->label[i][0])
            snprintf(c->label[i], sizeof c->label[i], "point_%d", i + 1);
        c->is_marker[i] = 1;
    }
    drop_results(c);
    return STATUS_OK;
}

/* ---- Open ---- */

static Status read_all(C3d *c, Error *err)
{
    Status status = c3d_parameters_read(c->bytes, c->size, BLOCK * ((size_t)c->bytes[0] - 1), &c->parameters, err);
    if (!status)
        status = find_unit(c, err);
    if (!status)
        status = find_rates(c, err);
    if (!status)
        status = find_layout(c, err);
    if (!status)
        status = find_frames(c, err);
    return status ? status : read_labels(c, err);
}

Status c3d_open(const char *bytes, size_t size, C3d *out, Error *err)
{
    *out = (C3d){.bytes = (const unsigned char *)bytes, .size = size};
    if (!c3d_begins(bytes, size))
        return error_set(err, STATUS_BAD_INPUT, "not a C3D file: its header is missing");
    Status status = read_all(out, err);
    if (status)
        c3d_close(out);
    return status;
}

void c3d_close(C3d *c3d)
{
    c3d_parameters_free(&c3d->parameters);
    free(c3d->label);
    free(c3d->is_marker);
    *c3d = (C3d){0};
}

/* ---- Data ---- */

static double raw(const C3d *c, size_t at, int is_unsigned)
{
    C3dProcessor processor = c->parameters.processor;
    if (c->is_float)
        return c3d_real(processor, c->bytes + at);
    return is_unsigned ? c3d_word(processor, c->bytes + at) : c3d_signed_word(processor, c->bytes + at);
}

/* The fourth value is negative for a point that was not seen. */
Vec3 c3d_point(const C3d *c3d, int frame, int point)
{
    size_t word = c3d->is_float ? 4 : 2;
    size_t at = c3d->data + (size_t)frame * c3d->frame_size + (size_t)point * 4 * word;
    double step = c3d->metres_per_unit * (c3d->is_float ? 1 : c3d->scale), value[3];
    int is_seen = raw(c3d, at + 3 * word, 0) >= 0;
    for (size_t i = 0; i < 3; i++) {
        value[i] = step * raw(c3d, at + i * word, 0);
        is_seen &= isfinite(value[i]) != 0;
    }
    return is_seen ? vec3_load(value) : vec3(NAN, NAN, NAN);
}

C3dChannel c3d_channel(const C3d *c3d, int number)
{
    const C3dParameters *p = &c3d->parameters;
    char format[16];
    c3d_text(p, c3d_find(p, "ANALOG", "FORMAT"), 0, format, sizeof format);
    int is_unsigned = !strcasecmp(format, "UNSIGNED");
    return (C3dChannel){number, is_unsigned,
                        c3d_number(p, c3d_find(p, "ANALOG", "GEN_SCALE"), 0, 1) *
                            long_number(c3d, "SCALE", number, 1, 0),
                        long_number(c3d, "OFFSET", number, 0, is_unsigned)};
}

double c3d_sample(const C3d *c3d, const C3dChannel *channel, int sample)
{
    size_t word = c3d->is_float ? 4 : 2;
    size_t frame = (size_t)(sample / c3d->samples_per_frame), within = (size_t)(sample % c3d->samples_per_frame);
    size_t before = (size_t)c3d->point_count * 4 + within * (size_t)c3d->channel_count + (size_t)channel->number;
    double value = raw(c3d, c3d->data + frame * c3d->frame_size + before * word, channel->is_unsigned);
    return (value - channel->offset) * channel->scale;
}
