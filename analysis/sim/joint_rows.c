/* See joint_rows.h. */
#include "analysis/sim/joint_rows.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define RANGE_END 1e-9 /* rad */

/* Two unit vectors perpendicular to the unit vector a. They rotate with a while its largest component stays the
 * same. */
static void directions_across(Vec3 a, Vec3 across[2])
{
    Vec3 other = fabs(a.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    across[0] = vec3_normalize(vec3_cross(a, other));
    across[1] = vec3_cross(a, across[0]);
}

/* The two directions, fixed in the parent, about which a hinge must not tilt. */
static void hinge_directions(const JointSide *parent, Vec3 across[2])
{
    directions_across(quat_rotate_inverse(parent->orientation, parent->axis), across);
    across[0] = quat_rotate(parent->orientation, across[0]);
    across[1] = quat_rotate(parent->orientation, across[1]);
}

/* Rotation of the child relative to the parent in world axes, q_c q_p*, on the shortest arc. */
static Quat relative_turn(const JointSide *parent, const JointSide *child)
{
    Quat q = quat_mul(child->orientation, quat_conjugate(parent->orientation));
    return q.w < 0 ? quat_neg(q) : q;
}

/* t . (a_p x a_c) for both t */
static void hinge_error(const JointSide *parent, const JointSide *child, double *phi)
{
    Vec3 across[2], tilt = vec3_cross(parent->axis, child->axis);
    hinge_directions(parent, across);
    phi[3] = vec3_dot(across[0], tilt);
    phi[4] = vec3_dot(across[1], tilt);
}

/* 2 sin(phi/2) u of q_c q_p* */
static void fixed_error(const JointSide *parent, const JointSide *child, double *phi)
{
    Quat q = relative_turn(parent, child);
    vec3_store(phi + 3, vec3(2 * q.x, 2 * q.y, 2 * q.z));
}

/* Rows of scale * v and of w x r for r = anchor: (s 1, -s [r]) (v, omega). */
static void point_rows(double rows[][6], double sign, Vec3 r, double linear)
{
    const double cross[3][3] = {{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            rows[i][k] = i == k ? sign * linear : 0;
            rows[i][3 + k] = sign * cross[i][k];
        }
}

/* d/dt t . (a_p x a_c) = w . (omega_c - omega_p), w = (a_p . a_c) t - (t . a_c) a_p, t and a_p fixed in the parent. */
static Vec3 hinge_row(Vec3 t, Vec3 ap, Vec3 ac)
{
    return vec3_mad(vec3_scale(t, vec3_dot(ap, ac)), -vec3_dot(t, ac), ap);
}

/* Rows 3 + i of relative rotation: w on the child, -w on the parent. */
static void put_turning_row(JointRows *rows, int i, Vec3 w)
{
    memset(rows->child[i], 0, sizeof rows->child[i]);
    memset(rows->parent[i], 0, sizeof rows->parent[i]);
    vec3_store(rows->child[i] + 3, w);
    vec3_store(rows->parent[i] + 3, vec3_neg(w));
}

/* From q' = 1/2 (omega_c q - q omega_p) (0.1): d/dt 2 q_v = (s - [u]) omega_c - (s + [-u]) omega_p, (s, u) = q. */
static void put_fixed_rows(JointRows *rows, double s, Vec3 u)
{
    const double c[3][3] = {{0, -u.z, u.y}, {u.z, 0, -u.x}, {-u.y, u.x, 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            rows->child[3 + i][k] = rows->parent[3 + i][k] = 0;
            rows->child[3 + i][3 + k] = (i == k ? s : 0) - c[i][k];
            rows->parent[3 + i][3 + k] = (i == k ? -s : 0) - c[i][k];
        }
}

static void hinge_rows(const JointSide *parent, const JointSide *child, JointRows *rows)
{
    Vec3 across[2];
    hinge_directions(parent, across);
    for (int i = 0; i < 2; i++)
        put_turning_row(rows, 3 + i, hinge_row(across[i], parent->axis, child->axis));
}

static void fixed_rows(const JointSide *parent, const JointSide *child, JointRows *rows)
{
    Quat q = relative_turn(parent, child);
    put_fixed_rows(rows, q.w, vec3(q.x, q.y, q.z));
}

/* A joint kind: its number of rows, and the errors and rows that it writes beyond the three of the anchors. */
typedef struct JointMethod {
    int row_count;
    void (*error)(const JointSide *parent, const JointSide *child, double *phi);
    void (*rows)(const JointSide *parent, const JointSide *child, JointRows *rows);
} JointMethod;

static const JointMethod methods[] = {
    {0, NULL, NULL}, /* JOINT_FREE */
    {3, NULL, NULL}, /* JOINT_SPHERICAL */
    {5, hinge_error, hinge_rows},
    {6, fixed_error, fixed_rows},
};
_Static_assert(sizeof methods / sizeof *methods == JOINT_KIND_COUNT, "a row for every JointKind, in its order");

/* phi = x_c + r_c - x_p - r_p */
void joint_error(JointKind kind, const JointSide *parent, const JointSide *child, double *phi)
{
    if (methods[kind].row_count == 0)
        return;
    vec3_store(phi, vec3_sub(vec3_add(child->position, child->anchor), vec3_add(parent->position, parent->anchor)));
    if (methods[kind].error)
        methods[kind].error(parent, child, phi);
}

void joint_rows(JointKind kind, const JointSide *parent, const JointSide *child, JointRows *rows)
{
    rows->count = methods[kind].row_count;
    if (rows->count == 0)
        return;
    point_rows(rows->child, 1, child->anchor, 1);
    point_rows(rows->parent, -1, parent->anchor, 1);
    if (methods[kind].rows)
        methods[kind].rows(parent, child, rows);
}

static double open_bound(double angle, double range)
{
    return fabs(angle) < range - RANGE_END ? angle : copysign(INFINITY, angle);
}

RollPitchYaw angle_limits_bounds(RollPitchYaw a)
{
    return (RollPitchYaw){open_bound(a.roll, PI), open_bound(a.pitch, PI / 2), open_bound(a.yaw, PI)};
}

/* A row rotates with the frame; that adds nothing along the velocity: w x r . w = 0. */
TurnAngles turn_angles(Quat turn, Vec3 velocity)
{
    RollPitchYaw a = roll_pitch_yaw_from_quat(turn);
    Mat3 rows = roll_pitch_yaw_rows(a);
    Vec3 spin = quat_rotate(turn, velocity), rate = mat3_mul(rows, spin);
    Mat3 rates = roll_pitch_yaw_row_rates(a, (RollPitchYaw){rate.x, rate.y, rate.z});
    TurnAngles out = {.angle = {a.roll, a.pitch, a.yaw}, .rate = rate, .drift = mat3_mul(rates, spin)};
    for (int i = 0; i < 3; i++)
        out.rows.r[i] = quat_rotate_inverse(turn, rows.r[i]);
    return out;
}
