/* See clip.h. */
#include "analysis/clip/clip.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

/* How surely import decided what a file does not say. */

static const struct {
    const char *name, *key; /* for a person and as a word */
    size_t offset;
} decisions[] = {
    {"unit", "unit", offsetof(Decisions, unit)},
    {"up axis", "up_axis", offsetof(Decisions, up_axis)},
    {"frame rate", "frame_rate", offsetof(Decisions, frame_rate)},
    {"root offset", "root_offset", offsetof(Decisions, root_offset)},
    {"positions", "positions", offsetof(Decisions, positions)},
    {"first frame", "first_frame", offsetof(Decisions, first_frame)},
};
_Static_assert(sizeof decisions / sizeof *decisions == DECISION_COUNT, "a decision has no name");

double decision_value(const Decisions *d, int i) { return *(const double *)((const char *)d + decisions[i].offset); }

const char *decision_name(int i) { return decisions[i].key; }

static int is_known(const Decisions *d)
{
    for (int i = 0; i < DECISION_COUNT; i++)
        if (decision_value(d, i) > 0)
            return 1;
    return 0;
}

double decisions_least(const Decisions *d)
{
    double least = 1;
    for (int i = 0; i < DECISION_COUNT; i++)
        least = fmin(least, decision_value(d, i));
    return is_known(d) ? least : NAN;
}

void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE])
{
    text[0] = 0;
    for (int i = 0; i < DECISION_COUNT && is_known(d); i++)
        if (decision_value(d, i) < DECISION_UNSURE) {
            strcat(text, *text ? ", " : "");
            strcat(text, decisions[i].name);
        }
}

/* A motion played forward by controllers. */

static const char *const names[] = {"pd", "pd-feedforward", "stable-pd", "bubble-up", "kane", "kane-feedforward"};
_Static_assert(sizeof names / sizeof *names == CONTROLLER_COUNT, "a name for every ControllerKind, in its order");

const char *controller_name(ControllerKind kind) { return (unsigned)kind < CONTROLLER_COUNT ? names[kind] : ""; }

