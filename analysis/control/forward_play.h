/* Forward simulation of inverse dynamics results: a clip's joint torques, ground forces and residual move its body on a
 * free root, and the resulting motion is compared with the clip's.
 *
 * Nothing stabilises the body: force errors grow as on a thrown or balancing body. All loads keep their world
 * directions, and external forces their moments about the body's joint. (If a force were fixed in a foot, or a torque
 * rotated with it, the leg would buckle within a tenth of a second.) The residual acts as a wrench on the first body.
 * Loads between frames are cubic (Catmull-Rom), evaluated at the middle of a step. */
#ifndef KANE_CONTROL_FORWARD_PLAY_H
#define KANE_CONTROL_FORWARD_PLAY_H

#include "analysis/clip/clip.h"
#include "analysis/control/lumped_body.h"
#include "analysis/sim/integrator.h"

typedef struct ForwardDef {
    double dt;                 /* s, largest step; a frame takes a whole number of steps; default 0.001 */
    IntegratorKind integrator; /* of a Scene; default SCENE_VARIATIONAL */
    int no_residual;           /* 1: without the residual; default 0 */
    double duration;           /* s, duration; 0 (default): to the end */
    int hold_count;            /* default 0 */
    const int *hold;           /* [hold_count] joints of the clip that are held to its motion by whatever torque that
                                  takes */
} ForwardDef;

ForwardDef forward_default_def(void);

/* Difference between the simulated motion and the clip's. */
typedef struct ForwardDrift {
    double time;     /* s, since the start */
    double distance; /* m, of the first body's joint */
    double angle;    /* rad, mean over the bodies */
    int count;       /* number of intervals in the mean */
    int lost;        /* number of other intervals, which diverged */
} ForwardDrift;

typedef struct ForwardPlay {
    Motion motion;          /* of the clip's joints, from its first valid frame */
    int body_count;         /* frames simulated */
    ForwardDrift half, end; /* after half a second (or at the end, if that is earlier), and at the end */
    ForwardDrift flight, stance; /* means over intervals of at most a quarter of a second, each started in the clip's
                                    state: without, and with a ground force of more than a twentieth of the weight */
    double ended;           /* s, time at which the simulation diverged and the motion ends; negative: it did not */
    Error why;              /* reason of that; names the joint of the fastest body */
    int leaver;             /* joint of the clip whose body left the motion first; -1: none */
    double left;            /* s, time of that */
} ForwardPlay;

/* Reads skeleton, body, motion, kinematics and dynamics of the clip, and contact if there is any. Invalid frames at
 * both ends are left out. STATUS_BAD_INPUT with fewer than two frames left; STATUS_USAGE if a joint to be held is the
 * root or not simulated. */
Status forward_play(const Clip *clip, const ForwardDef *def, ForwardPlay *out, Error *err);
void forward_play_free(ForwardPlay *p);

#endif
