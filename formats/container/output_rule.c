/* See output_rule.h. */
#include "formats/container/output_rule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/clip/clip_schema.h"
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

/* Returns 1 if two existing paths are one name, and not hard links to one file. */
static int is_same_name(const char *a, const char *b)
{
    char *left = realpath(a, NULL), *right = realpath(b, NULL);
    int is_same = left && right && strcmp(left, right) == 0;
    free(left);
    free(right);
    return is_same;
}

/* Returns the input to which the existing file is a hard link under another name; NULL if there is none. */
static const char *hard_linked_input(const char *path, const OutputClaim *claim, const struct stat *there)
{
    struct stat other;
    const char *found = NULL;
    for (int i = 0; i < claim->input_count; i++) {
        if (stat(claim->input[i], &other) || !is_same_file(there, &other))
            continue;
        if (is_same_name(path, claim->input[i]))
            return NULL;
        found = claim->input[i];
    }
    return found;
}

static int is_read_only(const char *path, const struct stat *there)
{
    return (there->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || (access(path, W_OK) && errno != ENOENT);
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

/* Checks that a clip has every group that an existing clip file has. */
static Status check_groups(const ContainerReader *reader, const Clip *clip, Error *err)
{
    for (int id = GROUP_SKELETON; id < GROUP_COUNT; id++)
        if (container_reader_has_group(reader, (SchemaGroupId)id) && !schema_has_group(clip, (SchemaGroupId)id))
            return error_set(err, STATUS_BAD_INPUT, "has /%s, which the new clip lacks", schema_groups[id].name);
    return STATUS_OK;
}

/* Checks an existing clip file; an unreadable one may be replaced. */
static Status check_container(const char *path, const OutputClaim *claim, Error *err)
{
    ContainerReader *reader;
    if (container_reader_open(path, &reader, NULL))
        return STATUS_OK;
    Status status = check_source(path, container_reader_text(reader, "source"),
                                 container_reader_text(reader, "source_sha256"), claim, err);
    if (!status && claim->clip)
        status = check_groups(reader, claim->clip, err);
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

/* Checks existing files other than clip files: without kane's mark, or changed since, a file is the user's. */
static Status check_marked(const char *path, const OutputClaim *claim, Error *err)
{
    static const Provenance none = {0};
    OriginMark mark;
    OutputClaim full = *claim;
    char text[128];
    switch (origin_mark_get(path, &mark)) {
    case ORIGIN_MARK_GOOD:
        if (!claim->origin && !claim->made)
            return STATUS_OK;
        full.origin = claim->origin ? claim->origin : &none;
        return check_source(path, mark.source, mark.source_sha256, &full, err);
    case ORIGIN_MARK_LAPSED:
        return error_set(err, STATUS_BAD_INPUT, "was changed since kane wrote it");
    default:
        snprintf(text, sizeof text, "exists (%s) and was not written by kane", file_kind_name(claim->kind));
        return claim->made ? check_same_bytes(path, claim->made, text, err) : STATUS_OK;
    }
}

/* Checks that a file is not the source of the clip. */
static Status check_not_source(const char *path, const OutputClaim *claim, Error *err)
{
    char digest[DIGEST_SIZE];
    const Provenance *origin = claim->origin;
    if (origin && *origin->source_sha256 && !digest_path(path, digest, NULL) &&
        strcmp(digest, origin->source_sha256) == 0)
        return error_set(err, STATUS_BAD_INPUT, "is the source of the clip");
    return STATUS_OK;
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
        status = check_not_source(path, claim, err);
    if (!status && claim->kind != FILE_CONTAINER)
        status = check_marked(path, claim, err);
    return status;
}

static Status refuse_read_only(Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "is read-only: make it writable or choose another output");
}

Status output_updatable(const char *path, Error *err)
{
    struct stat there;
    if (stat(path, &there) == 0 && S_ISREG(there.st_mode) && is_read_only(path, &there))
        return refuse_read_only(err);
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
    if (is_read_only(path, &there))
        return refuse_read_only(err);
    const char *linked = claim->forced ? hard_linked_input(path, claim, &there) : NULL;
    if (linked)
        return error_set(err, STATUS_USAGE, "is a hard link to the input %.150s: name that, or remove the link",
                         linked);
    return claim->forced ? STATUS_OK : check_content(path, claim, &there, err);
}
