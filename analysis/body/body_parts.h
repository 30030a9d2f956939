/* Parts of a human body, left and right combined, by the segments of its joints. */
#ifndef KANE_BODY_BODY_PARTS_H
#define KANE_BODY_BODY_PARTS_H

#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

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
BodyPart segment_body_part(Role segment);

/* Scales mass and inertia of the segments of each part by 1 + change[part]. */
void body_parts_scale(const Skeleton *skeleton, const double change[BODY_PARTS], Body *body);

#endif
