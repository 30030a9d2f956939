/* A world that steps: a skeleton's bodies under joints, limits, contacts, springs and torques, and free balls.
 *
 * Body j < joint_count is the segment of joint j (docs/design.md "Conventions"); balls follow. The root hangs on the
 * world's frame by a joint of its own: free, or spherical, hinged or fixed to a frame that stands still or is driven
 * along a path (docs/sources.md, notes 0.21). World axes, SI.
 *
 * A step of symplectic Euler (0.9.1) kicks the momenta, moves the poses with them, and then turns the joints' impulses
 * until the joints close at the new pose, not just to first order: with that it is the SHAKE form of leapfrog, whose
 * joints do not drift and whose energy does not creep. Bridson-Marino (0.9.4) kicks by halves and is of second order.
 * The implicit rules (0.9.2, 0.9.3; scene_step.h has them, dense) are not for a World: df/dx of a spring joins bodies
 * that no joint joins, which ends the linear time of the tree. What is stiff is a soft joint (0.11): that is implicit.
 *
 * Velocities read between steps are those after the last kick. */
#ifndef KANE_SIM_WORLD_H
#define KANE_SIM_WORLD_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/sim/springs.h"
#include "analysis/sim/world_def.h"
#include "analysis/solve/mixed_lcp.h"

WorldDef world_default_def(void);

/* All joints but the root's are spherical; at rest in the skeleton's rest pose. STATUS_BAD_INPUT naming the joint whose
 * body has no mass or inertia: fix such bodies to others first. */
Status world_create(const Skeleton *skeleton, const Body *body, const WorldDef *def, World **out, Error *err);
void world_destroy(World *w);

/* Another kind of joint, also for the root; a hinge turns about `axis` (joint axes). Hinges and fixed joints hold on to
 * the pose that is set next. Before the first step. */
Status world_set_joint(World *w, int joint, JointKind kind, Vec3 axis, Error *err);

Status world_soften_joint(World *w, int joint, const JointSoftness *softness, Error *err);

/* Springs between the bodies, which must outlive the world; NULL: none. They act explicitly: dt sqrt(k / m) must stay
 * below 2 (a soft joint has no such bound). Their energy is not in world_energy. */
Status world_set_springs(World *w, const Springs *springs, Error *err);

/* Limits of a joint's angles to its parent; joint.h says how limits of another kind are added. Not for the root. */
Status world_set_limits(World *w, int joint, const AngleLimits *limits, Error *err);

/* Shapes for contact, in joint axes. A capsule meets balls; a point meets the ground. */
Status world_add_capsule(World *w, int joint, Vec3 from, Vec3 to, double radius, Error *err);
Status world_add_ground_point(World *w, int joint, Vec3 point, Error *err);

/* A solid ball that collides with capsules, balls and the ground. *body receives its index. */
typedef struct BallDef {
    double mass, radius;     /* kg, m */
    Vec3 position, velocity; /* m, m/s */
} BallDef;
Status world_add_ball(World *w, const BallDef *def, int *body, Error *err);

/* Pose and velocities of the skeleton: rotation[joint] joint to parent, root to world; the root joint's velocity and
 * angular_velocity[joint] in world axes. */
void world_set_pose(World *w, Vec3 root_position, const Quat *rotation, Vec3 root_velocity,
                    const Vec3 *angular_velocity);

/* For the next step alone: torque of the parent on body `joint` (reversed on the parent; for the root from outside), a
 * force on a body at a world point, a couple on it alone. They add up. */
void world_apply_torque(World *w, int joint, Vec3 torque);
void world_apply_force(World *w, int body, Vec3 force, Vec3 point);
void world_apply_couple(World *w, int body, Vec3 couple);

/* World place of a body's COM. */
Vec3 world_com(const World *w, int body);

/* Where the frame that the root hangs on is to be at the end of the next step, and its velocities there (read by
 * Bridson-Marino alone). A free root takes no notice; a frame that is not driven stands still. */
void world_drive_root(World *w, Vec3 position, Quat orientation, Vec3 velocity, Vec3 angular_velocity);

/* Where something turns too fast for the joints to close, the step is made of halves, quarters, down to parts of 1/64,
 * under the same forces and torques. STATUS_NO_RESULT where it has no solution then either: the world is as it was. */
Status world_step(World *w, double dt, Error *err);

/* State. Positions and velocities of a joint are those of its centre, of a ball those of its centre. */
Vec3 world_position(const World *w, int body);
Quat world_orientation(const World *w, int body);
Vec3 world_velocity(const World *w, int body);
Vec3 world_angular_velocity(const World *w, int body);

/* Writes rotation and root position of the motion and pose and velocities of the kinematics at `frame`; accelerations
 * are left alone. Both have the skeleton's joints. */
void world_read_pose(const World *w, int frame, Motion *motion, Kinematics *kinematics);

/* Force through a joint during the last step, on its body, world axes, N; at the root what the path or the base
 * exerted (0.21). */
Vec3 world_joint_force(const World *w, int joint);
/* The same for the moment of a hinge or fixed joint, Nm. */
Vec3 world_joint_moment(const World *w, int joint);

/* Sum of the contact forces on a body during the last step, N. */
Vec3 world_contact_force(const World *w, int body);

/* Largest distance between the two anchors of a joint that is not soft, m. */
double world_joint_drift(const World *w);

/* Solves of contacts and limits by sweeps that did not settle. */
const UnsettledSweeps *world_unsettled(const World *w);

/* Kinetic and potential energy, J; momentum, and angular momentum about the world's origin. */
double world_energy(const World *w);
Vec3 world_momentum(const World *w);
Vec3 world_angular_momentum(const World *w);

#endif
