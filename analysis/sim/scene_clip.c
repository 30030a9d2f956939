#include "analysis/sim/scene_clip.h"

#include <math.h>
#include <string.h>

#include "analysis/sim/scene_rates.h"

#define MAX_FRAMES 10000000

SceneClipDef scene_clip_default_def(void) { return (SceneClipDef){.duration = 5, .fps = 60}; }

/* All data of a frame at one step, in clip coordinates. */
typedef struct Snapshot {
    double time;
    Kinematics k; /* one frame */
    SceneEnergy energy;
    Vec3 momentum, angular_momentum;
    SceneInstant state;
    double *driven;    /* [actuator] */
    Vec3 *effort;      /* [actuator] */
} Snapshot;

/* State of a run. */
typedef struct Recorder {
    Scene *scene;
    const Model *model;
    Clip *clip;
    Quat up;
    Snapshot last, before, now; /* after three steps in turn */
    SceneRates rates, other;    /* of a frame, and scratch */
    ModelMotion motion[2];      /* at the states around a frame */
    int pending;                /* frame whose rates need the next step; -1: none */
    double pending_at;          /* its fraction between before and now */
    int total;                  /* steps since the start */
    Vec3 *force, *moment; /* [body] sums since the last frame */
    Vec3 *constraint_force, *constraint_torque; /* [constraint] sums since the last frame */
    int step_count;       /* number of steps in these sums */
    const Particles *particles;
    Arena memory;
} Recorder;

static void take_dofs(const Recorder *r, Snapshot *s)
{
    scene_instant_take(r->scene, r->model, &s->state);
    for (int i = 0; i < r->clip->simulation.actuator_count; i++)
        scene_drive_state(r->scene, i, &s->driven[i], &s->effort[i]);
}

static void record_snapshot(Recorder *r, Snapshot *s)
{
    const ModelMotion *m = scene_motion(r->scene);
    s->time = scene_time(r->scene);
    for (int b = 0; b < r->model->body_count; b++) {
        s->k.position[b] = quat_rotate(r->up, m->position[b]);
        s->k.orientation[b] = quat_mul(r->up, m->orientation[b]);
        s->k.velocity[b] = quat_rotate(r->up, m->velocity[b]);
        s->k.angular_velocity[b] = quat_rotate(r->up, m->angular_velocity[b]);
    }
    model_momentum(r->model, m, &s->momentum, &s->angular_momentum);
    s->momentum = quat_rotate(r->up, s->momentum);
    s->angular_momentum = quat_rotate(r->up, s->angular_momentum);
    take_dofs(r, s);
    if (!r->particles) /* with many springs it costs as much as a step: put_energy computes it where it is recorded */
        s->energy = scene_energy(r->scene);
}

static Vec3 mix(Vec3 a, Vec3 b, double t) { return t == 1 ? b : t == 0 ? a : vec3_mad(vec3_scale(a, 1 - t), t, b); }
static double mix_number(double a, double b, double t) { return t == 1 ? b : (1 - t) * a + t * b; }

/* Interpolates a frame between two steps, at fraction t. */
static void put_kinematics(const Recorder *r, int frame, double t)
{
    Kinematics *k = &r->clip->kinematics;
    const Kinematics *a = &r->before.k, *b = &r->now.k;
    Vec3 com = vec3(0, 0, 0);
    for (int j = 0; j < k->joint_count; j++) {
        size_t at = motion_index(&r->clip->motion, frame, j);
        k->position[at] = mix(a->position[j], b->position[j], t);
        k->orientation[at] = t == 1   ? b->orientation[j]
                             : t == 0 ? a->orientation[j]
                                      : quat_slerp(a->orientation[j], b->orientation[j], t);
        k->velocity[at] = mix(a->velocity[j], b->velocity[j], t);
        k->angular_velocity[at] = mix(a->angular_velocity[j], b->angular_velocity[j], t);
        Vec3 own = vec3_add(k->position[at], quat_rotate(k->orientation[at], r->clip->body.com[j]));
        com = vec3_mad(com, r->clip->body.mass[j] / fmax(r->clip->body.total_mass, 1e-300), own);
    }
    k->com[frame] = com;
    k->valid[frame] = 1;
}

