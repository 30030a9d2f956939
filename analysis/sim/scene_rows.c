/* Rows of limits, contacts and equalities on the speeds of a scene. */
#include "analysis/sim/scene_rows.h"

#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_rolling.h"
#include "analysis/sim/scene_softness.h"
#include "analysis/solve/kkt.h"

/* Fraction of the excess beyond a limit that is corrected per step, and the largest speed of doing so, rad/s or m/s. */
#define PUSH_SHARE 0.2
#define PUSH_SPEED 1.0

/* 1/kg and 1/(kg m2); a row of a larger compliance transmits no force. */
#define FREE_COMPLIANCE 1e30

/* Compliance of contacts as a fraction of their body's mobility (0.11). Without it the load of a box on four corners
 * would be undetermined. */
#define COMPLIANCE 1e-7

/* m/s or rad/s, below which a slip has no direction. */
#define MIN_SLIP 1e-9

/* Compliance of dry friction as a fraction of its own mobility, as for contacts; and in 1/kg or 1/(kg m2) where the
 * mobility is zero. */
#define DRY_COMPLIANCE 1e-7
#define MIN_COMPLIANCE 1e-12

/* Part of a velocity in the tangent plane; zero below MIN_SLIP. */
static Vec3 tangential(Vec3 velocity, Vec3 normal)
{
    Vec3 slip = vec3_mad(velocity, -vec3_dot(velocity, normal), normal);
    return vec3_norm(slip) > MIN_SLIP ? slip : vec3(0, 0, 0);
}

static double *base_at(const Scene *s, int row) { return s->rows.base + (size_t)row * (size_t)s->model->v_count; }

int scene_limit_sides(const Scene *s) { return 2 * s->model->joint_count + 6 * s->def.angle_limit_count; }

/* One side of a joint's limit, or of one of a ball's angles. */
typedef struct LimitSide {
    int number, joint, axis;
} LimitSide;

/* Spring and damper of a limit (0.10); the damper acts beyond the limit only. At the end of a step a spring prescribes
 * no speed. */
static int put_soft_limit(Scene *s, int at, LimitSide side, SoftLaw law, double gap, double ahead)
{
    if (ahead == 0)
        return 0;
    SoftRow row = soft_row(law.alpha, gap < 0 ? law.beta : 0, ahead, gap);
    if (s->rows.limit)
        s->rows.limit[at] = side.number;
    if (s->rows.n) {
        s->rows.n[at] = row.target;
        s->rows.limit_soft[at] = row.compliance;
    }
    return 1;
}

/* Adds a row if the limit is nearer than the joint may move within the step; at the end of a step, if the limit held
 * during it, since the row at the beginning could not predict the end more exactly. Returns the number of rows (0 or
 * 1). */
static int put_limit(Scene *s, int at, LimitSide side, double gap, const ContactRule *rule)
{
    SoftLaw law = scene_soft_limit(s, side.joint, side.axis, fmax(0, -gap));
    double reach = 2 * (s->rows.limit_speed + rule->gravity * rule->ahead + 1) * rule->ahead;
    if (gap > reach && !(rule->ahead == 0 && s->limit_holds[side.number]))
        return 0;
    if (law.alpha > 0)
        return put_soft_limit(s, at, side, law, gap, rule->ahead);
    if (s->rows.limit)
        s->rows.limit[at] = side.number;
    double min = rule->ahead > 0 ? -gap / rule->ahead : 0;
    if (gap < 0)
        min = fmin(PUSH_SPEED, PUSH_SHARE * min);
    if (s->rows.n)
        s->rows.n[at] = min;
    return 1;
}

/* Angle of a ball from the model's configuration, and the axis about which it increases. */
static double ball_angle(const double *q, Vec3 *axis)
{
    Quat turn = {q[0], q[1], q[2], q[3]};
    Vec3 half = quat_log(turn.w < 0 ? quat_neg(turn) : turn);
    double size = vec3_norm(half);
    *axis = size > 0 ? vec3_scale(half, 1 / size) : vec3(0, 0, 1);
    return 2 * size;
}

double scene_limit_gap(const ModelJoint *j, const double *q)
{
    Vec3 axis;
    if (j->kind == MODEL_BALL)
        return j->max - ball_angle(q + j->q_start, &axis);
    return fmin(j->max - q[j->q_start], q[j->q_start] - j->min);
}

