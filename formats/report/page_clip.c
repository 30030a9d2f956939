/* See report_clips.h. */
#include "analysis/dynamics/torque_terms.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/stats/joint_series.h"
#include "formats/report/report_clips.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/foot_load.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/mannequin/mannequin.h"
#include "analysis/math/elementary.h"

/* Splits the magnitude of joint torques by cause. */

enum { PART_WEIGHT, PART_INERTIA, PART_GROUND, PART_REST };

static const int part_of[TERM_COUNT] = {
    [TERM_GRAVITY] = PART_WEIGHT, [TERM_LINEAR_INERTIA] = PART_INERTIA, [TERM_ANGULAR_INERTIA] = PART_INERTIA,
    [TERM_GYROSCOPIC] = PART_INERTIA, [TERM_GROUND_LEFT] = PART_GROUND, [TERM_GROUND_RIGHT] = PART_GROUND,
    [TERM_CONTACT] = PART_GROUND, [TERM_EXTERNAL] = PART_REST, [TERM_SPRINGS] = PART_REST,
};

static void put_parts(const TermLoad *term, Vec3 torque, double part[TORQUE_PARTS])
{
    double size = vec3_norm(torque), sum = 0;
    for (int i = 0; i < TERM_COUNT && size > 0; i++)
        part[part_of[i]] += vec3_dot(term[i].moment, torque) / size;
    for (int k = 0; k < PART_REST; k++)
        sum += part[k];
    part[PART_REST] = size - sum;
}

Status torque_parts(const Clip *clip, double **out, Error *err)
{
    size_t joints = (size_t)clip->skeleton.joint_count;
    Arena arena = {0};
    Loads loads = {0};
    TorqueTerms terms = {0};
    ClipView view = clip_view(clip);
    Status status = STATUS_OK;
    *out = array_new((size_t)clip->motion.frame_count, joints * TORQUE_PARTS, sizeof **out);
    if (!*out)
        return error_no_memory(err);
    if (clip->has_contact && clip->contact.point_count > 0)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    TorqueTerm *ground = arena_array(&arena, (size_t)loads.load_count, 1, sizeof *ground);
    for (int l = 0; ground && l < loads.load_count; l++)
        ground[l] = TERM_CONTACT; /* one group for all contacts */
    if (!status && arena.failed)
        status = error_no_memory(err);
    if (!status)
        status = torque_terms_init(&terms, &view, &(TermSource){&loads, ground}, loads.load_count > 0, err);
    for (int f = 0; f < clip->motion.frame_count && !status; f++) {
        torque_terms_at(&terms, f);
        for (size_t j = 0; j < joints; j++) {
            size_t at = (size_t)f * joints + j;
            put_parts(joint_torque_terms(&terms, (int)j), clip->dynamics.torque[at], *out + at * TORQUE_PARTS);
        }
    }
    torque_terms_free(&terms);
    loads_free(&loads);
    arena_free(&arena);
    if (status) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* The mannequin of a clip for its page. */

#define STEP 4e-4 /* m, smallest step of vertex positions; bodies over 26 m use a larger one */
enum { LAST_CODE = 65534 };

static void mannequin_span(const Mannequin *m, double *min, double *step)
{
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < m->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++) {
            low = fmin(low, vec3_component(m->position[v], axis));
            high = fmax(high, vec3_component(m->position[v], axis));
        }
    *min = m->vertex_count ? low : 0;
    *step = m->vertex_count ? fmax(STEP, (high - low) / LAST_CODE) : STEP;
}

typedef struct SkinWriter {
    const Mannequin *mannequin;
    double *value; /* [vertex or face] values of the current series */
    SeriesBlock *block;
} SkinWriter;

static Status put_vertices(const SkinWriter *to, int axis, SeriesScale scale, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int v = 0; v < m->vertex_count; v++)
        to->value[v] = vec3_component(m->position[v], axis);
    return series_append_scaled(to->block, to->value, (size_t)m->vertex_count, scale, err);
}

/* kind 0, 1: joints of the vertex; 2: weight of the second joint. */
static Status put_binding(const SkinWriter *to, int kind, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int v = 0; v < m->vertex_count; v++)
        to->value[v] = kind < 2 ? m->joint[v][kind] : nearbyint(SKIN_WEIGHT_STEPS * m->weight[v]);
    return series_append_scaled(to->block, to->value, (size_t)m->vertex_count, (SeriesScale){0, 1}, err);
}

