#include "analysis/signal/section.h"

#include <math.h>

#include "analysis/base/memory.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/section_kernel.h"

double section_gain(const Section *s, double angle)
{
    double sine, cosine, sine2, cosine2;
    elementary_sincos(angle, &sine, &cosine);
    elementary_sincos(2 * angle, &sine2, &cosine2);
    double above_re = s->b0 + s->b1 * cosine + s->b2 * cosine2, above_im = s->b1 * sine + s->b2 * sine2;
    double below_re = 1 + s->a1 * cosine + s->a2 * cosine2, below_im = s->a1 * sine + s->a2 * sine2;
    return sqrt((above_re * above_re + above_im * above_im) / (below_re * below_re + below_im * below_im));
}

/* Samples by which the section delays a ramp. */
static double section_delay(const Section *s)
{
    return (s->b1 + 2 * s->b2) / (s->b0 + s->b1 + s->b2) - (s->a1 + 2 * s->a2) / (1 + s->a1 + s->a2);
}

/* State as if the line x(t) = first + t slope, slope = (later - first) / distance, had always been running: then
 * y(t) = first + (t - delay) slope. */
static void settle(const Section *s, const double *first, const double *later, double distance, double *state,
                   size_t channel_count)
{
    double delay = section_delay(s);
    for (size_t c = 0; c < channel_count; c++) {
        double x = first[c], slope = (later[c] - x) / distance, y = x - delay * slope;
        state[c] = y - s->b0 * x;
        state[channel_count + c] = (y + slope - s->b0 * (x + slope)) - (s->b1 * x - s->a1 * y);
    }
}

/* head[k] and tail[k]: what comes before the first row and after the last, in order of time. */
static void reflect(const double *rows, size_t row_count, size_t channel_count, size_t pad, double *head, double *tail)
{
    const double *first = rows, *last = rows + (row_count - 1) * channel_count;
    for (size_t k = 0; k < pad; k++)
        for (size_t c = 0; c < channel_count; c++) {
            head[k * channel_count + c] = 2 * first[c] - first[(pad - k) * channel_count + c];
            tail[k * channel_count + c] = 2 * last[c] - (last - (k + 1) * channel_count)[c];
        }
}

Status section_filter(const Section *section, double *rows, size_t row_count, size_t channel_count, size_t pad,
                      LaneWidth lanes, Error *err)
{
    if (row_count < SECTION_MIN_ROWS || channel_count == 0)
        return STATUS_OK;
    pad = pad < 1 ? 1 : pad < row_count ? pad : row_count - 1;
    double *scratch = array_new(2 * pad + 2, channel_count, sizeof *scratch);
    if (!scratch)
        return error_no_memory(err);
    SectionRow *filter = LANE_TWIN(section_row, lane_width_choose(lanes));
    double *head = scratch, *tail = head + pad * channel_count, *state = tail + pad * channel_count;
    reflect(rows, row_count, channel_count, pad, head, tail);

    settle(section, head, rows, (double)pad, state, channel_count);
    for (size_t k = 0; k < pad; k++)
        filter(section, head + k * channel_count, state, channel_count);
    for (size_t f = 0; f < row_count; f++)
        filter(section, rows + f * channel_count, state, channel_count);
    for (size_t k = 0; k < pad; k++)
        filter(section, tail + k * channel_count, state, channel_count);

    settle(section, tail + (pad - 1) * channel_count, rows + (row_count - 1) * channel_count, (double)pad, state,
           channel_count);
    for (size_t k = pad; k-- > 0;)
        filter(section, tail + k * channel_count, state, channel_count);
    for (size_t f = row_count; f-- > 0;)
        filter(section, rows + f * channel_count, state, channel_count);
    free(scratch);
    return STATUS_OK;
}
