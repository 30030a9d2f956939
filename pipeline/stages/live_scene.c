/* A scene while time passes (live.h). */
#include <math.h>

#include "analysis/sim/scene_clip.h"
#include "pipeline/stages/live_internal.h"
#include "pipeline/stages/scene_file.h"
#include "pipeline/stages/scene_run.h"

typedef struct LiveScene {
    Live live;
    SimulateOptions options;
    Model model;
    SceneRun run;
    Quat up; /* from the model's axes to the world's */
} LiveScene;

static const LiveScene *scene_of(const Live *live) { return (const LiveScene *)(const void *)live; }
static LiveScene *own(Live *live) { return (LiveScene *)(void *)live; }

static Status restart(Live *live, Error *err)
{
    LiveScene *s = own(live);
    scene_run_free(&s->run);
    s->run = (SceneRun){.given = &s->options, .model = &s->model};
    Status status = scene_run_init(&s->run, err);
    if (!status)
        live->step = scene_step_size(s->run.scene);
    return status;
}

static Status step(Live *live, Error *err)
{
    LiveScene *s = own(live);
    const ModelMotion *m = scene_motion(s->run.scene);
    for (int i = 0; i < live->count; i++) {
        const LivePush *push = &live->push[i];
        if (!(vec3_norm(push->force) > 0))
            continue;
        Vec3 force = quat_rotate_inverse(s->up, push->force);
        Vec3 arm = quat_rotate(m->orientation[i + 1], push->point);
        scene_apply_at(s->run.scene, i + 1, force, vec3_cross(arm, force));
    }
    return scene_step(s->run.scene, err);
}

static void read_bodies(Live *live)
{
    LiveScene *s = own(live);
    const ModelMotion *m = scene_motion(s->run.scene);
    for (int i = 0; i < live->count; i++) {
        live->position[i] = quat_rotate(s->up, m->position[i + 1]);
        live->orientation[i] = quat_mul(s->up, m->orientation[i + 1]);
        live->contact[i] = quat_rotate(s->up, scene_contact_force(s->run.scene, i + 1));
    }
}

/* Whether the body or one that carries it has a joint. */
static int moves(const Live *live, int body)
{
    const Model *m = &scene_of(live)->model;
    int b = body + 1;
    while (b > 0 && m->body[b].joint_count == 0)
        b = m->body[b].parent;
    return b > 0;
}

static const char *name_of(const Live *live, int body) { return scene_of(live)->model.body[body + 1].name; }

static const char *outcome(const Live *live)
{
    (void)live;
    return "";
}

static void free_scene(Live *live)
{
    LiveScene *s = own(live);
    scene_run_free(&s->run);
    model_free(&s->model);
}

static const LiveKind scene_kind = {sizeof(LiveScene), restart, step, read_bodies, moves, name_of, outcome, free_scene};

static Status prepare(LiveScene *s, const char *path, Error *err)
{
    const char *name;
    if (!(s->options.clip.duration > 0))
        s->options.clip.duration = scene_clip_default_def().duration;
    Status status = simulate_check_scene(&s->options, SIMULATE_FEATURES, err);
    if (!status)
        status = scene_file_read(path, s->options.leave_out, &s->model, NULL, err);
    if (!status)
        status = scene_run_gravity(&s->options, &s->model, err);
    if (status)
        return status;
    s->up = scene_up_turn(&s->model, &name);
    status = live_set_bodies(&s->live, s->model.body_count - 1, 0, err);
    return status ? status : live_restart(&s->live, err);
}

Status live_scene(const SimulateOptions *options, const char *path, Live **out, Error *err)
{
    Status status = live_create(&scene_kind, out, err);
    if (status)
        return status;
    LiveScene *s = own(*out);
    s->options = *options;
    status = prepare(s, path, err);
    if (status) {
        live_free(*out);
        *out = NULL;
    }
    return status;
}
