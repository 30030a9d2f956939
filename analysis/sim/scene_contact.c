/* Finds the pairs of geoms of a scene that collide, and their contacts. */
#include <math.h>
#include <stdlib.h>

#include "analysis/sim/scene.h"
#include "analysis/sim/scene_state.h"
#include "analysis/sim/shape_contact.h"

static int is_excluded(const Model *m, int a, int b)
{
    for (int i = 0; i < m->exclude_count; i++)
        if ((m->exclude[i].first == a && m->exclude[i].second == b) ||
            (m->exclude[i].first == b && m->exclude[i].second == a))
            return 1;
    return 0;
}

/* A body and its parent do not collide, unless the parent is the world or the file has a contact pair for them. */
static int may_meet(const Model *m, const ModelGeom *a, const ModelGeom *b)
{
    int first = model_mover(m, a->body), second = model_mover(m, b->body);
    int above_first = first > 0 ? model_mover(m, m->body[first].parent) : 0;
    int above_second = second > 0 ? model_mover(m, m->body[second].parent) : 0;
    int relatives = (above_first == second && second > 0) || (above_second == first && first > 0);
    int bits = (a->type_bits & b->affinity_bits) || (b->type_bits & a->affinity_bits);
    return first != second && bits &&
           (!relatives || m->off.parents_collide) && !is_excluded(m, a->body, b->body);
}

/* The body that carries a body rigidly, followed to the end of the chain. */
static int carrier(const Scene *s, int body)
{
    const SceneAttachment *a = s->def.attachment;
    body = model_mover(s->model, body);
    for (int i = 0, steps = 0; i < s->def.attachment_count && steps <= s->def.attachment_count; i++)
        if (a[i].body == body && !a[i].turns) {
            body = model_mover(s->model, a[i].to);
            steps++;
            i = -1;
        }
    return body;
}

/* A body does not collide with its carrier, nor with other bodies that the same carrier holds rigidly. */
static int are_attached(const Scene *s, int first, int second)
{
    if (s->def.attachment_count && carrier(s, first) == carrier(s, second))
        return 1;
    for (int i = 0; i < s->def.attachment_count; i++) {
        int body = s->def.attachment[i].body, to = model_mover(s->model, s->def.attachment[i].to);
        int a = model_mover(s->model, first), b = model_mover(s->model, second);
        if ((a == body && b == to) || (a == to && b == body))
            return 1;
    }
    return 0;
}

/* Largest number of pairs in a scene; every pair is tested in every step. */
enum { MAX_PAIRS = 10000000 };

static int is_paired(const Model *m, int a, int b)
{
    for (int i = 0; i < m->contact_pair_count && !m->off.no_pairs; i++)
        if ((m->contact_pair[i].first == a && m->contact_pair[i].second == b) ||
            (m->contact_pair[i].first == b && m->contact_pair[i].second == a))
            return 1;
    return 0;
}

/* Iterator over the pairs of geoms that may collide. */
typedef struct PairWalk {
    const Model *model;
    int at, other; /* next pair of the file, or next geoms by their bits */
    int by_bits;
} PairWalk;

static int next_named(PairWalk *w, ScenePair *pair)
{
    const Model *m = w->model;
    for (; w->at < m->contact_pair_count && !m->off.no_pairs; w->at++) {
        const ModelContactPair *p = &m->contact_pair[w->at];
        if (model_mover(m, m->geom[p->first].body) == model_mover(m, m->geom[p->second].body))
            continue;
        *pair = (ScenePair){p->first < p->second ? p->first : p->second, p->first < p->second ? p->second : p->first,
                            p->friction};
        w->at++;
        return 1;
    }
    *w = (PairWalk){m, 0, 0, 1};
    return 0;
}

/* Advances to the next pair, those of the file first; returns 0 at the end. */
static int next_pair(PairWalk *w, ScenePair *pair)
{
    const Model *m = w->model;
    if (m->off.no_contact || (!w->by_bits && next_named(w, pair)))
        return !m->off.no_contact;
    for (; w->at < m->geom_count && !m->off.no_bits; w->at++, w->other = w->at)
        while (++w->other < m->geom_count) {
            const ModelGeom *a = &m->geom[w->at], *b = &m->geom[w->other];
            if (!may_meet(m, a, b) || is_paired(m, w->at, w->other))
                continue;
            *pair = (ScenePair){w->at, w->other,
                                model_limit_friction(model_pair_friction(a, b), model_pair_dimensions(a, b))};
            return 1;
        }
    return 0;
}

