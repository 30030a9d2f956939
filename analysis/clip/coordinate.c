/* See coordinate.h. */
#include "analysis/clip/coordinate.h"

#include "analysis/base/names.h"
#include "analysis/clip/skeleton.h"

#define NAME(name, text) text,
static const char *const coordinate_names[] = {COORDINATES(NAME)};
_Static_assert(sizeof coordinate_names / sizeof *coordinate_names == COORDINATE_COUNT, "a name for every Coordinate");

static const Role roles[] = {
    ROLE_SPINE, ROLE_CHEST, ROLE_NECK,
    ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE,
    ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE,
};
_Static_assert(sizeof roles / sizeof *roles == COORDINATE_JOINTS, "three coordinates a joint, in this order");

const char *coordinate_name(Coordinate coordinate)
{
    return coordinate >= 0 && coordinate < COORDINATE_COUNT ? coordinate_names[coordinate] : "";
}

Coordinate coordinate_from_name(const char *name)
{
    int found = name_index(coordinate_names, COORDINATE_COUNT, name);
    return found >= 0 ? (Coordinate)found : COORDINATE_NONE;
}

Role coordinate_role(Coordinate coordinate)
{
    return coordinate >= 0 && coordinate < COORDINATE_COUNT ? roles[coordinate / COORDINATES_PER_JOINT] : ROLE_NONE;
}

Coordinate coordinate_of_role(Role role)
{
    for (int i = 0; i < COORDINATE_JOINTS; i++)
        if (roles[i] == role)
            return (Coordinate)(i * COORDINATES_PER_JOINT);
    return COORDINATE_NONE;
}
