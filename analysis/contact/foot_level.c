/* The level of a flat foot (foot_level.h). */
#include "analysis/contact/foot_level.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/sort.h"
#include "analysis/motion/forward_kinematics.h"

#define LOW_PART 0.05    /* fraction of the frames in which the ankle is low */
#define LOW_HEIGHT 0.015 /* m above that height; such a frame has half the weight */
#define STILL_RISE 0.1          /* m/s; such a frame has half the weight */
#define STILL_ANGULAR_SPEED 0.5 /* rad/s, the same */
#define MIN_UPRIGHT 0.3   /* cosines between shank and vertical, from lying to standing */
#define UPRIGHT 0.6
#define SHAPE_SPREAD 0.1  /* rad, spread of the level as derived from foot bones (docs/validation/ground_forces.md) */
#define ADULT_SLOPE 0.35 /* rad, inclination of the line from ankle to toe joint: the median of feet in flat contact
                            (the same) */
#define RATE_SPAN 0.02  /* s, on each side, over which speeds are computed */

void foot_frame_orient(FootFrame *f, Quat ankle, Quat toe, Vec3 shank)
{
    f->upright = fmin(fmax((vec3_normalize(shank).y - MIN_UPRIGHT) / (UPRIGHT - MIN_UPRIGHT), 0), 1);
    f->up = quat_rotate_inverse(ankle, vec3(0, 1, 0));
    f->shank = vec3_normalize(quat_rotate_inverse(ankle, shank));
    f->toe = quat_mul(quat_conjugate(toe), ankle);
    f->sole = vec3(0, 0, 0);
    f->sole_axes = QUAT_IDENTITY;
}

/* Ankle height in ground contact; height: scratch. */
static double low_height(const FootFrame *frame, int frame_count, double *height)
{
    for (int f = 0; f < frame_count; f++)
        height[f] = frame[f].height;
    return frame_count ? select_double(height, (size_t)frame_count, (size_t)(LOW_PART * frame_count)) : 0;
}

static double flat_weight(const FootFrame *f, double low)
{
    double rise = f->rise / STILL_RISE, speed = f->angular_speed / STILL_ANGULAR_SPEED;
    double high = fmax(0, f->height - low) / LOW_HEIGHT, sum = rise * rise + speed * speed + high * high;
    return f->upright / (1 + sum * sum);
}

static void add_weighted(Quat *sum, double weight, Quat q)
{
    q = quat_nearest(q, *sum);
    *sum = (Quat){sum->w + weight * q.w, sum->x + weight * q.x, sum->y + weight * q.y, sum->z + weight * q.z};
}

FootLevel foot_level(const FootFrame *frame, int frame_count, double frame_time, double *height)
{
    FootLevel level = {.rest = 0};
    Quat toe = {0, 0, 0, 0}, sole_axes = {0, 0, 0, 0};
    double weights = 0, low = low_height(frame, frame_count, height);
    for (int f = 0; f < frame_count; f++) {
        double weight = flat_weight(&frame[f], low);
        level.up = vec3_mad(level.up, weight, frame[f].up);
        level.shank = vec3_mad(level.shank, weight, frame[f].shank);
        level.reach = vec3_mad(level.reach, weight, frame[f].reach);
        level.side = vec3_mad(level.side, weight, frame[f].side);
        level.sole = vec3_mad(level.sole, weight, frame[f].sole);
        weights += weight;
        level.flattest = fmax(level.flattest, weight);
        add_weighted(&toe, weight, frame[f].toe);
        add_weighted(&sole_axes, weight, frame[f].sole_axes);
    }
    level.spread = weights > 0 ? sqrt(fmax(0, 2 - 2 * vec3_norm(level.up) / weights)) : 0;
    level.up = vec3_normalize(level.up);
    level.shank = vec3_scale(level.shank, weights > 0 ? 1 / weights : 0);
    level.reach = vec3_scale(level.reach, weights > 0 ? 1 / weights : 0);
    level.side = vec3_scale(level.side, weights > 0 ? 1 / weights : 0);
    level.sole = vec3_scale(level.sole, weights > 0 ? 1 / weights : 0);
    level.rest = weights * frame_time;
    level.toe = quat_normalize(toe);
    level.sole_axes = quat_normalize(sole_axes);
    return level;
}

/* Weight of the frames' measurements of a level, 0 to 1, against the bones: by the inverse squares of both spreads. */
static double fraction_of_frames(const FootLevel *l)
{
    double spread = l->spread / SHAPE_SPREAD;
    return l->flattest / (1 + l->flattest * spread * spread);
}

