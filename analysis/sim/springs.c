/* See springs.h. */
#include "analysis/sim/springs.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

/* Springs along the line between two points, or over several of them, with Jacobians (docs/sources.md, notes 0.12 to
   0.14). */

Tension axial_spring_tension(const AxialSpring *s, double length, double rate)
{
    double force = s->stiffness * (length - s->rest) + s->damping * rate;
    if (s->pulls_only && force < 0)
        return (Tension){0, 0, 0};
    return (Tension){force, s->stiffness, s->damping};
}

double axial_spring_energy(const AxialSpring *s, double length)
{
    double way = s->pulls_only && length < s->rest ? 0 : length - s->rest;
    return 0.5 * s->stiffness * way * way;
}

/* u, l and l' = u . (v2 - v1) */
static Vec3 direction(Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2, double *length, double *rate)
{
    Vec3 apart = vec3_sub(x2, x1);
    *length = vec3_norm(apart);
    Vec3 u = vec3_normalize(apart);
    *rate = vec3_dot(u, vec3_sub(v2, v1));
    return u;
}

Vec3 axial_spring_force(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2)
{
    double length, rate;
    Vec3 u = direction(x1, v1, x2, v2, &length, &rate);
    return vec3_scale(u, axial_spring_tension(s, length, rate).force);
}

/* 0.12: df1/dx1 = -F_l Un - 1/l F_l' u (v2 - v1)' Up - F/l Up,  df1/dv1 = -F_l' Un,  Un = u u', Up = 1 - Un. */
SpringJacobians axial_spring_jacobians(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2)
{
    double length, rate;
    Vec3 u = direction(x1, v1, x2, v2, &length, &rate);
    if (!(length > 0))
        return (SpringJacobians){0};
    Tension t = axial_spring_tension(s, length, rate);
    Mat3 along = mat3_outer(u, u), across = mat3_mad(MAT3_IDENTITY, -1, along);
    Vec3 swing = vec3_mad(vec3_sub(v2, v1), -rate, u); /* Up (v2 - v1) */
    Mat3 by_position = mat3_scale(along, -t.by_length);
    by_position = mat3_mad(by_position, -t.by_rate / length, mat3_outer(u, swing));
    by_position = mat3_mad(by_position, -t.force / length, across);
    return (SpringJacobians){by_position, mat3_scale(along, -t.by_rate)};
}

static double stress(const StressSpring *s, double length)
{
    if (s->law == STRESS_QUADRATIC)
        return s->stiffness * (length * length - s->rest * s->rest) / (2 * s->rest * s->rest);
    return length > 0 ? s->stiffness * (length - s->rest) / length : 0;
}

Vec3 stress_spring_force(const StressSpring *s, Vec3 x1, Vec3 x2)
{
    return vec3_scale(vec3_sub(x2, x1), stress(s, vec3_distance(x1, x2)));
}

/* The integral of sigma l: linear, that of the axial spring; quadratic, k (l^2 - r^2)^2 / (8 r^2). */
double stress_spring_energy(const StressSpring *s, double length)
{
    double square = length * length - s->rest * s->rest;
    if (s->law == STRESS_QUADRATIC)
        return s->stiffness * square * square / (8 * s->rest * s->rest);
    return axial_spring_energy(&(AxialSpring){s->stiffness, 0, s->rest, 0}, length);
}

/* 0.13: linear, -(k r / l) u u' - sigma 1 (d sigma/dl is +k r / l^2, docs/sources.md "Errata of the notes");
 * quadratic, -(k / r^2) dx dx' - sigma 1. */
Mat3 stress_spring_jacobian(const StressSpring *s, Vec3 x1, Vec3 x2)
{
    Vec3 apart = vec3_sub(x2, x1);
    double length = vec3_norm(apart);
    Mat3 geometric = mat3_scale(MAT3_IDENTITY, -stress(s, length));
    if (s->law == STRESS_QUADRATIC)
        return mat3_mad(geometric, -s->stiffness / (s->rest * s->rest), mat3_outer(apart, apart));
    Vec3 u = vec3_normalize(apart);
    return length > 0 ? mat3_mad(geometric, -s->stiffness * s->rest / length, mat3_outer(u, u)) : geometric;
}

/* Unit direction of segment i; beyond the ends there is none. */
static Vec3 segment(const MultipointSpring *s, const Vec3 *x, int i)
{
    if (i < 0 || i >= s->point_count - 1)
        return vec3(0, 0, 0);
    return vec3_normalize(vec3_sub(x[i + 1], x[i]));
}

/* Segments -1 and n, beyond the ends, are passive. */
static int is_active(const MultipointSpring *s, int i)
{
    return i >= 0 && i < s->point_count - 1 && (!s->active || s->active[i]);
}

