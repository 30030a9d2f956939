/* See simulate.h. */
#include "pipeline/stages/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/control/forward_play.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/model/dof_motion.h"
#include "analysis/quality/trust_carry.h"
#include "formats/base/bytes.h"
#include "formats/base/text.h"
#include "formats/model/mjcf.h"
#include "formats/tables/body_tables.h"
#include "pipeline/stages/stage.h"

/* Reading an MJCF scene. */

static Status note_remarks(const MjcfRemarks *remarks, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < remarks->count && !status; i++) {
        char text[ERROR_TEXT_SIZE + 32];
        const MjcfRemark *m = &remarks->remark[i];
        snprintf(text, sizeof text, m->count > 1 ? "%s (%d places)" : "%s", m->text, m->count);
        status = notes_add(notes, (Note){NOTE_WARNING, m->line, 0, text}, err);
    }
    return status;
}

Status scene_file_read(const char *path, const char *leave_out, Model *out, Notes *notes, Error *err)
{
    MjcfDef def = mjcf_default_def();
    MjcfRemarks remarks = {0};
    def.leave_out = leave_out;
    Status status = mjcf_read(path, &def, out, &remarks, err);
    Status noted = note_remarks(&remarks, notes, status ? NULL : err);
    mjcf_remarks_free(&remarks);
    if (!status && noted)
        model_free(out);
    return status ? status : noted;
}

/* Options of `kane simulate`. */

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
     .help = "Integrator: variational (default, second order without collisions), symplectic-euler, implicit-euler, "
             "trapezoidal or bridson-marino (second order)",
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

/* Returns the circumstances that follow from the options alone. */
static unsigned circumstances_of(const SimulateOptions *given)
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
    return check_effect(given, SIMULATE_SCENE | features | circumstances_of(given), err);
}

Status simulate_check_clip(const SimulateOptions *given, Error *err)
{
    return check_effect(given, SIMULATE_CLIP | circumstances_of(given), err);
}

/* Forward dynamics under a clip's torques. */

_Static_assert(sizeof(SimulateOptions) <= sizeof(OptionValues), "a stage's options have their place");

static ForwardDef forward_def(const SimulateOptions *o)
{
    ForwardDef def = forward_default_def();
    def.dt = o->scene.step > 0 ? o->scene.step : def.dt;
    if (o->scene.integrator != SCENE_INTEGRATOR_AUTO)
        def.integrator = o->scene.integrator;
    def.no_residual = o->residual;
    def.duration = o->clip.duration;
    return def;
}

#define DEGREES (180 / PI)

static int print_drift(char *text, size_t size, const char *where, const ForwardDrift *d)
{
    return snprintf(text, size, "%s%.3g cm and %.3g degrees", where, 100 * d->distance, DEGREES * d->angle);
}

