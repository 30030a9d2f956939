/* Plays a motion forward: a controller drives a body in a Scene along a reference, step by step (thesis 3.9).
 *
 * The root joint's centre is driven along the reference's path (docs/sources.md, notes 0.21), as by an actuator from
 * outside, and all orientations, the root's too, are the controller's; or nothing holds the root, and the controller
 * balances (controller.h). The reference has one frame a step: angular velocity is the backward difference (3.47), and
 * the acceleration of a step is the change of that velocity over the step (3.48): just what symplectic Euler makes. */
#ifndef KANE_CONTROL_PLAYBACK_H
#define KANE_CONTROL_PLAYBACK_H

#include "analysis/clip/clip.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/control/controller.h"
#include "analysis/control/lumped_body.h"
#include "analysis/retarget/reference_pose.h"
#include "analysis/signal/smoothing.h"
#include "analysis/sim/joint.h"
#include "analysis/sim/soft_joints.h"
#include "analysis/sim/springs.h"

/* Joint limits of a clip's roles as limits between its simulated bodies (docs/sources.md, notes 0.4). */

typedef struct SimulatedLimits {
    int count;
    int *joint;         /* [count] of the lumped skeleton */
    AngleLimits *limit; /* [count] */
    Arena memory;       /* of both */
} SimulatedLimits;

/* Limits are of turns from the reference pose in the body's own axes (reference_pose.h). A role that the clip has not,
 * the root's, or one whose joint is frozen has none; a bound at the end of an angle's range is none either. Reads
 * skeleton and motion of the clip. */
Status simulated_limits_init(SimulatedLimits *out, const JointLimits *limits, const LumpedBody *lumped,
                             const ClipView *clip, Error *err);
void simulated_limits_free(SimulatedLimits *limits);

/* A damped spring (docs/sources.md "The springs") that follows a rotation: makes a smooth desired motion of jumps and
 * coarse keys.
 *
 * The spring acts on the rotation vector from the target, in the target's frame of reference, and is exact for any time
 * step: as long as the target rests, n steps of dt are one of n dt. */

typedef struct Follower {
    Quat orientation;
    Vec3 angular_velocity; /* rad/s, in the axes that orientation leads to */
} Follower;

/* One step towards a resting target. */
void follower_advance(Follower *f, const SpringStep *step, Quat target);

/* Replaces every rotation of a motion, and the root's place, by that of a damped follower of `frequency` Hz
 * (undamped), which begins with the first frame at rest. Each frame takes one step towards its own target. */
void follower_apply(Motion *motion, double frequency, double damping_ratio);

/* A ball that is dropped on a body. */
typedef struct BallDrop {
    double mass;   /* kg; 0: no ball */
    double radius; /* m; default 0.05 */
    double height; /* m, of the ball's centre above the COM that the reference has when the ball is due there */
    double time;   /* s, of release; negative: so that it is due at half of the motion */
    int joint;     /* of the clip: its carrier is hit */
} BallDrop;

/* Places that joints are to reach (thesis figure 1.2): a row a time and joint, in any order; of one joint straight
 * lines between rows in the order of their times. Within TARGET_BLEND of the first and of the last the joint leaves the
 * motion and returns to it. */
typedef struct TargetRows {
    int row_count;
    double *time; /* [row] s */
    int *joint;   /* [row] of the clip, of a simulated body that hangs on two others below the root */
    Vec3 *place;  /* [row] m, world, of the joint's centre */
    Arena memory; /* of the arrays */
} TargetRows;

#define TARGET_BLEND 0.5 /* s */

/* Where a target was missed by the most. */
typedef struct TargetMiss {
    double distance; /* m; 0: none was */
    double time;
    int joint;       /* of the clip */
} TargetMiss;

/* Bends the two joints above each target's joint, which keeps its orientation in the world, by inverse kinematics in
 * closed form (two_bone_solve). STATUS_BAD_INPUT naming a joint that has no two joints above it. */
Status targets_reach(const TargetRows *targets, const LumpedBody *lumped, const char *const *names, Motion *motion,
                     TargetMiss *miss, Error *err);

typedef enum RootMode {
    ROOT_DRIVEN, /* along its path; what the world does not bear, the residual actuator does */
    ROOT_LOADS,  /* the same, while the clip's ground forces act on the bodies and controllers know them */
    ROOT_FREE,   /* by nothing: the ground alone bears the body */
    ROOT_COMPLIANT, /* by springs towards its path, which give way; controllers know them, and those that do not
                       balance expect the clip's ground forces of the ground */
} RootMode;

