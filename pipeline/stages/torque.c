/* kane torque: inverse dynamics. */
#include "pipeline/stages/torque.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/anatomy/coordinates.h"
#include "analysis/body/body_model.h"
#include "analysis/contact/foot_load.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/smoothing.h"
#include "formats/tables/body_tables.h"
#include "pipeline/stages/plates.h"
#include "pipeline/stages/stage.h"

/* Loads of inverse dynamics. */

Status torque_loads_of_table(const char *path, const Clip *clip, Loads *loads, Error *err)
{
    ExternalRows rows;
    if (clip->has_contact && clip->contact.point_count > 0)
        return error_set(err, STATUS_BAD_INPUT, "/contact already has forces; omit --external");
    Status status = error_of_file(err, path, external_read(path, &clip->skeleton, &rows, err));
    if (status)
        return status;
    status = loads_from_external(&rows, &clip->motion, loads, err);
    external_rows_free(&rows);
    return status;
}

Status spring_laws_check(const char *springs, const char *laws, Error *err)
{
    return laws && !springs ? error_set(err, STATUS_USAGE, "--spring-laws has no effect without --springs") : STATUS_OK;
}

Status torque_loads_add_springs(const TorqueTables *tables, const Clip *clip, Loads *loads, Error *err)
{
    Springs springs;
    Loads all = {0};
    SpringFiles files = {.springs = tables->springs, .laws = tables->spring_laws};
    const Kinematics *k = &clip->kinematics;
    SpringPose start = {k->position, k->orientation, k->velocity, k->angular_velocity};
    Status status = springs_read(&files, &clip->skeleton, &springs, err);
    if (status)
        return status;
    springs_settle(&springs, &start);
    status = springs_loads(&springs, &clip->kinematics, loads, &all, err);
    springs_free(&springs);
    if (status)
        return status;
    loads_free(loads);
    *loads = all;
    return STATUS_OK;
}

/* Adds the sources of the loads just appended. */
static void add_source(TorqueLoads *l, const Clip *clip, TorqueTerm term)
{
    static const TorqueTerm of_foot[] = {[FOOT_LEFT] = TERM_GROUND_LEFT, [FOOT_RIGHT] = TERM_GROUND_RIGHT,
                                         [FOOT_COUNT] = TERM_CONTACT};
    const Loads *loads = &l->loads[l->count];
    TorqueTerm *of = arena_array(&l->memory, (size_t)loads->load_count, 1, sizeof *of);
    for (int i = 0; of && i < loads->load_count; i++)
        of[i] = term == TERM_CONTACT ? of_foot[foot_of_segment(clip->skeleton.segment[loads->joint[i]])] : term;
    l->source[l->count++] = (TermSource){loads, of};
}

/* Rejects missing tables that the history names. */
static Status check_tables(const Clip *clip, const TorqueTables *tables, Error *err)
{
    OptionValues values;
    char file[200];
    Status status = history_read(clip, &stage_torque, &values, file, sizeof file, err);
    if (!status && *file && !tables->external && !tables->springs)
        return error_set(err, STATUS_BAD_INPUT,
                         "its torques were computed with %s, which is not in the clip; give it as --external or "
                         "--springs",
                         file);
    return status;
}

Status torque_loads_init(TorqueLoads *l, const Clip *clip, const TorqueTables *tables, Error *err)
{
    *l = (TorqueLoads){0};
    Status status = check_tables(clip, tables, err);
    if (!status)
        status = spring_laws_check(tables->springs, tables->spring_laws, err);
    if (!status && clip->has_contact && clip->contact.point_count > 0 && !tables->external) {
        status = loads_from_contact(&clip->contact, &clip->kinematics, &l->loads[l->count], err);
        add_source(l, clip, TERM_CONTACT);
    }
    if (!status && tables->external) {
        status = torque_loads_of_table(tables->external, clip, &l->loads[l->count], err);
        add_source(l, clip, TERM_EXTERNAL);
    }
    if (!status && tables->springs) {
        status = torque_loads_add_springs(tables, clip, &l->loads[l->count], err);
        add_source(l, clip, TERM_SPRINGS);
    }
    if (!status && l->memory.failed)
        status = error_no_memory(err);
    if (status)
        torque_loads_free(l);
    return status;
}

