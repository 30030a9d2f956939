/* See import_guess.h. */
#include "analysis/detect/import_guess.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/body/anthropometry.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/unit.h"
#include "analysis/motion/pose_sample.h"

/* ---- Frame rate ---- */

/* In order of how often they are met. */
static const double common_rates[] = {
    30, 60, 120, 24, 25, 50, 100, 240, 200, 125, 90, 150, 72, 48, 180, 250, 300, 360, 480, 500, 1000, 40, 20, 15, 10,
    30000.0 / 1001, 24000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001, 48000.0 / 1001, 240000.0 / 1001,
};

/* Value of the last decimal that was written. */
static double last_digit(double frame_time)
{
    char text[64];
    double unit = 1;
    for (int decimals = 0; decimals < 17; decimals++, unit /= 10) {
        snprintf(text, sizeof text, "%.*f", decimals, frame_time);
        if (strtod(text, NULL) == frame_time)
            break;
    }
    return unit;
}

/* The first rate of the list, then the nearest whole one, whose reciprocal lies within tolerance; 0 for none. */
static double rate_within(double frame_time, double tolerance)
{
    for (size_t i = 0; i < sizeof common_rates / sizeof *common_rates; i++)
        if (fabs(1 / common_rates[i] - frame_time) <= tolerance)
            return common_rates[i];
    double whole = rint(1 / frame_time);
    return whole >= 1 && fabs(1 / whole - frame_time) <= tolerance ? whole : 0;
}

/* Programs write television's rates as 23.976, 29.97, 59.94 or as the fractions they stand for, a millionth apart; the
 * fraction is meant. 0 for none. */
static double television_rate(double frame_time)
{
    static const double thousands[] = {24, 30, 48, 60, 120, 240};
    for (size_t i = 0; i < sizeof thousands / sizeof *thousands; i++) {
        double rate = thousands[i] * 1000 / 1001;
        if (fabs(1 / rate - frame_time) <= 1.2e-6 * frame_time)
            return rate;
    }
    return 0;
}

double frame_rate_from_time(double frame_time, double *confidence)
{
    *confidence = 0;
    if (!(frame_time > 0) || !isfinite(frame_time) || !isfinite(1 / frame_time))
        return 30;
    double raw = 1 / frame_time, digit = last_digit(frame_time), plausible = raw >= 5 && raw <= 2000 ? 1 : 0.3;
    double exact = rint(raw);
    if (exact >= 1 && fabs(raw - exact) <= 1e-9 * raw) {
        *confidence = plausible;
        return exact;
    }
    if (television_rate(frame_time) > 0) {
        *confidence = plausible * 0.99;
        return television_rate(frame_time);
    }
    /* Half a last digit: rounded. A relative 1e-7: computed in single precision. A whole last digit: cut, or careless;
     * only where that many digits do not make neighbours of different rates. */
    double rounded = fmax(0.5 * digit * (1 + 1e-6), 1.2e-7 * frame_time);
    double rate = rate_within(frame_time, rounded);
    *confidence = plausible * (rounded < 1e-3 * frame_time ? 0.99 : 0.8);
    if (rate > 0)
        return rate;
    rate = digit < 1e-2 * frame_time ? rate_within(frame_time, digit * (1 + 1e-6)) : 0;
    *confidence = plausible * 0.8;
    return rate > 0 ? rate : raw;
}

/* ---- Fake first frame ---- */

enum { STEPS_COMPARED = 24 };

/* What changes from one frame to the next. */
typedef struct GuessStep {
    double joints; /* rad, mean over the joints */
    double turn;   /* rad, of the root */
    double travel; /* of the root, in lengths of the body */
} GuessStep;

/* Steps below these are taken as still: a body that holds its pose after the start. */
static const GuessStep still = {0.01, 0.05, 0.01};

/* Angle between two rotations: twice the angle between the quaternions as four-vectors, whose chord is
 * 2 sin(angle / 4). */
static double angle_between(Quat a, Quat b) { return 2 * sqrt(2 * fmax(0, 1 - fabs(quat_dot(a, b)))); }

