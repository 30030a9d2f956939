/* kane batch: the chain over many files, in worker processes, into a folder of containers and its index. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/cli/batch/batch_adopt.h"
#include "pipeline/cli/batch/batch_group.h"
#include "pipeline/cli/batch/batch_list.h"
#include "pipeline/cli/batch/batch_plan.h"
#include "pipeline/cli/batch/batch_pool.h"
#include "pipeline/cli/batch/batch_summary.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/restore.h"
#include "pipeline/cli/verbs.h"

typedef struct BatchOptions {
    const char *output;
    int jobs;
    int forced, strict, check_outputs;
    Shard shard;
    BatchListOptions list;
    BatchSelect select;
} BatchOptions;

typedef struct Progress {
    size_t total, done, failed; /* jobs; failed ones count as done */
    long long frames;
    double start, shown; /* s, of a clock that only goes forward */
    int terminal;        /* standard error is one */
} Progress;

/* One call of the command. */
typedef struct Batch {
    BatchOptions options;
    BatchSetup setup;
    char *request;  /* every option that bears on the bytes, owned */
    char *database; /* path of the index, owned */
    BatchPlan plan;
    BatchGroup group;
    Index *index;
    Progress progress;
    BatchSummary summary;
    int code; /* of an index that was brought up to date */
} Batch;

static const double commit_interval = 1;     /* s */
static const int poll_interval = 100;        /* ms */
static const double terminal_interval = 0.1; /* s, from bar to bar */
static const double plain_interval = 10;     /* s, from line to line */
enum { BAR_WIDTH = 24 };
enum { SHELL_SIGNAL = 128 }; /* exit code of what a signal has ended, as shells tell it */

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

static const OptionKind option_shard = {shard_parse, shard_format};

#define FIELD(member) offsetof(BatchOptions, member)
static const Option options[] = {
    {.name = "output", .key = 'o', .argument = "DIR",
     .help = "Folder for the containers and index.db",
     .kind = &option_text, .offset = FIELD(output), .unrecorded = 1},
    {.name = "jobs", .key = 'j', .argument = "N",
     .help = "Worker processes; as many as processors unless given",
     .kind = &option_count, .offset = FIELD(jobs), .unrecorded = 1},
    {.name = "shard", .argument = "K/N",
     .help = "Only the Kth of N parts of the files, into index.K-of-N.db; kane merge joins the indexes",
     .kind = &option_shard, .offset = FIELD(shard), .unrecorded = 1},
    {.name = "strict",
     .help = "Warnings are failures: exit code 1 while any clip of the index has one (kane query DB @warnings)",
     .kind = &option_flag, .offset = FIELD(strict), .unrecorded = 1},
    {.name = "check-outputs",
     .help = "Read the containers that are there and make anew what is damaged",
     .kind = &option_flag, .offset = FIELD(check_outputs), .unrecorded = 1},
    OUTPUT_FORCE(BatchOptions, forced),
    {0},
};

/* --- how far it has come --- */

/* Seconds of a clock that only goes forward. */
static double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void progress_start(Progress *p, size_t total)
{
    double now = progress_clock();
    *p = (Progress){.total = total, .start = now, .shown = now, .terminal = isatty(STDERR_FILENO)};
}

