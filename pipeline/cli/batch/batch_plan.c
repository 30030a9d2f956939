/* See batch.h. */
#include "pipeline/cli/batch/batch.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/arena.h"
#include "analysis/base/fnv.h"
#include "formats/base/bytes.h"
#include "formats/container/container_reader.h"
#include "formats/index/index_schema.h"
#include "pipeline/cli/message.h"

/* A batch as shell commands, one per chunk, for GNU parallel, a Slurm array or a render farm. */

static const double worker_rate = 2e7; /* bytes of BVH per second and worker, on a fast machine */
static const double least_time = 30;   /* s per chunk; scheduling a cluster job takes seconds */

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

#define FIELD(member) offsetof(BatchListOptions, member)
const Option batch_list_options[] = {
    {.name = "list",
     .help = "Print one shell command per chunk and the merge command, and exit",
     .kind = &option_flag, .offset = FIELD(list)},
    {.name = "chunks", .argument = "N",
     .help = "Number of chunks for --list (default: at least 30 s each)",
     .kind = &option_count, .offset = FIELD(chunks)},
    {0},
};

static int choose_chunks(const BatchPlan *plan, int jobs)
{
    double bytes = 0;
    struct stat info;
    for (size_t i = 0; i < plan->files.count; i++)
        if (stat(plan->files.file[i].path, &info) == 0)
            bytes += (double)info.st_size;
    double chunks = bytes / (worker_rate * least_time * (jobs > 0 ? jobs : 1));
    if (chunks > (double)plan->files.count)
        chunks = (double)plan->files.count;
    return chunks < 1 ? 1 : (int)chunks;
}

/* Quotes a word for the shell. */
static void put_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, stream);
        return;
    }
    putc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            putc(*word, stream);
    }
    putc('\'', stream);
}

/* Returns whether argument is --name or an abbreviation of it, with or without "=value". */
static int is_option(const char *argument, const char *name)
{
    size_t length = strcspn(argument, "=");
    return length > 2 && length - 2 <= strlen(name) && !strncmp(argument, "--", 2) &&
           !strncmp(argument + 2, name, length - 2);
}

/* Writes the call without --list and --chunks. The shard precedes the other words, which may end with "--". */
static void put_command(FILE *stream, int argc, char *const *argv, int chunk, int chunks)
{
    put_word(stream, program_invocation_name);
    fputs(" batch", stream);
    fprintf(stream, " --shard %d/%d", chunk, chunks);
    for (int i = 1; i < argc; i++) {
        if (is_option(argv[i], "list"))
            continue;
        if (is_option(argv[i], "chunks")) {
            i += !strchr(argv[i], '=');
            continue;
        }
        putc(' ', stream);
        put_word(stream, argv[i]);
    }
    putc('\n', stream);
}

static void put_merge(FILE *stream, const char *output, int chunks)
{
    char path[4400];
    put_word(stream, program_invocation_name);
    fputs(" merge", stream);
    for (int chunk = 0; chunk <= chunks; chunk++) {
        if (chunk == 0)
            snprintf(path, sizeof path, "%s/index.db", output);
        else
            snprintf(path, sizeof path, "%s/index.%d-of-%d.db", output, chunk, chunks);
        putc(' ', stream);
        put_word(stream, path);
    }
    putc('\n', stream);
}

/* Rejects line breaks, because each command is one line and no quoting of them works in all shells. */
static Status refuse_line_breaks(int argc, char *const *argv, Error *err)
{
    const char *word = strchr(program_invocation_name, '\n') ? program_invocation_name : NULL;
    for (int i = 1; i < argc && !word; i++)
        word = strchr(argv[i], '\n') ? argv[i] : NULL;
    if (!word)
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--list: the path \"%.*s...\" contains a line break",
                     (int)strcspn(word, "\n"), word);
}

