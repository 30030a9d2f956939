/* kane track: follows a motion by simulated torques; its options and the conditions under which they have an
 * effect. See track.h. */
#include "pipeline/stages/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/base/text.h"
#include "formats/tables/external_table.h"
#include "formats/tables/gain_table.h"
#include "formats/tables/retarget_tables.h"
#include "formats/tables/scene_tables.h"
#include "formats/tables/soft_joint_table.h"
#include "formats/tables/spring_tables.h"
#include "formats/tables/target_table.h"
#include "pipeline/stages/scene_file.h"
#include "pipeline/stages/stage_list.h"

#define SCENE_SECONDS 6.0
#define HIGHEST 1000.0 /* m, of a dropped ball */
#define MISSED 1e-3    /* m */

_Static_assert(sizeof(TrackOptions) <= sizeof(OptionValues), "a stage's options have their place");

const char *const track_scenes[] = {"none", "steady", "moving", NULL};
static const char *const gain_scales[] = {"inertia", "plain", "mass", NULL};
static const char *const velocities[] = {"reference", "zero", NULL};
static const char *const switches[] = {"off", "on", NULL};
static const char *const roots[] = {"prescribed", "prescribed-loads", "free", "compliant", NULL};
static const char *const roots_old[] = {"driven", "loads", "", ""};
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
     .help = "Controller: pd, pd-feedforward, stable-pd, bubble-up, kane, kane-feedforward, pd-inverse",
     .kind = &option_text, .offset = FIELD(controller)},
    {.name = "stiffness", .argument = "K",
     .help = "Proportional gain in 1/s2; in N m/rad with --gains plain",
     .kind = &option_positive, .offset = FIELD(stiffness)},
    {.name = "damping", .argument = "D",
     .help = "Derivative gain of the PD controllers, in 1/s or Nms/rad (default: critical damping)",
     .kind = &option_positive, .offset = FIELD(damping)},
    {.name = "damping-ratio", .argument = "Z",
     .help = "Damping ratio of all controllers where no damping is given: below 1 under-damped (default 1, critical)",
     .kind = &option_positive, .offset = FIELD(damping_ratio)},
    {.name = "search-gains",
     .help = "Find stiffness and damping ratio of the least mean error by repeated runs, and use them",
     .kind = &option_flag, .offset = FIELD(search_gains)},
    {.name = "learn", .argument = "N",
     .help = "Feedback error learning of stable-pd and pd-inverse: run N times, each with the torques that the "
             "feedback of the last added",
     .kind = &option_count, .offset = FIELD(learn)},
    {.name = "integral", .argument = "I",
     .help = "Integral gain in 1/s3; in N m/(rad s) with --gains plain (default: none)",
     .kind = &option_positive, .offset = FIELD(integral)},
    {.name = "integral-max", .argument = "RAD_S",
     .help = "Bound of the sum of errors of a joint in rad s (default 1)",
     .kind = &option_positive, .offset = FIELD(integral_max)},
    {.name = "gains", .argument = "inertia|plain|mass",
     .help = "Gains of the PD controllers: scaled by inertia or mass of the moved chain, or plain",
     .kind = &option_choice, .offset = FIELD(gains), .choices = gain_scales},
    {.name = "joint-gains", .argument = "FILE.tsv",
     .help = "Table of gains by joint or role, columns joint stiffness damping [integral] [torque_max_nm]",
     .kind = &option_file, .offset = FIELD(joint_gains)},
    {.name = "balance-weights", .argument = "R,W,E,T",
     .help = "Weights of the balance of kane controllers: root acceleration, rotation of the body, ground forces, "
             "joint torques (default 1,0.3,0.001,0)",
     .kind = &option_text, .offset = FIELD(balance_weights)},
    {.name = "hit-stiffness", .argument = "FACTOR",
     .help = "Factor of the gains when the ball hits: below 1 the body yields, above 1 it stiffens (default: none)",
     .kind = &option_positive, .offset = FIELD(hit_stiffness)},
    {.name = "hit-time", .argument = "S",
     .help = "Time in s within which the gains return after a hit (default 0.5)",
     .kind = &option_positive, .offset = FIELD(hit_time)},
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
    {.name = "root", .argument = "prescribed|prescribed-loads|free|compliant",
     .help = "Root motion: prescribed, prescribed with the ground forces of the clip, free (floating base), or held to "
             "its path by springs",
     .kind = &option_choice, .offset = FIELD(root), .choices = roots, .old_choices = roots_old},
    {.name = "root-stiffness", .argument = "K",
     .help = "Stiffness of the springs of --root compliant in N/m, critically damped (default 10000)",
     .kind = &option_positive, .offset = FIELD(root_stiffness)},
    {.name = "contact", .argument = "on|off", .help = "Ground contact of feet, hands and knees",
     .kind = &option_choice, .offset = FIELD(contact), .choices = switches},
    {.name = "friction", .argument = "MU", .help = "Friction coefficient of the ground (default: that of the clip, or "
                                                   "0.8)",
     .kind = &option_positive, .offset = FIELD(friction)},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Table of ligaments and bushings between joints, included in the controllers' model", .kind = &option_file,
     .offset = FIELD(springs)},
    {.name = "spring-laws", .argument = "FILE.tsv",
     .help = "Table of spring laws, columns law length rate force; springs name them in a column law",
     .kind = &option_file, .offset = FIELD(spring_laws)},
    {.name = "forces", .argument = "FILE.tsv",
     .help = "Table of forces on joints over time, in addition: time joint fx fy fz px py pz tx ty tz",
     .kind = &option_file, .offset = FIELD(forces)},
    {.name = "forces-known", .help = "Include the forces of --forces in the controllers' model",
     .kind = &option_flag, .offset = FIELD(forces_known)},
    {.name = "targets", .argument = "FILE.tsv",
     .help = "Table of joint positions to reach by inverse kinematics before tracking: time joint x y z in s and m",
     .kind = &option_file, .offset = FIELD(targets)},
    {.name = "limits", .argument = "FILE.tsv",
     .help = "Table of joint limits by role, as for kane retarget; of ball joints of --scene-file by joint",
     .kind = &option_file, .offset = FIELD(limits)},
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

