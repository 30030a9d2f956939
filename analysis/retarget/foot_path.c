#include "analysis/retarget/foot_path.h"

#include <stdlib.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/spring.h"

#define SUPPLE 0.003   /* m: a foot in the air is turned back smoothly within this depth */
#define MOST_LIFT 0.1  /* leg lengths that a foot in the air is lifted over the ground */
#define STEP_LIFT 0.1 /* leg lengths: the least height of a step that breaks a contact */
#define ROLL_TIME 0.04 /* s: half width of the mean that smooths a roll */
#define RAMP 0.1       /* of a gap at either end where nothing is lifted */

/* One foot at work; arrays [frame]. */
typedef struct FootWork {
    const Kinematics *copied;
    const Sole *sole;
    const FootPathDef *def;
    FootPlace place;
    int frames;
    double dt, rise;
    Vec3 n;
    Vec3 *point[2], *hip;        /* heel, ball of the copied motion; from its ankle to its hip */
    Quat *orientation;           /* of the foot, corrected */
    Vec3 *turn, *along, *up;     /* corrections: half-angle logarithm; m along the ground; m along the normal */
    Vec3 *rate;
    uint8_t *flat, *held, *settled;
    double *ground;              /* m along the normal: what a foot in the air stays above */
    double *height, *speed;      /* m, m/s along the normal: of the copied sole */
} FootWork;

FootPathDef foot_path_default_def(void)
{
    return (FootPathDef){.place = {.most_way = 0.35, .turned_cosine = 0.7, .step_time = 0.4, .straight = 0.995,
                                   .most_shift = 0.06},
                         .omega = 12,
                         .settle_speed = 0.2,
                         .least_stance = 0.9,
                         .roll_from = 0.98,
                         .most_roll = 0.5};
}

static size_t ankle_at(const FootWork *w, int f)
{
    return (size_t)f * (size_t)w->copied->joint_count + (size_t)w->sole->ankle;
}

static Quat copied_turn(const FootWork *w, int f) { return w->copied->orientation[ankle_at(w, f)]; }

static Vec3 copied_ankle(const FootWork *w, int f)
{
    return vec3_mad(w->copied->position[ankle_at(w, f)], w->rise, w->n);
}

static int clamp_frame(const FootWork *w, int f) { return f < 0 ? 0 : f >= w->frames ? w->frames - 1 : f; }

/* The correction that lays the foot of frame f flat along the places of frame `held`. */
static Vec3 flat_turn(const FootWork *w, int f, int held)
{
    Vec3 sole = vec3_sub(w->sole->local[SOLE_BALL], w->sole->local[SOLE_HEEL]);
    Vec3 way = vec3_sub(w->place.place[1][held], w->place.place[0][held]);
    return quat_log(quat_between(quat_rotate(copied_turn(w, f), sole), way));
}

/* Turns every foot: given where both points stand, else between. */
static void turn_feet(FootWork *w)
{
    for (int f = 0; f < w->frames; f++) {
        w->flat[f] = w->place.held[0][f] && w->place.held[1][f];
        if (!w->flat[f])
            continue;
        int before = clamp_frame(w, f - 1), after = clamp_frame(w, f + 1);
        w->turn[f] = flat_turn(w, f, f);
        w->rate[f] = vec3_scale(vec3_sub(flat_turn(w, after, f), flat_turn(w, before, f)),
                                1 / (w->dt * (after - before + (after == before))));
    }
    spring_bridge(w->turn, w->rate, w->flat, w->frames, w->dt, w->def->omega);
    for (int f = 0; f < w->frames; f++)
        w->orientation[f] = quat_mul(quat_exp(w->turn[f]), copied_turn(w, f));
}

