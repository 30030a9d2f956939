/* kane explain: a joint torque as a sum of terms. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/events.h"
#include "formats/export/gait_table.h"
#include "formats/tables/body_tables.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/history_read.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/term_loads.h"
#include "pipeline/stages/torque_loads.h"
#include "pipeline/stages/torque_what_if.h"

typedef struct ExplainOptions {
    const char *joint; /* NULL: the joint with the largest torque */
    double time;       /* s; NaN: time of the peak */
    int series, equations;
    const char *speeds; /* "dof", "absolute", "relative" or a table; NULL: dof if the clip has degrees of freedom,
                           else absolute */
    RowForm form;
    FrameChoice frames;
    TorqueTables tables;
    const char *strength; /* NULL: not given */
} ExplainOptions;

static const char *const forms[] = {"csv", "tsv", "jsonl", NULL};

/* Parses a time; "peak" is NaN. */
static Status time_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (strcmp(text, "peak"))
        return option_real.parse(option, text, value, err);
    *(double *)value = NAN;
    return STATUS_OK;
}

static void time_format(const Option *option, const void *value, char *text, size_t size)
{
    if (isnan(*(const double *)value))
        snprintf(text, size, "peak");
    else
        option_real.format(option, value, text, size);
}

static const OptionKind option_time = {time_parse, time_format};

#define FIELD(member) offsetof(ExplainOptions, member)
static const Option options[] = {
    {.name = "joint", .argument = "ROLE|NAME",
     .help = "Joint or role (default: the one with the largest torque)",
     .kind = &option_text, .offset = FIELD(joint)},
    {.name = "at", .argument = "SECONDS|peak",
     .help = "Time in s (nearest frame), or peak = largest torque of the joint",
     .kind = &option_time, .offset = FIELD(time)},
    {.name = "series",
     .help = "Terms of all frames, one column per term",
     .kind = &option_flag, .offset = FIELD(series)},
    {.name = "equations",
     .help = "Kane's equations of the whole body at that time: partial velocities, generalized forces, mass matrix",
     .kind = &option_flag, .offset = FIELD(equations)},
    {.name = "speeds", .argument = "dof|absolute|relative|FILE.tsv",
     .help = "Generalized speeds of --equations: rates of the degrees of freedom (default where the clip has some), "
             "absolute or relative angular velocities, or a table of linear forms",
     .kind = &option_text, .offset = FIELD(speeds)},
    {.name = "format", .argument = "csv|tsv|jsonl",
     .help = "Output format",
     .kind = &option_choice, .offset = FIELD(form), .choices = forms},
    {.name = "all-frames",
     .help = "Include frames that are not trusted in the search for the peak",
     .kind = &option_flag, .offset = FIELD(frames)},
    {.name = "external", .argument = "FILE.tsv",
     .help = "Table of forces used by kane torque",
     .kind = &option_file, .offset = FIELD(tables.external)},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Table of springs used by kane torque",
     .kind = &option_file, .offset = FIELD(tables.springs)},
    {.name = "spring-laws", .argument = "FILE.tsv",
     .help = "Table of spring laws used by kane torque",
     .kind = &option_file, .offset = FIELD(tables.spring_laws)},
    {.name = "strength", .argument = "FILE.tsv",
     .help = "Table of strength used by kane angles",
     .kind = &option_file, .offset = FIELD(strength)},
    {0},
};

/* The joint and frame to explain. */
typedef struct JointFrame {
    int joint, frame;
} JointFrame;

static Status find_joint(const ExplainOptions *given, const Clip *clip, const JointSeries *series, JointFrame *at,
                         Error *err)
{
    double most = 0;
    char near[256];
    at->joint = given->joint ? skeleton_find_name_or_role(&clip->skeleton, given->joint) : -1;
    if (given->joint && at->joint < 0) {
        did_you_mean_joint(given->joint, &clip->skeleton, near, sizeof near);
        return error_set(err, STATUS_BAD_INPUT, "unknown joint or role \"%s\"%s", given->joint, near);
    }
    if (given->joint)
        return STATUS_OK;
    for (int j = 0; j < series->joint_count; j++)
        for (int i = 0; joint_series_ranks(series, j) && i < series->count; i++)
            if (joint_series_torque(series, j)[i] > most) {
                most = joint_series_torque(series, j)[i];
                at->joint = j;
            }
    return at->joint >= 0 ? STATUS_OK
                             : error_set(err, STATUS_BAD_INPUT, "no joint has a trusted frame; see --all-frames");
}

