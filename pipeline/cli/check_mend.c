#include "pipeline/cli/check_mend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/new_file.h"
#include "pipeline/cli/check_report.h"
#include "pipeline/cli/message.h"

static int is_folder(const char *target)
{
    struct stat info;
    return target[strlen(target) - 1] == '/' || (stat(target, &info) == 0 && S_ISDIR(info.st_mode));
}

static int is_same_file(const char *a, const char *b)
{
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* *path is owned by the caller. */
static Status name_file(const char *source, const char *target, char **path, Error *err)
{
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    int folder = is_folder(target);
    if (!strcmp(source, "-"))
        name = "stdin.bvh";
    if (folder && mkdir(target, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: %s", target, strerror(errno));
    if (asprintf(path, "%s%s%s", target, folder ? "/" : "", folder ? name : "") < 0) {
        *path = NULL;
        return error_no_memory(err);
    }
    return is_same_file(source, *path) ? error_set(err, STATUS_USAGE, "%s would be written over itself", source)
                                       : STATUS_OK;
}

static Status write_log(const Bvh *bvh, const char *source, FILE *stream, Error *err)
{
    for (int i = 0; i < bvh->warning_count; i++) {
        const BvhWarning *w = &bvh->warning[i];
        Finding finding = {bvh_fault_info(w->fault), w->line, w->column, w->mended, w->text};
        finding_log(stream, source, &finding);
    }
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* The BVH, or with source given its log. */
static Status write_one(const Bvh *bvh, const char *source, const char *path, Error *err)
{
    NewFile file;
    FILE *stream = NULL;
    Status status = new_file_open(path, &file, err);
    if (status == STATUS_OK)
        status = new_file_stream(&file, &stream, err);
    if (status == STATUS_OK)
        status = source ? write_log(bvh, source, stream, err) : bvh_write(bvh, stream, err);
    if (stream)
        fclose(stream);
    if (status == STATUS_OK)
        status = new_file_commit(&file, err);
    new_file_discard(&file);
    return message_of_file(err, path, status);
}

Status check_mend_write(const Bvh *bvh, const char *source, const char *target, Error *err)
{
    char *path = NULL, *log = NULL;
    Status status = name_file(source, target, &path, err);
    if (status == STATUS_OK && asprintf(&log, "%s.log", path) < 0) {
        log = NULL;
        status = error_no_memory(err);
    }
    if (status == STATUS_OK)
        status = write_one(bvh, NULL, path, err);
    if (status == STATUS_OK)
        status = write_one(bvh, source, log, err);
    free(path);
    free(log);
    return status;
}
