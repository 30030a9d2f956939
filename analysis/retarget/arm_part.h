/* Forearms and the parts of the body they may penetrate, as capsules between the joints of two roles. */
#ifndef KANE_RETARGET_ARM_PART_H
#define KANE_RETARGET_ARM_PART_H

#include "analysis/retarget/reference_pose.h"

typedef struct ArmPart {
    Role from, to;
} ArmPart;

enum { FOREARMS = 2, OTHER_PARTS = 6 };
extern const ArmPart forearms[FOREARMS];       /* left, right */
extern const ArmPart other_parts[OTHER_PARTS]; /* trunk, neck, thighs, shanks */

/* A part in one frame: its ends, m, and its radius, m, for a body whose reach is two legs
 * (analysis/body/capsules.h). */
typedef struct ArmCapsule {
    Vec3 end[2];
    double radius;
} ArmCapsule;

int arm_part_exists(const ReferencePose *r, ArmPart part);

/* position: of every joint in the frame, m, world. The part must exist. */
ArmCapsule arm_part_capsule(const ReferencePose *r, ArmPart part, const Vec3 *position);

/* Penetration depth, m; negative: distance. */
double capsules_overlap(const ArmCapsule *a, const ArmCapsule *b);

#endif
