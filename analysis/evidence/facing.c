/* See facing.h. */
#include "analysis/evidence/facing.h"

#include <math.h>

#include "analysis/math/elementary.h"

enum { FRAMES_JUDGED = 300 };

/* Log odds of each sign at full agreement, mean cosine 1. */
static const double knee_weight = 6, toe_weight = 4, elbow_weight = 1.5, walk_weight = 3;
static const double bent = 0.04;       /* of the limb's length: offset of a knee or elbow that shows its bend */
static const double walking_speed = 0.5, speed_window = 0.4; /* m/s, s */
static const double agrees = 0.5;      /* mean cosine of the bend of knees with the front of the shoulders */
static const double clear = 0.7, torn = 2; /* cosine of the feet at rest, and log odds of the motion: they disagree */

static const Role legs[2][3] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
static const Role arms[2][3] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
                                {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};

/* Mean cosine of a sign with the front of the names; count: frames in which it shows. */
typedef struct FacingSign {
    double sum;
    int count;
} FacingSign;

static void add_sign(FacingSign *sign, Vec3 direction, Vec3 front)
{
    double length = vec3_norm(direction);
    if (!(length > 0))
        return;
    sign->sum += vec3_dot(direction, front) / length;
    sign->count++;
}

/* A frame and its directions. */
typedef struct FacingFrame {
    const BodyTrack *track;
    int frame;
    Vec3 up, front, ventral; /* unit; as the names say: along the ground, and across the trunk */
} FacingFrame;

/* Offset of the middle one of three joints (roles) from the line between the others, where the limb is bent. */
static void add_bend(const FacingFrame *at, const Role limb[3], Vec3 front, FacingSign *sign)
{
    const BodyTrack *track = at->track;
    if (track->joint[limb[0]] < 0 || track->joint[limb[1]] < 0 || track->joint[limb[2]] < 0)
        return;
    Vec3 a = body_track_role(track, at->frame, limb[0]), b = body_track_role(track, at->frame, limb[2]);
    Vec3 line = vec3_sub(b, a), to = vec3_sub(body_track_role(track, at->frame, limb[1]), a);
    double square = vec3_dot(line, line);
    Vec3 off = square > 0 ? vec3_mad(to, -vec3_dot(to, line) / square, line) : vec3(0, 0, 0);
    if (vec3_norm(off) > bent * (vec3_norm(to) + vec3_distance(vec3_add(a, to), b)))
        add_sign(sign, off, front);
}

static void add_toes(const FacingFrame *at, int side, FacingSign *sign)
{
    double cosine = body_track_toes_front(at->track, body_track_frame(at->track, at->frame), side);
    if (isnan(cosine))
        return;
    sign->sum += cosine;
    sign->count++;
}

static void add_walk(const FacingFrame *at, double rate_factor, FacingSign *sign)
{
    const BodyTrack *track = at->track;
    int step = body_track_frames(track, speed_window, rate_factor);
    if (at->frame + step >= track->frame_count)
        return;
    Vec3 moved = vec3_sub(track->com[at->frame + step], track->com[at->frame]);
    moved = vec3_mad(moved, -vec3_dot(moved, at->up), at->up);
    if (vec3_norm(moved) > walking_speed * speed_window * track->metre)
        add_sign(sign, moved, at->front);
}

static double note_sign(const FacingSign *sign, double weight, const char *what, int frames, Evidence *evidence)
{
    if (sign->count == 0)
        return 0;
    double cosine = sign->sum / sign->count, share = fmin(1, 4.0 * sign->count / frames);
    double odds = weight * cosine * share;
    evidence_add(evidence, odds, "%s %s the front that left and right give", what, cosine > 0 ? "to" : "away from");
    return odds;
}

static int has_both(const BodyTrack *track, Role left)
{
    return track->joint[left] >= 0 && track->joint[role_mirror(left)] >= 0;
}

static Vec3 middle(const BodyTrack *track, int frame, Role left)
{
    return vec3_lerp(body_track_role(track, frame, left), body_track_role(track, frame, role_mirror(left)), 0.5);
}

/* From the feet to the centre of mass; without both feet up the trunk. */
static Vec3 spine_at(const BodyTrack *track, int frame, Vec3 up)
{
    if (track->leg > 0)
        return vec3_sub(track->com[frame], middle(track, frame, ROLE_LEFT_ANKLE));
    if (has_both(track, ROLE_LEFT_HIP) && has_both(track, ROLE_LEFT_SHOULDER))
        return vec3_sub(middle(track, frame, ROLE_LEFT_SHOULDER), middle(track, frame, ROLE_LEFT_HIP));
    return up;
}

