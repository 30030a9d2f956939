/* See neutral_family.h. */
#include "analysis/anatomy/neutral_family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/body/roles.h"
#include "analysis/math/elementary.h"

/* The neutral pose as numbers and as text. */

#define TENTHS (2 * 1800 / PI) /* tenths of a degree of rotation per rad of half angle */

/* ---- Joints ---- */

static int is_listed(const Skeleton *s, int joint)
{
    for (int j = joint; j < s->joint_count; j++)
        if (s->role[j] != ROLE_NONE && skeleton_is_below(s, j, joint))
            return 1;
    return 0;
}

int neutral_angles_joints(const Skeleton *s, int *joint)
{
    int count = 0;
    for (int j = 0; j < s->joint_count; j++) {
        if (!is_listed(s, j))
            continue;
        if (count == NEUTRAL_JOINTS)
            return 0;
        joint[count++] = j;
    }
    return count;
}

Quat neutral_angles_rotation(const NeutralAngles *a, int i)
{
    return quat_exp(vec3(a->tenth[i][0] / TENTHS, a->tenth[i][1] / TENTHS, a->tenth[i][2] / TENTHS));
}

void neutral_angles_set(NeutralAngles *a, int i, Quat rotation)
{
    Vec3 tenths = vec3_scale(quat_log(rotation), TENTHS);
    a->tenth[i][0] = (int16_t)rint(tenths.x);
    a->tenth[i][1] = (int16_t)rint(tenths.y);
    a->tenth[i][2] = (int16_t)rint(tenths.z);
}

/* ---- Poses ---- */

NeutralAngles neutral_angles_of(const NeutralPose *n)
{
    static const Quat left_up_front = {0.70710678118654752, 0, 0.70710678118654752, 0}; /* swaps left and front axes */
    const Skeleton *s = n->from.skeleton;
    int joint[NEUTRAL_JOINTS];
    NeutralAngles angles = {.count = (int16_t)(n->has_body ? neutral_angles_joints(s, joint) : 0)};
    Quat to_body = quat_conjugate(quat_mul(n->body, left_up_front));
    for (int i = 0; i < angles.count; i++) {
        Quat pose = quat_mul(n->swing[s->segment[joint[i]]], n->from.orientation[joint[i]]);
        neutral_angles_set(&angles, i, quat_normalize(quat_mul(to_body, pose)));
    }
    return angles;
}

Status neutral_pose_given(NeutralPose *n, const ClipView *clip, const NeutralAngles *angles, Arena *arena, Error *err)
{
    const Skeleton *s = clip->skeleton;
    int joint[NEUTRAL_JOINTS], count = neutral_angles_joints(s, joint), next = 0;
    Quat *rotation = arena_array(arena, (size_t)s->joint_count, 1, sizeof *rotation);
    if (arena->failed)
        return error_no_memory(err);
    if (count != angles->count)
        return error_set(err, STATUS_USAGE,
                         "--neutral-pose: found angles of %d joints, expected %d; copy it from the history of a clip "
                         "of the same skeleton (kane info)",
                         angles->count, count);
    for (int j = 0; j < s->joint_count; j++) {
        rotation[j] = s->parent[j] < 0 ? QUAT_IDENTITY : rotation[s->parent[j]];
        if (next < count && joint[next] == j)
            rotation[j] = neutral_angles_rotation(angles, next++);
    }
    return neutral_pose_of_orientations(n, clip, rotation, arena, err);
}

/* ---- Texts ---- */

void neutral_angles_print(const NeutralAngles *a, char text[NEUTRAL_TEXT_SIZE])
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < 3 * a->count; i++) {
        int tenths = a->tenth[i / 3][i % 3], size = abs(tenths);
        const char *before = i == 0 ? "" : i % 3 ? "," : "/";
        used += (size_t)snprintf(text + used, NEUTRAL_TEXT_SIZE - used, "%s%s%d", before, tenths < 0 ? "-" : "",
                                 size / 10);
        if (size % 10)
            used += (size_t)snprintf(text + used, NEUTRAL_TEXT_SIZE - used, ".%d", size % 10);
    }
}

