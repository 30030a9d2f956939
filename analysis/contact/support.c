/* See support.h. */
#include "analysis/contact/support.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/ground.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/dense_factor.h"

/* A seat. */

#define SEAT_STILL 0.2       /* m/s: seated hips are slower */
#define LEVEL 0.4       /* of the thigh's length: largest height of the hip above the knee with a level thigh */
#define SEAT_CLEAR 0.15      /* L: skin below the hips at a smaller height is on the ground itself */
#define NEAR_GROUND 0.1 /* L: lower points may support the body */
#define BEHIND 0.12     /* L: smallest distance of the required pressure behind all of them */
#define ASIDE 0.15      /* L: largest lateral distance from the middle of the hips */
#define BORNE 0.5       /* body weights */
#define MOVED 0.03      /* m: hips this far from the seated position have left the seat */

typedef struct Hips {
    int hip[FOOT_COUNT], knee[FOOT_COUNT]; /* joints; -1: none */
} Hips;

static Vec3 centre_of(const ContactProblem *p, int frame, int joint)
{
    return p->clip->kinematics->position[(size_t)frame * (size_t)p->clip->kinematics->joint_count + (size_t)joint];
}

static Vec3 middle(const ContactProblem *p, const Hips *h, int frame)
{
    return vec3_scale(vec3_add(centre_of(p, frame, h->hip[0]), centre_of(p, frame, h->hip[1])), 0.5);
}

static int is_hip(const ContactProblem *p, const Hips *h, int point)
{
    return p->points.point[point].joint == h->hip[0] || p->points.point[point].joint == h->hip[1];
}

/* Level thighs, hips at rest and clear of the ground, a supported body. */
static int sits(const ContactProblem *p, const Hips *h, int frame)
{
    const Kinematics *k = p->clip->kinematics;
    for (int side = 0; side < FOOT_COUNT; side++) {
        Vec3 hip = centre_of(p, frame, h->hip[side]), thigh = vec3_sub(hip, centre_of(p, frame, h->knee[side]));
        Vec3 speed = k->velocity[(size_t)frame * (size_t)k->joint_count + (size_t)h->hip[side]];
        if (vec3_dot(thigh, p->ground.normal) > LEVEL * vec3_norm(thigh) || vec3_norm(speed) > SEAT_STILL)
            return 0;
    }
    for (int i = 0; i < p->points.count; i++)
        if (is_hip(p, h, i) && p->ground.clearance[(size_t)frame * (size_t)p->points.count + (size_t)i] <
                                   SEAT_CLEAR * p->points.leg_length)
            return 0;
    return p->vertical[frame] > BORNE;
}

/* Laterally the pressure is under the seat; a body that leans out further does not sit. */
static int is_between_hips(const ContactProblem *p, const Hips *h, int frame)
{
    Vec3 hips = vec3_scale(mat3_mul(p->axes, middle(p, h, frame)), 1 / p->points.leg_length);
    return fabs(vec3_dot(vec3_sub(p->pressure[frame], hips), p->wrench.side[frame])) < ASIDE;
}

/* Everything near the ground is ahead of the required pressure. */
static int is_behind(const ContactProblem *p, const Hips *h, int frame)
{
    const Vec3 *lever = p->lever + (size_t)frame * (size_t)p->points.count, side = p->wrench.side[frame];
    const double *clearance = p->ground.clearance + (size_t)frame * (size_t)p->points.count;
    double least = INFINITY;
    for (int i = 0; i < p->points.count; i++)
        if (!is_hip(p, h, i) && clearance[i] < NEAR_GROUND * p->points.leg_length)
            least = fmin(least, vec3_dot(vec3_sub(lever[i], p->pressure[frame]), vec3(side.z, 0, -side.x)));
    return least > BEHIND && least < INFINITY && is_between_hips(p, h, frame);
}

/* The seat is at the skin below the hips. */
static void put_seat(ContactProblem *p, const Hips *h, int frame)
{
    Ground *g = &p->ground;
    size_t at = (size_t)frame * (size_t)p->points.count;
    for (int i = 0; i < p->points.count; i++) {
        if (!is_hip(p, h, i))
            continue;
        const ContactPoint *point = &p->points.point[i];
        size_t group = (size_t)frame * (size_t)g->group_count + (size_t)point->group;
        g->level[group] = vec3_dot(centre_of(p, frame, point->joint), g->normal) - point->thickness;
        g->raised[group] = 1;
        g->clearance[at + (size_t)i] = 0;
    }
    p->support[frame] |= SUPPORT_SEAT;
}

