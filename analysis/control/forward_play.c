#include "analysis/control/forward_play.h"

#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/control/body_scene.h"
#include "analysis/math/elementary.h"

#define HALF 0.5              /* s */
#define STRETCH 0.25          /* s */
#define SHORTEST 0.05         /* s: a shorter interval is ignored */
#define GROUND_FRACTION 0.05  /* ground force, as a fraction of the weight, that makes a stance */
#define WILD 20.0             /* rad/s: a body with a larger difference has left the motion */
#define HELD 0.5              /* fraction of the velocity error that one step of a held joint corrects */
#define HELD_STEPS 10.0       /* number of steps in which a held joint would correct its rotation error */
#define FASTEST (50 * 2 * PI) /* rad/s: a faster body has diverged */

ForwardDef forward_default_def(void) { return (ForwardDef){.dt = 0.001, .integrator = SCENE_VARIATIONAL}; }

/* Loads on the bodies in each frame, and the clip's state there. */
typedef struct Drives {
    Vec3 *torque;        /* [frame][body] N m */
    Vec3 *force;         /* [frame][body] N, at the joint centre */
    Vec3 *couple;        /* [frame][body] N m, about it */
    Vec3 *velocity;      /* [frame] m/s, of the first body's joint */
    Vec3 *spin;          /* [frame][body] rad/s, world */
    Quat *orientation;   /* [frame][body] in the world */
    char *stands;        /* [frame] 1: there is a ground force */
} Drives;

/* One call. */
typedef struct Player {
    const Clip *clip;
    ForwardDef def;
    LumpedBody lumped;
    Motion motion;   /* the clip on the simulated bodies */
    int first, last; /* number of frames */
    Drives drive;
    BodyScene *scene;
    Motion pose;         /* one frame: state of the scene */
    Kinematics state;    /* one frame: state of the clip */
    char *is_held;       /* [body] */
    int leaver;          /* body that left the motion first; -1: none */
    int leaver_frame;
    Arena memory;
} Player;

static int body_count(const Player *p) { return p->lumped.skeleton.joint_count; }

static void find_frames(Player *p)
{
    const Kinematics *k = &p->clip->kinematics;
    p->first = 0;
    while (p->first < k->frame_count && !k->valid[p->first])
        p->first++;
    p->last = p->first;
    while (p->last + 1 < k->frame_count && k->valid[p->last + 1])
        p->last++;
    double frames = p->def.duration / p->clip->motion.frame_time;
    if (p->def.duration > 0 && p->first + frames < p->last)
        p->last = p->first + (int)ceil(frames - 1e-9);
}

/* Adds a force and its moment about the world's origin to a body. */
static void add_wrench(Player *p, int frame, int body, Vec3 force, Vec3 moment)
{
    size_t at = (size_t)frame * (size_t)body_count(p) + (size_t)body;
    size_t row = motion_index(&p->clip->motion, frame, 0);
    Vec3 centre = p->clip->kinematics.position[row + (size_t)p->lumped.source[body]];
    p->drive.force[at] = vec3_add(p->drive.force[at], force);
    moment = vec3_sub(moment, vec3_cross(centre, force));
    p->drive.couple[at] = vec3_add(p->drive.couple[at], moment);
}

