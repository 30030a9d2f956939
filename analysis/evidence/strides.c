/* See strides.h. */
#include "analysis/evidence/strides.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/math/sort.h"

enum { MIN_STEPS = 2 };

static const double passed = 0.2;        /* leg lengths: the ankles have passed each other */
static const double same_duration = 0.3; /* of the median */
static const double regular_enough = 0.75;
static const double walking_rise = -0.008, running_rise = 0.02; /* leg lengths */
static const double running_length = 0.5;

int strides_are_gait(const Strides *s) { return s->steps >= MIN_STEPS && s->regular >= regular_enough; }

int strides_are_walking(const Strides *s) { return strides_are_gait(s) && s->rise < walking_rise; }

int strides_are_running(const Strides *s)
{
    return strides_are_gait(s) && s->rise > running_rise && s->length > running_length;
}

/* Distance of the left ankle before the right one, leg lengths. */
static double ankle_lead(const BodyTrack *track, int frame, Vec3 up)
{
    Vec3 right = vec3_sub(body_track_role(track, frame, ROLE_RIGHT_HIP), body_track_role(track, frame, ROLE_LEFT_HIP));
    Vec3 front = vec3_normalize(vec3_cross(up, right));
    Vec3 apart = vec3_sub(body_track_role(track, frame, ROLE_LEFT_ANKLE),
                          body_track_role(track, frame, ROLE_RIGHT_ANKLE));
    return vec3_dot(apart, front) / track->leg;
}

/* Extremes of the lead between its changes of sign: frames and sizes. Returns their number. */
static int find_extremes(const double *lead, int frames, double *frame, double *size)
{
    int count = 0, sign = 0;
    for (int f = 0; f < frames; f++) {
        int now = lead[f] > passed ? 1 : lead[f] < -passed ? -1 : 0;
        if (now == 0)
            continue;
        if (now != sign || fabs(lead[f]) > size[count - 1]) {
            count += now != sign;
            frame[count - 1] = f;
            size[count - 1] = fabs(lead[f]);
        }
        sign = now;
    }
    return count;
}

static double median(double *value, int count)
{
    size_t n = (size_t)count;
    return 0.5 * (select_double(value, n, (n - 1) / 2) + select_double(value, n, n / 2));
}

static double height_at(const BodyTrack *track, int frame, Vec3 up) { return vec3_dot(track->com[frame], up); }

static void measure_steps(const BodyTrack *track, Vec3 up, const double *frame, int count, double *scratch,
                          Strides *out)
{
    int regular = 0, falls = 0;
    for (int i = 0; i + 1 < count; i++)
        scratch[i] = frame[i + 1] - frame[i];
    out->steps = count - 1;
    out->frames = median(scratch, out->steps);
    for (int i = 0; i + 1 < count; i++)
        regular += fabs(frame[i + 1] - frame[i] - out->frames) < same_duration * out->frames;
    out->regular = (double)regular / out->steps;
    for (int i = 0; i + 1 < count; i++) {
        int a = (int)frame[i], b = (int)frame[i + 1];
        double apart = 0.5 * (height_at(track, a, up) + height_at(track, b, up));
        scratch[i] = (apart - height_at(track, (a + b) / 2, up)) / track->leg;
    }
    out->rise = median(scratch, out->steps);
    int reach = (int)fmax(1, rint(out->frames / 8));
    for (int i = 0; i < count; i++)
        if (frame[i] >= reach && frame[i] + reach < track->frame_count)
            scratch[falls++] = -vec3_dot(body_track_acceleration(track, (int)frame[i], reach, 1), up);
    out->fall = falls > 0 ? median(scratch, falls) : 0;
}

Status strides_measure(const BodyTrack *track, Vec3 up, Strides *out, Error *err)
{
    size_t frames = (size_t)track->frame_count;
    *out = (Strides){0};
    if (!(track->leg > 0))
        return STATUS_OK;
    Arena arena = {0};
    double *lead = arena_space(&arena, frames, 4, sizeof *lead);
    if (arena.failed)
        return error_no_memory(err);
    double *frame = lead + frames, *size = frame + frames, *scratch = size + frames;
    for (size_t f = 0; f < frames; f++)
        lead[f] = ankle_lead(track, (int)f, up);
    int count = find_extremes(lead, track->frame_count, frame, size);
    if (count > 1) {
        measure_steps(track, up, frame, count, scratch, out);
        out->length = median(size, count);
    }
    arena_free(&arena);
    return STATUS_OK;
}
