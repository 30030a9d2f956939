/* See simulate_options.h. */
#include "pipeline/stages/simulate_options.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/stages/scene_file.h"

#define MAX_STEPS 1e9

static const char *const integrators[] = {"symplectic-euler", "implicit-euler", "trapezoidal", "bridson-marino",
                                          "variational", "auto", NULL};
static const char *const solvers[] = {"auto", "exact", "gauss-seidel", NULL};
static const char *const old_solvers[] = {"", "pivoting", ""};
static const char *const frictions[] = {"cone", "box", NULL};
static const char *const residuals[] = {"on", "off", NULL};
_Static_assert(sizeof integrators / sizeof *integrators == SCENE_INTEGRATOR_AUTO + 2, "a name for each integrator");

/* -1: "geoms". */
static Status friction_parse(const Option *option, const char *text, void *value, Error *err)
{
    double number = -1;
    Status status = strcmp(text, "geoms") ? option_real.parse(option, text, &number, err) : STATUS_OK;
    if (!status && number < 0 && strcmp(text, "geoms") != 0)
        status = error_set(err, STATUS_USAGE, "expected 0 or more, or geoms, found \"%s\"", text);
    *(double *)value = number;
    return status;
}

static void friction_format(const Option *option, const void *value, char *text, size_t size)
{
    if (*(const double *)value < 0)
        snprintf(text, size, "geoms");
    else
        option_real.format(option, value, text, size);
}

static const OptionKind option_friction = {friction_parse, friction_format};

#define FIELD(member) offsetof(SimulateOptions, member)
static const Option options[] = {
    {.name = "duration", .argument = "S", .help = "Duration in s (default: 5 for a scene, that of the clip for "
                                                  "--torques)",
     .kind = &option_positive, .offset = FIELD(clip.duration)},
    {.name = "fps", .argument = "HZ", .help = "Frame rate of the clip in Hz; poses are interpolated between steps",
     .kind = &option_positive, .offset = FIELD(clip.fps)},
    {.name = "dt", .argument = "S", .help = "Time step in s (default: timestep of the file; 0.001 for a clip)",
     .kind = &option_positive, .offset = FIELD(scene.step)},
    {.name = "integrator", .argument = "NAME",
     .help = "Integrator: auto = variational (second order without collisions); symplectic-euler, implicit-euler, "
             "trapezoidal, or bridson-marino (second order). Where an equality holds, auto keeps its order and the "
             "others are of first order; where a contact or limit holds, all are",
     .kind = &option_choice, .offset = FIELD(scene.integrator), .choices = integrators},
    {.name = "solver", .argument = "auto|exact|gauss-seidel",
     .help = "Solver of contacts and limits: exact pivoting, Gauss-Seidel sweeps, or pivoting with sweeps for large "
             "islands that run out of pivots",
     .kind = &option_choice, .offset = FIELD(solver), .choices = solvers, .old_choices = old_solvers},
    {.name = "friction-model", .argument = "cone|box", .help = "Friction model of the exact solver",
     .kind = &option_choice, .offset = FIELD(friction_model), .choices = frictions},
    {.name = "friction", .argument = "MU|geoms", .help = "Friction coefficient of all contacts, or of the geoms",
     .kind = &option_friction, .offset = FIELD(scene.friction)},
    {.name = "restitution", .argument = "E", .help = "Coefficient of restitution, 0 to 1",
     .kind = &option_fraction, .offset = FIELD(scene.restitution)},
    {.name = "contact-compliance", .old_name = "softness", .argument = "M/N",
     .help = "Contact compliance in m/N (default: rigid)",
     .kind = &option_positive, .offset = FIELD(scene.softness)},
    {.name = "contact-time-constant", .old_name = "softness-damping", .argument = "S",
     .help = "Contact damping time constant in s",
     .kind = &option_positive, .offset = FIELD(scene.softness_damping)},
    {.name = "damping-ratio", .argument = "ZETA",
     .help = "Damping ratio of position actuators, 1 = critical (default: from the file)",
     .kind = &option_positive, .offset = FIELD(scene.damping_ratio)},
    {.name = "gravity", .argument = "X,Y,Z", .help = "Gravity in axes of the file, m/s2 (default: from the file)",
     .kind = &option_text, .offset = FIELD(gravity)},
    {.name = "leave-out", .argument = "NAME[,NAME...]", .help = LEAVE_OUT_HELP,
     .kind = &option_text, .offset = FIELD(leave_out)},
    {.name = "key", .argument = "NAME|none", .help = "Initial keyframe (default: the first); none = pose of the file",
     .kind = &option_text, .offset = FIELD(key)},
    {.name = "springs", .argument = "FILE.tsv", .help = "Table of ligaments, tendons and bushings between bodies",
     .kind = &option_file, .offset = FIELD(springs)},
    {.name = "spring-laws", .argument = "FILE.tsv",
     .help = "Table of spring laws, columns law length rate force; springs name them in a column law",
     .kind = &option_file, .offset = FIELD(spring_laws)},
    {.name = "attachments", .argument = "FILE.tsv",
     .help = "Table of rigid and point attachments between bodies",
     .kind = &option_file, .offset = FIELD(attachments)},
    {.name = "joint-paths", .argument = "FILE.tsv",
     .help = "Table of driven hinges and slides: joint, time and position",
     .kind = &option_file, .offset = FIELD(joint_paths)},
    {.name = "body-paths", .argument = "FILE.tsv",
     .help = "Table of driven free and mocap bodies: body, time, place and rotation",
     .kind = &option_file, .offset = FIELD(body_paths)},
    {.name = "forces", .argument = "FILE.tsv", .help = "Table of forces on bodies over time",
     .kind = &option_file, .offset = FIELD(forces)},
    {.name = "torques", .argument = "FILE.tsv|CLIP.h5",
     .help = "Table of hinge torques and slide forces over time; without a scene a clip file to drive its body",
     .kind = &option_file, .offset = FIELD(torques)},
    {.name = "hold", .argument = "JOINT[,JOINT...]",
     .help = "Joints that follow the motion of the clip instead of its torques alone, by name or role",
     .kind = &option_text, .offset = FIELD(hold)},
    {.name = "residual", .argument = "on|off", .help = "Residual wrench of the clip at the root",
     .kind = &option_choice, .offset = FIELD(residual), .choices = residuals},
    {.name = "actuators", .old_name = "controllers", .argument = "FILE.tsv",
     .help = "Table of joint actuators: stiffness, damping and target; of ball joints by roll, pitch, yaw or rotation",
     .kind = &option_file, .offset = FIELD(controllers)},
    {.name = "compliance", .argument = "FILE.tsv",
     .help = "Table of compliant equality constraints, limits and contacts: compliance and time constant",
     .kind = &option_file, .offset = FIELD(compliance)},
    {.name = "speed-constraints", .argument = "FILE.tsv",
     .help = "Table of edges that do not slide sideways and wheels that roll, without contact",
     .kind = &option_file, .offset = FIELD(rolling)},
    {.name = "limits", .argument = "FILE.tsv",
     .help = "Table of roll, pitch and yaw limits of ball joints, in degrees",
     .kind = &option_file, .offset = FIELD(limits)},
    {.name = "particles", .argument = "FILE.tsv", .help = "Table of soft particle grids, free or attached to bodies",
     .kind = &option_file, .offset = FIELD(particles)},
    {0},
};

