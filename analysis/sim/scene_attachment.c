/* See scene_attachment.h. */
#include "analysis/sim/scene_attachment.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/dense_factor.h"

/* The first pivot above the large threshold is taken, for rows whose largest entries are about one; if there is none,
 * the first above the small one. */
#define GOOD_PIVOT 0.1
#define MIN_PIVOT 1e-6

enum { MAX_PLACE_ROUNDS = 12 };
#define PLACED 1e-13 /* m, rad */

static int component_rows(const SceneAttachment *head) { return head->turns ? 3 : 6; }

static double attachment_weight(const SceneAttachment *a) { return a->weight != 0 ? a->weight : 1; }

static int row_count(const Scene *s)
{
    int count = 0;
    for (int c = 0; c < s->component_count; c++)
        count += component_rows(&s->def.attachment[s->component[c]]);
    return count;
}

/* Position of the carried body's origin as fixed in a master. */
static Vec3 carried_point(const Scene *s, int attachment)
{
    return model_point(&s->motion, s->def.attachment[attachment].to, s->held[attachment].anchor);
}

/* Index of the next attachment of the component's body from `from` on; attachment_count: none. */
static int next_attachment(const Scene *s, int head, int from)
{
    while (from < s->def.attachment_count && s->def.attachment[from].body != s->def.attachment[head].body)
        from++;
    return from;
}

static Vec3 unit(int axis) { return vec3(axis == 0, axis == 1, axis == 2); }

/* Rows of a component on all speeds: velocity of its origin, and for a rigid attachment its angular velocity, minus
 * those of the masters. */
static void put_component(const Scene *s, int head, double *row)
{
    const SceneAttachment *a = &s->def.attachment[head];
    size_t n = (size_t)s->model->v_count;
    Vec3 none = vec3(0, 0, 0), origin = s->motion.position[a->body];
    for (int k = 0; k < component_rows(a); k++) {
        Vec3 force = k < 3 ? unit(k) : none, moment = k < 3 ? none : unit(k - 3);
        double *to = row + (size_t)k * n;
        model_add_row(s->model, &s->motion, &(ModelWrench){a->body, origin, force, moment}, 1, to);
        for (int i = next_attachment(s, head, 0); i < s->def.attachment_count; i = next_attachment(s, head, i + 1)) {
            ModelWrench wrench = {s->def.attachment[i].to, carried_point(s, i), force, moment};
            model_add_row(s->model, &s->motion, &wrench, -attachment_weight(&s->def.attachment[i]), to);
        }
    }
}

/* Acceleration of a component that the masters' motion prescribes at constant speeds: the rate of the rows times the
 * speeds. The motion must be set without speed rates. */
static Vec3 acceleration_at(const Scene *s, int body, Vec3 point)
{
    const ModelMotion *m = &s->motion;
    Vec3 arm = vec3_sub(point, m->position[body]), omega = m->angular_velocity[body];
    Vec3 swing = vec3_cross(omega, vec3_cross(omega, arm));
    return vec3_add(vec3_add(m->acceleration[body], vec3_cross(m->angular_acceleration[body], arm)), swing);
}

static void put_rate(const Scene *s, int head, double *rate)
{
    const SceneAttachment *a = &s->def.attachment[head];
    Vec3 linear = s->motion.acceleration[a->body];
    for (int i = next_attachment(s, head, 0); i < s->def.attachment_count; i = next_attachment(s, head, i + 1))
        linear = vec3_mad(linear, -attachment_weight(&s->def.attachment[i]),
                          acceleration_at(s, s->def.attachment[i].to, carried_point(s, i)));
    vec3_store(rate, linear);
    if (!a->turns)
        vec3_store(rate + 3, vec3_sub(s->motion.angular_acceleration[a->body],
                                      s->motion.angular_acceleration[a->to]));
}