static Status note_whole(const ForwardPlay *p, const ForwardDef *def, Notes *notes, Error *err)
{
    char text[512];
    int n = snprintf(text, sizeof text, "%d bodies, %s residual: drifts ", p->body_count,
                     def->no_residual ? "without" : "with the");
    n += print_drift(text + n, sizeof text - (size_t)n, "", &p->half);
    n += snprintf(text + n, sizeof text - (size_t)n, " in %.3g s", p->half.time);
    if (p->end.time > p->half.time) {
        n += print_drift(text + n, sizeof text - (size_t)n, ", ", &p->end);
        snprintf(text + n, sizeof text - (size_t)n, " by %.4g s", p->end.time);
    }
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status note_stretches(const ForwardPlay *p, Notes *notes, Error *err)
{
    char text[512];
    int n = snprintf(text, sizeof text, "mean drift per segment: ");
    const ForwardDrift *drift[2] = {&p->flight, &p->stance};
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "stance" : "flight";
        if (drift[k]->count == 0) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%sno %s", k ? "; " : "", name);
            continue;
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%s ", k ? "; " : "", name);
        n += print_drift(text + n, sizeof text - (size_t)n, "", drift[k]);
        n += snprintf(text + n, sizeof text - (size_t)n, " (%d of %.2g s", drift[k]->count, drift[k]->time);
        if (drift[k]->lost)
            n += snprintf(text + n, sizeof text - (size_t)n, ", %d more diverge", drift[k]->lost);
        n += snprintf(text + n, sizeof text - (size_t)n, ")");
    }
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Warns that the body flew apart, where the clip therefore ends. */
static Status end_torques_early(const ForwardPlay *p, const ForwardDef *def, Clip *clip, Error *flown, Error *err)
{
    char left[256] = "";
    if (p->leaver >= 0) {
        const char *role = role_name(clip->skeleton.role[p->leaver]);
        const char *name = clip->skeleton.role[p->leaver] == ROLE_NONE ? clip->skeleton.name[p->leaver] : role;
        snprintf(left, sizeof left, "; \"%s\" leaves the motion first, at %.4g s: --hold %s keeps it there",
                 clip->skeleton.name[p->leaver], p->left, name);
    }
    error_set(flown, STATUS_NO_RESULT, "diverges at %.4g s: %s%s; reduce --duration%s or use --dt %.1g (the output "
              "ends there)", p->ended, p->why.text, left, def->no_residual ? ", --residual on" : "", def->dt / 10);
    return clip_add_warning(clip, "flown-apart", flown->text, err);
}

/* Parses "left_ankle,right_ankle" into joints; the caller frees *joints. */
static Status read_held(const char *text, const Skeleton *s, int **joints, int *count, Error *err)
{
    char *words = strdup(text), *rest = NULL, near[256];
    Status status = STATUS_OK;
    *count = 0;
    *joints = array_new(strlen(text) + 1, 1, sizeof **joints);
    if (!words || !*joints)
        status = error_no_memory(err);
    for (char *w = status ? NULL : strtok_r(words, ",", &rest); w && !status; w = strtok_r(NULL, ",", &rest)) {
        int joint = skeleton_find_name_or_role(s, w);
        (*joints)[(*count)++] = joint;
        if (joint >= 0)
            continue;
        did_you_mean_joint(w, s, near, sizeof near);
        status = error_set(err, STATUS_BAD_INPUT, "--hold: unknown joint or role \"%s\"%s", w, near);
    }
    free(words);
    return status;
}

static Status play(const SimulateOptions *o, const Clip *clip, ForwardDef *def, ForwardPlay *played, Error *err)
{
    int *joints = NULL;
    Status status = o->hold ? read_held(o->hold, &clip->skeleton, &joints, &def->hold_count, err) : STATUS_OK;
    def->hold = joints;
    if (!status)
        status = forward_play(clip, def, played, err);
    free(joints);
    def->hold = NULL;
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    SimulateOptions *o = (SimulateOptions *)values;
    ForwardDef def = forward_def(o);
    ForwardPlay played;
    Status status = play(o, clip, &def, &played, err);
    if (status)
        return status;
    status = note_whole(&played, &def, notes, err);
    if (!status)
        status = note_stretches(&played, notes, err);
    if (!status && played.ended >= 0)
        status = end_torques_early(&played, &def, clip, o->flown, err);
    if (!status)
        status = trust_follow(clip, &played.motion, err);
    o->scene.step = def.dt; /* as resolved, for the history */
    o->scene.integrator = def.integrator;
    motion_free(&clip->motion);
    clip->motion = played.motion;
    return status;
}

#define MOST_STEPS 1e9

/* Rejects runs of too many steps, or of less than one. */
static Status check_work(double step, double duration, Error *err)
{
    double count = ceil(duration / step);
    if (step > duration)
        return error_set(err, STATUS_USAGE, "the time step %.4g s is longer than the run of %.4g s: use a shorter "
                         "--dt, or a longer --duration", step, duration);
    if (count > MOST_STEPS)
        return error_set(err, STATUS_USAGE, "%.2g steps of %.4g s in %.4g s are more than %.0e: use a longer --dt, or "
                         "a shorter --duration", count, step, duration, MOST_STEPS);
    return STATUS_OK;
}

Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *flown, Error *err)
{
    Option room[MOST_OPTIONS];
    OptionValues values = {0};
    Stage stage = {.command = simulate_recorded(1, room), .needs = CLIP_BODY | CLIP_KINEMATICS | CLIP_DYNAMICS,
                   .fills = CLIP_MOTION, .apply = apply};
    Status status = simulate_check_clip(given, err);
    int frames = clip->motion.frame_count;
    double ends = given->clip.duration > 0 || frames == 0 ? given->clip.duration : clip->motion.time[frames - 1];
    if (!status && given->scene.step > 0 && ends > 0)
        status = check_work(given->scene.step, ends, err);
    if (status)
        return status;
    memcpy(&values, given, sizeof *given);
    ((SimulateOptions *)&values)->flown = flown;
    *flown = (Error){0};
    return stage_apply(&stage, &values, clip, notes, err);
}