/* Reads a number such as "-12.34" in tenths; returns the end of it, or NULL if there is no valid number. */
static const char *scan_tenths(const char *text, int16_t *out)
{
    int is_negative = *text == '-', tenths = 0, digits = 0;
    for (text += is_negative; *text >= '0' && *text <= '9' && digits < 3; text++, digits++)
        tenths = 10 * tenths + (*text - '0');
    tenths *= 10;
    if (digits > 0 && *text == '.' && text[1] >= '0' && text[1] <= '9') {
        tenths += text[1] - '0' + (text[2] >= '5' && text[2] <= '9');
        text += 2 + strspn(text + 2, "0123456789");
    }
    *out = (int16_t)(is_negative ? -tenths : tenths);
    return digits > 0 && tenths <= 1800 ? text : NULL;
}

int neutral_angles_scan(const char *text, NeutralAngles *out)
{
    *out = (NeutralAngles){0};
    for (int i = 0; i < 3 * NEUTRAL_JOINTS; i++) {
        text = scan_tenths(text, &out->tenth[i / 3][i % 3]);
        if (!text || (*text && *text != (i % 3 == 2 ? '/' : ',')))
            return 0;
        out->count = (int16_t)((i + 1) / 3);
        if (!*text++)
            return i % 3 == 2;
    }
    return 0;
}

/* Segment masses of a body in motion. */

int body_is_measured(const ClipView *clip, const BodyDef *def)
{
    return clip->motion && clip->motion->frame_count > 0 && roles_are_human(clip->skeleton) &&
           (def->model == BODY_AUTO || def->model == BODY_DELEVA);
}

/* Without legs of a length the pose fails; body_from_skeleton then reports the error of the model. */
static Status measure(const ClipView *clip, BodyDef *def, NeutralDoubt *doubt, Arena *arena, Error *err)
{
    NeutralPose neutral;
    Quat *rotation = arena_array(arena, (size_t)clip->skeleton->joint_count, 1, sizeof *rotation);
    if (arena->failed)
        return error_no_memory(err);
    Status status = def->neutral ? neutral_pose_given(&neutral, clip, def->neutral, arena, err)
                                 : neutral_pose_of_motion(&neutral, clip, arena, err);
    if (!status) {
        neutral_pose_orientations(&neutral, rotation);
        def->orientation = rotation;
        if (doubt)
            *doubt = neutral_pose_doubt(&neutral);
    }
    return status == STATUS_BAD_INPUT ? STATUS_OK : status;
}

Status body_from_clip(const ClipView *clip, const BodyDef *def, Body *out, NeutralDoubt *doubt, Error *err)
{
    Arena arena = {0};
    BodyDef own = *def;
    if (doubt)
        *doubt = (NeutralDoubt){0, 0};
    Status status = body_is_measured(clip, def) ? measure(clip, &own, doubt, &arena, err) : STATUS_OK;
    if (!status)
        status = body_from_skeleton(clip->skeleton, &own, out, err);
    arena_free(&arena);
    return status;
}

/* rad, standard deviation per axis of single clips about their family, for pelvis and trunk; for a foot that is flat
 * for long it is NEUTRAL_FOOT. */
#define TRUNK_SPREAD 0.1
#define FLAT_HALF 0.1 /* s of flat foot at which a clip has half of the largest weight */

enum { PARTS = 4, STEPS = 40 };
#define NEAR 0.05 /* distance of unit quaternions: closer rotations are averaged, farther ones enter by the median */

static int number_of(const Skeleton *s, const int *joint, int count, Role role)
{
    int at = skeleton_find_role(s, role);
    for (int i = 0; i < count && at >= 0; i++)
        if (joint[i] == at)
            return i;
    return -1;
}

static void find_parts(const Skeleton *s, NeutralVote *vote)
{
    int joint[NEUTRAL_JOINTS], count = neutral_angles_joints(s, joint);
    vote->pelvis = number_of(s, joint, count, ROLE_HIPS);
    vote->trunk = number_of(s, joint, count, ROLE_CHEST);
    vote->foot[0] = number_of(s, joint, count, ROLE_LEFT_ANKLE);
    vote->foot[1] = number_of(s, joint, count, ROLE_RIGHT_ANKLE);
}

