#include "analysis/stats/clip_stats.h"

#include <stdio.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/body/anthropometry.h"
#include "analysis/contact/support.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/stats/travel.h"

#define LEAST_DISTANCE 0.5 /* m: who stands has no effort per metre */

#define RETARGET_FIGURE(name) \
    {"retarget_" #name, NULL, "attribute `" #name "` of /retarget", offsetof(ClipFigures, retarget.name), 0},

static const Figure figures[] = {
    {"fps", "1/s", "frames a second", offsetof(ClipFigures, fps), 0},
    {"frames", "", "frames of the clip", offsetof(ClipFigures, frames), 1},
    {"valid_frames", "", "frames the figures rest on", offsetof(ClipFigures, valid_frames), 1},
    {"trusted_share", "1", "trusted frames over those without `off_plates`; NULL: the clip was not judged",
     offsetof(ClipFigures, trusted_share), 0},
    {"duration_s", "s", "frames / fps", offsetof(ClipFigures, duration_s), 0},
    {"mass_kg", "kg", "of the body", offsetof(ClipFigures, mass_kg), 0},
    {"stature_m", "m", "of a human", offsetof(ClipFigures, stature_m), 0},
    {"residual_force_rms_bw", "body weights", "RMS of the residual force",
     offsetof(ClipFigures, residual_force_rms_bw), 0},
    {"residual_torque_rms_nm_kg", "Nm/kg", "RMS of the residual moment about the centre of mass",
     offsetof(ClipFigures, residual_torque_rms_nm_kg), 0},
    {"hand_force_rms_bw", "body weights", "RMS of the force with which a hand carries the root, by kane track",
     offsetof(ClipFigures, hand_force_rms_bw), 0},
    {"hand_torque_rms_nm_kg", "Nm/kg", "RMS of the hand's torque", offsetof(ClipFigures, hand_torque_rms_nm_kg), 0},
    {"unit_confidence", "1", "probability that import decided the unit rightly; 1 where an option decided",
     offsetof(ClipFigures, unit_confidence), 0},
    {"decision_confidence", "1", "the least of import's decisions", offsetof(ClipFigures, decision_confidence), 0},
    {"flight_s", "s", "without contact", offsetof(ClipFigures, flight_s), 0},
    {"contact_confidence", "1", "mean of /contact/confidence", offsetof(ClipFigures, contact_confidence), 0},
    {"presumed_support_s", "s", "borne by a seat or a hand rail that nobody recorded, of all frames",
     offsetof(ClipFigures, presumed_support_s), 0},
    {"off_plates_s", "s", "frames in which a load bears the body that no force plate reads, of all frames",
     offsetof(ClipFigures, off_plates_s), 0},
    {"start_s", "s", "time of the first frame, source time", offsetof(ClipFigures, start_s), 0},
    {"source_fps", "1/s", "frames a second of the source, as decided by import", offsetof(ClipFigures, source_fps), 0},
    {"rate_confidence", "1", "that import decided the rate rightly", offsetof(ClipFigures, rate_confidence), 0},
    {"metres_per_unit", "m", "unit of the source, as decided by import", offsetof(ClipFigures, metres_per_unit), 0},
    {"up_axis_confidence", "1", "that import decided the up axis rightly",
     offsetof(ClipFigures, up_axis_confidence), 0},
    {"peak_event_nm_kg", "Nm/kg", "largest of its torque_peak", offsetof(ClipFigures, peak_event_nm_kg), 0},
    {"distance_m", "m", "way of the centre of mass along the ground", offsetof(ClipFigures, travel.distance_m), 0},
    {"speed_mean_m_s", "m/s", "mean speed of that way", offsetof(ClipFigures, travel.speed_mean_m_s), 0},
    {"speed_peak_m_s", "m/s", "largest speed of that way", offsetof(ClipFigures, travel.speed_peak_m_s), 0},
    {"effort_j_kg", "J/kg", "sum over the joints of their positive work", offsetof(ClipFigures, effort_j_kg), 0},
    {"effort_j_kg_m", "J/(kg m)", "the same per metre of distance_m, from 0.5 m on",
     offsetof(ClipFigures, effort_j_kg_m),
     0},
    {"foot_slide_cm_s", "cm/s", "mean speed along the ground of the source's contact points in contact",
     offsetof(ClipFigures, travel.foot_slide_cm_s), 0},
    {"foot_penetration_cm", "cm", "deepest contact point of the source below the ground",
     offsetof(ClipFigures, travel.foot_penetration_cm), 0},
    RETARGET_FIGURES(RETARGET_FIGURE)
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

/* s; NaN where no contact was sought, or nothing tells the body's weight. */
static double presumed_support(const Clip *clip)
{
    ClipView view = clip_view(clip);
    int frames = 0;
    if (!clip->has_contact || clip->contact.point_count == 0 || !clip->has_kinematics || !clip->has_body)
        return NAN;
    for (int f = 0; f < clip->contact.frame_count; f++)
        frames += support_is_presumed(&view, &clip->contact, f);
    return frames * clip->motion.frame_time;
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

/* J/kg of all joints that can be ranked, the floating base and helpers apart. */
static double effort(const ClipStats *s, const JointSeries *series, double mass)
{
    double work = 0;
    for (int j = 0; j < s->joint_count; j++)
        if (joint_series_ranks(series, j) && isfinite(s->joint[j].peaks.work_pos_j))
            work += s->joint[j].peaks.work_pos_j;
    return series->has_load && series->count > 0 ? work / mass : NAN;
}

static double largest_peak(const Events *events)
{
    double largest = NAN;
    for (int i = 0; i < events->count; i++)
        if (events->event[i].kind == EVENT_TORQUE_PEAK && !(events->event[i].value <= largest))
            largest = events->event[i].value;
    return largest;
}

/* What import decided, and how sure it was; NaN where that is not known. */
static void add_decisions(const Clip *clip, ClipFigures *f)
{
    const Provenance *p = &clip->provenance;
    int is_known = !isnan(f->decision_confidence);
    f->source_fps = p->frame_time > 0 ? frame_rate(p->frame_time) : NAN;
    f->metres_per_unit = p->metres_per_unit > 0 ? p->metres_per_unit : NAN;
    snprintf(f->up_axis, sizeof f->up_axis, "%s", p->up_axis);
    f->unit_confidence = is_known ? p->confidence.unit : NAN;
    f->rate_confidence = is_known ? p->confidence.frame_rate : NAN;
    f->up_axis_confidence = is_known ? p->confidence.up_axis : NAN;
}

/* Of the last controller that was run, the best of them. */
static void add_hand(const Clip *clip, ClipFigures *f)
{
    f->hand_force_rms_bw = f->hand_torque_rms_nm_kg = NAN;
    for (int i = 0; clip->has_tracking && i < CONTROLLER_COUNT; i++)
        if (clip->tracking.run[i].present) {
            f->hand_force_rms_bw = clip->tracking.run[i].hand_force_rms;
            f->hand_torque_rms_nm_kg = clip->tracking.run[i].hand_torque_rms;
        }
}

static ClipFigures figures_of(const Clip *clip, const JointSeries *series, const ClipStats *s)
{
    const Body *body = clip->has_body ? &clip->body : NULL;
    double mass = body && body->total_mass > 0 ? body->total_mass : NAN, stature = clip_stature(clip);
    ClipFigures f = {.fps = frame_rate(clip->motion.frame_time),
                     .frames = clip->motion.frame_count,
                     .valid_frames = series->count,
                     .mass_kg = mass,
                     .stature_m = stature > 0 ? stature : NAN,
                     .residual_force_rms_bw = NAN,
                     .residual_torque_rms_nm_kg = NAN,
                     .decision_confidence = decisions_least(&clip->provenance.confidence),
                     .flight_s = s->events.flight_s,
                     .contact_confidence = clip->has_contact ? mean_confidence(&clip->contact, series) : NAN,
                     .presumed_support_s = presumed_support(clip),
                     .retarget = clip->has_retarget ? clip->retarget : retarget_score_unknown(),
                     .hardest_joint = hardest_joint(s, series)};
    f.duration_s = f.frames / f.fps;
    add_hand(clip, &f);
    add_decisions(clip, &f);
    f.start_s = f.frames > 0 ? clip->motion.time[0] : NAN;
    f.peak_event_nm_kg = largest_peak(&s->events);
    f.travel = travel_measure(clip, series);
    f.effort_j_kg = effort(s, series, mass);
    f.effort_j_kg_m = f.travel.distance_m >= LEAST_DISTANCE ? f.effort_j_kg / f.travel.distance_m : NAN;
    decisions_unsure(&clip->provenance.confidence, f.unsure);
    f.trusted_share = f.off_plates_s = NAN;
    if (clip->has_trust) {
        f.off_plates_s = (clip->trust.frame_count - trust_seen_frames(&clip->trust)) * clip->motion.frame_time;
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

static size_t text_size(const char *string)
{
    return string ? strlen(string) + 1 : 1;
}

/* Copies a string to the end of the text; NULL is "". */
static size_t add_text(ClipStats *s, const char *string)
{
    size_t at = s->text_size, size = text_size(string);
    memcpy(s->text + at, string ? string : "", size);
    s->text_size += size;
    return at;
}

static Status collect_text(ClipStats *s, const Clip *clip, Error *err)
{
    const char *source = clip->provenance.source, *history = clip->provenance.history;
    const char *decisions = clip->provenance.decisions, *warnings = clip->provenance.warnings;
    size_t size = text_size(source) + text_size(history) + text_size(decisions) + text_size(warnings);
    for (int j = 0; j < s->joint_count; j++)
        size += strlen(clip->skeleton.name[j]) + 1;
    s->text = array_new(size, 1, 1);
    if (!s->text)
        return error_no_memory(err);
    s->source = add_text(s, source);
    s->options = add_text(s, history);
    s->decisions = add_text(s, decisions);
    s->warnings = add_text(s, warnings);
    s->confidence = clip->provenance.confidence;
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
        int is_own = skeleton->segment[j] == skeleton->role[j];
        s->joint[j].segment = is_own ? ROLE_NONE : skeleton->segment[j];
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
    if (!status)
        status = motion_sketch_init(&out->sketch, clip, &series, err);
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
    motion_sketch_free(&s->sketch);
    free(s->profile);
    free(s->text);
    *s = (ClipStats){0};
}
