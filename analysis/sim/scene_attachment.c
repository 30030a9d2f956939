/* See scene_attachment.h. */
#include "analysis/sim/scene_attachment.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_rows.h"

/* Components whose velocity follows from others (docs/sources.md, notes 0.17 to 0.20). */

static int depends_on(const Attachment *a, const Attachment *master, int size)
{
    for (int i = 0; i < a->count; i++)
        for (int k = master->first; k < master->first + master->count; k++)
            if (a->rows[(size_t)i * (size_t)size + (size_t)k] != 0)
                return 1;
    return 0;
}

static int overlap(const Attachment *a, const Attachment *b)
{
    return a->first < b->first + b->count && b->first < a->first + a->count;
}

/* Takes one after another an attachment on which none that is left depends. */
Status attachment_order(const Attachment *a, int count, int size, int *order, Error *err)
{
    char *taken = array_new((size_t)count, 1, 1);
    Status status = STATUS_OK;
    if (!taken)
        return error_no_memory(err);
    for (int n = 0; n < count; n++) {
        int next = -1;
        for (int i = 0; next < 0 && i < count; i++) {
            int free_to_go = !taken[i];
            for (int k = 0; free_to_go && k < count; k++)
                if (!taken[k] && (depends_on(&a[k], &a[i], size) || (k != i && overlap(&a[k], &a[i]))))
                    free_to_go = 0;
            if (free_to_go)
                next = i;
        }
        if (next < 0) {
            status = error_set(err, STATUS_BAD_INPUT, "attachments form a loop or attach one component twice");
            break;
        }
        taken[next] = 1;
        order[n] = next;
    }
    free(taken);
    return status;
}

static double *at(double *m, int stride, int row, int column)
{
    return m + (size_t)row * (size_t)stride + (size_t)column;
}

static double bias_of(const Attachment *a, int i) { return a->bias ? a->bias[i] : 0; }

/* Columns of a matrix: X_j' = X_j - X_k G_kj, and the right side g' = g - X_k g_k: (0.31), (0.32), (0.35). */
void attachment_reduce_rows(const Attachment *a, int row_count, int size, double *m, double *right)
{
    for (int r = 0; r < row_count; r++)
        for (int i = 0; i < a->count; i++) {
            double x = *at(m, size, r, a->first + i);
            if (x == 0)
                continue;
            for (int j = 0; j < size; j++)
                *at(m, size, r, j) -= x * a->rows[(size_t)i * (size_t)size + (size_t)j];
            *at(m, size, r, a->first + i) = 0;
            if (right)
                right[r] -= x * bias_of(a, i);
        }
}

/* With columns substituted, M_ij' = (M_ij - M_ik G_kj) and f_i - M_ik g_k stand in all rows, those of k included.
 * Folding rows: M_ij'' = M_ij' - G_ki' M_kj', f_i'' = f_i' - G_ki' f_k' gives (0.27) to (0.30), (0.33), (0.34). */
void attachment_reduce(DenseSystem *s, const Attachment *a)
{
    attachment_reduce_rows(a, s->row_count, s->size, s->rows, s->right);
    attachment_reduce_rows(a, s->size, s->size, s->mass, s->force);
    for (int k = 0; k < a->count; k++) {
        int own = a->first + k;
        for (int i = 0; i < s->size; i++) {
            double g = a->rows[(size_t)k * (size_t)s->size + (size_t)i];
            for (int j = 0; g != 0 && j < s->size; j++)
                *at(s->mass, s->size, i, j) -= g * *at(s->mass, s->size, own, j);
            s->force[i] -= g * s->force[own];
        }
    }
    for (int k = 0; k < a->count; k++) {
        memset(at(s->mass, s->size, a->first + k, 0), 0, (size_t)s->size * sizeof *s->mass);
        s->force[a->first + k] = 0;
    }
}

void attachment_velocity(const Attachment *a, int size, double *v)
{
    for (int i = 0; i < a->count; i++) {
        double sum = bias_of(a, i);
        for (int j = 0; j < size; j++)
            if (j < a->first || j >= a->first + a->count)
                sum -= a->rows[(size_t)i * (size_t)size + (size_t)j] * v[j];
        v[a->first + i] = sum;
    }
}

