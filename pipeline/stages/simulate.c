/* See simulate.h. */
#include "pipeline/stages/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/dof_motion.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_clip.h"
#include "formats/base/bytes.h"
#include "pipeline/stages/history.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/scene_file.h"
#include "pipeline/stages/scene_run.h"

/* Tolerances of the energy of a scene. Growth without drives: fraction of the largest kinetic energy, plus lifting all
 * bodies by MAX_LIFT, m (the penetration slop of contacts). Loss without damping: fraction of the largest kinetic
 * energy, plus lowering all bodies by MAX_DROP. */
#define MAX_GROWTH 0.1
#define STILL 1e-4 /* m/s: slower motion counts as rest */
#define MAX_LIFT 1e-3
#define MAX_DROP 1e-6
#define MAX_LOSS 0.05

/* Computes joint torques by inverse dynamics under the contact forces; along the degrees of freedom they are those of
 * the solver. */
static Status fill_dynamics(const Model *m, Clip *c, Error *err)
{
    const char *up;
    Loads loads = {0};
    ClipView view = clip_view(c);
    InverseDynamicsDef def = inverse_dynamics_default_def();
    def.gravity = quat_rotate(scene_up_turn(m, &up), m->gravity);
    Status status = loads_from_contact(&c->contact, &c->kinematics, &loads, err);
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &c->dynamics, err);
    loads_free(&loads);
    c->has_dynamics = !status;
    return status || !c->has_dof ? status : dofs_take_effort(c, err);
}

/* Warns of steps whose contact impulses did not converge. */
static Status note_unsettled(const Scene *s, Clip *c, Notes *notes, Error *err)
{
    char text[ERROR_TEXT_SIZE + 192];
    const UnsettledSweeps *u = scene_unsettled(s);
    if (u->count == 0)
        return STATUS_OK;
    snprintf(text, sizeof text, "contacts and limits converged poorly %d time%s, first at %.4g s (%s): forces may be "
             "inaccurate; use --solver exact or a smaller --dt", u->count, u->count > 1 ? "s" : "", u->time,
             u->why.text);
    return notes_warn(notes, c, "unsettled", text, err);
}

/* Describes how much of the overlap `before`, rad or m, is `left` at the first step. */
static const char *particle_fate(double before, double left)
{
    return left == 0       ? "separated before the first step"
           : left < before ? "partly separated before the first step; the rest separates with speed"
                           : "not separable before the first step; separates with speed";
}

/* Warns of the deepest initial overlap and how it was resolved. */
static Status note_overlap(const SceneRun *r, Clip *c, Notes *notes, Error *err)
{
    char text[512], name[2][128] = {"the world", "the world"};
    const SceneOverlap *o = &r->overlap;
    const int body[2] = {o->first, o->second};
    if (o->count == 0)
        return STATUS_OK;
    for (int i = 0; i < 2; i++)
        if (body[i])
            scene_body_name(r->model, body[i], name[i], sizeof name[i]);
    const char *fate = r->given->scene.softness > 0 ? "separated by the contact compliance"
                                                    : particle_fate(o->deepest, o->left);
    snprintf(text, sizeof text, "%s and %s overlap by %.3g mm at the start (%d contact%s): %s", name[0], name[1],
             1e3 * o->deepest, o->count, o->count > 1 ? "s" : "", fate);
    return notes_warn(notes, c, "overlap", text, err);
}

/* Warns of joints initially out of range and how this was resolved. */
static Status note_beyond(const SceneRun *r, Clip *c, Notes *notes, Error *err)
{
    char text[512], name[160];
    const SceneOverlap *o = &r->overlap;
    if (o->limit_count == 0)
        return STATUS_OK;
    const ModelJoint *j = &r->model->joint[o->joint];
    int slides = j->kind == MODEL_SLIDE;
    if (*j->name)
        snprintf(name, sizeof name, "joint \"%.128s\"", j->name);
    else
        scene_body_name(r->model, j->body, name, sizeof name);
    snprintf(text, sizeof text, "%s is %.3g %s beyond its range at the start (%d joint%s): %s", name,
             slides ? 1e3 * o->beyond : o->beyond * 180 / PI, slides ? "mm" : "degrees", o->limit_count,
             o->limit_count > 1 ? "s" : "", particle_fate(o->beyond, o->beyond_left));
    return notes_warn(notes, c, "beyond-range", text, err);
}

