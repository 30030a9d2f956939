#include "pipeline/cli/batch/batch_plan.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/memory.h"
#include "formats/base/bytes.h"
#include "formats/index/clip_path.h"
#include "pipeline/cli/message.h"

/* A file's shard follows from its name alone, so that it stays the same when others come and go (FNV-1a, 64 bit). */
static int shard_of(const char *relative, int count)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *at = relative; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    return (int)((hash >> 16) % (uint64_t)count) + 1;
}

static Status keep_shard(FoundFiles *files, Shard shard, FoundFiles *others, Error *err)
{
    size_t kept = 0;
    others->file = array_new(files->count, 1, sizeof *others->file);
    if (!others->file)
        return error_no_memory(err);
    for (size_t i = 0; i < files->count; i++)
        if (shard_of(files->file[i].relative, shard.count) == shard.number)
            files->file[kept++] = files->file[i];
        else
            others->file[others->count++] = files->file[i];
    files->count = kept;
    return STATUS_OK;
}

/* "walk.bvh" becomes "walk.bvh.h5". */
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

/* The same file twice is no contradiction; two files with one place are. */
static Status refuse_collisions(FoundFiles *files, Error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        FoundFile *file = &files->file[i], *last = kept ? &files->file[kept - 1] : NULL;
        if (last && !strcmp(last->relative, file->relative)) {
            if (strcmp(last->path, file->path))
                return error_set(err, STATUS_USAGE, "%s and %s would both become %s.h5", last->path, file->path,
                                 file->relative);
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
    *plan = (BatchPlan){0};
    for (int i = 0; i < source->count && status == STATUS_OK; i++)
        status = found_files_add(&plan->files, source->argument[i], ".bvh", err);
    if (status == STATUS_OK)
        status = batch_select_add(source->select, &plan->files, err);
    if (status == STATUS_OK)
        batch_select_keep(source->select, &plan->files, &plan->passed_over);
    if (status == STATUS_OK && plan->files.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "there is no BVH file in %s",
                           source->count > 0 ? source->argument[0] : source->select->files_from);
    found_files_sort(&plan->files);
    if (status == STATUS_OK)
        status = refuse_collisions(&plan->files, err);
    if (status == STATUS_OK)
        status = keep_shard(&plan->files, source->shard, &plan->others, err);
    if (status == STATUS_OK)
        status = name_outputs(&plan->files, err);
    if (status == STATUS_OK)
        status = name_outputs(&plan->others, err);
    if (status != STATUS_OK)
        batch_plan_free(plan);
    return status;
}

static int64_t nanoseconds(struct timespec t)
{
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Size and time of both files; 0 for one that is not there. */
static IndexStamp stamp_files(const char *folder, const FoundFile *file)
{
    struct stat info;
    char path[4352];
    IndexStamp stamp = {0};
    if (stat(file->path, &info) == 0) {
        stamp.input_size = info.st_size;
        stamp.input_mtime_ns = nanoseconds(info.st_mtim);
    }
    if (folder && snprintf(path, sizeof path, "%s/%s", folder, file->relative) < (int)sizeof path &&
        stat(path, &info) == 0) {
        stamp.output_size = info.st_size;
        stamp.output_mtime_ns = nanoseconds(info.st_mtim);
    }
    return stamp;
}

/* A file that was only touched is read again to see whether its content is the same; its new time is noted. */
static IndexChange change_of(const BatchState *state, const FoundFile *file, IndexStamp *stamp)
{
    Index *index = state->index;
    const char *request;
    if (!index || batch_request_text(state->request, file->relative, &request, NULL) != STATUS_OK)
        return INDEX_NEW;
    IndexChange change = index_compare(index, file->relative, stamp, request);
    if (change == INDEX_ASK_CONTENT && digest_path(file->path, stamp->input_sha256, NULL) == STATUS_OK) {
        change = index_compare(index, file->relative, stamp, request);
        if (change == INDEX_UNCHANGED &&
            index_put_stamp(index, file->relative, file->path, stamp, request, NULL) != STATUS_OK)
            change = INDEX_NEW;
    }
    return change == INDEX_UNCHANGED && state->redo ? INDEX_REDO : change;
}

/* Whether the container of a file can be read and has the checksums that it says. */
static int is_sound(const char *folder, const FoundFile *file)
{
    ContainerImage image = {0};
    ContainerFindings findings = {0};
    char *path;
    Error err = {0};
    if (asprintf(&path, "%s/%s", folder, file->relative) < 0)
        return 0;
    Status status = container_load(path, &image, &err);
    if (status == STATUS_OK)
        status = container_inspect(&image, &findings, NULL, 0, &err);
    if (status != STATUS_OK || findings.count > 0)
        message_note("batch", path, "is made anew: %s", status ? err.text : findings.found[0].text);
    container_image_free(&image);
    free(path);
    return status == STATUS_OK && findings.count == 0;
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
        IndexStamp stamp = stamp_files(state->folder, file);
        IndexChange change = change_of(state, file, &stamp);
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
            .is_own = state->index && index_is_own(state->index, file->relative, file->path, &stamp)};
    }
    return STATUS_OK;
}

/* A path without "..": as it is seen from the working folder where it lies below that, else absolute. Owned by the
 * caller; NULL where it cannot be told. */
static char *plain_path(const char *path)
{
    char *plain = NULL;
    if (relative_path(path, ".", &plain, NULL) == STATUS_OK && strncmp(plain, "../", 3) != 0)
        return plain;
    free(plain);
    return realpath(path, NULL);
}

Status batch_plan_refuse_others(const BatchPlan *plan, Index *index, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < plan->job_count && status == STATUS_OK; i++) {
        const BatchJob *job = &plan->job[i];
        char *other = NULL;
        status = index_other_input(index, job->output, job->input, &other, err);
        char *plain = other ? plain_path(other) : NULL;
        if (other)
            status = error_set(err, STATUS_USAGE, "%.150s was made of %.150s and would be of %.150s: give another -o, "
                               "or --force", job->output, plain ? plain : other, job->input);
        free(plain);
        free(other);
    }
    return status;
}

void batch_plan_weigh(BatchPlan *plan, long long limit)
{
    for (int i = 0; i < plan->job_count; i++) {
        BatchJob *job = &plan->job[i];
        job->need = batch_memory_need(job->input);
        if (job->need > limit)
            message_note("batch", job->input, "takes some %.2g GB, more than --memory: nothing runs beside it",
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
