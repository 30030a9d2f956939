/* Roles of joints that a user states. */
#ifndef KANE_BODY_ROLE_MAP_H
#define KANE_BODY_ROLE_MAP_H

#include "analysis/base/status.h"
#include "analysis/body/roles.h"
#include "analysis/clip/skeleton.h"

typedef struct StatedRole {
    char *joint; /* name; owned */
    Role role;   /* ROLE_NONE: the joint has none */
} StatedRole;

typedef struct RoleMap {
    int count;
    StatedRole *row; /* [count] owned */
} RoleMap;

void role_map_free(RoleMap *map);

/* Gives the joints of the map their roles, and *signs their certainty; another joint loses a role that the map gives
 * away. STATUS_BAD_INPUT for an unknown joint. */
Status role_map_apply(const RoleMap *map, Skeleton *skeleton, RoleSigns *signs, Error *err);

#endif
