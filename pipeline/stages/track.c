/* See track.h. */
#include "pipeline/stages/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/control/playback.h"
#include "formats/base/text.h"
#include "formats/tables/body_tables.h"
#include "formats/tables/retarget_tables.h"
#include "pipeline/stages/simulate.h"
#include "pipeline/stages/stage.h"

/* Options of the track stage, of which the command line reads the scene. */

_Static_assert(sizeof(TrackOptions) <= sizeof(OptionValues), "a stage's options have their place");

const char *const track_scenes[] = {"none", "steady", "moving", NULL};
static const char *const gains[] = {"inertia", "plain", NULL};
static const char *const velocities[] = {"reference", "zero", NULL};
static const char *const switches[] = {"off", "on", NULL};
static const char *const roots[] = {"prescribed", "prescribed-loads", "free", NULL};
static const char *const roots_old[] = {"driven", "loads", ""};
static const char *const accelerations[] = {"next", "current", NULL};
static const char *const accelerations_old[] = {"coming", "present"};

#define FIELD(member) offsetof(TrackOptions, member)
const Option track_options[] = {
    {.name = "scene", .argument = "none|steady|moving",
     .help = "Built-in scene instead of clips: two hinged cylinders that reach a pose, or follow a motion",
     .kind = &option_choice, .offset = FIELD(scene), .choices = track_scenes},
    {.name = "scene-file", .argument = "SCENE.xml",
     .help = "MJCF scene instead of clips: a body with hinge or ball joints that follows its keyframes",
     .kind = &option_file, .offset = FIELD(scene_file)},
    {.name = "leave-out", .argument = "NAME[,NAME...]", .help = LEAVE_OUT_HELP,
     .kind = &option_text, .offset = FIELD(leave_out)},
    {.name = "controller", .argument = "NAME|all",
     .help = "Controller: pd, pd-feedforward, stable-pd, bubble-up, kane, kane-feedforward",
     .kind = &option_text, .offset = FIELD(controller)},
    {.name = "stiffness", .argument = "K",
     .help = "Proportional gain in 1/s2; with --gains plain in Nm/rad",
     .kind = &option_positive, .offset = FIELD(stiffness)},
    {.name = "damping", .argument = "D",
     .help = "Derivative gain of the PD controllers, in 1/s or Nms/rad (default: critical damping)",
     .kind = &option_positive, .offset = FIELD(damping)},
    {.name = "gains", .argument = "inertia|plain",
     .help = "Gains of the PD controllers: scaled by the inertia of the moved chain, or plain",
     .kind = &option_choice, .offset = FIELD(plain_gains), .choices = gains},
    {.name = "velocity", .argument = "reference|zero",
     .help = "Desired angular velocity",
     .kind = &option_choice, .offset = FIELD(zero_velocity), .choices = velocities},
    {.name = "dt", .argument = "S", .help = "Time step of controller and simulation in s",
     .kind = &option_positive, .offset = FIELD(dt)},
    {.name = "follow", .argument = "HZ",
     .help = "Let a damped spring of this frequency follow the motion, and track the spring",
     .kind = &option_positive, .offset = FIELD(follow)},
    {.name = "follow-damping-ratio", .argument = "Z",
     .help = "Damping ratio of that spring: below 1 it overshoots, above 1 it lags (default 1, critical)",
     .kind = &option_positive, .offset = FIELD(follow_damping_ratio)},
    {.name = "perturb", .argument = "MASS,HEIGHT,BODY",
     .help = "Ball of 5 cm radius dropped on a segment: mass in kg, height in m, joint or role",
     .kind = &option_text, .offset = FIELD(perturb)},
    {.name = "perturb-time", .argument = "S",
     .help = "Release time of the ball in s (default: impact at half of the motion)",
     .kind = &option_positive, .offset = FIELD(perturb_time)},
    {.name = "root", .argument = "prescribed|prescribed-loads|free",
     .help = "Root motion: prescribed, prescribed with the ground forces of the clip, or free (floating base)",
     .kind = &option_choice, .offset = FIELD(root), .choices = roots, .old_choices = roots_old},
    {.name = "contact", .argument = "on|off", .help = "Ground contact of feet, hands and knees",
     .kind = &option_choice, .offset = FIELD(contact), .choices = switches},
    {.name = "friction", .argument = "MU", .help = "Friction coefficient of the ground (default: that of the clip, or "
                                                   "0.8)",
     .kind = &option_positive, .offset = FIELD(friction)},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Table of ligaments and bushings between joints, included in the controllers' model", .kind = &option_file,
     .offset = FIELD(springs)},
    {.name = "limits", .argument = "FILE.tsv",
     .help = "Table of joint limits by role, as for kane retarget; of ball joints of --scene-file by joint",
     .kind = &option_file,
     .offset = FIELD(limits)},
    {.name = "soft-joints", .argument = "FILE.tsv",
     .help = "Table of compliant joint positions, columns joint stiffness damping in N/m and Ns/m",
     .kind = &option_file, .offset = FIELD(soft_joints)},
    {.name = "acceleration", .argument = "next|current",
     .help = "Reference acceleration for feedforward: of the next or the current step",
     .kind = &option_choice, .offset = FIELD(present_acceleration), .choices = accelerations,
     .old_choices = accelerations_old},
    {.name = "duration", .argument = "S",
     .help = "Duration in s (default: 6 for a scene, that of the clip); a longer one keeps the last pose",
     .kind = &option_positive, .offset = FIELD(duration)},
    {0},
};