static Status put_corners(const SkinWriter *to, int corner, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int f = 0; f < m->face_count; f++)
        to->value[f] = m->face[f][corner];
    return series_append_scaled(to->block, to->value, (size_t)m->face_count, (SeriesScale){0, 1}, err);
}

static void put_bind(const Mannequin *m, Json *json)
{
    json_member_open(json, "bind", '[');
    for (int j = 0; j < m->joint_count; j++)
        json_print(json, "%.5g,%.5g,%.5g,%.6g,%.6g,%.6g,%.6g", m->joint_position[j].x, m->joint_position[j].y,
                   m->joint_position[j].z, m->joint_orientation[j].x, m->joint_orientation[j].y,
                   m->joint_orientation[j].z, m->joint_orientation[j].w);
    json_close(json, ']');
}

/* Writes the vertex colours of a scene as runs: number of vertices, then red, green, blue, 0 to 255. */
static void put_tints(const Mannequin *m, Json *json)
{
    json_member_open(json, "tints", '[');
    for (int v = 0, end; v < m->vertex_count; v = end) {
        for (end = v + 1; end < m->vertex_count && !memcmp(&m->tint[end], &m->tint[v], sizeof *m->tint);)
            end++;
        json_print(json, "%d,%.0f,%.0f,%.0f", end - v, 255 * m->tint[v].x, 255 * m->tint[v].y, 255 * m->tint[v].z);
    }
    json_close(json, ']');
}

static Status put_series(const Mannequin *m, SeriesScale scale, SeriesBlock *block, Error *err)
{
    Arena arena = {0};
    int max = m->vertex_count > m->face_count ? m->vertex_count : m->face_count;
    SkinWriter to = {m, arena_array(&arena, (size_t)max, 1, sizeof(double)), block};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int axis = 0; axis < 3 && !status; axis++)
        status = put_vertices(&to, axis, scale, err);
    for (int kind = 0; kind < 3 && !status; kind++)
        status = put_binding(&to, kind, err);
    for (int corner = 0; corner < 3 && !status; corner++)
        status = put_corners(&to, corner, err);
    arena_free(&arena);
    return status;
}

Status skin_write(const Clip *clip, SeriesBlock *block, Json *json, Error *err)
{
    Mannequin m;
    SeriesScale scale;
    ClipView view = clip_view(clip);
    Status status = mannequin_init(&m, &view, clip->has_shapes ? &clip->shapes : NULL, err);
    if (status && status != STATUS_LIMIT)
        return status;
    if (m.vertex_count > LAST_CODE)
        m.vertex_count = m.face_count = 0; /* too many vertices: only joints are shown */
    mannequin_span(&m, &scale.min, &scale.step);
    json_open(json, '{');
    json_member_integer(json, "vertices", m.vertex_count);
    json_member_integer(json, "faces", m.face_count);
    json_member_number(json, "least", scale.min);
    json_member_number(json, "step", scale.step);
    put_bind(&m, json);
    if (m.tint)
        put_tints(&m, json);
    json_close(json, '}');
    status = put_series(&m, scale, block, err);
    mannequin_free(&m);
    return status;
}

/* Writes springs and tendons of a scene. */

