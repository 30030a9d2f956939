#include "analysis/sim/springs.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/memory.h"
#include "analysis/sim/axial_spring.h"
#include "analysis/sim/frame_spring.h"

enum { PATH_POINTS = 16 };

/* The frame of a joint, or of the world. */
static FrameState state_of(const SpringPose *pose, int joint)
{
    if (joint == SPRING_WORLD)
        return (FrameState){.orientation = QUAT_IDENTITY};
    return (FrameState){pose->position[joint], pose->orientation[joint], pose->velocity[joint],
                        pose->angular_velocity[joint]};
}

typedef struct SpringEnd {
    Vec3 x, v; /* m, m/s, world */
} SpringEnd;

static SpringEnd end_of(const SpringPose *pose, int joint, Vec3 point)
{
    FrameState s = state_of(pose, joint);
    Vec3 arm = quat_rotate(s.orientation, point);
    return (SpringEnd){vec3_add(s.position, arm), vec3_add(s.velocity, vec3_cross(s.angular_velocity, arm))};
}

static void add_force(int joint, Vec3 x, Vec3 f, Vec3 *force, Vec3 *moment)
{
    if (joint == SPRING_WORLD)
        return;
    force[joint] = vec3_add(force[joint], f);
    moment[joint] = vec3_add(moment[joint], vec3_cross(x, f));
}

static void add_axial(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment)
{
    (void)segments; /* one */
    SpringEnd a = end_of(pose, e->joint_a, e->a), b = end_of(pose, e->joint_b, e->b);
    AxialSpring axial = {e->stiffness, e->damping, e->rest, e->kind == SPRING_LIGAMENT};
    StressSpring stress = {STRESS_QUADRATIC, e->stiffness, e->rest};
    Vec3 f = e->kind == SPRING_STRESS ? stress_spring_force(&stress, a.x, b.x)
                                      : axial_spring_force(&axial, a.x, a.v, b.x, b.v);
    add_force(e->joint_a, a.x, f, force, moment);
    add_force(e->joint_b, b.x, vec3_neg(f), force, moment);
}

static double axial_energy(const SpringElement *e, int segments, const SpringPose *pose)
{
    (void)segments; /* one */
    double length = vec3_distance(end_of(pose, e->joint_a, e->a).x, end_of(pose, e->joint_b, e->b).x);
    AxialSpring axial = {e->stiffness, e->damping, e->rest, e->kind == SPRING_LIGAMENT};
    StressSpring stress = {STRESS_QUADRATIC, e->stiffness, e->rest};
    return e->kind == SPRING_STRESS ? stress_spring_energy(&stress, length) : axial_spring_energy(&axial, length);
}

/* A tendon at one instant. */
typedef struct Path {
    Vec3 x[PATH_POINTS], v[PATH_POINTS];
    char active[PATH_POINTS];
    MultipointSpring spring;
} Path;

static void path_of(const SpringElement *e, int segments, const SpringPose *pose, Path *p)
{
    for (int i = 0; i <= segments; i++) {
        SpringEnd end = i ? end_of(pose, e[i - 1].joint_b, e[i - 1].b) : end_of(pose, e->joint_a, e->a);
        p->x[i] = end.x;
        p->v[i] = end.v;
        p->active[i] = i < segments && e[i].kind == SPRING_PATH;
    }
    p->spring = (MultipointSpring){{e->stiffness, e->damping, e->rest, 1}, segments + 1, p->active};
}

static double path_energy(const SpringElement *e, int segments, const SpringPose *pose)
{
    Path p;
    double length, rate;
    path_of(e, segments, pose, &p);
    multipoint_spring_length(&p.spring, p.x, p.v, &length, &rate);
    return axial_spring_energy(&p.spring.law, length);
}

static void add_path(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment)
{
    Path p;
    Vec3 f[PATH_POINTS] = {{0, 0, 0}};
    path_of(e, segments, pose, &p);
    multipoint_spring_forces(&p.spring, p.x, p.v, f);
    for (int i = 0; i <= segments; i++)
        add_force(i ? e[i - 1].joint_b : e->joint_a, p.x[i], f[i], force, moment);
}

/* Damping of two points that are apart: (0.38) takes the difference of their velocities, and applied at both points
 * that is a couple out of nothing. Here both forces act halfway between them, on the difference as seen by a frame that
 * turns with the mean of the bodies: what turns as one is not damped, and the power is never positive. */
static void add_damping(const SpringElement *e, const FrameState state[2], Vec3 *force, Vec3 *moment)
{
    Vec3 a = vec3_add(state[0].position, quat_rotate(state[0].orientation, e->a));
    Vec3 b = vec3_add(state[1].position, quat_rotate(state[1].orientation, e->b));
    Vec3 middle = vec3_scale(vec3_add(a, b), 0.5), v[2];
    for (int i = 0; i < 2; i++)
        v[i] = vec3_add(state[i].velocity, vec3_cross(state[i].angular_velocity, vec3_sub(middle, state[i].position)));
    Vec3 f = vec3_scale(vec3_sub(v[1], v[0]), e->damping);
    add_force(e->joint_a, middle, f, force, moment);
    add_force(e->joint_b, middle, vec3_neg(f), force, moment);
}

