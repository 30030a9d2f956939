/* Finds the islands of a scene and fills each with its contacts, limits and dry frictions; island.c solves one
 * (island.h). */
#include "analysis/sim/scene_islands.h"

#include <string.h>

#include "analysis/sim/contact_rows.h"
#include "analysis/sim/island.h"

/* ---- Partition of a scene into trees and islands ---- */

static int island_root(const int *island, int tree)
{
    while (island[tree] != tree)
        tree = island[tree];
    return tree;
}

static void join(SceneIslands *is, int a, int b)
{
    if (a >= 0 && b >= 0)
        is->island[island_root(is->island, a)] = island_root(is->island, b);
}

/* Checks that the speeds of each tree are consecutive (bodies follow their parents); returns 0 if not. */
static int find_trees(const Model *m, SceneIslands *is)
{
    for (int b = 0; b < m->body_count; b++) {
        const ModelBody *body = &m->body[b];
        int speeds = 0, tree = b ? is->tree[body->parent] : -1;
        for (int j = body->joint_start; j < body->joint_start + body->joint_count; j++)
            speeds += model_joint_speeds(m->joint[j].kind);
        if (tree < 0 && speeds) {
            tree = is->tree_count++;
            is->start[tree] = body->v_start;
        }
        is->tree[b] = tree;
        if (speeds && body->v_start != is->start[tree] + is->size[tree])
            return 0;
        if (speeds)
            is->size[tree] += speeds;
    }
    return 1;
}

/* Merges trees that a row of the equalities couples. */
static void join_equalities(const SceneSystem *y, SceneIslands *is, char *dense)
{
    for (int r = 0; r < y->bilateral; r++) {
        const double *row = y->rows + (size_t)r * (size_t)y->size;
        for (int t = 0, first = -1; t < is->tree_count; t++)
            for (int k = is->start[t]; k < is->start[t] + is->size[t]; k++)
                if (row[k] != 0) {
                    join(is, t, first);
                    first = first < 0 ? t : first;
                    dense[t] = 1;
                    break;
                }
    }
}

static void mark_limits(const Scene *s, SceneIslands *is, char *dense)
{
    for (int i = 0; i < s->model->joint_count; i++) {
        const ModelJoint *j = &s->model->joint[i];
        if (j->limited || j->friction > 0)
            dense[is->tree[j->body]] = 1;
    }
    for (int i = 0; i < s->def.angle_limit_count; i++) {
        const SceneAngleLimits *a = &s->def.angle_limits[i];
        const ModelJoint *joint = &s->model->joint[a->joint];
        dense[is->tree[joint->body]] = 1;
        if (joint->kind != MODEL_BALL)
            join(is, is->tree[joint->body], is->tree[a->parent]);
    }
}

/* Implicit forces, attachments and reordered speeds may couple any trees, so that the base is required. */
static int is_whole(const Scene *s)
{
    return s->def.attachment_count > 0 ||
           (s->def.integrator != SCENE_VARIATIONAL && s->def.integrator != SYMPLECTIC_EULER);
}

static int body_tree(const Scene *s, const SceneIslands *is, int body) { return is->tree[model_mover(s->model, body)]; }

static void mark_turns(const Scene *s, const SceneIslands *is, char *dense)
{
    for (int k = 0; k < s->contacts.count; k++) {
        const SceneContact *c = &s->contacts.contact[k];
        int tree[2] = {body_tree(s, is, c->first), body_tree(s, is, c->second)};
        for (int side = 0; side < 2; side++)
            if (scene_turn_count(c) && tree[side] >= 0)
                dense[tree[side]] = 1;
    }
}

/* A few contacts on a large tree cost less through the base. */
static void choose(const Scene *s, SceneIslands *is, const char *dense, int *speeds, int *contacts)
{
    for (int t = 0; t < is->tree_count; t++) {
        int root = is->island[t] = island_root(is->island, t);
        is->is_dense[root] |= dense[t];
        speeds[root] += is->size[t];
    }
    for (int k = 0; k < s->contacts.count; k++) {
        int a = body_tree(s, is, s->contacts.contact[k].first), b = body_tree(s, is, s->contacts.contact[k].second);
        is->of_contact[k] = is->island[a >= 0 ? a : b];
        contacts[is->of_contact[k]]++;
    }
    for (int t = 0; t < is->tree_count; t++) {
        is->is_dense[t] |= 3 * contacts[t] < speeds[t];
        is->dense_count += contacts[t] && is->is_dense[t];
    }
    for (int b = 0; b < s->model->body_count; b++)
        is->leave_out[b] = is->tree[b] >= 0 && !is->is_dense[is->island[is->tree[b]]];
}