void torque_loads_free(TorqueLoads *l)
{
    for (int i = 0; i < TERM_SOURCES; i++)
        loads_free(&l->loads[i]);
    arena_free(&l->memory);
    *l = (TorqueLoads){0};
}

/* Sensitivity of a joint torque to its inputs. */

/* Steps of the inputs, about their uncertainties: Hz, m, fraction, fraction. */
static const double cutoff_step = 1, length_step = 0.01, mass_step = 0.05, segment_step = 0.1;

/* Two torques closer than this fraction plus this many Nm are equal. */
static const double same_fraction = 1e-4, same_torque = 1e-3;

/* The chain that computes the clip's torque. */
typedef struct JointPath {
    const TorqueQuestion *question;
    OptionValues smooth, kinematics, contact;
    int is_butterworth;
    int is_estimated;  /* 1: contact runs again; 0: forces keep their points of application in the world */
    Motion smoother;   /* smoothed once more (Butterworth only) */
} JointPath;

/* Changes of the inputs. */
typedef struct Variation {
    double cutoff; /* Hz */
    double ground; /* m; NaN: height as in the history */
    double mass;   /* fraction */
} Variation;

static const Variation as_it_is = {0, NAN, 0};

static Vec3 *vector_of(Motion *m, size_t i)
{
    size_t frames = (size_t)m->frame_count;
    return i < frames ? &m->root_position[i] : &m->translation[i - frames];
}

