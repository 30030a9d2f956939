/* See balance.h. */
#include "analysis/control/balance.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/whole_rows.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/vec.h"
#include "analysis/solve/mixed_lcp.h"

#define NEAR 0.005            /* m above the ground, below which a point may support */
#define BEYOND 1e4  /* (m/s2)2 per (N m/kg)2: weight of torques beyond their bounds, quadratic */
#define BEYOND_AT_ALL 100.0 /* and linear */
#define OF_ROOT 1e-3    /* weight of the root joint's own acceleration */
enum { EDGES = 4, ROOT = 6, CUTS = 4, LINES = 3 };

/* One call. Rows are those of the centre of mass, of the angular momentum over the mass, and three per task. A column
 * is the effect of one body weight along an edge of a point's friction pyramid on the first six. */
typedef struct Balancing {
    ControlPlant *plant;
    const BalanceGoal *goal;
    const BalanceWeights *weights;
    const Gains *gains;
    WholeRows whole;
    int rows;
    double *row;       /* [row][size] K */
    double *swung;     /* [row][size] K H^-1 */
    double *factor;    /* [row][row] Cholesky factor of S = K H^-1 K' + softness */
    double *missing;   /* [row] y(0) - K x_d */
    double *inverse;   /* [6][row] the first rows of S^-1 */
    double *inertia;   /* [size] diagonal of H */
    double *wanted;    /* [size] x_d */
    double *x;         /* [size] accelerations under the present f */
    double *work;      /* [row] */
    int count;                 /* number of columns */
    int *joint;                /* [column] */
    Vec3 *position, *edge;     /* [column] m, N */
    double *g;                 /* [column][6] */
    double *f;                 /* [column], then the excess over bounds, N m/kg */
    Vec3 *present;             /* [joint] N m, torques under the present forces */
    Vec3 *torque, *by_force;   /* [joint] N m without forces; [column][joint] N m per unit of f */
    int has_by_force, cut_count, cut_room;
    double *cut, *max;         /* [cut][column] and [cut]: cut . f - excess <= max */
    Vec3 *force, *moment;      /* [joint] scratch of the torques */
    Arena memory;
} Balancing;

BalanceWeights balance_default(void)
{
    return (BalanceWeights){.root = 1, .turning = 1, .force = 1e-3, .pose = 0.05};
}

static void make_arrays(Balancing *b)
{
    size_t joints = (size_t)b->plant->body->joint_count, size = 3 + 3 * joints, rows = (size_t)b->rows;
    size_t columns = EDGES * (size_t)b->plant->ground->count;
    Arena *a = &b->memory;
    b->row = arena_space(a, rows, size, sizeof *b->row);
    b->swung = arena_space(a, rows, size, sizeof *b->swung);
    b->factor = arena_space(a, rows, rows, sizeof *b->factor);
    b->missing = arena_array(a, rows, 1, sizeof *b->missing);
    b->inverse = arena_array(a, ROOT, rows, sizeof *b->inverse);
    b->inertia = arena_array(a, size, 1, sizeof *b->inertia);
    b->wanted = arena_array(a, size, 1, sizeof *b->wanted);
    b->x = arena_array(a, size, 1, sizeof *b->x);
    b->work = arena_array(a, rows, 1, sizeof *b->work);
    b->joint = arena_array(a, columns, 1, sizeof *b->joint);
    b->position = arena_array(a, columns, 1, sizeof *b->position);
    b->edge = arena_array(a, columns, 1, sizeof *b->edge);
    b->g = arena_array(a, columns, ROOT, sizeof *b->g);
    b->f = arena_array(a, columns + 1, 1, sizeof *b->f);
    b->present = arena_array(a, joints, 1, sizeof *b->present);
    b->torque = arena_array(a, joints, 1, sizeof *b->torque);
    b->by_force = arena_space(a, columns, joints, sizeof *b->by_force);
    b->cut_room = CUTS * (int)joints;
    b->cut = arena_space(a, (size_t)b->cut_room, columns, sizeof *b->cut);
    b->max = arena_space(a, (size_t)b->cut_room, 1, sizeof *b->max);
    b->force = arena_array(a, joints, 1, sizeof *b->force);
    b->moment = arena_array(a, joints, 1, sizeof *b->moment);
}