/* Extends a sure seat to the frames in which the hips are already, or still, at the same position. */
static void put_around(ContactProblem *p, const Hips *h, int first, int last)
{
    Vec3 here = middle(p, h, (first + last) / 2);
    for (; first > 0 && vec3_distance(middle(p, h, first - 1), here) < MOVED; first--)
        ;
    for (; last + 1 < p->wrench.frame_count && vec3_distance(middle(p, h, last + 1), here) < MOVED; last++)
        ;
    for (int f = first; f <= last; f++)
        put_seat(p, h, f);
}

static int find_hips(const Skeleton *s, Hips *out)
{
    static const Role hip[] = {ROLE_LEFT_HIP, ROLE_RIGHT_HIP}, knee[] = {ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE};
    int found = 1;
    for (int side = 0; side < FOOT_COUNT; side++) {
        out->hip[side] = skeleton_find_role(s, hip[side]);
        out->knee[side] = skeleton_find_role(s, knee[side]);
        found &= out->hip[side] >= 0 && out->knee[side] >= 0;
    }
    return found;
}

int seat_find(ContactProblem *p)
{
    Hips h;
    int frames = p->wrench.frame_count, least = (int)ceil(SEAT_TIME / p->frame_time), count = 0;
    if (!p->points.has_feet || !find_hips(p->clip->skeleton, &h))
        return 0;
    for (int first = 0, last; first < frames; first = last + 1) {
        for (last = first; last < frames && sits(p, &h, last) && is_behind(p, &h, last); last++)
            ;
        if (last - first >= least)
            put_around(p, &h, first, last - 1);
    }
    for (int f = 0; f < frames; f++)
        count += p->support[f] == SUPPORT_SEAT;
    return count;
}

/* A handrail. */

#define RAIL_CLEAR 0.4       /* L: a hand at a smaller height may push on the ground */
#define RAIL_STILL 0.15      /* m/s: a hand that holds a fixed object is slower */
#define BEYOND 0.12     /* L: smallest distance of the required pressure outside all contacts */

static size_t body_of(const ContactProblem *p, int frame, int point)
{
    return (size_t)frame * (size_t)p->clip->kinematics->joint_count + (size_t)p->points.point[point].joint;
}

static Vec3 hand_at(const ContactProblem *p, int frame, int point)
{
    return track_point(p->clip->kinematics, body_of(p, frame, point), p->points.point[point].position);
}

/* Whether the required pressure is further than BEYOND from all contacts, and there is a contact. */
static int is_beyond(const ContactProblem *p, int frame)
{
    const double *clearance = p->ground.clearance + (size_t)frame * (size_t)p->points.count;
    const Vec3 *lever = p->lever + (size_t)frame * (size_t)p->points.count, pressure = p->pressure[frame];
    if (isnan(pressure.x) || !(p->vertical[frame] > BORNE))
        return 0;
    double outside = contact_outside(&p->points, NULL, clearance, NEAR_GROUND * p->points.leg_length, lever, pressure);
    return outside > BEYOND && outside < INFINITY;
}

/* A hand at rest, clear of the ground, of a body that neither sits nor is supported by points near the ground. */
static int may_hold(const ContactProblem *p, int point, int frame)
{
    const ContactPoint *hand = &p->points.point[point];
    size_t at = (size_t)frame * (size_t)p->points.count + (size_t)point;
    Vec3 velocity = track_point_velocity(p->clip->kinematics, body_of(p, frame, point), hand->position);
    return !(p->support[frame] & SUPPORT_SEAT) && vec3_norm(velocity) < RAIL_STILL &&
           p->ground.clearance[at] > RAIL_CLEAR * p->points.leg_length && is_beyond(p, frame);
}

/* The rail is at the hand, which does not slide. */
static void put_rail(ContactProblem *p, int point, int frame)
{
    Ground *g = &p->ground;
    size_t at = (size_t)frame * (size_t)p->points.count + (size_t)point;
    size_t group = (size_t)frame * (size_t)g->group_count + (size_t)p->points.point[point].group;
    g->level[group] = vec3_dot(hand_at(p, frame, point), g->normal);
    g->raised[group] = 1;
    g->clearance[at] = g->slide[at] = g->rise[at] = 0;
}

static int stays(const ContactProblem *p, int point, int frame, Vec3 here)
{
    return vec3_distance(hand_at(p, frame, point), here) < MOVED;
}

