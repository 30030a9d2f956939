/* See mass_fit.h. */
#include "analysis/contact/mass_fit.h"

#include <math.h>

#include "analysis/contact/measured.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "analysis/solve/mixed_lcp.h"

/* Information of a clip about its segment masses. */

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
        add_segment(clip, frame, j, &part[body_part_of(clip->skeleton.segment[j])]);
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

/* Frames are not independent: errors of a rigid skeleton and of soft tissue recur with every step, so a second counts
 * as about two samples. With 16, those of a signal up to 8 Hz, walks were fitted to such errors (docs/decisions.md). */
#define INDEPENDENT_RATE 2.0 /* 1/s */

#define LEAST_NOISE 1e-3 /* body weights: smallest noise of a recording */
#define AT_BOUND 0.999 /* of the bound: a larger change is at the bound */

/* The trunk compensates: its change follows from the others'. */
enum { FREE = BODY_PARTS - 1, ROWS = 2 * BODY_PARTS, ROUNDS = 4 };
_Static_assert(PART_TRUNK == 0, "the free parts are those behind the trunk");

MassFitDef mass_fit_default_def(void) { return (MassFitDef){.bound = 0.15, .least_gain = 0.02}; }

static double spread_of(BodyPart part)
{
    for (int i = 0; i < part_spreads_count; i++)
        if (part_spreads[i].part == part)
            return part_spreads[i].spread;
    return 0;
}

/* Variables of the fit. */
typedef struct Sample {
    const MassEquations *clip; /* [count] */
    int count;
    const double *part_mass; /* [BODY_PARTS] kg */
    double bound;
} Sample;

/* Cost of all clips but one, plus the departure from the table, in the changes of all parts. */
typedef struct Cost {
    double quadratic[BODY_PARTS][BODY_PARTS], linear[BODY_PARTS];
} Cost;

static void find_cost(const Sample *s, int left_out, const double *change, Cost *cost)
{
    *cost = (Cost){0};
    for (int c = 0; c < s->count; c++) {
        const MassEquations *clip = &s->clip[c];
        if (c == left_out || !(clip->square > 0))
            continue;
        double noise = fmax(mass_equations_error(clip, change), LEAST_NOISE * LEAST_NOISE);
        double weight = 6 * INDEPENDENT_RATE * clip->duration / noise;
        for (int a = 0; a < BODY_PARTS; a++) {
            cost->linear[a] += weight * clip->linear[a];
            for (int b = 0; b < BODY_PARTS; b++)
                cost->quadratic[a][b] += weight * clip->normal[a][b];
        }
    }
    for (int a = 0; a < BODY_PARTS; a++)
        cost->quadratic[a][a] += 1 / (spread_of((BodyPart)a) * spread_of((BodyPart)a));
}

/* Change of the trunk per unit change of each free part, at constant total mass. */
static void find_fractions(const double *part_mass, double *fraction)
{
    for (int a = 0; a < FREE; a++)
        fraction[a] = -part_mass[a + 1] / part_mass[PART_TRUNK];
}

static void put_bounds(const double *fraction, double bound, double a[ROWS][FREE], double *b)
{
    for (int row = 0; row < ROWS; row++) {
        int part = row / 2, sign = row % 2 ? -1 : 1;
        b[row] = -bound;
        for (int i = 0; i < FREE; i++)
            a[row][i] = sign * (part == PART_TRUNK ? fraction[i] : part == i + 1);
    }
}

static Status solve(const Cost *cost, const double *part_mass, double bound, double *change, Error *err)
{
    double fraction[FREE], q[FREE][FREE], c[FREE], a[ROWS][FREE], b[ROWS], z[ROWS] = {0}, x[FREE] = {0};
    LcpDef def = lcp_default_def();
    find_fractions(part_mass, fraction);
    for (int i = 0; i < FREE; i++) {
        c[i] = cost->linear[i + 1] + fraction[i] * cost->linear[PART_TRUNK];
        for (int k = 0; k < FREE; k++)
            q[i][k] = cost->quadratic[i + 1][k + 1] + fraction[i] * cost->quadratic[PART_TRUNK][k + 1] +
                      fraction[k] * cost->quadratic[i + 1][PART_TRUNK] +
                      fraction[i] * fraction[k] * cost->quadratic[PART_TRUNK][PART_TRUNK];
    }
    put_bounds(fraction, bound, a, b);
    Status status = qp_solve(&(Qp){FREE, ROWS, q[0], c, a[0], b}, &def, x, z, err);
    change[PART_TRUNK] = 0;
    for (int i = 0; i < FREE; i++) {
        change[i + 1] = x[i];
        change[PART_TRUNK] += fraction[i] * x[i];
    }
    return status;
}

/* The noise of a clip is its residual after the fit, so that each iteration estimates it better. */
static Status fit_without(const Sample *s, int left_out, double *change, Error *err)
{
    Status status = STATUS_OK;
    for (int a = 0; a < BODY_PARTS; a++)
        change[a] = 0;
    for (int round = 0; round < ROUNDS && !status; round++) {
        Cost cost;
        find_cost(s, left_out, change, &cost);
        status = solve(&cost, s->part_mass, s->bound, change, err);
    }
    return status;
}

Status mass_fit(const MassEquations *clip, int count, const double *part_mass, const MassFitDef *def, MassFit *out,
                Error *err)
{
    const Sample sample = {clip, count, part_mass, def->bound};
    double duration = 0;
    *out = (MassFit){0};
    Status status = fit_without(&sample, -1, out->change, err);
    for (int c = 0; c < count && !status; c++) {
        double change[BODY_PARTS];
        if (!(clip[c].square > 0))
            continue;
        status = fit_without(&sample, c, change, err);
        double gain = 1 - mass_equations_error(&clip[c], change) / clip[c].square;
        out->gain += gain * clip[c].duration;
        out->gain_fitted += clip[c].duration * (1 - mass_equations_error(&clip[c], out->change) / clip[c].square);
        out->better += gain > 0;
        out->clips++;
        duration += clip[c].duration;
    }
    if (status || out->clips == 0)
        return status;
    out->gain /= duration;
    out->gain_fitted /= duration;
    for (int part = 0; part < BODY_PARTS; part++)
        out->at_bound += fabs(out->change[part]) > AT_BOUND * def->bound;
    out->is_found = out->clips > 1 && out->gain >= def->least_gain && 2 * out->better > out->clips &&
                    2 * out->at_bound < BODY_PARTS;
    return STATUS_OK;
}
