/* See scene_softness.h. */
#include "analysis/sim/scene_softness.h"

#include <math.h>

#include "analysis/math/dense_factor.h"
#include "analysis/math/elementary.h"
#include "analysis/model/model.h"
#include "analysis/model/model_motion.h"
#include "analysis/sim/scene_def.h"

/* d(r) of solimp, clamped to MuJoCo's range. */
static double impedance(const ModelSoftness *m, double size)
{
    double min = fmin(0.9999, fmax(1e-4, m->imp[0])), max = fmin(0.9999, fmax(1e-4, m->imp[1]));
    double x = size / m->imp[2], mid = m->imp[3], power = m->imp[4];
    if (x >= 1)
        return max;
    double y = x <= mid ? mid * elementary_pow(x / mid, power)
                        : 1 - (1 - mid) * elementary_pow((1 - x) / (1 - mid), power);
    return min + (power == 1 ? x : x > 0 ? y : 0) * (max - min);
}

static SoftLaw soft_law(const Scene *s, const ModelSoftness *m, double inverse_inertia, double size)
{
    double d = impedance(m, fabs(size)), max = fmin(0.9999, fmax(1e-4, m->imp[1]));
    double time = fmax(m->ref[0], 2 * s->def.step), ratio = m->ref[1];
    int direct = m->ref[0] < 0;
    double k = direct ? -m->ref[0] / (max * max) : 1 / (max * max * time * time * ratio * ratio);
    double b = direct ? -m->ref[1] / max : 2 / (max * time);
    return (SoftLaw){inverse_inertia * (1 - d) / (k * d * d), b / (k * d)};
}

static const SceneCompliance *find(const Scene *s, SceneSoftPart part, int index, int axis)
{
    for (int i = 0; i < s->def.compliance_count; i++) {
        const SceneCompliance *c = &s->def.compliance[i];
        if (c->part == part && c->index == index && (c->axis < 0 || c->axis == axis))
            return c;
    }
    return NULL;
}

static SoftLaw law_by(const SceneCompliance *c) { return (SoftLaw){c->compliance, c->time}; }

/* A of both sides of a connect or weld, one value for all of its rows as in MuJoCo 2.2; or of both joints of a
 * coupling. */
static double equality_inertia(const Scene *s, const ModelEquality *e)
{
    if (e->kind != MODEL_COUPLE)
        return s->body_inverse[e->first] + s->body_inverse[e->second];
    double second = e->second >= 0 ? s->speed_inverse[s->model->joint[e->second].v_start] : 0;
    return s->speed_inverse[s->model->joint[e->first].v_start] + second;
}

/* MuJoCo's weld rows rotate as torquescale sin(phi / 2), those of kane as 2 sin(phi / 2). */
static double turn_scale(const ModelEquality *e, int row)
{
    return e->kind == MODEL_WELD && row >= 3 ? 0.5 * e->torque_scale : 1;
}

double scene_equality_size(const Scene *s, int equality, const double *phi, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++) {
        double size = phi[k] * turn_scale(&s->model->equality[equality], k);
        sum += size * size;
    }
    return sqrt(sum);
}

SoftLaw scene_soft_equality(const Scene *s, int equality, int row, double size)
{
    const ModelEquality *e = &s->model->equality[equality];
    const SceneCompliance *c = find(s, SOFT_EQUALITY, equality, row);
    if (c)
        return law_by(c);
    if (e->stiffness > 0)
        return row < 3 ? (SoftLaw){1 / e->stiffness, e->damping / e->stiffness} : (SoftLaw){0, 0};
    if (!e->softness.is_soft)
        return (SoftLaw){0, 0};
    SoftLaw law = soft_law(s, &e->softness, equality_inertia(s, e), size);
    double scale = turn_scale(e, row);
    return (SoftLaw){law.alpha / (scale * scale), law.beta};
}

SoftLaw scene_soft_limit(const Scene *s, int joint, int axis, double depth)
{
    const ModelJoint *j = &s->model->joint[joint];
    const SceneCompliance *c = find(s, SOFT_LIMIT, joint, axis);
    if (c)
        return law_by(c);
    return j->softness.is_soft ? soft_law(s, &j->softness, s->speed_inverse[j->v_start], depth) : (SoftLaw){0, 0};
}

/* An entry that names both geoms; else the sum of two entries that name one each. */
static int contact_law(const Scene *s, SceneSoftPart part, int first, int second, SoftLaw *out)
{
    double alpha = 0, damping = 0;
    int count = 0;
    for (int i = 0; i < s->def.compliance_count; i++) {
        const SceneCompliance *c = &s->def.compliance[i];
        int is_first = c->index == first, is_second = c->index == second;
        if (c->part != part || (!is_first && !is_second))
            continue;
        if (c->other >= 0 && c->other == (is_first ? second : first)) {
            *out = law_by(c);
            return 1;
        }
        if (c->other >= 0)
            continue;
        alpha += c->compliance;
        damping += c->compliance * c->time;
        count++;
    }
    *out = (SoftLaw){alpha, alpha > 0 ? damping / alpha : 0};
    return count;
}