/* Parses --gravity X,Y,Z. */
static Status take_gravity(const SimulateOptions *o, Model *m, Error *err)
{
    char text[128];
    double g[3];
    int count = 0;
    if (!o->gravity)
        return STATUS_OK;
    snprintf(text, sizeof text, "%s", o->gravity);
    for (char *at = text, *rest = NULL; at; at = rest, count++) {
        rest = strchr(at, ',');
        if (rest)
            *rest++ = 0;
        if (count == 3 || real_parse(at, &g[count], NULL))
            return error_set(err, STATUS_USAGE, "--gravity: expected X,Y,Z, found \"%s\"", o->gravity);
    }
    if (count < 3)
        return error_set(err, STATUS_USAGE, "--gravity: expected X,Y,Z, found \"%s\"", o->gravity);
    m->gravity = vec3_load(g);
    return STATUS_OK;
}

/* Finds the initial keyframe; *key NULL: the reference pose, if the file has none or --key none is given. */
static Status find_start(const SimulateOptions *o, const Model *m, const ModelKey **key, Error *err)
{
    *key = m->key_count && !o->key ? &m->key[0] : NULL;
    for (int i = 0; o->key && i < m->key_count; i++)
        if (!strcmp(m->key[i].name, o->key))
            *key = &m->key[i];
    if (o->key && !*key && strcmp(o->key, "none") != 0)
        return error_set(err, STATUS_BAD_INPUT, "unknown keyframe \"%s\"; use the name of a <key>, or none", o->key);
    return STATUS_OK;
}

/* Computes joint torques by inverse dynamics under the contact forces. */
static Status fill_dynamics(const Model *m, Clip *c, Error *err)
{
    const char *up;
    Loads loads = {0};
    ClipView view = clip_view(c);
    InverseDynamicsDef def = inverse_dynamics_default_def();
    def.gravity = quat_rotate(scene_up_turn(m, &up), m->gravity);
    Status status = loads_from_contact(&c->contact, &c->kinematics, &loads, err);
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &c->dynamics, err);
    loads_free(&loads);
    c->has_dynamics = !status;
    return status || !c->has_dof ? status : dofs_fill_effort(c, err);
}

/* Data of the tables given with a scene. */
typedef struct Beside {
    Springs springs, bonds; /* between bodies; on particles */
    ParticleBond *bond;     /* [bonds.count] owned */
    SceneTables tables;
    Particles particles;
} Beside;

/* A scene to be run and its settings. */
typedef struct SceneRun {
    const SimulateOptions *given;
    Model *model;
    Scene *scene;
    SceneOverlap overlap;
    Beside beside;
} SceneRun;

/* Warns of steps whose contact impulses did not converge. */
static Status note_unsettled(const Scene *s, Clip *c, Notes *notes, Error *err)
{
    char text[ERROR_TEXT_SIZE + 192];
    const UnsettledSweeps *u = scene_unsettled(s);
    if (u->count == 0)
        return STATUS_OK;
    snprintf(text, sizeof text, "contacts and limits converged poorly %d time%s, first at %.4g s (%s): forces may be "
             "inaccurate; use --solver exact or a smaller --dt", u->count, u->count > 1 ? "s" : "", u->time,
             u->why.text);
    return notes_warn(notes, c, "unsettled", text, err);
}

/* Describes how much of the overlap `before`, rad or m, is `left` at the first step. */
static const char *fate_of(double before, double left)
{
    return left == 0       ? "separated before the first step"
           : left < before ? "partly separated before the first step; the rest separates with speed"
                           : "not separable before the first step; separates with speed";
}

/* Warns of the deepest initial overlap and how it was resolved. */
static Status note_overlap(const SceneRun *r, Clip *c, Notes *notes, Error *err)
{
    char text[512], name[2][128] = {"the world", "the world"};
    const SceneOverlap *o = &r->overlap;
    const int body[2] = {o->first, o->second};
    if (o->count == 0)
        return STATUS_OK;
    for (int i = 0; i < 2; i++)
        if (body[i])
            scene_body_name(r->model, body[i], name[i], sizeof name[i]);
    const char *fate = r->given->scene.softness > 0 ? "separated by the contact compliance"
                                                    : fate_of(o->deepest, o->left);
    snprintf(text, sizeof text, "%s and %s overlap by %.3g mm at the start (%d contact%s): %s", name[0], name[1],
             1e3 * o->deepest, o->count, o->count > 1 ? "s" : "", fate);
    return notes_warn(notes, c, "overlap", text, err);
}

