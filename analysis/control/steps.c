/* See steps.h. */
#include "analysis/control/steps.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define SETTLES 0.1      /* s, in which the plan moves to the offset of the feet that support */
#define FIXED 0.05       /* s before a landing, from when on it stays */
#define IGNORED 0.02     /* m, of a capture point's error */
#define REGAINED 0.3     /* share of the offset that a step takes back */
#define MAX_STEP 0.45    /* m, from where the reference lands */
#define MAX_RATE 3.0     /* m/s, of an offset */
#define OUTSIDE 0.01     /* m of the capture point beyond the support, from where on a step begins */
#define OWN_TIME 0.32    /* s, of a step of its own */
#define OWN_PAUSE 0.1    /* s, between two */
#define OWN_HEIGHT 0.07  /* m */
#define SOON 0.25        /* s, within which the reference itself lifts a foot */

Status steps_init(Steps *s, const BalancePlan *plan, int are_allowed, Error *err)
{
    size_t joints = (size_t)plan->def.reference->joint_count;
    *s = (Steps){.plan = plan, .are_allowed = are_allowed, .swing = -1};
    s->foot = arena_array(&s->memory, joints, 1, sizeof *s->foot);
    s->is_noted = arena_array(&s->memory, joints, 1, 1);
    return s->memory.failed ? error_no_memory(err) : STATUS_OK;
}

void steps_free(Steps *s)
{
    arena_free(&s->memory);
    *s = (Steps){0};
}

int steps_swings(const Steps *s, int joint) { return s->swing == joint; }

static double pendulum_rate(const Steps *s, int step)
{
    double height = footing_height(s->plan->def.ground, s->plan->state[step].com);
    return sqrt(s->plan->def.gravity / fmax(0.3, height));
}

/* Step in which the reference sets a foot down; -1: not any more. */
static int find_landing(const Steps *s, int step, int joint)
{
    for (int i = step; i < s->plan->step_count; i++)
        if (balance_plan_loads(s->plan, i, joint))
            return i;
    return -1;
}

/* Error of the capture point against the plan, m, and its growth until a time later, s: the feet push it away from
 * `held`, the shift of the centre of pressure that they give. */
static void find_error(const Steps *s, int step, const WholeState *now, double later, double error[2])
{
    const BalancePlan *p = s->plan;
    double omega = pendulum_rate(s, step), growth = elementary_exp(omega * fmin(later, 0.5));
    for (int a = 0; a < 2; a++) {
        double off = vec3_dot(p->tangent[a], vec3_sub(now->com, p->state[step].com)) - s->body[a];
        double rate = vec3_dot(p->tangent[a], vec3_sub(now->velocity, p->state[step].velocity));
        error[a] = (off + rate / omega) * growth;
    }
}

static void bound(double v[2], double max)
{
    double size = sqrt(v[0] * v[0] + v[1] * v[1]);
    for (int a = 0; a < 2 && size > max; a++)
        v[a] *= max / size;
}

static void move_towards(FootOffset *foot, const double goal[2], double time, double dt)
{
    for (int a = 0; a < 2; a++) {
        double rate = (goal[a] - foot->at[a]) / fmax(time, 2 * dt);
        foot->rate[a] = fmin(MAX_RATE, fmax(-MAX_RATE, rate));
        foot->at[a] += dt * foot->rate[a];
    }
}

/* s, since the first step. */
static double now_of(const Steps *s) { return (s->ticks - 1) * s->plan->def.dt; }

/* A foot that the reference swings. */
static void adapt_landing(Steps *s, const ControlPlant *plant, int step, const WholeState *now, int joint)
{
    int landing = find_landing(s, step, joint);
    double left = landing < 0 ? INFINITY : (landing - step) * plant->dt, error[2], goal[2];
    FootOffset *foot = &s->foot[joint];
    if (!(left > FIXED) || landing < 0) {
        foot->rate[0] = foot->rate[1] = 0;
        return;
    }
    find_error(s, step, now, left, error);
    double size = sqrt(error[0] * error[0] + error[1] * error[1]);
    for (int a = 0; a < 2; a++) {
        double share = size > IGNORED ? (size - IGNORED) / size : 0;
        goal[a] = (1 - REGAINED) * s->body[a] + share * error[a];
    }
    bound(goal, MAX_STEP);
    move_towards(foot, goal, left - FIXED, plant->dt);
    double far = sqrt(goal[0] * goal[0] + goal[1] * goal[1]);
    if (left < 2 * FIXED && far > STEPS_NOTED && !s->is_noted[joint]) {
        s->is_noted[joint] = 1;
        s->count++;
    }
}

/* A foot that supports stands where it is. */
static void keep_place(Steps *s, const ControlPlant *plant, int step, int joint)
{
    const BalancePlan *p = s->plan;
    size_t at = (size_t)step * (size_t)p->def.reference->joint_count + (size_t)joint;
    Vec3 off = vec3_sub(plant->kinematics.position[joint], p->def.reference->position[at]);
    for (int a = 0; a < 2; a++) {
        s->foot[joint].at[a] = vec3_dot(p->tangent[a], off);
        s->foot[joint].rate[a] = 0;
    }
    s->is_noted[joint] = 0;
}

/* Whether the reference lifts a foot soon, so that no step of its own is needed. */
static int lifts_soon(const Steps *s, int step, double dt)
{
    int to = step + (int)(SOON / dt);
    for (int j = 0; j < s->plan->def.reference->joint_count; j++)
        if (s->plan->supports[j] && (!balance_plan_loads(s->plan, step, j) || !balance_plan_loads(s->plan, to, j)))
            return 1;
    return 0;
}

