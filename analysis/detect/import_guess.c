/* Detection of what a file does not state (import_guess.h). */
#include "analysis/detect/import_guess.h"

#include <math.h>
#include <stdio.h>

#include "analysis/body/human_rest.h"
#include "analysis/detect/body_measures.h"
#include "analysis/detect/first_frame.h"
#include "analysis/detect/frame_rate.h"
#include "analysis/detect/local_positions.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/detect/unit.h"
#include "analysis/evidence/body_track.h"
#include "analysis/evidence/gravity.h"
#include "analysis/evidence/rate_evidence.h"

/* Hz: a walk has about two steps per second, and fewer than two frames per step do not show it. */
static const double min_rate = 4;

/* Hz: no recording has rates beyond these, and time intervals in frames would overflow. */
static const double slowest_rate = 1e-4, fastest_rate = 1e6;

enum { SAMPLED_FRAMES = 64 };

ImportGuessDef import_guess_default_def(void) { return (ImportGuessDef){0}; }

/* The inputs of the detection, in file units and axes. */
typedef struct GuessedTake {
    const ImportGuessDef *def;
    const Skeleton *skeleton;
    const Motion *motion;
    const PoseSample *sample;
    int root_channels_given;
} GuessedTake;

/* Whether the family's answer replaces the file's own with confidence *own. If both agree and the file's confidence is
 * low, the family may increase it. */
static int is_overruled(double family, int is_same, double *own)
{
    int gives_way = family > 0 && !is_same && *own < FAMILY_DISSENT;
    if (gives_way || (is_same && *own < DECISION_UNSURE && family > *own))
        *own = family;
    return gives_way;
}

static const Family *guess_family(const ImportGuessDef *def)
{
    static const Family none;
    return def->family ? def->family : &none;
}

static Status init_track(const GuessedTake *take, const ImportGuess *e, BodyTrack *out, Error *err)
{
    Motion timed = *take->motion; /* a shallow copy */
    timed.frame_time = e->frame_time;
    return body_track_init(out, take->skeleton, &timed, e->drop_first_frame, err);
}

static Status measure_balance(const GuessedTake *take, const ImportGuess *e, double log_odds[GRAVITY_AXES], Error *err)
{
    BodyTrack track;
    GravityBalance balance;
    Status status = init_track(take, e, &track, err);
    if (!status)
        status = gravity_measure(&track, &balance, err);
    if (!status)
        gravity_log_odds(&balance, log_odds);
    body_track_free(&track);
    return status;
}

static Status decide_up(const GuessedTake *take, ImportGuess *out, Error *err)
{
    const Family *family = guess_family(take->def);
    double balance[GRAVITY_AXES];
    if (take->def->up != UP_AUTO)
        return STATUS_OK;
    Status status = measure_balance(take, out, balance, err);
    if (!status)
        status = up_axis_from_poses(take->skeleton, take->sample, balance, &out->up, &out->up_evidence, err);
    out->up_confidence = out->up_evidence.confidence;
    if (!status && is_overruled(family->up_confidence, out->up == family->up, &out->up_confidence)) {
        out->up = family->up;
        out->overruled_up = 1;
    }
    return status;
}

static int is_same_unit(double a, double b) { return fabs(a - b) <= 1e-9 * b; }

static void choose_unit(const ImportGuessDef *def, const BodyMeasures *measures, ImportGuess *out)
{
    const Family *family = guess_family(def);
    out->meters_per_unit = unit_from_measures(measures, &out->unit_evidence);
    out->unit_confidence = out->unit_evidence.confidence;
    int is_same = is_same_unit(out->meters_per_unit, family->meters_per_unit);
    if (is_overruled(family->unit_confidence, is_same, &out->unit_confidence)) {
        out->meters_per_unit = family->meters_per_unit;
        out->overruled_unit = 1;
    }
}