static Status make_islands(Scene *s, SceneIslands *is, char **dense, Error *err)
{
    size_t bodies = (size_t)s->model->body_count;
    int **arrays[] = {&is->tree, &is->start, &is->size, &is->island};
    *is = (SceneIslands){0};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&s->scratch, bodies, 1, sizeof(int));
    *dense = arena_array(&s->scratch, bodies, 1, 1);
    is->is_dense = arena_array(&s->scratch, bodies, 1, 1);
    is->leave_out = arena_array(&s->scratch, bodies, 1, 1);
    is->of_contact = arena_array(&s->scratch, (size_t)s->contacts.count, 1, sizeof(int));
    return s->scratch.failed ? error_no_memory(err) : STATUS_OK;
}

Status scene_find_islands(Scene *s, const SceneSystem *y, SceneIslands *is, Error *err)
{
    char *dense;
    Status status = make_islands(s, is, &dense, err);
    int *counts = arena_array(&s->scratch, (size_t)s->model->body_count, 2, sizeof *counts);
    if (status || !counts)
        return status ? status : error_no_memory(err);
    int whole = !find_trees(s->model, is) || is_whole(s);
    for (int t = 0; t < is->tree_count; t++) {
        is->island[t] = whole ? 0 : t;
        dense[t] = (char)whole;
    }
    mark_limits(s, is, dense);
    mark_turns(s, is, dense);
    join_equalities(y, is, dense);
    for (int k = 0; k < s->contacts.count; k++)
        join(is, body_tree(s, is, s->contacts.contact[k].first), body_tree(s, is, s->contacts.contact[k].second));
    choose(s, is, dense, counts, counts + s->model->body_count);
    return STATUS_OK;
}

/* Counts a solved island, with the largest change of speed in its last sweep. */
static void count_island(Scene *s, const Island *g, double left)
{
    s->solves.islands++;
    s->solves.pivots += g->pivots;
    s->solves.swept += left > 0;
    if (left <= MIN_ROUGH)
        return;
    if (s->unsettled.count++ == 0) {
        s->unsettled.time = s->time;
        error_set(&s->unsettled.why, STATUS_NO_RESULT,
                  "Gauss-Seidel did not converge in %d sweeps: speeds still change by %.2g m/s", ISLAND_SWEEPS, left);
    }
}

/* ---- States of limits, dry friction and contacts ---- */

/* Friction of a contact against turning; its bound is that of the solution. */
static void begin_turn(const Scene *s, const double *free, const SceneContact *c, int axis, Hold *h)
{
    int row = c->turn + 2 * axis;
    unsigned state = c->turns >> 2 * axis & 3;
    *h = (Hold){.kind = HOLD_TURN, .soft = {scene_dry_compliance(&s->rows, row)}, .speed_before = {free[row]},
                .state = state ? HOLD_SLIDES : HOLD_HELD, .mask = state == 2, .friction = scene_turn_friction(c, axis)};
}

static void begin_limit(const Scene *s, const double *free, int i, Hold *h)
{
    const SceneRows *r = &s->rows;
    *h = (Hold){.kind = i < r->dry_start ? HOLD_LIMIT : HOLD_DRY, .soft = {r->limit_soft[i]}, .min = r->n[i],
                .speed_before = {free[i]}, .state = HOLD_HELD};
    if (h->kind == HOLD_DRY) {
        h->bound = -r->min[i];
        h->soft[0] = scene_dry_compliance(r, i);
    } else if (!s->limit_holds[r->limit[i]]) {
        hold_guess(h);
    }
}

/* State of the same contact in the previous problem, matched in order among those of its two geoms; *at advances
 * through these. */
