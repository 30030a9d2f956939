#include "pipeline/stages/torque_inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/smoothing.h"
#include "pipeline/stages/history_read.h"

/* By how much inputs are changed: about what they are uncertain by. */
static const double cutoff_step = 1, length_step = 0.01, mass_step = 0.05, segment_step = 0.1;

/* A torque that comes again within this share of it, and this many Nm, is the same. */
static const double same_share = 1e-4, same_torque = 1e-3;

/* What the clip's torque is computed with. */
typedef struct Chain {
    const TorqueQuestion *question;
    OptionValues smooth, diff, contact;
    int is_butterworth;
    int is_estimated;  /* 1: contact runs again; 0: the forces stay where they are in the world */
    Motion smoother;   /* smoothed once more, of a Butterworth */
} Chain;

/* Added to the inputs. */
typedef struct Variation {
    double cutoff; /* Hz */
    double ground; /* m; NaN: as the history says */
    double mass;   /* share */
} Variation;

static const Variation as_it_is = {0, NAN, 0};

/* What the chain behind smoothing starts from. */
static Status copy_clip(const Clip *clip, Clip *out, Error *err)
{
    *out = (Clip){.has_body = 1, .has_trust = clip->has_trust};
    const Trust *trust = &clip->trust;
    Status status = skeleton_copy(&out->skeleton, &clip->skeleton, err);
    if (status == STATUS_OK)
        status = motion_copy(&out->motion, &clip->motion, err);
    if (status == STATUS_OK)
        status = body_copy(&out->body, &clip->body, err);
    if (status == STATUS_OK && clip->has_trust)
        status = trust_init(&out->trust, trust->frame_count, trust->joint_count, trust->joint_reason != NULL, err);
    if (status != STATUS_OK || !clip->has_trust)
        return status;
    size_t frames = (size_t)trust->frame_count;
    memcpy(out->trust.reason, trust->reason, frames * sizeof *trust->reason);
    memcpy(out->trust.trusted, trust->trusted, frames * sizeof *trust->trusted);
    if (trust->joint_reason)
        memcpy(out->trust.joint_reason, trust->joint_reason,
               frames * (size_t)trust->joint_count * sizeof *trust->joint_reason);
    return STATUS_OK;
}

static Vec3 *vector_of(Motion *m, size_t i)
{
    size_t frames = (size_t)m->frame_count;
    return i < frames ? &m->root_position[i] : &m->translation[i - frames];
}

/* The motion with its cutoff moved. */
static void move_cutoff(const Chain *chain, double by, Motion *motion)
{
    const SmoothDef *def = (const SmoothDef *)&chain->smooth;
    double angle = 2 * PI * motion->frame_time, share = 4 * by * angle / elementary_sin(angle * def->cutoff);
    size_t rotations = (size_t)motion->frame_count * (size_t)motion->joint_count;
    size_t vectors = (size_t)motion->frame_count + (motion->translation ? rotations : 0);
    Motion smoother = chain->smoother;
    for (size_t i = 0; i < vectors; i++) {
        Vec3 *x = vector_of(motion, i);
        *x = vec3_mad(*x, share, vec3_sub(*x, *vector_of(&smoother, i)));
    }
    for (size_t i = 0; i < rotations; i++) {
        Quat q = motion->rotation[i], s = quat_nearest(smoother.rotation[i], q);
        motion->rotation[i] = quat_normalize((Quat){q.w + share * (q.w - s.w), q.x + share * (q.x - s.x),
                                                    q.y + share * (q.y - s.y), q.z + share * (q.z - s.z)});
    }
}

static void scale_mass(double factor, Body *body)
{
    body->total_mass *= factor;
    for (int j = 0; j < body->joint_count; j++) {
        body->mass[j] *= factor;
        body->inertia[j] = sym3_scale(body->inertia[j], factor);
    }
}