/* Extends a sure rail to the frames in which the hand is already, or still, there. */
static int mark_around(ContactProblem *p, int point, int first, int last)
{
    Vec3 here = hand_at(p, (first + last) / 2, point);
    while (first > 0 && stays(p, point, first - 1, here))
        first--;
    while (last + 1 < p->wrench.frame_count && stays(p, point, last + 1, here))
        last++;
    for (int f = first; f <= last; f++)
        p->support[f] |= (uint8_t)p->points.point[point].grip;
    return last;
}

/* Frame after the last, from `first` on, in which a hand may hold a rail at its position in `first`. */
static int hold_from(const ContactProblem *p, int point, int first)
{
    Vec3 here = hand_at(p, first, point);
    int end = first;
    while (end < p->wrench.frame_count && may_hold(p, point, end) && stays(p, point, end, here))
        end++;
    return end;
}

int rail_find(ContactProblem *p)
{
    int frames = p->wrench.frame_count, least = (int)ceil(RAIL_TIME / p->frame_time), count = 0;
    for (int i = 0; p->points.has_feet && i < p->points.count; i++)
        for (int f = 0, end; p->points.point[i].grip && f < frames; f = end + 1) {
            end = hold_from(p, i, f);
            if (end - f >= least)
                end = mark_around(p, i, f, end - 1);
        }
    for (int f = 0; f < frames; f++) { /* after both hands are known: a hand at rest would seem to support the other */
        for (int i = 0; i < p->points.count; i++)
            if (contact_grips(p, f, i))
                put_rail(p, i, f);
        count += (p->support[f] & (SUPPORT_LEFT_RAIL | SUPPORT_RIGHT_RAIL)) != 0;
    }
    return count;
}

#define CLEAR_HEIGHT 0.3 /* leg lengths: at smaller heights above the lowest joint it may press on the ground itself */

static const Role bearing[SUPPORT_KINDS][FOOT_COUNT] = {{ROLE_LEFT_HIP, ROLE_RIGHT_HIP},
                                                        {ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST}};
static const char *const names[SUPPORT_KINDS] = {"seat", "rail"};

const char *support_name(SupportKind kind) { return names[kind]; }

/* m, twice the thigh; 0 without a thigh. */
static double leg_of(const Skeleton *s, const Vec3 *position)
{
    int hip = skeleton_find_role(s, ROLE_LEFT_HIP), knee = skeleton_find_role(s, ROLE_LEFT_KNEE);
    return hip < 0 || knee < 0 ? 0 : 2 * vec3_distance(position[hip], position[knee]);
}

static double lowest_of(const Skeleton *s, const Vec3 *position, Vec3 up)
{
    double lowest = INFINITY;
    for (int j = 0; j < s->joint_count; j++)
        lowest = fmin(lowest, vec3_dot(position[j], up));
    return lowest;
}

double support_load(const ClipView *clip, const Contact *c, int frame, SupportKind kind)
{
    const Skeleton *s = clip->skeleton;
    const Vec3 *position = clip->kinematics->position + (size_t)frame * (size_t)clip->kinematics->joint_count;
    double leg = 0, lowest = NAN;
    Vec3 sum = {0, 0, 0};
    for (int i = 0; c->friction > 0 && i < c->point_count; i++) {
        Vec3 force = c->force[(size_t)frame * (size_t)c->point_count + (size_t)i];
        Role role = s->role[c->point_joint[i]];
        if ((role != bearing[kind][0] && role != bearing[kind][1]) || vec3_dot(force, force) == 0)
            continue;
        if (isnan(lowest)) { /* few frames reach this test */
            leg = leg_of(s, position);
            lowest = lowest_of(s, position, c->ground_normal);
        }
        double height = vec3_dot(position[c->point_joint[i]], c->ground_normal) - lowest;
        if (leg > 0 && height > CLEAR_HEIGHT * leg)
            sum = vec3_add(sum, force);
    }
    double load = kind == SUPPORT_OF_HIPS ? vec3_dot(sum, c->ground_normal) : vec3_norm(sum);
    return load / (clip->body->total_mass * GRAVITY);
}

int support_is_presumed(const ClipView *clip, const Contact *contact, int frame)
{
    for (int kind = 0; kind < SUPPORT_KINDS; kind++)
        if (support_load(clip, contact, frame, kind) > SUPPORT_LEAST_LOAD)
            return 1;
    return 0;
}

