/* Loads of inverse dynamics: forces in /contact or a table, and springs. */
#ifndef KANE_STAGES_TORQUE_H
#define KANE_STAGES_TORQUE_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/uncertainty/torque_uncertainty.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* Reads measured forces from a table. Fails if /contact has forces, which would count twice. */
Status torque_loads_of_table(const char *path, const Clip *clip, Loads *loads, Error *err);

/* Tables that kane torque reads; NULL: none. */
typedef struct TorqueTables {
    const char *external, *springs, *spring_laws;
} TorqueTables;

/* Appends the springs of the tables to the loads. */
Status torque_loads_add_springs(const TorqueTables *tables, const Clip *clip, Loads *loads, Error *err);

/* Rejects laws without springs. */
Status spring_laws_check(const char *springs, const char *laws, Error *err);

/* Loads by kind, with their torque terms. Initialise with (TorqueLoads){0}. */
typedef struct TorqueLoads {
    Loads loads[TERM_SOURCES];
    TermSource source[TERM_SOURCES]; /* of loads */
    int count;
    Arena memory;
} TorqueLoads;

/* STATUS_BAD_INPUT if the history names a table and none is given. */
Status torque_loads_init(TorqueLoads *l, const Clip *clip, const TorqueTables *tables, Error *err);
void torque_loads_free(TorqueLoads *l);

/* Sensitivity of a joint torque: its change for a step of the cutoff, ground height, masses, centre of pressure and
 * joint centre.
 *
 * Exact where the torque is linear in the input. The others are central differences of runs of kinematics, contact and
 * torque with the options of the history. The motion at another cutoff fc follows from the smoothed one alone: with H
 * the gain of the zero-lag Butterworth filter, dH / dfc = 4 H (1 - H) c with c = (2 pi / rate) / sin(2 pi fc / rate),
 * so that dx / dfc = 4 c (x - smooth(x)). */

typedef struct TorqueInput {
    const char *name; /* "cutoff" */
    double step;      /* size of the step */
    const char *unit; /* of the step; "1": a fraction */
    int is_exact;     /* 0: by runs at minus and plus half a step */
    Vec3 change;      /* Nm per step, world axes */
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

/* Torque uncertainty, from filter and force source in the history. */

typedef enum TorqueUncertainty { UNCERTAINTY_NONE = 0, UNCERTAINTY_FAST, UNCERTAINTY_FULL } TorqueUncertainty;

/* Fills def from the history (filter, source of the forces) and with the default sizes; the caller sets ground_loads.
 * Without estimated forces UNCERTAINTY_FULL equals UNCERTAINTY_FAST. */
Status uncertainty_def_of(TorqueUncertainty how, const Clip *clip, int measured, UncertaintyDef *def, Error *err);

/* Adds the settings of the contact estimation, for UNCERTAINTY_FULL; the caller frees *bridged. */
Status uncertainty_contact_of(const Clip *clip, UncertaintyDef *def, uint8_t **bridged, Error *err);

/* Adds torque_sd to the dynamics. loads and tables are those with which the torques were computed. */
Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, const TorqueTables *tables, Error *err);

#endif