void attachment_reaction(const DenseSystem *before, const Attachment *a, const double *v, const double *lambda,
                         double *held)
{
    for (int i = 0; i < a->count; i++) {
        int own = a->first + i;
        double sum = before->force[own];
        for (int j = 0; j < before->size; j++)
            sum -= *at(before->mass, before->size, own, j) * v[j];
        for (int r = 0; lambda && r < before->row_count; r++)
            sum -= *at(before->rows, before->size, r, own) * lambda[r];
        held[i] = sum;
    }
}

/* What carries attachment i and how; the attached body is `second`. */
static ModelEquality *held_of(const Scene *s, int i) { return &s->held[s->held_order[i]]; }

/* Whether a body hangs on another by joints, or is that one. */
static int hangs_on(const Model *m, int body, int other)
{
    while (body != other && body > 0)
        body = m->body[body].parent;
    return body == other;
}

/* Free bodies may be attached, and as points those that slide three ways. */
static int can_be_carried(const Model *m, const SceneAttachment *a)
{
    const ModelBody *b = &m->body[a->body];
    const ModelJoint *j = &m->joint[b->joint_start];
    if (b->joint_count == 1)
        return j->kind == MODEL_FREE;
    return a->turns && b->joint_count == 3 && j[0].kind == MODEL_SLIDE && j[1].kind == MODEL_SLIDE &&
           j[2].kind == MODEL_SLIDE;
}

static Status check(const Model *m, const SceneAttachment *a, Error *err)
{
    const char *name = m->body[a->body].name, *to = m->body[a->to].name;
    if (!can_be_carried(m, a))
        return error_set(err, STATUS_BAD_INPUT, "body \"%s\" cannot be attached: it requires a free joint%s", name,
                         a->turns ? " or three slides" : "");
    if (hangs_on(m, a->to, a->body))
        return error_set(err, STATUS_BAD_INPUT, "body \"%s\" cannot be attached to its descendant \"%s\"", name,
                         to);
    return STATUS_OK;
}

/* Rows W of the weld or connect; with B its columns of the attached body's own speeds, G = B^-1 W (0.17). */
static Status make_rows(const Scene *s, const ModelEquality *e, double *weld, double *g)
{
    int count = scene_equality_rows(e), exchange[JOINT_ROWS], first = s->model->body[e->second].v_start;
    size_t n = (size_t)s->model->v_count, rows = (size_t)count;
    double own[JOINT_ROWS * JOINT_ROWS], column[JOINT_ROWS], phi[JOINT_ROWS];
    scene_put_joint_like(s, e, 0, weld, phi);
    for (size_t i = 0; i < rows; i++)
        memcpy(own + i * rows, weld + i * n + first, rows * sizeof *own);
    if (lu_factor(own, count, exchange) < count)
        return STATUS_BAD_INPUT;
    for (size_t k = 0; k < n; k++) {
        int is_own = k >= (size_t)first && k < (size_t)first + rows, some = 0;
        for (size_t i = 0; i < rows; i++) {
            column[i] = is_own ? 0 : weld[i * n + k];
            some |= column[i] != 0;
        }
        if (some)
            lu_solve(own, exchange, count, column);
        for (size_t i = 0; i < rows; i++)
            g[i * n + k] = column[i];
    }
    return STATUS_OK;
}

/* Attachments at the pose of the motion, in their order, in scratch memory. */
static Status gather(Scene *s, Carried *out, Error *err)
{
    size_t n = (size_t)s->model->v_count, count = (size_t)s->def.attachment_count;
    double *g = arena_array(&s->scratch, count * JOINT_ROWS, n, sizeof *g);
    *out = (Carried){.attachment = arena_array(&s->scratch, count, 1, sizeof *out->attachment),
                     .weld = arena_array(&s->scratch, count * JOINT_ROWS, n, sizeof *out->weld)};
    if (s->scratch.failed)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const ModelEquality *e = held_of(s, (int)i);
        double *rows = g + i * JOINT_ROWS * n;
        if (make_rows(s, e, out->weld + i * JOINT_ROWS * n, rows))
            return error_set(err, STATUS_BAD_INPUT, "the slide joints of body \"%s\" do not span all directions",
                             s->model->body[e->second].name);
        out->attachment[i] = (Attachment){s->model->body[e->second].v_start, scene_equality_rows(e), rows, NULL};
    }
    return STATUS_OK;
}