/* Warns of joints initially out of range and how this was resolved. */
static Status note_beyond(const SceneRun *r, Clip *c, Notes *notes, Error *err)
{
    char text[512], name[160];
    const SceneOverlap *o = &r->overlap;
    if (o->limit_count == 0)
        return STATUS_OK;
    const ModelJoint *j = &r->model->joint[o->joint];
    int slides = j->kind == MODEL_SLIDE;
    if (*j->name)
        snprintf(name, sizeof name, "joint \"%.128s\"", j->name);
    else
        scene_body_name(r->model, j->body, name, sizeof name);
    snprintf(text, sizeof text, "%s is %.3g %s beyond its range at the start (%d joint%s): %s", name,
             slides ? 1e3 * o->beyond : o->beyond * 180 / PI, slides ? "mm" : "degrees", o->limit_count,
             o->limit_count > 1 ? "s" : "", fate_of(o->beyond, o->beyond_left));
    return notes_warn(notes, c, "beyond-range", text, err);
}

static double energy_at(const Simulation *s, int frame)
{
    return s->kinetic_energy[frame] + s->potential_energy[frame] + s->spring_energy[frame];
}

/* Tolerances of the energy of a scene. Growth without drives: fraction of the largest kinetic energy, plus lifting all
 * bodies by MOST_LIFT, m (the penetration slop of contacts). Loss without damping: fraction of the largest kinetic
 * energy. */
#define MOST_GROWTH 0.1
#define STILL 1e-6 /* m/s: slower motion counts as rest */
#define MOST_LIFT 1e-3
#define MOST_LOSS 0.05

static int is_driven(const SceneRun *r)
{
    const SceneTables *t = &r->beside.tables;
    return r->model->actuator_count || t->drive_count || t->controller_count || t->compliance_count || t->path_count ||
           r->given->scene.softness > 0;
}

/* Returns whether contacts, limits, damping or springs may dissipate energy. */
static int is_damped(const SceneRun *r)
{
    const Model *m = r->model;
    SceneFeatures f = scene_features(r->scene);
    int damped = f.collides || f.limits || r->beside.tables.grid_count || r->beside.springs.count;
    for (int i = 0; i < m->joint_count; i++)
        damped |= m->joint[i].damping > 0;
    for (int i = 0; i < m->tendon_count; i++)
        damped |= m->tendon[i].damping > 0;
    return damped;
}

/* Warns if energy grows without drives, or falls without damping: the time step is too long even though the run is
 * stable. */
static Status note_energy(const SceneRun *r, Clip *c, Notes *notes, Error *err)
{
    const Simulation *s = &c->simulation;
    double first = energy_at(s, 0), last = energy_at(s, s->frame_count - 1), most = first, kinetic = 0;
    double lift = c->body.total_mass * (MOST_LIFT * vec3_norm(r->model->gravity) + STILL * STILL);
    char text[256];
    for (int f = 0; f < s->frame_count; f++) {
        most = fmax(most, energy_at(s, f));
        kinetic = fmax(kinetic, s->kinetic_energy[f]);
    }
    int grows = most - first > MOST_GROWTH * kinetic + lift;
    int falls = first - last > MOST_LOSS * kinetic && !is_damped(r);
    if (is_driven(r) || !(grows || falls))
        return STATUS_OK;
    snprintf(text, sizeof text, "energy %s from %.4g J to %.4g J, although nothing %s the scene: use a --dt smaller "
             "than %.3g", grows ? "grows" : "falls", first, grows ? most : last, grows ? "drives" : "damps",
             scene_step_size(r->scene));
    return notes_warn(notes, c, grows ? "energy-growth" : "energy-loss", text, err);
}

static void store_solves(const Scene *scene, Simulation *s)
{
    SceneSolves solves = scene_solves(scene);
    s->solved_islands = solves.islands;
    s->solver_pivots = solves.pivots;
    s->lemke_islands = solves.by_rows;
    s->swept_islands = solves.swept;
}

