/* kane track: applies the stage to clip files or scenes, prints the table of controllers, and optionally every step. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/control/two_links.h"
#include "analysis/math/elementary.h"
#include "formats/base/number.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/mapping.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/track_scene.h"

/* Options of the output, not of the stage. */
typedef struct TableOptions {
    const char *series;
    int table_only;
} TableOptions;

static const Option table_options[] = {
    {.name = "series", .argument = "FILE.tsv", .help = "Output table of each step and joint",
     .kind = &option_text, .offset = offsetof(TableOptions, series)},
    {.name = "table", .help = "Print the table and write no clip file",
     .kind = &option_flag, .offset = offsetof(TableOptions, table_only)},
    {0},
};

typedef struct Tracker {
    Mapping mapping;
    TableOptions given;
    OutputCall series_call;
    OutputFile series_file;
    OutputOrigin origin; /* of the clips in the series */
    int argc;
    char *const *argv;
    FILE *table, *series;
    int clip_count;
} Tracker;

#define DEGREES (180 / PI)

static void put_table_head(FILE *out)
{
    fprintf(out, "clip\tcontroller\tmean_deg\tp95_deg\tfinal_deg\tposition_cm\ttorque_sum_mean_nm"
                 "\troot_residual_bw\troot_residual_nm_kg\tstable_s\toutcome\tlost_s\trest_s\n");
}

static const char *clip_title(const Clip *clip) { return clip->provenance.title ? clip->provenance.title : ""; }

/* Empty where there is none. */
static void put_time(FILE *out, double time)
{
    if (isnan(time))
        putc('\t', out);
    else
        fprintf(out, "\t%.6g", time);
}

static void put_table_row(FILE *out, const char *title, ControllerKind kind, const TrackingRun *run)
{
    const double value[] = {DEGREES * run->mean_error, DEGREES * run->p95_error, DEGREES * run->final_error,
                            100 * run->mean_distance, run->torque_sum_mean, run->root_residual_force_rms,
                            run->root_residual_torque_rms, run->stable_time};
    char text[NUMBER_TEXT_SIZE];
    fprintf(out, "%s\t%s", title, controller_name(kind));
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        fprintf(out, "\t%.*s", number_print_as(value[i], number_is_short(out), text), text);
    fprintf(out, "\t%s", run->outcome);
    put_time(out, run->lost_time);
    put_time(out, run->rest_time);
    putc('\n', out);
}

static void put_table_rows(FILE *out, const Clip *clip)
{
    for (int i = 0; i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        if (run->present)
            put_table_row(out, clip_title(clip), (ControllerKind)i, run);
    }
}

/* Writes the header of the long table, one row per step and joint; the angle is the rotation about Z, as of a hinge. */
static void put_series_head(FILE *out)
{
    fprintf(out, "clip\tcontroller\ttime\tjoint\trole\tangle_deg\torientation_error_deg\tposition_error_cm\t"
                 "torque_nm\n");
}

/* Returns the rotation of a joint relative to its parent about Z, degrees, in (-180, 180]. */
static double hinge_angle(const Clip *clip, const Quat *row, int joint)
{
    int parent = clip->skeleton.parent[joint];
    Quat q = parent < 0 ? row[joint] : quat_mul(quat_conjugate(row[parent]), row[joint]);
    double angle = 2 * DEGREES * elementary_atan2(q.z, q.w);
    return angle > 180 ? angle - 360 : angle <= -180 ? angle + 360 : angle;
}

static void put_run(FILE *out, const Clip *clip, ControllerKind kind)
{
    const Tracking *t = &clip->tracking;
    const TrackingRun *run = &t->run[kind];
    for (int f = 0; f < t->frame_count; f++)
        for (int j = 0; j < t->joint_count; j++) {
            size_t row = (size_t)f * (size_t)t->joint_count, at = row + (size_t)j;
            if (t->carrier[j] != j)
                continue;
            fprintf(out, "%s\t%s\t%.6g\t%s\t%s\t%.6g\t%.6g\t%.6g\t%.6g\n", clip_title(clip), controller_name(kind),
                    t->time[f], clip->skeleton.name[j], role_name(clip->skeleton.role[j]),
                    hinge_angle(clip, run->orientation + row, j), DEGREES * run->orientation_error[at],
                    100 * run->position_error[at], vec3_norm(run->torque[at]));
        }
}

static void put_series_rows(FILE *out, const Clip *clip)
{
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        if (clip->tracking.run[i].present)
            put_run(out, clip, (ControllerKind)i);
}

static Status track_clip(void *context, const char *path, Clip *clip, Error *err)
{
    Tracker *t = context;
    Status status = mapping_apply(&t->mapping, path, clip, err);
    if (status)
        return status;
    if (t->clip_count++ == 0)
        put_table_head(t->table);
    put_table_rows(t->table, clip);
    if (t->series)
        put_series_rows(t->series, clip);
    output_origin_add(&t->origin, &clip->provenance);
    return t->given.table_only ? STATUS_OK : output_put(&t->mapping.output, clip, &t->mapping.container, err);
}

