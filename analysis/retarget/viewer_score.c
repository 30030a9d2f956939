/* See viewer_score.h. */
#include "analysis/retarget/viewer_score.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/contact/ground_track.h"
#include "analysis/retarget/limb.h"
#include "analysis/retarget/limb_twist.h"
#include "analysis/retarget/root_placement.h"

#define GIRDLE_QUANTILE 0.98 /* of the frames */

/* A segment whose facing is scored: the line that its joint carries, and the bone about which it turns. */
typedef struct Segment {
    Role joint;      /* ROLE_CHEST: the joint that carries the shoulders */
    Role from, to;   /* line from right to left, trunk; bone, limbs */
    int is_limb;
} Segment;

enum { PELVIS, CHEST, HEAD, LEFT_THIGH, RIGHT_THIGH, LEFT_FOREARM, RIGHT_FOREARM, LEFT_HAND, RIGHT_HAND, SEGMENTS };
static const Segment segments[SEGMENTS] = {
    [PELVIS] = {ROLE_HIPS, ROLE_RIGHT_HIP, ROLE_LEFT_HIP, 0},
    [CHEST] = {ROLE_CHEST, ROLE_RIGHT_SHOULDER, ROLE_LEFT_SHOULDER, 0},
    [HEAD] = {ROLE_HEAD, ROLE_RIGHT_HIP, ROLE_LEFT_HIP, 0},
    [LEFT_THIGH] = {ROLE_LEFT_HIP, ROLE_LEFT_HIP, ROLE_LEFT_KNEE, 1},
    [RIGHT_THIGH] = {ROLE_RIGHT_HIP, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, 1},
    [LEFT_FOREARM] = {ROLE_LEFT_ELBOW, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, 1},
    [RIGHT_FOREARM] = {ROLE_RIGHT_ELBOW, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, 1},
    [LEFT_HAND] = {ROLE_LEFT_WRIST, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, 1},
    [RIGHT_HAND] = {ROLE_RIGHT_WRIST, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, 1},
};

/* A direction that a segment carries: the left of the trunk's, the front of limbs hanging straight down. */
typedef struct Marker {
    int joint;  /* -1: unknown */
    Vec3 local; /* unit, axes of the joint */
} Marker;

typedef struct Markers {
    Marker of[SEGMENTS];
    double girdle; /* m, between the shoulders in the standing pose; 0: unknown */
} Markers;

/* The joint that carries the shoulders: the first ancestor of both that is no clavicle. */
static int chest_joint(const ReferencePose *r)
{
    const Skeleton *s = r->skeleton;
    int j = r->joint[ROLE_LEFT_SHOULDER], right = r->joint[ROLE_RIGHT_SHOULDER];
    while (j >= 0 && right >= 0 && (!limb_is_ancestor(s, j, right) || s->role[j] == ROLE_LEFT_CLAVICLE))
        j = s->parent[j];
    return right < 0 ? -1 : j;
}

static Marker find_marker(const ReferencePose *r, const Segment *segment)
{
    Marker m = {segment->joint == ROLE_CHEST ? chest_joint(r) : r->joint[segment->joint], {0, 0, 0}};
    Vec3 line = reference_between(r, segment->from, segment->to);
    if (m.joint < 0 || !(vec3_norm(line) > 0))
        return (Marker){.joint = -1};
    if (segment->is_limb) {
        Vec3 down = quat_rotate(r->body, vec3(0, -1, 0)), front = quat_rotate(r->body, vec3(0, 0, 1));
        line = quat_rotate(quat_between(down, line), front);
    }
    m.local = quat_rotate_inverse(r->orientation[m.joint], vec3_normalize(line));
    return m;
}

/* Finds the markers in the rest pose if that was compared, otherwise in the mean of the standing frames, and for limbs
 * by the sides to which knees and elbows bend. */
static Status find_markers(const ClipView *body, const ReferencePose *compared, Arena *arena, Markers *out, Error *err)
{
    ReferencePose r;
    int is_still = !body->motion || body->motion->frame_count < 1;
    int rest = compared->frame < 0 && !body->skeleton->standing ? REFERENCE_REST
               : is_still                                         ? REFERENCE_AUTO : REFERENCE_MEAN;
    Status status = reference_pose_init(&r, body, rest, arena, err);
    for (int i = 0; i < SEGMENTS && !status; i++) {
        out->of[i] = find_marker(&r, &segments[i]);
        if (segments[i].is_limb && rest == REFERENCE_MEAN)
            limb_twist_front(&r, body->motion, segments[i].joint, &out->of[i].local);
    }
    if (!status)
        out->girdle = vec3_norm(reference_between(&r, ROLE_RIGHT_SHOULDER, ROLE_LEFT_SHOULDER));
    return status;
}