static void put_frame(Player *p, const Loads *loads, int frame)
{
    const Kinematics *k = &p->clip->kinematics;
    const Dynamics *d = &p->clip->dynamics;
    size_t row = motion_index(&p->clip->motion, frame, 0), own = (size_t)frame * (size_t)body_count(p);
    Vec3 ground = {0, 0, 0};
    for (int b = 0; b < body_count(p); b++) {
        size_t at = row + (size_t)p->lumped.source[b];
        p->drive.orientation[own + (size_t)b] = k->orientation[at];
        p->drive.spin[own + (size_t)b] = k->angular_velocity[at];
        if (b > 0) /* that of the first body is the residual */
            p->drive.torque[own + (size_t)b] = d->torque[at];
    }
    p->drive.velocity[frame] = k->velocity[row + (size_t)p->lumped.source[0]];
    for (int l = 0; l < loads->load_count; l++) {
        size_t at = (size_t)frame * (size_t)loads->load_count + (size_t)l;
        add_wrench(p, frame, p->lumped.body_of[loads->joint[l]], loads->force[at], loads->moment[at]);
        ground = vec3_add(ground, loads->force[at]);
    }
    p->drive.stands[frame] = vec3_norm(ground) > GROUND_FRACTION * GRAVITY * p->lumped.body.total_mass;
    if (!p->def.no_residual) {
        Vec3 moment = dynamics_residual_about(d, frame, k->position[row], vec3(0, 0, 0));
        add_wrench(p, frame, 0, d->residual_force[frame], moment);
    }
}

static Status make_drives(Player *p, Error *err)
{
    Loads loads = {0};
    Drives *d = &p->drive;
    size_t frames = (size_t)p->clip->motion.frame_count, bodies = (size_t)body_count(p);
    Vec3 **arrays[] = {&d->torque, &d->force, &d->couple, &d->spin};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&p->memory, frames, bodies, sizeof(Vec3));
    d->velocity = arena_array(&p->memory, frames, 1, sizeof *d->velocity);
    d->orientation = arena_array(&p->memory, frames, bodies, sizeof *d->orientation);
    d->stands = arena_array(&p->memory, frames, 1, 1);
    Status status = p->memory.failed ? error_no_memory(err) : STATUS_OK;
    if (!status && p->clip->has_contact)
        status = loads_from_contact(&p->clip->contact, &p->clip->kinematics, &loads, err);
    for (int f = p->first; !status && f <= p->last; f++)
        put_frame(p, &loads, f);
    loads_free(&loads);
    return status;
}

/* State of the clip in a frame. */
static BodyStart player_start(const Player *p, int frame)
{
    const Vec3 *spin = p->drive.spin + (size_t)frame * (size_t)body_count(p);
    return (BodyStart){p->motion.root_position[frame], p->drive.velocity[frame],
                       p->motion.rotation + motion_index(&p->motion, frame, 0), spin};
}

/* Number of steps from a frame to the next. */
static int steps_a_frame(const Player *p) { return (int)ceil(p->motion.frame_time / p->def.dt - 1e-9); }

static Status make_scene(Player *p, Error *err)
{
    BodySceneDef def = body_scene_default_def();
    BodyStart start = player_start(p, p->first);
    def.step = p->motion.frame_time / steps_a_frame(p);
    def.root_is_free = 1;
    def.integrator = p->def.integrator;
    Status status = body_scene_create(&p->lumped.skeleton, &p->lumped.body, &def, &start, &p->scene, err);
    if (!status)
        status = motion_init(&p->pose, 1, body_count(p), 1, 0, err);
    return status ? status : kinematics_init(&p->state, 1, body_count(p), 0, err);
}

/* Joints held to the motion. */
static Status mark_held(Player *p, Error *err)
{
    size_t bodies = (size_t)body_count(p);
    p->is_held = arena_array(&p->memory, bodies, 1, 1);
    if (p->memory.failed)
        return error_no_memory(err);
    for (int i = 0; i < p->def.hold_count; i++) {
        int joint = p->def.hold[i], body = p->lumped.body_of[joint];
        if (p->lumped.carrier[joint] != joint || body == 0)
            return error_set(err, STATUS_USAGE, "\"%s\" cannot be held: %s", p->clip->skeleton.name[joint],
                             body == 0 ? "it is the root" : "it has no mass of its own");
        p->is_held[body] = 1;
    }
    return STATUS_OK;
}

