/* Segment masses, COMs and inertias of a human body from tables, scaled to the skeleton and the total mass. */
#ifndef KANE_BODY_ANTHROPOMETRY_H
#define KANE_BODY_ANTHROPOMETRY_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

typedef enum Sex { SEX_MEAN = 0, SEX_MALE, SEX_FEMALE } Sex;
typedef enum BodyModel { BODY_AUTO = 0, BODY_DELEVA, BODY_CAPSULES } BodyModel;

typedef struct BodyDef {
    double mass;     /* kg; 0: 70 kg for a human, the capsules' own for a creature */
    Sex sex;         /* default mean */
    BodyModel model; /* BODY_AUTO: de Leva where the roles are human, else capsules of water density */
} BodyDef;

BodyDef body_default_def(void);

/* Source: de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). The masses sum to def->mass exactly. */
Status body_from_skeleton(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err);

/* Standing height from the rest pose, m; 0 where there are no human roles. */
double body_stature(const Skeleton *skeleton);

#endif