/* Position error of a component with respect to its masters, m and rad. */
static void put_error(const Scene *s, int head, double *phi)
{
    const SceneAttachment *a = &s->def.attachment[head];
    Vec3 place = s->held[head].rest;
    for (int i = next_attachment(s, head, 0); i < s->def.attachment_count; i = next_attachment(s, head, i + 1))
        place = vec3_mad(place, attachment_weight(&s->def.attachment[i]), carried_point(s, i));
    vec3_store(phi, vec3_sub(s->motion.position[a->body], place));
    if (a->turns)
        return;
    Quat turn = quat_mul(s->motion.orientation[a->to], s->held[head].relative);
    vec3_store(phi + 3, vec3_scale(quat_log(quat_mul(s->motion.orientation[a->body], quat_conjugate(turn))), 2));
}

/* All rows, with an extra column for the right side. */
typedef struct Rows {
    int count, width; /* v_count + 1 */
    double *row;      /* [count][width] */
} Rows;

typedef void PutRight(const Scene *s, int head, double *right);

static Rows make_rows(Scene *s, double *weld, PutRight *put)
{
    size_t n = (size_t)s->model->v_count, at = 0;
    Rows r = {row_count(s), s->model->v_count + 1, NULL};
    r.row = arena_array(&s->scratch, (size_t)r.count, n + 1, sizeof *r.row);
    if (s->scratch.failed)
        return r;
    memset(weld, 0, (size_t)r.count * n * sizeof *weld);
    for (int c = 0; c < s->component_count; c++) {
        int head = s->component[c], count = component_rows(&s->def.attachment[head]);
        double right[6] = {0};
        put_component(s, head, weld + at * n);
        if (put)
            put(s, head, right);
        for (int k = 0; k < count; k++, at++) {
            memcpy(r.row + at * (n + 1), weld + at * n, n * sizeof *weld);
            r.row[at * (n + 1) + n] = right[k];
        }
    }
    return r;
}

/* Gauss-Jordan: divides a row by its pivot and subtracts it from all others. */
static void eliminate(const Rows *r, int row, int entry)
{
    double *own = r->row + (size_t)row * (size_t)r->width, by = 1 / own[entry];
    for (int k = 0; k < r->width; k++)
        own[k] *= by;
    for (int i = 0; i < r->count; i++) {
        double *other = r->row + (size_t)i * (size_t)r->width, x = other[entry];
        for (int k = 0; i != row && x != 0 && k < r->width; k++)
            other[k] -= x * own[k];
    }
}

/* Candidates for dependent speeds: those of a body first, then those of its ancestors. */
typedef struct Choice {
    Scene *scene;
    Rows rows;
    char *taken;       /* [row] */
    char *follows;     /* [entry] taken already, or driven */
    int first, count;  /* rows of the component */
    double min;        /* column of a pivot */
} Choice;

static void choose_body_pivots(Choice *c, int body)
{
    Scene *s = c->scene;
    const ModelBody *b = &s->model->body[body];
    int end = b->v_start;
    for (int j = 0; j < b->joint_count; j++)
        end += model_joint_speeds(s->model->joint[b->joint_start + j].kind);
    for (;;) {
        double max = c->min;
        int row = -1, entry = -1;
        for (int i = c->first; i < c->first + c->count; i++)
            for (int k = b->v_start; k < end && !c->taken[i]; k++) {
                double size = fabs(c->rows.row[(size_t)i * (size_t)c->rows.width + (size_t)k]);
                if (!c->follows[k] && size > max) {
                    max = size;
                    row = i;
                    entry = k;
                }
            }
        if (row < 0)
            return;
        eliminate(&c->rows, row, entry);
        c->taken[row] = c->follows[entry] = 1;
        s->follower[s->follower_count] = entry;
        s->follower_row[s->follower_count++] = row;
    }
}

static void take_pivots_above(Choice *c, int body)
{
    for (; body > 0; body = c->scene->model->body[body].parent)
        choose_body_pivots(c, body);
}

