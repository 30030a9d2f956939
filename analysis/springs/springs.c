/* Springs of a table: the wrenches that they exert on bodies (springs.h). */
#include "analysis/springs/springs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/springs/frame_spring.h"

enum { PATH_POINTS = 16 };

/* The frame of a joint, or of the world. */
static FrameState spring_frame_state(const SpringPose *pose, int joint)
{
    if (joint == SPRING_WORLD)
        return (FrameState){.orientation = QUAT_IDENTITY};
    return (FrameState){pose->position[joint], pose->orientation[joint], pose->velocity[joint],
                        pose->angular_velocity[joint]};
}

typedef struct SpringEnd {
    Vec3 x, v;       /* m, m/s, world */
    Vec3 arm, omega; /* m, from the joint's origin; rad/s, of the joint */
} SpringEnd;

static SpringEnd spring_end(const SpringPose *pose, int joint, Vec3 point)
{
    FrameState s = spring_frame_state(pose, joint);
    Vec3 arm = quat_rotate(s.orientation, point);
    return (SpringEnd){vec3_add(s.position, arm), vec3_add(s.velocity, vec3_cross(s.angular_velocity, arm)), arm,
                       s.angular_velocity};
}

static void add_force(int joint, Vec3 x, Vec3 f, Vec3 *force, Vec3 *moment)
{
    if (joint == SPRING_WORLD)
        return;
    force[joint] = vec3_add(force[joint], f);
    moment[joint] = vec3_add(moment[joint], vec3_cross(x, f));
}

AxialSpring spring_axial_law(const SpringElement *e)
{
    return (AxialSpring){e->stiffness, e->damping, e->rest, e->kind != SPRING_AXIAL, e->law};
}

static void add_axial(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment)
{
    (void)segments; /* one element */
    SpringEnd a = spring_end(pose, e->joint_a, e->a), b = spring_end(pose, e->joint_b, e->b);
    AxialSpring axial = spring_axial_law(e);
    StressSpring stress = {STRESS_QUADRATIC, e->stiffness, e->rest};
    Vec3 f = e->kind == SPRING_STRESS ? stress_spring_force(&stress, a.x, b.x)
                                      : axial_spring_force(&axial, a.x, a.v, b.x, b.v);
    add_force(e->joint_a, a.x, f, force, moment);
    add_force(e->joint_b, b.x, vec3_neg(f), force, moment);
}

/* Blocks of a force along a line between two ends: K by the motion of the same end, -K by that of the other. */
static void put_both_ends(Mat3 k, double *whole)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            mat3_add_block(whole, 6, 3 * i, 3 * j, i == j ? 1 : -1, k);
}

static void differentiate_axial(const SpringElement *e, int segments, const SpringPose *pose, SpringBlocks *b)
{
    (void)segments; /* one element */
    SpringEnd end[2] = {spring_end(pose, e->joint_a, e->a), spring_end(pose, e->joint_b, e->b)};
    AxialSpring axial = spring_axial_law(e);
    StressSpring stress = {STRESS_QUADRATIC, e->stiffness, e->rest};
    SpringJacobians k = {.by_position = stress_spring_jacobian(&stress, end[0].x, end[1].x)};
    Vec3 f = stress_spring_force(&stress, end[0].x, end[1].x);
    if (e->kind != SPRING_STRESS) {
        k = axial_spring_jacobians(&axial, end[0].x, end[0].v, end[1].x, end[1].v);
        f = axial_spring_force(&axial, end[0].x, end[0].v, end[1].x, end[1].v);
    }
    double by_position[36] = {0}, by_velocity[36] = {0};
    const Vec3 arm[2] = {end[0].arm, end[1].arm}, force[2] = {f, vec3_neg(f)};
    const Vec3 omega[2] = {end[0].omega, end[1].omega};
    const int joint[2] = {e->joint_a, e->joint_b};
    put_both_ends(k.by_position, by_position);
    put_both_ends(k.by_velocity, by_velocity);
    spring_blocks_add_points(b, &(SpringPoints){2, joint, arm, omega, force, by_position, by_velocity});
}