#define SCENE_SECONDS 6.0

void track_defaults(OptionValues *values)
{
    *(TrackOptions *)values = (TrackOptions){.controller = "all", .stiffness = controller_default_def().stiffness,
                                             .dt = playback_default_def().dt};
}

#define HIGHEST 1000.0 /* m, of a ball */

Status track_parse_perturb(const char *text, BallDrop *ball, const char **body, Error *err)
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

Status track_parse_controller(const char *text, int *kind, Error *err)
{
    *kind = -1;
    if (!strcmp(text, "all"))
        return STATUS_OK;
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        if (!strcmp(text, controller_name((ControllerKind)i)))
            *kind = i;
    return *kind >= 0 ? STATUS_OK
                      : error_set(err, STATUS_USAGE, "--controller: unknown controller \"%s\"; see kane track "
                                                     "--help", text);
}

int track_can_run(const TrackOptions *o, ControllerKind kind)
{
    return o->root != ROOT_FREE || kind == CONTROLLER_KANE || kind == CONTROLLER_KANE_FEEDFORWARD;
}

/* Circumstances under which options act. */
enum {
    ON_CLIP = 1,
    ON_GROUND = 2,
    WITH_BALL = 4,
    RUNS_PD = 8,          /* at least one of the controllers that run is a PD */
    RUNS_FEEDFORWARD = 16, /* the same */
    REFERENCE_MOVES = 32,
    OF_A_FILE = 64,
    HAS_FOLLOWER = 128,
    NOT_OF_HINGES = 256,  /* a clip or a file */
};

static const EffectNeed of_clips = {ON_CLIP, "applies to clips, not to scenes"};
static const EffectNeed no_hinges = {NOT_OF_HINGES, "has no effect: the joints of --scene are hinges"};
static const EffectNeed on_ground = {ON_GROUND, "requires --contact on or --root free"};
static const EffectNeed of_follower = {HAS_FOLLOWER, "needs --follow"};
static const EffectNeed of_file = {OF_A_FILE, "needs --scene-file"};
static const EffectNeed of_ball = {WITH_BALL, "needs --perturb"};
static const EffectNeed of_motion = {REFERENCE_MOVES, "has no effect: the reference of --scene steady does not move"};
static const EffectNeed of_pd = {RUNS_PD, "has no effect on --controller kane and kane-feedforward, nor with --root "
                                          "free"};
static const EffectNeed of_feedforward = {RUNS_FEEDFORWARD, "requires a controller with feedforward"};

