/* The parts of kane batch: requests of clips, worker processes, plan of the work, final report, groups of finished
 * clip files, removal of clips whose source is gone. */
#ifndef KANE_CLI_BATCH_BATCH_H
#define KANE_CLI_BATCH_BATCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/anatomy/family.h"
#include "analysis/stats/clip_stats.h"
#include "formats/base/table.h"
#include "formats/index/index.h"
#include "pipeline/cli/input.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* The request for each clip of a batch: the pipeline of the command line with changes from the table of clips. */

/* Selection of files and outputs: --include, --exclude, --files-from, --dry-run, --redo, --prune, --store, --no-trace,
 * --summary. */

/* Groups of a clip to store; STORE_INDEX writes no clip file. */
typedef enum BatchStore { STORE_FULL = 0, STORE_DYNAMICS, STORE_INDEX } BatchStore;

typedef struct BatchSelect {
    const char *include, *exclude; /* comma-separated patterns; NULL: everything, nothing */
    const char *files_from;        /* list of files, "-": standard input; NULL: none */
    int dry_run, redo, prune, no_trace;
    BatchStore store;
    const char *clips;             /* table of options and tags; NULL: none */
    const char *summary;           /* file; NULL: none */
} BatchSelect;

extern const Option batch_select_options[];

/* Adds the files of --files-from, one per line. */
Status batch_select_add(const BatchSelect *select, FoundFiles *files, Error *err);

/* Keeps the files selected by --include and --exclude, by relative name; skips and counts "._NAME", which macOS writes
 * beside NAME. */
void batch_select_keep(const BatchSelect *select, FoundFiles *files, size_t *passed_over);

/* Returns a name such as "full"; static. */
const char *batch_store_name(BatchStore store);

/* Returns whether a relative path, or its last part, matches one of the comma-separated patterns. */
int batch_select_is_like(const char *patterns, const char *relative);

/* kane batch --clips TABLE: options and tags per clip.
 *
 * A row applies to clips whose relative path or file name matches its glob. A column named like an option of `kane run`
 * ("body-mass") sets it; "tag:actor" sets a tag in the index. Empty cells are ignored; if several rows match, the last
 * non-empty cell wins. */

/* Meaning of a column. */
typedef struct ClipColumn {
    const Option *option; /* NULL: a tag or the glob */
    const char *tag;      /* its name, owned by the table */
    size_t place;         /* of the option's value: byte offset into a Pipeline */
} ClipColumn;

/* {0}: no table. */
typedef struct BatchClips {
    Table table;
    int glob, has_tags;  /* glob: index of its column */
    ClipColumn *column;  /* [column] owned */
    int *literal;        /* [literal_count] rows whose glob is a name, sorted by it; owned */
    int *pattern;        /* [pattern_count] the others; owned */
    int literal_count, pattern_count;
} BatchClips;

/* STATUS_USAGE for an unknown column, STATUS_BAD_INPUT for an invalid cell, each with its position. base: pipeline of
 * the command line. */
Status batch_clips_read(const char *path, const Pipeline *base, BatchClips *out, Error *err);
void batch_clips_free(BatchClips *clips);

/* Writes the rows that match the clip file "takes/walk.bvh.h5", in table order, to rows[table.row_count]; returns their
 * count. */
int batch_clips_rows(const BatchClips *clips, const char *output, int *rows);

/* Sets the options of these rows. */
Status batch_clips_apply(const BatchClips *clips, const int *rows, int count, Pipeline *chain, Error *err);

/* Writes the tags of these rows to tags[table.column_count]; returns their count. Texts belong to the table. */
int batch_clips_tags(const BatchClips *clips, const int *rows, int count, IndexTag *tags);

typedef struct BatchRequest {
    Pipeline chain; /* of the command line */
    BatchStore store;
    BatchClips clips;
    char *text;       /* of the latest clip; this and the next are owned */
    int *row;         /* [row_count] rows that match it */
    int *other;       /* [clips.table.row_count] scratch, like the next */
    IndexTag *tag;    /* [clips.table.column_count] */
    int row_count;
} BatchRequest;

/* Reads the table of clips, if any. */
Status batch_request_init(BatchRequest *request, const Pipeline *chain, const BatchSelect *select, Error *err);
void batch_request_free(BatchRequest *request);

/* Returns the pipeline of a clip. */
Status batch_request_chain(BatchRequest *request, const char *output, Pipeline *chain, Error *err);

/* Describes every option that affects the bytes of a clip file, and what is stored. Valid until the next call. */
Status batch_request_text(BatchRequest *request, const char *output, const char **text, Error *err);