/* Of a translation without its damping, which is not that of (0.38). */
static FrameSpring bushing_of(const SpringElement *e)
{
    FrameSpring bushing = {.point_a = e->a, .point_b = e->b, .frame_a = QUAT_IDENTITY, .frame_b = QUAT_IDENTITY};
    if (e->kind == SPRING_TURNING) {
        bushing.turning_stiffness = e->stiffness;
        bushing.turning_damping = e->damping;
    } else {
        bushing.stiffness = e->stiffness;
    }
    return bushing;
}

static double bushing_energy(const SpringElement *e, int segments, const SpringPose *pose)
{
    (void)segments; /* one */
    FrameSpring bushing = bushing_of(e);
    FrameState state[2] = {state_of(pose, e->joint_a), state_of(pose, e->joint_b)};
    return frame_spring_energy(&bushing, &state[0], &state[1]);
}

static void add_bushing(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment)
{
    (void)segments; /* one */
    FrameSpring bushing = bushing_of(e);
    FrameState state[2] = {state_of(pose, e->joint_a), state_of(pose, e->joint_b)};
    const int joint[2] = {e->joint_a, e->joint_b};
    double w[12];
    if (e->kind == SPRING_TRANSLATION)
        add_damping(e, state, force, moment);
    frame_spring_wrench(&bushing, &state[0], &state[1], SPRING_WORLD_AXES, w);
    for (int i = 0; i < 2; i++) {
        const double *own = w + 6 * i;
        Vec3 f = vec3(own[0], own[1], own[2]), about_joint = vec3(own[3], own[4], own[5]);
        if (joint[i] == SPRING_WORLD)
            continue;
        force[joint[i]] = vec3_add(force[joint[i]], f);
        moment[joint[i]] = vec3_add(moment[joint[i]], vec3_add(about_joint, vec3_cross(state[i].position, f)));
    }
}

/* Name of a kind, what adds to the bodies what a spring of that kind exerts, and its energy: of one element, or of the
 * segments of one tendon. */
typedef struct SpringMethod {
    const char *name;
    void (*add)(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment);
    double (*energy)(const SpringElement *e, int segments, const SpringPose *pose);
} SpringMethod;

static const SpringMethod methods[] = {
    {"axial", add_axial, axial_energy},
    {"ligament", add_axial, axial_energy},
    {"stress", add_axial, axial_energy},
    {"path", add_path, path_energy},
    {"passive", add_path, path_energy},
    {"translation", add_bushing, bushing_energy},
    {"turning", add_bushing, bushing_energy},
};
_Static_assert(sizeof methods / sizeof *methods == SPRING_KIND_COUNT, "a row for every SpringKind, in its order");

Status springs_init(Springs *s, int count, Error *err)
{
    *s = (Springs){.count = count};
    s->element = array_new((size_t)count, 1, sizeof *s->element);
    return s->element ? STATUS_OK : error_no_memory(err);
}

void springs_free(Springs *s)
{
    if (!s)
        return;
    for (int i = 0; s->element && i < s->count; i++)
        free(s->element[i].name);
    free(s->element);
    *s = (Springs){0};
}

const char *spring_kind_name(SpringKind kind)
{
    return (unsigned)kind < SPRING_KIND_COUNT ? methods[kind].name : "";
}

SpringKind spring_kind_from_name(const char *name)
{
    int kind = 0;
    while (kind < SPRING_KIND_COUNT && strcmp(name, methods[kind].name) != 0)
        kind++;
    return (SpringKind)kind;
}

static int is_path(const SpringElement *e) { return methods[e->kind].add == add_path; }

/* Elements from `first` on that belong to one tendon; 1 for every other kind. */
static int path_length(const Springs *s, int first)
{
    int count = 1;
    if (!is_path(&s->element[first]))
        return 1;
    while (first + count < s->count && is_path(&s->element[first + count]) &&
           strcmp(s->element[first + count].name, s->element[first].name) == 0)
        count++;
    return count;
}

static int continues(const SpringElement *last, const SpringElement *next)
{
    return last->joint_b == next->joint_a && vec3_distance(last->b, next->a) == 0;
}

static Status check_element(const SpringElement *e, int joint_count, Error *err)
{
    if (e->joint_a >= joint_count || e->joint_b >= joint_count || e->joint_a < SPRING_WORLD ||
        e->joint_b < SPRING_WORLD)
        return error_set(err, STATUS_BAD_INPUT, "spring %s is on joint %d and %d of %d", e->name, e->joint_a,
                         e->joint_b, joint_count);
    if (!(e->stiffness >= 0) || !(e->damping >= 0) || !(e->rest >= 0))
        return error_set(err, STATUS_BAD_INPUT, "spring %s has a negative stiffness, damping or rest", e->name);
    if (methods[e->kind].add == add_bushing && e->rest != 0)
        return error_set(err, STATUS_BAD_INPUT, "spring %s of kind %s rests where its ends meet: rest must be 0",
                         e->name, spring_kind_name(e->kind));
    if (e->kind == SPRING_STRESS && (!(e->rest > 0) || e->damping != 0))
        return error_set(err, STATUS_BAD_INPUT, "spring %s of kind stress needs a rest above 0 and no damping",
                         e->name);
    return STATUS_OK;
}

