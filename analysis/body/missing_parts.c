/* See missing_parts.h. */
#include "analysis/body/missing_parts.h"

#include "analysis/body/roles.h"

/* A part is missing if none of its roles has a joint; `above` carry it, the first that has one. */
typedef struct PartRoles {
    const char *name;
    Role any[3], above[4]; /* end with ROLE_NONE */
} PartRoles;

static const PartRoles parts[] = {
    {"trunk", {ROLE_SPINE, ROLE_CHEST, ROLE_NECK}, {ROLE_HIPS}},
    {"head", {ROLE_NECK, ROLE_HEAD}, {ROLE_CHEST, ROLE_SPINE, ROLE_HIPS}},
    {"left upper arm", {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW}, {ROLE_LEFT_CLAVICLE, ROLE_CHEST, ROLE_SPINE, ROLE_HIPS}},
    {"right upper arm",
     {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW},
     {ROLE_RIGHT_CLAVICLE, ROLE_CHEST, ROLE_SPINE, ROLE_HIPS}},
    {"left forearm", {ROLE_LEFT_ELBOW}, {ROLE_LEFT_SHOULDER}},
    {"right forearm", {ROLE_RIGHT_ELBOW}, {ROLE_RIGHT_SHOULDER}},
    {"left shank", {ROLE_LEFT_KNEE}, {ROLE_LEFT_HIP}},
    {"right shank", {ROLE_RIGHT_KNEE}, {ROLE_RIGHT_HIP}},
};

_Static_assert(sizeof parts / sizeof *parts == MISSING_PARTS_MAX, "a row for every part");

/* The joint of the first of count roles that has one; -1: none. */
static int first_joint(const Skeleton *s, const Role *role, int count)
{
    for (int i = 0; i < count && role[i] != ROLE_NONE; i++) {
        int joint = skeleton_find_role(s, role[i]);
        if (joint >= 0)
            return joint;
    }
    return -1;
}

int missing_parts_list(const Skeleton *s, MissingPart part[MISSING_PARTS_MAX])
{
    int count = 0;
    if (!roles_are_human(s) && !roles_are_partly_human(s))
        return 0;
    for (int i = 0; i < MISSING_PARTS_MAX; i++) {
        int carrier = first_joint(s, parts[i].above, 4);
        if (carrier >= 0 && first_joint(s, parts[i].any, 3) < 0)
            part[count++] = (MissingPart){parts[i].name, carrier};
    }
    return count;
}
