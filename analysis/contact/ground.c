/* The ground of a clip (ground.h). Lengths that scale with the body are in leg lengths L, speeds in sqrt(g L). */
#include "analysis/contact/ground.h"

#include <math.h>
#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/ground_tilt.h"
#include "analysis/contact/ground_track.h"
#include "analysis/math/vec_median.h"

#define OTHERS_BELOW 0.15      /* L: hands or trunk that rest this far below the soles are on the ground instead of
                                  them */
#define REST_OF_OTHERS 0.1     /* of the frames */
#define REST_NEAR 0.04         /* L: rests within this distance of the common level are on it */
#define REST_TIME 0.15         /* s */
#define REST_SPAN 0.04         /* s */
#define REST_ABOVE 0.09        /* L: height above the common level that makes a step */
#define SOLE_DEPTH 0.08        /* L: largest height of toe joints and heels above their floor */
#define STEP_TIME 0.2          /* s: time before and after its rest during which a foot is on a step */
#define STEP_BELOW 0.03        /* L: largest distance below the height of its rest */
#define STEP_ABOVE 0.1         /* L: and above it */
#define LONGEST_FLIGHT 1.2     /* s: after a longer time without contact the ground is higher there */
#define UNSUPPORTED_FORCE 0.3  /* body weights: with less required force a body may be in flight */
#define SUPPORTED_FORCE 0.8    /* body weights: with more it is supported */
#define TOUCH 0.01             /* L: touching distance */
#define BELT_SPEED 0.1         /* sqrt(g L): a slower belt is foot skate */

GroundDef ground_default_def(void) { return (GroundDef){0}; }

/* Inputs and scratch of the ground detection. */
typedef struct Survey {
    const ContactPoints *points;
    const Kinematics *kinematics;
    double frame_time; /* s */
    double length;     /* m, L */
    double speed_unit; /* m/s, sqrt(g L) */
    Track track;
    double *level; /* [group] m, on the common ground */
    Vec3 *velocity; /* [frame] */
    int *queue;    /* [frame] */
} Survey;

/* Lowest level at which the skin of hands, knees or trunk rests for a while; infinite if none does. */
static double rest_of_others(const Survey *s)
{
    double lowest = INFINITY;
    for (int i = 0; i < s->points->count; i++) {
        const ContactPoint *p = &s->points->point[i];
        double level, rest;
        if (s->points->group[p->group].is_sole)
            continue;
        level = track_envelope(&s->track, p->group, s->length, s->speed_unit, &rest);
        if (rest >= REST_OF_OTHERS)
            lowest = fmin(lowest, level - p->thickness);
    }
    return lowest;
}

/* Level of each group of soles: its own envelope, unless it never reached the ground. */
static void sole_levels(const Survey *s)
{
    const ContactPoints *points = s->points;
    double lowest = INFINITY;
    for (int k = 0; k < points->group_count; k++)
        if (points->group[k].is_sole) {
            s->level[k] = track_envelope(&s->track, k, s->length, s->speed_unit, NULL);
            lowest = fmin(lowest, s->level[k]);
        }
    for (int k = 0; k < points->group_count; k++) {
        if (!points->group[k].is_sole)
            continue;
        if (points->group[k].is_heel)
            s->level[k] = fmin(s->level[k], s->level[k + 1] + points->constants->heel_above_ball * s->length);
        if (s->level[k] > lowest + points->level_spread)
            s->level[k] = lowest;
    }
}

/* Lower of the mean levels of heels and balls; 0 without soles. */
static double height_of_soles(const ContactPoints *points, const double *level)
{
    double heel = 0, ball = 0;
    int heels = 0, balls = 0;
    for (int k = 0; k < points->group_count; k++) {
        if (!points->group[k].is_sole)
            continue;
        if (points->group[k].is_heel)
            heel += level[k], heels++;
        else
            ball += level[k], balls++;
    }
    return heels ? fmin(heel / heels, ball / balls) : balls ? ball / balls : 0;
}

/* Sets the level of each group on the common ground; returns the height of the soles. */
static double common_levels(const Survey *s)
{
    sole_levels(s);
    double height = height_of_soles(s->points, s->level), other = rest_of_others(s);
    int on_others = other < height - OTHERS_BELOW * s->length;
    if (on_others)
        height = other;
    for (int k = 0; k < s->points->group_count; k++)
        if (on_others || !s->points->group[k].is_sole)
            s->level[k] = height;
    return height;
}

