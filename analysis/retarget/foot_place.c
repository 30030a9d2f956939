#include "analysis/retarget/foot_place.h"

#include <string.h>

#define NEAR_GROUND 0.015 /* m */

enum { REACH_ROUNDS = 4 };

static Vec3 flat(Vec3 v, Vec3 normal) { return vec3_mad(v, -vec3_dot(v, normal), normal); }

double foot_place_ground(const FootPlace *p, int frame)
{
    return p->scale * (p->contact->height + p->contact->level[foot_index(frame, p->foot)]);
}

static int is_down(const FootPlace *p, int point, int frame)
{
    return p->contact->down[point][foot_index(frame, p->foot)];
}

/* How far the ground itself has gone by a frame (a treadmill's belt). */
static Vec3 belt_way(const FootPlace *p, int frame)
{
    return vec3_scale(p->contact->belt, p->scale * p->contact->frame_time * frame);
}

/* Copied place as seen from the moving ground. */
static Vec3 seen(const FootPlace *p, int point, int frame)
{
    return vec3_sub(p->copied[point][frame], belt_way(p, frame));
}

static void hold(FootPlace *p, int point, int begin, int end, Vec3 place)
{
    Vec3 n = p->contact->normal;
    for (int f = begin; f < end; f++) {
        p->place[point][f] = vec3_mad(flat(vec3_add(place, belt_way(p, f)), n), foot_place_ground(p, f), n);
        p->held[point][f] = 1;
    }
}

/* The place of a point that comes down at `begin` while the other one stands at `other`: a sole's length away along
 * the mean heading of the frames in which both are down. */
static Vec3 place_beside(const FootPlace *p, int point, int begin, int end, Vec3 other)
{
    Vec3 heading = {0, 0, 0};
    for (int f = begin; f < end && is_down(p, !point, f); f++)
        heading = vec3_add(heading,
                           vec3_normalize(flat(vec3_sub(seen(p, point, f), seen(p, !point, f)), p->contact->normal)));
    return vec3_mad(other, p->sole_length, vec3_normalize(heading));
}

static Vec3 mean_place(const FootPlace *p, int point, int begin, int end)
{
    Vec3 sum = {0, 0, 0};
    for (int f = begin; f < end; f++)
        sum = vec3_add(sum, seen(p, point, f));
    return vec3_scale(sum, 1.0 / (end - begin));
}

static int end_of_run(const FootPlace *p, int point, int begin, int end)
{
    while (begin < end && is_down(p, point, begin))
        begin++;
    return begin;
}

static void shift_places(FootPlace *p, int begin, int end, Vec3 shift)
{
    for (int point = 0; point < 2; point++)
        for (int f = begin; f < end; f++)
            if (p->held[point][f])
                p->place[point][f] = vec3_add(p->place[point][f], shift);
}

/* Shifts what is held in [begin, end) so that it is off the copied motion by nothing on average. */
static void centre(FootPlace *p, int begin, int end)
{
    Vec3 sum = {0, 0, 0};
    int count = 0;
    for (int point = 0; point < 2; point++)
        for (int f = begin; f < end; f++)
            if (p->held[point][f]) {
                sum = vec3_add(sum, vec3_sub(p->place[point][f], p->copied[point][f]));
                count++;
            }
    if (count)
        shift_places(p, begin, end, flat(vec3_scale(sum, -1.0 / count), p->contact->normal));
}

/* The shift s along the ground that takes most off the legs' excess lengths e_i, whose feet would come nearer by d_i
 * . s: least squares of e_i - d_i . s and of s itself, weighed as half of all frames, over the frames with an excess.
 */
static Vec3 excess_shift(const FootPlace *p, int begin, int end, double straight)
{
    const double rest = 0.5 * (end - begin);
    double xx = rest, zz = rest, xz = 0, x = 0, z = 0;
    for (int f = begin; f < end; f++) {
        int point = p->held[1][f];
        if (!p->held[point][f])
            continue;
        Vec3 leg = vec3_sub(p->hip[f], vec3_sub(p->place[point][f], p->copied[point][f]));
        double excess = vec3_norm(leg) - straight * p->leg;
        if (!(excess > 0))
            continue;
        Vec3 d = vec3_scale(flat(leg, p->contact->normal), 1 / vec3_norm(leg));
        xx += d.x * d.x;
        zz += d.z * d.z;
        xz += d.x * d.z;
        x += d.x * excess;
        z += d.z * excess;
    }
    double det = xx * zz - xz * xz;
    return vec3((zz * x - xz * z) / det, 0, (xx * z - xz * x) / det);
}

static void move_within_reach(FootPlace *p, const FootPlaceDef *def, int begin, int end)
{
    Vec3 moved = {0, 0, 0};
    for (int round = 0; round < REACH_ROUNDS; round++) {
        Vec3 next = flat(vec3_add(moved, excess_shift(p, begin, end, def->straight)), p->contact->normal);
        double far = vec3_norm(next), most = def->most_shift * p->leg;
        next = vec3_scale(next, far > most ? most / far : 1);
        shift_places(p, begin, end, vec3_sub(next, moved));
        moved = next;
    }
}

