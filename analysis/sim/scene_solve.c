/* Speeds under equalities, limits and contacts: by pivoting with either model of friction, or by sweeps. */
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_system.h"
#include "analysis/solve/mixed_lcp.h"

enum { SWEEPS = 500 };

/* 1/kg and 1/(kg m2): equalities may hold what is held already, as a connect across a plane mechanism does; so they
 * give way by a hair. */
#define EQUALITY_COMPLIANCE 1e-10

/* m/s, below which a slip has no direction. */
#define LEAST_SLIP 1e-9

/* A problem on its way. */
typedef struct Solve {
    Scene *scene;
    SceneRowsAsk ask;
    SceneSystem *system;
    double *rows_before; /* [row][size] of limits and contacts before attachments were folded; NULL without */
    int size, bilateral;
    double *right; /* [size + bilateral] b = M v, g */
    double *y;     /* the same: the answer */
} Solve;

/* Answer to the right side with the rows' impulses. */
static void answer(Solve *p, int with_impulses)
{
    const SceneRows *r = &p->scene->rows;
    memcpy(p->y, p->right, (size_t)(p->size + p->bilateral) * sizeof *p->y);
    for (int i = 0; with_impulses && i < r->count; i++)
        for (int k = 0; k < p->size; k++)
            p->y[k] += r->row[(size_t)i * (size_t)p->size + (size_t)k] * r->z[i];
    scene_system_solve(p->scene, p->system, p->y);
}

/* Rows of limits and contacts, attachments folded. */
static Status build_rows(Solve *p, Error *err)
{
    Scene *s = p->scene;
    Status status = scene_build_rows(s, &p->ask, err);
    size_t size = (size_t)s->rows.count * (size_t)p->size;
    if (status || !s->def.attachment_count || !size)
        return status;
    p->rows_before = arena_array(&s->scratch, size, 1, sizeof *p->rows_before);
    if (!p->rows_before)
        return error_no_memory(err);
    memcpy(p->rows_before, s->rows.row, size * sizeof *p->rows_before);
    scene_fold_rows(s, &p->system->carried, s->rows.count, s->rows.row);
    return STATUS_OK;
}

static double row_speed(const Solve *p, int i, const double *v)
{
    return dot_product(p->scene->rows.row + (size_t)i * (size_t)p->size, v, p->size);
}

/* The impulses that the last problem of this size ended with are a start; where their rows are others, it is one that
 * costs a few pivots. */
static void take_start(Scene *s)
{
    for (int i = 0; s->start_count == s->rows.count && i < s->rows.count; i++)
        s->rows.z[i] = s->start[i];
}

static Status make_room(Scene *s, int size, int count, Error *err)
{
    if (size <= s->lcp_size && count <= s->lcp_rows)
        return STATUS_OK;
    s->lcp_size = size > s->lcp_size ? size : s->lcp_size;
    s->lcp_rows = count > s->lcp_rows ? 2 * count : s->lcp_rows;
    mixed_lcp_solver_free(&s->lcp);
    return mixed_lcp_solver_init(&s->lcp, s->lcp_size, s->lcp_rows, err);
}

/* Impulses z on top of what the right side alone leads to (0.7, 0.8): what the rows still want is their n. */
static Status pivot(Solve *p, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)p->size, m = (size_t)p->bilateral;
    Status status = make_room(s, p->size + p->bilateral, s->rows.count, err);
    double *zero = arena_array(&s->scratch, n + m, 1, sizeof *zero);
    double *x = arena_array(&s->scratch, n + m, 1, sizeof *x);
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    answer(p, 0);
    for (int i = 0; i < s->rows.count; i++)
        s->rows.n[i] -= row_speed(p, i, p->y);
    MixedLcp problem = {.size = p->size, .bilateral = p->bilateral, .unilateral = s->rows.count, .solve = kkt_solve,
                        .context = &p->system->kkt, .rows = s->rows.row, .added = s->rows.added, .f = zero,
                        .g = zero + n, .n = s->rows.n};
    LcpDef def = lcp_default_def();
    MixedLcpSolution solution = {.x = x, .lambda = x + n, .z = s->rows.z};
    return mixed_lcp_solve(&s->lcp, &problem, &def, &solution, err);
}

static Status solve_cone(Solve *p, Error *err)
{
    p->ask.contact_rows = CONE_CONTACT_ROWS;
    Status status = build_rows(p, err);
    if (status)
        return status;
    take_start(p->scene);
    return pivot(p, err);
}

/* Along every tangent the impulse that z leaves out, -most, joins the right side. */
static void shift_right_side(Solve *p, const double *most, double scale)
{
    const SceneRows *r = &p->scene->rows;
    for (int k = 0; k < p->scene->contact_count; k++)
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2) {
            size_t row = (size_t)(r->limit_count + k * BOX_CONTACT_ROWS + i) * (size_t)p->size;
            for (int c = 0; c < p->size; c++)
                p->right[c] += scale * most[k] * r->row[row + (size_t)c];
        }
}