static void mark_driven(const Scene *s, char *follows)
{
    for (int i = 0; i < s->def.path_count + s->def.given_count; i++) {
        int joint = i < s->def.path_count ? s->def.path[i].joint : s->def.given[i - s->def.path_count];
        for (int k = 0; k < model_joint_speeds(s->model->joint[joint].kind); k++)
            follows[s->model->joint[joint].v_start + k] = 1;
    }
}

/* Selects the dependent speeds at the pose of the motion: the attached bodies' own if possible, else those of the
 * nearest ancestors. */
static Status choose(Scene *s, Error *err)
{
    size_t n = (size_t)s->model->v_count, at = 0, rows = (size_t)row_count(s);
    double *weld = arena_array(&s->scratch, rows, n, sizeof *weld);
    Choice c = {.scene = s, .taken = arena_array(&s->scratch, rows, 1, 1),
                .follows = arena_array(&s->scratch, n, 1, 1)};
    if (s->scratch.failed)
        return error_no_memory(err);
    c.rows = make_rows(s, weld, NULL);
    if (s->scratch.failed)
        return error_no_memory(err);
    mark_driven(s, c.follows);
    s->follower_count = 0;
    for (int k = 0; k < s->component_count; k++) {
        const SceneAttachment *head = &s->def.attachment[s->component[k]];
        c.first = (int)at;
        c.count = component_rows(head);
        at += (size_t)c.count;
        for (int pass = 0; pass < 2; pass++) {
            c.min = pass ? MIN_PIVOT : GOOD_PIVOT;
            take_pivots_above(&c, head->body);
            for (int i = 0; i < s->def.attachment_count; i++)
                if (s->def.attachment[i].body == head->body)
                    take_pivots_above(&c, s->def.attachment[i].to);
        }
    }
    return STATUS_OK;
}

/* Combines the attachments at the pose of the motion into one, in scratch memory; `put`: their right sides are their
 * bias. */
static Status gather(Scene *s, PutRight *put, Carried *out, Error *err)
{
    size_t n = (size_t)s->model->v_count, count = (size_t)s->follower_count;
    *out = (Carried){.weld = arena_array(&s->scratch, (size_t)row_count(s), n, sizeof *out->weld)};
    double *rows = arena_array(&s->scratch, count, n, sizeof *rows);
    double *bias = arena_array(&s->scratch, count, 1, sizeof *bias);
    if (s->scratch.failed)
        return error_no_memory(err);
    Rows r = make_rows(s, out->weld, put);
    if (s->scratch.failed)
        return error_no_memory(err);
    for (size_t p = 0; p < count; p++)
        eliminate(&r, s->follower_row[p], s->follower[p]);
    for (size_t p = 0; p < count; p++) {
        const double *from = r.row + (size_t)s->follower_row[p] * (n + 1);
        memcpy(rows + p * n, from, n * sizeof *rows);
        bias[p] = -from[n];
        for (size_t q = 0; q < count; q++)
            rows[p * n + (size_t)s->follower[q]] = 0;
        if (!(fabs(bias[p]) <= 1e300))
            return error_set(err, STATUS_NO_RESULT, "attached bodies cannot follow their carriers any more");
    }
    out->all = (Attachment){0, (int)count, rows, put ? bias : NULL, s->follower};
    return STATUS_OK;
}

/* Whether a body is another one or its descendant. */
static int hangs_on(const Model *m, int body, int other)
{
    while (body != other && body > 0)
        body = m->body[body].parent;
    return body == other;
}

