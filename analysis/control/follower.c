/* See follower.h. */
#include "analysis/control/follower.h"

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "analysis/springs/frame_spring.h"

/* omega = U^-1 phi' with U = rotation_vector_rate(phi), in closed form:
 *     U^-1 = 1 + (1 - cos) / phi^2 [phi] + (phi - sin) / phi^3 [phi]^2 */
static Vec3 omega_of_rate(Vec3 rotation, Vec3 rate)
{
    double angle = vec3_norm(rotation), sine, cosine;
    Vec3 once = vec3_cross(rotation, rate), twice = vec3_cross(rotation, once);
    elementary_sincos(0.5 * angle, &sine, &cosine);
    if (angle < 1e-4) /* the series, where the closed form suffers cancellation */
        return vec3_mad(vec3_mad(rate, 0.5, once), 1.0 / 6, twice);
    double a = 2 * sine * sine / (angle * angle);
    double b = (angle - 2 * sine * cosine) / (angle * angle * angle);
    return vec3_mad(vec3_mad(rate, a, once), b, twice);
}

void follower_advance(Follower *f, const SpringStep *step, Quat target)
{
    Quat from_target = quat_mul(f->orientation, quat_conjugate(target));
    Vec3 x = vec3_scale(quat_log(from_target), 2);
    Vec3 v = mat3_mul(rotation_vector_rate(x), f->angular_velocity);
    spring_advance(step, 0, &x.x, &v.x);
    spring_advance(step, 0, &x.y, &v.y);
    spring_advance(step, 0, &x.z, &v.z);
    f->orientation = quat_normalize(quat_mul(quat_exp(vec3_scale(x, 0.5)), target));
    f->angular_velocity = omega_of_rate(x, v);
}

void follower_apply(Motion *motion, double frequency, double damping_ratio)
{
    SpringStep step = spring_step(2 * PI * frequency, damping_ratio, motion->frame_time);
    for (int j = 0; j < motion->joint_count && motion->frame_count > 0; j++) {
        Follower f = {motion->rotation[j], {0, 0, 0}};
        for (int i = 1; i < motion->frame_count; i++) {
            Quat *q = &motion->rotation[motion_index(motion, i, j)];
            follower_advance(&f, &step, *q);
            *q = f.orientation;
        }
    }
    Vec3 position = motion->frame_count > 0 ? motion->root_position[0] : vec3(0, 0, 0), velocity = {0, 0, 0};
    for (int i = 1; i < motion->frame_count; i++) {
        Vec3 *to = &motion->root_position[i];
        spring_advance(&step, to->x, &position.x, &velocity.x);
        spring_advance(&step, to->y, &position.y, &velocity.y);
        spring_advance(&step, to->z, &position.z, &velocity.z);
        *to = position;
    }
    motion_make_continuous(motion);
}
