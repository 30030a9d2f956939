#include "analysis/motion/resample_contact.h"

#include <math.h>
#include <string.h>

/* A time between frames `before` and `after`, of which `part` has passed. */
typedef struct Between {
    size_t before, after;
    double part;
} Between;

static Between find_between(const Contact *c, double at)
{
    double last = c->frame_count - 1, held = fmin(fmax(at, 0), last), whole = floor(held);
    size_t before = (size_t)whole;
    return (Between){before, held > whole ? before + 1 : before, held - whole};
}

static void mix(Between b, const double *from, size_t width, double *to)
{
    for (size_t i = 0; from && i < width; i++)
        to[i] = (1 - b.part) * from[b.before * width + i] + b.part * from[b.after * width + i];
}

/* Where both frames carry nothing the centre stays zero, as it is there. */
static void mix_centres(Between b, const Contact *c, Vec3 *to)
{
    for (size_t foot = 0; foot < FOOT_COUNT; foot++) {
        size_t i = b.before * FOOT_COUNT + foot, k = b.after * FOOT_COUNT + foot;
        double before = (1 - b.part) * fabs(c->foot_force[i].y), after = b.part * fabs(c->foot_force[k].y);
        double all = before + after;
        to[foot] = all > 0 ? vec3_mad(vec3_scale(c->foot_cop[i], before / all), after / all, c->foot_cop[k])
                           : vec3(0, 0, 0);
    }
}

static void copy_constants(const Contact *from, Contact *out)
{
    memcpy(out->point_joint, from->point_joint, (size_t)from->point_count * sizeof *out->point_joint);
    memcpy(out->point_position, from->point_position, (size_t)from->point_count * sizeof *out->point_position);
    out->ground_height = from->ground_height;
    out->ground_normal = from->ground_normal;
    out->friction = from->friction;
}

Status contact_resample(const Contact *from, double first_time, double frame_time, const Motion *now, Contact *out,
                        Error *err)
{
    size_t points = (size_t)from->point_count;
    Status status = contact_init(out, now->frame_count, from->point_count, from->moment != NULL, err);
    if (status)
        return status;
    copy_constants(from, out);
    for (size_t f = 0; f < (size_t)now->frame_count; f++) {
        Between b = find_between(from, (now->time[f] - first_time) / frame_time);
        mix(b, (const double *)from->force, 3 * points, (double *)(out->force + f * points));
        if (from->moment)
            mix(b, (const double *)from->moment, 3 * points, (double *)(out->moment + f * points));
        mix(b, from->state, points, out->state + f * points);
        mix(b, (const double *)from->foot_force, 3 * FOOT_COUNT, (double *)(out->foot_force + f * FOOT_COUNT));
        mix(b, (const double *)from->foot_free_moment, 3 * FOOT_COUNT,
            (double *)(out->foot_free_moment + f * FOOT_COUNT));
        mix(b, from->confidence, 1, out->confidence + f);
        mix_centres(b, from, out->foot_cop + f * FOOT_COUNT);
    }
    return STATUS_OK;
}
