/* kane export: clips in the formats of other programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/export/export.h"
#include "formats/export/export_c3d.h"
#include "formats/tables/plate_file.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/export_opensim.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/export_run.h"
#include "pipeline/stages/measured_options.h"
#include "pipeline/stages/root_motion_option.h"

typedef struct ExportOptions {
    ExportDef def;
    int is_auto; /* 1: format from the name of the output */
    const char *run;        /* controller of /tracking whose motion is exported; NULL: the clip's own */
    RootMotion root;
    int receiver;           /* of `receivers`: a folder of files for another program */
    const char *model;      /* opensim: path of the model */
    ExportC3dDef c3d;
    int wide, moments, grf, angles, coordinates; /* at most one is 1: a table with one row per frame */
    const char *output;
    OutputManner manner;
} ExportOptions;

typedef struct Export {
    ExportOptions given;
    FileKind kind;
    OutputCall call;
    OutputOrigin origin;
    ExportedRun run; /* owned; of --controller */
    OutputFile file;   /* committed once no second clip can follow; */
    OpensimFolder folder; /* likewise written */
    int count;    /* number of clips so far */
} Export;

static Status format_parse(const Option *option, const char *text, void *value, Error *err)
{
    ExportOptions *given = value;
    given->is_auto = !strcmp(text, "auto");
    if (!given->is_auto && !export_format_from_name(text, &given->def.format))
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    return STATUS_OK;
}

static void format_format(const Option *option, const void *value, char *text, size_t size)
{
    const ExportOptions *given = value;
    (void)option;
    snprintf(text, size, "%s", given->is_auto ? "auto" : export_format_name(given->def.format));
}

static Status frame_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (!export_frame_from_name(text, value))
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    return STATUS_OK;
}

static void frame_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%s", export_frame_name(*(const ExportFrame *)value));
}

static const OptionKind option_format = {format_parse, format_format};
static const OptionKind option_frame = {frame_parse, frame_format};

static const char *const colours[] = {"torque", "strength", NULL};
static const char *const cameras[] = {"none", "follow", "fixed", NULL};
static const char *const name_sets[] = {"kane", "opensim", NULL};
enum { RECEIVER_NONE, RECEIVER_OPENSIM };
static const char *const receivers[] = {"none", "opensim", NULL};
static const char *const airborne_cops[] = {"nan", "zero", NULL};

