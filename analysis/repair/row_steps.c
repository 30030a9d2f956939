/* Rows that a recorder repeated or lost (row_steps.h). */
#include "analysis/repair/row_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/repair/channel_rows.h"

/* Least decrease of surprise, in units of pose_steps_surprise, for which an artifact is preferred to regular motion.
 * Regular recordings reached 2.1 for a long step, and 3.3 with every third frame kept
 * (tests/real/test_row_steps_files.c). An exact repeat within motion is nearly sufficient. */
static const double sure_of_long_step = 3.5, sure_of_expected = 0, sure_of_repeat = 1;
static const double sure_of_another = 2; /* where a recorder has lost rows elsewhere in the clip */
static const double rarer = 1.2; /* additional decrease required per further row lost at once */

enum { WINDOW = 8, MIN = 4 };              /* steps used on each side of one, and their least number */
enum { PASSES = 8, MIN_LOSSES = 5, MIN_PROVEN = 3, MAX_INTERVAL = 64 };
static const double rest = 2e-6;           /* rad: a smaller step repeats the row before */
static const double min_chance = 1e-5;     /* rad: lower bound of the noise scale */
static const double deviation = 1.25;      /* standard over mean deviation of a normal distribution, sqrt(pi / 2) */
static const double long_step = 1.3;       /* of the mean of the steps beside it */

/* Numbers of all frames: first[frame * stride]. */
typedef struct PoseColumn {
    const double *first;
    size_t stride;
} PoseColumn;

/* Data from which steps are computed. */
typedef struct RowPoses {
    int frame_count;
    double length;
    const Quat *rotation;    /* [frame][turning] */
    int turning;             /* joints that rotate */
    PoseColumn *position;    /* [positions] */
    int positions;
} RowPoses;

/* Fills the rotation channels of the joints that have some, and the other columns, which are positions. */
static void find_columns(RowPoses *p, const ChannelRows *rows, EulerChannels *rotations, char *is_angle)
{
    for (int j = 0; j < rows->joint_count; j++) {
        const EulerChannels *t = &rows->rotations[j];
        if (t->count > 0)
            rotations[p->turning++] = *t;
        for (int i = 0; i < t->count; i++)
            is_angle[t->column[i]] = 1;
    }
    for (int c = 0; c < rows->row_size; c++)
        if (!is_angle[c])
            p->position[p->positions++] = (PoseColumn){rows->value + c, (size_t)rows->row_size};
}

static Status poses_of_rows(const ChannelRows *rows, double length, RowPoses *p, Arena *arena, Error *err)
{
    *p = (RowPoses){.frame_count = rows->frame_count, .length = length > 0 ? length : 1};
    EulerChannels *rotations = arena_array(arena, (size_t)rows->joint_count, 1, sizeof *rotations);
    char *is_angle = arena_array(arena, (size_t)rows->row_size, 1, 1);
    Quat *rotation = NULL;
    p->position = arena_array(arena, (size_t)rows->row_size, 1, sizeof *p->position);
    if (!arena->failed) {
        find_columns(p, rows, rotations, is_angle);
        rotation = arena_space(arena, (size_t)rows->frame_count, (size_t)p->turning, sizeof *rotation);
    }
    if (arena->failed)
        return error_no_memory(err);
    ChannelRows turning = *rows;
    turning.joint_count = p->turning;
    turning.rotations = rotations;
    euler_to_quat(&turning, LANES_AUTO, rotation);
    p->rotation = rotation;
    return STATUS_OK;
}

static void add_positions(RowPoses *p, const Vec3 *first, size_t stride)
{
    for (int axis = 0; axis < 3; axis++)
        p->position[p->positions++] = (PoseColumn){(const double *)first + axis, stride};
}

static Status poses_of_motion(const Motion *m, double length, RowPoses *p, Arena *arena, Error *err)
{
    size_t joints = (size_t)m->joint_count;
    *p = (RowPoses){.frame_count = m->frame_count, .length = length > 0 ? length : 1, .rotation = m->rotation,
                    .turning = m->joint_count};
    p->position = arena_array(arena, joints + 1, 3, sizeof *p->position);
    if (arena->failed)
        return error_no_memory(err);
    add_positions(p, m->root_position, 3);
    for (int j = 0; m->translation && j < m->joint_count; j++)
        add_positions(p, &m->translation[j], 3 * joints);
    return STATUS_OK;
}

static void put_step(const RowPoses *p, int a, int b, double *step)
{
    const Quat *qa = p->rotation + (size_t)a * (size_t)p->turning, *qb = p->rotation + (size_t)b * (size_t)p->turning;
    for (int j = 0; j < p->turning; j++) {
        Vec3 rotation = vec3_scale(quat_log_small(quat_mul(qb[j], quat_conjugate(qa[j]))), 2);
        *step++ = rotation.x;
        *step++ = rotation.y;
        *step++ = rotation.z;
    }
    for (int i = 0; i < p->positions; i++) {
        PoseColumn c = p->position[i];
        *step++ = (c.first[(size_t)b * c.stride] - c.first[(size_t)a * c.stride]) / p->length;
    }
}

