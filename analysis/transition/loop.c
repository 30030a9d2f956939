/* See loop.h. */
#include "analysis/transition/loop.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"
#include "analysis/motion/forward_kinematics.h"

#define MAX_COMPARED 1200 /* frames in the search of all pairs */
#define PERIOD_COST 4.0   /* s: a loop that is longer by this counts twice the distance */
#define AT_REST 1e-9      /* m */
#define MIN_LINE 0.05     /* m between soles that state a heading */
#define SAMPLES 4000      /* pairs for the median distance */
#define ROUGH_PART 0.96   /* quantile of the change of velocity at which a seam has no cost */

enum { ROUGH_REACH = 2 }; /* frames */

LoopDef loop_default_def(void)
{
    return (LoopDef){.first = -1, .last = -1, .min_period = 0.4, .over = 0.5, .root = ROOT_MOTION_KEEP};
}

/* ---- Search ---- */

typedef struct LoopSearch {
    const PoseFeatures *features;
    const uint8_t *usable; /* [frame] NULL: all */
    double *cost;          /* [frame] factor */
    const LoopDef *def;
    double frame_time, min_excursion;
    int min; /* frames */
} LoopSearch;

static int may_be(const LoopSearch *s, int given, int frame)
{
    return given >= 0 ? frame == given : !s->usable || s->usable[frame];
}

/* RMS change of the velocity of the joints at a frame, m per squared frame, as seen from the body. */
static double roughness(const PoseFeatures *p, int frame)
{
    size_t points = (size_t)p->point_count;
    const Vec3 *now = p->place + (size_t)frame * points;
    double sum = 0;
    for (size_t i = 0; i < points; i++) {
        Vec3 change = vec3_add(vec3_sub(now[i + points], now[i]), vec3_sub(*(now + i - points), now[i]));
        sum += vec3_dot(change, change);
    }
    return sqrt(sum / (double)points);
}

/* Fills cost[frame], 1 or more: near an impact or a glitch the seam adds to what is seen there already. */
static Status cost_of_roughness(LoopSearch *s, Arena *arena, Error *err)
{
    int frames = s->features->frame_count;
    double *rough = arena_array(arena, (size_t)frames, 1, sizeof *rough);
    double *sorted = arena_array(arena, (size_t)frames, 1, sizeof *sorted);
    if (arena->failed)
        return error_no_memory(err);
    for (int f = 1; f + 1 < frames; f++)
        rough[f] = sorted[f] = roughness(s->features, f);
    double usual = track_percentile(sorted, frames, ROUGH_PART);
    for (int f = 0; f < frames; f++) {
        s->cost[f] = 1;
        for (int k = f - ROUGH_REACH; k <= f + ROUGH_REACH && usual > 0; k++)
            if (k >= 0 && k < frames)
                s->cost[f] = fmax(s->cost[f], rough[k] / usual);
    }
    return STATUS_OK;
}

static double pair_cost(const LoopSearch *s, int first, int last, double distance)
{
    return distance * (1 + (last - first) * s->frame_time / PERIOD_COST) * fmax(s->cost[first], s->cost[last]);
}

/* Median distance over pairs spread evenly over all. */
static Status median_distance(const LoopSearch *s, double *out, Error *err)
{
    Arena arena = {0};
    long frames = s->features->frame_count;
    double *distance = arena_array(&arena, SAMPLES, 1, sizeof *distance);
    if (!distance)
        return error_no_memory(err);
    for (long i = 0; i < SAMPLES; i++)
        distance[i] = pose_features_distance(s->features, (int)(i * frames / SAMPLES), s->features,
                                             (int)(i * 1597 % SAMPLES * frames / SAMPLES));
    *out = select_double(distance, SAMPLES, SAMPLES / 2);
    arena_free(&arena);
    return STATUS_OK;
}

