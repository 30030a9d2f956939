/* See balance.h. */
#include "analysis/control/balance.h"

#include "analysis/base/arena.h"
#include "analysis/control/gains.h"
#include "analysis/control/plant.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/vec.h"
#include "analysis/solve/mixed_lcp.h"

#define NEAR 0.01       /* m above the ground, below which a point may support */
#define BEYOND 1e4  /* (m/s2)2 per (N m/kg)2: weight of torques beyond their bounds, quadratic */
#define BEYOND_AT_ALL 100.0 /* and linear */
enum { EDGES = 4, ROOT = 6, CUTS = 4 };

/* One call. A column of g is the change of (a, b) per body weight along an edge of a point's friction pyramid. */
typedef struct Balancing {
    ControlPlant *plant;
    const BalanceWeights *weights;
    const Gains *gains;          /* bounds on torques */
    Subtree *chain;              /* [joint] */
    double inertia[ROOT * ROOT]; /* H, factorised */
    double missing[ROOT];        /* -H^-1 r - (a_d, 0) */
    int count;                   /* number of columns */
    int *body;                   /* [column] */
    Vec3 *position, *edge;       /* [column] m, world; times the weight, N */
    double *g;                   /* [column][ROOT] */
    double *f;                   /* [column], then the excess over each bound, N m/kg */
    Vec3 *torque;                /* [joint] N m, joint torques without ground forces; not used without torque bounds
                                    or costs */
    Vec3 *by_force;              /* [column][joint] N m per unit of f */
    int cut_count, cut_room;
    double *cut, *max;           /* [cut][column] and [cut]: cut . f - excess <= max */
    Arena memory;
} Balancing;

static void store_pair(double *to, Vec3 a, Vec3 b)
{
    const double all[ROOT] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int i = 0; i < ROOT; i++)
        to[i] = all[i];
}

/* H: inertia of the whole body about the root joint. F = m a + m b x c, T = c x m a + I b. */
static Status set_inertia(Balancing *b, Error *err)
{
    Subtree *chain = b->chain;
    chains_find(b->plant, chain);
    Vec3 c = vec3_mad(chain[0].moment, -chain[0].mass, b->plant->kinematics.position[0]);
    Mat3 lever = mat3_cross(c), turning = mat3_from_sym3(chain[0].inertia);
    for (int i = 0; i < ROOT * ROOT; i++)
        b->inertia[i] = i < 3 * ROOT && i % (ROOT + 1) == 0 ? chain[0].mass : 0;
    mat3_add_block(b->inertia, ROOT, 0, 3, -1, lever);
    mat3_add_block(b->inertia, ROOT, 3, 0, 1, lever);
    mat3_add_block(b->inertia, ROOT, 3, 3, 1, turning);
    return cholesky_factor(b->inertia, ROOT) == ROOT
               ? STATUS_OK : error_set(err, STATUS_NO_RESULT, "balance: the body has no inertia");
}

/* Finds the points on the ground and the edges of their friction pyramids. */
static void find_columns(Balancing *b, double weight)
{
    const Footing *ground = b->plant->ground;
    const Kinematics *k = &b->plant->kinematics;
    Vec3 n = ground->normal, t = vec3_normalize(vec3_cross(n, fabs(n.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 0, 1)));
    Vec3 side = vec3_cross(n, t);
    for (int p = 0; p < ground->count; p++) {
        int body = ground->joint[p];
        Vec3 position = vec3_add(k->position[body], quat_rotate(k->orientation[body], ground->point[p]));
        if (vec3_dot(n, vec3_sub(position, vec3(0, ground->height, 0))) > NEAR)
            continue;
        for (int e = 0; e < EDGES; e++) {
            Vec3 along = e % 2 ? side : t;
            Vec3 edge = vec3_mad(n, e < 2 ? ground->friction : -ground->friction, along);
            b->body[b->count] = body;
            b->position[b->count] = position;
            b->edge[b->count++] = vec3_scale(edge, weight);
        }
    }
    for (int c = 0; c < b->count; c++) {
        Vec3 arm = vec3_sub(b->position[c], k->position[0]);
        store_pair(b->g + ROOT * c, b->edge[c], vec3_cross(arm, b->edge[c]));
        cholesky_solve(b->inertia, ROOT, b->g + ROOT * c);
    }
}