static int is_repeat(const double *step, int size)
{
    for (int c = 0; c < size; c++)
        if (!(fabs(step[c]) <= rest))
            return 0;
    return 1;
}

static int count_moving(const PoseSteps *s)
{
    int moving = 0;
    for (int c = 0; c < s->size; c++) {
        int k = 0;
        while (k < s->count && !(fabs(s->value[(size_t)k * (size_t)s->size + (size_t)c]) > rest))
            k++;
        moving += k < s->count;
    }
    return moving;
}

static void find_steps(PoseSteps *s, const RowPoses *poses)
{
    for (int f = 1; f < poses->frame_count; f++) {
        double *step = s->value + (size_t)s->count * (size_t)s->size;
        put_step(poses, s->frame[s->count], f, step);
        if (!is_repeat(step, s->size))
            s->frame[++s->count] = f;
    }
    s->moving = count_moving(s);
}

static Status find_steps_of(const RowPoses *poses, PoseSteps *s, Error *err)
{
    int failed = 0;
    size_t frames = (size_t)poses->frame_count;
    s->size = 3 * poses->turning + poses->positions;
    s->frame = array_try(&failed, frames, 1, sizeof *s->frame);
    s->value = array_try(&failed, frames, (size_t)s->size, sizeof *s->value);
    s->chance = array_try(&failed, (size_t)s->size, 1, sizeof *s->chance);
    s->is_odd = array_try(&failed, frames, 1, sizeof *s->is_odd);
    if (failed)
        return error_no_memory(err);
    find_steps(s, poses);
    return STATUS_OK;
}

Status pose_steps_init(PoseSteps *s, const ChannelRows *rows, double length, Error *err)
{
    Arena arena = {0};
    RowPoses poses;
    *s = (PoseSteps){0};
    Status status = poses_of_rows(rows, length, &poses, &arena, err);
    if (!status)
        status = find_steps_of(&poses, s, err);
    arena_free(&arena);
    return status;
}

static Status motion_steps_init(PoseSteps *s, const Motion *m, double length, Error *err)
{
    Arena arena = {0};
    RowPoses poses;
    *s = (PoseSteps){0};
    Status status = poses_of_motion(m, length, &poses, &arena, err);
    if (!status)
        status = find_steps_of(&poses, s, err);
    arena_free(&arena);
    return status;
}

void pose_steps_free(PoseSteps *s)
{
    free(s->frame);
    free(s->value);
    free(s->chance);
    free(s->is_odd);
}

static const double *step_at(const PoseSteps *s, int k)
{
    return s->value + (size_t)k * (size_t)s->size;
}

/* Bends on one side of a step: those at steps first .. end - 1 without an odd step. */
typedef struct Bends {
    int first, end, count;
} Bends;

static int is_plain_bend(const PoseSteps *s, int i) { return !(s->is_odd[i - 1] || s->is_odd[i] || s->is_odd[i + 1]); }

/* Up to WINDOW plain bends from step `from` on in the direction `way`, within twice as many steps. */
static Bends bends_beside(const PoseSteps *s, int from, int way)
{
    Bends b = {from, from, 0};
    int i = from;
    for (; i >= 1 && i < s->count - 1 && abs(i - from) < 2 * WINDOW && b.count < WINDOW; i += way)
        b.count += is_plain_bend(s, i);
    b.first = way > 0 ? from : i + 1;
    b.end = way > 0 ? i : from + 1;
    return b;
}

/* Mean over the bends of |s_k - (s_(k-1) + s_(k+1)) / 2|, for one component. */
static double mean_bend(const PoseSteps *s, Bends b, int component)
{
    ptrdiff_t next = (ptrdiff_t)s->size;
    double sum = 0;
    for (int i = b.first; i < b.end; i++) {
        const double *at = step_at(s, i) + component;
        if (is_plain_bend(s, i))
            sum += fabs(at[0] - 0.5 * (at[-next] + at[next]));
    }
    return b.count > 0 ? sum / b.count : 0;
}

/* Excludes the adjacent steps, whose bends contain step k. Motion is often calmer on one side; the larger scale is
 * used. */
int pose_steps_weigh(PoseSteps *s, int k, int min_bends)
{
    Bends before = bends_beside(s, k - 2, -1), after = bends_beside(s, k + 2, 1);
    int both = before.count >= min_bends && after.count >= min_bends;
    if (k < 1 || k > s->count - 2 || !both || before.count + after.count < MIN)
        return 0;
    for (int c = 0; c < s->size; c++) {
        double left = mean_bend(s, before, c), right = mean_bend(s, after, c);
        s->chance[c] = isnan(left + right) ? NAN : fmax(deviation * fmax(left, right), min_chance);
    }
    return 1;
}

