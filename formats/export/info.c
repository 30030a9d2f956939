/* See info.h. */
#include "formats/export/info.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/body/human_rest.h"
#include "analysis/clip/clip_schema.h"
#include "analysis/detect/body_measures.h"
#include "analysis/math/elementary.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/metric.h"
#include "formats/base/json.h"
#include "formats/base/text.h"
#include "formats/export/info_evidence.h"

/* Returns the frame rate in Hz, rounded to 1e-9: 120, not 120.00000000000001. */
static double info_rate(double frame_time)
{
    return frame_time > 0 ? round(1e9 / frame_time) / 1e9 : NAN;
}

/* Computes body measures and statistics of the chosen frames; the caller frees stats. */
static Status info_measure(const Clip *clip, FrameChoice choice, ClipStats *stats, BodyMeasures *size, Error *err)
{
    Status status = body_measures(&clip->skeleton, &clip->motion, 0, vec3(0, 1, 0), size, err);
    return status ? status : clip_stats_init(stats, clip, choice, err);
}

/* Flushes; STATUS_IO if writing failed. */
static Status info_finish(FILE *stream, Error *err)
{
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* Calls visit for each line of the history; to: a FILE or a Json. */
static void info_visit_history(const Clip *clip, void *to, void (*visit)(void *to, const char *line, int index))
{
    const char *at = clip->provenance.history ? clip->provenance.history : "";
    for (int index = 0; *at; index++) {
        size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);
        if (line)
            visit(to, line, index);
        free(line);
        at += length + (at[length] == '\n');
    }
}

static int info_has_points(const Clip *clip) { return clip->has_contact && clip->contact.point_count > 0; }

/* Returns the angle between ground and horizontal, degrees. */
static double info_ground_tilt(const Contact *c)
{
    Vec3 n = c->ground_normal;
    return elementary_atan2(sqrt(n.x * n.x + n.z * n.z), n.y) * 180 / PI;
}

/* Prints text of a clip file, which is untrusted, with control characters escaped, between two fixed texts. */
static void print_text(FILE *stream, const char *before, const char *text, const char *after)
{
    fputs(before, stream);
    if (text)
        utf8_put_shown(stream, text, strlen(text));
    fputs(after, stream);
}

static void print_source(FILE *stream, const Clip *clip)
{
    const Provenance *p = &clip->provenance;
    char unsure[DECISIONS_TEXT_SIZE];
    decisions_unsure(&p->confidence, unsure);
    print_text(stream, "title       ", p->title, "\n");
    print_text(stream, "source      ", p->source, *p->source_sha256 ? ", sha256 " : "");
    fprintf(stream, "%.12s\n", p->source_sha256);
    fputs("detected    ", stream);
    if (p->frame_time > 0)
        fprintf(stream, "%.9g fps, ", info_rate(p->frame_time));
    fprintf(stream, "%.6g m per unit, %s up%s%s\n", p->meters_per_unit, p->up_axis, *unsure ? "; uncertain: " : "",
            unsure);
    fprintf(stream, "motion      %d frame%s at %.9g fps, %.3f s from %.3f s on\n", clip->motion.frame_count,
            clip->motion.frame_count == 1 ? "" : "s", info_rate(clip->motion.frame_time),
            clip->motion.frame_count * clip->motion.frame_time, clip->motion.time[0]);
    if (*p->kane_version)
        fprintf(stream, "stored      %s\n", p->is_lean ? "lean: kinematics, joint forces, powers and angles are "
                                                          "computed when the file is read" : "full");
}

/* Prints the body measures that show whether the unit is right. */
static void print_size(FILE *stream, const Clip *clip, const BodyMeasures *m)
{
    double stature = clip_stature(clip);
    if (stature > 0)
        fprintf(stream, "size        stature %.2f m", stature);
    else
        fprintf(stream, "size        diagonal %.3g m", m->extent);
    if (m->foot > 0)
        fprintf(stream, ", foot %.2f m", m->foot);
    fprintf(stream, ", speed up to %.2f m/s\n", m->speed);
}