/* Clearance of every point above its level, and speed over the ground, in one frame. */
static void measure_points(const ContactPoints *points, const Kinematics *k, int f, Ground *g)
{
    for (int i = 0; i < points->count; i++) {
        const ContactPoint *p = &points->point[i];
        size_t at = (size_t)f * (size_t)points->count + (size_t)i;
        PointMotion motion = point_motion(k, (size_t)f * (size_t)k->joint_count + (size_t)p->joint, p->probe);
        double level = g->level[(size_t)f * (size_t)g->group_count + (size_t)p->group];
        double height = vec3_dot(g->normal, motion.position) - p->thickness;
        g->clearance[at] = fmax(0, height - level);
        Vec3 velocity = vec3_sub(motion.velocity, g->belt);
        g->rise[at] = vec3_dot(g->normal, velocity);
        g->slide[at] = vec3_norm(vec3_mad(velocity, -g->rise[at], g->normal));
    }
}

/* The group whose sole is lowest in a frame, if it is near the ground; -1: none. */
static int lowest_sole(const Survey *s, int frame)
{
    const Track *track = &s->track;
    double best = TRACK_BAND * s->length;
    int lowest = -1;
    for (int k = 0; k < track->group_count; k++) {
        double height = track->height[(size_t)frame * (size_t)track->group_count + (size_t)k] - s->level[k];
        if (!s->points->group[k].is_sole || height > best || !track_tells(track, frame))
            continue;
        best = height;
        lowest = k;
    }
    return lowest;
}

/* Median velocity of the lowest sole, one sample a frame, along the ground; zero if none is low. */
static Vec3 median_velocity(const Survey *s)
{
    const Track *track = &s->track;
    int kept = 0;
    for (int f = 0, k; f < track->frame_count; f++)
        if ((k = lowest_sole(s, f)) >= 0) {
            s->velocity[kept] = track->velocity[(size_t)f * (size_t)track->group_count + (size_t)k];
            s->velocity[kept++].y = 0;
        }
    return kept ? vec3_median(s->velocity, kept) : vec3(0, 0, 0);
}

/* Belt: the lowest soles keep moving while the root stays, and their median velocity covers several times the distance
 * of the root. Velocity of the belt, zero if there is none; speeds become relative to it. */
static Vec3 find_belt(Survey *s)
{
    const Kinematics *k = s->kinematics;
    Track *track = &s->track;
    Vec3 belt = median_velocity(s);
    Vec3 path = vec3_sub(k->position[(size_t)(k->frame_count - 1) * (size_t)k->joint_count], k->position[0]);
    double slid = vec3_norm(belt) * s->frame_time * track->frame_count;
    if (vec3_norm(belt) < BELT_SPEED * s->speed_unit || 3 * vec3_norm(vec3(path.x, 0, path.z)) > slid)
        return vec3(0, 0, 0);
    for (size_t i = 0; i < (size_t)track->frame_count * (size_t)track->group_count; i++)
        track->speed[i] = vec3_norm(vec3_sub(track->velocity[i], belt));
    return belt;
}

/* Running minimum over frames t - before .. t + after within the clip. */
static void running_min(const double *in, int frames, int before, int after, double *out, int *queue)
{
    int head = 0, tail = 0, next = 0;
    for (int t = 0; t < frames; t++) {
        for (; next < frames && next <= t + after; next++) {
            while (tail > head && in[queue[tail - 1]] >= in[next])
                tail--;
            queue[tail++] = next;
        }
        while (queue[head] < t - before)
            head++;
        out[t] = in[queue[head]];
    }
}

/* Raises the common ground where nothing reaches it, or a step, for longer than a flight lasts: a morphological opening
 * of the lowest clearance over the duration of a flight, that is a running minimum followed by a running maximum
 * (minimum of the negatives). */
static void lift_levels(Survey *s, Ground *g)
{
    int frames = g->frame_count, width = (int)(LONGEST_FLIGHT / s->frame_time);
    double *clearance = s->track.scratch, *min = s->track.scratch2;
    if (width > frames - 1)
        width = frames - 1;
    for (int f = 0; f < frames; f++) {
        clearance[f] = INFINITY;
        for (int i = 0; i < g->point_count; i++)
            clearance[f] = fmin(clearance[f], g->clearance[(size_t)f * (size_t)g->point_count + (size_t)i]);
    }
    running_min(clearance, frames, 0, width, min, s->queue);
    for (int f = 0; f < frames; f++) /* beyond frames - width the flight would exceed the clip */
        min[f] = f < frames - width ? -min[f] : INFINITY;
    running_min(min, frames, width, 0, g->lift, s->queue);
    for (int f = 0; f < frames; f++) {
        g->lift[f] = 0 - g->lift[f];
        for (size_t i = (size_t)f * (size_t)g->group_count; i < (size_t)(f + 1) * (size_t)g->group_count; i++)
            g->level[i] += g->raised[i] ? 0 : g->lift[f];
        if (g->lift[f] > 0)
            measure_points(s->points, s->kinematics, f, g);
    }
}

