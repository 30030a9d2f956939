/* See springs.h. */
#include "analysis/sim/springs.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

/* Springs along the line between two points, or over several of them, with Jacobians (docs/sources.md, notes 0.12 to
   0.14). */

/* Index of the last increasing value not above x, except the last value of all. */
static int find_cell(const double *value, int count, double x)
{
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (value[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Interpolates along the rates at one length: force, and its derivative by the rate. */
static double law_at_rate(const SpringLaw *law, int length, double rate, double *slope)
{
    const double *f = law->force + (size_t)length * (size_t)law->rate_count;
    *slope = 0;
    if (law->rate_count == 1)
        return *f;
    int at = find_cell(law->rate, law->rate_count, rate);
    *slope = (f[at + 1] - f[at]) / (law->rate[at + 1] - law->rate[at]);
    return f[at] + *slope * (rate - law->rate[at]);
}

static Tension law_tension(const SpringLaw *law, double length, double rate)
{
    int at = find_cell(law->length, law->length_count, length);
    double slope[2], span = law->length[at + 1] - law->length[at], way = (length - law->length[at]) / span;
    double near = law_at_rate(law, at, rate, &slope[0]), far = law_at_rate(law, at + 1, rate, &slope[1]);
    return (Tension){near + way * (far - near), (far - near) / span, slope[0] + way * (slope[1] - slope[0])};
}

/* The first length at which F(l, 0) rises through zero; else the shortest length. */
static double law_rest(const SpringLaw *law)
{
    double slope, before = law_at_rate(law, 0, 0, &slope);
    for (int i = 1; i < law->length_count; i++) {
        double after = law_at_rate(law, i, 0, &slope);
        if (before <= 0 && after > 0)
            return law->length[i - 1] - before * (law->length[i] - law->length[i - 1]) / (after - before);
        before = after;
    }
    return law->length[0];
}

/* Integral of a linear piece of F between two lengths; for a pull-only spring without negative forces. */
static double piece_work(double from, double f, double to, double g, int pulls_only)
{
    double way = to - from;
    if (!pulls_only || (f >= 0 && g >= 0))
        return 0.5 * (f + g) * way;
    if (f <= 0 && g <= 0)
        return 0;
    double part = f > 0 ? f / (f - g) : g / (g - f);
    return 0.5 * fmax(f, g) * part * way;
}

/* Integral of F(l, 0) from the rest length. */
static double law_energy(const SpringLaw *law, double length, int pulls_only)
{
    double rest = law_rest(law), low = fmin(rest, length), high = fmax(rest, length), work = 0, from = low;
    double f = law_tension(law, low, 0).force;
    for (int i = 0; i <= law->length_count; i++) {
        double to = i < law->length_count ? fmin(law->length[i], high) : high;
        if (!(to > from))
            continue;
        double g = law_tension(law, to, 0).force;
        work += piece_work(from, f, to, g, pulls_only);
        from = to;
        f = g;
    }
    return length < rest ? -work : work;
}

Tension axial_spring_tension(const AxialSpring *s, double length, double rate)
{
    if (s->law) {
        Tension t = law_tension(s->law, length - s->rest, rate);
        return s->pulls_only && t.force < 0 ? (Tension){0, 0, 0} : t;
    }
    double force = s->stiffness * (length - s->rest) + s->damping * rate;
    if (s->pulls_only && force < 0)
        return (Tension){0, 0, 0};
    return (Tension){force, s->stiffness, s->damping};
}

double axial_spring_energy(const AxialSpring *s, double length)
{
    if (s->law)
        return law_energy(s->law, length - s->rest, s->pulls_only);
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

/* Integral of sigma l. Linear: that of the axial spring; quadratic: k (l^2 - r^2)^2 / (8 r^2). */
double stress_spring_energy(const StressSpring *s, double length)
{
    double square = length * length - s->rest * s->rest;
    if (s->law == STRESS_QUADRATIC)
        return s->stiffness * square * square / (8 * s->rest * s->rest);
    return axial_spring_energy(&(AxialSpring){.stiffness = s->stiffness, .rest = s->rest}, length);
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

/* Unit direction of segment i; zero beyond the ends. */
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

/* Computed in world coordinates; body coordinates follow by (0.58). */

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
    Mat3 own_turn, other_turn; /* additional part of tau beside [p] times these */
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

/* (0.59) in body coordinates, written in world axes; in world coordinates [f] and [tau] vanish and [f][p] is added. */
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

/* The matrix after (0.58). */
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

/* Jacobians of spring wrenches, joint by joint (SpringBlocks of springs.h). */

Status spring_blocks_room(SpringBlocks *b, Error *err)
{
    size_t count = (size_t)b->pair_count, joints = (size_t)b->joint_count;
    b->row = arena_array(&b->memory, count, 1, sizeof *b->row);
    b->column = arena_array(&b->memory, count, 1, sizeof *b->column);
    b->by_position = arena_array(&b->memory, count, 36, sizeof *b->by_position);
    b->by_velocity = arena_array(&b->memory, count, 36, sizeof *b->by_velocity);
    if (b->memory.failed)
        return error_no_memory(err);
    for (size_t i = 0; i < joints * joints; i++)
        if (b->pair[i] >= 0) {
            b->row[b->pair[i]] = (int)(i / joints);
            b->column[b->pair[i]] = (int)(i % joints);
        }
    return STATUS_OK;
}

void spring_blocks_free(SpringBlocks *b)
{
    arena_free(&b->memory);
    *b = (SpringBlocks){0};
}

void spring_blocks_join(SpringBlocks *b, const int *joint, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            if (joint[i] == SPRING_WORLD || joint[k] == SPRING_WORLD)
                continue;
            int *pair = &b->pair[(size_t)joint[i] * (size_t)b->joint_count + (size_t)joint[k]];
            if (*pair < 0)
                *pair = b->pair_count++;
        }
}

/* The block of a pair of joints; NULL if one is the world. */
static double *spring_block(const SpringBlocks *b, double *blocks, int row, int column)
{
    if (row == SPRING_WORLD || column == SPRING_WORLD)
        return NULL;
    return blocks + 36 * (size_t)b->pair[(size_t)row * (size_t)b->joint_count + (size_t)column];
}

static Mat3 mat3_at(const double *m, int stride, int row, int column)
{
    const double *from = m + (size_t)row * (size_t)stride + column;
    return (Mat3){{vec3_load(from), vec3_load(from + stride), vec3_load(from + 2 * stride)}};
}

/* Jacobian of a wrench by the motion of a frame, from that of a force by the motion of a point: (1, [p_i]) K (1,
 * -[p_k]). */
static void add_point_block(double *to, Mat3 k, Vec3 arm, Vec3 arm_of_motion)
{
    Mat3 lever = mat3_cross(arm), turn = mat3_scale(mat3_cross(arm_of_motion), -1), turned = mat3_product(k, turn);
    mat3_add_block(to, 6, 0, 0, 1, k);
    mat3_add_block(to, 6, 0, 3, 1, turned);
    mat3_add_block(to, 6, 3, 0, 1, mat3_product(lever, k));
    mat3_add_block(to, 6, 3, 3, 1, mat3_product(lever, turned));
}

/* Change of a point's velocity as its arm rotates: omega x (dtheta x p). */
static void add_swing(double *to, Mat3 by_velocity, const SpringPoints *p, int i, int k)
{
    Mat3 swing = mat3_product(mat3_cross(p->omega[k]), mat3_cross(p->arm[k]));
    Mat3 force = mat3_scale(mat3_product(by_velocity, swing), -1);
    mat3_add_block(to, 6, 0, 3, 1, force);
    mat3_add_block(to, 6, 3, 3, 1, mat3_product(mat3_cross(p->arm[i]), force));
}

void spring_blocks_add_points(SpringBlocks *b, const SpringPoints *p)
{
    int stride = 3 * p->count;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->count; k++) {
            double *position = spring_block(b, b->by_position, p->joint[i], p->joint[k]);
            double *velocity = spring_block(b, b->by_velocity, p->joint[i], p->joint[k]);
            if (!position)
                continue;
            add_point_block(position, mat3_at(p->by_position, stride, 3 * i, 3 * k), p->arm[i], p->arm[k]);
            Mat3 by_velocity = mat3_at(p->by_velocity, stride, 3 * i, 3 * k);
            add_point_block(velocity, by_velocity, p->arm[i], p->arm[k]);
            add_swing(position, by_velocity, p, i, k);
            if (i == k) /* the arm rotates: (dtheta x p) x f */
                mat3_add_block(position, 6, 3, 3, 1, mat3_product(mat3_cross(p->force[i]), mat3_cross(p->arm[i])));
        }
}

/* Adds the four quarters of a frame spring's Jacobian. */
void spring_blocks_add_frames(SpringBlocks *b, const int joint[2], const double *by_position,
                              const double *by_velocity)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            double *position = spring_block(b, b->by_position, joint[i], joint[k]);
            double *velocity = spring_block(b, b->by_velocity, joint[i], joint[k]);
            for (int e = 0; position && e < 36; e++) {
                int at = 12 * (6 * i + e / 6) + 6 * k + e % 6;
                position[e] += by_position[at];
                velocity[e] += by_velocity[at];
            }
        }
}
