/* See page_verdict.h. */
#include "formats/report/page_verdict.h"

#include <stdlib.h>

#include "analysis/base/arena.h"

void page_verdict_put(const ClipVerdict *v, const Skeleton *skeleton, Json *json)
{
    json_open(json, '{');
    json_member_text(json, "word", verdict_names[v->verdict]);
    json_member_text(json, "why", v->why);
    json_member_integer(json, "joint", v->joint);
    json_member_text(json, "name", v->joint >= 0 ? skeleton->name[v->joint] : "");
    json_member_integer(json, "frame", v->frame);
    json_member_number(json, "t", v->t);
    json_member_number(json, "factor", v->factor);
    json_member_number(json, "band", v->band);
    json_close(json, '}');
}

/* A frame extends half a frame time to both sides. */
static void put_interval(Json *json, const PageClip *actor, const FrameVerdict *frame, int begin, int end)
{
    int worst = begin;
    for (int f = begin; f < end; f++)
        if (frame[f].factor - frame[f].band > frame[worst].factor - frame[worst].band)
            worst = f;
    json_open(json, '[');
    json_number(json, actor->start + (begin - 0.5) * actor->frame_time);
    json_number(json, actor->start + (end - 0.5) * actor->frame_time);
    json_text(json, verdict_names[frame[begin].verdict]);
    json_integer(json, frame[worst].joint);
    json_number(json, frame[worst].factor);
    json_number(json, frame[worst].band);
    json_close(json, ']');
}

static void put_intervals(Json *json, const PageClip *actor, const FrameVerdict *frame)
{
    json_member_open(json, "verdicts", '[');
    for (int begin = 0, end; frame && begin < actor->frame_count; begin = end) {
        for (end = begin + 1; end < actor->frame_count && frame[end].verdict == frame[begin].verdict; end++)
            ;
        put_interval(json, actor, frame, begin, end);
    }
    json_close(json, ']');
}

Status page_verdict_write(const PageClip *actor, Json *json, Error *err)
{
    const Clip *clip = actor->clip;
    FrameVerdict *frame = NULL;
    ClipVerdict verdict;
    if (actor->run)
        return STATUS_OK;
    if (clip->has_dynamics && !(frame = array_new((size_t)actor->frame_count, 1, sizeof *frame)))
        return error_no_memory(err);
    Status status = clip_verdict_find(clip, NULL, frame, &verdict, err);
    if (!status) {
        json_key(json, "verdict");
        page_verdict_put(&verdict, &clip->skeleton, json);
        put_intervals(json, actor, frame);
    }
    free(frame);
    return status;
}
