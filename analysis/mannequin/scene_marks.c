/* See scene_marks.h. */
#include "analysis/mannequin/scene_marks.h"

#include "analysis/base/standard_gravity.h"


#define MIN_ARROW 0.02 /* fraction of the scene size: shorter force arrows are not shown */

/* Radii, fractions of the scene size. */
static const double thin = 0.003, line = 0.008, dot = 0.012, arrow = 0.004;

static const Vec3 of_particles = {0.45, 0.65, 0.6}, of_forces = {0.85, 0.3, 0.6};

static int is_grid(const Shapes *s, int shape)
{
    int grid = 1;
    for (int p = s->point_start[shape]; p < s->point_start[shape] + s->points[shape]; p++)
        grid &= s->point_particle[p] >= 0;
    return grid;
}

/* Adds a mark; with m->mark NULL only counts it. */
static void add(SceneMarks *m, SceneMark mark)
{
    if (m->count == SCENE_MARKS_MAX)
        return;
    if (m->mark)
        m->mark[m->count] = mark;
    m->count++;
}

static void add_all(SceneMarks *m)
{
    const Clip *c = m->clip;
    const Shapes *s = &c->shapes;
    m->count = 0;
    for (int i = 0; i < s->count; i++)
        for (int p = s->point_start[i]; !shape_is_solid(s->kind[i]) && p + 1 < s->point_start[i] + s->points[i]; p++) {
            const double *color = s->color + 4 * i;
            add(m, (SceneMark){MARK_LINE, p, p + 1, is_grid(s, i) ? thin : line, {color[0], color[1], color[2]}});
        }
    for (int i = 0; c->has_particles && i < c->particles.particle_count; i++)
        add(m, (SceneMark){MARK_DOT, i, i, dot, of_particles});
    for (int i = 0; c->has_contact && i < c->contact.point_count; i++)
        add(m, (SceneMark){MARK_FORCE, i, i, arrow, of_forces});
}

Status scene_marks_init(SceneMarks *m, const Clip *clip, double size, int has_forces, Arena *arena, Error *err)
{
    double mass = clip->has_body ? clip->body.total_mass : 0;
    *m = (SceneMarks){.clip = clip, .size = size, .newton = mass > 0 ? 0.5 * size / (mass * GRAVITY) : 0};
    if (!clip->has_shapes && !has_forces)
        return STATUS_OK;
    add_all(m);
    m->mark = arena_array(arena, (size_t)m->count, 1, sizeof *m->mark);
    if (!m->mark)
        return error_no_memory(err);
    add_all(m);
    return STATUS_OK;
}

static int place_point(const Clip *c, int frame, int point, const Vec3 *position, const Quat *orientation, Vec3 *out)
{
    const Shapes *s = &c->shapes;
    int joint = s->point_joint[point], particle = s->point_particle[point];
    if (joint >= 0)
        *out = vec3_add(position[joint], quat_rotate(orientation[joint], s->point[point]));
    else if (particle >= 0 && c->has_particles && frame < c->particles.frame_count)
        *out = c->particles.position[(size_t)frame * (size_t)c->particles.particle_count + (size_t)particle];
    else
        return 0;
    return 1;
}

/* Places the arrow on the line along which the force acts without a moment perpendicular to it. */
static int place_force(const SceneMarks *m, int frame, int point, const Vec3 *position, const Quat *orientation,
                       Vec3 end[2])
{
    const Contact *c = &m->clip->contact;
    size_t at = (size_t)frame * (size_t)c->point_count + (size_t)point;
    int joint = c->point_joint[point];
    Vec3 force = c->force[at];
    double square = vec3_dot(force, force);
    if (!(vec3_norm(force) * m->newton > MIN_ARROW * m->size))
        return 0;
    end[0] = vec3_add(position[joint], quat_rotate(orientation[joint], c->point_position[point]));
    if (c->moment)
        end[0] = vec3_mad(end[0], 1 / square, vec3_cross(force, c->moment[at]));
    end[1] = vec3_mad(end[0], m->newton, force);
    return 1;
}

int scene_mark_pose(const SceneMarks *m, int mark, int frame, const Vec3 *position, const Quat *orientation,
                    Vec3 end[2])
{
    const SceneMark *own = &m->mark[mark];
    if (own->kind == MARK_FORCE)
        return place_force(m, frame, own->first, position, orientation, end);
    if (own->kind == MARK_LINE)
        return place_point(m->clip, frame, own->first, position, orientation, &end[0]) &&
               place_point(m->clip, frame, own->second, position, orientation, &end[1]);
    const ParticleTrack *p = &m->clip->particles;
    end[0] = end[1] = p->position[(size_t)frame * (size_t)p->particle_count + (size_t)own->first];
    return 1;
}