static void put_motion(const Recorder *r, int frame)
{
    Motion *m = &r->clip->motion;
    const Kinematics *k = &r->clip->kinematics;
    for (int j = 0; j < m->joint_count; j++) {
        size_t at = motion_index(m, frame, j);
        int p = r->clip->skeleton.parent[j];
        size_t up = p < 0 ? at : motion_index(m, frame, p);
        Quat q = k->orientation[at];
        m->rotation[at] = p < 0 ? q : quat_mul(quat_conjugate(k->orientation[up]), q);
        if (m->translation && p >= 0)
            m->translation[at] = scene_translates(r->model, j) ? quat_rotate_inverse(k->orientation[up],
                                                            vec3_sub(k->position[at], k->position[up]))
                                                         : r->clip->skeleton.offset[j];
    }
    m->root_position[frame] = k->position[motion_index(m, frame, 0)];
}

/* Writes the mean contact forces since the last frame, at the bodies' joints. */
static void put_contact(Recorder *r, int frame)
{
    Contact *c = &r->clip->contact;
    double share = r->step_count ? 1.0 / r->step_count : 0;
    for (int i = 0; i < c->point_count; i++) {
        size_t at = (size_t)frame * (size_t)c->point_count + (size_t)i;
        int b = c->point_joint[i];
        Vec3 place = r->clip->kinematics.position[motion_index(&r->clip->motion, frame, b)];
        c->force[at] = quat_rotate(r->up, vec3_scale(r->force[b], share));
        Vec3 moment = quat_rotate(r->up, vec3_scale(r->moment[b], share));
        c->moment[at] = vec3_sub(moment, vec3_cross(place, c->force[at]));
        c->state[at] = vec3_norm(c->force[at]) > 0;
    }
}

/* Writes the mean constraint forces since the last frame. */
static void put_simulation(Recorder *r, int frame)
{
    Simulation *s = &r->clip->simulation;
    double share = r->step_count ? 1.0 / r->step_count : 0;
    for (int i = 0; i < s->constraint_count; i++) {
        size_t at = (size_t)frame * (size_t)s->constraint_count + (size_t)i;
        int couples = i < r->model->equality_count && r->model->equality[i].kind == MODEL_COUPLE;
        Quat up = couples ? QUAT_IDENTITY : r->up;
        s->constraint_force[at] = quat_rotate(up, vec3_scale(r->constraint_force[i], share));
        s->constraint_torque[at] = quat_rotate(up, vec3_scale(r->constraint_torque[i], share));
    }
}

static void put_actuators(const Recorder *r, int frame, double t)
{
    Simulation *s = &r->clip->simulation;
    for (int i = 0; i < s->actuator_count; i++) {
        size_t at = (size_t)frame * (size_t)s->actuator_count + (size_t)i;
        s->actuator_position[at] = mix_number(r->before.driven[i], r->now.driven[i], t);
        s->actuator_torque[at] = mix(r->before.effort[i], r->now.effort[i], t);
    }
}

static void put_turn(const double *from, const double *to, double t, double *vector)
{
    Quat a = {from[0], from[1], from[2], from[3]}, b = {to[0], to[1], to[2], to[3]};
    vec3_store(vector, vec3_scale(quat_log(t == 1 ? b : t == 0 ? a : quat_slerp(a, b, t)), 2));
}

