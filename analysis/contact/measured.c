/* Measured forces as contact, and their check: errors of force plates, each with a certainty (plate_measures.c
 * computes the measures). See measured.h. */
#include "analysis/contact/measured.h"

#include <math.h>
#include <stddef.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

/* Load on a foot as a force plate reports it. */

/* Smallest normal force for a meaningful centre of pressure. */
#define LEAST_NORMAL_FORCE 1.0 /* N */

int foot_of_segment(Role segment)
{
    if (segment == ROLE_LEFT_ANKLE || segment == ROLE_LEFT_TOE)
        return FOOT_LEFT;
    return segment == ROLE_RIGHT_ANKLE || segment == ROLE_RIGHT_TOE ? FOOT_RIGHT : FOOT_COUNT;
}

int foot_has_pressure_centre(Vec3 force, Vec3 normal)
{
    return vec3_dot(normal, force) >= LEAST_NORMAL_FORCE;
}

/* Force F and moment M about the point O of the plane. */
static void reduce_to_plane(Vec3 force, Vec3 moment, Vec3 origin, Vec3 normal, Vec3 *cop, Vec3 *free_moment)
{
    double carried = vec3_dot(normal, force);
    *cop = *free_moment = vec3(0, 0, 0);
    if (!foot_has_pressure_centre(force, normal))
        return;
    Vec3 arm = vec3_scale(vec3_cross(normal, moment), 1 / carried);
    *cop = vec3_add(origin, arm);
    *free_moment = vec3_scale(normal, vec3_dot(normal, vec3_sub(moment, vec3_cross(arm, force))));
}

void foot_summarize(const Skeleton *skeleton, const Kinematics *kinematics, Contact *c)
{
    Vec3 origin = {0, c->ground_height, 0};
    for (int f = 0; f < c->frame_count; f++) {
        Vec3 force[FOOT_COUNT] = {{0, 0, 0}}, moment[FOOT_COUNT] = {{0, 0, 0}};
        for (int i = 0; i < c->point_count; i++) {
            int foot = foot_of_segment(skeleton->segment[c->point_joint[i]]);
            if (foot == FOOT_COUNT)
                continue;
            size_t at = (size_t)f * (size_t)c->point_count + (size_t)i;
            size_t j = (size_t)f * (size_t)kinematics->joint_count + (size_t)c->point_joint[i];
            Vec3 point = vec3_add(kinematics->position[j],
                                  quat_rotate(kinematics->orientation[j], c->point_position[i]));
            force[foot] = vec3_add(force[foot], c->force[at]);
            moment[foot] = vec3_add(moment[foot], vec3_cross(vec3_sub(point, origin), c->force[at]));
            if (c->moment)
                moment[foot] = vec3_add(moment[foot], c->moment[at]);
        }
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            size_t at = (size_t)f * FOOT_COUNT + (size_t)foot;
            c->foot_force[at] = force[foot];
            reduce_to_plane(force[foot], moment[foot], origin, c->ground_normal, &c->foot_cop[at],
                            &c->foot_free_moment[at]);
        }
    }
}

MeasuredDef measured_default_def(void)
{
    return (MeasuredDef){.threshold = 20};
}

/* Plate data of one foot in one frame. */
typedef struct PlateReading {
    double size;    /* N, the larger of its vertical and horizontal parts: a push against a wall has no vertical part */
    int is_contact; /* reaches the threshold */
    int is_step;    /* in contact, or in the tail of a contact */
} PlateReading;

static Vec3 foot_force_of(const Loads *loads, const Skeleton *skeleton, int frame, int foot)
{
    const Vec3 *force = loads->force + (size_t)frame * (size_t)loads->load_count;
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < loads->load_count; i++)
        if (foot_of_segment(skeleton->segment[loads->joint[i]]) == foot)
            sum = vec3_add(sum, force[i]);
    return sum;
}

/* A step does not end at the threshold: beyond it the force decays, and is kept as long as it decays. Noise rises again
 * within a frame or two. */
