/* See simulate_torques.h. */
#include "pipeline/stages/simulate_torques.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/clip/skeleton.h"
#include "analysis/control/forward_play.h"
#include "analysis/math/elementary.h"
#include "analysis/quality/trust_carry.h"
#include "formats/base/text.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

#define DEGREES (180 / PI)

_Static_assert(sizeof(SimulateOptions) <= sizeof(OptionValues), "a stage's options have their place");

static ForwardDef forward_def(const SimulateOptions *o)
{
    ForwardDef def = forward_default_def();
    def.dt = o->scene.step > 0 ? o->scene.step : def.dt;
    if (o->scene.integrator != SCENE_INTEGRATOR_AUTO)
        def.integrator = o->scene.integrator;
    def.no_residual = o->residual;
    def.duration = o->clip.duration;
    return def;
}

static int print_drift(char *text, size_t size, const char *where, const ForwardDrift *d)
{
    return snprintf(text, size, "%s%.3g cm and %.3g degrees", where, 100 * d->distance, DEGREES * d->angle);
}

static Status note_whole(const ForwardPlay *p, const ForwardDef *def, Notes *notes, Error *err)
{
    char text[512];
    int n = snprintf(text, sizeof text, "%d bodies, %s residual: drifts ", p->body_count,
                     def->no_residual ? "without" : "with the");
    n += print_drift(text + n, sizeof text - (size_t)n, "", &p->half);
    n += snprintf(text + n, sizeof text - (size_t)n, " in %.3g s", p->half.time);
    if (p->end.time > p->half.time) {
        n += print_drift(text + n, sizeof text - (size_t)n, ", ", &p->end);
        snprintf(text + n, sizeof text - (size_t)n, " by %.4g s", p->end.time);
    }
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status note_intervals(const ForwardPlay *p, Notes *notes, Error *err)
{
    char text[512];
    int n = snprintf(text, sizeof text, "mean drift per segment: ");
    const ForwardDrift *drift[2] = {&p->flight, &p->stance};
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "stance" : "flight";
        if (drift[k]->count == 0) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%sno %s", k ? "; " : "", name);
            continue;
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%s ", k ? "; " : "", name);
        n += print_drift(text + n, sizeof text - (size_t)n, "", drift[k]);
        n += snprintf(text + n, sizeof text - (size_t)n, " (%d of %.2g s", drift[k]->count, drift[k]->time);
        if (drift[k]->lost)
            n += snprintf(text + n, sizeof text - (size_t)n, ", %d more diverge", drift[k]->lost);
        n += snprintf(text + n, sizeof text - (size_t)n, ")");
    }
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Warns that the body flew apart, where the clip therefore ends. */
static Status end_torques_early(const ForwardPlay *p, const ForwardDef *def, Clip *clip, Error *flown, Error *err)
{
    char left[256] = "";
    if (p->leaver >= 0) {
        const char *role = role_name(clip->skeleton.role[p->leaver]);
        const char *name = clip->skeleton.role[p->leaver] == ROLE_NONE ? clip->skeleton.name[p->leaver] : role;
        snprintf(left, sizeof left, "; \"%s\" leaves the motion first, at %.4g s: --hold %s keeps it there",
                 clip->skeleton.name[p->leaver], p->left, name);
    }
    error_set(flown, STATUS_NO_RESULT, "diverges at %.4g s: %s%s; reduce --duration%s or use --dt %.1g (the output "
              "ends there)", p->ended, p->why.text, left, def->no_residual ? ", --residual on" : "", def->dt / 10);
    return clip_add_warning(clip, "flown-apart", flown->text, err);
}

/* Parses "left_ankle,right_ankle" into joints; the caller frees *joints. */
static Status read_held(const char *text, const Skeleton *s, int **joints, int *count, Error *err)
{
    char *words = strdup(text), *rest = NULL, near[256];
    Status status = STATUS_OK;
    *count = 0;
    *joints = array_new(strlen(text) + 1, 1, sizeof **joints);
    if (!words || !*joints)
        status = error_no_memory(err);
    for (char *w = status ? NULL : strtok_r(words, ",", &rest); w && !status; w = strtok_r(NULL, ",", &rest)) {
        int joint = skeleton_find_name_or_role(s, w);
        (*joints)[(*count)++] = joint;
        if (joint >= 0)
            continue;
        did_you_mean_joint(w, s, near, sizeof near);
        status = error_set(err, STATUS_BAD_INPUT, "--hold: unknown joint or role \"%s\"%s", w, near);
    }
    free(words);
    return status;
}

static Status play(const SimulateOptions *o, const Clip *clip, ForwardDef *def, ForwardPlay *played, Error *err)
{
    int *joints = NULL;
    Status status = o->hold ? read_held(o->hold, &clip->skeleton, &joints, &def->hold_count, err) : STATUS_OK;
    def->hold = joints;
    if (!status)
        status = forward_play(clip, def, played, err);
    free(joints);
    def->hold = NULL;
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    SimulateOptions *o = (SimulateOptions *)values;
    ForwardDef def = forward_def(o);
    ForwardPlay played;
    Status status = play(o, clip, &def, &played, err);
    if (status)
        return status;
    status = note_whole(&played, &def, notes, err);
    if (!status)
        status = note_intervals(&played, notes, err);
    if (!status && played.ended >= 0)
        status = end_torques_early(&played, &def, clip, o->flown, err);
    if (!status)
        status = trust_follow(clip, &played.motion, err);
    o->scene.step = def.dt; /* as resolved, for the history */
    o->scene.integrator = def.integrator;
    motion_free(&clip->motion);
    clip->motion = played.motion;
    return status;
}

Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *flown, Error *err)
{
    Option room[MAX_OPTIONS];
    OptionValues values = {0};
    Stage stage = {.command = simulate_recorded(1, room), .needs = CLIP_BODY | CLIP_KINEMATICS | CLIP_DYNAMICS,
                   .fills = CLIP_MOTION, .apply = apply};
    Status status = simulate_check_clip(given, err);
    int frames = clip->motion.frame_count;
    double ends = given->clip.duration > 0 || frames == 0 ? given->clip.duration : clip->motion.time[frames - 1];
    if (!status && given->scene.step > 0 && ends > 0)
        status = simulate_check_steps(given->scene.step, ends, err);
    if (status)
        return status;
    memcpy(&values, given, sizeof *given);
    ((SimulateOptions *)&values)->flown = flown;
    *flown = (Error){0};
    return stage_apply(&stage, &values, clip, notes, err);
}