static double axial_energy(const SpringElement *e, int segments, const SpringPose *pose)
{
    (void)segments; /* one element */
    double length = vec3_distance(spring_end(pose, e->joint_a, e->a).x, spring_end(pose, e->joint_b, e->b).x);
    AxialSpring axial = spring_axial_law(e);
    StressSpring stress = {STRESS_QUADRATIC, e->stiffness, e->rest};
    return e->kind == SPRING_STRESS ? stress_spring_energy(&stress, length) : axial_spring_energy(&axial, length);
}

/* A tendon at one instant. */
typedef struct Path {
    Vec3 x[PATH_POINTS], v[PATH_POINTS], arm[PATH_POINTS], omega[PATH_POINTS];
    int joint[PATH_POINTS];
    char active[PATH_POINTS];
    MultipointSpring spring;
} Path;

static void spring_path(const SpringElement *e, int segments, const SpringPose *pose, Path *p)
{
    for (int i = 0; i <= segments; i++) {
        SpringEnd end = i ? spring_end(pose, e[i - 1].joint_b, e[i - 1].b) : spring_end(pose, e->joint_a, e->a);
        p->x[i] = end.x;
        p->v[i] = end.v;
        p->arm[i] = end.arm;
        p->omega[i] = end.omega;
        p->joint[i] = i ? e[i - 1].joint_b : e->joint_a;
        p->active[i] = i < segments && e[i].kind == SPRING_PATH;
    }
    p->spring = (MultipointSpring){spring_axial_law(e), segments + 1, p->active};
}

static double path_energy(const SpringElement *e, int segments, const SpringPose *pose)
{
    Path p;
    double length, rate;
    spring_path(e, segments, pose, &p);
    multipoint_spring_length(&p.spring, p.x, p.v, &length, &rate);
    return axial_spring_energy(&p.spring.law, length);
}

static void add_path(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment)
{
    Path p;
    Vec3 f[PATH_POINTS] = {{0, 0, 0}};
    spring_path(e, segments, pose, &p);
    multipoint_spring_forces(&p.spring, p.x, p.v, f);
    for (int i = 0; i <= segments; i++)
        add_force(p.joint[i], p.x[i], f[i], force, moment);
}

static void differentiate_path(const SpringElement *e, int segments, const SpringPose *pose, SpringBlocks *b)
{
    Path p;
    Vec3 f[PATH_POINTS] = {{0, 0, 0}};
    double by_position[9 * PATH_POINTS * PATH_POINTS], by_velocity[9 * PATH_POINTS * PATH_POINTS];
    spring_path(e, segments, pose, &p);
    multipoint_spring_forces(&p.spring, p.x, p.v, f);
    multipoint_spring_jacobians(&p.spring, p.x, p.v, by_position, by_velocity);
    SpringPoints points = {segments + 1, p.joint, p.arm, p.omega, f, by_position, by_velocity};
    spring_blocks_add_points(b, &points);
}

/* Velocity of the body's material at a place in the world, m/s. */
static Vec3 velocity_at(const FrameState *s, Vec3 place)
{
    return vec3_add(s->velocity, vec3_cross(s->angular_velocity, vec3_sub(place, s->position)));
}

/* Damping between two separate points. (0.38) uses the difference of their velocities and applies the force at both
 * points, which creates a net couple. Here both forces act halfway between the points, on the velocity
 * difference in a frame that rotates with the mean of the bodies. Common rotation is not damped, and the power is never
 * positive. */
static void add_damping(const SpringElement *e, const FrameState state[2], Vec3 *force, Vec3 *moment)
{
    Vec3 a = vec3_add(state[0].position, quat_rotate(state[0].orientation, e->a));
    Vec3 b = vec3_add(state[1].position, quat_rotate(state[1].orientation, e->b));
    Vec3 middle = vec3_scale(vec3_add(a, b), 0.5);
    Vec3 f = vec3_scale(vec3_sub(velocity_at(&state[1], middle), velocity_at(&state[0], middle)), e->damping);
    add_force(e->joint_a, middle, f, force, moment);
    add_force(e->joint_b, middle, vec3_neg(f), force, moment);
}