static int put_joint_limits(Scene *s, const ModelJoint *j, const double *q, const ContactRule *rule, int at)
{
    const double *v = s->v_before + j->v_start;
    int count = 0, joint = (int)(j - s->model->joint);
    s->rows.limit_speed = j->kind == MODEL_BALL ? vec3_norm(vec3_load(v)) : fabs(*v);
    if (j->kind == MODEL_BALL) {
        Vec3 axis;
        double gap = j->max - ball_angle(q + j->q_start, &axis);
        if (put_limit(s, at, (LimitSide){2 * joint, joint, 0}, gap, rule) == 0)
            return 0;
        for (int k = 0; k < 3 && s->rows.base; k++)
            base_at(s, at)[j->v_start + k] = -vec3_component(axis, k);
        return 1;
    }
    for (int side = 0; side < 2; side++) {
        double gap = side ? j->max - q[j->q_start] : q[j->q_start] - j->min;
        if (put_limit(s, at + count, (LimitSide){2 * joint + side, joint, 0}, gap, rule) == 0)
            continue;
        if (s->rows.base)
            base_at(s, at + count)[j->v_start] = side ? -1 : 1;
        count++;
    }
    return count;
}

/* Rotation of a limited joint. If constraint rows alone hold the body to another one, it follows from the poses of
 * both. */
static Quat limited_turn(const Scene *s, const SceneAngleLimits *a, const double *q)
{
    const ModelJoint *j = &s->model->joint[a->joint];
    const ModelBody *body = &s->model->body[j->body];
    const double *at = q + j->q_start;
    Quat own = j->kind == MODEL_BALL
                   ? quat_mul(body->orientation, (Quat){at[0], at[1], at[2], at[3]})
                   : quat_mul(quat_conjugate(s->motion.orientation[a->parent]), s->motion.orientation[j->body]);
    return quat_mul(quat_mul(quat_conjugate(a->limits.parent), own), a->limits.child);
}

/* Distance of an angle from its lower (side 0) or upper limit, rad. */
static double angle_gap(Vec3 angle, const AngleLimits *limits, int i, int side)
{
    const RollPitchYaw *limit = side ? &limits->max : &limits->min;
    double bound = i == 0 ? limit->roll : i == 1 ? limit->pitch : limit->yaw;
    return side ? bound - vec3_component(angle, i) : vec3_component(angle, i) - bound;
}

double scene_angle_gap(const Scene *s, const SceneAngleLimits *a, const double *q)
{
    Vec3 angle = turn_angles(limited_turn(s, a, q), vec3(0, 0, 0)).angle;
    double gap = INFINITY;
    for (int k = 0; k < 6; k++)
        gap = fmin(gap, angle_gap(angle, &a->limits, k / 2, k % 2));
    return gap;
}

/* The row itself rotates within the step: half of that rotation moves the angle further than the row at the beginning
 * predicts. */
static void aim_at_arc(Scene *s, int at, double drift, double ahead)
{
    double max = s->rows.limit_speed;
    if (s->rows.n)
        s->rows.n[at] -= fmin(max, fmax(-max, 0.5 * ahead * drift));
}

/* Angular velocity of the rotated frame relative to the other, in body axes. */
static Vec3 turning(const Scene *s, const SceneAngleLimits *a)
{
    const ModelJoint *j = &s->model->joint[a->joint];
    if (j->kind == MODEL_BALL)
        return vec3_load(s->v_before + j->v_start);
    const ModelMotion *m = &s->motion;
    return quat_rotate_inverse(m->orientation[j->body],
                               vec3_sub(m->angular_velocity[j->body], m->angular_velocity[a->parent]));
}

/* Converts a row on that velocity into one on the speeds. */
static void put_turning(Scene *s, const SceneAngleLimits *a, Vec3 row, double *to)
{
    const ModelJoint *j = &s->model->joint[a->joint];
    if (j->kind == MODEL_BALL) {
        vec3_store(to + j->v_start, row);
        return;
    }
    Vec3 world = quat_rotate(s->motion.orientation[j->body], row), none = vec3(0, 0, 0);
    const int body[2] = {j->body, a->parent};
    for (int k = 0; k < 2; k++) {
        ModelWrench wrench = {body[k], s->motion.position[body[k]], none, k ? vec3_neg(world) : world};
        if (k == 0)
            memset(to, 0, (size_t)s->model->v_count * sizeof *to);
        model_add_row(s->model, &s->motion, &wrench, 1, to);
    }
}

