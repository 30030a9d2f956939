/* kane explain --equations: Kane's equations of a clip in numbers. */
#ifndef KANE_CLI_EXPLAIN_EQUATIONS_H
#define KANE_CLI_EXPLAIN_EQUATIONS_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/loads.h"
#include "formats/export/row_writer.h"

typedef struct EquationsTables {
    const char *speeds; /* "dof", "absolute", "relative" or a table; NULL: dof if the clip has degrees of freedom, else
                           absolute */
    RowForm form;
    int frame;
} EquationsTables;

/* Prints generalized forces, partial velocities and the mass matrix at the frame. */
Status explain_equations(const EquationsTables *given, const Clip *clip, const Loads *loads, int load_count,
                         Error *err);

#endif
