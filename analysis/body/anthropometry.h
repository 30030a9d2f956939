/* Segment masses, COMs and inertias of a body: of a human from tables, scaled to the skeleton and the total mass; of a
 * creature from capsules along its bones; or from a table of the user.
 *
 * Source of the human: de Leva 1996, J Biomech 29:1223-1230, table 4 (data/anthropometry.tsv). */
#ifndef KANE_BODY_ANTHROPOMETRY_H
#define KANE_BODY_ANTHROPOMETRY_H

#include "analysis/base/status.h"
#include "analysis/body/human_rest.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Fills *out for a skeleton with human roles (roles_are_human). orientation: as in BodyDef. mass: total, kg, > 0.
 * STATUS_BAD_INPUT if the legs have no length. */
Status deleva_from_skeleton(const Skeleton *skeleton, const Quat *orientation, double mass, Sex sex, Body *out,
                            Error *err);

/* Models of body masses: de Leva's humans, capsules of water, a user's table. A new model needs a BodyModel and its
 * entries in the two tables of anthropometry.c. */

typedef enum BodyModel { BODY_AUTO = 0, BODY_DELEVA, BODY_CAPSULES, BODY_SEGMENTS, BODY_MODEL_COUNT } BodyModel;

/* "deleva" for BODY_DELEVA; NULL-terminated. */
extern const char *const body_model_names[];

#define BODY_HUMAN_MASS 70 /* kg, of a human without a given mass */

typedef struct BodyDef {
    double mass;             /* kg; 0: BODY_HUMAN_MASS for a human, volume times density for a creature */
    Sex sex;                 /* default mean */
    BodyModel model;         /* BODY_AUTO: de Leva if the roles are human, else capsules of water density */
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
BodyModel body_model_of(const Body *body);

/* Bodies of creatures: every bone is a rod of water with rounded free ends. */

/* Accumulates the pieces of one joint, in its axes: total mass, COM and second moments about the COM. A piece only adds
 * weighted dyads r r^T, so that the second moments remain positive semidefinite, and the inertia computed from them
 * satisfies the triangle inequality. */

typedef struct MassSum {
    double mass; /* kg */
    Vec3 com;    /* m, from the joint centre */
    Sym3 second; /* sum of m r r^T about the COM, kg m2 (plain products: xy = sum m x y) */
} MassSum;

/* Three orthonormal axes, and the mean square extent along each about a piece's own COM, m2. */
typedef struct SecondMoments {
    Vec3 axis[3];
    double square[3];
} SecondMoments;

/* Adds a piece with its COM at centre (m, joint axes). spread: NULL for a point mass. */
void mass_sum_add(MassSum *lump, double mass, Vec3 centre, const SecondMoments *spread);

/* Sets mass, COM and inertia about the COM (products as matrix entries) of joint `joint`; all zero without mass. */
void mass_sum_finish(const MassSum *lump, Body *body, int joint);

/* Completes the unit vector n to right-handed orthonormal axes (n, *u, *v), with u as close to hint as possible; any if
 * hint is parallel to n. */
void axes_complete(Vec3 n, Vec3 hint, Vec3 *u, Vec3 *v);

/* kg/m3 */
#define WATER_DENSITY 1000.0

/* A bone runs from a joint to a child or an end site and belongs to the joint. Limbs taper towards their tips: r^2 =
 * CAPSULE_SLENDERNESS * (length of the bone plus the longest path beyond it) * (reach of the whole tree). With this
 * factor human skeletons have about the mass of people. Ends are hemispheres at tips and at a root with one bone, and
 * flat between bones. */
#define CAPSULE_SLENDERNESS 0.005

/* The radius, m, of a bone whose longest path from its start to a tip is `length`, in a tree of that reach. */
double capsule_radius(double length, double reach);

/* Fills *out; mass > 0 scales it to that total. STATUS_BAD_INPUT if all bones have zero length. */
Status capsules_from_skeleton(const Skeleton *skeleton, double mass, Body *out, Error *err);

/* Parts of a body, left and right combined. */
typedef enum BodyPart {
    PART_TRUNK = 0,
    PART_HEAD, /* including the neck */
    PART_UPPER_ARM,
    PART_FOREARM,
    PART_HAND,
    PART_THIGH,
    PART_SHANK,
    PART_FOOT,
    BODY_PARTS,
    PART_NONE = BODY_PARTS /* joints outside the human parts */
} BodyPart;

/* "upper_arm"; valid for the life of the program. */
const char *body_part_name(BodyPart part);
BodyPart body_part_of(Role segment);

/* Scales mass and inertia of the segments of each part by 1 + change[part]. */
void body_parts_scale(const Skeleton *skeleton, const double change[BODY_PARTS], Body *body);

#endif
