/* Filters of smoothing, the table of its methods, and the cutoff from the noise (smoothing.h). */
#include "analysis/signal/smoothing.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"

/* Second-order filter sections, run forward and backward over rows of channels for zero phase lag. */

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

/* Damped spring in closed form. */

/* zeta < 1, with d = omega sqrt(1 - zeta^2), S = sin(d t) / d = t sinc(d t):
 *     x = e^(-zeta omega t) [(cos(d t) + zeta omega S) x0 + S v0] */
static SpringStep underdamped_step(double omega, double zeta, double t)
{
    double angle = omega * sqrt((1 - zeta) * (1 + zeta)) * t, sine, cosine;
    elementary_sincos(angle, &sine, &cosine);
    double s = angle > 0 ? t * (sine / angle) : t;
    double e = elementary_exp(-zeta * omega * t);
    return (SpringStep){.xx = e * (cosine + zeta * omega * s), .xv = e * s, .vx = -omega * omega * e * s,
                        .vv = e * (cosine - zeta * omega * s)};
}

/* zeta >= 1: roots z2 = -omega / (zeta + r) and z1 = z2 - 2 k, with r = sqrt(zeta^2 - 1), k = omega r. Written with
 * u = 2 k t and phi = (1 - e^-u) / u, which is 1 at critical damping, no term cancels:
 *     x = e^(z2 t) [(1 - z2 t phi) x0 + t phi v0],  v = e^(z2 t) [-omega^2 t phi x0 + (e^-u + z2 t phi) v0] */
static SpringStep overdamped_step(double omega, double zeta, double t)
{
    double r = sqrt((zeta - 1) * (zeta + 1)), u = 2 * omega * r * t;
    double slow = -omega / (zeta + r);
    double s = u > 0 ? t * (-elementary_expm1(-u) / u) : t;
    double e = elementary_exp(slow * t);
    return (SpringStep){.xx = e * (1 - slow * s), .xv = e * s, .vx = -omega * omega * e * s,
                        .vv = e * (elementary_exp(-u) + slow * s)};
}

SpringStep spring_step(double omega, double zeta, double dt)
{
    return zeta < 1 ? underdamped_step(omega, zeta, dt) : overdamped_step(omega, zeta, dt);
}

/* Savitzky-Golay weights. */

Status savgol_check(int window, int order, Error *err)
{
    if (window < 3 || window > SAVGOL_MAX_WINDOW || window % 2 == 0)
        return error_set(err, STATUS_USAGE, "--window %d: expected an odd number from 3 to %d", window,
                         SAVGOL_MAX_WINDOW);
    if (order < 0 || order > SAVGOL_MAX_ORDER || order >= window)
        return error_set(err, STATUS_USAGE,
                         "--order %d: expected 0 to %d, below the window of %d", order,
                         SAVGOL_MAX_ORDER, window);
    return STATUS_OK;
}

/* Derivative s of the Gram polynomials of degree 0 .. order at sample i (-m .. m): value[degree]. (Gorry 11) */
static void gram(int i, int m, int order, int s, double *value)
{
    double below[SAVGOL_MAX_ORDER + 1] = {0}; /* derivative s - 1 */
    for (int d = 0; d <= s; d++) {
        double now[SAVGOL_MAX_ORDER + 1] = {d == 0 ? 1 : 0};
        for (int k = 1; k <= order; k++) {
            double scale = k * (2.0 * m - k + 1);
            now[k] = (4 * k - 2) / scale * (i * now[k - 1] + d * below[k - 1]);
            if (k > 1)
                now[k] -= (k - 1) * (2.0 * m + k) / scale * now[k - 2];
        }
        memcpy(below, now, sizeof now);
    }
    memcpy(value, below, ((size_t)order + 1) * sizeof *value);
}

/* a (a - 1) ... (a - count + 1) */
static double falling_factorial(int a, int count)
{
    double product = 1;
    for (int i = 0; i < count; i++)
        product *= a - i;
    return product;
}

void savgol_weights(int window, int order, int derivative, int at, double *weights)
{
    int m = window / 2;
    double value[SAVGOL_MAX_ORDER + 1], target[SAVGOL_MAX_ORDER + 1];
    gram(at - m, m, order, derivative, target);
    /* h_i = sum_k (2k + 1) (2m)^(k) / (2m + k + 1)^(k+1) P_k(i) P_k^(s)(t)    (Gorry 8) */
    for (int i = 0; i < window; i++) {
        gram(i - m, m, order, 0, value);
        weights[i] = 0;
        for (int k = 0; k <= order; k++) {
            double norm = (2 * k + 1) * falling_factorial(2 * m, k) / falling_factorial(2 * m + k + 1, k + 1);
            weights[i] += norm * value[k] * target[k];
        }
    }
}

