#include "analysis/retarget/foot_path.h"

#include "analysis/base/memory.h"
#include "analysis/math/spring.h"

#define SUPPLE 0.004 /* m: how far a foot in the air may come below the ground before it is turned back */

/* One foot at work. */
typedef struct FootWork {
    const FootContact *contact;
    const FootPathDef *def;
    const Sole *sole;
    int foot, frames;
    double scale, leg, dt;
    Vec3 normal;
    Vec3 *copied[2];  /* heel, ball: [frame] m, of the copied motion with the rise */
    Vec3 *offset[2];  /* heel, ball: [frame] m, place less copied */
    uint8_t *held[2]; /* heel, ball: [frame] */
} FootWork;

FootPathDef foot_path_default_def(void) { return (FootPathDef){.omega = 12, .most_way = 0.25}; }

static size_t at(int frame, int foot) { return (size_t)frame * FOOT_COUNT + (size_t)foot; }

static Vec3 flat(Vec3 v, Vec3 normal) { return vec3_mad(v, -vec3_dot(v, normal), normal); }

/* Height of the ground under the foot, m along the normal. */
static double ground_height(const FootWork *w, int frame)
{
    return w->scale * (w->contact->height + w->contact->level[at(frame, w->foot)]);
}

/* How far the ground itself has gone by a frame (a treadmill's belt). */
static Vec3 belt_way(const FootWork *w, int frame) { return vec3_scale(w->contact->belt, w->scale * w->dt * frame); }

/* Copied place as seen from the moving ground. */
static Vec3 seen(const FootWork *w, int point, int frame)
{
    return vec3_sub(w->copied[point][frame], belt_way(w, frame));
}

/* Holds a point in its place from begin to end - 1. */
static void hold(FootWork *w, int point, int begin, int end, Vec3 place)
{
    for (int f = begin; f < end; f++) {
        Vec3 ground = vec3_add(flat(vec3_add(place, belt_way(w, f)), w->normal), vec3_scale(w->normal, ground_height(w, f)));
        w->offset[point][f] = vec3_sub(ground, w->copied[point][f]);
        w->held[point][f] = 1;
    }
}

/* The place of a point that comes down at `begin` while the other one is held at `other`: a sole's length away along
 * the mean heading of the frames in which both are down. */
static Vec3 place_beside(const FootWork *w, int point, int begin, int end, Vec3 other)
{
    Vec3 heading = {0, 0, 0};
    for (int f = begin; f < end && w->contact->down[!point][at(f, w->foot)]; f++)
        heading = vec3_add(heading, vec3_normalize(flat(vec3_sub(seen(w, point, f), seen(w, !point, f)), w->normal)));
    return vec3_mad(other, w->sole->length, vec3_normalize(heading));
}

static Vec3 mean_place(const FootWork *w, int point, int begin, int end)
{
    Vec3 sum = {0, 0, 0};
    for (int f = begin; f < end; f++)
        sum = vec3_add(sum, seen(w, point, f));
    return vec3_scale(sum, 1.0 / (end - begin));
}

static int end_of_run(const FootWork *w, int point, int begin, int end)
{
    while (begin < end && w->contact->down[point][at(begin, w->foot)])
        begin++;
    return begin;
}

/* Shifts what is held in [begin, end) so that offsets along the ground are zero on average. */
static void centre_block(FootWork *w, int begin, int end)
{
    Vec3 sum = {0, 0, 0};
    int count = 0;
    for (int point = 0; point < 2; point++)
        for (int f = begin; f < end; f++)
            if (w->held[point][f]) {
                sum = vec3_add(sum, w->offset[point][f]);
                count++;
            }
    Vec3 mean = count ? flat(vec3_scale(sum, 1.0 / count), w->normal) : sum;
    for (int point = 0; point < 2; point++)
        for (int f = begin; f < end; f++)
            if (w->held[point][f])
                w->offset[point][f] = vec3_sub(w->offset[point][f], mean);
}

/* One contact without a break, frames [begin, end). */
static void place_block(FootWork *w, int begin, int end)
{
    Vec3 place[2] = {{0, 0, 0}, {0, 0, 0}};
    int until[2] = {begin, begin};
    for (int f = begin; f < end; f++)
        for (int point = 0; point < 2; point++) {
            if (f < until[point] || !w->contact->down[point][at(f, w->foot)])
                continue;
            until[point] = end_of_run(w, point, f, end);
            place[point] = f < until[!point] ? place_beside(w, point, f, until[point], place[!point])
                                             : mean_place(w, point, f, until[point]);
            hold(w, point, f, until[point], place[point]);
        }
    centre_block(w, begin, end);
}

/* A contact in which the copied foot goes farther than a foot that stands can be is broken into several. */
static void place_contact(FootWork *w, int begin, int end)
{
    double most = w->def->most_way * w->leg;
    int start = begin;
    for (int f = begin; f < end; f++) {
        double way = vec3_norm(flat(vec3_sub(seen(w, 1, f), seen(w, 1, start)), w->normal));
        double heel_way = vec3_norm(flat(vec3_sub(seen(w, 0, f), seen(w, 0, start)), w->normal));
        if (fmin(way, heel_way) > most) {
            place_block(w, start, f - 1);
            start = f + 1;
            f = start;
        }
    }
    if (start < end)
        place_block(w, start, end);
}