const OptionEffect track_effects[] = {
    {"scene", {NULL}},
    {"scene-file", {NULL}},
    {"leave-out", {&of_file}},
    {"controller", {NULL}},
    {"stiffness", {NULL}},
    {"damping", {&of_pd}},
    {"gains", {&of_pd}},
    {"velocity", {&of_motion}},
    {"dt", {NULL}},
    {"follow", {&of_motion}},
    {"follow-damping-ratio", {&of_follower}},
    {"perturb", {NULL}},
    {"perturb-time", {&of_ball}},
    {"root", {&of_clips}},
    {"contact", {&of_clips}},
    {"friction", {&of_clips, &on_ground}},
    {"springs", {NULL}},
    {"limits", {&no_hinges}},
    {"soft-joints", {&of_clips}},
    {"acceleration", {&of_motion, &of_feedforward}},
    {"duration", {NULL}},
    {0},
};

/* kind: of the controller, -1: all that can run. */
static unsigned circumstances_of(const TrackOptions *o, int kind)
{
    int is_clip = o->scene == SCENE_NONE && !o->scene_file;
    unsigned bits = (is_clip ? ON_CLIP : 0) | (o->scene_file ? OF_A_FILE : 0) |
                    (o->scene == SCENE_NONE ? NOT_OF_HINGES : 0) |
                    (o->contact || o->root == ROOT_FREE ? ON_GROUND : 0) |
                    (o->perturb ? WITH_BALL : 0) | (o->follow > 0 ? HAS_FOLLOWER : 0) |
                    (o->scene == SCENE_STEADY ? 0 : REFERENCE_MOVES);
    for (int i = 0; i < CONTROLLER_COUNT; i++) {
        int runs = kind < 0 ? track_can_run(o, (ControllerKind)i) : kind == i;
        int is_pd = i != CONTROLLER_KANE && i != CONTROLLER_KANE_FEEDFORWARD;
        int adds = i == CONTROLLER_PD_FEEDFORWARD || i == CONTROLLER_KANE_FEEDFORWARD;
        bits |= runs && is_pd ? RUNS_PD : 0;
        bits |= runs && adds ? RUNS_FEEDFORWARD : 0;
    }
    return bits;
}

/* Options that contradict each other. */
static Status check_conflicts(const TrackOptions *o, int kind, Error *err)
{
    if (o->scene != SCENE_NONE && o->scene_file)
        return error_set(err, STATUS_USAGE, "--scene and --scene-file exclude each other");
    if (o->root == ROOT_LOADS && o->contact)
        return error_set(err, STATUS_USAGE,
                         "--root prescribed-loads excludes --contact: the ground forces are those of the clip");
    if (kind >= 0 && !track_can_run(o, (ControllerKind)kind))
        return error_set(err, STATUS_USAGE, "--root free does not support the controller %s", o->controller);
    return STATUS_OK;
}

Status track_check(OptionValues *values, const Clip *clip, Error *err)
{
    TrackOptions *o = (TrackOptions *)values;
    OptionValues none = {0};
    BallDrop ball;
    const char *body;
    int kind;
    (void)clip;
    track_defaults(&none);
    if (o->scene != SCENE_NONE && !(o->duration > 0))
        o->duration = SCENE_SECONDS;
    Status status = track_parse_controller(o->controller, &kind, err);
    if (!status && o->perturb)
        status = track_parse_perturb(o->perturb, &ball, &body, err);
    if (!status)
        status = options_check_effect(track_options, track_effects, circumstances_of(o, kind), o, &none, err);
    return status ? status : check_conflicts(o, kind, err);
}