static void print_skeleton(FILE *stream, const Skeleton *skeleton)
{
    int roles = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        roles += skeleton->role[j] != ROLE_NONE;
    fprintf(stream, "skeleton    %d joints, %d end sites, %d roles\n", skeleton->joint_count, skeleton->end_count,
            roles);
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        int joint = skeleton_find_role(skeleton, (Role)role);
        if (joint >= 0) {
            fprintf(stream, "  %-16s ", role_name((Role)role));
            print_text(stream, "", skeleton->name[joint], "\n");
        }
    }
}

static void print_trust(FILE *stream, const Trust *trust, const ClipMetrics *metrics)
{
    int seen = trust_seen_frames(trust);
    fprintf(stream, "trusted     %.1f %% of the ", 100 * metrics->trusted_fraction);
    if (seen < trust->frame_count)
        fprintf(stream, "%d frames with force plates (of %d)", seen, trust->frame_count);
    else
        fprintf(stream, "frames");
    fprintf(stream, "%s%s\n", *metrics->untrusted_reason ? ", main flag: " : "", metrics->untrusted_reason);
}

/* Joints whose expected torque error is printed; both legs are pooled. */
static const struct {
    const char *joint;
    Role role[2];
} legs[] = {{"hip", {ROLE_LEFT_HIP, ROLE_RIGHT_HIP}},
            {"knee", {ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE}},
            {"ankle", {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE}}};
enum { LEG_JOINTS = sizeof legs / sizeof *legs };

/* Returns the expected error of a joint's torque, mean over the chosen frames, N m/kg; NaN: unknown. */
static double expected_error(const Clip *clip, FrameChoice choice, const Role role[2])
{
    const Dynamics *d = &clip->dynamics;
    double sum = 0, count = 0;
    if (!clip->has_dynamics || !d->torque_sd || !clip->has_body || !(clip->body.total_mass > 0))
        return NAN;
    for (int i = 0; i < 2; i++) {
        int joint = skeleton_find_role(&clip->skeleton, role[i]);
        for (int f = 0; joint >= 0 && f < d->frame_count; f++)
            if (clip_counts_frame(clip, f, choice)) {
                sum += vec3_norm(d->torque_sd[(size_t)f * (size_t)d->joint_count + (size_t)joint]);
                count++;
            }
    }
    return count > 0 ? EXPECTED_ERROR * sum / count / clip->body.total_mass : NAN;
}

/* Returns the error source with the largest fraction of the variance; -1: unknown. */
static int main_source(const Clip *clip)
{
    const double *fraction = clip->dynamics.error_source;
    int max = 0;
    for (int i = 1; i < ERROR_SOURCE_COUNT; i++)
        max = fraction[i] > fraction[max] ? i : max;
    return clip->has_dynamics && fraction[max] > 0 ? max : -1;
}

static const char *const source_names[ERROR_SOURCE_COUNT] = {"contact", "filter", "body", "recording"};

/* "expected    error of hip 0.21, knee 0.15, ankle 0.12 N m/kg; 71 % of the variance from contact" */
static void print_expected_error(FILE *stream, const Clip *clip, FrameChoice choice)
{
    const char *before = "expected    error of ";
    int source = main_source(clip), any = 0;
    for (int i = 0; i < LEG_JOINTS; i++) {
        double error = expected_error(clip, choice, legs[i].role);
        if (isnan(error))
            continue;
        fprintf(stream, "%s%s %.2f", any++ ? ", " : before, legs[i].joint, error);
    }
    if (any)
        fprintf(stream, " N m/kg");
    if (any && source >= 0)
        fprintf(stream, "; %.0f %% of the variance from %s", 100 * clip->dynamics.error_source[source],
                source_names[source]);
    if (any)
        putc('\n', stream);
}

