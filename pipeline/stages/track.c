#include "pipeline/stages/track_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/control/playback.h"
#include "formats/model/mjcf.h"
#include "formats/tables/retarget_tables.h"
#include "formats/tables/soft_joint_table.h"
#include "formats/tables/spring_table.h"
#include "pipeline/stages/stage.h"

_Static_assert(sizeof(TrackOptions) <= sizeof(OptionValues), "a stage's options have their place");

const char *const track_scenes[] = {"none", "steady", "moving", NULL};
static const char *const gains[] = {"inertia", "plain", NULL};
static const char *const velocities[] = {"reference", "zero", NULL};
static const char *const switches[] = {"off", "on", NULL};
static const char *const roots[] = {"driven", "loads", "free", NULL};
static const char *const accelerations[] = {"coming", "present", NULL};

#define FIELD(member) offsetof(TrackOptions, member)
static const Option options[] = {
    {.name = "scene", .argument = "none|steady|moving",
     .help = "Instead of clips: two cylinders on hinges that take a pose, or follow a motion, from rest",
     .kind = &option_choice, .offset = FIELD(scene), .choices = track_scenes},
    {.name = "scene-file", .argument = "SCENE.xml",
     .help = "Instead of clips: a body on hinges or balls in MJCF that follows its keyframes, from rest",
     .kind = &option_file, .offset = FIELD(scene_file)},
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
    {.name = "root", .argument = "driven|loads|free",
     .help = "A hand drives the root along its path; the same under the clip's ground forces; or nothing holds it",
     .kind = &option_choice, .offset = FIELD(root), .choices = roots},
    {.name = "contact", .argument = "on|off", .help = "Ground below feet, hands and knees",
     .kind = &option_choice, .offset = FIELD(contact), .choices = switches},
    {.name = "friction", .argument = "MU", .help = "Of the ground; unless given the clip's, or 0.8",
     .kind = &option_positive, .offset = FIELD(friction)},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Ligaments and bushings between the joints, which controllers know", .kind = &option_file,
     .offset = FIELD(springs)},
    {.name = "limits", .argument = "FILE.tsv",
     .help = "Joint limits by role, as of kane retarget, which hold whatever the controllers do", .kind = &option_file,
     .offset = FIELD(limits)},
    {.name = "soft-joints", .argument = "FILE.tsv",
     .help = "Joints whose places give way as springs do: joint stiffness damping, N/m and Ns/m", .kind = &option_file,
     .offset = FIELD(soft_joints)},
    {.name = "acceleration", .argument = "coming|present",
     .help = "Of the reference, that feedforward adds: over the step that begins, or over the one that ends",
     .kind = &option_choice, .offset = FIELD(present_acceleration), .choices = accelerations},
    {.name = "duration", .argument = "S",
     .help = "Length of a scene, 6 s unless given; a clip is cut there, or its last pose held until then",
     .kind = &option_positive, .offset = FIELD(duration)},
    {0},
};

#define SCENE_SECONDS 6.0

