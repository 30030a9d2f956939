/* See controller.h. */
#include "analysis/control/controller.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/pd.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/vec.h"
#include "analysis/solve/mixed_lcp.h"

/* Standing on one's own feet. */

#define NEAR 0.01       /* m above the ground, below which a point bears */
#define TURNING 0.3     /* w, m2 */
#define SMALL_FORCE 1e-3 /* e, (m/s2)2: of forces in body weights */
enum { EDGES = 4, ROOT = 6 };

/* One call. Columns of g: what a body weight along an edge of a point's pyramid adds to (a, b). */
typedef struct Balancing {
    ControlPlant *plant;
    double inertia[ROOT * ROOT]; /* H, factored */
    double missing[ROOT];        /* -H^-1 r - (a_d, 0) */
    int count;                   /* of columns */
    int *body;                   /* [column] */
    Vec3 *place, *edge;          /* [column] m, world; times the weight, N */
    double *g;                   /* [column][ROOT] */
    double *f;                   /* [column] */
    Arena memory;
} Balancing;

static void put(double *to, Vec3 a, Vec3 b)
{
    const double all[ROOT] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int i = 0; i < ROOT; i++)
        to[i] = all[i];
}

/* H: of the chain at the root, about its joint. F = m a + m b x c, T = c x m a + I b. */
static Status set_inertia(Balancing *b, Subtree *chain, Error *err)
{
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

/* Points on the ground, and the edges of their pyramids. */
static void find_columns(Balancing *b, double weight)
{
    const Footing *ground = b->plant->ground;
    const Kinematics *k = &b->plant->kinematics;
    Vec3 n = ground->normal, t = vec3_normalize(vec3_cross(n, fabs(n.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 0, 1)));
    Vec3 side = vec3_cross(n, t);
    for (int p = 0; p < ground->count; p++) {
        int body = ground->joint[p];
        Vec3 place = vec3_add(k->position[body], quat_rotate(k->orientation[body], ground->point[p]));
        if (vec3_dot(n, vec3_sub(place, vec3(0, ground->height, 0))) > NEAR)
            continue;
        for (int e = 0; e < EDGES; e++) {
            Vec3 along = e % 2 ? side : t;
            Vec3 edge = vec3_mad(n, e < 2 ? ground->friction : -ground->friction, along);
            b->body[b->count] = body;
            b->place[b->count] = place;
            b->edge[b->count++] = vec3_scale(edge, weight);
        }
    }
    for (int c = 0; c < b->count; c++) {
        Vec3 arm = vec3_sub(b->place[c], k->position[0]);
        put(b->g + ROOT * c, b->edge[c], vec3_cross(arm, b->edge[c]));
        cholesky_solve(b->inertia, ROOT, b->g + ROOT * c);
    }
}

/* What is missing without forces of the ground. */
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
    put(b->missing, vec3_neg(dynamics->residual_force[0]), vec3_neg(dynamics->torque[0]));
    cholesky_solve(b->inertia, ROOT, b->missing);
    const double a[3] = {wanted.x, wanted.y, wanted.z};
    for (int i = 0; i < 3; i++)
        b->missing[i] -= a[i];
    k->acceleration[0] = wanted;
    return STATUS_OK;
}

static double weight_of(int row) { return row < 3 ? 1 : TURNING; }

static Status solve(Balancing *b, Error *err)
{
    size_t n = (size_t)b->count;
    double *q = arena_array(&b->memory, n, n, sizeof *q), *rows = arena_array(&b->memory, n, n, sizeof *rows);
    double *linear = arena_array(&b->memory, n, 1, sizeof *linear), *zero = arena_array(&b->memory, n, 1, sizeof *zero);
    double *z = arena_array(&b->memory, n, 1, sizeof *z);
    if (b->memory.failed)
        return error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        rows[i * n + i] = 1;
        q[i * n + i] = SMALL_FORCE;
        for (int r = 0; r < ROOT; r++)
            linear[i] += weight_of(r) * b->g[ROOT * i + (size_t)r] * b->missing[r];
        for (size_t k = 0; k < n; k++)
            for (int r = 0; r < ROOT; r++)
                q[i * n + k] += weight_of(r) * b->g[ROOT * i + (size_t)r] * b->g[ROOT * k + (size_t)r];
    }
    Qp qp = {.size = b->count, .rows = b->count, .quadratic = q, .linear = linear, .a = rows, .b = zero};
    LcpDef def = lcp_default_def();
    return qp_solve(&qp, &def, b->f, z, err);
}