static Status decide_rate(const ImportGuessDef *def, const Motion *motion, ImportGuess *out, Error *err)
{
    out->fps = def->fps > 0 ? def->fps : frame_rate_from_time(motion->frame_time, &out->fps_confidence);
    if (def->fps > 0)
        out->fps_confidence = 1;
    out->frame_time = 1 / out->fps;
    out->rate_is_unstated = !(def->fps > 0) && !(motion->frame_time > 0);
    if (def->fps > 0 && !(def->fps >= slowest_rate && def->fps <= fastest_rate))
        return error_set(err, STATUS_USAGE, "import's --fps %g is out of range: expected %g to %g",
                         def->fps, slowest_rate, fastest_rate);
    if (!(def->fps > 0) && out->fps < min_rate && motion->frame_count > 1)
        return error_set(err, STATUS_BAD_INPUT, "Frame Time %g s is implausible; set import's --fps",
                         motion->frame_time);
    return STATUS_OK;
}

static Status judge_unstated(const GuessedTake *take, const ImportGuess *e, RateJudgement *out, Error *err)
{
    BodyTrack track;
    RateDef def = {.up = up_axis_vector(e->up), .is_unstated = 1};
    Status status = init_track(take, e, &track, err);
    if (!status)
        status = rate_judge(&track, &def, out, err);
    body_track_free(&track);
    return status;
}

/* Takes the rate that the motion shows, where the file states none; its evidence is that of the motion at this rate. */
static Status guess_rate(const GuessedTake *take, ImportGuess *out, Error *err)
{
    RateJudgement judgement;
    if (take->motion->frame_count - out->drop_first_frame < 2)
        return STATUS_OK;
    Status status = judge_unstated(take, out, &judgement, err);
    if (status)
        return status;
    out->fps = judgement.fps;
    out->frame_time = 1 / judgement.fps;
    out->fps_confidence = judgement.alternative;
    status = judge_unstated(take, out, &judgement, err);
    out->guessed_rate = judgement.evidence;
    return status;
}

/* The axis and an unstated rate depend on each other. */
static Status decide_up_and_rate(const GuessedTake *take, ImportGuess *out, Error *err)
{
    Status status = decide_up(take, out, err);
    if (status || !out->rate_is_unstated)
        return status;
    status = guess_rate(take, out, err);
    return status ? status : decide_up(take, out, err);
}

static Status decide_unit(const GuessedTake *take, ImportGuess *out, Error *err)
{
    BodyMeasures measures;
    Motion timed = *take->motion; /* a shallow copy */
    timed.frame_time = out->frame_time;
    Status status =
        body_measures(take->skeleton, &timed, out->drop_first_frame, up_axis_vector(out->up), &measures, err);
    if (status)
        return status;
    out->meters_per_unit = take->def->meters_per_unit;
    out->unit_confidence = 1;
    if (!(take->def->meters_per_unit > 0))
        choose_unit(take->def, &measures, out);
    double stature = body_stature(take->skeleton); /* 0 for a body without a human spine */
    out->stature = (stature > 0 ? stature : measures.stature) * out->meters_per_unit;
    out->foot = measures.foot * out->meters_per_unit;
    out->speed = measures.speed * out->meters_per_unit;
    return STATUS_OK;
}

/* The channels are the root's whole position; without channels the offset is. */
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
    const Family *family = guess_family(def);
    *out = (PositionDecision){def->positions, 1, 0};
    Status status = def->positions == POSITIONS_AUTO ? positions_decide(skeleton, motion, out, err) : STATUS_OK;
    if (!status && def->positions == POSITIONS_AUTO &&
        is_overruled(family->positions_confidence, out->meaning == family->positions, &out->confidence))
        *out = (PositionDecision){family->positions, out->confidence, 1};
    return status ? status : positions_to_local(out->meaning, skeleton, motion, err);
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
    status = decide_up_and_rate(&take, out, err);
    if (!status)
        status = decide_unit(&take, out, err);
    if (!status)
        status = decide_root(&take, out, err);
    int dropped = out->drop_first_frame && motion->frame_count > 1;
    Motion kept = motion_view(motion, dropped, motion->frame_count - dropped);
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

