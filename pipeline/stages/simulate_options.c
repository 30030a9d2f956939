#include "pipeline/stages/simulate_options.h"

#include <string.h>

#include "pipeline/stages/scene_file.h"

static const char *const integrators[] = {"symplectic-euler", "implicit-euler", "trapezoidal", "bridson-marino",
                                          "variational", "auto", NULL};
static const char *const solvers[] = {"pivoting", "gauss-seidel", NULL};
static const char *const frictions[] = {"cone", "box", NULL};
static const char *const residuals[] = {"on", "off", NULL};
static const char *const engines[] = {"auto", "kane", "world", NULL};
_Static_assert(sizeof integrators / sizeof *integrators == SCENE_INTEGRATOR_AUTO + 2, "a name for each integrator");

#define FIELD(member) offsetof(SimulateOptions, member)
static const Option options[] = {
    {.name = "duration", .argument = "S", .help = "Length of the motion; of a scene 5 s, of a clip's torques all of it",
     .kind = &option_positive, .offset = FIELD(clip.duration)},
    {.name = "fps", .argument = "HZ", .help = "Frames of the clip; poses between two steps are interpolated",
     .kind = &option_positive, .offset = FIELD(clip.fps)},
    {.name = "dt", .argument = "S", .help = "Time step; the file's timestep unless given, of a clip 1 ms",
     .kind = &option_positive, .offset = FIELD(scene.step)},
    {.name = "integrator", .argument = "NAME",
     .help = "variational (of second order where nothing collides; the default), symplectic-euler, implicit-euler, "
             "trapezoidal, bridson-marino (the last two of second order)",
     .kind = &option_choice, .offset = FIELD(scene.integrator), .choices = integrators},
    {.name = "solver", .argument = "pivoting|gauss-seidel", .help = "What solves contacts and limits",
     .kind = &option_choice, .offset = FIELD(solver), .choices = solvers},
    {.name = "friction-model", .argument = "cone|box", .help = "Shape of friction's bounds, for pivoting",
     .kind = &option_choice, .offset = FIELD(friction_model), .choices = frictions},
    {.name = "friction", .argument = "MU", .help = "Friction of all contacts; negative: that of the geoms",
     .kind = &option_real, .offset = FIELD(scene.friction)},
    {.name = "restitution", .argument = "E", .help = "Share of its speed with which an impact bounces",
     .kind = &option_real, .offset = FIELD(scene.restitution)},
    {.name = "softness", .argument = "M/N", .help = "How far contacts give way; hard unless given",
     .kind = &option_positive, .offset = FIELD(scene.softness)},
    {.name = "softness-damping", .argument = "S", .help = "Time in which a contact that gives way settles",
     .kind = &option_positive, .offset = FIELD(scene.softness_damping)},
    {.name = "damping-ratio", .argument = "ZETA",
     .help = "Damping of position drives: below 1 they overshoot, 1 is critical; unless given as the file says",
     .kind = &option_positive, .offset = FIELD(scene.damping_ratio)},
    {.name = "gravity", .argument = "X,Y,Z", .help = "In axes of the file, m/s2; the file's unless given",
     .kind = &option_text, .offset = FIELD(gravity)},
    {.name = "leave-out", .argument = "NAME[,NAME...]", .help = LEAVE_OUT_HELP,
     .kind = &option_text, .offset = FIELD(leave_out)},
    {.name = "key", .argument = "NAME", .help = "Keyframe to start from; the first unless given",
     .kind = &option_text, .offset = FIELD(key)},
    {.name = "springs", .argument = "FILE.tsv", .help = "Ligaments, tendons and bushings between bodies",
     .kind = &option_file, .offset = FIELD(springs)},
    {.name = "attachments", .argument = "FILE.tsv",
     .help = "Bodies that others carry, rigidly or by a point: their masses join, nothing gives way",
     .kind = &option_file, .offset = FIELD(attachments)},
    {.name = "forces", .argument = "FILE.tsv", .help = "Forces on bodies over time, as measured forces are given",
     .kind = &option_file, .offset = FIELD(forces)},
    {.name = "torques", .argument = "FILE.tsv|CLIP.h5",
     .help = "Torques of hinges and forces of slides over time; without a scene: a clip whose torques move its body",
     .kind = &option_file, .offset = FIELD(torques)},
    {.name = "residual", .argument = "on|off", .help = "Of a clip: its residual acts as a wrench on the root",
     .kind = &option_choice, .offset = FIELD(residual), .choices = residuals},
    {.name = "engine", .argument = "auto|kane|world",
     .help = "Of a clip: Kane's equations, as for small trees, or joints solved in linear time",
     .kind = &option_choice, .offset = FIELD(engine), .choices = engines},
    {.name = "controllers", .argument = "FILE.tsv", .help = "Drives of joints: stiffness, damping and target of each",
     .kind = &option_file, .offset = FIELD(controllers)},
    {.name = "particles", .argument = "FILE.tsv", .help = "Soft grids of particles, free or hung from bodies",
     .kind = &option_file, .offset = FIELD(particles)},
    {0},
};

