/* See page_curves.h. */
#include "formats/report/page_curves.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/math/elementary.h"
#include "formats/report/torque_parts.h"

#define GRAVITY 9.80665 /* m/s2 */
#define ROTATION_STEP (1.0 / 16384) /* step of quaternion components: 0.12 mrad */
#define ANGLE_STEP 1e-3           /* rad, step of anatomical angles: 0.06 degrees; finer steps double the size */
#define USE_STEP 1e-3             /* step of utilization, up to 65 */
#define SD_STEP 5e-3              /* N m/kg, step of standard deviations of torques */
enum { MAX_PARTICLES = 2000 };

typedef struct CurveChannel {
    const char *name, *unit;
    int keeps_largest; /* 1: a sample is the largest value of its frames */
    int (*count)(const PageClip *actor); /* number of series; 0: not available */
    double (*value)(const PageClip *actor, int frame, int series);
    SeriesScale scale; /* common scale of all series; step 0: a scale per series */
} CurveChannel;

static size_t at(const PageClip *actor, int frame, int joint)
{
    return (size_t)frame * (size_t)actor->clip->skeleton.joint_count + (size_t)joint;
}

static int three(const PageClip *actor) { (void)actor; return 3; }

static int rotation_series_count(const PageClip *actor) { return 4 * actor->clip->skeleton.joint_count; }
static int use_count(const PageClip *actor)
{
    const Clip *clip = actor->clip;
    return !actor->run && clip->has_angles && clip->angles.utilization ? clip->skeleton.joint_count : 0;
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

static int confidence_count(const PageClip *actor) { return !actor->run && actor->support_count > 0; }

int curves_coordinate_count(const PageClip *actor)
{
    return !actor->run && actor->clip->has_angles && actor->stride == 1 ? actor->clip->angles.coordinate_count : 0;
}

static int moment_count(const PageClip *actor)
{
    return actor->clip->has_dynamics && actor->mass > 0 ? curves_coordinate_count(actor) : 0;
}

static int moment_sd_count(const PageClip *actor) { return actor->clip->angles.moment_sd ? moment_count(actor) : 0; }
static int coordinate_use_count(const PageClip *actor)
{
    return actor->clip->angles.utilization ? moment_count(actor) : 0;
}

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
    return joint_angles_utilization(&actor->clip->angles, frame, joint);
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
    return of[joint_angles_index(&actor->clip->angles, frame, coordinate)];
}

static double angle(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->angles.angle, frame, coordinate);
}

static double moment(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->angles.moment, frame, coordinate) / actor->mass;
}

static double moment_sd(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->angles.moment_sd, frame, coordinate) / actor->mass;
}

static double coordinate_power(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->angles.power, frame, coordinate);
}

static double coordinate_use(const PageClip *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->angles.utilization, frame, coordinate);
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
