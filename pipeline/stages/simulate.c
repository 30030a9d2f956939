#include "pipeline/stages/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "formats/base/bytes.h"
#include "formats/tables/scene_tables.h"
#include "formats/tables/spring_table.h"
#include "pipeline/stages/history.h"
#include "pipeline/stages/scene_file.h"

/* "X,Y,Z" */
static Status take_gravity(const SimulateOptions *o, Model *m, Error *err)
{
    char text[128];
    double g[3];
    int count = 0;
    if (!o->gravity)
        return STATUS_OK;
    snprintf(text, sizeof text, "%s", o->gravity);
    for (char *at = text, *rest = NULL; at; at = rest, count++) {
        rest = strchr(at, ',');
        if (rest)
            *rest++ = 0;
        if (count == 3 || real_parse(at, &g[count], NULL))
            return error_set(err, STATUS_USAGE, "--gravity: expected X,Y,Z, found \"%s\"", o->gravity);
    }
    if (count < 3)
        return error_set(err, STATUS_USAGE, "--gravity: expected X,Y,Z, found \"%s\"", o->gravity);
    m->gravity = vec3(g[0], g[1], g[2]);
    return STATUS_OK;
}

/* The keyframe of the start; NULL where the file has none. */
static Status find_start(const SimulateOptions *o, const Model *m, const ModelKey **key, Error *err)
{
    *key = m->key_count && !o->key ? &m->key[0] : NULL;
    for (int i = 0; o->key && i < m->key_count; i++)
        if (!strcmp(m->key[i].name, o->key))
            *key = &m->key[i];
    if (o->key && !*key)
        return error_set(err, STATUS_BAD_INPUT, "there is no keyframe \"%s\"", o->key);
    return STATUS_OK;
}

/* Forces through the joints, by inverse dynamics under the contact forces. */
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
    return status;
}

/* What stands in tables beside a scene. */
typedef struct Beside {
    Springs springs;
    SceneTables tables;
    Particles particles;
} Beside;

/* A scene that stands ready, and what it is to become. */
typedef struct Run {
    const SimulateOptions *given;
    Model *model;
    Scene *scene;
    SceneOverlap overlap;
    Beside beside;
} Run;

/* Steps that went on with impulses that had not settled. */
static Status note_unsettled(const Scene *s, Clip *c, Notes *notes, Error *err)
{
    char text[ERROR_TEXT_SIZE + 192];
    const UnsettledSweeps *u = scene_unsettled(s);
    if (u->count == 0)
        return STATUS_OK;
    snprintf(text, sizeof text, "contacts and limits were solved roughly %d time%s, first at %.4g s (%s): forces "
             "may be wrong there: try --solver pivoting or a smaller --dt", u->count, u->count > 1 ? "s" : "", u->time,
             u->why.text);
    return notes_warn(notes, c, "unsettled", text, err);
}

/* Of `before`, rad or m, `left` was left. */
static const char *fate_of(double before, double left)
{
    return left == 0       ? "moved out before the first step, without speed"
           : left < before ? "moved out in part; the rest is pushed out with speed"
                           : "it cannot be moved out, and is pushed out with speed";
}

/* What overlapped at the start, and what became of it. */
static Status note_overlap(const Run *r, Clip *c, Notes *notes, Error *err)
{
    char text[512], name[2][128] = {"the world", "the world"};
    const SceneOverlap *o = &r->overlap;
    const int body[2] = {o->first, o->second};
    if (o->count == 0)
        return STATUS_OK;
    for (int i = 0; i < 2; i++)
        if (body[i])
            scene_body_name(r->model, body[i], name[i], sizeof name[i]);
    const char *fate = r->given->scene.softness > 0 ? "the softness of contacts pushes them apart"
                                                    : fate_of(o->deepest, o->left);
    snprintf(text, sizeof text, "%s and %s overlap by %.3g mm at the start (%d contact%s): %s", name[0], name[1],
             1e3 * o->deepest, o->count, o->count > 1 ? "s" : "", fate);
    return notes_warn(notes, c, "overlap", text, err);
}

/* Joints that were beyond their ranges at the start, and what became of them. */
static Status note_beyond(const Run *r, Clip *c, Notes *notes, Error *err)
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
             o->limit_count > 1 ? "s" : "", fate_of(o->beyond, o->beyond_left));
    return notes_warn(notes, c, "beyond-range", text, err);
}

static double energy_at(const Simulation *s, int frame)
{
    return s->kinetic_energy[frame] + s->potential_energy[frame] + s->spring_energy[frame];
}