static void defaults(OptionValues *values)
{
    *(TrackOptions *)values = (TrackOptions){.controller = "all", .stiffness = controller_default_def().stiffness,
                                             .dt = playback_default_def().dt};
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
    def->hinges = o->scene != SCENE_NONE;
    def->from_rest = def->hinges || o->scene_file;
    def->root = (RootMode)o->root;
    def->present_acceleration = o->present_acceleration;
    def->duration = o->scene == SCENE_NONE ? o->duration : 0;
    def->friction = o->friction > 0 ? o->friction : clip->contact.friction > 0 ? clip->contact.friction : def->friction;
    int stands = o->contact || def->root == ROOT_FREE;
    if (def->root == ROOT_LOADS && !clip->has_contact)
        return error_set(err, STATUS_BAD_INPUT,
                         "has no /contact, so nothing tells the ground's forces: run kane contact first");
    if (stands && (!clip->has_contact || clip->contact.point_count == 0))
        return error_set(err, STATUS_BAD_INPUT,
                         "has no contact points, so nothing tells where the ground is: kane contact finds it");
    if (stands) {
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

/* Balancing is inverse dynamics' own. */
static int can_run(const TrackOptions *o, ControllerKind kind)
{
    return o->root != ROOT_FREE || kind == CONTROLLER_KANE || kind == CONTROLLER_KANE_FEEDFORWARD;
}

static Status run_controllers(const TrackOptions *o, const Playback *playback, Tracking *tracking, Error *err)
{
    int wanted;
    Status status = parse_controller(o->controller, &wanted, err);
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        ControllerDef def = {(ControllerKind)i, o->stiffness, o->damping, o->plain_gains, o->zero_velocity};
        if (wanted == i || (wanted < 0 && can_run(o, (ControllerKind)i)))
            status = playback_run(playback, &def, tracking, err);
    }
    return status;
}

/* An option that was given and changes nothing of the controller; NULL where there is none. */
static const char *find_idle(const TrackOptions *o, int kind)
{
    int is_pd = kind != CONTROLLER_KANE && kind != CONTROLLER_KANE_FEEDFORWARD;
    int adds = kind == CONTROLLER_PD_FEEDFORWARD || kind == CONTROLLER_KANE_FEEDFORWARD;
    return kind < 0                              ? NULL
           : o->damping > 0 && !is_pd            ? "--damping"
           : o->plain_gains && !is_pd            ? "--gains plain"
           : o->present_acceleration && !adds    ? "--acceleration present"
           : !can_run(o, (ControllerKind)kind)   ? "--root free"
                                                 : NULL;
}

/* The root, the ground and what else belongs to a clip alone. */
static Status check_ground(const TrackOptions *o, Error *err)
{
    int is_scene = o->scene != SCENE_NONE || o->scene_file;
    if (is_scene && (o->contact || o->root != ROOT_DRIVEN))
        return error_set(err, STATUS_USAGE, "--scene has no ground: %s has no use",
                         o->contact ? "--contact" : "--root");
    if (o->root == ROOT_LOADS && o->contact)
        return error_set(err, STATUS_USAGE, "--root loads has the clip's ground forces: --contact would count twice");
    if (o->friction > 0 && !o->contact && o->root != ROOT_FREE)
        return error_set(err, STATUS_USAGE, "--friction has no use without a ground: --contact on, or --root free");
    if (is_scene && (o->limits || o->soft_joints))
        return error_set(err, STATUS_USAGE, "%s is of a clip's joints: a scene has its own",
                         o->limits ? "--limits" : "--soft-joints");
    return STATUS_OK;
}

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    TrackOptions *o = (TrackOptions *)values;
    BallDrop ball;
    const char *body;
    int kind;
    (void)clip;
    if (o->scene != SCENE_NONE && !(o->duration > 0))
        o->duration = SCENE_SECONDS;
    Status status = parse_controller(o->controller, &kind, err);
    if (status == STATUS_OK && o->perturb)
        status = parse_perturb(o->perturb, &ball, &body, err);
    if (status == STATUS_OK && o->scene != SCENE_NONE && o->scene_file)
        status = error_set(err, STATUS_USAGE, "--scene and --scene-file are two scenes");
    if (status == STATUS_OK)
        status = check_ground(o, err);
    const char *idle = status == STATUS_OK ? find_idle(o, kind) : NULL;
    if (idle)
        status = error_set(err, STATUS_USAGE, "%s does nothing for the controller %s", idle, o->controller);
    if (status == STATUS_OK && o->perturb_time > 0 && !o->perturb)
        status = error_set(err, STATUS_USAGE, "--perturb-time needs --perturb");
    return status;
}

Status track_read_scene(const TrackOptions *given, SceneReference *out, Error *err)
{
    XmlDef limits = xml_default_def();
    MjcfRemarks remarks = {0};
    Model model;
    *out = (SceneReference){0};
    Status status = mjcf_read(given->scene_file, &limits, &model, &remarks, err);
    if (!status)
        status = scene_reference_init(&model, given->dt, out, err);
    mjcf_remarks_free(&remarks);
    model_free(&model);
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
    if (!status && o->limits)
        status = error_of_file(err, o->limits, joint_limits_read(o->limits, &limits, err));
    def.loads = def.root == ROOT_LOADS ? &loads : NULL;
    def.springs = o->springs ? &springs : NULL;
    def.limits = o->limits ? &limits : NULL;
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
        return error_set(err, STATUS_BAD_INPUT, "%s: limits no joint that is simulated", o->limits);
    for (int i = 0; i < p->def.soft.count; i++) {
        int joint = p->def.soft.joint[i].joint, carrier = p->lumped.carrier[joint];
        if (!playback_moves(p, joint))
            return error_set(err, STATUS_BAD_INPUT,
                             "%s: \"%s\" is simulated as one body with \"%s\": nothing gives way", o->soft_joints,
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
        snprintf(text, sizeof text, "%s: contacts and limits were solved roughly %d time%s, first at %.4g s: forces "
                 "may be wrong there: try a smaller --dt", controller_name((ControllerKind)i), run->unsettled_count,
                 run->unsettled_count > 1 ? "s" : "", run->unsettled_time);
        status = notes_warn(notes, clip, "unsettled", text, err);
    }
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TrackOptions *o = (const TrackOptions *)values;
    SceneReference scene = {0};
    PlaybackDef def;
    Status status = playback_options(o, clip, &def, err);
    if (!status && o->scene_file)
        status = track_read_scene(o, &scene, err);
    if (status)
        return status;
    if (o->scene_file) {
        def.axis = scene.axis;
        def.rest = scene.rest;
        def.gravity = scene.gravity;
    }
    status = run_playback(o, clip, def, err);
    if (!status)
        status = note_unsettled(clip, notes, err);
    scene_reference_free(&scene);
    return status;
}

const Stage stage_track = {
    .command = {
        .name = "track",
        .summary = "Simulate bodies under controllers that follow the motion, and compare them",
        .arguments = "[FILE.h5...]",
        .description = "Simulates the body, with its root driven along the clip, under joint torques of one controller "
                       "or of all, and prints how near each stays to the motion: mean, 95th percentile and final "
                       "orientation error over the segments, mean distance of their centres of mass, mean sum of the "
                       "torques, and how long the simulation was stable. Fills /tracking.",
        .options = options,
    },
    .defaults = defaults,
    .needs = CLIP_BODY,
    .fills = CLIP_TRACKING,
    .check = check,
    .apply = apply,
};