void page_lines_write(const Shapes *s, Json *json)
{
    json_open(json, '[');
    for (int i = 0; i < s->count; i++) {
        const double *color = s->color + 4 * i;
        if (shape_is_solid(s->kind[i]))
            continue;
        json_open(json, '{');
        json_member_text(json, "kind", shape_kind_name(s->kind[i]));
        json_key(json, "color");
        json_print(json, "[%.0f,%.0f,%.0f]", 255 * color[0], 255 * color[1], 255 * color[2]);
        json_member_open(json, "points", '[');
        for (int p = s->point_start[i]; p < s->point_start[i] + s->points[i]; p++)
            json_print(json, "[%d,%d,%.6g,%.6g,%.6g]", s->point_joint[p], s->point_particle[p], s->point[p].x,
                       s->point[p].y, s->point[p].z);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* The quantities of a PageClip as series. */

#define GRAVITY 9.80665
enum { MAX_PARTICLES = 2000 };

typedef struct CurveChannel {
    const char *name, *unit;
    int keeps_largest; /* 1: a sample is the largest value of its frames */
    int (*count)(const PageClip *actor); /* number of series; 0: not available */
    double (*value)(const PageClip *actor, int frame, int series);
    SeriesScale scale; /* common scale of all series; step 0: a scale per series */
} CurveChannel;

#define ROTATION_STEP (1.0 / 16384) /* step of quaternion components: 0.12 mrad */

#define ANGLE_STEP 1e-3           /* rad, step of anatomical angles: 0.06 degrees; finer steps double the size */
#define USE_STEP 1e-3             /* step of utilization, up to 65 */
#define SD_STEP 5e-3              /* N m/kg, step of standard deviations of torques */

static size_t at(const PageClip *actor, int frame, int joint)
{
    return (size_t)frame * (size_t)actor->clip->skeleton.joint_count + (size_t)joint;
}

/* --- numbers of series --- */

static int three(const PageClip *actor) { (void)actor; return 3; }

static int rotation_series_count(const PageClip *actor) { return 4 * actor->clip->skeleton.joint_count; }
static int use_count(const PageClip *actor)
{
    const Clip *clip = actor->clip;
    return !actor->run && clip->has_anatomy && clip->anatomy.utilization ? clip->skeleton.joint_count : 0;
}

static int shift_count(const PageClip *actor)
{
    int count = 0;
    for (int j = 0; j < actor->clip->skeleton.joint_count; j++)
        count += 3 * actor->is_shifting[j];
    return count;
}

static int com_count(const PageClip *actor)
{
    return !actor->run && actor->clip->has_kinematics && actor->clip->kinematics.com ? 3 : 0;
}

static int load_count(const PageClip *actor)
{
    return actor->run || (actor->clip->has_dynamics && actor->mass > 0) ? actor->clip->skeleton.joint_count : 0;
}

static int part_count(const PageClip *actor)
{
    return actor->part && actor->mass > 0 ? TORQUE_PARTS * actor->clip->skeleton.joint_count : 0;
}

/* Standard deviations are calibrated on humans. The page of a capsule body does not show them; the clip file has
 * them. */
static int spread_count(const PageClip *actor)
{
    const Clip *c = actor->clip;
    int is_shown = !actor->run && c->has_dynamics && c->dynamics.torque_sd && strcmp(c->body.model, "capsules") != 0;
    return is_shown ? load_count(actor) : 0;
}

static int power_count(const PageClip *actor)
{
    return !actor->run && actor->clip->has_dynamics ? actor->clip->skeleton.joint_count : 0;
}

static int speed_count(const PageClip *actor)
{
    return !actor->run && actor->clip->has_kinematics ? actor->clip->skeleton.joint_count : 0;
}

static int error_count(const PageClip *actor) { return actor->run ? actor->clip->skeleton.joint_count : 0; }
static int support_count(const PageClip *actor) { return 3 * actor->support_count; }
static int residual_count(const PageClip *actor) { return !actor->run && actor->clip->has_dynamics && actor->mass > 0; }
static int ball_count(const PageClip *actor) { return actor->run && actor->run->ball ? 3 : 0; }

static int particle_count(const PageClip *actor)
{
    int count = !actor->run && actor->clip->has_particles ? actor->clip->particles.particle_count : 0;
    return 3 * (count < MAX_PARTICLES ? count : MAX_PARTICLES);
}

static int confidence_count(const PageClip *actor) { return actor->support_count > 0; }

int curves_coordinate_count(const PageClip *actor)
{
    return !actor->run && actor->clip->has_anatomy && actor->stride == 1 ? actor->clip->anatomy.coordinate_count : 0;
}

static int moment_count(const PageClip *actor)
{
    return actor->clip->has_dynamics && actor->mass > 0 ? curves_coordinate_count(actor) : 0;
}

static int moment_sd_count(const PageClip *actor) { return actor->clip->anatomy.moment_sd ? moment_count(actor) : 0; }
static int coordinate_use_count(const PageClip *actor)
{
    return actor->clip->anatomy.utilization ? moment_count(actor) : 0;
}

/* --- values --- */

static double root(const PageClip *actor, int frame, int axis)
{
    return vec3_component(actor->position[at(actor, frame, 0)], axis);
}

static double rotation(const PageClip *actor, int frame, int series)
{
    Quat q = actor->rotation[at(actor, frame / actor->stride, series / 4)];
    if (series % 4 == 0)
        return actor->is_implied[series / 4] ? 0 : q.w;
    return vec3_component(vec3(q.x, q.y, q.z), series % 4 - 1);
}

/* Only joints whose centre moves in the parent have series. */
static double shift(const PageClip *actor, int frame, int series)
{
    int joint = -1;
    for (int left = series / 3; left >= 0; left -= actor->is_shifting[joint])
        joint++;
    return vec3_component(actor->shift[at(actor, frame / actor->stride, joint)], series % 3);
}

/* Returns the largest utilization of the three axes of a joint. */
static double use(const PageClip *actor, int frame, int joint)
{
    return anatomy_joint_use(&actor->clip->anatomy, frame, joint);
}

static double com(const PageClip *actor, int frame, int axis)
{
    return vec3_component(actor->clip->kinematics.com[frame], axis);
}

static double torque(const PageClip *actor, int frame, int joint)
{
    const Vec3 *of = actor->run ? actor->run->torque : actor->clip->dynamics.torque;
    if (!actor->run && actor->is_residual[joint])
        return NAN; /* contained in the channels of the residual */
    return vec3_norm(of[at(actor, frame, joint)]) / actor->mass;
}

static double part(const PageClip *actor, int frame, int series)
{
    int joint = series / TORQUE_PARTS;
    double value = actor->part[at(actor, frame, joint) * TORQUE_PARTS + (size_t)(series % TORQUE_PARTS)];
    return actor->is_residual[joint] || actor->is_helper[joint] ? NAN : value / actor->mass;
}

/* Standard deviation of the torque's magnitude. */
static double torque_sd(const PageClip *actor, int frame, int joint)
{
    const Dynamics *d = &actor->clip->dynamics;
    size_t i = at(actor, frame, joint);
    if (actor->is_residual[joint])
        return NAN;
    return torque_sd_along(d->torque_sd[i], d->torque_correlation[i], vec3_normalize(d->torque[i])) / actor->mass;
}

static double power(const PageClip *actor, int frame, int joint)
{
    return actor->is_residual[joint] ? NAN : actor->clip->dynamics.power[at(actor, frame, joint)];
}

/* |omega_j - omega_parent| */
static double speed(const PageClip *actor, int frame, int joint)
{
    const Vec3 *omega = actor->clip->kinematics.angular_velocity;
    int parent = actor->clip->skeleton.parent[joint];
    Vec3 own = omega[at(actor, frame, joint)];
    return vec3_norm(parent < 0 ? own : vec3_sub(own, omega[at(actor, frame, parent)]));
}

static double of_coordinate(const PageClip *actor, const double *of, int frame, int coordinate)
{
    return of[anatomy_index(&actor->clip->anatomy, frame, coordinate)];
}

static double angle(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.angle, frame, coordinate);
}

static double moment(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.moment, frame, coordinate) / actor->mass;
}

