/* Roles of joints from their names (data/roles.tsv) and, where names say nothing, from the shape of the tree. */
#ifndef KANE_BODY_ROLES_H
#define KANE_BODY_ROLES_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Fills role and segment of every joint. Never fails for lack of roles: a creature simply has none, nor has a quadruped
 * with human names. The shape is judged without knowing unit or up axis. hips: the joint that carries the legs; spine:
 * the lowest trunk joint above it; chest: where the arms branch; a single trunk joint has the role its name says. */
Status roles_assign(Skeleton *s, Error *err);

/* Enough human roles for human segment masses: hips, both hip joints, both knees, and a spine, chest or neck. */
int roles_are_human(const Skeleton *s);

#endif