/* Bounds of the box: mu times the impulses of a solve without friction (0.10: an estimate of theta). */
static Status estimate_bounds(Solve *p, double *most, Error *err)
{
    p->ask.contact_rows = 1;
    Status status = build_rows(p, err);
    if (!status)
        status = pivot(p, err);
    for (int k = 0; !status && k < p->scene->contact_count; k++)
        most[k] = p->scene->contact[k].friction * p->scene->rows.z[p->scene->rows.limit_count + k];
    return status;
}

static Status solve_box(Solve *p, Error *err)
{
    Scene *s = p->scene;
    double *most = arena_array(&s->scratch, (size_t)s->contact_count, 1, sizeof *most);
    Status status = most ? estimate_bounds(p, most, err) : error_no_memory(err);
    if (status)
        return status;
    p->ask.contact_rows = BOX_CONTACT_ROWS;
    p->ask.most = most;
    status = build_rows(p, err);
    if (status)
        return status;
    take_start(s);
    shift_right_side(p, most, -1);
    status = pivot(p, err);
    shift_right_side(p, most, 1);
    for (int k = 0; !status && k < s->contact_count; k++)
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            s->rows.z[s->rows.limit_count + k * BOX_CONTACT_ROWS + i] -= most[k];
    return status;
}

/* Friction rows are bounded by their contact's normal one. */
static void bind_friction(const Scene *s, int *normal, double *friction)
{
    const SceneRows *r = &s->rows;
    for (int i = 0; i < r->count; i++) {
        int k = (i - r->limit_count) / SWEEP_CONTACT_ROWS;
        int is_friction = i >= r->limit_count && (i - r->limit_count) % SWEEP_CONTACT_ROWS > 0;
        normal[i] = is_friction ? r->limit_count + k * SWEEP_CONTACT_ROWS : -1;
        friction[i] = is_friction ? s->contact[k].friction : 0;
    }
}

/* 0.15 and 0.16; a rough answer is an answer. */
static Status solve_sweeps(Solve *p, Error *err)
{
    Scene *s = p->scene;
    p->ask.contact_rows = SWEEP_CONTACT_ROWS;
    Status status = build_rows(p, err);
    size_t count = (size_t)s->rows.count, n = (size_t)p->size, all = n + (size_t)p->bilateral;
    double *response = arena_array(&s->scratch, count, n, sizeof *response);
    double *least = arena_array(&s->scratch, count, 3, sizeof *least);
    double *friction = least + count, *soft = friction + count;
    int *normal = arena_array(&s->scratch, count, 1, sizeof *normal);
    double *y = arena_array(&s->scratch, all, 1, sizeof *y);
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    bind_friction(s, normal, friction);
    for (size_t i = 0; i < count; i++) {
        memset(y, 0, all * sizeof *y);
        memcpy(y, s->rows.row + i * n, n * sizeof *y);
        kkt_solve(&p->system->kkt, y);
        memcpy(response + i * n, y, n * sizeof *y);
        soft[i] = s->rows.added[i * count + i];
    }
    take_start(s);
    answer(p, 0);
    GaussSeidelRows rows = {.size = p->size, .count = s->rows.count, .rows = s->rows.row, .response = response,
                            .target = s->rows.n, .compliance = soft, .least = least, .normal = normal,
                            .frictions = friction};
    GaussSeidelDef def = gauss_seidel_default_def();
    def.max_sweeps = SWEEPS;
    s->unsettled.now = s->time;
    return gauss_seidel_go_on(&rows, &def, p->y, s->rows.z, &s->unsettled, err);
}

typedef Status SceneSolver(Solve *p, Error *err);
static SceneSolver *const solvers[] = {solve_cone, solve_box, solve_sweeps};
_Static_assert(sizeof solvers / sizeof *solvers == FRICTION_MODEL_COUNT, "a solver for every FrictionModel");

/* Impulses of the contacts, and the problem's as a start of the next. */
static Status note_impulses(Scene *s, Error *err)
{
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
    for (int k = 0; k < s->contact_count; k++) {
        s->contact[k].impulse = vec3(0, 0, 0);
        for (int i = r->limit_count + k * r->contact_rows, end = i + r->contact_rows; i < end; i++)
            s->contact[k].impulse = vec3_mad(s->contact[k].impulse, r->z[i], r->direction[i]);
    }
    return STATUS_OK;
}

/* Where pivoting finds no solution, sweeps give one that is good enough to go on with. */
static Status solve_rows(Solve *p, Error *err)
{
    SceneSolver *solve = solvers[p->scene->def.friction_model];
    Status status = solve(p, err);
    if (status == STATUS_NO_RESULT && solve != solve_sweeps)
        status = solve_sweeps(p, err);
    if (!status)
        status = note_impulses(p->scene, err);
    return status;
}

