/* Roles of joints from their names (data/roles.tsv) and, where names say nothing, from the shape of the tree. */
#ifndef KANE_BODY_ROLES_H
#define KANE_BODY_ROLES_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Fills role and segment of every joint. Never fails for lack of roles: a creature simply has none. The shape is judged
 * without knowing which way is up. */
Status roles_assign(Skeleton *s, Error *err);

/* Enough human roles for human segment masses: hips, both hips, knees and a spine or chest. */
int roles_are_human(const Skeleton *s);

#endif
