/* Forces of plates on feet (plate_rows.h). */
#include "analysis/contact/plate_rows.h"

#include <limits.h>
#include <math.h>

#include "analysis/contact/foot_load.h"

#define BOTH_FEET ((1u << FOOT_LEFT) | (1u << FOOT_RIGHT))
#define LOADED 0.02  /* body weights: a foot with less does not share a plate */
#define APART_MIN 0.05 /* m: feet that are closer share a plate by the estimate's loads */

/* Sum of the loads on each foot in a sample, about the origin. */
typedef struct FootSums {
    Vec3 force[FOOT_COUNT], moment[FOOT_COUNT];
} FootSums;

static void add_to_foot(FootSums *sums, int foot, Vec3 force, Vec3 moment)
{
    sums->force[foot] = vec3_add(sums->force[foot], force);
    sums->moment[foot] = vec3_add(sums->moment[foot], moment);
}

static Vec3 estimated_pressure(const PlateSeries *s, int frame, int foot)
{
    PlateLoad load = plate_series_feet(s, frame, 1u << foot);
    return plate_pressure(vec3_scale(load.force, s->weight), vec3_scale(load.moment, s->weight),
                          vec3(0, s->height, 0), vec3(0, 1, 0));
}

/* Divides a load between both feet: with the fraction a of the left foot at a distance (1 - a) d from the centre of
 * pressure towards it, and the rest at -a d, force and moment are kept. */
static void divide(const PlateSeries *s, int frame, Vec3 force, Vec3 moment, FootSums *sums)
{
    double up[FOOT_COUNT];
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        up[foot] = fmax(0, plate_series_feet(s, frame, 1u << foot).force.y);
    double both = up[FOOT_LEFT] + up[FOOT_RIGHT], left = both > 0 ? up[FOOT_LEFT] / both : 0.5;
    Vec3 at = plate_pressure(force, moment, vec3(0, s->height, 0), vec3(0, 1, 0)), apart = vec3(0, 0, 0);
    if (up[FOOT_LEFT] > LOADED && up[FOOT_RIGHT] > LOADED) {
        Vec3 right = estimated_pressure(s, frame, FOOT_RIGHT);
        apart = vec3_sub(estimated_pressure(s, frame, FOOT_LEFT), right);
        apart.y = 0;
        double square = vec3_dot(apart, apart);
        if (square > APART_MIN * APART_MIN)
            left = fmin(fmax(vec3_dot(vec3_sub(at, right), apart) / square, 0), 1);
    }
    Vec3 part = vec3_scale(force, left), lever = vec3_scale(apart, 1 - left);
    Vec3 part_moment = vec3_add(vec3_scale(moment, left), vec3_cross(lever, part));
    add_to_foot(sums, FOOT_LEFT, part, part_moment);
    add_to_foot(sums, FOOT_RIGHT, vec3_sub(force, part), vec3_sub(moment, part_moment));
}

/* The feet on a plate in each frame, or in the nearest frame with a foot on it. */
static void find_feet(const PlateSpans *spans, int plate, int *distance, unsigned char *feet)
{
    int frames = spans->frame_count, far = frames + 1;
    for (int f = 0; f < frames; f++) {
        unsigned on = plate_feet_on(spans, plate, f);
        distance[f] = on ? 0 : f ? distance[f - 1] + 1 : far;
        feet[f] = (unsigned char)(on ? on : f ? feet[f - 1] : 0);
    }
    for (int f = frames - 2; f >= 0; f--)
        if (distance[f + 1] + 1 < distance[f]) {
            distance[f] = distance[f + 1] + 1;
            feet[f] = feet[f + 1];
        }
}

/* Adds the load of one plate in a sample, which feet[frame] have; returns whether it is divided. */
static int add_plate(const PlateAttribution *of, int sample, int plate, int frame, const unsigned char *feet,
                     FootSums *sums)
{
    const PlateRecord *r = of->record;
    size_t at = plate_index(r, sample, plate);
    int foot = r->plate[plate].foot, is_both = feet[frame] == BOTH_FEET;
    if (foot < FOOT_COUNT || feet[frame] == 1u << FOOT_LEFT || feet[frame] == 1u << FOOT_RIGHT)
        add_to_foot(sums, foot < FOOT_COUNT ? foot : feet[frame] == 1u << FOOT_LEFT ? FOOT_LEFT : FOOT_RIGHT,
                    r->force[at], r->moment[at]);
    else if (is_both)
        divide(of->series, frame, r->force[at], r->moment[at], sums);
    return foot == FOOT_COUNT && is_both && plate_series_feet(of->series, frame, BOTH_FEET).force.y > LOADED;
}

/* Force and moment about the origin as a row: the point is at the plate's height, so that the couple is small. */
static void put_row(ExternalRows *rows, int row, double time, const PlateLoad *load, double height)
{
    Vec3 point = plate_pressure(load->force, load->moment, vec3(0, height, 0), vec3(0, 1, 0));
    rows->time[row] = time;
    rows->force[row] = load->force;
    rows->point[row] = point;
    rows->couple[row] = vec3_sub(load->moment, vec3_cross(point, load->force));
}

/* The feet of every plate, [plate][frame], in the arena. */
static unsigned char *all_feet(const PlateAttribution *of, Arena *arena)
{
    size_t frames = (size_t)of->spans->frame_count, plates = (size_t)of->record->plate_count;
    unsigned char *feet = arena_array(arena, plates, frames, 1);
    int *distance = arena_array(arena, frames, 1, sizeof *distance);
    for (int p = 0; feet && distance && p < of->record->plate_count; p++)
        find_feet(of->spans, p, distance, feet + (size_t)p * frames);
    return arena->failed ? NULL : feet;
}

Status plate_rows_find(const PlateAttribution *of, ExternalRows *rows, double *divided, Error *err)
{
    const PlateRecord *r = of->record;
    const PlateSeries *s = of->series;
    Arena arena = {0};
    *divided = 0;
    *rows = (ExternalRows){0};
    if (r->sample_count > INT_MAX / FOOT_COUNT)
        return error_set(err, STATUS_LIMIT, "%d samples of measured forces are too many", r->sample_count);
    const unsigned char *feet = all_feet(of, &arena);
    Status status = feet ? external_rows_init(rows, FOOT_COUNT * r->sample_count, err) : error_no_memory(err);
    double last = r->sample_count ? r->time[r->sample_count - 1] - r->time[0] : 0;
    double step = r->sample_count > 1 ? last / (r->sample_count - 1) : 0;
    for (int i = 0; !status && i < r->sample_count; i++) {
        FootSums sums = {0};
        double near = floor((r->time[i] - s->start) / s->frame_time + 0.5);
        int shared = 0, frame = (int)fmin(fmax(near, 0), s->frame_count - 1);
        for (int p = 0; p < r->plate_count; p++)
            shared |= add_plate(of, i, p, frame, feet + (size_t)p * (size_t)s->frame_count, &sums);
        *divided += shared ? step : 0;
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            PlateLoad load = {sums.force[foot], sums.moment[foot]};
            rows->joint[FOOT_COUNT * i + foot] = foot_sole_joint(of->skeleton, foot);
            put_row(rows, FOOT_COUNT * i + foot, r->time[i], &load, s->height);
        }
    }
    arena_free(&arena);
    return status;
}