/* What the energy of a scene may win that nothing drives: of the largest kinetic energy, and of what lifts all bodies
 * by so much, m, as contacts do within their slop. And what it may lose that nothing damps, of the kinetic energy. */
#define MOST_GROWTH 0.1
#define STILL 1e-6 /* m/s: what moves no faster is at rest */
#define MOST_LIFT 1e-3
#define MOST_LOSS 0.05

static int is_driven(const Run *r)
{
    const SceneTables *t = &r->beside.tables;
    return r->model->actuator_count || t->drive_count || t->controller_count || r->given->scene.softness > 0;
}

/* Whether something may take energy: contacts, limits, damping, springs of tables. */
static int is_damped(const Run *r)
{
    const Model *m = r->model;
    SceneFeatures f = scene_features(r->scene);
    int damped = f.collides || f.limits || r->beside.tables.grid_count || r->beside.springs.count;
    for (int i = 0; i < m->joint_count; i++)
        damped |= m->joint[i].damping > 0;
    for (int i = 0; i < m->tendon_count; i++)
        damped |= m->tendon[i].damping > 0;
    return damped;
}

/* Energy out of nothing, or into nothing: the steps are too long, though nothing has flown apart. */
static Status note_energy(const Run *r, Clip *c, Notes *notes, Error *err)
{
    const Simulation *s = &c->simulation;
    double first = energy_at(s, 0), last = energy_at(s, s->frame_count - 1), most = first, kinetic = 0;
    double lift = c->body.total_mass * (MOST_LIFT * vec3_norm(r->model->gravity) + STILL * STILL);
    char text[256];
    for (int f = 0; f < s->frame_count; f++) {
        most = fmax(most, energy_at(s, f));
        kinetic = fmax(kinetic, s->kinetic_energy[f]);
    }
    int grows = most - first > MOST_GROWTH * kinetic + lift;
    int falls = first - last > MOST_LOSS * kinetic && !is_damped(r);
    if (is_driven(r) || !(grows || falls))
        return STATUS_OK;
    snprintf(text, sizeof text, "energy %s from %.4g J to %.4g J, although nothing %s the scene: try a smaller "
             "--dt than %.3g", grows ? "grows" : "falls", first, grows ? most : last, grows ? "drives" : "damps",
             scene_step_size(r->scene));
    return notes_warn(notes, c, grows ? "energy-growth" : "energy-loss", text, err);
}

