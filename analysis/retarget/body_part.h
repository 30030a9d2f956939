/* Forearms and the parts of the body that they may run into, as capsules between the joints of two roles. */
#ifndef KANE_RETARGET_BODY_PART_H
#define KANE_RETARGET_BODY_PART_H

#include "analysis/retarget/reference_pose.h"

typedef struct BodyPart {
    Role from, to;
} BodyPart;

enum { FOREARMS = 2, OTHER_PARTS = 6 };
extern const BodyPart forearms[FOREARMS];       /* left, right */
extern const BodyPart other_parts[OTHER_PARTS]; /* trunk, neck, thighs, shanks */

/* In one frame: its ends, m, and the radius of a body whose reach is two legs (analysis/body/capsules.h). */
typedef struct Capsule {
    Vec3 end[2];
    double radius;
} Capsule;

int body_part_exists(const ReferencePose *r, BodyPart part);

/* position: of every joint in the frame, world. The part exists. */
Capsule body_part_capsule(const ReferencePose *r, BodyPart part, const Vec3 *position);

/* How far one is inside the other, m; negative: how far apart. */
double capsules_overlap(const Capsule *a, const Capsule *b);

#endif