void track_defaults(OptionValues *values)
{
    *(TrackOptions *)values = (TrackOptions){.controller = "all", .stiffness = gains_default().stiffness,
                                             .dt = playback_default_def().dt};
}

/* Parses "1,1,B": mass in kg, height in m and body name, to which *body points. */
static Status track_parse_perturb(const char *text, BallDrop *ball, const char **body, Error *err)
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

/* Parses "1,0.3,0.001,0". */
static Status track_parse_weights(const char *text, BalanceWeights *weights, Error *err)
{
    double *value[] = {&weights->root, &weights->turning, &weights->force, &weights->torque};
    const char *at = text;
    int good = 1;
    for (int i = 0; i < 4 && good; i++) {
        char *end;
        *value[i] = strtod(at, &end);
        good = end != at && isfinite(*value[i]) && *value[i] >= (i < 3 ? 1e-9 : 0) && *end == (i < 3 ? ',' : 0);
        at = end + 1;
    }
    return good ? STATUS_OK
                : error_set(err, STATUS_USAGE, "--balance-weights: expected R,W,E,T, positive numbers of which T may "
                                               "be 0, found \"%s\"", text);
}

/* *kind -1: all. */
static Status track_parse_controller(const char *text, int *kind, Error *err)
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

/* Returns whether a controller supports this root mode: with a free root only the inverse-dynamics controllers do. */
static int track_can_run(const TrackOptions *o, ControllerKind kind)
{
    return o->root != ROOT_FREE || kind == CONTROLLER_KANE || kind == CONTROLLER_KANE_FEEDFORWARD;
}