/* Tries the pairs of a first frame with later ones, every `step`. */
static void try_first(const LoopSearch *s, int first, int step, LoopSpan *best, double *best_cost)
{
    double farthest = 0;
    for (int last = first + step; last < s->features->frame_count; last += step) {
        double distance = pose_features_distance(s->features, first, s->features, last);
        farthest = fmax(farthest, distance);
        double cost = pair_cost(s, first, last, distance);
        int is_given = s->def->first >= 0 && s->def->last >= 0;
        int leaves = farthest >= s->min_excursion && distance < farthest;
        if (last - first < s->min || !may_be(s, s->def->last, last) || !(leaves || is_given) || !(cost < *best_cost))
            continue;
        *best_cost = cost;
        *best = (LoopSpan){first, last, distance};
    }
}

/* Tries all pairs of frames `step` apart, then the neighbours of the best. */
static void try_all(const LoopSearch *s, int step, LoopSpan *best)
{
    double cost = INFINITY;
    for (int first = 0; first + s->min < s->features->frame_count; first += step)
        if (may_be(s, s->def->first, first))
            try_first(s, first, step, best, &cost);
    LoopSpan found = *best;
    for (int i = -step + 1; step > 1 && found.last > 0 && i < step; i++)
        for (int k = -step + 1; k < step; k++) {
            LoopSpan near = {found.first + i, found.last + k, 0};
            if (near.first < 0 || near.last >= s->features->frame_count || near.last - near.first < s->min ||
                !may_be(s, s->def->first, near.first) || !may_be(s, s->def->last, near.last))
                continue;
            near.distance = pose_features_distance(s->features, near.first, s->features, near.last);
            double its_cost = pair_cost(s, near.first, near.last, near.distance);
            if (its_cost < cost) {
                cost = its_cost;
                *best = near;
            }
        }
}

Status loop_find(const PoseFeatures *features, double frame_time, const uint8_t *usable, const LoopDef *def,
                 LoopSpan *out, Error *err)
{
    Arena arena = {0};
    LoopSearch s = {.features = features, .usable = usable, .def = def,
                    .frame_time = frame_time, .min = (int)fmax(ceil(def->min_period / frame_time - 1e-6), 2)};
    *out = (LoopSpan){0, 0, NAN};
    if (def->first >= 0 && def->last >= 0) {
        *out = (LoopSpan){def->first, def->last,
                          pose_features_distance(features, def->first, features, def->last)};
        return STATUS_OK;
    }
    if (features->frame_count <= s.min)
        return error_set(err, STATUS_BAD_INPUT, "%d frames are too few for a loop of at least %g s",
                         features->frame_count, def->min_period);
    s.cost = arena_array(&arena, (size_t)features->frame_count, 1, sizeof *s.cost);
    Status status = arena.failed ? error_no_memory(err) : cost_of_roughness(&s, &arena, err);
    if (!status)
        status = median_distance(&s, &s.min_excursion, err);
    int is_bound = def->first >= 0 || def->last >= 0; /* the search must not step over it */
    if (!status)
        try_all(&s, is_bound ? 1 : 1 + (features->frame_count - 1) / MAX_COMPARED, out);
    arena_free(&arena);
    if (!status && out->last <= out->first)
        return error_set(err, STATUS_BAD_INPUT, "no pose returns%s: give --from and --to",
                         is_bound ? " from there" : "");
    return status;
}

/* ---- Seam ---- */

/* What a pose lacks to be another, or how that changes. */
typedef struct PoseGap {
    Vec3 root;         /* m */
    Vec3 *rotation;    /* [joint] half-angle logarithm, joint axes */
    Vec3 *translation; /* [joint] m */
} PoseGap;

/* A pose of the clip: as it is, or in the next repetition. */
typedef struct LoopPose {
    int frame;
    const GroundMove *step; /* NULL: as it is */
} LoopPose;

typedef struct LoopSeam {
    const ClipView *clip;
    LoopSpan span;
    GroundMove step;
    int half, margin; /* frames blended, and held, on either side */
    PoseGap gap;      /* at the seam, from the end of the loop to its next repetition */
    PoseGap rate;     /* its change per frame */
} LoopSeam;

static PoseGap pose_gap(const Motion *m, Arena *arena)
{
    size_t joints = (size_t)m->joint_count;
    return (PoseGap){.rotation = arena_array(arena, joints, 1, sizeof(Vec3)),
                     .translation = arena_array(arena, joints, 1, sizeof(Vec3))};
}

