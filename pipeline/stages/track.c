/* kane track: forward simulation under controllers, compared with the motion. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/control/playback.h"
#include "analysis/control/two_links.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/sink.h"
#include "pipeline/stages/track_table.h"
#include "pipeline/cli/verbs.h"

typedef enum Scene { SCENE_NONE, SCENE_STEADY, SCENE_MOVING } Scene;

typedef struct TrackOptions {
    Scene scene;
    const char *controller;
    double stiffness, damping;
    int plain_gains, zero_velocity;
    double dt, follow;
    const char *perturb;
    double perturb_time;
    int contact;
    double duration;
    const char *series;
    int table_only;
} TrackOptions;

_Static_assert(sizeof(TrackOptions) <= sizeof(OptionValues), "a verb's options have their place");

static const char *const scenes[] = {"none", "steady", "moving", NULL};
static const char *const gains[] = {"inertia", "plain", NULL};
static const char *const velocities[] = {"reference", "zero", NULL};
static const char *const switches[] = {"off", "on", NULL};

#define FIELD(member) offsetof(TrackOptions, member)
static const Option options[] = {
    {.name = "scene", .argument = "none|steady|moving",
     .help = "Instead of clips: two cylinders on hinges that take a pose, or follow a motion, from rest",
     .kind = &option_choice, .offset = FIELD(scene), .choices = scenes},
    {.name = "controller", .argument = "NAME|all",
     .help = "pd, pd-feedforward, stable-pd, bubble-up, kane, kane-feedforward",
     .kind = &option_text, .offset = FIELD(controller)},
    {.name = "stiffness", .argument = "K",
     .help = "Proportional gain of an acceleration, 1/s2; with plain gains of the PDs Nm/rad",
     .kind = &option_positive, .offset = FIELD(stiffness)},
    {.name = "damping", .argument = "D",
     .help = "Derivative gain of the PDs, 1/s or Nms/rad; critical unless given",
     .kind = &option_positive, .offset = FIELD(damping)},
    {.name = "gains", .argument = "inertia|plain",
     .help = "Whether the gains of the PDs are scaled by the inertia of the chain that a joint moves",
     .kind = &option_choice, .offset = FIELD(plain_gains), .choices = gains},
    {.name = "velocity", .argument = "reference|zero",
     .help = "Desired angular velocity",
     .kind = &option_choice, .offset = FIELD(zero_velocity), .choices = velocities},
    {.name = "dt", .argument = "S", .help = "Time step of controller and simulation",
     .kind = &option_positive, .offset = FIELD(dt)},
    {.name = "follow", .argument = "HZ",
     .help = "Let a critically damped spring of this frequency follow the motion, and track the spring",
     .kind = &option_positive, .offset = FIELD(follow)},
    {.name = "perturb", .argument = "MASS,HEIGHT,BODY",
     .help = "Drop a ball of 5 cm radius on the segment of a joint (name or role), kg and m",
     .kind = &option_text, .offset = FIELD(perturb)},
    {.name = "perturb-time", .argument = "S",
     .help = "When the ball is let go; unless given it comes down at half of the motion",
     .kind = &option_positive, .offset = FIELD(perturb_time)},
    {.name = "contact", .argument = "on|off", .help = "Ground below feet, hands and knees",
     .kind = &option_choice, .offset = FIELD(contact), .choices = switches},
    {.name = "duration", .argument = "S", .help = "Length of a scene",
     .kind = &option_positive, .offset = FIELD(duration), .with = "steady|moving"},
    {.name = "series", .argument = "FILE.tsv", .help = "Also write every step of every joint as a table",
     .kind = &option_text, .offset = FIELD(series), .unrecorded = 1},
    {.name = "table", .help = "Print the table only and write no container",
     .kind = &option_flag, .offset = FIELD(table_only), .unrecorded = 1},
    {0},
};

static void defaults(OptionValues *values)
{
    *(TrackOptions *)values = (TrackOptions){.controller = "all", .stiffness = controller_default_def().stiffness,
                                             .dt = playback_default_def().dt, .duration = 6};
}

#define HIGHEST 1000.0 /* m, of a ball */

/* "1,1,B": mass, height, and what *body then points to. */
static Status parse_perturb(const char *text, BallDrop *ball, const char **body, Error *err)
{
    const char *whole = text;
    char *end;
    ball->mass = strtod(text, &end);
    int good = end != text && *end == ',' && ball->mass > 0;
    if (good) {
        text = end + 1;
        ball->height = strtod(text, &end);
        good = end != text && *end == ',' && ball->height > 0 && isfinite(ball->mass) && ball->height <= HIGHEST;
    }
    *body = good ? end + 1 : "";
    if (!**body)
        return error_set(err, STATUS_USAGE,
                         "--perturb: expected MASS,HEIGHT,BODY with positive numbers, height up to %g m, found \"%s\"",
                         HIGHEST, whole);
    return STATUS_OK;
}