/* Velocity of the offset where the point is held: the ground's less the copied motion's. */
static Vec3 offset_rate(const FootWork *w, int point, int frame)
{
    int before = frame > 0 ? frame - 1 : frame, after = frame + 1 < w->frames ? frame + 1 : frame;
    if (after == before)
        return vec3(0, 0, 0);
    Vec3 moved = vec3_sub(w->copied[point][after], w->copied[point][before]);
    return vec3_sub(vec3_scale(w->contact->belt, w->scale), vec3_scale(moved, 1 / (w->dt * (after - before))));
}

/* State of a spring: one coordinate and its velocity. */
typedef struct SpringState {
    double x, v;
} SpringState;

/* (1 + sign M)^-1 d with M = J S, S the step over the gap and J the reversal of velocities. */
static SpringState solve_end(SpringStep s, double sign, SpringState d)
{
    double a = 1 + sign * s.xx, b = sign * s.xv, c = -sign * s.vx, e = 1 - sign * s.vv, det = a * e - b * c;
    return (SpringState){(e * d.x - b * d.v) / det, (a * d.v - c * d.x) / det};
}

/* Adds the course of a spring let go with state u at frame `from`, over `count` frames in the direction `step`. */
static void add_spring(Vec3 *offset, int axis, int from, int count, int step, SpringStep each, SpringState u)
{
    for (int i = 1; i <= count; i++) {
        spring_advance(&each, 0, &u.x, &u.v);
        ((double *)&offset[from + step * i])[axis] += u.x;
    }
}

/* Fills the frames between `left` and `right`, in which the point is held; -1 and frames mean that there is no such frame.
 * With S the step over the gap, u and w the springs let go at its ends, w's time reversed, and d the wanted states:
 *     u + J S w = d_left,  w + J S u = J d_right,  so (1 + J S)(u + w) and (1 - J S)(u - w) are known. */
static void bridge(FootWork *w, int point, int left, int right)
{
    Vec3 *offset = w->offset[point];
    int inside = right - left - 1, has_left = left >= 0, has_right = right < w->frames;
    if (inside <= 0 || (!has_left && !has_right))
        return;
    SpringStep each = spring_step(w->def->omega, 1, w->dt), gap = spring_step(w->def->omega, 1, w->dt * (inside + 1));
    Vec3 left_rate = has_left ? offset_rate(w, point, left) : vec3(0, 0, 0);
    Vec3 right_rate = has_right ? offset_rate(w, point, right) : vec3(0, 0, 0);
    for (int axis = 0; axis < 3; axis++) {
        SpringState u = {0, 0}, v = {0, 0};
        if (has_left)
            u = (SpringState){((double *)&offset[left])[axis], ((double *)&left_rate)[axis]};
        if (has_right)
            v = (SpringState){((double *)&offset[right])[axis], -((double *)&right_rate)[axis]};
        if (has_left && has_right) {
            SpringState sum = solve_end(gap, 1, (SpringState){u.x + v.x, u.v + v.v});
            SpringState difference = solve_end(gap, -1, (SpringState){u.x - v.x, u.v - v.v});
            u = (SpringState){0.5 * (sum.x + difference.x), 0.5 * (sum.v + difference.v)};
            v = (SpringState){0.5 * (sum.x - difference.x), 0.5 * (sum.v - difference.v)};
        }
        if (has_left)
            add_spring(offset, axis, left, inside, 1, each, u);
        if (has_right)
            add_spring(offset, axis, right, inside, -1, each, v);
    }
}

static void bridge_all(FootWork *w, int point)
{
    int left = -1;
    for (int f = 0; f <= w->frames; f++)
        if (f == w->frames || w->held[point][f]) {
            bridge(w, point, left, f);
            left = f;
        }
}

/* Points in the air stay above the ground: a depth d becomes d / (1 + d/m), which stays
 * below m and leaves the slope continuous. */
static Vec3 above_ground(const FootWork *w, Vec3 point, double ground)
{
    double height = vec3_dot(point, w->normal) - ground;
    double bent = height / (1 - height / SUPPLE);
    return height < 0 ? vec3_mad(point, bent - height, w->normal) : point;
}

/* 0 while only the heel is held, 1 while only the ball is, in between a smooth step. */
static void set_handover(const FootWork *w, double *handover)
{
    int left = -1;
    for (int f = 0; f <= w->frames; f++) {
        int fixed = f == w->frames || w->held[0][f] != w->held[1][f];
        if (!fixed)
            continue;
        double from = left < 0 ? 0.5 : w->held[1][left], to = f == w->frames ? (left < 0 ? 0.5 : from) : w->held[1][f];
        if (left < 0)
            from = to;
        for (int i = left < 0 ? 0 : left; i <= f && i < w->frames; i++) {
            double x = f > left ? (double)(i - left) / (f - left) : 0;
            handover[at(i, w->foot)] = from + (to - from) * x * x * (3 - 2 * x);
        }
        left = f;
    }
}

