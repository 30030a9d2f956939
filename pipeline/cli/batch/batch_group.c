/* See batch.h. */
#include "pipeline/cli/batch/batch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/anatomy/family.h"
#include "analysis/base/arena.h"
#include "analysis/stats/clip_stats.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/index/index.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"

/* Settings detected jointly for the files of each skeleton before the work begins (analysis/anatomy/family.h). */

typedef struct FamilyKey {
    char text[FAMILY_KEY_SIZE]; /* "": unreadable head */
} FamilyKey;

/* ---- Skeletons ---- */

static FamilyKey key_of_file(const char *path, const SourceDef *limits)
{
    FamilyKey key = {""};
    Skeleton skeleton = {0};
    if (!source_skeleton(path, limits, &skeleton, NULL))
        family_key(&skeleton, key.text);
    skeleton_free(&skeleton);
    return key;
}

static int compare_keys(const void *a, const void *b) { return strcmp(((const FamilyKey *)a)->text, b); }

static int compare_family(const void *key, const void *family)
{
    return strcmp(key, ((const BatchFamily *)family)->key);
}

static BatchFamily *find_family(const BatchFamilies *families, const char *key)
{
    return families->count
               ? bsearch(key, families->family, families->count, sizeof *families->family, compare_family)
               : NULL;
}

/* Returns whether settings remain that neither the index nor an option has fixed. */
static int is_open(const Family *f, const Pipeline *chain)
{
    const ImportGuessDef *def = &chain->import.guess;
    return (!(f->neutral_confidence > 0) && pipeline_stands(chain)) ||
           (!(f->positions_confidence > 0) && def->positions == POSITIONS_AUTO) ||
           (!(f->up_confidence > 0) && def->up == UP_AUTO) ||
           (!(f->unit_confidence > 0) && !(def->meters_per_unit > 0));
}

/* Makes a family per key of the jobs, with its settings in the index. Sorts key[job_count]. */
static Status list_families(BatchFamilies *out, FamilyKey *key, int count, const BatchFamilyCall *call, Error *err)
{
    Status status = STATUS_OK;
    out->family = array_new((size_t)count, 1, sizeof *out->family);
    if (!out->family)
        return error_no_memory(err);
    qsort(key, (size_t)count, sizeof *key, compare_keys);
    for (int i = 0; i < count && !status; i++) {
        if (!key[i].text[0] || (i > 0 && strcmp(key[i].text, key[i - 1].text) == 0))
            continue;
        BatchFamily *family = &out->family[out->count++];
        memcpy(family->key, key[i].text, sizeof family->key);
        status = index_find_family(call->index, family->key, &family->decision, err);
        family->is_open = is_open(&family->decision, &call->request->chain);
        family->known = family->decision;
    }
    return status;
}

/* ---- First files of each skeleton ---- */

static int compare_files(const void *a, const void *b)
{
    const FoundFile *const *left = a, *const *right = b;
    return strcmp((*left)->relative, (*right)->relative);
}

/* Lists the files of all shards by path; NULL without memory. */
static const FoundFile **list_files(const BatchPlan *plan, size_t *count)
{
    *count = plan->files.count + plan->others.count;
    const FoundFile **file = array_new(*count, 1, sizeof *file);
    for (size_t i = 0; file && i < *count; i++)
        file[i] = i < plan->files.count ? &plan->files.file[i] : &plan->others.file[i - plan->files.count];
    if (file)
        qsort(file, *count, sizeof *file, compare_files);
    return file;
}

/* Returns the key of a file, from the jobs if it is one: they are in file order, and *next is the first one not
 * passed. */
static FamilyKey key_at(const FoundFile *file, const BatchPlan *plan, const FamilyKey *job_key, int *next,
                        const SourceDef *limits)
{
    if (*next < plan->job_count && plan->job[*next].input == file->path)
        return job_key[(*next)++];
    return key_of_file(file->path, limits);
}

