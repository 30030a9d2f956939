/* Tracks a motion in forward simulation: a controller moves a body in a Scene along a reference, step by step (thesis
 * 3.9).
 *
 * Usually an external actuator drives the root joint's centre along the reference's path (docs/sources.md, notes 0.21),
 * and the controller determines all orientations including the root's. Alternatively nothing supports the root, and the
 * controller balances (controller.h). The reference has one frame per step. Its angular velocity is the backward
 * difference (3.47), its acceleration the change of that velocity over the step (3.48), as symplectic Euler produces
 * them. */
#ifndef KANE_CONTROL_PLAYBACK_H
#define KANE_CONTROL_PLAYBACK_H

#include "analysis/clip/contact.h"
#include "analysis/control/contact_shapes.h"
#include "analysis/control/controller.h"
#include "analysis/control/ground_fit.h"
#include "analysis/control/pushes.h"
#include "analysis/control/reaction.h"
#include "analysis/control/simulated_limits.h"
#include "analysis/control/targets.h"
#include "analysis/control/toe_hinge.h"
#include "analysis/retarget/joint_limits.h"
#include "analysis/sim/soft_joint.h"
#include "analysis/springs/springs.h"

#define THROW_SECONDS 0.4 /* s, longest flight of a thrown ball: it appears then */

/* A ball that is dropped on a body, or thrown at it. A thrown one flies along a parabola whose ends are at the same
 * distance along `from` as `speed` takes it in its flight, and is due at the reference's COM at `time`. */
typedef struct BallDrop {
    double mass;   /* kg; 0: no ball */
    double radius; /* m; default TRACKING_BALL_RADIUS */
    double height; /* m, of the ball's centre above the reference's COM at the time of impact */
    double time;   /* s, of release; negative: so that the impact is at half of the motion; of a throw, of impact */
    int joint;     /* of the clip; the ball hits the body that carries it */
    double speed;  /* m/s, mean velocity along `from`; 0: dropped from rest */
    PushDirection from; /* where a thrown ball comes from, at its release */
} BallDrop;

typedef enum RootMode {
    ROOT_DRIVEN, /* driven along its path; a residual actuator supplies what the ground does not */
    ROOT_LOADS,  /* the same, with the clip's ground forces acting on the bodies and known to the controllers */
    ROOT_FREE,   /* free: the ground alone supports the body */
    ROOT_COMPLIANT, /* held to its path by springs, which controllers know; controllers that do not balance expect
                       the clip's ground forces */
} RootMode;

typedef struct PlaybackDef {
    RootMode root;      /* default ROOT_DRIVEN */
    const Loads *loads; /* of ROOT_LOADS and ROOT_COMPLIANT: the clip's, per frame; must outlive playback_init */
    const uint8_t *counts; /* [frame of the clip] 1: counts in the statistics; NULL: all; must outlive playback_init */
    const Springs *springs; /* between joints of the clip; controllers know their forces; NULL: none */
    const JointLimits *limits; /* limits of the clip's roles, as hard stops that controllers do not know; NULL: none */
    const int *limited_joint;        /* [joint_limit_count] of the clip, and */
    const AngleLimits *joint_limit;  /* limits of its rotation in its parent; must outlive playback_init */
    int joint_limit_count;
    SoftJoints soft;    /* compliant joints of the clip, read at each run and unknown to controllers */
    double root_stiffness; /* N/m, of ROOT_COMPLIANT, critically damped for the body's mass; default 10000 */
    const TargetRows *targets; /* positions that the reference reaches first; NULL: none; must outlive playback_init */
    const ExternalRows *forces; /* additional tabulated forces on joints of the clip; NULL: none; must outlive
                                   playback_init */
    const Pushes *pushes; /* on joints of the clip, unknown to controllers; NULL: none; must outlive playback_init */
    int forces_known;   /* 1: controllers know them; default 0 */
    double friction;    /* of the ground; default 0.8 */
    double duration;    /* s: the reference is cut there, or its last pose stays until then; 0 (default): unchanged */
    int present_acceleration; /* 1: feedforward adds the acceleration of the step that ends now (3.48 literally);
                                 default 0: that of the one that begins */
    double dt;          /* s; default 0.01 */
    double follow;      /* Hz, natural frequency of a follower that smooths the reference first; 0 (default): none */
    double follow_damping_ratio; /* damping ratio of that follower; default 1: critical */
    int hinges;         /* 1: all joints are hinges about Z; default 0: ball joints */
    const Vec3 *axis;   /* [joint of the clip] hinge axes in joint axes; zero: a ball joint; NULL: as `hinges` says */
    const Quat *rest;   /* [joint of the clip] the rest pose of from_rest; NULL: no rotations */
    Vec3 gravity;       /* m/s2; default standard gravity along -Y */
    int from_rest;      /* 1: starts in the rest pose, at rest; default 0: in the reference's first frame */
    double ground;      /* m, y where the ground meets the y axis; default -INFINITY: no ground */
    Vec3 ground_normal; /* unit, upwards; default +Y */
    const Terrain *terrain; /* in place of that plane, in its own axes: placed at the feet of the first frame, ahead of
                               the character; NULL (default): the plane; must outlive playback_init */
    double restitution; /* default 0.3 */
    BallDrop ball;
    double strength_share; /* of a root on the ground alone: bounds of joint torques, as a fraction of people's strength
                              (strength_bounds.h), and ranges of joints (joint_ranges.h); 0 (default): neither */
    double stature;     /* m, of the clip's body, for those bounds */
    const Contact *contact; /* of the clip, for what supports when; NULL: unknown; must outlive the playback */
    double contact_frame_time; /* s, of the clip */
    int steps;          /* 1 (default): a body that balances adapts its steps; 0: it steps as the reference does */
    FallRule on_fall;   /* default FALL_PROTECT */
} PlaybackDef;