static double moment_sd(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.moment_sd, frame, coordinate) / actor->mass;
}

static double coordinate_power(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.power, frame, coordinate);
}

static double coordinate_use(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.utilization, frame, coordinate);
}

static double orientation_error(const PageClip *actor, int frame, int joint)
{
    return actor->run->orientation_error[at(actor, frame, joint)];
}

static double position_error(const PageClip *actor, int frame, int joint)
{
    return actor->run->position_error[at(actor, frame, joint)];
}

static double support_force(const PageClip *actor, int frame, int series)
{
    Vec3 force, point;
    page_clip_support_force(actor, series / 3, frame, &force, &point);
    return vec3_component(force, series % 3);
}

static double support_point(const PageClip *actor, int frame, int series)
{
    Vec3 force, point;
    page_clip_support_force(actor, series / 3, frame, &force, &point);
    return vec3_component(point, series % 3);
}

static double ball(const PageClip *actor, int frame, int axis) { return vec3_component(actor->run->ball[frame], axis); }

static double particle(const PageClip *actor, int frame, int series)
{
    const ParticleTrack *p = &actor->clip->particles;
    return vec3_component(p->position[(size_t)frame * (size_t)p->particle_count + (size_t)series / 3], series % 3);
}

static double residual_force(const PageClip *actor, int frame, int series)
{
    (void)series;
    return vec3_norm(actor->clip->dynamics.residual_force[frame]) / (actor->mass * GRAVITY);
}

static double residual_torque(const PageClip *actor, int frame, int series)
{
    (void)series;
    return vec3_norm(actor->clip->dynamics.residual_torque[frame]) / actor->mass;
}

static double confidence(const PageClip *actor, int frame, int series)
{
    (void)series;
    return actor->clip->contact.confidence[frame];
}

