/* Flicker: a joint that shakes from frame to frame for most of a second, as when a solver loses a marker.
 *
 * Differences of a joint's rotation grow with their order in noise and shrink in motion: the ratio of the sums of
 * squares of fourth and second differences is 70/6 for white noise, and (2 sin(pi f / F))^4 for motion of f Hz at F
 * frames/s. Consecutive third differences of noise also tend to oppose each other. Both criteria are evaluated in
 * blocks of a quarter of a second, the size by medians, which are insensitive to a single step. The joint must also
 * shake more than in the rest of the take or, in a take too short for that, more than the other joints. The margin
 * over the other joints is smaller where the differences leave no doubt: at 24 frames/s all fast joints look alike. */
#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/math/elementary.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/sort.h"
#include "analysis/motion/rotation_changes.h"
#include "analysis/quality/artifacts_internal.h"

static const double block_time = 0.25;            /* s */
static const double min_level = 3.3 * PI / 180;   /* rad, mean of the blocks: noise of 1.1 degrees RMS */
static const double of_mean = 0.65;               /* part of min_level required of each block */
static const double min_reversed = 0.6;           /* part of the third differences; 0.77 and more for noise */
static const double min_whiteness = 6.5;          /* 11.7 for noise, 4 for 6 Hz at 24 frames/s */
static const double over_usual = 2.5;             /* times the joint's level in the calmest third of the take */
static const double over_others = 1.8;            /* times the median joint's level in the block; */
static const double over_others_short = 1.3;      /* the same for a take too short to have a calm part */
static const double sure_reversed = 0.7, sure_whiteness = 9.5; /* certain noise, whatever the other joints do; */
static const double sure_others = 0.5;            /* the factor on over_others there */
static const double opposite = 0.25;              /* minus the cosine: limit from which differences are opposed */
static const double level_of_noise = 3.2;         /* median third difference over RMS of noise; one axis 3, three 4 */
enum {
    MIN_BLOCK = 6,   /* frames */
    SPAN = 3,        /* blocks that must all shake */
    LONG = 12,       /* blocks: takes that have a calm part */
};

typedef struct Block {
    double level;     /* rad: median norm of the third differences */
    double reversed;  /* part of them opposed to the one before */
    double whiteness; /* sum of squares of fourth differences over that of second ones */
} Block;

typedef struct Shaking {
    int joints;
    int count, length; /* number of blocks, frames in each; the first begins at frame BEFORE */
    Block *block;      /* [joint][count] */
    double *others;    /* [count] rad: the median level of the joints with a role */
    double *scratch;   /* [joints + count + length] */
} Shaking;

enum { BEFORE = 3 }; /* frames before a difference that it depends on */

/* Analyses the frames; the turns at their end become those before the next ones. */
static void next_frames(RotationChangesView *v, int first, int length)
{
    double *before = v->after;
    v->first = (size_t)first;
    v->length = (size_t)length;
    LANE_TWIN(rotation_changes, lane_width_for_frames(LANES_AUTO, (int)v->joint_count))(v);
    v->after = v->before;
    v->before = before;
}

/* Sets the turns of the first frames: without differences at frame 1, with those from it at frame 2. */
static void begin(RotationChangesView *v)
{
    next_frames(v, 1, 1);
    memset(v->before + 3 * v->joint_count, 0, (ROTATION_VALUES - 3) * v->joint_count * sizeof *v->before);
    next_frames(v, 2, 1);
}

/* Fills the blocks one after the other, whose rows thus stay in cache; levels only on request. */
static void look_at_blocks(const Shaking *s, RotationChangesView *v, int with_levels)
{
    begin(v);
    for (int k = 0; k < s->count; k++) {
        next_frames(v, BEFORE + k * s->length, s->length);
        for (size_t j = 0; j < v->joint_count; j++) {
            Block *block = &s->block[j * (size_t)s->count + (size_t)k];
            block->reversed = v->reversed[j] / s->length;
            block->whiteness = v->second[j] > 0 ? v->fourth[j] / v->second[j] : 0;
            for (size_t i = 0; with_levels && i < v->length; i++)
                s->scratch[i] = v->size[i * v->joint_count + j];
            if (with_levels)
                block->level = select_double(s->scratch, v->length, v->length / 2);
        }
    }
}

static void find_others(const Shaking *s, const Skeleton *skeleton)
{
    for (int k = 0; k < s->count; k++) {
        size_t roles = 0;
        for (int j = 0; j < s->joints; j++)
            if (skeleton->role[j] != ROLE_NONE)
                s->scratch[roles++] = s->block[j * s->count + k].level;
        s->others[k] = roles > 0 ? select_double(s->scratch, roles, roles / 2) : 0;
    }
}