static GuessStep step_at(const Motion *m, int frame, double body_length)
{
    const Quat *a = m->rotation + motion_index(m, frame, 0), *b = a + m->joint_count;
    GuessStep step = {0, angle_between(a[0], b[0]),
                      vec3_distance(m->root_position[frame], m->root_position[frame + 1]) / body_length};
    for (int j = 0; j < m->joint_count; j++)
        step.joints += angle_between(a[j], b[j]) / m->joint_count;
    return step;
}

/* Mean angle of the joints of a frame from the rest pose, rad. */
static double angle_from_rest(const Motion *m, int frame)
{
    double sum = 0;
    for (int j = 0; j < m->joint_count; j++)
        sum += angle_between(m->rotation[motion_index(m, frame, j)], QUAT_IDENTITY);
    return sum / m->joint_count;
}

/* A real movement rarely doubles its step from one frame to the next, and does not begin in the rest pose. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence)
{
    *confidence = 0.5;
    if (motion->frame_count < 5 || motion->joint_count < 1)
        return 0;
    double length = skeleton_longest_chain(skeleton);
    length = length > 0 ? length : 1;
    GuessStep first = step_at(motion, 0, length), largest = still;
    for (int f = 1; f < motion->frame_count - 1 && f <= STEPS_COMPARED; f++) {
        GuessStep step = step_at(motion, f, length);
        largest.joints = fmax(largest.joints, step.joints);
        largest.turn = fmax(largest.turn, step.turn);
        largest.travel = fmax(largest.travel, step.travel);
    }
    double ratio = fmax(fmax(first.joints / largest.joints, first.turn / largest.turn), first.travel / largest.travel);
    int from_rest = angle_from_rest(motion, 0) < 0.3 * angle_from_rest(motion, 1);
    double even = from_rest ? 2 : 4, odds = (ratio / even) * (ratio / even) * (ratio / even);
    *confidence = fmax(odds, 1) / (1 + odds);
    return odds > 1;
}

enum { SAMPLED_FRAMES = 64 };

ImportGuessDef import_guess_default_def(void) { return (ImportGuessDef){0}; }

/* What is looked at: in file units and axes. */
typedef struct GuessedTake {
    const ImportGuessDef *def;
    const Skeleton *skeleton;
    const Motion *motion;
    const PoseSample *sample;
    int root_channels_given;
} GuessedTake;

/* Hz. The steps of a walk follow each other twice a second: fewer than two frames a step show none of them. */
static const double least_rate = 4;

/* Hz. Beyond these a frame rate is that of no recording, and spans of time in frames overflow. */
static const double slowest_rate = 1e-4, fastest_rate = 1e6;

/* Whether the family's answer takes the place of the file's own, whose confidence is *own; where both are the same and
 * the file is unsure, the family may be surer. */
static int is_overruled(double family, int is_same, double *own)
{
    int gives_way = family > 0 && !is_same && *own < FAMILY_DISSENT;
    if (gives_way || (is_same && *own < DECISION_UNSURE && family > *own))
        *own = family;
    return gives_way;
}

static const Family *family_of(const ImportGuessDef *def)
{
    static const Family none;
    return def->family ? def->family : &none;
}

static Status decide_up(const ImportGuessDef *def, const Skeleton *skeleton, const PoseSample *sample, ImportGuess *out,
                        Error *err)
{
    const Family *family = family_of(def);
    if (def->up != UP_AUTO)
        return STATUS_OK;
    Status status = up_axis_from_poses(skeleton, sample, &out->up, &out->up_confidence, err);
    if (!status && is_overruled(family->up_confidence, out->up == family->up, &out->up_confidence)) {
        out->up = family->up;
        out->overruled_up = 1;
    }
    return status;
}

static int is_same_unit(double a, double b) { return fabs(a - b) <= 1e-9 * b; }

static void choose_unit(const ImportGuessDef *def, const BodyMeasures *measures, ImportGuess *out)
{
    const Family *family = family_of(def);
    out->metres_per_unit = unit_from_measures(measures, &out->unit_confidence);
    int is_same = is_same_unit(out->metres_per_unit, family->metres_per_unit);
    if (is_overruled(family->unit_confidence, is_same, &out->unit_confidence)) {
        out->metres_per_unit = family->metres_per_unit;
        out->overruled_unit = 1;
    }
}