/* Of the feet the one farther from the capture point; -1 if there are fewer than two. */
static int farther_foot(const Steps *s, const ControlPlant *plant, const double capture[2])
{
    int farthest = -1, count = 0;
    double max = -1;
    for (int j = 0; j < s->plan->def.reference->joint_count; j++) {
        Role role = plant->skeleton->role[j];
        if (!s->plan->supports[j] || (role != ROLE_LEFT_ANKLE && role != ROLE_RIGHT_ANKLE))
            continue;
        double x = vec3_dot(s->plan->tangent[0], plant->kinematics.position[j]) - capture[0];
        double y = vec3_dot(s->plan->tangent[1], plant->kinematics.position[j]) - capture[1];
        count++;
        if (x * x + y * y > max) {
            max = x * x + y * y;
            farthest = j;
        }
    }
    return count == 2 ? farthest : -1;
}

static void begin_own(Steps *s, const ControlPlant *plant, int step, const WholeState *now, const Support *support)
{
    double time = now_of(s), omega = pendulum_rate(s, step), capture[2], nearest[2];
    if (time < s->pause || !support->count || lifts_soon(s, step, plant->dt))
        return;
    for (int a = 0; a < 2; a++)
        nearest[a] = capture[a] = vec3_dot(s->plan->tangent[a], vec3_mad(now->com, 1 / omega, now->velocity));
    if (support_clamp(support, nearest) < OUTSIDE)
        return;
    s->swing = farther_foot(s, plant, capture);
    if (s->swing < 0)
        return;
    s->start = time;
    s->count++;
    for (int a = 0; a < 2; a++)
        s->from[a] = s->goal[a] = s->foot[s->swing].at[a];
}

/* The foot swings to where the capture point will be, with the other foot's support at its nearest point. */
static void swing_own(Steps *s, const ControlPlant *plant, int step, const WholeState *now, const Support *support)
{
    const BalancePlan *p = s->plan;
    FootOffset *foot = &s->foot[s->swing];
    double time = now_of(s) - s->start, left = OWN_TIME - time, omega = pendulum_rate(s, step);
    double growth = elementary_exp(omega * fmax(left, 0)), nearest[2], capture[2];
    size_t at = (size_t)step * (size_t)p->def.reference->joint_count + (size_t)s->swing;
    for (int a = 0; a < 2; a++)
        nearest[a] = capture[a] = vec3_dot(p->tangent[a], vec3_mad(now->com, 1 / omega, now->velocity));
    if (support->count)
        support_clamp(support, nearest);
    for (int a = 0; a < 2 && left > FIXED; a++) {
        double place = nearest[a] + (capture[a] - nearest[a]) * growth;
        s->goal[a] = place - vec3_dot(p->tangent[a], p->def.reference->position[at]);
    }
    double far[2] = {s->goal[0] - s->from[0], s->goal[1] - s->from[1]};
    bound(far, 1.5 * MAX_STEP);
    for (int a = 0; a < 2; a++)
        s->goal[a] = s->from[a] + far[a];
    move_towards(foot, s->goal, left - FIXED, plant->dt);
    if (left <= 0) {
        s->swing = -1;
        s->pause = now_of(s) + OWN_PAUSE;
    }
}

static void settle_body(Steps *s, const ControlPlant *plant, int step)
{
    double mean[2] = {0, 0};
    int count = 0;
    for (int j = 0; j < s->plan->def.reference->joint_count; j++)
        if (s->plan->supports[j] && !steps_swings(s, j) && balance_plan_loads(s->plan, step, j)) {
            mean[0] += s->foot[j].at[0];
            mean[1] += s->foot[j].at[1];
            count++;
        }
    for (int a = 0; a < 2 && count; a++)
        s->body[a] += (mean[a] / count - s->body[a]) * fmin(1, plant->dt / SETTLES);
}

void steps_update(Steps *s, const ControlPlant *plant, int step, const WholeState *now, const Support *support)
{
    s->ticks++;
    if (!s->are_allowed)
        return;
    for (int j = 0; j < s->plan->def.reference->joint_count; j++) {
        if (!s->plan->supports[j] || steps_swings(s, j))
            continue;
        if (balance_plan_loads(s->plan, step, j))
            keep_place(s, plant, step, j);
        else
            adapt_landing(s, plant, step, now, j);
    }
    settle_body(s, plant, step);
    if (s->swing < 0)
        begin_own(s, plant, step, now, support);
    else
        swing_own(s, plant, step, now, support);
}

/* Part of its own step that has passed, 0 to 1. */
static double own_part(const Steps *s) { return fmin(1, fmax(0, (now_of(s) - s->start) / OWN_TIME)); }

double steps_lift(const Steps *s, int joint)
{
    double u = own_part(s);
    return steps_swings(s, joint) ? 4 * OWN_HEIGHT * u * (1 - u) : 0;
}

void steps_move(const Steps *s, int joint, Vec3 *position, Vec3 *velocity)
{
    const FootOffset *foot = &s->foot[joint];
    for (int a = 0; a < 2; a++) {
        *position = vec3_mad(*position, foot->at[a], s->plan->tangent[a]);
        *velocity = vec3_mad(*velocity, foot->rate[a], s->plan->tangent[a]);
    }
    if (!steps_swings(s, joint))
        return;
    double u = own_part(s);
    *position = vec3_mad(*position, steps_lift(s, joint), s->plan->tangent[2]);
    *velocity = vec3_mad(*velocity, 4 * OWN_HEIGHT * (1 - 2 * u) / OWN_TIME, s->plan->tangent[2]);
}
