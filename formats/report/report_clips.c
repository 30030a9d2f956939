#include "formats/report/report_clips.h"

#include <stdlib.h>

#include "analysis/base/status.h"
#include "analysis/contact/measured.h"
#include "analysis/stats/clip_stats.h"
#include "formats/base/text.h"
#include "formats/report/page_clip.h"

static void put_key(FILE *json, const char *key)
{
    putc(',', json);
    json_put_text(json, key);
    putc(':', json);
}

static void put_text(FILE *json, const char *key, const char *text)
{
    put_key(json, key);
    json_put_text(json, text ? text : "");
}

static void put_number(FILE *json, const char *key, double value)
{
    put_key(json, key);
    json_put_number(json, value);
}

static void put_vector(FILE *json, const char *key, Vec3 v)
{
    put_key(json, key);
    putc('[', json);
    json_put_number(json, v.x);
    putc(',', json);
    json_put_number(json, v.y);
    putc(',', json);
    json_put_number(json, v.z);
    putc(']', json);
}

/* --- stretches of time --- */

typedef int (*FrameTest)(const PageClip *actor, int support, int frame);


/* [[t0, t1] ...]: a frame holds from half a frame before its time to half a frame behind it. */
static void put_stretches(FILE *json, const char *key, const PageClip *actor, int support, FrameTest test)
{
    int begin = -1, written = 0;
    put_key(json, key);
    putc('[', json);
    for (int f = 0; f <= actor->frame_count; f++) {
        int inside = f < actor->frame_count && test(actor, support, f);
        if (inside && begin < 0)
            begin = f;
        if (inside || begin < 0)
            continue;
        fputs(written++ ? ",[" : "[", json);
        json_put_number(json, actor->start + (begin - 0.5) * actor->frame_time);
        putc(',', json);
        json_put_number(json, actor->start + (f - 0.5) * actor->frame_time);
        putc(']', json);
        begin = -1;
    }
    putc(']', json);
}

/* What speaks against a joint at a frame, joint -1: against the frame; bits of TrustReason. */
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

/* [[t0, t1, "flip, edge"] ...] */
static void put_reasons(FILE *json, const char *key, const PageClip *actor, int joint)
{
    int begin = 0, written = 0;
    put_key(json, key);
    putc('[', json);
    for (int f = 1; f <= actor->frame_count; f++) {
        uint32_t reason = reason_at(actor, joint, begin);
        if (f < actor->frame_count && reason_at(actor, joint, f) == reason)
            continue;
        if (reason) {
            fputs(written++ ? ",[" : "[", json);
            json_put_number(json, actor->start + (begin - 0.5) * actor->frame_time);
            putc(',', json);
            json_put_number(json, actor->start + (f - 0.5) * actor->frame_time);
            fputs(",\"", json);
            for (int i = 0, named = 0; i < TRUST_REASON_COUNT; i++)
                if (reason >> i & 1)
                    fprintf(json, "%s%s", named++ ? ", " : "", trust_reason_name(i));
            fputs("\"]", json);
        }
        begin = f;
    }
    putc(']', json);
}

/* --- what stands still --- */

static void put_joint(FILE *json, const PageClip *actor, const ClipStats *stats, int j)
{
    const Skeleton *s = &actor->clip->skeleton;
    const JointPeaks *peaks = &stats->joint[j].peaks;
    fprintf(json, "%s{\"parent\":%d,\"residual\":%d,\"helper\":%d", j ? "," : "", s->parent[j], actor->is_residual[j],
            actor->is_helper[j]);
    fprintf(json, ",\"implied\":%d,\"shifting\":%d", actor->is_implied[j], actor->is_shifting[j]);
    put_vector(json, "offset", actor->offset[j]);
    put_text(json, "name", s->name[j]);
    put_text(json, "role", role_name(s->role[j]));
    put_text(json, "segment", role_name(s->segment[j]));
    if (!actor->run) {
        put_number(json, "peak_nm_kg", peaks->torque_peak_nm_kg);
        put_number(json, "peak_t", peaks->torque_peak_t);
        put_number(json, "peak_all_nm_kg", peaks->torque_peak_all_nm_kg);
        put_number(json, "peak_all_t", peaks->torque_peak_all_t);
        if (actor->clip->has_trust && actor->clip->trust.joint_reason)
            put_reasons(json, "untrusted", actor, j);
        put_number(json, "rms_nm_kg", peaks->torque_rms_nm_kg);
    } else if (actor->clip->tracking.carrier[j] != j) {
        put_number(json, "carrier", actor->clip->tracking.carrier[j]);
    }
    putc('}', json);
}

