/* Outputs of commands (output.h): clip files, then pictures by gnuplot. */
#include "pipeline/cli/output.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "pipeline/cli/message.h"

/* Creation of output files by commands. */

const OutputEnding container_endings[] = {
    {"h5", 0, FILE_CONTAINER}, {"hdf5", 0, FILE_CONTAINER}, {"nc", 0, FILE_CONTAINER}, {NULL, 0, FILE_CONTAINER},
};

Status output_call_init(OutputCall *call, OutputManner manner, int argc, char *const *argv, Error *err)
{
    *call = (OutputCall){.verb = argv[0], .manner = manner, .word = array_new((size_t)argc, 1, sizeof *call->word)};
    if (!call->word)
        return error_no_memory(err);
    for (int i = 1; i < argc; i++) {
        const char *value = strncmp(argv[i], "--", 2) == 0 ? strchr(argv[i], '=') : NULL;
        call->word[call->word_count++] = value ? value + 1 : argv[i];
    }
    interrupt_watch(argv[0]);
    return STATUS_OK;
}

void output_call_free(OutputCall *call)
{
    free(call->word);
    *call = (OutputCall){0};
}

/* Returns 1 if the path is a file; devices and pipes may have any name. */
static int is_plain(const char *path)
{
    struct stat there;
    return strcmp(path, "-") != 0 && new_file_descriptor(path) < 0 &&
           (stat(path, &there) != 0 || S_ISREG(there.st_mode));
}

