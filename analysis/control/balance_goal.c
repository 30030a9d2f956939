/* See balance_goal.h. */
#include "analysis/control/balance_goal.h"

#include <math.h>

#include "analysis/math/vec.h"

#define HOLD 30.0           /* 1/s, damping of a bearing point */
#define PRESS 900.0         /* 1/s2, stiffness of its height, critically damped */
#define FALLS_SHORT 0.08    /* m above the ground, from where a point that should support is lowered onto it */
#define HELD_SOFTNESS 0.3
#define SWING_SOFTNESS 0.3
#define SWING_STIFFNESS 300.0 /* 1/s2, critically damped */
#define MAX_PUSH 2.0        /* of the weight, largest upward acceleration */

Status balance_aim_init(BalanceAim *b, const BalancePlanDef *def, int are_steps_allowed, Error *err)
{
    size_t points = (size_t)def->ground->count, joints = (size_t)def->reference->joint_count;
    *b = (BalanceAim){0};
    Status status = balance_plan_init(&b->plan, def, err);
    b->loaded = arena_array(&b->memory, points, 1, 1);
    b->task = arena_array(&b->memory, points + joints, 1, sizeof *b->task);
    if (!status && b->memory.failed)
        status = error_no_memory(err);
    return status ? status : steps_init(&b->steps, &b->plan, are_steps_allowed, err);
}

void balance_aim_free(BalanceAim *b)
{
    balance_plan_free(&b->plan);
    steps_free(&b->steps);
    arena_free(&b->memory);
    *b = (BalanceAim){0};
}

static int is_loaded_in_reference(const BalanceAim *b, int step, int point)
{
    const Footing *ground = b->plan.def.ground;
    return !steps_swings(&b->steps, ground->joint[point]) &&
           b->plan.loaded[(size_t)step * (size_t)ground->count + (size_t)point];
}

static double present_height(const BalanceAim *b, const ControlPlant *plant, int point)
{
    return footing_height(b->plan.def.ground, footing_position(b->plan.def.ground, &plant->kinematics, 0, point));
}

/* Points that may support now: those that support in the reference and are on the ground; of a body with none of
 * these, all
 * that are on the ground if some support in the reference. */
static void find_bearing(BalanceAim *b, const ControlPlant *plant, int step)
{
    const Footing *ground = b->plan.def.ground;
    for (int i = 0; i < ground->count; i++) {
        int in_reference = 0, on_ground = 0;
        for (int k = 0; k < ground->count; k++)
            if (ground->joint[k] == ground->joint[i] && is_loaded_in_reference(b, step, k)) {
                in_reference = 1;
                on_ground |= present_height(b, plant, k) < TOUCHES;
            }
        int should = is_loaded_in_reference(b, step, i) || (in_reference && !on_ground);
        b->loaded[i] = should && present_height(b, plant, i) < TOUCHES;
    }
}

/* A bearing point stays where it is, on the ground. */
static BalanceTask held_task(const ControlPlant *plant, const Footing *ground, int point)
{
    const Kinematics *k = &plant->kinematics;
    int joint = ground->joint[point];
    Vec3 at = footing_position(ground, k, 0, point), arm = vec3_sub(at, k->position[joint]);
    Vec3 velocity = vec3_add(k->velocity[joint], vec3_cross(k->angular_velocity[joint], arm));
    Vec3 normal = footing_normal(ground, at);
    double sinks = -PRESS * footing_height(ground, at) - (2 * sqrt(PRESS) - HOLD) * vec3_dot(velocity, normal);
    return (BalanceTask){joint, at, vec3_mad(vec3_scale(velocity, -HOLD), sinks, normal), HELD_SOFTNESS};
}

