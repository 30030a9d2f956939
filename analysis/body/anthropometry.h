/* Segment masses, COMs and inertias of a human body from tables, scaled to the skeleton and the total mass.
 *
 * Source: de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). */
#ifndef KANE_BODY_ANTHROPOMETRY_H
#define KANE_BODY_ANTHROPOMETRY_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

typedef enum Sex { SEX_MEAN = 0, SEX_MALE, SEX_FEMALE, SEX_COUNT } Sex;

/* "male"; NULL at the end. */
extern const char *const sex_names[];

typedef enum SegmentKind {
    SEGMENT_HEAD, /* with the neck */
    SEGMENT_UPPER_TRUNK,
    SEGMENT_MIDDLE_TRUNK,
    SEGMENT_LOWER_TRUNK,
    SEGMENT_UPPER_ARM,
    SEGMENT_FOREARM,
    SEGMENT_HAND,
    SEGMENT_THIGH,
    SEGMENT_SHANK,
    SEGMENT_FOOT,
    SEGMENT_COUNT
} SegmentKind;

/* A row of data/anthropometry.tsv as written there: percent, lengths in m. */
typedef struct SegmentRow {
    SegmentKind segment;
    Sex sex;
    double mass, com, sagittal, transverse, longitudinal, length;
} SegmentRow;

extern const SegmentRow segment_rows[];
extern const int segment_rows_count;

/* One segment of unit length: second moments of its mass along its own axes replace the radii of gyration. The inertia
 * about an axis is the sum of the moments along the other two, so moments >= 0 give the triangle inequality. */
typedef struct SegmentShape {
    double mass;   /* part of the body's; both sides of a paired segment and all others sum to 1 */
    double com;    /* part of the length */
    double across; /* mean square distance from the COM left to right, per length squared */
    double deep;   /* the same back to front */
    double along;  /* the same along the segment */
    double length; /* m, mean of the sample */
} SegmentShape;

/* shape[SEGMENT_COUNT]; SEX_MEAN is the mean of both rows. */
void segment_shapes(Sex sex, SegmentShape *shape);

/* Fills *out for a skeleton with human roles (roles_are_human): total mass in kg, above 0. STATUS_BAD_INPUT where the
 * legs have no length. */
Status deleva_from_skeleton(const Skeleton *skeleton, const Quat *turn, double mass, Sex sex, Body *out, Error *err);

/* Standing height, m: ankle height, thigh, shank, trunk and head one on the other, along the bones, so that the rest
 * pose need not stand; 0 where there are no human roles. */
double body_stature(const Skeleton *skeleton);

/* The stature of a clip, m: that of its body where it has one with a stature, else that of its skeleton; 0 where there
 * are no human roles. Everything that prints or stores a stature asks here. */
double clip_stature(const Clip *clip);

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