/* Interpolates the degrees of freedom; row i is speed i. */
static void put_dofs(const Recorder *r, int frame, double t)
{
    const Dofs *d = &r->clip->dof;
    const Snapshot *a = &r->before, *b = &r->now;
    for (int i = 0; i < r->model->joint_count; i++) {
        const ModelJoint *j = &r->model->joint[i];
        int turns = j->kind == MODEL_BALL || j->kind == MODEL_FREE;
        int places = model_joint_speeds(j->kind) - (turns ? DOFS_PER_BALL : 0);
        double *position = d->position + dofs_index(d, frame, j->v_start);
        for (int k = 0; k < places; k++)
            position[k] = mix_number(a->state.q[j->q_start + k], b->state.q[j->q_start + k], t);
        if (turns)
            put_turn(a->state.q + j->q_start + places, b->state.q + j->q_start + places, t, position + places);
    }
    for (int i = 0; i < d->count; i++)
        d->velocity[dofs_index(d, frame, i)] = mix_number(a->state.v[i], b->state.v[i], t);
}

/* Writes accelerations and forces of a frame from r->rates. */
static void put_rates(const Recorder *r, int frame)
{
    const Dofs *d = &r->clip->dof;
    const SceneParts *p = &r->rates.parts;
    double *const to[] = {d->actuator_force, d->passive_force, d->applied_force, d->constraint_force, d->contact_force};
    const double *const from[] = {p->actuator, p->passive, p->applied, p->constraint, p->contact};
    for (int i = 0; i < d->count; i++) {
        size_t at = dofs_index(d, frame, i);
        d->acceleration[at] = r->rates.a[i];
        d->effort[at] = scene_parts_own(p, i);
        for (size_t k = 0; k < sizeof to / sizeof *to; k++)
            to[k][at] = from[k][i];
    }
}

/* Writes the accelerations of the bodies between two states, of which motion[0] is at fraction 0. */
static void put_accelerations(const Recorder *r, int frame, double t)
{
    Kinematics *k = &r->clip->kinematics;
    for (int b = 0; b < r->model->body_count; b++) {
        size_t at = motion_index(&r->clip->motion, frame, b);
        const ModelMotion *m = r->motion;
        Vec3 linear = mix(m[0].acceleration[b], m[1].acceleration[b], t);
        Vec3 angular = mix(m[0].angular_acceleration[b], m[1].angular_acceleration[b], t);
        k->acceleration[at] = quat_rotate(r->up, linear);
        k->angular_acceleration[at] = quat_rotate(r->up, angular);
    }
}

/* Rates at a state and the motion with them. */
static void set_motion(const Recorder *r, const SceneInstant *state, const SceneRates *rates, ModelMotion *motion)
{
    model_motion_set(motion, r->model, state->q, state->v, rates->a);
}

/* Begins the rates of a frame, at fraction t between before and now; those at `now` need the next step. */
static void begin_rates(Recorder *r, int frame, double t)
{
    r->pending = frame;
    r->pending_at = t;
    if (t == 1)
        return;
    const SceneInstant *earlier = r->total > 1 ? &r->last.state : NULL;
    scene_rates_at(r->model, scene_step_size(r->scene), earlier, &r->before.state, &r->now.state, &r->rates);
    set_motion(r, &r->before.state, &r->rates, &r->motion[0]);
}

/* Completes them between the states a and b; after: the one after b, NULL at the end. */
static void finish_rates(Recorder *r, const SceneInstant *a, const SceneInstant *b, const SceneInstant *after)
{
    double h = scene_step_size(r->scene), t = r->pending_at;
    if (r->pending < 0)
        return;
    if (t == 0 && after) {
        scene_rates_first(r->model, h, (SceneInstant[]){*a, *b, *after}, &r->rates);
        set_motion(r, a, &r->rates, &r->motion[0]);
    }
    if (t > 0) {
        scene_rates_at(r->model, h, a, b, after, &r->other);
        set_motion(r, b, &r->other, &r->motion[1]);
        scene_rates_mix(r->model, t, &r->other, &r->rates);
    }
    put_accelerations(r, r->pending, t);
    put_rates(r, r->pending);
    r->pending = -1;
}

