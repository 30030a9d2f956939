#include "analysis/stats/clip_stats.h"

#include <stdio.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/dynamics/inverse_dynamics.h"

static const Figure figures[] = {
    {"fps", offsetof(ClipFigures, fps), 0},
    {"frames", offsetof(ClipFigures, frames), 1},
    {"valid_frames", offsetof(ClipFigures, valid_frames), 1},
    {"trusted_share", offsetof(ClipFigures, trusted_share), 0},
    {"duration_s", offsetof(ClipFigures, duration_s), 0},
    {"mass_kg", offsetof(ClipFigures, mass_kg), 0},
    {"stature_m", offsetof(ClipFigures, stature_m), 0},
    {"residual_force_rms_bw", offsetof(ClipFigures, residual_force_rms_bw), 0},
    {"residual_torque_rms_nm_kg", offsetof(ClipFigures, residual_torque_rms_nm_kg), 0},
    {"unit_confidence", offsetof(ClipFigures, unit_confidence), 0},
    {"decision_confidence", offsetof(ClipFigures, decision_confidence), 0},
    {"flight_s", offsetof(ClipFigures, flight_s), 0},
    {"contact_confidence", offsetof(ClipFigures, contact_confidence), 0},
    {"retarget_scale", offsetof(ClipFigures, retarget.scale), 0},
    {"retarget_contact_kept", offsetof(ClipFigures, retarget.contact_kept), 0},
    {"retarget_slide_cm_s", offsetof(ClipFigures, retarget.slide_cm_s), 0},
    {"retarget_slide_cm", offsetof(ClipFigures, retarget.slide_cm), 0},
    {"retarget_slide_most_cm", offsetof(ClipFigures, retarget.slide_most_cm), 0},
    {"retarget_penetration_cm", offsetof(ClipFigures, retarget.penetration_cm), 0},
    {"retarget_direction_deg", offsetof(ClipFigures, retarget.direction_deg), 0},
    {"retarget_leg_direction_deg", offsetof(ClipFigures, retarget.leg_direction_deg), 0},
    {"retarget_hand_reach_cm", offsetof(ClipFigures, retarget.hand_reach_cm), 0},
    {"retarget_limits_hit", offsetof(ClipFigures, retarget.limits_hit), 0},
};

