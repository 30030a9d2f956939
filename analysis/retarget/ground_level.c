/* See ground_level.h. */
#include "analysis/retarget/ground_level.h"

#include "analysis/base/arena.h"
#include "analysis/signal/envelope.h"

#define TIME 0.05 /* s: half width of the envelope that raises a body */

static int counts(const PosedBody *b, int joint) { return !b->is_foot || b->is_foot[joint]; }

/* Lowest joint or end site that counts, m along up. */
static double lowest(const PosedBody *b, int frame, Vec3 up)
{
    const Skeleton *s = b->skeleton;
    const Vec3 *x = b->position + (size_t)frame * (size_t)s->joint_count;
    const Quat *q = b->orientation + (size_t)frame * (size_t)s->joint_count;
    double min = INFINITY;
    for (int j = 0; j < s->joint_count; j++)
        min = counts(b, j) ? fmin(min, vec3_dot(x[j], up)) : min;
    for (int e = 0; e < s->end_count; e++) {
        int j = s->end_parent[e];
        if (counts(b, j))
            min = fmin(min, vec3_dot(vec3_add(x[j], quat_rotate(q[j], s->end_offset[e])), up));
    }
    return min;
}

Status ground_level(const PosedBody *target, const PosedBody *source, Vec3 up, double scale, Motion *motion,
                    Error *err)
{
    Arena arena = {0};
    size_t frames = (size_t)motion->frame_count;
    double *rise = arena_array(&arena, frames, 1, sizeof *rise);
    double *scratch = arena_array(&arena, frames, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int f = 0; f < motion->frame_count && !status; f++)
        rise[f] = scale * lowest(source, f, up) - lowest(target, f, up);
    if (!status)
        smooth_envelope(rise, motion->frame_count, (int)(TIME / motion->frame_time), scratch);
    for (int f = 0; f < motion->frame_count && !status; f++)
        motion->root_position[f] = vec3_mad(motion->root_position[f], rise[f], up);
    arena_free(&arena);
    return status;
}