static void read_plates(const Loads *loads, const Skeleton *skeleton, int foot, double threshold, PlateReading *reading)
{
    int frames = loads->frame_count;
    for (int f = 0; f < frames; f++) {
        Vec3 force = foot_force_of(loads, skeleton, f, foot);
        double size = fmax(fabs(force.y), sqrt(force.x * force.x + force.z * force.z));
        int is_contact = size > 0 && size >= threshold;
        reading[f] = (PlateReading){size, is_contact, is_contact};
    }
    for (int f = 1; f < frames; f++)
        reading[f].is_step |= reading[f - 1].is_step && reading[f].size < reading[f - 1].size;
    for (int f = frames - 2; f >= 0; f--)
        reading[f].is_step |= reading[f + 1].is_step && reading[f].size < reading[f + 1].size;
}

/* Removes the noise of the plates under one foot, and sets its contact state. */
static void drop_noise(const PlateReading *reading, const Skeleton *skeleton, int foot, Loads *loads, Contact *out)
{
    for (int f = 0; f < loads->frame_count; f++)
        for (int i = 0; i < loads->load_count; i++) {
            size_t at = (size_t)f * (size_t)loads->load_count + (size_t)i;
            if (foot_of_segment(skeleton->segment[loads->joint[i]]) != foot)
                continue;
            if (!reading[f].is_step)
                loads->force[at] = loads->moment[at] = vec3(0, 0, 0);
            out->state[at] = reading[f].is_contact && vec3_dot(loads->force[at], loads->force[at]) > 0;
        }
}

static Status drop_plate_noise(const Skeleton *skeleton, double threshold, Loads *loads, Contact *out, Error *err)
{
    PlateReading *reading = array_new((size_t)loads->frame_count, 1, sizeof *reading);
    if (!reading)
        return error_no_memory(err);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        read_plates(loads, skeleton, foot, threshold, reading);
        drop_noise(reading, skeleton, foot, loads, out);
    }
    free(reading);
    return STATUS_OK;
}

/* Load as force at the joint centre P and couple about it: M_P = M_O - P x F. */
static void fill_points(const Loads *loads, const Kinematics *kinematics, Contact *out)
{
    for (int f = 0; f < loads->frame_count; f++)
        for (int i = 0; i < loads->load_count; i++) {
            size_t at = (size_t)f * (size_t)loads->load_count + (size_t)i;
            Vec3 centre = kinematics->position[(size_t)f * (size_t)kinematics->joint_count + (size_t)loads->joint[i]];
            out->force[at] = loads->force[at];
            out->moment[at] = vec3_sub(loads->moment[at], vec3_cross(centre, loads->force[at]));
        }
}

/* Forces measured elsewhere than under feet are always contacts. */
static void fill_states(const Loads *loads, Contact *out)
{
    size_t count = (size_t)loads->frame_count * (size_t)loads->load_count;
    for (size_t at = 0; at < count; at++)
        out->state[at] = vec3_dot(loads->force[at], loads->force[at]) > 0;
}

Status contact_from_external(const ExternalRows *rows, const ClipView *clip, const MeasuredDef *def, Contact *out,
                             Error *err)
{
    Loads loads = {0};
    *out = (Contact){0};
    if (!(def->threshold >= 0))
        return error_set(err, STATUS_USAGE, "--external-threshold out of range: %g N", def->threshold);
    Status status = loads_from_external(rows, clip->motion, &loads, err);
    if (!status)
        status = contact_init(out, clip->motion->frame_count, loads.load_count, 1, err);
    if (!status) {
        fill_states(&loads, out);
        status = drop_plate_noise(clip->skeleton, def->threshold, &loads, out, err);
    }
    if (!status) {
        out->ground_height = def->ground;
        for (int i = 0; i < loads.load_count; i++)
            out->point_joint[i] = loads.joint[i];
        fill_points(&loads, clip->kinematics, out);
        foot_summarize(clip->skeleton, clip->kinematics, out);
    } else {
        contact_free(out);
    }
    loads_free(&loads);
    return status;
}