static Vec3 active_segment(const MultipointSpring *s, const Vec3 *x, int i)
{
    return is_active(s, i) ? segment(s, x, i) : vec3(0, 0, 0);
}

/* (0.14) */
void multipoint_spring_length(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *length, double *rate)
{
    *length = *rate = 0;
    for (int i = 0; i < s->point_count - 1; i++) {
        if (!is_active(s, i))
            continue;
        *length += vec3_distance(x[i], x[i + 1]);
        *rate += vec3_dot(vec3_sub(v[i + 1], v[i]), segment(s, x, i));
    }
}

/* v_i = u_i - u_(i-1) */
static Vec3 pull_direction(const MultipointSpring *s, const Vec3 *x, int i)
{
    return vec3_sub(segment(s, x, i), segment(s, x, i - 1));
}

void multipoint_spring_forces(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, Vec3 *force)
{
    double length, rate;
    multipoint_spring_length(s, x, v, &length, &rate);
    double tension = axial_spring_tension(&s->law, length, rate).force;
    for (int i = 0; i < s->point_count; i++)
        force[i] = vec3_scale(pull_direction(s, x, i), tension);
}

/* dL/dx_j = dL'/dx'_j: u of the active segment before j minus u of the active one after. */
static Vec3 length_gradient(const MultipointSpring *s, const Vec3 *x, int j)
{
    return vec3_sub(active_segment(s, x, j - 1), active_segment(s, x, j));
}

/* 1/l P of segment i, the derivative of u_i by x_(i+1) (0.13). */
static Mat3 turning(const MultipointSpring *s, const Vec3 *x, int i)
{
    if (i < 0 || i >= s->point_count - 1 || !(vec3_distance(x[i], x[i + 1]) > 0))
        return (Mat3){0};
    Vec3 u = segment(s, x, i);
    return mat3_scale(mat3_mad(MAT3_IDENTITY, -1, mat3_outer(u, u)), 1 / vec3_distance(x[i], x[i + 1]));
}

/* y_i = 1/l_i F_L' (v_(i+1) - v_i)' P_i */
static Vec3 swing(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double by_rate, int i)
{
    if (!is_active(s, i))
        return vec3(0, 0, 0);
    return vec3_scale(mat3_mul(turning(s, x, i), vec3_sub(v[i + 1], v[i])), by_rate);
}

/* df_i/dx_j = v_i dF/dx_j + F (du_i/dx_j - du_(i-1)/dx_j), dF/dx_j = F_L dL/dx_j + y_(j-1) - y_j;
 * df_i/dv_j = F_L' v_i dL'/dx'_j (with j, docs/sources.md "Errata of the notes"). */
void multipoint_spring_jacobians(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *by_position,
                                 double *by_velocity)
{
    int n = s->point_count, stride = 3 * n;
    double length, rate;
    multipoint_spring_length(s, x, v, &length, &rate);
    Tension t = axial_spring_tension(&s->law, length, rate);
    memset(by_position, 0, (size_t)stride * (size_t)stride * sizeof *by_position);
    memset(by_velocity, 0, (size_t)stride * (size_t)stride * sizeof *by_velocity);
    for (int i = 0; i < n; i++) {
        Vec3 pull = pull_direction(s, x, i);
        Mat3 after = turning(s, x, i), before = turning(s, x, i - 1);
        for (int j = 0; j < n; j++) {
            Vec3 gradient = length_gradient(s, x, j);
            Vec3 y = vec3_sub(swing(s, x, v, t.by_rate, j - 1), swing(s, x, v, t.by_rate, j));
            mat3_add_block(by_position, stride, 3 * i, 3 * j, 1,
                           mat3_outer(pull, vec3_mad(y, t.by_length, gradient)));
            mat3_add_block(by_velocity, stride, 3 * i, 3 * j, t.by_rate, mat3_outer(pull, gradient));
        }
        mat3_add_block(by_position, stride, 3 * i, 3 * i, -t.force, mat3_add(after, before));
        if (i + 1 < n)
            mat3_add_block(by_position, stride, 3 * i, 3 * (i + 1), t.force, after);
        if (i > 0)
            mat3_add_block(by_position, stride, 3 * i, 3 * (i - 1), t.force, before);
    }
}

/* Everything is computed in world coordinates; body coordinates follow by (0.58). */

/* World axes throughout. */
typedef struct SpringView {
    Vec3 p1, p2;       /* from the bodies' origins */
    Vec3 apart;        /* from frame 1 to frame 2 */
    Vec3 turn;         /* phi u */
    Vec3 force;        /* on A at frame 1 */
    Vec3 moment;       /* on A, the pure couple */
    Mat3 u;            /* U */
} SpringView;

