/* See role_map.h. */
#include "analysis/body/role_map.h"

#include <stdlib.h>

static const double stated = 7; /* log odds: an error in a thousand */

void role_map_free(RoleMap *map)
{
    for (int i = 0; i < map->count; i++)
        free(map->row[i].joint);
    free(map->row);
    *map = (RoleMap){0};
}

static void state(Skeleton *s, RoleSigns *signs, int joint, Role role)
{
    int holder = role == ROLE_NONE ? -1 : skeleton_find_role(s, role);
    if (holder >= 0)
        s->role[holder] = ROLE_NONE;
    s->role[joint] = role;
    signs->log_odds[role] = stated;
    if (role_mirror(role) != role)
        signs->sides_are_named = signs->sides_are_stated = 1;
}

Status role_map_apply(const RoleMap *map, Skeleton *skeleton, RoleSigns *signs, Error *err)
{
    for (int i = 0; i < map->count; i++) {
        int joint = skeleton_find(skeleton, map->row[i].joint);
        if (joint < 0)
            return error_set(err, STATUS_BAD_INPUT, "roles: no joint \"%.60s\"", map->row[i].joint);
        state(skeleton, signs, joint, map->row[i].role);
    }
    skeleton_fill_segments(skeleton);
    return STATUS_OK;
}