/* Sets the tags of a clip in the index, if the table has tags. *changed is set to 1 if they differ. */
Status batch_request_tag(BatchRequest *request, Index *index, const char *output, int *changed, Error *err);

/* Counts the rows that match none of these files; *line: the first. */
Status batch_request_unused(BatchRequest *request, const FoundFiles *files, int *unused, int *line, Error *err);

/* The worker processes of kane batch: sends jobs, receives answers and replaces workers that crash. */

/* Worker process of kane batch: receives jobs on a socket, turns each motion file into a clip file under a temporary
 * name and answers with the clip's statistics. */

typedef struct BatchJob {
    const char *input;  /* path of the motion file */
    const char *output; /* relative to the output folder: "takes/walk.bvh.h5" */
    long long need;     /* bytes of memory, estimated (batch_plan_weigh); 0: no limit is set */
    const Family *family; /* settings detected jointly for the files of its skeleton; NULL: detected alone */
    const FamilyMember *member; /* what was detected of its file for the family; NULL: to be detected */
    int is_own;         /* 1: the existing clip file was made from this input */
} BatchJob;

/* Data of all workers, set before they are forked. */
typedef struct BatchSetup {
    const char *folder;  /* of the clip files */
    const char *scratch; /* of temporary files */
    const BatchJob *job; /* [job] */
    BatchRequest *request; /* not owned; a worker has its own copy */
    int forced;          /* clip files of other sources and foreign files are overwritten */
} BatchSetup;

/* The running job of a worker, in memory shared with the parent. */
typedef struct BatchWatch {
    volatile int job;        /* -1: none */
    volatile double started; /* s, batch_clock */
    StageProgress progress;
} BatchWatch;

/* An answer, followed by stats_size bytes of packed ClipStats. */
typedef struct BatchReply {
    int job;
    Status status;
    char stage[16]; /* where it failed */
    int is_foreign; /* 1: a file of another source is in the way */
    Error err;
    int frames;
    double seconds;         /* processor time */
    int64_t size, mtime_ns; /* of the temporary file; size 0: none */
    char source_sha256[65];
    size_t stats_size;
} BatchReply;

/* Returns the temporary path of a job's clip file, "scratch/17". The caller frees it; NULL without memory. */
char *batch_scratch_path(const char *scratch, int job);

/* Processes jobs until the other end of the socket is closed. */
void batch_worker_run(const BatchSetup *setup, BatchWatch *watch, int socket);

/* Read or write all of size bytes; return 0 if the other end is closed. */
int socket_read(int socket, void *bytes, size_t size);
int socket_write(int socket, const void *bytes, size_t size);

typedef struct BatchPool BatchPool;

/* Number of workers and their total memory in bytes (0: no limit). */
typedef struct BatchShare {
    int workers;
    long long memory;
} BatchShare;

/* Forks the workers and sends the first jobs. setup must outlive the pool. workers 0: one per processor; never more
 * than jobs. With a memory limit a job waits until it fits beside the running ones; a job above the limit runs
 * alone. */
Status batch_pool_open(const BatchSetup *setup, int job_count, BatchShare share, BatchPool **out, Error *err);

/* Waits up to timeout_ms for the next answer; reply->job is -1 if there was none. A worker that crashed gives
 * STATUS_INTERNAL for its running job and is replaced. The caller frees *stats. */
Status batch_pool_next(BatchPool *pool, int timeout_ms, BatchReply *reply, unsigned char **stats, Error *err);

/* Returns the number of jobs without an answer. */
int batch_pool_remaining(const BatchPool *pool);

/* Describes the job that has been running longest, if over a second: "walk.bvh: contact 40 %"; otherwise "". */
void batch_pool_describe(const BatchPool *pool, char *text, size_t size);

/* Ends the workers. Accepts NULL. */
void batch_pool_close(BatchPool *pool);

/* The work of a batch: input files, their outputs and which of them are up to date. */

/* kane batch --memory: estimates the memory that a clip requires. */

/* long long: bytes, given as "8G", "500M" or "123456789"; 0 if not given. */
extern const OptionKind option_bytes;

/* Returns an upper estimate in bytes for a worker on a BVH file, from joints and frames in its head or else from its
 * size. 0 for an unreadable file, which requires none. */
long long batch_memory_need(const char *path);

/* Shard number 1 .. count; count 1: all files. */
typedef struct Shard {
    int number, count;
} Shard;

