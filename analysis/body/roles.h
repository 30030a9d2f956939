/* Roles of joints from their names (role_name.h) or, if names give none, from the shape of the tree (role_shape.h). */
#ifndef KANE_BODY_ROLES_H
#define KANE_BODY_ROLES_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Sets role and segment of every joint. A lack of roles is no error: creatures, including quadrupeds with human names,
 * have none. Unit and up axis need not be known. hips: the joint that carries the legs; spine: the lowest trunk joint
 * above it; chest: where the arms branch. A single trunk joint has the role given by its name. */
Status roles_assign(Skeleton *s, Error *err);

/* Whether the roles suffice for human segment masses: hips, both hip joints, both knees, and a spine, chest or neck. */
int roles_are_human(const Skeleton *s);

#endif
