/* See batch_plan.h. */
#include "pipeline/cli/batch/batch_plan.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "analysis/base/arena.h"
#include "analysis/base/fnv.h"
#include "formats/base/bytes.h"
#include "formats/base/relative_path.h"
#include "formats/container/container.h"
#include "formats/container/container_reader.h"
#include "formats/source/source.h"
#include "formats/source/source_table.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/clip_memory.h"

static Status shard_parse(const Option *option, const char *text, void *value, Error *err)
{
    char *slash, *end = NULL;
    long number = strtol(text, &slash, 10), count = 0;
    if (slash > text && *slash == '/')
        count = strtol(slash + 1, &end, 10);
    if (!end || end == slash + 1 || *end || number < 1 || number > count || count > INT_MAX)
        return error_set(err, STATUS_USAGE, "expected %s with K from 1 to N, found \"%s\"", option->argument, text);
    *(Shard *)value = (Shard){(int)number, (int)count};
    return STATUS_OK;
}

static void shard_format(const Option *option, const void *value, char *text, size_t size)
{
    const Shard *shard = value;
    (void)option;
    snprintf(text, size, "%d/%d", shard->number, shard->count);
}

const OptionKind option_shard = {shard_parse, shard_format};

/* Returns the shard of a file, from its name alone, so that added or removed files do not move others. */
static int path_shard(const char *relative, int count)
{
    uint64_t hash = fnv_bytes(FNV_START, relative, strlen(relative));
    return (int)((hash >> 16) % (uint64_t)count) + 1;
}

/* All targets of a clip are in one shard. */
static Status keep_shard(FoundFiles *files, const BatchSource *source, FoundFiles *others, Error *err)
{
    Shard shard = source->shard;
    size_t kept = 0;
    others->file = array_new(files->count, 1, sizeof *others->file);
    if (!others->file)
        return error_no_memory(err);
    for (size_t i = 0; i < files->count; i++)
        if (path_shard(batch_targets_clip(source->targets, files->file[i].relative), shard.count) == shard.number)
            files->file[kept++] = files->file[i];
        else
            others->file[others->count++] = files->file[i];
    files->count = kept;
    return STATUS_OK;
}

/* Appends ".h5": "walk.bvh" becomes "walk.bvh.h5". */
static Status name_outputs(FoundFiles *files, Error *err)
{
    for (size_t i = 0; i < files->count; i++) {
        char *output;
        if (asprintf(&output, "%s.h5", files->file[i].relative) < 0)
            return error_no_memory(err);
        free(files->file[i].relative);
        files->file[i].relative = output;
    }
    return STATUS_OK;
}

/* Removes files listed twice; rejects two files with the same output. */
static Status refuse_collisions(FoundFiles *files, Error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        FoundFile *file = &files->file[i], *last = kept ? &files->file[kept - 1] : NULL;
        if (last && !strcmp(last->relative, file->relative)) {
            if (strcmp(last->path, file->path))
                return error_set(err, STATUS_USAGE, "%s and %s have the same output file %s.h5; rename one", last->path,
                                 file->path, file->relative);
            free(file->path);
            free(file->relative);
            *file = (FoundFile){0};
            continue;
        }
        FoundFile moved = *file;
        *file = (FoundFile){0};
        files->file[kept++] = moved;
    }
    files->count = kept;
    return STATUS_OK;
}

Status batch_plan_init(BatchPlan *plan, const BatchSource *source, Error *err)
{
    Status status = STATUS_OK;
    char words[SOURCE_WORDS_SIZE];
    *plan = (BatchPlan){0};
    for (int i = 0; i < source->count && !status; i++)
        status = found_files_add(&plan->files, source->argument[i], source_is_motion, err);
    if (!status)
        status = batch_select_add(source->select, &plan->files, err);
    if (!status)
        batch_select_keep(source->select, &plan->files, &plan->passed_over);
    if (!status && plan->files.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no %s file in %s", source_words("{motion}", words),
                           source->count > 0 ? source->argument[0] : source->select->files_from);
    if (!status)
        status = found_files_split_takes(&plan->files, source->limits, err);
    if (!status)
        status = batch_targets_spread(source->targets, &plan->files, err);
    plan->has_targets = source->targets->files.count > 0;
    found_files_sort(&plan->files);
    if (!status)
        status = refuse_collisions(&plan->files, err);
    if (!status)
        status = keep_shard(&plan->files, source, &plan->others, err);
    if (!status)
        status = name_outputs(&plan->files, err);
    if (!status)
        status = name_outputs(&plan->others, err);
    if (status)
        batch_plan_free(plan);
    return status;
}

