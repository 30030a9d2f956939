/* Segment masses, COMs and inertias of a human body from tables, scaled to the skeleton and the total mass.
 *
 * Source: de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). */
#ifndef KANE_BODY_ANTHROPOMETRY_H
#define KANE_BODY_ANTHROPOMETRY_H

#include "analysis/base/status.h"
#include "analysis/body/segment_table.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

/* Fills *out for a skeleton with human roles (roles_are_human): total mass in kg, above 0. STATUS_BAD_INPUT where the
 * legs have no length. */
Status deleva_from_skeleton(const Skeleton *skeleton, const Quat *turn, double mass, Sex sex, Body *out, Error *err);

/* The models by which a skeleton gets its masses: de Leva's humans, capsules of water, a table of the user's.
 *
 * A new model: BodyModel, and its rows of the two tables in anthropometry.c. */

typedef enum BodyModel { BODY_AUTO = 0, BODY_DELEVA, BODY_CAPSULES, BODY_SEGMENTS, BODY_MODEL_COUNT } BodyModel;

/* "deleva" of BODY_DELEVA; NULL at the end. */
extern const char *const body_model_names[];

#define BODY_HUMAN_MASS 70 /* kg, of a human whose mass is not given */

typedef struct BodyDef {
    double mass;          /* kg; 0: BODY_HUMAN_MASS for a human, the capsules' own for a creature */
    Sex sex;              /* default mean */
    BodyModel model;      /* BODY_AUTO: de Leva where the roles are human, else capsules of water density */
    const Quat *turn;     /* [joint] of the pose in which a human's segments are measured, joint axes to its own; NULL:
                             the rest pose; not owned */
    const NeutralAngles *neutral; /* what body_from_clip takes the turns from; NULL: the motion; not owned */
    const Body *segments; /* of BODY_SEGMENTS: the masses of a table, for the joints of this skeleton; not owned */
} BodyDef;

BodyDef body_default_def(void);

/* The masses sum, in joint order, to def->mass (to the last bit, or one unit in the last place). Joints without a role
 * or a length weigh nothing; what has no joint of its own moves with the nearest joint above. STATUS_BAD_INPUT:
 * BODY_DELEVA without human roles, or no bone has a length; STATUS_USAGE: a negative mass, no table of segments. */
Status body_from_skeleton(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err);

/* The model that a body is of, by its name in `model`; BODY_AUTO for a name that no model has. */
BodyModel body_model_of(const Body *body);

#endif
