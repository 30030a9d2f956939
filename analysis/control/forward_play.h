/* Forward what inverse dynamics gave: a clip's joint torques, ground forces and residual move its body on a free base,
 * and the motion that comes of it is compared with the clip's own.
 *
 * Nothing holds the body on its way: an error of the forces grows as that of a thrown or balancing body does.
 * All keep their directions in the world, and forces of the surroundings their moments about the body's joint: a foot
 * under a force that is fixed in it, or under a torque that turns with it, buckles within a tenth of a second. The
 * residual acts as a wrench on the first body. Between frames all are cubics (Catmull-Rom), taken in the middle of a
 * step. */
#ifndef KANE_CONTROL_FORWARD_PLAY_H
#define KANE_CONTROL_FORWARD_PLAY_H

#include "analysis/clip/clip.h"
#include "analysis/control/lumped_body.h"
#include "analysis/sim/scene_def.h"

typedef struct ForwardDef {
    double dt;                 /* s, at most; frames are made of whole steps; default 0.001 */
    IntegratorKind integrator; /* of a Scene; default SCENE_VARIATIONAL */
    int no_residual;           /* 1: the residual is left out; default 0 */
    double duration;           /* s; 0 (default): to the end */
    int hold_count;            /* default 0 */
    const int *hold;           /* [hold_count] joints of the clip that are held to its motion, whatever it takes */
} ForwardDef;

ForwardDef forward_default_def(void);

/* How far the motion is from the clip's. */
typedef struct ForwardDrift {
    double time;  /* s since it began */
    double place; /* m, of the first body's joint */
    double turn;  /* rad, mean over the bodies */
    int count;    /* of stretches that it is the mean of */
    int lost;     /* stretches beside them that flew apart */
} ForwardDrift;

typedef struct ForwardPlay {
    Motion motion;          /* of the clip's joints, from its first valid frame on */
    int body_count;         /* that were simulated */
    ForwardDrift half, end; /* after half a second (or the end, if that is before), and at the end */
    ForwardDrift flight, stance; /* mean over stretches of at most a quarter of a second, each begun in the clip's
                                    state: without and with a ground force of more than a twentieth of the weight */
    double ended;           /* s, when it flew apart; the motion ends there. Negative: it did not */
    Error why;              /* it did; names the joint of the body that turns fastest */
    int leaver;             /* joint of the clip whose body left the motion first then; -1: none did */
    double left;            /* s, when */
} ForwardPlay;

/* Reads skeleton, body, motion, kinematics and dynamics of the clip, and contact where there is one. Frames that are
 * not valid are left out at both ends. STATUS_BAD_INPUT with fewer than two frames in between, STATUS_USAGE for the
 * root and for a joint that is not simulated among those to be held. */
Status forward_play(const Clip *clip, const ForwardDef *def, ForwardPlay *out, Error *err);
void forward_play_free(ForwardPlay *p);

#endif
