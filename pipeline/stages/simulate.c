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
#include "formats/tables/scene_tables.h"
#include "formats/tables/spring_tables.h"
#include "pipeline/stages/history.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/scene_file.h"

/* Tolerances of the energy of a scene. Growth without drives: fraction of the largest kinetic energy, plus lifting all
 * bodies by MAX_LIFT, m (the penetration slop of contacts). Loss without damping: fraction of the largest kinetic
 * energy, plus lowering all bodies by MAX_DROP. */
#define MAX_GROWTH 0.1
#define STILL 1e-4 /* m/s: slower motion counts as rest */
#define MAX_LIFT 1e-3
#define MAX_DROP 1e-6
#define MAX_LOSS 0.05

/* Parses --gravity X,Y,Z. */
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
    m->gravity = vec3_load(g);
    return STATUS_OK;
}

/* Finds the initial keyframe; *key NULL: the reference pose, if the file has none or --key none is given. */
static Status find_start(const SimulateOptions *o, const Model *m, const ModelKey **key, Error *err)
{
    *key = m->key_count && !o->key ? &m->key[0] : NULL;
    for (int i = 0; o->key && i < m->key_count; i++)
        if (!strcmp(m->key[i].name, o->key))
            *key = &m->key[i];
    if (o->key && !*key && strcmp(o->key, "none") != 0)
        return error_set(err, STATUS_BAD_INPUT, "unknown keyframe \"%s\"; use the name of a <key>, or none", o->key);
    return STATUS_OK;
}

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

/* Data of the tables given with a scene. */
typedef struct Beside {
    Springs springs, bonds; /* between bodies; on particles */
    ParticleBond *bond;     /* [bonds.count] owned */
    SceneTables tables;
    Particles particles;
} Beside;

/* A scene to be run and its settings. */
typedef struct SceneRun {
    const SimulateOptions *given;
    Model *model;
    Scene *scene;
    SceneOverlap overlap;
    Beside beside;
} SceneRun;

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

/* Reads the tables that name parts of the model; compliance comes after the limits, which it may name. */
static Status read_model_tables(const SimulateOptions *o, const Model *m, SceneTables *tables, Error *err)
{
    const struct { const char *path; Status (*read)(const char *, const Model *, SceneTables *, Error *); } all[] = {
        {o->torques, scene_torques_read}, {o->controllers, scene_controllers_read}, {o->limits, scene_limits_read},
        {o->compliance, scene_compliance_read}, {o->rolling, scene_rolling_read},
        {o->attachments, scene_attachments_read},
    };
    Status status = STATUS_OK;
    for (size_t i = 0; !status && i < sizeof all / sizeof *all; i++)
        if (all[i].path)
            status = error_of_file(err, all[i].path, all[i].read(all[i].path, m, tables, err));
    return status;
}

static Status read_paths(const SimulateOptions *o, Model *m, Beside *beside, Error *err)
{
    Status status = STATUS_OK;
    if (o->body_paths) /* first, because it may add joints */
        status = error_of_file(err, o->body_paths, scene_body_paths_read(o->body_paths, m, &beside->tables, err));
    if (!status && o->joint_paths)
        status = error_of_file(err, o->joint_paths, scene_joint_paths_read(o->joint_paths, m, &beside->tables, err));
    return status;
}

/* Moves the springs that act on particles to `bonds`. */
static Status take_bonds(Beside *beside, Error *err)
{
    Springs *all = &beside->springs;
    int kept = 0;
    Status status = springs_init(&beside->bonds, all->count, err);
    beside->bond = array_new((size_t)all->count, 1, sizeof *beside->bond);
    if (status || !beside->bond)
        return status ? status : error_no_memory(err);
    beside->bonds.count = 0;
    for (int i = 0; i < all->count; i++) {
        SpringElement *e = &all->element[i];
        if (!spring_holds_particle(e)) {
            all->element[kept++] = *e;
            continue;
        }
        ParticleBond *bond = &beside->bond[beside->bonds.count];
        const int joint[2] = {e->joint_a, e->joint_b};
        *bond = (ParticleBond){.point = {e->a, e->b}, .law = spring_axial_law(e), .rests_at_start = e->rests_at_start};
        for (int k = 0; k < 2; k++) {
            bond->particle[k] = joint[k] < SPRING_WORLD ? SPRING_PARTICLE(joint[k]) : -1;
            bond->body[k] = joint[k] > 0 ? joint[k] : 0;
        }
        beside->bonds.element[beside->bonds.count++] = *e;
    }
    all->count = kept;
    return STATUS_OK;
}