Status springs_check(const Springs *s, int joint_count, int *at, Error *err)
{
    Status status = STATUS_OK;
    int length;
    for (int i = 0; !status && i < s->count; i++) {
        *at = i;
        status = check_element(&s->element[i], joint_count, err);
    }
    for (int i = 0; !status && i < s->count; i += length) {
        length = path_length(s, i);
        *at = i;
        if (length >= PATH_POINTS)
            status = error_set(err, STATUS_LIMIT, "spring %s runs over more than %d points", s->element[i].name,
                               PATH_POINTS);
        for (int k = 1; !status && k < length; k++)
            if (!continues(&s->element[i + k - 1], &s->element[i + k])) {
                *at = i + k;
                status = error_set(err, STATUS_BAD_INPUT, "spring %s does not begin where its last segment ended",
                                   s->element[i].name);
            }
    }
    return status;
}

void springs_add(const Springs *s, const SpringPose *pose, Vec3 *force, Vec3 *moment)
{
    int length;
    for (int i = 0; i < s->count; i += length) {
        const SpringElement *e = &s->element[i];
        length = path_length(s, i);
        methods[e->kind].add(e, length, pose, force, moment);
    }
}

double springs_energy(const Springs *s, const SpringPose *pose)
{
    double energy = 0;
    int length;
    for (int i = 0; i < s->count; i += length) {
        const SpringElement *e = &s->element[i];
        length = path_length(s, i);
        energy += methods[e->kind].energy(e, length, pose);
    }
    return energy;
}

/* Adds the other loads of a frame to the dense rows. */
static void add_others(const Loads *others, int frame, Vec3 *force, Vec3 *moment)
{
    for (int l = 0; others && l < others->load_count; l++) {
        size_t at = (size_t)frame * (size_t)others->load_count + (size_t)l;
        int j = others->joint[l];
        force[j] = vec3_add(force[j], others->force[at]);
        moment[j] = vec3_add(moment[j], others->moment[at]);
    }
}

/* Marks the joints that carry a load in loaded[joint]. */
static void mark_loaded(const Springs *s, const Loads *others, char *loaded)
{
    for (int i = 0; i < s->count; i++) {
        if (s->element[i].joint_a >= 0)
            loaded[s->element[i].joint_a] = 1;
        if (s->element[i].joint_b >= 0)
            loaded[s->element[i].joint_b] = 1;
    }
    for (int l = 0; others && l < others->load_count; l++)
        loaded[others->joint[l]] = 1;
}

static void fill_loads(const Springs *s, const Kinematics *k, const Loads *others, Vec3 *force, Vec3 *moment,
                       Loads *out)
{
    size_t joints = (size_t)k->joint_count;
    for (int f = 0; f < k->frame_count; f++) {
        size_t row = (size_t)f * joints, to = (size_t)f * (size_t)out->load_count;
        SpringPose pose = {k->position + row, k->orientation + row, k->velocity + row, k->angular_velocity + row};
        memset(force, 0, joints * sizeof *force);
        memset(moment, 0, joints * sizeof *moment);
        springs_add(s, &pose, force, moment);
        add_others(others, f, force, moment);
        for (int l = 0; l < out->load_count; l++) {
            out->force[to + (size_t)l] = force[out->joint[l]];
            out->moment[to + (size_t)l] = moment[out->joint[l]];
        }
    }
}

Status springs_loads(const Springs *s, const Kinematics *kinematics, const Loads *others, Loads *out, Error *err)
{
    size_t joints = (size_t)kinematics->joint_count;
    int at, has_others = others && others->load_count > 0;
    *out = (Loads){0};
    if (has_others && others->frame_count != kinematics->frame_count)
        return error_set(err, STATUS_USAGE, "loads have %d frames, kinematics %d", others->frame_count,
                         kinematics->frame_count);
    Status status = springs_check(s, kinematics->joint_count, &at, err);
    if (status)
        return status;
    others = has_others ? others : NULL;
    Arena arena = {0};
    char *loaded = arena_array(&arena, joints, 1, 1);
    Vec3 *force = arena_array(&arena, joints, 1, sizeof *force);
    Vec3 *moment = arena_array(&arena, joints, 1, sizeof *moment);
    if (arena.failed) {
        status = error_no_memory(err);
        goto done;
    }
    mark_loaded(s, others, loaded);
    status = loads_init(out, kinematics->frame_count, loaded, kinematics->joint_count, err);
    if (!status)
        fill_loads(s, kinematics, others, force, moment, out);
done:
    arena_free(&arena);
    return status;
}
