/* See contact_shapes.h. */
#include "analysis/control/contact_shapes.h"

#include <math.h>

#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_points.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "analysis/motion/kinematics.h"

#define MAX_SETTLED 0.15  /* m, largest shift of a point onto the ground */
#define SETTLED 1e-12 /* m: height that counts as touching the ground */
#define TISSUE 1000.0     /* kg/m3 */
#define MAX_RADIUS 0.12   /* m */

enum { MAX_MOVES = 8 };

/* Smallest height of a body's point over the ground during the motion, and the body's orientation then. */
static double lowest_pass(const ContactShapesDef *d, int joint, Vec3 point, Quat *then)
{
    Vec3 normal = d->normal;
    double gap = INFINITY;
    *then = QUAT_IDENTITY;
    for (int f = 0; f < d->reference->frame_count; f++) {
        size_t at = (size_t)f * (size_t)d->reference->joint_count + (size_t)joint;
        Vec3 position = vec3_add(d->reference->position[at], quat_rotate(d->reference->orientation[at], point));
        double height = vec3_dot(normal, vec3_sub(position, vec3(0, d->ground, 0)));
        if (height < gap) {
            gap = height;
            *then = d->reference->orientation[at];
        }
    }
    return gap;
}

/* Shifts a contact point so that its lowest position during the motion just touches the ground. A driven root never
 * yields, so a motion that passes below the ground would push the body apart. The shift is down to the skin, since
 * points lie within the body, or up by the error of motion and ground height. After a shift, another frame may be the
 * lowest by a little. */
static void settle_on_ground(const ContactShapesDef *d, int joint, Vec3 *point)
{
    Quat then;
    double gap = lowest_pass(d, joint, *point, &then);
    int settles = fabs(gap) < MAX_SETTLED;
    for (int move = 0; settles && move < MAX_MOVES && fabs(gap) > SETTLED; move++) {
        *point = vec3_add(*point, quat_rotate_inverse(then, vec3_scale(d->normal, -gap)));
        gap = lowest_pass(d, joint, *point, &then);
    }
}

/* Contact point in joint axes. The pressure under a toe may lie ahead of its tip, because flat toes reach further
 * (toe_reach of data/contact.tsv); a simulated foot does not bend, so the point is limited to the tip. */
static Vec3 touching_point(const ContactPoint *point)
{
    int is_ahead = vec3_norm(point->position) > vec3_norm(point->probe);
    return is_ahead ? point->probe : point->position;
}

static void add(ContactShapes *s, const ContactShapesDef *d, int joint, Vec3 point, double radius)
{
    Quat then;
    double gap = lowest_pass(d, joint, point, &then);
    if (radius <= 0 || gap < radius)
        radius = fmax(0, radius > 0 ? gap : 0);
    if (radius <= 0)
        settle_on_ground(d, joint, &point);
    s->joint[s->count] = joint;
    s->point[s->count] = point;
    s->radius[s->count++] = radius;
}

static void add_points(ContactShapes *s, const ContactShapesDef *d, const ContactPoints *points)
{
    for (int i = 0; i < points->count; i++) {
        const ContactPoint *c = &points->point[i];
        Vec3 turned = quat_rotate(d->lumped->rotation[c->joint], touching_point(c));
        add(s, d, d->lumped->body_of[c->joint], vec3_add(d->lumped->position[c->joint], turned), 0);
    }
    s->sole_count = s->count;
}

/* Radius of a cylinder with the body's mass and the length of its longest bone, m. */
static double bone_radius(const LumpedBody *l, int joint, double length)
{
    return length > 0 ? fmin(MAX_RADIUS, sqrt(l->body.mass[joint] / (TISSUE * PI * length))) : 0;
}

/* The tip of a bone that ends in no simulated joint: the farthest point of the clip's skeleton on this body. */
static Vec3 body_tip(const LumpedBody *l, const Skeleton *clip, int body)
{
    Vec3 tip = {0, 0, 0};
    for (int j = 0; j < clip->joint_count; j++)
        if (l->body_of[j] == body && vec3_norm(l->position[j]) > vec3_norm(tip))
            tip = l->position[j];
    for (int e = 0; e < clip->end_count; e++) {
        int j = clip->end_parent[e];
        Vec3 at = vec3_add(l->position[j], quat_rotate(l->rotation[j], clip->end_offset[e]));
        if (l->body_of[j] == body && vec3_norm(at) > vec3_norm(tip))
            tip = at;
    }
    return tip;
}

static void add_spheres(ContactShapes *s, const ContactShapesDef *d, const Skeleton *clip)
{
    const LumpedBody *l = d->lumped;
    for (int b = 0; b < l->skeleton.joint_count; b++) {
        Vec3 tip = body_tip(l, clip, b);
        double length = vec3_norm(tip);
        int is_tip = 1;
        for (int j = b + 1; j < l->skeleton.joint_count; j++)
            if (l->skeleton.parent[j] == b) {
                length = fmax(length, vec3_norm(l->skeleton.offset[j]));
                is_tip = 0;
            }
        double radius = bone_radius(l, b, length);
        if (!(radius > 0))
            continue;
        add(s, d, b, vec3(0, 0, 0), radius);
        if (is_tip && vec3_norm(tip) > 0)
            add(s, d, b, tip, fmin(radius, 0.5 * vec3_norm(tip)));
    }
}

Status contact_shapes_init(ContactShapes *out, const ContactShapesDef *def, const ClipView *clip, Error *err)
{
    Kinematics kinematics = {0};
    ContactPoints points = {0};
    DifferenceDef difference = difference_default_def();
    *out = (ContactShapes){0};
    Status status = differentiate(clip, &difference, &kinematics, err);
    if (!status)
        status = contact_points_init(&contact_constants, clip->skeleton, clip->body, &kinematics, &points, err);
    size_t room = (size_t)points.count + 2 * (size_t)def->lumped->skeleton.joint_count;
    out->joint = arena_array(&out->memory, room, 1, sizeof *out->joint);
    out->point = arena_array(&out->memory, room, 1, sizeof *out->point);
    out->radius = arena_array(&out->memory, room, 1, sizeof *out->radius);
    if (!status && out->memory.failed)
        status = error_no_memory(err);
    if (!status)
        add_points(out, def, &points);
    if (!status && def->whole)
        add_spheres(out, def, clip->skeleton);
    contact_points_free(&points);
    kinematics_free(&kinematics);
    return status;
}

void contact_shapes_free(ContactShapes *s)
{
    arena_free(&s->memory);
    *s = (ContactShapes){0};
}
