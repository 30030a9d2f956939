/* Loads of inverse dynamics: forces of a table, and springs. */
#ifndef KANE_STAGES_TORQUE_LOADS_H
#define KANE_STAGES_TORQUE_LOADS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/dynamics/loads.h"
#include "pipeline/stages/measured_file.h"

/* Reads measured forces from a file. Fails if /contact has forces, which would count twice. The caller frees *file,
 * also after failure. */
Status torque_loads_of_table(const char *path, const Clip *clip, MeasuredFile *file, Loads *loads, Error *err);

/* Tables that kane torque reads; NULL: none. */
typedef struct TorqueTables {
    const char *external, *springs, *spring_laws;
} TorqueTables;

/* Appends the springs of the tables to the loads. */
Status torque_loads_add_springs(const TorqueTables *tables, const Clip *clip, Loads *loads, Error *err);

/* Rejects laws without springs. */
Status spring_laws_check(const char *springs, const char *laws, Error *err);

#endif
