#include "pipeline/cli/batch/batch_family.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/anatomy/neutral_family.h"
#include "analysis/base/memory.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/index/index_family.h"
#include "pipeline/cli/file_pool.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"

typedef struct FamilyKey {
    char text[FAMILY_KEY_SIZE]; /* "": the head cannot be read */
} FamilyKey;

/* ---- Which skeletons there are ---- */

static FamilyKey key_of_file(const char *path, const BvhDef *limits)
{
    FamilyKey key = {""};
    Skeleton skeleton = {0};
    Bvh bvh;
    if (bvh_read_head(path, limits, &bvh, NULL) == STATUS_OK) {
        if (bvh_skeleton(&bvh, &skeleton, NULL) == STATUS_OK)
            family_key(&skeleton, key.text);
        skeleton_free(&skeleton);
    }
    bvh_free(&bvh);
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

/* What neither the index nor an option has decided. */
static int is_open(const Family *f, const StageChain *chain)
{
    const EvidenceDef *def = &chain->import.evidence;
    return (!(f->neutral_confidence > 0) && stage_chain_stands(chain)) ||
           (!(f->positions_confidence > 0) && def->positions == POSITIONS_AUTO) ||
           (!(f->up_confidence > 0) && def->up == UP_AUTO) ||
           (!(f->unit_confidence > 0) && !(def->metres_per_unit > 0));
}

/* A family for each key of the jobs, with what the index knows. key[job_count] is sorted on the way. */
static Status list_families(BatchFamilies *out, FamilyKey *key, int count, const BatchFamilyCall *call, Error *err)
{
    Status status = STATUS_OK;
    out->family = array_new((size_t)count, 1, sizeof *out->family);
    if (!out->family)
        return error_no_memory(err);
    qsort(key, (size_t)count, sizeof *key, compare_keys);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
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

/* ---- The first files of each ---- */

static int compare_files(const void *a, const void *b)
{
    const FoundFile *const *left = a, *const *right = b;
    return strcmp((*left)->relative, (*right)->relative);
}

/* The files of all shards by path; NULL without memory. */
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

/* Jobs stand in the order of the files, so their keys are at hand: *next is the first job not passed. */
static FamilyKey key_at(const FoundFile *file, const BatchPlan *plan, const FamilyKey *job_key, int *next,
                        const BvhDef *limits)
{
    if (*next < plan->job_count && plan->job[*next].input == file->path)
        return job_key[(*next)++];
    return key_of_file(file->path, limits);
}

static Status find_members(BatchFamilies *families, const BatchPlan *plan, const FamilyKey *job_key,
                           const BvhDef *limits, Error *err)
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

/* ---- The decisions ---- */

typedef struct Reading {
    BatchFamily **family; /* [count] the open ones */
    char **path;          /* [count] of their first files, by which a process knows what it is asked */
    size_t count;
    BatchRequest *request;
    const BatchFamily *current;
} Reading;

static Status read_vote(void *context, int clip, FamilyVote *vote, Error *err)
{
    Reading *r = context;
    const FoundFile *file = r->current->member[clip];
    StageChain chain;
    Clip body;
    Status status = batch_request_chain(r->request, file->relative, &chain, err);
    if (status != STATUS_OK)
        return status;
    chain.import.evidence.family = vote->def.family;
    vote->def = chain.import.evidence;
    status = import_judge(&chain.import, file->path, &body, &vote->evidence, err);
    clip_free(&body);
    vote->is_read = status == STATUS_OK;
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* Where the bodies of the family are settled: how each of them stands. */
static Status read_pose(Reading *r, int clip, const Family *decision, NeutralVote *vote, Error *err)
{
    const FoundFile *file = r->current->member[clip];
    StageChain chain;
    Clip body;
    Evidence evidence;
    memset(vote, 0, sizeof *vote);
    Status status = batch_request_chain(r->request, file->relative, &chain, err);
    if (status != STATUS_OK)
        return status;
    chain.import.evidence.family = decision;
    status = import_judge(&chain.import, file->path, &body, &evidence, err);
    ClipView view = clip_view(&body);
    if (status == STATUS_OK)
        status = neutral_vote_of(&view, vote, err);
    clip_free(&body);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static Status decide_pose(Reading *r, Family *decision, Error *err)
{
    NeutralVote vote[FAMILY_CLIPS];
    Status status = STATUS_OK;
    if (decision->neutral_confidence > 0 || !stage_chain_stands(&r->request->chain))
        return STATUS_OK;
    for (int i = 0; i < r->current->count && status == STATUS_OK; i++)
        status = read_pose(r, i, decision, &vote[i], err);
    if (status == STATUS_OK)
        neutral_family_decide(vote, r->current->count, decision);
    return status;
}

/* In a process of its own: the decision as bytes. */
static int decide_one(void *context, const char *path, FILE *out)
{
    Reading *r = context;
    size_t i = 0;
    while (r->path[i] != path)
        i++;
    r->current = r->family[i];
    Family decision = r->current->decision;
    Status status = family_decide(read_vote, r, r->current->count, &decision, NULL);
    if (status == STATUS_OK)
        status = decide_pose(r, &decision, NULL);
    if (status == STATUS_OK)
        fwrite(&decision, sizeof decision, 1, out);
    return status_exit_code(status);
}

static Status take_decision(void *context, size_t number, int code, const char *said, size_t size, Error *err)
{
    Reading *r = context;
    (void)code, (void)err;
    if (size == sizeof(Family))
        memcpy(&r->family[number]->decision, said, size);
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

/* A process that ends early takes no batch with it: its skeletons are decided file by file. */
static Status read_members(BatchFamilies *families, const BatchFamilyCall *call, Error *err)
{
    Reading r = {.request = call->request};
    Error cause = {0};
    int code = 0;
    Status status = list_open(families, &r, err);
    int jobs = call->jobs > 0 ? call->jobs : file_pool_processors();
    FilePool pool = {decide_one, take_decision, &r, jobs < (int)r.count ? jobs : (int)r.count, interrupt_noted};
    if (status == STATUS_OK && r.count > 0 && file_pool_ask(&pool, r.path, r.count, NULL, &code, &cause) != STATUS_OK)
        message_note("batch", NULL, "%s; skeletons that are not decided yet are decided file by file", cause.text);
    free(r.family);
    free(r.path);
    return status;
}

/* Only what the index does not have: its rows say from how many clips. */
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
    for (size_t i = 0; i < families->count && status == STATUS_OK; i++) {
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

Status batch_families_decide(BatchFamilies *out, BatchPlan *plan, const BatchFamilyCall *call, Error *err)
{
    const BvhDef *limits = &call->request->chain.import.limits;
    size_t jobs = (size_t)plan->job_count;
    FamilyKey *key = array_new(jobs, 1, sizeof *key), *sorted = array_new(jobs, 1, sizeof *sorted);
    Status status = key && sorted ? STATUS_OK : error_no_memory(err);
    for (size_t i = 0; i < jobs && status == STATUS_OK; i++)
        sorted[i] = key[i] = key_of_file(plan->job[i].input, limits);
    if (status == STATUS_OK)
        status = list_families(out, sorted, plan->job_count, call, err);
    if (status == STATUS_OK && any_is_open(out)) {
        status = find_members(out, plan, key, limits, err);
        if (status == STATUS_OK)
            status = read_members(out, call, err);
        if (status == STATUS_OK && !interrupt_noted())
            status = keep_decisions(out, call->index, err);
    }
    for (size_t i = 0; i < jobs && status == STATUS_OK; i++) {
        const BatchFamily *family = find_family(out, key[i].text);
        plan->job[i].family = family ? &family->decision : NULL;
    }
    free(key);
    free(sorted);
    return status;
}

void batch_families_free(BatchFamilies *families)
{
    free(families->family);
    *families = (BatchFamilies){0};
}