int contact_is_measured(const Contact *c)
{
    for (int i = 0; i < c->point_count; i++)
        if (vec3_norm(c->point_position[i]) > 0)
            return 0;
    return c->point_count > 0;
}

/* Errors of force plates, each with a certainty. */

#define KILO_LEAST 0.0005   /* force in kN per force in N */
#define KILO_MOST 0.002
#define KILO_MATCH 0.9      /* correlation: the noise of an empty plate is small, too, but uncorrelated */
#define LEAST_LOAD 0.05     /* body weights: a smaller force has no axis */
#define LEAST_MISFIT 0.1    /* body weights: feet with similar loads cannot be distinguished */

static const char *const names[PLATE_ERROR_KINDS] = {
    [PLATES_EXCHANGED] = "plates-exchanged",           [PLATES_APART] = "plates-apart",
    [PLATES_DOWNWARD] = "plates-downward",             [PLATES_ALONG_SIGN] = "plates-along-sign",
    [PLATES_SIDE_SIGN] = "plates-side-sign",           [PLATES_TURNED] = "plates-turned",
    [PLATES_LATE] = "plates-late",                     [PLATES_SCALE] = "plates-scale",
    [PLATES_FOOT_SCALE] = "plates-foot-scale",         [PLATES_PRESSURE_ALONG] = "plates-pressure-along",
    [PLATES_PRESSURE_SIDE] = "plates-pressure-side",   [PLATES_OFF_SOLE] = "plates-off-sole",
    [PLATES_OFFSET] = "plates-offset",                 [PLATES_UNIT] = "plates-unit",
    [PLATES_UPRIGHT] = "plates-upright",
};

const char *plate_error_name(PlateErrorKind kind)
{
    return names[kind];
}

/* Inputs and findings. */
typedef struct Judge {
    const PlateMeasures *m;
    const PlateSound *sound;
    PlateErrors *out;
} Judge;

/* Standard deviations from the mean, including the measure's own standard error; 0 if it is not measurable. */
static double spreads_off(const Judge *j, PlateErrorKind kind, double value, double error)
{
    const PlateSound *s = &j->sound[kind];
    return isnan(value) || isnan(error) ? 0 : (value - s->mean) / sqrt(s->spread * s->spread + error * error);
}

static int is_error(const Judge *j, PlateErrorKind kind, double value, double error)
{
    return fabs(spreads_off(j, kind, value, error)) >= j->sound[kind].limit;
}

static void add(const Judge *j, PlateErrorKind kind, int foot, double value, double error)
{
    double z = spreads_off(j, kind, value, error);
    if (j->out->count < PLATE_ERRORS_MOST)
        j->out->error[j->out->count++] = (PlateError){kind, foot, value, 1 - 1 / (z * z)};
}

static int add_if_off(const Judge *j, PlateErrorKind kind, int foot, double value, double error)
{
    int off = is_error(j, kind, value, error);
    if (off)
        add(j, kind, foot, value, error);
    return off;
}

/* ---- Loads in another unit, or along another axis ---- */

static int judge_unit(const Judge *j)
{
    int is_kilo[FOOT_COUNT];
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        double load = j->m->load[foot][PLATE_UP];
        is_kilo[foot] = load > KILO_LEAST && load < KILO_MOST && j->m->load_match[foot] > KILO_MATCH;
    }
    if (!is_kilo[FOOT_LEFT] && !is_kilo[FOOT_RIGHT])
        return 0;
    int first = is_kilo[FOOT_LEFT] ? FOOT_LEFT : FOOT_RIGHT;
    int foot = is_kilo[FOOT_LEFT] && is_kilo[FOOT_RIGHT] ? FOOT_COUNT : first;
    return add_if_off(j, PLATES_UNIT, foot, j->m->load[first][PLATE_UP], 0);
}

