/* The simulation of a playback, step by step: the body in its scene under the torques of one controller. */
#ifndef KANE_CONTROL_PLAYBACK_STATE_H
#define KANE_CONTROL_PLAYBACK_STATE_H

#include "analysis/base/arena.h"
#include "analysis/control/balance_goal.h"
#include "analysis/control/body_scene.h"
#include "analysis/control/playback.h"

/* Force at the centre of a joint and couple about it, world axes, N and N m. */
typedef struct JointWrench {
    Vec3 force, moment;
} JointWrench;

typedef struct PlaybackState {
    const Playback *playback;
    BodyScene *scene;
    Vec3 *axis;      /* [joint] */
    SoftJoint *soft; /* of the scene */
    ControlPlant plant; /* with the present pose */
    Controller controller;
    Vec3 *torque; /* [joint] N m, of the last step */
    JointWrench *push;    /* [joint] tabulated forces and pushes in the last step, the mean over it */
    JointWrench *given;   /* [joint] pushes in the next step besides these */
    JointWrench *contact; /* [joint] of ground and ball in the last step, about the joint at its beginning */
    Footing ground;
    Vec3 *push_direction; /* [push] unit, world; zero before it begins */
    BalanceAim aim; /* of a controller that balances a loose root */
    BalanceGoal goal;
    double release;
    int is_released; /* the ball */
    BodySceneDef springs; /* of the root alone */
    double hit;      /* s, of the ball's last contact with a body; -INFINITY: none */
    Reaction reaction; /* of a loose root */
    Arena memory;    /* owns the arrays but axis and soft */
} PlaybackState;

/* In the initial state. The playback must outlive *s. */
Status playback_state_init(PlaybackState *s, const Playback *p, const ControllerDef *def, Error *err);
void playback_state_free(PlaybackState *s);

/* Whether the controller balances the body. */
int playback_state_balances(const PlaybackState *s);

/* Pushes a body in the next step: a force at the centre of its joint and a couple. Calls add up. */
void playback_state_push(PlaybackState *s, int joint, JointWrench wrench);

/* One step from a frame of the reference, whose last pose stays after its end: torques, then the scene.
 * STATUS_NO_RESULT if the body diverges. */
Status playback_step(PlaybackState *s, int frame, Error *err);

/* Whether a run takes no more steps: the clip has ended and the body does not fall, or the fall has ended. */
int playback_is_over(const PlaybackState *s, int frame);

/* What became of the run so far; a run that diverged is the caller's. */
TrackingOutcome playback_outcome(const PlaybackState *s);

/* The frame of the reference at a step. */
static inline int playback_frame(const Playback *p, int frame)
{
    return frame < p->motion.frame_count ? frame : p->motion.frame_count - 1;
}

#endif