PlaybackDef playback_default_def(void);

typedef struct Playback {
    PlaybackDef def;
    LumpedBody lumped;
    Motion motion;         /* the reference on the simulated joints, one frame per step */
    Kinematics kinematics; /* kinematics of that */
    ContactShapes shapes;  /* what meets the ground; empty without a ground */
    ToeHinges toes;        /* of a loose root */
    char *loaded;           /* [step][point of the soles] 1: supports in the reference; NULL without a ground */
    Terrain terrain;       /* in the world; empty: the plane */
    GroundMiss ground_miss; /* of the reference on that ground */
    Vec3 *load_force;      /* [step][joint] N; NULL without loads */
    Vec3 *load_moment;     /* [step][joint] N m, about the joint */
    Loads forces;          /* per step, on simulated joints, moments about the world's origin */
    Pushes pushes;         /* on simulated joints, points given */
    Springs springs;       /* between simulated joints */
    SimulatedLimits limits;
    TargetMiss miss;
    AnatomicalFrames frames; /* of the simulated joints */
    double *torque_max;    /* [joint] N m; 0: none; NULL: a root that is not loose */
    double *damping;       /* [joint] Nms/rad, of the tissue of the joints, if the controller balances; the same */
    uint8_t *counts;       /* [step] 1: counts in the statistics of the residual actuator */
} Playback;

/* Points of the soles over the ground of the simulation, or over that of the recording. Borrows. */
Footing playback_footing(const Playback *p);
Footing playback_recorded_footing(const Playback *p);

/* Prepares the reference of a clip from its skeleton, body and motion: lumped, resampled to dt, and on two feet fitted
 * to the ground. STATUS_BAD_INPUT
 * for a motion shorter than a step, or one that ends before the ball's impact; STATUS_USAGE for a free root without a
 * ground. */
Status playback_init(Playback *p, const ClipView *clip, const PlaybackDef *def, Error *err);
void playback_free(Playback *p);

/* Whether springs and the ground alone support the root. */
static inline int playback_is_loose(const Playback *p)
{
    return p->def.root == ROOT_FREE || p->def.root == ROOT_COMPLIANT;
}

/* s, release time of the ball, as given or as its impact requires; and s of its flight to the COM. */
double playback_release(const Playback *p);
double playback_fall(const Playback *p);

/* Whether a joint of the clip connects two simulated bodies: neither frozen nor the first. */
int playback_moves(const Playback *p, int joint);

/* Creates an empty tracking of the clip's joints, with times and carriers. A body that falls goes on after the clip:
 * the tracking has room for that, until playback_trim. */
Status playback_tracking(const Playback *p, Tracking *out, Error *err);

/* Shortens a tracking to its longest run. */
void playback_trim(const Playback *p, Tracking *tracking);

/* Adds the run of one controller. A body that diverges is no failure: its last pose stays and counts in the errors;
 * stable_time is the time of divergence. */
Status playback_run(const Playback *p, const ControllerDef *controller, Tracking *tracking, Error *err);

#endif