static void print_groups(FILE *stream, const Clip *clip, const ClipMetrics *metrics)
{
    if (clip->has_body) {
        fprintf(stream, "body        %.4g kg, ", clip->body.total_mass);
        print_text(stream, "", clip->body.model, "\n");
    }
    if (clip->has_kinematics)
        fprintf(stream, "kinematics  %d of %d frames valid\n", metrics->valid_frames,
                clip->motion.frame_count);
    if (clip->has_trust)
        print_trust(stream, &clip->trust, metrics);
    else if (clip->has_kinematics)
        fprintf(stream, "trusted     not checked\n");
    char sure[16] = "unknown", flight[24] = "unknown"; /* unknown without valid frames */
    if (isfinite(metrics->contact_confidence))
        snprintf(sure, sizeof sure, "%.2f", metrics->contact_confidence);
    if (isfinite(metrics->flight_s))
        snprintf(flight, sizeof flight, "%.2f s", metrics->flight_s);
    if (clip->has_contact && clip->contact.point_count == 0)
        fprintf(stream, "contact     none\n");
    else if (clip->has_contact)
        fprintf(stream,
                "contact     %d points, confidence %s, flight %s, ground at %.3f m, tilted %.1f degrees\n",
                clip->contact.point_count, sure, flight, clip->contact.ground_height,
                info_ground_tilt(&clip->contact));
    if (metrics->presumed_support_s > 0)
        fprintf(stream, "support     %.2f s on an unrecorded seat or handrail\n",
                metrics->presumed_support_s);
    if (info_has_points(clip) && clip->contact.linear_reduction > 0)
        fprintf(stream, "reduced     accelerations by %.2f m/s2 and %.2f rad/s2 (RMS)\n",
                clip->contact.linear_reduction, clip->contact.angular_reduction);
    if (clip->has_dynamics && metrics->valid_frames == 0)
        fprintf(stream, "dynamics    no valid frame\n");
    else if (clip->has_dynamics && clip->has_body)
        fprintf(stream, "dynamics    residual force %.3f body weights, torque %.3f N m/kg (RMS)\n",
                metrics->residual_force_rms_bw, metrics->residual_torque_rms_nm_kg);
    else if (clip->has_dynamics)
        fprintf(stream, "dynamics\n");
    if (clip->has_angles && clip->angles.coordinate_count == 0)
        fprintf(stream, "angles      no joint with anatomical axes\n");
    else if (clip->has_angles) {
        fprintf(stream, "angles      %d coordinates, neutral pose: ", clip->angles.coordinate_count);
        print_text(stream, "", clip->angles.neutral, "; knee axis: ");
        print_text(stream, "", clip->angles.knee_axis, "\n");
    }
}

/* "peak        2.18 ± 0.59 N m/kg, left_knee at 1.950 s; of all frames 2.18; none left out": of the frames that the
 * index counts, whatever the choice. */
static void put_peak(FILE *stream, const ClipStats *stats)
{
    const ClipMetrics *metrics = &stats->metrics;
    const JointStat *joint = &stats->joint[metrics->hardest_joint];
    const JointPeaks *peaks = &joint->peaks;
    fprintf(stream, "peak        %.2f", peaks->torque_peak_nm_kg);
    if (peaks->torque_peak_sd_nm_kg > 0)
        fprintf(stream, " ± %.2g", peaks->torque_peak_sd_nm_kg);
    print_text(stream, " N m/kg, ", joint->role ? role_name(joint->role) : stats->text + joint->name, "");
    fprintf(stream, " at %.3f s; of all frames %.2f; ", peaks->torque_peak_t, peaks->torque_peak_all_nm_kg);
    if (metrics->left_out_fraction > 0)
        fprintf(stream, "%.1f %% left out: %s\n", 100 * metrics->left_out_fraction, metrics->left_out_reason);
    else
        fprintf(stream, "none left out\n");
}