static Quat rotation_at(const Motion *m, LoopPose pose, int joint)
{
    Quat q = m->rotation[motion_index(m, pose.frame, joint)];
    return joint == 0 && pose.step ? ground_move_rotation(pose.step, q) : q;
}

static Vec3 root_at(const Motion *m, LoopPose pose)
{
    Vec3 p = m->root_position[pose.frame];
    return pose.step ? ground_move_point(pose.step, p) : p;
}

/* Adds `factor` times what one pose lacks to be another. */
static void add_gap(const Motion *m, PoseGap *sum, LoopPose from, LoopPose to, double factor)
{
    sum->root = vec3_mad(sum->root, factor, vec3_sub(root_at(m, to), root_at(m, from)));
    for (int j = 0; j < m->joint_count; j++) {
        Quat turn = quat_mul(quat_conjugate(rotation_at(m, from, j)), rotation_at(m, to, j));
        sum->rotation[j] = vec3_mad(sum->rotation[j], factor, quat_log(turn));
        if (m->translation)
            sum->translation[j] = vec3_mad(sum->translation[j], factor,
                                           vec3_sub(m->translation[motion_index(m, to.frame, j)],
                                                    m->translation[motion_index(m, from.frame, j)]));
    }
}

/* Sets the rate of the gap: the slope of a line through the gap at the seam, fitted to what the clip shows on both
 * sides of both frames. A loop over the whole clip has nothing there: the velocities of its ends differ by the rate and
 * by one frame's acceleration. */
static void find_rate(LoopSeam *s, int reach)
{
    const Motion *m = s->clip->motion;
    int first = s->span.first, last = s->span.last;
    const GroundMove *step = &s->step;
    double squares = 0;
    for (int k = -reach; k <= reach; k++)
        squares += first + k >= 0 && last + k < m->frame_count ? k * k : 0;
    for (int k = -reach; k <= reach && squares > 0; k++)
        if (k != 0 && first + k >= 0 && last + k < m->frame_count) {
            add_gap(m, &s->rate, (LoopPose){last + k, NULL}, (LoopPose){first + k, step}, k / squares);
            add_gap(m, &s->rate, (LoopPose){last, NULL}, (LoopPose){first, step}, -k / squares);
        }
    if (squares > 0 || last - first < 4)
        return;
    add_gap(m, &s->rate, (LoopPose){first, step}, (LoopPose){first + 1, step}, 1.5);
    add_gap(m, &s->rate, (LoopPose){first + 1, step}, (LoopPose){first + 2, step}, -0.5);
    add_gap(m, &s->rate, (LoopPose){last - 1, NULL}, (LoopPose){last, NULL}, -1.5);
    add_gap(m, &s->rate, (LoopPose){last - 2, NULL}, (LoopPose){last - 1, NULL}, 0.5);
}

/* The line from the left sole to the right one on the ground; 0 unless both feet are in contact in both frames. */
static Vec3 feet_line(const LoopSeam *s, const StandingFeet *feet, const WorldPoses *poses)
{
    Vec3 line = vec3(0, 0, 0);
    const uint8_t *c = feet->contact.in_contact;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        const Sole *sole = &feet->sole[foot];
        if (!feet->is_known || sole->ankle < 0 || !c[foot_index(s->span.first, foot)] ||
            !c[foot_index(s->span.last, foot)])
            return vec3(0, 0, 0);
        for (int k = SOLE_HEEL; k <= SOLE_BALL; k++)
            line = vec3_mad(line, foot == FOOT_LEFT ? -0.5 : 0.5,
                            sole_point(sole, (SolePoint)k, poses->position, poses->orientation));
    }
    return vec3(line.x, 0, line.z);
}

/* Sets the step: the position of the hips on the ground continues, and their heading or, of a body on both feet, the
 * feet's. */