/* Circumstances in which options have an effect. */
enum {
    ON_CLIP = 1,
    ON_GROUND = 2,
    WITH_BALL = 4,
    RUNS_PD = 8,          /* at least one of the controllers that run is a PD */
    RUNS_FEEDFORWARD = 16, /* at least one has feedforward */
    REFERENCE_MOVES = 32,
    OF_A_FILE = 64,
    HAS_FOLLOWER = 128,
    HAS_INTEGRAL = 256,
    HAS_HIT = 512,
    IS_COMPLIANT = 1024,
    HAS_FORCES = 2048,
    GAINS_ARE_GIVEN = 4096, /* not searched for */
    CAN_LEARN = 8192,
    BALANCES = 16384,
    NOT_OF_HINGES = 32768, /* reference is a clip or a file */
    WITH_SPRINGS = 65536,
};

static const EffectCondition of_clips = {ON_CLIP, "applies to clips, not to scenes"};
static const EffectCondition no_hinges = {NOT_OF_HINGES, "has no effect: the joints of --scene are hinges"};
static const EffectCondition on_ground = {ON_GROUND, "requires --contact on or --root free or compliant"};
static const EffectCondition of_springs = {IS_COMPLIANT, "requires --root compliant"};
static const EffectCondition with_springs = {WITH_SPRINGS, "has no effect without --springs"};
static const EffectCondition of_forces = {HAS_FORCES, "requires --forces"};
static const EffectCondition of_follower = {HAS_FOLLOWER, "requires --follow"};
static const EffectCondition of_file = {OF_A_FILE, "requires --scene-file"};
static const EffectCondition of_ball = {WITH_BALL, "requires --perturb"};
static const EffectCondition of_given = {GAINS_ARE_GIVEN, "has no effect: --search-gains finds it"};
static const EffectCondition of_ratio = {GAINS_ARE_GIVEN, "has no effect: --search-gains finds it"};
static const EffectCondition of_learners = {CAN_LEARN, "requires --controller stable-pd or pd-inverse"};
static const EffectCondition of_integral = {HAS_INTEGRAL, "requires --integral or --joint-gains"};
static const EffectCondition of_balance = {BALANCES, "requires --root free or compliant with kane or kane-feedforward"};
static const EffectCondition of_hit = {HAS_HIT, "requires --hit-stiffness"};
static const EffectCondition of_motion = {
    REFERENCE_MOVES, "has no effect: the reference of --scene steady does not move"};
static const EffectCondition of_pd = {
    RUNS_PD, "has no effect on --controller kane and kane-feedforward, nor with --root free"};
static const EffectCondition of_feedforward = {RUNS_FEEDFORWARD, "requires a controller with feedforward"};

const OptionEffect track_effects[] = {
    {"scene", {NULL}},
    {"scene-file", {NULL}},
    {"leave-out", {&of_file}},
    {"controller", {NULL}},
    {"stiffness", {&of_given}},
    {"damping", {&of_given, &of_pd}},
    {"damping-ratio", {&of_ratio}},
    {"search-gains", {NULL}},
    {"learn", {&of_learners}},
    {"integral", {NULL}},
    {"integral-max", {&of_integral}},
    {"gains", {&of_pd}},
    {"joint-gains", {NULL}},
    {"balance-weights", {&of_balance}},
    {"hit-stiffness", {&of_ball}},
    {"hit-time", {&of_hit}},
    {"velocity", {&of_motion}},
    {"dt", {NULL}},
    {"follow", {&of_motion}},
    {"follow-damping-ratio", {&of_follower}},
    {"perturb", {NULL}},
    {"perturb-time", {&of_ball}},
    {"root", {&of_clips}},
    {"root-stiffness", {&of_springs}},
    {"contact", {&of_clips}},
    {"friction", {&of_clips, &on_ground}},
    {"springs", {NULL}},
    {"spring-laws", {&with_springs}},
    {"forces", {NULL}},
    {"forces-known", {&of_forces}},
    {"targets", {&of_clips}},
    {"limits", {&no_hinges}},
    {"soft-joints", {&of_clips}},
    {"acceleration", {&of_motion, &of_feedforward}},
    {"duration", {NULL}},
    {0},
};