/* Reduction, per frame: x = (linear, angular) minimises |A x + r|^2 + |x / scale|^2, with r the residual wrench about
 * the COM in body weights (and body weights times metres), and A its derivative by x. */

/* Acceleration with the cost of a residual of one body weight (one body weight metre). */
#define LINEAR_SCALE 30.0   /* m/s2 */
#define ANGULAR_SCALE 300.0 /* rad/s2 */

/* Residual after contact in a frame: N and Nm about the COM. */
typedef struct Wrench {
    Vec3 force, moment;
} Wrench;

/* Residual wrench of the contact forces at the floating base, wrench[frame] of the arena. */
static Status find_residual(const ClipView *clip, const Contact *contact, LaneWidth lanes, Arena *arena, Wrench **out,
                            Error *err)
{
    const Kinematics *k = clip->kinematics;
    Loads loads = {0};
    Dynamics left = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    def.lanes = lanes;
    Wrench *wrench = *out = arena_array(arena, (size_t)k->frame_count, 1, sizeof *wrench);
    Status status = arena->failed ? error_no_memory(err) : loads_from_contact(contact, k, &loads, err);
    if (!status)
        status = inverse_dynamics(clip, &loads, &def, &left, err);
    for (int f = 0; !status && f < k->frame_count; f++) {
        wrench[f].force = left.residual_force[f];
        wrench[f].moment = left.residual_torque[f];
    }
    loads_free(&loads);
    dynamics_free(&left);
    return status;
}

Status confidence_rate(const ClipView *clip, LaneWidth lanes, Contact *contact, Error *err)
{
    Arena arena = {0};
    Wrench *left;
    double weight = clip->body->total_mass * GRAVITY, length = clip->body->stature > 0 ? 0.5 * clip->body->stature : 1;
    Status status = find_residual(clip, contact, lanes, &arena, &left, err);
    for (int f = 0; !status && f < contact->frame_count; f++) {
        Vec3 force = vec3_scale(left[f].force, 1 / weight);
        Vec3 moment = vec3_scale(left[f].moment, 1 / (weight * length));
        contact->confidence[f] = 1 / (1 + 100 * (vec3_dot(force, force) + vec3_dot(moment, moment)));
    }
    arena_free(&arena);
    return status;
}

/* The body in one frame, and its response to one unit of an unknown. */
typedef struct Reach {
    const Skeleton *skeleton;
    const Body *body;
    const Vec3 *position;    /* [joint] m */
    const Quat *orientation; /* [joint] */
    Vec3 com;                /* m */
    const char *trunk;       /* [joint] 1: rotates with the trunk */
    int has_trunk;
    Vec3 *linear;            /* [joint] m/s2 of the joint centre */
} Reach;

ResidualReductionDef residual_reduction_default_def(void)
{
    return (ResidualReductionDef){.most_linear = 1, .most_angular = 10, .lanes = LANES_AUTO};
}

static int is_trunk(const Skeleton *s, int joint)
{
    return s->segment[joint] == ROLE_SPINE || s->segment[joint] == ROLE_CHEST;
}

/* Accelerations of the joint centres for a trunk with the angular acceleration alpha: its own joints rotate about its
 * base, attached limbs move along. */
static void carry(const Reach *r, Vec3 alpha)
{
    for (int j = 0; j < r->skeleton->joint_count; j++) {
        int parent = r->skeleton->parent[j];
        r->linear[j] = parent < 0 ? vec3(0, 0, 0) : r->linear[parent];
        if (parent >= 0 && r->trunk[parent])
            r->linear[j] = vec3_add(r->linear[j], vec3_cross(alpha, vec3_sub(r->position[j], r->position[parent])));
    }
}

/* Change of the whole body's required force and moment about its COM by these accelerations. */
static Wrench change_of_wrench(const Reach *r, Vec3 alpha)
{
    Wrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int j = 0; j < r->skeleton->joint_count; j++) {
        Vec3 arm = quat_rotate(r->orientation[j], r->body->com[j]), a = r->linear[j];
        if (r->trunk[j]) {
            Vec3 local = sym3_mul(r->body->inertia[j], quat_rotate_inverse(r->orientation[j], alpha));
            a = vec3_add(a, vec3_cross(alpha, arm));
            sum.moment = vec3_add(sum.moment, quat_rotate(r->orientation[j], local));
        }
        Vec3 f = vec3_scale(a, r->body->mass[j]);
        sum.force = vec3_add(sum.force, f);
        sum.moment = vec3_add(sum.moment, vec3_cross(vec3_sub(vec3_add(r->position[j], arm), r->com), f));
    }
    return sum;
}