/* Noise of the relation over that of a bend: weights of the positions x_(k-1) .. x_(k+2). */
static double noise(StepRelation r)
{
    double a = -r.before, b = r.before - r.own, c = r.own - r.after, d = r.after;
    return sqrt((a * a + b * b + c * c + d * d) / 5);
}

double pose_steps_surprise(const PoseSteps *s, int k, StepRelation r)
{
    const double *own = step_at(s, k), *before = step_at(s, k - 1), *after = r.after == 0 ? own : step_at(s, k + 1);
    double sum = 0, product = 1, scale = 1 / noise(r);
    for (int c = 0; c < s->size; c++) {
        double z = (r.own * own[c] + r.before * before[c] + r.after * after[c]) / s->chance[c] * scale;
        if (!(fabs(z) < 1e50)) /* NaN, or a senseless value of a file */
            continue;
        product *= 1 + z * z;
        if (product > 1e150) {
            sum += elementary_log(product);
            product = 1;
        }
    }
    return (sum + elementary_log(product)) / sqrt(s->moving);
}

enum { MAX_MISSING = 5 };  /* consecutive missing rows: with more, neighbouring steps say nothing about those between */

/* Relation of a step that lasts n frames: s_k is n times the mean of its neighbours. */
static StepRelation lasting(int n)
{
    return (StepRelation){1, -0.5 * n, -0.5 * n};
}

/* Surprise of a step if no row is lost: it lies between its neighbours, or the body starts or stops there. */
static double surprise_of_sound(const PoseSteps *s, int k)
{
    double between = pose_steps_surprise(s, k, lasting(1));
    double stops = pose_steps_surprise(s, k, (StepRelation){1, -1, 0});
    double starts = pose_steps_surprise(s, k, (StepRelation){1, 0, -1});
    return fmin(between, fmin(stops, starts));
}

/* Judges a step without repeated rows: rows are missing if that explains it better by `sure`. */
static void judge_step(PoseSteps *s, int k, double sure, RowStep *step, int *missing)
{
    double sound = surprise_of_sound(s, k), surest = sure;
    int frame = s->frame[k + 1];
    for (int lost = 1; lost <= MAX_MISSING; lost++) {
        double gain = sound - pose_steps_surprise(s, k, lasting(lost + 1)) - rarer * (lost - 1);
        if (!(gain > surest))
            continue;
        surest = gain;
        step[frame] = ROW_STEP_MISSING;
        missing[frame] = lost;
        s->is_odd[k] = 1;
    }
}

/* Judges a step after `held` rows that repeat the previous one. Either they are surplus, and the step lasts one frame,
 * or they replace lost rows, and the step includes their duration. If the body is at rest there, the steps on both
 * sides are near zero. */
static void judge_repeat(const PoseSteps *s, int k, int held, RowStep *step)
{
    double rests = pose_steps_surprise(s, k, (StepRelation){0, 0.5, 0.5});
    double surplus = pose_steps_surprise(s, k, lasting(1)), lost = pose_steps_surprise(s, k, lasting(held + 1));
    if (held > MAX_MISSING || !(rests - fmin(surplus, lost) > sure_of_repeat))
        return;
    for (int f = s->frame[k] + 1; f < s->frame[k + 1]; f++)
        step[f] = surplus < lost ? ROW_STEP_SURPLUS : ROW_STEP_HELD;
}

static double squared_length(const PoseSteps *s, int k)
{
    const double *step = step_at(s, k);
    double sum = 0;
    for (int c = 0; c < s->size; c++)
        sum += isnan(step[c]) ? 0 : step[c] * step[c];
    return sum;
}

/* Whether a step is longer than the mean of those beside it by more than motion makes it: with a lost row it is twice
 * as long. Saves weighing most steps. */
static int is_long(const PoseSteps *s, int k)
{
    if (k < 1 || k > s->count - 2)
        return 0;
    double mean = 0.5 * (sqrt(squared_length(s, k - 1)) + sqrt(squared_length(s, k + 1)));
    return squared_length(s, k) > long_step * long_step * mean * mean;
}

/* Judges the steps that are still plain; returns the number of losses found. */
static int judge_steps(PoseSteps *s, double sure, RowStep *step, int *missing)
{
    int found = 0;
    for (int k = 0; k < s->count; k++) {
        int held = s->frame[k + 1] - s->frame[k] - 1;
        if (s->is_odd[k] || !(held > 0 || is_long(s, k)) || !pose_steps_weigh(s, k, MIN))
            continue;
        if (held > 0)
            judge_repeat(s, k, held, step);
        else
            judge_step(s, k, sure, step, missing);
        found += s->is_odd[k];
    }
    return found;
}