/* kind: the controller; -1: all that can run. */
static unsigned track_circumstances(const TrackOptions *o, int kind)
{
    int is_clip = o->scene == SCENE_NONE && !o->scene_file;
    unsigned bits = (is_clip ? ON_CLIP : 0) | (o->scene_file ? OF_A_FILE : 0) |
                    (o->contact || track_stands(o) ? ON_GROUND : 0) | (o->root == ROOT_COMPLIANT ? IS_COMPLIANT : 0) |
                    (o->forces ? HAS_FORCES : 0) | (o->search_gains ? 0 : GAINS_ARE_GIVEN) |
                    (o->integral > 0 || o->joint_gains ? HAS_INTEGRAL : 0) | (o->hit_stiffness > 0 ? HAS_HIT : 0) |
                    (o->springs ? WITH_SPRINGS : 0) |
                    (o->perturb ? WITH_BALL : 0) | (o->follow > 0 ? HAS_FOLLOWER : 0) |
                    (o->scene == SCENE_NONE ? NOT_OF_HINGES : 0) | (o->scene == SCENE_STEADY ? 0 : REFERENCE_MOVES);
    for (int i = 0; i < CONTROLLER_COUNT; i++) {
        int runs = kind < 0 ? track_can_run(o, (ControllerKind)i) : kind == i;
        int is_pd = i != CONTROLLER_KANE && i != CONTROLLER_KANE_FEEDFORWARD;
        int adds = i == CONTROLLER_PD_FEEDFORWARD || i == CONTROLLER_KANE_FEEDFORWARD;
        bits |= runs && is_pd ? RUNS_PD : 0;
        bits |= runs && track_stands(o) && controller_balances((ControllerKind)i) ? BALANCES : 0;
        bits |= runs && controller_learns((ControllerKind)i) ? CAN_LEARN : 0;
        bits |= runs && adds ? RUNS_FEEDFORWARD : 0;
    }
    return bits;
}

