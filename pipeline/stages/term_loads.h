/* The loads of a clip by kind, with their terms of the torques: forces in /contact or a table, and springs. */
#ifndef KANE_STAGES_TERM_LOADS_H
#define KANE_STAGES_TERM_LOADS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/dynamics/torque_terms.h"
#include "pipeline/stages/torque_loads.h"

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

#endif
