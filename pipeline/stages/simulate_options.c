#include "pipeline/stages/simulate_options.h"

#include <string.h>

static const char *const integrators[] = {"symplectic-euler", "implicit-euler", "trapezoidal", "bridson-marino", "auto",
                                          NULL};
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
     .help = "symplectic-euler, implicit-euler, trapezoidal, bridson-marino (the last two of second order), auto",
     .kind = &option_choice, .offset = FIELD(scene.integrator), .choices = integrators},
    {.name = "solver", .argument = "pivoting|gauss-seidel", .help = "What solves contacts and limits",
     .kind = &option_choice, .offset = FIELD(solver), .choices = solvers},
    {.name = "friction-model", .argument = "cone|box", .help = "Shape of friction's bounds, for pivoting",
     .kind = &option_choice, .offset = FIELD(friction_model), .choices = frictions},
    {.name = "friction", .argument = "MU", .help = "Friction of all contacts; negative: the larger of both geoms'",
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
                   "other verb takes the clip. What a file asks for and kane cannot do is an error. With a clip's "
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

/* Options of a clip's torques, and those that are for nothing else. */
static const char *const of_clips[] = {"duration", "dt", "integrator", "torques", "residual", "engine", NULL};
static const char *const of_clips_alone[] = {"residual", "engine", NULL};

static int is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

/* The first option that was given and is, or is not, one of these; NULL where there is none. */
static const Option *find_given(const SimulateOptions *given, const char *const *names, int is_one)
{
    SimulateOptions none = simulate_defaults();
    for (const Option *o = simulate_command.options; o->name; o++) {
        char is[256], unless[256];
        o->kind->format(o, (const char *)given + o->offset, is, sizeof is);
        o->kind->format(o, (const char *)&none + o->offset, unless, sizeof unless);
        if (strcmp(is, unless) != 0 && is_one_of(o->name, names) == is_one)
            return o;
    }
    return NULL;
}

Command simulate_recorded(int of_a_clip, Option room[MOST_OPTIONS])
{
    Command command = simulate_command;
    int count = 0;
    for (const Option *o = simulate_command.options; o->name && count < MOST_OPTIONS - 1; o++)
        if (of_a_clip ? is_one_of(o->name, of_clips) : !is_one_of(o->name, of_clips_alone))
            room[count++] = *o;
    room[count] = (Option){0};
    command.options = room;
    return command;
}

Status simulate_check_scene(const SimulateOptions *given, Error *err)
{
    const Option *o = find_given(given, of_clips_alone, 1);
    return o ? error_set(err, STATUS_USAGE, "--%s is for the torques of a clip, not for scenes", o->name) : STATUS_OK;
}

Status simulate_check_clip(const SimulateOptions *given, Error *err)
{
    const Option *o = find_given(given, of_clips, 0);
    return o ? error_set(err, STATUS_USAGE, "--%s is for scenes, not for the torques of a clip", o->name) : STATUS_OK;
}