/* "1:02:03", "2:03", "4.5 s" */
static void format_duration(double seconds, char *text, size_t size)
{
    long whole = (long)seconds;
    if (seconds < 60)
        snprintf(text, size, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
}

static void show_bar(const Progress *p, double elapsed, const char *left)
{
    char bar[BAR_WIDTH + 1];
    size_t filled = p->total ? p->done * BAR_WIDTH / p->total : BAR_WIDTH;
    for (size_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %zu/%zu  %.0f clips/s  %.0f frames/s  %s left\033[K", bar, p->done, p->total,
            (double)p->done / elapsed, (double)p->frames / elapsed, left);
}

/* Shows where things stand, if it is time: a bar with rate and time left on a terminal, a plain line now and then
 * elsewhere. */
static void progress_show(Progress *p)
{
    double now = progress_clock(), elapsed = now - p->start;
    char left[32] = "?";
    if (now - p->shown < (p->terminal ? terminal_interval : plain_interval))
        return;
    p->shown = now;
    if (p->done)
        format_duration(elapsed * (double)(p->total - p->done) / (double)p->done, left, sizeof left);
    if (p->terminal)
        show_bar(p, elapsed, left);
    else
        fprintf(stderr, "kane batch: %zu of %zu, %.0f clips/s, %.0f frames/s, %s left\n", p->done, p->total,
                (double)p->done / elapsed, (double)p->frames / elapsed, left);
}

/* Takes the bar off the terminal, so that a message can be printed; the next progress_show draws it again. */
static void progress_clear(Progress *p)
{
    if (p->terminal) {
        fputs("\r\033[K", stderr);
        p->shown = 0;
    }
}

/* One last line. */
static void progress_finish(Progress *p, size_t unchanged, BatchRemarks *remarks)
{
    double elapsed = progress_clock() - p->start;
    progress_clear(p);
    batch_remarks_tell(remarks);
    if (interrupt_noted())
        fprintf(stderr, "kane batch: stopped by %s: %zu of %zu are not done; what is done stands, and the next call "
                "goes on with the rest\n", interrupt_name(interrupt_noted()), p->total - p->done, p->total);
    fprintf(stderr, "kane batch: %zu done", p->done - p->failed);
    if (remarks->warned)
        fprintf(stderr, ", %zu with warnings", remarks->warned);
    fprintf(stderr, ", %zu unchanged, %zu failed", unchanged, p->failed);
    if (p->frames)
        fprintf(stderr, "; %lld frames in %.2f s, %.0f frames/s", p->frames, elapsed, (double)p->frames / elapsed);
    fputc('\n', stderr);
}

/* --- the work --- */

static Status name_database(Batch *batch, Error *err)
{
    const BatchOptions *given = &batch->options;
    int written = given->shard.count > 1 ? asprintf(&batch->database, "%s/index.%d-of-%d.db", given->output,
                                                    given->shard.number, given->shard.count)
                                         : asprintf(&batch->database, "%s/index.db", given->output);
    if (written < 0) {
        batch->database = NULL;
        return error_no_memory(err);
    }
    return STATUS_OK;
}

/* One answer of a worker. Only what concerns the output as a whole is an error here. */
static Status take(Batch *batch, const BatchReply *reply, const unsigned char *stats, Error *err)
{
    Progress *progress = &batch->progress;
    progress->done++;
    progress->frames += reply->frames;
    if (reply->status == STATUS_OK)
        return batch_group_add(&batch->group, reply, stats, err);
    if (!strcmp(reply->stage, "store") && reply->status == STATUS_IO)
        return error_set(err, STATUS_IO, "%s: %.400s", batch->options.output, reply->err.text);
    progress->failed++;
    batch_summary_fail(&batch->summary, batch->plan.job[reply->job].input, reply->stage, &reply->err);
    progress_clear(progress);
    message_error("batch", batch->plan.job[reply->job].input, &reply->err);
    return batch_group_fail(&batch->group, reply, err);
}

static Status run_jobs(Batch *batch, BatchPool *pool, Error *err)
{
    Status status = STATUS_OK;
    double committed = progress_clock();
    while (batch_pool_remaining(pool) && status == STATUS_OK && !interrupt_noted()) {
        BatchReply reply;
        unsigned char *stats;
        status = batch_pool_next(pool, poll_interval, &reply, &stats, err);
        if (status == STATUS_OK && reply.job >= 0)
            status = take(batch, &reply, stats, err);
        free(stats);
        progress_show(&batch->progress);
        if (status == STATUS_OK && progress_clock() - committed > commit_interval) {
            status = batch_group_commit(&batch->group, err);
            committed = progress_clock();
        }
    }
    return status == STATUS_OK ? batch_group_commit(&batch->group, err) : status;
}

/* A folder that is given is covered: what was made of a file that has left it is no part of the library any more. */
static Status prune(Batch *batch, char *const *arguments, int argument_count, Error *err)
{
    Status status = STATUS_OK;
    size_t removed = 0, total = 0;
    for (int i = 0; i < argument_count && status == STATUS_OK; i++) {
        struct stat info;
        if (stat(arguments[i], &info) == 0 && S_ISDIR(info.st_mode))
            status = index_prune(batch->index, arguments[i], &removed, err);
        total += removed;
        removed = 0;
    }
    if (status == STATUS_OK && total > 0)
        message_note("batch", batch->database,
                     "%zu clips or failures have lost their source and leave the index; containers stay", total);
    return status;
}

/* Clips that other shards made; containers that nothing stands behind. */
static Status tidy(Batch *batch, const BatchSource *source, Error *err)
{
    const char *folder = batch->options.output;
    size_t adopted = 0, removed = 0;
    Status status = error_of_file(err, batch->database,
                                  batch_adopt(batch->index, folder, batch->database, &batch->plan, &adopted, err));
    if (status == STATUS_OK && adopted > 0)
        message_note("batch", batch->database, "%zu clips are taken over from other indexes of the folder", adopted);
    if (status == STATUS_OK)
        status = error_of_file(err, batch->database, prune(batch, source->argument, source->count, err));
    if (status == STATUS_OK && batch->options.select.prune)
        status = batch_prune_containers(folder, source, &removed, err);
    if (status == STATUS_OK && removed > 0)
        message_note("batch", folder, "%zu containers have lost their source and are removed", removed);
    return status;
}

static BatchSource source_of(const Batch *batch, char *const *arguments, int count)
{
    return (BatchSource){arguments, count, &batch->options.select, batch->options.shard};
}

static BatchState state_of(const Batch *batch)
{
    const BatchOptions *given = &batch->options;
    return (BatchState){given->select.store == STORE_INDEX ? NULL : given->output, batch->index, batch->request,
                        given->select.redo};
}

/* The options of the chain, and what of it is kept. */
static Status describe_request(Batch *batch, Error *err)
{
    char *chain = NULL;
    Status status = stage_chain_describe(&batch->setup.chain, &chain, err);
    BatchStore store = batch->options.select.store;
    if (status == STATUS_OK && store == STORE_FULL) {
        batch->request = chain;
        return STATUS_OK;
    }
    if (status == STATUS_OK && asprintf(&batch->request, "%s\nstore %s", chain, batch_store_name(store)) < 0) {
        batch->request = NULL;
        status = error_no_memory(err);
    }
    free(chain);
    return status;
}

static void note_passed_over(const Batch *batch)
{
    if (batch->plan.passed_over > 0)
        message_note("batch", NULL, "passed over, as macOS writes them beside other files: \"._NAME\" (%zu)",
                     batch->plan.passed_over);
}

/* What a scheduler leaves to this process, which may be less than the machine has. */
static int usable_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static Status run_workers(Batch *batch, Error *err)
{
    BatchPool *pool;
    int count = batch->options.jobs;
    if (count < 1)
        count = usable_processors();
    if (count > batch->plan.job_count)
        count = batch->plan.job_count;
    batch->setup.forced = batch->options.forced;
    batch->setup.folder = batch->group.folder;
    batch->setup.scratch = batch->group.scratch;
    batch->setup.store = batch->options.select.store;
    batch->setup.job = batch->plan.job;
    Status status = batch_pool_open(&batch->setup, batch->plan.job_count, count, &pool, err);
    if (status != STATUS_OK)
        return status;
    status = run_jobs(batch, pool, err);
    batch_pool_close(pool);
    return status;
}

/* --strict: also clips that an earlier call has made count. */
static Status judge(Batch *batch, Error *err)
{
    long long warned = 0;
    Status status = error_of_file(err, batch->database, index_count_warned(batch->index, &warned, err));
    if (status == STATUS_OK && warned > 0) {
        progress_clear(&batch->progress);
        message_note("batch", batch->database, "--strict: %lld clips have warnings", warned);
        batch->code = exit_code_worse(batch->code, 1);
    }
    return status;
}

static Status run_batch(Batch *batch, char *const *arguments, int argument_count, Error *err)
{
    const BatchOptions *given = &batch->options;
    BatchSource source = source_of(batch, arguments, argument_count);
    Status status = describe_request(batch, err);
    if (status == STATUS_OK)
        status = name_database(batch, err);
    if (status == STATUS_OK)
        status = batch_plan_init(&batch->plan, &source, err);
    note_passed_over(batch);
    if (status == STATUS_OK)
        status = batch_group_open(&batch->group, given->output, given->shard, err);
    if (status == STATUS_OK)
        status = error_of_file(err, batch->database,
                                 restore_open("batch", batch->database, &batch->index, &batch->code, err));
    if (status == STATUS_OK)
        status = tidy(batch, &source, err);
    batch->plan.check_outputs = given->check_outputs;
    BatchState state = state_of(batch);
    if (status == STATUS_OK)
        status = batch_plan_compare(&batch->plan, &state, err);
    if (status == STATUS_OK && !given->forced)
        status = batch_plan_refuse_others(&batch->plan, batch->index, err);
    if (status == STATUS_OK)
        status = batch_group_start(&batch->group, batch->index, &batch->plan, batch->request, err);
    progress_start(&batch->progress, (size_t)batch->plan.job_count);
    if (status == STATUS_OK && batch->plan.job_count)
        status = run_workers(batch, err);
    if (status == STATUS_OK && given->strict)
        status = judge(batch, err);
    return status == STATUS_OK ? error_of_file(err, batch->database, index_finish(batch->index, err)) : status;
}

static Status list_batch(Batch *batch, const BatchCall *call, int first, Error *err)
{
    const BatchOptions *given = &batch->options;
    if (given->shard.count > 1)
        return error_set(err, STATUS_USAGE, "--list makes the shards: leave --shard out");
    BatchSource source = source_of(batch, call->argv + first, call->argc - first);
    Status status = batch_plan_init(&batch->plan, &source, err);
    return status == STATUS_OK ? batch_list_print(&batch->plan, &given->list, call, stdout, err) : status;
}

/* What would be done and why, a line a file; nothing is made, not even the folder. */
static Status dry_run(Batch *batch, char *const *arguments, int argument_count, Error *err)
{
    BatchSource source = source_of(batch, arguments, argument_count);
    Status status = describe_request(batch, err);
    if (status == STATUS_OK)
        status = name_database(batch, err);
    if (status == STATUS_OK)
        status = batch_plan_init(&batch->plan, &source, err);
    note_passed_over(batch);
    if (status == STATUS_OK && index_is_current(batch->database) && index_has_stamps(batch->database))
        status = error_of_file(err, batch->database, index_open(batch->database, &batch->index, err));
    BatchState state = state_of(batch);
    if (status == STATUS_OK)
        status = batch_plan_compare(&batch->plan, &state, err);
    for (int i = 0; i < batch->plan.job_count && status == STATUS_OK; i++)
        printf("%s\t%s\n", index_change_name(batch->plan.reason[i]), batch->plan.job[i].input);
    if (status == STATUS_OK && fflush(stdout))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    if (status == STATUS_OK)
        fprintf(stderr, "kane batch: %d to do, %zu unchanged\n", batch->plan.job_count, batch->plan.unchanged);
    return status;
}

static Status write_summary(Batch *batch, const BatchCall *call, Error *err)
{
    const Progress *p = &batch->progress;
    BatchCounts counts = {p->done - p->failed, batch->plan.unchanged, p->failed, p->frames,
                          progress_clock() - p->start};
    const char *path = batch->options.select.summary;
    if (!path)
        return STATUS_OK;
    OutputCall output;
    Status status = output_call_init(&output, batch->options.forced, call->argc, call->argv, err);
    if (status == STATUS_OK)
        status = batch_summary_write(&batch->summary, &counts, &output, path, err);
    output_call_free(&output);
    return status;
}

static void batch_free(Batch *batch)
{
    index_close(batch->index);
    batch_summary_free(&batch->summary);
    batch_group_close(&batch->group);
    batch_plan_free(&batch->plan);
    free(batch->request);
    free(batch->database);
}

static int run_and_report(Batch *batch, const BatchCall *call, int first)
{
    Error err = {0};
    interrupt_note();
    Status status = run_batch(batch, call->argv + first, call->argc - first, &err);
    if (status == STATUS_OK)
        status = write_summary(batch, call, &err);
    if (status == STATUS_OK)
        progress_finish(&batch->progress, batch->plan.unchanged, &batch->group.remarks);
    else
        progress_clear(&batch->progress);
    if (status != STATUS_OK)
        return message_error("batch", NULL, &err);
    return interrupt_noted() ? SHELL_SIGNAL + interrupt_noted()
                             : exit_code_worse(batch->code, batch->progress.failed > 0);
}

static int list_and_report(Batch *batch, const BatchCall *call, int first)
{
    Error err = {0};
    return list_batch(batch, call, first, &err) == STATUS_OK ? 0 : message_error("batch", NULL, &err);
}

static int dry_run_and_report(Batch *batch, char *const *arguments, int argument_count)
{
    Error err = {0};
    return dry_run(batch, arguments, argument_count, &err) == STATUS_OK ? 0 : message_error("batch", NULL, &err);
}

static int batch_main(const Command *command, int argc, char **argv)
{
    Batch batch = {.options.shard = {1, 1}, .setup.chain = stage_chain_defaults(), .group.lock = -1};
    OptionGroup groups[3 + CHAIN_GROUPS] = {{NULL, command->options, &batch.options},
                                            {NULL, batch_select_options, &batch.options.select},
                                            {NULL, batch_list_options, &batch.options.list}};
    int group_count = 3 + stage_chain_groups(&batch.setup.chain, groups + 3);
    int first = command_line_parse(command, groups, group_count, argc, argv);
    if ((first == argc && !batch.options.select.files_from) || !batch.options.output)
        return message_usage(command->name, "expected %s", command->arguments);
    BatchCall call = {batch.options.output, batch.options.jobs, argc, argv};
    int code = batch.options.list.list        ? list_and_report(&batch, &call, first)
               : batch.options.select.dry_run ? dry_run_and_report(&batch, argv + first, argc - first)
                                              : run_and_report(&batch, &call, first);
    batch_free(&batch);
    return code;
}

static const Command batch_command = {
    .name = "batch",
    .summary = "The same as run for many files, with an index",
    .arguments = "DIR|FILE.bvh... -o OUT",
    .description = "Makes OUT/<relative path>.h5 of every BVH file and OUT/index.db of all. Files whose content and "
                   "options have not changed are left as they are; a batch that was killed goes on where it was; a "
                   "file that fails is recorded in the index with the reason. Where a folder is given, files that have "
                   "gone from it leave the index; their containers stay. Options of the stages as in kane run.",
    .options = options,
};

const Verb verb_batch = {&batch_command, batch_main};
