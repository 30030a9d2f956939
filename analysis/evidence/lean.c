/* See lean.h. */
#include "analysis/evidence/lean.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/evidence/force_balance.h"
#include "analysis/evidence/resting.h"
#include "analysis/evidence/strides.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec_median.h"

enum { MAX_FRAMES = 300, MIN_FRAMES = 10, MIN_FALL = 5, BALANCE_FRAMES = 100 };

static const double gravity = 9.80665, degree = 0.017453292519943295;
static const double window = 0.12;         /* s, over which acceleration is taken */
static const double support_height = 0.3;  /* of the body's size, above its lowest point: feet in a leaning world */
static const double close_together = 0.45; /* of the body's size: supports whose middle carries the load */

static const double fall_misfit = 0.15;    /* of g: acceleration of a free fall */
static const double fall_nearest = 0.82;   /* cosine of 35 degrees: its angle to the axis of the file */

/* Standard deviations of the direction of the force in clips whose world is level: walking; other motions, whose centre
 * of pressure may be anywhere in the feet; free fall (RMS of 38 running trials of 13 people 3.9); the plane of the
 * floor. */
static const double spread_walking = 2, spread_other = 5, spread_fall = 4, spread_floor = 0.7; /* degrees */
static const double significant = 2.5, nearly = 2; /* standard deviations: alone; where the balance agrees */
static const double level_prior = 4; /* log odds of a level world */
static const double level_floor = 2;   /* degrees: a floor that is level along the axis */
static const double long_enough = 0.3; /* of the body's size: standard deviation of the places along the path */

typedef struct LeanScratch {
    int *point;     /* [point] */
    Vec3 *mean;     /* [point] of the places at rest */
    int *count;     /* [point] */
    Vec3 *up;       /* [frame] directions of the force */
} LeanScratch;

typedef struct LeanFrames {
    int first, last, step, reach;
} LeanFrames;

/* The direction that the frames show. */
typedef struct LeanForce {
    int frames;
    Vec3 up;
} LeanForce;

/* Middle of the supports of a frame; 0 if there are none or they are far apart. */
static int supports_middle(const BodyTrack *track, int frame, const RestingDef *resting, int *point, Vec3 *middle)
{
    double lowest;
    const Vec3 *at = body_track_frame(track, frame);
    int count = resting_points(track, frame, resting, point, &lowest);
    *middle = vec3(0, 0, 0);
    for (int i = 0; i < count; i++)
        *middle = vec3_mad(*middle, 1.0 / count, at[point[i]]);
    for (int i = 0; i < count; i++)
        if (vec3_distance(at[point[i]], *middle) > 0.5 * close_together * track->size)
            return 0;
    return count > 0;
}

/* Solves g up = lambda d - a with |up| = 1; 0 if there is no solution. */
static int up_from_force(Vec3 from_support, Vec3 acceleration, double g, Vec3 *up)
{
    Vec3 d = vec3_normalize(from_support);
    double along = vec3_dot(acceleration, d);
    double square = along * along - vec3_dot(acceleration, acceleration) + g * g;
    if (square < 0)
        return 0;
    *up = vec3_scale(vec3_mad(vec3_neg(acceleration), along + sqrt(square), d), 1 / g);
    return 1;
}

/* Median of the directions of all frames. */
static LeanForce force_direction(const BodyTrack *track, const LeanFrames *frames, const RestingDef *resting,
                                 LeanScratch *s)
{
    LeanForce force = {0};
    for (int f = frames->first; f <= frames->last; f += frames->step) {
        Vec3 middle;
        Vec3 acceleration = body_track_acceleration(track, f, frames->reach, resting->rate_factor);
        if (supports_middle(track, f, resting, s->point, &middle) &&
            up_from_force(vec3_sub(track->com[f], middle), acceleration, gravity * track->metre, &s->up[force.frames]))
            force.frames++;
    }
    if (force.frames > 0)
        force.up = vec3_normalize(vec3_median(s->up, force.frames));
    return force;
}

