/* Statistics of a clip (clip_stats.h). */
#include "analysis/clip/clip_view.h"
#include "analysis/stats/clip_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/fnv.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/body/human_rest.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/joint_angles.h"
#include "analysis/clip/trust.h"
#include "analysis/contact/support.h"
#include "analysis/math/vec.h"
#include "analysis/stats/joint_series.h"

#define MIN_DISTANCE 0.5 /* m: shorter distances give no work per metre */

#define RETARGET_METRIC(name) \
    {"retarget_" #name, NULL, "attribute `" #name "` of /retarget", offsetof(ClipMetrics, retarget.name), 0},

static const Metric metrics[] = {
    {"fps", "1/s", "frame rate", offsetof(ClipMetrics, fps), 0},
    {"frames", "", "frames of the clip", offsetof(ClipMetrics, frames), 1},
    {"valid_frames", "", "frames that the statistics use", offsetof(ClipMetrics, valid_frames), 1},
    {"trusted_fraction", "1", "trusted frames over those without `off_plates`; NULL: no quality check has run",
     offsetof(ClipMetrics, trusted_fraction), 0},
    {"left_out_fraction", "1", "frames that statistics leave out because the recording is bad, over all frames",
     offsetof(ClipMetrics, left_out_fraction), 0},
    {"verdict_factor", "1", "what the motion asks over what the strongest percent of trained people have, where the "
     "lower end of its band is largest", offsetof(ClipMetrics, verdict_factor), 0},
    {"verdict_band", "1", "half width of its 90 % band", offsetof(ClipMetrics, verdict_band), 0},
    {"verdict_t", "s", "its time, source time", offsetof(ClipMetrics, verdict_t), 0},
    {"verdict_frame", "", "its frame", offsetof(ClipMetrics, verdict_frame), 1},
    {"duration_s", "s", "frames / fps", offsetof(ClipMetrics, duration_s), 0},
    {"mass_kg", "kg", "body mass", offsetof(ClipMetrics, mass_kg), 0},
    {"stature_m", "m", "standing height of a human", offsetof(ClipMetrics, stature_m), 0},
    {"residual_force_rms_bw", "body weights", "RMS of the residual force",
     offsetof(ClipMetrics, residual_force_rms_bw), 0},
    {"residual_torque_rms_nm_kg", "N m/kg", "RMS of the residual torque about the centre of mass",
     offsetof(ClipMetrics, residual_torque_rms_nm_kg), 0},
    {"root_residual_force_rms_bw", "body weights", "RMS of the residual force at the root, by kane track",
     offsetof(ClipMetrics, root_residual_force_rms_bw), 0},
    {"root_residual_torque_rms_nm_kg", "N m/kg", "RMS of the residual torque at the root, by kane track",
     offsetof(ClipMetrics, root_residual_torque_rms_nm_kg), 0},
    {"lost_s", "s", "time at which the balance was lost, by kane track; NULL: it was not",
     offsetof(ClipMetrics, lost_s), 0},
    {"rest_s", "s", "time at which the fallen body came to rest", offsetof(ClipMetrics, rest_s), 0},
    {"unit_confidence", "1", "probability that the detected unit is correct; 1 if set by an option",
     offsetof(ClipMetrics, unit_confidence), 0},
    {"decision_confidence", "1", "lowest confidence of import", offsetof(ClipMetrics, decision_confidence), 0},
    {"flight_s", "s", "time without contact", offsetof(ClipMetrics, flight_s), 0},
    {"contact_confidence", "1", "mean of /contact/confidence", offsetof(ClipMetrics, contact_confidence), 0},
    {"presumed_support_s", "s", "supported by an unrecorded seat or handrail, of all frames",
     offsetof(ClipMetrics, presumed_support_s), 0},
    {"off_plates_s", "s", "frames with a support that no force plate measures, of all frames",
     offsetof(ClipMetrics, off_plates_s), 0},
    {"start_s", "s", "time of the first frame, source time", offsetof(ClipMetrics, start_s), 0},
    {"source_fps", "1/s", "frame rate of the source, as detected by import", offsetof(ClipMetrics, source_fps), 0},
    {"rate_confidence", "1", "probability that the detected frame rate is right",
     offsetof(ClipMetrics, rate_confidence), 0},
    {"meters_per_unit", "m", "unit of the source, as detected by import", offsetof(ClipMetrics, meters_per_unit), 0},
    {"up_axis_confidence", "1", "probability that the detected up axis is right",
     offsetof(ClipMetrics, up_axis_confidence), 0},
    {"peak_event_nm_kg", "N m/kg", "largest value of torque_peak", offsetof(ClipMetrics, peak_event_nm_kg), 0},
    {"peak_event_low_nm_kg", "N m/kg", "largest lower end of a 90 % band of torque_peak",
     offsetof(ClipMetrics, peak_event_low_nm_kg), 0},
    {"distance_m", "m", "path length of the centre of mass along the ground",
     offsetof(ClipMetrics, travel.distance_m), 0},
    {"speed_mean_m_s", "m/s", "mean speed along that path", offsetof(ClipMetrics, travel.speed_mean_m_s), 0},
    {"speed_peak_m_s", "m/s", "largest speed along that path", offsetof(ClipMetrics, travel.speed_peak_m_s), 0},
    {"positive_work_j_kg", "J/kg", "positive work, sum over the joints",
     offsetof(ClipMetrics, positive_work_j_kg), 0},
    {"positive_work_j_kg_m", "J/(kg m)",
     "the same per metre of distance_m, from 0.5 m on: the mechanical cost of transport",
     offsetof(ClipMetrics, positive_work_j_kg_m), 0},
    {"foot_slide_cm_s", "cm/s", "mean speed along the ground of the source's contact points in contact",
     offsetof(ClipMetrics, travel.foot_slide_cm_s), 0},
    {"foot_penetration_cm", "cm", "deepest contact point of the source below the ground",
     offsetof(ClipMetrics, travel.foot_penetration_cm), 0},
    {"smooth_cutoff_hz", "1/s", "cutoff frequency of smooth, as used; NULL: none",
     offsetof(ClipMetrics, settings.smooth_cutoff_hz), 0},
    RETARGET_METRICS(RETARGET_METRIC, RETARGET_METRIC)
};

MetricList clip_metrics(void)
{
    return (MetricList){metrics, (int)(sizeof metrics / sizeof *metrics)};
}

/* Hash of names and parents. */
static uint64_t skeleton_hash(const Skeleton *skeleton)
{
    uint64_t hash = FNV_START;
    for (int j = 0; j < skeleton->joint_count; j++) {
        unsigned parent = (unsigned)skeleton->parent[j];
        hash = fnv_bytes(hash, skeleton->name[j], strlen(skeleton->name[j]));
        for (int byte = 0; byte < 4; byte++) /* setting a high bit separates names: no character has it */
            hash = fnv_step(hash, 0x100u | (parent >> 8 * byte & 0xff));
    }
    return hash;
}

/* 1/dt without rounding noise, so that `fps = 120` matches. */
static double frame_rate(double frame_time)
{
    double fps = 1 / frame_time, whole = round(fps);
    return fabs(fps - whole) < 1e-9 * whole ? whole : fps;
}

static double series_rms(const Vec3 *v, const JointSeries *s)
{
    double squares = 0;
    for (int i = 0; i < s->count; i++)
        squares += vec3_dot(v[s->frame[i]], v[s->frame[i]]);
    return s->count > 0 ? sqrt(squares / s->count) : NAN;
}

double clip_residual_force_rms(const Clip *clip, FrameChoice choice)
{
    const Vec3 *force = clip->dynamics.residual_force;
    double squares = 0, mass = clip->has_body && clip->body.total_mass > 0 ? clip->body.total_mass : NAN;
    int count = 0;
    for (int f = 0; clip->has_dynamics && f < clip->dynamics.frame_count; f++)
        if (clip_counts_frame(clip, f, choice)) {
            squares += vec3_dot(force[f], force[f]);
            count++;
        }
    return count > 0 ? sqrt(squares / count) / (mass * GRAVITY) : NAN;
}

static double mean_confidence(const Contact *c, const JointSeries *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += c->confidence[s->frame[i]];
    return s->count > 0 && c->point_count > 0 ? sum / s->count : NAN;
}

/* s; NaN if contact was not estimated or the body's weight is unknown. */
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
    double largest = -1;
    for (int j = 0; j < s->joint_count; j++) {
        const JointPeaks *p = &s->joint[j].peaks;
        if (joint_series_ranks(series, j) && p->torque_peak_nm >= 0 && !(p->torque_peak_low_nm_kg <= largest)) {
            largest = p->torque_peak_low_nm_kg;
            hardest = j;
        }
    }
    return hardest;
}