static Status find_step(LoopSeam *s, const StandingFeet *feet, Error *err)
{
    const Motion *m = s->clip->motion;
    int carrier = root_motion_carrier(s->clip->skeleton);
    Vec3 place[2], line[2];
    Quat turn[2];
    Arena arena = {0};
    WorldPoses poses = {.position = arena_array(&arena, 1, (size_t)m->joint_count, sizeof(Vec3)),
                        .orientation = arena_array(&arena, 1, (size_t)m->joint_count, sizeof(Quat))};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int i = 0; i < 2 && !status; i++) {
        Motion view = motion_view(m, i == 0 ? s->span.first : s->span.last, 1);
        ClipView frame = {.skeleton = s->clip->skeleton, .motion = &view};
        status = forward_kinematics(&frame, LANES_AUTO, &poses, err);
        place[i] = poses.position[carrier];
        turn[i] = poses.orientation[carrier];
        line[i] = status ? vec3(0, 0, 0) : feet_line(s, feet, &poses);
    }
    if (!status) {
        int is_on_both = fmin(vec3_norm(line[0]), vec3_norm(line[1])) > MIN_LINE;
        double yaw = elementary_atan2(vec3_cross(line[0], line[1]).y, vec3_dot(line[0], line[1]));
        s->step = (GroundMove){.yaw = is_on_both ? yaw : heading_between(turn[0], turn[1])};
        s->step.shift = vec3_sub(place[1], ground_move_point(&s->step, place[0]));
        s->step.shift.y = 0;
    }
    arena_free(&arena);
    return status;
}

static void find_gap(LoopSeam *s, Arena *arena)
{
    const Motion *m = s->clip->motion;
    s->gap = pose_gap(m, arena);
    s->rate = pose_gap(m, arena);
    if (arena->failed)
        return;
    add_gap(m, &s->gap, (LoopPose){s->span.last, NULL}, (LoopPose){s->span.first, &s->step}, 1);
    find_rate(s, (int)fmax(rint(0.05 / m->frame_time), 1));
}

/* Adds `sign` times the gap at a frame of the window to the pose there. */
static void close_gap(const LoopSeam *s, int from_seam, double sign, Motion *motion, int frame)
{
    Vec3 gap = vec3_mad(s->gap.root, from_seam, s->rate.root);
    motion->root_position[frame] = vec3_mad(motion->root_position[frame], sign, gap);
    for (int j = 0; j < motion->joint_count; j++) {
        size_t at = motion_index(motion, frame, j);
        gap = vec3_scale(vec3_mad(s->gap.rotation[j], from_seam, s->rate.rotation[j]), sign);
        motion->rotation[at] = quat_normalize(quat_mul(motion->rotation[at], quat_exp(gap)));
        if (motion->translation)
            motion->translation[at] = vec3_mad(motion->translation[at], sign,
                                               vec3_mad(s->gap.translation[j], from_seam, s->rate.translation[j]));
    }
}

/* Fills the window: before the seam the end of the loop and what follows the gap, behind it the next repetition. */
static void fill_window(const LoopSeam *s, const StandingFeet *feet, Transition *t)
{
    for (int k = 0; k < t->frame_count; k++) {
        int from_seam = k - t->seam, is_end = from_seam < 0;
        int frame = (is_end ? s->span.last : s->span.first) + from_seam;
        transition_pose(&t->outgoing, k, s->clip->motion, frame);
        transition_pose(&t->incoming, k, s->clip->motion, frame);
        if (!is_end) {
            root_motion_move(&t->outgoing, k, &s->step);
            root_motion_move(&t->incoming, k, &s->step);
        }
        close_gap(s, from_seam, is_end ? 1 : -1, is_end ? &t->incoming : &t->outgoing, k);
        if (feet->is_known)
            transition_contact(t, k, &feet->contact, frame);
    }
}

/* Copies the blended poses back into the loop; its signs follow those of the frames that stay. */
static void put_back(const LoopSeam *s, const Transition *t, Motion *out)
{
    GroundMove back = ground_move_inverse(&s->step);
    int period = s->span.last - s->span.first;
    for (int k = t->first + 1; k < t->last; k++) {
        int frame = k < t->seam ? period + k - t->seam : k - t->seam;
        transition_pose(out, frame, &t->blended, k);
        if (k >= t->seam)
            root_motion_move(out, frame, &back);
    }
    for (int j = 0; j < out->joint_count; j++) {
        for (int f = s->half - 1; f >= 0; f--) {
            Quat *q = &out->rotation[motion_index(out, f, j)];
            *q = quat_nearest(*q, out->rotation[motion_index(out, f + 1, j)]);
        }
        for (int f = period - s->half + 1; f < period; f++) {
            Quat *q = &out->rotation[motion_index(out, f, j)];
            *q = quat_nearest(*q, out->rotation[motion_index(out, f - 1, j)]);
        }
    }
}