static Status find_members(BatchFamilies *families, const BatchPlan *plan, const FamilyKey *job_key,
                           const SourceDef *limits, Error *err)
{
    size_t count;
    int next = 0;
    const FoundFile **file = list_files(plan, &count);
    if (!file)
        return error_no_memory(err);
    for (size_t i = 0; i < count && !interrupt_noted(); i++) {
        FamilyKey key = key_at(file[i], plan, job_key, &next, limits);
        BatchFamily *family = find_family(families, key.text);
        if (family && family->is_open && family->count < FAMILY_CLIPS)
            family->member[family->count++] = file[i];
    }
    free(file);
    return STATUS_OK;
}

/* ---- Detection ---- */

typedef struct Reading {
    BatchFamily **family; /* [count] with settings to be detected */
    char **path;          /* [count] their first files, which identify the request in a child process */
    size_t count;
    BatchRequest *request;
    const BatchFamily *current;
    FamilyMember member[FAMILY_CLIPS]; /* of the current family */
} Reading;

/* Reads a member with the family's settings so far and measures its neutral pose. */
static Status read_body(Reading *r, int clip, const Family *decision, ImportGuessDef *def, FamilyMember *out,
                        Error *err)
{
    const FoundFile *file = r->current->member[clip];
    Pipeline chain;
    Clip body;
    *out = (FamilyMember){0};
    Status status = batch_request_chain(r->request, file->relative, &chain, err);
    if (status)
        return status;
    chain.import.guess.family = decision;
    if (def)
        *def = chain.import.guess;
    status = import_judge(&chain.import, file->path, &body, &out->guess, err);
    out->is_read = !status;
    ClipView view = clip_view(&body);
    if (!status && !(decision->neutral_confidence > 0) && pipeline_stands(&r->request->chain))
        status = neutral_vote_of(&view, &out->pose, err);
    clip_free(&body);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static Status read_vote(void *context, int clip, FamilyVote *vote, Error *err)
{
    Reading *r = context;
    FamilyMember *member = &r->member[clip];
    Status status = read_body(r, clip, vote->def.family, &vote->def, member, err);
    vote->is_read = member->is_read;
    vote->guess = member->guess;
    return status;
}

/* Returns whether the clip was read with the settings of the family. */
static int is_settled(const FamilyMember *v, const Family *f)
{
    const ImportGuess *e = &v->guess;
    return v->is_read && (!(f->positions_confidence > 0) || e->positions == f->positions) &&
           (!(f->up_confidence > 0) || e->up == f->up) &&
           (!(f->unit_confidence > 0) || !(fabs(e->meters_per_unit - f->meters_per_unit) > 0));
}

/* Detects the neutral pose of the family; members read with other settings are read again. */
static Status decide_pose(Reading *r, Family *decision, Error *err)
{
    NeutralVote vote[FAMILY_CLIPS];
    Status status = STATUS_OK;
    if (decision->neutral_confidence > 0 || !pipeline_stands(&r->request->chain))
        return STATUS_OK;
    for (int i = 0; i < r->current->count && !status; i++) {
        if (!is_settled(&r->member[i], decision))
            status = read_body(r, i, decision, NULL, &r->member[i], err);
        vote[i] = r->member[i].pose;
    }
    if (!status)
        neutral_family_decide(vote, r->current->count, decision);
    return status;
}

/* Writes the settings, and what was detected of the members with them, as bytes. */
static void write_decision(const Reading *r, const Family *decision, FILE *out)
{
    const FamilyMember none = {0};
    fwrite(decision, sizeof *decision, 1, out);
    for (int m = 0; m < r->current->count; m++)
        fwrite(is_settled(&r->member[m], decision) ? &r->member[m] : &none, sizeof none, 1, out);
}

/* Runs in a child process. */
static int decide_one(void *context, const char *path, FILE *out)
{
    Reading *r = context;
    size_t i = 0;
    while (r->path[i] != path)
        i++;
    r->current = r->family[i];
    memset(r->member, 0, sizeof r->member);
    Family decision = r->current->decision;
    Status status = family_decide(read_vote, r, r->current->count, &decision, NULL);
    if (!status)
        status = decide_pose(r, &decision, NULL);
    if (!status)
        write_decision(r, &decision, out);
    return status_exit_code(status);
}

static Status take_decision(void *context, size_t number, int code, const char *said, size_t size, Error *err)
{
    Reading *r = context;
    BatchFamily *family = r->family[number];
    size_t detected = (size_t)family->count * sizeof *family->detected;
    (void)code;
    if (size != sizeof family->decision + detected)
        return STATUS_OK;
    family->detected = malloc(detected);
    if (!family->detected)
        return error_no_memory(err);
    memcpy(&family->decision, said, sizeof family->decision);
    memcpy(family->detected, said + sizeof family->decision, detected);
    return STATUS_OK;
}

static Status list_open(BatchFamilies *families, Reading *r, Error *err)
{
    r->family = array_new(families->count, 1, sizeof *r->family);
    r->path = array_new(families->count, 1, sizeof *r->path);
    if (!r->family || !r->path)
        return error_no_memory(err);
    for (size_t i = 0; i < families->count; i++)
        if (families->family[i].is_open && families->family[i].count > 0) {
            r->family[r->count] = &families->family[i];
            r->path[r->count++] = families->family[i].member[0]->path;
        }
    return STATUS_OK;
}

/* If a child process crashes, its skeletons are detected file by file instead. */
static Status read_members(BatchFamilies *families, const BatchFamilyCall *call, Error *err)
{
    Reading r = {.request = call->request};
    Error cause = {0};
    int code = 0;
    Status status = list_open(families, &r, err);
    int jobs = call->jobs > 0 ? call->jobs : file_pool_processors();
    FilePool pool = {decide_one, take_decision, &r, jobs < (int)r.count ? jobs : (int)r.count, interrupt_noted};
    if (!status && r.count > 0 && file_pool_ask(&pool, r.path, r.count, NULL, &code, &cause))
        message_note("batch", NULL, "warning: %s; skeletons without a detection yet are detected file by file",
                     cause.text);
    free(r.family);
    free(r.path);
    return status;
}

/* Returns the settings that are not in the index; its rows store from how many clips they were detected. */
static Family news_of(const BatchFamily *family)
{
    Family news = family->decision;
    const Family *known = &family->known;
    news.positions_confidence = known->positions_confidence > 0 ? 0 : news.positions_confidence;
    news.up_confidence = known->up_confidence > 0 ? 0 : news.up_confidence;
    news.unit_confidence = known->unit_confidence > 0 ? 0 : news.unit_confidence;
    news.neutral_confidence = known->neutral_confidence > 0 ? 0 : news.neutral_confidence;
    return news;
}

static Status keep_decisions(const BatchFamilies *families, Index *index, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < families->count && !status; i++) {
        const BatchFamily *family = &families->family[i];
        Family news = news_of(family);
        if (family->is_open)
            status = index_put_family(index, family->key, &news, family->count, err);
    }
    return status;
}