static Status print_peak(FILE *stream, const Clip *clip, Error *err)
{
    ClipStats stats;
    if (!clip->has_dynamics)
        return STATUS_OK;
    Status status = clip_stats_init(&stats, clip, FRAMES_SOUND, err);
    if (status)
        return status;
    if (stats.metrics.hardest_joint >= 0)
        put_peak(stream, &stats);
    clip_stats_free(&stats);
    return STATUS_OK;
}

/* "verdict     possible, 0.45 ± 0.02: right hip flexion 0.48 ± 0.1 times a strong person's at 2.40 s" */
static void print_verdict(FILE *stream, const Clip *clip, const ClipMetrics *metrics)
{
    if (!clip->has_dynamics || !clip->has_angles || clip->angles.coordinate_count == 0)
        return;
    fprintf(stream, "verdict     %s", metrics->verdict);
    if (isfinite(metrics->verdict_factor))
        fprintf(stream, ", %.2f ± %.2f", metrics->verdict_factor, metrics->verdict_band);
    fprintf(stream, ": %s\n", metrics->verdict_why);
}

#define SCORED(label, metric, unit) {label, offsetof(RetargetScore, metric), WORST_##metric, unit}

/* Quality metrics of a retargeted motion. */
static const struct {
    const char *label;
    size_t value;
    int worst;
    const char *unit;
} scored[] = {
    SCORED("foot slide increase", slide_increase_cm_s, "cm/s"),
    SCORED("sole penetration", penetration_increase_cm, "cm"),
    SCORED("wrist penetration", wrist_depth_increase_cm, "cm"),
    SCORED("arm-body overlap", overlap_increase_cm, "cm"),
    SCORED("leg direction", leg_direction_deg, "degrees"),
    SCORED("bone direction", bone_direction_deg, "degrees"),
    SCORED("knee acceleration", knee_acceleration, "times the source"),
    SCORED("hip jerk", hip_jerk, "times the source"),
    SCORED("hip drop", hip_drop_cm, "cm"),
    SCORED("pelvis facing", facing_pelvis_deg, "degrees"),
    SCORED("chest facing", facing_chest_deg, "degrees"),
    SCORED("head facing", facing_head_deg, "degrees"),
    SCORED("thigh facing", facing_thigh_deg, "degrees"),
    SCORED("forearm facing", facing_forearm_deg, "degrees"),
    SCORED("hand facing", facing_hand_deg, "degrees"),
    SCORED("foot below floor", sink_increase_cm, "cm"),
    SCORED("shoulders' width", girdle_width_change, "of the rest"),
    SCORED("hands apart", hands_apart_cm, "cm"),
    SCORED("root height", root_height_cm, "cm"),
    SCORED("root path", root_path_cm, "cm"),
    SCORED("left-right", mirror_cm, "cm"),
    SCORED("residual", residual_after_bw, "body weights"),
};

/* Prints one line per metric, with its worst frame. */
static void print_retarget(FILE *stream, const Clip *clip)
{
    const RetargetScore *r = &clip->retarget;
    if (!clip->has_retarget)
        return;
    fprintf(stream, "retarget    scale %.3f", r->scale);
    if (!isnan(r->contact_kept))
        fprintf(stream, ", contact kept %.3f", r->contact_kept);
    if (!isnan(r->residual_before_bw))
        fprintf(stream, ", residual before %.2f body weights", r->residual_before_bw);
    putc('\n', stream);
    for (size_t i = 0; i < sizeof scored / sizeof *scored; i++) {
        double value = *(const double *)((const char *)r + scored[i].value), frame = r->worst_frame[scored[i].worst];
        value = round(100 * value) / 100 + 0.0; /* no -0 */
        if (!isnan(value))
            fprintf(stream, "            %-19s %7.2f %s", scored[i].label, value, scored[i].unit);
        if (!isnan(value) && !isnan(frame)) /* NaN if the frame was trimmed */
            fprintf(stream, ", maximum in frame %.0f", frame);
        if (!isnan(value))
            putc('\n', stream);
    }
}