typedef struct BatchPlan {
    FoundFiles files; /* of this shard; relative names end in ".h5" */
    FoundFiles others; /* of other shards; likewise */
    int job_count;
    BatchJob *job;     /* [job]; texts belong to files */
    IndexStamp *stamp; /* [job] input before it was read */
    IndexChange *reason; /* [job] */
    size_t unchanged, passed_over; /* passed_over: files named "._NAME" */
    int check_outputs; /* 1: damaged clip files are recomputed; set before batch_plan_compare */
} BatchPlan;

/* Input files of a batch. */
typedef struct BatchSource {
    char *const *argument; /* [count] folders and files */
    int count;
    const BatchSelect *select;
    Shard shard;
    const SourceDef *limits; /* of the reader, which counts the takes in a file */
} BatchSource;

/* Finds the files. STATUS_USAGE if two would have the same output. */
Status batch_plan_init(BatchPlan *plan, const BatchSource *source, Error *err);

/* Drops jobs that the index has with equal content and request, unless redo is set; without an index all files are
 * new. */
typedef struct BatchState {
    const char *folder; /* of the clip files; NULL: none */
    Index *index;       /* NULL: none */
    BatchRequest *request;
    int redo;
} BatchState;

Status batch_plan_compare(BatchPlan *plan, const BatchState *state, Error *err);

/* STATUS_USAGE if a job's clip file was made from another file that still exists. */
Status batch_plan_refuse_others(const BatchPlan *plan, Index *index, Error *err);

/* Estimates the memory of each job; notes those above the limit. */
void batch_plan_weigh(BatchPlan *plan, long long limit);

void batch_plan_free(BatchPlan *plan);

/* A batch as shell commands, one per chunk, for GNU parallel, a Slurm array or a render farm.
 *
 * Chunks are shards with an index each, so that no two machines write to one file. The last command merges the
 * indexes. */

typedef struct BatchListOptions {
    int list;
    int chunks; /* 0: chunks of half a minute of work per worker */
} BatchListOptions;

extern const OptionKind option_shard; /* a Shard: "3/8" */
extern const Option batch_list_options[]; /* fill a BatchListOptions */

/* The call as typed, with its output and the number of workers per command (0: unknown). */
typedef struct BatchCall {
    const char *output;
    int jobs;
    int argc;
    char *const *argv;
} BatchCall;

/* Prints the commands, without --list and --chunks. STATUS_USAGE for paths with a line break, because each command is
 * one line. */
Status batch_list_print(const BatchPlan *plan, const BatchListOptions *options, const BatchCall *call, FILE *stream,
                        Error *err);

/* Other indexes in the folder of clip files, such as those of shards. */

/* Copies this shard's clips from the other indexes of the folder into an empty index, so that changing the number of
 * shards recomputes nothing. *adopted: count of clips. */
Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err);

/* Final report of a batch: warnings, uncertain detections and failures by kind. */

/* Lines shown per kind. */
enum { REMARKS_SHOWN = 10 };

/* In print order. */
typedef enum RemarkSort { REMARK_WARNING, REMARK_UNSURE, REMARK_FAILURE } RemarkSort;

typedef struct RemarkKind {
    char name[48]; /* kind of warning, detection, or failed stage */
    RemarkSort sort;
    size_t clips, shown, last; /* last: number of the latest clip with it */
    char *line[REMARKS_SHOWN]; /* [shown] owned */
} RemarkKind;

/* Initialise with (BatchRemarks){0}. */
typedef struct BatchRemarks {
    size_t seen, warned, unsure; /* clips; with warnings; with an uncertain detection */
    size_t unsure_of[DECISION_COUNT]; /* clips per detection */
    int count;
    RemarkKind *kind; /* [count] owned */
} BatchRemarks;

/* Adds warnings and uncertain detections of a clip. */
Status batch_remarks_add(BatchRemarks *remarks, const char *source, const ClipStats *stats, Error *err);

/* Adds the failure of a stage, "12:3: message" or a message. */
Status batch_remarks_fail(BatchRemarks *remarks, const char *source, const char *stage, const char *words, Error *err);

/* Prints one line per kind, then its first clips by path. */
void batch_remarks_tell(const BatchRemarks *remarks);

void batch_remarks_free(BatchRemarks *remarks);

/* Progress of a batch: on a terminal a bar with rate and remaining time, otherwise an occasional line. */

typedef struct BatchProgress {
    size_t total, done, failed; /* jobs; failed ones count as done */
    long long frames;
    double start, shown; /* s of a monotonic clock */
    int terminal;        /* 1: standard error is a terminal */
} BatchProgress;

/* Seconds of a monotonic clock. */
double batch_clock(void);

