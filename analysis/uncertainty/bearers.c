#include "analysis/uncertainty/bearers.h"

#define LEAST_LOAD 1.0 /* N: less leaves no place that means anything */

/* What bears as one: the segments of a role, toes with their foot; else the joint alone. */
static int limb_of(const Skeleton *skeleton, int joint)
{
    Role segment = skeleton->segment[joint];
    if (segment == ROLE_LEFT_TOE)
        return ROLE_LEFT_ANKLE;
    if (segment == ROLE_RIGHT_TOE)
        return ROLE_RIGHT_ANKLE;
    return segment != ROLE_NONE ? (int)segment : ROLE_COUNT + joint;
}

/* Bearer of each load. Parents come before their children, and loads in the order of their joints. */
static int group_loads(const Skeleton *skeleton, const Loads *loads, int *of, int *joint)
{
    int count = 0;
    for (int l = 0; l < loads->load_count; l++) {
        for (of[l] = 0; of[l] < count; of[l]++)
            if (limb_of(skeleton, joint[of[l]]) == limb_of(skeleton, loads->joint[l]))
                break;
        if (of[l] == count)
            joint[count++] = loads->joint[l];
    }
    return count;
}

/* Where the line of force F with moment M about the world's origin passes a level; under the joint without load. */
static Vec3 place_of(Vec3 force, Vec3 moment, double level, Vec3 joint)
{
    if (!(force.y > LEAST_LOAD))
        return (Vec3){joint.x, level, joint.z};
    return (Vec3){(moment.z + level * force.x) / force.y, level, (level * force.z - moment.x) / force.y};
}

/* Height of the lowest joint of a limb. */
static double level_of(const Skeleton *skeleton, const Vec3 *position, int limb)
{
    double level = position[limb].y;
    for (int j = limb + 1; j < skeleton->joint_count && skeleton->parent[j] >= limb; j++)
        level = fmin(level, position[j].y);
    return level;
}

static void find_places(const ClipView *clip, int frame, const Vec3 *moment, Bearers *out)
{
    const Kinematics *k = clip->kinematics;
    const Vec3 *position = k->position + (size_t)frame * (size_t)k->joint_count;
    for (int b = 0; b < out->count; b++) {
        Bearer *bearer = &out->bearer[b];
        double level = level_of(clip->skeleton, position, bearer->joint);
        bearer->place[frame] = place_of(bearer->force[frame], moment[b], level, position[bearer->joint]);
        out->load[frame] += fmax(0, bearer->force[frame].y);
    }
}

static void fill_frame(const Loads *loads, const int *of, int frame, Vec3 *moment, Bearers *out)
{
    for (int b = 0; b < out->count; b++)
        moment[b] = vec3(0, 0, 0);
    for (int l = 0; l < loads->load_count; l++) {
        size_t at = (size_t)frame * (size_t)loads->load_count + (size_t)l;
        Vec3 *force = &out->bearer[of[l]].force[frame];
        *force = vec3_add(*force, loads->force[at]);
        moment[of[l]] = vec3_add(moment[of[l]], loads->moment[at]);
    }
}

/* Forward of the line from the left hip to the right one, on the level. */
static Vec3 heading(const Kinematics *k, int frame, int left, int right)
{
    const Vec3 *row = k->position + (size_t)frame * (size_t)k->joint_count;
    Vec3 across = left < 0 || right < 0 ? vec3(0, 0, 1) : vec3_sub(row[right], row[left]);
    Vec3 forward = vec3_normalize((Vec3){across.z, 0, -across.x});
    return vec3_dot(forward, forward) > 0 ? forward : vec3(1, 0, 0);
}

Status bearers_find(const ClipView *clip, const Loads *loads, Bearers *out, Arena *arena, Error *err)
{
    const Kinematics *k = clip->kinematics;
    size_t frames = (size_t)k->frame_count, most = (size_t)loads->load_count;
    int left = skeleton_find_role(clip->skeleton, ROLE_LEFT_HIP);
    int right = skeleton_find_role(clip->skeleton, ROLE_RIGHT_HIP);
    int *of = arena_array(arena, most, 1, sizeof *of), *joint = arena_array(arena, most, 1, sizeof *joint);
    Vec3 *moment = arena_array(arena, most, 1, sizeof *moment);
    *out = (Bearers){.frame_count = k->frame_count};
    out->bearer = arena_array(arena, most, 1, sizeof *out->bearer);
    out->load = arena_array(arena, frames, 1, sizeof *out->load);
    out->forward = arena_array(arena, frames, 1, sizeof *out->forward);
    if (arena->failed)
        return error_no_memory(err);
    out->count = group_loads(clip->skeleton, loads, of, joint);
    for (int b = 0; b < out->count; b++)
        out->bearer[b] = (Bearer){joint[b], arena_array(arena, frames, 1, sizeof(Vec3)),
                                  arena_array(arena, frames, 1, sizeof(Vec3))};
    if (arena->failed)
        return error_no_memory(err);
    for (int f = 0; f < k->frame_count; f++) {
        fill_frame(loads, of, f, moment, out);
        out->forward[f] = heading(k, f, left, right);
        find_places(clip, f, moment, out);
    }
    return STATUS_OK;
}

double bearer_share(const Bearers *b, int bearer, int frame)
{
    return b->load[frame] > LEAST_LOAD ? fmax(0, b->bearer[bearer].force[frame].y) / b->load[frame] : 0;
}