static Vec3 foot_forward(const FootLevel *l) { return vec3_mad(l->reach, -vec3_dot(l->reach, l->up), l->up); }

/* Angle below the horizontal of the vector to the toe joint. */
static double foot_slope(const FootLevel *l)
{
    return elementary_atan2(-vec3_dot(l->reach, l->up), vec3_norm(foot_forward(l)));
}

/* Rotates the level about the line across the foot, then about the line along it, as far as its frames leave it
 * open. */
static void settle(FootLevel *l, double slope)
{
    double open = 1 - fraction_of_frames(l);
    Vec3 forward = vec3_normalize(foot_forward(l)), across = vec3_cross(forward, l->up);
    l->up = quat_rotate(quat_from_axis_angle(across, open * (slope - foot_slope(l))), l->up);
    double lean = elementary_atan2(vec3_dot(l->shank, across), vec3_dot(l->shank, l->up));
    forward = vec3_cross(l->up, across);
    l->up = vec3_normalize(quat_rotate(quat_from_axis_angle(forward, open * lean), l->up));
}

static int has_toe(const FootLevel *l) { return l->rest > 0 && vec3_norm(foot_forward(l)) > 0; }

void foot_levels_settle(FootLevel *level, int count)
{
    double slope[2] = {ADULT_SLOPE, ADULT_SLOPE};
    for (int i = 0; i < count && count == 2; i++)
        if (has_toe(&level[i]))
            slope[1 - i] += fraction_of_frames(&level[i]) * (foot_slope(&level[i]) - ADULT_SLOPE);
    for (int i = 0; i < count; i++)
        if (has_toe(&level[i]))
            settle(&level[i], slope[i]);
}

enum { TILE = 64 };

/* A joint in the world, in the frames of a tile. */
typedef struct JointPoses {
    Vec3 position[TILE];
    Quat orientation[TILE];
} JointPoses;

static void find_poses(const ClipView *clip, int joint, int first, int count, JointPoses *out)
{
    const Kinematics *k = clip->kinematics;
    if (!k)
        joint_path(clip, joint, first, count, LANES_AUTO, &(WorldPoses){out->position, out->orientation, NULL});
    for (int i = 0; k && i < count; i++) {
        size_t at = motion_index(clip->motion, first + i, joint);
        out->position[i] = k->position[at];
        out->orientation[i] = k->orientation[at];
    }
}

static double angle_between(Quat a, Quat b)
{
    Quat d = quat_mul(quat_conjugate(a), b);
    return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

/* Vertical speeds and angular speed of the foot in frame f. */
static void find_rates(const FootPose *pose, int f, int count, double frame_time, FootFrame *frame)
{
    int span = (int)fmax(1, rint(RATE_SPAN / frame_time));
    int before = f > span ? f - span : 0, after = f + span < count ? f + span : count - 1;
    double time = after > before ? (after - before) * frame_time : 1;
    double rise = frame[after].height - frame[before].height;
    double tip_rise = pose[after].toe_height - pose[before].toe_height;
    frame[f].angular_speed = angle_between(pose[before].ankle, pose[after].ankle) / time;
    frame[f].rise = fmax(fabs(rise), fabs(tip_rise)) / time;
}

FootLevel foot_level_of_clip(const ClipView *clip, const int joint[3], FootFrame *frame, FootPose *pose,
                             double *height)
{
    int count = clip->motion->frame_count;
    double frame_time = clip->motion->frame_time;
    JointPoses knee, ankle, toe;
    for (int first = 0; first < count; first += TILE) {
        int tile = count - first < TILE ? count - first : TILE;
        find_poses(clip, joint[0], first, tile, &knee);
        find_poses(clip, joint[1], first, tile, &ankle);
        find_poses(clip, joint[2], first, tile, &toe);
        for (int i = 0; i < tile; i++) {
            frame[first + i].height = ankle.position[i].y;
            pose[first + i] = (FootPose){toe.position[i].y, ankle.orientation[i], toe.orientation[i]};
            foot_frame_orient(&frame[first + i], ankle.orientation[i], toe.orientation[i],
                              vec3_sub(knee.position[i], ankle.position[i]));
        }
    }
    for (int f = 0; f < count; f++)
        find_rates(pose, f, count, frame_time, frame);
    return foot_level(frame, count, frame_time, height);
}