static int track_scene(Tracker *t, const TrackOptions *o)
{
    Clip clip;
    Error err = {0};
    TwoLinksScene scene = o->scene == SCENE_STEADY ? TWO_LINKS_STEADY : TWO_LINKS_MOVING;
    Status status = two_links_clip(scene, o->duration, o->dt, &clip, &err);
    if (!status)
        status = track_clip(t, NULL, &clip, &err);
    int code = status ? message_error(stage_track.command.name, track_scenes[o->scene], &err) : 0;
    clip_free(&clip);
    return code;
}

static int track_scene_file(Tracker *t, const TrackOptions *o)
{
    SceneReference scene;
    Error err = {0};
    Status status = track_read_scene(o, &scene, NULL, &err);
    if (!status)
        status = clip_set_source(&scene.clip, o->scene_file, &err);
    if (!status)
        status = track_clip(t, NULL, &scene.clip, &err);
    scene_reference_free(&scene);
    return status ? message_error(stage_track.command.name, NULL, &err) : 0;
}

static Status open_series(Tracker *t, Error *err)
{
    static const OutputEnding endings[] = {{"tsv", 0, FILE_TEXT}, {NULL, 0, FILE_TEXT}};
    const OutputEnding *ending;
    const char *path = t->given.series;
    Status status = output_ending(path, endings, &ending, err);
    if (!status)
        status = output_file_open(&t->series_call, path, FILE_TEXT, NULL, &t->series_file, err);
    if (!status)
        status = error_of_file(err, path, new_file_stream(&t->series_file.file, &t->series, err));
    if (!status)
        put_series_head(t->series);
    return status;
}

/* Opens the outputs. The table is printed on standard output, unless clip files are. */
static Status open_outputs(Tracker *t, Error *err)
{
    const char *target = t->mapping.given.target;
    Status status = output_call_init(&t->series_call, t->mapping.given.manner, t->argc, t->argv, err);
    t->table = !strcmp(target, "-") && !t->given.table_only ? stderr : stdout;
    if (!status && !t->given.table_only)
        status = output_open(&t->mapping.given, t->argc, t->argv, &t->mapping.output, err);
    return !status && t->given.series ? open_series(t, err) : status;
}

/* Commits the table of steps if any clip was written to it. */
static int close_series(Tracker *t, int code)
{
    Error err = {0};
    int failed = t->series && (ferror(t->series) | fclose(t->series)) != 0;
    t->series_file.origin = output_origin(&t->origin);
    if (failed)
        error_set(&err, STATUS_IO, "%s: cannot write: %s", t->given.series, strerror(errno));
    else if (t->clip_count > 0 && code < status_exit_code(STATUS_USAGE))
        failed = output_file_commit(&t->series_file, &err);
    if (failed)
        code = exit_code_worse(code, message_error(stage_track.command.name, NULL, &err));
    output_file_discard(&t->series_file);
    return code;
}

/* Returns an error message for contradictory options, else NULL. */
static const char *find_nonsense(const Tracker *t)
{
    const TableOptions *given = &t->given;
    if (given->series && !strcmp(given->series, "-"))
        return "--series requires a file name";
    if (given->table_only && strcmp(t->mapping.given.target, "-") != 0)
        return "--table excludes -o";
    return NULL;
}

static int track_all(Tracker *t, char *const *paths, int count)
{
    const TrackOptions *o = (const TrackOptions *)&t->mapping.values;
    const char *command = stage_track.command.name;
    Error err = {0};
    int code;
    if (open_outputs(t, &err))
        code = message_error(command, NULL, &err);
    else if (o->scene == SCENE_NONE && !o->scene_file)
        code = clips_visit(command, paths, count, track_clip, t);
    else if (count > 0)
        code = message_usage(command, "--scene excludes input files");
    else
        code = o->scene_file ? track_scene_file(t, o) : track_scene(t, o);
    code = output_close(&t->mapping.output, command, code);
    code = t->given.series ? close_series(t, code) : code;
    output_call_free(&t->series_call);
    return code;
}

static int track_main(const Command *command, int argc, char **argv)
{
    Tracker t = {.mapping = mapping_defaults(&stage_track), .series_file = OUTPUT_FILE_NONE, .argc = argc,
                 .argv = argv};
    OptionGroup groups[MAPPING_GROUPS];
    Error err = {0};
    mapping_groups(&t.mapping, (OptionGroup){NULL, table_options, &t.given}, groups);
    int first = command_line_parse(command, groups, MAPPING_GROUPS, argc, argv);
    if (stage_track.check(&t.mapping.values, NULL, &err))
        return message_error(command->name, NULL, &err);
    const char *nonsense = find_nonsense(&t);
    return nonsense ? message_usage(command->name, "%s", nonsense) : track_all(&t, argv + first, argc - first);
}

const CliCommand cli_track = {&stage_track.command, track_main};