/* Positive work per body mass, J/kg, over the joints that can be ranked (without floating base and helper joints). */
static double positive_work(const ClipStats *s, const JointSeries *series, double mass)
{
    double work = 0;
    for (int j = 0; j < s->joint_count; j++)
        if (joint_series_ranks(series, j) && isfinite(s->joint[j].peaks.work_pos_j))
            work += s->joint[j].peaks.work_pos_j;
    return series->has_load && series->count > 0 ? work / mass : NAN;
}

static void find_largest_peaks(const Events *events, ClipMetrics *f)
{
    f->peak_event_nm_kg = f->peak_event_low_nm_kg = NAN;
    for (const Event *e = events->event; e < events->event + events->count; e++)
        if (e->kind == EVENT_TORQUE_PEAK) {
            f->peak_event_nm_kg = fmax(f->peak_event_nm_kg, e->value);
            f->peak_event_low_nm_kg = fmax(f->peak_event_low_nm_kg, torque_low(e->value, e->sd_mnm_kg / 1000.0));
        }
}

/* Copies what import detected and its confidence; NaN where unknown. */
static void add_decisions(const Clip *clip, ClipMetrics *f)
{
    const Provenance *p = &clip->provenance;
    int is_known = !isnan(f->decision_confidence);
    f->source_fps = p->frame_time > 0 ? frame_rate(p->frame_time) : NAN;
    f->meters_per_unit = p->meters_per_unit > 0 ? p->meters_per_unit : NAN;
    snprintf(f->up_axis, sizeof f->up_axis, "%s", p->up_axis);
    f->unit_confidence = is_known ? p->confidence.unit : NAN;
    f->rate_confidence = is_known ? p->confidence.frame_rate : NAN;
    f->up_axis_confidence = is_known ? p->confidence.up_axis : NAN;
}

