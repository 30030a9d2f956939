/* Controllers of single joints, and the balance of an unsupported body: tracking and balance as one optimisation. See
 * controller.h. */
#include "analysis/control/controller.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/pd.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/vec.h"
#include "analysis/solve/mixed_lcp.h"

ComputedTorqueDef computed_torque_default_def(void)
{
    return (ComputedTorqueDef){.gains = gains_default(), .balance = balance_default()};
}

static double joint_damping(const Gains *all, JointGains g)
{
    return g.damping > 0 ? g.damping : gains_critical(all, g.stiffness);
}

/* 2 log(q_r q_c*) of a body, world axes. */
static Vec3 body_error(const ControlPlant *plant, const Desired *desired, int joint)
{
    Quat now = plant->kinematics.orientation[joint];
    return vec3_scale(quat_log(quat_mul(desired->orientation[joint], quat_conjugate(now))), 2);
}

/* alpha_d = kp (theta_r - theta) + kd (omega_d - omega) [+ alpha_r] (2.3), with kd = 2 sqrt(kp), critical because it
 * acts on accelerations; plus ki times the time integral of the error. */
Vec3 desired_acceleration(const ControlPlant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    JointGains g = gains_of_joint(&def->gains, joint);
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->angular_velocity[joint];
    Vec3 alpha = vec3_scale(body_error(plant, desired, joint), g.stiffness);
    alpha = vec3_mad(alpha, joint_damping(&def->gains, g), vec3_sub(velocity, k->angular_velocity[joint]));
    if (def->sum)
        alpha = vec3_mad(alpha, g.integral, def->sum[joint]);
    return def->feedforward ? vec3_add(alpha, desired->angular_acceleration[joint]) : alpha;
}

/* The same for the position of a free root. */
static Vec3 desired_root_acceleration(const ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    JointGains g = gains_of_joint(&def->gains, 0);
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->root_velocity;
    Vec3 a = vec3_scale(vec3_sub(desired->root_position, k->position[0]), g.stiffness);
    a = vec3_mad(a, joint_damping(&def->gains, g), vec3_sub(velocity, k->velocity[0]));
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
        status = balance_find(plant, &def->balance, &def->gains, dynamics, err);
    }
    if (!status)
        status = inverse_dynamics(&view, &plant->loads, &inverse, dynamics, err);
    if (!status)
        memcpy(torque, dynamics->torque, (size_t)joints * sizeof *torque);
    return status;
}

ControllerDef controller_default_def(void)
{
    return (ControllerDef){.kind = CONTROLLER_KANE_FEEDFORWARD, .gains = gains_default(), .hit_time = 0.5,
                           .balance = balance_default()};
}

/* The reference at both ends of the step. */
typedef struct Step {
    const Desired *now, *next;
    int feedforward; /* 1: this kind adds the reference's acceleration */
} Step;

typedef Status ControllerTorques(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err);

static PdDef controller_pd_def(const Controller *c, int feedforward)
{
    PdDef pd = pd_default_def();
    pd.gains = c->def.gains;
    pd.zero_velocity = c->def.zero_velocity;
    pd.feedforward = feedforward;
    pd.sum = c->sum;
    return pd;
}

/* Time integrals of joint errors, in axes of their parents. */
static void sum_joint_errors(Controller *c, const ControlPlant *plant, const Desired *now)
{
    for (int j = 0; c->sum && j < plant->skeleton->joint_count; j++) {
        int parent = plant->skeleton->parent[j];
        Vec3 error = joint_error_find(plant, now, j, 1).rotation;
        if (parent >= 0)
            error = quat_rotate_inverse(plant->kinematics.orientation[parent], error);
        c->sum[j] = vec3_mad(c->sum[j], plant->dt, error);
    }
}

/* Time integrals of body errors, world axes. */
static void sum_body_errors(Controller *c, const ControlPlant *plant, const Desired *now)
{
    for (int j = 0; c->sum && j < plant->skeleton->joint_count; j++)
        c->sum[j] = vec3_mad(c->sum[j], plant->dt, body_error(plant, now, j));
}

