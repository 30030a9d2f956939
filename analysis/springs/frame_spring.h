/* A spring between two frames that resists relative displacement and rotation (notes 0.22; docs/sources.md).
 *
 * Frame 1 is fixed in body A, frame 2 in body B. Wrenches and Jacobians are ordered (f_A, tau_A, f_B, tau_B) and (x_A,
 * theta_A, x_B, theta_B), moments about the bodies' origins. In body coordinates each is in the axes of its own body,
 * else in world axes. The position Jacobians keep the world velocities constant. They are not symmetric (0.23). */
#ifndef KANE_SPRINGS_FRAME_SPRING_H
#define KANE_SPRINGS_FRAME_SPRING_H

#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef struct FrameSpring {
    double stiffness, damping;                 /* k_t N/m, d_t Ns/m */
    double turning_stiffness, turning_damping; /* k_r N m/rad, d_r Nms/rad */
    Vec3 point_a, point_b;                     /* m, p1 in axes of A, p2 in axes of B */
    Quat frame_a, frame_b;                     /* frame 1 to A, frame 2 to B */
} FrameSpring;

/* A body's frame and its velocities, world axes. */
typedef struct FrameState {
    Vec3 position;
    Quat orientation;
    Vec3 velocity, angular_velocity;
} FrameState;

typedef enum SpringAxes { SPRING_BODY_AXES, SPRING_WORLD_AXES } SpringAxes;

/* wrench[12] (0.39, 0.40) */
void frame_spring_wrench(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                         double *wrench);

/* J, of both stiffnesses. */
double frame_spring_energy(const FrameSpring *s, const FrameState *a, const FrameState *b);

/* J_p and J_v, each [12][12] by rows. */
void frame_spring_position_jacobian(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                                    double *jacobian);
void frame_spring_velocity_jacobian(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                                    double *jacobian);

/* U of (0.45): the rate of the rotation vector phi u is U omega, with omega in the fixed axes. */
Mat3 rotation_vector_rate(Vec3 rotation);

#endif
