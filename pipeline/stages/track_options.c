/* See track_options.h. */
#include "pipeline/stages/track_options.h"

#include <stddef.h>

#include "pipeline/stages/scene_file.h"
#include "pipeline/stages/track_words.h"

#define SCENE_SECONDS 6.0

_Static_assert(sizeof(TrackOptions) <= sizeof(OptionValues), "a stage's options have their place");

const char *const track_scenes[] = {"none", "steady", "moving", NULL};
static const char *const gain_scales[] = {"inertia", "plain", "mass", NULL};
static const char *const velocities[] = {"reference", "zero", NULL};
static const char *const switches[] = {"off", "on", NULL};
static const char *const roots[] = {"prescribed", "prescribed-loads", "free", "compliant", NULL};
static const char *const roots_old[] = {"driven", "loads", "", ""};
static const char *const steps[] = {"on", "off", NULL};
static const char *const fall_rules[] = {"protect", "limp", "track", "stop", NULL};
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
     .help = "Integral gain in 1/s3; in N m/(rad s) with --gains plain; 0 (default): none",
     .kind = &option_amount, .offset = FIELD(integral)},
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
     .help = "Weights of the balance of kane controllers: acceleration of the centre of mass, angular momentum, ground "
             "forces, joint torques (default 1,1,0.001,0)",
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
    {.name = "push", .argument = "ROLE,NEWTON,DIRECTION,START,SECONDS[,X,Y,Z]",
     .help = "Push on a segment, which moves with it: joint or role; force in N; forward, back, left, right, up, down "
             "of the character as it stands then, or X, Y, Z, -X, -Y, -Z; begin and duration in s; point in m in "
             "axes of the joint (default: centre of mass). Controllers do not know it",
     .kind = &option_text, .offset = FIELD(push)},
    {.name = "pushes", .argument = "FILE.tsv",
     .help = "Table of pushes: joint newton direction start seconds, optionally x y z",
     .kind = &option_file, .offset = FIELD(pushes)},
    {.name = "throw", .argument = "MASS,SPEED,FROM,ROLE,TIME",
     .help = "Ball of 5 cm radius thrown at a segment: mass in kg, mean speed in m/s, where it comes from (a direction "
             "as of --push), joint or role, time of impact in s",
     .kind = &option_text, .offset = FIELD(throw_ball)},
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
    {.name = "contact", .argument = "on|off",
     .help = "Ground contact of the body: always on with --root free or compliant",
     .kind = &option_choice, .offset = FIELD(contact), .choices = switches},
    {.name = "slope", .argument = "DEG",
     .help = "Ground that rises by this angle ahead of the character in its first frame, instead of the clip's; the "
             "legs of the reference are fitted to it",
     .kind = &option_text, .offset = FIELD(slope)},
    {.name = "ground", .argument = "SCENE.xml",
     .help = "Ground of the planes and boxes of an MJCF scene, with its x axis ahead of the character in its first "
             "frame, y to the left, z upwards",
     .kind = &option_file, .offset = FIELD(ground)},
    {.name = "friction", .argument = "MU", .help = "Friction coefficient of the ground (default: that of the clip, or "
                                                   "0.8)",
     .kind = &option_positive, .offset = FIELD(friction)},
    {.name = "strength-share", .argument = "SHARE",
     .help = "Bounds of joint torques as a fraction of trained people's strength (default 1)",
     .kind = &option_positive, .offset = FIELD(strength_share)},
    {.name = "unbounded", .help = "Neither bound torques by people's strength nor joints by their ranges",
     .kind = &option_flag, .offset = FIELD(unbounded)},
    {.name = "steps", .argument = "on|off",
     .help = "Land the feet of a pushed character where its capture point will be, or where the motion has them",
     .kind = &option_choice, .offset = FIELD(steps_off), .choices = steps},
    {.name = "on-fall", .argument = "protect|limp|track|stop",
     .help = "After a loss of balance: a protective pose, then limp; limp at once; go on tracking; or end the run",
     .kind = &option_choice, .offset = FIELD(on_fall), .choices = fall_rules},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Table of ligaments and bushings between joints, included in the controllers' model", .kind = &option_file,
     .offset = FIELD(springs)},
    {.name = "spring-laws", .argument = "FILE.tsv",
     .help = "Table of spring laws, columns law length rate force; springs name them in a column law",
     .kind = &option_file, .offset = FIELD(spring_laws)},
    {.name = "forces", .argument = "FILE.tsv",
     .help = "Table of forces over time, in addition, as a force plate measures them: time joint fx fy fz px py pz "
             "tx ty tz in world axes. The point px py pz is fixed in the world, also while the body moves away; rows "
             "are interpolated, and --push is a force that moves with the body",
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

int track_can_run(const TrackOptions *o, ControllerKind kind)
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
    IS_LOOSE = 131072,     /* ground or springs alone support the root */
    IS_BOUNDED = 262144,
    DROPS_BALL = 524288,
};

