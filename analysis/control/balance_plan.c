/* See balance_plan.h. */
#include "analysis/control/balance_plan.h"

#include <math.h>
#include <string.h>

#include "analysis/control/support_polygon.h"
#include "analysis/math/vec.h"

#define RATE 0.1            /* s2, weight of velocities in the preview along the ground */
#define COST 3.0           /* and of shifts of the centre of pressure */
#define REST 2.0            /* s, of the last step */
#define MIN_HEIGHT 0.2      /* m, of a centre of mass as a pendulum */
#define MIN_LOAD 0.2        /* of the weight, below which a centre of pressure is uncertain */

static void find_supporting(BalancePlan *p)
{
    const Footing *ground = p->def.ground;
    for (int s = 0; s < p->step_count; s++)
        for (int i = 0; i < ground->count; i++)
            p->supports[ground->joint[i]] |= p->loaded[(size_t)s * (size_t)ground->count + (size_t)i];
}

static void find_whole(BalancePlan *p)
{
    for (int s = 0; s < p->step_count; s++)
        p->state[s] = whole_state(p->def.body, p->def.reference, s);
    for (int s = 0; s + 1 < p->step_count; s++) {
        PlannedStep *step = &p->step[s];
        step->acceleration = vec3_scale(vec3_sub(p->state[s + 1].velocity, p->state[s].velocity), 1 / p->def.dt);
        step->spin_rate = vec3_scale(vec3_sub(p->state[s + 1].spin, p->state[s].spin), 1 / p->def.dt);
    }
}

/* Height of the lowest point of a body that supports in a step; NAN: none supports. */
static double bearing_height(const BalancePlan *p, int s, int joint)
{
    const Footing *ground = p->def.ground;
    const Kinematics *k = p->def.reference;
    double height = NAN;
    for (int i = 0; i < ground->count; i++)
        if (ground->joint[i] == joint && p->loaded[(size_t)s * (size_t)ground->count + (size_t)i]) {
            Vec3 at = footing_position(ground, k, (size_t)s * (size_t)k->joint_count, i);
            height = fmin(isnan(height) ? INFINITY : height, footing_height(ground, at));
        }
    return height;
}

int balance_plan_loads(const BalancePlan *p, int step, int joint)
{
    return !isnan(bearing_height(p, step < p->step_count ? step : p->step_count - 1, joint));
}

static void find_lift(BalancePlan *p, int joint)
{
    size_t joints = (size_t)p->def.reference->joint_count;
    double *lift = p->lift + joint;
    int last = -1; /* step that supports */
    for (int s = 0; s < p->step_count; s++) {
        double height = bearing_height(p, s, joint);
        if (isnan(height))
            continue;
        lift[(size_t)s * joints] = -height;
        double from = last < 0 ? -height : lift[(size_t)last * joints];
        for (int i = last + 1; i < s; i++)
            lift[(size_t)i * joints] = from + (-height - from) * (i - last) / (s - last);
        last = s;
    }
    for (int i = last + 1; last >= 0 && i < p->step_count; i++)
        lift[(size_t)i * joints] = lift[(size_t)last * joints];
}

static void find_tangents(BalancePlan *p)
{
    Vec3 n = p->def.ground->normal;
    p->tangent[0] = vec3_normalize(vec3_cross(n, fabs(n.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 0, 1)));
    p->tangent[1] = vec3_cross(n, p->tangent[0]);
    p->tangent[2] = n;
}

Support balance_plan_support(const BalancePlan *p, const Kinematics *k, size_t row, const char *loaded)
{
    const Footing *ground = p->def.ground;
    double at[SUPPORT_MAX][2];
    int count = 0;
    for (int i = 0; i < ground->count && count < SUPPORT_MAX; i++) {
        if (!loaded[i])
            continue;
        Vec3 position = footing_position(ground, k, row, i);
        for (int a = 0; a < 2; a++)
            at[count][a] = vec3_dot(p->tangent[a], position);
        count++;
    }
    return support_hull(at, count);
}

