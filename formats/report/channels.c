#include "formats/report/channels.h"

#include <stdlib.h>

#include "analysis/base/memory.h"
#include "analysis/math/elementary.h"
#include "formats/base/text.h"
#include "formats/report/torque_parts.h"

#define GRAVITY 9.80665

typedef struct Channel {
    const char *name, *unit;
    int keeps_largest; /* of the frames that a sample stands for */
    int (*count)(const Actor *actor); /* series; 0: the actor has none */
    double (*value)(const Actor *actor, int frame, int series);
    SeriesScale scale; /* of all its series; step 0: each has its own */
} Channel;

#define TURN_STEP (1.0 / 16384) /* of a component of a quaternion: 0.12 mrad */

#define ANGLE_STEP 1e-3           /* rad, of an anatomical angle: 0.06 degrees; finer ones take twice the bytes */
#define USE_STEP 1e-3             /* share of strength, up to 65 */

static size_t at(const Actor *actor, int frame, int joint)
{
    return (size_t)frame * (size_t)actor->clip->skeleton.joint_count + (size_t)joint;
}

/* --- how many --- */

static int three(const Actor *actor) { (void)actor; return 3; }

static int turn_count(const Actor *actor) { return 4 * actor->clip->skeleton.joint_count; }
static int use_count(const Actor *actor)
{
    return !actor->run && actor->clip->has_anatomy && actor->clip->anatomy.use ? actor->clip->skeleton.joint_count : 0;
}

static int shift_count(const Actor *actor)
{
    int count = 0;
    for (int j = 0; j < actor->clip->skeleton.joint_count; j++)
        count += 3 * actor->is_shifting[j];
    return count;
}

static int com_count(const Actor *actor)
{
    return !actor->run && actor->clip->has_kinematics && actor->clip->kinematics.com ? 3 : 0;
}

static int load_count(const Actor *actor)
{
    return actor->run || (actor->clip->has_dynamics && actor->mass > 0) ? actor->clip->skeleton.joint_count : 0;
}

static int part_count(const Actor *actor)
{
    return actor->part && actor->mass > 0 ? TORQUE_PARTS * actor->clip->skeleton.joint_count : 0;
}

static int spread_count(const Actor *actor)
{
    return !actor->run && actor->clip->has_dynamics && actor->clip->dynamics.torque_sd ? load_count(actor) : 0;
}

static int power_count(const Actor *actor)
{
    return !actor->run && actor->clip->has_dynamics ? actor->clip->skeleton.joint_count : 0;
}

static int speed_count(const Actor *actor)
{
    return !actor->run && actor->clip->has_kinematics ? actor->clip->skeleton.joint_count : 0;
}

static int error_count(const Actor *actor) { return actor->run ? actor->clip->skeleton.joint_count : 0; }
static int support_count(const Actor *actor) { return 3 * actor->support_count; }
static int residual_count(const Actor *actor) { return !actor->run && actor->clip->has_dynamics && actor->mass > 0; }
static int confidence_count(const Actor *actor) { return actor->support_count > 0; }

int channels_coordinate_count(const Actor *actor)
{
    return !actor->run && actor->clip->has_anatomy && actor->stride == 1 ? actor->clip->anatomy.coordinate_count : 0;
}

static int moment_count(const Actor *actor)
{
    return actor->clip->has_dynamics && actor->mass > 0 ? channels_coordinate_count(actor) : 0;
}

static int moment_sd_count(const Actor *actor) { return actor->clip->anatomy.moment_sd ? moment_count(actor) : 0; }
static int coordinate_use_count(const Actor *actor) { return actor->clip->anatomy.use ? moment_count(actor) : 0; }

/* --- how much --- */

static double root(const Actor *actor, int frame, int axis)
{
    return vec3_component(actor->position[at(actor, frame, 0)], axis);
}

static double turn(const Actor *actor, int frame, int series)
{
    Quat q = actor->turn[at(actor, frame / actor->stride, series / 4)];
    if (series % 4 == 0)
        return actor->is_implied[series / 4] ? 0 : q.w;
    return vec3_component(vec3(q.x, q.y, q.z), series % 4 - 1);
}

