/* See series.h. */
#include "formats/report/series.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define LARGEST_KNOWN 1e30 /* well below the largest 32-bit float, which the page computes with */
#define LARGEST_CODE 65535

static int is_known(double value)
{
    return fabs(value) <= LARGEST_KNOWN; /* false for NaN */
}

static SeriesScale series_scale(const double *value, size_t count)
{
    double min = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < count; i++)
        if (is_known(value[i])) {
            min = fmin(min, value[i]);
            largest = fmax(largest, value[i]);
        }
    if (min > largest)
        return (SeriesScale){0, 0};
    return (SeriesScale){min, (largest - min) / (LARGEST_CODE - 1)};
}

static uint16_t series_code(double value, SeriesScale scale)
{
    if (!is_known(value))
        return 0;
    if (!(scale.step > 0))
        return 1;
    return (uint16_t)fmin(1 + nearbyint((value - scale.min) / scale.step), LARGEST_CODE);
}

/* Zigzag code: 0, -1, 1, -2 ... to 0, 1, 2, 3 ... */
static uint16_t fold(uint16_t difference)
{
    return (uint16_t)(difference << 1 ^ (difference & 0x8000 ? 0xffff : 0));
}

static int make_room(SeriesBlock *block, size_t count)
{
    size_t wanted;
    if (__builtin_add_overflow(block->count, count, &wanted))
        return 0;
    if (wanted <= block->capacity)
        return 1;
    wanted = wanted > 2 * block->capacity ? wanted : 2 * block->capacity;
    unsigned char *low = realloc(block->low, wanted);
    if (!low)
        return 0;
    block->low = low;
    unsigned char *high = realloc(block->high, wanted);
    if (!high)
        return 0;
    block->high = high;
    block->capacity = wanted;
    return 1;
}

Status series_append_scaled(SeriesBlock *block, const double *value, size_t count, SeriesScale scale, Error *err)
{
    if (!make_room(block, count + !count))
        return error_no_memory(err);
    uint16_t before = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t code = series_code(value[i], scale), folded = fold((uint16_t)(code - before));
        block->low[block->count + i] = (unsigned char)folded;
        block->high[block->count + i] = (unsigned char)(folded >> 8);
        before = code;
    }
    block->count += count;
    return STATUS_OK;
}

Status series_append(SeriesBlock *block, const double *value, size_t count, SeriesScale *scale, Error *err)
{
    *scale = series_scale(value, count);
    return series_append_scaled(block, value, count, *scale, err);
}

void series_free(SeriesBlock *block)
{
    free(block->low);
    free(block->high);
    *block = (SeriesBlock){0};
}
