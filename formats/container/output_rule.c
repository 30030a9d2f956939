/* See output_rule.h. */
#include "formats/container/output_rule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/container/container_reader.h"
#include "formats/container/source_mark.h"
#include "formats/source/identify.h"

static int is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns 1 if the existing file is an input. Standard input counts: the shell may have opened this file. */
static int is_input(const OutputClaim *claim, const struct stat *there)
{
    struct stat other;
    for (int i = 0; i < claim->input_count; i++)
        if (stat(claim->input[i], &other) == 0 && is_same_file(there, &other))
            return 1;
    return fstat(STDIN_FILENO, &other) == 0 && is_same_file(there, &other);
}

/* The caller frees *front. */
static Status read_front(const char *path, char **front, size_t *count, Error *err)
{
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        error_set(err, STATUS_IO, "cannot read the existing file: %s", strerror(errno));
        return STATUS_IO;
    }
    *front = malloc(FILE_FRONT_SIZE);
    *count = *front ? fread(*front, 1, FILE_FRONT_SIZE, stream) : 0;
    fclose(stream);
    return *front ? STATUS_OK : error_no_memory(err);
}

static Status check_kind(const char *path, FileKind kind, unsigned long long size, Error *err)
{
    char *front = NULL;
    size_t count;
    Status status = read_front(path, &front, &count, err);
    if (status)
        return status;
    FileKind found = detect_file_kind(front, count, size);
    free(front);
    if (found == kind || found == FILE_EMPTY)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "exists and is %s, not %s",
                     file_kind_name(found), file_kind_name(kind));
}

/* Checks that sources agree, by content, or by name and path: an edited file is still the same source. */
static Status check_source(const char *path, const char *source, const char *digest, const OutputClaim *claim,
                           Error *err)
{
    const Provenance *origin = claim->origin;
    const char *own = origin->source ? origin->source : "", *wanted = claim->path_hash ? claim->path_hash : "";
    char hash[PATH_HASH_SIZE];
    if (*digest && strcmp(digest, origin->source_sha256) == 0)
        return STATUS_OK;
    if (strcmp(source, own) != 0)
        return error_set(err, STATUS_BAD_INPUT, "was made from a different file (%s)",
                         *source ? source : "which it does not name");
    path_hash_get(path, hash);
    if (!*digest || !*origin->source_sha256 || (*hash && strcmp(hash, wanted) == 0))
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "was made from another %s, %s", source,
                     *hash && *wanted ? "of another folder" : "with other bytes");
}

/* Checks an existing clip file; an unreadable one may be replaced. */
static Status check_container(const char *path, const OutputClaim *claim, Error *err)
{
    ContainerReader *reader;
    if (container_reader_open(path, &reader, NULL))
        return STATUS_OK;
    Status status = check_source(path, container_reader_text(reader, "source"),
                                 container_reader_text(reader, "source_sha256"), claim, err);
    container_reader_close(reader);
    return status;
}