/* The least level of the contacts on either side: what a foot in the air must stay above. */
static void fill_ground(const FootWork *w, double *ground)
{
    double base = w->scale * w->contact->height, left = base;
    for (int f = 0; f < w->frames; f++) {
        if (w->contact->in_contact[at(f, w->foot)])
            left = ground_height(w, f);
        ground[f] = left;
    }
    double right = base;
    for (int f = w->frames - 1; f >= 0; f--) {
        if (w->contact->in_contact[at(f, w->foot)])
            right = ground_height(w, f);
        ground[f] = fmin(ground[f], right);
    }
}

static void follow_foot(FootWork *w, double *ground, FootPath *out)
{
    for (int f = 0, end; f < w->frames; f = end + 1) {
        for (end = f; end < w->frames && w->contact->in_contact[at(end, w->foot)]; end++)
            ;
        if (end > f)
            place_contact(w, f, end);
    }
    fill_ground(w, ground);
    for (int point = 0; point < 2; point++) {
        bridge_all(w, point);
        for (int f = 0; f < w->frames; f++) {
            Vec3 to = vec3_add(w->copied[point][f], w->offset[point][f]);
            out->point[point][at(f, w->foot)] = w->held[point][f] ? to : above_ground(w, to, ground[f]);
            out->held[point][at(f, w->foot)] = w->held[point][f];
        }
    }
    set_handover(w, out->handover);
}

static Vec3 copied_point(const Kinematics *k, const Sole *sole, int point, int frame)
{
    size_t i = (size_t)frame * (size_t)k->joint_count;
    return sole_point(sole, (SolePoint)point, k->position + i, k->orientation + i);
}

/* Mean height of the ground above the copied points that should be on it. */
static double mean_rise(const Sole sole[FOOT_COUNT], const FootContact *c, const Kinematics *copied, double scale)
{
    double sum = 0;
    int count = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int f = 0; f < c->frame_count && sole[foot].ankle >= 0; f++)
            for (int point = 0; point < 2; point++)
                if (c->down[point][at(f, foot)]) {
                    sum += scale * (c->height + c->level[at(f, foot)]) -
                           vec3_dot(c->normal, copied_point(copied, &sole[foot], point, f));
                    count++;
                }
    return count ? sum / count : 0;
}

static Status allocate(FootPath *out, int frames, Error *err)
{
    *out = (FootPath){.frame_count = frames};
    for (int point = 0; point < 2; point++) {
        out->point[point] = array_new((size_t)frames, FOOT_COUNT, sizeof(Vec3));
        out->held[point] = array_new((size_t)frames, FOOT_COUNT, 1);
    }
    out->handover = array_new((size_t)frames, FOOT_COUNT, sizeof *out->handover);
    return out->point[0] && out->point[1] && out->held[0] && out->held[1] && out->handover ? STATUS_OK
                                                                                          : error_no_memory(err);
}

Status foot_path_init(FootPath *out, const Sole sole[FOOT_COUNT], const FootContact *contact, const Kinematics *copied,
                      double scale, double leg, const FootPathDef *def, Error *err)
{
    int frames = copied->frame_count;
    FootWork w = {.contact = contact, .def = def, .frames = frames, .scale = scale, .leg = leg, .dt = contact->frame_time,
                  .normal = contact->normal};
    double *ground = array_new((size_t)frames, 1, sizeof *ground);
    Status status = allocate(out, frames, err);
    for (int point = 0; point < 2; point++) {
        w.copied[point] = array_new((size_t)frames, 1, sizeof(Vec3));
        w.offset[point] = array_new((size_t)frames, 1, sizeof(Vec3));
        w.held[point] = array_new((size_t)frames, 1, 1);
        if (!w.copied[point] || !w.offset[point] || !w.held[point] || !ground)
            status = error_no_memory(err);
    }
    if (!status)
        out->rise = mean_rise(sole, contact, copied, scale);
    for (w.foot = 0; w.foot < FOOT_COUNT && !status; w.foot++) {
        w.sole = &sole[w.foot];
        if (w.sole->ankle < 0)
            continue;
        for (int point = 0; point < 2; point++) {
            memset(w.offset[point], 0, (size_t)frames * sizeof(Vec3));
            memset(w.held[point], 0, (size_t)frames);
            for (int f = 0; f < frames; f++)
                w.copied[point][f] = vec3_mad(copied_point(copied, w.sole, point, f), out->rise, w.normal);
        }
        follow_foot(&w, ground, out);
    }
    for (int point = 0; point < 2; point++) {
        free(w.copied[point]);
        free(w.offset[point]);
        free(w.held[point]);
    }
    free(ground);
    if (status)
        foot_path_free(out);
    return status;
}

void foot_path_free(FootPath *p)
{
    if (!p)
        return;
    for (int point = 0; point < 2; point++) {
        free(p->point[point]);
        free(p->held[point]);
    }
    free(p->handover);
    *p = (FootPath){0};
}
