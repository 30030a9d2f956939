/* See lost_rows.h. */
#include "analysis/repair/lost_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

enum { KNOTS_MAX = 4 };

/* Recorded frames around a gap, and their weights in a frame put back. */
typedef struct GapKnots {
    int count;
    int row[KNOTS_MAX];
    double time[KNOTS_MAX]; /* frames of the filled motion */
    double weight[KNOTS_MAX];
} GapKnots;

/* Lagrange's polynomial through the knots, at a time. */
static void weigh(GapKnots *k, double time)
{
    for (int i = 0; i < k->count; i++) {
        k->weight[i] = 1;
        for (int j = 0; j < k->count; j++)
            if (j != i)
                k->weight[i] *= (time - k->time[j]) / (k->time[i] - k->time[j]);
    }
}

/* place: [row] its frame in the filled motion. The gap is before `behind`, so that there is a row before it. */
static GapKnots knots_around(const int *place, int rows, int behind)
{
    GapKnots k = {0};
    for (int row = behind - 2; row <= behind + 1; row++)
        if (row >= 0 && row < rows) {
            k.time[k.count] = place[row];
            k.row[k.count++] = row;
        }
    return k;
}

static Vec3 mean_vector(const GapKnots *k, const Vec3 *from, size_t stride)
{
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < k->count; i++)
        sum = vec3_mad(sum, k->weight[i], from[(size_t)k->row[i] * stride]);
    return sum;
}

static Quat mean_rotation(const GapKnots *k, const Quat *from, size_t stride)
{
    Quat sum = {0, 0, 0, 0}, first = from[(size_t)k->row[0] * stride];
    for (int i = 0; i < k->count; i++) {
        Quat q = quat_nearest(from[(size_t)k->row[i] * stride], first);
        double w = k->weight[i];
        sum = (Quat){sum.w + w * q.w, sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z};
    }
    return quat_normalize(sum);
}

static void fill_frame(const Motion *from, const GapKnots *k, int frame, Motion *to)
{
    size_t joints = (size_t)from->joint_count;
    to->root_position[frame] = mean_vector(k, from->root_position, 1);
    for (size_t j = 0; j < joints; j++) {
        to->rotation[(size_t)frame * joints + j] = mean_rotation(k, from->rotation + j, joints);
        if (from->translation)
            to->translation[(size_t)frame * joints + j] = mean_vector(k, from->translation + j, joints);
    }
}

static void copy_frame(const Motion *from, int row, int frame, Motion *to)
{
    size_t joints = (size_t)from->joint_count, source = (size_t)row * joints, target = (size_t)frame * joints;
    to->root_position[frame] = from->root_position[row];
    memcpy(to->rotation + target, from->rotation + source, joints * sizeof *to->rotation);
    if (from->translation)
        memcpy(to->translation + target, from->translation + source, joints * sizeof *to->translation);
}

static void fill(const Motion *from, const int *missing, const int *place, Motion *to, FilledFrame *frame)
{
    for (int row = 0; row < from->frame_count; row++) {
        GapKnots k = knots_around(place, from->frame_count, row);
        for (int f = place[row] - (row > 0 ? missing[row] : 0); f < place[row]; f++) {
            weigh(&k, f);
            fill_frame(from, &k, f, to);
            frame[f] = (FilledFrame){row, 1};
        }
        copy_frame(from, row, place[row], to);
        frame[place[row]] = (FilledFrame){row, 0};
    }
}

/* Returns the number of frames with those that are missing; sets place[row]. */
static int place_rows(const Motion *m, const int *missing, int *place)
{
    int count = 0;
    for (int row = 0; row < m->frame_count; row++) {
        count += row > 0 ? missing[row] : 0;
        place[row] = count++;
    }
    return count;
}

Status motion_fill_lost_rows(Motion *m, const int *missing, FilledFrame **frame, Error *err)
{
    Motion filled = {0};
    *frame = NULL;
    int *place = array_new((size_t)m->frame_count, 1, sizeof *place);
    if (!place)
        return error_no_memory(err);
    int count = place_rows(m, missing, place);
    Status status = STATUS_OK;
    if (count > m->frame_count) {
        FilledFrame *frames = array_new((size_t)count, 1, sizeof *frames);
        status = frames ? motion_space(&filled, count, m->joint_count, m->frame_time, m->translation != NULL, err)
                        : error_no_memory(err);
        if (status) {
            free(frames);
        } else {
            fill(m, missing, place, &filled, frames);
            motion_free(m);
            *m = filled;
            *frame = frames;
        }
    }
    free(place);
    return status;
}