/* The forces join the loads, and the accelerations become what they lead to. */
static void take(Balancing *b)
{
    Kinematics *k = &b->plant->kinematics;
    Loads *loads = &b->plant->loads;
    double *sum = b->missing;
    for (int c = 0; c < b->count; c++) {
        Vec3 force = vec3_scale(b->edge[c], b->f[c]);
        int body = b->body[c];
        loads->force[body] = vec3_add(loads->force[body], force);
        loads->moment[body] = vec3_add(loads->moment[body], vec3_cross(b->place[c], force));
        for (int r = 0; r < ROOT; r++)
            sum[r] += b->f[c] * b->g[ROOT * c + r];
    }
    k->acceleration[0] = vec3_add(k->acceleration[0], vec3_load(sum));
    for (int j = 0; j < k->joint_count; j++)
        k->angular_acceleration[j] = vec3_add(k->angular_acceleration[j], vec3(sum[3], sum[4], sum[5]));
}

Status balance_find(ControlPlant *plant, Dynamics *dynamics, Error *err)
{
    Balancing b = {.plant = plant};
    size_t columns = EDGES * (size_t)plant->ground->count, joints = (size_t)plant->skeleton->joint_count;
    Subtree *chain = arena_array(&b.memory, joints, 1, sizeof *chain);
    b.body = arena_array(&b.memory, columns, 1, sizeof *b.body);
    b.place = arena_array(&b.memory, columns, 1, sizeof *b.place);
    b.edge = arena_array(&b.memory, columns, 1, sizeof *b.edge);
    b.g = arena_array(&b.memory, columns, ROOT, sizeof *b.g);
    b.f = arena_array(&b.memory, columns, 1, sizeof *b.f);
    Status status = b.memory.failed ? error_no_memory(err) : set_inertia(&b, chain, err);
    if (!status)
        status = find_missing(&b, dynamics, err);
    if (!status) {
        find_columns(&b, chain[0].mass * vec3_norm(plant->gravity));
        status = b.count ? solve(&b, err) : STATUS_OK;
    }
    if (!status)
        take(&b);
    arena_free(&b.memory);
    return status;
}

ComputedTorqueDef computed_torque_default_def(void)
{
    return (ComputedTorqueDef){.stiffness = 300};
}

/* alpha_d = kp (theta_r - theta) + kd (omega_d - omega) [+ alpha_r] (2.3), kd = 2 sqrt(kp): critical, because it acts
 * on accelerations. */
Vec3 desired_acceleration(const ControlPlant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    Quat turn = quat_mul(desired->orientation[joint], quat_conjugate(k->orientation[joint]));
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->angular_velocity[joint];
    Vec3 alpha = vec3_scale(quat_log(turn), 2 * def->stiffness);
    alpha = vec3_mad(alpha, 2 * sqrt(def->stiffness), vec3_sub(velocity, k->angular_velocity[joint]));
    return def->feedforward ? vec3_add(alpha, desired->angular_acceleration[joint]) : alpha;
}

/* The same for the place of a root that nothing carries. */
static Vec3 desired_root_acceleration(const ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->root_velocity;
    Vec3 a = vec3_scale(vec3_sub(desired->root_position, k->position[0]), def->stiffness);
    a = vec3_mad(a, 2 * sqrt(def->stiffness), vec3_sub(velocity, k->velocity[0]));
    return def->feedforward ? vec3_add(a, desired->root_acceleration) : a;
}