static Status check_scene(const Scene *s, int i, Error *err)
{
    const SceneAttachment *a = &s->def.attachment[i];
    const Model *m = s->model;
    const char *name = m->body[a->body].name, *to = m->body[a->to].name;
    if (model_mover(m, a->body) == 0)
        return error_set(err, STATUS_BAD_INPUT, "body \"%s\" cannot be attached: it does not move", name);
    for (int k = 0; k < s->def.path_count; k++)
        if (m->joint[s->def.path[k].joint].body == a->body)
            return error_set(err, STATUS_BAD_INPUT, "body \"%s\" is driven and cannot be attached", name);
    if (hangs_on(m, a->to, a->body))
        return error_set(err, STATUS_BAD_INPUT, "body \"%s\" cannot be attached to its descendant \"%s\"", name,
                         to);
    for (int k = 0; k < i; k++) {
        const SceneAttachment *b = &s->def.attachment[k];
        if (b->body == a->body && (!a->turns || !b->turns))
            return error_set(err, STATUS_BAD_INPUT, "body \"%s\" has several carriers: each must be of kind point",
                             name);
        if (b->body == a->body && b->to == a->to)
            return error_set(err, STATUS_BAD_INPUT, "body \"%s\" is attached to \"%s\" twice", name, to);
    }
    return STATUS_OK;
}

/* A body depends on its carriers and on all of their and its own ancestors. */
static void mark_above(const Model *m, const SceneAttachment *a, double *row)
{
    for (int b = a->to; b > 0; b = m->body[b].parent)
        row[b] = -1;
    for (int b = m->body[a->body].parent; b > 0; b = m->body[b].parent)
        row[b] = -1;
}

/* Orders the components, those without attachments to them first, as an attachment of one entry per body. */
static Status find_components(Scene *s, Error *err)
{
    int count = 0, bodies = s->model->body_count;
    size_t room = (size_t)s->def.attachment_count;
    int *head = arena_array(&s->scratch, room, 1, sizeof *head);
    int *order = arena_array(&s->scratch, room, 1, sizeof *order);
    double *rows = arena_array(&s->scratch, room, (size_t)bodies, sizeof *rows);
    Attachment *graph = arena_array(&s->scratch, room, 1, sizeof *graph);
    if (s->scratch.failed)
        return error_no_memory(err);
    for (int i = 0; i < s->def.attachment_count; i++) {
        if (next_attachment(s, i, 0) == i) {
            head[count] = i;
            graph[count] = (Attachment){.first = s->def.attachment[i].body, .count = 1,
                                        .rows = rows + (size_t)count * (size_t)bodies};
            count++;
        }
        for (int c = 0; c < count; c++)
            if (s->def.attachment[head[c]].body == s->def.attachment[i].body)
                mark_above(s->model, &s->def.attachment[i], rows + (size_t)c * (size_t)bodies);
    }
    Status status = attachment_order(graph, count, bodies, order, err);
    s->component_count = status ? 0 : count;
    for (int c = 0; c < s->component_count; c++)
        s->component[c] = head[order[c]];
    return status;
}

Status scene_attach(Scene *s, Error *err)
{
    size_t count = (size_t)s->def.attachment_count;
    Status status = STATUS_OK;
    s->held = arena_array(&s->memory, count, 1, sizeof *s->held);
    s->component = arena_array(&s->memory, count, 1, sizeof *s->component);
    s->follower = arena_array(&s->memory, 6 * count, 1, sizeof *s->follower);
    s->follower_row = arena_array(&s->memory, 6 * count, 1, sizeof *s->follower_row);
    if (s->memory.failed)
        return error_no_memory(err);
    for (int i = 0; !status && i < s->def.attachment_count; i++)
        status = check_scene(s, i, err);
    if (!status && count)
        status = find_components(s, err);
    if (!status && count)
        status = scene_hold_attached(s, err);
    return status;
}