/* Change of the midpoint, or of the velocity difference there, by one component of (dx, dtheta) of A or B. */
typedef struct DampingView {
    Vec3 arm[2];    /* m, from either origin to its point */
    Vec3 middle[2]; /* m, from either origin to the middle */
    Vec3 omega[2];
    Vec3 force;     /* on A */
} DampingView;

static DampingView view_damping(const SpringElement *e, const FrameState state[2])
{
    DampingView w;
    Vec3 a = quat_rotate(state[0].orientation, e->a), b = quat_rotate(state[1].orientation, e->b);
    Vec3 middle = vec3_scale(vec3_add(vec3_add(state[0].position, a), vec3_add(state[1].position, b)), 0.5);
    w.arm[0] = a;
    w.arm[1] = b;
    for (int i = 0; i < 2; i++) {
        w.middle[i] = vec3_sub(middle, state[i].position);
        w.omega[i] = state[i].angular_velocity;
    }
    w.force = vec3_scale(vec3_sub(velocity_at(&state[1], middle), velocity_at(&state[0], middle)), e->damping);
    return w;
}

/* Column `at` (3 of dx, 3 of dtheta, of A and then of B) of both Jacobians of add_damping. */
static void put_damping_column(const DampingView *w, double damping, int at, double *by_position, double *by_velocity)
{
    int own = at / 6, turns = at % 6 >= 3;
    Vec3 unit = vec3(at % 3 == 0, at % 3 == 1, at % 3 == 2), none = vec3(0, 0, 0);
    Vec3 middle = vec3_scale(turns ? vec3_cross(unit, w->arm[own]) : unit, 0.5), moved = turns ? none : unit;
    Vec3 spin = vec3_cross(vec3_sub(w->omega[1], w->omega[0]), middle), carried = vec3_cross(w->omega[own], moved);
    Vec3 by_x = vec3_scale(own ? vec3_sub(spin, carried) : vec3_add(spin, carried), damping);
    Vec3 by_v = vec3_scale(turns ? vec3_cross(unit, w->middle[own]) : unit, own ? damping : -damping);
    for (int i = 0; i < 2; i++) {
        Vec3 f = i ? vec3_neg(w->force) : w->force, df = i ? vec3_neg(by_x) : by_x, dv = i ? vec3_neg(by_v) : by_v;
        Vec3 arm = i == own ? vec3_sub(middle, moved) : middle;
        Vec3 moment = vec3_add(vec3_cross(arm, f), vec3_cross(w->middle[i], df)), turn = vec3_cross(w->middle[i], dv);
        for (int k = 0; k < 3; k++) {
            by_position[12 * (6 * i + k) + at] += vec3_component(df, k);
            by_position[12 * (6 * i + 3 + k) + at] += vec3_component(moment, k);
            by_velocity[12 * (6 * i + k) + at] += vec3_component(dv, k);
            by_velocity[12 * (6 * i + 3 + k) + at] += vec3_component(turn, k);
        }
    }
}

static Quat quat_from_turn(Vec3 turn) { return quat_exp(vec3_scale(turn, 0.5)); }

/* Jacobian of the stiffness of a translational bushing; its damping is not that of (0.38). */
static FrameSpring spring_bushing(const SpringElement *e)
{
    FrameSpring bushing = {.point_a = e->a, .point_b = e->b, .frame_a = quat_from_turn(e->turn_a),
                           .frame_b = quat_from_turn(e->turn_b)};
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
    (void)segments; /* one element */
    FrameSpring bushing = spring_bushing(e);
    FrameState state[2] = {spring_frame_state(pose, e->joint_a), spring_frame_state(pose, e->joint_b)};
    return frame_spring_energy(&bushing, &state[0], &state[1]);
}

static void add_bushing(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment)
{
    (void)segments; /* one element */
    FrameSpring bushing = spring_bushing(e);
    FrameState state[2] = {spring_frame_state(pose, e->joint_a), spring_frame_state(pose, e->joint_b)};
    const int joint[2] = {e->joint_a, e->joint_b};
    double w[12];
    if (e->kind == SPRING_TRANSLATION)
        add_damping(e, state, force, moment);
    frame_spring_wrench(&bushing, &state[0], &state[1], SPRING_WORLD_AXES, w);
    for (int i = 0; i < 2; i++) {
        const double *own = w + 6 * i;
        Vec3 f = vec3_load(own), about_joint = vec3(own[3], own[4], own[5]);
        if (joint[i] == SPRING_WORLD)
            continue;
        force[joint[i]] = vec3_add(force[joint[i]], f);
        moment[joint[i]] = vec3_add(moment[joint[i]], vec3_add(about_joint, vec3_cross(state[i].position, f)));
    }
}

