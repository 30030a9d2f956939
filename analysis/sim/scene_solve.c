/* Speeds under equalities, limits and contacts: by pivoting with either friction model, or by Gauss-Seidel. */
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_islands.h"
#include "analysis/solve/lcp.h"

enum { SWEEPS = 500 };

/* A problem during its solve. */
typedef struct Solve {
    Scene *scene;
    SceneRowsAsk ask;
    SceneSystem *system;
    int size, bilateral;
    double *y;           /* [size + bilateral] v, lambda: first without limits and contacts, then with them */
    double *base_before; /* [base][size] before attachments were folded */
    double *free;        /* [base] speeds without limits and contacts */
    double *push;        /* [base] impulses of the rows */
    double *apart;       /* [size] contact impulses of islands that do not need the base */
    double *one, *moved; /* [base] impulses of one row, and the resulting speeds */
} Solve;

static Status make_arrays(Solve *p, Error *err)
{
    Scene *s = p->scene;
    size_t count = (size_t)s->rows.base_count;
    double **arrays[] = {&p->free, &p->push, &p->one, &p->moved};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&s->scratch, count, 1, sizeof **arrays[i]);
    return s->scratch.failed ? error_no_memory(err) : STATUS_OK;
}

/* The base of the rows with attachments folded, its mobility, and its speeds without impulses. */
static Status build_base(Solve *p, Error *err)
{
    Scene *s = p->scene;
    SceneRows *r = &s->rows;
    Status status = scene_build_base(s, &p->ask, err);
    if (!status)
        status = make_arrays(p, err);
    size_t count = (size_t)r->base_count, n = (size_t)p->size;
    double *half = arena_space(&s->scratch, count, n + (size_t)p->bilateral, sizeof *half);
    p->base_before = s->def.attachment_count ? arena_array(&s->scratch, count, n, sizeof *half) : r->base;
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    if (count && s->def.attachment_count) {
        memcpy(p->base_before, r->base, count * n * sizeof *r->base);
        scene_fold_rows(s, &p->system->carried, r->base_count, r->base);
    }
    kkt_mobility(&p->system->kkt, r->base, r->base_count, half, r->mobility);
    for (size_t i = 0; i < count; i++)
        p->free[i] = dot_product(r->base + i * n, p->y, p->size);
    return STATUS_OK;
}

/* Warm start: the impulses of the last problem of the same size. If the rows have changed, it costs a few more
 * pivots. */
static void take_start(Scene *s)
{
    for (int i = 0; s->start_count == s->rows.count && i < s->rows.count; i++)
        s->rows.z[i] = s->start[i];
}

/* Adds z of one row to the impulses of the base. */
static void push_row(const Scene *s, int i, double z, double *push)
{
    const SceneRows *r = &s->rows;
    if (i < r->limit_count)
        push[i] += z;
    else if (z != 0)
        scene_contact_push(&s->contacts.contact[(i - r->limit_count) / r->contact_rows],
                           vec3_scale(r->row[i - r->limit_count].direction, z), push);
}

/* The contact whose normal impulse is z of row i; NULL: another row. */
static const SceneContact *contact_of_normal(const Scene *s, int i)
{
    int at = i - s->rows.limit_count;
    return at >= 0 && at % s->rows.contact_rows == 0 ? &s->contacts.contact[at / s->rows.contact_rows] : NULL;
}

/* z of friction against turning counts from its lower bound, -length theta, with theta the normal impulse. */
static void push_turns(const SceneContact *c, double theta, double *push)
{
    for (int k = 0; c && k < scene_turn_count(c); k++)
        push[c->turn + 2 * k] -= scene_turn_friction(c, k) * theta;
}

/* Speeds along all rows from those of the base. */
static void find_speeds(const Scene *s, const double *base_speed, double *speed)
{
    const SceneRows *r = &s->rows;
    for (int i = 0; i < r->limit_count; i++)
        speed[i] = base_speed[i];
    for (int k = 0; k < s->contacts.count; k++) {
        Vec3 v = scene_contact_speed(&s->contacts.contact[k], base_speed);
        for (int i = k * r->contact_rows; i < (k + 1) * r->contact_rows; i++)
            speed[r->limit_count + i] = vec3_dot(r->row[i].direction, v);
    }
}