static int put_angle_limits(Scene *s, const SceneAngleLimits *a, const double *q, const ContactRule *rule, int at)
{
    Vec3 velocity = turning(s, a);
    TurnAngles turn = turn_angles(limited_turn(s, a, q), quat_rotate_inverse(a->limits.child, velocity));
    int count = 0, first = 2 * s->model->joint_count + 6 * (int)(a - s->def.angle_limits);
    s->rows.limit_speed = vec3_norm(velocity);
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 ? -1 : 1;
        LimitSide side = {first + k, a->joint, k / 2};
        if (put_limit(s, at + count, side, angle_gap(turn.angle, &a->limits, k / 2, k % 2), rule) == 0)
            continue;
        if (s->rows.base)
            put_turning(s, a, vec3_scale(quat_rotate(a->limits.child, turn.rows.r[k / 2]), sign),
                        base_at(s, at + count));
        aim_at_arc(s, at + count, sign * vec3_component(turn.drift, k / 2), rule->ahead);
        count++;
    }
    return count;
}

/* Largest impulse of a joint's dry friction during the present part of the step; 0: none. */
static double scene_dry_impulse(const Scene *s, const ModelJoint *j)
{
    return s->model->off.no_friction ? 0 : s->kick * j->friction;
}

/* Dry friction along the speeds of a joint: sigma+ = v + sigma-, 2 most - z >= 0 (0.5, 0.6), with z counted from its
 * lower bound. */
static int put_dry(Scene *s, const ModelJoint *j, int at)
{
    double max = scene_dry_impulse(s, j);
    int count = max > 0 ? model_joint_speeds(j->kind) : 0;
    for (int k = 0; k < count && s->rows.base; k++) {
        base_at(s, at + 2 * k)[j->v_start + k] = 1;
        s->rows.min[at + 2 * k] = -max;
    }
    for (int k = 0; k < count && s->rows.n; k++)
        s->rows.n[at + 2 * k + 1] = -2 * max;
    return 2 * count;
}

int scene_turn_count(const SceneContact *c) { return c->friction.roll > 0 ? 3 : c->friction.spin > 0; }

double scene_turn_friction(const SceneContact *c, int k) { return k ? c->friction.roll : c->friction.spin; }

/* Rows of the angular velocity of the second body relative to the first. The first tangent follows its tangential part,
 * so that the bounds do not deflect the axis about which it rolls. */
static int put_turns(Scene *s, SceneContact *c, int at)
{
    const ModelMotion *m = &s->motion;
    int count = scene_turn_count(c), body[2] = {c->first, c->second};
    if (count == 0)
        return 0;
    ContactPair pair = {.normal = c->at.normal};
    pair.slip = tangential(vec3_sub(m->angular_velocity[body[1]], m->angular_velocity[body[0]]), pair.normal);
    c->turn = at;
    c->turn_axis[0] = pair.normal;
    contact_tangents(&pair, c->turn_axis + 1);
    for (int k = 0; k < count && s->rows.base; k++) {
        double *row = base_at(s, at + 2 * k);
        memset(row, 0, (size_t)s->model->v_count * sizeof *row);
        for (int side = 0; side < 2; side++) {
            ModelWrench wrench = {body[side], c->at.point, vec3(0, 0, 0), c->turn_axis[k]};
            model_add_row(s->model, m, &wrench, side ? 1 : -1, row);
        }
    }
    return 2 * count;
}

/* Counts the rows of limits and dry friction; writes them if there is room. */
static int put_limits(Scene *s, const double *q, const ContactRule *rule)
{
    int count = 0;
    for (int i = 0; i < s->model->joint_count && !s->model->off.no_limits; i++)
        if (s->model->joint[i].limited)
            count += put_joint_limits(s, &s->model->joint[i], q, rule, count);
    for (int i = 0; i < s->def.angle_limit_count; i++)
        count += put_angle_limits(s, &s->def.angle_limits[i], q, rule, count);
    s->rows.dry_start = count;
    for (int i = 0; i < s->model->joint_count; i++)
        count += put_dry(s, &s->model->joint[i], count);
    s->rows.turn_start = count;
    for (int k = 0; k < s->contacts.count; k++)
        count += put_turns(s, &s->contacts.contact[k], count);
    return count;
}