static void differentiate_bushing(const SpringElement *e, int segments, const SpringPose *pose, SpringBlocks *b)
{
    (void)segments; /* one element */
    FrameSpring bushing = spring_bushing(e);
    FrameState state[2] = {spring_frame_state(pose, e->joint_a), spring_frame_state(pose, e->joint_b)};
    const int joint[2] = {e->joint_a, e->joint_b};
    double by_position[144], by_velocity[144];
    frame_spring_position_jacobian(&bushing, &state[0], &state[1], SPRING_WORLD_AXES, by_position);
    frame_spring_velocity_jacobian(&bushing, &state[0], &state[1], SPRING_WORLD_AXES, by_velocity);
    DampingView w = view_damping(e, state);
    for (int at = 0; e->kind == SPRING_TRANSLATION && e->damping > 0 && at < 12; at++)
        put_damping_column(&w, e->damping, at, by_position, by_velocity);
    spring_blocks_add_frames(b, joint, by_position, by_velocity);
}

/* A spring kind: its name, the functions that add its wrench and compute its energy, and its Jacobian; for one element,
 * or for the segments of one tendon. */
typedef struct SpringMethod {
    const char *name;
    void (*add)(const SpringElement *e, int segments, const SpringPose *pose, Vec3 *force, Vec3 *moment);
    double (*energy)(const SpringElement *e, int segments, const SpringPose *pose);
    void (*differentiate)(const SpringElement *e, int segments, const SpringPose *pose, SpringBlocks *b);
} SpringMethod;

static const SpringMethod methods[] = {
    {"axial", add_axial, axial_energy, differentiate_axial},
    {"ligament", add_axial, axial_energy, differentiate_axial},
    {"quadratic", add_axial, axial_energy, differentiate_axial},
    {"path", add_path, path_energy, differentiate_path},
    {"passive", add_path, path_energy, differentiate_path},
    {"translation", add_bushing, bushing_energy, differentiate_bushing},
    {"rotational", add_bushing, bushing_energy, differentiate_bushing},
};
_Static_assert(sizeof methods / sizeof *methods == SPRING_KIND_COUNT, "a row for every SpringKind, in its order");

Status springs_init(Springs *s, int count, Error *err)
{
    *s = (Springs){.count = count};
    s->element = array_new((size_t)count, 1, sizeof *s->element);
    return s->element ? STATUS_OK : error_no_memory(err);
}

SpringLaw *spring_law_create(const char *name, int length_count, int rate_count)
{
    size_t lengths = (size_t)length_count, rates = (size_t)rate_count, size = strlen(name) + 1;
    SpringLaw *law = array_new(1, 1, sizeof *law);
    if (!law)
        return NULL;
    *law = (SpringLaw){.length_count = length_count, .rate_count = rate_count};
    law->name = arena_array(&law->memory, size, 1, 1);
    law->length = arena_array(&law->memory, lengths, 1, sizeof *law->length);
    law->rate = arena_array(&law->memory, rates, 1, sizeof *law->rate);
    law->force = arena_array(&law->memory, lengths, rates, sizeof *law->force);
    if (law->memory.failed) {
        spring_law_free(law);
        return NULL;
    }
    memcpy(law->name, name, size);
    return law;
}

void spring_law_free(SpringLaw *law)
{
    if (law)
        arena_free(&law->memory);
    free(law);
}

static SpringLaw *law_copy(const SpringLaw *from)
{
    SpringLaw *law = spring_law_create(from->name, from->length_count, from->rate_count);
    size_t lengths = (size_t)from->length_count, rates = (size_t)from->rate_count;
    if (!law)
        return NULL;
    memcpy(law->length, from->length, lengths * sizeof *law->length);
    memcpy(law->rate, from->rate, rates * sizeof *law->rate);
    memcpy(law->force, from->force, lengths * rates * sizeof *law->force);
    return law;
}