/* Parameters of two geoms: those of the geom with priority, else the mean, as MuJoCo mixes them. */
static ModelSoftness mixed(const ModelGeom *a, const ModelGeom *b)
{
    ModelSoftness out = a->softness;
    if (a->priority != b->priority)
        return a->priority > b->priority ? a->softness : b->softness;
    int both_times = a->softness.ref[0] > 0 && b->softness.ref[0] > 0;
    out.is_soft |= b->softness.is_soft;
    for (int k = 0; k < 2; k++)
        out.ref[k] = both_times ? 0.5 * (out.ref[k] + b->softness.ref[k]) : fmin(out.ref[k], b->softness.ref[k]);
    for (int k = 0; k < 5; k++)
        out.imp[k] = 0.5 * (out.imp[k] + b->softness.imp[k]);
    return out;
}

/* At the deepest contact of the two geoms. */
static SoftLaw file_law(const Scene *s, int first, int second)
{
    const ModelGeom *a = &s->model->geom[first], *b = &s->model->geom[second];
    ModelSoftness own = mixed(a, b);
    double depth = 0;
    if (!own.is_soft || !s->body_inverse)
        return (SoftLaw){0, 0};
    for (int k = 0; k < s->contacts.count; k++)
        if (s->contacts.contact[k].geom[0] == first && s->contacts.contact[k].geom[1] == second)
            depth = fmax(depth, -s->contacts.contact[k].at.gap);
    return soft_law(s, &own, s->body_inverse[a->body] + s->body_inverse[b->body], depth);
}

SoftLaw scene_soft_contact(const Scene *s, int first_geom, int second_geom)
{
    SoftLaw law = {0, 0};
    const ModelGeom *a = &s->model->geom[first_geom], *b = &s->model->geom[second_geom];
    if (s->def.compliance_count && (contact_law(s, SOFT_GEOM, first_geom, second_geom, &law) ||
                                    contact_law(s, SOFT_BODY, a->body, b->body, &law)))
        return law;
    if (s->def.softness > 0)
        return (SoftLaw){s->def.softness, s->def.softness_damping};
    return file_law(s, first_geom, second_geom);
}

int scene_equality_is_soft(const Scene *s, int equality)
{
    const ModelEquality *e = &s->model->equality[equality];
    int is = e->stiffness > 0 || e->softness.is_soft;
    for (int i = 0; i < s->def.compliance_count; i++)
        is |= s->def.compliance[i].part == SOFT_EQUALITY && s->def.compliance[i].index == equality;
    return is;
}

int scene_equality_has_axes(const Scene *s, int equality)
{
    int has = 0;
    for (int i = 0; i < s->def.compliance_count; i++) {
        const SceneCompliance *c = &s->def.compliance[i];
        has |= c->part == SOFT_EQUALITY && c->index == equality && c->axis >= 0;
    }
    return has && s->model->equality[equality].kind != MODEL_COUPLE;
}

int scene_limits_are_soft(const Scene *s)
{
    int some = 0;
    for (int i = 0; i < s->def.compliance_count; i++)
        some |= s->def.compliance[i].part == SOFT_LIMIT;
    for (int i = 0; i < s->model->joint_count; i++)
        some |= s->model->joint[i].limited && s->model->joint[i].softness.is_soft;
    return some;
}

/* r M^-1 r' of a row; overwrites the row. */
static double inverse_along(const Scene *s, double *row, double *solved)
{
    int n = s->model->v_count;
    for (int i = 0; i < n; i++)
        solved[i] = row[i];
    profile_solve(s->mass, s->mass_last, n, solved);
    double sum = dot_product(row, solved, n);
    for (int i = 0; i < n; i++)
        row[i] = 0;
    return sum;
}

/* Means over three axes at the COM of each body. */
static void fill_bodies(Scene *s, double *row, double *solved)
{
    for (int b = 1; b < s->model->body_count; b++)
        for (int k = 0; k < 3; k++) {
            ModelWrench w = {b, model_point(&s->motion, b, s->model->body[b].com), vec3(k == 0, k == 1, k == 2),
                             vec3(0, 0, 0)};
            model_add_row(s->model, &s->motion, &w, 1, row);
            s->body_inverse[b] += inverse_along(s, row, solved) / 3;
        }
}

Status scene_softness_init(Scene *s, Error *err)
{
    const Model *m = s->model;
    size_t n = (size_t)m->v_count;
    int some = 0;
    for (int i = 0; i < m->equality_count; i++)
        some |= m->equality[i].softness.is_soft;
    for (int i = 0; i < m->joint_count; i++)
        some |= m->joint[i].softness.is_soft;
    for (int i = 0; i < m->geom_count; i++)
        some |= m->geom[i].softness.is_soft;
    if (!some)
        return STATUS_OK;
    double *row = arena_array(&s->scratch, n, 2, sizeof *row);
    s->body_inverse = arena_array(&s->memory, (size_t)m->body_count, 1, sizeof *s->body_inverse);
    s->speed_inverse = arena_array(&s->memory, n, 1, sizeof *s->speed_inverse);
    if (s->scratch.failed || s->memory.failed)
        return error_no_memory(err);
    fill_bodies(s, row, row + n);
    for (int j = 0; j < m->joint_count; j++) {
        int count = m->joint[j].kind == MODEL_FREE ? 0 : model_joint_speeds(m->joint[j].kind);
        double mean = 0;
        for (int k = 0; k < count; k++) {
            row[m->joint[j].v_start + k] = 1;
            mean += inverse_along(s, row, row + n) / count;
        }
        for (int k = 0; k < count; k++)
            s->speed_inverse[m->joint[j].v_start + k] = mean;
    }
    return STATUS_OK;
}