/* C of the two rows of a dry friction, with the same small compliance as contacts. */
static void add_dry(const SceneRows *r, int j, double *out)
{
    int is_slip = (j - r->dry_start) % 2;
    out[is_slip ? j - 1 : j + 1] += is_slip ? 1 : -1;
    if (!is_slip)
        out[j] += scene_dry_compliance(r, j);
}

/* C of friction against turning in the column of theta: its compliance acts on the impulse. */
static void add_turns(const SceneRows *r, const SceneContact *c, double *out)
{
    for (int k = 0; c && k < scene_turn_count(c); k++) {
        int row = c->turn + 2 * k;
        out[row] -= scene_dry_compliance(r, row) * scene_turn_friction(c, k);
        out[row + 1] += 2 * scene_turn_friction(c, k);
    }
}

/* Column j of N M^-1 N' + C (0.7, 0.8). */
static void make_column(const void *context, int j, double *out)
{
    const Solve *p = context;
    const SceneRows *r = &p->scene->rows;
    size_t bytes = (size_t)r->base_count * sizeof *p->one;
    memset(p->one, 0, bytes);
    memset(p->moved, 0, bytes);
    push_row(p->scene, j, 1, p->one);
    push_turns(contact_of_normal(p->scene, j), 1, p->one);
    scene_add_moved(r, p->one, p->moved);
    find_speeds(p->scene, p->moved, out);
    add_turns(r, contact_of_normal(p->scene, j), out);
    if (j < r->limit_count)
        out[j] += r->limit_soft[j];
    int at = j - r->limit_count, first = at - at % r->contact_rows;
    if (at < 0 && j >= r->dry_start)
        add_dry(r, j, out);
    for (int i = first; at >= 0 && i < first + r->contact_rows; i++)
        out[r->limit_count + i] += r->row[i].added[at - first];
}

/* Solves for impulses z on the speeds of the base; n becomes the residual of the rows. */
static Status pivot(Solve *p, const double *base_speed, Error *err)
{
    Scene *s = p->scene;
    Status status = scene_make_room(s, s->rows.count, err);
    double *q = arena_array(&s->scratch, (size_t)s->rows.count, 1, sizeof *q);
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    find_speeds(s, base_speed, q);
    for (int i = 0; i < s->rows.count; i++)
        q[i] -= s->rows.n[i];
    LcpDef def = lcp_default_def();
    return lcp_solve(&s->lcp, &(Lcp){s->rows.count, q, make_column, p}, &def, s->rows.z, NULL, err);
}

static Status solve_cone(Solve *p, Error *err)
{
    p->ask.contact_rows = CONE_CONTACT_ROWS;
    Status status = scene_build_rows(p->scene, &p->ask, err);
    if (status)
        return status;
    take_start(p->scene);
    return pivot(p, p->free, err);
}

/* Bounds of box friction: mu times the normal impulses of a solve without friction (0.10: an estimate of theta). */
static Status estimate_bounds(Solve *p, double *max, Error *err)
{
    p->ask.contact_rows = 1;
    Status status = scene_build_rows(p->scene, &p->ask, err);
    if (!status)
        status = pivot(p, p->free, err);
    for (int k = 0; !status && k < p->scene->contacts.count; k++)
        max[k] = p->scene->contacts.contact[k].friction.slide * p->scene->rows.z[p->scene->rows.limit_count + k];
    return status;
}

/* z leaves out the impulse -max along every tangent. */
static void push_left_out(const Scene *s, const double *max, double *push)
{
    for (int k = 0; k < s->contacts.count; k++)
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            push_row(s, s->rows.limit_count + k * BOX_CONTACT_ROWS + i, -max[k], push);
}

static void add_left_out(const Scene *s, const double *max, double *z)
{
    for (int k = 0; k < s->contacts.count; k++)
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            z[s->rows.limit_count + k * BOX_CONTACT_ROWS + i] -= max[k];
}