Status neutral_vote_of(const ClipView *clip, NeutralVote *vote, Error *err)
{
    Arena arena = {0};
    NeutralPose pose;
    memset(vote, 0, sizeof *vote);
    if (!clip->motion || clip->motion->frame_count == 0 || !roles_are_human(clip->skeleton))
        return STATUS_OK;
    Status status = neutral_pose_of_motion(&pose, clip, &arena, err);
    if (!status) {
        vote->angles = neutral_angles_of(&pose);
        vote->doubt = neutral_pose_doubt(&pose);
        vote->flat = pose.flat;
        find_parts(clip->skeleton, vote);
    }
    arena_free(&arena);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

int neutral_vote_has_doubt(const NeutralVote *vote) { return vote->doubt.trunk > 0 || vote->doubt.foot > 0; }

static double weight_of(const NeutralVote *vote)
{
    if (vote->angles.count == 0 || neutral_vote_has_doubt(vote))
        return 0;
    return vote->flat < INFINITY ? vote->flat / (vote->flat + FLAT_HALF) : 0;
}

/* ---- Pose of the family ---- */

/* One step of Weiszfeld's algorithm: the mean of the votes' rotations, weighted by the inverse of their distance from
 * `from`. */
static Quat nearer(const NeutralVote *vote, int count, int joint, Quat from, double near)
{
    Quat sum = {0, 0, 0, 0};
    for (int v = 0; v < count; v++) {
        double weight = weight_of(&vote[v]);
        if (!(weight > 0))
            continue;
        Quat q = quat_nearest(neutral_angles_rotation(&vote[v].angles, joint), from);
        double dot = quat_dot(q, from);
        weight /= sqrt(near * near + fmax(0, 2 - 2 * dot));
        sum = (Quat){sum.w + weight * q.w, sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z};
    }
    return quat_normalize(sum);
}

static Quat pool(const NeutralVote *vote, int count, int joint, Quat heaviest)
{
    Quat rotation = nearer(vote, count, joint, heaviest, 1e3); /* plain mean */
    for (int step = 0; step < STEPS; step++)
        rotation = nearer(vote, count, joint, rotation, NEAR);
    return rotation;
}

static int heaviest_vote(const NeutralVote *vote, int count)
{
    int heaviest = -1;
    double most = 0;
    for (int v = 0; v < count; v++)
        if (weight_of(&vote[v]) > most) {
            most = weight_of(&vote[v]);
            heaviest = v;
        }
    return heaviest;
}

void neutral_family_decide(const NeutralVote *vote, int count, Family *family)
{
    int heaviest = heaviest_vote(vote, count);
    double all = 0, agreeing = 0;
    if (heaviest < 0)
        return;
    NeutralAngles *angles = &family->neutral;
    *angles = vote[heaviest].angles;
    for (int i = 0; i < angles->count; i++)
        neutral_angles_set(angles, i, pool(vote, count, i, neutral_angles_rotation(&vote[heaviest].angles, i)));
    for (int v = 0; v < count; v++) {
        double weight = weight_of(&vote[v]);
        all += weight;
        agreeing += weight > 0 && neutral_family_contradiction(&vote[v], angles) < FAMILY_DISSENT ? weight : 0;
    }
    family->neutral_confidence = agreeing / all;
}

/* ---- Contradiction ---- */

/* rad, between the verticals of the joint in both poses; its heading does not count. */
static double tilt(const NeutralAngles *a, const NeutralAngles *b, int i)
{
    if (i < 0)
        return 0;
    Vec3 up = vec3(0, 1, 0);
    Vec3 own = quat_rotate_inverse(neutral_angles_rotation(a, i), up);
    Vec3 other = quat_rotate_inverse(neutral_angles_rotation(b, i), up);
    return elementary_atan2(vec3_norm(vec3_cross(own, other)), vec3_dot(own, other));
}

double neutral_family_contradiction(const NeutralVote *own, const NeutralAngles *family)
{
    const int part[PARTS] = {own->pelvis, own->trunk, own->foot[0], own->foot[1]};
    double most = 0, flat = fmax(own->flat, NEUTRAL_FLAT), doubt = own->doubt.trunk, other = own->doubt.foot;
    double trunk = TRUNK_SPREAD * TRUNK_SPREAD + doubt * doubt;
    double foot = NEUTRAL_FOOT * NEUTRAL_FOOT * (1 + FLAT_HALF / flat) + other * other;
    if (own->angles.count == 0 || own->angles.count != family->count)
        return 0;
    for (int i = 0; i < PARTS; i++) {
        double angle = tilt(&own->angles, family, part[i]);
        most = fmax(most, angle * angle / (i < 2 ? trunk : foot));
    }
    double within = 1 - elementary_exp(-0.5 * most); /* one part: two degrees of freedom */
    return within * within * within * within;
}