static int any_is_open(const BatchFamilies *families)
{
    for (size_t i = 0; i < families->count; i++)
        if (families->family[i].is_open)
            return 1;
    return 0;
}

static const FamilyMember *find_member(const BatchFamily *family, const char *path)
{
    for (int m = 0; family->detected && m < family->count; m++)
        if (family->member[m]->path == path)
            return family->detected[m].is_read ? &family->detected[m] : NULL;
    return NULL;
}

Status batch_families_decide(BatchFamilies *out, BatchPlan *plan, const BatchFamilyCall *call, Error *err)
{
    const SourceDef *limits = &call->request->chain.import.limits;
    size_t jobs = (size_t)plan->job_count;
    FamilyKey *key = array_new(jobs, 1, sizeof *key), *sorted = array_new(jobs, 1, sizeof *sorted);
    Status status = key && sorted ? STATUS_OK : error_no_memory(err);
    for (size_t i = 0; i < jobs && !status; i++)
        sorted[i] = key[i] = key_of_file(plan->job[i].input, limits);
    if (!status)
        status = list_families(out, sorted, plan->job_count, call, err);
    if (!status && any_is_open(out)) {
        status = find_members(out, plan, key, limits, err);
        if (!status)
            status = read_members(out, call, err);
        if (!status && !interrupt_noted())
            status = keep_decisions(out, call->index, err);
    }
    for (size_t i = 0; i < jobs && !status; i++) {
        const BatchFamily *family = find_family(out, key[i].text);
        plan->job[i].family = family ? &family->decision : NULL;
        plan->job[i].member = family ? find_member(family, plan->job[i].input) : NULL;
    }
    free(key);
    free(sorted);
    return status;
}