static double energy_at(const Simulation *s, int frame)
{
    return s->kinetic_energy[frame] + s->potential_energy[frame] + s->spring_energy[frame];
}

static int is_driven(const SceneRun *r)
{
    const SceneTables *t = &r->beside.tables;
    return r->model->actuator_count || t->drive_count || t->controller_count || t->compliance_count || t->path_count ||
           r->given->scene.softness > 0;
}

/* Returns whether contacts, limits, damping or springs may dissipate energy. */
static int is_damped(const SceneRun *r)
{
    const Model *m = r->model;
    SceneFeatures f = scene_features(r->scene);
    int damped = f.collides || f.limits || r->beside.tables.grid_count || r->beside.springs.count;
    for (int i = 0; i < m->joint_count; i++)
        damped |= m->joint[i].damping > 0 || m->joint[i].friction > 0;
    for (int i = 0; i < m->tendon_count; i++)
        damped |= m->tendon[i].damping > 0;
    return damped;
}

/* Warns if energy grows without drives, or falls without damping: the time step is too long even though the run is
 * stable. */
static Status note_energy(const SceneRun *r, Clip *c, Notes *notes, Error *err)
{
    const Simulation *s = &c->simulation;
    double first = energy_at(s, 0), last = energy_at(s, s->frame_count - 1), max = first, kinetic = 0;
    double lift = c->body.total_mass * (MAX_LIFT * vec3_norm(r->model->gravity) + STILL * STILL);
    double rest = c->body.total_mass * (MAX_DROP * vec3_norm(r->model->gravity) + STILL * STILL);
    char text[256];
    for (int f = 0; f < s->frame_count; f++) {
        max = fmax(max, energy_at(s, f));
        kinetic = fmax(kinetic, s->kinetic_energy[f]);
    }
    int grows = max - first > MAX_GROWTH * kinetic + lift;
    int falls = first - last > MAX_LOSS * kinetic + rest && !is_damped(r);
    if (is_driven(r) || !(grows || falls))
        return STATUS_OK;
    snprintf(text, sizeof text, "energy %s from %.4g J to %.4g J, although nothing %s the scene: use a --dt smaller "
             "than %.3g", grows ? "grows" : "falls", first, grows ? max : last, grows ? "drives" : "damps",
             scene_step_size(r->scene));
    return notes_warn(notes, c, grows ? "energy-growth" : "energy-loss", text, err);
}

static void store_solves(const Scene *scene, Simulation *s)
{
    SceneSolves solves = scene_solves(scene);
    s->solved_islands = solves.islands;
    s->solver_pivots = solves.pivots;
    s->lemke_islands = solves.by_rows;
    s->swept_islands = solves.swept;
}

static Status note_result(const Clip *c, Notes *notes, Error *err)
{
    char text[256];
    const Simulation *s = &c->simulation;
    int bodies = c->skeleton.joint_count - 1, frames = s->frame_count;
    snprintf(text, sizeof text, "%d %s, %d frame%s, energy %.6g J initially and %.6g J finally", bodies,
             bodies == 1 ? "body" : "bodies", frames, frames == 1 ? "" : "s", energy_at(s, 0),
             energy_at(s, frames - 1));
    size_t length = strlen(text);
    if (s->solved_islands > 0)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   ", %.0f island%s of contacts and limits in %.0f pivot%s", s->solved_islands,
                                   s->solved_islands > 1 ? "s" : "", s->solver_pivots, s->solver_pivots > 1 ? "s" : "");
    if (s->lemke_islands > 0)
        length += (size_t)snprintf(text + length, sizeof text - length, ", %.0f by Lemke's method", s->lemke_islands);
    if (s->swept_islands > 0)
        snprintf(text + length, sizeof text - length, ", %.0f by Gauss-Seidel", s->swept_islands);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status finish(const SimulateOptions *o, const Model *m, Clip *c, Error *err)
{
    const char *up;
    c->provenance.frame_time = c->motion.frame_time;
    c->provenance.meters_per_unit = 1;
    scene_up_turn(m, &up);
    snprintf(c->provenance.up_axis, sizeof c->provenance.up_axis, "%s", up);
    Option room[MAX_OPTIONS];
    Command command = simulate_recorded(0, room);
    Status status = fill_dynamics(m, c, err);
    return status ? status : history_add(c, &command, o, NULL, err);
}