#define FIELD(member) offsetof(ExportOptions, member)
static const Option options[] = {
    {.name = "format", .argument = "auto|bvh|csv|tsv|jsonl|npz|mot|sto|glb|vrma|trc",
     .help = "Output format; auto = by file extension, else tsv",
     .kind = &option_format, .offset = 0},
    {.name = "for", .argument = "none|opensim",
     .help = "opensim: a folder (-o DIR) with coordinates, ground forces, external loads, moments with their standard "
             "deviations and a setup of inverse dynamics",
     .kind = &option_choice, .offset = FIELD(receiver), .choices = receivers},
    {.name = "model", .argument = "FILE.osim",
     .help = "--for opensim: model that the setup names; default model.osim in the folder",
     .kind = &option_file, .offset = FIELD(model)},
    {.name = "frame", .argument = "parent|local|world",
     .help = "Axes of torques, forces and angular velocities",
     .kind = &option_frame, .offset = FIELD(def.frame)},
    {.name = "wide",
     .help = "One row per frame with all columns of all joints",
     .kind = &option_flag, .offset = FIELD(wide)},
    {.name = "moments",
     .help = "One row per frame with the joint torques",
     .kind = &option_flag, .offset = FIELD(moments)},
    {.name = "grf",
     .help = "One row per frame with force, centre of pressure and free moment of each foot, and forces on other "
             "joints",
     .kind = &option_flag, .offset = FIELD(grf)},
    {.name = "angles",
     .help = "One row per frame with the anatomical angles in degrees",
     .kind = &option_flag, .offset = FIELD(angles)},
    {.name = "coordinates", .old_name = "anatomy",
     .help = "One row per frame with anatomical angles, velocities, moments, powers and utilization",
     .kind = &option_flag, .offset = FIELD(coordinates)},
    {.name = "camera", .argument = "none|follow|fixed",
     .help = "Camera on damped springs behind the body, or at a fixed position: one row per frame; in glb an animated "
             "camera",
     .kind = &option_choice, .offset = FIELD(def.camera.kind), .choices = cameras},
    {.name = "camera-distance", .argument = "M", .help = "Distance at rest from the root joint, m",
     .kind = &option_positive, .offset = FIELD(def.camera.distance)},
    {.name = "camera-pitch", .argument = "DEG", .help = "Angle at rest above the horizontal",
     .kind = &option_real, .offset = FIELD(def.camera.pitch)},
    {.name = "camera-yaw", .argument = "DEG",
     .help = "Angle at rest from straight behind the body, counter-clockwise from above",
     .kind = &option_real, .offset = FIELD(def.camera.yaw)},
    {.name = "camera-frequency", .argument = "HZ", .help = "Undamped frequency of the camera's springs",
     .kind = &option_positive, .offset = FIELD(def.camera.frequency)},
    {.name = "camera-damping-ratio", .argument = "Z",
     .help = "Damping ratio of the camera's springs: below 1 they overshoot; 1 is critical",
     .kind = &option_real, .offset = FIELD(def.camera.damping_ratio)},
    {.name = "names", .argument = "kane|opensim",
     .help = "Coordinate names of --angles and --moments: left_hip_flexion, or hip_flexion_l with pelvis and arms as "
             "in OpenSim's Rajagopal model",
     .kind = &option_choice, .offset = FIELD(def.names), .choices = name_sets},
    {.name = "airborne-cop", .argument = "nan|zero",
     .help = "Centre of pressure of an unloaded foot; OpenSim inverse dynamics requires zero",
     .kind = &option_choice, .offset = FIELD(def.airborne), .choices = airborne_cops},
    {.name = "controller", .old_name = "run", .argument = "CONTROLLER",
     .help = "Simulated motion of this controller of /tracking instead of the clip's",
     .kind = &option_text, .offset = FIELD(run)},
    {.name = "like", .argument = "FILE.bvh",
     .help = "bvh: file whose HIERARCHY, unit and axes are used",
     .kind = &option_text, .offset = FIELD(def.like)},
    {.name = "skin", .argument = "FILE.glb",
     .help = "glb: the model of this file (GLB, VRM) instead of the mannequin; the clip has its joints, as from kane "
             "retarget",
     .kind = &option_file, .offset = FIELD(def.skin)},
    {.name = "color", .old_name = "colour", .argument = "torque|strength",
     .help = "glb: colour by torque (0 to 3 N m/kg) or by utilization of strength (0 to 1)",
     .kind = &option_choice, .offset = FIELD(def.colour), .choices = colours},
    ROOT_MOTION_OPTION(ExportOptions, root),
    {.name = "plate-zero", .argument = "file|unloaded|none",
     .help = "Of a C3D file: level of its unloaded plates as its FORCE_PLATFORM:ZERO states, the mean while they are "
             "unloaded, or none (default file)",
     .kind = &option_measured, .offset = FIELD(c3d.zero), .choices = plate_zeros},
    {.name = "keep-axes",
     .help = "Of a C3D file: axes of the file instead of y up",
     .kind = &option_flag, .offset = FIELD(c3d.keeps_axes)},
    {.name = "all-frames",
     .help = "glb: peaks and colours also from frames with bad recordings; tables have all frames",
     .kind = &option_flag, .offset = FIELD(def.all_frames)},
    {.name = "output", .key = 'o', .argument = "FILE|-",
     .help = "Output file; - is standard output",
     .kind = &option_text, .offset = FIELD(output), .unrecorded = 1},
    OUTPUT_MANNER(ExportOptions, manner),
    {0},
};

/* Writers of the special tables, by their flags. */
static const struct {
    size_t flag;
    Status (*write)(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);
} tables[] = {
    {FIELD(wide), export_wide},     {FIELD(moments), export_moments}, {FIELD(grf), export_grf},
    {FIELD(angles), export_angles}, {FIELD(coordinates), export_coordinates}, {FIELD(def.camera.kind), export_camera},
};
enum { TABLES = sizeof tables / sizeof *tables };

static int is_asked(const ExportOptions *given, int table)
{
    int flag;
    if (tables[table].write == export_camera && given->def.format == EXPORT_GLB)
        return 0; /* part of the scene */
    memcpy(&flag, (const char *)given + tables[table].flag, sizeof flag);
    return flag;
}

static Status write_clip(const ExportOptions *given, const Clip *clip, FILE *stream, Error *err)
{
    int table = 0;
    while (table < TABLES && !is_asked(given, table))
        table++;
    Status status = (table < TABLES ? tables[table].write : export_clip)(clip, &given->def, stream, err);
    if (!status && fflush(stream))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}

/* Writes a C3D file, or the clip if c3d is NULL. */
static Status write_one(const ExportOptions *given, const char *c3d, const Clip *clip, FILE *stream, Error *err)
{
    ExportC3dDef def = given->c3d;
    def.format = given->def.format;
    def.airborne = given->def.airborne;
    return c3d ? export_c3d(c3d, &def, stream, err) : write_clip(given, clip, stream, err);
}

