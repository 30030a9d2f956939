/* See biquad.h. */
#include "analysis/signal/biquad.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/spring.h"

double biquad_gain(const Biquad *s, double angle)
{
    double sine, cosine, sine2, cosine2;
    elementary_sincos(angle, &sine, &cosine);
    elementary_sincos(2 * angle, &sine2, &cosine2);
    double above_re = s->b0 + s->b1 * cosine + s->b2 * cosine2, above_im = s->b1 * sine + s->b2 * sine2;
    double below_re = 1 + s->a1 * cosine + s->a2 * cosine2, below_im = s->a1 * sine + s->a2 * sine2;
    return sqrt((above_re * above_re + above_im * above_im) / (below_re * below_re + below_im * below_im));
}

double cutoff_limit(double cutoff, double rate)
{
    return fmin(fmax(cutoff, CUTOFF_FLOOR * rate), CUTOFF_LIMIT * rate);
}

size_t cutoff_pad(double cutoff, double rate)
{
    return (size_t)ceil(fmin(1.5 * rate / cutoff, 1e6));
}

Biquad butterworth_biquad(double cutoff, double rate)
{
    /* Bilinear transform of 1 / (s^2 + sqrt 2 s + 1), s in units of w. */
    double w = elementary_tan(PI * cutoff / rate) / sqrt(sqrt(sqrt(2) - 1));
    double k1 = sqrt(2) * w, k2 = w * w, scale = 1 / (1 + k1 + k2);
    return (Biquad){.b0 = k2 * scale,
                    .b1 = 2 * k2 * scale,
                    .b2 = k2 * scale,
                    .a1 = 2 * (k2 - 1) * scale,
                    .a2 = (1 - k1 + k2) * scale};
}

/* From x(t) = u + xx (x(t-1) - u) + xv v(t-1), v(t) = vx (x(t-1) - u) + vv v(t-1), with v eliminated. */
static Biquad section_of_step(SpringStep s)
{
    double determinant = s.xx * s.vv - s.xv * s.vx;
    Biquad section = {.b0 = 1 - s.xx, .a1 = -(s.xx + s.vv), .a2 = determinant};
    section.b1 = (1 + section.a1 + section.a2) - section.b0; /* unit gain at zero frequency */
    return section;
}

Biquad spring_biquad(double cutoff, double zeta, double rate)
{
    double wanted = 1 / sqrt(sqrt(2)), angle = 2 * PI * cutoff / rate; /* two passes of -1.5 dB */
    /* A spring with at most half the critical damping resonates above the wanted gain at its own frequency, so the
     * first crossing is below it. */
    double low = 0, high = zeta < 0.5 ? 2 * PI * cutoff : 100 * PI * cutoff * fmax(1, zeta);
    Biquad section = {0};
    /* The gain increases with the spring's frequency; bisection to the last bit takes less than 60 steps. */
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        section = section_of_step(spring_step(middle, zeta, 1 / rate));
        if (biquad_gain(&section, angle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return section;
}

size_t spring_pad(double cutoff, double zeta, double rate) { return cutoff_pad(fmin(1, zeta) * cutoff, rate); }

/* Delay of a ramp by the section, samples. */
static double biquad_delay(const Biquad *s)
{
    return (s->b1 + 2 * s->b2) / (s->b0 + s->b1 + s->b2) - (s->a1 + 2 * s->a2) / (1 + s->a1 + s->a2);
}

/* Sets the steady state of the line x(t) = first + t slope, slope = (later - first) / distance, as if it had always
 * been the input: y(t) = first + (t - delay) slope. */
static void settle(const Biquad *s, const double *first, const double *later, double distance, double *state,
                   size_t channel_count)
{
    double delay = biquad_delay(s);
    for (size_t c = 0; c < channel_count; c++) {
        double x = first[c], slope = (later[c] - x) / distance, y = x - delay * slope;
        state[c] = y - s->b0 * x;
        state[channel_count + c] = (y + slope - s->b0 * (x + slope)) - (s->b1 * x - s->a1 * y);
    }
}

/* Extensions of the samples, [pad][channel] by time: before the first row and after the last. */
typedef struct Ends {
    size_t pad;
    double *head, *tail;
    double *state; /* [2][channel] state of the section */
} Ends;

static void reflect(const Samples *samples, const Ends *ends)
{
    size_t channels = samples->channel_count, pad = ends->pad;
    const double *first = samples->rows, *last = first + (samples->row_count - 1) * channels;
    for (size_t k = 0; k < pad; k++)
        for (size_t c = 0; c < channels; c++) {
            ends->head[k * channels + c] = 2 * first[c] - first[(pad - k) * channels + c];
            ends->tail[k * channels + c] = 2 * last[c] - (last - (k + 1) * channels)[c];
        }
}

/* Filters forward, then backward. */
static void pass_twice(const Biquad *section, BiquadRow *filter, const Samples *samples, const Ends *ends)
{
    size_t channels = samples->channel_count, pad = ends->pad;
    double *rows = samples->rows, *last = rows + (samples->row_count - 1) * channels;

    settle(section, ends->head, rows, (double)pad, ends->state, channels);
    for (size_t k = 0; k < pad; k++)
        filter(section, ends->head + k * channels, ends->state, channels);
    for (size_t f = 0; f < samples->row_count; f++)
        filter(section, rows + f * channels, ends->state, channels);
    for (size_t k = 0; k < pad; k++)
        filter(section, ends->tail + k * channels, ends->state, channels);

    settle(section, ends->tail + (pad - 1) * channels, last, (double)pad, ends->state, channels);
    for (size_t k = pad; k-- > 0;)
        filter(section, ends->tail + k * channels, ends->state, channels);
    for (size_t f = samples->row_count; f-- > 0;)
        filter(section, rows + f * channels, ends->state, channels);
}

Status biquad_filter(const Biquad *section, const Samples *samples, size_t pad, LaneWidth lanes, Error *err)
{
    size_t rows = samples->row_count, channels = samples->channel_count;
    if (rows < BIQUAD_MIN_ROWS || channels == 0)
        return STATUS_OK;
    pad = pad < 1 ? 1 : pad < rows ? pad : rows - 1;
    Arena arena = {0};
    Ends ends = {.pad = pad, .head = arena_array(&arena, pad, channels, sizeof *ends.head),
                 .tail = arena_array(&arena, pad, channels, sizeof *ends.tail),
                 .state = arena_array(&arena, 2, channels, sizeof *ends.state)};
    if (!arena.failed) {
        reflect(samples, &ends);
        pass_twice(section, LANE_TWIN(biquad_row, lane_width_choose(lanes)), samples, &ends);
    }
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    return status;
}
