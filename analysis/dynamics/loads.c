/* See loads.h. */
#include "analysis/dynamics/loads.h"

#include "analysis/base/arena.h"
#include "analysis/clip/joint_kinematics.h"

Status external_rows_init(ExternalRows *rows, int row_count, Error *err)
{
    size_t count = (size_t)row_count;
    *rows = (ExternalRows){.row_count = row_count};
    int failed = 0;
    rows->time = array_try(&failed, count, 1, sizeof *rows->time);
    rows->joint = array_try(&failed, count, 1, sizeof *rows->joint);
    rows->force = array_try(&failed, count, 1, sizeof *rows->force);
    rows->point = array_try(&failed, count, 1, sizeof *rows->point);
    rows->couple = array_try(&failed, count, 1, sizeof *rows->couple);
    if (failed) {
        external_rows_free(rows);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void external_rows_free(ExternalRows *rows)
{
    if (!rows)
        return;
    free(rows->time);
    free(rows->joint);
    free(rows->force);
    free(rows->point);
    free(rows->couple);
    *rows = (ExternalRows){0};
}

void loads_free(Loads *l)
{
    if (!l)
        return;
    free(l->joint);
    free(l->force);
    free(l->moment);
    *l = (Loads){0};
}

Status loads_init(Loads *l, int frame_count, const char *loaded, int joint_count, Error *err)
{
    *l = (Loads){.frame_count = frame_count};
    for (int j = 0; j < joint_count; j++)
        l->load_count += loaded[j] != 0;
    size_t frames = (size_t)frame_count, loads = (size_t)l->load_count;
    int failed = 0;
    l->joint = array_try(&failed, loads, 1, sizeof *l->joint);
    l->force = array_try(&failed, frames, loads, sizeof *l->force);
    l->moment = array_try(&failed, frames, loads, sizeof *l->moment);
    if (failed) {
        loads_free(l);
        return error_no_memory(err);
    }
    for (int j = 0, next = 0; j < joint_count; j++)
        if (loaded[j])
            l->joint[next++] = j;
    return STATUS_OK;
}

/* Allocates loads for the joints that occur in `joint`. */
static Status make_loads(Loads *l, int frame_count, int joint_count, const int *joint, int count, Error *err)
{
    char *loaded = array_new((size_t)joint_count, 1, 1);
    if (!loaded)
        return error_no_memory(err);
    for (int i = 0; i < count; i++)
        loaded[joint[i]] = 1;
    Status status = loads_init(l, frame_count, loaded, joint_count, err);
    free(loaded);
    return status;
}

/* A measured sample of one joint: the sum of its rows at that time, moment about the world origin. */
typedef struct ExternalWrench {
    double time;
    Vec3 force, moment;
} ExternalWrench;

/* Collects the rows of a joint into samples of increasing time. Returns their number, or -1 if the times decrease. */
static int collect_samples(const ExternalRows *rows, int joint, ExternalWrench *sample)
{
    int count = 0;
    for (int i = 0; i < rows->row_count; i++) {
        if (rows->joint[i] != joint)
            continue;
        if (count && rows->time[i] < sample[count - 1].time)
            return -1;
        if (!count || rows->time[i] > sample[count - 1].time)
            sample[count++] = (ExternalWrench){.time = rows->time[i]};
        ExternalWrench *s = &sample[count - 1];
        s->force = vec3_add(s->force, rows->force[i]);
        s->moment = vec3_add(s->moment, vec3_add(rows->couple[i], vec3_cross(rows->point[i], rows->force[i])));
    }
    return count;
}

/* The load at time t. *next: the first sample after t; times must increase from call to call. */
static ExternalWrench sample_at(const ExternalWrench *sample, int count, double t, double hold, int *next)
{
    while (*next < count && sample[*next].time <= t)
        ++*next;
    if (*next == 0)
        return sample[0].time - t <= hold ? sample[0] : (ExternalWrench){0};
    const ExternalWrench *a = &sample[*next - 1];
    if (*next == count)
        return t - a->time <= hold ? *a : (ExternalWrench){0};
    const ExternalWrench *b = a + 1;
    double u = (t - a->time) / (b->time - a->time);
    return (ExternalWrench){t, vec3_lerp(a->force, b->force, u), vec3_lerp(a->moment, b->moment, u)};
}

static Status check_rows(const ExternalRows *rows, const Motion *motion, Error *err)
{
    for (int i = 0; i < rows->row_count; i++) {
        if (rows->joint[i] < 0 || rows->joint[i] >= motion->joint_count)
            return error_set(err, STATUS_USAGE, "external force %d acts on joint %d of %d", i, rows->joint[i],
                             motion->joint_count);
        if (!isfinite(rows->time[i]))
            return error_set(err, STATUS_BAD_INPUT, "external force %d: time not finite", i);
    }
    return STATUS_OK;
}

Status loads_from_external(const ExternalRows *rows, const Motion *motion, Loads *out, Error *err)
{
    *out = (Loads){0};
    Status status = check_rows(rows, motion, err);
    ExternalWrench *sample = NULL;
    if (!status)
        status = make_loads(out, motion->frame_count, motion->joint_count, rows->joint, rows->row_count, err);
    if (status)
        return status;
    if (!(sample = array_new((size_t)rows->row_count, 1, sizeof *sample))) {
        status = error_no_memory(err);
        goto done;
    }
    for (int l = 0; l < out->load_count; l++) {
        int count = collect_samples(rows, out->joint[l], sample), next = 0;
        if (count < 0) {
            status = error_set(err, STATUS_BAD_INPUT, "times of the external forces on joint %d decrease",
                               out->joint[l]);
            goto done;
        }
        /* Half a frame, plus a margin for rounding of the time axis at the last frame. */
        double hold = 0.5000001 * motion->frame_time;
        for (int f = 0; f < motion->frame_count; f++) {
            ExternalWrench w = sample_at(sample, count, motion->time[f], hold, &next);
            size_t at = (size_t)f * (size_t)out->load_count + (size_t)l;
            out->force[at] = w.force;
            out->moment[at] = w.moment;
        }
    }
done:
    free(sample);
    if (status)
        loads_free(out);
    return status;
}

static int find_load(const Loads *l, int joint)
{
    int load = 0;
    while (l->joint[load] != joint)
        load++;
    return load;
}

/* Adds the contact points of one frame: the force at the world position of the point, and the moment about the
 * point. */
static void add_points(const Contact *contact, const Kinematics *kinematics, int frame, const int *load_of, Loads *out)
{
    for (int p = 0; p < contact->point_count; p++) {
        size_t at = (size_t)frame * (size_t)contact->point_count + (size_t)p;
        size_t body = (size_t)frame * (size_t)kinematics->joint_count + (size_t)contact->point_joint[p];
        size_t load = (size_t)frame * (size_t)out->load_count + (size_t)load_of[p];
        Vec3 point = vec3_add(kinematics->position[body],
                              quat_rotate(kinematics->orientation[body], contact->point_position[p]));
        Vec3 moment = vec3_cross(point, contact->force[at]);
        if (contact->moment)
            moment = vec3_add(moment, contact->moment[at]);
        out->force[load] = vec3_add(out->force[load], contact->force[at]);
        out->moment[load] = vec3_add(out->moment[load], moment);
    }
}

Status loads_from_contact(const Contact *contact, const Kinematics *kinematics, Loads *out, Error *err)
{
    *out = (Loads){0};
    if (contact->frame_count != kinematics->frame_count)
        return error_set(err, STATUS_USAGE, "contact has %d frames, kinematics %d", contact->frame_count,
                         kinematics->frame_count);
    for (int p = 0; p < contact->point_count; p++)
        if (contact->point_joint[p] < 0 || contact->point_joint[p] >= kinematics->joint_count)
            return error_set(err, STATUS_BAD_INPUT, "contact point %d lies on joint %d of %d", p,
                             contact->point_joint[p], kinematics->joint_count);
    int *load_of = array_new((size_t)contact->point_count, 1, sizeof *load_of);
    if (!load_of)
        return error_no_memory(err);
    Status status = make_loads(out, contact->frame_count, kinematics->joint_count, contact->point_joint,
                               contact->point_count, err);
    for (int p = 0; !status && p < contact->point_count; p++)
        load_of[p] = find_load(out, contact->point_joint[p]);
    for (int f = 0; !status && f < contact->frame_count; f++)
        add_points(contact, kinematics, f, load_of, out);
    free(load_of);
    return status;
}