static Status solve_box(Solve *p, Error *err)
{
    Scene *s = p->scene;
    double *max = arena_array(&s->scratch, (size_t)s->contacts.count, 1, sizeof *max);
    double *base_speed = arena_array(&s->scratch, (size_t)s->rows.base_count, 1, sizeof *base_speed);
    Status status = s->scratch.failed ? error_no_memory(err) : estimate_bounds(p, max, err);
    if (status)
        return status;
    p->ask.contact_rows = BOX_CONTACT_ROWS;
    p->ask.max = max;
    status = scene_build_rows(s, &p->ask, err);
    if (status)
        return status;
    take_start(s);
    push_left_out(s, max, p->push);
    memcpy(base_speed, p->free, (size_t)s->rows.base_count * sizeof *base_speed);
    scene_add_moved(&s->rows, p->push, base_speed);
    status = pivot(p, base_speed, err);
    if (!status)
        add_left_out(s, max, s->rows.z);
    return status;
}

/* Friction rows are bounded by the normal row of their contact. */
static void bind_friction(const Scene *s, int *normal, double *friction)
{
    const SceneRows *r = &s->rows;
    for (int i = 0; i < r->count; i++) {
        int k = (i - r->limit_count) / SWEEP_CONTACT_ROWS;
        int is_friction = i >= r->limit_count && (i - r->limit_count) % SWEEP_CONTACT_ROWS > 0;
        normal[i] = is_friction ? r->limit_count + k * SWEEP_CONTACT_ROWS : -1;
        friction[i] = is_friction ? s->contacts.contact[k].friction.slide : 0;
    }
    for (int k = 0; k < s->contacts.count; k++)
        for (int i = 0; i < scene_turn_count(&s->contacts.contact[k]); i++) {
            int row = s->contacts.contact[k].turn + 2 * i;
            normal[row] = r->limit_count + k * SWEEP_CONTACT_ROWS;
            friction[row] = scene_turn_friction(&s->contacts.contact[k], i);
        }
}

/* Changes the start of z of friction against turning: from its lower bound, or from zero. */
static void shift_turns(const Scene *s, double sign, double *z)
{
    for (int k = 0; k < s->contacts.count; k++) {
        const SceneContact *c = &s->contacts.contact[k];
        for (int i = 0; i < scene_turn_count(c); i++)
            z[c->turn + 2 * i] += sign * scene_turn_friction(c, i) * z[s->rows.limit_count + k * SWEEP_CONTACT_ROWS];
    }
}

/* Gauss-Seidel (0.15, 0.16) on the speeds of the base; an approximate result is accepted. */
static Status solve_sweeps(Solve *p, Error *err)
{
    Scene *s = p->scene;
    const SceneRows *r = &s->rows;
    p->ask.contact_rows = SWEEP_CONTACT_ROWS;
    Status status = scene_build_rows(s, &p->ask, err);
    size_t count = (size_t)r->count, n = (size_t)r->base_count;
    double *row = arena_array(&s->scratch, count, n, sizeof *row);
    double *response = arena_array(&s->scratch, count, n, sizeof *response);
    double *min = arena_array(&s->scratch, count, 4, sizeof *min);
    double *friction = min + count, *soft = friction + count, *max = soft + count;
    int *normal = arena_array(&s->scratch, count, 1, sizeof *normal);
    double *speed = arena_array(&s->scratch, n, 1, sizeof *speed);
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    bind_friction(s, normal, friction);
    for (size_t i = 0; i < count; i++) {
        int at = (int)i - r->limit_count;
        push_row(s, (int)i, 1, row + i * n);
        scene_add_moved(r, row + i * n, response + i * n);
        soft[i] = at < 0 ? r->limit_soft[i] : r->row[at].added[at % SWEEP_CONTACT_ROWS];
        max[i] = at < 0 && (int)i >= r->dry_start ? -2 * r->min[i] : INFINITY;
    }
    take_start(s);
    shift_turns(s, -1, r->z);
    memcpy(speed, p->free, n * sizeof *speed);
    GaussSeidelRows rows = {.size = r->base_count, .count = r->count, .rows = row, .response = response,
                            .target = r->n, .compliance = soft, .min = min, .max = max, .normal = normal,
                            .frictions = friction};
    GaussSeidelDef def = gauss_seidel_default_def();
    def.max_sweeps = SWEEPS;
    s->unsettled.now = s->time;
    status = gauss_seidel_go_on(&rows, &def, speed, r->z, &s->unsettled, err);
    shift_turns(s, 1, r->z);
    return status;
}

