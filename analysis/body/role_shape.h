/* Roles of joints from the shape of the tree: which pairs of limbs are legs and arms. */
#ifndef KANE_BODY_ROLE_SHAPE_H
#define KANE_BODY_ROLE_SHAPE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

enum { LIMB_ENDS = 4 };

/* What the shape shows of a person. */
typedef struct ShapeJudgement {
    int is_found;       /* 0: no legs; the roles are ROLE_NONE */
    int has_arms;
    double limbs;       /* probability that legs are legs and arms are arms; 0: not found */
    int has_limbs;      /* 1: pairs of limbs, or LIMB_ENDS ends of branches */
    int shows_front;    /* 1: left follows from the feet of a standing rest pose; 0: from the usual facing (+Z in a +Y
                           up file) */
} ShapeJudgement;

/* Sets role[joint] of limbs. Unit and up axis need not be known. motion: in which twist joints do not
 * bend, and feet rest; NULL: none. */
Status role_shape_assign(const Skeleton *s, const Motion *motion, Role *role, ShapeJudgement *out, Error *err);

#endif
