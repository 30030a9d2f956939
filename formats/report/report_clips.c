/* The data of the page of clips (report_clips.h); page_clip.c writes each clip. */
#include "formats/report/report_clips.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/events.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/metric.h"
#include "formats/base/json.h"
#include "formats/report/page_clip.h"
#include "formats/report/page_curves.h"
#include "formats/report/page_shapes.h"
#include "formats/report/page_verdict.h"

static const char *or_empty(const char *text) { return text ? text : ""; }

typedef int (*FrameTest)(const PageClip *actor, int support, int frame);

/* Writes the interval of frames begin to end - 1. A frame extends half a frame time to both sides. */
static void put_span(Json *json, const PageClip *actor, int begin, int end)
{
    json_number(json, actor->start + (begin - 0.5) * actor->frame_time);
    json_number(json, actor->start + (end - 0.5) * actor->frame_time);
}

/* [[t0, t1] ...] */
static void put_intervals(Json *json, const char *key, const PageClip *actor, int support, FrameTest test)
{
    int begin = -1;
    json_member_open(json, key, '[');
    for (int f = 0; f <= actor->frame_count; f++) {
        int inside = f < actor->frame_count && test(actor, support, f);
        if (inside && begin < 0)
            begin = f;
        if (inside || begin < 0)
            continue;
        json_open(json, '[');
        put_span(json, actor, begin, f);
        json_close(json, ']');
        begin = -1;
    }
    json_close(json, ']');
}

/* Returns the flags of a joint in a frame, bits of TrustReason; joint -1: of the frame. */
static uint32_t reason_at(const PageClip *actor, int joint, int frame)
{
    const Clip *clip = actor->clip;
    if (frame >= actor->frame_count || actor->run || !clip->has_kinematics)
        return 0;
    if (!clip->has_trust)
        return joint < 0 && !clip->kinematics.valid[frame] ? TRUST_EDGE : 0;
    unsigned of_frame = clip->trust.reason[frame];
    return joint < 0 ? of_frame : trust_joint_reason(&clip->trust, frame, joint) & ~of_frame;
}

enum { REASONS_TEXT = 512 };

/* "flip, edge" */
static const char *reasons_text(uint32_t reason, char text[REASONS_TEXT])
{
    size_t size = 0;
    *text = 0;
    for (int i = 0; i < TRUST_REASON_COUNT; i++)
        if (reason >> i & 1 && size < REASONS_TEXT)
            size += (size_t)snprintf(text + size, REASONS_TEXT - size, "%s%s", size ? ", " : "", trust_reason_name(i));
    return text;
}

/* [[t0, t1, "flip, edge"] ...] */
static void put_reasons(Json *json, const char *key, const PageClip *actor, int joint)
{
    int begin = 0;
    char text[REASONS_TEXT];
    json_member_open(json, key, '[');
    for (int f = 1; f <= actor->frame_count; f++) {
        uint32_t reason = reason_at(actor, joint, begin);
        if (f < actor->frame_count && reason_at(actor, joint, f) == reason)
            continue;
        if (reason) {
            json_open(json, '[');
            put_span(json, actor, begin, f);
            json_text(json, reasons_text(reason, text));
            json_close(json, ']');
        }
        begin = f;
    }
    json_close(json, ']');
}

static void put_joint(Json *json, const PageClip *actor, const ClipStats *stats, int j)
{
    const Skeleton *s = &actor->clip->skeleton;
    const JointPeaks *peaks = &stats->joint[j].peaks;
    json_open(json, '{');
    json_print(json, "\"parent\":%d,\"residual\":%d,\"helper\":%d,\"implied\":%d,\"shifting\":%d", s->parent[j],
               actor->is_residual[j], actor->is_helper[j], actor->is_implied[j], actor->is_shifting[j]);
    json_member_vector(json, "offset", actor->offset[j]);
    json_member_text(json, "name", s->name[j]);
    json_member_text(json, "role", role_name(s->role[j]));
    json_member_text(json, "segment", role_name(s->segment[j]));
    if (!actor->run) {
        json_member_number(json, "peak_nm_kg", peaks->torque_peak_nm_kg);
        json_member_number(json, "peak_t", peaks->torque_peak_t);
        json_member_number(json, "peak_all_nm_kg", peaks->torque_peak_all_nm_kg);
        if (peaks->torque_peak_all_frame >= 0)
            json_member_number(json, "peak_all_t", actor->clip->motion.time[peaks->torque_peak_all_frame]);
        if (actor->clip->has_trust && actor->clip->trust.joint_reason)
            put_reasons(json, "untrusted", actor, j);
        json_member_number(json, "rms_nm_kg", peaks->torque_rms_nm_kg);
    } else if (actor->clip->tracking.carrier[j] != j) {
        json_member_number(json, "carrier", actor->clip->tracking.carrier[j]);
    }
    json_close(json, '}');
}

