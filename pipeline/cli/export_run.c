/* See export_run.h. */
#include "pipeline/cli/export_run.h"

#include <string.h>

#include "analysis/contact/tracked_contact.h"
#include "analysis/motion/kinematics.h"
#include "analysis/quality/trust_carry.h"

/* Kinematics and external forces of the clip, whose motion is a simulated one. */
static Status add_forces(const TrackingRun *run, const Contact *ground, Clip *clip, Error *err)
{
    int pushed;
    DifferenceDef def = difference_default_def();
    ClipView view = clip_view(clip);
    Status status = differentiate(&view, &def, &clip->kinematics, err);
    clip->has_kinematics = !status;
    TrackedBody body = {run, &clip->skeleton, &clip->kinematics, ground};
    if (!status)
        status = tracked_contact(&body, &clip->contact, &pushed, err);
    clip->has_contact = !status && clip->contact.point_count > 0;
    return status;
}

static Status find_controller(const char *name, int *kind, Error *err)
{
    *kind = 0;
    while (*kind < CONTROLLER_COUNT && strcmp(name, controller_name((ControllerKind)*kind)) != 0)
        ++*kind;
    return *kind < CONTROLLER_COUNT
               ? STATUS_OK
               : error_set(err, STATUS_USAGE, "--run: unknown controller \"%s\"; see kane track --help", name);
}

Status export_take_run(const char *controller, Clip *clip, ExportedRun *out, Error *err)
{
    Motion motion;
    int kind;
    Status status = find_controller(controller, &kind, err);
    if (!status)
        status = tracking_motion(&clip->tracking, (ControllerKind)kind, &clip->skeleton, &motion, err);
    if (status)
        return status;
    status = trust_follow(clip, &motion, err);
    motion_free(&clip->motion);
    clip->motion = motion;
    out->tracking = clip->tracking;
    clip->tracking = (Tracking){0};
    clip->has_tracking = 0;
    Contact ground = clip->contact;
    clip->contact = (Contact){0};
    clip_drop(clip, clip_computed_from(CLIP_MOTION));
    const TrackingRun *run = &out->tracking.run[kind];
    if (!status)
        status = add_forces(run, &ground, clip, err);
    contact_free(&ground);
    out->gltf = (GltfRun){run->outcome, run->lost_time, run->rest_time, run->ball, TRACKING_BALL_RADIUS};
    return status;
}
