/* See frame_spring.h. Computed in world coordinates; body coordinates follow by (0.58). */
#include "analysis/springs/frame_spring.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

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
