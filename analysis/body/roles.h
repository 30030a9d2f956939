/* Roles of joints from their names (role_name.h) or, if names give none, from the shape of the tree (role_shape.h). */
#ifndef KANE_BODY_ROLES_H
#define KANE_BODY_ROLES_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* What names and shape show of the roles. */
typedef struct RoleSigns {
    double log_odds[ROLE_COUNT]; /* that the joint of the role has it, on either side */
    double names, shape;         /* the parts of the least of them */
    Role doubtful;               /* the role with the least */
    int is_creature;             /* 1: limbs like a person's, but signs of an animal: there are no roles */
    int animal_signs;            /* of a creature (creature.h) */
    int has_limbs;               /* 1: the tree has limbs (role_shape.h) */
    int by_shape;                /* 1: the names do not give two legs */
    const char *rig;             /* whose joint names these are (rig.h), static storage; NULL: no known rig's */
    int sides_are_named;         /* 1: left and right are from the names */
    int sides_are_stated;        /* 1: the user has stated them */
    int sides_are_shown;         /* 1: they are from the feet in the rest pose; 0, 0: from the usual facing */
} RoleSigns;

/* Sets role and segment of every joint. A lack of roles is no error: creatures, including quadrupeds with human names,
 * have none. Unit and up axis need not be known. hips: the joint that carries the legs; spine: the lowest trunk joint
 * above it; chest: where the arms branch. A single trunk joint has the role given by its name. */
Status roles_assign(Skeleton *s, RoleSigns *signs, Error *err);

/* The same with a motion, in which twist joints within limbs do not bend. */
Status roles_assign_moving(Skeleton *s, const Motion *motion, RoleSigns *signs, Error *err);

/* Whether the roles suffice for human segment masses: hips, both hip joints, both knees, and a spine, chest or neck. */
int roles_are_human(const Skeleton *s);

/* Whether the roles are those of a person of whom a part is missing: hips, both hip joints and a knee. */
int roles_are_partly_human(const Skeleton *s);

#endif
