#include "analysis/anatomy/neutral_family.h"

#include <string.h>

#include "analysis/body/roles.h"
#include "analysis/math/elementary.h"

/* Spread of single clips about their family, rad, standard deviation along each of two axes: of pelvis and trunk, and
 * of a foot that lies flat for long (as NEUTRAL_FOOT). */
#define TRUNK_SPREAD 0.1
#define FLAT_HALF 0.1 /* s that a foot lies flat, by which a clip has half the weight of one in which it always does */

enum { PARTS = 4, STEPS = 40 };
#define NEAR 0.05 /* chord of half an angle: nearer turns are averaged, of farther ones the median counts */

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
    if (status == STATUS_OK) {
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

/* ---- The pose of all ---- */

/* One step of Weiszfeld's: the mean of the votes' turns, each the lighter the farther it is from `from`. */
static Quat nearer(const NeutralVote *vote, int count, int joint, Quat from, double near)
{
    Quat sum = {0, 0, 0, 0};
    for (int v = 0; v < count; v++) {
        double weight = weight_of(&vote[v]);
        if (!(weight > 0))
            continue;
        Quat q = quat_nearest(neutral_angles_turn(&vote[v].angles, joint), from);
        double dot = quat_dot(q, from);
        weight /= sqrt(near * near + fmax(0, 2 - 2 * dot));
        sum = (Quat){sum.w + weight * q.w, sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z};
    }
    return quat_normalize(sum);
}

static Quat pool(const NeutralVote *vote, int count, int joint, Quat heaviest)
{
    Quat turn = nearer(vote, count, joint, heaviest, 1e3); /* the mean */
    for (int step = 0; step < STEPS; step++)
        turn = nearer(vote, count, joint, turn, NEAR);
    return turn;
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
        neutral_angles_set(angles, i, pool(vote, count, i, neutral_angles_turn(&vote[heaviest].angles, i)));
    for (int v = 0; v < count; v++) {
        double weight = weight_of(&vote[v]);
        all += weight;
        agreeing += weight > 0 && neutral_family_contradiction(&vote[v], angles) < FAMILY_DISSENT ? weight : 0;
    }
    family->neutral_confidence = agreeing / all;
}

/* ---- Contradiction ---- */

/* rad, between the verticals of the joint in both poses: how a foot points does not matter. */
static double tilt(const NeutralAngles *a, const NeutralAngles *b, int i)
{
    if (i < 0)
        return 0;
    Vec3 up = vec3(0, 1, 0);
    Vec3 own = quat_rotate_inverse(neutral_angles_turn(a, i), up);
    Vec3 other = quat_rotate_inverse(neutral_angles_turn(b, i), up);
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
    double within = 1 - elementary_exp(-0.5 * most); /* one part; the others are no farther off */
    return within * within * within * within;
}
