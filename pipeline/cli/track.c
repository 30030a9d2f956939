/* kane track: applies the stage to clip files or scenes, prints the table of controllers, and optionally writes every
 * step and a page. */
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
#include "pipeline/cli/track_page.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/track_scene.h"

/* Options of the output, not of the stage. */
typedef struct TableOptions {
    const char *series, *compare, *page;
    int table_only;
} TableOptions;

static const Option table_options[] = {
    {.name = "series", .argument = "FILE.tsv", .help = "Output table of each step and joint",
     .kind = &option_text, .offset = offsetof(TableOptions, series)},
    {.name = "compare", .argument = "FILE.html", .help = "Output page of the clip and all controllers that ran",
     .kind = &option_text, .offset = offsetof(TableOptions, compare)},
    {.name = "page", .argument = "FILE.html", .help = "Template of --compare (default: the installed one)",
     .kind = &option_text, .offset = offsetof(TableOptions, page)},
    {.name = "table", .help = "Print the table and write no clip file",
     .kind = &option_flag, .offset = offsetof(TableOptions, table_only)},
    {0},
};

typedef struct Tracker {
    Mapping mapping;
    TableOptions given;
    OutputCall call; /* of series and page */
    OutputFile series_file;
    OutputOrigin origin; /* of the clips in the series */
    int argc;
    char *const *argv;
    FILE *table, *series;
    const Vec3 *axis; /* [joint] hinge axes of a scene, in joint axes; zero: a ball; NULL: all are balls */
    const Quat *rest; /* [joint] zeros of these hinges; NULL: no rotations */
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

/* Writes the header of the long table, one row per step and joint. */
static void put_series_head(FILE *out)
{
    fprintf(out, "clip\tcontroller\ttime\tjoint\trole\tangle_deg\torientation_error_deg\tposition_error_cm\t"
                 "torque_nm\ttorque_x_nm\ttorque_y_nm\ttorque_z_nm\n");
}

static int is_hinge(const Tracker *t, int joint) { return t->axis && vec3_norm(t->axis[joint]) > 0; }

/* Returns the rotation of a joint relative to its parent, degrees: of a hinge about its own axis, in (-180, 180]; of a
 * ball its magnitude. */
static double joint_angle(const Tracker *t, const Clip *clip, const Quat *row, int joint)
{
    int parent = clip->skeleton.parent[joint];
    Quat q = parent < 0 ? row[joint] : quat_mul(quat_conjugate(row[parent]), row[joint]);
    if (!is_hinge(t, joint))
        return 2 * DEGREES * vec3_norm(quat_log(q.w < 0 ? quat_neg(q) : q));
    if (t->rest)
        q = quat_mul(quat_conjugate(t->rest[joint]), q);
    double sine = vec3_dot(vec3(q.x, q.y, q.z), vec3_normalize(t->axis[joint]));
    double angle = 2 * DEGREES * elementary_atan2(sine, q.w);
    return angle > 180 ? angle - 360 : angle <= -180 ? angle + 360 : angle;
}

/* Returns a torque about a hinge's own axis, or the magnitude of a ball's. */
static double joint_torque(const Tracker *t, const Quat *row, int joint, Vec3 torque)
{
    if (!is_hinge(t, joint))
        return vec3_norm(torque);
    return vec3_dot(torque, quat_rotate(row[joint], vec3_normalize(t->axis[joint])));
}

static void put_step(const Tracker *t, const Clip *clip, ControllerKind kind, int frame, int joint)
{
    const Tracking *of = &clip->tracking;
    const TrackingRun *run = &of->run[kind];
    size_t row = (size_t)frame * (size_t)of->joint_count, at = row + (size_t)joint;
    Vec3 torque = run->torque[at];
    fprintf(t->series, "%s\t%s\t%.6g\t%s\t%s\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", clip_title(clip),
            controller_name(kind), of->time[frame], clip->skeleton.name[joint], role_name(clip->skeleton.role[joint]),
            joint_angle(t, clip, run->orientation + row, joint), DEGREES * run->orientation_error[at],
            100 * run->position_error[at], joint_torque(t, run->orientation + row, joint, torque), torque.x, torque.y,
            torque.z);
}

static void put_series_rows(const Tracker *t, const Clip *clip)
{
    const Tracking *of = &clip->tracking;
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        for (int f = 0; of->run[i].present && f < of->frame_count; f++)
            for (int j = 0; j < of->joint_count; j++)
                if (of->carrier[j] == j)
                    put_step(t, clip, (ControllerKind)i, f, j);
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
        put_series_rows(t, clip);
    if (t->given.compare) {
        if (t->clip_count > 1)
            return error_set(err, STATUS_USAGE, "--compare makes one page; give one clip");
        status = track_page_write(&t->call, t->given.page, t->given.compare, clip, err);
        if (status)
            return status;
    }
    output_origin_add(&t->origin, &clip->provenance);
    return t->given.table_only ? STATUS_OK : output_put(&t->mapping.output, clip, &t->mapping.container, err);
}

static int track_scene(Tracker *t, const TrackOptions *o)
{
    Clip clip;
    Error err = {0};
    TwoLinksScene scene = o->scene == SCENE_STEADY ? TWO_LINKS_STEADY : TWO_LINKS_MOVING;
    static const Vec3 axis[] = {{0, 0, 1}, {0, 0, 1}};
    t->axis = axis;
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
    t->axis = scene.axis;
    t->rest = scene.rest;
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
        status = output_file_open(&t->call, path, FILE_TEXT, NULL, &t->series_file, err);
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
    Status status = output_call_init(&t->call, t->mapping.given.manner, t->argc, t->argv, err);
    t->table = !strcmp(target, "-") && !t->given.table_only ? stderr : stdout;
    if (!status && !t->given.table_only)
        status = output_open(&t->mapping.given, t->argc, t->argv, &t->mapping.output, err);
    if (!status && t->given.compare)
        status = track_page_check(&t->call, t->given.compare, err);
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
    if (given->page && !given->compare)
        return "--page requires --compare";
    if (given->compare && !strcmp(given->compare, "-"))
        return "--compare requires a file name";
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
    output_call_free(&t->call);
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
