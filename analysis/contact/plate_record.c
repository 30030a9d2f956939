/* Force plates as recorded (plate_record.h). */
#include "analysis/contact/plate_record.h"

#include <stdlib.h>

#include "analysis/base/arena.h"

#define MIN_NORMAL 1.0      /* N: smallest force with a centre of pressure */
#define UNLOADED 50.0       /* N: offsets of plates are smaller */
#define UNLOADED_NOISE 10.0 /* N: deviation of an unloaded plate from its level */
#define UNLOADED_TIME 0.1   /* s: shortest unloaded time with a mean */

Status plate_record_init(PlateRecord *record, int plate_count, int sample_count, Error *err)
{
    size_t plates = (size_t)plate_count, samples = (size_t)sample_count;
    int failed = 0;
    *record = (PlateRecord){.plate_count = plate_count, .sample_count = sample_count};
    record->plate = array_try(&failed, plates, 1, sizeof *record->plate);
    record->time = array_try(&failed, samples, 1, sizeof *record->time);
    record->force = array_try(&failed, samples, plates, sizeof *record->force);
    record->moment = array_try(&failed, samples, plates, sizeof *record->moment);
    if (failed) {
        plate_record_free(record);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void plate_record_free(PlateRecord *record)
{
    free(record->plate);
    free(record->time);
    free(record->force);
    free(record->moment);
    *record = (PlateRecord){0};
}

void plate_record_drop(PlateRecord *r, int plate)
{
    size_t kept = 0, count = (size_t)r->sample_count * (size_t)r->plate_count;
    for (size_t at = 0; at < count; at++) {
        if (at % (size_t)r->plate_count == (size_t)plate)
            continue;
        r->force[kept] = r->force[at];
        r->moment[kept++] = r->moment[at];
    }
    r->plate_count--;
    for (int p = plate; p < r->plate_count; p++)
        r->plate[p] = r->plate[p + 1];
}

int plate_is_idle(const PlateRecord *r, int plate)
{
    for (int s = 0; s < r->sample_count; s++)
        if (vec3_norm(r->force[plate_index(r, s, plate)]) > 0)
            return 0;
    return 1;
}

Vec3 plate_pressure(Vec3 force, Vec3 moment, Vec3 origin, Vec3 normal)
{
    double carried = vec3_dot(normal, force);
    Vec3 about = vec3_sub(moment, vec3_cross(origin, force));
    return carried < MIN_NORMAL ? origin : vec3_mad(origin, 1 / carried, vec3_cross(normal, about));
}

/* Returns the last sample at or before the time; sample_count - 2 at most. */
static int find_sample(const PlateRecord *r, double time)
{
    int low = 0, high = r->sample_count - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (r->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void plate_record_at(const PlateRecord *r, double time, int plate, Vec3 *force, Vec3 *moment)
{
    *force = *moment = vec3(0, 0, 0);
    int last = r->sample_count - 1;
    if (last < 0 || !(time >= r->time[0] && time <= r->time[last]))
        return;
    int low = find_sample(r, time), high = low < last ? low + 1 : last;
    double step = r->time[high] - r->time[low], part = step > 0 ? (time - r->time[low]) / step : 0;
    size_t a = plate_index(r, low, plate), b = plate_index(r, high, plate);
    *force = vec3_lerp(r->force[a], r->force[b], part);
    *moment = vec3_lerp(r->moment[a], r->moment[b], part);
}

/* Sums over the samples whose force is within `reach` of `level`. */
typedef struct LevelSums {
    Vec3 force, moment;
    int count;
} LevelSums;

static LevelSums sum_level(const PlateRecord *r, int plate, Vec3 level, double reach)
{
    LevelSums sum = {0};
    for (int s = 0; s < r->sample_count; s++) {
        size_t at = plate_index(r, s, plate);
        if (vec3_distance(r->force[at], level) > reach)
            continue;
        sum.force = vec3_add(sum.force, r->force[at]);
        sum.moment = vec3_add(sum.moment, r->moment[at]);
        sum.count++;
    }
    return sum;
}

/* The mean of all samples below 50 N, then of those near that mean: a foot that arrives or leaves is left out. */
double plate_unloaded_level(const PlateRecord *r, int plate, Vec3 *force, Vec3 *moment)
{
    double duration = r->sample_count > 1 ? r->time[r->sample_count - 1] - r->time[0] : 0;
    double needed = duration > 0 ? UNLOADED_TIME * (r->sample_count - 1) / duration : INFINITY;
    LevelSums sum = sum_level(r, plate, vec3(0, 0, 0), UNLOADED);
    for (int pass = 0; pass < 2 && sum.count > 0; pass++)
        sum = sum_level(r, plate, vec3_scale(sum.force, 1.0 / sum.count), UNLOADED_NOISE);
    int shows = sum.count > 0 && sum.count >= needed;
    Vec3 mean = shows ? vec3_scale(sum.force, 1.0 / sum.count) : vec3(0, 0, 0);
    if (force)
        *force = mean;
    if (moment)
        *moment = shows ? vec3_scale(sum.moment, 1.0 / sum.count) : vec3(0, 0, 0);
    return vec3_norm(mean);
}

void plate_record_zero(PlateRecord *r)
{
    for (int p = 0; p < r->plate_count; p++) {
        Vec3 force, moment;
        r->plate[p].baseline = plate_unloaded_level(r, p, &force, &moment);
        for (int s = 0; s < r->sample_count; s++) {
            size_t at = plate_index(r, s, p);
            r->force[at] = vec3_sub(r->force[at], force);
            r->moment[at] = vec3_sub(r->moment[at], moment);
        }
    }
}

static Vec3 turn(const Vec3 rows[3], Vec3 v)
{
    return vec3(vec3_dot(rows[0], v), vec3_dot(rows[1], v), vec3_dot(rows[2], v));
}

void plate_record_move(PlateRecord *r, const Vec3 rows[3], Vec3 shift)
{
    size_t count = (size_t)r->sample_count * (size_t)r->plate_count;
    for (int p = 0; p < r->plate_count; p++) {
        Plate *plate = &r->plate[p];
        for (int c = 0; c < PLATE_CORNERS; c++)
            plate->corner[c] = vec3_add(turn(rows, plate->corner[c]), shift);
        plate->centre = vec3_add(turn(rows, plate->centre), shift);
        plate->normal = turn(rows, plate->normal);
    }
    for (size_t at = 0; at < count; at++) {
        r->force[at] = turn(rows, r->force[at]);
        r->moment[at] = vec3_add(turn(rows, r->moment[at]), vec3_cross(shift, r->force[at]));
    }
}