/* Of the joints whose centres leave their places. */
static double shift(const Actor *actor, int frame, int series)
{
    int joint = -1;
    for (int left = series / 3; left >= 0; left -= actor->is_shifting[joint])
        joint++;
    return vec3_component(actor->shift[at(actor, frame / actor->stride, joint)], series % 3);
}

/* Of the three axes of a joint the one that is nearest to its strength. */
static double use(const Actor *actor, int frame, int joint)
{
    return anatomy_joint_use(&actor->clip->anatomy, frame, joint);
}

static double com(const Actor *actor, int frame, int axis)
{
    return vec3_component(actor->clip->kinematics.com[frame], axis);
}

static double torque(const Actor *actor, int frame, int joint)
{
    const Vec3 *of = actor->run ? actor->run->torque : actor->clip->dynamics.torque;
    if (!actor->run && actor->is_residual[joint])
        return NAN; /* the channels of the residual tell it */
    return vec3_norm(of[at(actor, frame, joint)]) / actor->mass;
}

static double part(const Actor *actor, int frame, int series)
{
    int joint = series / TORQUE_PARTS;
    double value = actor->part[at(actor, frame, joint) * TORQUE_PARTS + (size_t)(series % TORQUE_PARTS)];
    return actor->is_residual[joint] || actor->is_helper[joint] ? NAN : value / actor->mass;
}

/* Of the torque's size. */
static double torque_sd(const Actor *actor, int frame, int joint)
{
    const Dynamics *d = &actor->clip->dynamics;
    size_t i = at(actor, frame, joint);
    if (actor->is_residual[joint])
        return NAN;
    return torque_sd_along(d->torque_sd[i], d->torque_correlation[i], vec3_normalize(d->torque[i])) / actor->mass;
}

static double power(const Actor *actor, int frame, int joint)
{
    return actor->is_residual[joint] ? NAN : actor->clip->dynamics.power[at(actor, frame, joint)];
}

/* |omega_j - omega_parent| */
static double speed(const Actor *actor, int frame, int joint)
{
    const Vec3 *omega = actor->clip->kinematics.angular_velocity;
    int parent = actor->clip->skeleton.parent[joint];
    Vec3 own = omega[at(actor, frame, joint)];
    return vec3_norm(parent < 0 ? own : vec3_sub(own, omega[at(actor, frame, parent)]));
}

static double of_coordinate(const Actor *actor, const double *of, int frame, int coordinate)
{
    return of[anatomy_index(&actor->clip->anatomy, frame, coordinate)];
}

static double angle(const Actor *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.angle, frame, coordinate);
}

static double moment(const Actor *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.moment, frame, coordinate) / actor->mass;
}

static double moment_sd(const Actor *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.moment_sd, frame, coordinate) / actor->mass;
}

static double coordinate_power(const Actor *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.power, frame, coordinate);
}

static double coordinate_use(const Actor *actor, int frame, int coordinate)
{
    return of_coordinate(actor, actor->clip->anatomy.use, frame, coordinate);
}

static double orientation_error(const Actor *actor, int frame, int joint)
{
    return actor->run->orientation_error[at(actor, frame, joint)];
}

static double position_error(const Actor *actor, int frame, int joint)
{
    return actor->run->position_error[at(actor, frame, joint)];
}

static double support_force(const Actor *actor, int frame, int series)
{
    Vec3 force, place;
    actor_support_force(actor, series / 3, frame, &force, &place);
    return vec3_component(force, series % 3);
}

static double support_place(const Actor *actor, int frame, int series)
{
    Vec3 force, place;
    actor_support_force(actor, series / 3, frame, &force, &place);
    return vec3_component(place, series % 3);
}

static double residual_force(const Actor *actor, int frame, int series)
{
    (void)series;
    return vec3_norm(actor->clip->dynamics.residual_force[frame]) / (actor->mass * GRAVITY);
}

static double residual_torque(const Actor *actor, int frame, int series)
{
    (void)series;
    return vec3_norm(actor->clip->dynamics.residual_torque[frame]) / actor->mass;
}

static double confidence(const Actor *actor, int frame, int series)
{
    (void)series;
    return actor->clip->contact.confidence[frame];
}

