/* Gait analysis (gait.h). */
#include "analysis/stats/gait.h"

#include <math.h>
#include <stdio.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define MIN_TRAVEL 0.3 /* m: a shorter path of the hips has no direction */

/* A clip with the gait cycles of both feet. */
typedef struct Walk {
    const Clip *clip;
    const GaitDef *def;
    GaitCycles cycles[FOOT_COUNT]; /* count 0: none */
} Walk;

/* A foot strike. */
typedef struct Strike {
    int foot, frame;
} Strike;

const char *gait_quantity_name(GaitQuantity quantity)
{
    static const char *const names[] = {"angle", "moment", "power"};
    return names[quantity];
}

const char *gait_unit(GaitQuantity quantity, GaitNormal normal)
{
    static const char *const units[][2] = {{"degrees", "degrees"}, {"N m/kg", "1"}, {"W/kg", "1"}};
    return units[quantity][normal];
}

static Role foot_ankle(int foot) { return foot == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE; }

/* Horizontal position of a role's joint, m; NaN if it is missing. */
static Vec3 position(const Walk *w, Role role, int frame)
{
    int joint = skeleton_find_role(&w->clip->skeleton, role);
    if (joint < 0)
        return vec3(NAN, 0, NAN);
    Vec3 at = w->clip->kinematics.position[motion_index(&w->clip->motion, frame, joint)];
    return vec3(at.x, 0, at.z);
}

static GaitStride walk_stride(const Walk *w, int foot, const GaitCycle *c)
{
    const double *time = w->clip->motion.time;
    GaitStride s = {.foot = foot, .time = time[c->begin], .duration = time[c->end] - time[c->begin]};
    int goes = vec3_distance(position(w, ROLE_HIPS, c->begin), position(w, ROLE_HIPS, c->end)) >= MIN_TRAVEL;
    s.length = goes ? vec3_distance(position(w, foot_ankle(foot), c->begin), position(w, foot_ankle(foot),
                                                                                      c->end)) : NAN;
    s.speed = s.length / s.duration;
    s.cadence = 120 / s.duration;
    s.stance = (time[c->lift] - time[c->begin]) / s.duration;
    return s;
}

static void take_strides(Gait *gait, const Walk *w)
{
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int i = 0; i < w->cycles[foot].count; i++)
            gait->stride[gait->stride_count++] = walk_stride(w, foot, &w->cycles[foot].cycle[i]);
}

/* Lists both ends of every cycle, each once, by time. */
static int find_strikes(const Walk *w, Strike *strike)
{
    int count = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int i = 0; i < 2 * w->cycles[foot].count; i++) {
            const GaitCycle *c = &w->cycles[foot].cycle[i / 2];
            Strike next = {foot, i % 2 ? c->end : c->begin};
            int at = count;
            while (at > 0 && strike[at - 1].frame > next.frame)
                at--;
            if (at > 0 && strike[at - 1].frame == next.frame && strike[at - 1].foot == foot)
                continue;
            for (int k = count++; k > at; k--)
                strike[k] = strike[k - 1];
            strike[at] = next;
        }
    return count;
}

static GaitStep walk_step(const Walk *w, Strike from, Strike to)
{
    const double *time = w->clip->motion.time;
    Vec3 direction = vec3_sub(position(w, ROLE_HIPS, to.frame), position(w, ROLE_HIPS, from.frame));
    Vec3 apart = vec3_sub(position(w, foot_ankle(to.foot), to.frame), position(w, foot_ankle(from.foot), from.frame));
    GaitStep step = {.foot = to.foot, .time = time[to.frame], .duration = time[to.frame] - time[from.frame],
                     .length = NAN, .width = NAN};
    if (vec3_norm(direction) >= MIN_TRAVEL) {
        direction = vec3_normalize(direction);
        step.length = vec3_dot(apart, direction);
        step.width = vec3_norm(vec3_mad(apart, -step.length, direction));
    }
    return step;
}

/* Lists the steps: strikes of alternating feet less than a stride apart. */
static void take_steps(Gait *gait, const Walk *w, const Strike *strike, int count)
{
    double longest = fmax(w->cycles[FOOT_LEFT].duration, w->cycles[FOOT_RIGHT].duration);
    for (int i = 1; i < count; i++) {
        GaitStep step = walk_step(w, strike[i - 1], strike[i]);
        if (strike[i].foot != strike[i - 1].foot && step.duration < longest)
            gait->step[gait->step_count++] = step;
    }
}

/* Factor that converts stored values to the output unit. */
static double quantity_scale(const Walk *w, GaitQuantity quantity)
{
    double mass = w->clip->body.total_mass, height = w->clip->body.stature;
    if (quantity == GAIT_ANGLE)
        return 180 / PI;
    if (w->def->normal == GAIT_PER_MASS)
        return 1 / mass;
    return quantity == GAIT_MOMENT ? 1 / (mass * GRAVITY * height) : 1 / (mass * GRAVITY * sqrt(GRAVITY * height));
}

static const double *quantity_values(const JointAngles *a, GaitQuantity quantity)
{
    return quantity == GAIT_ANGLE ? a->angle : quantity == GAIT_MOMENT ? a->moment : a->power;
}