/* Speed of a group over the ground, averaged over REST_SPAN on either side to suppress noise. */
static double steady_speed(const Survey *s, const Ground *g, int frame, int group)
{
    int span = (int)(REST_SPAN / s->frame_time + 0.5) + 1;
    int before = frame > span ? frame - span : 0;
    int after = frame + span < g->frame_count ? frame + span : g->frame_count - 1;
    size_t groups = (size_t)g->group_count;
    Vec3 path = vec3_sub(s->track.position[(size_t)after * groups + (size_t)group],
                         s->track.position[(size_t)before * groups + (size_t)group]);
    double time = (after - before) * s->frame_time;
    return time > 0 ? vec3_norm(vec3_mad(path, -time, g->belt)) / time : 0;
}

/* Sets the level of a group in a frame if it is higher than that of the ground. */
static void set_level(const Survey *s, Ground *g, int frame, int group, double level)
{
    size_t i = (size_t)frame * (size_t)g->group_count + (size_t)group;
    double common = s->level[group];
    g->raised[i] = level > common + REST_ABOVE * s->length;
    if (level > common + REST_NEAR * s->length)
        g->level[i] = level;
}

/* Whether the height is near that of a rest. */
static int is_near(const Survey *s, int frame, int group, double level)
{
    double above = s->track.height[(size_t)frame * (size_t)s->track.group_count + (size_t)group] - level;
    return above > -STEP_BELOW * s->length && above < STEP_ABOVE * s->length;
}

/* A foot lands on a step before it rests there and pushes off after: all of its groups are on the step on which `group`
 * rested from begin to end - 1, as long as that is near. */
static void hold_step(const Survey *s, Ground *g, int group, int begin, int end, double level)
{
    const ContactGroup *of = s->points->group;
    int max = (int)(STEP_TIME / s->frame_time), first = begin, last = end;
    double height = level - s->level[group];
    if (height <= REST_ABOVE * s->length)
        return;
    while (first > 0 && first > begin - max && is_near(s, first - 1, group, level))
        first--;
    while (last < g->frame_count && last < end + max && is_near(s, last, group, level))
        last++;
    for (int k = 0; k < g->group_count; k++)
        for (int t = first; t < last && of[k].limb == of[group].limb && of[k].is_sole; t++)
            if (k == group || !g->raised[(size_t)t * (size_t)g->group_count + (size_t)k])
                set_level(s, g, t, k, s->level[k] + height);
}

/* If a sole rests for a while, its median height is the level: of uneven ground near the common level, or of a step or
 * box well above it. */
static void rest_levels(Survey *s, Ground *g)
{
    for (int k = 0; k < g->group_count; k++) {
        if (!s->points->group[k].is_sole)
            continue;
        for (int f = 0, end; f < g->frame_count; f = end + 1) {
            int kept = 0;
            for (end = f; end < g->frame_count; end++) {
                if (steady_speed(s, g, end, k) > GROUND_REST_SPEED * s->speed_unit)
                    break;
                s->track.scratch[kept++] = s->track.height[(size_t)end * (size_t)g->group_count + (size_t)k];
            }
            if (kept * s->frame_time < REST_TIME)
                continue;
            double level = track_percentile(s->track.scratch, kept, 0.5);
            for (int t = f; t < end; t++)
                set_level(s, g, t, k, level);
            hold_step(s, g, k, f, end, level);
        }
    }
}

static Ground ground_new(const ContactPoints *points, int frames)
{
    size_t f = (size_t)frames, groups = (size_t)points->group_count, count = (size_t)points->count;
    Arena memory = {0};
    Ground g = {.frame_count = frames, .group_count = points->group_count, .point_count = points->count,
                .normal = {0, 1, 0}};
    g.level = arena_array(&memory, f, groups, sizeof *g.level);
    g.lift = arena_array(&memory, f, 1, sizeof *g.lift);
    g.raised = arena_array(&memory, f, groups, sizeof *g.raised);
    g.clearance = arena_array(&memory, f, count, sizeof *g.clearance);
    g.slide = arena_array(&memory, f, count, sizeof *g.slide);
    g.rise = arena_array(&memory, f, count, sizeof *g.rise);
    g.memory = memory;
    return g;
}

