/* The neutral pose of the clips of one skeleton (neutral_family.h). */
#include "analysis/angles/neutral_family.h"

#include <math.h>
#include <string.h>

#include "analysis/angles/family.h"
#include "analysis/angles/neutral_angles.h"
#include "analysis/base/arena.h"
#include "analysis/body/roles.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* rad, standard deviation per axis of single clips about their family, for pelvis and trunk; for a foot that is flat
 * for long it is NEUTRAL_FOOT. */
#define TRUNK_SPREAD 0.1
#define FLAT_HALF 0.1 /* s of flat foot at which a clip has half of the largest weight */

enum { PARTS = 4, STEPS = 40 };
#define NEAR 0.05 /* distance of unit quaternions: closer rotations are averaged, farther ones enter by the median */

static int find_numbered_joint(const Skeleton *s, const int *joint, int count, Role role)
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
    vote->pelvis = find_numbered_joint(s, joint, count, ROLE_HIPS);
    vote->trunk = find_numbered_joint(s, joint, count, ROLE_CHEST);
    vote->foot[0] = find_numbered_joint(s, joint, count, ROLE_LEFT_ANKLE);
    vote->foot[1] = find_numbered_joint(s, joint, count, ROLE_RIGHT_ANKLE);
}

Status neutral_vote_cast(const ClipView *clip, NeutralVote *vote, Error *err)
{
    Arena arena = {0};
    NeutralPose pose;
    memset(vote, 0, sizeof *vote);
    if (!clip->motion || clip->motion->frame_count == 0 || !roles_are_human(clip->skeleton))
        return STATUS_OK;
    Status status = neutral_pose_of_motion(&pose, clip, &arena, err);
    if (!status) {
        vote->angles = neutral_pose_angles(&pose);
        vote->doubt = neutral_pose_doubt(&pose);
        vote->flat = pose.flat;
        find_parts(clip->skeleton, vote);
    }
    arena_free(&arena);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

int neutral_vote_has_doubt(const NeutralVote *vote) { return vote->doubt.trunk > 0 || vote->doubt.foot > 0; }

static double vote_weight(const NeutralVote *vote)
{
    if (vote->angles.count == 0 || neutral_vote_has_doubt(vote))
        return 0;
    return vote->flat < INFINITY ? vote->flat / (vote->flat + FLAT_HALF) : 0;
}

/* ---- Pose of the family ---- */

/* The rotations of one joint in the votes that count. */
typedef struct JointVotes {
    int count;
    Quat rotation[FAMILY_CLIPS];
    double weight[FAMILY_CLIPS];
} JointVotes;

static void take_votes(const NeutralVote *vote, int count, int joint, JointVotes *out)
{
    out->count = 0;
    for (int v = 0; v < count; v++)
        if (vote_weight(&vote[v]) > 0) {
            out->rotation[out->count] = neutral_angles_rotation(&vote[v].angles, joint);
            out->weight[out->count++] = vote_weight(&vote[v]);
        }
}

/* One step of Weiszfeld's algorithm: the mean of the votes' rotations, weighted by the inverse of their distance from
 * `from`. */
static Quat nearer(const JointVotes *votes, Quat from, double near)
{
    Quat sum = {0, 0, 0, 0};
    for (int v = 0; v < votes->count; v++) {
        Quat q = quat_nearest(votes->rotation[v], from);
        double dot = quat_dot(q, from), weight = votes->weight[v] / sqrt(near * near + fmax(0, 2 - 2 * dot));
        sum = (Quat){sum.w + weight * q.w, sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z};
    }
    return quat_normalize(sum);
}

static Quat mean_rotation(const JointVotes *votes, Quat heaviest)
{
    Quat rotation = nearer(votes, heaviest, 1e3); /* plain mean */
    for (int step = 0; step < STEPS; step++)
        rotation = nearer(votes, rotation, NEAR);
    return rotation;
}

static int heaviest_vote(const NeutralVote *vote, int count)
{
    int heaviest = -1;
    double max = 0;
    for (int v = 0; v < count; v++)
        if (vote_weight(&vote[v]) > max) {
            max = vote_weight(&vote[v]);
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
    for (int i = 0; i < angles->count; i++) {
        JointVotes votes;
        take_votes(vote, count, i, &votes);
        neutral_angles_set(angles, i, mean_rotation(&votes, neutral_angles_rotation(&vote[heaviest].angles, i)));
    }
    for (int v = 0; v < count; v++) {
        double weight = vote_weight(&vote[v]);
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
    double max = 0, flat = fmax(own->flat, NEUTRAL_FLAT), doubt = own->doubt.trunk, other = own->doubt.foot;
    double trunk = TRUNK_SPREAD * TRUNK_SPREAD + doubt * doubt;
    double foot = NEUTRAL_FOOT * NEUTRAL_FOOT * (1 + FLAT_HALF / flat) + other * other;
    if (own->angles.count == 0 || own->angles.count != family->count)
        return 0;
    for (int i = 0; i < PARTS; i++) {
        double angle = tilt(&own->angles, family, part[i]);
        max = fmax(max, angle * angle / (i < 2 ? trunk : foot));
    }
    double within = 1 - elementary_exp(-0.5 * max);  /* one part: two degrees of freedom */
    return within * within * within * within;
}
