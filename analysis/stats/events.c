/* See events.h. */
#include "analysis/stats/events.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/foot_load.h"
#include "analysis/dynamics/inverse_dynamics.h"

/* Foot contacts and flights. */

unsigned contact_touching(const Clip *clip, int frame)
{
    const Contact *c = &clip->contact;
    const double *state = c->state + (size_t)frame * (size_t)c->point_count;
    unsigned bits = 0;
    for (int p = 0; p < c->point_count; p++)
        if (state[p] > 0.5)
            bits |= 1u << foot_of_segment(clip->skeleton.segment[c->point_joint[p]]);
    return bits;
}

Status contact_phases_init(ContactPhases *phases, const Clip *clip, int foot, double least_gap, Error *err)
{
    int frames = clip->has_contact && clip->contact.point_count > 0 ? clip->contact.frame_count : 0;
    const double *time = clip->motion.time;
    *phases = (ContactPhases){.span = array_new((size_t)frames / 2 + 1, 1, sizeof *phases->span)};
    if (!phases->span)
        return error_no_memory(err);
    for (int f = 0; f < frames; f++) {
        FrameSpan *last = phases->count > 0 ? &phases->span[phases->count - 1] : NULL;
        if (!(contact_touching(clip, f) >> foot & 1))
            continue;
        /* between two frames of contact k frames apart, k - 1 frames are without */
        if (last && (f == last->last + 1 || time[f - 1] - time[last->last] < least_gap))
            last->last = f;
        else
            phases->span[phases->count++] = (FrameSpan){f, f};
    }
    return STATUS_OK;
}

void contact_phases_free(ContactPhases *phases)
{
    if (!phases)
        return;
    free(phases->span);
    *phases = (ContactPhases){0};
}

/* Whether a frame is valid without flags other than TRUST_UNCERTAIN; the uncertainty of torques affects neither paths
 * nor times. */
static int is_sound(const Clip *clip, int frame)
{
    return frame >= 0 && frame < clip->kinematics.frame_count && clip_counts_frame(clip, frame, FRAMES_VALID) &&
           !(clip->has_trust && clip->trust.reason[frame] & ~(uint32_t)TRUST_UNCERTAIN);
}

/* Take-off height is the mean of the last frame in contact and the first in flight, because the feet leave the ground
 * between them. The apex is the vertex of the parabola through the highest frame and its neighbours. */
static double height_of(const Clip *clip, int frame0, int frame1)
{
    const Vec3 *com = clip->kinematics.com;
    if (!com || !is_sound(clip, frame0 - 1))
        return NAN;
    int top = frame0;
    for (int f = frame0; f <= frame1; f++)
        if (com[f].y > com[top].y)
            top = f;
    double take_off = 0.5 * (com[frame0 - 1].y + com[frame0].y);
    if (top == frame0)
        return fmax(0, com[top].y - take_off);
    if (!is_sound(clip, top + 1) || com[top + 1].y > com[top].y)
        return NAN; /* still rising at the end of the clip */
    double before = com[top - 1].y, middle = com[top].y, after = com[top + 1].y;
    double bend = before - 2 * middle + after, slope = 0.5 * (after - before);
    return middle + (bend < 0 ? -0.5 * slope * slope / bend : 0) - take_off;
}

/* NaN if a frame up to the peak is not trusted. */
static double landing_peak_of(const Clip *clip, int frame1)
{
    const Contact *c = &clip->contact;
    double weight = clip->has_body ? clip->body.total_mass * GRAVITY : 0, largest = NAN;
    int last = frame1 + (int)(FLIGHT_LANDING_TIME / clip->motion.frame_time + 1e-9), is_trusted = 1, is_known = 0;
    for (int f = frame1 + 1; f <= last && f < c->frame_count && clip_counts_frame(clip, f, FRAMES_VALID); f++) {
        double total = 0;
        for (int i = 0; i < c->point_count; i++)
            total += c->force[(size_t)f * (size_t)c->point_count + (size_t)i].y;
        is_trusted = is_trusted && clip_counts_frame(clip, f, FRAMES_TRUSTED);
        is_known = largest >= total ? is_known : is_trusted;
        largest = fmax(largest, total);
    }
    return weight > 0 && is_known ? largest / weight : NAN;
}

Flight flight_measure(const Clip *clip, int frame0, int frame1)
{
    Flight none = {NAN, NAN};
    if (!clip->has_kinematics || !clip->has_contact)
        return none;
    return (Flight){height_of(clip, frame0, frame1), landing_peak_of(clip, frame1)};
}