static Status note_result(const Clip *c, Notes *notes, Error *err)
{
    char text[256];
    const Simulation *s = &c->simulation;
    int bodies = c->skeleton.joint_count - 1, frames = s->frame_count;
    snprintf(text, sizeof text, "%d %s, %d frame%s, energy %.6g J initially and %.6g J finally", bodies,
             bodies == 1 ? "body" : "bodies", frames, frames == 1 ? "" : "s", energy_at(s, 0),
             energy_at(s, frames - 1));
    size_t length = strlen(text);
    if (s->solved_islands > 0)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   ", %.0f island%s of contacts and limits in %.0f pivot%s", s->solved_islands,
                                   s->solved_islands > 1 ? "s" : "", s->solver_pivots, s->solver_pivots > 1 ? "s" : "");
    if (s->lemke_islands > 0)
        length += (size_t)snprintf(text + length, sizeof text - length, ", %.0f by Lemke's method", s->lemke_islands);
    if (s->swept_islands > 0)
        snprintf(text + length, sizeof text - length, ", %.0f by Gauss-Seidel", s->swept_islands);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status finish(const SimulateOptions *o, const Model *m, Clip *c, Error *err)
{
    const char *up;
    c->provenance.frame_time = c->motion.frame_time;
    c->provenance.meters_per_unit = 1;
    scene_up_turn(m, &up);
    snprintf(c->provenance.up_axis, sizeof c->provenance.up_axis, "%s", up);
    Option room[MOST_OPTIONS];
    Command command = simulate_recorded(0, room);
    Status status = fill_dynamics(m, c, err);
    return status ? status : history_add(c, &command, o, NULL, err);
}

/* Reads the tables that name parts of the model; compliance comes after the limits, which it may name. */
static Status read_model_tables(const SimulateOptions *o, const Model *m, SceneTables *tables, Error *err)
{
    const struct { const char *path; Status (*read)(const char *, const Model *, SceneTables *, Error *); } all[] = {
        {o->torques, scene_torques_read}, {o->controllers, scene_controllers_read}, {o->limits, scene_limits_read},
        {o->compliance, scene_compliance_read}, {o->rolling, scene_rolling_read},
        {o->attachments, scene_attachments_read},
    };
    Status status = STATUS_OK;
    for (size_t i = 0; !status && i < sizeof all / sizeof *all; i++)
        if (all[i].path)
            status = error_of_file(err, all[i].path, all[i].read(all[i].path, m, tables, err));
    return status;
}

static Status read_paths(const SimulateOptions *o, Model *m, Beside *beside, Error *err)
{
    Status status = STATUS_OK;
    if (o->body_paths) /* first, because it may add joints */
        status = error_of_file(err, o->body_paths, scene_body_paths_read(o->body_paths, m, &beside->tables, err));
    if (!status && o->joint_paths)
        status = error_of_file(err, o->joint_paths, scene_joint_paths_read(o->joint_paths, m, &beside->tables, err));
    return status;
}

/* Moves the springs that act on particles to `bonds`. */
static Status take_bonds(Beside *beside, Error *err)
{
    Springs *all = &beside->springs;
    int kept = 0;
    Status status = springs_init(&beside->bonds, all->count, err);
    beside->bond = array_new((size_t)all->count, 1, sizeof *beside->bond);
    if (status || !beside->bond)
        return status ? status : error_no_memory(err);
    beside->bonds.count = 0;
    for (int i = 0; i < all->count; i++) {
        SpringElement *e = &all->element[i];
        if (!spring_holds_particle(e)) {
            all->element[kept++] = *e;
            continue;
        }
        ParticleBond *bond = &beside->bond[beside->bonds.count];
        const int joint[2] = {e->joint_a, e->joint_b};
        *bond = (ParticleBond){.point = {e->a, e->b}, .law = spring_axial_law(e), .rests_at_start = e->rests_at_start};
        for (int k = 0; k < 2; k++) {
            bond->particle[k] = joint[k] < SPRING_WORLD ? SPRING_PARTICLE(joint[k]) : -1;
            bond->body[k] = joint[k] > 0 ? joint[k] : 0;
        }
        beside->bonds.element[beside->bonds.count++] = *e;
    }
    all->count = kept;
    return STATUS_OK;
}