/* Changes the cutoff of the motion by `by` Hz, to first order (torque.h). */
static void move_cutoff(const JointPath *chain, double by, Motion *motion)
{
    const SmoothDef *def = (const SmoothDef *)&chain->smooth;
    double angle = 2 * PI * motion->frame_time, weight = 4 * by * angle / elementary_sin(angle * def->cutoff);
    size_t rotations = (size_t)motion->frame_count * (size_t)motion->joint_count;
    size_t vectors = (size_t)motion->frame_count + (motion->translation ? rotations : 0);
    Motion smoother = chain->smoother;
    for (size_t i = 0; i < vectors; i++) {
        Vec3 *x = vector_of(motion, i);
        *x = vec3_mad(*x, weight, vec3_sub(*x, *vector_of(&smoother, i)));
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
static Status loads_of(const JointPath *chain, const Clip *clip, Loads *out, Error *err)
{
    const TorqueTables *tables = chain->question->tables;
    const Clip *loaded = chain->is_estimated ? clip : chain->question->clip;
    Status status = STATUS_OK;
    if (tables->external)
        status = torque_loads_of_table(tables->external, clip, out, err);
    else if (loaded->has_contact && loaded->contact.point_count > 0)
        status = loads_from_contact(&loaded->contact, &loaded->kinematics, out, err);
    if (!status && tables->springs)
        status = torque_loads_add_springs(tables, clip, out, err);
    return status;
}

static Status solve(const JointPath *chain, Clip *clip, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    Status status = stage_apply(&stage_kinematics, &chain->kinematics, clip, NULL, err);
    if (!status && chain->is_estimated)
        status = stage_apply(&stage_contact, &chain->contact, clip, NULL, err);
    if (!status)
        status = loads_of(chain, clip, &loads, err);
    ClipView view = clip_view(clip);
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &clip->dynamics, err);
    loads_free(&loads);
    return status;
}

static Status run(const JointPath *chain, Variation variation, Vec3 *torque, Error *err)
{
    const TorqueQuestion *q = chain->question;
    JointPath varied = *chain;
    Clip clip;
    Status status = clip_copy(q->clip, CLIP_ALWAYS | CLIP_BODY, &clip, err);
    if (!status && variation.cutoff != 0)
        move_cutoff(chain, variation.cutoff, &clip.motion);
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
static Status add_run(const JointPath *chain, TorqueInput input, Variation half, TorqueWhatIf *out, Error *err)
{
    Variation less = {-half.cutoff, -half.ground, -half.mass};
    Vec3 low, high;
    Status status;
    if ((status = run(chain, less, &low, err)) || (status = run(chain, half, &high, err)))
        return status;
    input.change = vec3_sub(high, low);
    out->input[out->count++] = input;
    return STATUS_OK;
}

static Status add_runs(const JointPath *chain, TorqueWhatIf *out, Error *err)
{
    Status status = STATUS_OK;
    if (chain->is_butterworth)
        status = add_run(chain, (TorqueInput){.name = "cutoff", .step = cutoff_step, .unit = "Hz"},
                         (Variation){cutoff_step / 2, NAN, 0}, out, err);
    if (!status && chain->is_estimated)
        status = add_run(chain, (TorqueInput){.name = "ground", .step = length_step, .unit = "m"},
                         (Variation){0, length_step / 2, 0}, out, err);
    if (!status && chain->is_estimated)
        status = add_run(chain, (TorqueInput){.name = "mass", .step = mass_step, .unit = "1"},
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
static Status smooth_again(JointPath *chain, Error *err)
{
    Clip clip;
    Status status = clip_copy(chain->question->clip, CLIP_ALWAYS | CLIP_BODY, &clip, err);
    if (!status)
        status = stage_apply(&stage_smooth, &chain->smooth, &clip, NULL, err);
    chain->smoother = clip.motion;
    clip.motion = (Motion){0};
    clip_free(&clip);
    return status;
}

static Status init(JointPath *chain, const TorqueQuestion *q, Error *err)
{
    char file[200];
    *chain = (JointPath){.question = q};
    const SmoothDef *def = (const SmoothDef *)&chain->smooth;
    Status status;
    if ((status = history_read(q->clip, &stage_smooth, &chain->smooth, file, sizeof file, err)) ||
        (status = history_read(q->clip, &stage_kinematics, &chain->kinematics, file, sizeof file, err)) ||
        (status = history_read(q->clip, &stage_contact, &chain->contact, file, sizeof file, err)))
        return status;
    chain->is_estimated = !*file && q->clip->has_contact && q->clip->contact.point_count > 0;
    chain->is_butterworth = was_smoothed(q->clip) && def->method == SMOOTH_BUTTERWORTH && def->cutoff > 0;
    return chain->is_butterworth ? smooth_again(chain, err) : STATUS_OK;
}

/* Finds whether the history reproduces the stored torque. */
static Status comes_again(const JointPath *chain, int *same, Error *err)
{
    const TorqueQuestion *q = chain->question;
    Vec3 held = q->clip->dynamics.torque[motion_index(&q->clip->motion, q->frame, q->joint)], again = held;
    Status status = run(chain, as_it_is, &again, err);
    *same = vec3_distance(held, again) <= same_torque + same_fraction * vec3_norm(held);
    return status;
}

Status torque_what_if_find(const TorqueQuestion *question, TorqueWhatIf *out, Notes *notes, Error *err)
{
    JointPath chain;
    int same = 0;
    *out = (TorqueWhatIf){0};
    Status status = init(&chain, question, err);
    if (!status)
        status = comes_again(&chain, &same, err);
    if (!status && same)
        status = add_runs(&chain, out, err);
    else if (!status)
        status = notes_add(notes, (Note){NOTE_WARNING, 0, 0, "the torque is not reproduced by its history: cutoff, "
                                                             "ground and mass are omitted"}, err);
    if (!status) {
        add_exact(question->term, out);
        qsort(out->input, (size_t)out->count, sizeof *out->input, larger_first);
    }
    motion_free(&chain.smoother);
    return status;
}

/* Torque uncertainty. */

/* Finds the filter cutoff in Hz; 0: none. */
static Status find_cutoff(const Clip *clip, double *cutoff, Error *err)
{
    OptionValues values;
    char file[8];
    *cutoff = 0;
    if (!history_has(clip, &stage_smooth))
        return STATUS_OK;
    Status status = history_read(clip, &stage_smooth, &values, file, sizeof file, err);
    const SmoothDef *def = (const SmoothDef *)&values;
    if (!status && (def->method == SMOOTH_BUTTERWORTH || def->method == SMOOTH_SPRING))
        *cutoff = def->cutoff;
    return status;
}

static Status find_difference(const Clip *clip, DifferenceDef *def, Error *err)
{
    OptionValues values;
    char file[8];
    Status status = history_read(clip, &stage_kinematics, &values, file, sizeof file, err);
    if (!status)
        *def = *(const DifferenceDef *)&values;
    return status ? status : stage_lanes(&def->lanes, err);
}

static GroundSource ground_source(const Clip *clip, int measured)
{
    if (measured || history_line_has(clip, &stage_contact, "--external "))
        return GROUND_MEASURED;
    return clip->has_contact && clip->contact.point_count > 0 ? GROUND_ESTIMATED : GROUND_NONE;
}

Status uncertainty_contact_of(const Clip *clip, UncertaintyDef *def, uint8_t **bridged, Error *err)
{
    OptionValues values;
    char file[8];
    Status status = history_read(clip, &stage_contact, &values, file, sizeof file, err);
    if (!status)
        status = contact_def_find(&values, clip, &def->contact, bridged, err);
    def->ground_height = clip->contact.ground_height;
    return status;
}

/* Widens the uncertainty of the segments by that of the neutral pose, unless an option set the pose. */
static Status widen_by_pose(const Clip *clip, UncertaintyDef *def, Error *err)
{
    if (history_line_has(clip, &stage_body, " --neutral-pose "))
        return STATUS_OK;
    Arena arena = {0};
    NeutralPose neutral;
    ClipView view = clip_view(clip);
    Status status = neutral_pose_of_motion(&neutral, &view, &arena, err);
    if (!status) {
        NeutralDoubt doubt = neutral_pose_doubt(&neutral);
        spread_terms_widen(body_model_of(&clip->body) == BODY_DELEVA ? doubt.trunk : 0, doubt.foot, def->size);
    }
    arena_free(&arena);
    return status;
}

Status uncertainty_def_of(TorqueUncertainty how, const Clip *clip, int measured, UncertaintyDef *def, Error *err)
{
    GroundSource ground = ground_source(clip, measured);
    *def = uncertainty_default_def(how == UNCERTAINTY_FULL && ground == GROUND_ESTIMATED ? SPREAD_FULL : SPREAD_FAST);
    def->ground = ground;
    Status status = find_cutoff(clip, &def->filter.cutoff, err);
    if (!status)
        status = widen_by_pose(clip, def, err);
    return status ? status : find_difference(clip, &def->filter.difference, err);
}

Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, const TorqueTables *tables, Error *err)
{
    UncertaintyDef def;
    Loads ground_loads = {0};
    uint8_t *bridged = NULL;
    if (how == UNCERTAINTY_NONE)
        return STATUS_OK;
    ClipView view = clip_view(clip);
    Status status = uncertainty_def_of(how, clip, tables->external != NULL, &def, err);
    def.ground_loads = tables->springs && !tables->external ? &ground_loads : loads;
    if (!status && def.ground_loads == &ground_loads && clip->has_contact)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &ground_loads, err);
    if (!status && def.method == SPREAD_FULL)
        status = uncertainty_contact_of(clip, &def, &bridged, err);
    if (!status)
        status = torque_uncertainty(&view, loads, &def, &clip->dynamics, err);
    loads_free(&ground_loads);
    free(bridged);
    return status;
}

#define ERROR_LIMIT 0.5 /* Nm/kg; docs/validation/uncertainty.md */

typedef struct TorqueOptions {
    TorqueTables tables;
    TorqueUncertainty uncertainty;
    double error_limit; /* Nm/kg */
} TorqueOptions;

_Static_assert(sizeof(TorqueOptions) <= sizeof(OptionValues), "a stage's options have their place");

static void defaults(OptionValues *values)
{
    TorqueOptions *o = (TorqueOptions *)values;
    o->uncertainty = UNCERTAINTY_FAST;
    o->error_limit = ERROR_LIMIT;
}

static const char *const uncertainty_names[] = {"none", "fast", "full", NULL};

static const Option options[] = {
    {.name = "external", .argument = "FILE.tsv",
     .help = "Table of measured forces if the contact stage was skipped, columns time joint fx fy fz px py pz tx ty tz",
     .kind = &option_file, .offset = offsetof(TorqueOptions, tables.external)},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Table of ligaments, tendons and bushings, columns name kind joint_a ax ay az joint_b bx by bz stiffness "
             "damping rest",
     .kind = &option_file, .offset = offsetof(TorqueOptions, tables.springs)},
    {.name = "spring-laws", .argument = "FILE.tsv",
     .help = "Table of spring laws, columns law length rate force; springs name them in a column law",
     .kind = &option_file, .offset = offsetof(TorqueOptions, tables.spring_laws)},
    {.name = "uncertainty", .argument = "none|fast|full",
     .help = "Torque standard deviations: fast = linear propagation, full = also re-estimates ground forces for 8 "
             "perturbed cases",
     .kind = &option_choice, .offset = offsetof(TorqueOptions, uncertainty), .choices = uncertainty_names},
    {.name = "error-limit", .argument = "NM_KG",
     .help = "Expected error above which a torque is flagged as uncertain, Nm/kg",
     .kind = &option_positive, .offset = offsetof(TorqueOptions, error_limit)},
    {0},
};

/* Warns if the clip has no valid or no trusted frame. */
static Status warn_of_frames(Clip *clip, Notes *notes, Error *err)
{
    const Kinematics *k = &clip->kinematics;
    int valid = 0, trusted = 0;
    clip_drop_warnings(clip, "no-valid-frames");
    clip_drop_warnings(clip, "no-trusted-frames");
    for (int f = 0; f < k->frame_count; f++) {
        valid += k->valid[f] != 0;
        trusted += k->valid[f] && clip->has_trust && clip->trust.reason[f] == 0;
    }
    if (valid == 0)
        return notes_warn(notes, clip, "no-valid-frames", "no valid frame: the clip is too short for derivatives",
                          err);
    if (clip->has_trust && trusted == 0)
        return notes_warn(notes, clip, "no-trusted-frames", "no frame passed the quality checks; the clip is excluded "
                                                            "from statistics",
                          err);
    return STATUS_OK;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TorqueOptions *o = (const TorqueOptions *)values;
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    Status status = stage_lanes(&def.lanes, err);
    if (!status)
        status = spring_laws_check(o->tables.springs, o->tables.spring_laws, err);
    if (!status && o->tables.external)
        status = torque_loads_of_table(o->tables.external, clip, &loads, err);
    else if (!status && clip->has_contact)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (!status && o->tables.external)
        status = plates_judge_table(o->tables.external, clip, notes, err);
    if (!status && o->tables.springs)
        status = torque_loads_add_springs(&o->tables, clip, &loads, err);
    ClipView view = clip_view(clip);
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &clip->dynamics, err);
    if (!status)
        status = uncertainty_add(o->uncertainty, clip, &loads, &o->tables, err);
    clip->dynamics.error_limit = o->error_limit;
    loads_free(&loads);
    return status ? status : warn_of_frames(clip, notes, err);
}

const Stage stage_torque = {
    .command = {
        .name = "torque",
        .group = COMMANDS_PIPELINE,
        .summary = "Compute joint torques by inverse dynamics",
        .arguments = "[FILE.h5...]",
        .description = "Fills /dynamics: net torque and force of each parent on its child, joint power, and the "
                       "residual wrench at the floating base.",
        .example = "kane torque contact.h5 -o torque.h5",
        .options = options,
    },
    .needs = CLIP_BODY | CLIP_KINEMATICS,
    .fills = CLIP_DYNAMICS,
    .defaults = defaults,
    .apply = apply,
};
