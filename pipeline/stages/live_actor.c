/* A character that tracks a clip while time passes (live.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/control/playback_state.h"
#include "formats/base/text.h"
#include "formats/tables/soft_joint_table.h"
#include "pipeline/stages/live_internal.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/track_gains.h"
#include "pipeline/stages/track_playback.h"
#include "pipeline/stages/track_words.h"

#define HOLD 1.0 /* s for which the last pose belongs to the reference, which then ends at rest */

typedef struct LiveActor {
    Live live;
    const Clip *clip;
    PlaybackDef def;
    Playback playback;
    JointGains *gains; /* NULL: none by joint */
    ControllerDef controller;
    PlaybackState state;
    int frame, is_running;
} LiveActor;

static const LiveActor *actor_of(const Live *live) { return (const LiveActor *)(const void *)live; }
static LiveActor *own(Live *live) { return (LiveActor *)(void *)live; }

static void stop(LiveActor *a)
{
    if (a->is_running)
        playback_state_free(&a->state);
    a->is_running = 0;
}

static Status restart(Live *live, Error *err)
{
    LiveActor *a = own(live);
    stop(a);
    a->frame = 0;
    a->is_running = 1;
    return playback_state_init(&a->state, &a->playback, &a->controller, err);
}

/* The toe that a joint of the clip belongs to; NULL: none. */
static const ToeHinge *toe_of(const LiveActor *a, int joint)
{
    for (int i = 0; i < a->playback.toes.count; i++) {
        const ToeHinge *toe = &a->playback.toes.toe[i];
        if (joint >= toe->joint && joint <= toe->last)
            return toe;
    }
    return NULL;
}

/* Position of a joint of the clip in the body that carries it. */
static Vec3 joint_place(const LiveActor *a, int joint)
{
    const LumpedBody *lumped = &a->playback.lumped;
    size_t i = (size_t)lumped->body_of[joint];
    const Kinematics *k = &a->state.plant.kinematics;
    const ToeHinge *toe = toe_of(a, joint);
    Vec3 place = vec3_add(k->position[i], quat_rotate(k->orientation[i], lumped->position[joint]));
    if (!toe || joint == toe->joint)
        return place;
    Vec3 hinge = joint_place(a, toe->joint);
    return vec3_add(hinge, quat_rotate(toe_bend(toe, lumped, &a->state.ground, k), vec3_sub(place, hinge)));
}

static Quat joint_turn(const LiveActor *a, int joint)
{
    const LumpedBody *lumped = &a->playback.lumped;
    const Kinematics *k = &a->state.plant.kinematics;
    const ToeHinge *toe = toe_of(a, joint);
    Quat turn = quat_mul(k->orientation[lumped->body_of[joint]], lumped->rotation[joint]);
    return toe ? quat_mul(toe_bend(toe, lumped, &a->state.ground, k), turn) : turn;
}

static Status step(Live *live, Error *err)
{
    LiveActor *a = own(live);
    for (int j = 0; j < live->count; j++) {
        const LivePush *push = &live->push[j];
        int i = a->playback.lumped.body_of[j];
        if (!(vec3_norm(push->force) > 0))
            continue;
        Vec3 point = vec3_add(joint_place(a, j), quat_rotate(joint_turn(a, j), push->point));
        Vec3 arm = vec3_sub(point, a->state.plant.kinematics.position[i]);
        playback_state_push(&a->state, i, (JointWrench){push->force, vec3_cross(arm, push->force)});
    }
    Status status = playback_step(&a->state, a->frame++, err);
    if (status == STATUS_NO_RESULT)
        error_set(err, status, "the character diverges at %.4g s: use a smaller dt or weaker pushes", live->time);
    return status;
}

static void read_bodies(Live *live)
{
    const LiveActor *a = actor_of(live);
    const LumpedBody *lumped = &a->playback.lumped;
    for (int j = 0; j < live->count; j++) {
        int i = lumped->body_of[j], is_own = lumped->carrier[j] == j;
        live->position[j] = joint_place(a, j);
        live->orientation[j] = joint_turn(a, j);
        live->contact[j] = is_own ? a->state.contact[i].force : vec3(0, 0, 0);
        live->torque[j] = is_own ? a->state.torque[i] : vec3(0, 0, 0);
    }
}

static int moves(const Live *live, int body)
{
    (void)live;
    (void)body;
    return 1;
}

static const char *name_of(const Live *live, int body) { return actor_of(live)->clip->skeleton.name[body]; }

static const char *outcome(const Live *live) { return outcome_name(playback_outcome(&actor_of(live)->state)); }

static void free_actor(Live *live)
{
    LiveActor *a = own(live);
    stop(a);
    playback_free(&a->playback);
    free(a->def.soft.joint);
    free(a->gains);
}

static const LiveKind actor_kind = {sizeof(LiveActor), restart, step, read_bodies, moves, name_of, outcome, free_actor};

void live_track_defaults(OptionValues *values)
{
    stage_defaults(&stage_track, values);
    TrackOptions *o = (TrackOptions *)(void *)values;
    o->controller = controller_name(CONTROLLER_KANE_FEEDFORWARD);
    o->root = ROOT_FREE;
}

/* The reference with its last pose held for a while, and the gains of the controller. */
static Status prepare(LiveActor *a, const TrackOptions *o, Error *err)
{
    const Clip *clip = a->clip;
    int kind;
    Status status = track_parse_controller(o->controller, &kind, err);
    if (!status)
        status = track_playback_def(o, clip, &a->def, err);
    if (!status && o->soft_joints)
        status = error_of_file(err, o->soft_joints,
                               soft_joints_read(o->soft_joints, &clip->skeleton, &a->def.soft, err));
    if (status)
        return status;
    double length = (clip->motion.frame_count - 1) * clip->motion.frame_time;
    a->def.duration = (o->duration > 0 ? fmin(o->duration, length) : length) + HOLD;
    status = track_init_playback(o, clip, a->def, &a->playback, err);
    if (!status && o->joint_gains)
        status = track_read_gains(o, clip, &a->playback, &a->gains, err);
    a->controller = track_controller_def(o, kind < 0 ? CONTROLLER_KANE_FEEDFORWARD : (ControllerKind)kind, a->gains);
    return status ? status : live_set_bodies(&a->live, clip->skeleton.joint_count, 1, err);
}

Status live_track(const OptionValues *values, const Clip *clip, Live **out, Error *err)
{
    OptionValues resolved = *values;
    const TrackOptions *o = (const TrackOptions *)(const void *)&resolved;
    Status status = stage_track.check(&resolved, clip, err);
    *out = NULL;
    if (status)
        return status;
    if (o->scene != SCENE_NONE || o->scene_file)
        return error_set(err, STATUS_USAGE, "a character has a clip: leave out scene and scene-file");
    if (!clip->has_body)
        return error_set(err, STATUS_USAGE, "has no body: run its stages first");
    status = live_create(&actor_kind, out, err);
    if (status)
        return status;
    LiveActor *a = own(*out);
    a->clip = clip;
    a->live.step = o->dt;
    status = prepare(a, o, err);
    if (!status)
        status = live_restart(*out, err);
    if (status) {
        live_free(*out);
        *out = NULL;
    }
    return status;
}
