/* Anatomical coordinates, LANES frames at a time: about 200 operations and three arc tangents per joint.
 *
 * With the segments' axes P and D in world axes, R = P'D is decomposed as Rz(a) Rx(b) Ry(c), the Cardan angles of Grood
 * and Suntay, J. Biomech. Eng. 105 (1983); the shoulder's as Ry(a) Rx(-b) Ry(c) (Wu et al., J. Biomech. 38 (2005)).
 * Left joints are mirrored first, so that one formula serves both sides. */
#include "analysis/anatomy/coordinates.h"
#include "analysis/anatomy/strength.h"
#include "analysis/math/elementary.h"
#include "analysis/math/lanes.h"

/* The columns of a rotation matrix: axes of a segment in world axes. */
typedef struct LaneAxes {
    LaneVec3 x, y, z;
} LaneAxes;

/* Three angles, their axes, and the sine of the angle between the outer axes. */
typedef struct LaneRotation {
    Lane angle[3];
    LaneVec3 axis[3];
    Lane sine;
} LaneRotation;

LANE_INLINE LaneQuat lane_quat_set(Quat q)
{
    return (LaneQuat){lane_set(q.w), lane_set(q.x), lane_set(q.y), lane_set(q.z)};
}

LANE_INLINE LaneAxes lane_segment_axes(const Quat *orientation, size_t stride, Quat axes)
{
    LaneMat3 m = lane_quat_to_mat3(lane_quat_mul(lane_load4(orientation, stride), lane_quat_set(axes)));
    return (LaneAxes){{m.r[0].x, m.r[1].x, m.r[2].x}, {m.r[0].y, m.r[1].y, m.r[2].y}, {m.r[0].z, m.r[1].z, m.r[2].z}};
}

/* The second axis, normal to both others; `sine` is the length of their cross product. Near zero, `otherwise` replaces
 * it. */
LANE_INLINE LaneVec3 lane_normal(LaneVec3 cross, Lane sine, LaneVec3 otherwise)
{
    LaneMask regular = lane_less(lane_set(1e-9), sine);
    Lane scale = lane_set(1) / lane_select(regular, sine, lane_set(1));
    return (LaneVec3){lane_select(regular, cross.x * scale, otherwise.x),
                      lane_select(regular, cross.y * scale, otherwise.y),
                      lane_select(regular, cross.z * scale, otherwise.z)};
}

LANE_INLINE LaneRotation lane_rotation_zxy(const LaneAxes *p, const LaneAxes *d, Lane mirror)
{
    LaneVec3 cross = lane_vec3_cross(d->y, p->z);
    Lane sine = lane_sqrt(lane_vec3_dot(cross, cross));
    return (LaneRotation){{lane_atan2(-lane_vec3_dot(p->x, d->y), lane_vec3_dot(p->y, d->y)),
                           lane_atan2(mirror * lane_vec3_dot(p->z, d->y), sine),
                           lane_atan2(-mirror * lane_vec3_dot(p->z, d->x), lane_vec3_dot(p->z, d->z))},
                      {p->z, lane_normal(cross, sine, p->x), d->y}, sine};
}

LANE_INLINE LaneRotation lane_rotation_yxy(const LaneAxes *p, const LaneAxes *d, Lane mirror)
{
    LaneVec3 cross = lane_vec3_cross(p->y, d->y);
    Lane sine = lane_sqrt(lane_vec3_dot(cross, cross));
    return (LaneRotation){{lane_atan2(-lane_vec3_dot(p->x, d->y), -mirror * lane_vec3_dot(p->z, d->y)),
                           lane_atan2(sine, lane_vec3_dot(p->y, d->y)),
                           lane_atan2(-lane_vec3_dot(p->y, d->x), mirror * lane_vec3_dot(p->y, d->z))},
                      {p->y, lane_normal(cross, sine, p->x), d->y}, sine};
}

/* Rates of the angles by the dual basis in closed form: the axes are unit vectors and the middle one is normal to the
 * others. */
LANE_INLINE void lane_rates(const LaneRotation *rotation, LaneVec3 omega, Lane rate[3])
{
    Lane cosine = lane_vec3_dot(rotation->axis[0], rotation->axis[2]),
         least = lane_set(1) / (rotation->sine * rotation->sine);
    Lane first = lane_vec3_dot(omega, rotation->axis[0]), last = lane_vec3_dot(omega, rotation->axis[2]);
    rate[0] = (first - cosine * last) * least;
    rate[1] = lane_vec3_dot(omega, rotation->axis[1]);
    rate[2] = (last - cosine * first) * least;
}

