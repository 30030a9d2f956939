/* See scene_run.h. */
#include "pipeline/stages/scene_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sim/scene_clip.h"
#include "formats/base/bytes.h"
#include "formats/tables/spring_tables.h"
#include "pipeline/stages/option.h"

Status scene_run_gravity(const SimulateOptions *o, Model *m, Error *err)
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

Status scene_run_init(SceneRun *r, Error *err)
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

void scene_run_free(SceneRun *r)
{
    scene_destroy(r->scene);
    springs_free(&r->beside.springs);
    springs_free(&r->beside.bonds);
    free(r->beside.bond);
    scene_tables_free(&r->beside.tables);
    particles_free(&r->beside.particles);
}