FigureList clip_figures(void)
{
    return (FigureList){figures, (int)(sizeof figures / sizeof *figures)};
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo; public domain) over names and parents. */
static uint64_t skeleton_hash(const Skeleton *skeleton)
{
    uint64_t hash = 14695981039346656037u;
    for (int j = 0; j < skeleton->joint_count; j++) {
        unsigned parent = (unsigned)skeleton->parent[j];
        for (const char *c = skeleton->name[j]; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
        for (int byte = 0; byte < 4; byte++) /* the high bytes end a name: no character of one is missing */
            hash = (hash ^ (0x100u | (parent >> 8 * byte & 0xff))) * 1099511628211u;
    }
    return hash;
}

/* 1/dt, without the last-digit noise that keeps `fps = 120` from matching. */
static double frame_rate(double frame_time)
{
    double fps = 1 / frame_time, whole = round(fps);
    return fabs(fps - whole) < 1e-9 * whole ? whole : fps;
}

static double rms_of(const Vec3 *v, const JointSeries *s)
{
    double squares = 0;
    for (int i = 0; i < s->count; i++)
        squares += vec3_dot(v[s->frame[i]], v[s->frame[i]]);
    return s->count > 0 ? sqrt(squares / s->count) : NAN;
}

static double mean_confidence(const Contact *c, const JointSeries *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += c->confidence[s->frame[i]];
    return s->count > 0 && c->point_count > 0 ? sum / s->count : NAN;
}

static int hardest_joint(const ClipStats *s, const JointSeries *series)
{
    int hardest = -1;
    double largest = 0;
    for (int j = 0; j < s->joint_count; j++)
        if (joint_series_ranks(series, j) && s->joint[j].peaks.torque_peak_nm > largest) {
            largest = s->joint[j].peaks.torque_peak_nm;
            hardest = j;
        }
    return hardest;
}

static ClipFigures figures_of(const Clip *clip, const JointSeries *series, const ClipStats *s)
{
    const Body *body = clip->has_body ? &clip->body : NULL;
    double mass = body && body->total_mass > 0 ? body->total_mass : NAN;
    ClipFigures f = {.fps = frame_rate(clip->motion.frame_time),
                     .frames = clip->motion.frame_count,
                     .valid_frames = series->count,
                     .mass_kg = mass,
                     .stature_m = body && body->stature > 0 ? body->stature : NAN,
                     .residual_force_rms_bw = NAN,
                     .residual_torque_rms_nm_kg = NAN,
                     .decision_confidence = decisions_least(&clip->provenance.confidence),
                     .flight_s = s->events.flight_s,
                     .contact_confidence = clip->has_contact ? mean_confidence(&clip->contact, series) : NAN,
                     .retarget = clip->has_retarget ? clip->retarget : retarget_score_unknown(),
                     .hardest_joint = hardest_joint(s, series)};
    f.duration_s = f.frames / f.fps;
    f.unit_confidence = isnan(f.decision_confidence) ? NAN : clip->provenance.confidence.unit;
    decisions_unsure(&clip->provenance.confidence, f.unsure);
    f.trusted_share = NAN;
    if (clip->has_trust) {
        f.trusted_share = trust_share(&clip->trust);
        snprintf(f.untrusted_reason, sizeof f.untrusted_reason, "%s", trust_commonest_reason(&clip->trust));
    }
    if (clip->has_dynamics) {
        f.residual_force_rms_bw = rms_of(clip->dynamics.residual_force, series) / (mass * GRAVITY);
        f.residual_torque_rms_nm_kg = rms_of(clip->dynamics.residual_torque, series) / mass;
    }
    snprintf(f.skeleton, sizeof f.skeleton, "%016llx", (unsigned long long)skeleton_hash(&clip->skeleton));
    memcpy(f.source_sha256, clip->provenance.source_sha256, sizeof f.source_sha256);
    return f;
}

/* Copies a string to the end of the text; NULL is "". */
static size_t add_text(ClipStats *s, const char *string)
{
    size_t at = s->text_size, size = string ? strlen(string) + 1 : 1;
    memcpy(s->text + at, string ? string : "", size);
    s->text_size += size;
    return at;
}

static Status collect_text(ClipStats *s, const Clip *clip, Error *err)
{
    const char *source = clip->provenance.source, *history = clip->provenance.history;
    size_t size = (source ? strlen(source) : 0) + (history ? strlen(history) : 0) + 2;
    for (int j = 0; j < s->joint_count; j++)
        size += strlen(clip->skeleton.name[j]) + 1;
    s->text = array_new(size, 1, 1);
    if (!s->text)
        return error_no_memory(err);
    s->source = add_text(s, source);
    s->options = add_text(s, history);
    for (int j = 0; j < s->joint_count; j++)
        s->joint[j].name = add_text(s, clip->skeleton.name[j]);
    return STATUS_OK;
}

static Status collect_joints(ClipStats *s, const Clip *clip, const JointSeries *series, Error *err)
{
    const Skeleton *skeleton = &clip->skeleton;
    s->joint_count = skeleton->joint_count;
    s->joint = array_new((size_t)s->joint_count, 1, sizeof *s->joint);
    double *scratch = array_new((size_t)series->count, 1, sizeof *scratch);
    if (!s->joint || !scratch) {
        free(scratch);
        return error_no_memory(err);
    }
    double mass = clip->has_body ? clip->body.total_mass : 0;
    for (int j = 0; j < s->joint_count; j++) {
        s->joint[j].parent = skeleton->parent[j];
        s->joint[j].role = skeleton->role[j];
        s->joint[j].segment = skeleton->segment[j];
        s->joint[j].mass_kg = clip->has_body ? clip->body.mass[j] : NAN;
        joint_peaks(series, j, mass, scratch, &s->joint[j].peaks);
    }
    free(scratch);
    return STATUS_OK;
}

static Status collect_profiles(ClipStats *s, const Clip *clip, const JointSeries *series, Error *err)
{
    s->profile = array_new(ROLE_COUNT, 1, sizeof *s->profile);
    if (!s->profile)
        return error_no_memory(err);
    if (!series->has_load || series->count == 0 || !clip->has_body || !(clip->body.total_mass > 0))
        return STATUS_OK;
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++) {
        int j = skeleton_find_role(&clip->skeleton, (Role)r);
        if (j < 0 || series->is_residual[j] || series->is_silent[j])
            continue;
        Profile *profile = &s->profile[s->profile_count++];
        profile->role = (Role)r;
        profile_compute(series, j, clip->body.total_mass, profile->nm_kg);
    }
    return STATUS_OK;
}

Status clip_stats_init(ClipStats *out, const Clip *clip, FrameChoice choice, Error *err)
{
    *out = (ClipStats){0};
    JointSeries series;
    Status status = joint_series_init(&series, clip, choice, err);
    if (status)
        return status;
    status = collect_joints(out, clip, &series, err);
    if (!status)
        status = collect_text(out, clip, err);
    if (!status)
        status = windows_init(&out->windows, clip, &series, err);
    if (!status)
        status = events_init(&out->events, clip, &series, err);
    if (!status)
        status = traces_init(&out->traces, clip, &series, err);
    if (!status)
        status = collect_profiles(out, clip, &series, err);
    if (status)
        clip_stats_free(out);
    else
        out->figures = figures_of(clip, &series, out);
    joint_series_free(&series);
    return status;
}

void clip_stats_free(ClipStats *s)
{
    if (!s)
        return;
    free(s->joint);
    windows_free(&s->windows);
    events_free(&s->events);
    traces_free(&s->traces);
    free(s->profile);
    free(s->text);
    *s = (ClipStats){0};
}
