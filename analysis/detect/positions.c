/* Meaning of the position channels of joints below the root (positions.h). */
#include "analysis/detect/positions.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/detect/local_positions.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/sort.h"
#include "analysis/math/vec.h"

enum { FRAMES_COMPARED = 32, MEANINGS = POSITIONS_WORLD + 1 };

static const char *const meaning_names[MEANINGS] = {"", "local", "added", "world"};

const char *position_meaning_name(PositionMeaning meaning) { return meaning_names[meaning]; }

/* Prior probabilities among files with such channels; `local` is the convention of the format. */
static const double meaning_prior[MEANINGS] = {0, 0.97, 0.015, 0.015};
/* Misfit over body size that noise explains, and the power with which a larger one counts against a meaning: a misfit
 * of ten times the noise reduces the likelihood by the fourth power of ten. */
static const double noise = 0.01, power = 4;
/* Upper bound of one joint's log likelihood ratio (logarithm of a thousand); all joints together count as two votes,
 * because the joints of one file are not independent. A joint without channels has no vote. */
static const double greatest_vote = 6.907755278982137, votes = 2;

/* Sums of bone lengths for every meaning over the compared frames. */
typedef struct BoneLengths {
    double *sum[MEANINGS], *square[MEANINGS]; /* [joint] of the length minus the offset's */
    int frames;
} BoneLengths;

static void add_lengths(const Skeleton *s, const Motion *m, int frame, const Vec3 *world, BoneLengths *lengths)
{
    const Vec3 *t = m->translation + motion_index(m, frame, 0);
    for (int j = 1; j < s->joint_count; j++) {
        if (!position_is_given(s, m, frame, j))
            continue;
        double length[MEANINGS] = {0, vec3_norm(t[j]), vec3_norm(vec3_add(s->offset[j], t[j])),
                                   vec3_distance(world[j], world[s->parent[j]])};
        for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
            double off = length[meaning] - vec3_norm(s->offset[j]);
            lengths->sum[meaning][j] += off;
            lengths->square[meaning][j] += off * off;
        }
    }
    lengths->frames++;
}

/* RMS over the frames of the deviation of bone j from its offset's length, or from its own mean if the offset is
 * zero. */
static double misfit(const Skeleton *s, const BoneLengths *lengths, int meaning, int j)
{
    int n = lengths->frames;
    double mean = lengths->sum[meaning][j] / n, square = lengths->square[meaning][j] / n;
    return sqrt(vec3_norm(s->offset[j]) > 0 ? square : fmax(0, square - mean * mean));
}

/* The 90th percentile of bone lengths; a longer OFFSET of the hips may be the initial position of the subject. */
static double usual_bone(const Skeleton *s, double *scratch)
{
    int bones = s->joint_count - 1;
    for (int j = 0; j < bones; j++)
        scratch[j] = vec3_norm(s->offset[j + 1]);
    sort_doubles(scratch, (size_t)bones);
    return scratch[(int)(0.9 * (bones - 1))];
}

/* The longest chain from the root by the offsets, each limited to usual_bone, or by the channels if all offsets are
 * zero. scratch[joint] */
static double body_size(const Skeleton *s, const Motion *m, double *scratch)
{
    double longest = 0, usual = usual_bone(s, scratch);
    scratch[0] = 0;
    for (int j = 1; j < s->joint_count; j++) {
        scratch[j] = scratch[s->parent[j]] + fmin(vec3_norm(s->offset[j]), usual);
        longest = fmax(longest, scratch[j]);
    }
    for (int j = 1; j < s->joint_count && !(longest > 0); j++)
        longest = fmax(longest, vec3_distance(m->translation[j], m->root_position[0]));
    return longest;
}

/* Adds the log likelihoods of joint j to the scores, 0 for the meaning that fits best. */
static void add_vote(const Skeleton *s, const BoneLengths *lengths, double size, int j, double score[MEANINGS])
{
    double says[MEANINGS] = {0}, best = -INFINITY;
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
        says[meaning] = -power * elementary_log((misfit(s, lengths, meaning, j) / size + noise) / noise);
        best = fmax(best, says[meaning]);
    }
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++)
        score[meaning] += fmax(says[meaning] - best, -greatest_vote) * votes / (s->joint_count - 1);
}

static void choose_meaning(const Skeleton *s, double size, const BoneLengths *lengths, PositionDecision *out)
{
    double score[MEANINGS] = {0}, weight[MEANINGS] = {0}, total = 0;
    out->meaning = POSITIONS_LOCAL;
    for (int j = 1; j < s->joint_count; j++)
        add_vote(s, lengths, size, j, score);
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
        weight[meaning] = meaning_prior[meaning] * elementary_exp(score[meaning]);
        total += weight[meaning];
        if (weight[meaning] > weight[out->meaning])
            out->meaning = (PositionMeaning)meaning;
    }
    out->confidence = total > 0 ? weight[out->meaning] / total : 0;
}

Status positions_decide(const Skeleton *skeleton, const Motion *motion, PositionDecision *out, Error *err)
{
    size_t joints = (size_t)skeleton->joint_count;
    int last = motion->frame_count - 1, compared = last < FRAMES_COMPARED ? last + 1 : FRAMES_COMPARED;
    *out = (PositionDecision){POSITIONS_LOCAL, 1, 0};
    if (!motion->translation || joints < 2 || last < 0)
        return STATUS_OK;
    Arena arena = {0};
    BoneLengths lengths = {0};
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
        lengths.sum[meaning] = arena_array(&arena, joints, 1, sizeof **lengths.sum);
        lengths.square[meaning] = arena_array(&arena, joints, 1, sizeof **lengths.square);
    }
    Vec3 *world = arena_array(&arena, joints, 1, sizeof *world);
    Quat *orientation = arena_array(&arena, joints, 1, sizeof *orientation);
    double *scratch = arena_array(&arena, joints, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int i = 0; !status && i < compared; i++) {
        int frame = compared > 1 ? (int)((long long)i * last / (compared - 1)) : 0;
        world_positions(skeleton, motion, frame, world, orientation);
        add_lengths(skeleton, motion, frame, world, &lengths);
    }
    if (!status)
        choose_meaning(skeleton, fmax(body_size(skeleton, motion, scratch), 1e-300), &lengths, out);
    arena_free(&arena);
    return status;
}
