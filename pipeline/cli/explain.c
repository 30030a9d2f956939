/* kane explain: why a joint carries what it carries, as a sum of terms. kane info: what a container holds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/events.h"
#include "formats/base/text.h"
#include "formats/export/gait_table.h"
#include "formats/export/info.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/torque.h"

typedef struct ExplainOptions {
    const char *joint; /* NULL: the one that carries most */
    double time;       /* s; NaN: the peak */
    int series;
    RowForm form;
    FrameChoice frames;
    TorqueTables tables;
    const char *strength; /* NULL: none given */
} ExplainOptions;

static const char *const forms[] = {"csv", "tsv", "jsonl", NULL};

/* NaN stands for the peak. */
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
    {.name = "strength", .argument = "FILE.tsv",
     .help = "Table of strength used by kane angles",
     .kind = &option_file, .offset = FIELD(strength)},
    {0},
};

/* Where the clip asks for it: the joint, and the frame of its peak or of a time. */
typedef struct PeakPlace {
    int joint, frame;
} PeakPlace;

static Status find_joint(const ExplainOptions *given, const Clip *clip, const JointSeries *series, PeakPlace *place,
                         Error *err)
{
    double most = 0;
    char near[256];
    place->joint = given->joint ? skeleton_find_name_or_role(&clip->skeleton, given->joint) : -1;
    if (given->joint && place->joint < 0) {
        did_you_mean_joint(given->joint, &clip->skeleton, near, sizeof near);
        return error_set(err, STATUS_BAD_INPUT, "unknown joint or role \"%s\"%s", given->joint, near);
    }
    if (given->joint)
        return STATUS_OK;
    for (int j = 0; j < series->joint_count; j++)
        for (int i = 0; joint_series_ranks(series, j) && i < series->count; i++)
            if (joint_series_torque(series, j)[i] > most) {
                most = joint_series_torque(series, j)[i];
                place->joint = j;
            }
    return place->joint >= 0 ? STATUS_OK
                             : error_set(err, STATUS_BAD_INPUT, "no joint has a trusted frame; see --all-frames");
}

static Status find_peak(const Clip *clip, const JointSeries *series, PeakPlace *place, Error *err)
{
    JointPeaks peaks;
    if (series->is_residual[place->joint])
        return error_set(err, STATUS_BAD_INPUT, "%s is the floating base (residual only): choose a time with --at",
                         clip->skeleton.name[place->joint]);
    double *scratch = malloc(((size_t)series->count + 1) * sizeof *scratch);
    if (!scratch)
        return error_no_memory(err);
    joint_peaks(series, place->joint, clip->body.total_mass, scratch, &peaks);
    free(scratch);
    place->frame = peaks.torque_peak_frame;
    return place->frame >= 0 ? STATUS_OK
                             : error_set(err, STATUS_BAD_INPUT, "%s has no trusted frame; see --all-frames and --at",
                                         clip->skeleton.name[place->joint]);
}

static Status find_time(const Motion *motion, double time, PeakPlace *place, Error *err)
{
    int last = motion->frame_count - 1;
    double half = 0.5000001 * motion->frame_time;
    if (last < 0 || !(time >= motion->time[0] - half) || !(time <= motion->time[last] + half))
        return error_set(err, STATUS_BAD_INPUT, "--at %g is outside its %g to %g s", time,
                         last < 0 ? 0 : motion->time[0], last < 0 ? 0 : motion->time[last]);
    place->frame = 0;
    for (int f = 1; f <= last; f++)
        if (fabs(motion->time[f] - time) < fabs(motion->time[place->frame] - time))
            place->frame = f;
    return STATUS_OK;
}

static Status find_place(const ExplainOptions *given, const Clip *clip, PeakPlace *place, Error *err)
{
    JointSeries series;
    Status status = joint_series_init(&series, clip, given->frames, err);
    if (status)
        return status;
    status = find_joint(given, clip, &series, place, err);
    if (!status && isnan(given->time))
        status = find_peak(clip, &series, place, err);
    else if (!status)
        status = find_time(&clip->motion, given->time, place, err);
    joint_series_free(&series);
    return status;
}

/* Axes of the anatomy and the passive moments about them, where a clip has coordinates but did not keep these. */
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

/* Terms that miss the torque explain nothing: the tables are others, or the clip was changed. */
static Status check_sum(const Clip *clip, const TorqueTerms *terms, PeakPlace place, Error *err)
{
    const TermLoad *term = torque_terms_of(terms, place.joint);
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, place.frame, place.joint)];
    double size = 1, missed = vec3_distance(torque_terms_sum(term), torque);
    for (int i = 0; i < TERM_COUNT; i++)
        size += vec3_norm(term[i].moment);
    if (missed <= 1e-5 * size) /* containers may hold 32-bit numbers */
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "its motion, body and forces differ by %g Nm from the torque of %s; give the tables that kane "
                     "torque used, or run kane torque again", missed, clip->skeleton.name[place.joint]);
}