typedef Status SceneSolver(Solve *p, Error *err);
static SceneSolver *const solvers[] = {solve_cone, solve_box, solve_sweeps};
_Static_assert(sizeof solvers / sizeof *solvers == FRICTION_MODEL_COUNT, "a solver for every FrictionModel");

/* From here on z counts dry friction from its lower bound. */
static void starts_within(Solve *p)
{
    const SceneRows *r = &p->scene->rows;
    memcpy(p->push, r->min, (size_t)r->limit_count * sizeof *p->push);
    scene_add_moved(r, p->push, p->free);
    memset(p->push, 0, (size_t)r->limit_count * sizeof *p->push);
}

/* Stores impulses of the contacts and of the base, and those of the problem as the next warm start. */
static Status note_impulses(Solve *p, Error *err)
{
    Scene *s = p->scene;
    const SceneRows *r = &s->rows;
    if (r->count > s->start_room) {
        s->start_room = 2 * r->count;
        s->start = arena_array(&s->memory, (size_t)s->start_room, 1, sizeof *s->start);
        if (!s->start)
            return error_no_memory(err);
    }
    s->start_count = r->count;
    if (r->count)
        memcpy(s->start, r->z, (size_t)r->count * sizeof *s->start);
    memset(p->push, 0, (size_t)r->base_count * sizeof *p->push);
    memset(s->limit_holds, 0, (size_t)scene_limit_sides(s));
    for (int i = 0; i < r->limit_count; i++)
        p->push[i] = r->min[i] + r->z[i];
    for (int i = 0; i < r->dry_start; i++)
        s->limit_holds[r->limit[i]] = r->z[i] > 0;
    for (int k = 0; k < s->contacts.count; k++) {
        SceneContact *c = &s->contacts.contact[k];
        c->impulse = c->couple = vec3(0, 0, 0);
        for (int i = k * r->contact_rows; i < (k + 1) * r->contact_rows; i++)
            c->impulse = vec3_mad(c->impulse, r->z[r->limit_count + i], r->row[i].direction);
        scene_contact_push(c, c->impulse, p->push);
        push_turns(c, r->z[r->limit_count + k * r->contact_rows], p->push);
        for (int i = 0; i < scene_turn_count(c); i++)
            c->couple = vec3_mad(c->couple, p->push[c->turn + 2 * i], c->turn_axis[i]);
    }
    return STATUS_OK;
}

/* If pivoting finds no solution, Gauss-Seidel gives an approximate one. */
static Status solve_rows(Solve *p, Error *err)
{
    SceneSolver *solve = solvers[p->scene->def.friction_model];
    Status status = solve(p, err);
    if (status == STATUS_NO_RESULT && solve != solve_sweeps)
        status = solve_sweeps(p, err);
    return status ? status : note_impulses(p, err);
}

/* Solves the system without limits and contacts for M^ v and its target. */
static Status solve_system(Solve *p, const double *v, Error *err)
{
    size_t n = (size_t)p->size, m = (size_t)p->bilateral;
    p->y = arena_array(&p->scene->scratch, n + m, 1, sizeof *p->y);
    if (!p->y)
        return error_no_memory(err);
    scene_system_momentum(p->system, v, p->y);
    scene_system_fold(p->scene, p->system, p->y);
    if (m)
        memcpy(p->y + n, p->system->target, m * sizeof *p->y);
    scene_system_solve(p->scene, p->system, p->y);
    return STATUS_OK;
}