/* The commonest number of steps from one loss to the next; 0 if there are fewer than MIN_LOSSES, or most of them are at
 * other distances. */
static int find_interval(const PoseSteps *s)
{
    int votes[MAX_INTERVAL + 1] = {0}, last = -1, losses = 0, best = 0;
    for (int k = 0; k < s->count; k++) {
        if (!s->is_odd[k])
            continue;
        if (losses++ > 0 && k - last <= MAX_INTERVAL)
            votes[k - last]++;
        last = k;
    }
    for (int i = MIN; i <= MAX_INTERVAL; i++)
        best = votes[i] > votes[best] ? i : best;
    return losses >= MIN_LOSSES && 2 * votes[best] > losses - 1 ? best : 0;
}

/* Judges the steps at which a loss is expected: whole intervals after one, or, with `way` -1, before one. */
static void judge_expected(PoseSteps *s, int interval, int way, RowStep *step, int *missing)
{
    int since = 0, is_known = 0;
    for (int i = 0; i < s->count; i++) {
        int k = way > 0 ? i : s->count - 1 - i;
        since++;
        if (is_known && !s->is_odd[k] && since % interval == 0 && pose_steps_weigh(s, k, 0))
            judge_step(s, k, sure_of_expected, step, missing);
        is_known |= s->is_odd[k];
        since = s->is_odd[k] ? 0 : since;
    }
}

/* Judges the last step, which has no step behind it, if a loss is expected there: against one as long as that before,
 * with the noise of the step before. */
static void judge_last(PoseSteps *s, int interval, RowStep *step, int *missing)
{
    int last = s->count - 1, k = last - 1, frame = last >= 0 ? s->frame[last + 1] : 0;
    while (k >= 0 && !s->is_odd[k])
        k--;
    if (k < 0 || s->is_odd[last] || (last - k) % interval != 0 || !pose_steps_weigh(s, last - 1, 0))
        return;
    if (pose_steps_surprise(s, last, (StepRelation){1, -1, 0}) >
        pose_steps_surprise(s, last, (StepRelation){1, -2, 0}) + sure_of_expected) {
        s->is_odd[last] = 1;
        step[frame] = ROW_STEP_MISSING;
        missing[frame] = 1;
    }
}

/* A recorder that loses rows at an interval loses the same number each time: where most losses are of one number, the
 * others are of it, too. */
static void settle_numbers(const PoseSteps *s, const RowStep *step, int *missing)
{
    int votes[MAX_MISSING + 1] = {0}, best = 0, losses = 0;
    for (int k = 0; k < s->count; k++)
        if (step[s->frame[k + 1]] == ROW_STEP_MISSING) {
            votes[missing[s->frame[k + 1]]]++;
            losses++;
        }
    for (int lost = 1; lost <= MAX_MISSING; lost++)
        best = votes[lost] > votes[best] ? lost : best;
    for (int k = 0; k < s->count && 2 * votes[best] > losses; k++)
        if (step[s->frame[k + 1]] == ROW_STEP_MISSING)
            missing[s->frame[k + 1]] = best;
}

/* Repeats the search until nothing new is found; then with less certainty if rows were lost in several places. */
static void search(PoseSteps *s, RowStep *step, int *missing)
{
    int losses = 0;
    for (int pass = 0, found = 1; pass < PASSES && found > 0; pass++) {
        found = judge_steps(s, sure_of_long_step, step, missing);
        losses += found;
    }
    for (int pass = 0, found = losses >= MIN_PROVEN; pass < PASSES && found > 0; pass++)
        found = judge_steps(s, sure_of_another, step, missing);
}

/* Fills step and missing of `frames` frames. */
static void judge_all(PoseSteps *s, int frames, RowStep *step, int *missing)
{
    memset(step, 0, (size_t)frames * sizeof *step);
    memset(missing, 0, (size_t)frames * sizeof *missing);
    search(s, step, missing);
    int interval = find_interval(s);
    for (int way = 1; interval > 0 && way >= -1; way -= 2)
        judge_expected(s, interval, way, step, missing);
    if (interval > 0) {
        judge_last(s, interval, step, missing);
        settle_numbers(s, step, missing);
    }
}

Status row_steps_find(const ChannelRows *rows, double length, RowStep *step, int *missing, Error *err)
{
    PoseSteps s;
    Status status = pose_steps_init(&s, rows, length, err);
    if (!status)
        judge_all(&s, rows->frame_count, step, missing);
    pose_steps_free(&s);
    return status;
}

Status motion_steps_find(const Motion *m, double length, RowStep *step, int *missing, Error *err)
{
    PoseSteps s;
    Status status = motion_steps_init(&s, m, length, err);
    if (!status)
        judge_all(&s, m->frame_count, step, missing);
    pose_steps_free(&s);
    return status;
}
