/* The soles of a skeleton's feet: three points each that meet the ground.
 *
 * Heel and ball are those of the contact model (contact_points.h), so that what is planted is what kane contact looks
 * at; a foot without a toe joint rolls over its tip. */
#ifndef KANE_RETARGET_SOLE_H
#define KANE_RETARGET_SOLE_H

#include "analysis/contact/contact_points.h"
#include "analysis/retarget/reference_pose.h"

typedef enum SolePoint { SOLE_HEEL = 0, SOLE_BALL, SOLE_TIP, SOLE_POINTS } SolePoint;

typedef struct Sole {
    int hip, knee, ankle;     /* joints; ankle -1: the skeleton lacks this leg */
    int toe;                  /* joint that carries the tip: the ankle itself where there is no toe joint */
    Vec3 local[SOLE_POINTS];  /* m; heel and ball in axes of the ankle, tip in those of toe */
    double length;            /* m, heel to ball */
    Vec3 hinge; /* unit, axes of the hip joint: the axis about which the knee bends, the body's left at rest */
    Vec3 toe_hinge; /* unit, axes of toe: the axis about which toes bend up, the body's right at rest */
} Sole;

/* points: of contact_points_init for the skeleton of the reference pose. */
void sole_init(Sole sole[FOOT_COUNT], const ReferencePose *reference, const ContactPoints *points);

/* World place of a point of the sole. position, orientation: of every joint in one frame. */
Vec3 sole_point(const Sole *sole, SolePoint point, const Vec3 *position, const Quat *orientation);

#endif
