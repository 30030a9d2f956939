/* See limb_solve.h. */
#include "analysis/retarget/limb_solve.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "analysis/solve/band_matrix.h"

enum { SHIFT = 3, LIMB = 4, MAX_UNKNOWNS = SHIFT + LIMB_COUNT * LIMB, ROW_ENTRIES = 2 * (SHIFT + 2 * LIMB) };

/* The end of a limb linearized at the present state: position + J unknowns of the frame. */
typedef struct EndPoint {
    Vec3 position;   /* m: position extrapolated to zero unknowns */
    Vec3 now;        /* m: present position */
    Vec3 arm;        /* m: root to end; a rotation vector dr moves the end by dr x arm */
    Vec3 by_bend;    /* m/rad: derivative by the bend */
    double bend;     /* rad: total bend of the middle joint */
} EndPoint;

typedef struct LimbWork {
    const LimbProblem *p;
    const LimbSolveDef *def;
    int unknowns;            /* number per frame */
    int column[LIMB_COUNT];  /* index of the limb's first unknown in a frame */
    double *x, *wanted;      /* [frame][unknown] */
    double *right;           /* [frame][unknown] */
    BandMatrix matrix;
    EndPoint *end[LIMB_COUNT]; /* [frame] */
    Vec3 axis[3];            /* unit: two along the ground, the normal */
} LimbWork;

/* One equation: sum of value times unknown = target. Columns increase. */
typedef struct Equation {
    int count;
    size_t column[ROW_ENTRIES];
    double value[ROW_ENTRIES];
    double target;
} Equation;

/* ---- Limbs ---- */

Quat limb_upper_rotation(const LimbState *state) { return quat_exp(vec3_scale(state->rotation, 0.5)); }

Quat limb_lower_rotation(const LimbShape *shape, const LimbState *state)
{
    return quat_mul(limb_upper_rotation(state), quat_from_axis_angle(shape->hinge, state->bend));
}

Vec3 limb_reach(const LimbShape *shape, const LimbState *state)
{
    Vec3 lower = quat_rotate(quat_from_axis_angle(shape->hinge, state->bend), shape->lower);
    return quat_rotate(limb_upper_rotation(state), vec3_add(shape->upper, lower));
}

double limb_bend(const LimbShape *shape)
{
    Vec3 across = vec3_cross(shape->upper, shape->lower);
    return elementary_atan2(vec3_dot(across, shape->hinge), vec3_dot(shape->upper, shape->lower));
}

static LimbState limb_state(const double *x) { return (LimbState){vec3_load(x), x[3]}; }

static EndPoint end_point(const LimbShape *shape, const double *shift, const double *x)
{
    LimbState state = limb_state(x);
    Quat rotation = limb_upper_rotation(&state);
    Vec3 lower = quat_rotate(quat_mul(rotation, quat_from_axis_angle(shape->hinge, state.bend)), shape->lower);
    EndPoint end = {.arm = vec3_add(quat_rotate(rotation, shape->upper), lower),
                    .by_bend = vec3_cross(quat_rotate(rotation, shape->hinge), lower),
                    .bend = limb_bend(shape) + state.bend};
    Vec3 fixed = vec3_add(shape->root, end.arm);
    end.now = vec3_add(fixed, vec3_load(shift));
    end.position = vec3_mad(vec3_sub(fixed, vec3_cross(state.rotation, end.arm)), -state.bend, end.by_bend);
    return end;
}

/* ---- Equations ---- */

static void add_equation(LimbWork *w, const Equation *e, double weight)
{
    for (int i = 0; i < e->count; i++) {
        double scaled = weight * e->value[i];
        double *row = band_matrix_at(&w->matrix, e->column[i], e->column[i]);
        for (int k = i; k < e->count; k++)
            row[e->column[k] - e->column[i]] += scaled * e->value[k];
        w->right[e->column[i]] += scaled * e->target;
    }
}

static void add_coefficient(Equation *e, size_t column, double value)
{
    e->column[e->count] = column;
    e->value[e->count++] = value;
}

/* Adds sign * (u . end), without the body's shift; column: that of the limb's first unknown. Subtracts the constant
 * term from the target. */
