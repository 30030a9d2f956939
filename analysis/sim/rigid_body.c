#include "analysis/sim/rigid_body.h"

#include <string.h>

#include "analysis/math/vec.h"

int sym3_inverse(Sym3 s, Sym3 *inverse)
{
    Sym3 a = {s.yy * s.zz - s.yz * s.yz, s.xx * s.zz - s.xz * s.xz, s.xx * s.yy - s.xy * s.xy,
              s.xz * s.yz - s.xy * s.zz, s.xy * s.yz - s.xz * s.yy, s.xy * s.xz - s.xx * s.yz};
    double determinant = s.xx * a.xx + s.xy * a.xy + s.xz * a.xz;
    if (!(s.xx > 0) || !(a.zz > 0) || !(determinant > 0))
        return 0;
    *inverse = (Sym3){a.xx / determinant, a.yy / determinant, a.zz / determinant,
                      a.xy / determinant, a.xz / determinant, a.yz / determinant};
    return 1;
}

/* 0.1: M = (m 1, -m [c]; m [c], J - m [c][c]) */
void spatial_inertia_matrix(const SpatialInertia *s, double *m)
{
    Mat3 c = mat3_cross(s->com);
    memset(m, 0, 36 * sizeof *m);
    mat3_add_block(m, 6, 0, 0, s->mass, MAT3_IDENTITY);
    mat3_add_block(m, 6, 0, 3, -s->mass, c);
    mat3_add_block(m, 6, 3, 0, s->mass, c);
    mat3_add_block(m, 6, 3, 3, 1, mat3_from_sym3(sym3_add(s->inertia, sym3_point_inertia(s->mass, s->com))));
}

void spatial_inertia_add_particle(SpatialInertia *s, double mass, Vec3 point)
{
    double total = s->mass + mass;
    if (!(total > 0))
        return;
    Vec3 apart = vec3_sub(point, s->com);
    s->inertia = sym3_add(s->inertia, sym3_point_inertia(s->mass * mass / total, apart));
    s->com = vec3_mad(s->com, mass / total, apart);
    s->mass = total;
}

enum { MIDPOINT_STEPS = 12 };

Status rigid_body_init(RigidBody *b, double mass, Sym3 inertia, Error *err)
{
    *b = (RigidBody){.mass = mass, .inertia = inertia, .orientation = QUAT_IDENTITY};
    if (!(mass > 0) || !sym3_inverse(inertia, &b->inverse_inertia))
        return error_set(err, STATUS_BAD_INPUT, "a body of %g kg cannot move freely: mass and inertia must be positive",
                         mass);
    return STATUS_OK;
}

Sym3 rigid_body_inertia(const RigidBody *b) { return sym3_rotate(quat_to_mat3(b->orientation), b->inertia); }

/* J(q)^-1 L, by way of body axes. */
static Vec3 velocity_in_pose(const RigidBody *b, Quat q)
{
    return quat_rotate(q, sym3_mul(b->inverse_inertia, quat_rotate_inverse(q, b->angular_momentum)));
}

Vec3 rigid_body_angular_velocity(const RigidBody *b) { return velocity_in_pose(b, b->orientation); }

void rigid_body_set_angular_velocity(RigidBody *b, Vec3 omega)
{
    Quat q = b->orientation;
    b->angular_momentum = quat_rotate(q, sym3_mul(b->inertia, quat_rotate_inverse(q, omega)));
}

Vec3 rigid_body_point(const RigidBody *b, Vec3 point)
{
    return vec3_add(b->position, quat_rotate(b->orientation, point));
}

Vec3 rigid_body_point_velocity(const RigidBody *b, Vec3 point)
{
    return vec3_add(b->velocity, vec3_cross(rigid_body_angular_velocity(b), quat_rotate(b->orientation, point)));
}

void rigid_body_push(RigidBody *b, Vec3 impulse, Vec3 angular)
{
    b->velocity = vec3_mad(b->velocity, 1 / b->mass, impulse);
    b->angular_momentum = vec3_add(b->angular_momentum, angular);
}

/* exp of a half angle vector: for the small turns of a step its series, exact to rounding below 1/2. Constants are
 * multiplied by, not divided by. */
static Quat turn_by(Vec3 v)
{
    double a = vec3_dot(v, v);
    if (a > 0.25)
        return quat_exp(v);
    double c = 1 - a * (1. / 90) * (1 - a * (1. / 132) * (1 - a * (1. / 182)));
    c = 1 - a * (1. / 2) * (1 - a * (1. / 12) * (1 - a * (1. / 30) * (1 - a * (1. / 56) * c)));
    double s = 1 - a * (1. / 110) * (1 - a * (1. / 156) * (1 - a * (1. / 210)));
    s = 1 - a * (1. / 6) * (1 - a * (1. / 20) * (1 - a * (1. / 42) * (1 - a * (1. / 72) * s)));
    return (Quat){c, s * v.x, s * v.y, s * v.z};
}

/* omega = J(q_m)^-1 L with q_m = exp(h omega / 2) q, by fixed-point iteration (contraction of order h |omega|);
 * then q' = exp(h omega) q. */
void rigid_body_move(RigidBody *b, double h, Vec3 *middle, double tolerance)
{
    Quat q = b->orientation;
    Vec3 omega = middle ? *middle : velocity_in_pose(b, q);
    for (int i = 0; i < MIDPOINT_STEPS; i++) {
        Vec3 last = omega;
        omega = velocity_in_pose(b, quat_mul(turn_by(vec3_scale(omega, 0.25 * h)), q));
        if (vec3_distance(omega, last) <= tolerance * vec3_norm(omega))
            break;
    }
    if (middle)
        *middle = omega;
    b->orientation = quat_normalize(quat_mul(turn_by(vec3_scale(omega, 0.5 * h)), q));
    b->position = vec3_mad(b->position, h, b->velocity);
}

double rigid_body_kinetic_energy(const RigidBody *b)
{
    return 0.5 * (b->mass * vec3_dot(b->velocity, b->velocity) +
                  vec3_dot(rigid_body_angular_velocity(b), b->angular_momentum));
}
