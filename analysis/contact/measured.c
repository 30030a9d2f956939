/* Measured forces as contact (measured.h). */
#include "analysis/contact/measured.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/foot_load.h"
#include "analysis/math/vec.h"

MeasuredDef measured_default_def(void)
{
    return (MeasuredDef){.threshold = 20};
}

/* Plate data of one foot in one frame. */
typedef struct PlateReading {
    double size;    /* N, the larger of its vertical and horizontal parts: a push against a wall has no vertical part */
    int is_contact; /* reaches the threshold */
    int is_step;    /* in contact, or in the tail of a contact */
} PlateReading;

static Vec3 load_foot_force(const Loads *loads, const Skeleton *skeleton, int frame, int foot)
{
    const Vec3 *force = loads->force + (size_t)frame * (size_t)loads->load_count;
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < loads->load_count; i++)
        if (foot_of_segment(skeleton->segment[loads->joint[i]]) == foot)
            sum = vec3_add(sum, force[i]);
    return sum;
}

/* A step does not end at the threshold: beyond it the force decays, and is kept as long as it decays. Noise rises again
 * within a frame or two. */
static void read_plates(const Loads *loads, const Skeleton *skeleton, int foot, double threshold, PlateReading *reading)
{
    int frames = loads->frame_count;
    for (int f = 0; f < frames; f++) {
        Vec3 force = load_foot_force(loads, skeleton, f, foot);
        double size = fmax(fabs(force.y), sqrt(force.x * force.x + force.z * force.z));
        int is_contact = size > 0 && size >= threshold;
        reading[f] = (PlateReading){size, is_contact, is_contact};
    }
    for (int f = 1; f < frames; f++)
        reading[f].is_step |= reading[f - 1].is_step && reading[f].size < reading[f - 1].size;
    for (int f = frames - 2; f >= 0; f--)
        reading[f].is_step |= reading[f + 1].is_step && reading[f].size < reading[f + 1].size;
}

/* Removes the noise of the plates under one foot, and sets its contact state. */
static void drop_noise(const PlateReading *reading, const Skeleton *skeleton, int foot, Loads *loads, Contact *out)
{
    for (int f = 0; f < loads->frame_count; f++)
        for (int i = 0; i < loads->load_count; i++) {
            size_t at = (size_t)f * (size_t)loads->load_count + (size_t)i;
            if (foot_of_segment(skeleton->segment[loads->joint[i]]) != foot)
                continue;
            if (!reading[f].is_step)
                loads->force[at] = loads->moment[at] = vec3(0, 0, 0);
            out->state[at] = reading[f].is_contact && vec3_dot(loads->force[at], loads->force[at]) > 0;
        }
}

static Status drop_plate_noise(const Skeleton *skeleton, double threshold, Loads *loads, Contact *out, Error *err)
{
    PlateReading *reading = array_new((size_t)loads->frame_count, 1, sizeof *reading);
    if (!reading)
        return error_no_memory(err);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        read_plates(loads, skeleton, foot, threshold, reading);
        drop_noise(reading, skeleton, foot, loads, out);
    }
    free(reading);
    return STATUS_OK;
}

/* Load as force at the joint centre P and couple about it: M_P = M_O - P x F. */
static void fill_points(const Loads *loads, const Kinematics *kinematics, Contact *out)
{
    for (int f = 0; f < loads->frame_count; f++)
        for (int i = 0; i < loads->load_count; i++) {
            size_t at = (size_t)f * (size_t)loads->load_count + (size_t)i;
            Vec3 centre = kinematics->position[(size_t)f * (size_t)kinematics->joint_count + (size_t)loads->joint[i]];
            out->force[at] = loads->force[at];
            out->moment[at] = vec3_sub(loads->moment[at], vec3_cross(centre, loads->force[at]));
        }
}

/* Forces measured elsewhere than under feet are always contacts. */
static void fill_states(const Loads *loads, Contact *out)
{
    size_t count = (size_t)loads->frame_count * (size_t)loads->load_count;
    for (size_t at = 0; at < count; at++)
        out->state[at] = vec3_dot(loads->force[at], loads->force[at]) > 0;
}

Status contact_from_external(const ExternalRows *rows, const ClipView *clip, const MeasuredDef *def, Contact *out,
                             Error *err)
{
    Loads loads = {0};
    *out = (Contact){0};
    if (!(def->threshold >= 0))
        return error_set(err, STATUS_USAGE, "--external-threshold out of range: %g N", def->threshold);
    Status status = loads_from_external(rows, clip->motion, &loads, err);
    if (!status)
        status = contact_init(out, clip->motion->frame_count, loads.load_count, 1, err);
    if (!status) {
        fill_states(&loads, out);
        status = drop_plate_noise(clip->skeleton, def->threshold, &loads, out, err);
    }
    if (!status) {
        out->ground_height = def->ground;
        for (int i = 0; i < loads.load_count; i++)
            out->point_joint[i] = loads.joint[i];
        fill_points(&loads, clip->kinematics, out);
        foot_summarize(clip->skeleton, clip->kinematics, out);
    } else {
        contact_free(out);
    }
    loads_free(&loads);
    return status;
}

int contact_is_measured(const Contact *c)
{
    for (int i = 0; i < c->point_count; i++)
        if (vec3_norm(c->point_position[i]) > 0)
            return 0;
    return c->point_count > 0;
}