static Status playback_options(const TrackOptions *o, const Clip *clip, PlaybackDef *def, Error *err)
{
    *def = playback_default_def();
    def->dt = o->dt;
    def->follow = o->follow;
    if (o->follow_damping_ratio > 0)
        def->follow_damping_ratio = o->follow_damping_ratio;
    def->hinges = o->scene != SCENE_NONE;
    def->from_rest = def->hinges || o->scene_file;
    def->root = (RootMode)o->root;
    def->present_acceleration = o->present_acceleration;
    def->duration = o->scene == SCENE_NONE ? o->duration : 0;
    def->friction = o->friction > 0 ? o->friction : clip->contact.friction > 0 ? clip->contact.friction : def->friction;
    int stands = o->contact || def->root == ROOT_FREE;
    if (def->root == ROOT_LOADS && !clip->has_contact)
        return error_set(err, STATUS_BAD_INPUT,
                         "has no /contact: run kane contact first");
    if (stands && (!clip->has_contact || clip->contact.point_count == 0))
        return error_set(err, STATUS_BAD_INPUT,
                         "has no contact points: run kane contact first");
    if (stands) {
        def->ground = clip->contact.ground_height;
        def->ground_normal = clip->contact.ground_normal;
    }
    if (!o->perturb)
        return STATUS_OK;
    if (o->perturb_time > 0)
        def->ball.time = o->perturb_time;
    const char *body;
    char near[256];
    Status status = track_parse_perturb(o->perturb, &def->ball, &body, err);
    if (status || (def->ball.joint = skeleton_find_name_or_role(&clip->skeleton, body)) >= 0)
        return status;
    did_you_mean_joint(body, &clip->skeleton, near, sizeof near);
    return error_set(err, STATUS_BAD_INPUT, "--perturb: unknown joint or role \"%s\"%s", body, near);
}

static Status run_controllers(const TrackOptions *o, const Playback *playback, Tracking *tracking, Error *err)
{
    int wanted;
    Status status = track_parse_controller(o->controller, &wanted, err);
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        ControllerDef def = {(ControllerKind)i, o->stiffness, o->damping, o->plain_gains, o->zero_velocity};
        if (wanted == i || (wanted < 0 && track_can_run(o, (ControllerKind)i)))
            status = playback_run(playback, &def, tracking, err);
    }
    return status;
}

static Status read_scene_limits(const TrackOptions *o, const Model *m, SceneReference *out, Error *err)
{
    SceneTables tables = {0};
    Status status = error_of_file(err, o->limits, scene_limits_read(o->limits, m, &tables, err));
    if (!status)
        status = scene_reference_limit(m, tables.angle_limit, tables.angle_limit_count, out, err);
    scene_tables_free(&tables);
    if (status)
        scene_reference_free(out);
    return status;
}

Status track_read_scene(const TrackOptions *given, SceneReference *out, Notes *notes, Error *err)
{
    Model model;
    *out = (SceneReference){0};
    Status status = scene_file_read(given->scene_file, given->leave_out, &model, notes, err);
    if (!status) {
        status = error_of_file(err, given->scene_file, scene_reference_init(&model, given->dt, out, err));
        status = status || !given->limits ? status : read_scene_limits(given, &model, out, err);
        model_free(&model);
        return status;
    }
    return error_of_file(err, given->scene_file, status);
}

/* Loads, springs and limits of the clip go with the playback, which copies what it needs. */
static Status init_playback(const TrackOptions *o, const Clip *clip, PlaybackDef def, Playback *playback, Error *err)
{
    Loads loads = {0};
    Springs springs = {0};
    JointLimits limits = {0};
    ClipView view = clip_view(clip);
    uint8_t *counts = malloc((size_t)clip->motion.frame_count + 1);
    Status status = counts ? STATUS_OK : error_no_memory(err);
    for (int f = 0; counts && f < clip->motion.frame_count; f++)
        counts[f] = (uint8_t)clip_counts_frame(clip, f, FRAMES_TRUSTED);
    def.counts = counts;
    if (!status && def.root == ROOT_LOADS)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (!status && o->springs)
        status = error_of_file(err, o->springs, springs_read(o->springs, &clip->skeleton, &springs, err));
    if (!status && o->limits && !o->scene_file)
        status = error_of_file(err, o->limits, joint_limits_read(o->limits, &limits, err));
    def.loads = def.root == ROOT_LOADS ? &loads : NULL;
    def.springs = o->springs ? &springs : NULL;
    def.limits = o->limits && !o->scene_file ? &limits : NULL;
    if (!status)
        status = playback_init(playback, &view, &def, err);
    loads_free(&loads);
    springs_free(&springs);
    joint_limits_free(&limits);
    free(counts);
    return status;
}