void scene_put_body(const Scene *s, int body, int start, int size, double *row)
{
    Vec3 com = model_point(&s->motion, body, s->model->body[body].com);
    for (int k = 0; k < 6; k++) {
        Vec3 axis = vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2), none = vec3(0, 0, 0);
        ModelWrench wrench = {body, com, k < 3 ? axis : none, k < 3 ? none : axis};
        model_add_row(s->model, &s->motion, &wrench, 1, row + k * size - start);
    }
}

/* Computes the arms from the bodies' COMs to the contact points. */
static void scene_put_arms(Scene *s)
{
    for (int k = 0; k < s->contacts.count; k++) {
        SceneContact *c = &s->contacts.contact[k];
        for (int side = 0; side < 2; side++) {
            int body = model_mover(s->model, side ? c->second : c->first);
            c->arm[side] = vec3_sub(c->at.point, model_point(&s->motion, body, s->model->body[body].com));
            c->base[side] = -1;
        }
    }
}

/* Assigns each body its first speed in the base, in the order of the contacts; -1: none. Returns the number of
 * speeds. */
static int place_bodies(Scene *s, const char *leave_out, int *place)
{
    int count = s->rows.limit_count;
    for (int b = 0; b < s->model->body_count; b++)
        place[b] = -1;
    scene_put_arms(s);
    for (int k = 0; k < s->contacts.count; k++) {
        SceneContact *c = &s->contacts.contact[k];
        for (int side = 0; side < 2; side++) {
            int body = model_mover(s->model, side ? c->second : c->first);
            if (place[body] < 0 && body > 0 && !(leave_out && leave_out[body])) {
                place[body] = count;
                count += 6;
            }
            c->base[side] = place[body];
        }
    }
    return count;
}

Status scene_build_base(Scene *s, const SceneRowsAsk *ask, Error *err)
{
    SceneRows *r = &s->rows;
    int *place = arena_array(&s->scratch, (size_t)s->model->body_count, 1, sizeof *place);
    *r = (SceneRows){0};
    if (!place)
        return error_no_memory(err);
    r->limit_count = put_limits(s, ask->q, ask->rule);
    r->base_count = place_bodies(s, ask->leave_out, place);
    r->base = arena_array(&s->scratch, (size_t)r->base_count, (size_t)s->model->v_count, sizeof *r->base);
    r->limit_soft = arena_array(&s->scratch, (size_t)r->limit_count, 1, sizeof *r->limit_soft);
    r->limit = arena_array(&s->scratch, (size_t)r->limit_count, 1, sizeof *r->limit);
    r->min = arena_array(&s->scratch, (size_t)r->limit_count, 1, sizeof *r->min);
    r->mobility = arena_array(&s->scratch, (size_t)r->base_count, (size_t)r->base_count, sizeof *r->mobility);
    if (s->scratch.failed)
        return error_no_memory(err);
    put_limits(s, ask->q, ask->rule);
    for (int b = 0; b < s->model->body_count; b++)
        if (place[b] >= 0)
            scene_put_body(s, b, 0, s->model->v_count, base_at(s, place[b]));
    return STATUS_OK;
}

static Vec3 speed_of_side(const SceneContact *c, int side, const double *base_speed)
{
    if (c->base[side] < 0)
        return vec3(0, 0, 0);
    const double *v = base_speed + c->base[side];
    return vec3_add(vec3_load(v), vec3_cross(vec3_load(v + 3), c->arm[side]));
}

Vec3 scene_contact_speed(const SceneContact *c, const double *base_speed)
{
    return vec3_sub(speed_of_side(c, 1, base_speed), speed_of_side(c, 0, base_speed));
}

void scene_contact_push(const SceneContact *c, Vec3 impulse, double *base_impulse)
{
    for (int side = 0; side < 2; side++) {
        if (c->base[side] < 0)
            continue;
        double *p = base_impulse + c->base[side];
        Vec3 own = side ? impulse : vec3_neg(impulse);
        vec3_store(p, vec3_add(vec3_load(p), own));
        vec3_store(p + 3, vec3_add(vec3_load(p + 3), vec3_cross(c->arm[side], own)));
    }
}

void scene_set_slip(SceneContact *c, Vec3 speed) { c->slip = tangential(speed, c->at.normal); }