/* Slip direction of each contact without contact impulses. */
static void find_slips(Solve *p)
{
    Scene *s = p->scene;
    for (int k = 0; k < s->contacts.count; k++) {
        SceneContact *c = &s->contacts.contact[k];
        scene_set_slip(c, scene_contact_speed(c, p->free));
    }
}

int scene_is_dry(const Scene *s)
{
    int count = 0;
    for (int i = 0; i < s->model->joint_count && !s->model->off.no_friction; i++)
        count += s->model->joint[i].friction > 0;
    return count > 0;
}

int scene_has_limits(const Scene *s)
{
    int count = 0;
    for (int i = 0; i < s->model->joint_count && !s->model->off.no_limits; i++)
        count += s->model->joint[i].limited;
    return count + s->def.angle_limit_count > 0 || scene_is_dry(s);
}

/* Adds the impulses of limits and contacts to the speeds before folding. */
static void add_row_impulses(const Solve *p, double *to)
{
    for (int i = 0; i < p->scene->rows.base_count; i++)
        if (p->push[i] != 0)
            add_scaled(to, p->push[i], p->base_before + (size_t)i * (size_t)p->size, p->size);
    if (p->apart)
        add_scaled(to, 1, p->apart, p->size);
}

/* Forces that hold attached bodies, from the change of v to the solution. */
static Status note_attached(Solve *p, const double *v, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)p->size;
    double *force = arena_array(&s->scratch, n, 1, sizeof *force);
    double *impulse = arena_array(&s->scratch, n, 1, sizeof *impulse);
    if (s->scratch.failed)
        return error_no_memory(err);
    scene_system_momentum(p->system, v, force);
    add_row_impulses(p, impulse);
    for (size_t k = 0; k < n; k++)
        force[k] += impulse[k];
    scene_system_add_impulses(p->system, p->y + n, force);
    scene_note_attached(s, &p->system->carried, p->y, force);
    return STATUS_OK;
}

/* Impulses of limits and dry friction on the speeds. */
static void note_row_impulses(const Solve *p)
{
    Scene *s = p->scene;
    memset(s->row_now, 0, (size_t)p->size * sizeof *s->row_now);
    for (int i = 0; i < s->rows.turn_start; i++)
        if (p->push[i] != 0)
            add_scaled(s->row_now, p->push[i], p->base_before + (size_t)i * (size_t)p->size, p->size);
}

static int some_push(const Solve *p)
{
    int some = 0;
    for (int i = 0; i < p->scene->rows.base_count; i++)
        some |= p->push[i] != 0;
    for (int i = 0; p->apart && i < p->size; i++)
        some |= p->apart[i] != 0;
    return some;
}

/* Adds the effect of limits and contacts to the solution. */
static Status add_change(Solve *p, Error *err)
{
    Scene *s = p->scene;
    size_t all = (size_t)(p->size + p->bilateral);
    double *change = arena_array(&s->scratch, all, 1, sizeof *change);
    if (!change)
        return error_no_memory(err);
    for (int i = 0; i < s->rows.base_count; i++)
        if (p->push[i] != 0)
            add_scaled(change, p->push[i], s->rows.base + (size_t)i * (size_t)p->size, p->size);
    if (p->apart)
        add_scaled(change, 1, p->apart, p->size);
    scene_system_solve(s, p->system, change);
    add_scaled(p->y, 1, change, (int)all);
    return STATUS_OK;
}

/* Solves all limits and contacts at once, by pivoting on their rows or by Gauss-Seidel. */
static Status solve_whole(Solve *p, Error *err)
{
    Scene *s = p->scene;
    s->rows = (SceneRows){0};
    p->ask.leave_out = NULL;
    p->apart = NULL;
    s->contact_state_count = 0;
    Status status = build_base(p, err);
    if (status)
        return status;
    find_slips(p);
    if (s->rows.limit_count > s->rows.dry_start)
        starts_within(p);
    return solve_rows(p, err);
}