/* Copies root residual and outcome of the last controller in the list that was run. */
static void add_tracking(const Clip *clip, ClipMetrics *f)
{
    f->root_residual_force_rms_bw = f->root_residual_torque_rms_nm_kg = f->lost_s = f->rest_s = NAN;
    for (int i = 0; clip->has_tracking && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        if (!run->present)
            continue;
        f->root_residual_force_rms_bw = run->root_residual_force_rms;
        f->root_residual_torque_rms_nm_kg = run->root_residual_torque_rms;
        f->lost_s = *run->outcome ? run->lost_time : NAN; /* files of old versions have no outcome */
        f->rest_s = *run->outcome ? run->rest_time : NAN;
        snprintf(f->outcome, sizeof f->outcome, "%s", run->outcome);
    }
}

/* The fraction of frames that a bad recording leaves out, and its most common flag; frames at the ends that no
 * difference reaches count as neither. */
static void find_left_out(const Clip *clip, ClipMetrics *f)
{
    int count[TRUST_REASON_COUNT] = {0}, frames = clip->has_kinematics ? clip->kinematics.frame_count : 0, out = 0;
    int best = -1;
    for (int i = 0; clip->has_trust && i < frames; i++) {
        uint32_t flags = clip->kinematics.valid[i] ? clip->trust.reason[i] & TRUST_RECORDING : 0;
        out += flags != 0;
        for (int bit = 0; flags && bit < TRUST_REASON_COUNT; bit++)
            count[bit] += (flags >> bit & 1) != 0;
    }
    for (int bit = 0; bit < TRUST_REASON_COUNT; bit++)
        if (count[bit] > 0 && (best < 0 || (1u << best == TRUST_EDGE || count[bit] > count[best])))
            best = bit;
    f->left_out_fraction = frames > 0 && clip->has_trust ? (double)out / frames : NAN;
    snprintf(f->left_out_reason, sizeof f->left_out_reason, "%s", best >= 0 ? trust_reason_name(best) : "");
}