/* Sum of the known loads over the mass, and of their moment about the whole's centre. */
static void sum_loads(const Balancing *b, Vec3 *force, Vec3 *moment)
{
    const Loads *l = &b->plant->loads;
    *force = *moment = vec3(0, 0, 0);
    for (int i = 0; i < l->load_count; i++) {
        *force = vec3_add(*force, l->force[i]);
        *moment = vec3_add(*moment, vec3_sub(l->moment[i], vec3_cross(b->whole.com, l->force[i])));
    }
    *force = vec3_mad(b->plant->gravity, 1 / b->whole.mass, *force);
    *moment = vec3_scale(*moment, 1 / b->whole.mass);
}

static void set_wanted(Balancing *b)
{
    const Kinematics *k = &b->plant->kinematics;
    vec3_store(b->wanted, k->acceleration[0]);
    for (int i = 0; i < 3; i++)
        b->inertia[i] = OF_ROOT;
    for (int j = 0; j < k->joint_count; j++) {
        vec3_store(b->wanted + 3 + 3 * j, k->angular_acceleration[j]);
        for (int i = 0; i < 3; i++)
            b->inertia[3 + 3 * j + i] = b->weights->pose * b->plant->body->mass[j] / b->whole.mass;
    }
}

/* K, and y(0) - K x_d. */
static void set_rows(Balancing *b)
{
    int size = b->whole.size;
    Vec3 drift, force, moment;
    sum_loads(b, &force, &moment);
    whole_rows_com(&b->whole, b->row, &drift);
    vec3_store(b->missing, vec3_sub(force, drift));
    double *spin = b->row + LINES * size;
    whole_rows_spin(&b->whole, spin, &drift);
    for (int i = 0; i < LINES * size; i++)
        spin[i] /= b->whole.mass;
    vec3_store(b->missing + LINES, vec3_mad(moment, -1 / b->whole.mass, drift));
    for (int t = 0; t < b->goal->task_count; t++) {
        const BalanceTask *task = &b->goal->task[t];
        int at = ROOT + LINES * t;
        whole_rows_point(&b->whole, task->joint, task->position, b->row + at * size, &drift);
        vec3_store(b->missing + at, vec3_sub(task->acceleration, drift));
    }
    for (int r = 0; r < b->rows; r++)
        b->missing[r] -= dot_product(b->row + r * size, b->wanted, size);
}

/* S, its factor, and the first rows of its inverse. */
static Status factorise(Balancing *b, Error *err)
{
    int size = b->whole.size, rows = b->rows;
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < size; i++)
            b->swung[r * size + i] = b->row[r * size + i] / b->inertia[i];
        for (int c = 0; c <= r; c++)
            b->factor[r * rows + c] = b->factor[c * rows + r] =
                dot_product(b->swung + r * size, b->row + c * size, size);
        if (r >= ROOT)
            b->factor[r * rows + r] += b->goal->task[(r - ROOT) / LINES].softness;
    }
    if (cholesky_factor(b->factor, rows) < rows)
        return error_set(err, STATUS_NO_RESULT, "balance: the body has no inertia");
    for (int i = 0; i < ROOT; i++) {
        b->inverse[i * rows + i] = 1;
        cholesky_solve(b->factor, rows, b->inverse + i * rows);
    }
    return STATUS_OK;
}

/* Finds the points on the ground and the edges of their friction pyramids. */
static void find_columns(Balancing *b, double weight)
{
    const Footing *ground = b->plant->ground;
    const Kinematics *k = &b->plant->kinematics;
    for (int p = 0; p < ground->count; p++) {
        int joint = ground->joint[p];
        Vec3 position = footing_position(ground, k, 0, p), n = footing_normal(ground, position);
        if (!b->goal->loaded[p] || footing_height(ground, position) > NEAR)
            continue;
        Vec3 t = vec3_normalize(vec3_cross(n, fabs(n.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 0, 1)));
        Vec3 side = vec3_cross(n, t);
        for (int e = 0; e < EDGES; e++) {
            Vec3 along = e % 2 ? side : t;
            Vec3 edge = vec3_mad(n, e < 2 ? ground->friction : -ground->friction, along);
            b->joint[b->count] = joint;
            b->position[b->count] = position;
            b->edge[b->count++] = vec3_scale(edge, weight);
        }
    }
    for (int c = 0; c < b->count; c++) {
        Vec3 push = vec3_scale(b->edge[c], 1 / b->whole.mass);
        vec3_store(b->g + ROOT * c, push);
        vec3_store(b->g + ROOT * c + LINES, vec3_cross(vec3_sub(b->position[c], b->whole.com), push));
    }
}