static const CurveChannel channels[] = {
    {"root", "m", 0, three, root, {0, 0}},
    {"turn", "", 0, rotation_series_count, rotation, {-1, ROTATION_STEP}},
    {"shift", "m", 0, shift_count, shift, {0, 0}},
    {"com", "m", 0, com_count, com, {0, 0}},
    {"torque", "N m/kg", 1, load_count, torque, {0, 0}},
    {"torque_sd", "N m/kg", 1, spread_count, torque_sd, {0, SD_STEP}},
    {"utilization", "of strength", 1, use_count, use, {0, 0}},
    {"parts", "N m/kg", 0, part_count, part, {0, 0}},
    {"power", "W", 1, power_count, power, {0, 0}},
    {"angle", "rad", 0, curves_coordinate_count, angle, {-PI, ANGLE_STEP}},
    {"moment", "N m/kg", 0, moment_count, moment, {0, 0}},
    {"moment_sd", "N m/kg", 0, moment_sd_count, moment_sd, {0, 0}},
    {"coordinate_power", "W", 0, moment_count, coordinate_power, {0, 0}},
    {"coordinate_utilization", "of strength", 0, coordinate_use_count, coordinate_use, {0, USE_STEP}},
    {"speed", "rad/s", 1, speed_count, speed, {0, 0}},
    {"orientation_error", "rad", 1, error_count, orientation_error, {0, 0}},
    {"position_error", "m", 1, error_count, position_error, {0, 0}},
    {"support_force", "N", 0, support_count, support_force, {0, 0}},
    {"support_place", "m", 0, support_count, support_point, {0, 0}},
    {"residual_force", "body weights", 1, residual_count, residual_force, {0, 0}},
    {"residual_torque", "N m/kg", 1, residual_count, residual_torque, {0, 0}},
    {"ball", "m", 0, ball_count, ball, {0, 0}},
    {"particle", "m", 0, particle_count, particle, {0, 0}},
    {"confidence", "", 0, confidence_count, confidence, {0, 0}},
};

static double channel_largest(const CurveChannel *channel, const PageClip *actor, int first, int series)
{
    int end = first + actor->stride < actor->frame_count ? first + actor->stride : actor->frame_count;
    double largest = channel->value(actor, first, series);
    for (int f = first + 1; f < end; f++) {
        double value = channel->value(actor, f, series);
        if (!(fabs(value) <= fabs(largest))) /* also replaces a NaN */
            largest = value;
    }
    return largest;
}

/* Output of the series of a clip. */
typedef struct Writer {
    const PageClip *actor;
    double *sample; /* [sample_count] values of the current series */
    SeriesBlock *block;
    Json *json;
} Writer;

static Status write_series(const Writer *to, const CurveChannel *channel, int series, Error *err)
{
    const PageClip *actor = to->actor;
    SeriesScale scale = channel->scale;
    for (int i = 0; i < actor->sample_count; i++)
        to->sample[i] = channel->keeps_largest ? channel_largest(channel, actor, i * actor->stride, series)
                                               : channel->value(actor, i * actor->stride, series);
    size_t count = (size_t)actor->sample_count;
    Status status = scale.step > 0 ? series_append_scaled(to->block, to->sample, count, scale, err)
                                   : series_append(to->block, to->sample, count, &scale, err);
    if (status)
        return status;
    json_open(to->json, '[');
    json_number(to->json, scale.min);
    json_number(to->json, scale.step);
    json_close(to->json, ']');
    return STATUS_OK;
}