static Status find_verdict(const Clip *clip, ClipMetrics *f, Error *err)
{
    ClipVerdict v;
    Status status = clip_verdict_find(clip, NULL, NULL, &v, err);
    if (status)
        return status;
    f->verdict_factor = v.factor;
    f->verdict_band = v.band;
    f->verdict_t = v.t;
    f->verdict_frame = v.frame;
    snprintf(f->verdict, sizeof f->verdict, "%s", verdict_names[v.verdict]);
    snprintf(f->verdict_joint, sizeof f->verdict_joint, "%s", v.joint >= 0 ? clip->skeleton.name[v.joint] : "");
    snprintf(f->verdict_why, sizeof f->verdict_why, "%s", v.why);
    return STATUS_OK;
}

static ClipMetrics clip_metrics_find(const Clip *clip, const JointSeries *series, FrameChoice choice,
                                     const ClipStats *s)
{
    const Body *body = clip->has_body ? &clip->body : NULL;
    double mass = body && body->total_mass > 0 ? body->total_mass : NAN, stature = clip_stature(clip);
    ClipMetrics f = {.fps = frame_rate(clip->motion.frame_time),
                     .frames = clip->motion.frame_count,
                     .valid_frames = series->count,
                     .mass_kg = mass,
                     .stature_m = stature > 0 ? stature : NAN,
                     .residual_force_rms_bw = NAN,
                     .residual_torque_rms_nm_kg = NAN,
                     .decision_confidence = decisions_min(&clip->provenance.confidence),
                     .flight_s = s->events.flight_s,
                     .contact_confidence = clip->has_contact ? mean_confidence(&clip->contact, series) : NAN,
                     .presumed_support_s = presumed_support(clip),
                     .retarget = clip->has_retarget ? clip->retarget : retarget_score_unknown(),
                     .hardest_joint = hardest_joint(s, series)};
    f.duration_s = f.frames / f.fps;
    add_tracking(clip, &f);
    add_decisions(clip, &f);
    f.start_s = f.frames > 0 ? clip->motion.time[0] : NAN;
    find_largest_peaks(&s->events, &f);
    f.travel = travel_measure(clip, series);
    f.positive_work_j_kg = positive_work(s, series, mass);
    f.positive_work_j_kg_m = f.travel.distance_m >= MIN_DISTANCE ? f.positive_work_j_kg / f.travel.distance_m : NAN;
    decisions_unsure(&clip->provenance.confidence, f.unsure);
    f.trusted_fraction = f.off_plates_s = NAN;
    find_left_out(clip, &f);
    if (clip->has_trust) {
        f.off_plates_s = (clip->trust.frame_count - trust_seen_frames(&clip->trust)) * clip->motion.frame_time;
        f.trusted_fraction = trust_fraction(&clip->trust);
        snprintf(f.untrusted_reason, sizeof f.untrusted_reason, "%s", trust_commonest_reason(&clip->trust));
    }
    if (clip->has_dynamics) {
        f.residual_force_rms_bw = clip_residual_force_rms(clip, choice);
        f.residual_torque_rms_nm_kg = series_rms(clip->dynamics.residual_torque, series) / mass;
    }
    snprintf(f.skeleton, sizeof f.skeleton, "%016llx", (unsigned long long)skeleton_hash(&clip->skeleton));
    memcpy(f.source_sha256, clip->provenance.source_sha256, sizeof f.source_sha256);
    return f;
}