/* Forces that were not estimated stay where they were. */
static Status loads_of(const Chain *chain, const Clip *clip, Loads *out, Error *err)
{
    const TorqueTables *tables = chain->question->tables;
    const Clip *loaded = chain->is_estimated ? clip : chain->question->clip;
    Status status = STATUS_OK;
    if (tables->external)
        status = torque_loads_of_table(tables->external, clip, out, err);
    else if (loaded->has_contact && loaded->contact.point_count > 0)
        status = loads_from_contact(&loaded->contact, &loaded->kinematics, out, err);
    if (status == STATUS_OK && tables->springs)
        status = torque_loads_add_springs(tables->springs, clip, out, err);
    return status;
}

static Status solve(const Chain *chain, Clip *clip, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    Status status = stage_apply(&stage_diff, &chain->diff, clip, NULL, err);
    if (status == STATUS_OK && chain->is_estimated)
        status = stage_apply(&stage_contact, &chain->contact, clip, NULL, err);
    if (status == STATUS_OK)
        status = loads_of(chain, clip, &loads, err);
    ClipView view = clip_view(clip);
    if (status == STATUS_OK)
        status = inverse_dynamics(&view, &loads, &def, &clip->dynamics, err);
    loads_free(&loads);
    return status;
}

static Status run(const Chain *chain, Variation variation, Vec3 *torque, Error *err)
{
    const TorqueQuestion *q = chain->question;
    Chain varied = *chain;
    Clip clip;
    Status status = copy_clip(q->clip, &clip, err);
    if (status == STATUS_OK && variation.cutoff != 0)
        move_cutoff(chain, variation.cutoff, &clip.motion);
    if (status == STATUS_OK)
        scale_mass(1 + variation.mass, &clip.body);
    if (!isnan(variation.ground)) {
        const Option *ground = option_find(stage_contact.command.options, "ground");
        double height = q->clip->contact.ground_height + variation.ground;
        memcpy(varied.contact.bytes + ground->offset, &height, sizeof height);
    }
    if (status == STATUS_OK)
        status = solve(&varied, &clip, err);
    if (status == STATUS_OK)
        *torque = clip.dynamics.torque[motion_index(&clip.motion, q->frame, q->joint)];
    clip_free(&clip);
    return status;
}

/* Runs at half a step less and more. */
static Status add_run(const Chain *chain, TorqueInput input, Variation half, TorqueInputs *out, Error *err)
{
    Variation less = {-half.cutoff, -half.ground, -half.mass};
    Vec3 low, high;
    Status status = run(chain, less, &low, err);
    if (status == STATUS_OK)
        status = run(chain, half, &high, err);
    if (status != STATUS_OK)
        return status;
    input.change = vec3_sub(high, low);
    out->input[out->count++] = input;
    return STATUS_OK;
}

static Status add_runs(const Chain *chain, TorqueInputs *out, Error *err)
{
    Status status = STATUS_OK;
    if (chain->is_butterworth)
        status = add_run(chain, (TorqueInput){.name = "cutoff", .step = cutoff_step, .unit = "Hz"},
                         (Variation){cutoff_step / 2, NAN, 0}, out, err);
    if (status == STATUS_OK && chain->is_estimated)
        status = add_run(chain, (TorqueInput){.name = "ground", .step = length_step, .unit = "m"},
                         (Variation){0, length_step / 2, 0}, out, err);
    if (status == STATUS_OK && chain->is_estimated)
        status = add_run(chain, (TorqueInput){.name = "mass", .step = mass_step, .unit = "1"},
                         (Variation){0, NAN, mass_step / 2}, out, err);
    return status;
}

/* The torque is linear in the masses while forces of the ground stay; a shift by d of what pushes with F changes it by
 * -d x F, and so does a shift of the joint's centre with what the joint exerts. */