/* out[channel] = sum over the window of weights[i] in[i][channel] */
static void weigh_rows(const double *weights, int window, const double *in, size_t channel_count, double *out)
{
    for (size_t c = 0; c < channel_count; c++)
        out[c] = weights[0] * in[c];
    for (int i = 1; i < window; i++) {
        const double *row = in + (size_t)i * channel_count;
        for (size_t c = 0; c < channel_count; c++)
            out[c] += weights[i] * row[c];
    }
}

/* Smooths every row from the window around it, near the ends from the first or last window. */
static void smooth_rows(const Samples *samples, const double *copy, int window, int order)
{
    size_t channels = samples->channel_count, half = (size_t)window / 2, last = samples->row_count - (size_t)window;
    double weights[SAVGOL_MAX_WINDOW], *rows = samples->rows;
    savgol_weights(window, order, 0, (int)half, weights);
    for (size_t first = 0; first <= last; first++)
        weigh_rows(weights, window, copy + first * channels, channels, rows + (first + half) * channels);
    for (size_t i = 0; i < half; i++) {
        size_t mirror = samples->row_count - 1 - i;
        savgol_weights(window, order, 0, (int)i, weights);
        weigh_rows(weights, window, copy, channels, rows + i * channels);
        savgol_weights(window, order, 0, window - 1 - (int)i, weights);
        weigh_rows(weights, window, copy + last * channels, channels, rows + mirror * channels);
    }
}

Status savgol_smooth(const Samples *samples, int window, int order, Error *err)
{
    Status status = savgol_check(window, order, err);
    if (status || samples->row_count < (size_t)window || samples->channel_count == 0)
        return status;
    Arena arena = {0};
    double *copy = arena_array(&arena, samples->row_count, samples->channel_count, sizeof *copy);
    if (!arena.failed) {
        memcpy(copy, samples->rows, samples->row_count * samples->channel_count * sizeof *copy);
        smooth_rows(samples, copy, window, order);
    }
    status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    return status;
}

SmoothDef smooth_default_def(void)
{
    return (SmoothDef){.method = SMOOTH_BUTTERWORTH, .cutoff = 8, .damping_ratio = 1, .window = 9, .order = 3};
}

static Status check_cutoff(const SmoothDef *def, Error *err)
{
    if (!(def->cutoff >= 0) || !isfinite(def->cutoff))
        return error_set(err, STATUS_USAGE, "--cutoff out of range: %g Hz", def->cutoff);
    return STATUS_OK;
}

static int biquad_rows(const SmoothDef *def)
{
    (void)def;
    return BIQUAD_MIN_ROWS;
}

static Status filter_all(const Biquad *section, const Samples *samples, int count, size_t pad, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = biquad_filter(section, &samples[i], pad, LANES_AUTO, err);
    return status;
}

static Status filter_butterworth(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err)
{
    Biquad section = butterworth_biquad(def->cutoff, rate);
    return filter_all(&section, samples, count, cutoff_pad(def->cutoff, rate), err);
}

static Status filter_spring(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err)
{
    Biquad section = spring_biquad(def->cutoff, def->damping_ratio, rate);
    return filter_all(&section, samples, count, spring_pad(def->cutoff, def->damping_ratio, rate), err);
}

static Status check_spring(const SmoothDef *def, Error *err)
{
    Status status = check_cutoff(def, err);
    if (!status && !(def->damping_ratio >= DAMPING_RATIO_LOWEST && def->damping_ratio <= DAMPING_RATIO_HIGHEST))
        status = error_set(err, STATUS_USAGE, "--damping-ratio %g: expected %g to %g", def->damping_ratio,
                           DAMPING_RATIO_LOWEST, DAMPING_RATIO_HIGHEST);
    return status;
}

static Status check_window(const SmoothDef *def, Error *err) { return savgol_check(def->window, def->order, err); }

static int window_rows(const SmoothDef *def) { return def->window; }

static Status filter_savgol(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err)
{
    Status status = STATUS_OK;
    (void)rate;
    for (int i = 0; i < count && !status; i++)
        status = savgol_smooth(&samples[i], def->window, def->order, err);
    return status;
}