static Status read_tables(const SimulateOptions *o, Model *m, Beside *beside, Error *err)
{
    Clip bodies = {0};
    Status status = read_paths(o, m, beside, err);
    if (!status)
        status = scene_clip_bodies(m, &bodies, err);
    if (!status && o->particles)
        status = error_of_file(err, o->particles, scene_particles_read(o->particles, m, &beside->tables, err));
    SpringFiles files = {o->springs, o->spring_laws, beside->tables.grid, beside->tables.grid_count};
    if (!status && o->springs)
        status = springs_read(&files, &bodies.skeleton, &beside->springs, err);
    if (!status)
        status = take_bonds(beside, err);
    if (!status && o->forces)
        status = error_of_file(err, o->forces, scene_forces_read(o->forces, &bodies.skeleton, &beside->tables, err));
    status = status ? status : read_model_tables(o, m, &beside->tables, err);
    clip_free(&bodies);
    return status;
}

static SceneDef scene_def(const SimulateOptions *o, Beside *beside)
{
    SceneDef def = o->scene;
    def.exact = o->solver == SOLVER_EXACT;
    def.friction_model = o->solver == SOLVER_SWEEPS ? FRICTION_GAUSS_SEIDEL
                       : o->friction_model ? FRICTION_BOX : FRICTION_CONE;
    def.springs = o->springs ? &beside->springs : NULL;
    def.drive = beside->tables.drive;
    def.drive_count = beside->tables.drive_count;
    def.controller = beside->tables.controller;
    def.controller_count = beside->tables.controller_count;
    def.rolling = beside->tables.rolling;
    def.rolling_count = beside->tables.rolling_count;
    def.compliance = beside->tables.compliance;
    def.compliance_count = beside->tables.compliance_count;
    def.angle_limits = beside->tables.angle_limit;
    def.angle_limit_count = beside->tables.angle_limit_count;
    def.attachment = beside->tables.attachment;
    def.attachment_count = beside->tables.attachment_count;
    def.path = beside->tables.path;
    def.path_count = beside->tables.path_count;
    def.particles = beside->particles.count ? &beside->particles : NULL;
    return def;
}

/* Creates the particle grids at the initial pose and adds the mass of attached particles to their bodies. */
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
        const ParticleDef def = {beside->tables.grid, beside->tables.grid_count, beside->bond, beside->bonds.count};
        status = particles_init(&def, &motion, &beside->particles, err);
        model_motion_free(&motion);
    }
    if (!status)
        particles_add_mass(&beside->particles, m);
    arena_free(&memory);
    return status;
}

/* Rejects options without effect in this scene. */
static Status check_options(const SceneRun *r, Error *err)
{
    SceneFeatures f = scene_features(r->scene);
    unsigned contacts = (f.collides ? SIMULATE_COLLIDES : 0) | (f.rubs ? SIMULATE_RUBS : 0);
    return simulate_check_scene(r->given, contacts | (f.limits ? SIMULATE_LIMITS : 0) |
                                (f.drives ? SIMULATE_DRIVES : 0) | (f.moves ? SIMULATE_MOVES : 0), err);
}

/* Sets the rest lengths of springs that rest at the start from the initial pose. */
static void settle(SceneRun *r)
{
    const ModelMotion *m = scene_motion(r->scene);
    SpringPose start = {m->position, m->orientation, m->velocity, m->angular_velocity};
    springs_settle(&r->beside.springs, &start);
}

static Status prepare(SceneRun *r, Error *err)
{
    const ModelKey *start = NULL;
    double step = r->given->scene.step > 0 ? r->given->scene.step : r->model->time_step;
    Status status = simulate_check_steps(step, r->given->clip.duration, err);
    if (!status)
        status = find_start(r->given, r->model, &start, err);
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
    if (!status)
        status = scene_part_overlaps(r->scene, &r->overlap, err);
    if (!status)
        settle(r);
    return status;
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
    Status status = prepare(&r, err);
    if (!status)
        status = record(&r, out, notes, err);
    scene_destroy(r.scene);
    springs_free(&r.beside.springs);
    springs_free(&r.beside.bonds);
    free(r.beside.bond);
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
