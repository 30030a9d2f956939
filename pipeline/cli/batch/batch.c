/* kane batch: runs the pipeline on many files in worker processes, into a folder of clip files with an index. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "pipeline/cli/batch/batch_family.h"
#include "pipeline/cli/batch/batch_group.h"
#include "pipeline/cli/batch/batch_list.h"
#include "pipeline/cli/batch/batch_pool.h"
#include "pipeline/cli/batch/batch_progress.h"
#include "pipeline/cli/batch/batch_prune.h"
#include "pipeline/cli/batch/batch_summary.h"
#include "pipeline/cli/index_upgrade.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/clip_memory.h"

typedef struct BatchOptions {
    const char *output;
    int jobs;
    OutputManner manner;
    int strict, check_outputs;
    long long memory; /* bytes for all workers; 0: no limit */
    Shard shard;
    BatchListOptions list;
    BatchSelect select;
} BatchOptions;

/* State of a call. */
typedef struct Batch {
    BatchOptions options;
    BatchSetup setup;
    BatchTargets targets;
    BatchRequest request;
    Pipeline pipeline;
    char *database; /* path of the index, owned */
    BatchPlan plan;
    BatchFamilies families;
    BatchGroup group;
    Index *index;
    BatchProgress progress;
    BatchSummary summary;
    int code; /* of the updated index */
    int is_working; /* 1: the plan is complete, so there is something to report */
    int summary_pipe;      /* of --summary; -1: none */
    char summary_path[32]; /* its name as a descriptor */
} Batch;

static const double commit_interval = 1;     /* s */
static const int poll_interval = 100;        /* ms */

#define FIELD(member) offsetof(BatchOptions, member)
static const Option options[] = {
    {.name = "output", .key = 'o', .argument = "DIR",
     .help = "Output directory for clip files and index.db",
     .kind = &option_text, .offset = FIELD(output)},
    {.name = "jobs", .key = 'j', .argument = "N",
     .help = "Number of worker processes (default: number of processors)",
     .kind = &option_count, .offset = FIELD(jobs)},
    {.name = "shard", .argument = "K/N",
     .help = "Process part K of N of the files, with index.K-of-N.db; see kane merge",
     .kind = &option_shard, .offset = FIELD(shard)},
    {.name = "memory", .argument = "BYTES",
     .help = "Memory limit of all workers, for example 8G; long clips wait",
     .kind = &option_bytes, .offset = FIELD(memory)},
    {.name = "strict",
     .help = "Exit code 1 if any clip of the index has a warning or an uncertain detection (kane query DB @warnings)",
     .kind = &option_flag, .offset = FIELD(strict)},
    {.name = "check-outputs",
     .help = "Verify existing clip files and recompute damaged ones",
     .kind = &option_flag, .offset = FIELD(check_outputs)},
    OUTPUT_MANNER(BatchOptions, manner),
    {0},
};

static Status name_database(Batch *batch, Error *err)
{
    const BatchOptions *given = &batch->options;
    size_t length = strlen(given->output);
    const char *slash = length && given->output[length - 1] == '/' ? "" : "/";
    int written = given->shard.count > 1 ? asprintf(&batch->database, "%s%sindex.%d-of-%d.db", given->output, slash,
                                                    given->shard.number, given->shard.count)
                                         : asprintf(&batch->database, "%s%sindex.db", given->output, slash);
    if (written < 0) {
        batch->database = NULL;
        return error_no_memory(err);
    }
    return STATUS_OK;
}

/* Records an answer of a worker. Returns an error only if it concerns the whole output, such as a full disk. */
static Status accept_reply(Batch *batch, const BatchReply *reply, const unsigned char *stats, Error *err)
{
    if (!reply->status) {
        batch_summary_add(&batch->summary, &batch->plan.job[reply->job], reply);
        return batch_group_add(&batch->group, reply, stats, err);
    }
    batch_summary_fail(&batch->summary, &batch->plan.job[reply->job], reply->stage, &reply->err);
    Status status = batch_group_fail(&batch->group, reply, err);
    if (!strcmp(reply->stage, "store") && reply->status == STATUS_IO)
        return error_set(err, STATUS_IO, "%s: %.400s", batch->options.output, reply->err.text);
    return status;
}