static void put_point(Equation *e, const EndPoint *end, size_t column, Vec3 u, double sign)
{
    Vec3 by_rotation = vec3_cross(end->arm, u);
    add_coefficient(e, column, sign * by_rotation.x);
    add_coefficient(e, column + 1, sign * by_rotation.y);
    add_coefficient(e, column + 2, sign * by_rotation.z);
    add_coefficient(e, column + 3, sign * vec3_dot(end->by_bend, u));
    e->target -= sign * vec3_dot(end->position, u);
}

static size_t limb_column(const LimbWork *w, int limb, int frame)
{
    return (size_t)frame * (size_t)w->unknowns + (size_t)w->column[limb];
}

/* Adds sign * (u . end) in a frame, including the shift. */
static void put_end(const LimbWork *w, Equation *e, int limb, int frame, Vec3 u, double sign)
{
    size_t at = (size_t)frame * (size_t)w->unknowns;
    add_coefficient(e, at, sign * u.x);
    add_coefficient(e, at + 1, sign * u.y);
    add_coefficient(e, at + 2, sign * u.z);
    put_point(e, &w->end[limb][frame], limb_column(w, limb, frame), u, sign);
}

static void add_velocity(LimbWork *w, int limb, int frame)
{
    const LimbGoal *goal = &w->p->goal[limb][frame];
    double dt = w->p->frame_time, unit = w->p->length * dt;
    for (int a = 0; a < 2 && goal->velocity_weight > 0; a++) {
        Equation e = {.target = dt * vec3_dot(goal->velocity, w->axis[a])};
        put_end(w, &e, limb, frame, w->axis[a], -1);
        put_end(w, &e, limb, frame + 1, w->axis[a], 1);
        add_equation(w, &e, w->def->velocity * goal->velocity_weight / (unit * unit));
    }
}

static void add_height(LimbWork *w, int limb, int frame)
{
    const LimbGoal *goal = &w->p->goal[limb][frame];
    double unit = w->p->length * w->p->length;
    Equation e = {.target = goal->height};
    if (goal->height_weight > 0) {
        put_end(w, &e, limb, frame, w->p->normal, 1);
        add_equation(w, &e, w->def->height * goal->height_weight / unit);
    }
    if (vec3_dot(w->end[limb][frame].now, w->p->normal) < goal->floor) {
        e = (Equation){.target = goal->floor};
        put_end(w, &e, limb, frame, w->p->normal, 1);
        add_equation(w, &e, w->def->floor / unit);
    }
}

/* Keeps the middle joint from bending backwards, or from straightening beyond its copied bend. */
static void add_straightness(LimbWork *w, int limb, int frame)
{
    double copied = limb_bend(&w->p->shape[limb][frame]), min = fmin(copied, w->def->min_bend);
    if (w->end[limb][frame].bend >= min)
        return;
    Equation e = {.target = min - copied};
    add_coefficient(&e, (size_t)frame * (size_t)w->unknowns + (size_t)w->column[limb] + 3, 1);
    add_equation(w, &e, w->def->straight);
}

/* Linearizes the point of a limb at `at` (LimbTie), without the shift. */
static EndPoint limb_point(const LimbWork *w, int limb, int frame, double at)
{
    static const double unshifted[SHIFT];
    LimbShape shape = w->p->shape[limb][frame];
    shape.upper = vec3_scale(shape.upper, fmin(at, 1));
    shape.lower = vec3_scale(shape.lower, fmax(at - 1, 0));
    return end_point(&shape, unshifted, w->x + limb_column(w, limb, frame));
}

/* Both points move with the shift, which cancels. */
static void add_tie(LimbWork *w, const LimbTie *tie)
{
    double unit = w->p->length * w->p->length;
    int has_other = tie->other >= 0;
    EndPoint end = limb_point(w, tie->limb, tie->frame, 2), other = {0};
    if (has_other)
        other = limb_point(w, tie->other, tie->frame, tie->at);
    size_t column = limb_column(w, tie->limb, tie->frame);
    size_t others = has_other ? limb_column(w, tie->other, tie->frame) : 0;
    for (int a = 0; a < 3; a++) {
        Vec3 u = w->axis[a];
        Equation e = {.target = vec3_dot(tie->vector, u) + (has_other ? 0 : vec3_dot(tie->position, u))};
        if (has_other && others < column) /* columns increase */
            put_point(&e, &other, others, u, -1);
        put_point(&e, &end, column, u, 1);
        if (has_other && others > column)
            put_point(&e, &other, others, u, -1);
        add_equation(w, &e, w->def->tie * tie->weight / unit);
    }
}

