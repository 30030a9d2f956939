/* Half-second windows of a clip (windows.h). */
#include "analysis/stats/windows.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"

static const Metric window_columns[] = {
    {"torque_peak_mnm_kg", "mN m/kg", "largest torque, rounded up", offsetof(WindowStat, torque_peak_mnm_kg), 0},
    {"torque_rms_mnm_kg", "mN m/kg", "root mean square of the torque, rounded up",
     offsetof(WindowStat, torque_rms_mnm_kg), 0},
    {"power_peak_mw_kg", "mW/kg", "largest power, rounded away from zero", offsetof(WindowStat, power_peak_mw_kg), 0},
    {"power_min_mw_kg", "mW/kg", "smallest power, rounded away from zero", offsetof(WindowStat, power_min_mw_kg), 0},
};

MetricList window_metrics(void)
{
    return (MetricList){window_columns, (int)(sizeof window_columns / sizeof *window_columns)};
}

/* Index of the window that contains frame f. The small fraction of a frame keeps rounding of f * dt from moving the
 * first frame of a window into the window before. */
static double window_number(int f, double frame_time)
{
    return floor((f + 1e-6) * frame_time / WINDOW_SECONDS);
}

/* Makes one window per run of frames with the same index; out NULL: only counts. */
static int split(const Motion *motion, Window *out)
{
    int count = 0;
    double dt = motion->frame_time, current = -1;
    for (int f = 0; f < motion->frame_count; f++) {
        double number = window_number(f, dt);
        if (number != current) {
            double t0 = motion->time[0] + number * WINDOW_SECONDS;
            if (out)
                out[count] = (Window){.t0 = t0, .t1 = t0 + WINDOW_SECONDS, .frame0 = f};
            count++;
        }
        if (out)
            out[count - 1].frame1 = f;
        current = number;
    }
    if (out && count > 0) {
        double end = motion->time[motion->frame_count - 1] + dt;
        out[count - 1].t1 = fmin(out[count - 1].t1, end);
    }
    return count;
}

/* Value in thousandths, rounded away from zero. */
static double thousandths(double value)
{
    return value > 0 ? ceil(1000 * value) : floor(1000 * value);
}

/* Statistics of a joint over the samples [begin, end) of its series; end > begin. */
static WindowStat window_stat(const JointSeries *s, int joint, int begin, int end, double per_kg)
{
    const double *torque = joint_series_torque(s, joint), *power = joint_series_power(s, joint);
    double squares = 0, peak = 0, max = power[begin], min = power[begin];
    for (int i = begin; i < end; i++) {
        squares += torque[i] * torque[i];
        peak = torque[i] > peak ? torque[i] : peak;
        max = power[i] > max ? power[i] : max;
        min = power[i] < min ? power[i] : min;
    }
    return (WindowStat){.torque_peak_mnm_kg = thousandths(peak * per_kg),
                        .torque_rms_mnm_kg = thousandths(sqrt(squares / (end - begin)) * per_kg),
                        .power_peak_mw_kg = thousandths(max * per_kg),
                        .power_min_mw_kg = thousandths(min * per_kg)};
}

/* Lists the joint of each role (-1: none); returns the number of roles present. */
static int joints_of_roles(const Skeleton *skeleton, int *joint)
{
    int count = 0;
    for (int r = 0; r < ROLE_COUNT; r++)
        joint[r] = -1;
    for (int j = 0; j < skeleton->joint_count; j++)
        if (skeleton->role[j] != ROLE_NONE && joint[skeleton->role[j]] < 0) {
            joint[skeleton->role[j]] = j;
            count++;
        }
    return count;
}

static void fill_stats(Windows *w, const JointSeries *series, const int *joint, double per_kg)
{
    int begin = 0;
    for (int k = 0; k < w->window_count; k++) {
        int end = begin;
        while (end < series->count && series->frame[end] <= w->window[k].frame1)
            end++;
        for (int r = ROLE_NONE + 1; r < ROLE_COUNT && end > begin; r++) {
            if (joint[r] < 0 || series->is_residual[joint[r]] || series->is_silent[joint[r]])
                continue;
            WindowStat stat = window_stat(series, joint[r], begin, end, per_kg);
            stat.window = k;
            stat.role = (Role)r;
            w->stat[w->stat_count++] = stat;
        }
        begin = end;
    }
}

Status windows_init(Windows *w, const Clip *clip, const JointSeries *series, Error *err)
{
    int joint[ROLE_COUNT], roles = joints_of_roles(&clip->skeleton, joint);
    *w = (Windows){.window_count = split(&clip->motion, NULL)};
    w->window = array_new((size_t)w->window_count, 1, sizeof *w->window);
    w->stat = array_new((size_t)w->window_count, (size_t)roles, sizeof *w->stat);
    if (!w->window || !w->stat) {
        windows_free(w);
        return error_no_memory(err);
    }
    split(&clip->motion, w->window);
    double mass = clip->has_body ? clip->body.total_mass : 0;
    if (series->has_load)
        fill_stats(w, series, joint, mass > 0 ? 1 / mass : NAN);
    return STATUS_OK;
}

void windows_free(Windows *w)
{
    if (!w)
        return;
    free(w->window);
    free(w->stat);
    *w = (Windows){0};
}