/* Residual wrench without ground forces. */
static Status find_missing(Balancing *b, Dynamics *dynamics, Error *err)
{
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    Kinematics *k = &b->plant->kinematics;
    Vec3 wanted = k->acceleration[0];
    ClipView view = plant_view(b->plant);
    inverse.gravity = b->plant->gravity;
    inverse.lanes = LANES_SCALAR;
    k->acceleration[0] = vec3(0, 0, 0);
    Status status = inverse_dynamics(&view, &b->plant->loads, &inverse, dynamics, err);
    if (status)
        return status;
    store_pair(b->missing, vec3_neg(dynamics->residual_force[0]), vec3_neg(dynamics->torque[0]));
    cholesky_solve(b->inertia, ROOT, b->missing);
    const double a[3] = {wanted.x, wanted.y, wanted.z};
    for (int i = 0; i < 3; i++)
        b->missing[i] -= a[i];
    k->acceleration[0] = wanted;
    return STATUS_OK;
}

static double balance_weight(const Balancing *b, int row)
{
    return row < 3 ? b->weights->root : b->weights->turning;
}

/* Torque of a joint, N m, if all bodies beyond it accelerate as one rigid body, with a at the root and b about it. */
static Vec3 torque_of_whole(const Balancing *b, int joint, Vec3 linear, Vec3 turning)
{
    const Kinematics *k = &b->plant->kinematics;
    const Subtree *c = &b->chain[joint];
    Vec3 arm = vec3_mad(c->moment, -c->mass, k->position[joint]);
    Vec3 at_joint = vec3_add(linear, vec3_cross(turning, vec3_sub(k->position[joint], k->position[0])));
    return vec3_add(vec3_cross(arm, at_joint), sym3_mul(c->inertia, turning));
}

static int is_beyond(const Skeleton *s, int body, int joint)
{
    while (body > joint)
        body = s->parent[body];
    return body == joint;
}

/* Joint torques as linear functions of the ground forces. */
static Status find_torques(Balancing *b, const Dynamics *dynamics, Error *err)
{
    const Kinematics *k = &b->plant->kinematics;
    size_t joints = (size_t)k->joint_count;
    b->torque = arena_array(&b->memory, joints, 1, sizeof *b->torque);
    b->by_force = arena_array(&b->memory, joints, (size_t)b->count, sizeof *b->by_force);
    if (b->memory.failed)
        return error_no_memory(err);
    Vec3 linear = vec3_add(k->acceleration[0], vec3_load(b->missing)), turning = vec3_load(b->missing + 3);
    for (int j = 1; j < k->joint_count; j++) {
        b->torque[j] = vec3_add(dynamics->torque[j], torque_of_whole(b, j, linear, turning));
        for (int c = 0; c < b->count; c++) {
            const double *g = b->g + ROOT * c;
            Vec3 t = torque_of_whole(b, j, vec3_load(g), vec3_load(g + 3));
            if (is_beyond(b->plant->skeleton, b->body[c], j))
                t = vec3_sub(t, vec3_cross(vec3_sub(b->position[c], k->position[j]), b->edge[c]));
            b->by_force[(size_t)c * joints + (size_t)j] = t;
        }
    }
    return STATUS_OK;
}