void batch_progress_start(BatchProgress *p, size_t total);

/* Shows the progress if it is due. within: progress of a long clip ("walk.bvh: contact 40 %"), or "". */
void batch_progress_show(BatchProgress *p, const char *within);

/* Clears the bar for a message. */
void batch_progress_clear(BatchProgress *p);

/* Prints the remarks and a summary line. stopped: what ended the batch early ("SIGINT"); NULL: nothing. */
void batch_progress_finish(BatchProgress *p, size_t unchanged, const BatchRemarks *remarks, const char *stopped);

/* Output of a batch: completed clip files under temporary names that are renamed in groups.
 *
 * About once per second a group is synced, renamed and committed to the index. Each row of the index therefore has its
 * file on disk, and a killed batch leaves only its scratch folder, which the next one empties. */

/* Settings detected jointly for the files of each skeleton before the work begins (analysis/anatomy/family.h).
 *
 * For skeletons in the index only the heads of new files are read. For others the first files of the complete list are
 * read, so that shards and number of workers do not affect the result. */

typedef struct BatchFamily {
    char key[FAMILY_KEY_SIZE];
    Family known, decision;                 /* from the index; completed by detection */
    int is_open;                            /* 1: some setting is to be detected */
    int count;
    const FoundFile *member[FAMILY_CLIPS];  /* [count] from which it is detected, by path */
    FamilyMember *detected;                 /* [count] of the members with this decision; NULL: none. Owned */
} BatchFamily;

/* Initialise with {0}. */
typedef struct BatchFamilies {
    size_t count;
    BatchFamily *family; /* [count] owned, by key */
} BatchFamilies;

/* Inputs of the detection: index (stores the settings), requests of the clips, number of reading processes. */
typedef struct BatchFamilyCall {
    Index *index;
    BatchRequest *request;
    int jobs;
} BatchFamilyCall;

/* Sets the family settings of each readable job of the plan, and what was detected of its file for them; they belong to
 * *out. */
Status batch_families_decide(BatchFamilies *out, BatchPlan *plan, const BatchFamilyCall *call, Error *err);

void batch_families_free(BatchFamilies *families);

typedef struct BatchGroup {
    const char *folder;  /* the output folder */
    char *scratch;       /* folder in it for temporary files; owned */
    int lock;            /* descriptor of scratch, locked against a second batch */
    Index *index;
    const BatchPlan *plan;
    BatchRequest *request;
    BatchRemarks remarks; /* of the added clips */
    int waiting_count;
    int *waiting;        /* [waiting_count] jobs whose files are to be renamed; capacity: all jobs */
} BatchGroup;

/* Makes the output and scratch folders and empties the latter. STATUS_IO if another batch is running. */
Status batch_group_open(BatchGroup *group, const char *folder, Shard shard, Error *err);

/* Sets index, plan and requests of the jobs that follow. */
Status batch_group_start(BatchGroup *group, Index *index, const BatchPlan *plan, BatchRequest *request, Error *err);

/* Adds a completed job: its rows to the open transaction, its file to the group. */
Status batch_group_add(BatchGroup *group, const BatchReply *reply, const unsigned char *stats, Error *err);

/* Records a failed job; the clip file of an earlier batch is kept and marked as stale. */
Status batch_group_fail(BatchGroup *group, const BatchReply *reply, Error *err);

/* Syncs, renames and commits the group. */
Status batch_group_commit(BatchGroup *group, Error *err);

/* Saves complete clips after an error such as a full disk, when all workers have ended; deletes unfinished files to
 * free space. */
void batch_group_rescue(BatchGroup *group);

/* Empties and removes the scratch folder. */
void batch_group_close(BatchGroup *group);

/* Clips whose source is gone: removes them from the index and, with `--prune`, their clip files.
 *
 * Only clip files with the size and time that an earlier call recorded are removed; files from elsewhere are kept. */

/* Adds clips of other shards to the index at path `database` and drops those whose file has left the source's
 * folders; a folder argument covers all files below. Prints the counts; *lost: dropped clips and failures. err names
 * the path. */
Status batch_tidy(Index *index, const char *database, const BatchPlan *plan, const BatchSource *source, size_t *lost,
                  Error *err);

/* STATUS_USAGE if no argument is a folder, without which no file can be missing. */
Status batch_prune_check(const BatchSource *source, Error *err);

/* Removes the clip files below the folder, *count of them; prints the count and which files without source are kept. */
Status batch_prune_containers(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err);

/* Prints one line per clip file that would be removed. index NULL: none. */
Status batch_prune_list(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err);

#endif