/* Cycles of the coordinate's side; for the trunk those of the left foot, or of the right foot if the left has none. */
static const GaitCycles *coordinate_cycles(const Walk *w, Coordinate coordinate)
{
    Role role = coordinate_role(coordinate);
    int is_trunk = role < ROLE_LEFT_CLAVICLE;
    int is_right = role >= ROLE_RIGHT_CLAVICLE || (is_trunk && w->cycles[FOOT_LEFT].count == 0);
    return &w->cycles[is_right ? FOOT_RIGHT : FOOT_LEFT];
}

/* Adds a curve if the side has cycles. scratch: [frame]. */
static void take_curve(Gait *gait, const Walk *w, int column, GaitQuantity quantity, double *scratch)
{
    const JointAngles *a = &w->clip->angles;
    const GaitCycles *cycles = coordinate_cycles(w, a->coordinate[column]);
    double scale = quantity_scale(w, quantity);
    if (cycles->count == 0)
        return;
    GaitCurve *curve = &gait->curve[gait->curve_count++];
    curve->coordinate = a->coordinate[column];
    curve->quantity = quantity;
    curve->strides = cycles->count;
    const double *spread = quantity == GAIT_MOMENT ? a->moment_sd : NULL;
    for (int p = 0; p < GAIT_POINTS; p++)
        curve->error_sd[p] = NAN;
    for (int f = 0; spread && f < a->frame_count; f++)
        scratch[f] = scale * spread[joint_angles_index(a, f, column)];
    if (spread)
        gait_cycles_profile(cycles, w->clip->motion.time, scratch, curve->error_sd, curve->deviation);
    for (int f = 0; f < a->frame_count; f++)
        scratch[f] = scale * quantity_values(a, quantity)[joint_angles_index(a, f, column)];
    gait_cycles_profile(cycles, w->clip->motion.time, scratch, curve->mean, curve->deviation);
}

static Status fill(Gait *gait, const Walk *w, Error *err)
{
    size_t strides = (size_t)(w->cycles[FOOT_LEFT].count + w->cycles[FOOT_RIGHT].count);
    size_t frames = (size_t)w->clip->angles.frame_count, columns = (size_t)w->clip->angles.coordinate_count;
    double *scratch = arena_array(&gait->memory, frames, 1, sizeof *scratch);
    Strike *strike = arena_array(&gait->memory, 2 * strides, 1, sizeof *strike);
    gait->stride = arena_array(&gait->memory, strides, 1, sizeof *gait->stride);
    gait->step = arena_array(&gait->memory, 2 * strides, 1, sizeof *gait->step);
    gait->curve = arena_array(&gait->memory, columns, GAIT_QUANTITY_COUNT, sizeof *gait->curve);
    if (gait->memory.failed)
        return error_no_memory(err);
    take_strides(gait, w);
    take_steps(gait, w, strike, find_strikes(w, strike));
    for (int column = 0; column < (int)columns; column++)
        for (int quantity = 0; quantity < GAIT_QUANTITY_COUNT; quantity++)
            take_curve(gait, w, column, (GaitQuantity)quantity, scratch);
    return STATUS_OK;
}

static Status check_clip(const Clip *clip, const GaitDef *def, Error *err)
{
    if (!clip->has_angles)
        return error_set(err, STATUS_BAD_INPUT, "has no /angles: run kane angles first");
    if (!clip->has_body || !(clip->body.total_mass > 0))
        return error_set(err, STATUS_BAD_INPUT, "has no /body: run kane body first");
    if (def->normal == GAIT_PER_MASS_HEIGHT && !(clip->body.stature > 0))
        return error_set(err, STATUS_BAD_INPUT, "its body has no height to divide by");
    return STATUS_OK;
}

/* Appends the right foot to the error of the left foot in err. */
static Status report_neither_foot(Status status, Error *err)
{
    char left[ERROR_TEXT_SIZE];
    if (!err)
        return status;
    snprintf(left, sizeof left, "%s", err->text);
    return error_set(err, status, "%s; nor of the right foot", left);
}

Status gait_init(Gait *gait, const Clip *clip, const GaitDef *def, Error *err)
{
    Walk walk = {.clip = clip, .def = def};
    *gait = (Gait){0};
    Status status = check_clip(clip, def, err);
    if (status)
        return status;
    Status left = gait_cycles_init(&walk.cycles[FOOT_LEFT], clip, FOOT_LEFT, def->choice, err);
    Status right = gait_cycles_init(&walk.cycles[FOOT_RIGHT], clip, FOOT_RIGHT, def->choice, left ? NULL : err);
    if (left == STATUS_NO_MEMORY || right == STATUS_NO_MEMORY)
        status = error_no_memory(err);
    else
        status = left && right ? report_neither_foot(left, err) : fill(gait, &walk, err);
    gait_cycles_free(&walk.cycles[FOOT_LEFT]);
    gait_cycles_free(&walk.cycles[FOOT_RIGHT]);
    if (status)
        gait_free(gait);
    return status;
}

void gait_free(Gait *gait)
{
    if (!gait)
        return;
    arena_free(&gait->memory);
    *gait = (Gait){0};
}
