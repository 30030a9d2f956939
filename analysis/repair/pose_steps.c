/* Steps of the pose between rows (pose_steps.h). */
#include "analysis/repair/pose_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

enum { WINDOW = 8, MIN = 4 };              /* relations used on each side of a step, and their least number */
static const double rest = 2e-6;           /* rad: a smaller step repeats the row before */
static const double min_chance = 1e-5;     /* rad: lower bound of the noise scale */
static const double many = 64;             /* components of a body */
static const double deviation = 1.25;      /* standard over mean deviation of a normal distribution, sqrt(pi / 2) */

/* ---- Steps ---- */

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
    for (int reach = 0; reach < STEP_REACHES; reach++)
        s->chance[reach] = array_try(&failed, (size_t)s->size, 1, sizeof *s->chance[reach]);
    s->sum = array_try(&failed, (size_t)s->size, 1, sizeof *s->sum);
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

Status pose_steps_of_motion(PoseSteps *s, const Motion *m, double length, Error *err)
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
    for (int reach = 0; reach < STEP_REACHES; reach++)
        free(s->chance[reach]);
    free(s->sum);
    free(s->is_odd);
}

/* ---- Relations ---- */

StepRelation step_relation(double before, double own, double after)
{
    return (StepRelation){{0, before, own, after, 0}, STEP_REACH_NARROW};
}

/* Divided difference of the places at the ends of the steps (Newton): each has a weight of 1 / product of its distances
 * in time from the others. */
StepRelation step_relation_lasting(int n, StepReach reach)
{
    StepRelation r = {.reach = reach};
    int side = reach == STEP_REACH_WIDE ? 3 : 2, places = 2 * side; /* places before the step, and after */
    double sum = 0;
    for (int i = 0; i + 1 < places; i++) {
        double product = 1, own = i < side ? i : i - 1 + n;
        for (int j = 0; j < places; j++)
            product *= j == i ? 1 : own - (j < side ? j : j - 1 + n);
        sum -= 1 / product;
        r.weight[i + 3 - side] = sum;
    }
    for (int i = 0, middle = 2; i < RELATION_STEPS; i++)
        r.weight[i] = i == middle ? r.weight[i] : r.weight[i] / r.weight[middle];
    r.weight[2] = 1;
    return r;
}

/* Fills value[size] with the relation at step k of every component. */
static void relations_at(const PoseSteps *s, int k, const StepRelation *r, double *value)
{
    const double *at = pose_step_at(s, k), *w = r->weight;
    ptrdiff_t next = (ptrdiff_t)s->size;
    for (int c = 0; c < s->size; c++)
        value[c] = w[1] * at[c - next] + w[2] * at[c];
    for (int c = 0; c < s->size && w[3] != 0; c++) /* the last step has none behind it */
        value[c] += w[3] * at[c + next];
    for (int c = 0; c < s->size && r->reach == STEP_REACH_WIDE; c++)
        value[c] = value[c] + w[0] * at[c - 2 * next] + w[4] * at[c + 2 * next];
}

/* Sum of the squares of the weights of the places: the noise of the relation, squared, in that of a place. */
static double noise_square(const StepRelation *r)
{
    double sum = r->weight[0] * r->weight[0] + r->weight[4] * r->weight[4];
    for (int i = 0; i + 1 < RELATION_STEPS; i++)
        sum += (r->weight[i] - r->weight[i + 1]) * (r->weight[i] - r->weight[i + 1]);
    return sum;
}

/* ---- Noise ---- */

/* Relations on one side of a step: those at steps first .. end - 1 whose steps are all of one frame. */
typedef struct Relations {
    int first, end, count;
} Relations;

static int is_plain(const PoseSteps *s, int i, int side)
{
    for (int k = i - side; k <= i + side; k++)
        if (s->is_odd[k])
            return 0;
    return 1;
}

/* Up to WINDOW plain relations from step `from` on in the direction `way`, within twice as many steps. */
static Relations relations_beside(const PoseSteps *s, int from, int way, int side)
{
    Relations r = {from, from, 0};
    int i = from;
    for (; i >= side && i < s->count - side && abs(i - from) < 2 * WINDOW && r.count < WINDOW; i += way)
        r.count += is_plain(s, i, side);
    r.first = way > 0 ? from : i + 1;
    r.end = way > 0 ? i : from + 1;
    return r;
}

