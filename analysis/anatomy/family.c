/* What the clips of one skeleton share: unit, up axis and meaning of positions, and the neutral pose (family.h). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/anatomy/family.h"
#include "analysis/base/fnv.h"
#include "analysis/body/roles.h"
#include "analysis/math/elementary.h"

/* ---- Key ---- */

static uint64_t hash_number(uint64_t hash, double value)
{
    int64_t whole = (int64_t)value;
    return fnv_bytes(hash, &whole, sizeof whole);
}

/* Whether a joint's OFFSET is the initial position of the subject: that of the root, or of its only child. */
static int is_start_position(const Skeleton *s, int joint)
{
    int children = 0;
    for (int j = 1; j < s->joint_count; j++)
        children += s->parent[j] == 0;
    return joint == 0 || (s->parent[joint] == 0 && children == 1);
}

/* Quantization step: a power of two, at most a thousandth of the longest OFFSET, so that digits of the file do not fall
 * half way between steps. */
static double offset_step(const Skeleton *s)
{
    double longest = 0, step = 1;
    for (int j = 1; j < s->joint_count; j++)
        if (!is_start_position(s, j))
            longest = fmax(longest, vec3_norm(s->offset[j]));
    while (longest > 0 && 2048 * step < longest)
        step *= 2;
    while (longest > 0 && 1024 * step > longest)
        step /= 2;
    return step;
}

void family_key(const Skeleton *s, char key[FAMILY_KEY_SIZE])
{
    uint64_t hash = FNV_START;
    double step = offset_step(s);
    for (int j = 0; j < s->joint_count; j++) {
        hash = fnv_bytes(hash, s->name[j], strlen(s->name[j]) + 1);
        hash = hash_number(hash, s->parent[j]);
        hash = hash_number(hash, s->channels ? s->channels[j] : 0);
        if (is_start_position(s, j))
            continue;
        hash = hash_number(hash, rint(s->offset[j].x / step));
        hash = hash_number(hash, rint(s->offset[j].y / step));
        hash = hash_number(hash, rint(s->offset[j].z / step));
    }
    snprintf(key, FAMILY_KEY_SIZE, "%016llx", (unsigned long long)hash);
}

/* ---- Decision ---- */

typedef enum Question { QUESTION_POSITIONS, QUESTION_UP, QUESTION_UNIT, QUESTION_COUNT } Question;

typedef struct Answer {
    double value;      /* the enum, or m per unit */
    double confidence; /* 0: no answer */
} Answer;

static Answer answer_of(const FamilyVote *vote, Question question)
{
    const ImportGuess *e = &vote->guess;
    const ImportGuessDef *d = &vote->def;
    const Answer answer[QUESTION_COUNT] = {
        [QUESTION_POSITIONS] = {e->positions, d->positions == POSITIONS_AUTO ? e->positions_confidence : 0},
        [QUESTION_UP] = {e->up, d->up == UP_AUTO ? e->up_confidence : 0},
        [QUESTION_UNIT] = {e->meters_per_unit, d->meters_per_unit > 0 ? 0 : e->unit_confidence},
    };
    return vote->is_read ? answer[question] : (Answer){0};
}

static int is_same(Answer a, Answer b) { return fabs(a.value - b.value) <= 1e-9 * fabs(b.value); }

/* Upper bound of a vote: one error in two thousand. */
static const double surest = 0.9995;

static double log_odds(double p)
{
    p = fmin(fmax(p, 1 - surest), surest);
    return elementary_log(p / (1 - p));
}

/* Mean log odds of an answer over the votes. A vote for another answer counts against this one according to its
 * confidence in its own; below 0.5 it counts against both equally. */
static double score(const Answer *vote, int count, Answer answer, int *votes)
{
    double sum = 0;
    int given = 0;
    *votes = 0;
    for (int i = 0; i < count; i++) {
        double p = vote[i].confidence;
        if (!(p > 0))
            continue;
        int agrees = is_same(vote[i], answer);
        sum += log_odds(agrees ? p : fmin(p, 1 - p));
        *votes += agrees;
        given++;
    }
    return sum / given;
}