static size_t text_size(const char *string)
{
    return string ? strlen(string) + 1 : 1;
}

/* Appends a string (NULL: "") to the text; returns its offset. */
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
    for (int i = 0; i < s->dof_count; i++)
        size += strlen(clip->dof.name[i]) + 1;
    s->text = array_new(size, 1, 1);
    if (!s->text)
        return error_no_memory(err);
    s->source = add_text(s, source);
    s->history = add_text(s, history);
    s->decisions = add_text(s, decisions);
    s->warnings = add_text(s, warnings);
    s->confidence = clip->provenance.confidence;
    for (int j = 0; j < s->joint_count; j++)
        s->joint[j].name = add_text(s, clip->skeleton.name[j]);
    for (int i = 0; i < s->dof_count; i++)
        s->dof[i].name = add_text(s, clip->dof.name[i]);
    return STATUS_OK;
}

#define METRIC(name, unit, meaning) {#name, unit, meaning, offsetof(DofStat, name), 0}
#define LIMIT_METRIC(name, quantity, form, unit, content, column, meaning) \
    {#column, "1", meaning, offsetof(DofStat, limit_fraction[DOF_LIMIT_##name]), 0},
static const Metric dof_columns[] = {
    METRIC(position_min, "", "smallest position, rad or m"),
    METRIC(position_max, "", "largest position, rad or m"),
    METRIC(speed_peak, "", "largest speed, rad/s or m/s"),
    METRIC(effort_peak, "", "largest generalised force, N m or N"),
    METRIC(effort_rms, "", "root mean square of that"),
    METRIC(power_peak_w, "W", "largest effort times velocity, positive generates"),
    METRIC(work_pos_j, "J", "integral of the positive power"),
    DOF_LIMITS(LIMIT_METRIC)
};

MetricList dof_metrics(void) { return (MetricList){dof_columns, sizeof dof_columns / sizeof *dof_columns}; }

/* Value of a row in a frame; NaN if unknown, which fmin and fmax ignore. */
static double at_row(const Dofs *d, const double *array, int frame, int row)
{
    return array ? array[dofs_index(d, frame, row)] : NAN;
}

static void add_frame(const Dofs *d, int frame, int row, double frame_time, DofStat *stat)
{
    double position = at_row(d, d->position, frame, row), velocity = at_row(d, d->velocity, frame, row);
    double effort = at_row(d, d->effort, frame, row), power = effort * velocity;
    stat->position_min = fmin(stat->position_min, position);
    stat->position_max = fmax(stat->position_max, position);
    stat->speed_peak = fmax(stat->speed_peak, fabs(velocity));
    stat->effort_peak = fmax(stat->effort_peak, fabs(effort));
    stat->effort_rms += effort * effort;
    stat->power_peak_w = fmax(stat->power_peak_w, power);
    stat->work_pos_j += isnan(power) ? NAN : fmax(power, 0) * frame_time;
    const double value[DOF_QUANTITY_COUNT] = {[DOF_POSITION] = position, [DOF_VELOCITY] = velocity,
                                              [DOF_ACCELERATION] = at_row(d, d->acceleration, frame, row),
                                              [DOF_EFFORT] = effort};
    for (int l = 0; l < DOF_LIMIT_COUNT; l++)
        stat->limit_fraction[l] = fmax(stat->limit_fraction[l],
                                       dofs_limit_fraction(d, l, row, value[dof_limits[l].quantity]));
}

static Status collect_dofs(ClipStats *s, const Clip *clip, const JointSeries *series, Error *err)
{
    const Dofs *d = &clip->dof;
    s->dof_count = clip->has_dof ? d->count : 0;
    s->dof = array_new((size_t)s->dof_count, 1, sizeof *s->dof);
    if (!s->dof)
        return error_no_memory(err);
    for (int i = 0; i < s->dof_count; i++) {
        DofStat *stat = &s->dof[i];
        double unknown = series->count > 0 ? 0 : NAN;
        *stat = (DofStat){.joint = d->joint[i], .position_min = NAN, .position_max = NAN, .speed_peak = NAN,
                          .effort_peak = NAN, .effort_rms = unknown, .power_peak_w = NAN, .work_pos_j = unknown};
        for (int l = 0; l < DOF_LIMIT_COUNT; l++)
            stat->limit_fraction[l] = NAN;
        snprintf(stat->kind, sizeof stat->kind, "%s", dof_kind_name(d->kind[i]));
        for (int k = 0; k < series->count; k++)
            add_frame(d, series->frame[k], i, series->frame_time, stat);
        stat->effort_rms = sqrt(stat->effort_rms / fmax(series->count, 1));
    }
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

/* Stores the largest lower end of the 90 % band of a utilization, rounded up to 32 bits. */
static void largest_utilization(const Clip *clip, int frame, FrameChoice choice, Utilization *u)
{
    const JointAngles *a = &clip->angles;
    for (int i = 0; i < a->coordinate_count; i++) {
        size_t at = joint_angles_index(a, frame, i);
        double value = torque_low(a->utilization[at], a->utilization_sd ? a->utilization_sd[at] : NAN);
        if (value > (double)u->largest[frame] && clip_counts_joint(clip, frame, a->joint[i], choice)) {
            u->largest[frame] = (float)(value * (1 + 1.2e-7));
            u->role[frame] = (unsigned char)coordinate_role(a->coordinate[i]);
        }
    }
}

static Status collect_utilization(Utilization *u, const Clip *clip, FrameChoice choice, Error *err)
{
    size_t frames = (size_t)clip->motion.frame_count;
    int failed = 0;
    if (!clip->has_angles || !clip->angles.utilization || frames == 0)
        return STATUS_OK;
    u->largest = array_try(&failed, frames, 1, sizeof *u->largest);
    u->role = array_try(&failed, frames, 1, 1);
    if (failed)
        return error_no_memory(err);
    u->frame_count = clip->motion.frame_count;
    for (int f = 0; f < u->frame_count; f++)
        largest_utilization(clip, f, choice, u);
    return STATUS_OK;
}

static Status collect(ClipStats *out, const Clip *clip, const JointSeries *series, FrameChoice choice, Error *err)
{
    Status status;
    if ((status = collect_joints(out, clip, series, err)) ||
        (status = collect_dofs(out, clip, series, err)) ||
        (status = collect_text(out, clip, err)) ||
        (status = windows_init(&out->windows, clip, series, err)) ||
        (status = events_init(&out->events, clip, series, err)) ||
        (status = traces_init(&out->traces, clip, series, err)) ||
        (status = collect_utilization(&out->utilization, clip, choice, err)) ||
        (status = collect_profiles(out, clip, series, err)))
        return status;
    return motion_features_init(&out->sketch, clip, series, err);
}

Status clip_stats_init(ClipStats *out, const Clip *clip, FrameChoice choice, Error *err)
{
    *out = (ClipStats){0};
    JointSeries series;
    Status status = joint_series_init(&series, clip, choice, err);
    if (status)
        return status;
    status = collect(out, clip, &series, choice, err);
    if (status)
        clip_stats_free(out);
    else
        out->metrics = clip_metrics_find(clip, &series, choice, out);
    joint_series_free(&series);
    if (status)
        return status;
    status = find_verdict(clip, &out->metrics, err);
    const Provenance *origin = &clip->provenance;
    out->metrics.is_lean = origin->is_lean;
    if (!status)
        status = clip_settings_find(origin->history, origin->kane_version, &out->metrics.settings, err);
    if (status)
        clip_stats_free(out);
    return status;
}

void clip_stats_free(ClipStats *s)
{
    if (!s)
        return;
    free(s->joint);
    free(s->dof);
    windows_free(&s->windows);
    events_free(&s->events);
    traces_free(&s->traces);
    motion_features_free(&s->sketch);
    free(s->utilization.largest);
    free(s->utilization.role);
    free(s->profile);
    free(s->text);
    *s = (ClipStats){0};
}