/* Formats "(98 %)", "(>99 %)", "(<1 %)". */
static const char *percent(double confidence, char text[24])
{
    if (confidence > 0.99)
        snprintf(text, 24, "(>99 %%)");
    else if (confidence < 0.01)
        snprintf(text, 24, "(<1 %%)");
    else
        snprintf(text, 24, "(%.0f %%)", 100 * confidence);
    return text;
}

/* Describes results that are unusual. */
static void describe_unusual(const ImportGuess *e, char *text, size_t size)
{
    char sure[24];
    int used = 0;
    if (e->positions != POSITIONS_LOCAL)
        used = snprintf(text, size, ", positions %s %s", position_meaning_name(e->positions),
                        percent(e->positions_confidence, sure));
    if ((e->overruled_unit || e->overruled_up || e->overruled_positions) && used < (int)size)
        used += snprintf(text + used, size - (size_t)used, ", as other clips of its skeleton:%s%s%s",
                         e->overruled_unit ? " unit" : "", e->overruled_up ? " up" : "",
                         e->overruled_positions ? " positions" : "");
    if (e->roles.rig && used < (int)size)
        used += snprintf(text + used, size - (size_t)used, ", joint names of %s", e->roles.rig);
    if (e->no_root_path && used < (int)size)
        used += snprintf(text + used, size - (size_t)used, ", the root does not translate");
    if (e->unit_confidence < DECISION_UNSURE && e->stature > 0 && used < (int)size)
        snprintf(text + used, size - (size_t)used, ", stature %.3g m", e->stature);
}

void import_guess_unit(const ImportGuess *e, char unit[GUESS_UNIT_SIZE])
{
    if (unit_name(e->meters_per_unit))
        snprintf(unit, GUESS_UNIT_SIZE, "%s", unit_name(e->meters_per_unit));
    else
        snprintf(unit, GUESS_UNIT_SIZE, "%.6g m", e->meters_per_unit);
}

static const char *root_offset_word(const ImportGuess *e)
{
    return e->root_offset == ROOT_OFFSET_ADD ? "added" : "replaced";
}

void import_guess_values(const ImportGuess *e, char text[GUESS_VALUES_SIZE])
{
    char unit[48];
    import_guess_unit(e, unit);
    snprintf(text, GUESS_VALUES_SIZE, "%s\n%s\n%.6g\n%s\n%s\n%s", unit, up_axis_name(e->up), e->fps,
             root_offset_word(e), position_meaning_name(e->positions), e->drop_first_frame ? "dropped" : "kept");
}

void import_guess_describe(const ImportGuess *e, char *text, size_t size)
{
    char unit[48], unusual[224] = "", sure[5][24];
    import_guess_unit(e, unit);
    describe_unusual(e, unusual, sizeof unusual);
    snprintf(text, size, "detected %s %s, %s up %s, %.6g fps %s, root offset %s %s, first frame %s %s%s",
             unit, percent(e->unit_confidence, sure[0]), up_axis_name(e->up), percent(e->up_confidence, sure[1]),
             e->fps, percent(e->fps_confidence, sure[2]), root_offset_word(e),
             percent(e->root_offset_confidence, sure[3]), e->drop_first_frame ? "dropped" : "kept",
             percent(e->first_frame_confidence, sure[4]), unusual);
}

Status import_guess_recall(const ImportGuessDef *def, Skeleton *s, Motion *m, ImportGuess *e, Error *err)
{
    const Family *family = guess_family(def);
    *e = *def->known;
    is_overruled(family->positions_confidence, e->positions == family->positions, &e->positions_confidence);
    is_overruled(family->up_confidence, e->up == family->up, &e->up_confidence);
    is_overruled(family->unit_confidence, is_same_unit(e->meters_per_unit, family->meters_per_unit),
                 &e->unit_confidence);
    return positions_to_local(e->positions, s, m, err);
}
