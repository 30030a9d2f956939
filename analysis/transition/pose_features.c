/* See pose_features.h. */
#include "analysis/transition/pose_features.h"

#include <math.h>

#include "analysis/motion/forward_kinematics.h"
#include "analysis/motion/root_motion.h"

#define VELOCITY_TIME 0.1    /* s: a difference of velocities times this counts as a distance */
#define CONTACT_DISTANCE 0.05 /* m, for each foot whose contact differs */

/* Lists the joints that are compared; returns their number. */
static int choose_joints(const Skeleton *s, int *joint)
{
    int count = 0;
    for (int j = 0; j < s->joint_count; j++)
        if (s->role[j] != ROLE_NONE)
            joint[count++] = j;
    for (int j = 0; j < s->joint_count && count == 0; j++)
        joint[j] = j;
    return count ? count : s->joint_count;
}

/* Turns a vector of the world into the axes of a body with this heading. */
static Vec3 seen_from(double heading, Vec3 v)
{
    return quat_rotate(quat_from_axis_angle(vec3(0, 1, 0), -heading), v);
}

/* Fills places and velocities from world poses; joint[point]. */
static void fill(PoseFeatures *out, const ClipView *clip, const WorldPoses *poses, const int *joint)
{
    size_t joints = (size_t)clip->skeleton->joint_count, points = (size_t)out->point_count;
    size_t carrier = (size_t)root_motion_carrier(clip->skeleton);
    int last = out->frame_count - 1;
    for (int f = 0; f <= last; f++) {
        int before = f > 0 ? f - 1 : f, after = f < last ? f + 1 : f;
        double rate = after > before ? 1 / ((after - before) * clip->motion->frame_time) : 0;
        const Vec3 *now = poses->position + (size_t)f * joints, *from = poses->position + (size_t)before * joints;
        const Vec3 *to = poses->position + (size_t)after * joints;
        double heading = heading_between(out->north, poses->orientation[(size_t)f * joints + carrier]);
        for (size_t i = 0; i < points; i++) {
            size_t j = (size_t)joint[i];
            Vec3 place = vec3_sub(now[j], vec3(now[carrier].x, 0, now[carrier].z));
            out->place[(size_t)f * points + i] = seen_from(heading, place);
            out->velocity[(size_t)f * points + i] = seen_from(heading, vec3_scale(vec3_sub(to[j], from[j]), rate));
        }
    }
}

Status pose_features_init(PoseFeatures *out, const ClipView *clip, const PoseFeatures *first,
                          const FootContact *contact, Arena *arena, Error *err)
{
    size_t frames = (size_t)clip->motion->frame_count, joints = (size_t)clip->skeleton->joint_count;
    WorldPoses poses = {.position = arena_array(arena, frames, joints, sizeof *poses.position),
                        .orientation = arena_array(arena, frames, joints, sizeof *poses.orientation)};
    int *joint = arena_array(arena, joints, 1, sizeof *joint);
    *out = (PoseFeatures){.frame_count = clip->motion->frame_count, .contact = contact ? contact->in_contact : NULL};
    if (arena->failed)
        return error_no_memory(err);
    out->point_count = choose_joints(clip->skeleton, joint);
    out->place = arena_array(arena, frames, (size_t)out->point_count, sizeof *out->place);
    out->velocity = arena_array(arena, frames, (size_t)out->point_count, sizeof *out->velocity);
    Status status = arena->failed ? error_no_memory(err) : forward_kinematics(clip, LANES_AUTO, &poses, err);
    if (status || frames == 0)
        return status;
    out->north = first ? first->north : poses.orientation[root_motion_carrier(clip->skeleton)];
    fill(out, clip, &poses, joint);
    return status;
}

double pose_features_distance(const PoseFeatures *a, int frame, const PoseFeatures *b, int other)
{
    size_t points = (size_t)a->point_count, at = (size_t)frame * points, to = (size_t)other * points;
    double places = 0, velocities = 0, contacts = 0;
    for (size_t i = 0; i < points; i++) {
        Vec3 place = vec3_sub(a->place[at + i], b->place[to + i]);
        Vec3 velocity = vec3_sub(a->velocity[at + i], b->velocity[to + i]);
        places += vec3_dot(place, place);
        velocities += vec3_dot(velocity, velocity);
    }
    for (int foot = 0; a->contact && b->contact && foot < FOOT_COUNT; foot++)
        contacts += a->contact[foot_index(frame, foot)] != b->contact[foot_index(other, foot)];
    return sqrt((places + VELOCITY_TIME * VELOCITY_TIME * velocities) / (double)points +
                CONTACT_DISTANCE * CONTACT_DISTANCE * contacts);
}