/* Records the answers whose turn it is, at the end all that are held. */
static Status accept_in_order(Batch *batch, int to_end, Error *err)
{
    Status status = STATUS_OK;
    BatchAnswer *answer;
    while (!status && (answer = batch_order_take(&batch->group.order, to_end))) {
        status = accept_reply(batch, &answer->reply, answer->stats, err);
        batch_answer_free(answer);
    }
    return status;
}

/* Waits for an answer and holds it. */
static Status receive(Batch *batch, BatchPool *pool, Error *err)
{
    BatchReply reply;
    unsigned char *stats;
    Status status = batch_pool_next(pool, poll_interval, &reply, &stats, err);
    if (status || reply.job < 0) {
        free(stats);
        return status;
    }
    batch->progress.done++;
    batch->progress.frames += reply.frames;
    batch->progress.failed += reply.status ? 1 : 0;
    return batch_order_hold(&batch->group.order, &reply, stats, err);
}

/* After an error: answers that are still held are not recorded, and do not count. */
static void forget_held(Batch *batch)
{
    for (BatchAnswer *answer; (answer = batch_order_take(&batch->group.order, 1)); batch_answer_free(answer)) {
        batch->progress.done--;
        batch->progress.frames -= answer->reply.frames;
        batch->progress.failed -= answer->reply.status ? 1 : 0;
    }
}

static Status run_jobs(Batch *batch, BatchPool *pool, Error *err)
{
    Status status = STATUS_OK;
    double committed = batch_clock();
    while (batch_pool_remaining(pool) && !status && !interrupt_noted()) {
        status = receive(batch, pool, err);
        if (!status)
            status = accept_in_order(batch, 0, err);
        char within[128];
        batch_pool_describe(pool, within, sizeof within);
        batch_progress_show(&batch->progress, within);
        if (!status && batch_clock() - committed > commit_interval) {
            status = batch_group_commit(&batch->group, err);
            committed = batch_clock();
        }
    }
    if (!status)
        status = accept_in_order(batch, 1, err);
    return status ? status : batch_group_commit(&batch->group, err);
}

static BatchSource batch_source(const Batch *batch, char *const *arguments, int count)
{
    return (BatchSource){arguments, count, &batch->options.select, batch->options.shard, &batch->targets,
                         &batch->pipeline.import.limits};
}

static BatchState batch_state(Batch *batch)
{
    const BatchOptions *given = &batch->options;
    return (BatchState){given->select.store == STORE_INDEX ? NULL : given->output, batch->index, &batch->request,
                        given->select.redo};
}

static void note_passed_over(const Batch *batch)
{
    if (batch->plan.passed_over > 0)
        message_note("batch", NULL, "skipped AppleDouble files of macOS, \"._NAME\" (%zu)",
                     batch->plan.passed_over);
    found_files_note(&batch->plan.files, "batch");
}

static Status run_workers(Batch *batch, Error *err)
{
    BatchPool *pool;
    batch->setup.memory = batch->options.memory;
    batch->setup.forced = batch->options.manner.forced;
    batch->setup.folder = batch->group.folder;
    batch->setup.scratch = batch->group.scratch;
    batch->setup.request = &batch->request;
    batch->setup.job = batch->plan.job;
    BatchShare share = {batch->options.jobs, batch->options.memory};
    Status status = batch_pool_open(&batch->setup, batch->plan.job_count, share, &pool, err);
    if (status)
        return status;
    status = run_jobs(batch, pool, err);
    batch_pool_close(pool);
    if (status) {
        forget_held(batch);
        batch_group_rescue(&batch->group);
    }
    return status;
}

/* --strict: also counts clips of earlier calls. */
static Status judge(Batch *batch, Error *err)
{
    long long warned = 0;
    Status status = error_of_file(err, batch->database, index_count_warned(batch->index, &warned, err));
    if (!status && warned > 0) {
        batch_progress_clear(&batch->progress);
        message_note("batch", batch->database, "--strict: %lld clip%s warnings or uncertain detections", warned,
                     warned == 1 ? " has" : "s have");
        batch->code = exit_code_worse(batch->code, 1);
    }
    return status;
}

/* Warns of clips of earlier calls with other settings, unless a table sets them per clip. */
static Status note_mixed(Batch *batch, Error *err)
{
    if (batch->options.select.clips)
        return STATUS_OK;
    int mixed = 0;
    batch_progress_clear(&batch->progress);
    Status status = error_of_file(err, batch->database, index_note_mixed(batch->index, "batch", &mixed, err));
    if (mixed && batch->options.strict)
        batch->code = exit_code_worse(batch->code, 1);
    return status;
}