static Status decide_rate(const ImportGuessDef *def, const Motion *motion, ImportGuess *out, Error *err)
{
    out->fps = def->fps > 0 ? def->fps : frame_rate_from_time(motion->frame_time, &out->fps_confidence);
    if (def->fps > 0)
        out->fps_confidence = 1;
    out->frame_time = 1 / out->fps;
    if (def->fps > 0 && !(def->fps >= slowest_rate && def->fps <= fastest_rate))
        return error_set(err, STATUS_USAGE, "import's --fps %g is out of range: give %g to %g frames per second",
                         def->fps, slowest_rate, fastest_rate);
    if (!(def->fps > 0) && out->fps < least_rate && motion->frame_count > 1)
        return error_set(err, STATUS_BAD_INPUT, "a Frame Time of %g s shows no movement; give import's --fps",
                         motion->frame_time);
    return STATUS_OK;
}

static Status decide_unit(const GuessedTake *take, ImportGuess *out, Error *err)
{
    BodyMeasures measures;
    Motion timed = *take->motion; /* a view */
    timed.frame_time = out->frame_time;
    Status status =
        body_measures(take->skeleton, &timed, out->drop_first_frame, up_axis_vector(out->up), &measures, err);
    if (status)
        return status;
    out->metres_per_unit = take->def->metres_per_unit;
    out->unit_confidence = 1;
    if (!(take->def->metres_per_unit > 0))
        choose_unit(take->def, &measures, out);
    double stature = body_stature(take->skeleton); /* none of a body without a person's spine */
    out->stature = (stature > 0 ? stature : measures.stature) * out->metres_per_unit;
    out->foot = measures.foot * out->metres_per_unit;
    out->speed = measures.speed * out->metres_per_unit;
    return STATUS_OK;
}

/* The channels are the root's whole position, or there are none and the offset is. */
static Status decide_root(const GuessedTake *take, ImportGuess *out, Error *err)
{
    RootOffsetDecision decision = {take->def->root_offset, 1};
    Status status = STATUS_OK;
    if (!take->root_channels_given)
        decision.meaning = ROOT_OFFSET_ADD;
    if (decision.meaning == ROOT_OFFSET_AUTO)
        status = root_offset_from_poses(take->skeleton, take->motion, take->sample, out->up, &decision, err);
    out->root_offset = decision.meaning;
    out->root_offset_confidence = decision.confidence;
    return status;
}

Status import_guess_settle_positions(const ImportGuessDef *def, Skeleton *skeleton, Motion *motion,
                                     PositionDecision *out, Error *err)
{
    const Family *family = family_of(def);
    *out = (PositionDecision){def->positions, 1, 0};
    Status status = def->positions == POSITIONS_AUTO ? positions_decide(skeleton, motion, out, err) : STATUS_OK;
    if (!status && def->positions == POSITIONS_AUTO &&
        is_overruled(family->positions_confidence, out->meaning == family->positions, &out->confidence))
        *out = (PositionDecision){family->positions, out->confidence, 1};
    return status ? status : positions_to_local(out->meaning, skeleton, motion, err);
}

/* A view of the motion from a frame on. */
static Motion without_frames(const Motion *motion, int dropped)
{
    Motion view = *motion;
    if (dropped < 1 || dropped >= motion->frame_count)
        return view;
    view.frame_count -= dropped;
    view.time += dropped;
    view.root_position += dropped;
    view.rotation += motion_index(motion, dropped, 0);
    if (view.translation)
        view.translation += motion_index(motion, dropped, 0);
    return view;
}

