/* The loads with which a clip's torques are computed: forces of /contact or of a table, and springs. */
#ifndef KANE_PIPELINE_TORQUE_LOADS_H
#define KANE_PIPELINE_TORQUE_LOADS_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/torque_terms.h"

/* Measured forces of a table, where there are none in /contact: those would count twice. */
Status torque_loads_of_table(const char *path, const Clip *clip, Loads *loads, Error *err);

/* Adds the springs of a table to the loads that are there. */
Status torque_loads_add_springs(const char *path, const Clip *clip, Loads *loads, Error *err);

/* Tables that kane torque read, as options name them; NULL: none. */
typedef struct TorqueTables {
    const char *external, *springs;
} TorqueTables;

/* Each kind apart, with the terms that they are. Begins as (TorqueLoads){0}. */
typedef struct TorqueLoads {
    Loads loads[TERM_SOURCES];
    TermSource source[TERM_SOURCES]; /* of loads */
    int count;
    Arena memory;
} TorqueLoads;

/* STATUS_BAD_INPUT where the history tells a table and none is given. */
Status torque_loads_init(TorqueLoads *l, const Clip *clip, const TorqueTables *tables, Error *err);
void torque_loads_free(TorqueLoads *l);

#endif
