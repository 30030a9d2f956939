/* See limb_support.h. */
#include "analysis/body/limb_support.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

enum { INTERVALS = 200 }; /* that are judged */

static const double still = 0.05; /* of the mean speed of the slower limbs: less is at rest */

/* Joint centres of a frame, in world axes. */
static void find_centres(const Skeleton *s, const Motion *m, int frame, Quat *orientation, Vec3 *centre)
{
    const Quat *rotation = m->rotation + motion_index(m, frame, 0);
    orientation[0] = rotation[0];
    centre[0] = m->root_position[frame];
    for (int j = 1; j < s->joint_count; j++) {
        int p = s->parent[j];
        Vec3 offset = m->translation ? m->translation[motion_index(m, frame, j)] : s->offset[j];
        orientation[j] = quat_mul(orientation[p], rotation[j]);
        centre[j] = vec3_add(centre[p], quat_rotate(orientation[p], offset));
    }
}

static int last_joint(const LimbPair *pair, int limb)
{
    int i = pair->count - 1;
    while (pair->point[limb][i] < 0)
        i--;
    return pair->point[limb][i];
}

static double distance(const Vec3 *before, const Vec3 *after, int joint)
{
    return vec3_norm(vec3_sub(after[joint], before[joint]));
}

/* Fills move[interval][pair] with distances; returns the number of intervals. */
static int find_moves(const Skeleton *s, const Motion *m, const LimbPair *pair, int count, LimbUnrest *move,
                      Arena *arena)
{
    size_t joints = (size_t)s->joint_count;
    Quat *orientation = arena_array(arena, joints, 1, sizeof *orientation);
    Vec3 *before = arena_array(arena, joints, 1, sizeof *before), *after = arena_array(arena, joints, 1, sizeof *after);
    int step = m->frame_count / INTERVALS + 1, n = 0;
    for (int f = 0; f + 1 < m->frame_count && !arena->failed; f += step, n++) {
        find_centres(s, m, f, orientation, before);
        find_centres(s, m, f + 1, orientation, after);
        for (int i = 0; i < count; i++) {
            double one = distance(before, after, last_joint(&pair[i], 0));
            double other = distance(before, after, last_joint(&pair[i], 1));
            move[n * count + i] = (LimbUnrest){fmin(one, other), distance(before, after, pair[i].joint)};
        }
    }
    return n;
}

void limb_support_find(const Skeleton *s, const Motion *motion, const LimbPair *pair, int count, LimbUnrest *unrest,
                       Arena *arena)
{
    LimbUnrest *move = arena_array(arena, INTERVALS, (size_t)count, sizeof *move);
    int intervals = arena->failed ? 0 : find_moves(s, motion, pair, count, move, arena);
    double mean = 0;
    for (int i = 0; i < intervals * count; i++)
        mean += move[i].limbs / (intervals * count);
    for (int i = 0; i < count; i++) {
        unrest[i] = (LimbUnrest){0};
        for (int n = 0; n < intervals && mean > 0; n++) {
            unrest[i].limbs += elementary_log(move[n * count + i].limbs + still * mean) / intervals;
            unrest[i].carrier += elementary_log(move[n * count + i].carrier + still * mean) / intervals;
        }
    }
}