static void tell_place(const ExplainOptions *given, const Clip *clip, PeakPlace place)
{
    const char *role = role_name(clip->skeleton.role[place.joint]);
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, place.frame, place.joint)];
    if (given->form != ROW_TSV)
        return;
    printf("# %s: torque of %s (%s) at %.3f s, frame %d%s: %.1f Nm, %.2f Nm/kg\n", clip->provenance.title,
           *role ? role : "a joint", clip->skeleton.name[place.joint], clip->motion.time[place.frame], place.frame,
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

static Status explain_place(const ExplainOptions *given, const char *path, const Clip *clip, TorqueTerms *terms,
                            PeakPlace place, Error *err)
{
    TermsSubject subject = {clip, place.joint, given->form};
    TorqueQuestion question = {clip, &given->tables, torque_terms_of(terms, place.joint), place.joint, place.frame};
    Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, place.frame, place.joint)];
    TorqueWhatIf inputs;
    Notes notes = {0};
    torque_terms_at(terms, place.frame);
    Status status = check_sum(clip, terms, place, err);
    if (status || given->series)
        return status ? status : terms_series(&subject, terms, stdout, err);
    status = torque_what_if_find(&question, &inputs, &notes, err);
    if (!status) {
        message_notes(verb_explain.command->name, path, &notes, clip, 0);
        tell_place(given, clip, place);
        status = terms_table(&subject, terms, place.frame, stdout, err);
    }
    if (!status)
        status = put_inputs(given, &inputs, torque, err);
    notes_free(&notes);
    return status;
}

static Status explain(void *context, const char *path, Clip *clip, Error *err)
{
    const ExplainOptions *given = context;
    PeakPlace place = {-1, 0};
    TorqueLoads loads;
    TorqueTerms terms;
    if (!clip->has_dynamics || !clip->has_body || !clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "has no /dynamics: run kane torque first");
    Status status = find_place(given, clip, &place, err);
    if (!status)
        status = add_axes(clip, given->strength, err);
    if (status || (status = torque_loads_init(&loads, clip, &given->tables, err)))
        return status;
    ClipView view = clip_view(clip);
    status = torque_terms_init(&terms, &view, loads.source, loads.count, err);
    if (!status)
        status = explain_place(given, path, clip, &terms, place, err);
    torque_terms_free(&terms);
    torque_loads_free(&loads);
    return status;
}

static int explain_main(const Command *command, int argc, char **argv)
{
    ExplainOptions given = {.time = NAN, .form = ROW_TSV};
    OptionGroup group = {NULL, command->options, &given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    return clips_visit(command->name, argv + first, argc - first, explain, &given);
}

static const Command explain_command = {
    .name = "explain",
    .group = COMMANDS_INSPECT,
    .summary = "Break a joint torque down into its causes",
    .arguments = "[FILE.h5...]",
    .description = "Prints the torque of a joint as a sum of weight and inertia of the distal segments, ground "
                   "reaction forces and springs, each with its lever arm; then its sensitivity to cutoff, ground "
                   "height and masses.",
    .example = "kane explain walk.h5 --joint left_knee --at peak",
    .options = options,
};

const Verb verb_explain = {&explain_command, explain_main};

/* kane info: what a container holds. */

typedef struct InfoOptions {
    int json;
    FrameChoice frames;
} InfoOptions;

static const Option info_options[] = {
    {.name = "json",
     .help = "Output as one JSON object per clip",
     .kind = &option_flag, .offset = offsetof(InfoOptions, json)},
    {.name = "all-frames",
     .help = "Include frames that are not trusted in the metrics",
     .kind = &option_flag, .offset = offsetof(InfoOptions, frames)},
    {0},
};

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    const InfoOptions *given = context;
    (void)path;
    return given->json ? info_json(clip, given->frames, stdout, err) : info_text(clip, given->frames, stdout, err);
}

static int info_main(const Command *command, int argc, char **argv)
{
    InfoOptions given = {0};
    OptionGroup group = {NULL, command->options, &given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    return clips_visit(command->name, argv + first, argc - first, show, &given);
}

static const Command info_command = {
    .name = "info",
    .group = COMMANDS_INSPECT,
    .summary = "Show what a clip file contains",
    .arguments = "[FILE.h5...]",
    .description = "Prints source, detected unit and axes, skeleton, roles, groups, quality metrics and history.",
    .example = "kane info walk.h5",
    .options = info_options,
};

const Verb verb_info = {&info_command, info_main};