static Status solve_islands(Solve *p, Error *err)
{
    Scene *s = p->scene;
    SceneIslands islands;
    Status status = scene_find_islands(s, p->system, &islands, err);
    p->ask.leave_out = islands.leave_out;
    p->ask.contact_rows = 0;
    if (!status)
        status = build_base(p, err);
    if (!status)
        status = scene_build_rows(s, &p->ask, err);
    p->apart = arena_array(&s->scratch, (size_t)p->size, 1, sizeof *p->apart);
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    IslandImpulses to = {p->y, p->free, p->push, p->apart};
    return scene_solve_islands(s, p->system, &islands, &to, err);
}

/* Replaces p->y, the solution without limits and contacts, by that under all rows. */
static Status find_answer(Solve *p, Error *err)
{
    Scene *s = p->scene;
    s->rows = (SceneRows){0};
    if (!s->contacts.count && !scene_has_limits(s))
        return STATUS_OK;
    Status status = s->def.friction_model == FRICTION_CONE ? solve_islands(p, err) : STATUS_NO_RESULT;
    if (status == STATUS_NO_RESULT)
        status = solve_whole(p, err);
    return status || !some_push(p) ? status : add_change(p, err);
}

Status scene_system_push(Scene *s, SceneSystem *y, const SceneRowsAsk *ask, double *v, double *impulse, Error *err)
{
    Solve p = {.scene = s, .ask = *ask, .system = y, .size = y->size, .bilateral = y->bilateral};
    size_t n = (size_t)y->size;
    p.y = arena_array(&s->scratch, n + (size_t)y->bilateral, 1, sizeof *p.y);
    if (!p.y)
        return error_no_memory(err);
    memcpy(p.y, v, n * sizeof *v);
    Status status = find_answer(&p, err);
    if (status)
        return status;
    add_row_impulses(&p, impulse);
    note_row_impulses(&p);
    if (y->bilateral && some_push(&p)) {
        for (int i = 0; i < y->bilateral; i++)
            y->pushed[i] += p.y[n + (size_t)i];
        scene_system_add_impulses(y, p.y + n, impulse);
        scene_note_held(s, y, p.y + n);
    }
    memcpy(v, p.y, n * sizeof *v);
    return STATUS_OK;
}

void scene_clear_held(Scene *s)
{
    size_t count = (size_t)scene_constraint_count(s);
    for (size_t i = 0; i < count; i++)
        s->equality_force[i] = s->equality_couple[i] = vec3(0, 0, 0);
    memset(s->equality_impulse, 0, (size_t)s->model->v_count * sizeof *s->equality_impulse);
    memset(s->drive_impulse, 0, (size_t)s->model->v_count * sizeof *s->drive_impulse);
    for (int i = 0; i < s->def.given_count; i++)
        s->given_force[i] = 0;
}

/* Stores the solution and all constraint forces. */
static Status take_answer(Solve *p, double *v, int *held, Error *err)
{
    Scene *s = p->scene;
    Status status = find_answer(p, err);
    if (status)
        return status;
    *held |= some_push(p);
    note_row_impulses(p);
    scene_clear_held(s);
    s->has_noted = 1;
    if (p->bilateral)
        scene_note_held(s, p->system, p->y + p->size);
    if (s->def.attachment_count)
        status = note_attached(p, v, err);
    if (*held)
        memcpy(v, p->y, (size_t)p->size * sizeof *v);
    return status;
}

Status scene_constrain(Scene *s, const double *q, const ContactRule *rule, double *v, int *held, Error *err)
{
    SceneSystem system = {0};
    Solve p = {.scene = s, .ask = {.q = q, .rule = rule}, .system = &system, .size = s->model->v_count,
               .bilateral = scene_equality_row_count(s)};
    Status status = scene_find_contacts(s, q, rule, err);
    *held = p.bilateral > 0;
    if (status || (!*held && !s->contacts.count && !scene_has_limits(s)))
        return status;
    s->has_mass = 0;
    status = scene_system_init(s, q, rule->ahead, &system, err);
    if (!status)
        status = solve_system(&p, v, err);
    if (!status)
        status = take_answer(&p, v, held, err);
    scene_system_free(s, &system);
    return status;
}
