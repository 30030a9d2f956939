/* Information of a clip about its segment masses (mass_equations.h). */
#include "analysis/contact/mass_equations.h"

#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/measured.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/motion/kinematics.h"

/* Force and moment, three components each. */
typedef struct Six {
    double v[6];
} Six;

static void six_add(Six *sum, Vec3 force, Vec3 moment)
{
    const double v[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    for (int i = 0; i < 6; i++)
        sum->v[i] += v[i];
}

/* Force and moment that one segment's motion requires of the surroundings, about the body's COM. */
static void add_segment(const Clip *clip, int frame, int joint, Six *sum)
{
    const Kinematics *k = &clip->kinematics;
    const Body *b = &clip->body;
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)joint;
    Vec3 w = k->angular_velocity[at], alpha = k->angular_acceleration[at];
    Quat q = k->orientation[at];
    Vec3 arm = quat_rotate(q, b->com[joint]);
    Vec3 a = vec3_add(k->acceleration[at], vec3_add(vec3_cross(alpha, arm), vec3_cross(w, vec3_cross(w, arm))));
    Vec3 force = vec3_scale(vec3_add(a, vec3(0, GRAVITY, 0)), b->mass[joint]);
    Vec3 spin = quat_rotate(q, sym3_mul(b->inertia[joint], quat_rotate_inverse(q, w)));
    Vec3 torque = quat_rotate(q, sym3_mul(b->inertia[joint], quat_rotate_inverse(q, alpha)));
    Vec3 moment = vec3_cross(vec3_sub(vec3_add(k->position[at], arm), k->com[frame]), force);
    six_add(sum, force, vec3_add(moment, vec3_add(torque, vec3_cross(w, spin))));
}

static void add_loads(const Loads *loads, Vec3 com, int frame, Six *sum)
{
    for (int i = 0; i < loads->load_count; i++) {
        size_t at = (size_t)frame * (size_t)loads->load_count + (size_t)i;
        Vec3 moment = vec3_sub(loads->moment[at], vec3_cross(com, loads->force[at]));
        six_add(sum, vec3_scale(loads->force[at], -1), vec3_scale(moment, -1));
    }
}

static int touches(const Contact *c, int frame)
{
    const double *state = c->state + (size_t)frame * (size_t)c->point_count;
    for (int i = 0; i < c->point_count; i++)
        if (state[i] > 0.5)
            return 1;
    return 0;
}

/* No contact from DIFFERENCE_EDGE frames before to as many after, all within the clip. */
static int is_flight(const Clip *clip, int frame)
{
    int reach = (int)ceil(DIFFERENCE_EDGE / clip->motion.frame_time - 1e-6);
    if (frame < reach || frame + reach >= clip->motion.frame_count)
        return 0;
    for (int f = frame - reach; f <= frame + reach; f++)
        if (touches(&clip->contact, f))
            return 0;
    return 1;
}

static void add_frame(const Clip *clip, const Loads *loads, int frame, MassEquations *out)
{
    double weight = clip->body.total_mass * GRAVITY, length = clip->body.stature > 0 ? 0.5 * clip->body.stature : 1;
    Six part[BODY_PARTS + 1] = {{{0}}}, whole = {{0}};
    for (int j = 0; j < clip->skeleton.joint_count; j++)
        add_segment(clip, frame, j, &part[segment_body_part(clip->skeleton.segment[j])]);
    for (int p = 0; p <= BODY_PARTS; p++)
        for (int i = 0; i < 6; i++)
            whole.v[i] += part[p].v[i];
    add_loads(loads, clip->kinematics.com[frame], frame, &whole);
    for (int i = 0; i < 6; i++) {
        double scale = 1 / (i < 3 ? weight : weight * length), left = scale * whole.v[i];
        out->square += left * left;
        for (int a = 0; a < BODY_PARTS; a++) {
            out->linear[a] += left * scale * part[a].v[i];
            for (int b = 0; b < BODY_PARTS; b++)
                out->normal[a][b] += scale * part[a].v[i] * scale * part[b].v[i];
        }
    }
    out->frames++;
}

static void take_means(double frame_time, MassEquations *e)
{
    double scale = e->frames ? 1.0 / e->frames : 0;
    e->duration = e->frames * frame_time;
    e->square *= scale;
    for (int a = 0; a < BODY_PARTS; a++) {
        e->linear[a] *= scale;
        for (int b = 0; b < BODY_PARTS; b++)
            e->normal[a][b] *= scale;
    }
}

Status mass_equations_find(const Clip *clip, MassEquations *out, Error *err)
{
    *out = (MassEquations){0};
    if (!clip->has_body || !clip->has_kinematics || !clip->kinematics.com || !clip->has_contact)
        return error_set(err, STATUS_BAD_INPUT, "has no /contact: run kane contact first");
    Loads loads;
    Status status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (status)
        return status;
    int is_measured = contact_is_measured(&clip->contact);
    for (int f = 0; f < clip->motion.frame_count && clip->contact.point_count > 0; f++)
        if (clip_counts_frame(clip, f, FRAMES_TRUSTED) && (is_measured || is_flight(clip, f)))
            add_frame(clip, &loads, f, out);
    take_means(clip->motion.frame_time, out);
    loads_free(&loads);
    return STATUS_OK;
}

double mass_equations_error(const MassEquations *e, const double *x)
{
    double sum = e->square;
    for (int a = 0; a < BODY_PARTS; a++) {
        sum += 2 * x[a] * e->linear[a];
        for (int b = 0; b < BODY_PARTS; b++)
            sum += x[a] * x[b] * e->normal[a][b];
    }
    return sum;
}