/* Notes rows that match no file, which are mostly typos. Skipped for a shard, which does not see the others' files. */
static Status note_unused(Batch *batch, Error *err)
{
    int unused, line;
    if (batch->options.shard.count > 1)
        return STATUS_OK;
    Status status = batch_request_unused(&batch->request, &batch->plan.files, &unused, &line, err);
    if (!status && unused > 0)
        message_note("batch", batch->options.select.clips, "warning: %d rows match no input file, the first is line %d",
                     unused, line);
    return status;
}

/* Updates the tags of all clips, also of those that are not recomputed. */
static Status tag_clips(Batch *batch, Error *err)
{
    Status status = STATUS_OK;
    size_t news = 0;
    for (size_t i = 0; i < batch->plan.files.count && !status; i++) {
        int changed = 0;
        status = batch_request_tag(&batch->request, batch->index, batch->plan.files.file[i].relative, &changed, err);
        news += (size_t)changed;
    }
    if (!status && news > 0)
        message_note("batch", batch->database, "updated the tags of %zu clip%s", news, news == 1 ? "" : "s");
    return status;
}

/* Detects the settings of each family of clips; with a memory limit in one process. */
static Status decide_families(Batch *batch, Error *err)
{
    BatchFamilyCall call = {batch->index, &batch->request, batch->options.memory > 0 ? 1 : batch->options.jobs};
    return error_of_file(err, batch->database, batch_families_decide(&batch->families, &batch->plan, &call, err));
}

/* Also called after an error, whose message is kept. */
static Status finish_index(Batch *batch, Status status, Error *err)
{
    index_count_stale(batch->index, &batch->summary.stale, NULL);
    Status finished = index_finish(batch->index, status ? NULL : err);
    return status ? status : error_of_file(err, batch->database, finished);
}

/* The request, the index's name and the plan of what the arguments name. */
static Status plan_clips(Batch *batch, const BatchSource *source, Error *err)
{
    Status status = batch->options.select.prune ? batch_prune_check(source, err) : STATUS_OK;
    if (!status)
        status = batch_targets_init(&batch->targets, &batch->pipeline, err);
    if (!status)
        status = batch_request_init(&batch->request, &batch->pipeline, &batch->options.select, &batch->targets, err);
    if (!status)
        status = name_database(batch, err);
    if (!status)
        status = batch_plan_init(&batch->plan, source, err);
    note_passed_over(batch);
    return status;
}

static Status run_batch(Batch *batch, char *const *arguments, int argument_count, Error *err)
{
    const BatchOptions *given = &batch->options;
    BatchSource source = batch_source(batch, arguments, argument_count);
    IndexUpgrade restore = {.command = "batch", .jobs = given->jobs};
    Status status = plan_clips(batch, &source, err);
    if (!status)
        status = note_unused(batch, err);
    if (!status)
        status = batch_group_open(&batch->group, given->output, given->shard, err);
    if (!status)
        status = error_of_file(err, batch->database,
                                 index_upgrade_open(&restore, batch->database, &batch->index, err));
    batch->code = restore.code;
    if (!status && given->select.no_trace)
        status = error_of_file(err, batch->database, index_leave_out_traces(batch->index, err));
    if (!status)
        status = batch_tidy(batch->index, batch->database, &batch->plan, &source, &batch->summary.lost, err);
    batch->plan.check_outputs = given->check_outputs;
    BatchState state = batch_state(batch);
    if (!status)
        status = batch_plan_compare(&batch->plan, &state, err);
    if (!status && !given->manner.forced)
        status = batch_plan_refuse_others(&batch->plan, batch->index, err);
    if (!status && given->select.prune) /* after all checks that may fail */
        status = batch_prune_containers(batch->index, given->output, &source, &batch->summary.pruned, err);
    if (!status && batch->plan.job_count > 0)
        status = decide_families(batch, err);
    if (!status && batch->request.clips.has_tags)
        status = error_of_file(err, batch->database, tag_clips(batch, err));
    if (!status)
        status = batch_group_start(&batch->group, batch->index, &batch->plan, &batch->request, err);
    batch_progress_start(&batch->progress, (size_t)batch->plan.job_count);
    if (given->memory > 0)
        batch_plan_weigh(&batch->plan, given->memory);
    batch->is_working = !status;
    if (!status && batch->plan.job_count)
        status = run_workers(batch, err);
    if (!status && given->strict)
        status = judge(batch, err);
    if (!status)
        status = note_mixed(batch, err);
    return batch->is_working ? finish_index(batch, status, err) : status;
}