static const EffectCondition of_clips = {ON_CLIP, "applies to clips, not to scenes"};
static const EffectCondition no_hinges = {NOT_OF_HINGES, "has no effect: the joints of --scene are hinges"};
static const EffectCondition on_ground = {ON_GROUND, "requires --root free or compliant"};
static const EffectCondition of_loose = {IS_LOOSE, "requires --root free or compliant"};
static const EffectCondition of_bounded = {IS_BOUNDED, "has no effect with --unbounded"};
static const EffectCondition of_springs = {IS_COMPLIANT, "requires --root compliant"};
static const EffectCondition with_springs = {WITH_SPRINGS, "has no effect without --springs"};
static const EffectCondition of_forces = {HAS_FORCES, "requires --forces"};
static const EffectCondition of_follower = {HAS_FOLLOWER, "requires --follow"};
static const EffectCondition of_file = {OF_A_FILE, "requires --scene-file"};
static const EffectCondition of_ball = {WITH_BALL, "requires --perturb or --throw"};
static const EffectCondition of_dropped = {DROPS_BALL, "requires --perturb"};
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
    {"push", {NULL}},
    {"pushes", {NULL}},
    {"throw", {NULL}},
    {"perturb-time", {&of_dropped}},
    {"root", {&of_clips}},
    {"root-stiffness", {&of_springs}},
    {"contact", {&of_clips}},
    {"slope", {&of_clips, &on_ground}},
    {"ground", {&of_clips, &on_ground}},
    {"friction", {&of_clips, &on_ground}},
    {"strength-share", {&of_loose, &of_bounded}},
    {"unbounded", {&of_loose}},
    {"steps", {&of_balance}},
    {"on-fall", {&of_loose}},
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
                    (o->springs ? WITH_SPRINGS : 0) | (track_stands(o) ? IS_LOOSE : 0) |
                    (o->unbounded ? 0 : IS_BOUNDED) |
                    (o->perturb || o->throw_ball ? WITH_BALL : 0) | (o->perturb ? DROPS_BALL : 0) |
                    (o->follow > 0 ? HAS_FOLLOWER : 0) |
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
    if (o->perturb && o->throw_ball)
        return error_set(err, STATUS_USAGE, "--perturb and --throw exclude each other");
    if (o->scene != SCENE_NONE && o->scene_file)
        return error_set(err, STATUS_USAGE, "--scene and --scene-file exclude each other");
    if (o->slope && o->ground)
        return error_set(err, STATUS_USAGE, "--slope and --ground exclude each other");
    if (o->root == ROOT_DRIVEN && o->contact)
        return error_set(err, STATUS_USAGE, "--contact on requires --root free or compliant: a prescribed root carries "
                         "the body, so that its soles have no load; --root prescribed-loads has the clip's forces");
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
    Push push;
    double slope;
    TrackName name;
    const char *body;
    int kind;
    (void)clip;
    track_defaults(&none);
    if (o->scene != SCENE_NONE && !(o->duration > 0))
        o->duration = SCENE_SECONDS;
    Status status = track_parse_controller(o->controller, &kind, err);
    if (!status && o->perturb)
        status = track_parse_perturb(o->perturb, &ball, &body, err);
    if (!status && o->throw_ball)
        status = track_parse_throw(o->throw_ball, &ball, &name, err);
    if (!status && o->push)
        status = track_parse_push(o->push, &push, &name, err);
    if (!status && o->slope)
        status = track_parse_slope(o->slope, &slope, err);
    if (!status && o->balance_weights)
        status = track_parse_weights(o->balance_weights, &weights, err);
    if (!status)
        status = options_check_effect(track_options, track_effects, track_circumstances(o, kind), o, &none, err);
    return status ? status : check_conflicts(o, kind, err);
}