Status tracking_init(Tracking *t, int frame_count, int joint_count, Error *err)
{
    *t = (Tracking){.frame_count = frame_count, .joint_count = joint_count};
    int failed = 0;
    t->time = array_need(&failed, (size_t)frame_count, 1, sizeof *t->time);
    t->carrier = array_need(&failed, (size_t)joint_count, 1, sizeof *t->carrier);
    if (failed) {
        tracking_free(t);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

static void free_run(TrackingRun *run)
{
    free(run->orientation_error);
    free(run->position_error);
    free(run->orientation);
    free(run->torque);
    free(run->root_position);
    free(run->hand_force);
    free(run->hand_torque);
    free(run->ball);
    *run = (TrackingRun){0};
}

Status tracking_add_run(Tracking *t, ControllerKind kind, int has_ball, Error *err)
{
    size_t frames = (size_t)t->frame_count, joints = (size_t)t->joint_count;
    TrackingRun *run = &t->run[kind];
    free_run(run);
    int failed = 0;
    run->orientation_error = array_need(&failed, frames, joints, sizeof *run->orientation_error);
    run->position_error = array_need(&failed, frames, joints, sizeof *run->position_error);
    run->orientation = array_need(&failed, frames, joints, sizeof *run->orientation);
    run->torque = array_need(&failed, frames, joints, sizeof *run->torque);
    run->root_position = array_need(&failed, frames, 1, sizeof *run->root_position);
    run->hand_force = array_need(&failed, frames, 1, sizeof *run->hand_force);
    run->hand_torque = array_need(&failed, frames, 1, sizeof *run->hand_torque);
    if (has_ball)
        run->ball = array_need(&failed, frames, 1, sizeof *run->ball);
    if (failed) {
        free_run(run);
        return error_no_memory(err);
    }
    run->present = 1;
    return STATUS_OK;
}

Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err)
{
    const TrackingRun *run = &t->run[kind];
    size_t joints = (size_t)t->joint_count;
    *out = (Motion){0};
    if (!run->present || !run->root_position || t->frame_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "holds no motion of the controller %s: kane track makes it",
                         controller_name(kind));
    double step = (t->time[t->frame_count - 1] - t->time[0]) / (t->frame_count - 1);
    Status status = motion_init(out, t->frame_count, t->joint_count, step, 0, err);
    for (int f = 0; !status && f < t->frame_count; f++) {
        const Quat *world = run->orientation + (size_t)f * joints;
        out->time[f] = t->time[f];
        out->root_position[f] = run->root_position[f];
        for (int j = 0; j < t->joint_count; j++)
            out->rotation[motion_index(out, f, j)] =
                s->parent[j] < 0 ? world[j] : quat_mul(quat_conjugate(world[s->parent[j]]), world[j]);
    }
    if (!status)
        motion_make_continuous(out);
    return status;
}

void tracking_free(Tracking *t)
{
    if (!t)
        return;
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        free_run(&t->run[i]);
    free(t->time);
    free(t->carrier);
    *t = (Tracking){0};
}

/* What a simulated scene has in every frame beside its motion. */

Status simulation_init(Simulation *s, SimulationSize size, Error *err)
{
    size_t frames = (size_t)size.frames, constraints = (size_t)size.constraints, hinges = (size_t)size.hinges;
    int failed = 0;
    *s = (Simulation){.frame_count = size.frames, .constraint_count = size.constraints, .hinge_count = size.hinges};
    s->kinetic_energy = array_need(&failed, frames, 1, sizeof *s->kinetic_energy);
    s->potential_energy = array_need(&failed, frames, 1, sizeof *s->potential_energy);
    s->spring_energy = array_need(&failed, frames, 1, sizeof *s->spring_energy);
    s->momentum = array_need(&failed, frames, 1, sizeof *s->momentum);
    s->angular_momentum = array_need(&failed, frames, 1, sizeof *s->angular_momentum);
    s->constraint_joint = array_need(&failed, constraints, 1, sizeof *s->constraint_joint);
    s->constraint_to = array_need(&failed, constraints, 1, sizeof *s->constraint_to);
    s->constraint_force = array_need(&failed, frames, constraints, sizeof *s->constraint_force);
    s->constraint_couple = array_need(&failed, frames, constraints, sizeof *s->constraint_couple);
    s->hinge_joint = array_need(&failed, hinges, 1, sizeof *s->hinge_joint);
    s->hinge_position = array_need(&failed, frames, hinges, sizeof *s->hinge_position);
    s->hinge_velocity = array_need(&failed, frames, hinges, sizeof *s->hinge_velocity);
    s->hinge_acceleration = array_need(&failed, frames, hinges, sizeof *s->hinge_acceleration);
    if (!failed)
        return STATUS_OK;
    simulation_free(s);
    return error_no_memory(err);
}

void simulation_free(Simulation *s)
{
    if (!s)
        return;
    free(s->kinetic_energy);
    free(s->potential_energy);
    free(s->spring_energy);
    free(s->momentum);
    free(s->angular_momentum);
    free(s->constraint_joint);
    free(s->constraint_to);
    free(s->constraint_force);
    free(s->constraint_couple);
    free(s->hinge_joint);
    free(s->hinge_position);
    free(s->hinge_velocity);
    free(s->hinge_acceleration);
    *s = (Simulation){0};
}

Status particle_track_init(ParticleTrack *t, int frame_count, int particle_count, Error *err)
{
    size_t frames = (size_t)frame_count, particles = (size_t)particle_count;
    int failed = 0;
    *t = (ParticleTrack){.frame_count = frame_count, .particle_count = particle_count};
    t->joint = array_need(&failed, particles, 1, sizeof *t->joint);
    t->mass = array_need(&failed, particles, 1, sizeof *t->mass);
    t->position = array_need(&failed, frames, particles, sizeof *t->position);
    if (!failed)
        return STATUS_OK;
    particle_track_free(t);
    return error_no_memory(err);
}

void particle_track_free(ParticleTrack *t)
{
    if (!t)
        return;
    free(t->joint);
    free(t->mass);
    free(t->position);
    *t = (ParticleTrack){0};
}

/* How well a motion was put on another skeleton. */

void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count)
{
    double *moved[RETARGET_FRAMES + 1] = {&score->source_rest_frame};
    for (int i = 0; i < RETARGET_FRAMES; i++)
        moved[i + 1] = &score->worst_frame[i];
    for (int i = 0; i <= RETARGET_FRAMES; i++) {
        if (!(*moved[i] >= 0))
            continue;
        *moved[i] = rint((*moved[i] - first) * ratio);
        if (*moved[i] < 0 || *moved[i] >= frame_count)
            *moved[i] = NAN;
    }
}

/* What a group is computed from, directly or not, and the member that says that it is there. */
static const struct {
    ClipGroup group;
    const char *name;
    unsigned sources;
    size_t has;
} table[] = {
#define BEFORE(group) (((group) - 1) & ~CLIP_RETARGET)
#define HAS(member) offsetof(Clip, has_##member)
    {CLIP_RETARGET, "/retarget", 0, HAS(retarget)}, /* of what was done to the clip, whatever comes after it */
    {CLIP_BODY, "/body", CLIP_SKELETON, HAS(body)},
    {CLIP_KINEMATICS, "/kinematics", BEFORE(CLIP_KINEMATICS), HAS(kinematics)},
    {CLIP_CONTACT, "/contact", BEFORE(CLIP_CONTACT), HAS(contact)},
    {CLIP_DYNAMICS, "/dynamics", BEFORE(CLIP_DYNAMICS), HAS(dynamics)},
    {CLIP_TRACKING, "/tracking", BEFORE(CLIP_TRACKING), HAS(tracking)},
    {CLIP_ANATOMY, "/anatomy", BEFORE(CLIP_TRACKING), HAS(anatomy)}, /* of the motion, not of its simulation */
    {CLIP_SIMULATION, "/simulation", CLIP_ALWAYS, HAS(simulation)},
    {CLIP_PARTICLES, "/particles", CLIP_ALWAYS, HAS(particles)},
};
enum { GROUPS = sizeof table / sizeof *table };

