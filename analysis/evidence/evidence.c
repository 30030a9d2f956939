#include "analysis/evidence/evidence.h"

#include <math.h>
#include <stdio.h>

#include "analysis/body/anthropometry.h"
#include "analysis/evidence/body_measures.h"
#include "analysis/evidence/frames.h"
#include "analysis/evidence/world_positions.h"
#include "analysis/motion/pose_sample.h"

enum { SAMPLED_FRAMES = 64 };

EvidenceDef evidence_default_def(void) { return (EvidenceDef){0}; }

/* What is looked at: in file units and axes. */
typedef struct Take {
    const EvidenceDef *def;
    const Skeleton *skeleton;
    const Motion *motion;
    const PoseSample *sample;
    int root_channels_given;
} Take;

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

static const Family *family_of(const EvidenceDef *def)
{
    static const Family none;
    return def->family ? def->family : &none;
}

static Status decide_up(const EvidenceDef *def, const Skeleton *skeleton, const PoseSample *sample, Evidence *out,
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

static void choose_unit(const EvidenceDef *def, const BodyMeasures *measures, Evidence *out)
{
    const Family *family = family_of(def);
    out->metres_per_unit = unit_from_measures(measures, &out->unit_confidence);
    int is_same = is_same_unit(out->metres_per_unit, family->metres_per_unit);
    if (is_overruled(family->unit_confidence, is_same, &out->unit_confidence)) {
        out->metres_per_unit = family->metres_per_unit;
        out->overruled_unit = 1;
    }
}

static Status decide_rate(const EvidenceDef *def, const Motion *motion, Evidence *out, Error *err)
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

static Status decide_unit(const Take *take, Evidence *out, Error *err)
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
static Status decide_root(const Take *take, Evidence *out, Error *err)
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

Status evidence_settle_positions(const EvidenceDef *def, Skeleton *skeleton, Motion *motion, PositionDecision *out,
                                 Error *err)
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

Status evidence_decide(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion, int root_channels_given,
                       Evidence *out, Error *err)
{
    *out = (Evidence){.up = def->up, .up_confidence = 1, .positions = POSITIONS_LOCAL, .positions_confidence = 1,
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
    Take take = {def, skeleton, motion, &sample, root_channels_given};
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

Decisions evidence_confidence(const Evidence *e)
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
static void describe_unusual(const Evidence *e, char *text, size_t size)
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

static void name_unit(const Evidence *e, char unit[48])
{
    if (unit_name(e->metres_per_unit))
        snprintf(unit, 48, "%s", unit_name(e->metres_per_unit));
    else
        snprintf(unit, 48, "%.6g m", e->metres_per_unit);
}

static const char *root_offset_word(const Evidence *e)
{
    return e->root_offset == ROOT_OFFSET_ADD ? "added" : "replaced";
}

void evidence_values(const Evidence *e, char text[EVIDENCE_VALUES_SIZE])
{
    char unit[48];
    name_unit(e, unit);
    snprintf(text, EVIDENCE_VALUES_SIZE, "%s\n%s\n%.6g\n%s\n%s\n%s", unit, up_axis_name(e->up), e->fps,
             root_offset_word(e), position_meaning_name(e->positions), e->drop_first_frame ? "dropped" : "kept");
}

void evidence_describe(const Evidence *e, char *text, size_t size)
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
