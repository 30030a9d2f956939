/* Curves of a joint over time (joint_curves.h). */
#include "analysis/stats/joint_curves.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

static double vector_component(Vec3 v, JointComponent component)
{
    const double xyz[] = {v.x, v.y, v.z};
    return component == COMPONENT_NORM ? vec3_norm(v) : xyz[component - COMPONENT_X];
}

static int has_contact_points(const Clip *c) { return c->has_contact && c->contact.point_count > 0; }
static int has_dynamics(const Clip *c) { return c->has_dynamics; }
static int has_kinematics(const Clip *c) { return c->has_kinematics; }

static double torque_at(const Clip *c, int frame, int joint, JointComponent component)
{
    return vector_component(c->dynamics.torque[motion_index(&c->motion, frame, joint)], component);
}

static double power_at(const Clip *c, int frame, int joint, JointComponent component)
{
    (void)component;
    return c->dynamics.power[motion_index(&c->motion, frame, joint)];
}

static double angular_velocity_at(const Clip *c, int frame, int joint, JointComponent component)
{
    return vector_component(c->kinematics.angular_velocity[motion_index(&c->motion, frame, joint)], component);
}

static double contact_force_at(const Clip *clip, int frame, int joint, JointComponent component)
{
    const Contact *c = &clip->contact;
    Vec3 sum = {0, 0, 0};
    for (int p = 0; p < c->point_count; p++)
        if (c->point_joint[p] == joint)
            sum = vec3_add(sum, c->force[(size_t)frame * (size_t)c->point_count + (size_t)p]);
    return vector_component(sum, component);
}

/* One row per quantity, in the order of JointQuantity: value, whether a clip has it, and the error text if not. */
static const struct Quantity {
    double (*at)(const Clip *clip, int frame, int joint, JointComponent component);
    int (*is_held)(const Clip *clip);
    const char *missing;
} quantities[] = {
    {torque_at, has_dynamics, "/dynamics: run kane torque first"},
    {power_at, has_dynamics, "/dynamics: run kane torque first"},
    {angular_velocity_at, has_kinematics, "velocities (/kinematics)"},
    {contact_force_at, has_contact_points, "contact points: run kane contact first"},
};
_Static_assert(sizeof quantities / sizeof *quantities == QUANTITY_COUNT, "a row for every JointQuantity");

Status joint_quantity(const Clip *clip, int joint, JointQuantity quantity, JointComponent component, double *value,
                      Error *err)
{
    const struct Quantity *q = &quantities[quantity];
    if (!q->is_held(clip))
        return error_set(err, STATUS_BAD_INPUT, "has no %s", q->missing);
    int is_residual = quantity == QUANTITY_TORQUE && joint_carries_residual(clip, joint);
    for (int f = 0; f < clip->motion.frame_count; f++)
        value[f] = is_residual ? vector_component(clip->dynamics.residual_torque[f], component)
                               : q->at(clip, f, joint, component);
    return STATUS_OK;
}

Status coordinate_quantity(const Clip *clip, Coordinate coordinate, JointQuantity quantity, double *value, Error *err)
{
    const JointAngles *a = &clip->angles;
    int column = clip->has_angles ? joint_angles_find(a, coordinate) : -1;
    const double *array = quantity == QUANTITY_ANGLE    ? a->angle
                          : quantity == QUANTITY_MOMENT ? a->moment
                                                        : a->utilization;
    double unit = quantity == QUANTITY_ANGLE ? 180 / PI : 1;
    if (!clip->has_angles)
        return error_set(err, STATUS_BAD_INPUT, "has no /angles: run kane angles first");
    if (column < 0)
        return error_set(err, STATUS_BAD_INPUT, "has no coordinate %s", coordinate_name(coordinate));
    if (!array)
        return error_set(err, STATUS_BAD_INPUT, "its /angles has no utilization: see kane angles --strength");
    for (int f = 0; f < clip->motion.frame_count; f++)
        value[f] = unit * array[joint_angles_index(a, f, column)];
    return STATUS_OK;
}