/* Upper bound of the confidence, so that repetition of an unanimous answer does not increase it. */
static double surest_vote(const Answer *vote, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, vote[i].confidence);
    return most;
}

/* The answer with the highest score; of equal ones the one with more votes, then the first. confidence 0: no votes. */
static Answer pool(const Answer *vote, int count)
{
    Answer best = {0};
    double best_score = 0;
    int best_votes = 0;
    for (int i = 0; i < count; i++) {
        int votes;
        if (!(vote[i].confidence > 0))
            continue;
        double s = score(vote, count, vote[i], &votes);
        if (best.confidence > 0 && (s < best_score || (!(s > best_score) && votes <= best_votes)))
            continue;
        best = (Answer){vote[i].value, fmin(1 / (1 + elementary_exp(-s)), surest_vote(vote, count))};
        best_score = s;
        best_votes = votes;
    }
    return best;
}

static double *confidence_at(Family *f, Question question)
{
    double *const confidence[QUESTION_COUNT] = {&f->positions_confidence, &f->up_confidence, &f->unit_confidence};
    return confidence[question];
}

static void settle(Family *f, Question question, const FamilyVote *vote, int count)
{
    Answer answer[FAMILY_CLIPS];
    for (int i = 0; i < count; i++)
        answer[i] = answer_of(&vote[i], question);
    Answer best = pool(answer, count);
    if (question == QUESTION_POSITIONS)
        f->positions = (PositionMeaning)best.value;
    else if (question == QUESTION_UP)
        f->up = (UpAxis)best.value;
    else
        f->meters_per_unit = best.value;
    *confidence_at(f, question) = best.confidence;
}

static Answer answer_of_family(const Family *f, Question question)
{
    const Answer answer[QUESTION_COUNT] = {{f->positions, f->positions_confidence}, {f->up, f->up_confidence},
                                           {f->meters_per_unit, f->unit_confidence}};
    return answer[question];
}

/* Reads the files again that the family overrules, because answers to later questions depend on it. */
static Status read_overruled(ReadVote *read, void *context, int count, const Family *f, Question question,
                             FamilyVote *vote, Error *err)
{
    Status status = STATUS_OK;
    Answer family = answer_of_family(f, question);
    for (int i = 0; i < count && !status; i++) {
        Answer own = answer_of(&vote[i], question);
        if (own.confidence > 0 && !is_same(own, family) && own.confidence < FAMILY_DISSENT) {
            vote[i] = (FamilyVote){.def.family = f};
            status = read(context, i, &vote[i], err);
        }
    }
    return status;
}

Status family_decide(ReadVote *read, void *context, int count, Family *family, Error *err)
{
    FamilyVote vote[FAMILY_CLIPS];
    Status status = STATUS_OK;
    if (count > FAMILY_CLIPS)
        count = FAMILY_CLIPS;
    if (family->positions_confidence > 0 && family->up_confidence > 0 && family->unit_confidence > 0)
        return STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        vote[i] = (FamilyVote){.def.family = family};
        status = read(context, i, &vote[i], err);
    }
    for (Question q = QUESTION_POSITIONS; q < QUESTION_COUNT && !status; q++) {
        if (*confidence_at(family, q) > 0)
            continue;
        settle(family, q, vote, count);
        if (*confidence_at(family, q) > 0 && q + 1 < QUESTION_COUNT)
            status = read_overruled(read, context, count, family, q, vote, err);
    }
    return status;
}

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
        if (weight_of(&vote[v]) > 0) {
            out->rotation[out->count] = neutral_angles_rotation(&vote[v].angles, joint);
            out->weight[out->count++] = weight_of(&vote[v]);
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
    for (int i = 0; i < angles->count; i++) {
        JointVotes votes;
        take_votes(vote, count, i, &votes);
        neutral_angles_set(angles, i, mean_rotation(&votes, neutral_angles_rotation(&vote[heaviest].angles, i)));
    }
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