static Status refuse_ending(const char *path, const char *dot, const OutputEnding *endings, Error *err)
{
    char known[256] = "";
    for (size_t used = 0; endings->ending && used < sizeof known; endings++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s.%s", used ? ", " : "", endings->ending);
    return error_set(err, STATUS_USAGE, "%.300s: unsupported output format \"%.40s\"; supported: %s", path, dot, known);
}

Status output_ending(const char *path, const OutputEnding *endings, const OutputEnding **found, Error *err)
{
    const char *name = base_name(path);
    const char *dot = is_plain(path) ? strrchr(name, '.') : NULL;
    *found = endings;
    if (dot == name) /* the dot of a hidden file begins no extension */
        dot = NULL;
    while ((*found)->ending && !(dot && strcasecmp(dot + 1, (*found)->ending) == 0))
        ++*found;
    return dot && !(*found)->ending ? refuse_ending(path, dot, endings, err) : STATUS_OK;
}

/* Checks an output against the other words of the command line. */
static Status check(const OutputCall *call, const char *path, const OutputClaim *claim, Error *err)
{
    Error cause = {0};
    OutputClaim full = *claim;
    const char **input = array_new((size_t)call->word_count, 1, sizeof *input);
    if (!input)
        return error_no_memory(err);
    for (int i = 0; i < call->word_count; i++)
        if (call->word[i] != path)
            input[full.input_count++] = call->word[i];
    full.input = input;
    full.forced = call->manner.forced;
    Status status = new_file_descriptor(path) >= 0 ? STATUS_OK : output_allowed(path, &full, &cause);
    if (status) {
        full.forced = 1;
        int may_be_forced = !output_allowed(path, &full, NULL);
        error_set(err, status, "%.300s: %.150s%s", path, cause.text,
                  may_be_forced ? "; choose another output or use --force" : "");
    }
    free(input);
    return status;
}

Status output_file_check(const OutputCall *call, const char *path, FileKind kind, Error *err)
{
    return strcmp(path, "-") ? check(call, path, &(OutputClaim){.kind = kind}, err) : STATUS_OK;
}

/* Returns 1 if a word is the file of a source: "walk.x", or "walk.x#2" for a take. */
static int is_source(const char *word, const char *source)
{
    const char *name = base_name(word), *rest = source + strlen(name);
    if (strncmp(source, name, strlen(name)) != 0)
        return 0;
    return !*rest || (*rest == '#' && rest[1 + strspn(rest + 1, "0123456789")] == 0);
}

/* Finds the path of a clip's source: a word of the command line with its name, or the path stored in an input clip
 * file. "" if there is none, or more than one. */
static void find_path_hash(const OutputCall *call, const char *path, const Provenance *origin,
                           char hash[PATH_HASH_SIZE])
{
    *hash = 0;
    for (int i = 0; origin && origin->source && i < call->word_count; i++) {
        char found[PATH_HASH_SIZE] = "", text[SOURCE_PATH_SIZE];
        if (call->word[i] == path)
            continue;
        if (is_source(call->word[i], origin->source))
            path_hash_of(source_file(call->word[i], text), found);
        else
            path_hash_get(call->word[i], found);
        if (*found && *hash && strcmp(found, hash) != 0) {
            *hash = 0;
            return;
        }
        if (*found)
            strcpy(hash, found);
    }
}

Status output_file_open(const OutputCall *call, const char *path, FileKind kind, const Provenance *origin,
                        OutputFile *out, Error *err)
{
    OutputFile made = {.call = call, .kind = kind, .origin = origin, .path = path, .file = {.descriptor = -1}};
    *out = OUTPUT_FILE_NONE;
    find_path_hash(call, path, origin, made.path_hash);
    Status status = check(call, path, &(OutputClaim){.kind = kind, .origin = origin, .path_hash = made.path_hash}, err);
    if (status)
        return status;
    *out = made;
    int waits = new_file_is_special(path); /* opening a pipe blocks until it has a reader, and a signal may end that */
    if (!waits)
        interrupt_hold();
    status = error_of_file(err, path, new_file_open(path, &out->file, err));
    if (waits)
        interrupt_hold();
    if (!status)
        interrupt_pending(out->file.temporary, path);
    interrupt_release();
    if (status)
        output_file_discard(out);
    return status;
}

/* Returns 1 for a regular file that needs a mark as an attribute; clip files have it inside. */
static int has_mark(const OutputFile *out)
{
    return out->file.temporary && out->kind != FILE_CONTAINER;
}

Status output_file_verify(const OutputFile *out, Error *err)
{
    OutputClaim claim = {
        .kind = out->kind, .origin = out->origin, .path_hash = out->path_hash, .made = out->file.temporary};
    return has_mark(out) ? check(out->call, out->path, &claim, err) : STATUS_OK;
}

static void print_written(const OutputFile *out)
{
    if (!out->call->manner.quiet)
        message_note(out->call->verb, NULL, "wrote %s%s%s", out->path, *out->summary ? ": " : "", out->summary);
}

Status output_file_commit(OutputFile *out, Error *err)
{
    int is_file = out->file.temporary != NULL;
    Status status = output_file_verify(out, err);
    if (!status && has_mark(out) && (out->kind != FILE_BVH || out->origin))
        origin_mark_put(out->file.temporary, out->origin);
    if (out->file.temporary)
        path_hash_put(out->file.descriptor, out->path_hash);
    interrupt_hold();
    if (!status)
        status = error_of_file(err, out->path, new_file_commit(&out->file, err));
    if (!status)
        interrupt_written(out->path);
    interrupt_release();
    if (!status && is_file)
        print_written(out);
    output_file_discard(out);
    return status;
}

void output_file_discard(OutputFile *out)
{
    int was_open = out->file.temporary != NULL;
    interrupt_hold();
    new_file_discard(&out->file);
    if (was_open)
        interrupt_pending(NULL, NULL);
    interrupt_release();
    *out = OUTPUT_FILE_NONE;
}

const Option output_options[] = {
    {.name = "output", .key = 'o', .argument = "FILE|DIR/|-",
     .help = "Output file; a directory DIR/ gets one file per clip; - is standard output",
     .kind = &option_text, .offset = offsetof(OutputOptions, target), .unrecorded = 1},
    OUTPUT_MANNER(OutputOptions, manner),
    {0},
};

/* Checks the target: a folder, which is created, or a file with an extension of clip files. */
static Status check_target(Output *out, Error *err)
{
    struct stat info;
    const OutputEnding *ending;
    size_t length = strlen(out->target);
    out->is_folder = out->target[length - 1] == '/' || (stat(out->target, &info) == 0 && S_ISDIR(info.st_mode));
    if (out->is_folder && mkdir(out->target, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: cannot create: %s", out->target, strerror(errno));
    if (out->is_folder)
        return STATUS_OK;
    Status status = output_ending(out->target, container_endings, &ending, err);
    return status ? status : output_file_check(&out->call, out->target, FILE_CONTAINER, err);
}

Status output_open(const OutputOptions *given, int argc, char *const *argv, Output *out, Error *err)
{
    *out = (Output){.target = given->target, .pending = OUTPUT_FILE_NONE};
    if (!strcmp(out->target, "-"))
        return isatty(STDOUT_FILENO)
                   ? error_set(err, STATUS_USAGE, "a clip file cannot be written to a terminal: give -o FILE or a pipe")
                   : STATUS_OK;
    Status status = output_call_init(&out->call, given->manner, argc, argv, err);
    if (!status)
        status = check_target(out, err);
    if (status)
        output_call_free(&out->call);
    return status;
}

/* Builds the path of a clip in the folder. Titles are untrusted and must not lead out of it. */
static Status file_name(const Output *out, const char *title, char **path, Error *err)
{
    size_t length = strlen(out->target);
    if (!title || !*title || strchr(title, '/') || title[0] == '.') {
        error_set(err, STATUS_BAD_INPUT, "the title \"%s\" is not a file name; give -o FILE", title ? title : "");
        return STATUS_BAD_INPUT;
    }
    if (asprintf(path, "%s%s%s.h5", out->target, out->target[length - 1] == '/' ? "" : "/", title) < 0)
        return error_no_memory(err);
    return STATUS_OK;
}

/* Records the name of a file in the folder, which must be new; takes ownership of path. */
static Status note_name(Output *out, char *path, Error *err)
{
    char **written = realloc(out->written, (size_t)(out->clip_count + 1) * sizeof *written);
    if (!written) {
        free(path);
        return error_no_memory(err);
    }
    out->written = written;
    for (int i = 0; i < out->clip_count; i++)
        if (!strcmp(path, written[i])) {
            error_set(err, STATUS_USAGE, "%s: two clips have the same title; write them one by one with -o FILE", path);
            free(path);
            return STATUS_USAGE;
        }
    written[out->clip_count++] = path;
    return STATUS_OK;
}

/* Prints "181 frames, 96.7 % trusted, residual 0.11 BW", as far as known. */
static void summarize(const Clip *clip, char *text, size_t size)
{
    int frames = clip->motion.frame_count, used = snprintf(text, size, "%d frame%s", frames, frames == 1 ? "" : "s");
    if (!clip->has_trust)
        return;
    double residual = clip_residual_force_rms(clip, FRAMES_TRUSTED);
    used += snprintf(text + used, size - (size_t)used, ", %.1f %% trusted", 100 * trust_fraction(&clip->trust));
    if (!isnan(residual))
        snprintf(text + used, size - (size_t)used, ", residual %.2g BW", residual);
}

static Status store(Output *out, const char *path, const Clip *clip, const ContainerDef *def, OutputFile *file,
                    Error *err)
{
    Status status = output_file_open(&out->call, path, FILE_CONTAINER, &clip->provenance, file, err);
    if (!status)
        status = error_of_file(err, path, container_write(clip, def, file->file.descriptor, err));
    file->origin = NULL; /* the clip may be freed before the commit */
    summarize(clip, file->summary, sizeof file->summary);
    if (status)
        output_file_discard(file);
    return status;
}

static Status put_folder(Output *out, const Clip *clip, const ContainerDef *def, Error *err)
{
    char *path = NULL;
    OutputFile file = OUTPUT_FILE_NONE;
    Status status = file_name(out, clip->provenance.title, &path, err);
    if (!status)
        status = note_name(out, path, err);
    if (!status)
        status = store(out, path, clip, def, &file, err);
    return status ? status : output_file_commit(&file, err);
}

static Status put_file(Output *out, const Clip *clip, const ContainerDef *def, Error *err)
{
    if (out->clip_count++)
        return error_set(err, STATUS_USAGE, "several clips cannot be written to %s; give -o DIR/", out->target);
    return store(out, out->target, clip, def, &out->pending, err);
}

Status output_put(Output *out, const Clip *clip, const ContainerDef *def, Error *err)
{
    if (out->is_folder)
        return put_folder(out, clip, def, err);
    if (strcmp(out->target, "-"))
        return put_file(out, clip, def, err);
    return error_of_file(err, "standard output", container_write(clip, def, STDOUT_FILENO, err));
}

int output_close(Output *out, const char *verb, int code)
{
    Error err = {0};
    if (out->pending.file.descriptor >= 0 && code < status_exit_code(STATUS_USAGE) &&
        output_file_commit(&out->pending, &err))
        code = exit_code_worse(code, message_error(verb, NULL, &err));
    output_file_discard(&out->pending);
    output_call_free(&out->call);
    for (int i = 0; out->written && i < out->clip_count; i++)
        free(out->written[i]);
    free(out->written);
    *out = (Output){.pending = OUTPUT_FILE_NONE};
    return code;
}

const OutputEnding plot_endings[] = {
    {"svg", RESULT_SVG, FILE_SVG},         {"png", RESULT_PNG, FILE_PNG}, {"gp", RESULT_GNUPLOT, FILE_GNUPLOT},
    {"gnuplot", RESULT_GNUPLOT, FILE_GNUPLOT}, {NULL, RESULT_SVG, FILE_SVG},
};

static Status copy_stream(FILE *from, FILE *to, Error *err)
{
    char bytes[65536];
    size_t got;
    rewind(from);
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, got, to) != got)
            break;
    if (ferror(from) || ferror(to) || fflush(to))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* Copies the complete result to standard output or to its file. */
static Status deliver(const PlotOutput *out, FILE *result, Error *err)
{
    OutputFile file;
    FILE *stream = NULL;
    const char *path = out->path;
    if (!strcmp(path, "-"))
        return copy_stream(result, stdout, err);
    Status status = output_file_open(out->call, path, out->kind, NULL, &file, err);
    if (status)
        return status;
    status = error_of_file(err, path, new_file_stream(&file.file, &stream, err));
    if (!status) {
        status = error_of_file(err, path, copy_stream(result, stream, err));
        fclose(stream);
    }
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

/* Starts "gnuplot -d -"; -d ignores the user's start-up file, which could change the picture. */
static Status start_gnuplot(int script, int picture, int messages, pid_t *child, Error *err)
{
    char *arguments[] = {"gnuplot", "-d", "-", NULL};
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files))
        return error_no_memory(err);
    int failed = posix_spawn_file_actions_adddup2(&files, script, STDIN_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    failed = failed ? failed : posix_spawnp(child, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed == ENOENT)
        return error_set(err, STATUS_IO, "gnuplot not found (Debian: gnuplot-nox)");
    return failed ? error_set(err, STATUS_IO, "cannot start gnuplot: %s", strerror(failed)) : STATUS_OK;
}

/* Sets the error from the first line of gnuplot's messages with text. */
static Status complain(FILE *messages, Error *err)
{
    char line[256], said[256] = "no picture";
    rewind(messages);
    while (fgets(line, sizeof line, messages)) {
        line[strcspn(line, "\n")] = '\0';
        if (strspn(line, " ^") < strlen(line))
            memcpy(said, line, sizeof said);
    }
    return error_set(err, STATUS_IO, "gnuplot: %s", said);
}

/* Runs gnuplot as a child process, without a shell, on the script from its beginning; the picture goes to an open
 * regular file. STATUS_IO if gnuplot is missing, fails or draws nothing; err has its message. */
static Status run_gnuplot(FILE *script, FILE *picture, Error *err)
{
    pid_t child = -1;
    int state = 0;
    struct stat drawn = {0};
    FILE *messages = tmpfile();
    if (!messages)
        return error_set(err, STATUS_IO, "cannot create a temporary file: %s", strerror(errno));
    rewind(script);
    Status status = start_gnuplot(fileno(script), fileno(picture), fileno(messages), &child, err);
    if (!status) {
        while (waitpid(child, &state, 0) < 0 && errno == EINTR)
            ;
        fstat(fileno(picture), &drawn);
        if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || drawn.st_size == 0)
            status = complain(messages, err);
    }
    fclose(messages);
    return status;
}

Status plot_output_put(const PlotOutput *out, FILE *script, Error *err)
{
    if (out->is_script)
        return deliver(out, script, err);
    FILE *picture = tmpfile(); /* unnamed, so that no partial file remains */
    if (!picture)
        return error_set(err, STATUS_IO, "cannot create a temporary file: %s", strerror(errno));
    Status status = run_gnuplot(script, picture, err);
    if (!status)
        status = deliver(out, picture, err);
    fclose(picture);
    return status;
}