Status scene_hold_attached(Scene *s, Error *err)
{
    Carried carried;
    if (s->def.attachment_count == 0)
        return STATUS_OK;
    ArenaMark mark = arena_mark(&s->scratch);
    model_motion_set(&s->motion, s->model, s->q, s->v, NULL);
    for (int i = 0; i < s->def.attachment_count; i++) {
        const SceneAttachment *a = &s->def.attachment[i];
        SceneHeld *h = &s->held[i];
        Quat turn = s->motion.orientation[a->to];
        Vec3 origin = s->motion.position[a->body];
        h->anchor = quat_rotate_inverse(turn, vec3_sub(origin, s->motion.position[a->to]));
        h->relative = quat_mul(quat_conjugate(turn), s->motion.orientation[a->body]);
        h->rest = vec3(0, 0, 0);
        int first = next_attachment(s, i, 0);
        s->held[first].rest = vec3_mad(i == first ? origin : s->held[first].rest, -attachment_weight(a), origin);
    }
    Status status = choose(s, err);
    if (!status)
        status = gather(s, NULL, &carried, err);
    if (!status)
        scene_spread_speeds(s, &carried, s->v);
    arena_return(&s->scratch, mark);
    return status;
}

Status scene_choose_followers(Scene *s, Error *err)
{
    ArenaMark mark = arena_mark(&s->scratch);
    if (s->def.attachment_count == 0)
        return STATUS_OK;
    model_motion_set(&s->motion, s->model, s->q, s->v, NULL);
    Status status = choose(s, err);
    arena_return(&s->scratch, mark);
    return status;
}

/* Places a body on a free joint directly. Carriers come last in the elimination order, so placement runs in reverse. */
static void put_free(const Scene *s, int head, double *q)
{
    const SceneAttachment *a = &s->def.attachment[head];
    const ModelBody *b = &s->model->body[a->body];
    double *to = q + b->q_start, phi[6];
    if (b->joint_count != 1 || s->model->joint[b->joint_start].kind != MODEL_FREE)
        return;
    put_error(s, head, phi);
    vec3_store(to, vec3_sub(s->motion.position[a->body], vec3_load(phi)));
    if (a->turns)
        return;
    Quat turn = quat_normalize(quat_mul(s->motion.orientation[a->to], s->held[head].relative));
    turn = quat_nearest(turn, (Quat){to[3], to[4], to[5], to[6]});
    memcpy(to + 3, &turn, sizeof turn);
}

static int all_are_free(const Scene *s)
{
    int free = 1;
    for (int c = 0; c < s->component_count; c++) {
        const ModelBody *b = &s->model->body[s->def.attachment[s->component[c]].body];
        free &= b->joint_count == 1 && s->model->joint[b->joint_start].kind == MODEL_FREE;
    }
    return free;
}

/* Newton iterations on the dependent speeds until no component is off its position. */
static void close_all(Scene *s, double *q)
{
    size_t n = (size_t)s->model->v_count;
    for (int round = 0; round < MAX_PLACE_ROUNDS; round++) {
        ArenaMark mark = arena_mark(&s->scratch);
        Carried carried;
        double *move = arena_array(&s->scratch, n, 1, sizeof *move), max = 0;
        model_motion_set(&s->motion, s->model, q, NULL, NULL);
        if (!move || gather(s, put_error, &carried, NULL)) {
            arena_return(&s->scratch, mark);
            return;
        }
        for (int p = 0; p < s->follower_count; p++) {
            move[s->follower[p]] = carried.all.bias[p];
            max = fmax(max, fabs(carried.all.bias[p]));
        }
        model_advance(s->model, 1, move, q);
        arena_return(&s->scratch, mark);
        if (!(max > PLACED))
            return;
    }
}

void scene_place_attached(Scene *s, double *q)
{
    for (int c = s->component_count - 1; c >= 0; c--) {
        model_motion_set(&s->motion, s->model, q, NULL, NULL);
        put_free(s, s->component[c], q);
    }
    if (s->component_count && !all_are_free(s))
        close_all(s, q);
}

void scene_move(Scene *s, double h, const double *v, double *q)
{
    model_advance(s->model, h, v, q);
    scene_place_attached(s, q);
}

