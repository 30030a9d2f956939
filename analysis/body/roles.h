/* Roles of joints from their names (data/roles.tsv) and, where names say nothing, from the shape of the tree. */
#ifndef KANE_BODY_ROLES_H
#define KANE_BODY_ROLES_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Animals with human names: a dog's hind leg is LeftUpLeg in many files, yet its masses are not a person's. */

/* Sets *is_creature to 1 where names, proportions and rest pose together speak of a quadruped. Roles are assigned. */
Status creature_recognise(const Skeleton *s, int *is_creature, Error *err);

/* Fills role and segment of every joint. Never fails for lack of roles: a creature simply has none, nor has a quadruped
 * with human names. The shape is judged without knowing unit or up axis. hips: the joint that carries the legs; spine:
 * the lowest trunk joint above it; chest: where the arms branch; a single trunk joint has the role its name says. */
Status roles_assign(Skeleton *s, Error *err);

/* Enough human roles for human segment masses: hips, both hip joints, both knees, and a spine, chest or neck. */
int roles_are_human(const Skeleton *s);

#endif
