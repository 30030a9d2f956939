#include "pipeline/stages/simulate.h"

#include <stdio.h>
#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "formats/base/bytes.h"
#include "formats/model/mjcf.h"
#include "formats/tables/scene_tables.h"
#include "formats/tables/spring_table.h"
#include "pipeline/stages/history.h"

static Status note_remarks(const MjcfRemarks *remarks, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < remarks->count && !status; i++) {
        char text[ERROR_TEXT_SIZE + 32];
        const MjcfRemark *m = &remarks->remark[i];
        snprintf(text, sizeof text, m->count > 1 ? "%s (%d places)" : "%s", m->text, m->count);
        status = notes_add(notes, (Note){NOTE_WARNING, m->line, 0, text}, err);
    }
    return status;
}

static Status note_unmet(const Model *m, Notes *notes, Error *err)
{
    char text[160];
    const ModelGeom *example = NULL;
    int count = scene_unmet_pairs(m, &example);
    if (count == 0)
        return STATUS_OK;
    snprintf(text, sizeof text, "cylinders and ellipsoids collide with planes alone: %d pair%s of geoms pass%s through "
             "each other", count, count > 1 ? "s" : "", count > 1 ? "" : "es");
    return notes_add(notes, (Note){NOTE_WARNING, example->line, 0, text}, err);
}

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

static Status note_result(const Clip *c, double ended, const Error *why, Notes *notes, Error *err)
{
    char text[ERROR_TEXT_SIZE + 128];
    const Simulation *s = &c->simulation;
    int last = s->frame_count - 1;
    double first_energy = s->kinetic_energy[0] + s->potential_energy[0] + s->spring_energy[0];
    double last_energy = s->kinetic_energy[last] + s->potential_energy[last] + s->spring_energy[last];
    if (why->status) {
        snprintf(text, sizeof text, "ends at %.4g s: %s", ended, why->text);
        Status status = notes_add(notes, (Note){NOTE_WARNING, 0, 0, text}, err);
        if (status)
            return status;
    }
    snprintf(text, sizeof text, "%d bodies, %d frames, energy %.6g J at first and %.6g J at last",
             c->skeleton.joint_count - 1, s->frame_count, first_energy, last_energy);
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

/* What stands in tables beside a scene. */
typedef struct Beside {
    Springs springs;
    SceneTables tables;
    Particles particles;
} Beside;

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

/* A scene that stands ready, and what it is to become. */
typedef struct Run {
    const SimulateOptions *given;
    Model *model;
    Scene *scene;
    Beside beside;
} Run;

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
    if (!status && start)
        scene_set_state(r->scene, start->q, start->v, start->control);
    return status;
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
    if (status) {
        if (err)
            *err = why;
        return status;
    }
    status = finish(r->given, r->model, out, err);
    if (ended >= def.duration)
        why = (Error){0};
    return status ? status : note_result(out, ended, &why, notes, err);
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

Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err)
{
    SimulateOptions resolved = *asked, *given = &resolved;
    XmlDef limits = xml_default_def();
    MjcfRemarks remarks = {0};
    Model model;
    *out = (Clip){0};
    if (notes)
        notes->stage = simulate_command.name;
    if (!(given->clip.duration > 0))
        given->clip.duration = scene_clip_default_def().duration;
    Status status = simulate_check_scene(given, err);
    if (status)
        return status;
    status = mjcf_read(path, &limits, &model, &remarks, err);
    Status noted = note_remarks(&remarks, notes, status ? NULL : err);
    status = status ? status : noted;
    if (!status)
        status = note_unmet(&model, notes, err);
    if (!status)
        status = take_gravity(given, &model, err);
    if (!status)
        status = run(given, &model, out, notes, err);
    int piped = !strcmp(path, "-");
    if (!status)
        status = clip_set_source(out, piped ? "scene.xml" : path, err);
    if (!status && !piped)
        status = digest_path(path, out->provenance.source_sha256, err);
    mjcf_remarks_free(&remarks);
    model_free(&model);
    if (status)
        clip_free(out);
    return status;
}