/* A foot that stands on one point is tipped so that the other one stays above the ground. */
static void keep_above(FootWork *w)
{
    for (int f = 0; f < w->frames; f++) {
        if (w->place.held[0][f] == w->place.held[1][f])
            continue;
        int pivot = w->place.held[1][f];
        Vec3 arm = quat_rotate(w->orientation[f], vec3_sub(w->sole->local[!pivot], w->sole->local[pivot]));
        double depth = -vec3_dot(arm, w->n), length = vec3_norm(arm);
        if (!(depth > 0))
            continue;
        Vec3 along = vec3_normalize(vec3_mad(arm, depth, w->n));
        double left = depth / (1 + depth / SUPPLE);
        Vec3 to = vec3_mad(vec3_scale(along, sqrt(length * length - left * left)), -left, w->n);
        w->orientation[f] = quat_mul(quat_between(arm, to), w->orientation[f]);
    }
}

/* The turn about the point it stands on by which a foot that stands on one point brings the ankle within reach of the
 * hip, as a half-angle logarithm: a heel rises, toes come up. Zero where the leg reaches or the foot would tip over. */
static Vec3 reach_turn(const FootWork *w, int f)
{
    int pivot = w->place.held[1][f];
    Vec3 ankle = quat_rotate(w->orientation[f], vec3_neg(w->sole->local[pivot]));
    Vec3 other = quat_rotate(w->orientation[f], vec3_sub(w->sole->local[!pivot], w->sole->local[pivot]));
    Vec3 hip = vec3_sub(vec3_add(copied_ankle(w, f), w->hip[f]), vec3_add(w->place.place[pivot][f], ankle));
    double excess = vec3_norm(hip) - w->def->roll_from * w->place.leg;
    Vec3 axis = vec3_cross(ankle, vec3_normalize(hip));
    double arm = vec3_norm(axis); /* m that the ankle comes nearer a rad */
    if (!(excess > 0) || !(arm > 0) || vec3_dot(vec3_cross(axis, other), w->n) < 0)
        return vec3(0, 0, 0);
    double angle = excess / arm;
    return vec3_scale(axis, 0.5 * angle / (1 + angle / w->def->most_roll) / arm);
}

/* Mean over the frames within `width` that are held, less the nearer a flat foot is. */
static Vec3 mean_held(const FootWork *w, const Vec3 *value, int f, int width)
{
    Vec3 sum = {0, 0, 0};
    int count = 0, far = 2 * width + 1;
    for (int i = f - 2 * width; i <= f + 2 * width; i++) {
        if (i < 0 || i >= w->frames || !w->held[i])
            continue;
        if (w->flat[i])
            far = abs(i - f) < far ? abs(i - f) : far;
        if (abs(i - f) > width)
            continue;
        sum = vec3_add(sum, value[i]);
        count++;
    }
    double x = (double)far / (2 * width + 1);
    return vec3_scale(sum, x * x * (3 - 2 * x) / count);
}

/* Rolls feet that stand on heel or ball so that the hips need not come down for them. */
static void roll_feet(FootWork *w)
{
    int width = (int)(ROLL_TIME / w->dt);
    for (int f = 0; f < w->frames; f++) {
        w->held[f] = w->place.held[0][f] || w->place.held[1][f];
        w->up[f] = w->held[f] && !w->flat[f] ? reach_turn(w, f) : vec3(0, 0, 0);
    }
    for (int f = 0; f < w->frames; f++)
        w->turn[f] = w->held[f] && !w->flat[f] ? mean_held(w, w->up, f, width) : vec3(0, 0, 0);
    for (int f = 0; f < w->frames; f++) {
        int before = f > 0 && w->held[f - 1] ? f - 1 : f, after = f + 1 < w->frames && w->held[f + 1] ? f + 1 : f;
        w->rate[f] =
            vec3_scale(vec3_sub(w->turn[after], w->turn[before]), 1 / (w->dt * (after - before + (after == before))));
    }
    spring_bridge(w->turn, w->rate, w->held, w->frames, w->dt, w->def->omega);
    for (int f = 0; f < w->frames; f++) {
        w->orientation[f] = quat_mul(quat_exp(w->turn[f]), w->orientation[f]);
        w->up[f] = vec3(0, 0, 0);
    }
}