Status batch_list_print(const BatchPlan *plan, const BatchListOptions *options, const BatchCall *call, FILE *stream,
                        Error *err)
{
    int chunks = options->chunks > 0 ? options->chunks : choose_chunks(plan, call->jobs);
    Status status = refuse_line_breaks(call->argc, call->argv, err);
    if (status)
        return status;
    for (int chunk = 1; chunk <= chunks; chunk++)
        put_command(stream, call->argc, call->argv, chunk, chunks);
    if (chunks > 1)
        put_merge(stream, call->output, chunks);
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* kane batch --memory. */

/* Measured on clips with 22 to 78 joints; checked by tests/cli/memory.sh. */
static const double bytes_of_program = 3e7; /* including the solver's workspace */
static const double bytes_a_frame = 4000;   /* contact and angles */
static const double bytes_a_joint = 260;    /* per frame */
static const double least_bytes_a_value = 2;
static const double times_of_text = 20; /* for files whose head does not contain the frame count */

enum { HEAD_SIZE = 1 << 18 };

static const struct {
    char letter;
    double bytes;
} units[] = {{0, 1}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
enum { UNIT_COUNT = sizeof units / sizeof *units };

static Status bytes_parse(const Option *option, const char *text, void *value, Error *err)
{
    char *end;
    double number = strtod(text, &end);
    for (int i = 0; i < UNIT_COUNT; i++)
        if (end > text && *end == units[i].letter && (!*end || !end[1]) && number * units[i].bytes >= 1 &&
            number * units[i].bytes < 1e18) {
            *(long long *)value = (long long)(number * units[i].bytes);
            return STATUS_OK;
        }
    return error_set(err, STATUS_USAGE, "expected %s, for example 8G or 500M, found \"%s\"", option->argument, text);
}

static void bytes_format(const Option *option, const void *value, char *text, size_t size)
{
    long long bytes = *(const long long *)value;
    (void)option;
    text[0] = 0;
    if (bytes > 0)
        snprintf(text, size, "%lld", bytes);
}

const OptionKind option_bytes = {bytes_parse, bytes_format};

static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strcasestr(at, word)); at++)
        count++;
    return count;
}

/* Estimates memory from the head, whose frame count is capped by the file size. */
static double need_by_head(const char *head, double size)
{
    const char *frames = strcasestr(head, "Frames:");
    double joints = 1 + count_words(head, "JOINT"), count = frames ? strtod(frames + 7, NULL) : 0;
    double most = size / (3 * joints * least_bytes_a_value);
    if (!frames || !(count >= 0))
        return times_of_text * size;
    return (count < most ? count : most) * (bytes_a_frame + bytes_a_joint * joints);
}

long long batch_memory_need(const char *path)
{
    struct stat info;
    char text[SOURCE_PATH_SIZE];
    FILE *file = fopen(source_file(path, text), "rbe");
    char *head = calloc(HEAD_SIZE + 1, 1);
    long long need = 0;
    if (file && head && fstat(fileno(file), &info) == 0) {
        head[fread(head, 1, HEAD_SIZE, file)] = 0;
        need = (long long)(bytes_of_program + (double)info.st_size + need_by_head(head, (double)info.st_size));
    }
    if (file)
        fclose(file);
    free(head);
    return need;
}

/* Other indexes in the folder of clip files. */

/* Returns whether two indexes are shards of one split, such as "index.1-of-4.db" and "index.3-of-4.db": these share no
 * clip and may be written at the same time. */
static int is_of_one_split(const char *path, const char *other)
{
    const char *count = strrchr(path, '-'), *same = strrchr(other, '-');
    return count && same && !strcmp(count, same);
}

/* Finds the indexes of this version in the folder, except `database` and the other shards of its split. The caller
 * frees *found. */
static Status find_indexes(const char *folder, const char *database, glob_t *found, Error *err)
{
    char *pattern;
    if (asprintf(&pattern, "%s/index*.db", folder) < 0)
        return error_no_memory(err);
    int code = glob(pattern, 0, NULL, found);
    free(pattern);
    if (code == GLOB_NOSPACE)
        return error_no_memory(err);
    size_t kept = 0;
    for (size_t i = 0; i < found->gl_pathc; i++) {
        char *path = found->gl_pathv[i];
        if (strcmp(path, database) != 0 && !is_of_one_split(path, database) && index_is_current(path))
            found->gl_pathv[kept++] = path;
        else
            free(path);
    }
    found->gl_pathc = kept;
    return STATUS_OK;
}