/* -1: all. */
static Status parse_controller(const char *text, int *kind, Error *err)
{
    *kind = -1;
    if (!strcmp(text, "all"))
        return STATUS_OK;
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        if (!strcmp(text, controller_name((ControllerKind)i)))
            *kind = i;
    return *kind >= 0 ? STATUS_OK
                      : error_set(err, STATUS_USAGE, "--controller: no \"%s\": kane track --help lists them", text);
}

static Status playback_options(const TrackOptions *o, const Clip *clip, PlaybackDef *def, Error *err)
{
    *def = playback_default_def();
    def->dt = o->dt;
    def->follow = o->follow;
    def->hinges = def->from_rest = o->scene != SCENE_NONE;
    if (o->contact && (!clip->has_contact || clip->contact.point_count == 0))
        return error_set(err, STATUS_BAD_INPUT,
                         "has no contact points, so nothing tells where the ground is: kane contact finds it");
    if (o->contact) {
        def->ground = clip->contact.ground_height;
        def->ground_normal = clip->contact.ground_normal;
    }
    if (!o->perturb)
        return STATUS_OK;
    if (o->perturb_time > 0)
        def->ball.time = o->perturb_time;
    const char *body;
    Status status = parse_perturb(o->perturb, &def->ball, &body, err);
    if (!status && (def->ball.joint = skeleton_find_name_or_role(&clip->skeleton, body)) < 0)
        status = error_set(err, STATUS_BAD_INPUT, "--perturb: no joint \"%s\"", body);
    return status;
}

