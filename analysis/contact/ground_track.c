/* Paths of the groups of contact points (ground_track.h). */
#include "analysis/contact/ground_track.h"

#include <math.h>

#include "analysis/math/sort.h"

enum { MIN_ENVELOPE_FRAMES = 5 };

#define ENVELOPE_SPEED 0.212 /* sqrt(g L): slower points are nearly at rest */

double track_percentile(double *values, int count, double p)
{
    double at = p * (count - 1);
    int low = (int)at;
    double value = select_double(values, (size_t)count, (size_t)low), next = low + 1 < count ? values[low + 1] : value;
    for (int i = low + 2; i < count; i++)
        next = values[i] < next ? values[i] : next;
    return value + (at - low) * (next - value);
}

Track track_new(int frames, int groups, Arena *arena)
{
    size_t f = (size_t)frames, g = (size_t)groups;
    return (Track){.frame_count = frames,
                   .group_count = groups,
                   .position = arena_array(arena, f, g, sizeof(Vec3)),
                   .velocity = arena_array(arena, f, g, sizeof(Vec3)),
                   .height = arena_array(arena, f, g, sizeof(double)),
                   .speed = arena_array(arena, f, g, sizeof(double)),
                   .scratch = arena_array(arena, f, 1, sizeof(double)),
                   .scratch2 = arena_array(arena, f, 1, sizeof(double))};
}

/* Mean position, velocity and speed of every group. */
void track_follow(const ContactPoints *points, const Kinematics *k, Track *track)
{
    size_t groups = (size_t)points->group_count;
    for (int f = 0; f < k->frame_count; f++)
        for (int first = 0, last; first < points->count; first = last) {
            Vec3 position = {0, 0, 0}, velocity = {0, 0, 0};
            int group = points->point[first].group, gauges = 0;
            for (last = first; last < points->count && points->point[last].group == group; last++) {
                const ContactPoint *p = &points->point[last];
                size_t i = (size_t)f * (size_t)k->joint_count + (size_t)p->joint;
                if (!p->is_gauge)
                    continue;
                PointMotion motion = point_motion(k, i, p->probe);
                position = vec3_add(position, motion.position);
                velocity = vec3_add(velocity, motion.velocity);
                gauges++;
            }
            track->position[(size_t)f * groups + (size_t)group] = vec3_scale(position, 1.0 / gauges);
            track->velocity[(size_t)f * groups + (size_t)group] = vec3_scale(velocity, 1.0 / gauges);
            track->speed[(size_t)f * groups + (size_t)group] = vec3_norm(velocity) / gauges;
        }
}

void track_measure_heights(Track *track, Vec3 normal)
{
    for (size_t i = 0; i < (size_t)track->frame_count * (size_t)track->group_count; i++)
        track->height[i] = vec3_dot(normal, track->position[i]);
}

double track_envelope(const Track *track, int group, double length, double speed_unit, double *fraction)
{
    int count = 0, kept = 0;
    size_t groups = (size_t)track->group_count;
    for (int f = 0; f < track->frame_count; f++) {
        track->scratch[count] = track->height[(size_t)f * groups + (size_t)group];
        track->scratch2[count] = track->speed[(size_t)f * groups + (size_t)group];
        count += track_tells(track, f);
    }
    double lowest = track_percentile(track->scratch, count, 0.05);
    double slow = fmax(ENVELOPE_SPEED * speed_unit, track_percentile(track->scratch2, count, 0.10));
    for (int f = 0; f < track->frame_count; f++) {
        size_t i = (size_t)f * groups + (size_t)group;
        if (track_tells(track, f) && track->height[i] < lowest + TRACK_BAND * length && track->speed[i] < slow)
            track->scratch[kept++] = track->height[i];
    }
    if (fraction)
        *fraction = (double)kept / count;
    return kept >= MIN_ENVELOPE_FRAMES ? track_percentile(track->scratch, kept, 0.5) : lowest + 0.006 * length;
}
