/* Roles of joints from the shape of the tree. */
#ifndef KANE_BODY_ROLE_SHAPE_H
#define KANE_BODY_ROLE_SHAPE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Sets role[joint] and *found = 1 for a tree with two legs and two arms; otherwise all roles are ROLE_NONE and *found =
 * 0. Unit and up axis need not be known. Left follows from the direction of the feet, otherwise from the usual facing
 * (+Z in a +Y up file). */
Status role_shape_assign(const Skeleton *s, Role *role, int *found, Error *err);

#endif
