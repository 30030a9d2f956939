/* See torque_what_if.h. */
#include "pipeline/stages/torque_what_if.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/smoothing.h"
#include "pipeline/stages/history_read.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

/* Steps of the inputs, about their uncertainties: Hz, m, fraction, fraction. */
static const double cutoff_step = 1, length_step = 0.01, mass_step = 0.05, segment_step = 0.1;

/* Two torques closer than this fraction plus this many N m are equal. */
static const double same_fraction = 1e-4, same_torque = 1e-3;

/* The stages that compute the clip's torque. */
typedef struct TorqueRerun {
    const TorqueQuestion *question;
    OptionValues smooth, kinematics, contact;
    int is_butterworth;
    int is_estimated;  /* 1: contact runs again; 0: forces keep their points of application in the world */
    Motion smoother;   /* smoothed once more (Butterworth only) */
} TorqueRerun;

/* Changes of the inputs. */
typedef struct Variation {
    double cutoff; /* Hz */
    double ground; /* m; NaN: height as in the history */
    double mass;   /* fraction */
} Variation;

static const Variation as_it_is = {0, NAN, 0};

static Vec3 *motion_vector(Motion *m, size_t i)
{
    size_t frames = (size_t)m->frame_count;
    return i < frames ? &m->root_position[i] : &m->translation[i - frames];
}

