/* The public functions of libkane for a simulation that advances while time passes (kane.h). */
#include <stdlib.h>

#include "library/kane_internal.h"
#include "pipeline/stages/live.h"

struct KaneLive {
    Live *live;
};

/* Hands a simulation out, or what kept it from being made. */
static int hand_out(Status status, Live *made, KaneLive **live, const Error *err, KaneError *error)
{
    Error more = {0};
    *live = status ? NULL : calloc(1, sizeof **live);
    if (!status && !*live) {
        live_free(made);
        return kane_report(error_no_memory(&more), &more, error);
    }
    if (*live)
        (*live)->live = made;
    return kane_report(status, err, error);
}

int kane_live_track(const KaneClip *clip, const KaneOptions *options, KaneLive **live, KaneError *error)
{
    Error err = {0};
    Live *made = NULL;
    OptionValues values;
    live_track_defaults(&values);
    Status status = kane_check_command(options, KANE_COMMAND_TRACK, &err);
    if (!status)
        status = live_track(options ? &options->track : &values, &clip->clip, &made, &err);
    return hand_out(status, made, live, &err, error);
}

int kane_live_simulate(const char *scene, const KaneOptions *options, KaneLive **live, KaneError *error)
{
    Error err = {0};
    Live *made = NULL;
    SimulateOptions values = simulate_defaults();
    Status status = kane_check_command(options, KANE_COMMAND_SIMULATE, &err);
    if (!status)
        status = live_scene(options ? &options->simulate : &values, scene, &made, &err);
    return hand_out(status, made, live, &err, error);
}

void kane_live_close(KaneLive *live)
{
    if (!live)
        return;
    live_free(live->live);
    free(live);
}

int kane_live_restart(KaneLive *live, KaneError *error)
{
    Error err = {0};
    return kane_report(live_restart(live->live, &err), &err, error);
}

int kane_live_push(KaneLive *live, int body, const double force[3], const double point[3], KaneError *error)
{
    Error err = {0};
    return kane_report(live_push(live->live, body, vec3_load(force), vec3_load(point), &err), &err, error);
}

int kane_live_advance(KaneLive *live, double seconds, KaneError *error)
{
    Error err = {0};
    return kane_report(live_advance(live->live, seconds, &err), &err, error);
}

double kane_live_time(const KaneLive *live) { return live_bodies(live->live).time; }

int kane_live_body_count(const KaneLive *live) { return live_bodies(live->live).count; }

const char *kane_live_body_name(const KaneLive *live, int body) { return live_body_name(live->live, body); }

/* Arrays of Vec3 and Quat have the layout of doubles. */
const double *kane_live_positions(const KaneLive *live)
{
    return (const double *)live_bodies(live->live).position;
}

const double *kane_live_orientations(const KaneLive *live)
{
    return (const double *)live_bodies(live->live).orientation;
}

const double *kane_live_contact_forces(const KaneLive *live)
{
    return (const double *)live_bodies(live->live).contact;
}

const double *kane_live_torques(const KaneLive *live)
{
    return (const double *)live_bodies(live->live).torque;
}

const char *kane_live_outcome(const KaneLive *live) { return live_outcome(live->live); }
