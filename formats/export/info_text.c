#include "formats/export/info.h"

#include <math.h>
#include <string.h>

#include "analysis/body/anthropometry.h"
#include "analysis/math/elementary.h"
#include "formats/base/text.h"
#include "formats/export/info_parts.h"

/* Text of a container, which a stranger may have written, between two of ours. */
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
    fputs("decided     ", stream);
    if (p->frame_time > 0)
        fprintf(stream, "%.9g fps, ", info_rate(p->frame_time));
    fprintf(stream, "%.6g m a unit, %s up%s%s\n", p->metres_per_unit, p->up_axis, *unsure ? "; unsure: " : "", unsure);
    fprintf(stream, "motion      %d frames at %.9g fps, %.3f s from %.3f s on\n", clip->motion.frame_count,
            info_rate(clip->motion.frame_time), clip->motion.frame_count * clip->motion.frame_time,
            clip->motion.time[0]);
}

/* What a person judges the unit by. */
static void print_size(FILE *stream, const Clip *clip, const BodyMeasures *m)
{
    double stature = clip_stature(clip);
    if (stature > 0)
        fprintf(stream, "size        a person of %.2f m", stature);
    else
        fprintf(stream, "size        %.3g m from corner to corner", m->extent);
    if (m->foot > 0)
        fprintf(stream, ", feet of %.2f m", m->foot);
    fprintf(stream, ", up to %.2f m/s\n", m->speed);
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

static void print_trust(FILE *stream, const Trust *trust, const ClipFigures *figures)
{
    int seen = trust_seen_frames(trust);
    fprintf(stream, "trust       %.1f %% of the ", 100 * figures->trusted_share);
    if (seen < trust->frame_count)
        fprintf(stream, "%d frames that force plates see (of %d)", seen, trust->frame_count);
    else
        fprintf(stream, "frames");
    fprintf(stream, "%s%s\n", *figures->untrusted_reason ? ", mostly against: " : "", figures->untrusted_reason);
}

static void print_groups(FILE *stream, const Clip *clip, const ClipFigures *figures)
{
    if (clip->has_body) {
        fprintf(stream, "body        %.4g kg, ", clip->body.total_mass);
        print_text(stream, "", clip->body.model, "\n");
    }
    if (clip->has_kinematics)
        fprintf(stream, "kinematics  %d of %d frames %s\n", figures->valid_frames, clip->motion.frame_count,
                clip->has_trust ? "taken" : "valid");
    if (clip->has_trust)
        print_trust(stream, &clip->trust, figures);
    else if (clip->has_kinematics)
        fprintf(stream, "trust       not judged\n");
    char sure[16] = "unknown", flight[24] = "unknown"; /* no valid frame tells it */
    if (isfinite(figures->contact_confidence))
        snprintf(sure, sizeof sure, "%.2f", figures->contact_confidence);
    if (isfinite(figures->flight_s))
        snprintf(flight, sizeof flight, "%.2f s", figures->flight_s);
    if (clip->has_contact && clip->contact.point_count == 0)
        fprintf(stream, "contact     none\n");
    else if (clip->has_contact)
        fprintf(stream,
                "contact     %d points, confidence %s, flight %s, ground at %.3f m, tilted %.1f degrees\n",
                clip->contact.point_count, sure, flight, clip->contact.ground_height,
                info_ground_tilt(&clip->contact));
    if (figures->presumed_support_s > 0)
        fprintf(stream, "support     %.2f s on a seat or a hand rail that nobody recorded\n",
                figures->presumed_support_s);
    if (info_has_points(clip) && clip->contact.linear_reduction > 0)
        fprintf(stream, "reduced     accelerations by %.2f m/s2 and %.2f rad/s2 (RMS)\n",
                clip->contact.linear_reduction, clip->contact.angular_reduction);
    if (clip->has_dynamics && figures->valid_frames == 0)
        fprintf(stream, "dynamics    no valid frame\n");
    else if (clip->has_dynamics && clip->has_body)
        fprintf(stream, "dynamics    residual force %.3f body weights, torque %.3f Nm/kg (RMS)\n",
                figures->residual_force_rms_bw, figures->residual_torque_rms_nm_kg);
    else if (clip->has_dynamics)
        fprintf(stream, "dynamics\n");
    if (clip->has_anatomy && clip->anatomy.coordinate_count == 0)
        fprintf(stream, "anatomy     no joint with anatomical axes\n");
    else if (clip->has_anatomy) {
        fprintf(stream, "anatomy     %d coordinates, neutral pose: ", clip->anatomy.coordinate_count);
        print_text(stream, "", clip->anatomy.neutral, "; knee axis: ");
        print_text(stream, "", clip->anatomy.knee_axis, "\n");
    }
}

#define SCORED(label, value, frame, unit) \
    {label, offsetof(RetargetScore, value), offsetof(RetargetScore, frame), unit}

/* What an animator would look at, and where. */
static const struct {
    const char *label;
    size_t value, frame;
    const char *unit;
} scored[] = {
    SCORED("slide added", slide_added_cm_s, slide_frame, "cm/s"),
    SCORED("soles deeper", penetration_added_cm, penetration_frame, "cm"),
    SCORED("wrists deeper", wrist_depth_added_cm, wrist_frame, "cm"),
    SCORED("arms in body", overlap_added_cm, overlap_frame, "cm"),
    SCORED("legs off", leg_direction_deg, leg_direction_frame, "degrees"),
    SCORED("bones off", direction_deg, direction_frame, "degrees"),
    SCORED("head off", head_deg, head_frame, "degrees"),
    SCORED("foot at strike", strike_deg, strike_frame, "degrees"),
    SCORED("knees", knee_acceleration, knee_frame, "times the acceleration"),
    SCORED("hips", hip_acceleration, hip_frame, "times the acceleration"),
    SCORED("hip height", hip_jerk, jerk_frame, "times the jerk"),
    SCORED("hips lower", hip_drop_cm, drop_frame, "cm"),
    SCORED("hands to body", hand_body_cm, hand_body_frame, "cm"),
    SCORED("left and right", mirror_cm, mirror_frame, "cm"),
    SCORED("residual", residual_after_bw, residual_frame, "body weights"),
};

static double score_at(const RetargetScore *r, size_t offset) { return *(const double *)((const char *)r + offset); }

/* A line a figure, with its worst frame. */
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
        double value = score_at(r, scored[i].value);
        value = round(100 * value) / 100 + 0.0; /* no minus before a zero */
        double frame = score_at(r, scored[i].frame);
        if (!isnan(value))
            fprintf(stream, "            %-14s %7.2f %s", scored[i].label, value, scored[i].unit);
        if (!isnan(value) && !isnan(frame)) /* it may have been cut off */
            fprintf(stream, ", worst in frame %.0f", frame);
        if (!isnan(value))
            putc('\n', stream);
    }
}

/* A line a controller, as in the table of kane track. */
static void print_tracking(FILE *stream, const Clip *clip)
{
    for (int i = 0; clip->has_tracking && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        if (run->present)
            fprintf(stream, "tracking    %s: %.2f degrees, %.2f cm, %.4g Nm, stable for %.2f s\n",
                    controller_name((ControllerKind)i), run->mean_error * 180 / PI, 100 * run->mean_distance,
                    run->effort, run->stable_time);
    }
}

static void print_history_line(FILE *stream, const char *line, int index)
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
    print_size(stream, clip, &size);
    print_skeleton(stream, &clip->skeleton);
    print_groups(stream, clip, &stats.figures);
    print_retarget(stream, clip);
    print_tracking(stream, clip);
    info_visit_history(clip, stream, print_history_line);
    clip_stats_free(&stats);
    return info_finish(stream, err);
}