static Vec3 marker_at(const ScoredPose *p, const Marker *m, int f)
{
    return quat_rotate(scored_orientations(p, f)[m->joint], m->local);
}

/* Angles of a segment's marker to the source's, degrees. */
static ScoreMean facing(const ScoredPair *pair, const Marker *target, const Marker *source)
{
    ScoreMean mean = {0};
    for (int f = 0; f < pair->frame_count && target->joint >= 0 && source->joint >= 0; f++)
        score_add(&mean, scored_angle(marker_at(&pair->target, target, f), marker_at(&pair->source, source, f)), f);
    return mean;
}

/* Of two sides, the worse. */
static void score_facing(const ScoredPair *pair, const Markers *target, const Markers *source, RetargetScore *score)
{
    static const int worst[SEGMENTS] = {
        [PELVIS] = WORST_facing_pelvis_deg, [CHEST] = WORST_facing_chest_deg, [HEAD] = WORST_facing_head_deg,
        [LEFT_THIGH] = WORST_facing_thigh_deg, [RIGHT_THIGH] = WORST_facing_thigh_deg,
        [LEFT_FOREARM] = WORST_facing_forearm_deg, [RIGHT_FOREARM] = WORST_facing_forearm_deg,
        [LEFT_HAND] = WORST_facing_hand_deg, [RIGHT_HAND] = WORST_facing_hand_deg};
    double *const value[SEGMENTS] = {
        [PELVIS] = &score->facing_pelvis_deg, [CHEST] = &score->facing_chest_deg, [HEAD] = &score->facing_head_deg,
        [LEFT_THIGH] = &score->facing_thigh_deg, [RIGHT_THIGH] = &score->facing_thigh_deg,
        [LEFT_FOREARM] = &score->facing_forearm_deg, [RIGHT_FOREARM] = &score->facing_forearm_deg,
        [LEFT_HAND] = &score->facing_hand_deg, [RIGHT_HAND] = &score->facing_hand_deg};
    for (int i = 0; i < SEGMENTS; i++) {
        ScoreMean mean = facing(pair, &target->of[i], &source->of[i]);
        if (mean.count == 0 || !(isnan(*value[i]) || score_mean(&mean) > *value[i]))
            continue;
        *value[i] = score_mean(&mean);
        score->worst_frame[worst[i]] = score_worst(&mean);
    }
}

/* Depth of the deepest point of both feet below the floor, m. */
static double foot_depth(const ScoredPose *p, const FootContact *c, double scale, int f)
{
    double max = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        double floor = scale * (c->height + c->level[foot_index(f, foot)]);
        max = fmax(max, floor - foot_outline_height(&p->pose.outline[foot], scored_positions(p, f),
                                                    scored_orientations(p, f), c->normal));
    }
    return max;
}

static void score_sink(const ScoredPair *pair, RetargetScore *score)
{
    ScoreMean sink = {0};
    for (int f = 0; f < pair->frame_count; f++)
        score_add(&sink, foot_depth(&pair->target, pair->contact, pair->scale, f) -
                             pair->scale * foot_depth(&pair->source, pair->contact, 1, f), f);
    score->sink_increase_cm = sink.count > 0 ? 100 * sink.max : NAN;
    score->worst_frame[WORST_sink_increase_cm] = score_worst(&sink);
}

static double width(const ScoredPose *p, Role from, Role to, int f)
{
    return vec3_norm(scored_between(p, f, from, to));
}

static Status score_girdle(const ScoredPair *pair, const Markers *target, const Markers *source, Arena *arena,
                           RetargetScore *score, Error *err)
{
    double *value = arena_array(arena, (size_t)pair->frame_count, 1, sizeof *value);
    ScoreMean change = {0};
    if (!value)
        return error_no_memory(err);
    if (!(target->girdle > 0) || !(source->girdle > 0))
        return STATUS_OK;
    for (int f = 0; f < pair->frame_count; f++) {
        double t = width(&pair->target, ROLE_RIGHT_SHOULDER, ROLE_LEFT_SHOULDER, f) / target->girdle;
        double s = width(&pair->source, ROLE_RIGHT_SHOULDER, ROLE_LEFT_SHOULDER, f) / source->girdle;
        value[f] = s > 0 ? fabs(t / s - 1) : 1;
        score_add(&change, value[f], f);
    }
    score->worst_frame[WORST_girdle_width_change] = score_worst(&change);
    score->girdle_width_change = track_percentile(value, pair->frame_count, GIRDLE_QUANTILE);
    return STATUS_OK;
}

static double arms_length(const ReferencePose *r)
{
    return vec3_norm(reference_between(r, ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW)) +
           vec3_norm(reference_between(r, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST)) +
           vec3_norm(reference_between(r, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW)) +
           vec3_norm(reference_between(r, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST));
}