static int find_last(const Scene *s, const SceneContact *c, int *at)
{
    const SceneContactState *last = s->contact_state;
    for (int i = *at; i < s->contact_state_count; i++)
        if (last[i].geom[0] == c->geom[0] && last[i].geom[1] == c->geom[1]) {
            *at = i + 1;
            return i;
        }
    return -1;
}

/* Directions of a contact's axes in the world. */
typedef struct Axes {
    Vec3 axis[3];
} Axes;

static Axes contact_axes(const SceneContact *c)
{
    Axes a = {.axis = {c->at.normal}};
    ContactPair pair = {.normal = c->at.normal, .slip = c->slip};
    contact_tangents(&pair, a.axis + 1);
    return a;
}

static void begin_contact(Scene *s, SceneContact *c, Vec3 speed, int last, Hold *h)
{
    ContactLaw law = scene_contact_law(s, c);
    scene_set_slip(c, speed);
    Axes a = contact_axes(c);
    *h = (Hold){.kind = HOLD_CONTACT, .friction = c->friction.slide, .soft = {law.normal, law.tangent},
                .min = law.min};
    for (int k = 0; k < 3; k++)
        h->speed_before[k] = vec3_dot(a.axis[k], speed);
    if (last < 0) {
        hold_guess(h);
    } else {
        h->state = (HoldState)s->contact_state[last].state;
        h->mask = s->contact_state[last].mask;
    }
}

/* The holds of all islands during a solve. A hold is a limit, dry friction or contact. */
typedef struct Work {
    Scene *scene;
    const SceneSystem *system;
    const SceneIslands *islands;
    const double *v, *free;
    int count;
    Hold *hold;        /* [count] limits, dry friction, contacts: */
    int *limit;        /* [count] row in the base; of contacts -1 */
    int *contact;      /* [count] contact of a contact or of friction against turning, else -1 */
    int *island;       /* [count] */
    double **body_row; /* [body] rows of its six speeds on those of its tree, [6][size]; NULL: not computed yet */
} Work;

static int tree_of_row(const Work *w, int limit)
{
    const double *row = w->scene->rows.base + (size_t)limit * (size_t)w->system->size;
    int k = 0;
    while (k < w->system->size - 1 && row[k] == 0)
        k++;
    for (int t = 0; t < w->islands->tree_count; t++)
        if (k < w->islands->start[t] + w->islands->size[t])
            return t;
    return 0;
}

/* Rows of the six speeds of a moving body on those of its tree. */
static const double *row_of_body(Work *w, int body)
{
    Scene *s = w->scene;
    int tree = w->islands->tree[body], size = w->islands->size[tree];
    if (!w->body_row[body]) {
        w->body_row[body] = arena_array(&s->scratch, 6, (size_t)size, sizeof(double));
        if (w->body_row[body])
            scene_put_body(s, body, w->islands->start[tree], size, w->body_row[body]);
    }
    return w->body_row[body];
}

/* Relative velocity at a contact without contact impulses, second body minus first. */
static Vec3 speed_apart(Work *w, const SceneContact *c)
{
    Vec3 speed = vec3(0, 0, 0);
    for (int side = 0; side < 2; side++) {
        int body = model_mover(w->scene->model, side ? c->second : c->first), tree = w->islands->tree[body];
        const double *row = tree >= 0 ? row_of_body(w, body) : NULL;
        double own[6];
        if (!row)
            continue;
        for (int k = 0; k < 6; k++)
            own[k] = dot_product(row + k * w->islands->size[tree], w->v + w->islands->start[tree],
                                 w->islands->size[tree]);
        Vec3 v = vec3_add(vec3_load(own), vec3_cross(vec3_load(own + 3), c->arm[side]));
        speed = side ? vec3_add(speed, v) : vec3_sub(speed, v);
    }
    return speed;
}