static double row_weight(const Balancing *b, int row) { return row < LINES ? b->weights->root : b->weights->turning; }

/* Weight of two of the first rows together: of their own errors, and of what the bodies must do for them. */
static double pair_weight(const Balancing *b, int r, int q)
{
    return (r == q ? row_weight(b, r) : 0) + b->inverse[r * b->rows + q];
}

/* What the first rows lack without ground forces, weighted: the derivative of the objective along them. */
static void find_slope(const Balancing *b, double slope[ROOT])
{
    Vec3 force, moment;
    sum_loads(b, &force, &moment);
    Vec3 lack = vec3_sub(force, b->goal->acceleration);
    Vec3 turning = vec3_mad(moment, -1 / b->whole.mass, b->goal->spin_rate);
    const double own[ROOT] = {lack.x, lack.y, lack.z, turning.x, turning.y, turning.z};
    for (int r = 0; r < ROOT; r++)
        slope[r] = row_weight(b, r) * own[r] + dot_product(b->inverse + r * b->rows, b->missing, b->rows);
}

/* Q and c for the forces, followed by the excess over the bounds. */
static void put_objective(const Balancing *b, double *q, double *linear)
{
    size_t n = (size_t)b->count + 1, joints = (size_t)b->plant->body->joint_count;
    double slope[ROOT], light = b->weights->torque / (b->whole.mass * b->whole.mass);
    find_slope(b, slope);
    for (size_t i = 0; i + 1 < n; i++) {
        double pulled[ROOT] = {0};
        for (int r = 0; r < ROOT; r++)
            for (int s = 0; s < ROOT; s++)
                pulled[r] += pair_weight(b, r, s) * b->g[ROOT * i + (size_t)s];
        linear[i] = dot_product(slope, b->g + ROOT * i, ROOT);
        for (size_t k = 0; k + 1 < n; k++)
            q[i * n + k] = dot_product(pulled, b->g + ROOT * k, ROOT);
        q[i * n + i] += b->weights->force;
        for (size_t j = 1; light > 0 && j < joints; j++) {
            linear[i] += light * vec3_dot(b->by_force[i * joints + j], b->torque[j]);
            for (size_t k = 0; k + 1 < n; k++)
                q[i * n + k] += light * vec3_dot(b->by_force[i * joints + j], b->by_force[k * joints + j]);
        }
    }
    q[n * n - 1] = BEYOND;
    linear[n - 1] = BEYOND_AT_ALL;
}

static Status solve(Balancing *b, Error *err)
{
    size_t n = (size_t)b->count + 1, rows = n + (size_t)b->cut_count;
    ArenaMark mark = arena_mark(&b->memory);
    double *q = arena_array(&b->memory, n, n, sizeof *q), *a = arena_array(&b->memory, rows, n, sizeof *a);
    double *linear = arena_array(&b->memory, n, 1, sizeof *linear);
    double *min = arena_array(&b->memory, rows, 1, sizeof *min), *z = arena_array(&b->memory, rows, 1, sizeof *z);
    if (b->memory.failed)
        return error_no_memory(err);
    put_objective(b, q, linear);
    for (size_t i = 0; i < n; i++)
        a[i * n + i] = 1;
    for (size_t i = 0; i < (size_t)b->cut_count; i++) {
        for (size_t c = 0; c + 1 < n; c++)
            a[(n + i) * n + c] = -b->cut[i * (n - 1) + c];
        a[(n + i) * n + n - 1] = 1;
        min[n + i] = -b->max[i];
    }
    Qp qp = {.size = (int)n, .rows = (int)rows, .quadratic = q, .linear = linear, .a = a, .b = min};
    LcpDef def = lcp_default_def();
    Status status = qp_solve(&qp, &def, b->f, z, err);
    arena_return(&b->memory, mark);
    return status;
}

