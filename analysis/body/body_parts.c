/* Parts of a human body (body_parts.h). */
#include "analysis/body/body_parts.h"

#include "analysis/math/vec.h"

static const char *const part_names[BODY_PARTS] = {"trunk", "head", "upper_arm", "forearm",
                                                   "hand",  "thigh", "shank",    "foot"};

static const BodyPart part_of_role[ROLE_COUNT] = {
    [ROLE_NONE] = PART_NONE, [ROLE_HIPS] = PART_TRUNK, [ROLE_SPINE] = PART_TRUNK, [ROLE_CHEST] = PART_TRUNK,
    [ROLE_NECK] = PART_HEAD, [ROLE_HEAD] = PART_HEAD,
    [ROLE_LEFT_CLAVICLE] = PART_TRUNK, [ROLE_RIGHT_CLAVICLE] = PART_TRUNK,
    [ROLE_LEFT_SHOULDER] = PART_UPPER_ARM, [ROLE_RIGHT_SHOULDER] = PART_UPPER_ARM,
    [ROLE_LEFT_ELBOW] = PART_FOREARM, [ROLE_RIGHT_ELBOW] = PART_FOREARM,
    [ROLE_LEFT_WRIST] = PART_HAND, [ROLE_RIGHT_WRIST] = PART_HAND,
    [ROLE_LEFT_HIP] = PART_THIGH, [ROLE_RIGHT_HIP] = PART_THIGH,
    [ROLE_LEFT_KNEE] = PART_SHANK, [ROLE_RIGHT_KNEE] = PART_SHANK,
    [ROLE_LEFT_ANKLE] = PART_FOOT, [ROLE_RIGHT_ANKLE] = PART_FOOT,
    [ROLE_LEFT_TOE] = PART_FOOT, [ROLE_RIGHT_TOE] = PART_FOOT,
};

const char *body_part_name(BodyPart part) { return part_names[part]; }

BodyPart segment_body_part(Role segment) { return part_of_role[segment]; }

void body_parts_scale(const Skeleton *skeleton, const double change[BODY_PARTS], Body *body)
{
    for (int j = 0; j < body->joint_count; j++) {
        BodyPart part = segment_body_part(skeleton->segment[j]);
        double factor = 1 + (part == PART_NONE ? 0 : change[part]);
        Sym3 *i = &body->inertia[j];
        body->mass[j] *= factor;
        *i = (Sym3){factor * i->xx, factor * i->yy, factor * i->zz, factor * i->xy, factor * i->xz, factor * i->yz};
    }
}
