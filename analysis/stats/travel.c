/* Travel of a clip (travel.h). */
#include "analysis/stats/travel.h"

#include <math.h>

#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

static Vec3 place_at(const Clip *clip, int frame)
{
    return clip->has_body && clip->kinematics.com ? clip->kinematics.com[frame] : clip->motion.root_position[frame];
}

/* The component of v in a plane. */
static Vec3 along(Vec3 v, Vec3 normal)
{
    return vec3_sub(v, vec3_scale(normal, vec3_dot(v, normal)));
}

/* Path length over steps between consecutive frames. */
static void measure_travel(const Clip *clip, const JointSeries *s, Vec3 up, Travel *out)
{
    double distance = 0, fastest = 0;
    int steps = 0;
    for (int i = 1; i < s->count; i++) {
        if (s->frame[i] != s->frame[i - 1] + 1)
            continue;
        Vec3 step = along(vec3_sub(place_at(clip, s->frame[i]), place_at(clip, s->frame[i - 1])), up);
        double length = vec3_norm(step);
        distance += length;
        fastest = length > fastest ? length : fastest;
        steps++;
    }
    if (steps == 0)
        return;
    out->distance_m = distance;
    out->speed_mean_m_s = distance / (steps * s->frame_time);
    out->speed_peak_m_s = fastest / s->frame_time;
}

typedef struct Standing {
    double slide, depth; /* m/s, sum; m, largest */
    long count;          /* point-frames in contact */
} Standing;

static void add_point(const Clip *clip, int frame, int point, Standing *sum)
{
    const Contact *c = &clip->contact;
    size_t at = motion_index(&clip->motion, frame, c->point_joint[point]);
    Vec3 arm = quat_rotate(clip->kinematics.orientation[at], c->point_position[point]);
    Vec3 world = vec3_add(clip->kinematics.position[at], arm);
    Vec3 speed = vec3_add(clip->kinematics.velocity[at], vec3_cross(clip->kinematics.angular_velocity[at], arm));
    double depth = -vec3_dot(vec3_sub(world, vec3(0, c->ground_height, 0)), c->ground_normal);
    sum->slide += vec3_norm(along(speed, c->ground_normal));
    sum->depth = depth > sum->depth ? depth : sum->depth;
    sum->count++;
}

static void measure_feet(const Clip *clip, const JointSeries *s, Travel *out)
{
    const Contact *c = &clip->contact;
    Standing sum = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        for (int p = 0; p < c->point_count; p++)
            if (c->state[(size_t)s->frame[i] * (size_t)c->point_count + (size_t)p] > 0.5)
                add_point(clip, s->frame[i], p, &sum);
    if (sum.count == 0)
        return;
    out->foot_slide_cm_s = 100 * sum.slide / (double)sum.count;
    out->foot_penetration_cm = 100 * sum.depth;
}

Travel travel_measure(const Clip *clip, const JointSeries *series)
{
    Travel out = {NAN, NAN, NAN, NAN, NAN};
    if (!clip->has_kinematics)
        return out;
    measure_travel(clip, series, clip->has_contact ? clip->contact.ground_normal : vec3(0, 1, 0), &out);
    if (clip->has_contact && !clip->has_retarget)
        measure_feet(clip, series, &out);
    return out;
}