/* The level, relative to the joint's own calm part, that a block must exceed; 0 if the take is too short. */
static double usual_level(const Shaking *s, int joint)
{
    for (int k = 0; k < s->count; k++)
        s->scratch[k] = s->block[joint * s->count + k].level;
    return s->count < LONG ? 0 : over_usual * select_double(s->scratch, (size_t)s->count, (size_t)s->count / 3);
}

/* The mean of SPAN blocks. */
static Block mean_block(const Block *block)
{
    Block mean = {0};
    for (int i = 0; i < SPAN; i++) {
        mean.level += block[i].level / SPAN;
        mean.reversed += block[i].reversed / SPAN;
        mean.whiteness += block[i].whiteness / SPAN;
    }
    return mean;
}

/* The factor by which a block's level must exceed that of the other joints. */
static double over_the_others(const Shaking *s, const Block *mean)
{
    int sure = mean->reversed >= sure_reversed && mean->whiteness >= sure_whiteness;
    return (s->count < LONG ? over_others_short : over_others) * (sure ? sure_others : 1);
}

/* Whether blocks k to k + SPAN - 1 look like noise, whatever its level. */
static int is_noise(const Block *mean)
{
    return !(mean->reversed < min_reversed || mean->whiteness < min_whiteness);
}

/* Whether blocks k to k + SPAN - 1 shake. */
static int is_flicker(const Shaking *s, int joint, int k, double usual)
{
    const Block *block = &s->block[joint * s->count + k];
    Block mean = mean_block(block);
    double ratio = over_the_others(s, &mean);
    if (mean.level < min_level || !is_noise(&mean))
        return 0;
    for (int i = 0; i < SPAN; i++)
        if (block[i].level < fmax(of_mean * min_level, fmax(usual, ratio * s->others[k + i])))
            return 0;
    return 1;
}

static Artifact flicker_artifact(const Shaking *s, int joint, int first, int end)
{
    double sum = 0;
    for (int k = first; k < end; k++)
        sum += s->block[joint * s->count + k].level;
    return (Artifact){TRUST_FLICKER,
                      joint,
                      BEFORE + first * s->length - 1,
                      BEFORE + end * s->length - 1,
                      0,
                      sum / (end - first) / level_of_noise};
}

/* Merges overlapping and adjacent windows that shake. */
static Status judge_joint(const Shaking *s, int joint, Artifacts *artifacts, Error *err)
{
    double usual = usual_level(s, joint);
    int first = 0, end = 0;
    Status status = STATUS_OK;
    for (int k = 0; k <= s->count && !status; k++) {
        int shakes = k + SPAN <= s->count && is_flicker(s, joint, k, usual);
        if (end > 0 && k > end) {
            status = artifacts_add(artifacts, flicker_artifact(s, joint, first, end), err);
            end = 0;
        }
        if (shakes) {
            first = end > 0 ? first : k;
            end = k + SPAN;
        }
    }
    return status || end == 0 ? status : artifacts_add(artifacts, flicker_artifact(s, joint, first, end), err);
}

/* Whether levels are needed: in most takes nothing looks like noise. */
static int has_noise(const Shaking *s)
{
    for (int j = 0; j < s->joints; j++)
        for (int k = 0; k + SPAN <= s->count; k++) {
            Block mean = mean_block(&s->block[j * s->count + k]);
            if (is_noise(&mean))
                return 1;
        }
    return 0;
}

static RotationChangesView rotation_changes_view(const Motion *m, int length, Arena *arena)
{
    size_t joints = (size_t)m->joint_count, rows = 2 * ROTATION_VALUES + 3 + (size_t)length;
    double *row = arena_array(arena, rows, joints, sizeof *row);
    RotationChangesView v = {.joint_count = joints, .opposite = opposite, .rotation = m->rotation, .before = row};
    if (arena->failed)
        return v;
    v.after = v.before + ROTATION_VALUES * joints;
    v.second = v.after + ROTATION_VALUES * joints;
    v.fourth = v.second + joints;
    v.reversed = v.fourth + joints;
    v.size = v.reversed + joints;
    return v;
}

Status artifact_flicker_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    Arena arena = {0};
    int length = (int)fmax(MIN_BLOCK, rint(block_time / m->frame_time)), joints = m->joint_count;
    int count = (m->frame_count - BEFORE) / length;
    if (count < SPAN || joints < 1)
        return STATUS_OK;
    Shaking s = {joints, count, length, arena_array(&arena, (size_t)joints, (size_t)count, sizeof(Block)),
                 arena_array(&arena, (size_t)count, 1, sizeof(double)),
                 arena_array(&arena, (size_t)joints + (size_t)count + (size_t)length, 1, sizeof(double))};
    RotationChangesView view = rotation_changes_view(m, length, &arena);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        look_at_blocks(&s, &view, 0);
    if (!status && has_noise(&s)) {
        look_at_blocks(&s, &view, 1);
        find_others(&s, skeleton);
        for (int j = 0; j < joints && !status; j++)
            status = judge_joint(&s, j, artifacts, err);
    }
    arena_free(&arena);
    return status;
}