static Status run_controllers(const TrackOptions *o, const Playback *playback, Tracking *tracking, Error *err)
{
    int wanted;
    Status status = parse_controller(o->controller, &wanted, err);
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        ControllerDef def = {(ControllerKind)i, o->stiffness, o->damping, o->plain_gains, o->zero_velocity};
        if (wanted < 0 || wanted == i)
            status = playback_run(playback, &def, tracking, err);
    }
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Error *err)
{
    const TrackOptions *o = (const TrackOptions *)values;
    PlaybackDef def;
    Playback playback;
    if (!clip->has_body)
        return error_set(err, STATUS_BAD_INPUT, "has no /body: run kane body first");
    clip_drop(clip, CLIP_TRACKING);
    Status status = playback_options(o, clip, &def, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    status = playback_init(&playback, &view, &def, err);
    if (status)
        return status;
    status = playback_tracking(&playback, &clip->tracking, err);
    if (!status) {
        clip->has_tracking = 1;
        status = run_controllers(o, &playback, &clip->tracking, err);
    }
    playback_free(&playback);
    if (status)
        clip_drop(clip, CLIP_TRACKING);
    return status;
}

typedef struct Tracker {
    const Verb *verb;
    OptionValues values;
    SinkOptions sink;
    Output output;
    NewFile series_file;
    FILE *table, *series;
    int clip_count;
} Tracker;

static Status track_clip(void *context, const char *path, Clip *clip, Error *err)
{
    Tracker *t = context;
    (void)path;
    Status status = verb_apply(t->verb, &t->values, clip, err);
    if (status)
        return status;
    if (t->clip_count++ == 0)
        track_table_head(t->table);
    track_table_rows(t->table, clip);
    if (t->series)
        track_series_rows(t->series, clip);
    if (((const TrackOptions *)&t->values)->table_only)
        return STATUS_OK;
    return output_put(&t->output, clip, &t->sink.container, err);
}

static int track_scene(Tracker *t)
{
    const TrackOptions *o = (const TrackOptions *)&t->values;
    Clip clip;
    Error err = {0};
    TwoLinksScene scene = o->scene == SCENE_STEADY ? TWO_LINKS_STEADY : TWO_LINKS_MOVING;
    Status status = two_links_clip(scene, o->duration, o->dt, &clip, &err);
    if (!status)
        status = track_clip(t, NULL, &clip, &err);
    int code = status ? message_error(t->verb->name, scenes[o->scene], &err) : 0;
    clip_free(&clip);
    return code;
}

static Status open_series(Tracker *t, const char *path, Error *err)
{
    Status status = new_file_open(path, &t->series_file, err);
    if (!status)
        status = new_file_stream(&t->series_file, &t->series, err);
    if (!status)
        track_series_head(t->series);
    return status;
}

/* The table goes to standard output, unless that takes the container. */
static int open_outputs(Tracker *t)
{
    TrackOptions *o = (TrackOptions *)&t->values;
    const char *target = t->sink.output;
    Error err = {0};
    int piped = !target || !strcmp(target, "-");
    if (!target && isatty(STDOUT_FILENO))
        o->table_only = 1;
    t->table = piped && !o->table_only ? stderr : stdout;
    if (!o->table_only && output_open(target, &t->output, &err) != STATUS_OK)
        return message_error(t->verb->name, NULL, &err);
    if (o->series && open_series(t, o->series, &err) != STATUS_OK)
        return message_error(t->verb->name, o->series, &err);
    return 0;
}

/* The table of steps gets its name where any clip has filled it. */
static int close_series(Tracker *t, int code)
{
    Error err = {0};
    int failed = t->series && (ferror(t->series) | fclose(t->series)) != 0;
    if (failed)
        error_set(&err, STATUS_IO, "cannot write: %s", strerror(errno));
    else if (t->clip_count > 0 && code < status_exit_code(STATUS_USAGE))
        failed = new_file_commit(&t->series_file, &err) != STATUS_OK;
    if (failed)
        code = exit_code_worse(code, message_error(t->verb->name, ((const TrackOptions *)&t->values)->series, &err));
    new_file_discard(&t->series_file);
    return code;
}

static int close_outputs(Tracker *t, int code)
{
    const TrackOptions *o = (const TrackOptions *)&t->values;
    Error err = {0};
    if (!o->table_only && code < status_exit_code(STATUS_USAGE) && output_close(&t->output, &err) != STATUS_OK)
        code = exit_code_worse(code, message_error(t->verb->name, NULL, &err));
    output_free(&t->output);
    return o->series ? close_series(t, code) : code;
}

/* What contradicts itself whatever the clips hold. */
static int check_usage(const Tracker *t)
{
    const TrackOptions *o = (const TrackOptions *)&t->values;
    Error err = {0};
    BallDrop ball;
    const char *body;
    int kind;
    if (parse_controller(o->controller, &kind, &err) != STATUS_OK ||
        (o->perturb && parse_perturb(o->perturb, &ball, &body, &err) != STATUS_OK))
        return message_error(t->verb->name, NULL, &err);
    if (o->scene != SCENE_NONE && o->contact)
        return message_usage(t->verb->name, "--scene has no ground: --contact has no use");
    if (o->perturb_time > 0 && !o->perturb)
        return message_usage(t->verb->name, "--perturb-time needs --perturb");
    if (o->series && !strcmp(o->series, "-"))
        return message_usage(t->verb->name, "--series needs a file: standard output takes the table or the container");
    if (o->table_only && t->sink.output && strcmp(t->sink.output, "-") != 0)
        return message_usage(t->verb->name, "--table writes no container: -o has no use");
    return 0;
}

static int track_main(const Verb *verb, int argc, char **argv)
{
    Tracker t = {.verb = verb, .sink = sink_defaults(), .output.pending.descriptor = -1,
                 .series_file.descriptor = -1};
    int first;
    verb_defaults(verb, &t.values);
    OptionGroup groups[] = {{NULL, verb->options, &t.values},
                            {NULL, sink_output_options, &t.sink},
                            {NULL, sink_storage_options, &t.sink.container}};
    options_parse("kane track", verb->arguments, verb->description, groups, 3, argc, argv, &first);
    int code = check_usage(&t);
    if (code)
        return code;
    code = open_outputs(&t);
    if (code) {
        output_free(&t.output);
        new_file_discard(&t.series_file);
        return code;
    }
    if (((const TrackOptions *)&t.values)->scene == SCENE_NONE)
        code = clips_visit(verb->name, argv + first, argc - first, track_clip, &t);
    else
        code = argc > first ? message_usage(verb->name, "--scene takes no files") : track_scene(&t);
    return close_outputs(&t, code);
}

const Verb verb_track = {
    .name = "track",
    .summary = "Simulate bodies under controllers that follow the motion, and compare them",
    .arguments = "[FILE.h5...]",
    .description = "Simulates the body, with its root driven along the clip, under joint torques of one controller or "
                   "of all, and prints how near each stays to the motion: mean, 95th percentile and final orientation "
                   "error over the segments, mean distance of their centres of mass, mean sum of the torques, and how "
                   "long the simulation was stable. Fills /tracking.",
    .options = options,
    .defaults = defaults,
    .apply = apply,
    .main = track_main,
};