Status scene_attach(Scene *s, Error *err)
{
    int count = s->def.attachment_count;
    Carried carried;
    s->held = arena_array(&s->memory, (size_t)count, 1, sizeof *s->held);
    s->held_order = arena_array(&s->memory, (size_t)count, 1, sizeof *s->held_order);
    int *order = arena_array(&s->memory, (size_t)count, 1, sizeof *order);
    if (s->memory.failed)
        return error_no_memory(err);
    for (int i = 0; i < count; i++) {
        const SceneAttachment *a = &s->def.attachment[i];
        Status status = check(s->model, a, err);
        if (status)
            return status;
        s->held[i] = (ModelEquality){.kind = a->turns ? MODEL_CONNECT : MODEL_WELD, .first = a->to, .second = a->body,
                                     .relative = QUAT_IDENTITY};
        s->held_order[i] = i;
    }
    Status status = count ? gather(s, &carried, err) : STATUS_OK;
    if (!status && count)
        status = attachment_order(carried.attachment, count, s->model->v_count, order, err);
    s->held_order = order;
    return status;
}

void scene_hold_attached(Scene *s)
{
    Carried carried;
    if (s->def.attachment_count == 0)
        return;
    model_motion_set(&s->motion, s->model, s->q, s->v, NULL);
    for (int i = 0; i < s->def.attachment_count; i++) {
        ModelEquality *e = &s->held[i];
        Quat turn = s->motion.orientation[e->first];
        e->anchor = quat_rotate_inverse(turn, vec3_sub(s->motion.position[e->second], s->motion.position[e->first]));
        e->relative = quat_mul(quat_conjugate(turn), s->motion.orientation[e->second]);
    }
    ArenaMark mark = arena_mark(&s->scratch);
    if (!gather(s, &carried, NULL))
        scene_spread_speeds(s, &carried, s->v);
    arena_return(&s->scratch, mark);
}

/* Three slides by how far their body's origin is from its place; the motion is set. */
static void slide_to(const Scene *s, const ModelEquality *e, Vec3 place, double *q)
{
    const ModelBody *b = &s->model->body[e->second];
    Vec3 way = vec3_sub(place, s->motion.position[e->second]);
    double axes[9], step[3] = {way.x, way.y, way.z};
    int exchange[3];
    for (int k = 0; k < 3; k++) {
        Vec3 axis = s->motion.speed[b->v_start + k].axis;
        axes[k] = axis.x;
        axes[3 + k] = axis.y;
        axes[6 + k] = axis.z;
    }
    if (lu_factor(axes, 3, exchange) < 3)
        return;
    lu_solve(axes, exchange, 3, step);
    for (int k = 0; k < 3; k++)
        q[b->q_start + k] += step[k];
}

static void put_place(const Scene *s, const ModelEquality *e, double *q)
{
    const ModelBody *b = &s->model->body[e->second];
    Vec3 place = model_point(&s->motion, e->first, e->anchor);
    if (s->model->joint[b->joint_start].kind == MODEL_SLIDE) {
        slide_to(s, e, place, q);
        return;
    }
    double *to = q + b->q_start;
    vec3_store(to, place);
    if (e->kind == MODEL_WELD) {
        Quat turn = quat_normalize(quat_mul(s->motion.orientation[e->first], e->relative));
        turn = quat_nearest(turn, (Quat){to[3], to[4], to[5], to[6]});
        to[3] = turn.w;
        to[4] = turn.x;
        to[5] = turn.y;
        to[6] = turn.z;
    }
}