static Status player_init(Player *p, const Clip *clip, const ForwardDef *def, Error *err)
{
    ClipView view = clip_view(clip);
    *p = (Player){.clip = clip, .def = *def};
    if (!(def->dt > 0)) {
        error_set(err, STATUS_USAGE, "--dt out of range: %g s", def->dt);
        return STATUS_USAGE;
    }
    find_frames(p);
    if (p->last <= p->first) {
        error_set(err, STATUS_BAD_INPUT, "has fewer than two valid frames to play between");
        return STATUS_BAD_INPUT;
    }
    Status status = lumped_body_init(&p->lumped, &view, LUMP_BY_MASS, err);
    if (!status)
        status = lumped_body_motion(&p->lumped, &view, &p->motion, err);
    if (!status)
        status = make_drives(p, err);
    if (!status)
        status = mark_held(p, err);
    return status ? status : make_scene(p, err);
}

static void player_free(Player *p)
{
    body_scene_destroy(p->scene);
    lumped_body_free(&p->lumped);
    motion_free(&p->motion);
    motion_free(&p->pose);
    kinematics_free(&p->state);
    arena_free(&p->memory);
}

/* Sets the scene to the clip's state in a frame. */
static void begin(Player *p, int frame)
{
    BodyStart start = player_start(p, frame);
    p->leaver = -1;
    body_scene_begin(p->scene, &start);
    body_scene_read(p->scene, 0, &p->pose, &p->state);
}

/* Row `frame` + u of a table by cubic interpolation (Catmull-Rom), extrapolated linearly at the ends. */
static Vec3 between(const Player *p, const Vec3 *rows, int body, int count, int frame, double u)
{
    int from = frame > p->first ? frame - 1 : frame, to = frame + 2 <= p->last ? frame + 2 : frame + 1;
    size_t n = (size_t)count, at = (size_t)body;
    Vec3 b = rows[(size_t)frame * n + at], c = rows[(size_t)(frame + 1) * n + at];
    Vec3 a = frame > p->first ? rows[(size_t)from * n + at] : vec3_sub(vec3_scale(b, 2), c);
    Vec3 d = to == frame + 2 ? rows[(size_t)to * n + at] : vec3_sub(vec3_scale(c, 2), b);
    double w[4] = {0.5 * u * (-1 + u * (2 - u)), 1 + 0.5 * u * u * (3 * u - 5), 0.5 * u * (1 + u * (4 - 3 * u)),
                   0.5 * u * u * (u - 1)};
    return vec3_add(vec3_mad(vec3_scale(a, w[0]), w[1], b), vec3_mad(vec3_scale(c, w[2]), w[3], d));
}

static Sym3 player_body_inertia(const Player *p, int body)
{
    return sym3_rotate(quat_to_mat3(p->state.orientation[body]), p->lumped.body.inertia[body]);
}

/* Couple that changes the relative angular velocity of two free bodies by `change`. The effective inertia is the
 * smallest possible one, so that a step never overcorrects. */
static Vec3 couple_between(const Player *p, int body, int other, Vec3 change)
{
    Sym3 a, b, both;
    if (!sym3_inverse(player_body_inertia(p, body), &a) || !sym3_inverse(player_body_inertia(p, other), &b) ||
        !sym3_inverse(sym3_add(a, b), &both))
        return vec3(0, 0, 0);
    return sym3_mul(both, change);
}

/* Additional torque of a held joint, so that its step ends at fraction u between two frames. */
static Vec3 hold(const Player *p, int frame, double u, double h, int body)
{
    const Kinematics *now = &p->state;
    int up = p->lumped.skeleton.parent[body];
    Quat from = p->motion.rotation[motion_index(&p->motion, frame, body)];
    Quat to = p->motion.rotation[motion_index(&p->motion, frame + 1, body)];
    Vec3 rotation = quat_log(quat_mul(to, quat_conjugate(from)));
    Quat wanted = quat_mul(quat_exp(vec3_scale(rotation, u)), from);
    Quat is = quat_mul(quat_conjugate(now->orientation[up]), now->orientation[body]), left;
    left = quat_mul(wanted, quat_conjugate(is));
    Vec3 speed = vec3_scale(rotation, 2 / p->motion.frame_time);
    speed = vec3_mad(speed, 2 / (HELD_STEPS * h), quat_log(left.w < 0 ? quat_neg(left) : left));
    Vec3 present = vec3_sub(now->angular_velocity[body], now->angular_velocity[up]);
    Vec3 missing = vec3_sub(quat_rotate(now->orientation[up], speed), present);
    return couple_between(p, body, up, vec3_scale(missing, HELD / h));
}