const Command simulate_command = {
    .name = "simulate",
    .group = COMMANDS_SIMULATE,
    .summary = "Simulate MJCF scenes or the torques of a clip",
    .arguments = "SCENE.xml... | --torques CLIP.h5",
    .description = "Simulates a scene in MJCF (MuJoCo): joints with limits, springs and actuators, collisions, "
                   "equality constraints and tendons. Joint 0 of the resulting clip is the world. Elements that kane "
                   "does not support are errors that name them. Without a scene, --torques CLIP.h5 applies the joint "
                   "torques, ground reaction forces and residual of a clip to its body on a floating base, and prints "
                   "the drift from the clip in flight and in stance.",
    .example = "kane simulate pendulum.xml --duration 3 -o pendulum.h5",
    .options = options,
};

SimulateOptions simulate_defaults(void)
{
    SimulateOptions o = {.scene = scene_default_def(), .clip = scene_clip_default_def()};
    o.clip.duration = 0;
    return o;
}

static const EffectCondition for_scenes = {SIMULATE_SCENE, "applies to scenes, not to the torques of a clip"};
static const EffectCondition for_clips = {SIMULATE_CLIP, "applies to the torques of a clip, not to scenes"};
static const EffectCondition moves = {SIMULATE_CLIP | SIMULATE_MOVES, "has no effect: nothing in the scene moves"};
static const EffectCondition collides = {SIMULATE_COLLIDES, "has no effect: nothing in the scene can collide"};
static const EffectCondition rubs = {SIMULATE_RUBS, "has no effect: no contact has friction"};
static const EffectCondition collides_or_stops = {
    SIMULATE_COLLIDES | SIMULATE_LIMITS, "has no effect: nothing in the scene can collide, and no joint has limits"};