static Status find_peak(const Clip *clip, const JointSeries *series, JointFrame *at, Error *err)
{
    JointPeaks peaks;
    if (series->is_residual[at->joint])
        return error_set(err, STATUS_BAD_INPUT, "%s is the floating base (residual only): choose a time with --at",
                         clip->skeleton.name[at->joint]);
    double *scratch = malloc(((size_t)series->count + 1) * sizeof *scratch);
    if (!scratch)
        return error_no_memory(err);
    joint_peaks(series, at->joint, clip->body.total_mass, scratch, &peaks);
    free(scratch);
    at->frame = peaks.torque_peak_frame;
    return at->frame >= 0 ? STATUS_OK
                             : error_set(err, STATUS_BAD_INPUT, "%s has no trusted frame; see --all-frames and --at",
                                         clip->skeleton.name[at->joint]);
}

static Status find_time(const Motion *motion, double time, JointFrame *at, Error *err)
{
    int last = motion->frame_count - 1;
    double half = 0.5000001 * motion->frame_time;
    if (last < 0 || !(time >= motion->time[0] - half) || !(time <= motion->time[last] + half))
        return error_set(err, STATUS_BAD_INPUT, "--at %g is outside its %g to %g s", time,
                         last < 0 ? 0 : motion->time[0], last < 0 ? 0 : motion->time[last]);
    at->frame = 0;
    for (int f = 1; f <= last; f++)
        if (fabs(motion->time[f] - time) < fabs(motion->time[at->frame] - time))
            at->frame = f;
    return STATUS_OK;
}

static Status find_joint_frame(const ExplainOptions *given, const Clip *clip, JointFrame *at, Error *err)
{
    JointSeries series;
    if (given->equations && !isnan(given->time))
        return find_time(&clip->motion, given->time, at, err);
    Status status = joint_series_init(&series, clip, given->frames, err);
    if (status)
        return status;
    status = find_joint(given, clip, &series, at, err);
    if (!status && isnan(given->time))
        status = find_peak(clip, &series, at, err);
    else if (!status)
        status = find_time(&clip->motion, given->time, at, err);
    joint_series_free(&series);
    return status;
}

/* Computes anatomical axes and passive moments if the clip has coordinates but does not store them. */
static Status add_axes(Clip *clip, const char *strength_table, Error *err)
{
    OptionValues values;
    char file[200];
    const Option *table = stage_angles.command.options, *strength = option_find(table, "strength");
    const int with_axes = 1;
    const Anatomy *a = &clip->anatomy;
    if (!clip->has_anatomy || a->coordinate_count == 0 || (a->axis && (a->passive || !a->utilization)))
        return STATUS_OK;
    Status status = history_read(clip, &stage_angles, &values, file, sizeof file, err);
    if (!status && *file)
        status = strength->kind->parse(strength, strength_table ? strength_table : option_word(strength, "none"),
                                       values.bytes + strength->offset, err);
    memcpy(values.bytes + option_find(table, "axes")->offset, &with_axes, sizeof with_axes);
    return status ? status : stage_apply(&stage_angles, &values, clip, NULL, err);
}

/* STATUS_BAD_INPUT if the terms do not add up to the torque: other tables were used, or the clip was changed. */
static Status check_sum(const Clip *clip, const TorqueTerms *terms, JointFrame at, Error *err)
{
    const TermLoad *term = torque_terms_of(terms, at.joint);
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, at.frame, at.joint)];
    double size = 1, missed = vec3_distance(torque_terms_sum(term), torque);
    for (int i = 0; i < TERM_COUNT; i++)
        size += vec3_norm(term[i].moment);
    if (missed <= 1e-5 * size) /* clip files may have 32-bit numbers */
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "its motion, body and forces differ by %g Nm from the torque of %s; give the tables that kane "
                     "torque used, or run kane torque again", missed, clip->skeleton.name[at.joint]);
}

static void print_joint_frame(const ExplainOptions *given, const Clip *clip, JointFrame at)
{
    const char *role = role_name(clip->skeleton.role[at.joint]);
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, at.frame, at.joint)];
    if (given->form != ROW_TSV)
        return;
    printf("# %s: torque of %s (%s) at %.3f s, frame %d%s: %.1f Nm, %.2f Nm/kg\n", clip->provenance.title,
           *role ? role : "a joint", clip->skeleton.name[at.joint], clip->motion.time[at.frame], at.frame,
           isnan(given->time) ? ", its peak" : "", vec3_norm(torque), vec3_norm(torque) / clip->body.total_mass);
    printf("# moment of the parent on the segment about the joint centre, world axes (y up); forces act on the distal "
           "segments; fraction: part along the torque\n");
}

