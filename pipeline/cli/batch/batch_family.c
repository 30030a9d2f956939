/* See batch_family.h. */
#include "pipeline/cli/batch/batch_family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/index/index_families.h"
#include "pipeline/cli/file_pool.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/pipeline.h"

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
static int is_open(const Family *f, const Pipeline *pipeline)
{
    const ImportGuessDef *def = &pipeline->import.guess;
    return (!(f->neutral_confidence > 0) && pipeline_stands(pipeline)) ||
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
        family->is_open = is_open(&family->decision, &call->request->pipeline);
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

/* A list of targets names a file once per target. */
static int has_member(const BatchFamily *family, const char *path)
{
    for (int m = 0; m < family->count; m++)
        if (!strcmp(family->member[m]->path, path))
            return 1;
    return 0;
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
        if (family && family->is_open && family->count < FAMILY_CLIPS && !has_member(family, file[i]->path))
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
    Pipeline pipeline;
    Clip body;
    *out = (FamilyMember){0};
    Status status = batch_request_pipeline(r->request, file->relative, &pipeline, err);
    if (status)
        return status;
    pipeline.import.guess.family = decision;
    if (def)
        *def = pipeline.import.guess;
    status = import_judge(&pipeline.import, file->path, &body, &out->guess, err);
    out->is_read = !status;
    ClipView view = clip_view(&body);
    if (!status && !(decision->neutral_confidence > 0) && pipeline_stands(&r->request->pipeline))
        status = neutral_vote_cast(&view, &out->pose, err);
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
    if (decision->neutral_confidence > 0 || !pipeline_stands(&r->request->pipeline))
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
static Family family_news(const BatchFamily *family)
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
        Family news = family_news(family);
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
        if (!strcmp(family->member[m]->path, path))
            return family->detected[m].is_read ? &family->detected[m] : NULL;
    return NULL;
}

Status batch_families_decide(BatchFamilies *out, BatchPlan *plan, const BatchFamilyCall *call, Error *err)
{
    const SourceDef *limits = &call->request->pipeline.import.limits;
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