static void clear_sums(Recorder *r)
{
    size_t bodies = (size_t)r->model->body_count, constraints = (size_t)r->clip->simulation.constraint_count;
    memset(r->force, 0, bodies * sizeof *r->force);
    memset(r->moment, 0, bodies * sizeof *r->moment);
    memset(r->constraint_force, 0, constraints * sizeof *r->constraint_force);
    memset(r->constraint_torque, 0, constraints * sizeof *r->constraint_torque);
    r->step_count = 0;
}

static void put_energy(Recorder *r, int frame, double t)
{
    Simulation *s = &r->clip->simulation;
    const Snapshot *a = &r->before, *b = &r->now;
    if (r->particles && frame > 0) /* at the later step, as the particles */
        r->before.energy = r->now.energy = scene_energy(r->scene);
    s->kinetic_energy[frame] = mix_number(a->energy.kinetic, b->energy.kinetic, t);
    s->potential_energy[frame] = mix_number(a->energy.potential, b->energy.potential, t);
    s->spring_energy[frame] = mix_number(a->energy.springs, b->energy.springs, t);
    s->momentum[frame] = mix(a->momentum, b->momentum, t);
    s->angular_momentum[frame] = mix(a->angular_momentum, b->angular_momentum, t);
}

/* Particle positions are those of the later step; they are not interpolated. */
static void put_particles(const Recorder *r, int frame)
{
    ParticleTrack *t = &r->clip->particles;
    for (int i = 0; i < t->particle_count; i++)
        t->position[(size_t)frame * (size_t)t->particle_count + (size_t)i] = quat_rotate(r->up, r->particles->x[i]);
}

static Status make_particles(Recorder *r, int frames, Error *err)
{
    const Particles *p = r->particles;
    if (!p || p->grid_count == 0)
        return STATUS_OK;
    Status status = particle_track_init(&r->clip->particles, frames, p->grid_count, err);
    for (int i = 0; !status && i < p->grid_count; i++) {
        r->clip->particles.joint[i] = p->body[i];
        r->clip->particles.mass[i] = p->mass[i];
    }
    r->clip->has_particles = !status;
    return status;
}

static void put_frame(Recorder *r, int frame, double t)
{
    if (frame > 0)
        put_particles(r, frame);
    put_kinematics(r, frame, t);
    put_motion(r, frame);
    put_contact(r, frame);
    put_simulation(r, frame);
    put_actuators(r, frame, t);
    if (r->clip->has_dof)
        put_dofs(r, frame, t);
    begin_rates(r, frame, t);
    put_energy(r, frame, t);
    clear_sums(r);
}

/* The present becomes the past; its memory serves the next. */
static void rotate(Recorder *r)
{
    Snapshot oldest = r->last;
    r->last = r->before;
    r->before = r->now;
    r->now = oldest;
}

static Status step(Recorder *r, Error *err)
{
    Status status = scene_step(r->scene, err);
    if (status)
        return status;
    rotate(r);
    record_snapshot(r, &r->now);
    r->total++;
    finish_rates(r, &r->last.state, &r->before.state, &r->now.state);
    for (int b = 0; b < r->model->body_count; b++) {
        r->force[b] = vec3_add(r->force[b], scene_contact_force(r->scene, b));
        r->moment[b] = vec3_add(r->moment[b], scene_contact_moment(r->scene, b));
    }
    for (int i = 0; i < r->clip->simulation.constraint_count; i++) {
        r->constraint_force[i] = vec3_add(r->constraint_force[i], scene_equality_force(r->scene, i));
        r->constraint_torque[i] = vec3_add(r->constraint_torque[i], scene_equality_couple(r->scene, i));
    }
    r->step_count++;
    return STATUS_OK;
}

/* Steps until the frame's time lies between the last two steps. A time within rounding of a step counts as that
 * step. */
static Status go_to(Recorder *r, double time, double *t, Error *err)
{
    double close = 1e-9 * scene_step_size(r->scene);
    Status status = STATUS_OK;
    while (!status && r->now.time < time - close)
        status = step(r, err);
    double span = r->now.time - r->before.time;
    *t = span > 0 && fabs(r->now.time - time) > close ? (time - r->before.time) / span : 1;
    return status;
}

