/* What a character on a free root does as its balance goes: it tracks, falls, and comes to rest. */
#ifndef KANE_CONTROL_REACTION_H
#define KANE_CONTROL_REACTION_H

#include "analysis/clip/tracking.h"
#include "analysis/control/fall.h"
#include "analysis/control/whole_state.h"

/* After a loss of balance. */
typedef enum FallRule {
    FALL_PROTECT, /* towards a protective pose, then limp */
    FALL_LIMP,    /* limp at once */
    FALL_TRACK,   /* the controller goes on to the end of the clip */
    FALL_STOP     /* the run ends */
} FallRule;

/* s: a fall ends at rest, or after this time with the outcome that it did not. */
#define REACTION_MAX_FALL 5.0

typedef struct Reaction {
    FallRule rule;
    Fall fall;
    double doubt;             /* s, for which the balance has been out of reach */
    double calm;              /* s, for which the fallen body has been at rest */
    double height;            /* m, of the centre of mass at the loss of balance */
    double lost, rest;        /* s, of the loss of balance and of the rest; NAN: none */
} Reaction;

Status reaction_init(Reaction *r, FallRule rule, const AnatomicalFrames *frames, int joint_count, Error *err);
void reaction_free(Reaction *r);

/* A body falls once it has lost its balance, unless the rule is FALL_TRACK. */
int reaction_falls(const Reaction *r);
/* Whether the run is over: the fallen body rests, has fallen for too long, or the rule is FALL_STOP. */
int reaction_ends(const Reaction *r, double now);

/* Watches the state of the plant at a time against the reference in one of its frames; begins a fall from torque[joint]
 * of the last step, world axes. */
void reaction_watch(Reaction *r, const ControlPlant *plant, const Kinematics *reference, int frame, double now,
                    const Vec3 *torque);

/* The balance is lost now: no forces and torques were found, or reaction_watch says so. */
void reaction_lose(Reaction *r, const ControlPlant *plant, double now, const Vec3 *torque);

/* Torques of a falling body, not yet bounded. */
Status reaction_torques(Reaction *r, const ControlPlant *plant, Vec3 *torque, Error *err);

#endif