const Command simulate_command = {
    .name = "simulate",
    .summary = "Simulate scenes in MJCF, with contacts, springs and constraints",
    .arguments = "SCENE.xml... | --torques CLIP.h5",
    .description = "Reads a scene in MuJoCo's format and simulates it: joints with limits, springs and drives, bodies "
                   "that collide, connects, welds, couplings and tendons. Joint 0 of the clip is the world, and every "
                   "other verb takes the clip. What a file asks for and kane cannot do is an error that names it. With "
                   "a clip's "
                   "torques and no scene, its joint torques, ground forces and residual move its body on a free base, "
                   "and it is told how far that drifts from the clip, flight and stance apart.",
    .options = options,
};

SimulateOptions simulate_defaults(void)
{
    SimulateOptions o = {.scene = scene_default_def(), .clip = scene_clip_default_def()};
    o.clip.duration = 0;
    return o;
}

static const EffectNeed for_scenes = {SIMULATE_SCENE, "is for scenes, not for the torques of a clip"};
static const EffectNeed for_clips = {SIMULATE_CLIP, "is for the torques of a clip, not for scenes"};
static const EffectNeed moves = {SIMULATE_CLIP | SIMULATE_MOVES, "has no effect: nothing in the scene moves"};
static const EffectNeed collides = {SIMULATE_COLLIDES, "has no effect: nothing in the scene can collide"};
static const EffectNeed rubs = {SIMULATE_RUBS, "has no effect: no contact has friction"};
static const EffectNeed collides_or_stops = {
    SIMULATE_COLLIDES | SIMULATE_LIMITS, "has no effect: nothing in the scene can collide, and no joint has limits"};
static const EffectNeed has_drives = {SIMULATE_DRIVES, "has no effect: no joint has a drive of positions"};
static const EffectNeed is_soft = {SIMULATE_SOFT, "has no effect without --softness"};
static const EffectNeed pivots = {SIMULATE_PIVOTS, "has no effect on --solver gauss-seidel"};
static const EffectNeed steps_freely = {
    SIMULATE_NO_PARTICLES, "has no effect on --particles: bodies step with them, by symplectic-euler or variational"};

const OptionEffect simulate_effects[] = {
    {"duration", {NULL}},
    {"fps", {&for_scenes}},
    {"dt", {&moves}},
    {"integrator", {&moves, &steps_freely}},
    {"solver", {&for_scenes, &collides_or_stops}},
    {"friction-model", {&for_scenes, &collides, &rubs, &pivots}},
    {"friction", {&for_scenes, &collides}},
    {"restitution", {&for_scenes, &collides}},
    {"softness", {&for_scenes, &collides}},
    {"softness-damping", {&for_scenes, &is_soft, &collides}},
    {"damping-ratio", {&for_scenes, &has_drives}},
    {"gravity", {&for_scenes, &moves}},
    {"leave-out", {&for_scenes}},
    {"key", {&for_scenes}},
    {"springs", {&for_scenes, &moves}},
    {"attachments", {&for_scenes}},
    {"forces", {&for_scenes, &moves}},
    {"torques", {NULL}},
    {"residual", {&for_clips}},
    {"engine", {&for_clips}},
    {"controllers", {&for_scenes}},
    {"particles", {&for_scenes}},
    {0},
};

Command simulate_recorded(int of_a_clip, Option room[MOST_OPTIONS])
{
    Command command = simulate_command;
    unsigned known = of_a_clip ? ~(unsigned)SIMULATE_SCENE : ~(unsigned)SIMULATE_CLIP;
    int count = 0;
    for (const Option *o = simulate_command.options; o->name && count < MOST_OPTIONS - 1; o++)
        if (option_acts(simulate_effects, o->name, known, NULL))
            room[count++] = *o;
    room[count] = (Option){0};
    command.options = room;
    return command;
}

/* What the options themselves say. */
static unsigned circumstances_of(const SimulateOptions *given)
{
    int steps_as_particles = given->scene.integrator == SYMPLECTIC_EULER ||
                             given->scene.integrator == SCENE_VARIATIONAL;
    return (given->scene.softness > 0 ? SIMULATE_SOFT : 0) | (given->solver ? 0 : SIMULATE_PIVOTS) |
           (given->particles && !steps_as_particles ? 0 : SIMULATE_NO_PARTICLES);
}

static Status check_effect(const SimulateOptions *given, unsigned circumstances, Error *err)
{
    SimulateOptions none = simulate_defaults();
    none.clip.duration = given->clip.duration; /* resolved, and always of effect */
    return options_check_effect(simulate_command.options, simulate_effects, circumstances, given, &none, err);
}

Status simulate_check_scene(const SimulateOptions *given, unsigned features, Error *err)
{
    return check_effect(given, SIMULATE_SCENE | features | circumstances_of(given), err);
}

Status simulate_check_clip(const SimulateOptions *given, Error *err)
{
    return check_effect(given, SIMULATE_CLIP | circumstances_of(given), err);
}