static Status put_inputs(const ExplainOptions *given, const TorqueWhatIf *inputs, Vec3 torque, Error *err)
{
    static const char *const name[] = {"input", "perturbation", "unit", "change_x_nm", "change_y_nm", "change_z_nm",
                                       "change_nm", "fraction", "method"};
    RowHead head = {.row_count = inputs->count, .column_count = sizeof name / sizeof *name, .name = name};
    double size = vec3_norm(torque);
    RowWriter sheet;
    if (given->form == ROW_TSV)
        printf("\n# change of the torque for a perturbation of an input; fraction: of its magnitude\n");
    else if (given->form == ROW_CSV)
        printf("\n");
    row_writer_begin(&sheet, given->form, stdout, &head);
    for (int i = 0; i < inputs->count; i++) {
        const TorqueInput *input = &inputs->input[i];
        row_writer_text(&sheet, input->name);
        row_writer_number(&sheet, input->step);
        row_writer_text(&sheet, input->unit);
        row_writer_number(&sheet, input->change.x + 0.0); /* 0 for -0 */
        row_writer_number(&sheet, input->change.y + 0.0);
        row_writer_number(&sheet, input->change.z + 0.0);
        row_writer_number(&sheet, vec3_norm(input->change));
        row_writer_number(&sheet, size > 0 ? vec3_dot(input->change, torque) / (size * size) : NAN);
        row_writer_text(&sheet, input->is_exact ? "analytic" : "numerical");
    }
    return row_writer_finish(&sheet, err);
}

static Status explain_joint_frame(const ExplainOptions *given, const char *path, const Clip *clip, TorqueTerms *terms,
                                  JointFrame at, Error *err)
{
    TermsSubject subject = {clip, at.joint, given->form};
    TorqueQuestion question = {clip, &given->tables, torque_terms_of(terms, at.joint), at.joint, at.frame};
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, at.frame, at.joint)];
    TorqueWhatIf inputs;
    Notes notes = {0};
    torque_terms_at(terms, at.frame);
    Status status = check_sum(clip, terms, at, err);
    if (status || given->series)
        return status ? status : terms_series(&subject, terms, stdout, err);
    status = torque_what_if_find(&question, &inputs, &notes, err);
    if (!status) {
        message_notes(verb_explain.command->name, path, &notes, clip, 0);
        print_joint_frame(given, clip, at);
        status = terms_table(&subject, terms, at.frame, stdout, err);
    }
    if (!status)
        status = put_inputs(given, &inputs, torque, err);
    notes_free(&notes);
    return status;
}

/* ---- Kane's equations ---- */

/* Returns the kind of speeds that the option names; a table is in speeds of the clip's default kind. */
static SpeedKind speed_kind(const ExplainOptions *given, const Clip *clip, int *is_table)
{
    static const char *const name[] = {[SPEEDS_ABSOLUTE] = "absolute", [SPEEDS_RELATIVE] = "relative",
                                       [SPEEDS_DOF] = "dof"};
    for (int kind = 0; given->speeds && kind <= SPEEDS_DOF; kind++)
        if (!strcmp(name[kind], given->speeds)) {
            *is_table = 0;
            return (SpeedKind)kind;
        }
    *is_table = given->speeds != NULL;
    return clip->has_dof ? SPEEDS_DOF : SPEEDS_ABSOLUTE;
}

static void begin_table(RowWriter *sheet, const ExplainOptions *given, const RowHead *head, const char *comment)
{
    if (given->form == ROW_TSV)
        printf("\n# %s\n", comment);
    else if (given->form == ROW_CSV)
        printf("\n");
    row_writer_begin(sheet, given->form, stdout, head);
}

static Status put_forces(const ExplainOptions *given, const Clip *clip, const Equations *e, Error *err)
{
    static const char *const name[] = {"speed", "joint", "unit", "u", "u_rate", "active_force", "inertia_force",
                                       "torque", "mass_times_rate", "rest_force", "force_sum", "torque_difference"};
    RowHead head = {.row_count = e->speed_count, .column_count = sizeof name / sizeof *name, .name = name};
    RowWriter sheet;
    row_writer_begin(&sheet, given->form, stdout, &head);
    for (int r = 0; r < e->speed_count; r++) {
        double moved = equations_moved(e, r);
        const double value[] = {e->speed[r], e->rate[r], e->active[r], e->inertia[r], e->torque[r], moved, e->rest[r],
                                e->active[r] + e->inertia[r], e->torque[r] - (moved - e->rest[r])};
        row_writer_text(&sheet, e->name[r]);
        row_writer_text(&sheet, e->joint[r] < 0 ? "" : clip->skeleton.name[e->joint[r]]);
        row_writer_text(&sheet, e->is_rotation[r] ? "rad/s" : "m/s");
        for (size_t i = 0; i < sizeof value / sizeof *value; i++)
            row_writer_number(&sheet, value[i] + 0.0);
    }
    return row_writer_finish(&sheet, err);
}

