/* The loads with which a clip's torques are computed: forces of /contact or of a table, and springs. */
#ifndef KANE_STAGES_TORQUE_H
#define KANE_STAGES_TORQUE_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/torque_terms.h"
#include "analysis/uncertainty/torque_uncertainty.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* Measured forces of a table, where there are none in /contact: those would count twice. */
Status torque_loads_of_table(const char *path, const Clip *clip, Loads *loads, Error *err);

/* Tables that kane torque read, as options name them; NULL: none. */
typedef struct TorqueTables {
    const char *external, *springs, *spring_laws;
} TorqueTables;

/* Adds the springs of the tables to the loads that are there. */
Status torque_loads_add_springs(const TorqueTables *tables, const Clip *clip, Loads *loads, Error *err);

/* Laws without the springs that follow them. */
Status spring_laws_check(const char *springs, const char *laws, Error *err);

/* Each kind apart, with the terms that they are. Begins as (TorqueLoads){0}. */
typedef struct TorqueLoads {
    Loads loads[TERM_SOURCES];
    TermSource source[TERM_SOURCES]; /* of loads */
    int count;
    Arena memory;
} TorqueLoads;

/* STATUS_BAD_INPUT where the history names a table and none is given. */
Status torque_loads_init(TorqueLoads *l, const Clip *clip, const TorqueTables *tables, Error *err);
void torque_loads_free(TorqueLoads *l);

/* What a joint's torque would be with other inputs: the change for a step of the cutoff, the ground, the masses, the
 * centre of pressure and the joint's centre.
 *
 * Exact where the torque is linear in the input. The others are central differences of runs of the chain behind
 * smoothing (kinematics, contact, torque) with the options of the history. The motion at another cutoff fc follows from
 * the smoothed one alone: with H the gain of the zero-lag Butterworth, dH / dfc = 4 H (1 - H) c with
 * c = (2 pi / rate) / sin(2 pi fc / rate), so that dx / dfc = 4 c (x - smooth(x)). */

typedef struct TorqueInput {
    const char *name; /* "cutoff" */
    double step;      /* by which it is changed */
    const char *unit; /* of the step; "1": a share */
    int is_exact;     /* 0: by runs at half a step less and more */
    Vec3 change;      /* Nm, of the torque for the step, world axes */
} TorqueInput;

enum { TORQUE_INPUTS = 9 };

typedef struct TorqueWhatIf {
    int count;
    TorqueInput input[TORQUE_INPUTS]; /* the largest change first */
} TorqueWhatIf;

/* Of which torque. */
typedef struct TorqueQuestion {
    const Clip *clip;           /* with body, kinematics and dynamics */
    const TorqueTables *tables;
    const TermLoad *term;       /* [TERM_COUNT] of the joint in the frame */
    int joint, frame;
} TorqueQuestion;

/* The inputs that the clip has. Runs are left out, with a note, where the history does not give the torque again. */
Status torque_what_if_find(const TorqueQuestion *question, TorqueWhatIf *out, Notes *notes, Error *err);

/* The uncertainty of torques, for the torque stage: what the clip's history states of filter and forces. */

typedef enum TorqueUncertainty { UNCERTAINTY_NONE = 0, UNCERTAINTY_FAST, UNCERTAINTY_FULL } TorqueUncertainty;

/* What the clip's history states of the filter and where its forces come from, with the sizes of the method;
 * ground_loads is the caller's to fill. Without estimated forces both methods are the fast one. */
Status uncertainty_def_of(TorqueUncertainty how, const Clip *clip, int measured, UncertaintyDef *def, Error *err);

/* How the clip's contact was estimated, for the full method; *bridged is the caller's to free. */
Status uncertainty_contact_of(const Clip *clip, UncertaintyDef *def, uint8_t **bridged, Error *err);

/* Adds torque_sd to the dynamics of a clip whose torques were found under these loads, with the tables that the torque
 * stage was given. */
Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, const TorqueTables *tables, Error *err);

#endif
