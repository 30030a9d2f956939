/* See root_placement.h. */
#include "analysis/retarget/root_placement.h"

#include <math.h>
#include <string.h>

#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

static const double on_floor = 0.5; /* of the leg's length: a root this far below the hips */
static const double moves = 0.01;   /* of the leg's length, and rad: a path and a turn of the root */

/* Names that programs give the origin of a scene. */
static const char *const origins[] = {"armature", "reference", "world", "scene"};

/* Length of thigh and shank of the first leg with both; 0: none. */
static double leg_length(const Skeleton *s)
{
    static const Role legs[2][2] = {{ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
    for (int side = 0; side < 2; side++) {
        int knee = skeleton_find_role(s, legs[side][0]), ankle = skeleton_find_role(s, legs[side][1]);
        if (knee >= 0 && ankle >= 0)
            return vec3_norm(s->offset[knee]) + vec3_norm(s->offset[ankle]);
    }
    return 0;
}

/* Pose of a joint in the world. */
typedef struct Place {
    Vec3 position;
    Quat orientation;
} Place;

/* In a frame; at rest without a motion. */
static Place place_of(const Skeleton *s, const Motion *m, int frame, int joint)
{
    RootPose pose = root_motion_pose(s, m, frame, joint);
    return (Place){pose.position, pose.orientation};
}

/* What a joint above the hips does in a target's own motion. */
typedef struct OwnMotion {
    double height;      /* mean, of the hips above the joint, m */
    double joint, hips; /* largest distance of the joint, and of the hips from it, from those of frame 0, m */
    double turn;        /* of the joint, rad */
} OwnMotion;

static OwnMotion measure(const Skeleton *s, const Motion *m, int joint)
{
    int frames = m && m->frame_count > 0 ? m->frame_count : 1, hips = root_motion_carrier(s);
    OwnMotion own = {0};
    Place start = place_of(s, m, 0, joint);
    Vec3 first = vec3_sub(place_of(s, m, 0, hips).position, start.position);
    for (int f = 0; f < frames; f++) {
        Place now = place_of(s, m, f, joint);
        Vec3 above = vec3_sub(place_of(s, m, f, hips).position, now.position);
        double same = fabs(quat_dot(now.orientation, start.orientation));
        own.height += above.y / frames;
        own.joint = fmax(own.joint, vec3_distance(now.position, start.position));
        own.hips = fmax(own.hips, vec3_distance(above, first));
        own.turn = fmax(own.turn, 2 * sqrt(fmax(0, 2 * (1 - same))));
    }
    return own;
}

static int is_origin(const char *name)
{
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
        if (strcasestr(name, origins[i]))
            return 1;
    return 0;
}

/* Whether a joint of a file has position channels; unknown channels: 1. */
static int has_positions(const Skeleton *s, int joint)
{
    int has = !s->channels;
    for (int digits = s->channels ? s->channels[joint] : 0; digits > 0; digits /= 10)
        has |= digits % 10 <= 3; /* Skeleton.channels: 1 2 3 are positions */
    return has;
}

RootMotion root_placement_of(const ClipView *target, int joint)
{
    const Skeleton *s = target->skeleton;
    double leg = leg_length(s);
    if (joint == root_motion_carrier(s) || !(leg > 0))
        return ROOT_MOTION_KEEP;
    OwnMotion own = measure(s, target->motion, joint);
    if (own.height < on_floor * leg)
        return ROOT_MOTION_KEEP;
    if (!has_positions(s, joint))
        return ROOT_MOTION_HIPS;
    if (own.joint > moves * leg || own.turn > moves)
        return ROOT_MOTION_TRAVEL;
    return own.hips > moves * leg || is_origin(s->name[joint]) ? ROOT_MOTION_HIPS : ROOT_MOTION_TRAVEL;
}

static Status place(const ClipView *target, int joint, RootMotion kind, Motion *motion, Error *err)
{
    RootPlace to = {joint, kind, root_motion_pose(target->skeleton, target->motion, 0, joint)};
    return root_motion_place_as(target->skeleton, &to, motion, err);
}

/* Whether a joint above the hips travels with them on the floor. */
static int has_travelling_root(const ClipView *clip)
{
    int hips = root_motion_carrier(clip->skeleton), travels = 0;
    for (int joint = 0; joint < hips && !travels; joint++)
        travels = skeleton_is_below(clip->skeleton, hips, joint) &&
                  root_placement_of(clip, joint) == ROOT_MOTION_TRAVEL;
    return travels;
}

/* Places each joint above the hips as in the target's own motion, from the root down; one that travels keeps its
 * path if the source had one. */
static Status place_as_own(const ClipView *target, int has_path, Motion *motion, Error *err)
{
    const Skeleton *s = target->skeleton;
    int hips = root_motion_carrier(s);
    Status status = STATUS_OK;
    for (int joint = 0; joint < hips && !status; joint++)
        if (skeleton_is_below(s, hips, joint)) {
            RootMotion kind = root_placement_of(target, joint);
            kind = has_path && kind == ROOT_MOTION_TRAVEL ? ROOT_MOTION_KEEP : kind;
            status = place(target, joint, kind, motion, err);
        }
    return status;
}

Status root_placement_apply(const ClipView *target, const ClipView *source, int kind, Motion *motion, Error *err)
{
    if (kind == ROOT_MOTION_IN_PLACE)
        root_motion_stop(target->skeleton, motion);
    if (kind == ROOT_MOTION_IN_PLACE || kind == ROOT_AUTO)
        return place_as_own(target, kind == ROOT_AUTO && has_travelling_root(source), motion, err);
    return place(target, 0, (RootMotion)kind, motion, err);
}