static const Channel channels[] = {
    {"root", "m", 0, three, root, {0, 0}},
    {"turn", "", 0, turn_count, turn, {-1, TURN_STEP}},
    {"shift", "m", 0, shift_count, shift, {0, 0}},
    {"com", "m", 0, com_count, com, {0, 0}},
    {"torque", "Nm/kg", 1, load_count, torque, {0, 0}},
    {"torque_sd", "Nm/kg", 1, spread_count, torque_sd, {0, 0}},
    {"use", "of strength", 1, use_count, use, {0, 0}},
    {"parts", "Nm/kg", 0, part_count, part, {0, 0}},
    {"power", "W", 1, power_count, power, {0, 0}},
    {"angle", "rad", 0, channels_coordinate_count, angle, {-PI, ANGLE_STEP}},
    {"moment", "Nm/kg", 0, moment_count, moment, {0, 0}},
    {"moment_sd", "Nm/kg", 0, moment_sd_count, moment_sd, {0, 0}},
    {"coordinate_power", "W", 0, moment_count, coordinate_power, {0, 0}},
    {"coordinate_use", "of strength", 0, coordinate_use_count, coordinate_use, {0, USE_STEP}},
    {"speed", "rad/s", 1, speed_count, speed, {0, 0}},
    {"orientation_error", "rad", 1, error_count, orientation_error, {0, 0}},
    {"position_error", "m", 1, error_count, position_error, {0, 0}},
    {"support_force", "N", 0, support_count, support_force, {0, 0}},
    {"support_place", "m", 0, support_count, support_place, {0, 0}},
    {"residual_force", "body weights", 1, residual_count, residual_force, {0, 0}},
    {"residual_torque", "Nm/kg", 1, residual_count, residual_torque, {0, 0}},
    {"confidence", "", 0, confidence_count, confidence, {0, 0}},
};

static double largest_of(const Channel *channel, const Actor *actor, int first, int series)
{
    int end = first + actor->stride < actor->frame_count ? first + actor->stride : actor->frame_count;
    double largest = channel->value(actor, first, series);
    for (int f = first + 1; f < end; f++) {
        double value = channel->value(actor, f, series);
        if (!(fabs(value) <= fabs(largest))) /* also where largest is not known */
            largest = value;
    }
    return largest;
}

/* Where the series of an actor go. */
typedef struct Writer {
    const Actor *actor;
    double *sample; /* [sample_count] of the series on its way */
    SeriesBlock *block;
    FILE *json;
} Writer;

static Status write_series(const Writer *to, const Channel *channel, int series, Error *err)
{
    const Actor *actor = to->actor;
    SeriesScale scale = channel->scale;
    for (int i = 0; i < actor->sample_count; i++)
        to->sample[i] = channel->keeps_largest ? largest_of(channel, actor, i * actor->stride, series)
                                               : channel->value(actor, i * actor->stride, series);
    size_t count = (size_t)actor->sample_count;
    Status status = scale.step > 0 ? series_append_scaled(to->block, to->sample, count, scale, err)
                                   : series_append(to->block, to->sample, count, &scale, err);
    if (status)
        return status;
    fputs(series ? ",[" : "[", to->json);
    json_put_number(to->json, scale.least);
    putc(',', to->json);
    json_put_number(to->json, scale.step);
    putc(']', to->json);
    return STATUS_OK;
}

Status channels_write(const Actor *actor, SeriesBlock *block, FILE *json, Error *err)
{
    Status status = STATUS_OK;
    double *sample = array_new((size_t)actor->sample_count, 1, sizeof *sample);
    Writer to = {actor, sample, block, json};
    if (!sample)
        return error_no_memory(err);
    putc('[', json);
    for (size_t c = 0, written = 0; c < sizeof channels / sizeof *channels && !status; c++) {
        int count = channels[c].count(actor);
        if (count <= 0)
            continue;
        fprintf(json, "%s{\"name\":\"%s\",\"unit\":\"%s\",\"series\":[", written++ ? "," : "", channels[c].name,
                channels[c].unit);
        for (int s = 0; s < count && !status; s++)
            status = write_series(&to, &channels[c], s, err);
        fputs("]}", json);
    }
    putc(']', json);
    free(sample);
    return status;
}