/* Bounds the integrals, so that an error which no torque can remove does not wind them up. */
static void bound_sums(Controller *c, int joints)
{
    for (int j = 0; c->sum && j < joints; j++) {
        double size = vec3_norm(c->sum[j]), max = c->def.gains.integral_max;
        if (size > max)
            c->sum[j] = vec3_scale(c->sum[j], max / size);
    }
}

static Status by_pd(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = controller_pd_def(c, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

static Status by_bubble_up(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = controller_pd_def(c, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    bubble_up(plant->skeleton, torque);
    gravity_compensate(plant, c->chain, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

/* Rotation of a joint's parent to the world. */
static Quat parent_orientation(const ControlPlant *plant, int joint)
{
    int parent = plant->skeleton->parent[joint];
    return parent < 0 ? QUAT_IDENTITY : plant->kinematics.orientation[parent];
}

static Status by_stable_pd(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    Desired next = *step->next;
    next.root_acceleration = step->now->root_acceleration;
    chains_find(plant, c->chain);
    c->stable.def = controller_pd_def(c, step->feedforward);
    for (int j = 0; c->learned && j < plant->skeleton->joint_count; j++)
        c->planned[j] = vec3_add(c->planned[j], quat_rotate(parent_orientation(plant, j), c->learned[j]));
    return stable_pd_torques(&c->stable, plant, c->chain, &next, torque, err);
}

static Status by_expected_loads(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    memset(c->planned, 0, (size_t)plant->skeleton->joint_count * sizeof *c->planned);
    loads_compensate(plant, c->planned);
    c->stable.feedforward = c->learned ? c->planned : NULL;
    return by_stable_pd(c, plant, step, torque, err);
}

Vec3 controller_feedback(const Controller *c, const ControlPlant *plant, int joint, Vec3 torque)
{
    return quat_rotate_inverse(parent_orientation(plant, joint), vec3_sub(torque, c->planned[joint]));
}

/* The body in the reference state at the beginning of the step, under the known loads. */
static Status pose_reference(Controller *c, const ControlPlant *plant, const Desired *now, Error *err)
{
    ControlPlant *r = &c->reference;
    const Skeleton *skeleton = plant->skeleton;
    Status status = r->skeleton ? STATUS_OK : plant_init(r, skeleton, plant->body, plant->dt, err);
    if (status)
        return status;
    Kinematics *k = &r->kinematics;
    r->motion.root_position[0] = k->position[0] = now->root_position;
    k->velocity[0] = now->root_velocity;
    k->acceleration[0] = now->root_acceleration;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        Quat up = parent < 0 ? QUAT_IDENTITY : k->orientation[parent];
        k->orientation[j] = now->orientation[j];
        k->angular_velocity[j] = now->angular_velocity[j];
        k->angular_acceleration[j] = now->angular_acceleration[j];
        r->motion.rotation[j] = quat_mul(quat_conjugate(up), k->orientation[j]);
        if (parent >= 0)
            k->position[j] = vec3_add(k->position[parent], quat_rotate(up, skeleton->offset[j]));
        Vec3 shift = vec3_sub(k->position[j], plant->kinematics.position[j]), force = plant->loads.force[j];
        r->loads.force[j] = force;
        r->loads.moment[j] = vec3_add(plant->loads.moment[j], vec3_cross(shift, force));
    }
    return STATUS_OK;
}

/* Feedforward torques by inverse dynamics of the reference, rotated from its parents' axes to those of the simulated
 * body; plus a stable PD on the remaining error. */
static Status by_planned_torques(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    inverse.gravity = plant->gravity;
    inverse.lanes = LANES_SCALAR;
    Status status = pose_reference(c, plant, step->now, err);
    ClipView view = plant_view(&c->reference);
    if (!status)
        status = inverse_dynamics(&view, &c->reference.loads, &inverse, &c->dynamics, err);
    for (int j = 0; !status && j < plant->skeleton->joint_count; j++) {
        int parent = plant->skeleton->parent[j];
        Vec3 planned = c->dynamics.torque[j];
        if (parent >= 0)
            planned = quat_rotate(plant->kinematics.orientation[parent],
                                  quat_rotate_inverse(c->reference.kinematics.orientation[parent], planned));
        c->planned[j] = planned;
    }
    c->stable.feedforward = c->planned;
    return status ? status : by_stable_pd(c, plant, step, torque, err);
}

static Status by_inverse_dynamics(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    ComputedTorqueDef def = computed_torque_default_def();
    def.gains = c->def.gains;
    def.gains.damping = 0;
    def.balance = c->def.balance;
    def.zero_velocity = c->def.zero_velocity;
    def.feedforward = step->feedforward;
    def.sum = c->sum;
    return computed_torques(plant, step->now, &def, &c->dynamics, torque, err);
}

/* One row per kind, in the order of ControllerKind. */
static const struct ControllerMethod {
    ControllerTorques *torques;
    void (*sum_errors)(Controller *c, const ControlPlant *plant, const Desired *now);
    int feedforward;
} methods[] = {
    {by_pd, sum_joint_errors, 0},
    {by_pd, sum_joint_errors, 1},
    {by_expected_loads, sum_joint_errors, 0},
    {by_bubble_up, sum_joint_errors, 0},
    {by_inverse_dynamics, sum_body_errors, 0},
    {by_inverse_dynamics, sum_body_errors, 1},
    {by_planned_torques, sum_joint_errors, 0},
};
_Static_assert(sizeof methods / sizeof *methods == CONTROLLER_COUNT, "a row for every ControllerKind, in its order");

int controller_learns(ControllerKind kind)
{
    return methods[kind].torques == by_expected_loads || methods[kind].torques == by_planned_torques;
}

int controller_balances(ControllerKind kind) { return methods[kind].torques == by_inverse_dynamics; }

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err)
{
    size_t joints = (size_t)joint_count;
    *c = (Controller){.def = *def};
    if (!(def->gains.stiffness > 0))
        return error_set(err, STATUS_USAGE, "stiffness %g: must be positive", def->gains.stiffness);
    c->chain = array_new(joints, 1, sizeof *c->chain);
    c->planned = array_new(joints, 1, sizeof *c->planned);
    int sums = gains_integrate(&def->gains, joint_count);
    c->sum = sums ? array_new(joints, 1, sizeof *c->sum) : NULL;
    Status status = c->chain && c->planned && (c->sum || !sums) ? STATUS_OK : error_no_memory(err);
    PdDef pd = controller_pd_def(c, methods[def->kind].feedforward);
    if (!status && controller_learns(def->kind))
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
    free(c->sum);
    free(c->planned);
    dynamics_free(&c->dynamics);
    stable_pd_free(&c->stable);
    plant_free(&c->reference);
    *c = (Controller){0};
}

/* The root's torque comes from outside, since it has no joint. */
static void bound_torques(const Gains *gains, int joints, Vec3 *torque)
{
    for (int j = 1; gains->joint && j < joints; j++) {
        double size = vec3_norm(torque[j]), max = gains_of_joint(gains, j).torque_max;
        if (max > 0 && size > max)
            torque[j] = vec3_scale(torque[j], max / size);
    }
}

Status controller_torques(Controller *c, ControlPlant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err)
{
    const struct ControllerMethod *method = &methods[c->def.kind];
    int joints = plant->skeleton->joint_count;
    Step step = {now, next, method->feedforward};
    method->sum_errors(c, plant, now);
    bound_sums(c, joints);
    Status status = method->torques(c, plant, &step, torque, err);
    bound_torques(&c->def.gains, joints, torque);
    return status;
}

/* Balance of an unsupported body. */

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
        double bound = gains_of_joint(b->gains, j).torque_max;
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

/* Solves without torque bounds first, then with those that are exceeded. */
static Status find_forces(Balancing *b, const Dynamics *dynamics, Error *err)
{
    int sees_torques = b->gains->joint || b->weights->torque > 0;
    Status status = sees_torques ? find_torques(b, dynamics, err) : STATUS_OK;
    b->cut_room = b->gains->joint ? CUTS * b->plant->kinematics.joint_count : 0;
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