Status spring_element_copy(const SpringElement *from, SpringElement *to, Error *err)
{
    SpringElement copy = *from;
    copy.name = strdup(from->name ? from->name : "");
    copy.law = from->law ? law_copy(from->law) : NULL;
    int is_whole = copy.name && (copy.law || !from->law);
    if (is_whole)
        *to = copy;
    else {
        free(copy.name);
        spring_law_free(copy.law);
        *to = (SpringElement){0};
    }
    return is_whole ? STATUS_OK : error_no_memory(err);
}

void springs_free(Springs *s)
{
    if (!s)
        return;
    for (int i = 0; s->element && i < s->count; i++) {
        free(s->element[i].name);
        spring_law_free(s->element[i].law);
    }
    free(s->element);
    *s = (Springs){0};
}

const char *spring_kind_name(SpringKind kind)
{
    return (unsigned)kind < SPRING_KIND_COUNT ? methods[kind].name : "";
}

SpringKind spring_kind_from_name(const char *name)
{
    static const char *const renamed[][2] = {{"rotational", "turning"}, {"quadratic", "stress"}};
    int kind = 0;
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        name = strcmp(name, renamed[i][1]) == 0 ? renamed[i][0] : name; /* name in earlier versions */
    while (kind < SPRING_KIND_COUNT && strcmp(name, methods[kind].name) != 0)
        kind++;
    return (SpringKind)kind;
}

static int is_path(const SpringElement *e) { return methods[e->kind].add == add_path; }

/* Number of elements from `first` on that form one tendon; 1 for every other kind. */
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

static int is_bushing(const SpringElement *e) { return methods[e->kind].add == add_bushing; }

/* Rejects a law, a rotated frame or a rest pose that the kind does not use. */
static Status check_extras(const SpringElement *e, Error *err)
{
    const char *kind = spring_kind_name(e->kind);
    int turned = vec3_norm(e->turn_a) > 0 || vec3_norm(e->turn_b) > 0;
    if (e->law && (is_bushing(e) || e->kind == SPRING_STRESS))
        return error_set(err, STATUS_BAD_INPUT, "spring %s of kind %s has no law; expected axial, ligament or path",
                         e->name, kind);
    if (e->law && (e->stiffness != 0 || e->damping != 0))
        return error_set(err, STATUS_BAD_INPUT, "spring %s follows the law \"%s\": stiffness and damping must be 0",
                         e->name, e->law->name);
    if (turned && e->kind != SPRING_TURNING)
        return error_set(err, STATUS_BAD_INPUT, "spring %s of kind %s has no frames to rotate; expected rotational",
                         e->name, kind);
    if (turned && e->rests_at_start)
        return error_set(err, STATUS_BAD_INPUT, "spring %s rests at the start: its frames must not be rotated",
                         e->name);
    return STATUS_OK;
}

int spring_holds_particle(const SpringElement *e)
{
    return e->joint_a < SPRING_WORLD || e->joint_b < SPRING_WORLD;
}

/* Particles are points: springs along a line alone attach to them. */
static Status check_particles(const SpringElement *e, Error *err)
{
    const int joint[2] = {e->joint_a, e->joint_b};
    const Vec3 point[2] = {e->a, e->b};
    if (spring_holds_particle(e) && e->kind != SPRING_AXIAL && e->kind != SPRING_LIGAMENT)
        return error_set(err, STATUS_BAD_INPUT, "spring %s of kind %s cannot hold a particle; expected axial or "
                         "ligament", e->name, spring_kind_name(e->kind));
    for (int k = 0; k < 2; k++)
        if (joint[k] < SPRING_WORLD && vec3_norm(point[k]) > 0)
            return error_set(err, STATUS_BAD_INPUT, "spring %s is beside its particle: its point must be 0 0 0",
                             e->name);
    return STATUS_OK;
}