/* If the lower part comes closer to a part of the body than permitted, moves its nearest point away along the shortest
 * line between both. If that line is reversed against the source's, the limb has passed through. */
static void add_guard(LimbWork *w, const LimbGuard *guard)
{
    LimbShape shape = w->p->shape[guard->limb][guard->frame];
    const double *x = w->x + limb_column(w, guard->limb, guard->frame);
    static const double unshifted[SHIFT];
    LimbState state = limb_state(x);
    Vec3 elbow = vec3_add(shape.root, quat_rotate(limb_upper_rotation(&state), shape.upper));
    Vec3 lower[2] = {elbow, vec3_add(shape.root, limb_reach(&shape, &state))};
    SegmentPoints at = segments_nearest(lower, guard->part);
    Vec3 other = vec3_lerp(guard->part[0], guard->part[1], at.b);
    Vec3 apart = vec3_sub(vec3_lerp(lower[0], lower[1], at.a), other);
    double distance = vec3_norm(apart), sign = vec3_dot(apart, guard->side) < 0 ? -1 : 1;
    if (!(sign * distance < guard->min))
        return;
    Vec3 u = distance > 0 ? vec3_scale(apart, sign / distance) : vec3_normalize(guard->side);
    shape.lower = vec3_scale(shape.lower, at.a);
    EndPoint point = end_point(&shape, unshifted, x);
    Equation e = {.target = guard->min + vec3_dot(other, u)};
    put_point(&e, &point, limb_column(w, guard->limb, guard->frame), u, 1);
    add_equation(w, &e, w->def->guard / (w->p->length * w->p->length));
}

/* Weight of an unknown's distance, and the time that scales its acceleration. */
typedef struct Stiffness {
    double weight, time;
} Stiffness;

static Stiffness limb_stiffness(const LimbWork *w, int unknown)
{
    const LimbSolveDef *d = w->def;
    double unit = w->p->length * w->p->length;
    int part = (unknown - SHIFT) % LIMB;
    if (unknown < SHIFT)
        return (Stiffness){d->shift / unit, d->shift_time};
    return part < 3 ? (Stiffness){d->rotation, d->rotation_time} : (Stiffness){d->bend, d->bend_time};
}

/* Adds w (d^2 + time^4 d''^2), with d the distance from the wanted value, directly to the band. */
static void add_pull(LimbWork *w, int unknown)
{
    Stiffness s = limb_stiffness(w, unknown);
    size_t n = (size_t)w->unknowns, frames = (size_t)w->p->frame_count;
    double ratio = s.time / w->p->frame_time, smooth = s.weight * ratio * ratio * ratio * ratio;
    for (size_t f = 0; f < frames; f++) {
        size_t at = f * n + (size_t)unknown;
        double weight = s.weight * (1 + (w->p->hold ? w->p->hold[f] : 0));
        *band_matrix_at(&w->matrix, at, at) += weight;
        w->right[at] += weight * w->wanted[at];
        if (f + 2 >= frames)
            continue;
        static const double second[3] = {1, -2, 1};
        double curve = w->wanted[at] - 2 * w->wanted[at + n] + w->wanted[at + 2 * n];
        for (size_t i = 0; i < 3; i++) {
            for (size_t k = i; k < 3; k++)
                *band_matrix_at(&w->matrix, at + i * n, at + k * n) += smooth * second[i] * second[k];
            w->right[at + i * n] += smooth * second[i] * curve;
        }
    }
}

/* Prescribes the acceleration of the shift in flight. */
static void add_fall(LimbWork *w)
{
    const LimbProblem *p = w->p;
    double unit = p->length * p->frame_time * p->frame_time;
    size_t n = (size_t)w->unknowns;
    for (int f = 1; f + 1 < p->frame_count; f++) {
        if (!p->falls[f])
            continue;
        Equation e = {.target = p->fall[f] * p->frame_time * p->frame_time};
        for (size_t k = 0; k < 3; k++)
            for (int axis = 0; axis < SHIFT; axis++)
                add_coefficient(&e, ((size_t)f + k - 1) * n + (size_t)axis,
                                (k == 1 ? -2 : 1) * vec3_component(p->normal, axis));
        add_equation(w, &e, w->def->fall / (unit * unit));
    }
}

