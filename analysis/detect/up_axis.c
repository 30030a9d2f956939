/* The up axis of a file (up_axis.h). */
#include "analysis/detect/up_axis.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"

/* Prior log odds: most files are Y up, then Z up; a negative axis is rare. */
static const double prior[UP_AXES] = {-1.0, 0.8, 0.4, -2.0, -2.0, -2.0};
/* Weights of the measures, in log odds at their full value 1 (research/fit_up_axis.py). */
static const double level_weight = 0.4, zero_weight = 3, travel_weight = 0.8;
/* Posture and rest pose: in all clips but a fraction the head is above the feet, with a concentration of the cosine. */
static const double off_the_feet = 0.03, upright = 3;
static const double turned_rest = 0.02, rest_upright = 3.5;

/* Where posture and rest pose outvote what the motion shows, another axis 1 / outvoted times as probable: the fraction
 * of clips that lie, or whose rest pose is upright along another axis. */
static const double outvoted = 0.3, misled = 0.3;

static const char *const axis_names[] = {"", "X", "Y", "Z", "-X", "-Y", "-Z"};

const char *up_axis_name(UpAxis up) { return up >= UP_AUTO && up <= UP_MINUS_Z ? axis_names[up] : ""; }

UpAxis up_axis_from_text(const char *text)
{
    if (*text == '+')
        text++;
    for (UpAxis up = UP_X; up <= UP_MINUS_Z; up++)
        if (strcasecmp(text, axis_names[up]) == 0)
            return up;
    return UP_AUTO;
}

Vec3 up_axis_rotate(UpAxis up, Vec3 v)
{
    switch (up) {
    case UP_X: return vec3(-v.y, v.x, v.z);         /* +90 deg about Z */
    case UP_Z: return vec3(v.x, v.z, -v.y);         /* -90 deg about X */
    case UP_MINUS_X: return vec3(v.y, -v.x, v.z);   /* -90 deg about Z */
    case UP_MINUS_Y: return vec3(v.x, -v.y, -v.z);  /* 180 deg about X */
    case UP_MINUS_Z: return vec3(v.x, -v.z, v.y);   /* +90 deg about X */
    default: return v;
    }
}

Vec3 up_axis_vector(UpAxis up)
{
    switch (up) {
    case UP_X: return vec3(1, 0, 0);
    case UP_Z: return vec3(0, 0, 1);
    case UP_MINUS_X: return vec3(-1, 0, 0);
    case UP_MINUS_Y: return vec3(0, -1, 0);
    case UP_MINUS_Z: return vec3(0, 0, -1);
    default: return vec3(0, 1, 0);
    }
}

/* Midpoint of two joints, or the one that is present (index < 0: absent). */
static Vec3 middle(const Vec3 *position, int a, int b)
{
    if (a < 0 || b < 0)
        return position[a < 0 ? b : a];
    return vec3_scale(vec3_add(position[a], position[b]), 0.5);
}

/* The ends of the body's long axis: joint indices, -1: absent. */
typedef struct LongAxis {
    int top, left, right;
} LongAxis;

static int first_with_role(const Skeleton *s, const Role *role, int count)
{
    for (int i = 0; i < count; i++)
        if (skeleton_find_role(s, role[i]) >= 0)
            return skeleton_find_role(s, role[i]);
    return -1;
}

static LongAxis long_axis(const Skeleton *s)
{
    const Role top[] = {ROLE_HEAD, ROLE_NECK, ROLE_CHEST, ROLE_SPINE, ROLE_HIPS};
    const Role left[] = {ROLE_LEFT_ANKLE, ROLE_LEFT_TOE}, right[] = {ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE};
    return (LongAxis){first_with_role(s, top, 5), first_with_role(s, left, 2), first_with_role(s, right, 2)};
}

static Vec3 feet_to_head(const LongAxis *axis, const Vec3 *position)
{
    if (axis->top < 0 || (axis->left < 0 && axis->right < 0))
        return vec3(0, 0, 0);
    return vec3_normalize(vec3_sub(position[axis->top], middle(position, axis->left, axis->right)));
}

/* How little the first point moves along each axis relative to the axis of largest motion, 0..1 each; all near 1 if it
 * hardly moves. */
static Vec3 stays(const PoseSample *sample, double size)
{
    Vec3 mean = vec3(0, 0, 0), square = vec3(0, 0, 0);
    double weight = 1.0 / sample->frame_count;
    for (int f = 0; f < sample->frame_count; f++)
        mean = vec3_mad(mean, weight, pose_sample_frame(sample, f)[0]);
    for (int f = 0; f < sample->frame_count; f++) {
        Vec3 d = vec3_sub(pose_sample_frame(sample, f)[0], mean);
        square = vec3_mad(square, weight, vec3(d.x * d.x, d.y * d.y, d.z * d.z));
    }
    double widest = sqrt(fmax(square.x, fmax(square.y, square.z))) + 0.2 * size;
    return vec3(1 - sqrt(square.x) / widest, 1 - sqrt(square.y) / widest, 1 - sqrt(square.z) / widest);
}

typedef struct Posture {
    Vec3 posed; /* mean direction from the feet to the head */
    Vec3 rest;  /* the same in the rest pose */
    Vec3 stays;
} Posture;