static Status check_element(const SpringElement *e, int joint_count, Error *err)
{
    if (e->joint_a >= joint_count || e->joint_b >= joint_count)
        return error_set(err, STATUS_BAD_INPUT, "spring %s is on joint %d and %d of %d", e->name, e->joint_a,
                         e->joint_b, joint_count);
    if (!(e->stiffness >= 0) || !(e->damping >= 0) || !(e->rest >= 0))
        return error_set(err, STATUS_BAD_INPUT, "spring %s has a negative stiffness, damping or rest", e->name);
    if (is_bushing(e) && e->rest != 0)
        return error_set(err, STATUS_BAD_INPUT, "spring %s of kind %s rests where its ends meet: rest must be 0 or "
                         "start", e->name, spring_kind_name(e->kind));
    if (e->kind == SPRING_STRESS && ((!(e->rest > 0) && !e->rests_at_start) || e->damping != 0))
        return error_set(err, STATUS_BAD_INPUT, "spring %s of kind quadratic requires a rest above 0 and no damping",
                         e->name);
    Status status = check_particles(e, err);
    return status ? status : check_extras(e, err);
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

/* Moves the point and frame of b onto those of a. */
static void settle_bushing(SpringElement *e, const SpringPose *start)
{
    FrameState a = spring_frame_state(start, e->joint_a), b = spring_frame_state(start, e->joint_b);
    Vec3 point = vec3_add(a.position, quat_rotate(a.orientation, e->a));
    e->b = quat_rotate_inverse(b.orientation, vec3_sub(point, b.position));
    if (e->kind == SPRING_TURNING)
        e->turn_b = vec3_scale(quat_log(quat_mul(quat_conjugate(b.orientation), a.orientation)), 2);
}

static double length_at(const SpringElement *e, int segments, const SpringPose *pose)
{
    Path p;
    double length, rate;
    if (!is_path(e))
        return vec3_distance(spring_end(pose, e->joint_a, e->a).x, spring_end(pose, e->joint_b, e->b).x);
    spring_path(e, segments, pose, &p);
    multipoint_spring_length(&p.spring, p.x, p.v, &length, &rate);
    return length;
}

void springs_settle(Springs *s, const SpringPose *start)
{
    int length;
    for (int i = 0; i < s->count; i += length) {
        SpringElement *e = &s->element[i];
        length = path_length(s, i);
        if (!e->rests_at_start)
            continue;
        if (is_bushing(e))
            settle_bushing(e, start);
        else
            e->rest = length_at(e, length, start);
    }
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

Status spring_blocks_init(SpringBlocks *b, int joint_count, const Springs *s, Error *err)
{
    size_t joints = (size_t)joint_count;
    *b = (SpringBlocks){.joint_count = joint_count};
    b->pair = arena_array(&b->memory, joints, joints, sizeof *b->pair);
    if (b->memory.failed)
        return error_no_memory(err);
    for (size_t i = 0; i < joints * joints; i++)
        b->pair[i] = -1;
    int length;
    for (int i = 0; s && i < s->count; i += length) {
        const SpringElement *e = &s->element[i];
        int joint[PATH_POINTS + 1] = {e->joint_a};
        length = path_length(s, i);
        for (int k = 0; k < length; k++)
            joint[k + 1] = e[k].joint_b;
        spring_blocks_join(b, joint, length + 1);
    }
    return STATUS_OK;
}

void springs_differentiate(const Springs *s, const SpringPose *pose, SpringBlocks *b)
{
    int length;
    memset(b->by_position, 0, 36 * (size_t)b->pair_count * sizeof *b->by_position);
    memset(b->by_velocity, 0, 36 * (size_t)b->pair_count * sizeof *b->by_velocity);
    for (int i = 0; s && i < s->count; i += length) {
        const SpringElement *e = &s->element[i];
        length = path_length(s, i);
        methods[e->kind].differentiate(e, length, pose, b);
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

/* Adds the other loads of a frame to the spring loads. */
static void add_others(const Loads *others, int frame, Vec3 *force, Vec3 *moment)
{
    for (int l = 0; others && l < others->load_count; l++) {
        size_t at = (size_t)frame * (size_t)others->load_count + (size_t)l;
        int j = others->joint[l];
        force[j] = vec3_add(force[j], others->force[at]);
        moment[j] = vec3_add(moment[j], others->moment[at]);
    }
}

/* Sets loaded[joint] for joints with a load. */
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