static void begin_base_holds(Work *w)
{
    Scene *s = w->scene;
    const SceneRows *r = &s->rows;
    for (int i = 0; i < r->turn_start; i += i < r->dry_start ? 1 : 2) {
        begin_limit(s, w->free, i, &w->hold[w->count]);
        w->limit[w->count] = i;
        w->contact[w->count] = -1;
        w->island[w->count++] = w->islands->island[tree_of_row(w, i)];
    }
    for (int k = 0, at = 0; k < s->contacts.count; k++) {
        SceneContact *c = &s->contacts.contact[k];
        int count = scene_turn_count(c), last = count ? find_last(s, c, &at) : -1;
        c->couple = vec3(0, 0, 0);
        c->turns = last < 0 ? 0 : s->contact_state[last].turns;
        for (int axis = 0; axis < count; axis++) {
            begin_turn(s, w->free, c, axis, &w->hold[w->count]);
            w->limit[w->count] = c->turn + 2 * axis;
            w->contact[w->count] = k;
            w->island[w->count++] = w->islands->of_contact[k];
        }
    }
}

static void begin_holds(Work *w)
{
    Scene *s = w->scene;
    begin_base_holds(w);
    for (int k = 0, last = 0; k < s->contacts.count; k++) {
        SceneContact *c = &s->contacts.contact[k];
        int island = w->islands->of_contact[k], dense = w->islands->is_dense[island];
        Vec3 speed = dense ? scene_contact_speed(c, w->free) : speed_apart(w, c);
        begin_contact(s, c, speed, find_last(s, c, &last), &w->hold[w->count]);
        w->limit[w->count] = -1;
        w->contact[w->count] = k;
        w->island[w->count++] = island;
    }
}

/* Impulses on the base from unit impulses of a hold. */
static void push_base(const Work *w, int e, const double impulse[3], double *push)
{
    if (w->limit[e] >= 0) {
        push[w->limit[e]] += impulse[0];
        return;
    }
    const SceneContact *c = &w->scene->contacts.contact[w->contact[e]];
    Axes a = contact_axes(c);
    Vec3 sum = vec3_scale(a.axis[0], impulse[0]);
    sum = vec3_mad(vec3_mad(sum, impulse[1], a.axis[1]), impulse[2], a.axis[2]);
    scene_contact_push(c, sum, push);
}

/* Speeds along a hold from those of the base. */
static void read_base(const Work *w, int e, const double *base_speed, double speed[3])
{
    if (w->limit[e] >= 0) {
        speed[0] = base_speed[w->limit[e]];
        return;
    }
    const SceneContact *c = &w->scene->contacts.contact[w->contact[e]];
    Axes a = contact_axes(c);
    Vec3 v = scene_contact_speed(c, base_speed);
    for (int k = 0; k < 3; k++)
        speed[k] = vec3_dot(a.axis[k], v);
}

/* Mobility along the holds which[count] of an island. */
static Status begin_dense(Island *g, const Work *w, const int *which, Error *err)
{
    Scene *s = g->scene;
    const SceneRows *r = &s->rows;
    g->place = arena_array(&s->scratch, (size_t)g->count, 1, sizeof *g->place);
    for (int e = 0; e < g->count && g->place; e++) {
        g->place[e] = g->width;
        g->width += hold_width(&g->hold[e]);
    }
    size_t n = (size_t)g->width, base = (size_t)r->base_count;
    g->mobility = arena_array(&s->scratch, n, n, sizeof *g->mobility);
    g->matrix = arena_array(&s->scratch, n, n, sizeof *g->matrix);
    g->right = arena_array(&s->scratch, n, 3, sizeof *g->right);
    g->exchange = arena_array(&s->scratch, n, 1, sizeof *g->exchange);
    double *push = arena_array(&s->scratch, base, 2, sizeof *push), *moved = push + base;
    if (s->scratch.failed)
        return error_no_memory(err);
    g->impulse = g->right + n;
    g->speed = g->impulse + n;
    for (int e = 0; e < g->count; e++)
        for (int k = 0; k < hold_width(&g->hold[e]); k++) {
            double one[3] = {k == 0, k == 1, k == 2};
            memset(push, 0, 2 * base * sizeof *push);
            push_base(w, which[e], one, push);
            scene_add_moved(r, push, moved);
            for (int f = 0; f < g->count; f++)
                read_base(w, which[f], moved, g->mobility + (size_t)(g->place[e] + k) * n + g->place[f]);
        }
    return STATUS_OK;
}