double scene_dry_compliance(const SceneRows *r, int i)
{
    return DRY_COMPLIANCE * r->mobility[(size_t)i * (size_t)r->base_count + (size_t)i] + MIN_COMPLIANCE;
}

/* The rows of one contact (contact_rows.h) on (first, second). */
static void write_contact(const ContactPair *pair, UnilateralRows *u, double max)
{
    if (u->count == CONE_CONTACT_ROWS) {
        contact_cone_rows(u, 0, pair);
    } else if (u->count == BOX_CONTACT_ROWS) {
        contact_box_rows(u, 0, pair, max);
    } else {
        Vec3 tangent[2];
        contact_tangents(pair, tangent);
        contact_speed_row(pair, pair->normal, u->rows);
        u->n[0] = pair->min_speed;
        for (int i = 1; i < u->count; i++)
            contact_speed_row(pair, tangent[i - 1], u->rows + 12 * i);
    }
}

/* Compliance of a contact: the small default, or as defined (0.11); that of friction is at most that of the normal. */
ContactLaw scene_contact_law(const Scene *s, const SceneContact *c)
{
    double mass = s->model->body[c->second].mass > 0 ? s->model->body[c->second].mass : s->model->body[c->first].mass;
    ContactLaw law = {COMPLIANCE / (mass > 0 ? mass : 1), COMPLIANCE / fmax(1e-9, mass), c->min_speed};
    SoftLaw soft = scene_soft_contact(s, c->geom[0], c->geom[1]);
    if (soft.alpha > 0 && c->at.gap < 0) {
        SoftRow row = soft_row(soft.alpha, soft.beta, s->h, c->at.gap);
        law.normal = row.compliance;
        law.min = row.target;
    }
    return law;
}

static void put_contact(Scene *s, const SceneContact *c, UnilateralRows *u, double max, SceneRow *row, double *n)
{
    ContactPair pair = {0, 1, c->arm[0], c->arm[1], c->at.normal, c->min_speed, c->friction.slide, c->slip};
    ContactLaw law = scene_contact_law(s, c);
    memset(u->memory, 0, u->room * sizeof *u->memory);
    write_contact(&pair, u, max);
    u->added[0] = law.normal;
    u->n[0] = law.min;
    for (int i = 0; i < u->count; i++) {
        row[i].direction = vec3_load(u->rows + 12 * i + 6);
        n[i] = u->n[i];
        memcpy(row[i].added, u->added + (size_t)i * (size_t)u->count, (size_t)u->count * sizeof *u->added);
        if (i > 0 && vec3_norm(row[i].direction) > 0)
            row[i].added[i] += law.tangent;
    }
}

Status scene_build_rows(Scene *s, const SceneRowsAsk *ask, Error *err)
{
    UnilateralRows one = {0};
    SceneRows *r = &s->rows;
    r->contact_rows = ask->contact_rows;
    r->count = r->limit_count + ask->contact_rows * s->contacts.count;
    r->row = arena_array(&s->scratch, (size_t)(r->count - r->limit_count), 1, sizeof *r->row);
    r->n = arena_array(&s->scratch, (size_t)r->count, 1, sizeof *r->n);
    r->z = arena_array(&s->scratch, (size_t)r->count, 1, sizeof *r->z);
    if (s->scratch.failed)
        return error_no_memory(err);
    put_limits(s, ask->q, ask->rule);
    Status status = unilateral_rows_reset(&one, ask->contact_rows, 12, err);
    for (int k = 0; !status && ask->contact_rows && k < s->contacts.count; k++) {
        int at = k * ask->contact_rows;
        put_contact(s, &s->contacts.contact[k], &one, ask->max ? ask->max[k] : 0, r->row + at,
                    r->n + r->limit_count + at);
    }
    unilateral_rows_free(&one);
    return status;
}

static int scene_equality_rows(const ModelEquality *e)
{
    static const int counts[] = {[MODEL_CONNECT] = 3, [MODEL_WELD] = 6, [MODEL_COUPLE] = 1, [MODEL_PIN] = 5};
    return counts[e->kind];
}

static int path_rows(const ScenePath *p) { return p->width == 1 ? 1 : 6; }

static int path_row_count(const Scene *s)
{
    int count = 0;
    for (int i = 0; i < s->def.path_count; i++)
        count += path_rows(&s->def.path[i]);
    return count;
}

