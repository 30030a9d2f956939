#include "analysis/clip/role.h"

#include <string.h>

static const char *const role_names[ROLE_COUNT] = {
    [ROLE_NONE] = "",
    [ROLE_HIPS] = "hips",
    [ROLE_SPINE] = "spine",
    [ROLE_CHEST] = "chest",
    [ROLE_NECK] = "neck",
    [ROLE_HEAD] = "head",
    [ROLE_LEFT_CLAVICLE] = "left_clavicle",
    [ROLE_LEFT_SHOULDER] = "left_shoulder",
    [ROLE_LEFT_ELBOW] = "left_elbow",
    [ROLE_LEFT_WRIST] = "left_wrist",
    [ROLE_LEFT_HIP] = "left_hip",
    [ROLE_LEFT_KNEE] = "left_knee",
    [ROLE_LEFT_ANKLE] = "left_ankle",
    [ROLE_LEFT_TOE] = "left_toe",
    [ROLE_RIGHT_CLAVICLE] = "right_clavicle",
    [ROLE_RIGHT_SHOULDER] = "right_shoulder",
    [ROLE_RIGHT_ELBOW] = "right_elbow",
    [ROLE_RIGHT_WRIST] = "right_wrist",
    [ROLE_RIGHT_HIP] = "right_hip",
    [ROLE_RIGHT_KNEE] = "right_knee",
    [ROLE_RIGHT_ANKLE] = "right_ankle",
    [ROLE_RIGHT_TOE] = "right_toe",
};

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
