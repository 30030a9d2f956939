/* Gravity as a measure of length (free_fall.h). */
#include "analysis/detect/free_fall.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/math/parabola.h"
#include "analysis/math/sort.h"

enum { MAX_FLIGHTS = 64, MIN_FRAMES = 5 };

static const double clear_of_ground = 0.05;            /* fraction of body size */
static const double min_duration = 0.12, max_duration = 0.9; /* s: shorter ones are noise; 0.9 s is a jump of 1 m */
static const double max_misfit = 0.05;                 /* RMS deviation from the parabola over its rise */
static const double drop_window = 0.15;                /* s */
static const double min_rise = 0.25, max_rise = 2;     /* rise of the parabola over the clearance */

/* Height of the body and of its lowest point in each frame. */
typedef struct Heights {
    int frame_count;
    double *body, *lowest;
} Heights;

/* Mean height of the joints with a role, as an approximation of the centre of mass; without roles that of the root. */
static double body_height(const Skeleton *s, const Vec3 *position, Vec3 up)
{
    double sum = 0;
    int count = 0;
    for (int j = 0; j < s->joint_count; j++)
        if (s->role[j] != ROLE_NONE) {
            sum += vec3_dot(position[j], up);
            count++;
        }
    return count > 0 ? sum / count : vec3_dot(position[0], up);
}

/* Acceleration over n frames from start; 0 if they are not a free fall. */
static double fall_acceleration(const Heights *h, int start, int n, double ground, double dt)
{
    double duration = (n - 1) * dt, misfit, clearance = 0;
    if (n < MIN_FRAMES || duration < min_duration || duration > max_duration)
        return 0;
    double acceleration = parabola_acceleration(h->body + start, n, dt, &misfit);
    double rise = acceleration * duration * duration / 8; /* of the parabola above its ends */
    for (int i = start; i < start + n; i++)
        clearance = fmax(clearance, h->lowest[i] - ground);
    if (!(rise > min_rise * clearance) || rise > max_rise * clearance || misfit > max_misfit * rise)
        return 0;
    return acceleration;
}

static double median(double *value, size_t count)
{
    if (count == 0)
        return 0;
    return 0.5 * (select_double(value, count, (count - 1) / 2) + select_double(value, count, count / 2));
}

static double median_of_flights(const Heights *h, double ground, double clear, double dt)
{
    double found[MAX_FLIGHTS] = {0};
    size_t count = 0;
    int start = 0;
    for (int f = 0; f <= h->frame_count && count < MAX_FLIGHTS; f++) {
        if (f < h->frame_count && h->lowest[f] > ground + clear)
            continue;
        double acceleration = f > start ? fall_acceleration(h, start, f - start, ground, dt) : 0;
        if (acceleration > 0)
            found[count++] = acceleration;
        start = f + 1;
    }
    return median(found, count);
}

/* The 98th percentile of the downward accelerations of all windows. */
static double steepest_drop(const Heights *h, double dt, double *scratch)
{
    int window = (int)fmin(h->frame_count + 1, fmax(MIN_FRAMES, rint(drop_window / dt) + 1));
    int count = h->frame_count - window + 1;
    double misfit;
    for (int f = 0; f < count; f++)
        scratch[f] = parabola_acceleration(h->body + f, window, dt, &misfit);
    return count > 0 ? select_double(scratch, (size_t)count, (size_t)(0.98 * (count - 1))) : 0;
}

static Status measure_heights(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, Heights *out, Arena *arena,
                              Error *err)
{
    size_t frames = (size_t)sample->frame_count;
    *out = (Heights){.frame_count = sample->frame_count,
                     .body = arena_array(arena, frames, 1, sizeof *out->body),
                     .lowest = arena_array(arena, frames, 1, sizeof *out->lowest)};
    if (arena->failed)
        return error_no_memory(err);
    for (int f = 0; f < out->frame_count; f++) {
        out->body[f] = body_height(skeleton, pose_sample_frame(sample, f), up);
        out->lowest[f] = pose_sample_lowest(sample, f, up);
    }
    return STATUS_OK;
}

Status free_fall_measure(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, double frame_time, FreeFall *out,
                         Error *err)
{
    Arena arena = {0};
    Heights h;
    double ground, spread;
    *out = (FreeFall){0};
    if (sample->frame_count < MIN_FRAMES)
        return STATUS_OK;
    Status status = pose_sample_ground(sample, up, &ground, &spread, err);
    if (!status)
        status = measure_heights(skeleton, sample, up, &h, &arena, err);
    if (!status) {
        double clear = clear_of_ground * pose_sample_size(sample);
        out->acceleration = median_of_flights(&h, ground, clear, frame_time);
        out->steepest = fmax(0, steepest_drop(&h, frame_time, h.lowest)); /* reuses the array */
    }
    arena_free(&arena);
    return status;
}
