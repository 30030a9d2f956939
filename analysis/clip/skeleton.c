/* See skeleton.h. */
#include "analysis/clip/skeleton.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"

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

Status skeleton_init(Skeleton *s, int joint_count, int end_count, Error *err)
{
    *s = (Skeleton){.joint_count = joint_count, .end_count = end_count};
    int failed = 0;
    s->name = array_need(&failed, (size_t)joint_count, 1, sizeof *s->name);
    s->parent = array_need(&failed, (size_t)joint_count, 1, sizeof *s->parent);
    s->offset = array_need(&failed, (size_t)joint_count, 1, sizeof *s->offset);
    s->role = array_need(&failed, (size_t)joint_count, 1, sizeof *s->role);
    s->segment = array_need(&failed, (size_t)joint_count, 1, sizeof *s->segment);
    s->end_offset = array_need(&failed, (size_t)end_count, 1, sizeof *s->end_offset);
    s->end_parent = array_need(&failed, (size_t)end_count, 1, sizeof *s->end_parent);
    if (failed) {
        skeleton_free(s);
        return error_no_memory(err);
    }
    for (int j = 0; j < joint_count; j++)
        s->parent[j] = -1;
    return STATUS_OK;
}

void skeleton_free(Skeleton *s)
{
    if (!s)
        return;
    for (int j = 0; s->name && j < s->joint_count; j++)
        free(s->name[j]);
    free(s->name);
    free(s->parent);
    free(s->offset);
    free(s->role);
    free(s->segment);
    free(s->end_offset);
    free(s->end_parent);
    free(s->channels);
    *s = (Skeleton){0};
}

Status skeleton_add_channels(Skeleton *s, Error *err)
{
    if (!s->channels && !(s->channels = array_new((size_t)s->joint_count, 1, sizeof *s->channels)))
        return error_no_memory(err);
    return STATUS_OK;
}

Status skeleton_copy(Skeleton *to, const Skeleton *from, Error *err)
{
    Status status = skeleton_init(to, from->joint_count, from->end_count, err);
    if (status)
        return status;
    size_t joints = (size_t)from->joint_count, ends = (size_t)from->end_count;
    memcpy(to->parent, from->parent, joints * sizeof *to->parent);
    memcpy(to->offset, from->offset, joints * sizeof *to->offset);
    memcpy(to->role, from->role, joints * sizeof *to->role);
    memcpy(to->segment, from->segment, joints * sizeof *to->segment);
    memcpy(to->end_offset, from->end_offset, ends * sizeof *to->end_offset);
    memcpy(to->end_parent, from->end_parent, ends * sizeof *to->end_parent);
    if (from->channels && !(status = skeleton_add_channels(to, err)))
        memcpy(to->channels, from->channels, joints * sizeof *to->channels);
    for (int j = 0; status == STATUS_OK && j < from->joint_count; j++)
        status = skeleton_set_name(to, j, from->name[j], err);
    if (status)
        skeleton_free(to);
    return status;
}

int skeleton_position_channels(const Skeleton *s, int joint)
{
    enum { LAST_POSITION = 3 }; /* digits 1 to 3 are positions, the others rotations */
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

int skeleton_is_below(const Skeleton *s, int joint, int above)
{
    while (joint > above)
        joint = s->parent[joint];
    return joint == above;
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
    for (int j = 1; j < s->joint_count; j++) {
        double length = 0;
        for (int i = j; s->parent[i] >= 0; i = s->parent[i])
            length += vec3_norm(s->offset[i]);
        longest = fmax(longest, length);
    }
    return longest;
}