/* M^ = M - theta h df/dv - theta^2 h^2 df/dx of the implicit rules (0.9.2, 0.9.3) in place of M: their velocities
 * answer an impulse by that (0.10). f is known by its accelerations: df = M da. The turning of bodies makes it a little
 * lopsided; its symmetric part serves. M stays where that is no longer positive definite. */
static void add_implicit_part(Scene *s, size_t n)
{
    const Integrator *g = &s->integrator;
    double theta = g->kind == IMPLICIT_EULER ? 1 : g->kind == TRAPEZOIDAL ? 0.5 : 0, h = theta * s->def.step;
    double *whole = arena_array(&s->scratch, n, n, sizeof *whole);
    double *tried = arena_array(&s->scratch, n, n, sizeof *tried);
    if (h == 0 || s->scratch.failed)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            double sum = s->mass[i * n + k];
            for (size_t j = 0; j < n; j++)
                sum -= s->mass[i * n + j] * (h * g->by_velocity[j * n + k] + h * h * g->by_position[j * n + k]);
            whole[i * n + k] = sum;
        }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            tried[i * n + k] = 0.5 * (whole[i * n + k] + whole[k * n + i]);
    memcpy(whole, tried, n * n * sizeof *whole);
    if (cholesky_factor(tried, (int)n) == (int)n)
        memcpy(s->mass, whole, n * n * sizeof *whole);
}

void scene_system_aim(Scene *s, const double *q, double ahead, SceneSystem *y)
{
    size_t rows = (size_t)y->bilateral;
    if (rows == 0)
        return;
    memset(y->rows, 0, rows * (size_t)y->size * sizeof *y->rows);
    scene_put_equalities(s, q, ahead, y->rows, y->target);
    for (size_t i = 0; i < rows; i++)
        y->soft[i] = EQUALITY_COMPLIANCE;
    scene_soften_equalities(s, ahead, y->soft, y->target);
}

Status scene_system_init(Scene *s, const double *q, double ahead, SceneSystem *out, Error *err)
{
    int size = s->model->v_count, bilateral = scene_equality_row_count(s);
    size_t n = (size_t)size, m = (size_t)bilateral;
    double *none = arena_array(&s->scratch, n, 1, sizeof *none);
    *out = (SceneSystem){.size = size, .bilateral = bilateral, .mass = s->mass};
    double *rows = out->rows = arena_array(&out->memory, m, n, sizeof *rows);
    out->target = arena_array(&out->memory, m, 1, sizeof *out->target);
    out->soft = arena_array(&out->memory, m, 1, sizeof *out->soft);
    if (s->scratch.failed || out->memory.failed)
        return error_no_memory(err);
    model_mass(s->model, &s->motion, s->mass);
    for (size_t i = 0; s->def.integrator == SCENE_VARIATIONAL && i < n; i++)
        s->inertia[i] = s->mass[i * n + i];
    add_implicit_part(s, n);
    scene_damp_ahead(s);
    scene_system_aim(s, q, ahead, out);
    DenseSystem system = {size, bilateral, s->mass, none, rows, out->target};
    Status status = s->def.attachment_count ? scene_fold_attached(s, &system, &out->carried, err) : STATUS_OK;
    if (!status && s->def.attachment_count) {
        out->mass = out->carried.whole.mass;
        out->rows = out->carried.whole.rows;
    }
    if (!status)
        status = kkt_init(&out->kkt, size, bilateral, err);
    return status ? status : kkt_factor(&out->kkt, s->mass, rows, out->soft, err);
}

int scene_system_is_soft(const SceneSystem *y, int row) { return y->soft[row] > EQUALITY_COMPLIANCE; }

void scene_system_free(SceneSystem *y)
{
    kkt_free(&y->kkt);
    arena_free(&y->memory);
}

void scene_system_momentum(const SceneSystem *y, const double *v, double *momentum)
{
    size_t n = (size_t)y->size;
    memset(momentum, 0, n * sizeof *momentum);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            momentum[i] += y->mass[i * n + k] * v[k];
}

void scene_system_fold(const Scene *s, const SceneSystem *y, double *b)
{
    if (s->def.attachment_count)
        scene_fold_rows(s, &y->carried, 1, b);
}

void scene_system_solve(const Scene *s, const SceneSystem *y, double *b)
{
    kkt_solve(&y->kkt, b);
    if (s->def.attachment_count)
        scene_spread_speeds(s, &y->carried, b);
}

void scene_system_add_impulses(const SceneSystem *y, const double *lambda, double *to)
{
    size_t n = (size_t)y->size;
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < (size_t)y->bilateral; r++)
            to[k] += y->rows[r * n + k] * lambda[r];
}

