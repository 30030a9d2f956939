/* ClipStats as one flat buffer: a header followed by its arrays in native layout (clip_stats.h). */
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/decisions.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/motion_features.h"

typedef struct PackHeader {
    uint64_t size; /* bytes of the whole buffer */
    ClipMetrics metrics;
    int joint_count, dof_count, window_count, window_stat_count, event_count, profile_count, trace_count;
    int features_count, utilization_count;
    double flight_s;
    Decisions confidence;
    size_t source, history, decisions, warnings, text_size;
} PackHeader;

/* One array of a ClipStats. */
typedef struct ClipPart {
    void *data;
    size_t count, size;
} ClipPart;

enum { PART_COUNT = 12 };

static void list_parts(const ClipStats *s, ClipPart part[PART_COUNT])
{
    part[0] = (ClipPart){s->joint, (size_t)s->joint_count, sizeof *s->joint};
    part[1] = (ClipPart){s->windows.window, (size_t)s->windows.window_count, sizeof *s->windows.window};
    part[2] = (ClipPart){s->windows.stat, (size_t)s->windows.stat_count, sizeof *s->windows.stat};
    part[3] = (ClipPart){s->events.event, (size_t)s->events.count, sizeof *s->events.event};
    part[4] = (ClipPart){s->profile, (size_t)s->profile_count, sizeof *s->profile};
    part[5] = (ClipPart){s->traces.role, (size_t)s->traces.count, sizeof *s->traces.role};
    part[6] = (ClipPart){s->traces.nm, (size_t)s->traces.count * (size_t)s->traces.frame_count, sizeof *s->traces.nm};
    part[7] = (ClipPart){s->sketch.value, (size_t)s->sketch.count, SKETCH_VALUES};
    part[8] = (ClipPart){s->dof, (size_t)s->dof_count, sizeof *s->dof};
    part[9] = (ClipPart){s->text, s->text_size, 1};
    part[10] = (ClipPart){s->utilization.largest, (size_t)s->utilization.frame_count, sizeof *s->utilization.largest};
    part[11] = (ClipPart){s->utilization.role, (size_t)s->utilization.frame_count, 1};
}

/* Total size of all parts, bytes; 0 on overflow (the text is never empty). */
static size_t parts_size(const ClipPart part[PART_COUNT])
{
    size_t total = 0, one;
    for (int i = 0; i < PART_COUNT; i++)
        if (__builtin_mul_overflow(part[i].count, part[i].size, &one) || __builtin_add_overflow(total, one, &total))
            return 0;
    return total;
}

Status clip_stats_pack(const ClipStats *s, unsigned char **bytes, size_t *size, Error *err)
{
    ClipPart part[PART_COUNT];
    list_parts(s, part);
    size_t total = sizeof(PackHeader) + parts_size(part);
    PackHeader header;
    memset(&header, 0, sizeof header);
    header.size = total;
    header.metrics = s->metrics;
    header.joint_count = s->joint_count;
    header.dof_count = s->dof_count;
    header.window_count = s->windows.window_count;
    header.window_stat_count = s->windows.stat_count;
    header.event_count = s->events.count;
    header.profile_count = s->profile_count;
    header.trace_count = s->traces.count;
    header.features_count = s->sketch.count;
    header.utilization_count = s->utilization.frame_count;
    header.flight_s = s->events.flight_s;
    header.source = s->source;
    header.history = s->history;
    header.decisions = s->decisions;
    header.warnings = s->warnings;
    header.confidence = s->confidence;
    header.text_size = s->text_size;
    unsigned char *at = *bytes = malloc(total);
    if (!at)
        return error_no_memory(err);
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    for (int i = 0; i < PART_COUNT; i++) {
        if (part[i].count > 0)
            memcpy(at, part[i].data, part[i].count * part[i].size);
        at += part[i].count * part[i].size;
    }
    *size = total;
    return STATUS_OK;
}

static int is_role(Role role)
{
    return (unsigned)role < ROLE_COUNT;
}

static int joints_are_consistent(const ClipStats *s)
{
    for (int j = 0; j < s->joint_count; j++) {
        const JointStat *joint = &s->joint[j];
        if (joint->name >= s->text_size || joint->parent < -1 || joint->parent >= j)
            return 0;
        if (!is_role(joint->role) || !is_role(joint->segment))
            return 0;
    }
    return 1;
}

static int dofs_are_consistent(const ClipStats *s)
{
    for (int i = 0; i < s->dof_count; i++) {
        const DofStat *dof = &s->dof[i];
        if (dof->name >= s->text_size || dof->joint < 0 || dof->joint >= s->joint_count ||
            !memchr(dof->kind, 0, sizeof dof->kind))
            return 0;
    }
    return 1;
}