static Status check_same_bytes(const char *path, const char *made, const char *otherwise, Error *err)
{
    char old[DIGEST_SIZE], new[DIGEST_SIZE];
    Status status = digest_path(path, old, err);
    if (!status)
        status = digest_path(made, new, err);
    if (!status && strcmp(old, new) != 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s", otherwise);
    return status;
}

/* Checks an existing BVH file. One written by kane has a mark; others must not be lost. */
static Status check_rewritten(const char *path, const OutputClaim *claim, Error *err)
{
    OriginMark mark;
    if (claim->origin && origin_mark_get(path, &mark) == ORIGIN_MARK_GOOD)
        return check_source(path, mark.source, mark.source_sha256, claim, err);
    return check_same_bytes(path, claim->made, "exists, a BVH file of unknown source", err);
}

/* Finds the heading: of text the first line that is not a comment, of JSON the text before the first colon. */
static size_t find_heading(const char *front, size_t count, FileKind kind, size_t *begins)
{
    size_t at = 0, end;
    while (kind == FILE_TEXT && at < count && front[at] == '#') {
        const char *line = memchr(front + at, '\n', count - at);
        at = line ? (size_t)(line - front) + 1 : count;
    }
    *begins = at;
    for (end = at; end < count && front[end] != (kind == FILE_JSON ? ':' : '\n'); end++)
        ;
    return end - at;
}

/* Returns 1 if two tables have the same columns. */
static int have_one_heading(const char *path, const char *made, FileKind kind)
{
    char *front[2] = {NULL, NULL};
    size_t count[2], begins[2], length[2] = {0, 1};
    const char *file[2] = {path, made};
    if (kind != FILE_TEXT && kind != FILE_JSON)
        return 0;
    for (int i = 0; i < 2; i++)
        if (!read_front(file[i], &front[i], &count[i], NULL))
            length[i] = find_heading(front[i], count[i], kind, &begins[i]);
    int same = front[0] && front[1] && length[0] > 0 && length[0] == length[1] &&
               memcmp(front[0] + begins[0], front[1] + begins[1], length[0]) == 0;
    free(front[0]);
    free(front[1]);
    return same;
}

/* Checks existing tables, pictures and pages: only unmodified files of kane may be replaced. */
static Status check_kept(const char *path, const OutputClaim *claim, Error *err)
{
    OriginMark mark;
    OriginMarkState state = origin_mark_get(path, &mark);
    int is_text = claim->kind == FILE_TEXT || claim->kind == FILE_JSON || claim->kind == FILE_OPENSIM;
    if (state == ORIGIN_MARK_GOOD || (state == ORIGIN_MARK_IMPOSSIBLE && !is_text))
        return STATUS_OK;
    if (state == ORIGIN_MARK_LAPSED)
        return error_set(err, STATUS_BAD_INPUT, "was changed since kane wrote it");
    if (!claim->made || have_one_heading(path, claim->made, claim->kind))
        return STATUS_OK;
    char text[128];
    snprintf(text, sizeof text, "exists (%s) and was not written by kane", file_kind_name(claim->kind));
    return check_same_bytes(path, claim->made, text, err);
}

static Status check_bvh(const char *path, const OutputClaim *claim, Error *err)
{
    char digest[DIGEST_SIZE];
    const Provenance *origin = claim->origin;
    if (origin && *origin->source_sha256 && !digest_path(path, digest, NULL) &&
        strcmp(digest, origin->source_sha256) == 0)
        return error_set(err, STATUS_BAD_INPUT, "is the source of the clip");
    return claim->made ? check_rewritten(path, claim, err) : STATUS_OK;
}

static Status check_content(const char *path, const OutputClaim *claim, const struct stat *there, Error *err)
{
    if (is_input(claim, there))
        return error_set(err, STATUS_USAGE, "is an input of this command");
    if (there->st_size == 0)
        return STATUS_OK;
    Status status = check_kind(path, claim->kind, (unsigned long long)there->st_size, err);
    if (!status && claim->kind == FILE_CONTAINER && claim->origin)
        status = check_container(path, claim, err);
    if (!status && claim->kind == FILE_BVH)
        status = check_bvh(path, claim, err);
    if (!status && claim->kind != FILE_CONTAINER && claim->kind != FILE_BVH)
        status = check_kept(path, claim, err);
    return status;
}

Status output_leads_somewhere(const char *path, Error *err)
{
    struct stat there;
    if (lstat(path, &there) || !S_ISLNK(there.st_mode) || stat(path, &there) == 0 || errno != ENOENT)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "is a symbolic link to nothing: name the file that it leads to");
}

Status output_allowed(const char *path, const OutputClaim *claim, Error *err)
{
    struct stat link, there;
    if (lstat(path, &link))
        return STATUS_OK; /* writing reports the error */
    int is_there = stat(path, &there) == 0;
    if (is_there && S_ISDIR(there.st_mode))
        return error_set(err, STATUS_BAD_INPUT, "a folder is in the way");
    if (is_there && !S_ISREG(there.st_mode))
        return STATUS_OK; /* device or pipe */
    if (S_ISLNK(link.st_mode))
        return error_set(err, STATUS_BAD_INPUT, "is a symbolic link: name the file that it leads to");
    return claim->forced ? STATUS_OK : check_content(path, claim, &there, err);
}