int scene_equality_row_count(const Scene *s)
{
    int count = 0;
    for (int i = 0; i < s->model->equality_count && !s->model->off.no_equality; i++)
        count += scene_equality_rows(&s->model->equality[i]);
    count += s->def.given_count;
    return count + path_row_count(s) + scene_rolling_rows(s);
}

/* Angular velocity, body axes, that leads from one quaternion to another within a time in s. */
static Vec3 turn_between(const double *from, const double *to, double time)
{
    Quat a = {from[0], from[1], from[2], from[3]}, b = quat_normalize((Quat){to[0], to[1], to[2], to[3]});
    return vec3_scale(quat_log(quat_mul(quat_conjugate(a), b)), 2 / time);
}

/* Angular velocity in body axes from a quaternion of any length and its rate. */
static Vec3 quaternion_spin(const double *q, const double *rate)
{
    Quat at = {q[0], q[1], q[2], q[3]}, by = {rate[0], rate[1], rate[2], rate[3]};
    Quat spin = quat_mul(quat_conjugate(at), by);
    return vec3_scale(vec3(spin.x, spin.y, spin.z), 2 / quat_dot(at, at));
}

/* Speeds that a path prescribes: those that lead to its position at the end, or its own speeds there. */
static void put_paths(const Scene *s, const double *q, double ahead, double *row, double *target)
{
    size_t n = (size_t)s->model->v_count, at = 0;
    double value[PATH_OF_BODY], rate[PATH_OF_BODY];
    for (int i = 0; i < s->def.path_count; i++) {
        const ScenePath *p = &s->def.path[i];
        const ModelJoint *j = &s->model->joint[p->joint];
        int places = p->width == 1 ? 1 : 3;
        scene_path_at(p, s->parts ? s->time : s->time + (ahead > 0 ? ahead : s->h), value, rate);
        for (int k = 0; k < path_rows(p); k++)
            row[(at + (size_t)k) * n + (size_t)(j->v_start + k)] = 1;
        for (int k = 0; k < places; k++)
            target[at + (size_t)k] = ahead > 0 ? (value[k] - q[j->q_start + k]) / ahead : rate[k];
        if (p->width == PATH_OF_BODY)
            vec3_store(target + at + 3, ahead > 0 ? turn_between(q + j->q_start + 3, value + 3, ahead)
                                                  : quaternion_spin(value + 3, rate + 3));
        at += (size_t)path_rows(p);
    }
}

void scene_follow_paths(Scene *s)
{
    double value[PATH_OF_BODY], rate[PATH_OF_BODY];
    for (int i = 0; i < s->def.path_count; i++) {
        const ScenePath *p = &s->def.path[i];
        const ModelJoint *j = &s->model->joint[p->joint];
        double *q = s->q + j->q_start, *v = s->v + j->v_start;
        scene_path_at(p, s->time, value, rate);
        memcpy(q, value, (size_t)p->width * sizeof *q);
        memcpy(v, rate, (p->width == 1 ? 1 : 3) * sizeof *v);
        if (p->width == 1)
            continue;
        vec3_store(v + 3, quaternion_spin(value + 3, rate + 3));
        Quat turn = quat_normalize((Quat){q[3], q[4], q[5], q[6]});
        memcpy(q + 3, &turn, sizeof turn);
    }
}

/* A driven joint follows its path up to the end of the present part of the step. */
static void put_given(const Scene *s, const double *q, double ahead, double *row, double *target)
{
    size_t n = (size_t)s->model->v_count;
    for (int i = 0; i < s->def.given_count; i++) {
        const ModelJoint *j = &s->model->joint[s->def.given[i]];
        double place = s->given_from[i] + s->given_share * (s->given_to[i] - s->given_from[i]);
        row[(size_t)i * n + (size_t)j->v_start] = 1;
        target[i] = ahead > 0 ? (place - q[j->q_start]) / ahead : s->given_speed[i];
    }
}