/* Rejects options that conflict. */
static Status check_conflicts(const TrackOptions *o, int kind, Error *err)
{
    if (o->damping > 0 && o->damping_ratio > 0)
        return error_set(err, STATUS_USAGE, "--damping and --damping-ratio exclude each other");
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
    BalanceWeights weights;
    const char *body;
    int kind;
    (void)clip;
    track_defaults(&none);
    if (o->scene != SCENE_NONE && !(o->duration > 0))
        o->duration = SCENE_SECONDS;
    Status status = track_parse_controller(o->controller, &kind, err);
    if (!status && o->perturb)
        status = track_parse_perturb(o->perturb, &ball, &body, err);
    if (!status && o->balance_weights)
        status = track_parse_weights(o->balance_weights, &weights, err);
    if (!status)
        status = options_check_effect(track_options, track_effects, track_circumstances(o, kind), o, &none, err);
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
    int stands = o->contact || track_stands(o);
    if (o->root_stiffness > 0)
        def->root_stiffness = o->root_stiffness;
    def->forces_known = o->forces_known;
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

/* Moves gains[joint of the clip] to the first entries, gains[simulated joint]. STATUS_BAD_INPUT for a joint that is
 * rigidly attached. */
static Status move_gains(const TrackOptions *o, const Clip *clip, const Playback *p, JointGains *gains, Error *err)
{
    const LumpedBody *lumped = &p->lumped;
    for (int j = 0; j < lumped->source_count; j++) {
        const JointGains *g = &gains[j];
        int says = !isnan(g->stiffness) || !isnan(g->damping) || !isnan(g->integral) || !isnan(g->torque_max);
        if (says && lumped->carrier[j] != j)
            return error_set(err, STATUS_BAD_INPUT, "%s: \"%s\" is rigidly attached to \"%s\": it has no gains",
                             o->joint_gains, clip->skeleton.name[j], clip->skeleton.name[lumped->carrier[j]]);
    }
    for (int i = 0; i < lumped->body.joint_count; i++)
        gains[i] = gains[lumped->source[i]];
    return STATUS_OK;
}

/* The caller frees *gains. */
static Status read_gains(const TrackOptions *o, const Clip *clip, const Playback *p, JointGains **gains, Error *err)
{
    *gains = array_new((size_t)clip->skeleton.joint_count, 1, sizeof **gains);
    if (!*gains)
        return error_no_memory(err);
    Status status = error_of_file(err, o->joint_gains,
                                  joint_gains_read(o->joint_gains, &clip->skeleton, *gains, err));
    return status ? status : move_gains(o, clip, p, *gains, err);
}

static ControllerDef controller_def(const TrackOptions *o, ControllerKind kind, const JointGains *gains)
{
    ControllerDef def = controller_default_def();
    def.kind = kind;
    def.zero_velocity = o->zero_velocity;
    def.gains.stiffness = o->stiffness;
    def.gains.damping = o->damping;
    def.gains.damping_ratio = o->damping_ratio;
    def.gains.scale = (GainScale)o->gains;
    def.gains.integral = o->integral;
    def.gains.joint = gains;
    def.hit_stiffness = o->hit_stiffness;
    if (o->balance_weights)
        track_parse_weights(o->balance_weights, &def.balance, NULL); /* already checked */
    if (o->integral_max > 0)
        def.gains.integral_max = o->integral_max;
    if (o->hit_time > 0)
        def.hit_time = o->hit_time;
    return def;
}

/* Replaces the gains of the controller by the best that were found. */
static Status search_gains(const Playback *playback, ControllerDef *def, Notes *notes, Error *err)
{
    GainSearch found;
    char text[256];
    Status status = playback_search_gains(playback, def, &found, err);
    if (status)
        return status;
    def->gains.damping = 0;
    def->gains.stiffness = found.stiffness;
    def->gains.damping_ratio = found.damping_ratio;
    snprintf(text, sizeof text, "%s: best gains: --stiffness %.4g --damping-ratio %.3g, mean error %.3g degrees; "
             "%d of %d runs reach the end", controller_name(def->kind), found.stiffness, found.damping_ratio,
             180 / PI * found.mean_error, found.stable_count, found.run_count);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status learn_torques(const TrackOptions *o, const Playback *playback, const ControllerDef *def, Clip *clip,
                            Notes *notes, Error *err)
{
    double *error = array_new((size_t)o->learn, 1, sizeof *error);
    char text[256];
    if (!error)
        return error_no_memory(err);
    Status status = playback_learn(playback, def, o->learn, error, &clip->tracking, err);
    snprintf(text, sizeof text, "%s: learned torques in %d runs: mean error from %.3g to %.3g degrees",
             controller_name(def->kind), o->learn, 180 / PI * error[0], 180 / PI * error[o->learn - 1]);
    free(error);
    return status ? status : notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Runs one controller: searches gains if asked for, then one run or the learning runs. */
static Status run_controller(const TrackOptions *o, const Playback *playback, ControllerDef def, Clip *clip,
                             Notes *notes, Error *err)
{
    Status status = o->search_gains ? search_gains(playback, &def, notes, err) : STATUS_OK;
    if (status)
        return status;
    return o->learn > 0 && controller_learns(def.kind) ? learn_torques(o, playback, &def, clip, notes, err)
                                                       : playback_run(playback, &def, &clip->tracking, err);
}

static Status run_controllers(const TrackOptions *o, const Playback *playback, Clip *clip, Notes *notes, Error *err)
{
    int wanted;
    JointGains *gains = NULL;
    Status status = track_parse_controller(o->controller, &wanted, err);
    if (!status && o->joint_gains)
        status = read_gains(o, clip, playback, &gains, err);
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        ControllerDef def = controller_def(o, (ControllerKind)i, gains);
        if (wanted == i || (wanted < 0 && track_can_run(o, (ControllerKind)i)))
            status = run_controller(o, playback, def, clip, notes, err);
    }
    free(gains);
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

static Status read_springs(const TrackOptions *o, const Clip *clip, Springs *out, Error *err)
{
    const Kinematics *k = &clip->kinematics;
    SpringPose start = {k->position, k->orientation, k->velocity, k->angular_velocity};
    SpringFiles files = {.springs = o->springs, .laws = o->spring_laws};
    Status status = springs_read(&files, &clip->skeleton, out, err);
    if (!status)
        springs_settle(out, &start);
    return status;
}

/* Initialises the playback with loads, springs and limits of the clip, which it copies. */
static Status init_playback(const TrackOptions *o, const Clip *clip, PlaybackDef def, Playback *playback, Error *err)
{
    Loads loads = {0};
    Springs springs = {0};
    JointLimits limits = {0};
    ExternalRows forces = {0};
    TargetRows targets = {0};
    ClipView view = clip_view(clip);
    uint8_t *counts = malloc((size_t)clip->motion.frame_count + 1);
    Status status = counts ? STATUS_OK : error_no_memory(err);
    for (int f = 0; counts && f < clip->motion.frame_count; f++)
        counts[f] = (uint8_t)clip_counts_frame(clip, f, FRAMES_TRUSTED);
    def.counts = counts;
    int has_loads = def.root == ROOT_LOADS || def.root == ROOT_COMPLIANT;
    if (!status && has_loads)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (!status && o->springs)
        status = read_springs(o, clip, &springs, err);
    if (!status && o->limits && !o->scene_file)
        status = error_of_file(err, o->limits, joint_limits_read(o->limits, &limits, err));
    def.loads = has_loads ? &loads : NULL;
    def.springs = o->springs ? &springs : NULL;
    def.limits = o->limits && !o->scene_file ? &limits : NULL;
    if (!status && o->forces)
        status = error_of_file(err, o->forces, external_read(o->forces, &clip->skeleton, &forces, err));
    def.forces = o->forces ? &forces : NULL;
    if (!status && o->targets)
        status = error_of_file(err, o->targets, targets_read(o->targets, &clip->skeleton, &targets, err));
    def.targets = o->targets ? &targets : NULL;
    if (!status)
        status = playback_init(playback, &view, &def, err);
    loads_free(&loads);
    springs_free(&springs);
    joint_limits_free(&limits);
    external_rows_free(&forces);
    arena_free(&targets.memory);
    free(counts);
    return status;
}

/* Rejects tables without effect on the simulated body. */
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

static Status note_missed(const TargetMiss *miss, Clip *clip, Notes *notes, Error *err)
{
    char text[256];
    snprintf(text, sizeof text, "--targets: \"%s\" ends %.3g m short of its target at %.4g s: it is out of reach",
             clip->skeleton.name[miss->joint], miss->distance, miss->time);
    return notes_warn(notes, clip, "targets", text, err);
}

static Status run_playback(const TrackOptions *o, Clip *clip, PlaybackDef def, Notes *notes, Error *err)
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
    if (!status && playback.miss.distance > MISSED)
        status = note_missed(&playback.miss, clip, notes, err);
    if (!status)
        status = playback_tracking(&playback, &clip->tracking, err);
    if (!status)
        status = run_controllers(o, &playback, clip, notes, err);
    playback_free(&playback);
    free(def.soft.joint);
    return status;
}

/* Warns of runs whose contact impulses did not converge. */
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

/* Warns of runs that diverged: the frames that follow repeat their last pose. */
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
    status = run_playback(o, clip, def, notes, err);
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