Status import_guess_decide(const ImportGuessDef *def, const Skeleton *skeleton, const Motion *motion,
                           int root_channels_given, ImportGuess *out, Error *err)
{
    *out = (ImportGuess){.up = def->up, .up_confidence = 1, .positions = POSITIONS_LOCAL, .positions_confidence = 1,
                      .first_frame_confidence = 1};
    if (skeleton->joint_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "a skeleton without joints has no size");
    Status status = decide_rate(def, motion, out, err);
    if (status)
        return status;
    if (!def->keep_first_frame)
        out->drop_first_frame = first_frame_is_fake(skeleton, motion, &out->first_frame_confidence);
    PoseSample sample = {0};
    status = pose_sample_init(&sample, skeleton, motion, out->drop_first_frame, SAMPLED_FRAMES, err);
    if (status)
        return status;
    GuessedTake take = {def, skeleton, motion, &sample, root_channels_given};
    status = decide_up(def, skeleton, &sample, out, err);
    if (!status)
        status = decide_unit(&take, out, err);
    if (!status)
        status = decide_root(&take, out, err);
    Motion kept = without_frames(motion, out->drop_first_frame);
    out->no_root_path = root_path_is_missing(skeleton, &kept, &sample);
    pose_sample_free(&sample);
    return status;
}

Decisions import_guess_confidence(const ImportGuess *e)
{
    return (Decisions){.unit = e->unit_confidence, .up_axis = e->up_confidence, .frame_rate = e->fps_confidence,
                       .root_offset = e->root_offset_confidence, .positions = e->positions_confidence,
                       .first_frame = e->first_frame_confidence};
}

/* "(0.98)", or "(0.7)?" of what is unsure. */
static const char *told(double confidence, char text[24])
{
    snprintf(text, 24, "(%.2g)%s", confidence, confidence < DECISION_UNSURE ? "?" : "");
    return text;
}

/* What is not as in most files. */
static void describe_unusual(const ImportGuess *e, char *text, size_t size)
{
    char sure[24];
    int used = 0;
    if (e->positions != POSITIONS_LOCAL)
        used = snprintf(text, size, ", positions %s %s", position_meaning_name(e->positions),
                        told(e->positions_confidence, sure));
    if ((e->overruled_unit || e->overruled_up || e->overruled_positions) && used < (int)size)
        used += snprintf(text + used, size - (size_t)used, ", as other clips of its skeleton:%s%s%s",
                         e->overruled_unit ? " unit" : "", e->overruled_up ? " up" : "",
                         e->overruled_positions ? " positions" : "");
    if (e->no_root_path && used < (int)size)
        used += snprintf(text + used, size - (size_t)used, ", no root path");
    if (e->unit_confidence < DECISION_UNSURE && e->stature > 0 && used < (int)size)
        snprintf(text + used, size - (size_t)used, ", a person of %.3g m", e->stature);
}

static void name_unit(const ImportGuess *e, char unit[48])
{
    if (unit_name(e->metres_per_unit))
        snprintf(unit, 48, "%s", unit_name(e->metres_per_unit));
    else
        snprintf(unit, 48, "%.6g m", e->metres_per_unit);
}

static const char *root_offset_word(const ImportGuess *e)
{
    return e->root_offset == ROOT_OFFSET_ADD ? "added" : "replaced";
}

void import_guess_values(const ImportGuess *e, char text[EVIDENCE_VALUES_SIZE])
{
    char unit[48];
    name_unit(e, unit);
    snprintf(text, EVIDENCE_VALUES_SIZE, "%s\n%s\n%.6g\n%s\n%s\n%s", unit, up_axis_name(e->up), e->fps,
             root_offset_word(e), position_meaning_name(e->positions), e->drop_first_frame ? "dropped" : "kept");
}

void import_guess_describe(const ImportGuess *e, char *text, size_t size)
{
    char unit[48], unusual[224] = "", sure[5][24];
    name_unit(e, unit);
    describe_unusual(e, unusual, sizeof unusual);
    snprintf(text, size, "unit %s %s, up %s %s, %.6g fps %s, root offset %s %s, first frame %s %s%s",
             unit, told(e->unit_confidence, sure[0]), up_axis_name(e->up), told(e->up_confidence, sure[1]), e->fps,
             told(e->fps_confidence, sure[2]), root_offset_word(e),
             told(e->root_offset_confidence, sure[3]), e->drop_first_frame ? "dropped" : "kept",
             told(e->first_frame_confidence, sure[4]), unusual);
}