/* left: the role of the line that gives the front, hips or shoulders. */
static FacingFrame frame_at(const BodyTrack *track, int frame, Vec3 up, Role left)
{
    Vec3 right = vec3_sub(body_track_role(track, frame, role_mirror(left)), body_track_role(track, frame, left));
    return (FacingFrame){track, frame, up, vec3_normalize(vec3_cross(up, right)),
                         vec3_normalize(vec3_cross(spine_at(track, frame, up), right))};
}

/* Whether the body stands at rest with its feet to one side and moves as if they pointed to the other: a file with
 * another order of rotations. Nothing is known then. */
static int is_torn(const BodyTrack *track, double odds, Evidence *evidence)
{
    if (!(fabs(track->rest_front) > clear && fabs(odds) > torn && odds * track->rest_front < 0))
        return 0;
    evidence_add(evidence, toe_weight * track->rest_front, "at rest toes point %s the front that left and right give",
                 track->rest_front > 0 ? "to" : "away from");
    return 1;
}

/* Signs over the frames of a clip. */
typedef struct FacingSigns {
    FacingSign knees, feet, elbows, walk;
    int frames;
} FacingSigns;

static void add_bends(const FacingFrame *at, FacingSigns *signs)
{
    for (int side = 0; side < 2; side++) {
        add_bend(at, legs[side], at->ventral, &signs->knees);
        add_bend(at, arms[side], vec3_neg(at->ventral), &signs->elbows);
    }
}

static int frame_step(const BodyTrack *track) { return (int)fmax(1, track->frame_count / FRAMES_JUDGED); }

/* The angle about up between the lines of hips and shoulders, if the knees bend as the shoulders say in most frames: a
 * pelvis that is turned against the body, as after a suit was not calibrated. Otherwise 0. */
static double find_pelvis_turn(const BodyTrack *track, Vec3 up)
{
    FacingSigns signs = {0};
    double sine = 0, cosine = 0;
    if (!has_both(track, ROLE_LEFT_HIP) || !has_both(track, ROLE_LEFT_SHOULDER))
        return 0;
    for (int f = 0; f < track->frame_count; f += frame_step(track), signs.frames++) {
        FacingFrame hips = frame_at(track, f, up, ROLE_LEFT_HIP), chest = frame_at(track, f, up, ROLE_LEFT_SHOULDER);
        add_bends(&chest, &signs);
        sine += vec3_dot(vec3_cross(hips.front, chest.front), up);
        cosine += vec3_dot(hips.front, chest.front);
    }
    int agree = signs.knees.sum > agrees * signs.knees.count && 2 * signs.knees.count > signs.frames;
    return agree ? elementary_atan2(sine, cosine) : 0;
}

FacingJudgement facing_judge(const BodyTrack *track, Vec3 up, double rate_factor, double prior)
{
    FacingJudgement out = {.evidence.confidence = 1};
    FacingSigns signs = {0};
    Role line = has_both(track, ROLE_LEFT_HIP) ? ROLE_LEFT_HIP : ROLE_LEFT_SHOULDER;
    if (!has_both(track, line))
        return out;
    for (int f = 0; f < track->frame_count; f += frame_step(track), signs.frames++) {
        FacingFrame at = frame_at(track, f, up, line);
        add_bends(&at, &signs);
        add_toes(&at, 0, &signs.feet);
        add_toes(&at, 1, &signs.feet);
        add_walk(&at, rate_factor, &signs.walk);
    }
    double odds = note_sign(&signs.knees, knee_weight, "knees bend", 2 * signs.frames, &out.evidence) +
                  note_sign(&signs.feet, toe_weight, "toes point", 2 * signs.frames, &out.evidence) +
                  note_sign(&signs.elbows, elbow_weight, "elbows bend", 2 * signs.frames, &out.evidence) +
                  note_sign(&signs.walk, walk_weight, "the body walks", signs.frames, &out.evidence);
    out.is_shown = out.evidence.count > 0;
    if (is_torn(track, odds, &out.evidence)) {
        out.evidence.confidence = 0.5;
        out.pelvis_turn = find_pelvis_turn(track, up);
    } else {
        out.evidence.confidence = 1 / (1 + elementary_exp(-prior - odds));
    }
    out.is_contradicted = out.is_shown && out.evidence.confidence < 0.5;
    return out;
}