static int64_t nanoseconds(struct timespec t)
{
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* How a file is read: the table of clips may state its skeleton, which is part of the source. */
static SourceDef limits_of(const BatchState *state, const FoundFile *file)
{
    Pipeline own;
    if (batch_request_pipeline(state->request, file->relative, &own, NULL)) /* the job reports it */
        return state->request->pipeline.import.limits;
    return own.import.limits;
}

/* Returns size and time of input and output; 0 if missing. */
static IndexStamp stamp_files(const char *folder, const FoundFile *file, const SourceDef *limits)
{
    struct stat info;
    char path[SOURCE_PATH_SIZE];
    SourceStamp input = source_stamp(file->path, limits);
    IndexStamp stamp = {.input_size = input.size, .input_mtime_ns = input.mtime_ns};
    if (folder && snprintf(path, sizeof path, "%s/%s", folder, file->relative) < (int)sizeof path &&
        stat(path, &info) == 0) {
        stamp.output_size = info.st_size;
        stamp.output_mtime_ns = nanoseconds(info.st_mtim);
    }
    return stamp;
}

/* Returns whether the clip file is readable and its checksums match. */
static int is_sound(const char *folder, const FoundFile *file)
{
    ContainerImage image = {0};
    ContainerFindings findings = {0};
    char *path;
    Error err = {0};
    if (asprintf(&path, "%s/%s", folder, file->relative) < 0)
        return 0;
    Status status = container_load(path, &image, &err);
    if (!status)
        status = container_inspect(&image, &findings, NULL, 0, &err);
    if (status || findings.count > 0)
        message_note("batch", path, "is recomputed: %s", status ? err.text : findings.found[0].text);
    container_image_free(&image);
    free(path);
    return !status && findings.count == 0;
}

/* Returns whether the clip file is the one in the index, by checksums, source and history; a copy has a different
 * time. */
static int is_same_output(const BatchState *state, const FoundFile *file)
{
    ContainerReader *reader = NULL;
    char *path;
    if (!state->folder || asprintf(&path, "%s/%s", state->folder, file->relative) < 0)
        return 0;
    int is_same = !container_reader_open(path, &reader, NULL) &&
                  index_has_clip(state->index, file->relative, container_reader_text(reader, "source_sha256"),
                                 container_reader_text(reader, "history"));
    container_reader_close(reader);
    free(path);
    return is_same && is_sound(state->folder, file);
}

/* Compares a file with the index. If only times differ, the content is compared, and if equal the new times are
 * stored. */
static IndexChange file_change(const BatchState *state, const FoundFile *file, IndexStamp *stamp)
{
    Index *index = state->index;
    const char *request;
    if (!index || batch_request_text(state->request, file->relative, &request, NULL))
        return INDEX_NEW;
    IndexChange change = index_compare(index, file->relative, stamp, request);
    if (change == INDEX_ASK_OUTPUT && !(stamp->output_is_same = is_same_output(state, file)))
        return INDEX_OTHER_OUTPUT;
    int asks = change == INDEX_ASK_OUTPUT || change == INDEX_ASK_CONTENT;
    SourceDef limits = limits_of(state, file);
    if (asks && !source_digest_path(file->path, &limits, stamp->input_sha256, NULL)) {
        change = index_compare(index, file->relative, stamp, request);
        if (change == INDEX_UNCHANGED &&
            index_put_stamp(index, file->relative, file->path, stamp, request, NULL))
            change = INDEX_NEW;
    }
    return change == INDEX_UNCHANGED && state->redo ? INDEX_REDO : change;
}

Status batch_plan_compare(BatchPlan *plan, const BatchState *state, Error *err)
{
    plan->job = array_new(plan->files.count, 1, sizeof *plan->job);
    plan->stamp = array_new(plan->files.count, 1, sizeof *plan->stamp);
    plan->reason = array_new(plan->files.count, 1, sizeof *plan->reason);
    if (!plan->job || !plan->stamp || !plan->reason)
        return error_no_memory(err);
    for (size_t i = 0; i < plan->files.count; i++) {
        const FoundFile *file = &plan->files.file[i];
        SourceDef limits = limits_of(state, file);
        IndexStamp stamp = stamp_files(state->folder, file, &limits);
        IndexChange change = file_change(state, file, &stamp);
        if (change == INDEX_UNCHANGED && plan->check_outputs && state->folder && !is_sound(state->folder, file))
            change = INDEX_OTHER_OUTPUT;
        if (change == INDEX_UNCHANGED) {
            plan->unchanged++;
            continue;
        }
        plan->stamp[plan->job_count] = stamp;
        plan->reason[plan->job_count] = change;
        plan->job[plan->job_count++] = (BatchJob){
            .input = file->path, .output = file->relative,
            .name = plan->has_targets ? file->relative : file->path,
            .is_own = state->index && index_is_own(state->index, file->relative, file->path, &stamp)};
    }
    return STATUS_OK;
}

/* Returns the path without "..": relative if it is below the working folder, else absolute. The caller frees it; NULL
 * if it does not exist. */
static char *plain_path(const char *path)
{
    char *plain = NULL;
    if (!relative_path(path, ".", &plain, NULL) && strncmp(plain, "../", 3) != 0)
        return plain;
    free(plain);
    return realpath(path, NULL);
}

Status batch_plan_refuse_others(const BatchPlan *plan, Index *index, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < plan->job_count && !status; i++) {
        const BatchJob *job = &plan->job[i];
        char *other = NULL;
        status = index_other_input(index, job->output, job->input, &other, err);
        char *plain = other ? plain_path(other) : NULL;
        if (other)
            status = error_set(err, STATUS_USAGE, "%.150s was made from %.150s, not from %.150s; choose another "
                               "output or use --force", job->output, plain ? plain : other, job->input);
        free(plain);
        free(other);
    }
    return status;
}

void batch_plan_weigh(BatchPlan *plan, long long limit)
{
    for (int i = 0; i < plan->job_count; i++) {
        BatchJob *job = &plan->job[i];
        job->need = clip_memory_need(job->input);
        if (job->need > limit)
            message_note("batch", job->input, "needs about %.2g GB, more than --memory: runs alone",
                         (double)job->need * 1e-9);
    }
}

void batch_plan_free(BatchPlan *plan)
{
    if (!plan)
        return;
    found_files_free(&plan->files);
    found_files_free(&plan->others);
    free(plan->job);
    free(plan->stamp);
    free(plan->reason);
    *plan = (BatchPlan){0};
}