static Status list_batch(Batch *batch, const BatchCall *call, int first, Error *err)
{
    const BatchOptions *given = &batch->options;
    if (given->shard.count > 1)
        return error_set(err, STATUS_USAGE, "--list creates the shards; omit --shard");
    BatchSource source = batch_source(batch, call->argv + first, call->argc - first);
    Status status = batch_targets_init(&batch->targets, &batch->pipeline, err);
    if (!status)
        status = batch_plan_init(&batch->plan, &source, err);
    return status ? status : batch_list_print(&batch->plan, &given->list, call, stdout, err);
}

/* Prints per file what would be done and why; creates nothing, not even the folder. */
static Status dry_run(Batch *batch, char *const *arguments, int argument_count, Error *err)
{
    BatchSource source = batch_source(batch, arguments, argument_count);
    int prunes = batch->options.select.prune;
    size_t to_remove = 0;
    Status status = plan_clips(batch, &source, err);
    if (!status && index_is_current(batch->database) && index_has_stamps(batch->database))
        status = error_of_file(err, batch->database, index_open(batch->database, &batch->index, err));
    BatchState state = batch_state(batch);
    if (!status)
        status = batch_plan_compare(&batch->plan, &state, err);
    for (int i = 0; i < batch->plan.job_count && !status; i++)
        printf("%s\t%s\n", index_change_name(batch->plan.reason[i]), batch->plan.job[i].name);
    if (!status && prunes)
        status = batch_prune_list(batch->index, batch->options.output, &source, &to_remove, err);
    if (!status && fflush(stdout))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    if (!status)
        fprintf(stderr, "kane batch: %d to do, %zu unchanged", batch->plan.job_count, batch->plan.unchanged);
    if (!status && prunes)
        fprintf(stderr, ", %zu to remove", to_remove);
    if (!status)
        fputc('\n', stderr);
    return status;
}

static Status write_summary(Batch *batch, const BatchCall *call, Error *err)
{
    const BatchProgress *p = &batch->progress;
    BatchCounts counts = {.done = p->done - p->failed, .unchanged = batch->plan.unchanged, .failed = p->failed,
                          .frames = p->frames, .seconds = batch_clock() - p->start, .index = -1, .free = -1,
                          .remarks = &batch->group.remarks};
    const char *path = batch->options.select.summary;
    struct stat info;
    struct statvfs disk;
    if (!path)
        return STATUS_OK;
    if (stat(batch->database, &info) == 0)
        counts.index = info.st_size;
    if (statvfs(batch->options.output, &disk) == 0)
        counts.free = (long long)disk.f_bavail * (long long)disk.f_frsize;
    OutputCall output;
    Status status = output_call_init(&output, batch->options.manner, call->argc, call->argv, err);
    if (!status)
        status = batch_summary_write(&batch->summary, &counts, &output, path, err);
    output_call_free(&output);
    return status;
}

/* Opens a named pipe for the summary before the work: one without a reader would block at its end. A reader that is
 * starting has a second. */