/* U = 1/2 (phi cot(phi/2) 1 + (2 - phi cot(phi/2)) u u' - phi [u]) */
Mat3 rotation_vector_rate(Vec3 rotation)
{
    double phi = vec3_norm(rotation), sine, cosine;
    elementary_sincos(0.5 * phi, &sine, &cosine);
    double c = phi > 1e-8 ? phi * cosine / sine : 2;
    Vec3 u = vec3_normalize(rotation);
    Mat3 m = mat3_scale(MAT3_IDENTITY, 0.5 * c);
    m = mat3_mad(m, 0.5 * (2 - c), mat3_outer(u, u));
    return mat3_mad(m, -0.5, mat3_cross(rotation));
}

/* (0.37), (0.38), (0.41), (0.42) in world axes. */
static SpringView view_spring(const FrameSpring *s, const FrameState *a, const FrameState *b)
{
    SpringView w;
    Quat q1 = quat_mul(a->orientation, s->frame_a), q2 = quat_mul(b->orientation, s->frame_b);
    w.p1 = quat_rotate(a->orientation, s->point_a);
    w.p2 = quat_rotate(b->orientation, s->point_b);
    Vec3 x1 = vec3_add(a->position, w.p1), x2 = vec3_add(b->position, w.p2);
    Vec3 v1 = vec3_add(a->velocity, vec3_cross(a->angular_velocity, w.p1));
    Vec3 v2 = vec3_add(b->velocity, vec3_cross(b->angular_velocity, w.p2));
    w.turn = quat_rotate(q1, vec3_scale(quat_log(quat_mul(quat_conjugate(q1), q2)), 2));
    w.u = rotation_vector_rate(w.turn);
    w.apart = vec3_sub(x2, x1);
    w.force = vec3_mad(vec3_scale(w.apart, s->stiffness), s->damping, vec3_sub(v2, v1));
    Vec3 spin = vec3_sub(b->angular_velocity, a->angular_velocity);
    w.moment = vec3_mad(vec3_scale(w.turn, s->turning_stiffness), s->turning_damping, spin);
    return w;
}

void frame_spring_wrench(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                         double *wrench)
{
    SpringView w = view_spring(s, a, b);
    Vec3 back = vec3_neg(w.force);
    Vec3 value[4] = {w.force, vec3_add(w.moment, vec3_cross(w.p1, w.force)), back,
                     vec3_sub(vec3_cross(w.p2, back), w.moment)};
    for (int i = 0; i < 4; i++) {
        Quat q = i < 2 ? a->orientation : b->orientation;
        vec3_store(wrench + 3 * i, axes == SPRING_BODY_AXES ? quat_rotate_inverse(q, value[i]) : value[i]);
    }
}

double frame_spring_energy(const FrameSpring *s, const FrameState *a, const FrameState *b)
{
    SpringView w = view_spring(s, a, b);
    return 0.5 * (s->stiffness * vec3_dot(w.apart, w.apart) + s->turning_stiffness * vec3_dot(w.turn, w.turn));
}

static void put_block(double *j, int row, int column, Mat3 b)
{
    mat3_add_block(j, 12, 3 * row, 3 * column, 1, b);
}

/* (0.58): J = R' W R with R the axes of A for the first half and of B for the second. */
static void turn_to_body_axes(double *j, Quat a, Quat b)
{
    Mat3 r[2] = {quat_to_mat3(a), quat_to_mat3(b)};
    double w[144];
    memcpy(w, j, sizeof w);
    memset(j, 0, sizeof w);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            const double *from = w + 36 * i + 3 * k;
            Mat3 block = {{{from[0], from[1], from[2]},
                           {from[12], from[13], from[14]},
                           {from[24], from[25], from[26]}}};
            put_block(j, i, k, mat3_product(mat3_transpose(r[i / 2]), mat3_product(block, r[k / 2])));
        }
}

/* Rows (f, tau) of one body. */
typedef struct BodyRows {
    double kt;
    Mat3 p;                    /* [p] of its point */
    Mat3 own, other;           /* rows of f in J_01 and J_03 of (0.59) */
    Mat3 own_turn, other_turn; /* what tau has beyond [p] times these */
} BodyRows;

/* at: 0 for body A, 2 for B. */
static void put_body_rows(double *j, int at, const BodyRows *b)
{
    int mine = at, theirs = 2 - at;
    put_block(j, at, mine, mat3_scale(MAT3_IDENTITY, -b->kt));
    put_block(j, at, mine + 1, b->own);
    put_block(j, at, theirs, mat3_scale(MAT3_IDENTITY, b->kt));
    put_block(j, at, theirs + 1, b->other);
    put_block(j, at + 1, mine, mat3_scale(b->p, -b->kt));
    put_block(j, at + 1, mine + 1, mat3_add(mat3_product(b->p, b->own), b->own_turn));
    put_block(j, at + 1, theirs, mat3_scale(b->p, b->kt));
    put_block(j, at + 1, theirs + 1, mat3_add(mat3_product(b->p, b->other), b->other_turn));
}

