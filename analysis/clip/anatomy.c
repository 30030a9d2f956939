/* See anatomy.h. */
#include "analysis/clip/anatomy.h"

#include <math.h>
#include <string.h>

/* Anatomical coordinates. */

#define NAME(name, text) text,
static const char *const names[] = {COORDINATES(NAME)};
_Static_assert(sizeof names / sizeof *names == COORDINATE_COUNT, "a name for every Coordinate");

static const Role roles[] = {
    ROLE_SPINE, ROLE_CHEST, ROLE_NECK,
    ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE,
    ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE,
};
_Static_assert(sizeof roles / sizeof *roles == COORDINATE_JOINTS, "three coordinates a joint, in this order");

const char *coordinate_name(Coordinate coordinate)
{
    return coordinate >= 0 && coordinate < COORDINATE_COUNT ? names[coordinate] : "";
}

Coordinate coordinate_from_name(const char *name)
{
    for (int i = 0; i < COORDINATE_COUNT; i++)
        if (strcmp(name, names[i]) == 0)
            return (Coordinate)i;
    return COORDINATE_NONE;
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

int anatomy_find(const Anatomy *a, Coordinate coordinate)
{
    for (int i = 0; i < a->coordinate_count; i++)
        if (a->coordinate[i] == coordinate)
            return i;
    return -1;
}

int anatomy_of_joint(const Anatomy *a, int joint)
{
    for (int i = 0; i < a->coordinate_count; i++)
        if (a->joint[i] == joint)
            return i;
    return -1;
}

Vec3 anatomy_vector(const Anatomy *a, int frame, int first, const double moment[COORDINATES_PER_JOINT])
{
    const Vec3 *e = a->axis + anatomy_index(a, frame, first);
    Vec3 dual[COORDINATES_PER_JOINT] = {vec3_cross(e[1], e[2]), vec3_cross(e[2], e[0]), vec3_cross(e[0], e[1])};
    Vec3 sum = vec3(0, 0, 0);
    for (int i = 0; i < COORDINATES_PER_JOINT; i++)
        sum = vec3_mad(sum, moment[i], dual[i]);
    return vec3_scale(sum, 1 / vec3_dot(e[0], dual[0]));
}

double anatomy_joint_use(const Anatomy *a, int frame, int joint)
{
    double most = NAN;
    for (int i = 0; a->use && i < a->coordinate_count; i++)
        if (a->joint[i] == joint)
            most = fmax(most, a->use[anatomy_index(a, frame, i)]);
    return most;
}