static void add_exact(const TermLoad *term, TorqueInputs *out)
{
    static const char *const centre[] = {"joint_centre_x", "joint_centre_y", "joint_centre_z"};
    static const char *const pressure[] = {"pressure_centre_x", NULL, "pressure_centre_z"};
    Vec3 segments = vec3(0, 0, 0), exerted = vec3(0, 0, 0);
    Vec3 ground = vec3_add(term[TERM_GROUND_LEFT].force, term[TERM_GROUND_RIGHT].force);
    for (int i = 0; i <= TERM_GYROSCOPIC; i++)
        segments = vec3_add(segments, term[i].moment);
    for (int i = 0; i < TERM_COUNT; i++)
        exerted = vec3_sub(exerted, term[i].force);
    out->input[out->count++] =
        (TorqueInput){"segments", segment_step, "1", 1, vec3_scale(segments, segment_step)};
    for (int axis = 0; axis < 3; axis++) {
        Vec3 step = vec3(axis == 0 ? length_step : 0, axis == 1 ? length_step : 0, axis == 2 ? length_step : 0);
        out->input[out->count++] =
            (TorqueInput){centre[axis], length_step, "m", 1, vec3_cross(exerted, step)};
        if (pressure[axis] && vec3_norm(ground) > 0)
            out->input[out->count++] =
                (TorqueInput){pressure[axis], length_step, "m", 1, vec3_cross(ground, step)};
    }
}

static int larger_first(const void *a, const void *b)
{
    double x = vec3_norm(((const TorqueInput *)a)->change), y = vec3_norm(((const TorqueInput *)b)->change);
    return (x < y) - (x > y);
}

static int was_smoothed(const Clip *clip)
{
    return clip->provenance.history && strstr(clip->provenance.history, "\nsmooth ");
}

/* The motion smoothed once more at its own cutoff. */
static Status smooth_again(Chain *chain, Error *err)
{
    Clip clip;
    Status status = copy_clip(chain->question->clip, &clip, err);
    if (status == STATUS_OK)
        status = stage_apply(&stage_smooth, &chain->smooth, &clip, NULL, err);
    chain->smoother = clip.motion;
    clip.motion = (Motion){0};
    clip_free(&clip);
    return status;
}

static Status init(Chain *chain, const TorqueQuestion *q, Error *err)
{
    char file[200];
    *chain = (Chain){.question = q};
    const SmoothDef *def = (const SmoothDef *)&chain->smooth;
    Status status = history_read(q->clip, &stage_smooth, &chain->smooth, file, sizeof file, err);
    if (status == STATUS_OK)
        status = history_read(q->clip, &stage_diff, &chain->diff, file, sizeof file, err);
    if (status == STATUS_OK)
        status = history_read(q->clip, &stage_contact, &chain->contact, file, sizeof file, err);
    if (status != STATUS_OK)
        return status;
    chain->is_estimated = !*file && q->clip->has_contact && q->clip->contact.point_count > 0;
    chain->is_butterworth = was_smoothed(q->clip) && def->method == SMOOTH_BUTTERWORTH && def->cutoff > 0;
    return chain->is_butterworth ? smooth_again(chain, err) : STATUS_OK;
}

/* Whether the history gives the torque that the clip holds. */
static Status comes_again(const Chain *chain, int *same, Error *err)
{
    const TorqueQuestion *q = chain->question;
    Vec3 held = q->clip->dynamics.torque[motion_index(&q->clip->motion, q->frame, q->joint)], again = held;
    Status status = run(chain, as_it_is, &again, err);
    *same = vec3_distance(held, again) <= same_torque + same_share * vec3_norm(held);
    return status;
}

Status torque_inputs_find(const TorqueQuestion *question, TorqueInputs *out, Notes *notes, Error *err)
{
    Chain chain;
    int same = 0;
    *out = (TorqueInputs){0};
    Status status = init(&chain, question, err);
    if (status == STATUS_OK)
        status = comes_again(&chain, &same, err);
    if (status == STATUS_OK && same)
        status = add_runs(&chain, out, err);
    else if (status == STATUS_OK)
        status = notes_add(notes, (Note){NOTE_WARNING, 0, 0, "its history does not give this torque again: cutoff, "
                                                             "ground and mass are left out"}, err);
    if (status == STATUS_OK) {
        add_exact(question->term, out);
        qsort(out->input, (size_t)out->count, sizeof *out->input, larger_first);
    }
    motion_free(&chain.smoother);
    return status;
}