/* Jacobian of a contact on the speeds of its trees. */
static void put_grip(Work *w, const int *block_of, int e, Grip *grip)
{
    const SceneContact *c = &w->scene->contacts.contact[w->contact[e]];
    Axes a = contact_axes(c);
    for (int side = 0; side < 2; side++) {
        int body = model_mover(w->scene->model, side ? c->second : c->first), tree = w->islands->tree[body];
        grip->block[side] = tree < 0 ? -1 : block_of[tree];
        if (tree < 0)
            continue;
        size_t size = (size_t)w->islands->size[tree];
        const double *row = row_of_body(w, body);
        grip->row[side] = arena_array(&w->scene->scratch, 6, size, sizeof(double));
        for (size_t i = 0; row && grip->row[side] && i < 3; i++) {
            Vec3 axis = side ? a.axis[i] : vec3_neg(a.axis[i]), turn = vec3_cross(c->arm[side], axis);
            const double part[6] = {axis.x, axis.y, axis.z, turn.x, turn.y, turn.z};
            for (int k = 0; k < 6; k++)
                add_scaled(grip->row[side] + i * size, part[k], row + (size_t)k * size, (int)size);
        }
    }
}

static Status begin_sparse(Island *g, Work *w, const int *which, int island, Error *err)
{
    Scene *s = g->scene;
    size_t trees = (size_t)w->islands->tree_count;
    int *block_of = arena_array(&s->scratch, trees, 3, sizeof *block_of), count = 0;
    g->grip = arena_array(&s->scratch, (size_t)g->count, 1, sizeof *g->grip);
    if (s->scratch.failed)
        return error_no_memory(err);
    g->block_start = block_of + trees;
    g->block_size = g->block_start + trees;
    for (size_t t = 0; t < trees; t++)
        if (w->islands->island[t] == island) {
            g->block_start[count] = w->islands->start[t];
            g->block_size[count] = w->islands->size[t];
            block_of[t] = count++;
        }
    char *linked = arena_array(&s->scratch, (size_t)count, (size_t)count, 1);
    for (int e = 0; e < g->count; e++)
        put_grip(w, block_of, which[e], &g->grip[e]);
    if (s->scratch.failed)
        return error_no_memory(err);
    for (int e = 0; e < g->count; e++) {
        const int *b = g->grip[e].block;
        if (b[0] >= 0 && b[1] >= 0)
            linked[b[0] * count + b[1]] = linked[b[1] * count + b[0]] = 1;
    }
    Status status = block_lu_init(&g->lu, count, g->block_size, linked, &s->scratch, err);
    g->change = arena_array(&s->scratch, (size_t)g->lu.total, 2, sizeof *g->change);
    g->sum = g->change + g->lu.total;
    return status || !s->scratch.failed ? status : error_no_memory(err);
}

static void note_turn(const Hold *h, int axis, SceneContact *c)
{
    c->couple = vec3_mad(c->couple, h->impulse[0], c->turn_axis[axis]);
    c->turns &= ~(3u << 2 * axis);
    if (h->state == HOLD_SLIDES)
        c->turns |= (h->mask ? 2u : 1u) << 2 * axis;
}

/* Adds the impulses of an island's holds to those of the scene. */
static void note_island(const Island *g, Work *w, const int *which, const IslandImpulses *to)
{
    Scene *s = w->scene;
    for (int e = 0; e < g->count; e++) {
        const Hold *h = &g->hold[e];
        w->hold[which[e]] = *h;
        if (!g->is_sparse)
            push_base(w, which[e], h->impulse, to->push);
        for (int side = 0; g->is_sparse && side < 2; side++) {
            int b = g->grip[e].block[side];
            if (b >= 0)
                island_add_transposed(g->grip[e].row[side], g->block_size[b], h->impulse,
                                       to->apart + g->block_start[b]);
        }
        if (h->kind == HOLD_LIMIT)
            s->limit_holds[s->rows.limit[w->limit[which[e]]]] = h->impulse[0] > 0;
        if (w->contact[which[e]] < 0)
            continue;
        SceneContact *c = &s->contacts.contact[w->contact[which[e]]];
        if (h->kind == HOLD_TURN) {
            note_turn(h, (w->limit[which[e]] - c->turn) / 2, c);
            continue;
        }
        Axes a = contact_axes(c);
        c->impulse = vec3_scale(a.axis[0], h->impulse[0]);
        c->impulse = vec3_mad(vec3_mad(c->impulse, h->impulse[1], a.axis[1]), h->impulse[2], a.axis[2]);
    }
}

