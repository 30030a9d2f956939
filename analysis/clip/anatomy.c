/* See anatomy.h. */
#include "analysis/clip/anatomy.h"

#include <math.h>

#include "analysis/clip/coordinate.h"

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
    double max = NAN;
    for (int i = 0; a->utilization && i < a->coordinate_count; i++)
        if (a->joint[i] == joint)
            max = fmax(max, a->utilization[anatomy_index(a, frame, i)]);
    return max;
}