/* Where the ankle of frame f would be with the foot standing as in frame `held`. */
static Vec3 standing_ankle(const FootWork *w, int f, int held)
{
    Vec3 ankle[2], belt = vec3_scale(w->place.contact->belt, w->place.scale * w->dt * (f - held));
    for (int point = 0; point < 2; point++)
        ankle[point] = vec3_sub(vec3_add(w->place.place[point][held], belt),
                                quat_rotate(w->orientation[f], w->sole->local[point]));
    if (w->flat[held])
        return vec3_scale(vec3_add(ankle[0], ankle[1]), 0.5);
    return ankle[w->place.held[1][held]];
}

/* Finds from when to when each stance is on the ground. */
static void settle(FootWork *w)
{
    for (int f = 0; f < w->frames; f++) {
        int before = clamp_frame(w, f - 1), after = clamp_frame(w, f + 1), point = w->place.held[1][f];
        double rise = vec3_dot(vec3_sub(w->point[point][after], w->point[point][before]), w->n);
        w->speed[f] = fabs(rise) / (w->dt * (after - before + (after == before)));
        w->height[f] = fmin(vec3_dot(w->point[0][f], w->n), vec3_dot(w->point[1][f], w->n));
    }
    SoleTrack track = {w->frames, w->height, w->speed, w->held};
    foot_place_settle(&track, w->def->settle_speed * sqrt(GRAVITY * w->place.leg), w->def->least_stance, w->settled);
}

/* Corrections of the ankle's path, given where the foot stands, else between. */
static void move_feet(FootWork *w)
{
    for (int f = 0; f < w->frames; f++) {
        w->held[f] = w->place.held[0][f] || w->place.held[1][f];
        if (!w->held[f])
            continue;
        int before = clamp_frame(w, f - 1), after = clamp_frame(w, f + 1);
        Vec3 off = vec3_sub(standing_ankle(w, f, f), copied_ankle(w, f));
        Vec3 a = vec3_sub(standing_ankle(w, before, f), copied_ankle(w, before));
        Vec3 b = vec3_sub(standing_ankle(w, after, f), copied_ankle(w, after));
        w->rate[f] = vec3_scale(vec3_sub(b, a), 1 / (w->dt * (after - before + (after == before))));
        w->up[f] = vec3_scale(w->n, vec3_dot(off, w->n));
        w->along[f] = vec3_sub(off, w->up[f]);
    }
    settle(w);
    spring_bridge(w->along, w->rate, w->held, w->frames, w->dt, w->def->omega);
    spring_bridge(w->up, w->rate, w->settled, w->frames, w->dt, w->def->omega);
}

/* Whether the foot is on a step that breaks a contact. */
static int is_step(const FootWork *w, int f)
{
    return !w->held[f] && w->place.contact->in_contact[foot_index(f, w->place.foot)];
}

/* A step that breaks a contact, frames [begin, end): along the ground the foot goes from where it stood to where it
 * will stand by 10 x^3 - 15 x^4 + 6 x^5, which starts and ends so slowly that the foot is in the air while it moves. */
static void step_over(FootWork *w, int begin, int end)
{
    for (int f = begin; f < end; f++) {
        double x = (f - begin + 1.0) / (end - begin + 1), s = x * x * x * (10 - x * (15 - 6 * x));
        Vec3 from = standing_ankle(w, f, begin - 1), to = standing_ankle(w, f, end);
        Vec3 off = vec3_sub(vec3_mad(vec3_scale(from, 1 - s), s, to), copied_ankle(w, f));
        w->along[f] = vec3_mad(off, -vec3_dot(off, w->n), w->n);
    }
}

static void take_steps(FootWork *w)
{
    for (int f = 1, end; f < w->frames; f = end + 1) {
        for (end = f; end < w->frames && is_step(w, end); end++)
            ;
        if (end > f && end < w->frames)
            step_over(w, f, end);
    }
}