/* The right side: M^ v and the system's target. */
static Status prepare(Solve *p, const double *v, Error *err)
{
    size_t n = (size_t)p->size, m = (size_t)p->bilateral;
    p->right = arena_array(&p->scene->scratch, n + m, 1, sizeof *p->right);
    p->y = arena_array(&p->scene->scratch, n + m, 1, sizeof *p->y);
    if (p->scene->scratch.failed)
        return error_no_memory(err);
    scene_system_momentum(p->system, v, p->right);
    scene_system_fold(p->scene, p->system, p->right);
    if (m)
        memcpy(p->right + n, p->system->target, m * sizeof *p->right);
    return STATUS_OK;
}

/* Where each contact would slide without contacts: the motion takes the speeds of that answer. */
static void find_slips(Solve *p)
{
    Scene *s = p->scene;
    answer(p, 0);
    model_motion_set(&s->motion, s->model, p->ask.q, p->y, NULL);
    for (int k = 0; k < s->contact_count; k++) {
        SceneContact *c = &s->contact[k];
        Vec3 speed = vec3_sub(scene_speed_at(s, c->second, c->at.point), scene_speed_at(s, c->first, c->at.point));
        Vec3 slip = vec3_mad(speed, -vec3_dot(speed, c->at.normal), c->at.normal);
        c->slip = vec3_norm(slip) > LEAST_SLIP ? slip : vec3(0, 0, 0);
    }
}

int scene_has_limits(const Scene *s)
{
    int count = 0;
    for (int i = 0; i < s->model->joint_count && !s->model->off.no_limits; i++)
        count += s->model->joint[i].limited;
    return count + s->def.angle_limit_count > 0;
}

/* Adds the impulses of limits and contacts on the speeds as they were before attachments were folded. */
static void add_row_impulses(const Solve *p, double *to)
{
    const SceneRows *r = &p->scene->rows;
    const double *row = p->rows_before ? p->rows_before : r->row;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < p->size; k++)
            to[k] += row[(size_t)i * (size_t)p->size + (size_t)k] * r->z[i];
}

/* What holds the attached bodies in the change from v to the answer. */
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

static int some_push(const Scene *s)
{
    int some = 0;
    for (int i = 0; i < s->rows.count; i++)
        some |= s->rows.z[i] != 0;
    return some;
}

/* The answer p->y under all rows. */
static Status find_answer(Solve *p, Error *err)
{
    Scene *s = p->scene;
    Status status = STATUS_OK;
    if (s->contact_count)
        find_slips(p);
    if (s->contact_count || scene_has_limits(s))
        status = solve_rows(p, err);
    if (!status)
        answer(p, 1);
    return status;
}

Status scene_system_push(Scene *s, SceneSystem *y, const SceneRowsAsk *ask, double *v, double *impulse, Error *err)
{
    Solve p = {.scene = s, .ask = *ask, .system = y, .size = y->size, .bilateral = y->bilateral};
    size_t n = (size_t)y->size;
    s->rows = (SceneRows){0};
    Status status = prepare(&p, v, err);
    for (size_t r = 0; !status && r < (size_t)y->bilateral; r++)
        p.right[n + r] = dot_product(y->rows + r * n, v, y->size);
    if (!status)
        status = find_answer(&p, err);
    if (status)
        return status;
    add_row_impulses(&p, impulse);
    if (y->bilateral && some_push(s)) {
        scene_system_add_impulses(y, p.y + n, impulse);
        scene_note_equalities(s, p.y + n);
    }
    memcpy(v, p.y, n * sizeof *v);
    return STATUS_OK;
}

void scene_clear_held(Scene *s)
{
    size_t count = (size_t)(s->model->equality_count + s->def.attachment_count);
    for (size_t i = 0; i < count; i++)
        s->equality_force[i] = s->equality_couple[i] = vec3(0, 0, 0);
    for (int i = 0; i < s->def.given_count; i++)
        s->given_force[i] = 0;
}

/* The answer, and what it says of all that holds. */
static Status take_answer(Solve *p, double *v, int *held, Error *err)
{
    Scene *s = p->scene;
    Status status = find_answer(p, err);
    if (status)
        return status;
    *held |= some_push(s);
    scene_clear_held(s);
    if (p->bilateral)
        scene_note_equalities(s, p->y + p->size);
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
    s->rows = (SceneRows){0};
    *held = p.bilateral > 0 || s->def.attachment_count > 0;
    if (status || (!*held && !s->contact_count && !scene_has_limits(s)))
        return status;
    status = scene_system_init(s, q, rule->ahead, &system, err);
    if (!status)
        status = prepare(&p, v, err);
    if (!status)
        status = take_answer(&p, v, held, err);
    scene_system_free(&system);
    return status;
}