static int has_path(const Scene *s, int joint)
{
    int has = 0;
    for (int i = 0; i < s->def.path_count; i++)
        has |= s->def.path[i].joint == joint;
    return has;
}

/* Whether contacts cannot move a body: all joints between it and the world are driven. */
static int is_unmoved(const Scene *s, int body)
{
    const Model *m = s->model;
    for (; body > 0; body = m->body[body].parent)
        for (int j = 0; j < m->body[body].joint_count; j++)
            if (!has_path(s, m->body[body].joint_start + j))
                return 0;
    return 1;
}

static Status begin_geoms(Scene *s, Error *err)
{
    const Model *m = s->model;
    s->geom = arena_array(&s->memory, (size_t)m->geom_count, 1, sizeof *s->geom);
    if (!s->geom)
        return error_no_memory(err);
    for (int i = 0; i < s->pair_count; i++)
        s->geom[s->pair[i].first].meets = s->geom[s->pair[i].second].meets = 1;
    for (int i = 0; i < m->geom_count; i++) {
        SceneGeom *g = &s->geom[i];
        g->shape = (Shape){.kind = m->geom[i].shape, .size = m->geom[i].size};
        if (g->shape.kind == MODEL_HULL)
            g->shape.hull = &m->mesh[m->geom[i].mesh];
        g->reach = shape_reach(&g->shape);
        g->moves = isfinite(g->reach) && model_mover(m, m->geom[i].body) > 0;
    }
    return STATUS_OK;
}

Status scene_find_pairs(Scene *s, Error *err)
{
    const Model *m = s->model;
    for (int write = 0; write < 2; write++) {
        PairWalk walk = {.model = m};
        ScenePair pair;
        int count = 0;
        while (next_pair(&walk, &pair)) {
            const ModelGeom *a = &m->geom[pair.first], *b = &m->geom[pair.second];
            if (!shapes_can_meet(a->shape, b->shape) || are_attached(s, a->body, b->body) ||
                (s->def.path_count && is_unmoved(s, a->body) && is_unmoved(s, b->body)))
                continue;
            if (write)
                s->pair[count] = pair;
            if (++count > MAX_PAIRS)
                return error_set(err, STATUS_LIMIT, "more than %d pairs of geoms may collide: leave some out by "
                                 "contype and conaffinity", MAX_PAIRS);
        }
        if (!write)
            s->pair = arena_array(&s->memory, (size_t)count, 1, sizeof *s->pair);
        if (!s->pair)
            return error_no_memory(err);
        s->pair_count = count;
    }
    return begin_geoms(s, err);
}

/* The search begins at the last partner: on bodies with many geoms it is usually that of the next one, too. */
void scene_find_colliders(const Model *m, char *collides)
{
    PairWalk walk = {.model = m};
    ScenePair pair;
    if (m->off.no_contact)
        return;
    while (next_named(&walk, &pair))
        collides[pair.first] = collides[pair.second] = 1;
    for (int i = 0, last = 0; i < m->geom_count && !m->off.no_bits; i++)
        for (int tried = 0; !collides[i] && tried < m->geom_count; tried++) {
            int k = (last + tried) % m->geom_count;
            if (k == i || !may_meet(m, &m->geom[i], &m->geom[k]))
                continue;
            collides[i] = collides[k] = 1;
            last = k;
        }
}

/* Velocity of a body's material point at a position in the world, for the present motion. */
static Vec3 scene_speed_at(const Scene *s, int body, Vec3 place)
{
    const ModelMotion *m = &s->motion;
    return vec3_add(m->velocity[body], vec3_cross(m->angular_velocity[body], vec3_sub(place, m->position[body])));
}

