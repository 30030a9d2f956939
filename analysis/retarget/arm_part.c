/* See arm_part.h. */
#include "analysis/retarget/arm_part.h"

#include "analysis/body/capsules.h"
#include "analysis/math/vec.h"
#include "analysis/retarget/reference_pose.h"

const ArmPart forearms[FOREARMS] = {{ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};
const ArmPart other_parts[OTHER_PARTS] = {
    {ROLE_HIPS, ROLE_NECK}, {ROLE_NECK, ROLE_HEAD}, {ROLE_LEFT_HIP, ROLE_LEFT_KNEE}, {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};

int arm_part_exists(const ReferencePose *r, ArmPart part)
{
    return r->joint[part.from] >= 0 && r->joint[part.to] >= 0;
}

ArmCapsule arm_part_capsule(const ReferencePose *r, ArmPart part, const Vec3 *position)
{
    Vec3 from = position[r->joint[part.from]], to = position[r->joint[part.to]];
    return (ArmCapsule){{from, to}, capsule_radius(vec3_distance(from, to), 2 * r->leg)};
}

double capsules_overlap(const ArmCapsule *a, const ArmCapsule *b)
{
    return a->radius + b->radius - vec3_norm(segments_apart(a->end, b->end));
}