/* How the contacts and limits of a scene were solved. */
static void print_simulation(FILE *stream, const Clip *clip)
{
    const Simulation *s = &clip->simulation;
    if (clip->has_simulation && s->solved_islands > 0)
        fprintf(stream, "simulation  %.0f islands of contacts and limits in %.0f pivots, %.0f by Lemke's method, "
                "%.0f by Gauss-Seidel\n", s->solved_islands, s->solver_pivots, s->lemke_islands, s->swept_islands);
}

/* Prints one line per controller, as in the table of kane track. */
static void print_tracking(FILE *stream, const Clip *clip)
{
    for (int i = 0; clip->has_tracking && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char outcome[OUTCOME_TEXT_SIZE];
        if (!run->present)
            continue;
        tracking_outcome_text(run, outcome);
        if (!strcmp(outcome, outcome_name(OUTCOME_HELD)))
            *outcome = 0;
        fprintf(stream, "tracking    %s: %.2f degrees, %.2f cm, %.4g N m, stable for %.2f s%s%s\n",
                controller_name((ControllerKind)i), run->mean_error * 180 / PI, 100 * run->mean_distance,
                run->torque_sum_mean, run->stable_time, *outcome ? ", " : "", outcome);
    }
}

static void print_history_line(void *stream, const char *line, int index)
{
    print_text(stream, index ? "            " : "history     ", line, "\n");
}

Status info_text(const Clip *clip, FrameChoice choice, FILE *stream, Error *err)
{
    ClipStats stats;
    BodyMeasures size;
    Status status = info_measure(clip, choice, &stats, &size, err);
    if (status)
        return status;
    print_source(stream, clip);
    info_print_evidence(stream, &clip->provenance);
    print_size(stream, clip, &size);
    print_skeleton(stream, &clip->skeleton);
    print_groups(stream, clip, &stats.metrics);
    status = print_peak(stream, clip, err);
    print_verdict(stream, clip, &stats.metrics);
    print_expected_error(stream, clip, choice);
    print_retarget(stream, clip);
    print_simulation(stream, clip);
    print_tracking(stream, clip);
    info_visit_history(clip, stream, print_history_line);
    clip_stats_free(&stats);
    return status ? status : info_finish(stream, err);
}

static void put_number(Json *json, const char *key, double value)
{
    json_line(json, "  ");
    json_member_number(json, key, value);
}

/* Writes null for an empty text: the clip lacks it. */
static void put_text(Json *json, const char *key, const char *text)
{
    json_line(json, "  ");
    json_member_text(json, key, text && *text ? text : NULL);
}

static void put_open(Json *json, const char *key, char bracket)
{
    json_line(json, "  ");
    json_member_open(json, key, bracket);
}

static void put_joint_names(Json *json, const Skeleton *skeleton)
{
    put_open(json, "joint_names", '[');
    for (int j = 0; j < skeleton->joint_count; j++)
        json_text(json, skeleton->name[j]);
    json_close(json, ']');
}

static void put_roles(Json *json, const Skeleton *skeleton)
{
    put_open(json, "roles", '{');
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        int joint = skeleton_find_role(skeleton, (Role)role);
        if (joint >= 0)
            json_member_text(json, role_name((Role)role), skeleton->name[joint]);
    }
    json_close(json, '}');
}

static void put_groups(Json *json, const Clip *clip)
{
    put_open(json, "groups", '[');
    for (int i = GROUP_SKELETON; i < GROUP_COUNT; i++)
        if (schema_has_group(clip, (SchemaGroupId)i))
            json_text(json, schema_groups[i].name);
    json_close(json, ']');
}

static void put_history_line(void *json, const char *line, int index)
{
    (void)index;
    json_line(json, "    ");
    json_text(json, line);
}