/* ---- Assembly and solution ---- */

static void find_ends(LimbWork *w, int limb)
{
    for (int f = 0; f < w->p->frame_count; f++) {
        const double *x = w->x + (size_t)f * (size_t)w->unknowns;
        w->end[limb][f] = end_point(&w->p->shape[limb][f], x, x + w->column[limb]);
    }
}

static void assemble(LimbWork *w)
{
    const LimbProblem *p = w->p;
    band_matrix_clear(&w->matrix);
    memset(w->right, 0, (size_t)p->frame_count * (size_t)w->unknowns * sizeof *w->right);
    for (int i = 0; i < w->unknowns; i++)
        add_pull(w, i);
    add_fall(w);
    for (int limb = 0; limb < LIMB_COUNT; limb++) {
        if (!p->used[limb])
            continue;
        find_ends(w, limb);
        for (int f = 0; f < p->frame_count; f++) {
            if (f + 1 < p->frame_count)
                add_velocity(w, limb, f);
            add_height(w, limb, f);
            add_straightness(w, limb, f);
        }
    }
    for (int i = 0; i < p->tie_count; i++)
        add_tie(w, &p->tie[i]);
    for (int i = 0; i < p->guard_count; i++)
        add_guard(w, &p->guard[i]);
}

static void start(LimbWork *w)
{
    const LimbProblem *p = w->p;
    for (int f = 0; f < p->frame_count; f++) {
        double *x = w->wanted + (size_t)f * (size_t)w->unknowns;
        memcpy(x, &p->wanted_shift[f], SHIFT * sizeof *x);
        for (int limb = 0; limb < LIMB_COUNT; limb++)
            if (p->used[limb])
                memcpy(x + w->column[limb], &p->wanted[limb][f], LIMB * sizeof *x);
    }
    memcpy(w->x, w->wanted, (size_t)p->frame_count * (size_t)w->unknowns * sizeof *w->x);
}

static void hand_over(const LimbWork *w, Vec3 *shift, LimbState *state[LIMB_COUNT])
{
    for (int f = 0; f < w->p->frame_count; f++) {
        const double *x = w->x + (size_t)f * (size_t)w->unknowns;
        shift[f] = vec3_load(x);
        for (int limb = 0; limb < LIMB_COUNT; limb++)
            if (w->p->used[limb])
                state[limb][f] = limb_state(x + w->column[limb]);
    }
}

/* Sets two unit vectors along the ground and its normal. */
static void set_axes(LimbWork *w)
{
    Vec3 n = w->p->normal, some = fabs(n.x) < 0.7 ? vec3(1, 0, 0) : vec3(0, 0, 1);
    w->axis[0] = vec3_normalize(vec3_mad(some, -vec3_dot(some, n), n));
    w->axis[1] = vec3_cross(n, w->axis[0]);
    w->axis[2] = n;
}

Status limb_solve(const LimbProblem *problem, const LimbSolveDef *def, Vec3 *shift, LimbState *state[LIMB_COUNT],
                  Error *err)
{
    Arena arena = {0};
    LimbWork w = {.p = problem, .def = def, .unknowns = SHIFT};
    size_t frames = (size_t)problem->frame_count;
    for (int limb = 0; limb < LIMB_COUNT; limb++) {
        w.column[limb] = w.unknowns;
        w.unknowns += problem->used[limb] ? LIMB : 0;
        w.end[limb] = arena_array(&arena, problem->used[limb] ? frames : 0, 1, sizeof *w.end[limb]);
    }
    size_t n = (size_t)w.unknowns;
    w.x = arena_array(&arena, frames, n, sizeof *w.x);
    w.wanted = arena_array(&arena, frames, n, sizeof *w.wanted);
    w.right = arena_array(&arena, frames, n, sizeof *w.right);
    w.matrix = band_matrix(frames * n, 2 * n + SHIFT - 1, &arena);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        set_axes(&w);
        start(&w);
    }
    for (int round = 0; round < def->rounds && !status; round++) {
        assemble(&w);
        if (!band_matrix_solve(&w.matrix, w.right))
            status = error_set(err, STATUS_INTERNAL, "legs and hips have no solution");
        else
            memcpy(w.x, w.right, frames * n * sizeof *w.x);
    }
    if (!status)
        hand_over(&w, shift, state);
    arena_free(&arena);
    return status;
}