/* Writes the lever arm of (3.36), (3.37), "r_C + p_D": from the joint of `b` to its centre of mass, and to the joint of
 * the child on the path to the body; "0" if the joint is at the centre of mass. */
static void write_arm(const Clip *clip, const KaneSystem *s, int b, int body, char *text, size_t size)
{
    int child = body;
    while (child != b && s->parent[child] != b)
        child = s->parent[child];
    int has_r = vec3_distance(s->com_position[b], s->joint_position[b]) > 1e-12;
    snprintf(text, size, "%s%s%s%s%s", has_r ? "r_" : "", has_r ? clip->skeleton.name[b] : "",
             has_r && child != b ? " + " : "", child != b ? "p_" : has_r ? "" : "0",
             child != b ? clip->skeleton.name[child] : "");
}

static void put_partial(RowWriter *sheet, const Clip *clip, const Equations *e, SpeedKind kind, const int pair[2])
{
    static const char letter[] = "xyz";
    char arm[3 * SPEED_NAME_SIZE] = "", form[4 * SPEED_NAME_SIZE] = "";
    int r = pair[0], body = pair[1];
    size_t at = (size_t)body * (size_t)e->speed_count + (size_t)r;
    if (kind == SPEEDS_ABSOLUTE && e->axis[r] >= 0 && e->is_rotation[r]) {
        write_arm(clip, &e->system, e->joint[r], body, arm, sizeof arm);
        snprintf(form, sizeof form, strcmp(arm, "0") ? "N%c x (%s)" : "0", letter[e->axis[r]], arm);
    } else if (e->axis[r] >= 0 && !e->is_rotation[r]) {
        snprintf(form, sizeof form, "N%c", letter[e->axis[r]]);
    }
    row_writer_text(sheet, e->name[r]);
    row_writer_text(sheet, clip->skeleton.name[body]);
    row_writer_text(sheet, form);
    const Vec3 partial[] = {e->system.partial_velocity[at], e->system.partial_angular_velocity[at]};
    for (int i = 0; i < 2; i++) {
        row_writer_number(sheet, partial[i].x + 0.0);
        row_writer_number(sheet, partial[i].y + 0.0);
        row_writer_number(sheet, partial[i].z + 0.0);
    }
}

static int is_partial(const Equations *e, int r, int body)
{
    size_t at = (size_t)body * (size_t)e->speed_count + (size_t)r;
    return vec3_norm(e->system.partial_velocity[at]) > 0 || vec3_norm(e->system.partial_angular_velocity[at]) > 0;
}

static Status put_partials(const ExplainOptions *given, const Clip *clip, const Equations *e, SpeedKind kind,
                           Error *err)
{
    static const char *const name[] = {"speed", "body", "form", "velocity_x", "velocity_y", "velocity_z",
                                       "angular_velocity_x", "angular_velocity_y", "angular_velocity_z"};
    RowHead head = {.column_count = sizeof name / sizeof *name, .name = name};
    RowWriter sheet;
    for (int r = 0; r < e->speed_count; r++)
        for (int body = 0; body < e->system.joint_count; body++)
            head.row_count += is_partial(e, r, body);
    begin_table(&sheet, given, &head, "partial velocities of the bodies' centres of mass and partial angular "
                                      "velocities, world axes (y up); others are zero");
    for (int r = 0; r < e->speed_count; r++)
        for (int body = 0; body < e->system.joint_count; body++)
            if (is_partial(e, r, body))
                put_partial(&sheet, clip, e, kind, (int[]){r, body});
    return row_writer_finish(&sheet, err);
}

static Status put_mass(const ExplainOptions *given, const Equations *e, Error *err)
{
    const char **name = malloc(((size_t)e->speed_count + 1) * sizeof *name);
    if (!name)
        return error_no_memory(err);
    name[0] = "speed";
    for (int r = 0; r < e->speed_count; r++)
        name[r + 1] = e->name[r];
    RowHead head = {.row_count = e->speed_count, .column_count = e->speed_count + 1, .name = name};
    RowWriter sheet;
    begin_table(&sheet, given, &head, "mass matrix M");
    for (int r = 0; r < e->speed_count; r++) {
        row_writer_text(&sheet, e->name[r]);
        for (int c = 0; c < e->speed_count; c++)
            row_writer_number(&sheet, e->mass[(size_t)r * (size_t)e->speed_count + (size_t)c] + 0.0);
    }
    free(name);
    return row_writer_finish(&sheet, err);
}

