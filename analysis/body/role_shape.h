/* Roles from the shape of the tree alone, for names that say nothing: two pairs of mirrored limbs, one of them the
 * legs. */
#ifndef KANE_BODY_ROLE_SHAPE_H
#define KANE_BODY_ROLE_SHAPE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Sets role[joint] for a tree with two legs and two arms and *found to 1; else all roles are none and *found 0. Unit
 * and up axis need not be known. Left is told from the feet's direction, else by the usual facing (+Z of a +Y up file).
 */
Status role_shape_assign(const Skeleton *s, Role *role, int *found, Error *err);

#endif