/* The ground under the foot: that of its contact, between two of them in proportion of time. */
static void find_ground(FootWork *w)
{
    const FootContact *c = w->place.contact;
    for (int f = 0, left = -1; f <= w->frames; f++) {
        if (f < w->frames && !c->in_contact[foot_index(f, w->place.foot)])
            continue;
        double to = f < w->frames ? foot_place_ground(&w->place, f) : w->place.scale * c->height;
        double from = left >= 0 ? w->ground[left] : to;
        to = f < w->frames ? to : from;
        for (int i = left + 1; i <= f && i < w->frames; i++)
            w->ground[i] = from + (to - from) * (i - left) / (f - left);
        left = f;
    }
}

static Vec3 ankle_of(const FootWork *w, int f)
{
    Vec3 up = vec3_scale(w->n, vec3_dot(w->up[f], w->n));
    Vec3 along = vec3_mad(w->along[f], -vec3_dot(w->along[f], w->n), w->n);
    return vec3_add(copied_ankle(w, f), vec3_add(along, up));
}

/* Height of the sole's lower point above the ground. */
static double clearance_of(const FootWork *w, int f, Vec3 ankle)
{
    double heel = vec3_dot(vec3_add(ankle, quat_rotate(w->orientation[f], w->sole->local[SOLE_HEEL])), w->n);
    double ball = vec3_dot(vec3_add(ankle, quat_rotate(w->orientation[f], w->sole->local[SOLE_BALL])), w->n);
    return fmin(heel, ball) - w->ground[f];
}

/* A foot in the air between two contacts is lifted by a smooth arch, 16 x^2 (1 - x)^2 over the gap, where it would
 * graze the ground; a step that breaks a contact always is. */
static void lift_gap(FootWork *w, int begin, int end)
{
    double leg = w->place.leg, lift = 0;
    int in_contact = 1;
    for (int f = begin; f < end; f++) {
        double x = (f - begin + 1.0) / (end - begin + 1), arch = 16 * x * x * (1 - x) * (1 - x);
        in_contact = in_contact && w->place.contact->in_contact[foot_index(f, w->place.foot)];
        if (x > RAMP && x < 1 - RAMP)
            lift = fmax(lift, -clearance_of(w, f, ankle_of(w, f)) / arch);
    }
    lift = fmin(fmax(lift, in_contact ? STEP_LIFT * leg : 0), MOST_LIFT * leg);
    for (int f = begin; f < end; f++) {
        double x = (f - begin + 1.0) / (end - begin + 1), arch = 16 * x * x * (1 - x) * (1 - x);
        w->up[f] = vec3_mad(w->up[f], lift * arch, w->n);
    }
}

static void lift_feet(FootWork *w)
{
    for (int f = 0, end; f < w->frames; f = end + 1) {
        for (end = f; end < w->frames && !w->settled[end]; end++)
            ;
        if (end > f && f > 0 && end < w->frames)
            lift_gap(w, f, end);
    }
}

static void follow_foot(FootWork *w, FootPath *out)
{
    foot_place_fill(&w->place, &w->def->place);
    turn_feet(w);
    keep_above(w);
    roll_feet(w);
    move_feet(w);
    take_steps(w);
    find_ground(w);
    lift_feet(w);
    for (int f = 0; f < w->frames; f++) {
        Vec3 ankle = ankle_of(w, f);
        double depth = -clearance_of(w, f, ankle);
        if (!w->settled[f] && depth > 0)
            ankle = vec3_mad(ankle, depth - depth / (1 + depth / SUPPLE), w->n);
        out->pose[foot_index(f, w->place.foot)] = (FootPose){ankle, w->orientation[f]};
        out->held[foot_index(f, w->place.foot)] = w->held[f];
        out->ground[foot_index(f, w->place.foot)] = w->ground[f];
    }
}