static Status write_file(Export *export, const char *c3d, const Clip *clip, Error *err)
{
    const char *path = export->given.output;
    Provenance of_c3d = {.source = (char *)(c3d ? base_name(c3d) : "")};
    if (c3d && digest_path(c3d, of_c3d.source_sha256, err))
        return err->status;
    output_origin_add(&export->origin, clip ? &clip->provenance : &of_c3d);
    Status status = output_file_open(&export->call, path, export->kind, output_origin(&export->origin), &export->file,
                                     err);
    if (status)
        return status;
    FILE *stream;
    status = new_file_stream(&export->file.file, &stream, err);
    if (status)
        return error_of_file(err, path, status);
    status = write_one(&export->given, c3d, clip, stream, err);
    fclose(stream);
    if (status)
        output_file_discard(&export->file);
    return status == STATUS_IO ? error_of_file(err, path, status) : status;
}

/* Moves the travel between root and hips, or takes it out. */
static Status place_root(const Export *export, Clip *clip, Error *err)
{
    if (export->given.root == ROOT_MOTION_IN_PLACE)
        root_motion_stop(&clip->skeleton, &clip->motion);
    return root_motion_place(&clip->skeleton, export->given.root, &clip->motion, err);
}

static Status export_visit(void *context, const char *path, Clip *clip, Error *err)
{
    Export *export = context;
    (void)path;
    if (export->count++ > 0)
        return error_set(err, STATUS_USAGE, "one output file for several clips; give one clip");
    Status status = export->given.run ? export_take_run(export->given.run, clip, &export->run, err)
                                       : STATUS_OK;
    export->given.def.run = export->given.run ? &export->run.gltf : NULL;
    if (!status)
        status = place_root(export, clip, err);
    if (status)
        return status;
    if (export->given.receiver == RECEIVER_OPENSIM) {
        output_origin_add(&export->origin, &clip->provenance);
        return opensim_folder_fill(clip, export->given.model, &export->folder, err);
    }
    return strcmp(export->given.output, "-") ? write_file(export, NULL, clip, err)
                                             : write_clip(&export->given, clip, stdout, err);
}

/* A C3D file is no clip: its markers or forces are written as they are. */
static int export_c3d_file(Export *export, const char *path)
{
    const char *command = cli_export.command->name;
    Error err = {0};
    if (export->given.receiver)
        return message_usage(command, "--for opensim requires a clip; %s has markers and forces only", path);
    Status status = strcmp(export->given.output, "-") ? write_file(export, path, NULL, &err)
                                                      : write_one(&export->given, path, NULL, stdout, &err);
    if (!status && export->file.file.descriptor >= 0)
        status = output_file_commit(&export->file, &err);
    output_file_discard(&export->file);
    return status ? message_error(command, path, &err) : 0;
}

/* Sets the format from the extension of the output, which is its name, or from --format. Tables for OpenSim are MOT. */
static Status settle_format(Export *export, Error *err)
{
    ExportOptions *given = &export->given;
    if (given->receiver == RECEIVER_OPENSIM && given->is_auto) {
        given->def.format = EXPORT_MOT;
        export->kind = FILE_OPENSIM;
        return STATUS_OK;
    }
    OutputEnding endings[EXPORT_FORMAT_COUNT + 1] = {{0}};
    const OutputEnding *entry = &endings[EXPORT_FORMAT_COUNT];
    for (int i = 0; i < EXPORT_FORMAT_COUNT; i++)
        endings[i] = (OutputEnding){export_format_name((ExportFormat)i), i, export_format_kind((ExportFormat)i)};
    Status status = given->is_auto ? output_ending(given->output, endings, &entry, err) : STATUS_OK;
    if (given->is_auto && entry->ending)
        given->def.format = (ExportFormat)entry->value;
    export->kind = export_format_kind(given->def.format);
    return status;
}

/* Returns 1 if the output has vectors that --frame rotates. */
static int has_axes(const ExportOptions *given)
{
    if (given->def.names != EXPORT_NAMES_KANE || given->angles || given->coordinates ||
        given->def.camera.kind)
        return 0;
    return given->moments || (export_format_has_axes(given->def.format) && !given->grf);
}

static int has_default_camera(const CameraDef *c)
{
    CameraDef none = camera_default_def();
    return c->distance == none.distance && c->pitch == none.pitch && c->yaw == none.yaw &&
           c->frequency == none.frequency && c->damping_ratio == none.damping_ratio;
}

/* What contradicts --for opensim, or --model without it; NULL: nothing. */
static const char *contradicts_folder(const ExportOptions *given, int asked)
{
    if (given->receiver == RECEIVER_NONE)
        return given->model ? "--model requires --for opensim" : NULL;
    if (asked || !given->is_auto || given->def.airborne)
        return "--for opensim writes its own files: give no format and no table";
    return strcmp(given->output, "-") ? NULL : "--for opensim writes a folder: give -o DIR";
}