/* Loads at the middle of a step, at fraction u between two frames. */
static void apply(Player *p, int frame, double u, double h)
{
    const Kinematics *now = &p->state;
    int bodies = body_count(p);
    for (int b = 0; b < bodies; b++) {
        Quat rotation = quat_mul(quat_exp(vec3_scale(now->angular_velocity[b], 0.25 * h)), now->orientation[b]);
        Vec3 torque = between(p, p->drive.torque, b, bodies, frame, u);
        Vec3 force = between(p, p->drive.force, b, bodies, frame, u);
        Vec3 couple = between(p, p->drive.couple, b, bodies, frame, u);
        couple = vec3_sub(couple, vec3_cross(quat_rotate(rotation, p->lumped.body.com[b]), force)); /* about the COM */
        if (p->is_held[b])
            torque = vec3_add(torque, hold(p, frame, u + 0.5 * h / p->motion.frame_time, h, b));
        body_scene_apply_torque(p->scene, b, torque);
        body_scene_apply_at_com(p->scene, b, force, couple);
    }
}

static Status check_state(const Player *p, Error *err)
{
    double fastest = 0;
    int body = 0;
    for (int b = 0; b < body_count(p); b++) {
        double speed = vec3_norm(p->state.angular_velocity[b]);
        if (speed <= fastest)
            continue;
        fastest = speed;
        body = b;
    }
    if (fastest < FASTEST)
        return STATUS_OK;
    return error_set(err, STATUS_NO_RESULT, "the body of joint \"%s\" rotates at %.3g rad/s",
                     p->clip->skeleton.name[p->lumped.source[body]], fastest);
}

/* The first body whose angular velocity differs clearly from the motion's; of several the one with the largest
 * difference. */
static void note_leaver(Player *p, int frame)
{
    const Vec3 *spin = p->drive.spin + (size_t)frame * (size_t)body_count(p);
    double max = WILD;
    for (int b = 0; p->leaver < 0 && b < body_count(p); b++)
        max = fmax(max, vec3_distance(p->state.angular_velocity[b], spin[b]));
    for (int b = 0; max > WILD && p->leaver < 0 && b < body_count(p); b++)
        if (!(vec3_distance(p->state.angular_velocity[b], spin[b]) < max)) {
            p->leaver = b;
            p->leaver_frame = frame;
        }
}

/* Steps from a frame to the next. */
static Status go_on(Player *p, int frame, Error *err)
{
    double span = p->motion.frame_time;
    int steps = steps_a_frame(p);
    Status status = STATUS_OK;
    for (int i = 0; !status && i < steps; i++) {
        double h = span / steps;
        apply(p, frame, (i + 0.5) / steps, h);
        status = body_scene_step(p->scene, err);
        if (!status)
            body_scene_read(p->scene, 0, &p->pose, &p->state);
    }
    if (!status)
        note_leaver(p, frame + 1);
    return status ? status : check_state(p, err);
}

static ForwardDrift drift_at(const Player *p, int begun, int frame)
{
    const Kinematics *now = &p->state;
    const Quat *wanted = p->drive.orientation + (size_t)frame * (size_t)body_count(p);
    ForwardDrift d = {.time = (frame - begun) * p->motion.frame_time, .count = 1};
    d.distance = vec3_distance(now->position[0], p->motion.root_position[frame]);
    for (int b = 0; b < body_count(p); b++)
        d.angle += 2 * vec3_norm(quat_log(quat_mul(now->orientation[b], quat_conjugate(wanted[b])))) / body_count(p);
    return d;
}

