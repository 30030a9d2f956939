/* See take.h. */
#include "analysis/detect/take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/body/human_rest.h"
#include "analysis/body/roles.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/unit.h"

/* Detection of properties that a file does not state. */

/* ---- Frame rate ---- */

/* Most common first. */
static const double common_rates[] = {
    30, 60, 120, 24, 25, 50, 100, 240, 200, 125, 90, 150, 72, 48, 180, 250, 300, 360, 480, 500, 1000, 40, 20, 15, 10,
    30000.0 / 1001, 24000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001, 48000.0 / 1001, 240000.0 / 1001,
};

/* Value of the last written decimal. */
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

/* The first rate of the list, then the nearest integer rate, whose reciprocal is within tolerance; 0: none. */
static double rate_within(double frame_time, double tolerance)
{
    for (size_t i = 0; i < sizeof common_rates / sizeof *common_rates; i++)
        if (fabs(1 / common_rates[i] - frame_time) <= tolerance)
            return common_rates[i];
    double whole = rint(1 / frame_time);
    return whole >= 1 && fabs(1 / whole - frame_time) <= tolerance ? whole : 0;
}

/* Broadcast rates are written as 23.976, 29.97, 59.94 or as the exact fractions, a millionth apart; returns the
 * fraction. 0: none. */
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
    /* Rounded: half of the last digit. Computed in single precision: relative 1e-7. Truncated or careless: the whole
     * last digit, only if the digits still distinguish neighbouring rates. */
    double rounded = fmax(0.5 * digit * (1 + 1e-6), 1.2e-7 * frame_time);
    double rate = rate_within(frame_time, rounded);
    *confidence = plausible * (rounded < 1e-3 * frame_time ? 0.99 : 0.8);
    if (rate > 0)
        return rate;
    rate = digit < 1e-2 * frame_time ? rate_within(frame_time, digit * (1 + 1e-6)) : 0;
    *confidence = plausible * 0.8;
    return rate > 0 ? rate : raw;
}

/* ---- Extra first frame ---- */

enum { STEPS_COMPARED = 24 };

/* Change from one frame to the next. */
typedef struct GuessStep {
    double joints; /* rad, mean over the joints */
    double angle;  /* rad, rotation of the root */
    double travel; /* translation of the root, body lengths */
} GuessStep;

/* Lower bounds of the comparison, for a body that holds its pose after the start. */
static const GuessStep still = {0.01, 0.05, 0.01};

/* Angle between two rotations from the chord of the quaternions, 2 sin(angle / 4), for small angles. */
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

/* Mean rotation of the joints in a frame from the rest pose, rad. */
static double angle_from_rest(const Motion *m, int frame)
{
    double sum = 0;
    for (int j = 0; j < m->joint_count; j++)
        sum += angle_between(m->rotation[motion_index(m, frame, j)], QUAT_IDENTITY);
    return sum / m->joint_count;
}

/* Compares the first step with the following ones: a real movement rarely doubles its step from one frame to the next,
 * and does not begin in the rest pose. */
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
        largest.angle = fmax(largest.angle, step.angle);
        largest.travel = fmax(largest.travel, step.travel);
    }
    double ratio = fmax(fmax(first.joints / largest.joints, first.angle / largest.angle),
                        first.travel / largest.travel);
    int from_rest = angle_from_rest(motion, 0) < 0.3 * angle_from_rest(motion, 1);
    double even = from_rest ? 2 : 4, odds = (ratio / even) * (ratio / even) * (ratio / even);
    *confidence = fmax(odds, 1) / (1 + odds);
    return odds > 1;
}

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

/* Hz: a walk has about two steps per second, and fewer than two frames per step do not show it. */
static const double least_rate = 4;

/* Hz: no recording has rates beyond these, and time intervals in frames would overflow. */
static const double slowest_rate = 1e-4, fastest_rate = 1e6;