/* Bodies that may collide. */
static Status make_contact(const Model *m, int frames, Contact *c, Error *err)
{
    int points = 0;
    for (int write = 0; write < 2; write++) {
        points = 0;
        for (int b = 1; b < m->body_count; b++) {
            int collides = 0;
            for (int g = 0; g < m->geom_count; g++)
                collides |= m->geom[g].body == b && (m->geom[g].type_bits || m->geom[g].affinity_bits);
            if (collides && write)
                c->point_joint[points] = b;
            points += collides;
        }
        Status status = write ? STATUS_OK : contact_init(c, frames, points, 1, err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static int some_translate(const Model *m)
{
    int some = 0;
    for (int b = 1; b < m->body_count; b++)
        some |= scene_translates(m, b);
    return some;
}

/* Names and bodies of the constraints. */
static Status make_simulation(Recorder *r, int frames, const SceneClipDef *def, Error *err)
{
    Simulation *s = &r->clip->simulation;
    const Model *m = r->model;
    int first_path = m->equality_count + def->attachment_count;
    size_t constraints = (size_t)(first_path + def->path_count + def->rolling_count);
    Status status = simulation_init(s, (SimulationSize){frames, (int)constraints, def->controller_count}, err);
    r->constraint_force = arena_array(&r->memory, constraints, 1, sizeof *r->constraint_force);
    r->constraint_torque = arena_array(&r->memory, constraints, 1, sizeof *r->constraint_torque);
    if (status || r->memory.failed)
        return status ? status : error_no_memory(err);
    for (int i = 0; i < m->equality_count; i++) {
        const ModelEquality *e = &m->equality[i];
        int couples = e->kind == MODEL_COUPLE;
        s->constraint_joint[i] = couples ? m->joint[e->first].body : e->second;
        s->constraint_to[i] = !couples ? e->first : e->second < 0 ? -1 : m->joint[e->second].body;
    }
    for (int i = 0; i < def->attachment_count; i++) {
        s->constraint_joint[m->equality_count + i] = def->attachment[i].body;
        s->constraint_to[m->equality_count + i] = def->attachment[i].to;
    }
    for (int i = 0; i < def->rolling_count; i++)
        s->constraint_joint[first_path + def->path_count + i] = def->rolling[i].body;
    for (int i = 0; i < def->controller_count; i++)
        s->actuator_joint[i] = m->joint[def->controller[i].joint].body;
    for (int i = 0; i < def->path_count; i++) {
        s->constraint_joint[first_path + i] = m->joint[def->path[i].joint].body;
        s->constraint_to[first_path + i] = m->body[s->constraint_joint[first_path + i]].parent;
    }
    return STATUS_OK;
}

static Status make_dofs(Recorder *r, int frames, Error *err)
{
    const Model *m = r->model;
    size_t actuators = (size_t)r->clip->simulation.actuator_count;
    Snapshot *snapshots[] = {&r->last, &r->before, &r->now};
    for (size_t i = 0; i < sizeof snapshots / sizeof *snapshots; i++) {
        snapshots[i]->state = scene_instant_new(m, &r->memory);
        snapshots[i]->driven = arena_array(&r->memory, actuators, 1, sizeof(double));
        snapshots[i]->effort = arena_array(&r->memory, actuators, 1, sizeof(Vec3));
    }
    r->rates = scene_rates_new(m, &r->memory);
    r->other = scene_rates_new(m, &r->memory);
    if (r->memory.failed)
        return error_no_memory(err);
    return m->v_count ? scene_clip_dofs(m, frames, r->clip, err) : STATUS_OK;
}

static Status make_groups(Recorder *r, int frames, const SceneClipDef *def, Error *err)
{
    Clip *c = r->clip;
    int joints = r->model->body_count;
    Status status = scene_clip_bodies(r->model, c, err);
    if (!status)
        status = motion_init(&c->motion, frames, joints, 1 / def->fps, some_translate(r->model), err);
    c->has_kinematics = c->has_contact = c->has_simulation = !status;
    if (!status)
        status = kinematics_init(&c->kinematics, frames, joints, 1, err);
    if (!status)
        status = make_contact(r->model, frames, &c->contact, err);
    if (!status)
        status = make_simulation(r, frames, def, err);
    if (!status)
        status = make_dofs(r, frames, err);
    if (!status)
        status = make_particles(r, frames, err);
    if (!status)
        status = scene_clip_shapes(r->model, def, c, err);
    Snapshot *snapshots[] = {&r->last, &r->before, &r->now};
    for (size_t i = 0; i < sizeof snapshots / sizeof *snapshots && !status; i++)
        status = kinematics_init(&snapshots[i]->k, 1, joints, 0, err);
    for (int i = 0; i < 2 && !status; i++)
        status = model_motion_init(&r->motion[i], r->model, err);
    r->force = arena_array(&r->memory, (size_t)joints, 1, sizeof *r->force);
    r->moment = arena_array(&r->memory, (size_t)joints, 1, sizeof *r->moment);
    if (!status && r->memory.failed)
        status = error_no_memory(err);
    return status;
}

/* If the scene diverges, the frames until then form the clip. */
static void cut(Clip *c, int frames)
{
    c->motion.frame_count = c->kinematics.frame_count = c->contact.frame_count = c->simulation.frame_count = frames;
    c->particles.frame_count = c->dof.frame_count = frames;
}

static Status check_def(const SceneClipDef *def, Error *err)
{
    if (!(def->duration > 0) || !(def->fps > 0) || !(def->duration * def->fps < MAX_FRAMES))
        return error_set(err, STATUS_USAGE, "%g s at %g frames/s", def->duration, def->fps);
    return STATUS_OK;
}

static void free_recorder(Recorder *r)
{
    Snapshot *snapshots[] = {&r->last, &r->before, &r->now};
    for (size_t i = 0; i < sizeof snapshots / sizeof *snapshots; i++)
        kinematics_free(&snapshots[i]->k);
    for (int i = 0; i < 2; i++)
        model_motion_free(&r->motion[i]);
    arena_free(&r->memory);
}

Status scene_clip_run(Scene *s, const Model *m, const SceneClipDef *def, Clip *out, double *ended, Error *err)
{
    const char *up;
    Recorder r = {.scene = s, .model = m, .clip = out, .up = scene_up_turn(m, &up),
                  .particles = def->particles, .pending = -1};
    int frames = (int)lround(def->duration * def->fps) + 1, frame = 1;
    *out = (Clip){0};
    *ended = def->duration;
    Status status = check_def(def, err);
    if (!status)
        status = make_groups(&r, frames, def, err);
    if (!status) { /* the first frame has the accelerations and contacts of the first step */
        record_snapshot(&r, &r.now);
        put_particles(&r, 0);
        r.now.energy = scene_energy(s);
        status = step(&r, err);
    }
    if (!status)
        put_frame(&r, 0, 0);
    int began = !status;
    for (; !status && frame < frames; frame++) {
        double t;
        status = go_to(&r, frame / def->fps, &t, err);
        if (!status)
            put_frame(&r, frame, t);
    }
    SceneFeatures features = scene_features(s);
    if (!status && !features.collides && !features.limits) /* for the rates of the last frame */
        step(&r, NULL);
    if (began) /* a step that failed has recorded nothing */
        finish_rates(&r, &r.before.state, &r.now.state, NULL);
    if (began && status == STATUS_NO_RESULT) {
        *ended = scene_time(s);
        cut(out, frame - 1);
        status = STATUS_OK;
    }
    if (!status)
        motion_make_continuous(&out->motion);
    free_recorder(&r);
    if (status)
        clip_free(out);
    return status;
}
