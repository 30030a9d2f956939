/* Contacts and limits of a world that the next step may close. */
#include <stdlib.h>
#include <string.h>

#include "analysis/sim/contact_rows.h"
#include "analysis/sim/world.h"
#include "analysis/sim/world_state.h"

/* Of what is beyond a limit a share is taken back each step, no faster than the speed, rad/s. */
#define PUSH_SHARE 0.2
#define PUSH_SPEED 1.0

/* Place of a body of the world among those touched; it gets one. */
static int touch(World *w, int body)
{
    int *slot = &w->slot[body + FRAME_BODIES];
    if (*slot < 0) {
        *slot = w->touched_count;
        w->touched[w->touched_count++] = body + FRAME_BODIES;
    }
    return *slot;
}

static Status add_contact(World *w, int first, int second, const Collision *c, double least_speed, Error *err)
{
    if (w->contact_count == w->contact_room) {
        int room = 2 * w->contact_room + 16;
        ContactPair *grown = realloc(w->contact, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        w->contact = grown;
        w->contact_room = room;
    }
    ContactPair *p = &w->contact[w->contact_count++];
    *p = (ContactPair){.first = first < 0 ? -1 : touch(w, first), .second = touch(w, second),
                        .normal = c->normal, .least_speed = least_speed, .friction = w->def.friction};
    if (first >= 0)
        p->first_arm = vec3_sub(c->point, w->body[first].position);
    p->second_arm = vec3_sub(c->point, w->body[second].position);
    return STATUS_OK;
}

static Vec3 velocity_at(const RigidBody *b, Vec3 point)
{
    return vec3_add(b->velocity, vec3_cross(rigid_body_angular_velocity(b), vec3_sub(point, b->position)));
}

/* Speed at which two shapes separate, as the step found the bodies. */
static double separation_speed(const World *w, int first, int second, const Collision *c)
{
    Vec3 v = velocity_at(&w->start[second], c->point);
    if (first >= 0)
        v = vec3_sub(v, velocity_at(&w->start[first], c->point));
    return vec3_dot(v, c->normal);
}

/* A contact that may close becomes a row: it bounces, or it must not close further than its gap, or it is pushed
 * out slowly. */
static Status consider(World *w, int first, int second, const Collision *c, const ContactPhase *phase, Error *err)
{
    ContactRule rule = {phase->ahead, phase->bounce, w->def.restitution, w->def.restitution_speed,
                        vec3_norm(w->def.gravity)};
    double least;
    if (!contact_closes(&rule, c->gap, separation_speed(w, first, second, c), &least))
        return STATUS_OK;
    return add_contact(w, first, second, c, least, err);
}

static Status find_ball_contacts(World *w, int ball, const ContactPhase *phase, Error *err)
{
    Vec3 centre = w->body[ball].position;
    Status status = STATUS_OK;
    for (int k = 0; !status && k < w->capsule_count; k++) {
        const Capsule *capsule = &w->capsule[k];
        const RigidBody *b = &w->body[capsule->body];
        Collision c = collide_capsule_sphere(rigid_body_point(b, capsule->from), rigid_body_point(b, capsule->to),
                                             capsule->radius, centre, w->radius[ball]);
        status = consider(w, capsule->body, ball, &c, phase, err);
    }
    for (int other = w->joint_count; !status && other < ball; other++) {
        Collision c = collide_spheres(w->body[other].position, w->radius[other], centre, w->radius[ball]);
        status = consider(w, other, ball, &c, phase, err);
    }
    if (!status && isfinite(w->def.ground_height)) {
        Collision c = collide_ground_sphere(w->def.ground_height, w->def.ground_normal, centre, w->radius[ball]);
        status = consider(w, -1, ball, &c, phase, err);
    }
    return status;
}

/* Angles of a limited joint and the rows of (0.2) in world axes. */
static RollPitchYaw limit_rows(const World *w, int j, Mat3 *rows)
{
    const AngleLimits *l = &w->joint[j].limits;
    Quat parent = quat_mul(w->body[w->joint[j].parent].orientation, l->parent);
    Quat child = quat_mul(w->body[j].orientation, l->child);
    RollPitchYaw a = roll_pitch_yaw_from_quat(quat_mul(quat_conjugate(parent), child));
    *rows = roll_pitch_yaw_rows(a);
    for (int i = 0; i < 3; i++)
        rows->r[i] = quat_rotate(parent, rows->r[i]);
    return a;
}

/* How far angle i is from its lower (side 0) or upper limit, rad. */
static double limit_gap(const RollPitchYaw *angles, const AngleLimits *limits, int i, int side)
{
    double angle = i == 0 ? angles->roll : i == 1 ? angles->pitch : angles->yaw;
    const RollPitchYaw *limit = side ? &limits->most : &limits->least;
    double bound = i == 0 ? limit->roll : i == 1 ? limit->pitch : limit->yaw;
    return side ? bound - angle : angle - bound;
}

/* Row of a limit: `direction` on the child's angular velocity, reversed on the parent's. */
static void write_limit(World *w, int row, int child, int parent, Vec3 direction, double least_speed)
{
    double *n = w->rows.rows + (size_t)row * (size_t)w->rows.size;
    const double d[3] = {direction.x, direction.y, direction.z};
    for (int i = 0; i < 3; i++) {
        n[6 * child + 3 + i] = d[i];
        n[6 * parent + 3 + i] = -d[i];
    }
    w->rows.n[row] = least_speed;
}

/* The limits of one joint, as world_put_limits does it for all, from row `at` on. */
static int put_joint_limits(World *w, int j, const ContactPhase *phase, int at, int write)
{
    Mat3 rows;
    int p = w->joint[j].parent, count = 0;
    RollPitchYaw a = limit_rows(w, j, &rows);
    double speed = vec3_norm(vec3_sub(world_angular_velocity(w, j), world_angular_velocity(w, p)));
    for (int k = 0; k < 6; k++) {
        double gap = limit_gap(&a, &w->joint[j].limits, k / 2, k % 2);
        if (gap > 2 * (speed + 1) * phase->ahead)
            continue;
        int child = touch(w, j), parent = touch(w, p), row = at + count++;
        double least = phase->ahead > 0 ? -gap / phase->ahead : 0;
        if (gap < 0)
            least = fmin(PUSH_SPEED, PUSH_SHARE * least);
        if (write)
            write_limit(w, row, child, parent, vec3_scale(rows.r[k / 2], k % 2 ? -1 : 1), least);
    }
    return count;
}

int world_put_limits(World *w, const ContactPhase *phase, int write)
{
    int count = 0;
    for (int j = 1; j < w->joint_count; j++)
        if (w->joint[j].limited)
            count += put_joint_limits(w, j, phase, count, write);
    return count;
}

static void mark_held(World *w)
{
    memset(w->holds_touched, 0, (size_t)w->tree.body_count);
    for (int k = 0; k < w->touched_count; k++)
        for (int b = w->touched[k]; b >= 0 && !w->holds_touched[b]; b = w->tree.body[b].parent)
            w->holds_touched[b] = 1;
}

Status world_find_contacts(World *w, const ContactPhase *phase, Error *err)
{
    Status status = STATUS_OK;
    w->contact_count = w->touched_count = 0;
    for (int b = 0; b < w->tree.body_count; b++)
        w->slot[b] = -1;
    w->phase = *phase;
    for (int b = w->joint_count; !status && b < w->body_count; b++)
        status = find_ball_contacts(w, b, phase, err);
    for (int k = 0; !status && isfinite(w->def.ground_height) && k < w->point_count; k++) {
        Vec3 point = rigid_body_point(&w->body[w->point[k].body], w->point[k].point);
        Collision c = collide_ground_sphere(w->def.ground_height, w->def.ground_normal, point, 0);
        status = consider(w, -1, w->point[k].body, &c, phase, err);
    }
    w->limit_row_count = world_put_limits(w, phase, 0);
    mark_held(w);
    return status;
}