/* Adds the warnings and the result of a run. */
static Status report(const SceneRun *r, int is_whole, Clip *out, Notes *notes, Error *err)
{
    store_solves(r->scene, &out->simulation);
    Status status = note_overlap(r, out, notes, err);
    if (!status)
        status = note_beyond(r, out, notes, err);
    if (!status)
        status = note_unsettled(r->scene, out, notes, err);
    if (!status && is_whole)
        status = note_energy(r, out, notes, err);
    return status ? status : note_result(out, notes, err);
}

/* Adds advice to the error of a scene that flew apart. */
static Status advise(const SceneRun *r, const Error *why, const char *more, Error *err)
{
    int is_free = r->given->scene.integrator != IMPLICIT_EULER;
    return error_set(err, why->status, "%s: use --dt %.1g,%s or more mass or damping%s", why->text,
                     scene_step_size(r->scene) / 10, is_free ? " --integrator implicit-euler," : "", more);
}

/* Warns in the clip, which ends there, that the scene flew apart. */
static Status end_early(const SceneRun *r, const Error *why, Clip *out, Error *err)
{
    Status status = clip_add_warning(out, "flown-apart", why->text, err);
    return status ? status : advise(r, why, "; the output ends there", err);
}

static Status record(SceneRun *r, Clip *out, Notes *notes, Error *err)
{
    Error why = {0};
    double ended;
    SceneClipDef def = r->given->clip;
    def.particles = r->beside.particles.count ? &r->beside.particles : NULL;
    def.grid = r->beside.tables.grid;
    def.grid_count = r->beside.tables.grid_count;
    def.springs = &r->beside.springs;
    def.bonds = &r->beside.bonds;
    def.attachment = r->beside.tables.attachment;
    def.attachment_count = r->beside.tables.attachment_count;
    def.rolling = r->beside.tables.rolling;
    def.rolling_count = r->beside.tables.rolling_count;
    def.controller = r->beside.tables.controller;
    def.controller_count = r->beside.tables.controller_count;
    def.path = r->beside.tables.path;
    def.path_count = r->beside.tables.path_count;
    Status status = scene_clip_run(r->scene, r->model, &def, out, &ended, &why);
    if (status == STATUS_NO_RESULT)
        return advise(r, &why, "", err);
    if (status) {
        if (err)
            *err = why;
        return status;
    }
    status = finish(r->given, r->model, out, err);
    if (!status)
        status = report(r, ended >= def.duration, out, notes, err);
    return status || ended >= def.duration ? status : end_early(r, &why, out, err);
}

static Status run(const SimulateOptions *o, Model *m, Clip *out, Notes *notes, Error *err)
{
    SceneRun r = {.given = o, .model = m};
    Status status = scene_run_init(&r, err);
    if (!status)
        status = record(&r, out, notes, err);
    scene_run_free(&r);
    return status;
}

static Status name_source(const char *path, Clip *out, Error *err)
{
    int piped = !strcmp(path, "-");
    Status status = clip_set_source(out, piped ? "scene.xml" : path, err);
    return status || piped ? status : digest_path(path, out->provenance.source_sha256, err);
}

Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err)
{
    SimulateOptions resolved = *asked, *given = &resolved;
    Model model;
    *out = (Clip){0};
    if (notes)
        notes->stage = simulate_command.name;
    if (!(given->clip.duration > 0))
        given->clip.duration = scene_clip_default_def().duration;
    Status status = simulate_check_scene(given, SIMULATE_FEATURES, err);
    if (status)
        return status;
    status = scene_file_read(path, given->leave_out, &model, notes, err);
    if (!status)
        status = scene_run_gravity(given, &model, err);
    if (!status)
        status = run(given, &model, out, notes, err);
    int has_clip = !status || (status == STATUS_NO_RESULT && out->motion.frame_count > 0);
    Status named = has_clip ? name_source(path, out, status ? NULL : err) : STATUS_OK;
    status = status ? status : named;
    model_free(&model);
    if (!has_clip || named)
        clip_free(out);
    return status;
}