double plates_upright(const PlateMeasures *m)
{
    double load[PLATE_AXES];
    for (int axis = 0; axis < PLATE_AXES; axis++)
        load[axis] = m->load[FOOT_LEFT][axis] + m->load[FOOT_RIGHT][axis];
    double all = vec3_norm(vec3_load(load));
    return all > LEAST_LOAD ? fabs(load[PLATE_UP]) / all : NAN;
}

static int judge_upright(const Judge *j)
{
    return add_if_off(j, PLATES_UPRIGHT, FOOT_COUNT, plates_upright(j->m), 0);
}

/* ---- Forces of the other foot, or of no ground ---- */

static int judge_exchanged(const Judge *j)
{
    const PlateMeasures *m = j->m;
    if (m->crossed_misfit > LEAST_MISFIT && is_error(j, PLATES_EXCHANGED, m->crossed_force, 0) &&
        m->crossed_force > 0.8)
        return add_if_off(j, PLATES_EXCHANGED, FOOT_COUNT, m->crossed_force, 0);
    return m->crossed_pressure > 0.5 && add_if_off(j, PLATES_EXCHANGED, FOOT_COUNT, m->crossed_pressure, 0);
}

static int judge_apart(const Judge *j)
{
    const PlateMeasures *m = j->m;
    return m->loaded_time > PLATES_LEAST_TIME && add_if_off(j, PLATES_APART, FOOT_COUNT, m->time / m->loaded_time, 0);
}

static int judge_downward(const Judge *j)
{
    return j->m->impulse < 0 && add_if_off(j, PLATES_DOWNWARD, FOOT_COUNT, j->m->impulse, 0);
}

/* ---- Horizontal forces ---- */

/* Statistics of the horizontal forces of plates and estimate, both feet. */
static void sum_products(const PlateMeasures *m, double *dot, double *cross)
{
    *dot = *cross = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        *dot += m->product[foot].pe[0] + m->product[foot].pe[1];
        *cross += m->product[foot].cross;
    }
}

double plates_rotation(const PlateMeasures *m)
{
    double dot, cross;
    sum_products(m, &dot, &cross);
    return dot == 0 && cross == 0 ? NAN : elementary_atan2(cross, dot);
}

/* Feet with the wrong sign: FOOT_LEFT, FOOT_RIGHT, FOOT_COUNT for both, -1 for none. */
static int foot_of_sign(const Judge *j, PlateErrorKind kind, const double sign[FOOT_COUNT + 1])
{
    int wrong[FOOT_COUNT + 1];
    for (int foot = 0; foot <= FOOT_COUNT; foot++)
        wrong[foot] = sign[foot] < 0 && is_error(j, kind, sign[foot], 0);
    if (wrong[FOOT_COUNT] || (wrong[FOOT_LEFT] && wrong[FOOT_RIGHT]))
        return FOOT_COUNT;
    return wrong[FOOT_LEFT] ? FOOT_LEFT : wrong[FOOT_RIGHT] ? FOOT_RIGHT : -1;
}

/* Agreement with the estimate after these signs are changed; larger is better. */
static double agreement_with(const PlateMeasures *m, const int foot_of[2])
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            sum += m->product[foot].pe[i] * (foot_of[i] == foot || foot_of[i] == FOOT_COUNT ? -1 : 1);
    return sum;
}

static double agreement_turned(const PlateMeasures *m)
{
    double dot, cross;
    sum_products(m, &dot, &cross);
    return sqrt(dot * dot + cross * cross);
}

/* Feet whose force along an axis agrees better with the opposite sign; -1 for none. */
static int better_reversed(const PlateMeasures *m, int axis)
{
    int left = m->product[FOOT_LEFT].pe[axis] < 0, right = m->product[FOOT_RIGHT].pe[axis] < 0;
    return left && right ? FOOT_COUNT : left ? FOOT_LEFT : right ? FOOT_RIGHT : -1;
}

/* Signs that explain more than any rotation does, although no single cosine is sufficient. Returns whether there are
 * any. */
