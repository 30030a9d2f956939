/* See joint_angles.h. */
#include "analysis/clip/joint_angles.h"

#include <math.h>

#include "analysis/clip/coordinate.h"

int joint_angles_find(const JointAngles *a, Coordinate coordinate)
{
    for (int i = 0; i < a->coordinate_count; i++)
        if (a->coordinate[i] == coordinate)
            return i;
    return -1;
}

int joint_angles_first(const JointAngles *a, int joint)
{
    for (int i = 0; i < a->coordinate_count; i++)
        if (a->joint[i] == joint)
            return i;
    return -1;
}

Vec3 joint_angles_vector(const JointAngles *a, int frame, int first, const double moment[COORDINATES_PER_JOINT])
{
    const Vec3 *e = a->axis + joint_angles_index(a, frame, first);
    Vec3 dual[COORDINATES_PER_JOINT] = {vec3_cross(e[1], e[2]), vec3_cross(e[2], e[0]), vec3_cross(e[0], e[1])};
    Vec3 sum = vec3(0, 0, 0);
    for (int i = 0; i < COORDINATES_PER_JOINT; i++)
        sum = vec3_mad(sum, moment[i], dual[i]);
    return vec3_scale(sum, 1 / vec3_dot(e[0], dual[0]));
}

double joint_angles_utilization(const JointAngles *a, int frame, int joint)
{
    double max = NAN;
    for (int i = 0; a->utilization && i < a->coordinate_count; i++)
        if (a->joint[i] == joint)
            max = fmax(max, a->utilization[joint_angles_index(a, frame, i)]);
    return max;
}