static Status read_tables(const SimulateOptions *o, Model *m, Beside *beside, Error *err)
{
    Clip bodies = {0};
    Status status = read_paths(o, m, beside, err);
    if (!status)
        status = scene_clip_bodies(m, &bodies, err);
    if (!status && o->particles)
        status = error_of_file(err, o->particles, scene_particles_read(o->particles, m, &beside->tables, err));
    SpringFiles files = {o->springs, o->spring_laws, beside->tables.grid, beside->tables.grid_count};
    if (!status && o->springs)
        status = springs_read(&files, &bodies.skeleton, &beside->springs, err);
    if (!status)
        status = take_bonds(beside, err);
    if (!status && o->forces)
        status = error_of_file(err, o->forces, scene_forces_read(o->forces, &bodies.skeleton, &beside->tables, err));
    status = status ? status : read_model_tables(o, m, &beside->tables, err);
    clip_free(&bodies);
    return status;
}

static SceneDef scene_def(const SimulateOptions *o, Beside *beside)
{
    SceneDef def = o->scene;
    def.exact = o->solver == SOLVER_EXACT;
    def.friction_model = o->solver == SOLVER_SWEEPS ? FRICTION_GAUSS_SEIDEL
                       : o->friction_model ? FRICTION_BOX : FRICTION_CONE;
    def.springs = o->springs ? &beside->springs : NULL;
    def.drive = beside->tables.drive;
    def.drive_count = beside->tables.drive_count;
    def.controller = beside->tables.controller;
    def.controller_count = beside->tables.controller_count;
    def.rolling = beside->tables.rolling;
    def.rolling_count = beside->tables.rolling_count;
    def.compliance = beside->tables.compliance;
    def.compliance_count = beside->tables.compliance_count;
    def.angle_limits = beside->tables.angle_limit;
    def.angle_limit_count = beside->tables.angle_limit_count;
    def.attachment = beside->tables.attachment;
    def.attachment_count = beside->tables.attachment_count;
    def.path = beside->tables.path;
    def.path_count = beside->tables.path_count;
    def.particles = beside->particles.count ? &beside->particles : NULL;
    return def;
}

/* Creates the particle grids at the initial pose and adds the mass of attached particles to their bodies. */
static Status make_particles(const ModelKey *start, Model *m, Beside *beside, Error *err)
{
    ModelMotion motion;
    Arena memory = {0};
    if (beside->tables.grid_count == 0)
        return STATUS_OK;
    double *q = arena_array(&memory, (size_t)m->q_count, 1, sizeof *q);
    Status status = q ? model_motion_init(&motion, m, err) : error_no_memory(err);
    if (!status) {
        model_reference(m, q);
        model_motion_set(&motion, m, start ? start->q : q, NULL, NULL);
        const ParticleDef def = {beside->tables.grid, beside->tables.grid_count, beside->bond, beside->bonds.count};
        status = particles_init(&def, &motion, &beside->particles, err);
        model_motion_free(&motion);
    }
    if (!status)
        particles_add_mass(&beside->particles, m);
    arena_free(&memory);
    return status;
}

/* Rejects options without effect in this scene. */
static Status check_options(const SceneRun *r, Error *err)
{
    SceneFeatures f = scene_features(r->scene);
    unsigned contacts = (f.collides ? SIMULATE_COLLIDES : 0) | (f.rubs ? SIMULATE_RUBS : 0);
    return simulate_check_scene(r->given, contacts | (f.limits ? SIMULATE_LIMITS : 0) |
                                (f.drives ? SIMULATE_DRIVES : 0) | (f.moves ? SIMULATE_MOVES : 0), err);
}

/* Sets the rest lengths of springs that rest at the start from the initial pose. */
static void settle(SceneRun *r)
{
    const ModelMotion *m = scene_motion(r->scene);
    SpringPose start = {m->position, m->orientation, m->velocity, m->angular_velocity};
    springs_settle(&r->beside.springs, &start);
}

static Status prepare(SceneRun *r, Error *err)
{
    const ModelKey *start = NULL;
    double step = r->given->scene.step > 0 ? r->given->scene.step : r->model->time_step;
    Status status = check_work(step, r->given->clip.duration, err);
    if (!status)
        status = find_start(r->given, r->model, &start, err);
    if (!status)
        status = read_tables(r->given, r->model, &r->beside, err);
    if (!status)
        status = make_particles(start, r->model, &r->beside, err);
    if (!status) {
        SceneDef def = scene_def(r->given, &r->beside);
        status = scene_create(r->model, &def, &r->scene, err);
    }
    if (!status)
        status = check_options(r, err);
    if (!status && start)
        scene_set_state(r->scene, start->q, start->v, start->control);
    if (!status)
        status = scene_part_overlaps(r->scene, &r->overlap, err);
    if (!status)
        settle(r);
    return status;
}