/* Height and tilt of the common ground, the belt, and the levels of the groups. */
static Status find_plane(Survey *s, const GroundDef *def, Ground *g, Error *err)
{
    track_follow(s->points, s->kinematics, &s->track);
    track_measure_heights(&s->track, g->normal);
    g->height = common_levels(s);
    Status status = ground_tilt(s->points, &s->track, s->speed_unit, &g->normal, err);
    if (status)
        return status;
    if (g->normal.y < 1) {
        track_measure_heights(&s->track, g->normal);
        g->height = common_levels(s);
    }
    g->belt = find_belt(s);
    if (def->found)
        *def->found = g->height / g->normal.y;
    double shift = def->has_height ? def->height * g->normal.y - g->height : 0;
    if (fabs(shift) > s->length)
        return error_set(err, STATUS_BAD_INPUT, "--ground %g is %.3g m from the height at which the clip touches the "
                                                "ground, %.3g m",
                         def->height, fabs(shift), g->height / g->normal.y);
    /* Forces act at the floor; joints of resting soles are a little above or below it. */
    double max = SOLE_DEPTH * s->length, moved = fabs(shift) > max ? copysign(fabs(shift) - max, shift) : 0;
    g->height += shift;
    for (int k = 0; k < g->group_count; k++)
        s->level[k] += moved;
    for (int f = 0; f < g->frame_count; f++)
        for (int k = 0; k < g->group_count; k++)
            g->level[(size_t)f * (size_t)g->group_count + (size_t)k] = s->level[k];
    return STATUS_OK;
}

/* NULL if no frame is informative: all are used then. */
static const uint8_t *allocate_bridged(const GroundDef *def, int frames)
{
    return def->bridged && memchr(def->bridged, 0, (size_t)frames) ? def->bridged : NULL;
}

Status ground_estimate(const ContactPoints *points, const Kinematics *kinematics, double frame_time,
                       const GroundDef *def, Ground *out, Error *err)
{
    int frames = kinematics->frame_count;
    Arena arena = {0};
    Survey s = {.points = points, .kinematics = kinematics, .frame_time = frame_time, .length = points->leg_length,
                .speed_unit = sqrt(GRAVITY * points->leg_length),
                .track = track_new(frames, points->group_count, &arena),
                .level = arena_array(&arena, (size_t)points->group_count, 1, sizeof *s.level),
                .velocity = arena_space(&arena, (size_t)frames, 1, sizeof *s.velocity),
                .queue = arena_array(&arena, (size_t)frames, 1, sizeof *s.queue)};
    s.track.bridged = allocate_bridged(def, frames);
    *out = ground_new(points, frames);
    Status status = arena.failed || out->memory.failed ? error_no_memory(err) : find_plane(&s, def, out, err);
    if (!status) {
        rest_levels(&s, out);
        for (int f = 0; f < frames; f++)
            measure_points(points, kinematics, f, out);
        if (!def->has_height)
            lift_levels(&s, out);
    } else {
        ground_free(out);
    }
    arena_free(&arena);
    return status;
}

double ground_support_certainty(double required)
{
    return fmax(0, fmin(1, (required - UNSUPPORTED_FORCE) / (SUPPORTED_FORCE - UNSUPPORTED_FORCE)));
}

void ground_raise(const ContactPoints *points, const double *required, Ground *g)
{
    size_t count = (size_t)points->count, groups = (size_t)g->group_count;
    for (size_t f = 0; f < (size_t)g->frame_count; f++) {
        double *clearance = g->clearance + f * count, min = INFINITY;
        for (size_t i = 0; i < count; i++)
            min = fmin(min, clearance[i]);
        double rise = ground_support_certainty(required[f]) * (min - TOUCH * points->leg_length);
        if (!(rise > 0) || min > GROUND_UNEVEN * points->leg_length)
            continue;
        g->lift[f] += rise;
        for (size_t i = 0; i < count; i++)
            clearance[i] = fmax(0, clearance[i] - rise);
        for (size_t k = 0; k < groups; k++)
            g->level[f * groups + k] += rise;
    }
}

void ground_free(Ground *g)
{
    if (!g)
        return;
    arena_free(&g->memory);
    *g = (Ground){0};
}
