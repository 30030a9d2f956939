/* Unit of length of motion files: names, and detection from the body in them. */
#ifndef KANE_DETECT_UNIT_H
#define KANE_DETECT_UNIT_H

#include "analysis/detect/body_measures.h"
#include "analysis/evidence/evidence.h"

/* Returns "m", "dm", "cm", "mm", "inch" or "cmu" (the CMU library's 1/0.45 inch); NULL for an unnamed unit. */
const char *unit_name(double meters_per_unit);

/* Metres per unit from a unit name or a number of metres; 0 if it is neither. */
double unit_from_text(const char *text);

/* For a file with an unnamed unit (a copy scaled by any factor), the result is correct if its lengths are within this
 * factor of the true ones. */
#define UNIT_TOLERANCE 1.25

/* Metres per file unit: the most probable named unit given measures in file units.
 *
 * Hypotheses are pairs of a unit and a kind of body (adult, child, figurine of any size; without human roles a
 * creature), and an unnamed unit. Their priors are data/units.tsv and data/unit_model.tsv. The likelihood uses the
 * distribution of stature (or extent), free fall with g, and upper limits of speed and acceleration. evidence: for the
 * unit against the next one; its confidence is the posterior probability that the unit is correct or, if it has no
 * name, that the size is within UNIT_TOLERANCE; at most 0.9995. Validation: docs/validation/import.md. */
double unit_from_measures(const BodyMeasures *measures, Evidence *evidence);

/* Rows of both tables. */
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