/* Names and rows in the order of SmoothMethod. */
#define ROWS_OF(table) (sizeof(table) / sizeof *(table))

const char *const smooth_method_names[] = {"butterworth", "savgol", "spring", "none", NULL};

static const Smoother smoothers[] = {
    {1, check_cutoff, biquad_rows, filter_butterworth},
    {0, check_window, window_rows, filter_savgol},
    {1, check_spring, biquad_rows, filter_spring},
    {0},
};

_Static_assert(ROWS_OF(smooth_method_names) == SMOOTH_METHOD_COUNT + 1, "every SmoothMethod has a name");
_Static_assert(ROWS_OF(smoothers) == SMOOTH_METHOD_COUNT, "every SmoothMethod has a filter");

const Smoother *smoother_of(SmoothMethod method)
{
    return (unsigned)method < SMOOTH_METHOD_COUNT ? &smoothers[method] : NULL;
}

/* Cutoff from the noise of a recording. */

#define NOISE_WINDOW 0.1    /* s */
#define NOISE_QUANTILE 0.5 /* of the windows: noise is in all of them, impacts are not */
#define NOISE_MOST 0.0014   /* per sqrt(Hz): density from which the lowest cutoff is used */

/* The middle rows, at most CUTOFF_ROWS. */
static Samples middle_of(const Samples *samples)
{
    size_t before = samples->row_count > CUTOFF_ROWS ? (samples->row_count - CUTOFF_ROWS) / 2 : 0;
    size_t count = samples->row_count > CUTOFF_ROWS ? CUTOFF_ROWS : samples->row_count;
    return (Samples){samples->rows + before * samples->channel_count, count, samples->channel_count};
}

/* Adds to energy[row] the square of the rows' content above a frequency (Hz), times scale. */
static Status add_energy(const Samples *samples, double above, double rate, double scale, double *energy, Error *err)
{
    Arena arena = {0};
    Samples raw = middle_of(samples), low = raw;
    Biquad section = butterworth_biquad(above, rate);
    size_t count = raw.row_count * raw.channel_count;
    low.rows = arena_array(&arena, raw.row_count, raw.channel_count, sizeof *low.rows);
    if (arena.failed)
        return error_no_memory(err);
    memcpy(low.rows, raw.rows, count * sizeof *raw.rows);
    Status status = biquad_filter(&section, &low, cutoff_pad(above, rate), LANES_AUTO, err);
    for (size_t i = 0; !status && i < count; i++)
        energy[i / raw.channel_count] += scale * (raw.rows[i] - low.rows[i]) * (raw.rows[i] - low.rows[i]);
    arena_free(&arena);
    return status;
}

/* The NOISE_QUANTILE of the means over windows. Overwrites energy. */
static double quantile_of_windows(double *energy, size_t rows, size_t window)
{
    size_t count = rows - window + 1;
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t k = 0; k < window; k++)
            sum += energy[i + k];
        energy[i] = sum / (double)window;
    }
    sort_doubles(energy, count);
    return energy[(size_t)(NOISE_QUANTILE * (double)(count - 1))];
}

Status cutoff_by_noise(const Samples *rotation, const Samples *root, double rate, double *cutoff, Error *err)
{
    size_t rows = middle_of(rotation).row_count, window = (size_t)fmax(1, NOISE_WINDOW * rate + 0.5);
    double above = fmin(CUTOFF_HIGHEST, NOISE_BAND * rate), *energy;
    *cutoff = cutoff_limit(CUTOFF_LOWEST, rate);
    if (rows < BIQUAD_MIN_ROWS || rows < window)
        return STATUS_OK;
    Arena arena = {0};
    energy = arena_array(&arena, rows, 1, sizeof *energy);
    Status status = arena.failed ? error_no_memory(err) : add_energy(rotation, above, rate, 4, energy, err);
    if (!status)
        status = add_energy(root, above, rate, 1, energy, err);
    if (!status) {
        double density = sqrt(quantile_of_windows(energy, rows, window) / (0.5 * rate - above));
        double allowed = CUTOFF_LOWEST * elementary_pow(NOISE_MOST / fmax(density, 1e-12), 0.4);
        *cutoff = cutoff_limit(fmax(CUTOFF_LOWEST, fmin(CUTOFF_HIGHEST, allowed)), rate);
    }
    arena_free(&arena);
    return status;
}
