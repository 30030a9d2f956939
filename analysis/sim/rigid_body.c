#include "analysis/sim/rigid_body.h"

#include "analysis/sim/spatial_inertia.h"

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

Quat quat_rate(Quat q, Vec3 omega)
{
    Quat r = quat_mul((Quat){0, omega.x, omega.y, omega.z}, q);
    return (Quat){0.5 * r.w, 0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
}

/* exp of a half angle vector: for the small turns of a step its series, exact to rounding below 1/2. */
static Quat turn_by(Vec3 v)
{
    double a = vec3_dot(v, v);
    if (a > 0.25)
        return quat_exp(v);
    double c = 1 - a / 2 * (1 - a / 12 * (1 - a / 30 * (1 - a / 56 * (1 - a / 90 * (1 - a / 132 * (1 - a / 182))))));
    double s = 1 - a / 6 * (1 - a / 20 * (1 - a / 42 * (1 - a / 72 * (1 - a / 110 * (1 - a / 156 * (1 - a / 210))))));
    return (Quat){c, s * v.x, s * v.y, s * v.z};
}

/* omega = J(q_m)^-1 L with q_m = exp(h omega / 2) q, by fixed-point iteration (contraction of order h |omega|);
 * then q' = exp(h omega) q. */
void rigid_body_move(RigidBody *b, double h)
{
    Quat q = b->orientation;
    Vec3 omega = velocity_in_pose(b, q);
    for (int i = 0; i < MIDPOINT_STEPS; i++) {
        Vec3 last = omega;
        omega = velocity_in_pose(b, quat_mul(turn_by(vec3_scale(omega, 0.25 * h)), q));
        if (vec3_distance(omega, last) <= 1e-13 * vec3_norm(omega))
            break;
    }
    b->orientation = quat_normalize(quat_mul(turn_by(vec3_scale(omega, 0.5 * h)), q));
    b->position = vec3_mad(b->position, h, b->velocity);
}

double rigid_body_kinetic_energy(const RigidBody *b)
{
    return 0.5 * (b->mass * vec3_dot(b->velocity, b->velocity) +
                  vec3_dot(rigid_body_angular_velocity(b), b->angular_momentum));
}
