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

/* From the root to the hips, in the axes of the world. */
static Vec3 hips_above(const Skeleton *s, const Motion *m, int frame, int hips)
{
    Vec3 place = {0, 0, 0};
    for (int j = hips; j > 0; j = s->parent[j]) {
        Vec3 own = m && m->translation ? m->translation[motion_index(m, frame, j)] : s->offset[j];
        place = vec3_add(own, m ? quat_rotate(m->rotation[motion_index(m, frame, j)], place) : place);
    }
    return m ? quat_rotate(m->rotation[motion_index(m, frame, 0)], place) : place;
}

/* What moves in a target's own motion. */
typedef struct OwnMotion {
    double height; /* mean, of the hips above the root, m */
    double root, hips; /* largest distance of the root, and of the hips from it, from those of frame 0, m */
    double turn;       /* of the root, rad */
} OwnMotion;

static OwnMotion measure(const Skeleton *s, const Motion *m, int hips)
{
    OwnMotion own = {0};
    int frames = m ? m->frame_count : 0;
    Vec3 first = hips_above(s, frames ? m : NULL, 0, hips);
    own.height = frames ? 0 : first.y;
    for (int f = 0; f < frames; f++) {
        Vec3 above = hips_above(s, m, f, hips);
        double same = fabs(quat_dot(m->rotation[motion_index(m, f, 0)], m->rotation[0]));
        own.height += above.y / frames;
        own.root = fmax(own.root, vec3_distance(m->root_position[f], m->root_position[0]));
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

/* Whether the root of a file has position channels; unknown channels: 1. */
static int has_positions(const Skeleton *s)
{
    int has = !s->channels;
    for (int digits = s->channels ? s->channels[0] : 0; digits > 0; digits /= 10)
        has |= digits % 10 <= 3; /* Skeleton.channels: 1 2 3 are positions */
    return has;
}

RootMotion root_placement_of(const ClipView *target)
{
    const Skeleton *s = target->skeleton;
    int hips = root_motion_carrier(s);
    double leg = leg_length(s);
    if (hips == 0 || !(leg > 0))
        return ROOT_MOTION_KEEP;
    OwnMotion own = measure(s, target->motion, hips);
    if (own.height < on_floor * leg)
        return ROOT_MOTION_KEEP;
    if (!has_positions(s))
        return ROOT_MOTION_HIPS;
    if (own.root > moves * leg || own.turn > moves)
        return ROOT_MOTION_TRAVEL;
    return own.hips > moves * leg || is_origin(s->name[0]) ? ROOT_MOTION_HIPS : ROOT_MOTION_TRAVEL;
}

Status root_placement_apply(const ClipView *target, int kind, Motion *motion, Error *err)
{
    RootPose start = root_motion_pose(target->skeleton, target->motion, 0);
    if (kind == ROOT_MOTION_IN_PLACE)
        root_motion_stop(target->skeleton, motion);
    if (kind == ROOT_MOTION_IN_PLACE || kind == ROOT_AUTO)
        kind = root_placement_of(target);
    return root_motion_place_as(target->skeleton, (RootMotion)kind, &start, motion, err);
}