static void put_skeleton(Json *json, const PageClip *actor, const ClipStats *stats)
{
    const Skeleton *s = &actor->clip->skeleton;
    json_member_open(json, "joints", '[');
    for (int j = 0; j < s->joint_count; j++)
        put_joint(json, actor, stats, j);
    json_close(json, ']');
    json_member_open(json, "ends", '[');
    for (int e = 0; e < s->end_count; e++)
        json_integer(json, s->end_parent[e]);
    json_close(json, ']');
    json_member_open(json, "end_offsets", '[');
    for (int e = 0; e < s->end_count; e++)
        json_print(json, "[%.6g,%.6g,%.6g]", s->end_offset[e].x, s->end_offset[e].y, s->end_offset[e].z);
    json_close(json, ']');
}

/* [{"joint", "name": "left_knee_flexion"} ...]: the coordinates of a joint are consecutive, in the order of their
 * series. */
static void put_coordinates(Json *json, const PageClip *actor)
{
    const JointAngles *a = &actor->clip->angles;
    json_member_open(json, "coordinates", '[');
    for (int c = 0; c < curves_coordinate_count(actor); c++)
        json_print(json, "{\"joint\":%d,\"name\":\"%s\"}", a->joint[c], coordinate_name(a->coordinate[c]));
    json_close(json, ']');
}