static void put_skeleton(FILE *json, const PageClip *actor, const ClipStats *stats)
{
    const Skeleton *s = &actor->clip->skeleton;
    put_key(json, "joints");
    putc('[', json);
    for (int j = 0; j < s->joint_count; j++)
        put_joint(json, actor, stats, j);
    putc(']', json);
    put_key(json, "ends");
    putc('[', json);
    for (int e = 0; e < s->end_count; e++)
        fprintf(json, "%s%d", e ? "," : "", s->end_parent[e]);
    putc(']', json);
    put_key(json, "end_offsets");
    putc('[', json);
    for (int e = 0; e < s->end_count; e++)
        fprintf(json, "%s[%.6g,%.6g,%.6g]", e ? "," : "", s->end_offset[e].x, s->end_offset[e].y, s->end_offset[e].z);
    putc(']', json);
}

/* [{"joint", "name": "left_knee_flexion"} ...]: the three of a joint side by side, in the order of their series. */
static void put_coordinates(FILE *json, const PageClip *actor)
{
    const Anatomy *a = &actor->clip->anatomy;
    put_key(json, "coordinates");
    putc('[', json);
    for (int c = 0; c < curves_coordinate_count(actor); c++)
        fprintf(json, "%s{\"joint\":%d,\"name\":\"%s\"}", c ? "," : "", a->joint[c],
                coordinate_name(a->coordinate[c]));
    putc(']', json);
}

static void put_supports(FILE *json, const PageClip *actor)
{
    static const char *const sides[] = {[FOOT_LEFT] = "left", [FOOT_RIGHT] = "right", [FOOT_COUNT] = ""};
    put_key(json, "supports");
    putc('[', json);
    for (int s = 0; s < actor->support_count; s++) {
        fprintf(json, "%s{\"joint\":%d,\"foot\":\"%s\"", s ? "," : "", actor->support[s].joint,
                sides[actor->support[s].foot]);
        put_stretches(json, "down", actor, s, page_clip_is_down);
        putc('}', json);
    }
    putc(']', json);
}

static void put_figures(FILE *json, const ClipFigures *figures)
{
    FigureList list = clip_figures();
    put_key(json, "figures");
    for (int i = 0; i < list.count; i++) {
        const char *at = (const char *)figures + list.figure[i].offset;
        double value = list.figure[i].is_integer ? *(const int *)at : *(const double *)at;
        fprintf(json, "%s\"%s\":", i ? "," : "{", list.figure[i].name);
        json_put_number(json, value);
    }
    putc('}', json);
}

/* [["flight", joint, t0, t1, value] ...] as of events.h; of the clip's own motion. */
static void put_events(FILE *json, const Events *events)
{
    static const char *const names[] = {
        [EVENT_TORQUE_PEAK] = "torque_peak", [EVENT_FOOT_CONTACT] = "foot_contact", [EVENT_FLIGHT] = "flight"};
    put_key(json, "events");
    putc('[', json);
    for (int i = 0; i < events->count; i++) {
        const Event *event = &events->event[i];
        fprintf(json, "%s[\"%s\",%d,", i ? "," : "", names[event->kind], event->joint);
        json_put_number(json, event->t0);
        putc(',', json);
        json_put_number(json, event->t1);
        putc(',', json);
        json_put_number(json, event->value);
        putc(']', json);
    }
    putc(']', json);
}