/* Both sides of a connect or weld, as a joint between two bodies. */
static void equality_sides(const Scene *s, const ModelEquality *e, JointSide *first, JointSide *second)
{
    const ModelMotion *m = &s->motion;
    Quat turned = e->kind == MODEL_PIN ? m->orientation[e->second]
                                       : quat_mul(m->orientation[e->second], quat_conjugate(e->relative));
    *first = (JointSide){m->position[e->first], m->orientation[e->first],
                         quat_rotate(m->orientation[e->first], e->anchor),
                         quat_rotate(m->orientation[e->first], e->axis)};
    *second = (JointSide){m->position[e->second], turned,
                          quat_rotate(m->orientation[e->second], e->second_anchor),
                          quat_rotate(m->orientation[e->second], e->second_axis)};
}

/* q1 - q1' - sum p_k (q2 - q2')^k and its rate. */
static void put_couple(const Scene *s, const ModelEquality *e, const double *q, double *row, double *phi)
{
    const ModelJoint *a = &s->model->joint[e->first];
    const ModelJoint *b = e->second >= 0 ? &s->model->joint[e->second] : NULL;
    double x = b ? q[b->q_start] - b->reference : 0, sum = 0, slope = 0;
    for (int k = 4; k >= 0; k--) {
        slope = slope * x + sum;
        sum = sum * x + e->polynomial[k];
    }
    *phi = q[a->q_start] - a->reference - sum;
    row[a->v_start] += 1;
    if (b)
        row[b->v_start] -= slope;
}

/* Components along axes fixed in the first body. If phi is not zero, their rates include the rotation of these axes:
 * d/dt (e . phi) = e . phi' + omega . (e x phi). */
static void take_axes(Quat axes, JointRows *rows, double *phi)
{
    JointRows world = *rows;
    for (int part = 0; part < rows->count; part += 3) {
        Vec3 error = vec3_load(phi + part);
        for (int k = 0; k < 3; k++) {
            Vec3 e = quat_rotate(axes, vec3(k == 0, k == 1, k == 2));
            for (int c = 0; c < 6; c++) {
                rows->child[part + k][c] = rows->parent[part + k][c] = 0;
                for (int i = 0; i < 3; i++) {
                    rows->child[part + k][c] += vec3_component(e, i) * world.child[part + i][c];
                    rows->parent[part + k][c] += vec3_component(e, i) * world.parent[part + i][c];
                }
            }
            double *turns = rows->parent[part + k] + 3;
            vec3_store(turns, vec3_add(vec3_load(turns), vec3_cross(e, error)));
            phi[part + k] = vec3_dot(e, error);
        }
    }
}

/* Rows of a connect or weld, row[rows][v_count], zeroed by the caller, and its error phi[rows]; own_axes: in axes of
 * its first body. */