/* Blends the seam of the loop, whose frames are in *out. */
static Status close_seam(LoopSeam *s, const StandingFeet *feet, Motion *out, Error *err)
{
    Arena arena = {0};
    Transition t = {0};
    Vec3 stance;
    int stands;
    int frames = 2 * (s->half + s->margin) + 1, last = frames - 1 - s->margin;
    Status status = transition_init(&t, (TransitionFrames){frames, s->margin, last}, s->clip->motion, &arena, err);
    if (!status) {
        find_gap(s, &arena);
        status = arena.failed ? error_no_memory(err) : STATUS_OK;
    }
    if (!status && feet->is_known) {
        t.contact.normal = feet->contact.normal;
        t.contact.height = feet->contact.height;
    }
    if (!status) {
        fill_window(s, feet, &t);
        /* a foot that stands at the seam stays where it is */
        status = transition_stance(&t, s->clip->skeleton, feet, &stance, &stands, err);
    }
    if (!status) {
        s->step.shift = vec3_add(s->step.shift, vec3(stance.x, 0, stance.z));
        find_gap(s, &arena);
        status = arena.failed ? error_no_memory(err) : STATUS_OK;
    }
    if (!status) {
        fill_window(s, feet, &t);
        status = transition_make(&t, s->clip->skeleton, feet, err);
    }
    if (!status)
        put_back(s, &t, out);
    transition_free(&t);
    arena_free(&arena);
    return status;
}

/* Whether the root stays where it is, so that another joint carries the travel. */
static int root_rests(const Motion *m)
{
    int rests = 1;
    for (int f = 1; f < m->frame_count && rests; f++)
        rests = vec3_distance(m->root_position[f], m->root_position[0]) < AT_REST &&
                fabs(quat_dot(m->rotation[motion_index(m, f, 0)], m->rotation[0])) > 1 - AT_REST;
    return rests;
}

/* Takes the step out of the path, evenly over the period. */
static void stay_in_place(const GroundMove *step, Motion *motion)
{
    for (int f = 0; f < motion->frame_count; f++) {
        GroundMove part = ground_move_fraction(step, (double)f / motion->frame_count);
        GroundMove back = ground_move_inverse(&part);
        root_motion_move(motion, f, &back);
    }
}

Status loop_make(const LoopSource *source, LoopSpan span, const LoopDef *def, Motion *out, LoopResult *result,
                 Error *err)
{
    const ClipView *clip = &source->clip;
    const StandingFeet *feet = source->feet;
    int period = span.last - span.first, margin = period / 6 < TRANSITION_MARGIN ? period / 6 : TRANSITION_MARGIN;
    double most = 0.5 * (period - margin - 1);
    LoopSeam s = {.clip = clip, .span = span, .margin = margin,
                  .half = (int)fmax(fmin(rint(0.5 * def->over / clip->motion->frame_time), most), 0)};
    Motion view = motion_view(clip->motion, span.first, period);
    *result = (LoopResult){.over = 2 * s.half * clip->motion->frame_time};
    Status status = motion_copy(out, &view, err);
    if (!status)
        status = find_step(&s, feet, err);
    if (!status && s.half > 0)
        status = close_seam(&s, feet, out, err);
    RootMotion kind = def->root;
    if (!status && def->root == ROOT_MOTION_IN_PLACE) {
        kind = root_rests(&view) ? ROOT_MOTION_HIPS : ROOT_MOTION_KEEP;
        stay_in_place(&s.step, out);
    }
    if (!status)
        status = root_motion_place(clip->skeleton, kind, out, err);
    result->step = s.step;
    if (status)
        motion_free(out);
    return status;
}