static void put_run(FILE *json, const TrackingRun *run)
{
    put_key(json, "tracking");
    fputs("{\"mean_error\":", json);
    json_put_number(json, run->mean_error);
    put_number(json, "p95_error", run->p95_error);
    put_number(json, "mean_distance", run->mean_distance);
    put_number(json, "stable_time", run->stable_time);
    put_number(json, "effort", run->effort);
    putc('}', json);
}

static void put_ground(FILE *json, const Clip *clip)
{
    int has_ground = clip->has_contact && clip->contact.point_count > 0;
    put_number(json, "ground_height", has_ground ? clip->contact.ground_height : 0);
    put_vector(json, "ground_normal", has_ground ? clip->contact.ground_normal : vec3(0, 1, 0));
}

static void put_source(FILE *json, const PageClip *actor)
{
    const Clip *clip = actor->clip;
    char unsure[DECISIONS_TEXT_SIZE];
    put_text(json, "source", clip->provenance.source);
    put_text(json, "history", clip->provenance.history);
    decisions_unsure(&clip->provenance.confidence, unsure);
    put_text(json, "unsure", unsure);
    put_text(json, "controller", actor->run ? controller_name(actor->controller) : "");
    put_text(json, "body_model", clip->has_body ? clip->body.model : "");
    put_number(json, "mass", actor->mass);
    put_number(json, "frames", actor->frame_count);
    put_number(json, "samples", actor->sample_count);
    put_number(json, "stride", actor->stride);
    put_number(json, "start", actor->start);
    put_number(json, "frame_time", actor->frame_time);
}

static Status put_actor(FILE *json, const PageClip *actor, SeriesBlock *block, Error *err)
{
    ClipStats stats;
    Status status = clip_stats_init(&stats, actor->clip, FRAMES_TRUSTED, err);
    if (status)
        return status;
    fputs("{\"title\":", json);
    json_put_text(json, actor->clip->provenance.title ? actor->clip->provenance.title : "");
    put_source(json, actor);
    put_skeleton(json, actor, &stats);
    put_coordinates(json, actor);
    put_ground(json, actor->clip);
    put_supports(json, actor);
    put_reasons(json, "untrusted", actor, -1);
    put_figures(json, &stats.figures);
    put_text(json, "untrusted_reason", stats.figures.untrusted_reason);
    if (actor->run)
        put_run(json, actor->run);
    else
        put_events(json, &stats.events);
    clip_stats_free(&stats);
    put_key(json, "channels");
    status = curves_write(actor, block, json, err);
    if (!status) {
        put_key(json, "skin");
        status = skin_write(actor->clip, block, json, err);
    }
    putc('}', json);
    return status;
}

static Status put_side(FILE *json, const ReportSide *side, long most_values, SeriesBlock *block, Error *err)
{
    PageClip actor;
    Status status = side->is_controller
                      ? page_clip_init_controller(side->clip, side->controller, most_values, &actor, err)
                      : page_clip_init(side->clip, most_values, &actor, err);
    if (status)
        return status;
    status = put_actor(json, &actor, block, err);
    page_clip_free(&actor);
    return status;
}

Status report_clips_write(const ReportPage *page, const ReportSide *side, int count, FILE *stream, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    SeriesBlock block = {0};
    FILE *json = open_memstream(&text, &size);
    if (!json)
        return error_no_memory(err);
    Status status = STATUS_OK;
    fputs("{\"kind\":\"clips\",\"version\":\"" KANE_VERSION "\",\"clips\":[", json);
    for (int i = 0; i < count && !status; i++) {
        if (i)
            putc(',', json);
        status = put_side(json, &side[i], REPORT_MOST_VALUES / count, &block, err);
    }
    fputs("]}", json);
    int failed = ferror(json);
    if ((fclose(json) || failed) && !status)
        status = error_no_memory(err);
    if (!status)
        status = report_page_write(page, text, size, &block, stream, err);
    free(text);
    series_free(&block);
    return status;
}