/* Median over the frames in which no point rests and the centre of mass falls freely: gravity itself. */
static LeanForce fall_direction(const BodyTrack *track, const LeanFrames *frames, const RestingDef *resting,
                                LeanScratch *s)
{
    LeanForce fall = {0};
    double g = gravity * track->metre, lowest;
    for (int f = frames->first; f <= frames->last; f += frames->step) {
        Vec3 up = vec3_neg(body_track_acceleration(track, f, frames->reach, resting->rate_factor));
        double size = vec3_norm(up);
        if (fabs(size - g) < fall_misfit * g && vec3_dot(up, resting->up) > fall_nearest * size &&
            resting_points(track, f, resting, s->point, &lowest) == 0)
            s->up[fall.frames++] = vec3_scale(up, 1 / size);
    }
    if (fall.frames > 0)
        fall.up = vec3_normalize(vec3_median(s->up, fall.frames));
    return fall;
}

/* The mean of both directions, weighted by their spreads, and its spread (rad). */
static Vec3 mean_direction(const LeanForce *force, double of_force, const LeanForce *fall, double *spread)
{
    double a = force->frames >= MIN_FRAMES ? 1 / (of_force * of_force) : 0;
    double b = fall->frames >= MIN_FALL ? 1 / (spread_fall * spread_fall) : 0;
    *spread = degree / sqrt(a + b);
    return vec3_normalize(vec3_mad(vec3_scale(force->up, a), b, fall->up));
}

/* ---- Floor ---- */

/* Direction along which the places of points at rest spread most, and its standard deviation; 0 if they hardly
 * spread. */
static double floor_direction(const BodyTrack *track, const LeanFrames *frames, const RestingDef *resting,
                              LeanScratch *s, Vec3 *direction)
{
    Sym3 scatter = {0};
    int total = 0, count;
    double lowest;
    memset(s->mean, 0, (size_t)track->point_count * sizeof *s->mean);
    memset(s->count, 0, (size_t)track->point_count * sizeof *s->count);
    for (int f = frames->first; f <= frames->last; f += frames->step) {
        count = resting_points(track, f, resting, s->point, &lowest);
        for (int i = 0; i < count; i++) {
            int p = s->point[i];
            s->mean[p] = vec3_add(s->mean[p], body_track_frame(track, f)[p]);
            s->count[p]++;
        }
    }
    for (int f = frames->first; f <= frames->last; f += frames->step) {
        count = resting_points(track, f, resting, s->point, &lowest);
        for (int i = 0; i < count; i++) {
            int p = s->point[i];
            Vec3 off = vec3_mad(body_track_frame(track, f)[p], -1.0 / s->count[p], s->mean[p]);
            scatter.xx += off.x * off.x;
            scatter.yy += off.y * off.y;
            scatter.zz += off.z * off.z;
            scatter.xy += off.x * off.y;
            scatter.xz += off.x * off.z;
            scatter.yz += off.y * off.z;
            total++;
        }
    }
    if (total == 0)
        return 0;
    Mat3 axes;
    Vec3 principal = sym3_principal(scatter, &axes);
    int longest = principal.y > principal.x ? 1 : 0;
    longest = principal.z > vec3_component(principal, longest) ? 2 : longest;
    *direction = axes.r[longest];
    return sqrt(fmax(0, vec3_component(principal, longest)) / total);
}

static double angle_between(Vec3 a, Vec3 b) { return elementary_acos(fmax(-1, fmin(1, vec3_dot(a, b)))); }

static double angle_to_level(Vec3 direction, Vec3 up)
{
    return fabs(elementary_asin(fmax(-1, fmin(1, vec3_dot(direction, up)))));
}

/* Takes the floor along the path for level if that agrees with the forces or with the axis. */
static void use_floor(const BodyTrack *track, Vec3 axis, Vec3 floor, double extent, LeanJudgement *out)
{
    if (!(extent > long_enough * track->size))
        return;
    out->slope = angle_to_level(floor, out->up);
    if (out->slope > significant * out->spread && angle_to_level(floor, axis) > level_floor * degree)
        return;
    out->slope = 0;
    out->up = vec3_normalize(vec3_mad(out->up, -vec3_dot(out->up, floor), floor));
    out->angle = angle_between(axis, out->up);
    Vec3 across = vec3_normalize(vec3_mad(out->up, -vec3_dot(out->up, axis), axis));
    double along = vec3_dot(across, floor), floors = spread_floor * degree;
    out->spread = sqrt(along * along * floors * floors + (1 - along * along) * out->spread * out->spread);
}