static void put_pose(const Player *p, int frame, Motion *out)
{
    LumpedPose pose = {p->state.position[0], p->state.orientation};
    out->time[frame - p->first] = p->motion.time[frame];
    lumped_body_expand(&p->lumped, &p->clip->skeleton, &pose, out->rotation + motion_index(out, frame - p->first, 0),
                       &out->root_position[frame - p->first]);
}

/* Simulates from the first frame to the last, into out->motion. */
static Status play_all(Player *p, ForwardPlay *out, Error *err)
{
    int frames = p->last - p->first + 1, f = p->first;
    Error why = {0};
    Status status = motion_init(&out->motion, frames, p->lumped.source_count, p->motion.frame_time, 0, err);
    if (status)
        return status;
    begin(p, f);
    put_pose(p, f, &out->motion);
    while (!status && f < p->last) {
        status = go_on(p, f, &why);
        if (status)
            break;
        put_pose(p, ++f, &out->motion);
        out->end = drift_at(p, p->first, f);
        if (out->end.time <= HALF + 1e-9)
            out->half = out->end;
    }
    if (status == STATUS_NO_RESULT) {
        out->ended = (f - p->first) * p->motion.frame_time;
        out->leaver = p->leaver < 0 ? -1 : p->lumped.source[p->leaver];
        out->left = (p->leaver_frame - p->first) * p->motion.frame_time;
        out->why = why;
        out->motion.frame_count = f - p->first + 1;
        status = STATUS_OK;
    } else if (status && err)
        *err = why;
    motion_make_continuous(&out->motion);
    return status;
}

/* Restarts from the clip at the beginning of each interval; an interval that diverges is only counted. */
static Status play_interval(Player *p, int from, int to, ForwardDrift *sum, Error *err)
{
    Status status = STATUS_OK;
    begin(p, from);
    for (int f = from; !status && f < to; f++)
        status = go_on(p, f, err);
    if (status) {
        sum->lost++;
        return status == STATUS_NO_RESULT ? STATUS_OK : status;
    }
    ForwardDrift d = drift_at(p, from, to);
    *sum = (ForwardDrift){sum->time + d.time, sum->distance + d.distance, sum->angle + d.angle, sum->count + 1,
                          sum->lost};
    return STATUS_OK;
}

static void take_mean(ForwardDrift *d)
{
    double part = d->count ? 1.0 / d->count : 0;
    *d = (ForwardDrift){part * d->time, part * d->distance, part * d->angle, d->count, d->lost};
}

/* Separate statistics for flight and stance. */
static Status play_intervals(Player *p, ForwardPlay *out, Error *err)
{
    int longest = (int)fmax(1, floor(STRETCH / p->motion.frame_time + 1e-9));
    Status status = STATUS_OK;
    for (int from = p->first, to; !status && from < p->last; from = to) {
        char stands = p->drive.stands[from];
        to = from + 1;
        while (to < p->last && to - from < longest && p->drive.stands[to] == stands)
            to++;
        if ((to - from) * p->motion.frame_time >= SHORTEST)
            status = play_interval(p, from, to, stands ? &out->stance : &out->flight, err);
    }
    take_mean(&out->flight);
    take_mean(&out->stance);
    return status;
}

Status forward_play(const Clip *clip, const ForwardDef *def, ForwardPlay *out, Error *err)
{
    Player p;
    *out = (ForwardPlay){.ended = -1, .leaver = -1};
    Status status = player_init(&p, clip, def, err);
    if (!status)
        status = play_all(&p, out, err);
    if (!status)
        status = play_intervals(&p, out, err);
    out->body_count = status ? 0 : body_count(&p);
    player_free(&p);
    if (status)
        forward_play_free(out);
    return status;
}

void forward_play_free(ForwardPlay *p)
{
    if (p)
        motion_free(&p->motion);
}