/* Peak, RMS, percentile, work and range of one joint. */

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
    {"torque_peak_nm", "Nm", "largest torque", offsetof(JointPeaks, torque_peak_nm), 0},
    {"torque_peak_nm_kg", "Nm/kg", "the same per kilogram of body mass", offsetof(JointPeaks, torque_peak_nm_kg), 0},
    {"torque_peak_sd_nm_kg", "Nm/kg",
     "standard deviation of that torque's size (`--torque-uncertainty`); NULL: unknown",
     offsetof(JointPeaks, torque_peak_sd_nm_kg), 0},
    {"torque_peak_t", "s", "time of that peak, source time", offsetof(JointPeaks, torque_peak_t), 0},
    {"torque_peak_frame", "", "frame of that peak", offsetof(JointPeaks, torque_peak_frame), 1},
    {"torque_peak_all_nm_kg", "Nm/kg", "largest torque of all valid frames, trusted or not",
     offsetof(JointPeaks, torque_peak_all_nm_kg), 0},
    {"torque_peak_all_t", "s", "time of that peak, source time", offsetof(JointPeaks, torque_peak_all_t), 0},
    {"torque_rms_nm_kg", "Nm/kg", "root mean square of the torque", offsetof(JointPeaks, torque_rms_nm_kg), 0},
    {"torque_p95_nm_kg", "Nm/kg", "95th percentile over the frames, by nearest rank",
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

/* Sets the torque statistics over the frames in which the joint is trusted; there must be one. */
static void torque_metrics(const JointSeries *s, int joint, double per_kg, double *scratch, JointPeaks *out)
{
    const double *torque = joint_series_torque(s, joint);
    int peak = -1, counted = 0;
    double squares = 0;
    for (int i = 0; i < s->count; i++) {
        if (joint_series_doubts(s, joint, i))
            continue;
        scratch[counted++] = torque[i];
        squares += torque[i] * torque[i];
        if (peak < 0 || torque[i] > torque[peak])
            peak = i;
    }
    out->torque_peak_nm = torque[peak];
    out->torque_peak_t = s->time[peak];
    out->torque_peak_frame = s->frame[peak];
    out->torque_peak_nm_kg = out->torque_peak_nm * per_kg;
    if (s->spread)
        out->torque_peak_sd_nm_kg = s->spread[(size_t)joint * (size_t)s->stride + (size_t)peak] * per_kg;
    out->torque_peak_low_nm_kg = torque_low(out->torque_peak_nm_kg, out->torque_peak_sd_nm_kg);
    out->torque_rms_nm_kg = sqrt(squares / counted) * per_kg;
    out->torque_p95_nm_kg = percentile(scratch, counted, 0.95) * per_kg;
}

/* Work is the trapezoidal integral of the positive and of the negative part of the power over runs of consecutive
 * frames. */
static void power_metrics(const JointSeries *s, int joint, JointPeaks *out)
{
    const double *power = joint_series_power(s, joint);
    double most = power[0], least = power[0], positive = 0, negative = 0;
    for (int i = 1; i < s->count; i++) {
        double a = power[i - 1], b = power[i];
        most = b > most ? b : most;
        least = b < least ? b : least;
        if (s->frame[i] != s->frame[i - 1] + 1)
            continue;
        positive += (a > 0 ? a : 0) + (b > 0 ? b : 0);
        negative += (a < 0 ? a : 0) + (b < 0 ? b : 0);
    }
    out->power_peak_w = most;
    out->power_min_w = least;
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
        out->torque_peak_all_t = series->all_t[joint];
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
    out->utilization_peak_t = series->utilization_t[joint];
}

/* Half-second windows of a clip and the load of every role in each. */

static const Metric window_columns[] = {
    {"torque_peak_mnm_kg", "mNm/kg", "largest torque, rounded up", offsetof(WindowStat, torque_peak_mnm_kg), 0},
    {"torque_rms_mnm_kg", "mNm/kg", "root mean square of the torque, rounded up",
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
    double squares = 0, peak = 0, most = power[begin], least = power[begin];
    for (int i = begin; i < end; i++) {
        squares += torque[i] * torque[i];
        peak = torque[i] > peak ? torque[i] : peak;
        most = power[i] > most ? power[i] : most;
        least = power[i] < least ? power[i] : least;
    }
    return (WindowStat){.torque_peak_mnm_kg = thousandths(peak * per_kg),
                        .torque_rms_mnm_kg = thousandths(sqrt(squares / (end - begin)) * per_kg),
                        .power_peak_mw_kg = thousandths(most * per_kg),
                        .power_min_mw_kg = thousandths(least * per_kg)};
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

static Status add_event(Events *e, Event event, Error *err)
{
    if (e->count == e->capacity) {
        int room = e->capacity ? 2 * e->capacity : 64;
        Event *grown = realloc(e->event, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        e->event = grown;
        e->capacity = room;
    }
    e->event[e->count++] = event;
    return STATUS_OK;
}

/* Whether sample i is a peak: none within EVENT_PEAK_DISTANCE is larger; of equal samples the first. */
static int is_peak(const JointSeries *s, const double *torque, int i)
{
    for (int k = i - 1; k >= 0 && s->time[i] - s->time[k] < EVENT_PEAK_DISTANCE; k--)
        if (torque[k] >= torque[i])
            return 0;
    for (int k = i + 1; k < s->count && s->time[k] - s->time[i] < EVENT_PEAK_DISTANCE; k++)
        if (torque[k] > torque[i])
            return 0;
    return 1;
}

static int sd_mnm_kg(double sd) { return sd >= 0 ? (int)lround(fmin(sd, 1e6) * 1000) : -1; }

static Status add_torque_peaks(Events *e, const JointSeries *s, int joint, Role role, double mass, Error *err)
{
    const double *torque = joint_series_torque(s, joint);
    const double *spread = s->spread ? s->spread + (size_t)joint * (size_t)s->stride : NULL;
    double largest = 0;
    for (int i = 0; i < s->count; i++)
        largest = torque[i] > largest ? torque[i] : largest;
    Status status = STATUS_OK;
    for (int i = 0; i < s->count && largest > 0 && !status; i++)
        if (torque[i] >= EVENT_PEAK_PART * largest && is_peak(s, torque, i))
            status = add_event(e,
                               (Event){.kind = EVENT_TORQUE_PEAK,
                                       .joint = joint,
                                       .role = role,
                                       .t0 = s->time[i],
                                       .t1 = s->time[i],
                                       .frame0 = s->frame[i],
                                       .frame1 = s->frame[i],
                                       .value = torque[i] / mass,
                                       .sd_mnm_kg = sd_mnm_kg(spread ? spread[i] / mass : NAN),
                                       .flight = {NAN, NAN}},
                               err);
    return status;
}

static int has_roles(const Skeleton *skeleton)
{
    for (int j = 0; j < skeleton->joint_count; j++)
        if (skeleton->role[j] != ROLE_NONE)
            return 1;
    return 0;
}

static double largest_force(const Contact *c, int foot, int frame0, int frame1)
{
    double largest = 0;
    for (int f = frame0; f <= frame1; f++)
        largest = fmax(largest, vec3_norm(c->foot_force[(size_t)f * FOOT_COUNT + (size_t)foot]));
    return largest;
}

/* The event of frames begin to last; foot FOOT_COUNT: a flight. */
static Event run_event(const Clip *clip, int foot, int begin, int last, double weight)
{
    static const Role ankle[FOOT_COUNT] = {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE};
    Event event = {.kind = EVENT_FLIGHT,
                   .joint = -1,
                   .t0 = clip->motion.time[begin],
                   .t1 = clip->motion.time[last],
                   .frame0 = begin,
                   .frame1 = last,
                   .sd_mnm_kg = -1,
                   .value = (last - begin + 1) * clip->motion.frame_time,
                   .flight = {NAN, NAN}};
    if (foot < FOOT_COUNT) {
        event.kind = EVENT_FOOT_CONTACT;
        event.role = ankle[foot];
        event.joint = skeleton_find_role(&clip->skeleton, ankle[foot]);
        event.value = largest_force(&clip->contact, foot, event.frame0, event.frame1) / weight;
    } else {
        event.flight = flight_measure(clip, event.frame0, event.frame1);
    }
    return event;
}

/* Adds the runs of frames in which a foot is in contact; for FOOT_COUNT, in which nothing is. */
static Status add_runs(Events *e, const Clip *clip, int foot, double weight, Error *err)
{
    Status status = STATUS_OK;
    int begin = -1;
    for (int f = 0; f <= clip->contact.frame_count && !status; f++) {
        unsigned bits = is_sound(clip, f) ? contact_touching(clip, f) : 0;
        int inside = is_sound(clip, f) && (foot < FOOT_COUNT ? (int)(bits >> foot & 1) : bits == 0);
        if (inside && begin < 0)
            begin = f;
        if (inside || begin < 0)
            continue;
        Event run = run_event(clip, foot, begin, f - 1, weight);
        if (foot < FOOT_COUNT || run.value >= EVENT_LEAST_FLIGHT)
            status = add_event(e, run, err);
        begin = -1;
    }
    return status;
}

Status events_init(Events *e, const Clip *clip, const JointSeries *series, Error *err)
{
    *e = (Events){.flight_s = NAN};
    const Skeleton *skeleton = &clip->skeleton;
    double mass = clip->has_body && clip->body.total_mass > 0 ? clip->body.total_mass : NAN;
    Status status = STATUS_OK;
    int only_roles = has_roles(skeleton);
    for (int j = 0; series->has_load && j < skeleton->joint_count && !status; j++)
        if (joint_series_ranks(series, j) && (skeleton->role[j] != ROLE_NONE || !only_roles))
            status = add_torque_peaks(e, series, j, skeleton->role[j], mass, err);
    if (clip->has_contact && clip->contact.point_count > 0 && series->count > 0) {
        for (int foot = 0; foot <= FOOT_COUNT && !status; foot++)
            status = add_runs(e, clip, foot, mass * GRAVITY, err);
        e->flight_s = 0;
        for (int i = 0; i < e->count; i++)
            e->flight_s += e->event[i].kind == EVENT_FLIGHT ? e->event[i].value : 0;
    }
    if (status)
        events_free(e);
    return status;
}

void events_free(Events *e)
{
    if (!e)
        return;
    free(e->event);
    *e = (Events){0};
}