/* Centre of pressure of the force m (a - g) and the rate of angular momentum: (p - c) = (n x L' - h F) / F_n. */
static void find_pressure(BalancePlan *p, int s)
{
    PlannedStep *step = &p->step[s];
    Vec3 n = p->tangent[2], force = vec3_mad(step->acceleration, p->def.gravity, n);
    double height = fmax(MIN_HEIGHT, footing_height(p->def.ground, p->state[s].com)), normal = vec3_dot(n, force);
    const Kinematics *k = p->def.reference;
    Support support = balance_plan_support(p, k, (size_t)s * (size_t)k->joint_count,
                                   p->loaded + (size_t)s * (size_t)p->def.ground->count);
    step->pull = support.count ? fmin(fmax(0, normal), 3 * p->def.gravity) / height : 0;
    normal = fmax(normal, MIN_LOAD * p->def.gravity);
    Vec3 turning = vec3_scale(vec3_cross(n, step->spin_rate), 1 / (p->state[s].mass * normal));
    Vec3 pressure = vec3_add(p->state[s].com, vec3_mad(turning, -height / normal, force));
    double clamped[2];
    for (int a = 0; a < 2; a++)
        clamped[a] = step->pressure[a] = vec3_dot(p->tangent[a], pressure);
    if (support.count)
        support_clamp(&support, clamped);
    for (int a = 0; a < 2; a++)
        step->shift[a] = clamped[a] - step->pressure[a];
}

/* In flight the body falls, whatever the reference does. */
static void plan(BalancePlan *p, PreviewStep *scratch)
{
    for (int a = 0; a < 3; a++) {
        double stiffness = p->def.stiffness;
        PreviewDef def = {.dt = p->def.dt, .rate = RATE, .cost = COST, .rest = REST};
        if (a == 2)
            def = (PreviewDef){p->def.dt, 2 / stiffness, 1 / (stiffness * stiffness), REST};
        for (int s = 0; s < p->step_count; s++) {
            PlannedStep *step = &p->step[s];
            int stands = step->pull > 0;
            double falls = -vec3_dot(p->tangent[a], step->acceleration) - (a == 2 ? p->def.gravity : 0);
            scratch[s] = (PreviewStep){.drift = stands ? 0 : falls};
            if (stands && a == 2)
                scratch[s].drive = 1;
            if (stands && a < 2)
                scratch[s] = (PreviewStep){step->pull, -step->pull, -step->pull * step->shift[a], {0, 0}, 0};
        }
        preview_solve(&def, scratch, p->step_count);
        for (int s = 0; s < p->step_count; s++)
            p->step[s].axis[a] = scratch[s];
    }
}

Status balance_plan_init(BalancePlan *p, const BalancePlanDef *def, Error *err)
{
    size_t steps = (size_t)def->reference->frame_count;
    size_t joints = (size_t)def->reference->joint_count;
    *p = (BalancePlan){.def = *def, .step_count = (int)steps, .loaded = def->loaded};
    p->state = arena_array(&p->memory, steps, 1, sizeof *p->state);
    p->step = arena_array(&p->memory, steps, 1, sizeof *p->step);
    PreviewStep *scratch = arena_array(&p->memory, steps, 1, sizeof *scratch);
    p->lift = arena_array(&p->memory, steps, joints, sizeof *p->lift);
    p->supports = arena_array(&p->memory, joints, 1, 1);
    if (p->memory.failed)
        return error_no_memory(err);
    find_tangents(p);
    find_whole(p);
    find_supporting(p);
    for (int s = 0; s < p->step_count; s++)
        find_pressure(p, s);
    for (int j = 0; j < (int)joints; j++)
        if (p->supports[j])
            find_lift(p, j);
    plan(p, scratch);
    return STATUS_OK;
}

void balance_plan_free(BalancePlan *p)
{
    arena_free(&p->memory);
    *p = (BalancePlan){0};
}