LANE_INLINE void visit_joint(const CoordinatesView *v, size_t first, size_t index)
{
    const CoordinateJoint *joint = &v->axes[index];
    size_t row = first * v->joint_count, stride = v->joint_count;
    size_t columns = 3 * v->axes_count, at = first * columns + 3 * index;
    LaneAxes p = lane_segment_axes(v->orientation + row + joint->proximal, stride, joint->proximal_axes);
    LaneAxes d = lane_segment_axes(v->orientation + row + joint->distal, stride, joint->distal_axes);
    Lane mirror = lane_set(joint->mirror), gap = lane_set(NAN), rate[3];
    LaneRotation rotation = joint->is_shoulder ? lane_rotation_yxy(&p, &d, mirror) : lane_rotation_zxy(&p, &d, mirror);
    LaneVec3 omega = lane_vec3_sub(lane_load3(v->angular_velocity + row + joint->distal, stride),
                                   lane_load3(v->angular_velocity + row + joint->proximal, stride));
    LaneVec3 torque = v->torque ? lane_load3(v->torque + row + joint->joint, stride) : lane_vec3_set((Vec3){0, 0, 0});
    LaneMask singular = lane_less(rotation.sine, lane_set(v->least_sine));
    for (int k = 0; k < 3; k++)
        rotation.axis[k] = lane_vec3_scale(rotation.axis[k], lane_set(joint->axis_sign[k]));
    lane_rates(&rotation, omega, rate);
    for (size_t k = 0; k < 3; k++) {
        Lane angle = rotation.angle[k] * lane_set(joint->angle_sign[k]),
             moment = lane_vec3_dot(torque, rotation.axis[k]);
        lane_store(v->angle + at + k, columns, lane_select(singular, gap, angle));
        lane_store(v->velocity + at + k, columns, lane_select(singular, gap, rate[k]));
        lane_store(v->moment + at + k, columns, moment);
        lane_store(v->power + at + k, columns, lane_select(singular, gap, moment * rate[k]));
        if (v->axis)
            lane_store3(v->axis + at + k, columns, rotation.axis[k]);
        for (int l = 0; l < LANES; l++)
            v->singular[at + k + (size_t)l * columns] = lane_mask_get(singular, l) != 0;
    }
}

void LANE_NAME(coordinates_frames)(const CoordinatesView *view)
{
    for (size_t f = 0; f < view->frame_count; f += LANES) {
        size_t first = lane_block(f, view->frame_count);
        for (size_t index = 0; index < view->axes_count; index++)
            visit_joint(view, first, index);
    }
}

/* Strength and its utilization, LANES frames at a time: up to six exponentials and cosines per coordinate.
 *
 * Curves: strength.h. */

typedef struct LaneStrength {
    Lane active, passive;
} LaneStrength;

LANE_INLINE Lane lane_clamp(Lane x, Lane low, Lane high)
{
    return lane_select(lane_less(x, low), low, lane_select(lane_less(high, x), high, x));
}

LANE_INLINE Lane lane_positive(Lane x) { return lane_select(lane_less(lane_set(0), x), x, lane_set(0)); }

/* Hill's hyperbola: 1 at rest, 0 at the maximal velocity and above. u: fraction of it. */
LANE_INLINE Lane lane_hill(Lane u, double bend)
{
    Lane one = lane_set(1);
    return lane_select(lane_less(u, one), (one - u) / (one + lane_set(bend) * u), lane_set(0));
}

/* (a + b s) / (a + d s): torque over isometric torque at the shortening velocity s. */
LANE_INLINE Lane lane_hyperbola(const AverageShape *c, Lane s)
{
    return (lane_set(c->a) + lane_set(c->b) * s) / (lane_set(c->a) + lane_set(c->d) * s);
}

LANE_INLINE Lane lane_average_gain(const AverageShape *c, Lane speed)
{
    Lane back = -speed, slow = back, one = lane_set(1), shortening;
    if (c->b < 0) {
        shortening = lane_positive(lane_hyperbola(c, speed));
        slow = lane_select(lane_less(back, lane_set(c->speed_of_most)), back, lane_set(c->speed_of_most));
    } else {
        shortening = lane_hill(speed / lane_set(c->speed_max), c->bend);
    }
    Lane lengthening = lane_hyperbola(c, slow) * (one + lane_set(c->gain) * slow);
    return lane_select(lane_less(speed, lane_set(0)), lane_clamp(lengthening, one, lane_set(STRENGTH_MOST_ECCENTRIC)),
                       shortening);
}

LANE_INLINE LaneStrength lane_average(const AverageShape *c, Lane angle, Lane speed)
{
    Lane most = lane_set(c->isometric), from = lane_set(c->rate) * (angle - lane_set(c->angle));
    Lane active = most * lane_cos(from) * lane_average_gain(c, speed);
    Lane passive = lane_set(c->b1) * lane_exp(lane_set(c->k1) * angle) +
                   lane_set(c->b2) * lane_exp(lane_set(c->k2) * angle);
    return (LaneStrength){lane_select(lane_less(lane_abs(from), lane_set(PI / 2)), active, lane_set(0)),
                          lane_clamp(passive, -most, most)};
}