/* Carriers come last in the order of reduction: they are placed first. */
void scene_place_attached(Scene *s, double *q)
{
    for (int i = s->def.attachment_count - 1; i >= 0; i--) {
        model_motion_set(&s->motion, s->model, q, NULL, NULL);
        put_place(s, held_of(s, i), q);
    }
}

/* The system is kept as it is: what is folded cannot be told apart any more. */
static Status copy_system(Scene *s, const DenseSystem *from, DenseSystem *to, Error *err)
{
    size_t n = (size_t)from->size, m = (size_t)from->row_count;
    *to = *from;
    to->mass = arena_array(&s->scratch, n, n, sizeof *to->mass);
    to->force = arena_array(&s->scratch, n, 1, sizeof *to->force);
    to->rows = arena_array(&s->scratch, m, n, sizeof *to->rows);
    if (s->scratch.failed)
        return error_no_memory(err);
    memcpy(to->mass, from->mass, n * n * sizeof *to->mass);
    memcpy(to->force, from->force, n * sizeof *to->force);
    if (m)
        memcpy(to->rows, from->rows, m * n * sizeof *to->rows);
    return STATUS_OK;
}

Status scene_fold_attached(Scene *s, DenseSystem *system, Carried *out, Error *err)
{
    size_t n = (size_t)system->size;
    Status status = gather(s, out, err);
    if (!status)
        status = copy_system(s, system, &out->whole, err);
    for (int i = 0; !status && i < s->def.attachment_count; i++) {
        const Attachment *a = &out->attachment[i];
        attachment_reduce(system, a);
        for (size_t k = (size_t)a->first; k < (size_t)(a->first + a->count); k++)
            system->mass[k * n + k] = 1;
    }
    return status;
}

void scene_fold_rows(const Scene *s, const Carried *c, int count, double *row)
{
    for (int i = 0; i < s->def.attachment_count; i++)
        attachment_reduce_rows(&c->attachment[i], count, s->model->v_count, row, NULL);
}

void scene_spread_speeds(const Scene *s, const Carried *c, double *v)
{
    for (int i = s->def.attachment_count - 1; i >= 0; i--)
        attachment_velocity(&c->attachment[i], s->model->v_count, v);
}

/* The wrench on the attached body, about its origin: that of the weld's rows, B' mu = -held. */
static void note_wrench(Scene *s, const Carried *c, int i, const double *held)
{
    const Attachment *a = &c->attachment[i];
    size_t n = (size_t)s->model->v_count, at = (size_t)(s->model->equality_count + s->held_order[i]);
    const double *weld = c->weld + (size_t)i * JOINT_ROWS * n;
    double own[JOINT_ROWS * JOINT_ROWS], mu[JOINT_ROWS] = {0};
    int exchange[JOINT_ROWS];
    for (int k = 0; k < a->count; k++) {
        mu[k] = -held[k] / s->def.step;
        for (int l = 0; l < a->count; l++)
            own[k * a->count + l] = weld[(size_t)l * n + (size_t)(a->first + k)];
    }
    if (lu_factor(own, a->count, exchange) < a->count)
        return;
    lu_solve(own, exchange, a->count, mu);
    s->equality_force[at] = vec3_add(s->equality_force[at], vec3_load(mu));
    s->equality_couple[at] = vec3_add(s->equality_couple[at], vec3(mu[3], mu[4], mu[5]));
}

/* In the order of reduction nothing else hangs on what comes next, once what held those before it is taken off. */
void scene_note_attached(Scene *s, const Carried *c, const double *v, double *force)
{
    DenseSystem whole = c->whole;
    size_t n = (size_t)whole.size;
    whole.force = force;
    for (int i = 0; i < s->def.attachment_count; i++) {
        const Attachment *a = &c->attachment[i];
        double held[JOINT_ROWS];
        attachment_reaction(&whole, a, v, NULL, held);
        note_wrench(s, c, i, held);
        for (size_t k = 0; k < (size_t)a->count; k++) {
            force[(size_t)a->first + k] -= held[k];
            for (size_t j = 0; j < n; j++)
                force[j] -= a->rows[k * n + j] * held[k];
        }
    }
}