static Status confirm(const BodyTrack *track, Vec3 axis, double rate_factor, LeanJudgement *out, Error *err)
{
    Balance along_axis, along_up;
    Status status = balance_measure(track, axis, rate_factor, BALANCE_FRAMES, &along_axis, err);
    if (!status)
        status = balance_measure(track, out->up, rate_factor, BALANCE_FRAMES, &along_up, err);
    if (status)
        return status;
    double z = out->angle / out->spread, balance = 8 * (along_up.unexplained - along_axis.unexplained);
    int is_significant = z > significant || (z > nearly && level_prior - 0.5 * z * z + balance < 0);
    out->is_leaning = out->angle >= LEAN_REPORTED && is_significant && balance <= 0;
    evidence_add(&out->evidence, -0.5 * z * z, "the force on the supports leans by %.0f degrees",
                 out->angle / degree);
    evidence_add(&out->evidence, balance,
                 "%.0f %% of the force unexplained, %.0f %% along gravity as the motion shows it",
                 100 * along_axis.unexplained, 100 * along_up.unexplained);
    return STATUS_OK;
}

/* resting: with the axis as up. */
static Status judge(const BodyTrack *track, RestingDef resting, const LeanFrames *frames, LeanScratch *s,
                    LeanJudgement *out, Error *err)
{
    Vec3 axis = resting.up;
    LeanForce force = force_direction(track, frames, &resting, s), fall = fall_direction(track, frames, &resting, s);
    Strides strides;
    Vec3 floor = vec3(0, 0, 0);
    Status status = strides_measure(track, axis, &strides, err);
    if (status || (force.frames < MIN_FRAMES && fall.frames < MIN_FALL))
        return status;
    out->frames = force.frames + fall.frames;
    double of_force = strides_are_walking(&strides) ? spread_walking : spread_other;
    out->up = mean_direction(&force, of_force, &fall, &out->spread);
    out->angle = angle_between(axis, out->up);
    if (out->angle > significant * out->spread) {
        resting.up = out->up;
        double extent = floor_direction(track, frames, &resting, s, &floor);
        use_floor(track, axis, floor, extent, out);
    }
    return confirm(track, axis, resting.rate_factor, out, err);
}

static double level_confidence(const LeanJudgement *lean)
{
    double z = lean->angle / lean->spread, odds = level_prior;
    if (lean->is_leaning)
        return elementary_exp(-0.5 * z * z);
    for (int i = 0; i < lean->evidence.count; i++)
        odds += lean->evidence.observation[i].log_odds;
    return fmax(0.5, 1 / (1 + elementary_exp(-odds)));
}

Status lean_judge(const BodyTrack *track, Vec3 axis, double rate_factor, LeanJudgement *out, Error *err)
{
    *out = (LeanJudgement){.up = axis, .evidence.confidence = 1};
    LeanFrames frames = {.reach = body_track_frames(track, 0.5 * window, rate_factor)};
    frames.first = (int)fmax(frames.reach, resting_margin(track, rate_factor));
    frames.last = track->frame_count - 1 - frames.first;
    frames.step = (int)fmax(1, ceil((frames.last - frames.first + 1) / (double)MAX_FRAMES));
    if (frames.last < frames.first || !(track->leg > 0)) /* the centre of mass of a creature is not known well enough */
        return STATUS_OK;
    Arena arena = {0};
    size_t points = (size_t)track->point_count;
    LeanScratch s = {arena_space(&arena, points, 1, sizeof *s.point), arena_space(&arena, points, 1, sizeof *s.mean),
                     arena_space(&arena, points, 1, sizeof *s.count),
                     arena_space(&arena, MAX_FRAMES + 1, 1, sizeof *s.up)};
    RestingDef resting = {axis, rate_factor, support_height};
    Status status = arena.failed ? error_no_memory(err) : judge(track, resting, &frames, &s, out, err);
    arena_free(&arena);
    if (!status && out->frames > 0)
        out->evidence.confidence = level_confidence(out);
    return status;
}