/* Mean height of the ground above the copied points that should be on it. */
static double mean_rise(const TargetFeet *feet)
{
    const FootContact *c = feet->contact;
    double sum = 0;
    int count = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int f = 0; f < c->frame_count && feet->sole[foot].ankle >= 0; f++)
            for (int point = 0; point < 2; point++)
                if (c->down[point][foot_index(f, foot)]) {
                    size_t i = (size_t)f * (size_t)feet->pose->joint_count;
                    Vec3 x = sole_point(&feet->sole[foot], (SolePoint)point, feet->pose->position + i,
                                        feet->pose->orientation + i);
                    sum += feet->scale * (c->height + c->level[foot_index(f, foot)]) - vec3_dot(c->normal, x);
                    count++;
                }
    return count ? sum / count : 0;
}

/* Where the points of the copied foot are, and its hip. */
static void find_copied(FootWork *w)
{
    for (int f = 0; f < w->frames; f++) {
        const Vec3 *position = w->copied->position + (size_t)f * (size_t)w->copied->joint_count;
        const Quat *orientation = w->copied->orientation + (size_t)f * (size_t)w->copied->joint_count;
        w->hip[f] = vec3_sub(position[w->sole->hip], position[w->sole->ankle]);
        for (int point = 0; point < 2; point++)
            w->point[point][f] = vec3_mad(sole_point(w->sole, (SolePoint)point, position, orientation), w->rise, w->n);
    }
}

static FootWork work_on(const TargetFeet *feet, int foot, const FootPathDef *def, double rise, Arena *arena)
{
    size_t frames = (size_t)feet->pose->frame_count;
    FootWork w = {.copied = feet->pose, .sole = &feet->sole[foot], .def = def, .frames = feet->pose->frame_count,
                  .dt = feet->contact->frame_time, .rise = rise, .n = feet->contact->normal,
                  .hip = arena_array(arena, frames, 1, sizeof(Vec3)),
                  .orientation = arena_array(arena, frames, 1, sizeof(Quat)),
                  .turn = arena_array(arena, frames, 1, sizeof(Vec3)),
                  .along = arena_array(arena, frames, 1, sizeof(Vec3)),
                  .up = arena_array(arena, frames, 1, sizeof(Vec3)),
                  .rate = arena_array(arena, frames, 1, sizeof(Vec3)),
                  .flat = arena_array(arena, frames, 1, 1),
                  .held = arena_array(arena, frames, 1, 1),
                  .settled = arena_array(arena, frames, 1, 1),
                  .ground = arena_array(arena, frames, 1, sizeof(double)),
                  .height = arena_array(arena, frames, 1, sizeof(double)),
                  .speed = arena_array(arena, frames, 1, sizeof(double))};
    w.place = (FootPlace){.contact = feet->contact, .foot = foot, .scale = feet->scale, .leg = feet->leg,
                          .sole_length = w.sole->length, .hip = w.hip};
    for (int point = 0; point < 2; point++) {
        w.place.copied[point] = w.point[point] = arena_array(arena, frames, 1, sizeof(Vec3));
        w.place.place[point] = arena_array(arena, frames, 1, sizeof(Vec3));
        w.place.held[point] = arena_array(arena, frames, 1, 1);
    }
    return w;
}

Status foot_path_init(FootPath *out, const TargetFeet *feet, const FootPathDef *def, Arena *arena, Error *err)
{
    size_t frames = (size_t)feet->pose->frame_count;
    *out = (FootPath){.rise = mean_rise(feet),
                      .pose = arena_array(arena, frames, FOOT_COUNT, sizeof *out->pose),
                      .held = arena_array(arena, frames, FOOT_COUNT, 1),
                      .ground = arena_array(arena, frames, FOOT_COUNT, sizeof *out->ground)};
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        if (feet->sole[foot].ankle < 0)
            continue;
        ArenaMark mark = arena_mark(arena);
        FootWork w = work_on(feet, foot, def, out->rise, arena);
        if (!arena->failed) {
            find_copied(&w);
            follow_foot(&w, out);
        }
        arena_return(arena, mark);
    }
    return arena->failed ? error_no_memory(err) : STATUS_OK;
}
