#include "formats/container/container_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/container/container_image.h"

/* Metadata lies in front, so the mark of kane's containers is in the first bytes. */
enum { FRONT_SIZE = 65536 };

static int is_ours(FILE *stream, unsigned long long size)
{
    static const char mark[] = "kane-1";
    unsigned char *front = malloc(FRONT_SIZE);
    size_t got = front ? fread(front, 1, FRONT_SIZE, stream) : 0;
    unsigned long long end = got >= IMAGE_HEADER_SIZE ? image_end(front) : 0;
    int ours = end && (end > size || memmem(front, got, mark, sizeof mark - 1));
    free(front);
    return ours;
}

Status container_may_replace(const char *path, Error *err)
{
    struct stat info;
    if (stat(path, &info))
        return STATUS_OK; /* whoever writes will learn why it is not there */
    if (S_ISDIR(info.st_mode))
        return error_set(err, STATUS_BAD_INPUT, "a folder is in the way");
    if (!S_ISREG(info.st_mode) || info.st_size == 0)
        return STATUS_OK;
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return error_set(err, STATUS_IO, "%s", strerror(errno));
    int ours = is_ours(stream, (unsigned long long)info.st_size);
    fclose(stream);
    return ours ? STATUS_OK : error_set(err, STATUS_BAD_INPUT, "a file that is no kane container is in the way");
}

Status container_store_pending(const Clip *clip, const ContainerDef *def, const char *path, const char *temporary,
                               NewFile *pending, Error *err)
{
    *pending = (NewFile){.descriptor = -1};
    Status status = container_may_replace(path, err);
    if (status == STATUS_OK)
        status = temporary ? new_file_open_as(path, temporary, pending, err) : new_file_open(path, pending, err);
    if (status == STATUS_OK)
        status = container_write(clip, def, pending->descriptor, err);
    if (status != STATUS_OK)
        new_file_discard(pending);
    return status;
}

Status container_store(const Clip *clip, const ContainerDef *def, const char *path, Error *err)
{
    NewFile file;
    Status status = container_store_pending(clip, def, path, NULL, &file, err);
    return status == STATUS_OK ? new_file_commit(&file, err) : status;
}