static void scene_put_joint_like(const Scene *s, const ModelEquality *e, int own_axes, double *row, double *phi)
{
    JointSide first, second;
    JointRows rows;
    static const JointKind kinds[] = {[MODEL_CONNECT] = JOINT_SPHERICAL, [MODEL_WELD] = JOINT_FIXED,
                                      [MODEL_COUPLE] = JOINT_FREE, [MODEL_PIN] = JOINT_HINGE};
    JointKind kind = kinds[e->kind];
    size_t n = (size_t)s->model->v_count;
    equality_sides(s, e, &first, &second);
    joint_error(kind, &first, &second, phi);
    joint_rows(kind, &first, &second, &rows);
    if (own_axes)
        take_axes(first.orientation, &rows, phi);
    for (int i = 0; i < rows.count; i++)
        for (int k = 0; k < 2; k++) {
            const double *w = k ? rows.child[i] : rows.parent[i];
            ModelWrench wrench = {k ? e->second : e->first, k ? second.position : first.position,
                                  {w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
            model_add_row(s->model, &s->motion, &wrench, 1, row + (size_t)i * n);
        }
}

void scene_put_equalities(const Scene *s, const double *q, double ahead, double *row, double *target)
{
    size_t n = (size_t)s->model->v_count;
    double phi[JOINT_ROWS];
    int at = 0;
    for (int i = 0; i < s->model->equality_count && !s->model->off.no_equality; i++) {
        const ModelEquality *e = &s->model->equality[i];
        if (e->kind == MODEL_COUPLE)
            put_couple(s, e, q, row + (size_t)at * n, phi);
        else
            scene_put_joint_like(s, e, scene_equality_has_axes(s, i), row + (size_t)at * n, phi);
        for (int k = 0; k < scene_equality_rows(e); k++)
            target[at++] = ahead > 0 ? -phi[k] / ahead : 0;
    }
    put_given(s, q, ahead, row + (size_t)at * n, target + at);
    at += s->def.given_count;
    put_paths(s, q, ahead, row + (size_t)at * n, target + at);
    at += path_row_count(s);
    scene_put_rolling(s, ahead, row + (size_t)at * n, target + at);
}

void scene_soften_equalities(const Scene *s, double ahead, double *soft, double *target)
{
    int at = 0;
    for (int i = 0; i < s->model->equality_count && !s->model->off.no_equality; i++) {
        int count = scene_equality_rows(&s->model->equality[i]), is_soft = scene_equality_is_soft(s, i);
        double size = is_soft ? ahead * scene_equality_size(s, i, target + at, count) : 0;
        for (int k = 0; is_soft && k < count; k++) {
            SoftLaw law = scene_soft_equality(s, i, k, size);
            if (!(law.alpha > 0))
                continue;
            SoftRow row = {FREE_COMPLIANCE, 0};
            if (ahead > 0)
                row = soft_row(law.alpha, law.beta, ahead, -target[at + k] * ahead);
            soft[at + k] = row.compliance;
            target[at + k] = row.target;
        }
        at += count;
    }
    for (int i = 0; i < s->def.given_count && ahead == 0 && s->def.kicks_once; i++)
        soft[at + i] = FREE_COMPLIANCE;
}

/* Converts the force of rows in axes of the first body to world axes. */
static Vec3 held_along(const Scene *s, int equality, const double *lambda)
{
    Vec3 v = vec3_load(lambda);
    return scene_equality_has_axes(s, equality)
               ? quat_rotate(s->motion.orientation[s->model->equality[equality].first], v) : v;
}

/* Forces that drive the paths, world axes. */
static void note_paths(Scene *s, const double *lambda)
{
    int first = s->model->equality_count + s->def.attachment_count;
    for (int i = 0; i < s->def.path_count; i++) {
        const ScenePath *p = &s->def.path[i];
        const ModelJoint *j = &s->model->joint[p->joint];
        Vec3 *force = &s->equality_force[first + i], *couple = &s->equality_couple[first + i];
        if (p->width == 1) {
            Vec3 *along = j->kind == MODEL_SLIDE ? force : couple;
            *along = vec3_mad(*along, *lambda / s->def.step, s->motion.speed[j->v_start].axis);
        } else {
            Vec3 turned = quat_rotate(s->motion.orientation[j->body], vec3_load(lambda + 3));
            *force = vec3_mad(*force, 1 / s->def.step, vec3_load(lambda));
            *couple = vec3_mad(*couple, 1 / s->def.step, turned);
        }
        lambda += path_rows(p);
    }
}

/* Force on the second body, about its anchor. The rows of a weld rotate as 2 sin(phi / 2); so does its couple. */
void scene_note_equalities(Scene *s, const double *lambda)
{
    double whole = s->def.step;
    int at = 0;
    for (int i = 0; i < s->model->equality_count && !s->model->off.no_equality; i++) {
        const ModelEquality *e = &s->model->equality[i];
        const double *l = lambda + at;
        Vec3 first = e->kind == MODEL_COUPLE ? vec3(l[0], 0, 0) : held_along(s, i, l);
        s->equality_force[i] = vec3_mad(s->equality_force[i], 1 / whole, first);
        if (e->kind == MODEL_WELD)
            s->equality_couple[i] = vec3_mad(s->equality_couple[i], 1 / whole, held_along(s, i, l + 3));
        at += scene_equality_rows(e);
    }
    for (int i = 0; i < s->def.given_count; i++)
        s->given_force[i] += lambda[at + i] / whole;
    note_paths(s, lambda + at + s->def.given_count);
    scene_note_rolling(s, lambda + at + s->def.given_count + path_row_count(s));
}

int scene_driven_row(const Scene *s)
{
    int at = 0;
    for (int i = 0; i < s->model->equality_count && !s->model->off.no_equality; i++)
        at += scene_equality_rows(&s->model->equality[i]);
    return at;
}

void scene_add_moved(const SceneRows *r, const double *push, double *base_speed)
{
    for (int i = 0; i < r->base_count; i++) {
        const double *column = r->mobility + (size_t)i * (size_t)r->base_count;
        if (push[i] != 0)
            add_scaled(base_speed, push[i], column, r->base_count);
    }
}