/* Lengthening rises from 1 at rest, with the slope of Hill's curve, towards the eccentric gain. */
LANE_INLINE LaneStrength lane_person(const PersonShape *c, Lane angle, Lane speed)
{
    Lane most = lane_set(c->isometric), off = (angle - lane_set(c->angle)) / lane_set(c->width), one = lane_set(1);
    Lane u = lane_abs(speed) / lane_set(c->speed_max), lengthening = one, rise = lane_set(c->slope) * u;
    if (c->gain > 0)
        lengthening = one + lane_set(c->gain * c->slope) * u / (lane_set(c->gain) + rise);
    Lane gain = lane_select(lane_less(speed, lane_set(0)), lengthening, lane_hill(u, c->bend));
    Lane stretch = lane_clamp((angle - lane_set(c->passive_zero)) / lane_set(c->passive_range), lane_set(0), one);
    return (LaneStrength){most * lane_exp(lane_set(-0.5) * off * off) * gain, most * stretch * stretch};
}

/* speed: rad/s, positive in shortening. */
LANE_INLINE LaneStrength lane_strength(const StrengthCurve *c, Lane angle, Lane speed)
{
    LaneStrength sum = {lane_set(0), lane_set(0)};
    angle = angle * lane_set(c->angle_sign);
    if (c->is_person)
        return lane_person(&c->person, angle, speed);
    Lane count = lane_set(c->average_count);
    for (int i = 0; i < c->average_count; i++) {
        LaneStrength at = lane_average(&c->average[i], angle, speed);
        sum.active += at.active / count;
        sum.passive += at.passive / count;
    }
    return sum;
}

#if LANES == 1
StrengthAt strength_at(const StrengthCurve *curve, double angle, double speed)
{
    LaneStrength at = lane_strength(curve, angle, speed);
    return (StrengthAt){at.active, at.passive, curve->isometric};
}
#endif

/* Net passive moment of both directions, each bounded by its curve. */
LANE_INLINE Lane lane_passive_moment(const StrengthColumn *column, Lane angle)
{
    LaneStrength up = lane_strength(&column->direction[1], angle, lane_set(0));
    LaneStrength down = lane_strength(&column->direction[0], angle, lane_set(0));
    return lane_positive(up.passive) - lane_positive(down.passive);
}

/* Frames with an angle and a velocity of one coordinate, turned so that its curves apply. */
typedef struct LaneState {
    Lane angle, velocity, moment;
    Lane back; /* -1: an arm raised backwards, which extends the shoulder */
    LaneMask known;
} LaneState;

LANE_INLINE LaneState lane_state(const StrengthView *v, const StrengthColumn *column, size_t at)
{
    Lane one = lane_set(1), most = lane_set(INFINITY);
    Lane angle = lane_load(v->angle + at, v->columns), velocity = lane_load(v->velocity + at, v->columns);
    LaneState s = {angle, velocity, lane_load(v->moment + at, v->columns), one,
                   lane_less(lane_abs(angle), most) & lane_less(lane_abs(velocity), most)};
    if (column->is_elevation) {
        Lane forward = lane_sin(lane_load(v->angle + at - 1, v->columns));
        s.known &= ~lane_less(forward * forward, lane_set(0.5));
        s.back = lane_select(lane_less(forward, lane_set(0)), -one, one);
        s.angle *= s.back;
        s.velocity *= s.back;
        s.moment *= s.back;
    }
    return s;
}

LANE_INLINE void visit_column(const StrengthView *v, const StrengthColumn *column, size_t at)
{
    LaneState s = lane_state(v, column, at);
    Lane gap = lane_set(NAN), capacity = gap, utilization = gap;
    LaneMask negative = lane_less(s.moment, lane_set(0));
    if (v->passive)
        lane_store(v->passive + at, v->columns,
                   lane_select(s.known, s.back * lane_passive_moment(column, s.angle), gap));
    for (int positive = 0; positive < 2; positive++) {
        const StrengthCurve *curve = &column->direction[positive];
        LaneMask here = s.known & (positive ? ~negative : negative);
        if (!(curve->isometric > 0) || !lane_any(here))
            continue;
        LaneStrength strength = lane_strength(curve, s.angle, positive ? s.velocity : -s.velocity);
        Lane most = lane_positive(strength.active + strength.passive);
        LaneMask enough = ~lane_less(most, lane_set(STRENGTH_LEAST * curve->isometric));
        capacity = lane_select(here, most, capacity);
        utilization = lane_select(here & enough, lane_abs(s.moment) / most, utilization);
    }
    lane_store(v->capacity + at, v->columns, capacity);
    lane_store(v->utilization + at, v->columns, utilization);
}

/* Sets the rows of a block to NaN, for coordinates without curves. */
LANE_INLINE void clear_rows(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
}

void LANE_NAME(strength_frames)(const StrengthView *v)
{
    for (size_t f = 0; f < v->frame_count; f += LANES) {
        size_t row = lane_block(f, v->frame_count) * v->columns, count = LANES * v->columns;
        clear_rows(v->capacity + row, count);
        clear_rows(v->utilization + row, count);
        if (v->passive)
            clear_rows(v->passive + row, count);
        for (size_t i = 0; i < v->count; i++)
            visit_column(v, &v->column[i], row + v->column[i].index);
    }
}
