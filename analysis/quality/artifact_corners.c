/* Takes resampled along straight lines: the pose moves evenly between the rows of a lower rate and bends at them.
 *
 * The bend of a frame is how far its rotations are from the great arcs through its neighbours (paths are often cubics).
 * In a recording its logarithm scatters about its mean over a quarter of a second by at most 1.5; between rows of a
 * lower rate the bend is rounding, and the logarithm alternates by 4 or more in the rhythm of that rate. */
#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/math/elementary.h"
#include "analysis/quality/artifacts_internal.h"

#define ROUNDING 1e-7
#define MIN_FRAMES 24
static const double min_scatter = 2.2, min_rhythm = 0.6; /* sound clips 1.4 with 1.1; resampled 4 with 1 */
static const double near = 1.02, clearly = 1.2;
static const double lower_rates[] = {10, 12, 12.5, 15, 20, 24, 25, 30000.0 / 1001, 30, 48, 50, 60};

/* The part of q(f + 1) + q(f - 1) across q(f), squared: zero for even rotation. */
static double squared_bend(Quat before, Quat here, Quat after)
{
    Quat sum = {before.w + after.w, before.x + after.x, before.y + after.y, before.z + after.z};
    double along = sum.w * here.w + sum.x * here.x + sum.y * here.y + sum.z * here.z;
    double w = sum.w - along * here.w, x = sum.x - along * here.x, y = sum.y - along * here.y;
    double z = sum.z - along * here.z;
    return w * w + x * x + y * y + z * z;
}

static double log_bend(const Motion *m, int f)
{
    double sum = 0;
    for (int j = 0; j < m->joint_count; j++)
        sum += squared_bend(m->rotation[motion_index(m, f - 1, j)], m->rotation[motion_index(m, f, j)],
                            m->rotation[motion_index(m, f + 1, j)]);
    return elementary_log(sqrt(sum) + ROUNDING);
}

/* Subtracts from each value the mean of those within `reach` of it; returns the RMS. sum: [count + 1] scratch. */
static double remove_mean(double *x, int count, int reach, double *sum)
{
    double squares = 0;
    sum[0] = 0;
    for (int i = 0; i < count; i++)
        sum[i + 1] = sum[i] + x[i];
    for (int i = 0; i < count; i++) {
        int first = i > reach ? i - reach : 0, end = i + reach + 1 < count ? i + reach + 1 : count;
        x[i] -= (sum[end] - sum[first]) / (end - first);
        squares += x[i] * x[i];
    }
    return sqrt(squares / count);
}

/* Amplitude of the values at so many cycles per value; at half a cycle it counts once. */
static double amplitude_at(const double *x, int count, double cycles)
{
    double real = 0, imaginary = 0;
    for (int i = 0; i < count; i++) {
        real += x[i] * elementary_cos(2 * PI * cycles * i);
        imaginary += x[i] * elementary_sin(2 * PI * cycles * i);
    }
    return (cycles > 0.49 ? 1 : 2) * sqrt(real * real + imaginary * imaginary) / count;
}

/* The lower rate whose rhythm the values have most of, and that amplitude. Corners have the multiples of their rate,
 * too: a multiple must be clearly larger. */
static double find_rhythm(const double *x, int count, double rate, double *amplitude)
{
    double best = 0;
    *amplitude = 0;
    for (size_t i = 0; i < sizeof lower_rates / sizeof *lower_rates; i++) {
        double found = lower_rates[i] > 0.505 * rate ? 0 : amplitude_at(x, count, lower_rates[i] / rate);
        if (found > (lower_rates[i] > near * best ? clearly : 1) * *amplitude) {
            *amplitude = found;
            best = lower_rates[i];
        }
    }
    return best;
}

/* Whether most frames bend less than their neighbourhood, as between rows of a rate below a third of the take's. A
 * swing bends in most frames. */
static int is_mostly_straight(const double *bend, int count, double rows, double rate)
{
    int low = 0;
    for (int i = 0; i < count; i++)
        low += bend[i] < 0;
    return 3 * rows > rate || 2 * low > count;
}

Status artifact_corners_find(const Motion *m, Artifacts *artifacts, Error *err)
{
    Arena arena = {0};
    int count = m->frame_count - 2;
    double rate = 1 / m->frame_time, amplitude;
    if (count < MIN_FRAMES)
        return STATUS_OK;
    double *bend = arena_array(&arena, (size_t)count, 1, sizeof *bend);
    double *scratch = arena_array(&arena, (size_t)count + 1, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        for (int i = 0; i < count; i++)
            bend[i] = log_bend(m, i + 1);
        double scatter = remove_mean(bend, count, (int)fmax(6, rate / 8), scratch);
        double rows = scatter > min_scatter ? find_rhythm(bend, count, rate, &amplitude) : 0;
        if (rows > 0 && amplitude > min_rhythm * scatter && is_mostly_straight(bend, count, rows, rate))
            status = artifacts_add(
                artifacts, (Artifact){TRUST_INTERPOLATED, ARTIFACT_WHOLE_POSE, 0, m->frame_count - 1, 0, rows}, err);
    }
    arena_free(&arena);
    return status;
}
