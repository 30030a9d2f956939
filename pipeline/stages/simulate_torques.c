#include "pipeline/stages/simulate_torques.h"

#include <stdio.h>
#include <string.h>

#include "analysis/control/forward_play.h"
#include "analysis/math/elementary.h"
#include "analysis/trust/trust_carry.h"
#include "pipeline/stages/stage.h"

_Static_assert(sizeof(SimulateOptions) <= sizeof(OptionValues), "a stage's options have their place");

static ForwardDef forward_def(const SimulateOptions *o)
{
    ForwardDef def = forward_default_def();
    def.dt = o->scene.step > 0 ? o->scene.step : def.dt;
    if (o->scene.integrator != SCENE_INTEGRATOR_AUTO)
        def.integrator = o->scene.integrator;
    def.engine = (ForwardEngine)o->engine;
    def.no_residual = o->residual;
    def.duration = o->clip.duration;
    return def;
}

#define DEGREES (180 / PI)

static int print_drift(char *text, size_t size, const char *where, const ForwardDrift *d)
{
    return snprintf(text, size, "%s%.3g cm and %.3g degrees", where, 100 * d->place, DEGREES * d->turn);
}

static Status note_whole(const ForwardPlay *p, const ForwardDef *def, Notes *notes, Error *err)
{
    char text[512];
    int n = snprintf(text, sizeof text, "%d bodies, %s, %s residual: drifts ", p->body_count,
                     p->engine == FORWARD_KANE ? "Kane's equations" : "joints in linear time",
                     def->no_residual ? "without" : "with the");
    n += print_drift(text + n, sizeof text - (size_t)n, "", &p->half);
    n += snprintf(text + n, sizeof text - (size_t)n, " in %.3g s", p->half.time);
    if (p->end.time > p->half.time) {
        n += print_drift(text + n, sizeof text - (size_t)n, ", ", &p->end);
        snprintf(text + n, sizeof text - (size_t)n, " by %.4g s", p->end.time);
    }
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status note_stretches(const ForwardPlay *p, Notes *notes, Error *err)
{
    char text[512];
    int n = snprintf(text, sizeof text, "each stretch begun in the clip's state drifts, on the mean, ");
    const ForwardDrift *drift[2] = {&p->flight, &p->stance};
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "stance" : "flight";
        if (drift[k]->count == 0) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%sno %s", k ? "; " : "", name);
            continue;
        }
        n += print_drift(text + n, sizeof text - (size_t)n, k ? "; " : "", drift[k]);
        n += snprintf(text + n, sizeof text - (size_t)n, " in %s (%d of %.2g s", name, drift[k]->count,
                      drift[k]->time);
        if (drift[k]->lost)
            n += snprintf(text + n, sizeof text - (size_t)n, ", %d more fly apart", drift[k]->lost);
        n += snprintf(text + n, sizeof text - (size_t)n, ")");
    }
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* The clip ends there and says so. */
static Status end_early(const ForwardPlay *p, const ForwardDef *def, Clip *clip, Error *flown, Error *err)
{
    error_set(flown, STATUS_NO_RESULT, "flies apart at %.4g s: %s: try a shorter --duration%s or --dt %.1g; the clip "
              "has what came before", p->ended, p->why.text, def->no_residual ? ", --residual on" : "", def->dt / 10);
    return clip_add_warning(clip, "flown-apart", flown->text, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    SimulateOptions *o = (SimulateOptions *)values;
    ForwardDef def = forward_def(o);
    ForwardPlay played;
    Status status = forward_play(clip, &def, &played, err);
    if (status)
        return status;
    status = note_whole(&played, &def, notes, err);
    if (!status)
        status = note_stretches(&played, notes, err);
    if (!status && played.ended >= 0)
        status = end_early(&played, &def, clip, o->flown, err);
    if (!status)
        status = trust_follow(clip, &played.motion, err);
    o->scene.step = def.dt; /* as resolved, for the history */
    o->scene.integrator = def.integrator;
    o->engine = (int)played.engine;
    motion_free(&clip->motion);
    clip->motion = played.motion;
    return status;
}

Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *flown, Error *err)
{
    Option room[MOST_OPTIONS];
    OptionValues values = {0};
    Stage stage = {.command = simulate_recorded(1, room), .needs = CLIP_BODY | CLIP_KINEMATICS | CLIP_DYNAMICS,
                   .fills = CLIP_MOTION, .apply = apply};
    Status status = simulate_check_clip(given, err);
    if (status)
        return status;
    memcpy(&values, given, sizeof *given);
    ((SimulateOptions *)&values)->flown = flown;
    *flown = (Error){0};
    return stage_apply(&stage, &values, clip, notes, err);
}