/* Adds the warnings and the result of a run. */
static Status report(const SceneRun *r, int is_whole, Clip *out, Notes *notes, Error *err)
{
    store_solves(r->scene, &out->simulation);
    Status status = note_overlap(r, out, notes, err);
    if (!status)
        status = note_beyond(r, out, notes, err);
    if (!status)
        status = note_unsettled(r->scene, out, notes, err);
    if (!status && is_whole)
        status = note_energy(r, out, notes, err);
    return status ? status : note_result(out, notes, err);
}

/* Adds advice to the error of a scene that flew apart. */
static Status advise(const SceneRun *r, const Error *why, const char *more, Error *err)
{
    int is_free = r->given->scene.integrator != IMPLICIT_EULER;
    return error_set(err, why->status, "%s: use --dt %.1g,%s or more mass or damping%s", why->text,
                     scene_step_size(r->scene) / 10, is_free ? " --integrator implicit-euler," : "", more);
}

/* Warns in the clip, which ends there, that the scene flew apart. */
static Status end_early(const SceneRun *r, const Error *why, Clip *out, Error *err)
{
    Status status = clip_add_warning(out, "flown-apart", why->text, err);
    return status ? status : advise(r, why, "; the output ends there", err);
}

static Status record(SceneRun *r, Clip *out, Notes *notes, Error *err)
{
    Error why = {0};
    double ended;
    SceneClipDef def = r->given->clip;
    def.particles = r->beside.particles.count ? &r->beside.particles : NULL;
    def.grid = r->beside.tables.grid;
    def.grid_count = r->beside.tables.grid_count;
    def.springs = &r->beside.springs;
    def.bonds = &r->beside.bonds;
    def.attachment = r->beside.tables.attachment;
    def.attachment_count = r->beside.tables.attachment_count;
    def.rolling = r->beside.tables.rolling;
    def.rolling_count = r->beside.tables.rolling_count;
    def.controller = r->beside.tables.controller;
    def.controller_count = r->beside.tables.controller_count;
    def.path = r->beside.tables.path;
    def.path_count = r->beside.tables.path_count;
    Status status = scene_clip_run(r->scene, r->model, &def, out, &ended, &why);
    if (status == STATUS_NO_RESULT)
        return advise(r, &why, "", err);
    if (status) {
        if (err)
            *err = why;
        return status;
    }
    status = finish(r->given, r->model, out, err);
    if (!status)
        status = report(r, ended >= def.duration, out, notes, err);
    return status || ended >= def.duration ? status : end_early(r, &why, out, err);
}

static Status run(const SimulateOptions *o, Model *m, Clip *out, Notes *notes, Error *err)
{
    SceneRun r = {.given = o, .model = m};
    Status status = prepare(&r, err);
    if (!status)
        status = record(&r, out, notes, err);
    scene_destroy(r.scene);
    springs_free(&r.beside.springs);
    springs_free(&r.beside.bonds);
    free(r.beside.bond);
    scene_tables_free(&r.beside.tables);
    particles_free(&r.beside.particles);
    return status;
}

static Status name_source(const char *path, Clip *out, Error *err)
{
    int piped = !strcmp(path, "-");
    Status status = clip_set_source(out, piped ? "scene.xml" : path, err);
    return status || piped ? status : digest_path(path, out->provenance.source_sha256, err);
}

Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err)
{
    SimulateOptions resolved = *asked, *given = &resolved;
    Model model;
    *out = (Clip){0};
    if (notes)
        notes->stage = simulate_command.name;
    if (!(given->clip.duration > 0))
        given->clip.duration = scene_clip_default_def().duration;
    Status status = simulate_check_scene(given, SIMULATE_FEATURES, err);
    if (status)
        return status;
    status = scene_file_read(path, given->leave_out, &model, notes, err);
    if (!status)
        status = take_gravity(given, &model, err);
    if (!status)
        status = run(given, &model, out, notes, err);
    int has_clip = !status || (status == STATUS_NO_RESULT && out->motion.frame_count > 0);
    Status named = has_clip ? name_source(path, out, status ? NULL : err) : STATUS_OK;
    status = status ? status : named;
    model_free(&model);
    if (!has_clip || named)
        clip_free(out);
    return status;
}