/* Changes of the accelerations by what the rows lack, x += H^-1 K' S^-1 lack. lack is overwritten. */
static void respond(const Balancing *b, double *lack, double *x)
{
    cholesky_solve(b->factor, b->rows, lack);
    for (int r = 0; r < b->rows; r++)
        add_scaled(x, lack[r], b->swung + r * b->whole.size, b->whole.size);
}

/* Adds the force of a column to those that its body needs from its joint, times share. */
static void take_column(const Balancing *b, int column, double share, Vec3 *torque)
{
    int j = b->joint[column];
    Vec3 force = vec3_scale(b->edge[column], share);
    b->force[j] = vec3_sub(b->force[j], force);
    Vec3 arm = vec3_sub(b->position[column], b->plant->kinematics.position[j]);
    torque[j] = vec3_sub(torque[j], vec3_cross(arm, force));
}

/* Joint torques at accelerations x. WITHOUT_FORCES: under velocities, weight and known loads; WITH_FORCES: and the
 * present ground forces; a column: only their change by x and a unit of f. */
enum { WITHOUT_FORCES = -1, WITH_FORCES = -2 };
static void find_torques(const Balancing *b, const double *x, int column, Vec3 *torque)
{
    const ControlPlant *p = b->plant;
    const Kinematics *k = &p->kinematics;
    int whole = column < 0;
    for (int j = 0; j < p->body->joint_count; j++) {
        int up = p->skeleton->parent[j];
        Vec3 alpha = vec3_load(x + 3 + 3 * j), arm = vec3_sub(b->whole.centre[j], k->position[j]);
        /* of the joint, then of its body's centre */
        b->moment[j] = up < 0 ? vec3_load(x)
                              : vec3_add(b->moment[up], vec3_cross(vec3_load(x + 3 + 3 * up),
                                                                   vec3_sub(k->position[j], k->position[up])));
        Vec3 a = vec3_add(b->moment[j], vec3_cross(alpha, arm));
        Sym3 inertia = sym3_rotate(quat_to_mat3(k->orientation[j]), p->body->inertia[j]);
        Vec3 turning = sym3_mul(inertia, alpha), omega = k->angular_velocity[j];
        if (whole) {
            a = vec3_add(a, vec3_sub(whole_rows_point_drift(&b->whole, j, b->whole.centre[j]), p->gravity));
            turning = vec3_add(turning, vec3_cross(omega, sym3_mul(inertia, omega)));
        }
        b->force[j] = vec3_scale(a, p->body->mass[j]);
        torque[j] = vec3_add(turning, vec3_cross(arm, b->force[j]));
    }
    for (int i = 0; whole && i < p->loads.load_count; i++) {
        int j = p->loads.joint[i];
        Vec3 force = p->loads.force[i];
        b->force[j] = vec3_sub(b->force[j], force);
        torque[j] = vec3_sub(torque[j], vec3_sub(p->loads.moment[i], vec3_cross(k->position[j], force)));
    }
    if (!whole)
        take_column(b, column, 1, torque);
    for (int c = 0; column == WITH_FORCES && c < b->count; c++)
        take_column(b, c, b->f[c], torque);
    for (int j = p->body->joint_count - 1; j > 0; j--) {
        int up = p->skeleton->parent[j];
        b->force[up] = vec3_add(b->force[up], b->force[j]);
        Vec3 lever = vec3_cross(vec3_sub(k->position[j], k->position[up]), b->force[j]);
        torque[up] = vec3_add(torque[up], vec3_add(torque[j], lever));
    }
}

/* Joint torques as linear functions of the ground forces. */
static void expand_torques(Balancing *b)
{
    size_t joints = (size_t)b->plant->body->joint_count;
    if (b->has_by_force)
        return;
    b->has_by_force = 1;
    memcpy(b->x, b->wanted, (size_t)b->whole.size * sizeof *b->x);
    memcpy(b->work, b->missing, (size_t)b->rows * sizeof *b->work);
    respond(b, b->work, b->x);
    find_torques(b, b->x, WITHOUT_FORCES, b->torque);
    for (int c = 0; c < b->count; c++) {
        memset(b->x, 0, (size_t)b->whole.size * sizeof *b->x);
        memset(b->work, 0, (size_t)b->rows * sizeof *b->work);
        memcpy(b->work, b->g + ROOT * c, ROOT * sizeof *b->work);
        respond(b, b->work, b->x);
        find_torques(b, b->x, c, b->by_force + (size_t)c * joints);
    }
}