/* Sum over the relations of one frame on a side of their sizes. sum: [size]. */
static void add_relations(const PoseSteps *s, Relations beside, const StepRelation *r, double *sum)
{
    ptrdiff_t next = (ptrdiff_t)s->size;
    int is_wide = r->reach == STEP_REACH_WIDE;
    memset(sum, 0, (size_t)s->size * sizeof *sum);
    for (int i = beside.first; i < beside.end; i++) {
        const double *at = pose_step_at(s, i), *w = r->weight;
        if (!is_plain(s, i, is_wide ? 2 : 1))
            continue;
        for (int c = 0; c < s->size && is_wide; c++)
            sum[c] += fabs(w[0] * at[c - 2 * next] + w[1] * at[c - next] + at[c] + w[3] * at[c + next] +
                           w[4] * at[c + 2 * next]);
        for (int c = 0; c < s->size && !is_wide; c++)
            sum[c] += fabs(w[1] * at[c - next] + at[c] + w[3] * at[c + next]);
    }
}

/* Excludes the relations that contain step k. Motion is often calmer on one side; the larger scale is used. */
static int weigh(PoseSteps *s, int k, StepReach reach, int min_relations)
{
    int side = reach == STEP_REACH_WIDE ? 2 : 1;
    const StepRelation one = step_relation_lasting(1, reach);
    Relations before = relations_beside(s, k - side - 1, -1, side), after = relations_beside(s, k + side + 1, 1, side);
    double *left = s->chance[reach], *right = s->sum;
    int both = before.count >= min_relations && after.count >= min_relations;
    if (k < side || k > s->count - 1 - side || !both || before.count + after.count < MIN)
        return 0;
    add_relations(s, before, &one, left);
    add_relations(s, after, &one, right);
    double of_left = deviation / fmax(1, before.count), of_right = deviation / fmax(1, after.count);
    for (int c = 0; c < s->size; c++)
        left[c] = isnan(left[c] + right[c]) ? NAN : fmax(fmax(of_left * left[c], of_right * right[c]), min_chance);
    return 1;
}

int pose_steps_weigh(PoseSteps *s, int k, int min_relations)
{
    s->sound_of = -1;
    if (!weigh(s, k, STEP_REACH_NARROW, min_relations))
        return 0;
    s->has_wide = weigh(s, k, STEP_REACH_WIDE, min_relations);
    return 1;
}

/* ---- Surprise ---- */

double pose_steps_surprise(const PoseSteps *s, int k, StepRelation r, double *squares)
{
    const StepRelation one = step_relation_lasting(1, r.reach);
    const double *chance = s->chance[r.reach];
    double sum = 0, product = 1, all = 0, scale = sqrt(noise_square(&one) / noise_square(&r)), *z = s->sum;
    relations_at(s, k, &r, z);
    for (int c = 0; c < s->size; c++)
        z[c] = z[c] / chance[c] * scale;
    for (int c = 0; c < s->size; c++) {
        if (!(fabs(z[c]) < 1e50)) /* NaN, or a senseless value of a file */
            continue;
        all += z[c] * z[c];
        product *= 1 + z[c] * z[c];
        if (product > 1e150) {
            sum += elementary_log(product);
            product = 1;
        }
    }
    if (squares)
        *squares = all;
    return (sum + elementary_log(product)) / sqrt(s->moving);
}

/* Finds the surprise of step k if it is sound: that of the relation it satisfies best. */
static void find_sound(PoseSteps *s, int k)
{
    const StepRelation narrow[] = {step_relation_lasting(1, STEP_REACH_NARROW), step_relation(-1, 1, 0),
                                   step_relation(0, 1, -1)};
    double surprise = INFINITY, squares = INFINITY, own;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        surprise = fmin(surprise, pose_steps_surprise(s, k, narrow[i], &own));
        squares = fmin(squares, own);
    }
    s->sound[STEP_REACH_NARROW] = surprise;
    s->sound_squares[STEP_REACH_NARROW] = squares;
    if (s->has_wide)
        s->sound[STEP_REACH_WIDE] = pose_steps_surprise(s, k, step_relation_lasting(1, STEP_REACH_WIDE),
                                                        &s->sound_squares[STEP_REACH_WIDE]);
    s->sound_of = k;
}

/* Decrease of surprise and twice that of the logarithm of the squares, plus those of one component; less if few
 * components move, whose squares vary more. */
static double decrease(const PoseSteps *s, int k, int lost, StepReach reach)
{
    double left, now = pose_steps_surprise(s, k, step_relation_lasting(lost + 1, reach), &left);
    double counts = 2 * fmin(1, sqrt(s->moving / many));
    return s->sound[reach] - now + counts * elementary_log((1 + s->sound_squares[reach]) / (1 + left));
}

double pose_steps_evidence(PoseSteps *s, int k, int lost)
{
    if (s->sound_of != k)
        find_sound(s, k);
    double narrow = decrease(s, k, lost, STEP_REACH_NARROW);
    return s->has_wide ? narrow + decrease(s, k, lost, STEP_REACH_WIDE) : 2 * narrow;
}