/* One contact without a break, frames [begin, end). */
static void place_stance(FootPlace *p, const FootPlaceDef *def, int begin, int end)
{
    Vec3 place[2] = {{0, 0, 0}, {0, 0, 0}};
    int until[2] = {begin, begin};
    for (int f = begin; f < end; f++)
        for (int point = 0; point < 2; point++) {
            if (f < until[point] || !is_down(p, point, f))
                continue;
            until[point] = end_of_run(p, point, f, end);
            place[point] = f < until[!point] ? place_beside(p, point, f, until[point], place[!point])
                                             : mean_place(p, point, f, until[point]);
            hold(p, point, f, until[point], place[point]);
        }
    centre(p, begin, end);
    move_within_reach(p, def, begin, end);
}

static double way_since(const FootPlace *p, int from, int to)
{
    double heel = vec3_norm(flat(vec3_sub(seen(p, 0, to), seen(p, 0, from)), p->contact->normal));
    double ball = vec3_norm(flat(vec3_sub(seen(p, 1, to), seen(p, 1, from)), p->contact->normal));
    return fmin(heel, ball);
}

/* Whether the foot has turned away from where it pointed; not told of a foot on its tip. */
static int has_turned(const FootPlace *p, const FootPlaceDef *def, int from, int to)
{
    Vec3 a = flat(vec3_sub(seen(p, 1, from), seen(p, 0, from)), p->contact->normal);
    Vec3 b = flat(vec3_sub(seen(p, 1, to), seen(p, 0, to)), p->contact->normal);
    double most = vec3_norm(a) * vec3_norm(b);
    return most > 0.25 * p->sole_length * p->sole_length && vec3_dot(a, b) < def->turned_cosine * most;
}

static void place_contact(FootPlace *p, const FootPlaceDef *def, int begin, int end)
{
    int step = (int)(def->step_time / p->contact->frame_time) + 2, start = begin;
    for (int f = begin; f < end; f++) {
        if ((way_since(p, start, f) <= def->most_way * p->leg && !has_turned(p, def, start, f)) || f + step > end)
            continue;
        int last = f - step / 2 > start ? f - step / 2 : start + 1;
        place_stance(p, def, start, last);
        start = last + step < end ? last + step : end;
        f = start;
    }
    if (start < end)
        place_stance(p, def, start, end);
}

void foot_place_fill(FootPlace *p, const FootPlaceDef *def)
{
    for (int f = 0, end; f < p->contact->frame_count; f = end + 1) {
        for (end = f; end < p->contact->frame_count && p->contact->in_contact[foot_index(end, p->foot)]; end++)
            ;
        if (end > f)
            place_contact(p, def, f, end);
    }
}

/* A stance, frames [begin, end), and in it the frames in which the foot rests, first and last. */
typedef struct Stance {
    int begin, end, first, last;
} Stance;

/* Frames in which the sole is near the ground if it follows the copied motion before and after it rests. */
static int frames_near(const double *height, Stance s)
{
    int count = s.last - s.first + 1;
    for (int f = s.begin; f < s.first; f++)
        count += fabs(height[f] - height[s.first]) < NEAR_GROUND;
    for (int f = s.last + 1; f < s.end; f++)
        count += fabs(height[f] - height[s.last]) < NEAR_GROUND;
    return count;
}

static Stance widen(const double *height, double least, Stance s)
{
    while (frames_near(height, s) < least * (s.end - s.begin)) {
        double before = s.first > s.begin ? height[s.first - 1] : INFINITY;
        double after = s.last + 1 < s.end ? height[s.last + 1] : INFINITY;
        if (before <= after)
            s.first--;
        else
            s.last++;
    }
    return s;
}

/* The frames that are slow; the middle one where none is. */
static Stance slow_part(const double *speed, double slow, int begin, int end)
{
    int middle = begin + (end - begin) / 2;
    Stance s = {begin, end, middle, middle};
    int found = 0;
    for (int f = begin; f < end; f++)
        if (speed[f] <= slow) {
            s.first = found ? s.first : f;
            s.last = f;
            found = 1;
        }
    return s;
}

void foot_place_settle(const SoleTrack *track, double slow, double least, uint8_t *settled)
{
    memset(settled, 0, (size_t)track->frames);
    for (int f = 0, end; f < track->frames; f = end + 1) {
        for (end = f; end < track->frames && track->held[end]; end++)
            ;
        if (end == f)
            continue;
        Stance s = widen(track->height, least, slow_part(track->speed, slow, f, end));
        memset(settled + s.first, 1, (size_t)(s.last - s.first + 1));
    }
}