static int complete_signs(const Judge *j, int foot[2])
{
    const int better[2] = {better_reversed(j->m, 0), better_reversed(j->m, 1)};
    if (!(agreement_with(j->m, better) > agreement_turned(j->m)))
        return 0;
    for (int i = 0; i < 2; i++)
        foot[i] = foot[i] < 0 ? better[i] : foot[i];
    return 1;
}

static void judge_horizontal(const Judge *j)
{
    static const PlateErrorKind kind[2] = {PLATES_ALONG_SIGN, PLATES_SIDE_SIGN};
    const PlateMeasures *m = j->m;
    int foot[2];
    double rotation = plates_rotation(m);
    for (int i = 0; i < 2; i++)
        foot[i] = foot_of_sign(j, kind[i], m->sign[i]);
    int all = foot[0] == FOOT_COUNT && foot[1] == FOOT_COUNT;
    if (is_error(j, PLATES_TURNED, rotation, 0) && (all || !complete_signs(j, foot))) {
        add(j, PLATES_TURNED, FOOT_COUNT, rotation, 0);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (foot[i] >= 0)
            add(j, kind[i], foot[i], m->sign[i][foot[i]], 0);
}

/* ---- Time ---- */

/* Of all feet together and of each, weighted by certainty. */
static double pooled_lag(const Judge *j, double *error)
{
    const PlateMeasures *m = j->m;
    const double lag[3] = {m->lag, m->foot_lag[FOOT_LEFT], m->foot_lag[FOOT_RIGHT]};
    const double of[3] = {m->lag_error, m->foot_lag_error[FOOT_LEFT], m->foot_lag_error[FOOT_RIGHT]};
    double sum = 0, weights = 0, spread = j->sound[PLATES_LATE].spread;
    *error = NAN;
    for (int i = 0; i < 3; i++) {
        if (isnan(lag[i]) || isnan(of[i]))
            continue;
        double weight = 1 / (spread * spread + of[i] * of[i]);
        sum += weight * lag[i];
        weights += weight;
        *error = isnan(*error) ? of[i] : fmin(*error, of[i]);
    }
    return weights > 0 ? sum / weights : NAN;
}

static void judge_late(const Judge *j)
{
    const PlateMeasures *m = j->m;
    double error, lag = pooled_lag(j, &error);
    int late[FOOT_COUNT];
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        late[foot] = is_error(j, PLATES_LATE, m->foot_lag[foot], m->foot_lag_error[foot]);
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (late[foot] && !late[1 - foot] && !isnan(m->foot_lag[1 - foot])) {
            add(j, PLATES_LATE, foot, m->foot_lag[foot], m->foot_lag_error[foot]);
            return;
        }
    add_if_off(j, PLATES_LATE, FOOT_COUNT, lag, error);
}

/* ---- Size, pressure, offset ---- */

static void judge_scale(const Judge *j)
{
    const double *own = j->m->foot_impulse;
    double ratio = own[FOOT_LEFT] / own[FOOT_RIGHT];
    int worse = fabs(own[FOOT_LEFT] - 1) > fabs(own[FOOT_RIGHT] - 1) ? FOOT_LEFT : FOOT_RIGHT;
    if (!add_if_off(j, PLATES_FOOT_SCALE, worse, worse == FOOT_LEFT ? ratio : 1 / ratio, 0))
        add_if_off(j, PLATES_SCALE, FOOT_COUNT, j->m->impulse, 0);
}

/* Both feet if their mean is off, else the one that is, or that differs from the other. */
static void judge_pressure(const Judge *j, PlateErrorKind kind, const double value[FOOT_COUNT])
{
    double mean = j->sound[kind].mean, left = value[FOOT_LEFT], right = value[FOOT_RIGHT];
    int worse = fabs(left - mean) > fabs(right - mean) ? FOOT_LEFT : FOOT_RIGHT, count = j->out->count;
    if (add_if_off(j, kind, FOOT_COUNT, 0.5 * (left + right), 0))
        return;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        add_if_off(j, kind, foot, value[foot], 0);
    if (j->out->count == count)
        add_if_off(j, kind, worse, mean + value[worse] - value[1 - worse], 0);
}

static void judge_pressures(const Judge *j)
{
    const PlateMeasures *m = j->m;
    int off = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        off |= add_if_off(j, PLATES_OFF_SOLE, foot, m->off_sole[foot], 0);
    if (off)
        return;
    judge_pressure(j, PLATES_PRESSURE_ALONG, m->along);
    judge_pressure(j, PLATES_PRESSURE_SIDE, m->outward);
}

void plate_errors_find(const PlateMeasures *m, const PlateSound sound[PLATE_ERROR_KINDS], PlateErrors *out)
{
    Judge judge = {m, sound, out};
    *out = (PlateErrors){0};
    if (judge_unit(&judge) || judge_upright(&judge) || judge_exchanged(&judge) || judge_apart(&judge))
        return;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        add_if_off(&judge, PLATES_OFFSET, foot, m->offset[foot], 0);
    if (!(m->time > PLATES_LEAST_TIME) || judge_downward(&judge))
        return;
    judge_horizontal(&judge);
    judge_late(&judge);
    judge_scale(&judge);
    judge_pressures(&judge);
}

static Vec3 signal_of(const PlateSignals *s, int frame, PlatePart part)
{
    return vec3(plate_signal(s, frame, part, PLATE_FORWARD), plate_signal(s, frame, part, PLATE_UP),
                plate_signal(s, frame, part, PLATE_RIGHTWARD));
}

static double distance_of_foot(const PlateCase *c, const PlateSignals *s, int frame, int foot)
{
    size_t at = (size_t)frame * FOOT_COUNT + (size_t)foot;
    Vec3 plates = signal_of(s, frame, (PlatePart)(PLATES_LEFT + foot));
    Vec3 estimate = signal_of(s, frame, (PlatePart)(ESTIMATE_LEFT + foot));
    Vec3 force = vec3_sub(plates, estimate);
    Vec3 pressure = vec3_sub(c->plates->foot_cop[at], c->estimate->foot_cop[at]);
    double load = fmin(c->plates->foot_force[at].y, c->estimate->foot_force[at].y) / s->weight;
    double moment = fmax(0, load) * sqrt(pressure.x * pressure.x + pressure.z * pressure.z) / PLATE_PRESSURE_LENGTH;
    return sqrt(vec3_dot(force, force) + moment * moment);
}

double plate_distance(const PlateCase *c, const PlateSignals *s, int frame)
{
    return fmax(distance_of_foot(c, s, frame, FOOT_LEFT), distance_of_foot(c, s, frame, FOOT_RIGHT));
}

/* Whether a finding contradicts the forces. */
static int contradicts_forces(const PlateErrors *errors, int mass_is_given)
{
    for (int i = 0; i < errors->count; i++)
        if (errors->error[i].kind != PLATES_SCALE || mass_is_given)
            return 1;
    return 0;
}

static int has_load(const PlateCase *c, const PlateSignals *s, int frame)
{
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (vec3_norm(plate_foot_force(c->plates, frame, foot)) > LEAST_LOAD * s->weight)
            return 1;
    return 0;
}

Status plate_check(const PlateCase *c, PlateReport *out, Arena *arena, Error *err)
{
    PlateSignals s;
    uint8_t *doubted = arena_array(arena, (size_t)c->plates->frame_count, 1, 1);
    *out = (PlateReport){.is_doubted = doubted};
    Status status;
    if ((status = plate_signals_find(c, &s, arena, err)) || (status = plate_measures_find(c, &s, &out->measures, err)))
        return status;
    plate_errors_find(&out->measures, plate_sound, &out->errors);
    int contradicts = contradicts_forces(&out->errors, c->mass_is_given);
    for (int f = 0; f < s.frame_count; f++)
        doubted[f] = !s.is_unseen[f] && ((contradicts && has_load(c, &s, f)) ||
                                         plate_distance(c, &s, f) > PLATE_SPREAD);
    out->is_unseen = s.is_unseen;
    return STATUS_OK;
}