/* Only while the source's wrists are closer than its shoulders: elsewhere wide shoulders hold them apart. */
static void score_hands(const ScoredPair *pair, const Markers *from, RetargetScore *score)
{
    ScoreMean apart = {0};
    double target = arms_length(pair->target.reference), source = arms_length(pair->source.reference);
    const int *t = pair->target.reference->joint, *s = pair->source.reference->joint;
    if (t[ROLE_LEFT_WRIST] < 0 || t[ROLE_RIGHT_WRIST] < 0 || s[ROLE_LEFT_WRIST] < 0 || s[ROLE_RIGHT_WRIST] < 0 ||
        !(source > 0))
        return;
    for (int f = 0; f < pair->frame_count; f++) {
        double apart_t = width(&pair->target, ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST, f),
               apart_s = width(&pair->source, ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST, f);
        if (apart_s < from->girdle)
            score_add(&apart, fabs(apart_t - target / source * apart_s), f);
    }
    score->hands_apart_cm = 100 * score_mean(&apart);
    score->worst_frame[WORST_hands_apart_cm] = score_worst(&apart);
}

Status viewer_score(const ScoredPair *pair, const ClipView *target, const ClipView *source, RetargetScore *score,
                    Error *err)
{
    Arena arena = {0};
    Markers t = {0}, s = {0};
    Status status = find_markers(target, pair->target.reference, &arena, &t, err);
    if (!status)
        status = find_markers(source, pair->source.reference, &arena, &s, err);
    if (!status) {
        score_facing(pair, &t, &s, score);
        score_hands(pair, &s, score);
        if (pair->contact)
            score_sink(pair, score);
        status = score_girdle(pair, &t, &s, &arena, score, err);
    }
    arena_free(&arena);
    return status;
}

/* A root and what it should follow. */
typedef struct RootTrack {
    const ClipView *source;
    const Motion *motion; /* of the target */
    RootMotion kind;      /* of the target's root */
    int followed;         /* joint of the source */
    double scale;
    Vec3 own;             /* m, of the target's root in its own frame 0 */
} RootTrack;

/* Where the root's kind belongs in a frame, m, up to a constant. */
static Vec3 root_wanted(const RootTrack *r, int f)
{
    Vec3 wanted = root_motion_pose(r->source->skeleton, r->source->motion, f, r->followed).position;
    wanted = vec3_scale(wanted, r->scale);
    if (r->kind == ROOT_MOTION_HIPS)
        return r->own;
    if (r->kind == ROOT_MOTION_TRAVEL)
        wanted.y = r->own.y;
    return wanted;
}

static double along_ground(Vec3 v) { return sqrt(v.x * v.x + v.z * v.z); }

static void score_track(const RootTrack *r, double *rise, double *scratch, RetargetScore *score)
{
    ScoreMean height = {0}, path = {0};
    int frames = r->motion->frame_count;
    Vec3 start = {0, 0, 0};
    double middle = 0;
    for (int f = 0; f < frames; f++) {
        Vec3 away = vec3_sub(r->motion->root_position[f], root_wanted(r, f));
        start = f == 0 ? away : start;
        rise[f] = scratch[f] = away.y;
        score_add(&path, along_ground(vec3_sub(away, start)), f);
    }
    if (r->kind == ROOT_MOTION_KEEP && frames > 0)
        middle = track_percentile(scratch, frames, 0.5);
    for (int f = 0; f < frames; f++)
        score_add(&height, fabs(rise[f] - middle), f);
    score->root_height_cm = 100 * (height.count > 0 ? height.max : NAN);
    score->root_path_cm = 100 * (path.count > 0 ? path.max : NAN);
    score->worst_frame[WORST_root_height_cm] = score_worst(&height);
    score->worst_frame[WORST_root_path_cm] = score_worst(&path);
}

Status viewer_score_root(const BodiesInMotion *of, int kind, double scale, RetargetScore *score, Error *err)
{
    const ClipView *target = of->target, *source = of->source;
    size_t frames = (size_t)of->motion->frame_count;
    if (kind == ROOT_MOTION_IN_PLACE)
        return STATUS_OK;
    RootTrack track = {source, of->motion, kind > ROOT_MOTION_KEEP ? (RootMotion)kind : root_placement_of(target, 0),
                       root_motion_carrier(source->skeleton), scale,
                       root_motion_pose(target->skeleton, target->motion, 0, 0).position};
    if (track.kind == ROOT_MOTION_TRAVEL && root_placement_of(source, 0) == ROOT_MOTION_TRAVEL)
        track.followed = 0;
    Arena arena = {0};
    double *rise = arena_array(&arena, frames, 1, sizeof *rise);
    double *scratch = arena_array(&arena, frames, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        score_track(&track, rise, scratch, score);
    arena_free(&arena);
    return status;
}