/* Resolves defaults; returns an error message for contradictory options, else NULL. */
static const char *resolve(ExportOptions *given)
{
    int asked = 0;
    for (int i = 0; i < TABLES; i++)
        asked += is_asked(given, i) != 0;
    const char *nonsense = contradicts_folder(given, asked);
    if (nonsense)
        return nonsense;
    if (asked > 1)
        return "--wide, --moments, --grf, --angles, --coordinates and --camera exclude each other";
    if (given->def.names != EXPORT_NAMES_KANE && !given->angles && !given->moments && given->def.format != EXPORT_STO)
        return "--names requires --angles or --moments";
    if (given->def.airborne != AIRBORNE_COP_NAN && !given->grf && given->def.format != EXPORT_MOT)
        return "--airborne-cop requires --grf or the format mot";
    if (given->def.camera.kind == CAMERA_NONE && !has_default_camera(&given->def.camera))
        return "--camera-distance, --camera-pitch, --camera-yaw, --camera-frequency and --camera-damping-ratio need "
               "--camera follow or fixed";
    if (given->def.frame != EXPORT_WORLD && !has_axes(given))
        return "--frame does not apply to this format or table";
    if (given->root != ROOT_MOTION_KEEP && given->def.format != EXPORT_BVH && given->def.format != EXPORT_GLB &&
        given->def.format != EXPORT_VRMA)
        return "--root-motion requires the format bvh, glb or vrma";
    if (given->def.skin && (given->def.format != EXPORT_GLB || given->def.camera.kind || given->def.colour))
        return "--skin requires the format glb, without --camera and --color";
    if (given->def.colour != GLTF_COLOUR_TORQUE && given->def.format != EXPORT_GLB)
        return "--color requires the format glb";
    if (given->def.all_frames && given->def.format != EXPORT_GLB)
        return "--all-frames requires the format glb; other formats have all frames, with the column `trusted`";
    if (!strcmp(given->output, "-") && !export_format_is_text(given->def.format) && isatty(STDOUT_FILENO))
        return "binary output cannot be written to a terminal: give -o FILE or a pipe";
    return NULL;
}

/* Gives the output its name. */
static Status commit(Export *export, Error *err)
{
    if (export->file.file.descriptor >= 0)
        return output_file_commit(&export->file, err);
    if (!export->folder.text[OPENSIM_SETUP])
        return STATUS_OK;
    return opensim_folder_write(&export->folder, &export->call, export->given.output, output_origin(&export->origin),
                                err);
}

static int export_all(Export *export, char *const *paths, int count)
{
    const char *command = cli_export.command->name;
    Error err = {0};
    int code = clips_visit(command, paths, count, export_visit, export);
    if (code < status_exit_code(STATUS_USAGE) && commit(export, &err))
        code = exit_code_worse(code, message_error(command, NULL, &err));
    output_file_discard(&export->file);
    opensim_folder_free(&export->folder);
    return code;
}

static int export_main(const Command *command, int argc, char **argv)
{
    Export export = {.given = {.def = export_default_def(), .is_auto = 1, .output = "-"}, .file = OUTPUT_FILE_NONE};
    Error err = {0};
    OptionGroup group = {NULL, command->options, &export.given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    Status status = settle_format(&export, &err);
    const char *nonsense = status ? NULL : resolve(&export.given);
    if (nonsense)
        return message_usage(command->name, "%s", nonsense);
    if (!status)
        status = camera_check(&export.given.def.camera, &err);
    if (!status)
        status = output_call_init(&export.call, export.given.manner, argc, argv, &err);
    if (!status && !export.given.receiver)
        status = output_file_check(&export.call, export.given.output, export.kind, &err);
    int code = status ? message_error(command->name, NULL, &err)
                       : argc - first == 1 && plate_file_is_c3d(argv[first]) ? export_c3d_file(&export, argv[first])
                       : export_all(&export, argv + first, argc - first);
    output_call_free(&export.call);
    tracking_free(&export.run.tracking);
    return code;
}

static const Command export_command = {
    .name = "export",
    .group = COMMANDS_EXCHANGE,
    .summary = "Convert a clip: BVH, tables, npz, OpenSim, glTF",
    .arguments = "[FILE.h5]",
    .description = "Writes one clip. Tables have one row per frame and joint; with --wide, --moments, --grf, --angles "
                   "or --coordinates one row per frame. --for opensim writes a folder.",
    .example = "kane export walk.h5 --grf -o walk_grf.mot",
    .options = options,
};

const CliCommand cli_export = {&export_command, export_main};