/* Accelerations under the present forces. */
static void find_accelerations(Balancing *b)
{
    memcpy(b->x, b->wanted, (size_t)b->whole.size * sizeof *b->x);
    memcpy(b->work, b->missing, (size_t)b->rows * sizeof *b->work);
    for (int c = 0; c < b->count; c++)
        for (int r = 0; r < ROOT; r++)
            b->work[r] += b->f[c] * b->g[ROOT * c + r];
    respond(b, b->work, b->x);
}

/* Adds a half-space for each bound that a torque exceeds, along its direction, N m/kg; returns their number. */
static int add_cuts(Balancing *b)
{
    size_t joints = (size_t)b->plant->body->joint_count, n = (size_t)b->count;
    int before = b->cut_count;
    for (int j = 1; j < (int)joints && b->cut_count < b->cut_room; j++) {
        double bound = plant_torque_max(b->plant, b->gains, j);
        Vec3 t = b->torque[j];
        for (size_t c = 0; c < n; c++)
            t = vec3_mad(t, b->f[c], b->by_force[c * joints + (size_t)j]);
        if (!(bound > 0) || vec3_norm(t) <= bound * (1 + 1e-6))
            continue;
        Vec3 along = vec3_normalize(t);
        double *cut = b->cut + (size_t)b->cut_count * n;
        for (size_t c = 0; c < n; c++)
            cut[c] = vec3_dot(along, b->by_force[c * joints + (size_t)j]) / b->whole.mass;
        b->max[b->cut_count++] = (bound - vec3_dot(along, b->torque[j])) / b->whole.mass;
    }
    return b->cut_count - before;
}

/* Whether the torques under the present forces exceed a bound. */
static int exceeds(Balancing *b)
{
    int beyond = 0;
    find_torques(b, b->x, WITH_FORCES, b->present);
    for (int j = 1; j < b->plant->body->joint_count; j++) {
        double bound = plant_torque_max(b->plant, b->gains, j);
        beyond |= bound > 0 && vec3_norm(b->present[j]) > bound;
    }
    return beyond;
}

/* Solves without torque bounds first, then with those that are exceeded. */
static Status find_forces(Balancing *b, Error *err)
{
    int bounded = b->gains->joint || b->plant->torque_max;
    if (b->weights->torque > 0)
        expand_torques(b);
    Status status = solve(b, err);
    find_accelerations(b);
    if (status || !bounded || !exceeds(b))
        return status;
    expand_torques(b);
    for (int i = 0; !status && i < CUTS && add_cuts(b); i++)
        status = solve(b, err);
    find_accelerations(b);
    return status;
}

/* Adds the forces to the loads, and replaces the accelerations by those that result. */
static void accept_solution(const Balancing *b)
{
    Kinematics *k = &b->plant->kinematics;
    Loads *loads = &b->plant->loads;
    for (int c = 0; c < b->count; c++) {
        Vec3 force = vec3_scale(b->edge[c], b->f[c]);
        int joint = b->joint[c];
        loads->force[joint] = vec3_add(loads->force[joint], force);
        loads->moment[joint] = vec3_add(loads->moment[joint], vec3_cross(b->position[c], force));
    }
    k->acceleration[0] = vec3_load(b->x);
    for (int j = 0; j < k->joint_count; j++)
        k->angular_acceleration[j] = vec3_load(b->x + 3 + 3 * j);
}

Status balance_find(ControlPlant *plant, const BalanceWeights *weights, const Gains *gains, Error *err)
{
    Balancing b = {.plant = plant, .goal = plant->goal, .weights = weights, .gains = gains,
                   .rows = ROOT + LINES * plant->goal->task_count};
    make_arrays(&b);
    whole_rows_init(&b.whole, plant, &b.memory);
    Status status = b.memory.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        set_wanted(&b);
        set_rows(&b);
        status = factorise(&b, err);
    }
    if (!status) {
        find_columns(&b, b.whole.mass * vec3_norm(plant->gravity));
        find_accelerations(&b);
        status = b.count ? find_forces(&b, err) : STATUS_OK;
    }
    if (!status)
        accept_solution(&b);
    arena_free(&b.memory);
    return status;
}
