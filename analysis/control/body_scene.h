/* A skeleton's body in a Scene: one body per segment, joints as balls or hinges, on a root that is free or driven along
 * a path (docs/sources.md, notes 0.21), with ground contact points, limits, springs and a ball that is dropped. Poses
 * are those of a clip: rotations joint to parent, world axes, SI units.
 *
 * Body j + 1 of the model is the segment of joint j; the ball is the last body. */
#ifndef KANE_CONTROL_BODY_SCENE_H
#define KANE_CONTROL_BODY_SCENE_H

#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/terrain.h"
#include "analysis/sim/scene.h"
#include "analysis/sim/soft_joint.h"

typedef struct BodySceneDef {
    double step;         /* s */
    IntegratorKind integrator; /* default SCENE_INTEGRATOR_AUTO */
    int kicks_once;      /* as in SceneDef; velocities are then those of the step's displacements */
    Vec3 gravity;        /* m/s2; default standard gravity along -Y */
    int root_is_free;    /* 1: the root is free; default 0: driven along a path */
    int root_is_fixed;   /* initial position of the root; default 0 */
    double root_stiffness, root_damping; /* N/m, Ns/m, of the springs that hold a free root to its path; default 0:
                                            none */
    const Vec3 *axis;    /* [joint] hinge axes in joint axes; zero: a ball; NULL: all are balls; must outlive the
                            scene */
    double friction, restitution; /* default 0.8, 0.3 */
    double restitution_speed;     /* m/s; default 0.2 */
    double ground;       /* m, y where the ground meets the y axis; default -INFINITY: no ground */
    Vec3 ground_normal;  /* unit, upwards; default +Y */
    const Terrain *terrain; /* in place of that plane; NULL (default): the plane */
    int point_count;     /* points that collide with the ground */
    const int *point_joint;
    const Vec3 *point;   /* m, joint axes */
    const double *point_radius; /* m, of spheres around the points; NULL: none */
    const Springs *springs;    /* between joints; NULL: none; must outlive the scene */
    int limit_count;
    const int *limit_joint;
    const AngleLimits *limits; /* copied */
    int soft_count;            /* joints with a compliant position, except the root; must outlive the scene */
    const SoftJoint *soft;
    double ball_mass, ball_radius; /* kg, m; 0: no ball */
    const double *damping; /* [joint] Nms/rad, of ball joints except the root, implicit; NULL: none */
} BodySceneDef;

BodySceneDef body_scene_default_def(void);

typedef struct BodyScene BodyScene;

/* Initial state: the pose, which is the zero of hinges, the root joint's velocity and each body's angular velocity. */
typedef struct BodyStart {
    Vec3 root_position, root_velocity;
    const Quat *rotation;         /* [joint] */
    const Vec3 *angular_velocity; /* [joint] world axes */
} BodyStart;

Status body_scene_create(const Skeleton *skeleton, const Body *body, const BodySceneDef *def, const BodyStart *start,
                         BodyScene **out, Error *err);
void body_scene_destroy(BodyScene *s);

/* Sets another initial state; the zeros of hinges stay. */
void body_scene_begin(BodyScene *s, const BodyStart *start);

/* For the next step alone. Torque: by the parent on a joint's body, with its reaction on the parent (for the root from
 * outside). Force at the joint's centre, and couple. Calls add up. */
void body_scene_apply_torque(BodyScene *s, int joint, Vec3 torque);
void body_scene_apply_force(BodyScene *s, int joint, Vec3 force, Vec3 couple);

/* The same with the force at the body's centre of mass. */
void body_scene_apply_at_com(BodyScene *s, int joint, Vec3 force, Vec3 couple);

/* Position and velocity of the root at the end of the next step. */
typedef struct RootTarget {
    Vec3 position, velocity;
    Quat orientation;
    Vec3 angular_velocity;
} RootTarget;

/* For a root that is driven with free orientation, or held by springs. */
void body_scene_drive(BodyScene *s, const RootTarget *to);

/* Releases the ball at a position with a velocity. */
void body_scene_release_ball(BodyScene *s, Vec3 position, Vec3 velocity);

Status body_scene_step(BodyScene *s, Error *err);

/* Writes rotations and root position of the motion, and pose and velocities of the kinematics, at `frame`. */
void body_scene_read(BodyScene *s, int frame, Motion *motion, Kinematics *kinematics);

Vec3 body_scene_ball(BodyScene *s);

/* Whether the ball touched a body (not the ground alone) during the last step. */
int body_scene_ball_hits(BodyScene *s);

/* Force of ground and ball on a body during the last step, N; *moment: about a point of the world, N m. */
Vec3 body_scene_contact(const BodyScene *s, int joint, Vec3 about, Vec3 *moment);

/* Force that drove the root during the last step, N; with springs also the couple, N m about its joint. */
Vec3 body_scene_root_force(const BodyScene *s);
Vec3 body_scene_root_torque(BodyScene *s);

/* The same for root springs in a given state, before the step: what a controller may know. */
void body_scene_root_springs(const BodySceneDef *def, const RootTarget *to, const Kinematics *now, Vec3 *force,
                             Vec3 *torque);

const UnsettledSweeps *body_scene_unsettled(const BodyScene *s);

#endif
