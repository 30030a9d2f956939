/* Peak, RMS, percentile, work and range of one joint (joint_peaks.h). */
#include "analysis/stats/joint_peaks.h"

#include <math.h>

#include "analysis/stats/joint_curves.h"

static void swap(double *value, int i, int j)
{
    double v = value[i];
    value[i] = value[j];
    value[j] = v;
}

/* Quickselect (Hoare 1961, "Algorithm 65: Find") with three-way partition, so that equal values cost nothing, and
 * pivots from a fixed pseudo-random sequence, so that no order of the values is slow and results are repeatable. */
double percentile(double *value, int count, double part)
{
    int rank = (int)ceil(part * count) - 1;
    rank = rank < 0 ? 0 : rank >= count ? count - 1 : rank;
    uint64_t seed = 1;
    for (int low = 0, high = count - 1;;) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): low <= rank <= high always */
        double pivot = value[low + (int)((seed >> 33) % (uint64_t)(high - low + 1))];
        int less = low, more = high;
        /* [low, less) below the pivot, [less, i) equal to it, (more, high] above */
        for (int i = low; i <= more;) {
            if (value[i] < pivot)
                swap(value, i++, less++);
            else if (value[i] > pivot)
                swap(value, i, more--);
            else
                i++;
        }
        if (rank < less)
            high = less - 1;
        else if (rank > more)
            low = more + 1;
        else
            return pivot;
    }
}

static const Metric peak_columns[] = {
    {"torque_peak_nm", "N m", "largest torque", offsetof(JointPeaks, torque_peak_nm), 0},
    {"torque_peak_nm_kg", "N m/kg", "the same per kilogram of body mass", offsetof(JointPeaks, torque_peak_nm_kg), 0},
    {"torque_peak_sd_nm_kg", "N m/kg",
     "standard deviation of that torque's size (`--torque-uncertainty`); NULL: unknown",
     offsetof(JointPeaks, torque_peak_sd_nm_kg), 0},
    {"torque_peak_t", "s", "time of that peak, source time", offsetof(JointPeaks, torque_peak_t), 0},
    {"torque_peak_frame", "", "frame of that peak", offsetof(JointPeaks, torque_peak_frame), 1},
    {"torque_peak_all_nm_kg", "N m/kg", "largest torque of all valid frames, trusted or not",
     offsetof(JointPeaks, torque_peak_all_nm_kg), 0},
    {"torque_peak_all_frame", "", "frame of that peak", offsetof(JointPeaks, torque_peak_all_frame), 1},
    {"torque_rms_nm_kg", "N m/kg", "root mean square of the torque", offsetof(JointPeaks, torque_rms_nm_kg), 0},
    {"torque_p95_nm_kg", "N m/kg", "95th percentile over the frames, by nearest rank",
     offsetof(JointPeaks, torque_p95_nm_kg), 0},
    {"power_peak_w", "W", "largest power, positive generates", offsetof(JointPeaks, power_peak_w), 0},
    {"power_min_w", "W", "smallest power, negative absorbs", offsetof(JointPeaks, power_min_w), 0},
    {"work_pos_j", "J", "integral of the positive power", offsetof(JointPeaks, work_pos_j), 0},
    {"work_neg_j", "J", "integral of the negative power, <= 0", offsetof(JointPeaks, work_neg_j), 0},
    {"speed_peak_rad_s", "rad/s", "largest angular velocity relative to the parent",
     offsetof(JointPeaks, speed_peak), 0},
    {"accel_peak_rad_s2", "rad/s2", "largest angular acceleration relative to the parent",
     offsetof(JointPeaks, accel_peak), 0},
    {"rom_rad", "rad", "largest angle between two poses of the joint", offsetof(JointPeaks, rom_rad), 0},
    {"utilization_peak", "1", "largest utilization of a coordinate of the joint; NULL: unknown",
     offsetof(JointPeaks, utilization_peak), 0},
    {"utilization_peak_sd", "1", "its standard deviation; NULL: unknown", offsetof(JointPeaks, utilization_peak_sd), 0},
    {"utilization_peak_t", "s", "time of that peak, source time", offsetof(JointPeaks, utilization_peak_t), 0},
};

