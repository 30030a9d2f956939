/* Units of length that motion files are written in, and the unit of a file from the body in it. */
#ifndef KANE_EVIDENCE_UNIT_H
#define KANE_EVIDENCE_UNIT_H

#include "analysis/evidence/body_measures.h"

/* "m" "dm" "cm" "mm" "inch" "cmu" (the CMU library's 1/0.45 inch), or NULL for a unit without a name. */
const char *unit_name(double metres_per_unit);

/* Metres of a unit name or a number of metres; 0 where it is neither. */
double unit_from_text(const char *text);

/* A file whose unit has no name (a copy scaled by any factor) is read rightly where its lengths come out within this
 * factor of the true ones. */
#define UNIT_TOLERANCE 1.25

/* Metres per file unit: the named unit that is most likely, from measures in file units.
 *
 * Hypotheses are pairs of a unit and a kind of body: an adult, a child, a figure of any size; without human roles a
 * creature; and that the unit has no name. Their priors are data/units.tsv and data/unit_model.tsv. The stature (or the
 * extent) tells how likely a body of that size is; what flies falls with g; nothing falls or runs much faster than
 * bodies do. confidence is the posterior probability that the unit is the right one or, where it has no name, that the
 * size is right within UNIT_TOLERANCE; at most 0.9995. docs/accuracy.md tells how it is kept. */
double unit_from_measures(const BodyMeasures *measures, double *confidence);

/* Rows of the two tables. */
typedef struct UnitRow {
    const char *name;
    double metres;
    double human, cmu, other; /* priors */
} UnitRow;

typedef enum UnitParameter {
    UNIT_ADULT_SPREAD,
    UNIT_ADULT_STATURE,
    UNIT_CHILD,
    UNIT_CHILD_SPREAD,
    UNIT_CHILD_STATURE,
    UNIT_CMU_SPREAD,
    UNIT_CMU_STATURE,
    UNIT_CREATURE_EXTENT,
    UNIT_CREATURE_SPREAD,
    UNIT_DROP_LIMIT,
    UNIT_DROP_SPREAD,
    UNIT_FALL_SPREAD,
    UNIT_FIGURE,
    UNIT_FIGURE_SPREAD,
    UNIT_FIGURE_STATURE,
    UNIT_GLITCH,
    UNIT_GRAVITY,
    UNIT_NAMELESS,
    UNIT_NAMELESS_OTHER,
    UNIT_PERSON_SPREAD,
    UNIT_SPEED_LIMIT,
    UNIT_SPEED_SPREAD,
    UNIT_PARAMETER_COUNT
} UnitParameter;

typedef struct UnitModelRow {
    UnitParameter parameter;
    double value;
} UnitModelRow;

extern const UnitRow unit_rows[];
extern const int unit_rows_count;
extern const UnitModelRow unit_model_rows[];
extern const int unit_model_rows_count;

#endif