/* Whether the family's answer replaces the file's own with confidence *own. If both agree and the file's confidence is
 * low, the family may increase it. */
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
    out->meters_per_unit = unit_from_measures(measures, &out->unit_confidence);
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
    if (def->fps > 0 && !(def->fps >= slowest_rate && def->fps <= fastest_rate))
        return error_set(err, STATUS_USAGE, "import's --fps %g is out of range: expected %g to %g",
                         def->fps, slowest_rate, fastest_rate);
    if (!(def->fps > 0) && out->fps < least_rate && motion->frame_count > 1)
        return error_set(err, STATUS_BAD_INPUT, "Frame Time %g s is implausible; set import's --fps",
                         motion->frame_time);
    return STATUS_OK;
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
    const Family *family = family_of(def);
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
    status = decide_up(def, skeleton, &sample, out, err);
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

/* Formats "(98 %)", "(>99 %)". */
static const char *percent(double confidence, char text[24])
{
    if (confidence > 0.99)
        snprintf(text, 24, "(>99 %%)");
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
    if (e->no_root_path && used < (int)size)
        used += snprintf(text + used, size - (size_t)used, ", the root does not translate");
    if (e->unit_confidence < DECISION_UNSURE && e->stature > 0 && used < (int)size)
        snprintf(text + used, size - (size_t)used, ", stature %.3g m", e->stature);
}

static void name_unit(const ImportGuess *e, char unit[48])
{
    if (unit_name(e->meters_per_unit))
        snprintf(unit, 48, "%s", unit_name(e->meters_per_unit));
    else
        snprintf(unit, 48, "%.6g m", e->meters_per_unit);
}

static const char *root_offset_word(const ImportGuess *e)
{
    return e->root_offset == ROOT_OFFSET_ADD ? "added" : "replaced";
}

void import_guess_values(const ImportGuess *e, char text[GUESS_VALUES_SIZE])
{
    char unit[48];
    name_unit(e, unit);
    snprintf(text, GUESS_VALUES_SIZE, "%s\n%s\n%.6g\n%s\n%s\n%s", unit, up_axis_name(e->up), e->fps,
             root_offset_word(e), position_meaning_name(e->positions), e->drop_first_frame ? "dropped" : "kept");
}

void import_guess_describe(const ImportGuess *e, char *text, size_t size)
{
    char unit[48], unusual[224] = "", sure[5][24];
    name_unit(e, unit);
    describe_unusual(e, unusual, sizeof unusual);
    snprintf(text, size, "detected %s %s, %s up %s, %.6g fps %s, root offset %s %s, first frame %s %s%s",
             unit, percent(e->unit_confidence, sure[0]), up_axis_name(e->up), percent(e->up_confidence, sure[1]),
             e->fps, percent(e->fps_confidence, sure[2]), root_offset_word(e),
             percent(e->root_offset_confidence, sure[3]), e->drop_first_frame ? "dropped" : "kept",
             percent(e->first_frame_confidence, sure[4]), unusual);
}

/* Findings of a recording or its file. */