/* The contact of each friction against turning, which precede the contacts. */
static void find_normals(const Work *w, const int *which, Island *g)
{
    for (int e = 0; e < g->count; e++)
        if (g->hold[e].kind == HOLD_TURN)
            g->turns = e + 1;
    for (int e = 0; e < g->turns; e++)
        for (int k = e; g->hold[e].kind == HOLD_TURN && k < g->count; k++)
            if (g->hold[k].kind == HOLD_CONTACT && w->contact[which[k]] == w->contact[which[e]])
                g->hold[e].normal = k;
}

static Status solve_island(Work *w, int island, const IslandImpulses *to, Error *err)
{
    Scene *s = w->scene;
    Island g = {.scene = s, .system = w->system, .is_sparse = !w->islands->is_dense[island]};
    for (int e = 0; e < w->count; e++)
        g.count += w->island[e] == island;
    if (g.count == 0)
        return STATUS_OK;
    ArenaMark mark = arena_mark(&s->scratch);
    int *which = arena_array(&s->scratch, (size_t)g.count, 1, sizeof *which), at = 0;
    double left = 0;
    g.hold = arena_array(&s->scratch, (size_t)g.count, 1, sizeof *g.hold);
    if (s->scratch.failed)
        return error_no_memory(err);
    for (int e = 0; e < w->count; e++)
        if (w->island[e] == island) {
            g.hold[at] = w->hold[e];
            which[at++] = e;
        }
    find_normals(w, which, &g);
    Status status = g.is_sparse ? begin_sparse(&g, w, which, island, err) : begin_dense(&g, w, which, err);
    if (!status)
        status = island_settle(&g, &left, err);
    if (!status) {
        count_island(s, &g, left);
        note_island(&g, w, which, to);
    }
    arena_return(&s->scratch, mark);
    return status;
}

/* Stores the states of contacts as the start of the next problem. */
static Status note_states(Work *w, Error *err)
{
    Scene *s = w->scene;
    if (s->contacts.count > s->contact_state_room) {
        s->contact_state_room = 2 * s->contacts.count;
        s->contact_state = arena_array(&s->memory, (size_t)s->contact_state_room, 1, sizeof *s->contact_state);
        if (!s->contact_state)
            return error_no_memory(err);
    }
    s->contact_state_count = s->contacts.count;
    for (int e = w->count - s->contacts.count, k = 0; k < s->contacts.count; e++, k++)
        s->contact_state[k] = (SceneContactState){{s->contacts.contact[k].geom[0], s->contacts.contact[k].geom[1]},
                                                  (int)w->hold[e].state, w->hold[e].mask,
                                                  s->contacts.contact[k].turns};
    return STATUS_OK;
}

Status scene_solve_islands(Scene *s, const SceneSystem *y, const SceneIslands *islands, const IslandImpulses *to,
                           Error *err)
{
    Work w = {.scene = s, .system = y, .islands = islands, .v = to->v, .free = to->free};
    size_t max = (size_t)(s->rows.limit_count + s->contacts.count);
    w.hold = arena_array(&s->scratch, max, 1, sizeof *w.hold);
    w.limit = arena_array(&s->scratch, max, 1, sizeof *w.limit);
    w.contact = arena_array(&s->scratch, max, 1, sizeof *w.contact);
    w.island = arena_array(&s->scratch, max, 1, sizeof *w.island);
    w.body_row = arena_array(&s->scratch, (size_t)s->model->body_count, 1, sizeof *w.body_row);
    if (s->scratch.failed)
        return error_no_memory(err);
    begin_holds(&w);
    if (s->scratch.failed)
        return error_no_memory(err);
    memset(s->limit_holds, 0, (size_t)scene_limit_sides(s));
    Status status = STATUS_OK;
    for (int t = 0; !status && t < islands->tree_count; t++)
        if (islands->island[t] == t)
            status = solve_island(&w, t, to, err);
    return status ? status : note_states(&w, err);
}
