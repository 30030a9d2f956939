/* Segment masses, COMs and inertias of a human body from tables, scaled to the skeleton and the total mass. */
#ifndef KANE_BODY_ANTHROPOMETRY_H
#define KANE_BODY_ANTHROPOMETRY_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

typedef enum Sex { SEX_MEAN = 0, SEX_MALE, SEX_FEMALE } Sex;
typedef enum BodyModel { BODY_AUTO = 0, BODY_DELEVA, BODY_CAPSULES } BodyModel;

#define BODY_HUMAN_MASS 70 /* kg, of a human whose mass is not given */

typedef struct BodyDef {
    double mass;     /* kg; 0: BODY_HUMAN_MASS for a human, the capsules' own for a creature */
    Sex sex;         /* default mean */
    BodyModel model; /* BODY_AUTO: de Leva where the roles are human, else capsules of water density */
} BodyDef;

BodyDef body_default_def(void);

/* Source: de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). The masses sum, in joint order, to
 * def->mass (to the last bit, or one unit in the last place). Joints without a role or a length weigh nothing; what has
 * no joint of its own moves with the nearest joint above. STATUS_BAD_INPUT: BODY_DELEVA without human roles, or no bone
 * has a length; STATUS_USAGE: a negative mass. */
Status body_from_skeleton(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err);

/* Standing height, m: ankle height, thigh, shank, trunk and head one on the other, so that the rest pose need not
 * stand; 0 where there are no human roles. */
double body_stature(const Skeleton *skeleton);

#endif