static Status open_summary_pipe(Batch *batch, Error *err)
{
    BatchSelect *select = &batch->options.select;
    struct stat there;
    if (new_file_descriptor(select->summary) >= 0 || stat(select->summary, &there) || !S_ISFIFO(there.st_mode))
        return STATUS_OK;
    for (int i = 0; i < 20 && batch->summary_pipe < 0; i++) {
        if (i > 0)
            usleep(50000);
        batch->summary_pipe = open(select->summary, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    if (batch->summary_pipe < 0)
        return error_set(err, STATUS_IO, "%s: cannot write: %s", select->summary,
                         errno == ENXIO ? "the pipe has no reader" : strerror(errno));
    fcntl(batch->summary_pipe, F_SETFL, O_WRONLY);
    snprintf(batch->summary_path, sizeof batch->summary_path, "/dev/fd/%d", batch->summary_pipe);
    select->summary = batch->summary_path;
    return STATUS_OK;
}

static Status check_summary(Batch *batch, const BatchCall *call, Error *err)
{
    OutputCall output;
    if (!batch->options.select.summary)
        return STATUS_OK;
    if (open_summary_pipe(batch, err))
        return STATUS_IO;
    Status status = output_call_init(&output, batch->options.manner, call->argc, call->argv, err);
    if (!status)
        status = batch_summary_check(&output, batch->options.select.summary, err);
    output_call_free(&output);
    return status;
}

static void batch_free(Batch *batch)
{
    index_close(batch->index);
    batch_summary_free(&batch->summary);
    batch_group_close(&batch->group);
    batch_plan_free(&batch->plan);
    batch_families_free(&batch->families);
    batch_request_free(&batch->request);
    batch_targets_free(&batch->targets);
    free(batch->database);
    if (batch->summary_pipe >= 0)
        close(batch->summary_pipe);
}

/* Reports what was done and what was not, also after an error or signal. */
static Status report(Batch *batch, Status status, const BatchCall *call, Error *err)
{
    const char *stopped = interrupt_noted() ? interrupt_name(interrupt_noted()) : status ? "an error" : NULL;
    batch_progress_clear(&batch->progress);
    Status written = write_summary(batch, call, status ? NULL : err);
    batch_progress_finish(&batch->progress, batch->plan.unchanged, &batch->group.remarks, stopped);
    return status ? status : written;
}

static int run_and_report(Batch *batch, const BatchCall *call, int first)
{
    Error err = {0};
    Status status = check_summary(batch, call, &err);
    interrupt_note();
    if (!status)
        status = run_batch(batch, call->argv + first, call->argc - first, &err);
    if (batch->is_working)
        status = report(batch, status, call, &err);
    else
        batch_progress_clear(&batch->progress);
    int code = exit_code_worse(batch->code, batch->progress.failed > 0);
    if (status)
        code = message_error("batch", NULL, &err);
    return interrupt_exit_code(code);
}

static int list_and_report(Batch *batch, const BatchCall *call, int first)
{
    Error err = {0};
    return !list_batch(batch, call, first, &err) ? 0 : message_error("batch", NULL, &err);
}

static int dry_run_and_report(Batch *batch, char *const *arguments, int argument_count)
{
    Error err = {0};
    return !dry_run(batch, arguments, argument_count, &err) ? 0 : message_error("batch", NULL, &err);
}

static int batch_main(const Command *command, int argc, char **argv)
{
    Batch batch = {.options.shard = {1, 1}, .pipeline = pipeline_defaults(), .group.lock = -1,
                   .summary_pipe = -1};
    OptionGroup groups[3 + PIPELINE_GROUPS] = {{NULL, command->options, &batch.options},
                                            {NULL, batch_select_options, &batch.options.select},
                                            {NULL, batch_list_options, &batch.options.list}};
    int group_count = 3 + pipeline_groups(&batch.pipeline, groups + 3);
    int first = command_line_parse(command, groups, group_count, argc, argv);
    if ((first == argc && !batch.options.select.files_from) || !batch.options.output)
        return message_missing(command->name, command->arguments);
    BatchCall call = {batch.options.output, batch.options.jobs, argc, argv};
    int code = batch.options.list.list        ? list_and_report(&batch, &call, first)
               : batch.options.select.dry_run ? dry_run_and_report(&batch, argv + first, argc - first)
                                              : run_and_report(&batch, &call, first);
    batch_free(&batch);
    return code;
}

static const Command batch_command = {
    .name = "batch",
    .group = COMMANDS_PIPELINE,
    .summary = "Process many files in parallel and index them",
    .arguments = "DIR|{motion-files}... -o OUT",
    .description = "Writes OUT/<relative path>.h5 for each motion file, and OUT/index.db. Files whose content and "
                   "options are unchanged are skipped, and an interrupted batch resumes. A file that fails is "
                   "recorded in the index with its error. Files that have disappeared from an input directory are "
                   "removed from the index; their clip files stay (see --prune). --retarget-to A.bvh,B.bvh,DIR/ "
                   "retargets each file to several targets, into OUT/<target>/<relative path>.h5. Options of the "
                   "stages have the same names as in kane run.",
    .example = "kane batch mocap/ -o library/",
    .options = options,
};

const CliCommand cli_batch = {&batch_command, batch_main};