/* The joint of a body in the air follows the reference, to where it shall land. */
static BalanceTask swing_task(const BalanceAim *b, const ControlPlant *plant, int step, int joint)
{
    const BalancePlan *p = &b->plan;
    const Kinematics *k = &plant->kinematics, *r = p->def.reference;
    int next = step + 1 < p->step_count ? step + 1 : step;
    size_t at = (size_t)step * (size_t)r->joint_count + (size_t)joint;
    size_t after = (size_t)next * (size_t)r->joint_count + (size_t)joint;
    double lift = p->lift[at], rate = (p->lift[after] - lift) / p->def.dt;
    Vec3 position = vec3_mad(r->position[at], lift, p->tangent[2]);
    Vec3 velocity = vec3_mad(r->velocity[at], rate, p->tangent[2]);
    double height = footing_height(p->def.ground, position);
    steps_move(&b->steps, joint, &position, &velocity);
    double climb = height + steps_lift(&b->steps, joint) - footing_height(p->def.ground, position);
    position = vec3_mad(position, climb, p->tangent[2]);
    Vec3 a = vec3_mad(r->acceleration[after], SWING_STIFFNESS, vec3_sub(position, k->position[joint]));
    a = vec3_mad(a, 2 * sqrt(SWING_STIFFNESS), vec3_sub(velocity, k->velocity[joint]));
    return (BalanceTask){joint, k->position[joint], a, SWING_SOFTNESS};
}

static int add_tasks(BalanceAim *b, const ControlPlant *plant, int step)
{
    const Footing *ground = b->plan.def.ground;
    int count = 0;
    for (int i = 0; i < ground->count; i++)
        if (b->loaded[i] || (is_loaded_in_reference(b, step, i) && present_height(b, plant, i) < FALLS_SHORT))
            b->task[count++] = held_task(plant, ground, i);
    int held = count;
    for (int j = 0; j < b->plan.def.reference->joint_count; j++) {
        int is_held = 0;
        for (int t = 0; t < held; t++)
            is_held |= b->task[t].joint == j;
        if (b->plan.supports[j] && !is_held)
            b->task[count++] = swing_task(b, plant, step, j);
    }
    return count;
}

/* Acceleration of a body that springs carry along the reference. */
static Vec3 follow_reference(const BalancePlan *p, int step, const WholeState *now)
{
    double stiffness = p->def.stiffness;
    Vec3 a = vec3_mad(p->step[step].acceleration, stiffness, vec3_sub(p->state[step].com, now->com));
    return vec3_mad(a, 2 * sqrt(stiffness), vec3_sub(p->state[step].velocity, now->velocity));
}

/* Acceleration that the feedback asks for and the present support can give. */
static Vec3 find_acceleration(const BalanceAim *b, int s, const WholeState *now, const Support *support)
{
    const BalancePlan *p = &b->plan;
    const PlannedStep *step = &p->step[s];
    Vec3 off = vec3_sub(now->com, p->state[s].com), rate = vec3_sub(now->velocity, p->state[s].velocity);
    double d[3], pressure[2], w[3], planned = vec3_dot(step->acceleration, p->tangent[2]);
    for (int a = 0; a < 3; a++) {
        const PreviewStep *axis = &step->axis[a];
        d[a] = vec3_dot(p->tangent[a], off) - (a < 2 ? b->steps.body[a] : 0);
        w[a] = -axis->gain[0] * d[a] - axis->gain[1] * vec3_dot(p->tangent[a], rate) - axis->bias;
        if (a < 2)
            pressure[a] = step->pressure[a] + b->steps.body[a] + step->shift[a] + w[a];
    }
    if (support->count)
        support_clamp(support, pressure);
    double up = fmin(MAX_PUSH * p->def.gravity, planned + w[2]);
    Vec3 acceleration = vec3_mad(step->acceleration, up - planned, p->tangent[2]);
    for (int a = 0; a < 2; a++) {
        double shift = pressure[a] - step->pressure[a] - b->steps.body[a];
        acceleration = vec3_mad(acceleration, step->pull * (d[a] - shift), p->tangent[a]);
    }
    return acceleration;
}

BalanceGoal balance_aim_goal(BalanceAim *b, const ControlPlant *plant, int step)
{
    const BalancePlan *p = &b->plan;
    WholeState now = whole_state(p->def.body, &plant->kinematics, 0);
    find_bearing(b, plant, step);
    Support support = balance_plan_support(p, &plant->kinematics, 0, b->loaded);
    steps_update(&b->steps, plant, step, &now, &support);
    Vec3 rate = vec3_scale(vec3_sub(p->state[step].spin, now.spin), sqrt(p->def.stiffness));
    Vec3 a = p->def.is_carried ? follow_reference(p, step, &now) : find_acceleration(b, step, &now, &support);
    return (BalanceGoal){.acceleration = a, .spin_rate = vec3_add(rate, p->step[step].spin_rate), .loaded = b->loaded,
                         .task = b->task, .task_count = add_tasks(b, plant, step)};
}