MetricList peak_metrics(void)
{
    return (MetricList){peak_columns, (int)(sizeof peak_columns / sizeof *peak_columns)};
}

/* Peaks with all values unknown: NaN, integers -1. */
static JointPeaks unknown_peaks(void)
{
    JointPeaks out = {0};
    for (size_t i = 0; i < sizeof peak_columns / sizeof *peak_columns; i++) {
        void *at = (char *)&out + peak_columns[i].offset;
        if (peak_columns[i].is_integer)
            *(int *)at = -1;
        else
            *(double *)at = NAN;
    }
    return out;
}

double torque_low(double torque, double sd)
{
    return sd >= 0 ? fmax(0, torque - BAND_90 * sd) : torque;
}

/* Sets the torque statistics over the counted frames of the joint; there must be one. */
static void torque_metrics(const JointSeries *s, int joint, double per_kg, double *scratch, JointPeaks *out)
{
    const double *torque = joint_series_torque(s, joint);
    const double *spread = s->spread ? s->spread + (size_t)joint * (size_t)s->stride : NULL;
    int peak = -1, counted = 0;
    double squares = 0, low = 0;
    for (int i = 0; i < s->count; i++) {
        if (joint_series_doubts(s, joint, i))
            continue;
        scratch[counted++] = torque[i];
        squares += torque[i] * torque[i];
        low = fmax(low, torque_low(torque[i], spread ? spread[i] : NAN));
        if (peak < 0 || torque[i] > torque[peak])
            peak = i;
    }
    out->torque_peak_nm = torque[peak];
    out->torque_peak_t = s->time[peak];
    out->torque_peak_frame = s->frame[peak];
    out->torque_peak_nm_kg = out->torque_peak_nm * per_kg;
    if (spread)
        out->torque_peak_sd_nm_kg = spread[peak] * per_kg;
    out->torque_peak_low_nm_kg = low * per_kg;
    out->torque_rms_nm_kg = sqrt(squares / counted) * per_kg;
    out->torque_p95_nm_kg = percentile(scratch, counted, 0.95) * per_kg;
}

/* Work is the trapezoidal integral of the positive and of the negative part of the power over runs of consecutive
 * frames. */
static void power_metrics(const JointSeries *s, int joint, JointPeaks *out)
{
    const double *power = joint_series_power(s, joint);
    double max = power[0], min = power[0], positive = 0, negative = 0;
    for (int i = 1; i < s->count; i++) {
        double a = power[i - 1], b = power[i];
        max = b > max ? b : max;
        min = b < min ? b : min;
        if (s->frame[i] != s->frame[i - 1] + 1)
            continue;
        positive += (a > 0 ? a : 0) + (b > 0 ? b : 0);
        negative += (a < 0 ? a : 0) + (b < 0 ? b : 0);
    }
    out->power_peak_w = max;
    out->power_min_w = min;
    out->work_pos_j = 0.5 * s->frame_time * positive;
    out->work_neg_j = 0.5 * s->frame_time * negative;
}

void joint_peaks(const JointSeries *series, int joint, double mass, double *scratch, JointPeaks *out)
{
    double per_kg = mass > 0 ? 1 / mass : NAN;
    int has_load = series->has_load && !series->is_residual[joint];
    *out = unknown_peaks();
    if (has_load && series->all_frame[joint] >= 0) {
        out->torque_peak_all_nm_kg = series->all_peak[joint] * per_kg;
        out->torque_peak_all_frame = series->all_frame[joint];
    }
    if (series->count == 0 || series->is_silent[joint])
        return;
    if (has_load) {
        torque_metrics(series, joint, per_kg, scratch, out);
        power_metrics(series, joint, out);
    }
    out->speed_peak = series->speed_peak[joint];
    out->accel_peak = series->accel_peak[joint];
    out->rom_rad = series->rom[joint];
    out->utilization_peak = series->utilization_peak[joint];
    out->utilization_peak_sd = series->utilization_sd[joint];
    out->utilization_peak_t = series->utilization_t[joint];
}
