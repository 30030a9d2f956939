/* See power_spectrum.h. */
#include "analysis/signal/power_spectrum.h"

#include "analysis/math/elementary.h"

#define SEGMENT_TIME 4.0 /* s */

/* Complex values of `length` rows and `width` channels. Two real channels share a complex one: the transform of an odd
 * real sequence is imaginary, so the squared magnitude is the sum of those of the two. */
typedef struct Transform {
    size_t length, width;
    double *real, *imaginary;  /* [row][channel] */
    double *cosine, *sine;     /* [length / 2] of 2 pi k / length */
} Transform;

size_t power_spectrum_intervals(size_t row_count, double rate)
{
    size_t intervals = 1;
    while (2 * intervals < row_count && (double)(2 * intervals) <= SEGMENT_TIME * rate)
        intervals *= 2;
    return intervals > 1 ? intervals : 0;
}

PowerSpectrum power_spectrum_new(size_t intervals, double rate, Arena *arena)
{
    PowerSpectrum s = {.step = rate / (double)(2 * intervals), .count = intervals + 1};
    s.density = arena_array(arena, s.count, 1, sizeof *s.density);
    return s;
}

static Transform transform_new(size_t length, size_t width, Arena *arena)
{
    Transform t = {.length = length, .width = width};
    t.real = arena_array(arena, length, width, sizeof *t.real);
    t.imaginary = arena_array(arena, length, width, sizeof *t.imaginary);
    t.cosine = arena_array(arena, length / 2, 1, sizeof *t.cosine);
    t.sine = arena_array(arena, length / 2, 1, sizeof *t.sine);
    for (size_t k = 0; !arena->failed && k < length / 2; k++) {
        t.cosine[k] = elementary_cos(2 * PI * (double)k / (double)length);
        t.sine[k] = elementary_sin(2 * PI * (double)k / (double)length);
    }
    return t;
}

/* Position of row i in bit-reversed order. */
static size_t reversed(size_t i, size_t length)
{
    size_t out = 0;
    for (size_t bit = 1; bit < length; bit *= 2, i /= 2)
        out = 2 * out + i % 2;
    return out;
}

/* Stores the row x - line at row `at` and its negative at the mirrored row. */
static void load_row(const Samples *segment, size_t row, Transform *t)
{
    size_t channels = segment->channel_count, last = segment->row_count - 1;
    double part = (double)row / (double)last;
    const double *x = segment->rows + row * channels, *first = segment->rows, *end = first + last * channels;
    size_t at = reversed(row, t->length) * t->width, mirrored = reversed(t->length - row, t->length) * t->width;
    for (size_t c = 0; c < channels; c++) {
        double y = x[c] - (first[c] + part * (end[c] - first[c]));
        double *to = c < t->width ? t->real + c : t->imaginary + c - t->width;
        to[at] = y;
        to[mirrored] = -y;
    }
}

/* (a, b) becomes (a + w b, a - w b) in every channel. */
static void combine(Transform *t, size_t a, size_t b, double cosine, double sine)
{
    double *restrict ar = t->real + a * t->width, *restrict ai = t->imaginary + a * t->width;
    double *restrict br = t->real + b * t->width, *restrict bi = t->imaginary + b * t->width;
    for (size_t c = 0; c < t->width; c++) {
        double real = br[c] * cosine + bi[c] * sine, imaginary = bi[c] * cosine - br[c] * sine;
        br[c] = ar[c] - real;
        bi[c] = ai[c] - imaginary;
        ar[c] += real;
        ai[c] += imaginary;
    }
}

/* Cooley and Tukey, radix 2, of rows in bit-reversed order. */
static void transform(Transform *t)
{
    for (size_t half = 1; half < t->length; half *= 2)
        for (size_t start = 0; start < t->length; start += 2 * half)
            for (size_t k = 0; k < half; k++) {
                size_t turn = k * (t->length / (2 * half));
                combine(t, start + k, start + k + half, t->cosine[turn], t->sine[turn]);
            }
}

Status power_spectrum_add(const Samples *segment, double part, PowerSpectrum *out, Error *err)
{
    Arena arena = {0};
    size_t intervals = out->count - 1, length = 2 * intervals;
    Transform t = transform_new(length, (segment->channel_count + 1) / 2, &arena);
    if (arena.failed) {
        arena_free(&arena);
        return error_no_memory(err);
    }
    for (size_t row = 1; row < intervals; row++)
        load_row(segment, row, &t);
    transform(&t);
    double scale = part * 2 / ((double)length * (double)length * out->step);
    for (size_t k = 0; k < out->count; k++) {
        double sum = 0;
        for (size_t i = k * t.width; i < (k + 1) * t.width; i++)
            sum += t.real[i] * t.real[i] + t.imaginary[i] * t.imaginary[i];
        out->density[k] += scale * sum;
    }
    arena_free(&arena);
    return STATUS_OK;
}

/* Stores the tapered second difference from row `row` on; two adjacent channels share a complex one. */
static void load_change(const Samples *segment, size_t row, double taper, Transform *t)
{
    size_t channels = segment->channel_count, at = reversed(row, t->length) * t->width;
    const double *x = segment->rows + row * channels, *y = x + channels, *z = y + channels;
    for (size_t i = 0; i < t->width; i++, x += 2, y += 2, z += 2) {
        t->real[at + i] = taper * (x[0] - 2 * y[0] + z[0]);
        t->imaginary[at + i] = taper * (x[1] - 2 * y[1] + z[1]);
    }
}

/* The squared magnitudes of two real sequences that share a complex one are the mean of those at k and -k. */
static double squares(const Transform *t, size_t row, size_t first, size_t count)
{
    const double *real = t->real + row * t->width + first, *imaginary = t->imaginary + row * t->width + first;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += real[i] * real[i] + imaginary[i] * imaginary[i];
    return sum;
}

void power_spectrum_of_changes(const Samples *segment, size_t size, double *power, Arena *arena)
{
    size_t count = segment->row_count - 2, groups = segment->channel_count / size, half = size / 2;
    ArenaMark mark = arena_mark(arena);
    Transform t = transform_new(count, segment->channel_count / 2, arena);
    if (arena->failed)
        return;
    double weight = 0;
    for (size_t row = 0; row < count; row++) {
        double taper = 0.5 - 0.5 * elementary_cos(2 * PI * ((double)row + 0.5) / (double)count);
        weight += taper * taper;
        load_change(segment, row, taper, &t);
    }
    transform(&t);
    for (size_t k = 0; k <= count / 2; k++) {
        size_t other = k > 0 ? count - k : 0;
        double scale = (k == 0 || k == count / 2 ? 0.5 : 1) / (weight * (double)count);
        for (size_t g = 0; g < groups; g++)
            power[k * groups + g] = scale * (squares(&t, k, g * half, half) + squares(&t, other, g * half, half));
    }
    arena_return(arena, mark);
}