/* Copies the system first: folding cannot be undone. */
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
    Status status = gather(s, NULL, out, err);
    if (!status)
        status = copy_system(s, system, &out->whole, err);
    if (status)
        return status;
    attachment_reduce(system, &out->all);
    for (int p = 0; p < s->follower_count; p++)
        system->mass[(size_t)s->follower[p] * (n + 1)] = 1;
    return STATUS_OK;
}

void scene_fold_rows(const Scene *s, const Carried *c, int count, double *row)
{
    attachment_reduce_rows(&c->all, count, s->model->v_count, row, NULL);
}

void scene_spread_speeds(const Scene *s, const Carried *c, double *v)
{
    attachment_velocity(&c->all, s->model->v_count, v);
}

Status scene_carry(Scene *s, const double *q, double *v, Carried *out, Error *err)
{
    model_motion_set(&s->motion, s->model, q, v, NULL);
    Status status = gather(s, NULL, out, err);
    if (status)
        return status;
    scene_spread_speeds(s, out, v);
    model_motion_set(&s->motion, s->model, q, v, NULL);
    return gather(s, put_rate, out, err);
}

/* Wrenches on the attached bodies, about their origins, that hold them: W' mu on the dependent speeds is -held. */
static void note_wrenches(Scene *s, const Carried *c, const double *held)
{
    size_t n = (size_t)s->model->v_count, count = (size_t)s->follower_count, at = 0;
    double *own = arena_array(&s->scratch, count, count, sizeof *own);
    double *mu = arena_array(&s->scratch, count, 1, sizeof *mu);
    double *wrench = arena_array(&s->scratch, (size_t)row_count(s), 1, sizeof *wrench);
    int *exchange = arena_array(&s->scratch, count, 1, sizeof *exchange);
    if (s->scratch.failed)
        return;
    for (size_t p = 0; p < count; p++) {
        mu[p] = -held[p];
        for (size_t q = 0; q < count; q++)
            own[p * count + q] = c->weld[(size_t)s->follower_row[q] * n + (size_t)s->follower[p]];
    }
    if (lu_factor(own, (int)count, exchange) < (int)count)
        return;
    lu_solve(own, exchange, (int)count, mu);
    for (size_t p = 0; p < count; p++)
        wrench[s->follower_row[p]] = mu[p] / s->def.step;
    for (int k = 0; k < s->component_count; k++) {
        int head = s->component[k];
        for (int i = next_attachment(s, head, 0); i < s->def.attachment_count; i = next_attachment(s, head, i + 1)) {
            const SceneAttachment *a = &s->def.attachment[i];
            Vec3 *force = &s->equality_force[s->model->equality_count + i];
            Vec3 *couple = &s->equality_couple[s->model->equality_count + i];
            *force = vec3_mad(*force, attachment_weight(a), vec3_load(wrench + at));
            if (!a->turns)
                *couple = vec3_add(*couple, vec3_load(wrench + at + 3));
        }
        at += (size_t)component_rows(&s->def.attachment[head]);
    }
}

void scene_note_attached(Scene *s, const Carried *c, const double *v, double *force)
{
    DenseSystem whole = c->whole;
    ArenaMark mark = arena_mark(&s->scratch);
    double *held = arena_array(&s->scratch, (size_t)s->follower_count, 1, sizeof *held);
    whole.force = force;
    if (held) {
        attachment_reaction(&whole, &c->all, v, NULL, held);
        note_wrenches(s, c, held);
    }
    arena_return(&s->scratch, mark);
}

void scene_note_rest(Scene *s, const Carried *c, double scale, const double *rest)
{
    ArenaMark mark = arena_mark(&s->scratch);
    double *held = arena_array(&s->scratch, (size_t)s->follower_count, 1, sizeof *held);
    for (int p = 0; held && p < s->follower_count; p++)
        held[p] = scale * rest[s->follower[p]];
    if (held)
        note_wrenches(s, c, held);
    arena_return(&s->scratch, mark);
}