/* A table that would change nothing of the simulated body. */
static Status check_tables(const TrackOptions *o, const Clip *clip, const Playback *p, Error *err)
{
    if (o->limits && p->limits.count == 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: no joint of the table is simulated", o->limits);
    for (int i = 0; i < p->def.soft.count; i++) {
        int joint = p->def.soft.joint[i].joint, carrier = p->lumped.carrier[joint];
        if (!playback_moves(p, joint))
            return error_set(err, STATUS_BAD_INPUT,
                             "%s: \"%s\" is rigidly attached to \"%s\": it cannot be compliant", o->soft_joints,
                             clip->skeleton.name[joint], clip->skeleton.name[carrier]);
    }
    return STATUS_OK;
}

static Status run_playback(const TrackOptions *o, Clip *clip, PlaybackDef def, Error *err)
{
    Playback playback;
    Status status = STATUS_OK;
    if (o->soft_joints)
        status = error_of_file(err, o->soft_joints,
                               soft_joints_read(o->soft_joints, &clip->skeleton, &def.soft, err));
    if (!status)
        status = init_playback(o, clip, def, &playback, err);
    if (status) {
        free(def.soft.joint);
        return status;
    }
    status = check_tables(o, clip, &playback, err);
    if (!status)
        status = playback_tracking(&playback, &clip->tracking, err);
    if (!status)
        status = run_controllers(o, &playback, &clip->tracking, err);
    playback_free(&playback);
    free(def.soft.joint);
    return status;
}

/* Runs that went on with impulses that had not settled. */
static Status note_unsettled(Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char text[256];
        if (run->unsettled_count == 0)
            continue;
        snprintf(text, sizeof text, "%s: contacts and limits converged poorly %d time%s, first at %.4g s: forces may "
                 "be inaccurate; use a smaller --dt", controller_name((ControllerKind)i), run->unsettled_count,
                 run->unsettled_count > 1 ? "s" : "", run->unsettled_time);
        status = notes_warn(notes, clip, "unsettled", text, err);
    }
    return status;
}

/* Runs that ended before the motion: what follows in them is their last pose. The table of the stage has their time;
 * pictures and pages show the pose. */
static Status note_flown_apart(Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char text[256];
        if (!run->is_flown_apart)
            continue;
        snprintf(text, sizeof text, "%s: the simulation diverges at %.4g s; its last pose is kept: use a smaller "
                 "--dt, other gains or another controller", controller_name((ControllerKind)i),
                 run->stable_time);
        status = notes_warn(notes, clip, "flown-apart", text, err);
    }
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TrackOptions *o = (const TrackOptions *)values;
    SceneReference scene = {0};
    PlaybackDef def;
    Status status;
    if ((status = playback_options(o, clip, &def, err)) ||
        (o->scene_file && (status = track_read_scene(o, &scene, notes, err))))
        return status;
    if (o->scene_file) {
        def.axis = scene.axis;
        def.rest = scene.rest;
        def.gravity = scene.gravity;
        def.limited_joint = scene.limited_joint;
        def.joint_limit = scene.limit;
        def.joint_limit_count = scene.limit_count;
    }
    status = run_playback(o, clip, def, err);
    if (!status)
        status = note_unsettled(clip, notes, err);
    if (!status)
        status = note_flown_apart(clip, notes, err);
    scene_reference_free(&scene);
    return status;
}

const Stage stage_track = {
    .command = {
        .name = "track",
        .group = COMMANDS_SIMULATE,
        .summary = "Simulate tracking controllers and compare them",
        .arguments = "[FILE.h5...]",
        .description = "Simulates the body under the joint torques of one controller or of all, with the root as "
                       "--root prescribes, and prints the tracking error: mean, 95th percentile and final orientation "
                       "error of the segments, mean distance of their centres of mass, mean sum of torques, and "
                       "stable time. Fills /tracking.",
        .example = "kane track walk.h5 --controller all -o tracked.h5",
        .options = track_options,
    },
    .defaults = track_defaults,
    .needs = CLIP_BODY,
    .fills = CLIP_TRACKING,
    .check = track_check,
    .apply = apply,
};