/* Q and c for the forces, followed by the excesses over the bounds. */
static void put_objective(const Balancing *b, double *q, double *linear)
{
    size_t n = (size_t)b->count + 1, joints = (size_t)b->plant->kinematics.joint_count;
    double mass = b->chain[0].mass, light = b->weights->torque / (mass * mass);
    for (size_t i = 0; i + 1 < n; i++) {
        q[i * n + i] = b->weights->force;
        for (int r = 0; r < ROOT; r++)
            linear[i] += balance_weight(b, r) * b->g[ROOT * i + (size_t)r] * b->missing[r];
        for (size_t k = 0; k + 1 < n; k++)
            for (int r = 0; r < ROOT; r++)
                q[i * n + k] += balance_weight(b, r) * b->g[ROOT * i + (size_t)r] * b->g[ROOT * k + (size_t)r];
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

static Vec3 torque_at(const Balancing *b, int joint)
{
    size_t joints = (size_t)b->plant->kinematics.joint_count;
    Vec3 t = b->torque[joint];
    for (int c = 0; c < b->count; c++)
        t = vec3_mad(t, b->f[c], b->by_force[(size_t)c * joints + (size_t)joint]);
    return t;
}

/* Adds a half-space for each bound that a torque exceeds, along its direction, N m/kg; returns their number. */
static int add_cuts(Balancing *b)
{
    size_t joints = (size_t)b->plant->kinematics.joint_count, n = (size_t)b->count;
    double mass = b->chain[0].mass;
    int before = b->cut_count;
    for (int j = 1; j < (int)joints && b->cut_count < b->cut_room; j++) {
        double bound = plant_torque_max(b->plant, b->gains, j);
        Vec3 t = torque_at(b, j), along = vec3_normalize(t);
        if (!(bound > 0) || vec3_norm(t) <= bound * (1 + 1e-6))
            continue;
        double *cut = b->cut + (size_t)b->cut_count * n;
        for (size_t c = 0; c < n; c++)
            cut[c] = vec3_dot(along, b->by_force[c * joints + (size_t)j]) / mass;
        b->max[b->cut_count++] = (bound - vec3_dot(along, b->torque[j])) / mass;
    }
    return b->cut_count - before;
}

static int has_bounds(const Balancing *b) { return b->gains->joint || b->plant->torque_max; }

/* Solves without torque bounds first, then with those that are exceeded. */
static Status find_forces(Balancing *b, const Dynamics *dynamics, Error *err)
{
    int sees_torques = has_bounds(b) || b->weights->torque > 0;
    Status status = sees_torques ? find_torques(b, dynamics, err) : STATUS_OK;
    b->cut_room = has_bounds(b) ? CUTS * b->plant->kinematics.joint_count : 0;
    b->cut = arena_array(&b->memory, (size_t)b->cut_room, (size_t)b->count, sizeof *b->cut);
    b->max = arena_array(&b->memory, (size_t)b->cut_room, 1, sizeof *b->max);
    if (!status && b->memory.failed)
        status = error_no_memory(err);
    if (!status)
        status = solve(b, err);
    for (int i = 0; !status && i < CUTS && b->cut_room && add_cuts(b); i++)
        status = solve(b, err);
    return status;
}

/* Adds the forces to the loads, and replaces the accelerations by those that result. */
static void accept_solution(Balancing *b)
{
    Kinematics *k = &b->plant->kinematics;
    Loads *loads = &b->plant->loads;
    double *sum = b->missing;
    for (int c = 0; c < b->count; c++) {
        Vec3 force = vec3_scale(b->edge[c], b->f[c]);
        int body = b->body[c];
        loads->force[body] = vec3_add(loads->force[body], force);
        loads->moment[body] = vec3_add(loads->moment[body], vec3_cross(b->position[c], force));
        for (int r = 0; r < ROOT; r++)
            sum[r] += b->f[c] * b->g[ROOT * c + r];
    }
    k->acceleration[0] = vec3_add(k->acceleration[0], vec3_load(sum));
    for (int j = 0; j < k->joint_count; j++)
        k->angular_acceleration[j] = vec3_add(k->angular_acceleration[j], vec3(sum[3], sum[4], sum[5]));
}

BalanceWeights balance_default(void) { return (BalanceWeights){.root = 1, .turning = 0.3, .force = 1e-3}; }

Status balance_find(ControlPlant *plant, const BalanceWeights *weights, const Gains *gains, Dynamics *dynamics,
                    Error *err)
{
    Balancing b = {.plant = plant, .weights = weights, .gains = gains};
    size_t columns = EDGES * (size_t)plant->ground->count, joints = (size_t)plant->skeleton->joint_count;
    b.chain = arena_array(&b.memory, joints, 1, sizeof *b.chain);
    b.body = arena_array(&b.memory, columns, 1, sizeof *b.body);
    b.position = arena_array(&b.memory, columns, 1, sizeof *b.position);
    b.edge = arena_array(&b.memory, columns, 1, sizeof *b.edge);
    b.g = arena_array(&b.memory, columns, ROOT, sizeof *b.g);
    b.f = arena_array(&b.memory, columns + 1, 1, sizeof *b.f);
    Status status = b.memory.failed ? error_no_memory(err) : set_inertia(&b, err);
    if (!status)
        status = find_missing(&b, dynamics, err);
    if (!status) {
        find_columns(&b, b.chain[0].mass * vec3_norm(plant->gravity));
        status = b.count ? find_forces(&b, dynamics, err) : STATUS_OK;
    }
    if (!status)
        accept_solution(&b);
    arena_free(&b.memory);
    return status;
}