typedef struct Adoption {
    Index *index;
    const FoundFiles *files; /* by relative path */
    size_t kept;
} Adoption;

static int compare_place(const void *key, const void *file)
{
    return strcmp(key, ((const FoundFile *)file)->relative);
}

/* Keeps a clip if its file is in this shard; removes it otherwise. */
static Status keep_own(void *context, const char *path, Error *err)
{
    Adoption *a = context;
    if (bsearch(path, a->files->file, a->files->count, sizeof *a->files->file, compare_place)) {
        a->kept++;
        return STATUS_OK;
    }
    return index_remove(a->index, path, err);
}

Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err)
{
    glob_t found = {0};
    Adoption adoption = {index, &plan->files, 0};
    *adopted = 0;
    if (!index_is_empty(index))
        return STATUS_OK;
    Status status = find_indexes(folder, database, &found, err);
    if (!status && found.gl_pathc > 0)
        status = index_merge(index, (const char *const *)found.gl_pathv, found.gl_pathc, err);
    if (!status && found.gl_pathc > 0)
        status = index_visit(index, keep_own, &adoption, err);
    *adopted = adoption.kept;
    globfree(&found);
    return status;
}

/* Returns the shard of a file, from its name alone, so that added or removed files do not move others. */
static int shard_of(const char *relative, int count)
{
    uint64_t hash = fnv_bytes(FNV_START, relative, strlen(relative));
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
    char names[64];
    source_names(names, sizeof names);
    *plan = (BatchPlan){0};
    for (int i = 0; i < source->count && !status; i++)
        status = found_files_add(&plan->files, source->argument[i], source_has_ending, err);
    if (!status)
        status = batch_select_add(source->select, &plan->files, err);
    if (!status)
        batch_select_keep(source->select, &plan->files, &plan->passed_over);
    if (!status && plan->files.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no %s file in %s", names,
                           source->count > 0 ? source->argument[0] : source->select->files_from);
    if (!status)
        status = found_files_split_takes(&plan->files, source->limits, err);
    found_files_sort(&plan->files);
    if (!status)
        status = refuse_collisions(&plan->files, err);
    if (!status)
        status = keep_shard(&plan->files, source->shard, &plan->others, err);
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

/* Returns size and time of both files; 0 if missing. */
static IndexStamp stamp_files(const char *folder, const FoundFile *file)
{
    struct stat info;
    char path[SOURCE_PATH_SIZE];
    IndexStamp stamp = {0};
    if (stat(source_file(file->path, path), &info) == 0) {
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
                  index_is_clip_of(state->index, file->relative, container_reader_text(reader, "source_sha256"),
                                   container_reader_text(reader, "history"));
    container_reader_close(reader);
    free(path);
    return is_same && is_sound(state->folder, file);
}

/* Compares a file with the index. If only times differ, the content is compared, and if equal the new times are
 * stored. */
static IndexChange change_of(const BatchState *state, const FoundFile *file, IndexStamp *stamp)
{
    Index *index = state->index;
    const char *request;
    char text[SOURCE_PATH_SIZE];
    if (!index || batch_request_text(state->request, file->relative, &request, NULL))
        return INDEX_NEW;
    IndexChange change = index_compare(index, file->relative, stamp, request);
    if (change == INDEX_ASK_OUTPUT && !(stamp->output_is_same = is_same_output(state, file)))
        return INDEX_OTHER_OUTPUT;
    int asks = change == INDEX_ASK_OUTPUT || change == INDEX_ASK_CONTENT;
    if (asks && !digest_path(source_file(file->path, text), stamp->input_sha256, NULL)) {
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
        job->need = batch_memory_need(job->input);
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