void batch_families_free(BatchFamilies *families)
{
    for (size_t i = 0; i < families->count; i++)
        free(families->family[i].detected);
    free(families->family);
    *families = (BatchFamilies){0};
}

static void sweep(int scratch)
{
    int again = openat(scratch, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

/* Returns whether the locked folder is still at its path; the batch that had the lock before may have removed it. */
static int is_in_place(const BatchGroup *group)
{
    struct stat held, named;
    return fstat(group->lock, &held) == 0 && lstat(group->scratch, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

static void unlock(BatchGroup *group)
{
    close(group->lock);
    group->lock = -1;
}

/* Waits a second, because the workers of a killed batch hold its lock until they end. */
static int is_held_by_another(int folder)
{
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    for (int i = 0; i < 50; i++) {
        if (flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return 0;
        nanosleep(&moment, NULL);
    }
    return 1;
}

static Status lock_scratch(BatchGroup *group, Error *err)
{
    if (mkdir(group->scratch, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: cannot create: %s", group->scratch, strerror(errno));
    group->lock = open(group->scratch, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (group->lock < 0 && errno != ENOENT)
        return error_set(err, STATUS_IO, "%s: cannot read: %s", group->scratch, strerror(errno));
    if (group->lock >= 0 && is_held_by_another(group->lock)) {
        unlock(group);
        return error_set(err, STATUS_IO, "%s: in use by another batch", group->folder);
    }
    return STATUS_OK;
}

/* Makes a folder and its parents. */
static Status make_folder(const char *folder, Error *err)
{
    char *path = strdup(folder);
    Status status = path ? STATUS_OK : error_no_memory(err);
    for (size_t i = 1; path && i <= strlen(folder) && !status; i++) {
        if (folder[i] != '/' && folder[i])
            continue;
        path[i] = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            status = error_set(err, STATUS_IO, "%s: cannot create: %s", path, strerror(errno));
        path[i] = folder[i];
    }
    free(path);
    return status;
}

Status batch_group_open(BatchGroup *group, const char *folder, Shard shard, Error *err)
{
    *group = (BatchGroup){.folder = folder, .lock = -1};
    if (asprintf(&group->scratch, "%s/.kane-batch.%d-of-%d", folder, shard.number, shard.count) < 0) {
        group->scratch = NULL;
        return error_no_memory(err);
    }
    Status made = make_folder(folder, err);
    if (made)
        return made;
    for (Status status; group->lock < 0;) {
        status = lock_scratch(group, err);
        if (status)
            return status;
        if (group->lock >= 0 && !is_in_place(group))
            unlock(group);
    }
    sweep(group->lock);
    return STATUS_OK;
}

/* Reserves disk space for the index rows of a group, to be released when the disk is full. Reserves none on a full
 * disk. */
static void keep_reserve(const BatchGroup *group)
{
    enum { RESERVE = 4 << 20 }; /* bytes */
    char *path = NULL;
    if (asprintf(&path, "%s/reserve", group->scratch) < 0)
        return;
    file_reserve(path, RESERVE);
    free(path);
}

Status batch_group_start(BatchGroup *group, Index *index, const BatchPlan *plan, BatchRequest *request, Error *err)
{
    group->index = index;
    group->plan = plan;
    group->request = request;
    keep_reserve(group);
    group->waiting = array_new((size_t)plan->job_count, 1, sizeof *group->waiting);
    return group->waiting ? STATUS_OK : error_no_memory(err);
}

/* Records the inputs of a job's clip or failure. */
static Status put_stamp(BatchGroup *group, const BatchJob *job, const IndexStamp *stamp, Error *err)
{
    const char *request;
    Status status = batch_request_text(group->request, job->output, &request, err);
    return status ? status : index_put_stamp(group->index, job->output, job->input, stamp, request, err);
}

Status batch_group_add(BatchGroup *group, const BatchReply *reply, const unsigned char *stats, Error *err)
{
    const char *output = group->plan->job[reply->job].output;
    IndexStamp stamp = group->plan->stamp[reply->job];
    ClipStats unpacked;
    int changed;
    stamp.output_size = reply->size;
    stamp.output_mtime_ns = reply->mtime_ns;
    memcpy(stamp.input_sha256, reply->source_sha256, sizeof stamp.input_sha256);
    Status status = clip_stats_unpack(stats, reply->stats_size, &unpacked, err);
    if (status)
        return status;
    status = index_put_clip(group->index, output, &unpacked, err);
    if (!status)
        status = batch_request_tag(group->request, group->index, output, &changed, err);
    if (!status)
        status = put_stamp(group, &group->plan->job[reply->job], &stamp, err);
    if (!status)
        status = batch_remarks_add(&group->remarks, group->plan->job[reply->job].input, &unpacked, err);
    clip_stats_free(&unpacked);
    if (reply->size > 0)
        group->waiting[group->waiting_count++] = reply->job;
    return status;
}

/* Returns whether the clip file of an earlier batch exists. */
static int has_container(const BatchGroup *group, const char *output)
{
    char *path;
    if (asprintf(&path, "%s/%s", group->folder, output) < 0)
        return 0;
    int is_there = container_is_at(path);
    free(path);
    return is_there;
}

/* Keeps the last good clip, in a file or only in the index, and marks it as stale. The stamp matches no file, so the
 * source is retried in each call; there is no stamp if a clip file of another source is in the way. */
Status batch_group_fail(BatchGroup *group, const BatchReply *reply, Error *err)
{
    const BatchJob *job = &group->plan->job[reply->job];
    const IndexStamp tried = {.input_size = -1};
    char message[ERROR_TEXT_SIZE + 32];
    if (reply->err.line > 0)
        snprintf(message, sizeof message, "%d:%d: %s", reply->err.line, reply->err.column, reply->err.text);
    else
        snprintf(message, sizeof message, "%s", reply->err.text);
    int stays = group->request->store == STORE_INDEX || has_container(group, job->output);
    Status status = stays ? index_put_stale(group->index, job->output, reply->stage, message, err)
                          : index_put_failure(group->index, job->output, 1, reply->stage, message, err);
    if (!status)
        status = batch_remarks_fail(&group->remarks, job->input, reply->stage, message, err);
    return !status && !reply->is_foreign ? put_stamp(group, job, &tried, err) : status;
}

static Status rename_waiting(BatchGroup *group, int job, Error *err)
{
    const char *output = group->plan->job[job].output;
    char *from = batch_scratch_path(group->scratch, job), *to = NULL;
    if (!from || asprintf(&to, "%s/%s", group->folder, output) < 0) {
        free(from);
        return error_no_memory(err);
    }
    Status status = path_make_parents(group->folder, output, err);
    if (!status && rename(from, to))
        status = error_set(err, STATUS_IO, "%s: cannot write: %s", to, strerror(errno));
    free(from);
    free(to);
    return status;
}

static Status put_waiting(BatchGroup *group, Error *err)
{
    Status status = STATUS_OK;
    if (group->waiting_count && syncfs(group->lock))
        return error_set(err, STATUS_IO, "%s: cannot write: %s", group->folder, strerror(errno));
    for (int i = 0; i < group->waiting_count && !status; i++)
        status = rename_waiting(group, group->waiting[i], err);
    group->waiting_count = 0;
    return status;
}

Status batch_group_commit(BatchGroup *group, Error *err)
{
    Status status = put_waiting(group, err);
    return status ? status : error_of_file(err, index_path(group->index), index_commit(group->index, err));
}

void batch_group_rescue(BatchGroup *group)
{
    if (put_waiting(group, NULL))
        return;
    sweep(group->lock); /* including the reserve */
    (void)index_commit(group->index, NULL);
}

void batch_group_close(BatchGroup *group)
{
    if (group->lock >= 0) {
        sweep(group->lock);
        rmdir(group->scratch);
        close(group->lock);
    }
    batch_remarks_free(&group->remarks);
    free(group->scratch);
    free(group->waiting);
    *group = (BatchGroup){.lock = -1};
}
