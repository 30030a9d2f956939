/* See output_file.h. */
#include "pipeline/cli/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/arena.h"
#include "formats/container/output_rule.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"

const OutputEnding container_endings[] = {
    {"h5", 0, FILE_CONTAINER}, {"hdf5", 0, FILE_CONTAINER}, {"nc", 0, FILE_CONTAINER}, {NULL, 0, FILE_CONTAINER},
};

Status output_call_init(OutputCall *call, OutputManner manner, int argc, char *const *argv, Error *err)
{
    *call = (OutputCall){.command = argv[0], .manner = manner, .word = array_new((size_t)argc, 1, sizeof *call->word)};
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
static Status check_output(const OutputCall *call, const char *path, const OutputClaim *claim, Error *err)
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
    return strcmp(path, "-") ? check_output(call, path, &(OutputClaim){.kind = kind}, err) : STATUS_OK;
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
            hash_path(source_file(call->word[i], text), found);
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

void output_origin_add(OutputOrigin *origin, const Provenance *clip)
{
    const char *source = clip->source ? clip->source : "";
    size_t used = strlen(origin->source);
    if (!used)
        memcpy(origin->provenance.source_sha256, clip->source_sha256, sizeof clip->source_sha256);
    else if (strcmp(origin->provenance.source_sha256, clip->source_sha256) != 0)
        *origin->provenance.source_sha256 = 0;
    if (strcmp(origin->source, source) != 0)
        snprintf(origin->source + used, sizeof origin->source - used, "%s%s", used ? ", " : "", source);
}

const Provenance *output_origin(OutputOrigin *origin)
{
    origin->provenance.source = origin->source;
    return &origin->provenance;
}

static Status open_claimed(const OutputCall *call, const char *path, OutputClaim claim, OutputFile *out, Error *err)
{
    OutputFile made = {.call = call, .kind = claim.kind, .origin = claim.origin, .path = path,
                       .file = {.descriptor = -1}};
    *out = OUTPUT_FILE_NONE;
    find_path_hash(call, path, claim.origin, made.path_hash);
    claim.path_hash = made.path_hash;
    Status status = check_output(call, path, &claim, err);
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

Status output_file_open(const OutputCall *call, const char *path, FileKind kind, const Provenance *origin,
                        OutputFile *out, Error *err)
{
    return open_claimed(call, path, (OutputClaim){.kind = kind, .origin = origin}, out, err);
}

Status output_file_open_clip(const OutputCall *call, const char *path, const Clip *clip, OutputFile *out, Error *err)
{
    OutputClaim claim = {.kind = FILE_CONTAINER, .origin = &clip->provenance, .clip = clip};
    return open_claimed(call, path, claim, out, err);
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
    return has_mark(out) ? check_output(out->call, out->path, &claim, err) : STATUS_OK;
}

static void print_written(const OutputFile *out)
{
    if (!out->call->manner.quiet)
        message_note(out->call->command, NULL, "wrote %s%s%s", out->path, *out->summary ? ": " : "", out->summary);
}

Status output_file_commit(OutputFile *out, Error *err)
{
    int is_file = out->file.temporary != NULL;
    if (has_mark(out) && !*out->path_hash)
        find_path_hash(out->call, out->path, out->origin, out->path_hash);
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

Status path_make_parents(const char *base, const char *relative, Error *err)
{
    char *path;
    Status status = STATUS_OK;
    if (asprintf(&path, "%s/%s", base, relative) < 0)
        return error_no_memory(err);
    char *slash = strchr(path + strlen(base) + 1, '/');
    while (slash && !status) {
        *slash = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            status = error_set(err, STATUS_IO, "%s: cannot create: %s", path, strerror(errno));
        *slash = '/';
        slash = strchr(slash + 1, '/');
    }
    free(path);
    return status;
}