/* Writes the uncertain detections of import and the confidence of each; null if unknown. */
static void put_decisions(Json *json, const Decisions *d)
{
    char unsure[DECISIONS_TEXT_SIZE];
    int known = !isnan(decisions_min(d));
    decisions_unsure(d, unsure);
    put_text(json, "unsure", known ? unsure : NULL);
    put_number(json, "unit_confidence", known ? d->unit : NAN);
    put_number(json, "up_axis_confidence", known ? d->up_axis : NAN);
    put_number(json, "frame_rate_confidence", known ? d->frame_rate : NAN);
    put_number(json, "root_offset_confidence", known ? d->root_offset : NAN);
    put_number(json, "positions_confidence", known ? d->positions : NAN);
    put_number(json, "first_frame_confidence", known ? d->first_frame : NAN);
}

/* Writes body measures in m and m/s, which show whether the unit is right. */
static void put_size(Json *json, const Clip *clip, const BodyMeasures *m)
{
    double stature = clip_stature(clip);
    put_number(json, "size_stature", stature > 0 ? stature : NAN);
    put_number(json, "size_foot", m->foot > 0 ? m->foot : NAN);
    put_number(json, "size_extent", m->extent);
    put_number(json, "size_speed", m->speed);
}

static void put_source(Json *json, const Clip *clip)
{
    const Provenance *p = &clip->provenance;
    put_text(json, "title", p->title);
    put_text(json, "source", p->source);
    put_text(json, "source_sha256", p->source_sha256);
    put_number(json, "fps", info_rate(p->frame_time));
    put_number(json, "frame_time", p->frame_time);
    put_number(json, "meters_per_unit", p->meters_per_unit);
    put_text(json, "up_axis", p->up_axis);
    put_text(json, "stored", !*p->kane_version ? NULL : p->is_lean ? "lean" : "full");
    put_decisions(json, &p->confidence);
    info_put_evidence(json, p);
}

static void put_metrics(Json *json, const Clip *clip, const ClipMetrics *metrics)
{
    put_text(json, "body_model", clip->has_body ? clip->body.model : NULL);
    put_number(json, "total_mass", clip->has_body ? clip->body.total_mass : NAN);
    put_number(json, "stature", clip->has_body && clip->body.stature > 0 ? clip->body.stature : NAN);
    put_number(json, "contact_points", clip->has_contact ? clip->contact.point_count : NAN);
    put_number(json, "contact_confidence", metrics->contact_confidence);
    put_number(json, "flight_s", metrics->flight_s);
    put_number(json, "presumed_support_s", metrics->presumed_support_s);
    put_number(json, "off_plates_s", metrics->off_plates_s);
    put_number(json, "ground_height", info_has_points(clip) ? clip->contact.ground_height : NAN);
    put_number(json, "ground_tilt_degrees", info_has_points(clip) ? info_ground_tilt(&clip->contact) : NAN);
    put_number(json, "linear_reduction", info_has_points(clip) ? clip->contact.linear_reduction : NAN);
    put_number(json, "angular_reduction", info_has_points(clip) ? clip->contact.angular_reduction : NAN);
    put_number(json, "valid_frames", clip->has_kinematics ? metrics->valid_frames : NAN);
    put_number(json, "trusted_fraction", metrics->trusted_fraction);
    put_text(json, "untrusted_reason", metrics->untrusted_reason);
    put_number(json, "residual_force_rms_bw", metrics->residual_force_rms_bw);
    put_number(json, "residual_torque_rms_nm_kg", metrics->residual_torque_rms_nm_kg);
}

static void put_expected_error(Json *json, const Clip *clip, FrameChoice choice)
{
    int source = main_source(clip);
    for (int i = 0; i < LEG_JOINTS; i++) {
        char key[40];
        snprintf(key, sizeof key, "expected_error_%s_nm_kg", legs[i].joint);
        put_number(json, key, expected_error(clip, choice, legs[i].role));
    }
    put_text(json, "error_source", source >= 0 ? source_names[source] : NULL);
    put_number(json, "error_source_fraction", source >= 0 ? clip->dynamics.error_source[source] : NAN);
}