const char *clip_group_name(ClipGroup group)
{
    for (int i = 0; i < GROUPS; i++)
        if (table[i].group == group)
            return table[i].name;
    return group == CLIP_SKELETON ? "/skeleton" : "/motion";
}

static int *has(Clip *c, int row)
{
    return (int *)((char *)c + table[row].has);
}

unsigned clip_groups(const Clip *c)
{
    unsigned groups = CLIP_ALWAYS;
    for (int i = 0; i < GROUPS; i++)
        groups |= *(const int *)((const char *)c + table[i].has) ? table[i].group : 0;
    return groups;
}

unsigned clip_computed_from(unsigned groups)
{
    unsigned computed = 0;
    for (int i = 0; i < GROUPS; i++)
        computed |= table[i].sources & groups ? table[i].group : 0;
    return computed;
}

void clip_hold(Clip *c, unsigned groups)
{
    for (int i = 0; i < GROUPS; i++)
        if (groups & table[i].group)
            *has(c, i) = 1;
}

void clip_drop(Clip *c, unsigned groups)
{
    unsigned gone = groups | clip_computed_from(groups);
    if (gone & CLIP_BODY)
        body_free(&c->body);
    if (gone & CLIP_KINEMATICS)
        kinematics_free(&c->kinematics);
    if (gone & CLIP_CONTACT)
        contact_free(&c->contact);
    if (gone & CLIP_DYNAMICS)
        dynamics_free(&c->dynamics);
    if (gone & CLIP_ANATOMY)
        anatomy_free(&c->anatomy);
    if (gone & CLIP_TRACKING)
        tracking_free(&c->tracking);
    if (gone & CLIP_SIMULATION)
        simulation_free(&c->simulation);
    if (gone & CLIP_PARTICLES)
        particle_track_free(&c->particles);
    for (int i = 0; i < GROUPS; i++)
        if (gone & table[i].group)
            *has(c, i) = 0;
}

void clip_free(Clip *c)
{
    if (!c)
        return;
    clip_drop(c, CLIP_BODY);
    skeleton_free(&c->skeleton);
    motion_free(&c->motion);
    trust_free(&c->trust);
    simulation_free(&c->simulation);
    particle_track_free(&c->particles);
    free(c->provenance.title);
    free(c->provenance.source);
    free(c->provenance.history);
    free(c->provenance.decisions);
    free(c->provenance.warnings);
    *c = (Clip){0};
}

Status clip_set_source(Clip *c, const char *path, Error *err)
{
    const char *base = base_name(path);
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    char *source = strdup(base), *title = strndup(base, length);
    if (!source || !title) {
        free(source);
        free(title);
        return error_no_memory(err);
    }
    free(c->provenance.source);
    free(c->provenance.title);
    c->provenance.source = source;
    c->provenance.title = title;
    return STATUS_OK;
}

/* Appends a line to a text that may be NULL. */
static Status add_line(char **text, const char *line, Error *err)
{
    const char *old = *text ? *text : "";
    size_t size = strlen(old) + strlen(line) + 2;
    char *joined = malloc(size);
    if (!joined)
        return error_no_memory(err);
    snprintf(joined, size, "%s%s%s", old, *old ? "\n" : "", line);
    free(*text);
    *text = joined;
    return STATUS_OK;
}

Status clip_add_history(Clip *c, const char *line, Error *err)
{
    return add_line(&c->provenance.history, line, err);
}

static int is_of_kind(const char *line, const char *kind)
{
    size_t length = strlen(kind);
    return strncmp(line, kind, length) == 0 && strncmp(line + length, ": ", 2) == 0;
}

int clip_has_warning(const Clip *c, const char *kind, const char *text)
{
    size_t length = strlen(text);
    for (const char *line = c->provenance.warnings; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *words = line + strlen(kind) + 2;
        if (is_of_kind(line, kind) && !strncmp(words, text, length) && (!words[length] || words[length] == '\n'))
            return 1;
    }
    return 0;
}

void clip_drop_warnings(Clip *c, const char *kind)
{
    char *line = c->provenance.warnings;
    while (line && *line) {
        char *next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (is_of_kind(line, kind))
            memmove(line, next, strlen(next) + 1);
        else
            line = next;
    }
    if (c->provenance.warnings) { /* no line end behind the last */
        size_t length = strlen(c->provenance.warnings);
        if (length > 0 && c->provenance.warnings[length - 1] == '\n')
            c->provenance.warnings[length - 1] = 0;
    }
}

static int count_lines_of(const char *text, const char *kind)
{
    int count = 0;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        count += is_of_kind(line, kind);
    return count;
}

Status clip_add_warning(Clip *c, const char *kind, const char *text, Error *err)
{
    char line[512];
    int before = count_lines_of(c->provenance.warnings, kind);
    if (before > WARNINGS_OF_A_KIND)
        return STATUS_OK;
    snprintf(line, sizeof line, "%s: %s", kind, before < WARNINGS_OF_A_KIND ? text : "and more of this kind");
    for (char *at = line; *at; at++) /* a line stays one */
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    return add_line(&c->provenance.warnings, line, err);
}
