/* See scene_rolling.h. */
#include "analysis/sim/scene_rolling.h"

#include <math.h>

#include "analysis/model/model_motion.h"
#include "analysis/sim/scene_def.h"

/* Sine of the least tilt of a wheel: one that lies flat has no lowest point. */
#define FLAT 1e-6

enum { WHEEL_ROWS = 3 };

static int rolling_row_count(const SceneRolling *r) { return r->kind == ROLLING_EDGE ? 1 : WHEEL_ROWS; }

int scene_rolling_rows(const Scene *s)
{
    int count = 0;
    for (int i = 0; i < s->def.rolling_count; i++)
        count += rolling_row_count(&s->def.rolling[i]);
    return count;
}

int scene_rolling_closes(const Scene *s, int row)
{
    for (int i = 0; i < s->def.rolling_count; row -= rolling_row_count(&s->def.rolling[i++]))
        if (row < rolling_row_count(&s->def.rolling[i]))
            return row == 2;
    return 0;
}

static Vec3 rolling_normal(const Scene *s, const SceneRolling *r)
{
    Vec3 up = vec3_norm(r->normal) > 0 ? r->normal : vec3_neg(s->model->gravity);
    return vec3_norm(up) > 0 ? vec3_normalize(up) : vec3(0, 0, 1);
}

/* Frame of a wheel: forward direction, axle direction in the plane, normal; its lowest point, and the height of
 * that. */
typedef struct Stand {
    Vec3 point, direction[WHEEL_ROWS];
    double height;
} Stand;

static Stand rolling_stand(const Scene *s, const SceneRolling *r)
{
    Vec3 n = rolling_normal(s, r), centre = model_point(&s->motion, r->body, r->point);
    Vec3 axle = quat_rotate(s->motion.orientation[r->body], vec3_normalize(r->axis));
    Vec3 forward = vec3_cross(axle, n);
    double slope = fmax(FLAT, vec3_norm(forward));
    forward = vec3_scale(forward, 1 / slope);
    Vec3 down = vec3_scale(vec3_mad(n, -vec3_dot(n, axle), axle), -1 / slope);
    Vec3 point = vec3_mad(centre, r->radius, down);
    return (Stand){point, {forward, vec3_cross(n, forward), n}, vec3_dot(point, n)};
}

static Stand edge_stand(const Scene *s, const SceneRolling *r)
{
    Vec3 across = quat_rotate(s->motion.orientation[r->body], vec3_normalize(r->axis));
    return (Stand){model_point(&s->motion, r->body, r->point), {across}, 0};
}

void scene_put_rolling(const Scene *s, double ahead, double *row, double *target)
{
    size_t n = (size_t)s->model->v_count;
    for (int i = 0, at = 0; i < s->def.rolling_count; at += rolling_row_count(&s->def.rolling[i++])) {
        const SceneRolling *r = &s->def.rolling[i];
        Stand stand = r->kind == ROLLING_EDGE ? edge_stand(s, r) : rolling_stand(s, r);
        for (int k = 0; k < rolling_row_count(r); k++) {
            ModelWrench wrench = {r->body, stand.point, stand.direction[k], {0, 0, 0}};
            model_add_row(s->model, &s->motion, &wrench, 1, row + (size_t)(at + k) * n);
            target[at + k] = k == 2 && ahead > 0 ? (s->rolling_height[i] - stand.height) / ahead : 0;
        }
    }
}

void scene_note_rolling(Scene *s, const double *lambda)
{
    int at = 0, first = s->model->equality_count + s->def.attachment_count + s->def.path_count;
    for (int i = 0; i < s->def.rolling_count; i++) {
        const SceneRolling *r = &s->def.rolling[i];
        Stand stand = r->kind == ROLLING_EDGE ? edge_stand(s, r) : rolling_stand(s, r);
        for (int k = 0; k < rolling_row_count(r); k++, at++)
            s->equality_force[first + i] = vec3_mad(s->equality_force[first + i], lambda[at] / s->def.step,
                                                    stand.direction[k]);
    }
}

void scene_begin_rolling(Scene *s)
{
    for (int i = 0; i < s->def.rolling_count; i++)
        if (s->def.rolling[i].kind == ROLLING_WHEEL)
            s->rolling_height[i] = rolling_stand(s, &s->def.rolling[i]).height;
}
