/* Joint coordinate systems: the joints of a skeleton with anatomical axes, and the orientation of these axes in both
 * segments.
 *
 * After Grood and Suntay (1983) and the ISB (Wu et al. 2002, 2005): the first axis is fixed in the proximal segment,
 * the third in the distal one, the second is normal to both. In the neutral pose x points forward, y up and z to the
 * right in every segment. Limbs and trunk rotate about z, x, y: flexion about the proximal z, rotation about the
 * distal y. The shoulder rotates about y, x, y of thorax and humerus. The wrist's z points to the thumb side; the palm
 * faces the thigh in the neutral pose. */
#ifndef KANE_ANGLES_JOINT_AXES_H
#define KANE_ANGLES_JOINT_AXES_H

#include "analysis/angles/neutral_pose.h"
#include "analysis/clip/coordinate.h"
#include "analysis/math/quat.h"

typedef enum AxisOrder { AXES_ZXY, AXES_YXY } AxisOrder;

typedef struct JointAxes {
    Coordinate first;       /* first of its three coordinates */
    int joint;              /* joint whose centre is the centre of rotation */
    int proximal, distal;   /* joints that move the two segments; the distal one is the last twist joint of the limb */
    Quat proximal_axes;     /* anatomical axes of the segment to axes of its joint */
    Quat distal_axes;
    AxisOrder order;
    int is_left;            /* mirrored in the plane of symmetry */
    signed char sign[COORDINATES_PER_JOINT]; /* -1: the coordinate has the opposite sign of the right-handed rotation */
} JointAxes;

/* Fills axes with the joints that have a role and a proximal segment, in the order of Coordinate. Returns their number;
 * 0 for a creature. */
int joint_axes_find(const NeutralPose *neutral, JointAxes axes[COORDINATE_JOINTS]);

#endif
