/* See tracking.h. */
#include "analysis/clip/tracking.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

#define CONTROLLER_NAME(kind, name) name,
static const char *const names[] = {CONTROLLERS(CONTROLLER_NAME)};

const char *controller_name(ControllerKind kind) { return (unsigned)kind < CONTROLLER_COUNT ? names[kind] : ""; }

#define OUTCOME_NAME(kind, name) name,
static const char *const outcomes[] = {OUTCOMES(OUTCOME_NAME)};

const char *outcome_name(TrackingOutcome outcome) { return (unsigned)outcome < OUTCOME_COUNT ? outcomes[outcome] : ""; }

void tracking_outcome_text(const TrackingRun *run, char text[OUTCOME_TEXT_SIZE])
{
    int length = snprintf(text, OUTCOME_TEXT_SIZE, "%s", run->outcome);
    if (!isnan(run->lost_time) && length > 0)
        length += snprintf(text + length, OUTCOME_TEXT_SIZE - (size_t)length, " at %.2f s", run->lost_time);
    if (!isnan(run->lost_time) && !isnan(run->rest_time) && length > 0)
        snprintf(text + length, OUTCOME_TEXT_SIZE - (size_t)length, ", at rest at %.2f s", run->rest_time);
}

Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err)
{
    const TrackingRun *run = &t->run[kind];
    size_t joints = (size_t)t->joint_count;
    *out = (Motion){0};
    if (!run->present || t->frame_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "has no motion of the controller %s: run kane track first",
                         controller_name(kind));
    double step = (t->time[t->frame_count - 1] - t->time[0]) / (t->frame_count - 1);
    Status status = motion_init(out, t->frame_count, t->joint_count, step, 0, err);
    for (int f = 0; !status && f < t->frame_count; f++) {
        const Quat *world = run->orientation + (size_t)f * joints;
        out->time[f] = t->time[f];
        out->root_position[f] = run->root_position[f];
        for (int j = 0; j < t->joint_count; j++)
            out->rotation[motion_index(out, f, j)] =
                s->parent[j] < 0 ? world[j] : quat_mul(quat_conjugate(world[s->parent[j]]), world[j]);
    }
    if (!status)
        motion_make_continuous(out);
    return status;
}
