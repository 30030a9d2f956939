/* Events of a clip (events.h). */
#include "analysis/stats/events.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/clip/contact.h"
#include "analysis/math/vec.h"

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
        unsigned bits = contact_frame_counts(clip, f) ? contact_touching(clip, f) : 0;
        int inside = contact_frame_counts(clip, f) && (foot < FOOT_COUNT ? (int)(bits >> foot & 1) : bits == 0);
        if (inside && begin < 0)
            begin = f;
        if (inside || begin < 0)
            continue;
        Event run = run_event(clip, foot, begin, f - 1, weight);
        if (foot < FOOT_COUNT || run.value >= EVENT_MIN_FLIGHT)
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