static const FindingInfo info[FINDING_KIND_COUNT] = {
    [FINDING_UNREADABLE] = {"unreadable", "import rejects the file here; the rest was not checked", 0, 1},
    [FINDING_MANY] = {"many", "the list of findings is cut", 0, 0},
    [FINDING_FRAME_TIME] = {"frame-time", "velocities and torques depend on it", 0, 0},
    [FINDING_ROW_TWICE] = {"row-twice", "the recorder wrote a frame twice", 0, 0},
    [FINDING_ROW_FROZEN] = {"row-frozen", "a lost frame was replaced by a copy of the previous one", 0,
                          0},
    [FINDING_ROW_MISSING] = {"row-missing", "the body jumps by a multiple of its steps before and after", 0, 0},
    [FINDING_FIRST_FRAME] = {"first-frame", "the first frame is a rest pose put before the take", 0, 0},
    [FINDING_EULER_FLIP] = {"euler-flip",
                            "Euler angles jump without a change of pose: filters and interpolation of channels fail "
                            "there", 1,
                            0},
    [FINDING_UNIT] = {"unit", "lengths, masses and torques depend on it", 0, 0},
    [FINDING_UP] = {"up", "gravity pulls along it", 0, 0},
    [FINDING_POSITIONS] = {"positions",
                           "programs that read them as local positions distort the bones", 0, 0},
    [FINDING_ROOT_PATH] = {"root-path", "path and ground forces of the body are unknown", 0, 0},
    [FINDING_TELEPORT] = {"teleport", "physically impossible displacement; nearby velocities and torques are "
                                      "invalid", 0, 0},
    [FINDING_FLIP] = {"flip", "physically impossible rotation; nearby velocities and torques are invalid", 0, 0},
    [FINDING_FROZEN] = {"frozen", "identical or exactly interpolated frames; real recordings contain noise", 0, 0},
    [FINDING_FLICKER] = {"flicker", "frame-to-frame jitter, as from a lost marker; torques are noise", 0, 0},
    [FINDING_DRIFT] = {"drift", "the body leaves or penetrates the ground together with its supporting feet", 0, 0},
    [FINDING_SLIDING] = {"sliding", "the whole body slides over the ground with its feet in contact", 0, 0},
    [FINDING_SWAPPED] = {"swapped", "left and right limbs are swapped", 0, 0},
    [FINDING_REPEATED] = {"repeated", "rows are repeated: velocities and torques are wrong; run `kane resample --fps` "
                          "with the true rate", 0, 0},
    [FINDING_BONE] = {"bone", "bone lengths should be constant", 0, 0},
    [FINDING_FEET] = {"feet", "an unrecorded object supports the body: its forces are not estimated", 1, 0},
    [FINDING_FAMILY] = {"family", "files of one family have the same joints", 0, 0},
};

const FindingInfo *finding_info(int kind)
{
    return &info[kind];
}

FindingKind finding_of_artifact(TrustReason artifact)
{
    switch (artifact) {
    case TRUST_FLIP: return FINDING_FLIP;
    case TRUST_TELEPORT: return FINDING_TELEPORT;
    case TRUST_FLICKER: return FINDING_FLICKER;
    case TRUST_DRIFT: return FINDING_DRIFT;
    case TRUST_SLIDING: return FINDING_SLIDING;
    case TRUST_SWAPPED: return FINDING_SWAPPED;
    case TRUST_REPEATED: return FINDING_REPEATED;
    default: return FINDING_FROZEN;
    }
}

/* Makes room for one more finding; the capacity is the next power of two. */
static int grow(Findings *findings)
{
    size_t count = (size_t)findings->count;
    if (count & (count - 1))
        return 1;
    Finding *larger = realloc(findings->found, (count ? 2 * count : 1) * sizeof *larger);
    if (!larger)
        return 0;
    findings->found = larger;
    return 1;
}

Status findings_add_list(Findings *findings, int kind, FileLocation at, Error *err, const char *format, va_list args)
{
    if (findings->count == FINDINGS_MOST)
        return STATUS_OK;
    if (!grow(findings))
        return error_no_memory(err);
    Finding *f = &findings->found[findings->count++];
    *f = (Finding){.kind = kind, .at = at};
    vsnprintf(f->text, sizeof f->text, format, args);
    if (findings->count == FINDINGS_MOST) {
        f->kind = FINDING_MANY;
        snprintf(f->text, sizeof f->text, "more than %d warnings; the rest is omitted", FINDINGS_MOST - 1);
    }
    return STATUS_OK;
}

Status findings_add(Findings *findings, int kind, FileLocation at, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Status status = findings_add_list(findings, kind, at, err, format, args);
    va_end(args);
    return status;
}

void findings_forget(Findings *findings, int kind)
{
    int kept = 0;
    for (int i = 0; i < findings->count; i++)
        if (findings->found[i].kind != kind)
            findings->found[kept++] = findings->found[i];
    findings->count = kept;
}

int findings_have(const Findings *findings, int kind)
{
    for (int i = 0; i < findings->count; i++)
        if (findings->found[i].kind == kind)
            return 1;
    return 0;
}

static int compare_locations(const void *a, const void *b)
{
    FileLocation x = ((const Finding *)a)->at, y = ((const Finding *)b)->at;
    if (x.line != y.line)
        return (x.line > y.line) - (x.line < y.line);
    if (x.column != y.column)
        return (x.column > y.column) - (x.column < y.column);
    return (x.byte > y.byte) - (x.byte < y.byte);
}

