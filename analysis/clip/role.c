#include "analysis/clip/role.h"

#include <string.h>

static const char *const role_names[] = {
    "", "hips", "spine", "chest", "neck", "head",
    "left_clavicle", "left_shoulder", "left_elbow", "left_wrist", "left_hip", "left_knee", "left_ankle", "left_toe",
    "right_clavicle", "right_shoulder", "right_elbow", "right_wrist", "right_hip", "right_knee", "right_ankle",
    "right_toe",
};
_Static_assert(sizeof role_names / sizeof *role_names == ROLE_COUNT, "a name for every Role, in its order");

const char *role_name(Role role)
{
    return (unsigned)role < ROLE_COUNT ? role_names[role] : "";
}

Role role_from_name(const char *name)
{
    for (int r = 1; r < ROLE_COUNT; r++)
        if (strcmp(name, role_names[r]) == 0)
            return (Role)r;
    return ROLE_NONE;
}

Role role_mirror(Role role)
{
    const int pair = ROLE_RIGHT_CLAVICLE - ROLE_LEFT_CLAVICLE;
    if (role >= ROLE_LEFT_CLAVICLE && role <= ROLE_LEFT_TOE)
        return (Role)(role + pair);
    if (role >= ROLE_RIGHT_CLAVICLE && role <= ROLE_RIGHT_TOE)
        return (Role)(role - pair);
    return role;
}