typedef struct PlaybackDef {
    RootMode root;      /* default ROOT_DRIVEN */
    const Loads *loads; /* of ROOT_LOADS and ROOT_COMPLIANT: the clip's, by its frames; outlive playback_init */
    const uint8_t *counts; /* [frame of the clip] 1: figures rest on it; NULL: on all; outlives playback_init */
    const Springs *springs; /* between joints of the clip; controllers know their forces; NULL: none */
    const JointLimits *limits; /* of the clip's roles, hold as walls do: controllers do not know them; NULL: none */
    const int *limited_joint;        /* [joint_limit_count] of the clip, and */
    const AngleLimits *joint_limit;  /* limits of its rotation in its parent; they outlive playback_init */
    int joint_limit_count;
    SoftJoints soft;    /* joints of the clip that give way, read at each run; controllers do not know of it */
    double root_stiffness; /* N/m, of ROOT_COMPLIANT, critically damped for the body's mass; default 10000 */
    const TargetRows *targets; /* the reference reaches them first; NULL: none; outlive playback_init */
    const ExternalRows *forces; /* on joints of the clip, over time, in addition; NULL: none; outlive playback_init */
    int forces_known;   /* 1: controllers know them; default 0 */
    double friction;    /* of the ground; default 0.8 */
    double duration;    /* s: the reference is cut there, or its last pose held until then; 0 (default): as it is */
    int present_acceleration; /* 1: feedforward adds the acceleration of the step that ends now (3.48 as it stands);
                                 default 0: of the one that begins */
    double dt;          /* s; default 0.01 */
    double follow;      /* Hz: the reference is first smoothed by a damped-spring follower; 0 (default): it is not */
    double follow_damping_ratio; /* of that follower; default 1: critical */
    int hinges;         /* 1: all joints are hinges about Z; default 0: ball joints */
    const Vec3 *axis;   /* [joint of the clip] hinges' axes, joint axes; zero: a ball joint; NULL: as `hinges` says */
    const Quat *rest;   /* [joint of the clip] the rest pose of from_rest; NULL: no rotations */
    Vec3 gravity;       /* m/s2; default standard gravity along -Y */
    int from_rest;      /* 1: begins in the rest pose, at rest; default 0: in the reference's first frame */
    double ground;      /* m, y where the ground meets the y axis; default -INFINITY: no ground */
    Vec3 ground_normal; /* unit, upwards; default +Y */
    double restitution; /* default 0.3 */
    BallDrop ball;
} PlaybackDef;

PlaybackDef playback_default_def(void);

typedef struct Playback {
    PlaybackDef def;
    LumpedBody lumped;
    Motion motion;         /* the reference on the simulated joints, a frame a step */
    Kinematics kinematics; /* of that */
    Vec3 *ground_point;    /* [ground point] m, in axes of its joint */
    int *ground_joint;     /* [ground point] simulated joint */
    int ground_count;
    Vec3 *load_force;      /* [step][joint] N; NULL without loads */
    Vec3 *load_moment;     /* [step][joint] Nm, about the joint */
    Loads forces;          /* by steps, on simulated joints, moments about the world's origin */
    Springs springs;       /* between simulated joints */
    SimulatedLimits limits;
    TargetMiss miss;
    uint8_t *counts;       /* [step] 1: statistics of the residual actuator use it */
} Playback;

/* The reference of a clip, of which skeleton, body and motion are read: its motion lumped and resampled to dt.
 * STATUS_BAD_INPUT for a motion of less than a step, or one that ends before the ball is down; STATUS_USAGE for a free
 * root without a ground. */
Status playback_init(Playback *p, const ClipView *clip, const PlaybackDef *def, Error *err);
void playback_free(Playback *p);

/* s, when the ball is let go: as asked for, or so that it comes down at half of the motion; and s that it falls until
 * it is at the COM below it. */
double playback_release(const Playback *p);
double playback_fall(const Playback *p);

/* Whether a joint of the clip is one between simulated bodies, and not frozen or the first. */
int playback_moves(const Playback *p, int joint);

/* An empty tracking of the clip's joints: times and carriers. */
Status playback_tracking(const Playback *p, Tracking *out, Error *err);

/* Adds the run of one controller. A body that flies apart is no failure: from then on the last pose stands, and errors
 * are counted with it; stable_time tells when. */
Status playback_run(const Playback *p, const ControllerDef *controller, Tracking *tracking, Error *err);

/* Runs that are repeated: what they are for is the last. */

/* Gains of the least mean error: stiffness and damping ratio of all joints, from a grid and then by steps that become
 * smaller. Runs that fly apart come after all that do not. */
typedef struct GainSearch {
    double stiffness, damping_ratio;
    double mean_error; /* rad */
    int run_count, stable_count;
} GainSearch;

Status playback_search_gains(const Playback *p, const ControllerDef *controller, GainSearch *out, Error *err);

/* Feedback error learning (thesis 2.2.1): `count` runs, of which each adds to the torques of its steps what the
 * feedback of the one before had to; mean_error[count], rad, of each. tracking holds the last. STATUS_USAGE for a
 * controller that is no stable PD. */
Status playback_learn(const Playback *p, const ControllerDef *controller, int count, double *mean_error,
                      Tracking *tracking, Error *err);

#endif