static const EffectCondition has_drives = {SIMULATE_DRIVES, "has no effect: no joint has a position actuator"};
static const EffectCondition is_soft = {SIMULATE_SOFT, "has no effect without --contact-compliance"};
static const EffectCondition with_springs = {SIMULATE_SPRINGS, "has no effect without --springs"};
static const EffectCondition pivots = {SIMULATE_PIVOTS, "has no effect on --solver gauss-seidel"};
static const EffectCondition steps_freely = {
    SIMULATE_NO_PARTICLES, "bridson-marino does not support --particles; use trapezoidal"};

const OptionEffect simulate_effects[] = {
    {"duration", {NULL}},
    {"fps", {&for_scenes}},
    {"dt", {&moves}},
    {"integrator", {&moves, &steps_freely}},
    {"solver", {&for_scenes, &collides_or_stops}},
    {"friction-model", {&for_scenes, &collides, &rubs, &pivots}},
    {"friction", {&for_scenes, &collides}},
    {"restitution", {&for_scenes, &collides}},
    {"contact-compliance", {&for_scenes, &collides}},
    {"contact-time-constant", {&for_scenes, &is_soft, &collides}},
    {"damping-ratio", {&for_scenes, &has_drives}},
    {"gravity", {&for_scenes, &moves}},
    {"leave-out", {&for_scenes}},
    {"key", {&for_scenes}},
    {"springs", {&for_scenes, &moves}},
    {"spring-laws", {&for_scenes, &with_springs, &moves}},
    {"attachments", {&for_scenes}},
    {"joint-paths", {&for_scenes}},
    {"body-paths", {&for_scenes}},
    {"forces", {&for_scenes, &moves}},
    {"torques", {NULL}},
    {"hold", {&for_clips}},
    {"residual", {&for_clips}},
    {"actuators", {&for_scenes}},
    {"limits", {&for_scenes}},
    {"compliance", {&for_scenes}},
    {"speed-constraints", {&for_scenes, &moves}},
    {"particles", {&for_scenes}},
    {0},
};

Command simulate_recorded(int of_a_clip, Option room[MAX_OPTIONS])
{
    Command command = simulate_command;
    unsigned known = of_a_clip ? ~(unsigned)SIMULATE_SCENE : ~(unsigned)SIMULATE_CLIP;
    int count = 0;
    for (const Option *o = simulate_command.options; o->name && count < MAX_OPTIONS - 1; o++)
        if (option_acts(simulate_effects, o->name, known, NULL))
            room[count++] = *o;
    room[count] = (Option){0};
    command.options = room;
    return command;
}

/* Returns the circumstances that follow from the options alone. */
static unsigned simulate_circumstances(const SimulateOptions *given)
{
    return (given->scene.softness > 0 ? SIMULATE_SOFT : 0) | (given->solver == SOLVER_SWEEPS ? 0 : SIMULATE_PIVOTS) |
           (given->springs ? SIMULATE_SPRINGS : 0) |
           (given->particles && given->scene.integrator == BRIDSON_MARINO ? 0 : SIMULATE_NO_PARTICLES);
}

static Status check_effect(const SimulateOptions *given, unsigned circumstances, Error *err)
{
    SimulateOptions none = simulate_defaults();
    none.clip.duration = given->clip.duration; /* resolved, and always has an effect */
    return options_check_effect(simulate_command.options, simulate_effects, circumstances, given, &none, err);
}

Status simulate_check_scene(const SimulateOptions *given, unsigned features, Error *err)
{
    return check_effect(given, SIMULATE_SCENE | features | simulate_circumstances(given), err);
}

Status simulate_check_clip(const SimulateOptions *given, Error *err)
{
    return check_effect(given, SIMULATE_CLIP | simulate_circumstances(given), err);
}

Status simulate_check_steps(double step, double duration, Error *err)
{
    double count = ceil(duration / step);
    if (step > duration)
        return error_set(err, STATUS_USAGE, "the time step %.4g s is longer than the run of %.4g s: use a shorter "
                         "--dt, or a longer --duration", step, duration);
    if (count > MAX_STEPS)
        return error_set(err, STATUS_USAGE, "%.2g steps of %.4g s in %.4g s are more than %.0e: use a longer --dt, or "
                         "a shorter --duration", count, step, duration, MAX_STEPS);
    return STATUS_OK;
}
