/* Shape of a sole: heel, ball and toe tip from a skeleton's bones and ends and from how the foot lies when it is flat.
 *
 * Proportions are those of ankle, toe joint and toe tip in the skeleton. Missing joints are replaced by fractions of
 * the leg length L measured on adult feet (ankle to toe joint 0.17 L forward and 0.07 L down, toe 0.08 L). */
#ifndef KANE_CONTACT_SOLE_SHAPE_H
#define KANE_CONTACT_SOLE_SHAPE_H

#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/foot_level.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Ankle, toe joint and toe tip of a foot, with defaults for missing joints. */
typedef struct SoleShape {
    int ankle, toe_joint; /* toe_joint: the ankle if there is no toe joint */
    int joint;            /* carries heel and ball */
    Vec3 below;           /* from the ankle to it, ankle axes */
    Quat axes;            /* of the ankle to its axes */
    Vec3 ball;            /* from the ankle to the ball, ankle axes */
    Vec3 toe;             /* from the ball to the toe tip, axes of toe_joint */
    Vec3 up;              /* unit, ankle axes */
    Vec3 forward;         /* unit, ankle axes, normal to up */
    double length;        /* m, ankle to ball along forward */
    double heel_back;     /* m, from the ankle back to the heel */
    double heel_width;    /* m, from the middle line to either point of the heel */
    double ball_width;
    int has_toe_joint;
} SoleShape;

typedef struct SoleDef {
    int foot;          /* FOOT_LEFT, FOOT_RIGHT: its ankle must exist */
    int is_drawn;      /* 1: the level is that of the rest pose if that is a standing pose */
    double leg_length; /* m */
    const ContactConstants *constants;
} SoleDef;

/* The sole of a foot; a level without rest is replaced by that of the rest pose. */
SoleShape sole_measure(const Skeleton *skeleton, const SoleDef *def, const FootLevel *level);

/* A point from the ankle, in its axes, as a point of the joint that carries heel and ball, in the axes of that. */
Vec3 sole_shape_point(const SoleShape *sole, Vec3 from_ankle);

/* The longest end site or leaf child of a joint, in its axes; zero if there is none. */
Vec3 bone_tip(const Skeleton *skeleton, int joint);

#endif