static Status note_result(const Clip *c, Notes *notes, Error *err)
{
    char text[128];
    const Simulation *s = &c->simulation;
    int last = s->frame_count - 1;
    snprintf(text, sizeof text, "%d bodies, %d frames, energy %.6g J at first and %.6g J at last",
             c->skeleton.joint_count - 1, s->frame_count, energy_at(s, 0), energy_at(s, last));
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status finish(const SimulateOptions *o, const Model *m, Clip *c, Error *err)
{
    const char *up;
    c->provenance.frame_time = c->motion.frame_time;
    c->provenance.metres_per_unit = 1;
    scene_up_turn(m, &up);
    snprintf(c->provenance.up_axis, sizeof c->provenance.up_axis, "%s", up);
    Option room[MOST_OPTIONS];
    Command command = simulate_recorded(0, room);
    Status status = fill_dynamics(m, c, err);
    return status ? status : history_add(c, &command, o, NULL, err);
}

static Status read_tables(const SimulateOptions *o, const Model *m, Beside *beside, Error *err)
{
    Clip bodies = {0};
    Status status = scene_clip_bodies(m, &bodies, err);
    if (!status && o->springs)
        status = error_of_file(err, o->springs, springs_read(o->springs, &bodies.skeleton, &beside->springs, err));
    if (!status && o->forces)
        status = error_of_file(err, o->forces, scene_forces_read(o->forces, &bodies.skeleton, &beside->tables, err));
    if (!status && o->torques)
        status = error_of_file(err, o->torques, scene_torques_read(o->torques, m, &beside->tables, err));
    if (!status && o->controllers)
        status = error_of_file(err, o->controllers, scene_controllers_read(o->controllers, m, &beside->tables, err));
    if (!status && o->particles)
        status = error_of_file(err, o->particles, scene_particles_read(o->particles, m, &beside->tables, err));
    if (!status && o->attachments)
        status = error_of_file(err, o->attachments, scene_attachments_read(o->attachments, m, &beside->tables, err));
    clip_free(&bodies);
    return status;
}

static SceneDef scene_def(const SimulateOptions *o, Beside *beside)
{
    SceneDef def = o->scene;
    def.friction_model = o->solver ? FRICTION_GAUSS_SEIDEL : o->friction_model ? FRICTION_BOX : FRICTION_CONE;
    def.springs = o->springs ? &beside->springs : NULL;
    def.drive = beside->tables.drive;
    def.drive_count = beside->tables.drive_count;
    def.controller = beside->tables.controller;
    def.controller_count = beside->tables.controller_count;
    def.attachment = beside->tables.attachment;
    def.attachment_count = beside->tables.attachment_count;
    def.particles = beside->particles.count ? &beside->particles : NULL;
    return def;
}

/* The grids with the bodies where they start; what is attached weighs on its body. */
static Status make_particles(const ModelKey *start, Model *m, Beside *beside, Error *err)
{
    ModelMotion motion;
    Arena memory = {0};
    if (beside->tables.grid_count == 0)
        return STATUS_OK;
    double *q = arena_array(&memory, (size_t)m->q_count, 1, sizeof *q);
    Status status = q ? model_motion_init(&motion, m, err) : error_no_memory(err);
    if (!status) {
        model_reference(m, q);
        model_motion_set(&motion, m, start ? start->q : q, NULL, NULL);
        status = particles_init(beside->tables.grid, beside->tables.grid_count, &motion, &beside->particles, err);
        model_motion_free(&motion);
    }
    if (!status)
        particles_add_mass(&beside->particles, m);
    arena_free(&memory);
    return status;
}

/* Every option that was given finds something to act on. */
static Status check_options(const Run *r, Error *err)
{
    SceneFeatures f = scene_features(r->scene);
    unsigned contacts = (f.collides ? SIMULATE_COLLIDES : 0) | (f.rubs ? SIMULATE_RUBS : 0);
    return simulate_check_scene(r->given, contacts | (f.limits ? SIMULATE_LIMITS : 0) |
                                (f.drives ? SIMULATE_DRIVES : 0) | (f.moves ? SIMULATE_MOVES : 0), err);
}

static Status prepare(Run *r, Error *err)
{
    const ModelKey *start;
    Status status = find_start(r->given, r->model, &start, err);
    if (!status)
        status = read_tables(r->given, r->model, &r->beside, err);
    if (!status)
        status = make_particles(start, r->model, &r->beside, err);
    if (!status) {
        SceneDef def = scene_def(r->given, &r->beside);
        status = scene_create(r->model, &def, &r->scene, err);
    }
    if (!status)
        status = check_options(r, err);
    if (!status && start)
        scene_set_state(r->scene, start->q, start->v, start->control);
    return status ? status : scene_part_overlaps(r->scene, &r->overlap, err);
}

/* What the run reports, as warnings and its result. */
static Status report(const Run *r, int is_whole, Clip *out, Notes *notes, Error *err)
{
    Status status = note_overlap(r, out, notes, err);
    if (!status)
        status = note_beyond(r, out, notes, err);
    if (!status)
        status = note_unsettled(r->scene, out, notes, err);
    if (!status && is_whole)
        status = note_energy(r, out, notes, err);
    return status ? status : note_result(out, notes, err);
}

/* A scene that flew apart, and what to do. */
static Status advise(const Run *r, const Error *why, const char *more, Error *err)
{
    int is_free = !r->given->particles && r->given->scene.integrator != IMPLICIT_EULER;
    return error_set(err, why->status, "%s: try --dt %.1g,%s or more mass or damping%s", why->text,
                     scene_step_size(r->scene) / 10, is_free ? " --integrator implicit-euler," : "", more);
}

/* Its clip ends there and says so. */
static Status end_early(const Run *r, const Error *why, Clip *out, Error *err)
{
    Status status = clip_add_warning(out, "flown-apart", why->text, err);
    return status ? status : advise(r, why, "; the clip has what came before", err);
}

static Status record(Run *r, Clip *out, Notes *notes, Error *err)
{
    Error why = {0};
    double ended;
    SceneClipDef def = r->given->clip;
    def.particles = r->beside.particles.count ? &r->beside.particles : NULL;
    def.attachment = r->beside.tables.attachment;
    def.attachment_count = r->beside.tables.attachment_count;
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
    Run r = {.given = o, .model = m};
    Status status = prepare(&r, err);
    if (!status)
        status = record(&r, out, notes, err);
    scene_destroy(r.scene);
    springs_free(&r.beside.springs);
    scene_tables_free(&r.beside.tables);
    particles_free(&r.beside.particles);
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
        status = take_gravity(given, &model, err);
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
