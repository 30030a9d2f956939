/* What a joint's torque would be with other inputs: the change for a step of the cutoff, the ground, the masses, the
 * centre of pressure and the joint's centre.
 *
 * Exact where the torque is linear in the input. The others are central differences of runs of the chain behind
 * smoothing (diff, contact, torque) with the options of the history. The motion at another cutoff fc follows from the
 * smoothed one alone: with H the gain of the zero-lag Butterworth, dH / dfc = 4 H (1 - H) c with
 * c = (2 pi / rate) / sin(2 pi fc / rate), so that dx / dfc = 4 c (x - smooth(x)). */
#ifndef KANE_PIPELINE_TORQUE_INPUTS_H
#define KANE_PIPELINE_TORQUE_INPUTS_H

#include "pipeline/stages/notes.h"
#include "pipeline/stages/torque_loads.h"

typedef struct TorqueInput {
    const char *name; /* "cutoff" */
    double step;      /* by which it is changed */
    const char *unit; /* of the step; "1": a share */
    int is_exact;     /* 0: by runs at half a step less and more */
    Vec3 change;      /* Nm, of the torque for the step, world axes */
} TorqueInput;

enum { TORQUE_INPUTS = 9 };

typedef struct TorqueInputs {
    int count;
    TorqueInput input[TORQUE_INPUTS]; /* the largest change first */
} TorqueInputs;

/* Of which torque. */
typedef struct TorqueQuestion {
    const Clip *clip;           /* with body, kinematics and dynamics */
    const TorqueTables *tables;
    const TermLoad *term;       /* [TERM_COUNT] of the joint in the frame */
    int joint, frame;
} TorqueQuestion;

/* The inputs that the clip has. Runs are left out, with a note, where the history does not give the torque again. */
Status torque_inputs_find(const TorqueQuestion *question, TorqueInputs *out, Notes *notes, Error *err);

#endif
