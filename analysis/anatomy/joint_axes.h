/* Joint coordinate systems: which joints of a skeleton have anatomical axes, and how these lie in their segments.
 *
 * After Grood and Suntay (1983) and the ISB (Wu et al. 2002, 2005): the first axis is fixed in the proximal segment,
 * the third in the distal one, the second is normal to both. x points forward, y up, z to the right, in the neutral
 * pose in every segment. Limbs and trunk turn about z, x, y: flexion about the proximal z, rotation about the distal y.
 * The shoulder turns about y, x, y of thorax and humerus. The wrist's z is the thumb's side, its palm faces the thigh
 * in the neutral pose. */
#ifndef KANE_ANATOMY_JOINT_AXES_H
#define KANE_ANATOMY_JOINT_AXES_H

#include "analysis/anatomy/neutral_pose.h"
#include "analysis/clip/coordinate.h"

typedef enum AxisOrder { AXES_ZXY, AXES_YXY } AxisOrder;

typedef struct JointAxes {
    Coordinate first;       /* of its three coordinates */
    int joint;              /* at whose centre it turns */
    int proximal, distal;   /* joints that the two segments move with: the distal one beyond twist joints of the limb */
    Quat proximal_axes;     /* anatomical axes of the segment to those of the joint that it moves with */
    Quat distal_axes;
    AxisOrder order;
    int is_left;            /* mirrored in the plane of symmetry */
    signed char sign[COORDINATES_PER_JOINT]; /* -1 where the coordinate runs against the right-handed rotation */
} JointAxes;

/* Fills axes with the joints of the skeleton that have a role and a proximal segment to turn against, in the order of
 * Coordinate. Returns how many: none for a creature. */
int joint_axes_find(const NeutralPose *neutral, JointAxes axes[COORDINATE_JOINTS]);

#endif