void findings_sort(Findings *findings)
{
    if (findings->count > 1)
        qsort(findings->found, (size_t)findings->count, sizeof *findings->found, compare_locations);
}

void findings_free(Findings *findings)
{
    free(findings->found);
    *findings = (Findings){0};
}

void take_free(Take *take)
{
    if (!take)
        return;
    free(take->name);
    skeleton_free(&take->skeleton);
    motion_free(&take->motion);
    free(take->rotations);
    findings_free(&take->findings);
    if (take->free_file)
        take->free_file(take->file);
    *take = (Take){0};
}

static int differs(Vec3 a, Vec3 b, double tolerance)
{
    return fabs(a.x - b.x) > tolerance || fabs(a.y - b.y) > tolerance || fabs(a.z - b.z) > tolerance;
}

static int any_joint_translates(const Take *take)
{
    const Motion *m = &take->motion;
    for (int f = 0; m->translation && f < m->frame_count; f++)
        for (int j = 1; j < m->joint_count; j++)
            if (differs(m->translation[motion_index(m, f, j)], take->skeleton.offset[j], take->digits))
                return 1;
    return 0;
}

static void drop_idle_translation(const Take *take, Motion *m)
{
    if (any_joint_translates(take))
        return;
    free(m->translation);
    m->translation = NULL;
}

/* Values that the format or the file states apply unless an option is set. */
static ImportGuessDef with_hints(const ImportGuessDef *def, const Take *take)
{
    ImportGuessDef hinted = *def;
    if (!(hinted.meters_per_unit > 0))
        hinted.meters_per_unit = take->meters_per_unit;
    if (hinted.up == UP_AUTO)
        hinted.up = take->up;
    return hinted;
}

/* Adds the root's offset where it applies. An axis without values keeps the offset in any case. */
static void place_root(const Take *take, RootOffset meaning, Vec3 offset, Motion *motion)
{
    double base[3] = {offset.x, offset.y, offset.z};
    for (int axis = 0; axis < 3; axis++)
        if (meaning == ROOT_OFFSET_REPLACE && take->root_given[axis])
            base[axis] = 0;
    for (int f = 0; f < motion->frame_count; f++)
        motion->root_position[f] = vec3_add(motion->root_position[f], vec3(base[0], base[1], base[2]));
}

static void drop_first_frame(Motion *m)
{
    if (m->frame_count < 2)
        return;
    size_t frames = (size_t)--m->frame_count, joints = (size_t)m->joint_count;
    memmove(m->root_position, m->root_position + 1, frames * sizeof *m->root_position);
    memmove(m->rotation, m->rotation + joints, frames * joints * sizeof *m->rotation);
    if (m->translation)
        memmove(m->translation, m->translation + joints, frames * joints * sizeof *m->translation);
}

static Vec3 to_world(const ImportGuess *e, Vec3 v) { return vec3_scale(up_axis_rotate(e->up, v), e->meters_per_unit); }

/* With world = T file, offsets become T offset and rotations T q T*, whose vector part is T times that of q. Every
 * joint of the posed body and of the rest pose is then at T times its position in the file. */
static void rotate_and_scale(const ImportGuess *e, Skeleton *s, Motion *m)
{
    for (int j = 0; j < s->joint_count; j++)
        s->offset[j] = to_world(e, s->offset[j]);
    for (int i = 0; i < s->end_count; i++)
        s->end_offset[i] = to_world(e, s->end_offset[i]);
    size_t count = (size_t)m->frame_count * (size_t)m->joint_count;
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] = to_world(e, m->root_position[f]);
    for (size_t i = 0; m->translation && i < count; i++)
        m->translation[i] = to_world(e, m->translation[i]);
    for (size_t i = 0; e->up != UP_Y && i < count; i++) {
        Vec3 u = up_axis_rotate(e->up, vec3(m->rotation[i].x, m->rotation[i].y, m->rotation[i].z));
        m->rotation[i] = (Quat){m->rotation[i].w, u.x, u.y, u.z};
    }
}