/* (0.59) for body coordinates, written in world axes; in the world form [f] and [tau] fall away and [f][p] comes in. */
void frame_spring_position_jacobian(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                                    double *jacobian)
{
    SpringView w = view_spring(s, a, b);
    double kt = s->stiffness, kr = s->turning_stiffness;
    Mat3 p1 = mat3_cross(w.p1), p2 = mat3_cross(w.p2), ut = mat3_transpose(w.u);
    Mat3 f1 = mat3_cross(w.force), f2 = mat3_scale(f1, -1), tau1 = mat3_cross(w.moment), tau2 = mat3_scale(tau1, -1);
    /* k_t [p] + d_t [omega][p] */
    Mat3 own1 = mat3_mad(mat3_scale(p1, kt), s->damping, mat3_product(mat3_cross(a->angular_velocity), p1));
    Mat3 own2 = mat3_mad(mat3_scale(p2, kt), s->damping, mat3_product(mat3_cross(b->angular_velocity), p2));
    Mat3 other1 = mat3_scale(own2, -1), other2 = mat3_scale(own1, -1);
    Mat3 turn_a = mat3_scale(ut, -kr), turn_ab = mat3_scale(w.u, kr);
    Mat3 turn_ba = mat3_scale(ut, kr), turn_b = mat3_scale(w.u, -kr);
    memset(jacobian, 0, 144 * sizeof *jacobian);
    if (axes == SPRING_BODY_AXES) {
        own1 = mat3_add(own1, f1);
        own2 = mat3_add(own2, f2);
        turn_a = mat3_add(turn_a, tau1);
        turn_b = mat3_add(turn_b, tau2);
    } else {
        turn_a = mat3_add(turn_a, mat3_product(f1, p1));
        turn_b = mat3_add(turn_b, mat3_product(f2, p2));
    }
    put_body_rows(jacobian, 0, &(BodyRows){kt, p1, own1, other1, turn_a, turn_ab});
    put_body_rows(jacobian, 2, &(BodyRows){kt, p2, own2, other2, turn_b, turn_ba});
    if (axes == SPRING_BODY_AXES)
        turn_to_body_axes(jacobian, a->orientation, b->orientation);
}

/* The matrix that follows (0.58). */
void frame_spring_velocity_jacobian(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                                    double *jacobian)
{
    SpringView w = view_spring(s, a, b);
    double dt = s->damping, dr = s->turning_damping;
    Mat3 p1 = mat3_cross(w.p1), p2 = mat3_cross(w.p2);
    Mat3 hold = mat3_scale(MAT3_IDENTITY, -dr), drag = mat3_scale(MAT3_IDENTITY, dr);
    memset(jacobian, 0, 144 * sizeof *jacobian);
    put_body_rows(jacobian, 0, &(BodyRows){dt, p1, mat3_scale(p1, dt), mat3_scale(p2, -dt), hold, drag});
    put_body_rows(jacobian, 2, &(BodyRows){dt, p2, mat3_scale(p2, dt), mat3_scale(p1, -dt), hold, drag});
    if (axes == SPRING_BODY_AXES)
        turn_to_body_axes(jacobian, a->orientation, b->orientation);
}

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

/* Velocity of the body's material at a place in the world, m/s. */
static Vec3 velocity_at(const FrameState *s, Vec3 place)
{
    return vec3_add(s->velocity, vec3_cross(s->angular_velocity, vec3_sub(place, s->position)));
}

/* Damping of two points that are apart: (0.38) takes the difference of their velocities, and applied at both points
 * that is a couple out of nothing. Here both forces act halfway between them, on the difference as seen by a frame that
 * turns with the mean of the bodies: what turns as one is not damped, and the power is never positive. */
static void add_damping(const SpringElement *e, const FrameState state[2], Vec3 *force, Vec3 *moment)
{
    Vec3 a = vec3_add(state[0].position, quat_rotate(state[0].orientation, e->a));
    Vec3 b = vec3_add(state[1].position, quat_rotate(state[1].orientation, e->b));
    Vec3 middle = vec3_scale(vec3_add(a, b), 0.5);
    Vec3 f = vec3_scale(vec3_sub(velocity_at(&state[1], middle), velocity_at(&state[0], middle)), e->damping);
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
        Vec3 f = vec3_load(own), about_joint = vec3(own[3], own[4], own[5]);
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
    {"quadratic", add_axial, axial_energy},
    {"path", add_path, path_energy},
    {"passive", add_path, path_energy},
    {"translation", add_bushing, bushing_energy},
    {"rotational", add_bushing, bushing_energy},
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
    static const char *const renamed[][2] = {{"rotational", "turning"}, {"quadratic", "stress"}};
    int kind = 0;
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        name = strcmp(name, renamed[i][1]) == 0 ? renamed[i][0] : name; /* of earlier versions */
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
