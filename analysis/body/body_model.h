/* Models of body masses: de Leva's human, capsules of water, a user's table. A new model needs a BodyModel and its
 * entries in the two tables of body_model.c. */
#ifndef KANE_BODY_BODY_MODEL_H
#define KANE_BODY_BODY_MODEL_H

#include "analysis/base/status.h"
#include "analysis/body/segment_table.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

typedef enum BodyModel { BODY_AUTO = 0, BODY_DELEVA, BODY_CAPSULES, BODY_SEGMENTS, BODY_MODEL_COUNT } BodyModel;

/* "deleva" for BODY_DELEVA; NULL-terminated. */
extern const char *const body_model_names[];

#define BODY_HUMAN_MASS 70 /* kg, of a human without a given mass */

typedef struct BodyDef {
    double mass;             /* kg; 0: BODY_HUMAN_MASS for a human, volume times density for a creature */
    Sex sex;                 /* default mean */
    BodyModel model;         /* BODY_AUTO: de Leva if the roles are human, of a part, too; else capsules of
                                water density */
    const Quat *orientation; /* [joint] pose to measure a human in, joint axes to those of the pose; NULL: rest; not
                                owned */
    const NeutralAngles *neutral; /* from which body_from_clip computes `orientation`; NULL: from the motion; not
                                     owned */
    const Body *segments; /* for BODY_SEGMENTS: masses from a table, for the joints of this skeleton; not owned */
} BodyDef;

BodyDef body_default_def(void);

/* Builds the masses of a skeleton. They sum, in joint order, to def->mass (within one unit in the last place). Joints
 * without a role or a length have no mass; a segment without a joint moves with the nearest joint above.
 * STATUS_BAD_INPUT: BODY_DELEVA without human roles, or all bones have zero length. STATUS_USAGE: negative mass, or no
 * table of segments. */
Status body_from_skeleton(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err);

/* The model of a body, from its name in `model`; BODY_AUTO if the name is unknown. */
BodyModel body_model_find(const Body *body);

#endif