int joint_quantity_spread(const Clip *clip, int joint, JointQuantity quantity, JointComponent component,
                          double *spread)
{
    const Dynamics *d = &clip->dynamics;
    if (quantity != QUANTITY_TORQUE || !clip->has_dynamics || !d->torque_sd)
        return 0;
    for (int f = 0; f < clip->motion.frame_count; f++) {
        size_t at = motion_index(&clip->motion, f, joint);
        Vec3 along = vec3_normalize(d->torque[at]);
        spread[f] = component == COMPONENT_NORM ? torque_sd_along(d->torque_sd[at], d->torque_correlation[at], along)
                                                : vector_component(d->torque_sd[at], component);
    }
    return 1;
}

int coordinate_spread(const Clip *clip, Coordinate coordinate, JointQuantity quantity, double *spread)
{
    const JointAngles *a = &clip->angles;
    int column = clip->has_angles ? joint_angles_find(a, coordinate) : -1;
    if (quantity != QUANTITY_MOMENT || column < 0 || !a->moment_sd)
        return 0;
    for (int f = 0; f < clip->motion.frame_count; f++)
        spread[f] = a->moment_sd[joint_angles_index(a, f, column)];
    return 1;
}

static void add_trace(Traces *t, Role role, const JointSeries *series, int joint)
{
    const double *torque = joint_series_torque(series, joint);
    float *nm = t->nm + (size_t)t->count * (size_t)t->frame_count;
    for (int f = 0; f < t->frame_count; f++)
        nm[f] = NAN;
    for (int i = 0; i < series->count; i++)
        if (!joint_series_doubts(series, joint, i))
            nm[series->frame[i]] = (float)torque[i];
    t->role[t->count++] = role;
}

Status traces_init(Traces *t, const Clip *clip, const JointSeries *series, Error *err)
{
    int joint[ROLE_COUNT], roles = 0;
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT && series->has_load; r++) {
        joint[r] = skeleton_find_role(&clip->skeleton, (Role)r);
        joint[r] = joint[r] >= 0 && series->is_residual[joint[r]] ? -1 : joint[r];
        roles += joint[r] >= 0;
    }
    *t = (Traces){.frame_count = clip->motion.frame_count};
    t->role = array_new((size_t)roles, 1, sizeof *t->role);
    t->nm = array_new((size_t)roles, (size_t)t->frame_count, sizeof *t->nm);
    if (!t->role || !t->nm) {
        traces_free(t);
        return error_no_memory(err);
    }
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT && series->has_load; r++)
        if (joint[r] >= 0)
            add_trace(t, (Role)r, series, joint[r]);
    return STATUS_OK;
}

void traces_free(Traces *t)
{
    if (!t)
        return;
    free(t->role);
    free(t->nm);
    *t = (Traces){0};
}

/* Integral of the torque between the samples i and i + 1, linear in the frame number, from a to b. */
static double area(const int *frame, const double *torque, int i, double a, double b)
{
    double width = frame[i + 1] - frame[i], slope = (torque[i + 1] - torque[i]) / width;
    double middle = 0.5 * (a + b) - frame[i];
    return (torque[i] + slope * middle) * (b - a);
}

void profile_compute(const JointSeries *series, int joint, double mass, float *nm_kg)
{
    const double *torque = joint_series_torque(series, joint);
    const int *frame = series->frame;
    int last = series->count - 1;
    double span = (double)frame[last] - frame[0], step = span / PROFILE_POINTS;
    for (int p = 0, i = 0; p < PROFILE_POINTS; p++) {
        double begin = frame[0] + p * step, end = p + 1 < PROFILE_POINTS ? frame[0] + (p + 1) * step : frame[last];
        double sum = 0;
        for (; i < last; i++) {
            double a = fmax(begin, frame[i]), b = fmin(end, frame[i + 1]);
            if (b > a)
                sum += area(frame, torque, i, a, b);
            if (frame[i + 1] >= end)
                break; /* the next point may begin between the same samples */
        }
        nm_kg[p] = (float)((end > begin ? sum / (end - begin) : torque[0]) / mass);
    }
}