/* Whether every index is within its array. */
static int is_consistent(const ClipStats *s)
{
    if (s->text_size == 0 || s->text[s->text_size - 1] != 0)
        return 0;
    if (s->source >= s->text_size || s->history >= s->text_size || s->decisions >= s->text_size ||
        s->warnings >= s->text_size)
        return 0;
    if (s->metrics.hardest_joint < -1 || s->metrics.hardest_joint >= s->joint_count)
        return 0;
    if (!joints_are_consistent(s) || !dofs_are_consistent(s))
        return 0;
    for (int i = 0; i < s->windows.stat_count; i++)
        if (s->windows.stat[i].window < 0 || s->windows.stat[i].window >= s->windows.window_count)
            return 0;
    for (int i = 0; i < s->traces.count; i++)
        if (!is_role(s->traces.role[i]))
            return 0;
    for (int f = 0; f < s->utilization.frame_count; f++)
        if (!is_role((Role)s->utilization.role[f]))
            return 0;
    const ClipSettings *settings = &s->metrics.settings;
    for (int i = 0; i < SETTING_COUNT; i++)
        if (!memchr(settings->word[i], 0, SETTING_SIZE))
            return 0;
    if (!memchr(settings->kane_version, 0, SETTING_SIZE) || !memchr(settings->text, 0, SETTINGS_SIZE) ||
        !memchr(settings->target, 0, TARGET_NAME_SIZE))
        return 0;
    return memchr(s->metrics.skeleton, 0, sizeof s->metrics.skeleton) &&
           memchr(s->metrics.verdict, 0, sizeof s->metrics.verdict) &&
           memchr(s->metrics.verdict_joint, 0, sizeof s->metrics.verdict_joint) &&
           memchr(s->metrics.verdict_why, 0, sizeof s->metrics.verdict_why) &&
           memchr(s->metrics.left_out_reason, 0, sizeof s->metrics.left_out_reason) &&
           memchr(s->metrics.source_sha256, 0, sizeof s->metrics.source_sha256);
}

static Status make_arrays(ClipStats *s, Error *err)
{
    size_t traces = (size_t)s->traces.count, frames = (size_t)s->traces.frame_count;
    int failed = 0;
    s->joint = array_try(&failed, (size_t)s->joint_count, 1, sizeof *s->joint);
    s->dof = array_try(&failed, (size_t)s->dof_count, 1, sizeof *s->dof);
    s->windows.window = array_try(&failed, (size_t)s->windows.window_count, 1, sizeof *s->windows.window);
    s->windows.stat = array_try(&failed, (size_t)s->windows.stat_count, 1, sizeof *s->windows.stat);
    s->events.event = array_try(&failed, (size_t)s->events.count, 1, sizeof *s->events.event);
    s->profile = array_try(&failed, (size_t)s->profile_count, 1, sizeof *s->profile);
    s->traces.role = array_try(&failed, traces, 1, sizeof *s->traces.role);
    s->traces.nm = array_try(&failed, traces, frames, sizeof *s->traces.nm);
    s->sketch.value = array_try(&failed, (size_t)s->sketch.count, SKETCH_VALUES, 1);
    size_t used = (size_t)s->utilization.frame_count;
    s->utilization.largest = array_try(&failed, used, 1, sizeof *s->utilization.largest);
    s->utilization.role = array_try(&failed, used, 1, 1);
    s->text = array_try(&failed, s->text_size, 1, 1);
    return failed ? error_no_memory(err) : STATUS_OK;
}

static Status copy_parts(ClipStats *out, const unsigned char *bytes, size_t size, Error *err)
{
    ClipPart part[PART_COUNT];
    list_parts(out, part);
    if (parts_size(part) != size)
        return error_set(err, STATUS_BAD_INPUT, "packed statistics are cut");
    Status status = make_arrays(out, err);
    if (status)
        return status;
    list_parts(out, part);
    for (int i = 0; i < PART_COUNT; i++) {
        if (part[i].count > 0)
            memcpy(part[i].data, bytes, part[i].count * part[i].size);
        bytes += part[i].count * part[i].size;
    }
    if (!is_consistent(out))
        return error_set(err, STATUS_BAD_INPUT, "packed statistics are inconsistent");
    return STATUS_OK;
}

Status clip_stats_unpack(const unsigned char *bytes, size_t size, ClipStats *out, Error *err)
{
    *out = (ClipStats){0};
    PackHeader header;
    if (size < sizeof header)
        return error_set(err, STATUS_BAD_INPUT, "packed statistics are cut");
    memcpy(&header, bytes, sizeof header);
    if (header.size != size || header.joint_count < 0 || header.dof_count < 0 || header.window_count < 0 ||
        header.window_stat_count < 0 || header.event_count < 0 || header.profile_count < 0 || header.trace_count < 0 ||
        header.features_count < 0 || header.utilization_count < 0 || header.metrics.frames < 0)
        return error_set(err, STATUS_BAD_INPUT, "packed statistics are cut");
    *out = (ClipStats){.metrics = header.metrics,
                       .joint_count = header.joint_count,
                       .dof_count = header.dof_count,
                       .windows = {.window_count = header.window_count, .stat_count = header.window_stat_count},
                       .events = {.count = header.event_count,
                                  .capacity = header.event_count,
                                  .flight_s = header.flight_s},
                       .profile_count = header.profile_count,
                       .traces = {.count = header.trace_count, .frame_count = header.metrics.frames},
                       .sketch = {.count = header.features_count},
                       .utilization = {.frame_count = header.utilization_count},
                       .source = header.source,
                       .history = header.history,
                       .decisions = header.decisions,
                       .warnings = header.warnings,
                       .confidence = header.confidence,
                       .text_size = header.text_size};
    Status status = copy_parts(out, bytes + sizeof header, size - sizeof header, err);
    if (status)
        clip_stats_free(out);
    return status;
}