static Posture pose_posture(const Skeleton *skeleton, const PoseSample *sample, double size)
{
    LongAxis axis = long_axis(skeleton);
    Posture p = {vec3(0, 0, 0), feet_to_head(&axis, sample->rest), stays(sample, size)};
    for (int f = 0; f < sample->frame_count; f++)
        p.posed = vec3_mad(p.posed, 1.0 / sample->frame_count, feet_to_head(&axis, pose_sample_frame(sample, f)));
    return p;
}

static double log_upright(double cosine, double exceptions, double concentration)
{
    return elementary_log(exceptions + (1 - exceptions) * elementary_exp(concentration * (cosine - 1)));
}

/* Observations of an axis, each in log odds. The ground is level if the lowest points of the frames agree. */
typedef enum UpSource { FROM_FILES, FROM_POSTURE, FROM_REST, FROM_LEVEL, FROM_ZERO, FROM_ROOT, FROM_BALANCE,
                        UP_SOURCES } UpSource;

static const char *const source_words[UP_SOURCES] = {
    [FROM_FILES] = "most files have this axis",
    [FROM_POSTURE] = "the head is above the feet",
    [FROM_REST] = "the rest pose is upright",
    [FROM_LEVEL] = "the lowest point stays at one height",
    [FROM_ZERO] = "the ground is at zero",
    [FROM_ROOT] = "the root moves least along it",
    [FROM_BALANCE] = "the body rests on its lowest points or falls",
};

Status up_axis_measure(const Skeleton *skeleton, const PoseSample *sample, UpAxisMeasures out[UP_AXES], Error *err)
{
    double size = fmax(pose_sample_size(sample), 1e-300), height, spread;
    Posture posture = pose_posture(skeleton, sample, size);
    Status status = STATUS_OK;
    for (int a = 0; a < UP_AXES && !status; a++) {
        Vec3 direction = up_axis_vector((UpAxis)(UP_X + a));
        status = pose_sample_ground(sample, direction, &height, &spread, err);
        double level = spread / (0.05 * size), zero = height / (0.1 * size);
        out[a] = (UpAxisMeasures){vec3_dot(posture.posed, direction), vec3_dot(posture.rest, direction),
                                  1 / (1 + level * level), 1 / (1 + zero * zero),
                                  fabs(vec3_dot(posture.stays, direction))};
    }
    return status;
}

static void score_axis(const UpAxisMeasures *measures, int axis, double score[UP_SOURCES])
{
    score[FROM_FILES] = prior[axis];
    score[FROM_POSTURE] = log_upright(measures->posed, off_the_feet, upright);
    score[FROM_REST] = log_upright(measures->rest, turned_rest, rest_upright);
    score[FROM_LEVEL] = level_weight * measures->level;
    score[FROM_ZERO] = zero_weight * measures->zero;
    score[FROM_ROOT] = travel_weight * measures->stays;
}

/* Observations for the best axis against the next one. */
static void note_sources(double score[UP_AXES][UP_SOURCES], int best, int next, Evidence *evidence)
{
    for (int source = 0; source < UP_SOURCES; source++) {
        double log_odds = score[best][source] - score[next][source];
        evidence_add(evidence, log_odds, "%s%s, against %s", log_odds < 0 ? "not: " : "", source_words[source],
                     up_axis_name((UpAxis)(UP_X + next)));
    }
}

/* The confidence of the best axis, total[UP_AXES] being normalised: lower if the motion shows another. That of a root
 * without a path shows nothing. */
static double axis_confidence(double score[UP_AXES][UP_SOURCES], const double *total, int best)
{
    double shown[UP_AXES];
    int moves = 0;
    for (int a = 0; a < UP_AXES; a++)
        moves |= score[a][FROM_ROOT] < travel_weight;
    for (int a = 0; a < UP_AXES; a++)
        shown[a] = score[a][FROM_LEVEL] + score[a][FROM_ZERO] + score[a][FROM_ROOT] + score[a][FROM_BALANCE];
    int other = evidence_normalize(shown, UP_AXES);
    int is_outvoted = moves && shown[best] < outvoted * shown[other];
    return is_outvoted ? (1 - misled) * total[best] + misled * shown[best] : total[best];
}

Status up_axis_from_poses(const Skeleton *skeleton, const PoseSample *sample, const double balance[UP_AXES],
                          UpAxis *up, Evidence *evidence, Error *err)
{
    double score[UP_AXES][UP_SOURCES] = {0}, total[UP_AXES] = {0};
    UpAxisMeasures measures[UP_AXES];
    Status status = up_axis_measure(skeleton, sample, measures, err);
    if (status)
        return status;
    for (int a = 0; a < UP_AXES; a++) {
        score_axis(&measures[a], a, score[a]);
        score[a][FROM_BALANCE] = balance ? balance[a] : 0;
        for (int source = 0; source < UP_SOURCES; source++)
            total[a] += score[a][source];
    }
    int best = evidence_normalize(total, UP_AXES), next = best == 0;
    for (int a = 0; a < UP_AXES; a++)
        next = a != best && total[a] > total[next] ? a : next;
    *up = (UpAxis)(UP_X + best);
    *evidence = (Evidence){.confidence = axis_confidence(score, total, best)};
    note_sources(score, best, next, evidence);
    return STATUS_OK;
}
