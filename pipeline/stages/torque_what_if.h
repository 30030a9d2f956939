/* Sensitivity of a joint torque: its change for a step of the cutoff, ground height, masses, centre of pressure and
 * joint centre.
 *
 * Exact where the torque is linear in the input. The others are central differences of runs of kinematics, contact and
 * torque with the options of the history. The motion at another cutoff fc follows from the smoothed one alone: with H
 * the gain of the zero-lag Butterworth filter, dH / dfc = 4 H (1 - H) c with c = (2 pi / rate) / sin(2 pi fc / rate),
 * so that dx / dfc = 4 c (x - smooth(x)). */
#ifndef KANE_STAGES_TORQUE_WHAT_IF_H
#define KANE_STAGES_TORQUE_WHAT_IF_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/dynamics/torque_terms.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/torque_loads.h"

typedef struct TorqueInput {
    const char *name; /* "cutoff" */
    double step;      /* size of the step */
    const char *unit; /* of the step; "1": a fraction */
    int is_exact;     /* 0: by runs at minus and plus half a step */
    Vec3 change;      /* N m per step, world axes */
} TorqueInput;

enum { TORQUE_INPUTS = 9 };

typedef struct TorqueWhatIf {
    int count;
    TorqueInput input[TORQUE_INPUTS]; /* descending by change */
} TorqueWhatIf;

/* The torque in question. */
typedef struct TorqueQuestion {
    const Clip *clip;           /* with body, kinematics and dynamics */
    const TorqueTables *tables;
    const TermLoad *term;       /* [TERM_COUNT], of this joint and frame */
    int joint, frame;
} TorqueQuestion;

/* Computes the changes for all inputs that the clip has. If the history does not reproduce the torque, the runs are
 * left out and a note is added. */
Status torque_what_if_find(const TorqueQuestion *question, TorqueWhatIf *out, Notes *notes, Error *err);

#endif