static void put_angles(Json *json, const JointAngles *a)
{
    put_open(json, "coordinates", '[');
    for (int i = 0; i < a->coordinate_count; i++)
        json_text(json, coordinate_name(a->coordinate[i]));
    json_close(json, ']');
    put_text(json, "neutral_pose", a->neutral);
    put_text(json, "knee_axis", a->knee_axis);
}

/* Writes the metrics of a retargeted motion under their names in the index. */
static void put_retarget(Json *json, const ClipMetrics *metrics)
{
    MetricList list = clip_metrics();
    for (int i = 0; i < list.count; i++)
        if (!strncmp(list.metric[i].name, "retarget_", 9))
            put_number(json, list.metric[i].name, *(const double *)((const char *)metrics + list.metric[i].offset));
}

/* [{"controller", "mean_error_degrees", "mean_distance_cm", "stable_s", "outcome", "lost_s", "rest_s"} ...] */
static void put_tracking(Json *json, const Tracking *t)
{
    put_open(json, "tracking", '[');
    for (int i = 0; i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &t->run[i];
        if (!run->present)
            continue;
        json_line(json, "    ");
        json_open(json, '{');
        json_member_text(json, "controller", controller_name((ControllerKind)i));
        json_member_number(json, "mean_error_degrees", run->mean_error * 180 / PI);
        json_member_number(json, "mean_distance_cm", 100 * run->mean_distance);
        json_member_number(json, "stable_s", run->stable_time);
        json_member_text(json, "outcome", run->outcome);
        json_member_number(json, "lost_s", *run->outcome ? run->lost_time : NAN);
        json_member_number(json, "rest_s", *run->outcome ? run->rest_time : NAN);
        json_close(json, '}');
    }
    json_line(json, "  ");
    json_close(json, ']');
}

static void put_simulation(Json *json, const Simulation *s)
{
    put_number(json, "solved_islands", s->solved_islands);
    put_number(json, "solver_pivots", s->solver_pivots);
    put_number(json, "lemke_islands", s->lemke_islands);
    put_number(json, "swept_islands", s->swept_islands);
}

Status info_json(const Clip *clip, FrameChoice choice, FILE *stream, Error *err)
{
    ClipStats stats;
    BodyMeasures size;
    Status status = info_measure(clip, choice, &stats, &size, err);
    if (status)
        return status;
    Json json = json_spaced(stream);
    json_open(&json, '{');
    put_source(&json, clip);
    put_size(&json, clip, &size);
    put_number(&json, "sample_rate", info_rate(clip->motion.frame_time));
    put_number(&json, "frames", clip->motion.frame_count);
    put_number(&json, "duration", clip->motion.frame_count * clip->motion.frame_time);
    put_number(&json, "start", clip->motion.time[0]);
    put_number(&json, "joints", clip->skeleton.joint_count);
    put_joint_names(&json, &clip->skeleton);
    put_number(&json, "end_sites", clip->skeleton.end_count);
    put_roles(&json, &clip->skeleton);
    put_groups(&json, clip);
    put_metrics(&json, clip, &stats.metrics);
    put_expected_error(&json, clip, choice);
    if (clip->has_angles)
        put_angles(&json, &clip->angles);
    if (clip->has_retarget)
        put_retarget(&json, &stats.metrics);
    if (clip->has_simulation)
        put_simulation(&json, &clip->simulation);
    if (clip->has_tracking)
        put_tracking(&json, &clip->tracking);
    put_open(&json, "history", '[');
    info_visit_history(clip, &json, put_history_line);
    json_line(&json, "  ");
    json_close(&json, ']');
    json_line(&json, "");
    json_close(&json, '}');
    putc('\n', stream);
    clip_stats_free(&stats);
    return info_finish(stream, err);
}