Status curves_write(const PageClip *actor, SeriesBlock *block, Json *json, Error *err)
{
    Status status = STATUS_OK;
    double *sample = array_new((size_t)actor->sample_count, 1, sizeof *sample);
    Writer to = {actor, sample, block, json};
    if (!sample)
        return error_no_memory(err);
    json_open(json, '[');
    for (size_t c = 0; c < sizeof channels / sizeof *channels && !status; c++) {
        int count = channels[c].count(actor);
        if (count <= 0)
            continue;
        json_open(json, '{');
        json_member_text(json, "name", channels[c].name);
        json_member_text(json, "unit", channels[c].unit);
        json_member_open(json, "series", '[');
        for (int s = 0; s < count && !status; s++)
            status = write_series(&to, &channels[c], s, err);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
    free(sample);
    return status;
}

static Status fail(PageClip *actor, Status status)
{
    if (status)
        page_clip_free(actor);
    return status;
}

/* Contact points apply only to the clip's own motion, not to a tracked one. */
static int has_points(const PageClip *actor)
{
    return !actor->run && actor->clip->has_contact && actor->clip->contact.point_count > 0;
}

/* Returns the support of a contact point. All joints of a foot are one support, at the joint with the ankle role, else
 * the point's joint. */
static Support support_of_point(const Clip *clip, int point)
{
    int joint = clip->contact.point_joint[point];
    int foot = foot_of_segment(clip->skeleton.segment[joint]);
    if (foot == FOOT_COUNT)
        return (Support){foot, joint};
    int ankle = skeleton_find_role(&clip->skeleton, foot == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE);
    return (Support){foot, ankle < 0 ? joint : ankle};
}

static int by_side(const void *a, const void *b)
{
    const Support *left = a, *right = b;
    if (left->foot != right->foot)
        return left->foot - right->foot;
    return left->foot < FOOT_COUNT ? 0 : left->joint - right->joint;
}

static int find_support(const PageClip *actor, Support wanted)
{
    for (int s = 0; s < actor->support_count; s++)
        if (by_side(&actor->support[s], &wanted) == 0)
            return s;
    return -1;
}

/* Returns 1 if the point belongs to a foot or touches the ground in any frame. */
static int is_used(const Clip *clip, int point)
{
    const Contact *c = &clip->contact;
    int used = foot_of_segment(clip->skeleton.segment[c->point_joint[point]]) < FOOT_COUNT;
    for (int f = 0; f < c->frame_count && !used; f++)
        used = c->state[(size_t)f * (size_t)c->point_count + (size_t)point] > 0.5;
    return used;
}

static Status find_supports(PageClip *actor, Error *err)
{
    int points = has_points(actor) ? actor->clip->contact.point_count : 0;
    actor->support = array_new((size_t)points, 1, sizeof *actor->support);
    actor->point_support = array_new((size_t)points, 1, sizeof *actor->point_support);
    if (!actor->support || !actor->point_support)
        return error_no_memory(err);
    for (int p = 0; p < points; p++)
        if (is_used(actor->clip, p) && find_support(actor, support_of_point(actor->clip, p)) < 0)
            actor->support[actor->support_count++] = support_of_point(actor->clip, p);
    if (actor->support_count > 1)
        qsort(actor->support, (size_t)actor->support_count, sizeof *actor->support, by_side);
    for (int p = 0; p < points; p++)
        actor->point_support[p] = find_support(actor, support_of_point(actor->clip, p));
    return STATUS_OK;
}

static Status find_kinds(PageClip *actor, Error *err)
{
    const Clip *clip = actor->clip;
    size_t joints = (size_t)clip->skeleton.joint_count;
    actor->is_residual = array_new(joints, 1, 1);
    actor->is_helper = array_new(joints, 1, 1);
    if (!actor->is_residual || !actor->is_helper)
        return error_no_memory(err);
    for (int j = 0; j < clip->skeleton.joint_count; j++) {
        actor->is_residual[j] = (unsigned char)joint_carries_residual(clip, j);
        actor->is_helper[j] = (unsigned char)joint_is_helper(clip, j);
    }
    return STATUS_OK;
}

#define IMPLIED 0.3   /* smallest w that can be computed from x, y and z accurately */
#define SHIFTING 2e-4 /* m: joints whose offset deviates less from its mean are rigid */

static void find_shifts(PageClip *actor)
{
    size_t joints = (size_t)actor->clip->skeleton.joint_count, samples = (size_t)actor->sample_count;
    for (size_t j = 0; j < joints; j++) {
        Vec3 sum = {0, 0, 0};
        int known = 0;
        for (size_t i = 0; i < samples; i++) {
            Vec3 at = actor->shift[i * joints + j];
            if (isfinite(at.x + at.y + at.z)) {
                sum = vec3_add(sum, at);
                known++;
            }
        }
        actor->offset[j] = known ? vec3_scale(sum, 1.0 / known) : actor->clip->skeleton.offset[j];
        for (size_t i = 0; i < samples; i++)
            actor->is_shifting[j] |= vec3_distance(actor->shift[i * joints + j], actor->offset[j]) > SHIFTING;
    }
    actor->is_shifting[0] = 0; /* the root position has its own channel */
}

/* Computes rotations and offsets relative to the parent per sample. They can be interpolated, and repeat while a joint
 * rests, which compresses well. */
static Status find_rotations(PageClip *actor, Error *err)
{
    const int *parent = actor->clip->skeleton.parent;
    size_t joints = (size_t)actor->clip->skeleton.joint_count, samples = (size_t)actor->sample_count;
    int failed = 0;
    actor->rotation = array_try(&failed, samples, joints, sizeof(Quat));
    actor->shift = array_try(&failed, samples, joints, sizeof(Vec3));
    actor->offset = array_try(&failed, joints, 1, sizeof *actor->offset);
    actor->is_shifting = array_try(&failed, joints, 1, 1);
    actor->is_implied = array_try(&failed, joints, 1, 1);
    if (failed)
        return error_no_memory(err);
    memset(actor->is_implied, 1, joints);
    Quat *rotation = actor->rotation;
    for (size_t i = 0; i < samples; i++)
        for (size_t j = 0; j < joints; j++) {
            size_t at = i * (size_t)actor->stride * joints + j, own = i * joints + j;
            rotation[own] = actor->orientation[at];
            if (parent[j] >= 0) {
                size_t up = at - j + (size_t)parent[j];
                rotation[own] = quat_mul(quat_conjugate(actor->orientation[up]), rotation[own]);
                actor->shift[own] =
                    quat_rotate_inverse(actor->orientation[up], vec3_sub(actor->position[at], actor->position[up]));
            }
            rotation[own] = quat_nearest(rotation[own], i ? rotation[own - joints] : QUAT_IDENTITY);
            actor->is_implied[j] &= rotation[own].w > IMPLIED;
        }
    find_shifts(actor);
    return STATUS_OK;
}

static Status find_common(PageClip *actor, long max_values, Error *err)
{
    const Clip *clip = actor->clip;
    long values = (long)actor->frame_count * (clip->skeleton.joint_count + clip->skeleton.end_count);
    actor->mass = clip->has_body && clip->body.total_mass > 0 ? clip->body.total_mass : NAN;
    actor->stride = (int)(values / max_values) + (values % max_values > 0);
    actor->stride += actor->stride == 0;
    actor->sample_count = (actor->frame_count + actor->stride - 1) / actor->stride;
    Status status = find_rotations(actor, err);
    if (!status)
        status = find_supports(actor, err);
    return status ? status : find_kinds(actor, err);
}

static Status make_pose(PageClip *actor, Error *err)
{
    size_t frames = (size_t)actor->frame_count, joints = (size_t)actor->clip->skeleton.joint_count;
    actor->own_position = array_new(frames, joints, sizeof(Vec3));
    actor->own_orientation = array_new(frames, joints, sizeof(Quat));
    if (!actor->own_position || !actor->own_orientation)
        return error_no_memory(err);
    actor->position = actor->own_position;
    actor->orientation = actor->own_orientation;
    return STATUS_OK;
}

Status page_clip_init(const Clip *clip, long max_values, PageClip *out, Error *err)
{
    const Motion *motion = &clip->motion;
    *out = (PageClip){.clip = clip, .frame_count = motion->frame_count, .frame_time = motion->frame_time};
    if (motion->frame_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "holds no frame");
    out->start = motion->time[0];
    Status status = STATUS_OK;
    if (clip->has_kinematics) {
        out->position = clip->kinematics.position;
        out->orientation = clip->kinematics.orientation;
    } else {
        status = make_pose(out, err);
        if (!status)
            status = forward_kinematics(&(ClipView){.skeleton = &clip->skeleton, .motion = motion}, LANES_AUTO,
                                        &(WorldPoses){out->own_position, out->own_orientation, NULL}, err);
    }
    if (!status)
        status = find_common(out, max_values, err);
    if (!status && out->stride == 1 && clip->has_dynamics && clip->has_body && clip->has_kinematics)
        status = torque_parts(clip, &out->part, err);
    return fail(out, status);
}

/* Interpolates a root position or translation linearly between two frames. */
static Vec3 between(const Motion *motion, const Vec3 *row, size_t stride, double time)
{
    double position = (time - motion->time[0]) / motion->frame_time, last = motion->frame_count - 1;
    position = position > 0 ? fmin(position, last) : 0; /* NaN: 0 */
    size_t f = (size_t)fmin(floor(position), fmax(last - 1, 0)), next = last > 0 ? f + 1 : f;
    return vec3_lerp(row[f * stride], row[next * stride], position - (double)f);
}

/* p_j = p_parent + Q_parent l_j, with simulated orientations and the prescribed root position. */
static void place_joints(PageClip *actor, int frame)
{
    const Clip *clip = actor->clip;
    const Motion *motion = &clip->motion;
    size_t joints = (size_t)clip->skeleton.joint_count, row = (size_t)frame * joints;
    double time = clip->tracking.time[frame];
    actor->own_position[row] = between(motion, motion->root_position, 1, time);
    for (size_t j = 1; j < joints; j++) {
        size_t up = row + (size_t)clip->skeleton.parent[j];
        Vec3 offset = motion->translation ? between(motion, motion->translation + j, joints, time)
                                          : clip->skeleton.offset[j];
        actor->own_position[row + j] =
            vec3_add(actor->own_position[up], quat_rotate(actor->run->orientation[up], offset));
    }
}

Status page_clip_init_controller(const Clip *clip, ControllerKind kind, long max_values, PageClip *out, Error *err)
{
    const Tracking *tracking = &clip->tracking;
    *out = (PageClip){.clip = clip, .controller = kind, .frame_count = clip->has_tracking ? tracking->frame_count : 0};
    if (out->frame_count < 1 || !tracking->run[kind].present || clip->motion.frame_count < 1)
        return error_set(err, STATUS_USAGE, "has no motion of the controller %s: run kane track first",
                         controller_name(kind));
    out->run = &tracking->run[kind];
    out->start = tracking->time[0];
    out->frame_time = clip->motion.frame_time;
    if (tracking->frame_count > 1)
        out->frame_time = (tracking->time[tracking->frame_count - 1] - out->start) / (tracking->frame_count - 1);
    Status status = make_pose(out, err);
    if (status)
        return fail(out, status);
    out->orientation = out->run->orientation;
    for (int f = 0; f < out->frame_count; f++)
        place_joints(out, f);
    return fail(out, find_common(out, max_values, err));
}

void page_clip_free(PageClip *actor)
{
    if (!actor)
        return;
    free(actor->own_position);
    free(actor->own_orientation);
    free(actor->rotation);
    free(actor->shift);
    free(actor->offset);
    free(actor->is_implied);
    free(actor->is_shifting);
    free(actor->support);
    free(actor->point_support);
    free(actor->is_residual);
    free(actor->is_helper);
    free(actor->part);
    *actor = (PageClip){0};
}

int page_clip_is_down(const PageClip *actor, int support, int frame)
{
    const Contact *c = &actor->clip->contact;
    const double *state = c->state + (size_t)frame * (size_t)c->point_count;
    for (int p = 0; p < c->point_count; p++)
        if (state[p] > 0.5 && actor->point_support[p] == support)
            return 1;
    return 0;
}

/* Sums the forces at the points of a support, and computes their mean position weighted by normal force. */
static void joint_force(const PageClip *actor, int support, int frame, Vec3 *force, Vec3 *point)
{
    const Contact *c = &actor->clip->contact;
    size_t joints = (size_t)actor->clip->skeleton.joint_count;
    Vec3 sum = {0, 0, 0};
    double carried = 0;
    for (int p = 0; p < c->point_count; p++) {
        if (actor->point_support[p] != support)
            continue;
        Vec3 one = c->force[(size_t)frame * (size_t)c->point_count + (size_t)p];
        size_t at = (size_t)frame * joints + (size_t)c->point_joint[p];
        Vec3 origin = vec3_add(actor->position[at], quat_rotate(actor->orientation[at], c->point_position[p]));
        double weight = fabs(vec3_dot(one, c->ground_normal)), square = vec3_dot(one, one);
        if (c->moment && square > 0) /* the point on the line of action, about which the moment is parallel to the
                                        force */
            origin = vec3_mad(origin, 1 / square,
                                vec3_cross(one, c->moment[(size_t)frame * (size_t)c->point_count + (size_t)p]));
        *force = vec3_add(*force, one);
        sum = vec3_mad(sum, weight, origin);
        carried += weight;
    }
    *point = carried > 0 ? vec3_scale(sum, 1 / carried) : vec3(NAN, NAN, NAN);
}

void page_clip_support_force(const PageClip *actor, int support, int frame, Vec3 *force, Vec3 *point)
{
    const Contact *c = &actor->clip->contact;
    int foot = actor->support[support].foot;
    *force = vec3(0, 0, 0);
    if (foot == FOOT_COUNT) {
        joint_force(actor, support, frame, force, point);
        return;
    }
    size_t at = (size_t)frame * FOOT_COUNT + (size_t)foot;
    *force = c->foot_force[at];
    *point = vec3_norm(*force) > 0 ? c->foot_cop[at] : vec3(NAN, NAN, NAN);
}
