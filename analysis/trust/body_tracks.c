#include "analysis/trust/body_tracks.h"

#include <math.h>

/* One frame's pose, and which of its points belong to which foot. */
typedef struct Pose {
    const Skeleton *skeleton;
    const Motion *motion;
    Vec3 *position;   /* [joint + end] m */
    Quat *turn;       /* [joint] joint to world */
    signed char *foot; /* [joint + end] 0 left, 1 right, -1 neither */
} Pose;

static void assign_feet(const Pose *p, BodyTracks *out)
{
    const Skeleton *s = p->skeleton;
    int ankle[2] = {skeleton_find_role(s, ROLE_LEFT_ANKLE), skeleton_find_role(s, ROLE_RIGHT_ANKLE)};
    for (int j = 0; j < s->joint_count + s->end_count; j++) {
        int parent = j < s->joint_count ? s->parent[j] : s->end_parent[j - s->joint_count];
        p->foot[j] = j == ankle[0] ? 0 : j == ankle[1] ? 1 : parent < 0 ? -1 : p->foot[parent];
        if (p->foot[j] >= 0)
            out->points[p->foot[j]]++;
    }
}

static void find_pose(const Pose *p, int frame)
{
    const Skeleton *s = p->skeleton;
    const Motion *m = p->motion;
    for (int j = 0; j < s->joint_count; j++) {
        size_t at = motion_index(m, frame, j);
        int parent = s->parent[j];
        Vec3 arm = m->translation && j > 0 ? m->translation[at] : s->offset[j];
        p->turn[j] = parent < 0 ? m->rotation[at] : quat_mul(p->turn[parent], m->rotation[at]);
        p->position[j] = parent < 0 ? m->root_position[frame]
                                    : vec3_add(p->position[parent], quat_rotate(p->turn[parent], arm));
    }
    for (int e = 0; e < s->end_count; e++) {
        int parent = s->end_parent[e];
        p->position[s->joint_count + e] =
            vec3_add(p->position[parent], quat_rotate(p->turn[parent], s->end_offset[e]));
    }
}

static void keep_pose(const Pose *p, int frame, BodyTracks *out)
{
    int count = p->skeleton->joint_count + p->skeleton->end_count, next[2] = {0, 0};
    double low = INFINITY;
    for (int j = 0; j < count; j++) {
        int foot = p->foot[j];
        low = fmin(low, p->position[j].y);
        if (foot >= 0)
            out->point[foot][(size_t)frame * (size_t)out->points[foot] + (size_t)next[foot]++] = p->position[j];
    }
    out->lowest[frame] = low;
}

void body_tracks_init(BodyTracks *out, const Skeleton *s, const Motion *m, Arena *arena)
{
    size_t joints = (size_t)s->joint_count, points = joints + (size_t)s->end_count, frames = (size_t)m->frame_count;
    Pose pose = {s, m, arena_array(arena, points, 1, sizeof(Vec3)), arena_array(arena, joints, 1, sizeof(Quat)),
                 arena_array(arena, points, 1, 1)};
    *out = (BodyTracks){.frame_count = m->frame_count, .frame_time = m->frame_time, .root = m->root_position};
    if (arena->failed)
        return;
    assign_feet(&pose, out);
    for (int foot = 0; foot < 2; foot++)
        out->point[foot] = arena_array(arena, frames, (size_t)out->points[foot], sizeof(Vec3));
    out->lowest = arena_array(arena, frames, 1, sizeof *out->lowest);
    for (int f = 0; f < m->frame_count && !arena->failed; f++) {
        find_pose(&pose, f);
        keep_pose(&pose, f, out);
    }
}

double body_tracks_foot_height(const BodyTracks *t, int foot, int frame)
{
    const Vec3 *point = t->point[foot] + (size_t)frame * (size_t)t->points[foot];
    double low = INFINITY;
    for (int i = 0; i < t->points[foot]; i++)
        low = fmin(low, point[i].y);
    return low;
}

/* scratch holds places of rising values, first to end - 1, of which the first is the window's least. */
void sliding_least(const double *value, int count, int reach, double *low, int *scratch)
{
    int first = 0, end = 0;
    for (int i = 0; i < count + reach; i++) {
        while (i < count && end > first && value[scratch[end - 1]] >= value[i])
            end--;
        if (i < count)
            scratch[end++] = i;
        if (i < reach)
            continue;
        while (scratch[first] < i - 2 * reach)
            first++;
        low[i - reach] = value[scratch[first]];
    }
}