Status computed_torques(ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
                        Vec3 *torque, Error *err)
{
    int joints = plant->skeleton->joint_count;
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    inverse.gravity = plant->gravity;
    inverse.lanes = LANES_SCALAR; /* a single frame */
    for (int j = 0; j < joints; j++)
        plant->kinematics.angular_acceleration[j] = desired_acceleration(plant, desired, j, def);
    plant->kinematics.acceleration[0] = desired->root_acceleration;
    ClipView view = plant_view(plant);
    Status status = STATUS_OK;
    if (plant->ground) {
        plant->kinematics.acceleration[0] = desired_root_acceleration(plant, desired, def);
        status = balance_find(plant, dynamics, err);
    }
    if (!status)
        status = inverse_dynamics(&view, &plant->loads, &inverse, dynamics, err);
    if (!status)
        memcpy(torque, dynamics->torque, (size_t)joints * sizeof *torque);
    return status;
}

ControllerDef controller_default_def(void)
{
    return (ControllerDef){.kind = CONTROLLER_KANE_FEEDFORWARD, .stiffness = 300};
}

/* The reference at both ends of the step. */
typedef struct Step {
    const Desired *now, *next;
    int feedforward; /* 1: the kind adds the reference's acceleration */
} Step;

typedef Status ControllerTorques(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err);

static PdDef pd_of(const ControllerDef *d, int feedforward)
{
    PdDef pd = pd_default_def();
    pd.stiffness = d->stiffness;
    pd.damping = d->damping;
    pd.plain = d->plain;
    pd.zero_velocity = d->zero_velocity;
    pd.feedforward = feedforward;
    return pd;
}

static Status by_pd(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = pd_of(&c->def, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

static Status by_bubble_up(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = pd_of(&c->def, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    bubble_up(plant->skeleton, torque);
    gravity_compensate(plant, c->chain, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

static Status by_stable_pd(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    Desired next = *step->next;
    next.root_acceleration = step->now->root_acceleration;
    chains_find(plant, c->chain);
    return stable_pd_torques(&c->stable, plant, c->chain, &next, torque, err);
}

static Status by_inverse_dynamics(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    ComputedTorqueDef def = computed_torque_default_def();
    def.stiffness = c->def.stiffness;
    def.zero_velocity = c->def.zero_velocity;
    def.feedforward = step->feedforward;
    return computed_torques(plant, step->now, &def, &c->dynamics, torque, err);
}

/* A row a kind, in the order of ControllerKind. */
static const struct ControllerMethod {
    ControllerTorques *torques;
    int feedforward;
} methods[] = {
    {by_pd, 0}, {by_pd, 1}, {by_stable_pd, 0}, {by_bubble_up, 0}, {by_inverse_dynamics, 0}, {by_inverse_dynamics, 1},
};
_Static_assert(sizeof methods / sizeof *methods == CONTROLLER_COUNT, "a row for every ControllerKind, in its order");

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err)
{
    *c = (Controller){.def = *def};
    if (!(def->stiffness > 0))
        return error_set(err, STATUS_USAGE, "stiffness %g: must be positive", def->stiffness);
    PdDef pd = pd_of(def, methods[def->kind].feedforward);
    c->chain = array_new((size_t)joint_count, 1, sizeof *c->chain);
    Status status = c->chain ? STATUS_OK : error_no_memory(err);
    if (!status && methods[def->kind].torques == by_stable_pd)
        status = stable_pd_init(&c->stable, joint_count, &pd, err);
    if (status)
        controller_free(c);
    return status;
}

void controller_free(Controller *c)
{
    if (!c)
        return;
    free(c->chain);
    dynamics_free(&c->dynamics);
    stable_pd_free(&c->stable);
    *c = (Controller){0};
}

Status controller_torques(Controller *c, ControlPlant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err)
{
    Step step = {now, next, methods[c->def.kind].feedforward};
    return methods[c->def.kind].torques(c, plant, &step, torque, err);
}