static Status print_equations(const ExplainOptions *given, const Clip *clip, const Equations *e, SpeedKind kind,
                              int frame, Error *err)
{
    EquationsCheck check = equations_check(e);
    if (given->form == ROW_TSV)
        printf("# %s: Kane's equations at %.3f s, frame %d, of %d generalized speeds\n"
               "# largest residuals: F_r + F*_r %.1e, T - (M u' - E) %.1e; largest T %.4g\n",
               clip->provenance.title, clip->motion.time[frame], frame, e->speed_count, check.force, check.torque,
               check.largest);
    Status status = put_forces(given, clip, e, err);
    if (!status)
        status = put_partials(given, clip, e, kind, err);
    return status ? status : put_mass(given, e, err);
}

static Status choose_table(const char *path, Equations *e, Error *err)
{
    SpeedForms chosen;
    Status status = speed_forms_read(path, e->name, e->speed_count, &chosen, err);
    if (!status)
        status = equations_choose(e, &chosen, err);
    speed_forms_free(&chosen);
    return status ? error_of_file(err, path, status) : status;
}

static Status explain_equations(const ExplainOptions *given, const Clip *clip, const TorqueLoads *loads, int frame,
                                Error *err)
{
    Equations e;
    int is_table;
    SpeedKind kind = speed_kind(given, clip, &is_table);
    Status status = equations_init(&e, clip, kind, frame, err);
    if (status)
        return status;
    if (is_table)
        status = choose_table(given->speeds, &e, err);
    if (!status)
        status = equations_solve(&e, clip, loads->loads, loads->count, frame, err);
    if (!status)
        status = print_equations(given, clip, &e, kind, frame, err);
    equations_free(&e);
    return status;
}

/* Rejects options without effect; returns the exit code or 0. */
static int refuse_idle(const char *verb, const ExplainOptions *given)
{
    if (!given->equations && given->speeds)
        return message_usage(verb, "--speeds has no effect without --equations");
    if (!given->equations)
        return 0;
    if (given->series)
        return message_usage(verb, "--series has no effect with --equations");
    if (given->strength)
        return message_usage(verb, "--strength has no effect with --equations");
    if (given->joint && !isnan(given->time))
        return message_usage(verb, "--joint has no effect with --equations --at SECONDS");
    return 0;
}

static Status explain(void *context, const char *path, Clip *clip, Error *err)
{
    const ExplainOptions *given = context;
    JointFrame at = {-1, 0};
    TorqueLoads loads;
    TorqueTerms terms;
    if (!clip->has_dynamics || !clip->has_body || !clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "has no /dynamics: run kane torque first");
    Status status = find_joint_frame(given, clip, &at, err);
    if (!status && !given->equations)
        status = add_axes(clip, given->strength, err);
    if (status || (status = torque_loads_init(&loads, clip, &given->tables, err)))
        return status;
    if (given->equations) {
        status = explain_equations(given, clip, &loads, at.frame, err);
        torque_loads_free(&loads);
        return status;
    }
    ClipView view = clip_view(clip);
    status = torque_terms_init(&terms, &view, loads.source, loads.count, err);
    if (!status)
        status = explain_joint_frame(given, path, clip, &terms, at, err);
    torque_terms_free(&terms);
    torque_loads_free(&loads);
    return status;
}

static int explain_main(const Command *command, int argc, char **argv)
{
    ExplainOptions given = {.time = NAN, .form = ROW_TSV};
    OptionGroup group = {NULL, command->options, &given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    int code = refuse_idle(command->name, &given);
    return code ? code : clips_visit(command->name, argv + first, argc - first, explain, &given);
}

static const Command explain_command = {
    .name = "explain",
    .group = COMMANDS_INSPECT,
    .summary = "Break a joint torque down into its causes",
    .arguments = "[FILE.h5...]",
    .description = "Prints the torque of a joint as a sum of weight and inertia of the distal segments, ground "
                   "reaction forces and springs, each with its lever arm; then its sensitivity to cutoff, ground "
                   "height and masses. With --equations Kane's equations at that time.",
    .example = "kane explain walk.h5 --joint left_knee --at peak",
    .options = options,
};

const Verb verb_explain = {&explain_command, explain_main};