/* Changes the cutoff of the motion by `by` Hz, to first order (torque_what_if.h). */
static void move_cutoff(const TorqueRerun *rerun, double by, Motion *motion)
{
    const SmoothDef *def = (const SmoothDef *)&rerun->smooth;
    double angle = 2 * PI * motion->frame_time, weight = 4 * by * angle / elementary_sin(angle * def->cutoff);
    size_t rotations = (size_t)motion->frame_count * (size_t)motion->joint_count;
    size_t vectors = (size_t)motion->frame_count + (motion->translation ? rotations : 0);
    Motion smoother = rerun->smoother;
    for (size_t i = 0; i < vectors; i++) {
        Vec3 *x = motion_vector(motion, i);
        *x = vec3_mad(*x, weight, vec3_sub(*x, *motion_vector(&smoother, i)));
    }
    for (size_t i = 0; i < rotations; i++) {
        Quat q = motion->rotation[i], s = quat_nearest(smoother.rotation[i], q);
        motion->rotation[i] = quat_normalize((Quat){q.w + weight * (q.w - s.w), q.x + weight * (q.x - s.x),
                                                    q.y + weight * (q.y - s.y), q.z + weight * (q.z - s.z)});
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

/* Collects the loads; forces that were not estimated keep their points of application in the world. */
static Status rerun_loads(const TorqueRerun *rerun, const Clip *clip, Loads *out, Error *err)
{
    const TorqueTables *tables = rerun->question->tables;
    const Clip *loaded = rerun->is_estimated ? clip : rerun->question->clip;
    MeasuredFile measured = {0};
    Status status = STATUS_OK;
    if (tables->external)
        status = torque_loads_of_table(tables->external, clip, &measured, out, err);
    else if (loaded->has_contact && loaded->contact.point_count > 0)
        status = loads_from_contact(&loaded->contact, &loaded->kinematics, out, err);
    if (!status && tables->springs)
        status = torque_loads_add_springs(tables, clip, out, err);
    measured_file_free(&measured);
    return status;
}

static Status solve(const TorqueRerun *rerun, Clip *clip, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    Status status = stage_apply(&stage_kinematics, &rerun->kinematics, clip, NULL, err);
    if (!status && rerun->is_estimated)
        status = stage_apply(&stage_contact, &rerun->contact, clip, NULL, err);
    if (!status)
        status = rerun_loads(rerun, clip, &loads, err);
    ClipView view = clip_view(clip);
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &clip->dynamics, err);
    loads_free(&loads);
    return status;
}

static Status run(const TorqueRerun *rerun, Variation variation, Vec3 *torque, Error *err)
{
    const TorqueQuestion *q = rerun->question;
    TorqueRerun varied = *rerun;
    Clip clip;
    Status status = clip_copy(q->clip, CLIP_ALWAYS | CLIP_BODY, &clip, err);
    if (!status && variation.cutoff != 0)
        move_cutoff(rerun, variation.cutoff, &clip.motion);
    if (!status)
        scale_mass(1 + variation.mass, &clip.body);
    if (!isnan(variation.ground)) {
        const Option *ground = option_find(stage_contact.command.options, "ground");
        double height = q->clip->contact.ground_height + variation.ground;
        memcpy(varied.contact.bytes + ground->offset, &height, sizeof height);
    }
    if (!status)
        status = solve(&varied, &clip, err);
    if (!status)
        *torque = clip.dynamics.torque[motion_index(&clip.motion, q->frame, q->joint)];
    clip_free(&clip);
    return status;
}

/* Adds the central difference of runs at minus and plus half a step. */
static Status add_run(const TorqueRerun *rerun, TorqueInput input, Variation half, TorqueWhatIf *out, Error *err)
{
    Variation less = {-half.cutoff, -half.ground, -half.mass};
    Vec3 low, high;
    Status status;
    if ((status = run(rerun, less, &low, err)) || (status = run(rerun, half, &high, err)))
        return status;
    input.change = vec3_sub(high, low);
    out->input[out->count++] = input;
    return STATUS_OK;
}

static Status add_runs(const TorqueRerun *rerun, TorqueWhatIf *out, Error *err)
{
    Status status = STATUS_OK;
    if (rerun->is_butterworth)
        status = add_run(rerun, (TorqueInput){.name = "cutoff", .step = cutoff_step, .unit = "Hz"},
                         (Variation){cutoff_step / 2, NAN, 0}, out, err);
    if (!status && rerun->is_estimated)
        status = add_run(rerun, (TorqueInput){.name = "ground", .step = length_step, .unit = "m"},
                         (Variation){0, length_step / 2, 0}, out, err);
    if (!status && rerun->is_estimated)
        status = add_run(rerun, (TorqueInput){.name = "mass", .step = mass_step, .unit = "1"},
                         (Variation){0, NAN, mass_step / 2}, out, err);
    return status;
}

/* Adds the inputs in which the torque is linear: segment masses at constant ground forces; shifting a load F by d
 * changes the torque by -d x F, and so does shifting the joint centre, with F the force exerted by the joint. */
static void add_exact(const TermLoad *term, TorqueWhatIf *out)
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

/* Smooths the smoothed motion again with the same cutoff. */
static Status smooth_again(TorqueRerun *rerun, Error *err)
{
    Clip clip;
    Status status = clip_copy(rerun->question->clip, CLIP_ALWAYS | CLIP_BODY, &clip, err);
    if (!status)
        status = stage_apply(&stage_smooth, &rerun->smooth, &clip, NULL, err);
    rerun->smoother = clip.motion;
    clip.motion = (Motion){0};
    clip_free(&clip);
    return status;
}

static Status init(TorqueRerun *rerun, const TorqueQuestion *q, Error *err)
{
    char file[200];
    *rerun = (TorqueRerun){.question = q};
    const SmoothDef *def = (const SmoothDef *)&rerun->smooth;
    Status status;
    if ((status = history_read(q->clip, &stage_smooth, &rerun->smooth, file, sizeof file, err)) ||
        (status = history_read(q->clip, &stage_kinematics, &rerun->kinematics, file, sizeof file, err)) ||
        (status = history_read(q->clip, &stage_contact, &rerun->contact, file, sizeof file, err)))
        return status;
    rerun->is_estimated = !*file && q->clip->has_contact && q->clip->contact.point_count > 0;
    rerun->is_butterworth = was_smoothed(q->clip) && def->method == SMOOTH_BUTTERWORTH && def->cutoff > 0;
    return rerun->is_butterworth ? smooth_again(rerun, err) : STATUS_OK;
}

/* Finds whether the history reproduces the stored torque. */
static Status comes_again(const TorqueRerun *rerun, int *same, Error *err)
{
    const TorqueQuestion *q = rerun->question;
    Vec3 held = q->clip->dynamics.torque[motion_index(&q->clip->motion, q->frame, q->joint)], again = held;
    Status status = run(rerun, as_it_is, &again, err);
    *same = vec3_distance(held, again) <= same_torque + same_fraction * vec3_norm(held);
    return status;
}

Status torque_what_if_find(const TorqueQuestion *question, TorqueWhatIf *out, Notes *notes, Error *err)
{
    TorqueRerun rerun;
    int same = 0;
    *out = (TorqueWhatIf){0};
    Status status = init(&rerun, question, err);
    if (!status)
        status = comes_again(&rerun, &same, err);
    if (!status && same)
        status = add_runs(&rerun, out, err);
    else if (!status)
        status = notes_add(notes, (Note){NOTE_WARNING, 0, 0, "the torque is not reproduced by its history: cutoff, "
                                                             "ground and mass are omitted"}, err);
    if (!status) {
        add_exact(question->term, out);
        qsort(out->input, (size_t)out->count, sizeof *out->input, larger_first);
    }
    motion_free(&rerun.smoother);
    return status;
}