/* m: a root or bone beyond this means that the unit is wrong. */
static const double farthest = 1e6;

static Status check_reach(const Skeleton *s, const Motion *m, Error *err)
{
    for (int j = 0; j < s->joint_count; j++)
        if (vec3_norm(s->offset[j]) > farthest)
            return error_set(err, STATUS_BAD_INPUT, "joint \"%.60s\" is %g m from its parent: check --unit",
                             s->name[j], vec3_norm(s->offset[j]));
    for (int f = 0; f < m->frame_count; f++)
        if (vec3_norm(m->root_position[f]) > farthest)
            return error_set(err, STATUS_BAD_INPUT, "frame %d: the root is %g m from the origin: check --unit", f,
                             vec3_norm(m->root_position[f]));
    return STATUS_OK;
}

/* Takes what was detected before; where it agrees with a family that is decided since, that may increase a low
 * confidence. */
static Status take_known(const ImportGuessDef *def, Skeleton *s, Motion *m, ImportGuess *e, Error *err)
{
    const Family *family = family_of(def);
    *e = *def->known;
    is_overruled(family->positions_confidence, e->positions == family->positions, &e->positions_confidence);
    is_overruled(family->up_confidence, e->up == family->up, &e->up_confidence);
    is_overruled(family->unit_confidence, is_same_unit(e->meters_per_unit, family->meters_per_unit),
                 &e->unit_confidence);
    return positions_to_local(e->positions, s, m, err);
}

static Status decide(const Take *take, const ImportGuessDef *def, Skeleton *s, Motion *m, ImportGuess *e, Error *err)
{
    PositionDecision positions;
    ImportGuessDef hinted = with_hints(def, take);
    int has_root_path = take->root_given[0] || take->root_given[1] || take->root_given[2];
    Status status = roles_assign(s, err);
    if (!status && def->known)
        return take_known(def, s, m, e, err);
    if (status || (status = import_guess_settle_positions(&hinted, s, m, &positions, err)) ||
        (status = import_guess_decide(&hinted, s, m, has_root_path, e, err)))
        return status;
    e->positions = positions.meaning;
    e->positions_confidence = positions.confidence;
    e->overruled_positions = positions.is_overruled;
    return STATUS_OK;
}

static void set_times(const ImportGuess *e, Motion *m)
{
    m->frame_time = e->frame_time;
    for (int f = 0; f < m->frame_count; f++)
        m->time[f] = (f + e->drop_first_frame) * e->frame_time;
}

static Status settle(const Take *take, const ImportGuessDef *def, Skeleton *s, Motion *m, ImportGuess *e, Error *err)
{
    Status status = decide(take, def, s, m, e, err);
    if (status)
        return status;
    place_root(take, e->root_offset, s->offset[0], m);
    if (e->drop_first_frame)
        drop_first_frame(m);
    rotate_and_scale(e, s, m);
    status = check_reach(s, m, err);
    if (status)
        return status;
    motion_make_continuous(m);
    set_times(e, m);
    return STATUS_OK;
}

static void set_provenance(const ImportGuess *e, Provenance *p)
{
    p->frame_time = e->frame_time;
    p->meters_per_unit = e->meters_per_unit;
    strcpy(p->up_axis, up_axis_name(e->up));
    p->confidence = import_guess_confidence(e);
}

Status clip_settle(Take *take, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err)
{
    ImportGuess e = {0};
    if (take->skeleton.joint_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "no joints");
    drop_idle_translation(take, &take->motion);
    Skeleton skeleton = take->skeleton;
    Motion motion = take->motion;
    take->skeleton = (Skeleton){0};
    take->motion = (Motion){0};
    Status status = settle(take, def, &skeleton, &motion, &e, err);
    if (status) {
        skeleton_free(&skeleton);
        motion_free(&motion);
        return status;
    }
    out->skeleton = skeleton;
    out->motion = motion;
    set_provenance(&e, &out->provenance);
    if (decision)
        *decision = e;
    return STATUS_OK;
}
