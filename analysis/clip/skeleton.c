/* See skeleton.h. */
#include "analysis/clip/skeleton.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"

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

int skeleton_position_channels(const Skeleton *s, int joint)
{
    enum { LAST_POSITION = 3 }; /* digits 1 to 3: positions, others: rotations */
    int count = 0;
    for (int rest = s->channels ? s->channels[joint] : 0; rest > 0; rest /= 10)
        count += rest % 10 <= LAST_POSITION;
    return count;
}

Status skeleton_set_name(Skeleton *s, int joint, const char *name, Error *err)
{
    char *copy = strdup(name);
    if (!copy)
        return error_no_memory(err);
    free(s->name[joint]);
    s->name[joint] = copy;
    return STATUS_OK;
}

void skeleton_fill_segments(Skeleton *s)
{
    for (int j = 0; j < s->joint_count; j++) {
        s->segment[j] = s->role[j];
        if (s->role[j] == ROLE_NONE && s->parent[j] >= 0)
            s->segment[j] = s->segment[s->parent[j]];
    }
}

int skeleton_is_below(const Skeleton *s, int joint, int above)
{
    while (joint > above)
        joint = s->parent[joint];
    return joint == above;
}

double skeleton_distance(const Skeleton *s, int from, int to)
{
    double distance = 0;
    for (int j = to; j > from; j = s->parent[j])
        distance += vec3_norm(s->offset[j]);
    return distance;
}

double skeleton_longest_offset(const Skeleton *s)
{
    return vec3_longest(s->offset + 1, s->joint_count - 1);
}

double skeleton_offset_sum(const Skeleton *s)
{
    double sum = 0;
    for (int j = 1; j < s->joint_count; j++)
        sum += vec3_norm(s->offset[j]);
    return sum;
}

int skeleton_find(const Skeleton *s, const char *name)
{
    for (int j = 0; j < s->joint_count; j++)
        if (strcmp(s->name[j], name) == 0)
            return j;
    return -1;
}

int skeleton_find_role(const Skeleton *s, Role role)
{
    for (int j = 0; role != ROLE_NONE && j < s->joint_count; j++)
        if (s->role[j] == role)
            return j;
    return -1;
}

int skeleton_find_name_or_role(const Skeleton *s, const char *name)
{
    int joint = skeleton_find(s, name);
    return joint < 0 ? skeleton_find_role(s, role_from_name(name)) : joint;
}

void skeleton_rest_positions(const Skeleton *s, Vec3 *rest)
{
    for (int j = 0; j < s->joint_count; j++)
        rest[j] = s->parent[j] < 0 ? s->offset[j] : vec3_add(rest[s->parent[j]], s->offset[j]);
}

void skeleton_points(const Skeleton *s, const Vec3 *position, const Quat *orientation, Vec3 *point)
{
    memcpy(point, position, (size_t)s->joint_count * sizeof *point);
    for (int e = 0; e < s->end_count; e++) {
        int j = s->end_parent[e];
        point[s->joint_count + e] = vec3_add(position[j], quat_rotate(orientation[j], s->end_offset[e]));
    }
}

void skeleton_reach(const Skeleton *s, double *reach)
{
    memset(reach, 0, (size_t)s->joint_count * sizeof *reach);
    for (int e = 0; e < s->end_count; e++)
        reach[s->end_parent[e]] = fmax(reach[s->end_parent[e]], vec3_norm(s->end_offset[e]));
    for (int j = s->joint_count - 1; j > 0; j--)
        reach[s->parent[j]] = fmax(reach[s->parent[j]], vec3_norm(s->offset[j]) + reach[j]);
}

double skeleton_longest_chain(const Skeleton *s)
{
    double longest = 0;
    for (int j = 1; j < s->joint_count; j++)
        longest = fmax(longest, skeleton_distance(s, 0, j));
    return longest;
}