static void put_column(double a[6][6], int column, Wrench w, double weight)
{
    const double entries[6] = {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z};
    for (int i = 0; i < 6; i++)
        a[i][column] = entries[i] / weight;
}

/* Regularised least squares by the normal equations. */
static void solve(double a[6][6], const double residual[6], double x[6])
{
    double normal[36];
    for (int i = 0; i < 6; i++) {
        double scale = i < 3 ? LINEAR_SCALE : ANGULAR_SCALE;
        x[i] = 0;
        for (int k = 0; k < 6; k++)
            x[i] -= a[k][i] * residual[k];
        for (int j = 0; j < 6; j++) {
            double sum = i == j ? 1 / (scale * scale) : 0;
            for (int k = 0; k < 6; k++)
                sum += a[k][i] * a[k][j];
            normal[6 * i + j] = sum;
        }
    }
    cholesky_factor(normal, 6);
    cholesky_solve(normal, 6, x);
}

static Vec3 bound(Vec3 v, double most)
{
    double length = vec3_norm(v);
    return length > most ? vec3_scale(v, most / length) : v;
}

/* Additional accelerations of a frame, linear and angular, within their bounds. */
static void solve_frame(const Reach *r, const Wrench *left, const ResidualReductionDef *def, Vec3 *linear,
                        Vec3 *angular)
{
    const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double weight = r->body->total_mass * GRAVITY, a[6][6] = {{0}}, x[6];
    for (int i = 0; i < 3; i++) {
        put_column(a, i, (Wrench){vec3_scale(unit[i], r->body->total_mass), {0, 0, 0}}, weight);
        if (!r->has_trunk)
            continue;
        carry(r, unit[i]);
        put_column(a, 3 + i, change_of_wrench(r, unit[i]), weight);
    }
    /* residual: required beyond the contacts; more acceleration requires more */
    const double residual[6] = {left->force.x / weight,  left->force.y / weight,  left->force.z / weight,
                                left->moment.x / weight, left->moment.y / weight, left->moment.z / weight};
    solve(a, residual, x);
    *linear = bound(vec3_load(x), def->most_linear);
    *angular = bound(vec3(x[3], x[4], x[5]), def->most_angular);
}

static void add_accelerations(const Reach *r, Vec3 linear, Vec3 angular, size_t first, Kinematics *k)
{
    carry(r, angular);
    for (size_t j = 0; j < (size_t)k->joint_count; j++) {
        k->acceleration[first + j] = vec3_add(k->acceleration[first + j], vec3_add(linear, r->linear[j]));
        if (r->trunk[j])
            k->angular_acceleration[first + j] = vec3_add(k->angular_acceleration[first + j], angular);
    }
}

static void reduce_frames(Reach *r, const Wrench *left, const ResidualReductionDef *def, Contact *contact,
                          Kinematics *k)
{
    double linear_sum = 0, angular_sum = 0;
    for (int f = 0; f < k->frame_count; f++) {
        size_t first = (size_t)f * (size_t)k->joint_count;
        Vec3 linear, angular;
        r->position = k->position + first;
        r->orientation = k->orientation + first;
        r->com = k->com[f];
        solve_frame(r, &left[f], def, &linear, &angular);
        add_accelerations(r, linear, angular, first, k);
        linear_sum += vec3_dot(linear, linear);
        angular_sum += vec3_dot(angular, angular);
    }
    contact->linear_reduction = sqrt(linear_sum / k->frame_count);
    contact->angular_reduction = sqrt(angular_sum / k->frame_count);
}

Status residual_reduce(const ClipView *clip, const ResidualReductionDef *def, Contact *contact, Kinematics *kinematics,
                       Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)clip->skeleton->joint_count;
    char *trunk = arena_array(&arena, joints, 1, 1);
    Reach reach = {.skeleton = clip->skeleton, .body = clip->body, .trunk = trunk,
                   .linear = arena_array(&arena, joints, 1, sizeof *reach.linear)};
    Wrench *left;
    Status status = find_residual(clip, contact, def->lanes, &arena, &left, err);
    if (!status) {
        for (int j = 0; j < clip->skeleton->joint_count; j++)
            reach.has_trunk |= trunk[j] = (char)is_trunk(clip->skeleton, j);
        reduce_frames(&reach, left, def, contact, kinematics);
    }
    arena_free(&arena);
    return status;
}
