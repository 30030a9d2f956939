/* kane explain: a joint torque as a sum of terms. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/joint_peaks.h"
#include "formats/base/text.h"
#include "formats/export/terms_table.h"
#include "pipeline/cli/explain_equations.h"
#include "pipeline/cli/explain_inertia.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/history_read.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/term_loads.h"
#include "pipeline/stages/torque_what_if.h"

typedef struct ExplainOptions {
    const char *joint; /* NULL: the joint with the largest torque */
    double time;       /* s; NaN: time of the peak */
    int series, equations;
    const char *speeds; /* "dof", "absolute", "relative" or a table; NULL: dof if the clip has degrees of freedom,
                           else absolute */
    const char *inertia; /* the body whose spatial inertia is printed; NULL: none */
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

static const OptionKind option_instant = {time_parse, time_format};

#define FIELD(member) offsetof(ExplainOptions, member)
static const Option options[] = {
    {.name = "joint", .argument = "ROLE|NAME",
     .help = "Joint or role (default: the one with the largest torque)",
     .kind = &option_text, .offset = FIELD(joint)},
    {.name = "at", .argument = "SECONDS|peak",
     .help = "Time in s (nearest frame), or peak = largest torque of the joint",
     .kind = &option_instant, .offset = FIELD(time)},
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
    {.name = "inertia", .argument = "ROLE|NAME",
     .help = "Spatial inertia of the segment of this joint or role, with its inverse and its factor G",
     .kind = &option_text, .offset = FIELD(inertia)},
    {.name = "format", .argument = "csv|tsv|jsonl",
     .help = "Output format",
     .kind = &option_choice, .offset = FIELD(form), .choices = forms},
    {.name = "all-frames",
     .help = "Include frames that are not trusted in the search for the peak",
     .kind = &option_flag, .offset = FIELD(frames)},
    {.name = "external", .argument = "FILE",
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
    double max = 0;
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
            if (joint_series_torque(series, j)[i] > max) {
                max = joint_series_torque(series, j)[i];
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
    const JointAngles *a = &clip->angles;
    if (!clip->has_angles || a->coordinate_count == 0 || (a->axis && (a->passive || !a->utilization)))
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
    const TermLoad *term = joint_torque_terms(terms, at.joint);
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, at.frame, at.joint)];
    double size = 1, missed = vec3_distance(torque_terms_sum(term), torque);
    for (int i = 0; i < TERM_COUNT; i++)
        size += vec3_norm(term[i].moment);
    if (missed <= 1e-5 * size) /* clip files may have 32-bit numbers */
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "its motion, body and forces differ by %g N m from the torque of %s; give the tables that kane "
                     "torque used, or run kane torque again", missed, clip->skeleton.name[at.joint]);
}

static void print_joint_frame(const ExplainOptions *given, const Clip *clip, JointFrame at)
{
    const char *role = role_name(clip->skeleton.role[at.joint]);
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, at.frame, at.joint)];
    if (given->form != ROW_TSV)
        return;
    printf("# %s: torque of %s (%s) at %.3f s, frame %d%s: %.1f N m, %.2f N m/kg\n", clip->provenance.title,
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
    TorqueQuestion question = {clip, &given->tables, joint_torque_terms(terms, at.joint), at.joint, at.frame};
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, at.frame, at.joint)];
    TorqueWhatIf inputs;
    Notes notes = {0};
    torque_terms_at(terms, at.frame);
    Status status = check_sum(clip, terms, at, err);
    if (status || given->series)
        return status ? status : terms_series(&subject, terms, stdout, err);
    status = torque_what_if_find(&question, &inputs, &notes, err);
    if (!status) {
        message_notes(cli_explain.command->name, path, &notes, clip, 0);
        print_joint_frame(given, clip, at);
        status = terms_table(&subject, terms, at.frame, stdout, err);
    }
    if (!status)
        status = put_inputs(given, &inputs, torque, err);
    notes_free(&notes);
    return status;
}

/* Rejects options without effect; returns the exit code or 0. */
static int refuse_idle(const char *command, const ExplainOptions *given)
{
    const TorqueTables *tables = &given->tables;
    if (given->inertia && (given->joint || !isnan(given->time) || given->series || given->equations || given->speeds ||
                           given->frames || tables->external || tables->springs || tables->spring_laws ||
                           given->strength))
        return message_usage(command, "--inertia goes only with --format");
    if (!given->equations && given->speeds)
        return message_usage(command, "--speeds has no effect without --equations");
    if (!given->equations)
        return 0;
    if (given->series)
        return message_usage(command, "--series has no effect with --equations");
    if (given->strength)
        return message_usage(command, "--strength has no effect with --equations");
    if (given->joint && !isnan(given->time))
        return message_usage(command, "--joint has no effect with --equations --at SECONDS");
    return 0;
}

static Status explain(void *context, const char *path, Clip *clip, Error *err)
{
    const ExplainOptions *given = context;
    JointFrame at = {-1, 0};
    TorqueLoads loads;
    TorqueTerms terms;
    if (given->inertia)
        return explain_inertia(clip, given->inertia, given->form, err);
    if (!clip->has_dynamics || !clip->has_body || !clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "has no /dynamics: run kane torque first");
    Status status = find_joint_frame(given, clip, &at, err);
    if (!status && !given->equations)
        status = add_axes(clip, given->strength, err);
    if (status || (status = torque_loads_init(&loads, clip, &given->tables, err)))
        return status;
    if (given->equations) {
        const EquationsTables wanted = {given->speeds, given->form, at.frame};
        status = explain_equations(&wanted, clip, loads.loads, loads.count, err);
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
                   "height and masses. With --equations Kane's equations at that time, with --inertia a segment's "
                   "spatial inertia.",
    .example = "kane explain walk.h5 --joint left_knee --at peak",
    .options = options,
};

const CliCommand cli_explain = {&explain_command, explain_main};