static Status add(SceneContacts *list, const SceneContact *c, Error *err)
{
    if (list->count == list->room) {
        int room = 2 * list->room + 16;
        SceneContact *grown = realloc(list->contact, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        list->contact = grown;
        list->room = room;
    }
    list->contact[list->count++] = *c;
    return STATUS_OK;
}

/* Sets the pose of every geom in a pair, and the bound on its speed. */
static void place_geoms(Scene *s)
{
    for (int i = 0; i < s->model->geom_count; i++) {
        const ModelGeom *g = &s->model->geom[i];
        SceneGeom *at = &s->geom[i];
        if (!at->meets)
            continue;
        at->shape.position = model_point(&s->motion, g->body, g->position);
        at->shape.orientation = quat_mul(s->motion.orientation[g->body], g->orientation);
        at->speed = 0;
        if (at->moves)
            at->speed = vec3_norm(scene_speed_at(s, g->body, at->shape.position)) +
                        at->reach * vec3_norm(s->motion.angular_velocity[g->body]);
    }
}

static Status meet(Scene *s, const ScenePair *pair, const ContactRule *rule, Error *err)
{
    const ModelGeom *a = &s->model->geom[pair->first], *b = &s->model->geom[pair->second];
    const SceneGeom *first = &s->geom[pair->first], *second = &s->geom[pair->second];
    if (s->waits[a->body] || s->waits[b->body])
        return STATUS_OK;
    double apart = fmax(a->margin, b->margin) - fmax(a->gap, b->gap); /* distance at which they touch */
    /* how far they approach within the step at most: twice as far as their speeds and gravity carry them */
    double speed = rule->gravity * rule->ahead + first->speed + second->speed;
    double margin = 1e-3 + 2 * speed * rule->ahead + apart, max = first->reach + second->reach + margin;
    Vec3 way = vec3_sub(second->shape.position, first->shape.position);
    if (vec3_dot(way, way) > max * max)
        return STATUS_OK;
    Collision found[SHAPE_CONTACTS];
    int count = shapes_collide(&first->shape, &second->shape, margin, found);
    Status status = STATUS_OK;
    for (int k = 0; !status && k < count; k++) {
        SceneContact c = {.first = a->body, .second = b->body, .geom = {pair->first, pair->second}, .at = found[k],
                          .friction = pair->friction};
        if (s->parts)
            c.friction.spin = c.friction.roll = 0;
        if (s->def.friction >= 0)
            c.friction.slide = s->def.friction;
        Vec3 closing = vec3_sub(scene_speed_at(s, b->body, c.at.point), scene_speed_at(s, a->body, c.at.point));
        c.at.gap -= apart;
        if (contact_closes(rule, c.at.gap, vec3_dot(closing, c.at.normal), &c.min_speed))
            status = add(&s->contacts, &c, err);
        else if (c.at.gap > 0)
            status = add(&s->near, &c, err);
    }
    return status;
}

Status scene_find_contacts(Scene *s, const double *q, const ContactRule *rule, Error *err)
{
    Status status = STATUS_OK;
    if (!s->is_set)
        model_motion_set(&s->motion, s->model, q, s->v_before, NULL);
    s->contacts.count = s->near.count = s->is_set = 0;
    place_geoms(s);
    for (int i = 0; !status && i < s->pair_count; i++)
        status = meet(s, &s->pair[i], rule, err);
    return status;
}

void scene_record_contacts(Scene *s)
{
    for (int k = 0; k < s->contacts.count; k++) {
        const SceneContact *c = &s->contacts.contact[k];
        Vec3 force = vec3_scale(c->impulse, 1 / s->def.step), moment = vec3_cross(c->at.point, force);
        moment = vec3_mad(moment, 1 / s->def.step, c->couple);
        s->contact_force[c->second] = vec3_add(s->contact_force[c->second], force);
        s->contact_moment[c->second] = vec3_add(s->contact_moment[c->second], moment);
        s->contact_force[c->first] = vec3_sub(s->contact_force[c->first], force);
        s->contact_moment[c->first] = vec3_sub(s->contact_moment[c->first], moment);
    }
}

Status scene_add_closing(Scene *s, const double *q, const double *v, double ahead, int *added, Error *err)
{
    SceneContacts *near = &s->near;
    Status status = STATUS_OK;
    int kept = 0;
    *added = 0;
    if (near->count == 0)
        return STATUS_OK;
    model_motion_set(&s->motion, s->model, q, v, NULL);
    for (int i = 0; i < near->count; i++) {
        SceneContact c = near->contact[i];
        Vec3 closing = vec3_sub(scene_speed_at(s, c.second, c.at.point), scene_speed_at(s, c.first, c.at.point));
        if (status || c.at.gap + ahead * vec3_dot(closing, c.at.normal) >= 0) {
            near->contact[kept++] = c;
            continue;
        }
        c.min_speed = -c.at.gap / ahead;
        status = add(&s->contacts, &c, err);
        ++*added;
    }
    near->count = kept;
    model_motion_set(&s->motion, s->model, q, s->v_before, NULL);
    return status;
}