static void put_supports(Json *json, const PageClip *actor)
{
    static const char *const sides[] = {[FOOT_LEFT] = "left", [FOOT_RIGHT] = "right", [FOOT_COUNT] = ""};
    json_member_open(json, "supports", '[');
    for (int s = 0; s < actor->support_count; s++) {
        json_open(json, '{');
        json_member_integer(json, "joint", actor->support[s].joint);
        json_member_text(json, "foot", sides[actor->support[s].foot]);
        if (actor->support[s].is_push)
            json_member_integer(json, "push", 1);
        put_intervals(json, "down", actor, s, page_clip_is_down);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_metrics(Json *json, const ClipMetrics *metrics)
{
    MetricList list = clip_metrics();
    json_member_open(json, "figures", '{');
    for (int i = 0; i < list.count; i++) {
        const char *at = (const char *)metrics + list.metric[i].offset;
        double value = list.metric[i].is_integer ? *(const int *)at : *(const double *)at;
        json_member_number(json, list.metric[i].name, value);
    }
    json_close(json, '}');
}

/* [["flight", joint, t0, t1, value] ...] as in events.h, for the clip's own motion. */
static void put_events(Json *json, const Events *events)
{
    static const char *const names[] = {
        [EVENT_TORQUE_PEAK] = "torque_peak", [EVENT_FOOT_CONTACT] = "foot_contact", [EVENT_FLIGHT] = "flight"};
    json_member_open(json, "events", '[');
    for (int i = 0; i < events->count; i++) {
        const Event *event = &events->event[i];
        json_open(json, '[');
        json_text(json, names[event->kind]);
        json_integer(json, event->joint);
        json_number(json, event->t0);
        json_number(json, event->t1);
        json_number(json, event->value);
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void put_run(Json *json, const TrackingRun *run)
{
    json_member_open(json, "tracking", '{');
    json_member_number(json, "mean_error", run->mean_error);
    json_member_number(json, "p95_error", run->p95_error);
    json_member_number(json, "mean_distance", run->mean_distance);
    json_member_number(json, "stable_time", run->stable_time);
    json_member_number(json, "torque_sum_mean_nm", run->torque_sum_mean);
    json_member_text(json, "outcome", run->outcome);
    json_member_number(json, "lost_s", *run->outcome ? run->lost_time : NAN);
    json_member_number(json, "rest_s", *run->outcome ? run->rest_time : NAN);
    json_close(json, '}');
}

/* [["lost", -1, t, t, 0] ...]: the loss of balance, and rest after a fall. */
static void put_turns(Json *json, const PageClip *actor)
{
    const TrackingRun *run = actor->run;
    const struct { const char *name; double time; } turn[] = {{"lost", run->lost_time}, {"rest", run->rest_time}};
    json_member_open(json, "events", '[');
    for (size_t i = 0; *run->outcome && i < sizeof turn / sizeof *turn; i++) {
        if (!isnan(turn[i].time))
            json_print(json, "[\"%s\",-1,%.9g,%.9g,0]", turn[i].name, turn[i].time, turn[i].time);
    }
    json_close(json, ']');
}

static void put_ground(Json *json, const Clip *clip)
{
    int has_ground = clip->has_contact && clip->contact.point_count > 0;
    json_member_number(json, "ground_height", has_ground ? clip->contact.ground_height : 0);
    json_member_vector(json, "ground_normal", has_ground ? clip->contact.ground_normal : vec3(0, 1, 0));
}

static void put_source(Json *json, const PageClip *actor)
{
    const Clip *clip = actor->clip;
    char unsure[DECISIONS_TEXT_SIZE];
    json_member_text(json, "source", or_empty(clip->provenance.source));
    json_member_text(json, "history", or_empty(clip->provenance.history));
    decisions_unsure(&clip->provenance.confidence, unsure);
    json_member_text(json, "unsure", unsure);
    json_member_text(json, "controller", actor->run ? controller_name(actor->controller) : "");
    json_member_text(json, "body_model", clip->has_body ? clip->body.model : "");
    json_member_number(json, "mass", actor->mass);
    json_member_number(json, "frames", actor->frame_count);
    json_member_number(json, "samples", actor->sample_count);
    json_member_number(json, "stride", actor->stride);
    json_member_number(json, "start", actor->start);
    json_member_number(json, "frame_time", actor->frame_time);
}

static Status put_actor(Json *json, const PageClip *actor, SeriesBlock *block, Error *err)
{
    ClipStats stats;
    Status status = clip_stats_init(&stats, actor->clip, FRAMES_SOUND, err);
    if (status)
        return status;
    json_open(json, '{');
    json_member_text(json, "title", or_empty(actor->clip->provenance.title));
    put_source(json, actor);
    put_skeleton(json, actor, &stats);
    put_coordinates(json, actor);
    put_ground(json, actor->clip);
    put_supports(json, actor);
    put_reasons(json, "untrusted", actor, -1);
    put_metrics(json, &stats.metrics);
    json_member_text(json, "untrusted_reason", stats.metrics.untrusted_reason);
    json_member_text(json, "left_out_reason", stats.metrics.left_out_reason);
    if (actor->run) {
        put_run(json, actor->run);
        put_turns(json, actor);
    } else
        put_events(json, &stats.events);
    clip_stats_free(&stats);
    status = page_verdict_write(actor, json, err);
    if (!status) {
        json_key(json, "channels");
        status = curves_write(actor, block, json, err);
    }
    if (!status) {
        json_key(json, "skin");
        status = skin_write(actor->clip, block, json, err);
    }
    json_key(json, "lines");
    page_lines_write(&actor->clip->shapes, json);
    if (actor->run && actor->run->ball)
        json_member_number(json, "ball_radius", TRACKING_BALL_RADIUS);
    json_close(json, '}');
    return status;
}

static Status put_side(Json *json, const ReportSide *side, long max_values, SeriesBlock *block, Error *err)
{
    PageClip actor;
    Status status = side->is_controller
                      ? page_clip_init_controller(side->clip, side->controller, max_values, &actor, err)
                      : page_clip_init(side->clip, max_values, &actor, err);
    if (status)
        return status;
    status = put_actor(json, &actor, block, err);
    page_clip_free(&actor);
    return status;
}

_Static_assert((int)CONTROLLER_COUNT < (int)REPORT_ACTORS, "a clip and all its controllers are on one page");

int report_controller_sides(const Clip *clip, ReportSide side[REPORT_ACTORS])
{
    int count = 0;
    side[count++] = (ReportSide){.clip = clip};
    for (int i = 0; clip->has_tracking && i < CONTROLLER_COUNT; i++)
        if (clip->tracking.run[i].present)
            side[count++] = (ReportSide){clip, 1, (ControllerKind)i};
    return count;
}

Status report_clips_data(const ReportSide *side, int count, ReportClipsData *out, Error *err)
{
    *out = (ReportClipsData){0};
    Json json = json_compact(open_memstream(&out->json, &out->json_size));
    if (!json.stream)
        return error_no_memory(err);
    Status status = STATUS_OK;
    report_json_begin(&json, "clips");
    json_member_open(&json, "clips", '[');
    for (int i = 0; i < count && !status; i++)
        status = put_side(&json, &side[i], REPORT_MAX_VALUES / count, &out->series, err);
    json_close(&json, ']');
    status = report_json_end(&json, status, err);
    if (status)
        report_clips_data_free(out);
    return status;
}

void report_clips_data_free(ReportClipsData *data)
{
    free(data->json);
    series_free(&data->series);
    *data = (ReportClipsData){0};
}

Status report_clips_write(const ReportPage *page, const ReportSide *side, int count, FILE *stream, Error *err)
{
    ReportClipsData data;
    Status status = report_clips_data(side, count, &data, err);
    if (!status)
        status = report_page_write(page, data.json, data.json_size, &data.series, stream, err);
    report_clips_data_free(&data);
    return status;
}
