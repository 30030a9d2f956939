/* Contacts (contact_rows.h): where two shapes meet, their rows, and states of contacts, limits and dry friction. */
#include "analysis/sim/contact_rows.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

/* Fraction of the overlap beyond the slop that is pushed out per step, and the largest speed of doing so. */
#define PUSH_SHARE 0.2
#define PUSH_SPEED 1.0

Collision collide_spheres(Vec3 first, double first_radius, Vec3 second, double second_radius)
{
    Vec3 apart = vec3_sub(second, first);
    double distance = vec3_norm(apart), gap = distance - first_radius - second_radius;
    Vec3 normal = distance > 0 ? vec3_scale(apart, 1 / distance) : vec3(0, 1, 0);
    return (Collision){vec3_mad(first, first_radius + 0.5 * gap, normal), normal, gap};
}

Collision collide_capsule_sphere(Vec3 a, Vec3 b, double capsule_radius, Vec3 centre, double radius)
{
    Vec3 along = vec3_sub(b, a);
    double square = vec3_dot(along, along);
    double t = square > 0 ? vec3_dot(vec3_sub(centre, a), along) / square : 0;
    return collide_spheres(vec3_mad(a, fmin(1, fmax(0, t)), along), capsule_radius, centre, radius);
}

int contact_closes(const ContactRule *rule, double gap, double speed, double *min_speed)
{
    double ahead = rule->ahead, fall = rule->gravity * ahead, min = 0;
    if (gap > CONTACT_SLOP - ahead * fmin(0, 2 * (speed - fall)))
        return 0;
    if (ahead > 0)
        min = gap > 0 ? -gap / ahead : fmin(PUSH_SPEED, fmax(0, PUSH_SHARE * (-gap - CONTACT_SLOP) / ahead));
    int meets = gap + speed * ahead <= (ahead > 0 ? 0 : CONTACT_SLOP);
    if (rule->bounce && meets && speed < -rule->restitution_speed)
        min = fmax(min, -rule->restitution * speed);
    *min_speed = min;
    return 1;
}

Status unilateral_rows_reset(UnilateralRows *u, int count, int size, Error *err)
{
    size_t m = (size_t)count, n = (size_t)size, need = m * n + m * m + m;
    if (need > u->room) {
        double *memory = array_new(need, 1, sizeof *memory);
        if (!memory)
            return error_no_memory(err);
        free(u->memory);
        u->memory = memory;
        u->room = need;
    }
    u->count = count;
    u->size = size;
    u->rows = u->memory;
    u->added = u->rows + m * n;
    u->n = u->added + m * m;
    if (need)
        memset(u->memory, 0, need * sizeof *u->memory);
    return STATUS_OK;
}

void unilateral_rows_free(UnilateralRows *u)
{
    if (!u)
        return;
    free(u->memory);
    *u = (UnilateralRows){0};
}

void contact_tangents(const ContactPair *c, Vec3 tangent[2])
{
    Vec3 normal = c->normal, other = fabs(normal.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 0, 1);
    int slips = vec3_norm(c->slip) > 0;
    tangent[0] = vec3_normalize(slips ? c->slip : vec3_cross(normal, other));
    tangent[1] = vec3_cross(normal, tangent[0]);
}

/* d . (v + omega x r) = (d, r x d) . (v, omega) */
static void add_side(int body, Vec3 arm, double sign, Vec3 direction, double *row)
{
    if (body < 0)
        return;
    double *to = row + 6 * (size_t)body;
    Vec3 turning = vec3_cross(arm, direction);
    to[0] += sign * direction.x;
    to[1] += sign * direction.y;
    to[2] += sign * direction.z;
    to[3] += sign * turning.x;
    to[4] += sign * turning.y;
    to[5] += sign * turning.z;
}

void contact_speed_row(const ContactPair *c, Vec3 direction, double *row)
{
    add_side(c->second, c->second_arm, 1, direction, row);
    add_side(c->first, c->first_arm, -1, direction, row);
}

static double *unilateral_row(const UnilateralRows *u, int row) { return u->rows + (size_t)row * (size_t)u->size; }

static double *added_at(const UnilateralRows *u, int row, int column)
{
    return u->added + (size_t)row * (size_t)u->count + (size_t)column;
}

/* The last system of 0.10: C has E in the friction rows, mu and -E' in the slip row. */
void contact_cone_rows(UnilateralRows *u, int at, const ContactPair *c)
{
    int slip = at + 1 + CONE_DIRECTIONS;
    Vec3 tangent[2];
    contact_tangents(c, tangent);
    contact_speed_row(c, c->normal, unilateral_row(u, at));
    u->n[at] = c->min_speed;
    for (int k = 0; k < CONE_DIRECTIONS; k++) {
        double sine, cosine;
        elementary_sincos(2 * PI * k / CONE_DIRECTIONS, &sine, &cosine);
        Vec3 d = vec3_mad(vec3_scale(tangent[0], cosine), sine, tangent[1]);
        contact_speed_row(c, d, unilateral_row(u, at + 1 + k));
        *added_at(u, at + 1 + k, slip) = 1;
        *added_at(u, slip, at + 1 + k) = -1;
    }
    *added_at(u, slip, at) = c->friction;
}

/* (0.5), (0.6) with sigma = sigma+ - sigma-: D v + sigma- = sigma+ against the lower bound; most - phi >= 0 against the
 * upper, complementary to sigma-. z counts phi from the lower bound. */
void contact_box_rows(UnilateralRows *u, int at, const ContactPair *c, double max)
{
    Vec3 tangent[2];
    contact_tangents(c, tangent);
    contact_speed_row(c, c->normal, unilateral_row(u, at));
    u->n[at] = c->min_speed;
    for (int i = 0; i < 2; i++) {
        int phi = at + 1 + 2 * i, sigma = phi + 1;
        contact_speed_row(c, tangent[i], unilateral_row(u, phi));
        *added_at(u, phi, sigma) = 1;
        *added_at(u, sigma, phi) = -1;
        u->n[sigma] = -2 * max;
    }
}
